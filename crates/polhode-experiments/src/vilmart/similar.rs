//! Other initial values and moments of inertia.

use super::growth::{EPS, ErrorGrowth};
use super::literal;
use super::trajectories::{
    Algorithm, Extent, Invariant, InvariantErrors, NEAR, PRINTED, WATER, start,
};
use crate::claim::{Claims, number};
use crate::{Context, ExperimentError};

const BODIES: [[f64; 3]; 3] = [WATER, [0.6, 0.9, 1.3], [0.7, 1.0, 1.2]];
/// First two components of the momentum: on both sides of the separatrix, and close to axes.
const INITIAL: [[f64; 2]; 5] = [PRINTED, [0.9, 0.3], [0.2, 0.6], [0.1, 0.1], [0.6, 0.7]];

/// All orbits but that of the figures.
fn orbits() -> impl Iterator<Item = ([f64; 3], [f64; 2])> {
    let all = BODIES.into_iter().flat_map(|body| INITIAL.map(|initial| (body, initial)));
    all.filter(|orbit| *orbit != (WATER, PRINTED))
}

pub(super) fn extent(context: &Context<'_>) -> Extent {
    Extent {
        trajectories: context.pick(4, 8),
        steps: context.pick(100_000, 1_000_000),
        samples: 50,
        in_a_part: 1,
    }
}

/// Parts of the computation.
pub(super) fn parts(context: &Context<'_>) -> usize {
    2 * orbits().count() * extent(context).parts()
}

/// The drift of Algorithm 3.1 on one orbit, and whether that is what the figures show.
struct OrbitDrift {
    orbit: ([f64; 3], [f64; 2]),
    standard: ErrorGrowth,
    linear: bool,
    random: bool,
}

/// Linear growth with Algorithm 3.1, none with Algorithm 4.1, on many orbits.
pub(super) fn similar(claims: &mut Claims, context: &Context<'_>) -> Result<(), ExperimentError> {
    let mut all = Vec::new();
    for (moments, initial) in orbits() {
        let of = |algorithm| -> Result<ErrorGrowth, ExperimentError> {
            let extent = extent(context);
            let errors =
                InvariantErrors::about(context, algorithm, moments, (initial, NEAR), extent)?;
            Ok(ErrorGrowth::of(&errors, Invariant::Hamiltonian))
        };
        let (standard, vilmart) = (of(Algorithm::Standard)?, of(Algorithm::Vilmart)?);
        let linear = (standard.mean_exponent - 1.0).abs() < 0.2;
        let random = vilmart.bias.abs() < 0.2 * standard.bias.abs();
        all.push(OrbitDrift { orbit: (moments, initial), standard, linear, random });
    }
    let alike = all.iter().filter(|f| f.linear && f.random).count();
    let mut others = Vec::new();
    for found in all.iter().filter(|f| !(f.linear && f.random)) {
        let (moments, initial) = found.orbit;
        let second = literal::drift(moments, start(initial, NEAR, 0)?.m, 100_000);
        others.push(format!(
            "moments {moments:?} with y = {initial:?} at first, exponent {}, {} eps a step ({} by a \
             literal version with the system's functions, 100 000 steps)",
            number(found.standard.mean_exponent),
            number(found.standard.bias / EPS),
            number(second / EPS)
        ));
    }
    let sizes = || all.iter().filter(|f| f.linear).map(|f| f.standard.bias.abs() / EPS);
    claims.check(
        "many different initial values and moments of inertia give similar results",
        "linear growth with Algorithm 3.1, a mean of less than a fifth with Algorithm 4.1: on most orbits",
        format!(
            "on {alike} of {}; drifts of {} to {} eps a step",
            all.len(),
            number(sizes().fold(f64::INFINITY, f64::min)),
            number(sizes().fold(0.0, f64::max))
        ),
        2 * alike > all.len(),
        &format!(
            "three bodies, five initial values, {} trajectories close to each. {}",
            extent(context).trajectories,
            if others.is_empty() {
                "There is no exception".to_owned()
            } else {
                format!(
                    "Exceptions: {}. There the products of rounded constants with a₁ and a₃, which \
                     hardly change, happen to be rounded the other way, and the drift slows down or comes to a halt",
                    others.join("; ")
                )
            }
        ),
    );
    Ok(())
}
