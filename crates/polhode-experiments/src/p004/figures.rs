//! Figures 1 and 2, and the Casimir.

use polhode_plot::{Axis, Chart, Figure, Line, Panel, Series};

use super::trajectories::{Algorithm, DRAWN, Errors, Extent, Invariant, STEP, WATER};
use crate::claim::{Claims, number};
use crate::measure::slope;
use crate::{Context, ExperimentError, Product};

const EPS: f64 = f64::EPSILON;
/// Points of a drawn trajectory: hundreds of them make a file too large to look at.
const POINTS: usize = 32;

/// How the errors of many trajectories grow.
pub(super) struct Growth {
    /// Mean at the end, per step.
    pub(super) bias: f64,
    /// The exponent of the growth of the mean with the number of steps.
    pub(super) mean_exponent: f64,
    /// Standard deviation at the end, over eps times the root of the number of steps.
    pub(super) sigma: f64,
    /// The exponent of the growth of the standard deviation.
    pub(super) deviation_exponent: f64,
    /// The mean at the end over its own uncertainty.
    pub(super) significance: f64,
}

impl Growth {
    pub(super) fn of(errors: &Errors, invariant: Invariant) -> Self {
        let curves = errors.curves(invariant);
        let last = errors.samples() - 1;
        let steps = errors.steps(last);
        let [mean, deviation] = curves[last];
        let exponent = |which: usize| {
            // The first tenth is left out: few steps, and steps of rounding to be seen.
            let logs: Vec<[f64; 2]> = (errors.samples() / 10..errors.samples())
                .map(|s| [errors.steps(s).ln(), curves[s][which].abs().ln()])
                .filter(|p| p[1].is_finite())
                .collect();
            slope(&logs)
        };
        Self {
            bias: mean / steps,
            mean_exponent: exponent(0),
            sigma: deviation / (EPS * steps.sqrt()),
            deviation_exponent: exponent(1),
            significance: mean.abs() / (deviation / (errors.trajectories() as f64).sqrt()),
        }
    }
}

fn panel(errors: &Errors, invariant: Invariant, title: &str) -> Panel {
    let label = match invariant {
        Invariant::Hamiltonian => "error of H",
        Invariant::Casimir => "error of C",
        Invariant::SpatialMomentum => "error of (Qy)₁",
    };
    let mut chart = Chart::new(Axis::linear("time"), Axis::linear(label)).title(title);
    let drawn = errors.trajectories().min(DRAWN);
    let width = if drawn > 50 { 0.5 } else { 0.9 };
    for n in 0..drawn {
        let points = errors.trajectory(n, invariant, POINTS);
        let name = if n == 0 { "trajectories" } else { "" };
        chart = chart.series(Series::new(name, points).colour(6).width(width));
    }
    let [mean, deviation] = curves(errors, invariant);
    let chart = chart
        .series(Series::new("mean", mean).colour(4).width(2.4))
        .series(Series::new("± standard deviation", deviation.clone()).colour(1).width(2.4))
        .series(Series::new("", deviation.into_iter().map(|[t, d]| [t, -d])).colour(1).width(2.4));
    chart.into()
}

fn curves(errors: &Errors, invariant: Invariant) -> [Vec<[f64; 2]>; 2] {
    let all = errors.curves(invariant);
    [0, 1].map(|i| {
        let points = all.iter().enumerate().map(|(s, v)| [errors.steps(s) * STEP, v[i]]);
        std::iter::once([0.0, 0.0]).chain(points).collect()
    })
}

fn random_walk(claims: &mut Claims, growth: &Growth, what: &str) {
    claims.check(
        &format!("round-off behaves like a random walk: deviation ~ √N, {what}"),
        "exponent 0.5",
        number(growth.deviation_exponent),
        (growth.deviation_exponent - 0.5).abs() < 0.2,
        "fit to the standard deviation over the trajectories against the number of steps",
    );
}

pub(super) fn jacobi(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent::of(context);
    context.progress.begin("004-1", 3 * extent.parts() as u64);
    let standard = Errors::of(context, Algorithm::Standard, WATER, extent)?;
    let vilmart = Errors::of(context, Algorithm::Vilmart, WATER, extent)?;
    let precise = Errors::of(context, Algorithm::DoubleDouble, WATER, extent)?;
    let h = Invariant::Hamiltonian;
    let [s, v, p] = [&standard, &vilmart, &precise].map(|e| Growth::of(e, h));

    let mut claims = Claims::of("004-1");
    claims.check(
        "Algorithm 3.1: the error of the Hamiltonian is about 1.25e-17 a step, 0.056 eps",
        "1.25e-17, 0.056 eps",
        format!("{} a step, {} eps", number(s.bias), number(s.bias / EPS)),
        (0.3..3.0).contains(&(s.bias.abs() / 1.25e-17)),
        "the same magnitude; sign and size depend on the elementary functions and the order of \
         operations",
    );
    claims.check(
        "Algorithm 3.1: round-off errors grow linearly",
        "exponent 1",
        number(s.mean_exponent),
        (s.mean_exponent - 1.0).abs() < 0.1,
        "fit to the mean over the trajectories",
    );
    let share =
        s.sigma * EPS * f64::from(extent.steps).sqrt() / (s.bias.abs() * f64::from(extent.steps));
    claims.check(
        "Algorithm 3.1: the statistical error is small beside the deterministic one",
        "standard deviation below the mean",
        format!("{} of the mean", number(share)),
        share < 1.0,
        "at the end of the runs",
    );
    random_walk(&mut claims, &v, "Algorithm 4.1");
    claims.check(
        "Algorithm 4.1: σ ≈ 0.11",
        "0.11",
        number(v.sigma),
        (0.4..1.6).contains(&(v.sigma / 0.11)),
        "deviation at the end over eps √N; first measurements elsewhere gave 0.076",
    );
    claims.check(
        "Algorithm 4.1: no deterministic error",
        "a mean far below that of Algorithm 3.1",
        format!("{} eps a step", number(v.bias / EPS)),
        v.bias.abs() < 0.02 * s.bias.abs(),
        &format!("the mean is {} times its own uncertainty", number(v.significance)),
    );
    claims.check(
        "Algorithm 3.1 with constants and products in quadruple precision has no linear growth",
        "a mean far below that of Algorithm 3.1",
        format!("{} eps a step, σ = {}", number(p.bias / EPS), number(p.sigma)),
        p.bias.abs() < 0.02 * s.bias.abs(),
        "double-double here; the paper's first idea, of which it shows no figure",
    );
    let figure = Figure::new([
        panel(&standard, h, "Algorithm 3.1"),
        panel(&vilmart, h, "Algorithm 4.1"),
        panel(&precise, h, "Algorithm 3.1, double-double"),
    ])
    .columns(2);
    Ok(Product::new(figure, claims.into_list()))
}

