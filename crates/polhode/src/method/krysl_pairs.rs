//! Krysl's two pairs of conjugate algorithms: `trap` and `imid`, `trapm` and `imidm`.
//!
//! With h the step, T0, T1, T1/2 the torque at its start, end and middle:
//!
//! - `trap`: R1 = R0 exp(h I^-1 m0/2) exp(h I^-1 m1/2),
//!   m1 = m0 + h/2 (-skew[I^-1 m0] m0 + T0 - skew[I^-1 m1] m1 + T1);
//! - `imid`: p = m0 + h/2 (-skew[I^-1 p] p + T1/2), R1 = R0 exp(h I^-1 p),
//!   m1 = m0 + h (-skew[I^-1 p] p + T1/2), T1/2 at R0 exp(h I^-1 p/2);
//! - `trapm`: R1 as in `trap`, m1 = R1^T R0 (m0 + h/2 T0) + h/2 T1;
//! - `imidm`: psi = h I^-1 (exp(-psi/2) m0 + h/2 T1/2), R1 = R0 exp(psi),
//!   m1 = exp(-psi) m0 + h exp(-psi/2) T1/2, T1/2 at R0 exp(psi/2).
//!
//! `trap` is a half step of `fe` and then one of `be`, `imid` the same in the other order; with `fem`
//! and `bem` these are `trapm` and `imidm`. So fe after trap^n is imid^n after fe: the two of a pair
//! describe the same dynamics, half a step apart.
//!
//! Order 2, all symmetric. Of a free body, `imid` keeps energy and length of the momentum (in the
//! momentum it is the implicit midpoint rule) but not the momentum in space; `trap` keeps the energy
//! and the length at its midpoints only. `trapm` and `imidm` keep the momentum in space and its
//! length, not the energy, whose error oscillates. One evaluation of the torque for each iteration,
//! three or four by Newton; the torque may depend on anything, in `imid` and `imidm` on the momentum
//! p in the middle. For steps below a radian or two.
//!
//! Krysl conjectures that `imidm` is symplectic: see [`IMIDM`].
//!
//! # References
//! Krysl, sections 3.3 to 3.7, algorithms TRAP, IMID, TRAPM, IMIDM, eqs. (14), (20). Errata corrected:
//! the torque of the midpoint rules at t + h/2 (erratum 5), T for Gamma in eq. (20) (erratum 4), the
//! adjoint with a step of +h/2 (erratum 7). `imidm` is `rkmk` with the tableau `midpoint`.

use super::MethodEntry;
use super::krysl::{Implicit, Iterate, PARAMETERS, StepStart};
use super::step_number::{StepNumber, StepVector};
use super::turn::Turn;
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

const SYMMETRIC: Keeps = Keeps {
    momentum_norm: false,
    spatial_momentum: false,
    energy: false,
    symmetric: true,
    symplectic: false,
};
const MOMENTUM: Keeps = Keeps { momentum_norm: true, spatial_momentum: true, ..SYMMETRIC };

pub(super) static TRAP: MethodEntry = MethodEntry {
    id: "trap",
    title: "trapezoidal rule for rotations",
    order: |_| Order::Of(2),
    keeps: SYMMETRIC,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "algorithm TRAP, eq. (14)" }],
    build: |_, p| Implicit::stepper("trap", (trap, trap), p),
};

pub(super) static IMID: MethodEntry = MethodEntry {
    id: "imid",
    title: "midpoint rule for rotations",
    order: |_| Order::Of(2),
    keeps: Keeps { momentum_norm: true, energy: true, ..SYMMETRIC },
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "algorithm IMID" }],
    build: |_, p| Implicit::stepper("imid", (imid, imid), p),
};

pub(super) static TRAPM: MethodEntry = MethodEntry {
    id: "trapm",
    title: "trapezoidal rule for rotations, momentum-conserving",
    order: |_| Order::Of(2),
    keeps: MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "algorithm TRAPM, eq. (20)" }],
    build: |_, p| Implicit::stepper("trapm", (trapm, trapm), p),
};

/// The midpoint rule in momentum-conserving form.
///
/// Krysl, section 3.7, conjectures that it is symplectic, from the energy error, which stays bounded,
/// and from an incomplete proof, and leaves open whether `trapm` is. Neither is. For the free body of
/// section 5.1 and h = 0.4, 0.2, 0.1 the derivative D of a step of `imidm` misses the Poisson
/// condition D B(m0) D^T = B(m1) by 7.3e-4, 9.1e-5, 1.1e-5 in its largest entry: by h³, as a method of
/// order 2 without any structure would (`imid` 1.5e-3, 1.9e-4, 2.3e-5). The map of the momenta alone
/// misses it too, by 4.5e-6, 6.4e-7, 8.6e-8. The exact flow, measured in the same way, is below 1e-12.
/// What keeps the energy bounded is the symmetry.
pub(super) static IMIDM: MethodEntry = MethodEntry {
    id: "imidm",
    title: "midpoint rule for rotations, momentum-conserving",
    order: |_| Order::Of(2),
    keeps: MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "algorithm IMIDM" }],
    build: |_, p| Implicit::stepper("imidm", (imidm, imidm), p),
};

/// The unknown is the momentum at the end.
fn trap<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let m = step.m();
    let turn = Turn::exp(step.psi(m) * 0.5).then(Turn::exp(step.psi(p) * 0.5));
    let impulses = step.first_impulse() + step.impulse(1.0, turn, p);
    step.end((step.gyroscopic(m) + step.gyroscopic(p) + impulses) * 0.5, turn)
}

/// The unknown is the momentum in the middle, which is the mean of both ends.
fn imid<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let psi = step.psi(p);
    let impulse = step.impulse(0.5, Turn::exp(psi * 0.5), p);
    step.mean(step.gyroscopic(p) + impulse, Turn::exp(psi))
}

/// The unknown is the momentum at the end.
fn trapm<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let m = step.m();
    let turn = Turn::exp(step.psi(m) * 0.5).then(Turn::exp(step.psi(p) * 0.5));
    let first = step.first_impulse() * 0.5;
    let last = step.impulse(1.0, turn, p) * 0.5;
    step.end(turn.into_body(m + first) + first + last, turn)
}

/// The unknown is the momentum in the middle, I psi/h.
fn imidm<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let (m, psi) = (step.m(), step.psi(p));
    let (half, whole) = (Turn::exp(psi * 0.5), Turn::exp(psi));
    let impulse = step.impulse(0.5, half, p);
    let change = whole.into_body(m) + impulse + half.into_body(impulse);
    Iterate::new(m + half.into_body(m) + impulse * 0.5, change, whole)
}
