//! Figure 1, and the Casimir.

use polhode_plot::{Axis, Chart, Figure, LineStyle, Panel, Series};

use super::growth::{EPS, ErrorGrowth};
use super::trajectories::{Algorithm, DRAWN, Extent, Invariant, InvariantErrors, STEP, WATER};
use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product};

/// Points of a drawn trajectory: all samples of hundreds of them make a file too large to look at.
const POINTS: usize = 33;

pub(super) fn panel(errors: &InvariantErrors, invariant: Invariant, title: &str) -> Panel {
    let label = match invariant {
        Invariant::Hamiltonian => "error of H",
        Invariant::Casimir => "error of C",
        Invariant::SpatialMomentum => "error of (Qy)₁",
    };
    let mut chart = Chart::new(Axis::linear("time"), Axis::linear(label)).title(title);
    let drawn = errors.trajectories().min(DRAWN);
    let width = if drawn > 50 { 0.5 } else { 0.9 };
    for n in 0..drawn {
        let points = errors.trajectory(n, invariant);
        let series = Series::new(format!("trajectory {}", n + 1), points).colour(6).width(width);
        chart = chart.series(series.every(errors.samples() / POINTS).unlisted());
    }
    // What the legend shows for all of them.
    chart = chart.series(Series::new("trajectories", []).colour(6).width(width));
    let [mean, deviation] = curves(errors, invariant);
    let beside = |side: f64| {
        let pairs = mean.iter().zip(&deviation);
        pairs.map(|(m, d)| [m[0], m[1] + side * d[1]]).collect::<Vec<_>>()
    };
    let (above, below) = (beside(1.0), beside(-1.0));
    let chart = chart
        .series(Series::new("mean ± standard deviation", above).colour(1).width(2.4))
        .series(Series::new("mean − standard deviation", below).colour(1).width(2.4).unlisted())
        .series(Series::new("mean", mean).colour(4).width(2.4));
    chart.into()
}

fn curves(errors: &InvariantErrors, invariant: Invariant) -> [Vec<[f64; 2]>; 2] {
    let all = errors.curves(invariant);
    [0, 1].map(|i| {
        let points = all.iter().enumerate().map(|(s, v)| [errors.steps(s) * STEP, v[i]]);
        std::iter::once([0.0, 0.0]).chain(points).collect()
    })
}

pub(super) fn random_walk(claims: &mut Claims, growth: &ErrorGrowth, what: &str) {
    claims.check(
        &format!("round-off behaves like a random walk: deviation ~ √N, {what}"),
        "exponent 0.5",
        number(growth.walk_exponent),
        (growth.walk_exponent - 0.5).abs() < 0.1,
        "mean square of the change of the error over windows, all trajectories together, fitted \
         against the length of the window, from one sample to an eighth of the run",
    );
}

/// Whether a mean is noise: one criterion for all algorithms.
pub(super) fn no_bias(
    claims: &mut Claims,
    growth: &ErrorGrowth,
    claim: &str,
    standard: Option<f64>,
) {
    let beside = standard.map_or(String::new(), |s| {
        format!(", {} of that of Algorithm 3.1", number((growth.bias / s).abs()))
    });
    claims.check(
        claim,
        "at the end the mean is below 4 of its own uncertainties",
        format!(
            "mean {} of the deviation; {} eps a step{beside}, σ = {}",
            number(growth.share),
            number(growth.bias / EPS),
            number(growth.sigma)
        ),
        growth.significance < 4.0,
        &format!(
            "the mean is {} times its own uncertainty, the standard deviation over the root of the \
             number of trajectories",
            number(growth.significance)
        ),
    );
}

/// The paper's first idea, of which it says no more than that it reduces round-off.
fn reduced(claims: &mut Claims, growth: &ErrorGrowth, what: &str, standard: f64) {
    let ratio = (growth.bias / standard).abs();
    claims.check(
        &format!(
            "Algorithm 3.1 with constants and products in quadruple precision reduces round-off, {what}"
        ),
        "a mean of less than a fiftieth of that of Algorithm 3.1",
        format!(
            "{}; {} eps a step, {} of the deviation, σ = {}",
            number(ratio),
            number(growth.bias / EPS),
            number(growth.share),
            number(growth.sigma)
        ),
        ratio < 0.02,
        "double-double here. What is left of a drift is not of these constants: the modulus enters \
         the elliptic functions as a double",
    );
}

