//! Figures 4 and 6 to 8: energy and trajectories.

use polhode::Problem;
use polhode::glam::DVec3;
use polhode_plot::{Axis, Chart, Curve, Figure, Mark, Panel, Series, Sphere};

use super::{large_top, small_top, top};
use crate::claim::{Claims, number};
use crate::measure::{about, largest, slope, trace_changes, up};
use crate::{Context, ExperimentError, Product};

/// The error of the energy, and u, along a run.
struct TopRun {
    energy: Vec<[f64; 2]>,
    u: Vec<(f64, DVec3)>,
}

impl TopRun {
    fn of(problem: &Problem, method: &str, step: f64, until: f64) -> Result<Self, ExperimentError> {
        let mut run = Self { energy: Vec::new(), u: Vec::new() };
        trace_changes(problem, method, step, until, |t, s, [energy, ..]| {
            run.energy.push([t, energy]);
            run.u.push((t, up(s)));
        })?;
        Ok(run)
    }

    fn error(&self) -> f64 {
        largest(self.energy.iter().map(|p| p[1].abs()))
    }

    fn mean_error(&self) -> f64 {
        self.energy[1..].iter().map(|p| p[1].abs()).sum::<f64>() / (self.energy.len() - 1) as f64
    }

    fn panel(&self, title: &str) -> Panel {
        Chart::new(Axis::linear("time"), Axis::linear("energy error"))
            .title(title)
            .series(Series::new("", self.energy.clone()).width(0.9))
            .into()
    }

    /// The curve of u, through 4000 points at most: more make a file too large to look at.
    fn sphere(&self, title: &str) -> Panel {
        let shown = self.u.iter().step_by(self.u.len().div_ceil(4000));
        let mut curve = Curve::new("", shown.map(|(_, u)| u.to_array()));
        curve.style.width = 0.4;
        let mut sphere = Sphere::new(["u₁", "u₂", "u₃"]).title(title).curve(curve);
        sphere.radius = Some(1.0);
        sphere.into()
    }
}

pub(super) fn large_energy(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("celledoni-safstrom-4", 3);
    let problem = large_top()?;
    let mut claims = Claims::of("celledoni-safstrom-4");
    let (mut panels, mut errors) = (Vec::new(), Vec::new());
    for (id, name, power) in [("rk4", "RK4", 4), ("mr", "MR", 3), ("sej", "SEJ", -3)] {
        let run = TopRun::of(&problem, id, 1e-3, 20.0)?;
        errors.push(run.error());
        claims.check(
            &format!("the energy error of {name} is O(10^{power})"),
            &format!("1e{power}"),
            number(run.error()),
            about(run.error(), power),
            "",
        );
        if id != "rk4" {
            let half = run.energy.len() / 2;
            let part = |p: &[[f64; 2]]| largest(p.iter().map(|e| e[1].abs()));
            let (first, second) = (part(&run.energy[..half]), part(&run.energy[half..]));
            claims.check(
                &format!("the energy error of {name} oscillates"),
                "no growth from the first half to the second",
                format!("{} and {}", number(first), number(second)),
                second < 1.5 * first,
                "",
            );
        }
        panels.push(run.panel(name));
        context.progress.advance();
    }
    claims.check(
        "in long integrations the symmetric splitting performs much better than RK4",
        "an energy error smaller by powers of ten",
        format!("RK4 has {} times the error of SEJ", number(errors[0] / errors[2])),
        errors[0] > 1e3 * errors[2],
        "at t = 20; RK4 drifts, so that its error grows on",
    );
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}

const STEPS: [f64; 3] = [0.01, 0.05, 0.1];

/// Runs with the three steps, to t = 100.
fn runs(method: &str) -> Result<Vec<TopRun>, ExperimentError> {
    let problem = small_top()?;
    STEPS.iter().map(|&h| TopRun::of(&problem, method, h, 100.0)).collect()
}

fn panels(runs: &[TopRun], name: &str) -> Figure {
    let titled = || runs.iter().zip(STEPS);
    let energies = titled().map(|(r, h)| r.panel(&format!("{name}, h = {h}: energy error")));
    let spheres = titled().map(|(r, h)| r.sphere(&format!("{name}, h = {h}: u")));
    Figure::new(energies.chain(spheres)).columns(3).panel_size(380.0, 320.0)
}

/// The lowest u3 of a run: how far the centre of mass sinks.
fn lowest(run: &TopRun) -> f64 {
    run.u.iter().map(|(_, u)| u.z).fold(f64::INFINITY, f64::min)
}

fn list(values: impl Iterator<Item = f64>) -> String {
    values.map(number).collect::<Vec<_>>().join(", ")
}

