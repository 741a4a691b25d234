//! Figure 2: compensated summation, and how near initial values must be.

use std::f64::consts::TAU;

use polhode::{FreeMotion, Inertia, so3};
use polhode_plot::{Axis, Chart, Figure, LineStyle, Mark, Panel, Series};

use super::figures::{no_bias, panel, random_walk};
use super::growth::ErrorGrowth;
use super::trajectories::{
    Algorithm, Extent, Invariant, InvariantErrors, NEAR, PRINTED, STEP, WATER, start,
};
use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product};

/// How far initial values may be from the paper's: 'close'.
const RADII: [f64; 3] = [NEAR, 0.003, 0.01];
/// Trajectories drawn of what the paper does not show: a figure must not be too large to look at.
const FEW: usize = 50;

/// The invariants that are watched.
const WATCHED: [(Invariant, &str); 3] = [
    (Invariant::Hamiltonian, "H"),
    (Invariant::SpatialMomentum, "(Qy)₁"),
    (Invariant::Casimir, "C"),
];

pub(super) fn dmv(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent::of(context);
    let parts = (4 + 2 * (RADII.len() - 1)) * extent.parts();
    context.progress.begin("vilmart-2", parts as u64);
    let of = |algorithm| InvariantErrors::of(context, algorithm, WATER, extent);
    let (plain, compensated) = (of(Algorithm::Dmv)?, of(Algorithm::Compensated)?);
    let mut claims = Claims::of("vilmart-2");
    for (invariant, what) in WATCHED {
        let (p, c) = (ErrorGrowth::of(&plain, invariant), ErrorGrowth::of(&compensated, invariant));
        random_walk(&mut claims, &p, &format!("DMV, {what}"));
        let claim = format!("DMV shows the correct behaviour: no deterministic error, {what}");
        no_bias(&mut claims, &p, &claim, None);
        factor_h(&mut claims, [&p, &c], what, NEAR)?;
        as_root(&mut claims, &c, &compensated, what)?;
    }
    let far = |algorithm, radius| {
        InvariantErrors::about(context, algorithm, WATER, (PRINTED, radius), extent)
    };
    let mut farther = Vec::new();
    for radius in &RADII[1..] {
        farther.push([far(Algorithm::Dmv, *radius)?, far(Algorithm::Compensated, *radius)?]);
    }
    for (invariant, what) in WATCHED {
        for ([p, c], radius) in farther.iter().zip(&RADII[1..]) {
            let growth = [p, c].map(|e| ErrorGrowth::of(e, invariant));
            factor_h(&mut claims, [&growth[0], &growth[1]], what, *radius)?;
        }
    }
    let (exact, exact_compensated) = (of(Algorithm::Exact)?, of(Algorithm::ExactCompensated)?);
    ours(&mut claims, &exact, &exact_compensated);
    let (h, s) = (Invariant::Hamiltonian, Invariant::SpatialMomentum);
    let few = |errors: &InvariantErrors| errors.first(FEW.min(errors.trajectories()));
    let [exact, exact_compensated] = [few(&exact), few(&exact_compensated)];
    let by_radius: Vec<[&InvariantErrors; 2]> = std::iter::once([&plain, &compensated])
        .chain(farther.iter().map(|[p, c]| [p, c]))
        .collect();
    let figure = Figure::new([
        panel(&plain, h, "DMV, Hamiltonian"),
        panel(&plain, s, "DMV, spatial momentum"),
        panel(&compensated, h, "DMV compensated, Hamiltonian"),
        panel(&compensated, s, "DMV compensated, spatial momentum"),
        panel(&exact, h, "exact, Hamiltonian"),
        panel(&exact, s, "exact, spatial momentum"),
        panel(&exact_compensated, h, "exact compensated, Hamiltonian"),
        panel(&exact_compensated, s, "exact compensated, spatial momentum"),
        panel(&farther[1][1], s, "DMV compensated, starts within 0.01"),
        sensitivity(&by_radius),
    ])
    .columns(2);
    Ok(Product::new(figure, claims.into_list()))
}

