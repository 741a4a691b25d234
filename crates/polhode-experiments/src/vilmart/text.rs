//! Numbers of the text.

use polhode::rotor::EulerStep;
use polhode::{FreeMotion, Inertia, Problem, rotor};

use super::growth::EPS;
use super::trajectories::{NEAR, PRINTED, STEP, WATER, start};
use super::{literal, similar};
use crate::claim::{Claims, number};
use crate::measure::{dmv_order, invariants, largest, spatial_change};
use crate::{Context, ExperimentError, Product, spread};

pub(super) fn text(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("vilmart-text", similar::parts(context) as u64);
    let mut claims = Claims::of("vilmart-text");
    let first = start(PRINTED, NEAR, 0)?;
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
    constants(&mut claims)?;
    phase(&mut claims)?;
    dmv(&mut claims)?;
    quaternions(&mut claims)?;
    similar::similar(&mut claims, context)?;
    Ok(Product::new(None, claims.into_list()))
}

/// The constants of Algorithm 4.1 as the library computes them, of many bodies.
fn constants(claims: &mut Claims) -> Result<(), ExperimentError> {
    // The unit in the last place of numbers from 1/2 to 1.
    const UNIT: f64 = f64::EPSILON / 2.0;
    let exponent = |c: f64| c.log2().floor();
    // The same from the bits.
    let field = |c: f64| (c.to_bits() >> 52) & 0x7ff;
    let (mut wrong, mut without, mut worst) = (0, 0, 0.0_f64);
    let (mut equal, mut alike, mut common) = (0, 0, 0);
    for n in 0..1000 {
        let [a, b, c] = spread::octant(n).map(|v| v * v + 1e-3);
        let mut moments = [b + c, a + c, a + b];
        moments.sort_by(f64::total_cmp);
        let inertia = Inertia::principal_unphysical(if n == 0 { WATER } else { moments })?;
        let [c1, c2] = EulerStep::vilmart_constants(&inertia);
        let [i1, i2, i3] = if n == 0 { WATER } else { moments };
        let direct = i1 * (i3 - i2) / (i2 * (i3 - i1));
        wrong += usize::from(1.0 - c1 != c2 || 1.0 - c2 != c1);
        equal += usize::from(exponent(c1) == exponent(c2));
        alike += usize::from(field(c1) == field(c2));
        common += usize::from([c1, c2].iter().all(|c| (c / UNIT).fract() == 0.0));
        // What the second assignment is for: c1 as it comes out of the quotient.
        without += usize::from(1.0 - (1.0 - direct) != direct);
        worst = worst.max((c1 - direct).abs());
    }
    claims.check(
        "computing c₂ = 1 − c₁ and then c₁ = 1 − c₂ makes c₁ + c₂ = 1 hold exactly",
        "without exception",
        format!(
            "{wrong} of 1000 bodies fail ({without} without the second assignment); c₁ changes by {}",
            number(worst)
        ),
        wrong == 0 && without > 0 && worst < EPS,
        "the constants of the library's step; the first body is the water molecule",
    );
    let [c1, c2] = EulerStep::vilmart_constants(&Inertia::principal_unphysical(WATER)?);
    claims.check(
        "c₁ and c₂ have a floating point representation with the same exponent",
        "equal exponents",
        format!(
            "equal for {equal} of 1000 bodies; water: c₁ = {} with exponent {}, c₂ = {} with {}",
            number(c1),
            exponent(c1),
            number(c2),
            exponent(c2)
        ),
        equal == 1000,
        &format!(
            "positive numbers with the sum 1 have it only if both are 1/2. The second number is from the \
             bits: their fields of eleven digits are equal for {alike} of the bodies. What the two \
             assignments give is a common unit: both are multiples of 2⁻⁵³, for {common} of the bodies"
        ),
    );
    Ok(())
}

/// Compensated sums of quaternions that are never normalised, and of some that are in every step.
fn quaternions(claims: &mut Claims) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal_unphysical(WATER)?;
    let begin = start(PRINTED, NEAR, 0)?;
    let follow = |normalised: bool| -> Result<f64, ExperimentError> {
        let mut rotor = rotor::build("dmv:order=10:compensated:solver=fixed-point", &inertia)?;
        let (mut state, mut worst) = (begin, 0.0_f64);
        for _ in 0..20_000 {
            if normalised {
                // What is handed out is normalised; the sums begin anew with it.
                rotor.reset();
            }
            rotor.step(STEP, &mut state)?;
            worst = worst.max(spatial_change(&inertia, &state, &begin));
        }
        Ok(worst)
    };
    let (free, normalised) = (follow(false)?, follow(true)?);
    claims.check(
        "no information is lost if the quaternions are not normalised",
        "Qy is kept no worse than with quaternions normalised in every step",
        format!("off by at most {} without, {} with", number(free), number(normalised)),
        free < normalised,
        "20 000 steps of DMV of order 10 with compensated sums, which normalising in every step \
         breaks off",
    );
    Ok(())
}

