//! Figures 1 and 2: the Euler equations.

use polhode::glam::{DQuat, DVec3};
use polhode::torque::NoTorque;
use polhode::{FreeMotion, Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};

use crate::claim::{Claims, number};
use crate::measure::{crossing, halvings, largest, order, slope, timed_end, trace};
use crate::{Context, ExperimentError, Product};

fn free(omega: [f64; 3]) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal([1.0, 2.0, 3.0])?;
    let start = State::from_omega(&inertia, omega, DQuat::IDENTITY)?;
    Ok(Problem { inertia, torque: Box::new(NoTorque), t0: 0.0, start })
}

/// Time, error and step of one method.
struct Work {
    name: &'static str,
    times: Vec<[f64; 2]>,
    errors: Vec<[f64; 2]>,
}

pub(super) fn work(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let problem = free([1.0, 0.0, 2.0])?;
    let exact = FreeMotion::new(&problem.inertia, problem.start)?.omega_at(1.0)?;
    let methods = [
        ("three-rotations", "MR"),
        ("jacobi-standard", "elliptic"),
        ("exact", "exact"),
        ("rk4", "RK4"),
    ];
    let (steps, runs) = (halvings(0, 12), context.pick(20, 200));
    context.progress.begin("000-1", methods.len() as u64);
    let mut all = Vec::new();
    for (id, name) in methods {
        let mut work = Work { name, times: Vec::new(), errors: Vec::new() };
        for &h in &steps {
            let (state, seconds) = timed_end(&problem, id, h, 1.0, runs)?;
            let error = (state.omega(&problem.inertia) - exact).length();
            work.times.push([seconds, error]);
            work.errors.push([h, error]);
        }
        all.push(work);
        context.progress.advance();
    }
    let [mr, elliptic, ours, rk4] = &all[..] else { unreachable!("four methods") };
    let mut claims = Claims::of("000-1");
    let p = order(&mr.errors, 1e-12, 1e-2);
    claims.check("MR is a method of order 2", "2", number(p), (p - 2.0).abs() < 0.1, "");
    for (work, what, note) in [
        (
            elliptic,
            "with the elliptic functions",
            "in a few steps; the constants of the orbit are computed anew in every step, and the \
             rounding of thousands of steps adds up",
        ),
        (ours, "with the library's exact step", ""),
    ] {
        let errors = || work.errors.iter().map(|p| p[1]);
        let (low, high) = (errors().fold(f64::INFINITY, f64::min), largest(errors()));
        claims.check(
            &format!("the error is of the size of 1e-14, {what}"),
            "1e-14",
            format!("{} to {}", number(low), number(high)),
            high < 5e-14,
            note,
        );
        claims.check(
            &format!("the error is independent of the step, {what}"),
            "no growth beyond 1e-14",
            format!(
                "{} with one step, {} with 4096",
                number(work.errors[0][1]),
                number(work.errors[12][1])
            ),
            work.errors[12][1] < 10.0 * work.errors[0][1].max(1e-15),
            note,
        );
    }
    let once = elliptic.times[0][0];
    for (work, accuracy) in [(mr, 1e-6), (rk4, 1e-10)] {
        let needed = crossing(&work.times, accuracy).unwrap_or(f64::NAN);
        claims.check(
            &format!("elliptic functions are faster and more accurate than {}", work.name),
            &format!("less time than {} needs for an error of {accuracy:e}", work.name),
            format!("{:.2} µs in one step against {:.1} µs", 1e6 * once, 1e6 * needed),
            once < needed,
            "on this machine",
        );
    }
    let axes = || Chart::new(Axis::log("time in seconds"), Axis::log("error of ω at t = 1"));
    let chart = all.iter().zip(Mark::DISTINCT).fold(axes(), |chart, (work, mark)| {
        // An error of zero is drawn where rounding begins.
        let points = work.times.iter().map(|&[t, e]| [t, e.max(1e-16)]);
        chart.series(Series::new(work.name, points).mark(mark))
    });
    let figure = Figure::new([chart.into()]).panel_size(620.0, 400.0);
    Ok(Product::new(figure, claims.into_list()))
}

/// Errors of the energy, and angular velocities, along a run.
type Traced = (Vec<[f64; 2]>, Vec<(f64, DVec3)>);

pub(super) fn energy(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("000-2", 4);
    let problem = free([1.0, -2.0, 1.0])?;
    let initial = problem.start.kinetic_energy(&problem.inertia);
    let run = |method: &str| -> Result<Traced, ExperimentError> {
        let (mut errors, mut omegas) = (Vec::new(), Vec::new());
        trace(&problem, method, 0.4, 400.0, |t, s| {
            errors.push([t, s.kinetic_energy(&problem.inertia) - initial]);
            omegas.push((t, s.omega(&problem.inertia)));
        })?;
        context.progress.advance();
        Ok((errors, omegas))
    };
    let (rk4, _) = run("rk4")?;
    let (mr, _) = run("three-rotations")?;
    let (elliptic, omegas) = run("jacobi-standard")?;
    let (ours, _) = run("exact")?;
    let size = |points: &[[f64; 2]]| largest(points.iter().map(|p| p[1].abs()));
    let ends = |points: &[[f64; 2]]| {
        let fold = |f: fn(f64, f64) -> f64| points.iter().map(|p| p[1]).reduce(f).unwrap_or(0.0);
        [fold(f64::min), fold(f64::max)]
    };

    let mut claims = Claims::of("000-2");
    let last = rk4.last().map_or(0.0, |p| p[1]);
    claims.check(
        "RK4 has a visible energy drift",
        "one-sided growth with time",
        format!("{} of an energy of {initial} at t = 400", number(last)),
        last.abs() > 0.1 && slope(&rk4) * 400.0 / last > 0.3,
        "",
    );
    let [low, high] = ends(&mr);
    let late = size(&mr[mr.len() / 2..]);
    claims.check(
        "the energy of MR oscillates around a constant value",
        "no growth",
        format!("[{}, {}]; second half {}", number(low), number(high), number(late)),
        late < 1.05 * size(&mr[..mr.len() / 2]),
        "",
    );
    claims.check(
        "the amplitude of the oscillations of MR is about 1e-3",
        "1e-3",
        number(high - low),
        (5e-4..2e-3).contains(&(high - low)),
        "10 times that with the printed step of 0.4; a step of 0.1 would give 1e-3",
    );
    for (points, what) in [(&elliptic, "elliptic functions"), (&ours, "the library's exact step")] {
        claims.check(
            &format!("the energy error with {what} is about 1e-14"),
            "1e-14",
            number(size(points)),
            size(points) < 5e-14,
            "over 1000 steps; relative to the energy of 6 it is a sixth of that",
        );
    }
    let panel = |title: &str, points: &[[f64; 2]]| -> Panel {
        Chart::new(Axis::linear("time"), Axis::linear("energy error"))
            .title(title)
            .series(Series::new("", points.to_vec()).width(1.0))
            .into()
    };
    let component =
        |i: usize, name: &str| Series::new(name, omegas.iter().map(|(t, w)| [*t, w[i]])).width(0.9);
    let omega = Chart::new(Axis::linear("time"), Axis::linear("angular velocity"))
        .title("(d) angular velocity")
        .series(component(0, "ω₁"))
        .series(component(1, "ω₂"))
        .series(component(2, "ω₃"));
    let figure = Figure::new([
        panel("(a) RK4", &rk4),
        panel("(b) MR", &mr),
        panel("(c) elliptic functions", &elliptic),
        omega.into(),
    ]);
    Ok(Product::new(figure, claims.into_list()))
}