/// What compensated summation gains, against the distance of initial values from the paper's: by plain
/// standard deviations, which a few trajectories decide, and by the median size.
fn sensitivity(by_radius: &[[&InvariantErrors; 2]]) -> Panel {
    let mut chart = Chart::new(
        Axis::log("initial values within"),
        Axis::log("deviation at the end, compensated / plain"),
    )
    .title("sensitivity to the start radius");
    for (index, (invariant, what)) in WATCHED[..2].iter().enumerate() {
        let ratios = |of: fn(&ErrorGrowth) -> f64| {
            let points = by_radius.iter().zip(RADII).map(|([p, c], radius)| {
                [radius, of(&ErrorGrowth::of(c, *invariant)) / of(&ErrorGrowth::of(p, *invariant))]
            });
            points.collect::<Vec<_>>()
        };
        let plain = Series::new(format!("{what}, standard deviation"), ratios(|g| g.sigma));
        let robust = Series::new(format!("{what}, from the median size"), ratios(|g| g.typical));
        chart = chart
            .series(robust.mark(Mark::Circle).colour(index))
            .series(plain.mark(Mark::Cross).line(LineStyle::Dashed).colour(index));
    }
    chart.into()
}

/// What compensated summation gains, by deviations that a few trajectories do not move.
fn factor_h(
    claims: &mut Claims,
    [plain, compensated]: [&ErrorGrowth; 2],
    what: &str,
    radius: f64,
) -> Result<(), ExperimentError> {
    let starts = if radius == NEAR { String::new() } else { format!(", starts within {radius}") };
    let (robust, ratio) = (compensated.typical / plain.typical, compensated.sigma / plain.sigma);
    claims.check(
        &format!("compensated summation reduces round-off by a factor h, {what}{starts}"),
        "0.01, to within a factor of three",
        number(robust),
        (0.0033..0.03).contains(&robust),
        &format!(
            "ratio at the end of deviations from the median size; {} of plain standard deviations{}",
            number(ratio),
            strays(compensated, radius)?
        ),
    );
    Ok(())
}

/// How errors grow with compensated summation.
fn as_root(
    claims: &mut Claims,
    growth: &ErrorGrowth,
    errors: &InvariantErrors,
    what: &str,
) -> Result<(), ExperimentError> {
    // That of the exponent of random walks from a quarter of the run to its end: the deviations
    // there have relative errors of 1.17/√n by the median, and a correlation of 1/4.
    let uncertainty = (2.0 * 1.37 * 0.75 / errors.trajectories() as f64).sqrt() / 4_f64.ln();
    let limit = f64::max(0.1, 2.0 * uncertainty);
    let (exponent, constant) = (growth.deviation_exponent, growth.typical / STEP);
    claims.check(
        &format!("with compensated summation the errors grow like eps h √N, {what}"),
        &format!("exponent 0.5 to within {}, a constant from 0.1 to 3", number(limit)),
        format!("exponent {}, {} eps h √N at the end", number(exponent), number(constant)),
        (exponent - 0.5).abs() < limit && (0.1..3.0).contains(&constant),
        &format!(
            "fit to the standard deviation, from a quarter of the run to its end ({} by the median size, which \
             moves in whole units in the last place: the errors are a few of them); so many random walks leave \
             the exponent uncertain by {}{}",
            number(growth.typical_exponent),
            number(uncertainty),
            strays(growth, NEAR)?
        ),
    );
    Ok(())
}

/// The library's own step, which the paper does not have.
fn ours(claims: &mut Claims, plain: &InvariantErrors, compensated: &InvariantErrors) {
    for (invariant, what) in WATCHED {
        let (p, c) = (ErrorGrowth::of(plain, invariant), ErrorGrowth::of(compensated, invariant));
        random_walk(claims, &p, &format!("exact, {what}"));
        let claim = format!("not the paper's: exact has no deterministic error, {what}");
        no_bias(claims, &p, &claim, None);
        claims.check(
            &format!(
                "not the paper's: compensated summation makes the round-off of exact less, {what}"
            ),
            "less than a quarter",
            number(c.typical / p.typical),
            c.typical < 0.25 * p.typical,
            "ratio at the end of deviations from the median size",
        );
    }
}

/// Which trajectories drift in spite of compensated sums, and what they have in common.
fn strays(growth: &ErrorGrowth, radius: f64) -> Result<String, ExperimentError> {
    let inertia = Inertia::principal_unphysical(WATER)?;
    let mut turns = Vec::new();
    for &n in &growth.strays {
        let motion = FreeMotion::new(&inertia, start(PRINTED, radius, n)?)?;
        let period = motion.period().unwrap_or(f64::NAN);
        turns.push(so3::log(motion.at(period)?.q).length() / TAU);
    }
    if turns.is_empty() {
        return Ok(String::new());
    }
    let ends = turns.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], t| [a.min(*t), b.max(*t)]);
    Ok(format!(
        ". {} of the trajectories end beyond 8 typical sizes: in a period of the momentum their bodies \
         turn by {} to {} of a whole turn, so that what is rounded in one direction in one \
         period is so in the next, and does not average out",
        turns.len(),
        number(ends[0]),
        number(ends[1])
    ))
}
