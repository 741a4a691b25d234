//! Figures 1 and 2: the Euler equations.

use std::hint::black_box;

use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Mark, Panel, Series};
use polhode_verify::taylor::{FreeReference, momentum_error};

use super::alone;
use crate::claim::{Claims, number};
use crate::measure::{
    about, amplitude, at_most_about, conserved, crossing, end, halvings, invariants, largest,
    order, slope, trace_changes,
};
use crate::timing::clocked;
use crate::{Context, ExperimentError, Product};

const MOMENTS: [f64; 3] = [1.0, 2.0, 3.0];

fn free(omega: [f64; 3]) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal(MOMENTS)?;
    let start = State::from_omega(&inertia, omega, DQuat::IDENTITY)?;
    Ok(Problem::new(inertia, start))
}

/// Times with errors, and steps with errors, of one method.
struct EulerWork {
    name: &'static str,
    means: Vec<[f64; 2]>,
    /// The least ones, by which methods are compared.
    times: Vec<[f64; 2]>,
    errors: Vec<[f64; 2]>,
}

/// Runs over [0, 1], of the momentum alone.
fn clock(problem: &Problem, rounds: u32) -> Result<Vec<EulerWork>, ExperimentError> {
    let (inertia, start) = (problem.inertia(), problem.start());
    let exact = FreeMotion::new(inertia, start)?.omega_at(1.0)?;
    let (methods, halved) = (alone::steps(inertia, start.m), halvings(0, 12));
    let counts: Vec<usize> = (0..halved.len()).map(|k| 1 << k).collect();
    let mut work: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for (_, step) in &methods {
        for (&h, &n) in halved.iter().zip(&counts) {
            work.push(Box::new(move || {
                black_box(alone::run(step, black_box(start.m), h, n));
            }));
        }
    }
    let found = clocked(rounds, &mut work);
    let of_method = |((name, step), found): (&(&'static str, alone::Step), &[[f64; 2]])| {
        let mut work = EulerWork { name, means: Vec::new(), times: Vec::new(), errors: Vec::new() };
        for ((&h, &n), &[least, mean]) in halved.iter().zip(&counts).zip(found) {
            let omega = inertia.omega(alone::run(step, start.m, h, n));
            let error = (omega - exact).length();
            work.means.push([mean, error]);
            work.times.push([least, error]);
            work.errors.push([h, error]);
        }
        work
    };
    Ok(methods.iter().zip(found.chunks(halved.len())).map(of_method).collect())
}

fn table(all: &[EulerWork]) -> Result<String, ExperimentError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let columns = ["method", "step", "mean time in seconds", "least time in seconds", "error of ω"];
    table.write_record(columns)?;
    for w in all {
        for ((&[h, error], mean), least) in w.errors.iter().zip(&w.means).zip(&w.times) {
            table.serialize((w.name, h, mean[0], least[0], error))?;
        }
    }
    let bytes = table.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(super) fn work(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let problem = free([1.0, 0.0, 2.0])?;
    context.progress.begin("celledoni-safstrom-1", 1);
    let all = clock(&problem, context.pick(20, 200))?;
    let table = table(&all)?;
    context.progress.advance();
    let [mr, elliptic, anew, rk4] = &all[..] else { unreachable!("four methods") };
    let mut claims = Claims::of("celledoni-safstrom-1");
    let p = order(&mr.errors, 1e-12, 1e-2);
    claims.check("MR is a method of order 2", "2", number(p), (p - 2.0).abs() < 0.1, "");
    let sizes = |work: &EulerWork| {
        let errors = || work.errors.iter().map(|p| p[1]);
        [errors().fold(f64::INFINITY, f64::min), largest(errors())]
    };
    let span = |[low, high]: [f64; 2]| format!("{} to {}", number(low), number(high));
    let library = end(&problem, "exact", 1.0 / 4096.0, 1.0)?.omega(problem.inertia());
    let exact = FreeMotion::new(problem.inertia(), problem.start())?.omega_at(1.0)?;
    let note = format!(
        "section 3 as it stands, k, λ, a₁ and a₃ computed once. Every step reads its phase from its \
         state, and the roundings of thousands of them add up: second numbers for 4096 steps are {} with \
         all constants computed anew in every step (Algorithm 3.1 of Vilmart) and {} with the library's \
         exact step, which has other formulas; up to 64 steps the claim is true ({})",
        number(anew.errors[12][1]),
        number((library - exact).length()),
        number(largest(elliptic.errors[..=6].iter().map(|p| p[1])))
    );
    let high = sizes(elliptic)[1];
    claims.check(
        "the error is of the size of 1e-14, with the elliptic functions",
        "1e-14",
        span(sizes(elliptic)),
        at_most_about(high, -14),
        &note,
    );
    claims.check(
        "the error is independent of the step, with the elliptic functions",
        "not more with 4096 steps than with one, or about 1e-14",
        format!(
            "{} with one step, {} with 4096",
            number(elliptic.errors[0][1]),
            number(elliptic.errors[12][1])
        ),
        at_most_about(elliptic.errors[12][1], -14),
        &note,
    );
    constants_once(&mut claims, &problem)?;
    let once = elliptic.times[0][0];
    for (work, accuracy) in [(mr, 1e-6), (rk4, 1e-10)] {
        let needed = crossing(&work.times, accuracy).unwrap_or(f64::NAN);
        claims.check(
            &format!("elliptic functions are faster and more accurate than {}", work.name),
            &format!("less time than {} needs for an error of {accuracy:e}", work.name),
            format!("{:.2} µs in one step against {:.1} µs", 1e6 * once, 1e6 * needed),
            once < needed,
            "on this machine, momentum alone",
        );
    }
    let axes = || Chart::new(Axis::log("mean time in seconds"), Axis::log("error of ω at t = 1"));
    let chart = all.iter().zip(Mark::DISTINCT).fold(axes(), |chart, (work, mark)| {
        // An error of zero is drawn where rounding begins.
        chart.series(Series::new(work.name, work.means.clone()).mark(mark).floor(1e-16))
    });
    let figure = Figure::new([chart.into()]).panel_size(620.0, 400.0);
    Ok(Product::new(figure, claims.into_list()).with_file("celledoni-safstrom-1-times.csv", table))
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
        "the error is of the size of 1e-14 and independent of the step, phase counted from the start",
        "1e-14",
        format!("at most {} at 64 times", number(largest(errors.iter().copied()))),
        at_most_about(largest(errors), -14),
        "FreeMotion, which computes constants and phase of the orbit once, against a Taylor series in \
         double-double",
    );
    Ok(())
}