pub(super) fn sej(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("celledoni-safstrom-6", 2);
    let sej = runs("sej")?;
    context.progress.advance();
    let mr = runs("mr")?;
    let exact = TopRun::of(&small_top()?, "kahanli8+exact", 0.01, 100.0)?;
    context.progress.advance();
    let mut claims = Claims::of("celledoni-safstrom-6");
    let apart = |i: usize| (sej[0].u[i].1 - mr[0].u[i].1).length();
    let last = apart(sej[0].u.len() - 1);
    claims.check(
        "with h = 0.01 the two trajectories are similar: |u_SEJ − u_MR| = O(10⁻¹)",
        "1e-1",
        format!(
            "{} at t = 100, at most {}",
            number(last),
            number(largest((0..sej[0].u.len()).map(apart)))
        ),
        about(last, -1),
        "read as the difference at the end",
    );
    let ratio = sej[0].error() / mr[0].error();
    claims.check(
        "with h = 0.01 the energy error of SEJ is a factor 10⁻¹ smaller than that of MR",
        "0.1",
        number(ratio),
        about(ratio, -1),
        "",
    );
    let errors = |runs: &[TopRun]| list(runs.iter().map(TopRun::error));
    claims.check(
        "the amplitude of the energy error of SEJ grows with the step",
        "growing for h = 0.01, 0.05, 0.1",
        errors(&sej),
        sej.windows(2).all(|w| w[0].error() < w[1].error()),
        "",
    );
    claims.check(
        "consistently SEJ has a smaller energy error than MR",
        "smaller for all three steps",
        format!("SEJ {}; MR {}", errors(&sej), errors(&mr)),
        sej.iter().zip(&mr).all(|(s, m)| s.error() < m.error()),
        "",
    );
    let sinks = list(sej.iter().map(lowest));
    claims.check(
        "the trajectory of SEJ keeps its qualitative behaviour for all three steps",
        "u₃ stays within 0.2 of the lowest of the exact motion",
        format!("lowest u₃ {sinks}; exact {}", number(lowest(&exact))),
        sej.iter().all(|r| (lowest(r) - lowest(&exact)).abs() < 0.2),
        "exact: kahanli8+exact, h = 0.01",
    );
    Ok(Product::new(panels(&sej, "SEJ"), claims.into_list()))
}

pub(super) fn mr(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("celledoni-safstrom-7", 1);
    let mr = runs("mr")?;
    let exact = TopRun::of(&small_top()?, "kahanli8+exact", 0.01, 100.0)?;
    context.progress.advance();
    let mut claims = Claims::of("celledoni-safstrom-7");
    claims.check(
        "the amplitude of the energy error of MR grows with the step",
        "growing for h = 0.01, 0.05, 0.1",
        list(mr.iter().map(TopRun::error)),
        mr.windows(2).all(|w| w[0].error() < w[1].error()),
        "",
    );
    claims.check(
        "with h = 0.1 the trajectory of MR becomes completely different",
        "u₃ goes where the exact motion never is",
        format!("lowest u₃ {}; exact {}", number(lowest(&mr[2])), number(lowest(&exact))),
        lowest(&mr[2]) < lowest(&exact) - 0.5,
        "exact: kahanli8+exact, h = 0.01",
    );
    Ok(Product::new(panels(&mr, "MR"), claims.into_list()))
}

pub(super) fn inertia(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let count = context.pick(11, 51);
    let alphas: Vec<f64> =
        (0..count).map(|k| 10f64.powf(5.0 * f64::from(k) / f64::from(count - 1))).collect();
    let methods = [("mr", "MR"), ("sej", "SEJ"), ("strang+exact", "strang+exact")];
    context.progress.begin("celledoni-safstrom-8", methods.len() as u64);
    let mut all = Vec::new();
    for (id, _) in methods {
        let mut points = Vec::new();
        for &alpha in &alphas {
            let problem = top([alpha, 2.0 * alpha, 3.0 * alpha], [1.0, 2.0, 3.0])?;
            points.push([alpha, TopRun::of(&problem, id, 0.01, 10.0)?.mean_error()]);
        }
        all.push(points);
        context.progress.advance();
    }
    let [mr, sej, _] = &all[..] else { unreachable!("three methods") };
    let last = alphas.len() - 1;
    let mut claims = Claims::of("celledoni-safstrom-8");
    claims.check(
        "the energy error of SEJ is smaller than that of MR when the inertia is large",
        "smaller for every α from 10 to 10⁵",
        format!("at α = 10⁵ {} against {}", number(sej[last][1]), number(mr[last][1])),
        mr.iter().zip(sej).filter(|(m, _)| m[0] >= 10.0).all(|(m, s)| s[1] < m[1]),
        "",
    );
    let logs: Vec<[f64; 2]> = mr.iter().filter(|p| p[0] > 1e2).map(|p| p.map(f64::log10)).collect();
    claims.check(
        "the error of MR grows with the inertia",
        "in proportion to α",
        format!(
            "as α^{}, from {} to {}",
            number(slope(&logs)),
            number(mr[0][1]),
            number(mr[last][1])
        ),
        (slope(&logs) - 1.0).abs() < 0.1,
        "the exponent is read from the figure's straight line; the text has no number",
    );
    let spread =
        largest(sej.iter().map(|p| p[1])) / sej.iter().map(|p| p[1]).fold(f64::MAX, f64::min);
    claims.check(
        "the error of SEJ does not depend on the inertia",
        "flat",
        format!("{} to {}", number(sej[0][1]), number(sej[last][1])),
        spread < 1.5,
        "",
    );
    let chart = Chart::new(Axis::log("α"), Axis::log("mean energy error"));
    let chart = all
        .into_iter()
        .zip(methods)
        .zip(Mark::DISTINCT)
        .fold(chart, |chart, ((points, (_, name)), mark)| {
            chart.series(Series::new(name, points).mark(mark))
        });
    let figure = Figure::new([chart.into()]).panel_size(620.0, 380.0);
    Ok(Product::new(figure, claims.into_list()))
}