pub(super) fn dmv(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent::of(context);
    context.progress.begin("004-2", 2 * extent.parts() as u64);
    let plain = Errors::of(context, Algorithm::Dmv, WATER, extent)?;
    let compensated = Errors::of(context, Algorithm::Compensated, WATER, extent)?;
    let mut claims = Claims::of("004-2");
    let mut ratios = Vec::new();
    for (invariant, what) in [
        (Invariant::Hamiltonian, "H"),
        (Invariant::SpatialMomentum, "(Qy)₁"),
        (Invariant::Casimir, "C"),
    ] {
        let (p, c) = (Growth::of(&plain, invariant), Growth::of(&compensated, invariant));
        random_walk(&mut claims, &p, &format!("DMV, {what}"));
        claims.check(
            &format!("DMV shows the correct behaviour: no deterministic error, {what}"),
            "a mean far below the deviation",
            format!("mean {} eps, σ = {} eps a step", number(p.bias / EPS), number(p.sigma)),
            // A bias that is as large as the deviation at the end would show as a line.
            p.significance < 0.5 * (plain.trajectories() as f64).sqrt(),
            "",
        );
        let ratio = c.sigma / p.sigma;
        ratios.push(ratio);
        claims.check(
            &format!("compensated summation reduces round-off by a factor h, {what}"),
            "0.01",
            number(ratio),
            (0.003..0.05).contains(&ratio),
            "ratio of the standard deviations at the end. A double cannot show errors below 1e-16, \
             which is most of what is left after few steps",
        );
    }
    let c = Growth::of(&compensated, Invariant::Hamiltonian);
    let steps = f64::from(extent.steps);
    claims.check(
        "with compensated summation the errors grow like eps h √N",
        "a constant of the order of 1",
        format!("{} eps h √N after {steps:e} steps", number(c.sigma / STEP)),
        (0.03..5.0).contains(&(c.sigma / STEP)),
        "",
    );
    let figure = Figure::new([
        panel(&plain, Invariant::Hamiltonian, "DMV, Hamiltonian"),
        panel(&plain, Invariant::SpatialMomentum, "DMV, spatial momentum"),
        panel(&compensated, Invariant::Hamiltonian, "compensated, Hamiltonian"),
        panel(&compensated, Invariant::SpatialMomentum, "compensated, spatial momentum"),
    ]);
    Ok(Product::new(figure, claims.into_list()))
}

pub(super) fn casimir(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent::of(context);
    let methods = [
        (Algorithm::Standard, "Algorithm 3.1"),
        (Algorithm::DoubleDouble, "Algorithm 3.1, double-double"),
        (Algorithm::Vilmart, "Algorithm 4.1"),
        (Algorithm::Dmv, "DMV"),
        (Algorithm::Compensated, "DMV, compensated"),
    ];
    context.progress.begin("004-casimir", (methods.len() * extent.parts()) as u64);
    let mut claims = Claims::of("004-casimir");
    let axes = || Chart::new(Axis::linear("time"), Axis::linear("error of C"));
    let (mut drifting, mut walking) = (axes().title("Algorithm 3.1"), axes().title("the others"));
    let mut bias = f64::NAN;
    for (index, (algorithm, name)) in methods.into_iter().enumerate() {
        let errors = Errors::of(context, algorithm, WATER, extent)?;
        let growth = Growth::of(&errors, Invariant::Casimir);
        if algorithm == Algorithm::Standard {
            bias = growth.bias;
            claims.check(
                "the invariants behave like the Hamiltonian: linear growth of C, Algorithm 3.1",
                "exponent 1",
                format!(
                    "{}, {} eps a step",
                    number(growth.mean_exponent),
                    number(growth.bias / EPS)
                ),
                (growth.mean_exponent - 1.0).abs() < 0.1,
                "",
            );
        } else if algorithm != Algorithm::Compensated {
            claims.check(
                &format!(
                    "the invariants behave like the Hamiltonian: no linear growth of C, {name}"
                ),
                "a mean far below that of Algorithm 3.1",
                format!("{} eps a step, σ = {}", number(growth.bias / EPS), number(growth.sigma)),
                growth.bias.abs() < 0.05 * bias.abs(),
                "",
            );
        }
        let [mean, deviation] = curves(&errors, Invariant::Casimir);
        let chart = if algorithm == Algorithm::Standard { &mut drifting } else { &mut walking };
        chart.series.push(Series::new(name, mean).colour(index));
        chart.series.push(Series::new("", deviation).colour(index).line(Line::Dashed));
    }
    let figure = Figure::new([drifting.into(), walking.into()]);
    Ok(Product::new(figure, claims.into_list()))
}
