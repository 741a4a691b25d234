//! Figure 7: a perturbed body for a long time.

use polhode::ensemble::Stream;
use polhode::glam::{DQuat, DVec2, DVec3};
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Curve, Figure, LineStyle, Mark, Series, Sphere};

use crate::claim::{Claims, number};
use crate::drivers::{Driver, Init};
use crate::measure::{conserved, largest, trace_changes};
use crate::{Context, ExperimentError, Product};

pub(super) fn perturbed(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-7", 1);
    // At both sizes: the braids show only after so long.
    let until = 5e4;
    let init = Init::published(Driver::Example1, until);
    let u0 = init.splitting.as_ref().map_or([0.0; 3], |s| s.u0);
    let inertia = Inertia::principal_unphysical(init.inertia)?;
    let torque = HeavyTop::new([0.0, 0.0, 1.0], u0)?;
    let start = State::aligned(init.momentum)?;
    let problem = Problem::new(inertia, start).torque(torque);
    let energy = problem.energy(0.0, &start);
    // What the body would keep without the torque.
    let free = conserved(&inertia, &start);
    let (mut momenta, mut errors, mut kinetic) = (Vec::new(), Vec::new(), Vec::new());
    let (mut states, mut away) = (Vec::new(), 0.0_f64);
    trace_changes(&problem, "frb", 0.5, until, |t, s, [error, ..]| {
        momenta.push(s.m);
        states.push((t, *s));
        errors.push(error.abs());
        let [change, norm, _] = conserved(&inertia, s).changes(&free);
        kinetic.push(change);
        away = largest([away, change.abs(), norm.abs()]);
    })?;
    let mut claims = Claims::of("frb-fortran-7");
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
        "the error of the energy is rounding, and grows no more than rounding does",
        format!(
            "{} in the first half, {} in the second, of {}",
            number(early),
            number(late),
            number(energy)
        ),
        late < 1e-12 * energy && late < 2.0 * early,
        "100 000 steps; a random walk grows by a factor of 1.4 from the first half to the whole",
    );
    let [before, after] = [0, 1].map(|half| {
        let part = &kinetic[half * kinetic.len() / 2..(half + 1) * kinetic.len() / 2];
        part.iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &k| [low.min(k), high.max(k)])
    });
    let width = before[1] - before[0];
    let moved = (before[0] - after[0]).abs().max((before[1] - after[1]).abs()) / width;
    claims.check(
        "the band that the trajectory fills does not widen",
        "the kinetic energy has the same range in both halves",
        format!("a width of {}, whose ends move by {} of it", number(width), number(moved)),
        moved < 1e-3,
        "",
    );
    claims.check(
        "the orbit is on a torus close to the unperturbed problem",
        "the invariants of the free body change by no more than the torque",
        format!("kinetic energy and |m| by at most {}", number(away)),
        away < norm,
        "",
    );
    braids(&mut claims, &problem, &momenta, &states)?;
    let every = momenta.len().div_ceil(1400);
    let shown = momenta.iter().step_by(every).map(DVec3::to_array);
    let mut curve = Curve::new("", shown);
    curve.style =
        polhode_plot::Style { line: LineStyle::None, mark: Some(Mark::Dot), ..curve.style };
    let mut sphere = Sphere::new(["m₁", "m₂", "m₃"]).title("momentum").curve(curve);
    // From below: the momentum points there.
    sphere.view = [-150.0, -30.0];
    let close = close_up(&momenta);
    let figure = Figure::new([sphere.into(), close.into()]).panel_size(440.0, 400.0);
    context.progress.advance();
    Ok(Product::new(figure, claims.into_list()))
}

/// Half the width of the close-up, and how many of its points are taken.
const WINDOW: f64 = 0.012;
const POINTS: usize = 1400;