/// Errors of u and φ are errors of time.
fn phase(claims: &mut Claims) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal_unphysical(WATER)?;
    let begin = start(PRINTED, NEAR, 0)?.m;
    // The paper's H as it writes it, and its C, half of the square of the momentum, which is no length.
    let energy = |m| literal::hamiltonian(WATER, m);
    for (step, name) in
        [(EulerStep::standard(&inertia), "3.1"), (EulerStep::vilmart(&inertia), "4.1")]
    {
        // Steps that err by a relative 1e-6 at random move u by as much.
        let follow = |size: f64| -> Result<_, ExperimentError> {
            let (mut m, mut drifts) = (begin, [0.0_f64; 2]);
            for n in 0..10_000 {
                let [off, _] = spread::square(n);
                m = step.step(STEP * (1.0 + size * (2.0 * off - 1.0)), m)?;
                drifts[0] = drifts[0].max((energy(m) - energy(begin)).abs());
                drifts[1] =
                    drifts[1].max(0.5 * (m.length_squared() - begin.length_squared()).abs());
            }
            Ok((m, drifts))
        };
        let ((clean, before), (moved, after)) = (follow(0.0)?, follow(1e-6)?);
        let apart = (moved - clean).length();
        claims.check(
            &format!(
                "errors of u and φ have no influence on the first integrals, Algorithm {name}"
            ),
            "errors of 1e-6 in the phase of every step leave H and C as they were",
            format!(
                "H off by {} instead of {}, C by {} instead of {}, y by {}",
                number(after[0]),
                number(before[0]),
                number(after[1]),
                number(before[1]),
                number(apart)
            ),
            // A random walk differs from another one by as much as itself.
            (0..2).all(|i| after[i] < 1.5 * before[i] + 0.3 * EPS * 100.0) && apart > 1e-10,
            "10 000 steps; a time transformation, as the paper says: the phase is off by a million \
             times the rounding, and the point stays on its orbit",
        );
    }
    Ok(())
}

/// Preprocessed DMV of order 10 is of that order and keeps everything; the standard one has order 2.
fn dmv(claims: &mut Claims) -> Result<(), ExperimentError> {
    let first = start(PRINTED, NEAR, 0)?;
    let p = dmv_order(WATER, first.m.to_array(), 10)?;
    claims.check(
        "preprocessed DMV as used has order 10",
        "10",
        number(p),
        (p - 10.0).abs() < 0.25,
        "momentum and attitude at t = 10, fitted to errors between 2e-14 and 1e-7",
    );
    let problem = Problem::new(Inertia::principal_unphysical(WATER)?, first);
    let plain = {
        let exact = FreeMotion::new(problem.inertia(), first)?.at(10.0)?.m;
        let error = |h: f64| -> Result<f64, ExperimentError> {
            Ok((crate::measure::end(&problem, "dmv:order=2", h, 10.0)?.m - exact).length())
        };
        (error(0.02)? / error(0.01)?).log2()
    };
    claims.check(
        "the standard DMV algorithm has order 2",
        "2",
        number(plain),
        (plain - 2.0).abs() < 0.05,
        "momentum at t = 10, steps 0.02 and 0.01",
    );
    let mut drifts = Vec::new();
    for order in [2, 6, 10] {
        let seen = invariants(&problem, &format!("dmv:order={order}"), 0.2, 2000.0)?;
        let of = |d: Option<f64>| d.unwrap_or(f64::NAN);
        drifts.push(largest([
            of(seen.energy().map(|d| d.max_error)),
            of(seen.spatial_momentum().map(|d| d.max_error)),
        ]));
    }
    let list = drifts.iter().map(|&d| number(d)).collect::<Vec<_>>().join(", ");
    claims.check(
        "preprocessed DMV preserves all first integrals, whatever its order",
        "H, C and Qy kept to rounding with a step of 0.2, where truncation errors are large",
        format!("{list} for orders 2, 6, 10"),
        // A random walk of a unit in the last place, over 10 000 steps.
        largest(drifts) < 100.0 * 4.0 * EPS,
        "largest change of the energy and of Qy, whose length is that of y, in 10 000 steps",
    );
    Ok(())
}