/// Errors of the energy, and angular velocities, along a run.
type EnergyTrace = (Vec<[f64; 2]>, Vec<(f64, DVec3)>);

pub(super) fn energy(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("celledoni-safstrom-2", 5);
    let problem = free([1.0, -2.0, 1.0])?;
    let with = |method: &str, h: f64| -> Result<EnergyTrace, ExperimentError> {
        let (mut errors, mut omegas) = (Vec::new(), Vec::new());
        trace_changes(&problem, method, h, 400.0, |t, s, [energy, ..]| {
            errors.push([t, energy]);
            omegas.push((t, s.omega(problem.inertia())));
        })?;
        context.progress.advance();
        Ok((errors, omegas))
    };
    let run = |method: &str| with(method, 0.4);
    let (rk4, _) = run("rk4")?;
    let (mr, _) = run("three-rotations")?;
    let (finer, _) = with("three-rotations", 0.1)?;
    let (anew, _) = run("jacobi-standard")?;
    let orbit = alone::Section3::new(problem.inertia().moments(), problem.start().m);
    let (mut state, first) = (problem.start(), conserved(problem.inertia(), &problem.start()));
    let mut elliptic = vec![[0.0, 0.0]];
    for n in 1..=1000 {
        // Of the momentum alone: the section has no attitude.
        state.m = orbit.step(0.4, state.m);
        let [change, ..] = conserved(problem.inertia(), &state).changes(&first);
        elliptic.push([0.4 * f64::from(n), change]);
    }
    let size = |points: &[[f64; 2]]| largest(points.iter().map(|p| p[1].abs()));
    let ends = |points: &[[f64; 2]]| {
        let fold = |f: fn(f64, f64) -> f64| points.iter().map(|p| p[1]).reduce(f).unwrap_or(0.0);
        [fold(f64::min), fold(f64::max)]
    };

    let mut claims = Claims::of("celledoni-safstrom-2");
    let last = rk4.last().map_or(0.0, |p| p[1]);
    claims.check(
        "RK4 has a visible energy drift",
        "one-sided growth with time",
        format!("{} of an energy of {} at t = 400", number(last), first.energy),
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
    let span = |points: &[[f64; 2]]| amplitude(points.iter().map(|p| p[1]));
    claims.check(
        "the amplitude of the oscillations of MR is about 1e-3",
        "1e-3",
        number(span(&mr)),
        about(span(&mr), -3),
        &format!("half of what it spans; {} with h = 0.1", number(span(&finer))),
    );
    claims.check(
        "the energy error with elliptic functions is about 1e-14",
        "1e-14",
        number(size(&elliptic)),
        at_most_about(size(&elliptic), -14),
        &format!(
            "1000 steps, energy 6; section 3 as it stands, constants computed once. With constants \
             computed anew in every step (Algorithm 3.1 of Vilmart) it is {}",
            number(size(&anew))
        ),
    );
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
        let norm = invariants(problem, method, 0.4, 400.0)?.momentum_norm();
        Ok(norm.map_or(f64::NAN, |d| d.max_error / d.start))
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