/// Whether the pattern of the close-up is that of the sampling: the same motion looked at at times
/// drawn at random has none.
fn braids(
    claims: &mut Claims,
    problem: &Problem,
    momenta: &[DVec3],
    states: &[(f64, State)],
) -> Result<(), ExperimentError> {
    let centre = momenta[0];
    let mut random = Stream::new(1, 0);
    let mut other = Vec::new();
    let mut stepper = Method::parse("frb")?.stepper(problem)?;
    for (t, state) in states {
        let h = 0.5 * random.uniform();
        // Steps that do not come near the window are not needed.
        if (state.m - centre).truncate().length() < 0.3 {
            let mut later = *state;
            stepper.reset();
            stepper.step(problem, *t, h, &mut later)?;
            other.push(later.m);
        }
    }
    let [sampled, drawn] = [momenta, &other].map(|all| near(all, centre));
    let null = unevenness(&at_random(problem.inertia(), centre, &drawn, &mut random));
    let [sampled, drawn] = [sampled, drawn].map(|points| unevenness(&points));
    claims.check(
        "the braids of the close-up come from sampling at multiples of the step",
        "points at random times of the same motion lie at random, those of the steps do not",
        format!(
            "spread of the distances between neighbours {} with the steps, {} at random times, {} for \
             points drawn at random in the same band",
            number(sampled),
            number(drawn),
            number(null)
        ),
        sampled < 0.85 * null && (drawn / null - 1.0).abs() < 0.1,
        "standard deviation over mean of the distance to the nearest point, 0 for a lattice; as at \
         random means within 10 %, not so means 15 % below",
    );
    Ok(())
}

/// As many points at random in the band that some points of the window fill: each with the kinetic
/// energy of one of them, which says where across the band it is, and anywhere along the band. The
/// band is denser at its edges, where the energy turns.
fn at_random(
    inertia: &Inertia,
    centre: DVec3,
    points: &[[f64; 2]],
    random: &mut Stream,
) -> Vec<[f64; 2]> {
    let middle = centre.truncate();
    let energy = |p: DVec2| {
        let z = -(centre.length_squared() - p.length_squared()).max(0.0).sqrt();
        State { m: p.extend(z), q: DQuat::IDENTITY }.kinetic_energy(inertia)
    };
    let slope =
        |along: DVec2| (energy(middle + along * 1e-4) - energy(middle - along * 1e-4)) / 2e-4;
    let gradient = DVec2::new(slope(DVec2::X), slope(DVec2::Y));
    let (across, along) = (gradient.normalize(), gradient.normalize().perp());
    let mut drawn = Vec::new();
    for index in (0..points.len()).cycle().take(100 * points.len()) {
        if drawn.len() >= points.len() {
            break;
        }
        let wanted = energy(DVec2::from_array(points[index]));
        let mut point = middle + along * (1.5 * WINDOW * (2.0 * random.uniform() - 1.0));
        for _ in 0..5 {
            point -= across * ((energy(point) - wanted) / gradient.length());
        }
        if (point - middle).abs().max_element() < WINDOW {
            drawn.push(point.to_array());
        }
    }
    drawn
}

/// Standard deviation over mean of the distance to the nearest other point.
fn unevenness(points: &[[f64; 2]]) -> f64 {
    let nearest = |i: usize| {
        let others = points.iter().enumerate().filter(|(j, _)| *j != i);
        let distance = |p: &[f64; 2]| (p[0] - points[i][0]).hypot(p[1] - points[i][1]);
        others.map(|(_, p)| distance(p)).fold(f64::INFINITY, f64::min)
    };
    let all: Vec<f64> = (0..points.len()).map(nearest).collect();
    let count = all.len() as f64;
    let mean = all.iter().sum::<f64>() / count;
    (all.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / count).sqrt() / mean
}

/// Those of the momenta that lie in the window, in the plane of the figure.
fn near(momenta: &[DVec3], centre: DVec3) -> Vec<[f64; 2]> {
    let inside = |m: &&DVec3| (**m - centre).truncate().abs().max_element() < WINDOW && m.z < 0.0;
    momenta.iter().filter(inside).map(|m| [m.x, m.y]).take(POINTS).collect()
}

/// The points within a small window about the first one.
fn close_up(momenta: &[DVec3]) -> Chart {
    let centre = momenta[0];
    let points = near(momenta, centre);
    Chart::new(
        Axis::linear("m₁").range(centre.x - WINDOW, centre.x + WINDOW),
        Axis::linear("m₂").range(centre.y - WINDOW, centre.y + WINDOW),
    )
    .title("close-up")
    .series(Series::new("", points).line(LineStyle::None).mark(Mark::Dot))
}