pub(super) fn jacobi(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent::of(context);
    let parts = 4 * extent.parts() + Extent::SHORT.parts();
    context.progress.begin("vilmart-1", parts as u64);
    let standard = InvariantErrors::of(context, Algorithm::Standard, WATER, extent)?;
    let vilmart = InvariantErrors::of(context, Algorithm::Vilmart, WATER, extent)?;
    let precise = InvariantErrors::of(context, Algorithm::DoubleDouble, WATER, extent)?;
    let exact = InvariantErrors::of(context, Algorithm::Exact, WATER, extent)?;
    let rounded = InvariantErrors::of(context, Algorithm::RoundedOnce, WATER, Extent::SHORT)?;
    let h = Invariant::Hamiltonian;
    let [s, v, p, e, once] =
        [&standard, &vilmart, &precise, &exact, &rounded].map(|errors| ErrorGrowth::of(errors, h));

    let mut claims = Claims::of("vilmart-1");
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
    claims.check(
        "Algorithm 3.1: the statistical error is small beside the deterministic one",
        "standard deviation below half the mean",
        format!("{} of the mean", number(1.0 / s.share)),
        s.share > 2.0,
        "at the end of the runs",
    );
    random_walk(&mut claims, &v, "Algorithm 4.1");
    claims.check(
        "Algorithm 4.1: σ ≈ 0.11",
        "0.11",
        number(v.sigma),
        (0.5..2.0).contains(&(v.sigma / 0.11)),
        "deviation at the end over eps √N, within a factor of two: it depends on the elementary \
         functions, in which a sine has an error of its own",
    );
    no_bias(&mut claims, &v, "Algorithm 4.1: no deterministic error", Some(s.bias));
    claims.check(
        "Algorithm 4.1 reduces round-off qualitatively and quantitatively",
        "a mean of less than a hundredth of that of Algorithm 3.1",
        number((v.bias / s.bias).abs()),
        v.bias.abs() < 0.01 * s.bias.abs(),
        "at the end of the runs",
    );
    reduced(&mut claims, &p, "H", s.bias);
    claims.check(
        "not the paper's: round-off of the library's exact step is a random walk without a deterministic error",
        "a deviation ~ √N, the mean within four of its standard errors of zero",
        format!(
            "σ = {}, exponent {}, mean {} eps a step",
            number(e.sigma),
            number(e.walk_exponent),
            number(e.bias / EPS)
        ),
        (e.walk_exponent - 0.5).abs() < 0.1 && e.significance < 4.0,
        "figure 2 has more of it",
    );
    claims.check(
        "not the paper's: the library's exact step has the deviation of a step that is rounded once",
        "at most 1.5 times it",
        format!("σ = {} against {}", number(e.sigma), number(once.sigma)),
        e.sigma < 1.5 * once.sigma,
        &format!(
            "rounded once: the true step by its Taylor series in double-double, 200 trajectories of 10 000 steps. \
             Algorithm 4.1 has {}: it takes one component from another, and its constants anew and rounded, so that \
             smaller changes of the momentum are undone; a step that adds an increment does neither",
            number(v.sigma)
        ),
    );
    let figure = Figure::new([
        panel(&standard, h, "Algorithm 3.1"),
        panel(&vilmart, h, "Algorithm 4.1"),
        panel(&precise, h, "Algorithm 3.1, double-double"),
        panel(&exact, h, "library: exact (not in the paper)"),
    ])
    .columns(2);
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
    context.progress.begin("vilmart-casimir", (methods.len() * extent.parts()) as u64);
    let mut claims = Claims::of("vilmart-casimir");
    let axes = || Chart::new(Axis::linear("time"), Axis::linear("error of C"));
    let (mut drifting, mut walking) = (axes().title("Algorithm 3.1"), axes().title("the others"));
    let mut bias = f64::NAN;
    for (index, (algorithm, name)) in methods.into_iter().enumerate() {
        let errors = InvariantErrors::of(context, algorithm, WATER, extent)?;
        let growth = ErrorGrowth::of(&errors, Invariant::Casimir);
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
        } else if algorithm == Algorithm::DoubleDouble {
            reduced(&mut claims, &growth, "C", bias);
        } else if algorithm != Algorithm::Compensated {
            let claim = format!(
                "the invariants behave like the Hamiltonian: no linear growth of C, {name}"
            );
            no_bias(&mut claims, &growth, &claim, Some(bias));
        }
        let [mean, deviation] = curves(&errors, Invariant::Casimir);
        let chart = if algorithm == Algorithm::Standard { &mut drifting } else { &mut walking };
        chart.series.push(Series::new(name, mean).colour(index));
        let name = format!("{name}, standard deviation");
        let dashed = Series::new(name, deviation).colour(index).line(LineStyle::Dashed);
        chart.series.push(dashed.unlisted());
    }
    let figure = Figure::new([drifting.into(), walking.into()]);
    Ok(Product::new(figure, claims.into_list()))
}
