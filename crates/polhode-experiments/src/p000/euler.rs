//! Figures 1 and 2: the Euler equations.

use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};
use polhode_verify::taylor::{FreeReference, momentum_error};

use crate::claim::{Claims, number};
use crate::measure::{crossing, halvings, largest, order, slope, trace};
use crate::timing::{Case, table, timed};
use crate::{Context, ExperimentError, Product};

const MOMENTS: [f64; 3] = [1.0, 2.0, 3.0];

fn free(omega: [f64; 3]) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal(MOMENTS)?;
    let start = State::from_omega(&inertia, omega, DQuat::IDENTITY)?;
    Ok(Problem::new(inertia, start))
}

/// Times with errors, and steps with errors, of one method.
struct Work {
    name: &'static str,
    means: Vec<[f64; 2]>,
    /// The least ones, by which methods are compared.
    times: Vec<[f64; 2]>,
    errors: Vec<[f64; 2]>,
}

pub(super) fn work(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let problem = free([1.0, 0.0, 2.0])?;
    let exact = FreeMotion::new(problem.inertia(), problem.start())?.omega_at(1.0)?;
    let methods = [
        ("three-rotations", "MR"),
        ("jacobi-standard", "elliptic"),
        ("exact", "exact"),
        ("rk4", "RK4"),
    ];
    let (steps, runs) = (halvings(0, 12), context.pick(20, 200));
    context.progress.begin("000-1", 1);
    let cases: Vec<Case<'_>> = methods
        .iter()
        .flat_map(|&(method, _)| {
            steps
                .iter()
                .map(|&step| Case { problem: &problem, method, step, until: 1.0 })
                .collect::<Vec<_>>()
        })
        .collect();
    let found = timed(&cases, runs)?;
    let all: Vec<Work> = methods
        .iter()
        .zip(found.chunks(steps.len()))
        .map(|(&(_, name), found)| {
            let mut work = Work { name, means: Vec::new(), times: Vec::new(), errors: Vec::new() };
            for (timed, &h) in found.iter().zip(&steps) {
                let error = (timed.state.omega(problem.inertia()) - exact).length();
                work.means.push([timed.mean, error]);
                work.times.push([timed.least, error]);
                work.errors.push([h, error]);
            }
            work
        })
        .collect();
    let rows = all.iter().flat_map(|w| w.errors.iter().map(|e| (w.name, vec![e[1]])));
    let table = table(&cases, &found, &["ω"], rows)?;
    context.progress.advance();
    let [mr, elliptic, ours, rk4] = &all[..] else { unreachable!("four methods") };
    let mut claims = Claims::of("000-1");
    let p = order(&mr.errors, 1e-12, 1e-2);
    claims.check("MR is a method of order 2", "2", number(p), (p - 2.0).abs() < 0.1, "");
    for (work, what, note) in [
        (
            elliptic,
            "with the elliptic functions",
            "the paper has the constants k, λ, a₁, a₃ of the orbit 'given' (section 3), computed once; \
             here, as a splitting method needs it, every step computes them anew from its state, and \
             the rounding of thousands of steps adds up. Computed once: see the row of FreeMotion",
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
    constants_once(&mut claims, &problem)?;
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
    let axes = || Chart::new(Axis::log("mean time in seconds"), Axis::log("error of ω at t = 1"));
    let chart = all.iter().zip(Mark::DISTINCT).fold(axes(), |chart, (work, mark)| {
        // An error of zero is drawn where rounding begins.
        chart.series(Series::new(work.name, work.means.clone()).mark(mark).floor(1e-16))
    });
    let figure = Figure::new([chart.into()]).panel_size(620.0, 400.0);
    Ok(Product::new(figure, claims.into_list()).with_file("000-1-times.csv", table))
}

/// The error when the constants of the orbit are computed once, as in the paper.
fn constants_once(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    let motion = FreeMotion::new(problem.inertia(), problem.start())?;
    let start = problem.start();
    let reference = FreeReference::new(MOMENTS, start.m.to_array(), start.attitude());
    let mut errors = Vec::new();
    for t in (1..=64).map(|n| f64::from(n) / 64.0) {
        let (m, _) = reference.at(t);
        let apart = motion.at(t)?.m.to_array();
        // Moments are at least 1: an error of ω is no larger than that of m.
        errors.push(momentum_error(apart, m) * start.m.length());
    }
    claims.check(
        "the error is of the size of 1e-14 and independent of the step, constants computed once",
        "1e-14",
        format!("at most {} at 64 times", number(largest(errors.iter().copied()))),
        largest(errors) < 1e-14,
        "FreeMotion, which computes the constants of the orbit once as the paper's implementation \
         does, against a Taylor series in double-double",
    );
    Ok(())
}

/// Errors of the energy, and angular velocities, along a run.
type Traced = (Vec<[f64; 2]>, Vec<(f64, DVec3)>);

pub(super) fn energy(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("000-2", 6);
    let problem = free([1.0, -2.0, 1.0])?;
    let initial = problem.start().kinetic_energy(problem.inertia());
    let with = |method: &str, h: f64| -> Result<Traced, ExperimentError> {
        let (mut errors, mut omegas) = (Vec::new(), Vec::new());
        trace(&problem, method, h, 400.0, |t, s| {
            errors.push([t, s.kinetic_energy(problem.inertia()) - initial]);
            omegas.push((t, s.omega(problem.inertia())));
        })?;
        context.progress.advance();
        Ok((errors, omegas))
    };
    let run = |method: &str| with(method, 0.4);
    let (rk4, _) = run("rk4")?;
    let (mr, _) = run("three-rotations")?;
    let (finer, _) = with("three-rotations", 0.1)?;
    let (elliptic, _) = run("jacobi-standard")?;
    let (ours, _) = run("exact")?;
    let motion = FreeMotion::new(problem.inertia(), problem.start())?;
    let mut kept = Vec::new();
    for &[t, _] in &elliptic {
        kept.push([t, motion.at(t)?.kinetic_energy(problem.inertia()) - initial]);
    }
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
    let [finer_low, finer_high] = ends(&finer);
    claims.check(
        "the amplitude of the oscillations of MR is about 1e-3",
        "1e-3",
        number(high - low),
        (5e-4..2e-3).contains(&(high - low)),
        &format!(
            "the printed step of 0.4 and the printed amplitude do not belong together: MR has no free \
             parameter, and 1e-3 is its amplitude with h = 0.1 (measured: {}). A relative error is \
             not meant: the errors of figure 4 are absolute",
            number(finer_high - finer_low)
        ),
    );
    for (points, what) in [
        (&elliptic, "elliptic functions, as a step from its state"),
        (&ours, "the library's exact step"),
        (&kept, "elliptic functions, constants computed once (FreeMotion)"),
    ] {
        claims.check(
            &format!("the energy error with {what} is about 1e-14"),
            "1e-14",
            number(size(points)),
            size(points) < 2e-14,
            "1000 steps, energy 6. The paper computes the constants of the orbit once (section 3: \
             'k and λ are given constants'), so that no error adds up; a step that knows only its \
             state computes them anew, and its rounding grows with the number of steps",
        );
    }
    length(&mut claims, &problem)?;
    let panel = |title: &str, points: &[[f64; 2]]| -> Panel {
        Chart::new(Axis::linear("time"), Axis::linear("energy error"))
            .title(title)
            .series(Series::new("", points.to_vec()).width(1.0))
            .into()
    };
    let (_, omegas) = with("jacobi-standard", 0.1)?;
    let figure = Figure::new([
        panel("(a) RK4", &rk4),
        panel("(b) MR", &mr),
        panel("(c) elliptic functions", &elliptic),
        components(&omegas),
    ]);
    Ok(Product::new(figure, claims.into_list()))
}

/// The length of the momentum along the runs of the figure.
fn length(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    let change = |method: &str| -> Result<f64, ExperimentError> {
        let (mut worst, first) = (0.0_f64, problem.start().m.length());
        trace(problem, method, 0.4, 400.0, |_, s| {
            worst = worst.max((s.m.length() - first).abs() / first);
        })?;
        Ok(worst)
    };
    let (elliptic, mr) = (change("jacobi-standard")?, change("three-rotations")?);
    claims.check(
        "the exact solution preserves energy and momentum, easily to machine accuracy",
        "|m| kept to rounding, like the energy",
        format!("{} relative in 1000 steps (MR: {})", number(elliptic), number(mr)),
        elliptic < f64::EPSILON * 1000_f64.sqrt(),
        "what a random walk of roundings reaches",
    );
    Ok(())
}

/// The angular velocity to t = 40: in 400 the first two components would be one block of colour.
fn components(omegas: &[(f64, DVec3)]) -> Panel {
    let shown = || omegas.iter().filter(|(t, _)| *t <= 40.0);
    let component =
        |i: usize, name: &str| Series::new(name, shown().map(|(t, w)| [*t, w[i]])).width(1.3);
    Chart::new(Axis::linear("time"), Axis::linear("angular velocity"))
        .title("(d) angular velocity, to t = 40")
        .series(component(0, "ω₁"))
        .series(component(1, "ω₂"))
        .series(component(2, "ω₃"))
        .into()
}
