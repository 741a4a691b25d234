//! Numbers of the text.

use polhode::{FreeMotion, Inertia};

use super::figures::Growth;
use super::trajectories::{Algorithm, Errors, Extent, Invariant, WATER, start};
use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product};

/// Another body, and as the text says, another one gives similar results.
const OTHER: [f64; 3] = [0.6, 0.9, 1.3];

pub(super) fn text(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let extent = Extent {
        trajectories: 8,
        steps: context.pick(100_000, 1_000_000),
        samples: 50,
        in_a_part: 1,
    };
    context.progress.begin("004-text", 2 * extent.parts() as u64);
    let mut claims = Claims::of("004-text");
    let first = start(0)?;
    claims.check(
        "the initial value has norm 1",
        "1",
        format!("1 to {}", number((first.m.length() - 1.0).abs())),
        (first.m.length() - 1.0).abs() < 4.0 * f64::EPSILON,
        "",
    );
    let motion = FreeMotion::new(&Inertia::principal_unphysical(WATER)?, first)?;
    let periods = 1e4 / motion.period().unwrap_or(f64::NAN);
    claims.check(
        "the interval [0, 10⁴] has about 822 periods of the momentum",
        "822",
        format!("{periods:.1}"),
        (periods - 822.0).abs() < 1.0,
        "",
    );
    let [i1, i2, i3] = WATER;
    let c1 = i1 * (i3 - i2) / (i2 * (i3 - i1));
    let c2 = 1.0 - c1;
    let c1 = 1.0 - c2;
    claims.check(
        "computing c₂ = 1 − c₁ and then c₁ = 1 − c₂ makes c₁ + c₂ = 1 hold exactly",
        "0",
        number(c1 + c2 - 1.0),
        c1 + c2 == 1.0,
        "",
    );
    let standard = Errors::of(context, Algorithm::Standard, OTHER, extent)?;
    let vilmart = Errors::of(context, Algorithm::Vilmart, OTHER, extent)?;
    let [s, v] = [&standard, &vilmart].map(|e| Growth::of(e, Invariant::Hamiltonian));
    claims.check(
        "other moments of inertia give similar results",
        "linear growth with Algorithm 3.1, far less with Algorithm 4.1",
        format!(
            "moments {OTHER:?}: exponent {} and {} eps a step, against {} eps",
            number(s.mean_exponent),
            number(s.bias / f64::EPSILON),
            number(v.bias / f64::EPSILON)
        ),
        (s.mean_exponent - 1.0).abs() < 0.2 && v.bias.abs() < 0.2 * s.bias.abs(),
        "8 trajectories",
    );
    Ok(Product::new(None, claims.into_list()))
}
