//! Figure 7: a perturbed body for a long time.

use polhode::glam::DVec3;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Curve, Figure, Line, Mark, Series, Sphere};

use crate::claim::{Claims, number};
use crate::drivers::{Driver, Init};
use crate::measure::{largest, trace};
use crate::{Context, ExperimentError, Product};

pub(super) fn perturbed(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("001-7", 1);
    let until = context.pick(5e3, 5e4);
    let init = Init::published(Driver::Example1, until);
    let u0 = init.splitting.as_ref().map_or([0.0; 3], |s| s.u0);
    let inertia = Inertia::principal_unphysical(init.inertia)?;
    let torque = Box::new(HeavyTop::new([0.0, 0.0, 1.0], u0)?);
    let start = State::aligned(init.momentum)?;
    let problem = Problem { inertia, torque, t0: 0.0, start };
    let energy = problem.energy(0.0, &start);
    let (mut momenta, mut errors, mut kinetic) = (Vec::new(), Vec::new(), Vec::new());
    trace(&problem, "frb", 0.5, until, |t, s| {
        momenta.push(s.m);
        errors.push((problem.energy(t, s) - energy).abs());
        kinetic.push((s.kinetic_energy(&inertia) - start.kinetic_energy(&inertia)).abs());
    })?;
    let mut claims = Claims::of("001-7");
    let norm = DVec3::from_array(u0).length();
    claims.check(
        "the perturbation has the norm 10⁻³",
        "1e-3",
        format!("{norm:.6e}"),
        (norm - 1e-3).abs() < 1e-9,
        "",
    );
    let (first, second) = errors.split_at(errors.len() / 2);
    let (early, late) = (largest(first.iter().copied()), largest(second.iter().copied()));
    claims.check(
        "the numerical trajectory stays nicely bounded over very long time",
        "the error of the energy does not grow",
        format!(
            "{} in the first half, {} in the second, of {}",
            number(early),
            number(late),
            number(energy)
        ),
        // Rounding of 15 drifts a step adds up.
        late < 2.0 * early + 1e-15 * errors.len() as f64,
        "",
    );
    let lengths = momenta.iter().map(|m| (m.length() - start.m.length()).abs());
    let away = largest(lengths).max(largest(kinetic.iter().copied()));
    claims.check(
        "the orbit is on a torus close to the unperturbed problem",
        "invariants of the free body change by no more than a few times the torque",
        format!("kinetic energy and |m| by at most {}", number(away)),
        away < 10.0 * norm,
        "",
    );
    let period = free_period(&inertia, start)?;
    claims.check(
        "the braids of the close-up come from sampling at multiples of the step",
        "the period of the free motion is no multiple of h",
        format!("{:.3} steps a period", period / 0.5),
        (period / 0.5).fract() > 1e-3,
        "",
    );
    let every = momenta.len().div_ceil(1400);
    let shown = momenta.iter().step_by(every).map(DVec3::to_array);
    let mut curve = Curve::new("", shown);
    curve.style = polhode_plot::Style { line: Line::None, mark: Some(Mark::Dot), ..curve.style };
    let mut sphere = Sphere::new(["m₁", "m₂", "m₃"]).title("momentum").curve(curve);
    // From below: the momentum points there.
    sphere.view = [-150.0, -30.0];
    let close = close_up(&momenta);
    let figure = Figure::new([sphere.into(), close.into()]).panel_size(440.0, 400.0);
    context.progress.advance();
    Ok(Product::new(figure, claims.into_list()))
}

fn free_period(inertia: &Inertia, start: State) -> Result<f64, ExperimentError> {
    Ok(polhode::FreeMotion::new(inertia, start)?.period().unwrap_or(f64::NAN))
}

/// The points within a small window about the first one.
fn close_up(momenta: &[DVec3]) -> Chart {
    let centre = momenta[0];
    let near =
        momenta.iter().filter(|m| (m.x - centre.x).abs() < 0.012 && (m.y - centre.y).abs() < 0.012);
    let points: Vec<[f64; 2]> = near.map(|m| [m.x, m.y]).take(1400).collect();
    Chart::new(
        Axis::linear("m₁").range(centre.x - 0.012, centre.x + 0.012),
        Axis::linear("m₂").range(centre.y - 0.012, centre.y + 0.012),
    )
    .title("close-up")
    .series(Series::new("", points).line(Line::None).mark(Mark::Dot))
}
