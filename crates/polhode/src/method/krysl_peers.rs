//! The algorithms with which Krysl compares his own: `swc1`, `akw`, `bbtrap`, `bbtrapwd`.
//!
//! With h the step, T0, T1, T1/2 the torque at its start, end and middle, psi the turn of the step,
//! R1 = R0 exp(psi) except in `akw`:
//!
//! - `swc1` (Simo and Wong): psi = h/2 I^-1 (m1 + m0), m1 = exp(-psi) m0 + h exp(-psi/2) T1/2, T1/2
//!   at R0 exp(psi/2);
//! - `akw` (Austin, Krishnaprasad and Wang): m1 = m0 - h skew[I^-1 p] p + h/2 (T0 + T1),
//!   R1 = R0 cay(h I^-1 p), p = (m0 + m1)/2;
//! - `bbtrap` (Bottasso and Borri): psi as in `swc1`, m1 = exp(-psi) (m0 + h/2 T0) + h/2 T1;
//! - `bbtrapwd`: psi = h/2 (dexp(-psi)^-1 I^-1 m1 + I^-1 m0), m1 as in `bbtrap`.
//!
//! Order 2. Of a free body, all keep the momentum in space and its length, and all but `bbtrapwd` the
//! energy; these three are symmetric, `bbtrapwd` is not. `akw` keeps the energy of the heavy top too.
//! Of a free body `bbtrap` is `swc1`, and `akw` has the momentum of `imid`. One evaluation of the
//! torque for each iteration, three or four by Newton; the torque may depend on anything: `swc1`
//! gives it the mean of the momenta at both ends. For steps below a radian or two.
//!
//! # References
//! Krysl, section 4, algorithms SWC1, AKW, BBTRAP, BBTRAPWD. The torque of SWC1 in the middle of the
//! step is not defined there; its attitude is taken by analogy with IMIDM (erratum 10). `bbtrapwd` is
//! `rkmk` with the tableau `trapezoid`.

use super::MethodEntry;
use super::krysl::{Implicit, Iterate, PARAMETERS, StepStart};
use super::step_number::{StepNumber, StepVector};
use super::turn::Turn;
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

const ENERGY_AND_MOMENTUM: Keeps = Keeps { symplectic: false, ..Keeps::ALL };

pub(super) static SWC1: MethodEntry = MethodEntry {
    id: "swc1",
    title: "Simo and Wong, ALGO_C1: energy- and momentum-conserving",
    order: |_| Order::Of(2),
    keeps: ENERGY_AND_MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[
        Citation { key: "Krysl2006", at: "algorithm SWC1" },
        Citation { key: "SimoWong1991", at: "ALGO_C1, as given by Krysl2006" },
    ],
    build: |_, p| Implicit::stepper("swc1", (swc1, swc1), p),
};

pub(super) static AKW: MethodEntry = MethodEntry {
    id: "akw",
    title: "Austin, Krishnaprasad and Wang: midpoint rule with Cayley's map",
    order: |_| Order::Of(2),
    keeps: ENERGY_AND_MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[
        Citation { key: "Krysl2006", at: "algorithm AKW" },
        Citation { key: "AustinKrishnaprasadWang1993", at: "as given by Krysl2006" },
    ],
    build: |_, p| Implicit::stepper("akw", (akw, akw), p),
};

pub(super) static BBTRAP: MethodEntry = MethodEntry {
    id: "bbtrap",
    title: "Bottasso and Borri: trapezoidal rule, derivative of the exponential left out",
    order: |_| Order::Of(2),
    keeps: ENERGY_AND_MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[
        Citation { key: "Krysl2006", at: "algorithm BBTRAP" },
        Citation { key: "BottassoBorri1998", at: "as given by Krysl2006" },
    ],
    build: |_, p| Implicit::stepper("bbtrap", (bbtrap, bbtrap), p),
};

pub(super) static BBTRAPWD: MethodEntry = MethodEntry {
    id: "bbtrapwd",
    title: "Bottasso and Borri: trapezoidal rule with the derivative of the exponential",
    order: |_| Order::Of(2),
    keeps: Keeps { energy: false, symmetric: false, ..ENERGY_AND_MOMENTUM },
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[
        Citation { key: "Krysl2006", at: "algorithm BBTRAPWD" },
        Citation { key: "BottassoBorri1998", at: "as given by Krysl2006" },
    ],
    build: |_, p| Implicit::stepper("bbtrapwd", (bbtrapwd, bbtrapwd), p),
};

/// The unknown is the mean of the momenta at both ends, I psi/h.
fn swc1<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let psi = step.psi(p);
    let (half, whole) = (Turn::exp(psi * 0.5), Turn::exp(psi));
    let impulse = step.impulse(0.5, half, p);
    step.mean(whole.into_body(step.m()) + impulse + half.into_body(impulse), whole)
}

/// The unknown is the mean of the momenta at both ends.
fn akw<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let turn = Turn::cay(step.psi(p));
    let impulses = step.first_impulse() + step.impulse(1.0, turn, p * 2.0 - step.m());
    step.mean(step.gyroscopic(p) + impulses * 0.5, turn)
}

/// m1 - m0 of both algorithms of Bottasso and Borri, for a turn and a momentum at its end.
fn bottasso_borri<N: StepNumber>(
    step: &StepStart,
    turn: Turn<N>,
    end: StepVector<N>,
) -> StepVector<N> {
    let first = step.first_impulse() * 0.5;
    turn.into_body(step.m() + first) + first + step.impulse(1.0, turn, end) * 0.5
}

/// The unknown is the mean of the momenta at both ends, I psi/h.
fn bbtrap<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let turn = Turn::exp(step.psi(p));
    step.mean(bottasso_borri(step, turn, p * 2.0 - step.m()), turn)
}

/// The unknown is I psi/h. The torque gets the momentum at the end that belongs to this psi, by the
/// first of the equations.
fn bbtrapwd<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let (m, psi) = (step.m(), step.psi(p));
    let turn = Turn::exp(psi);
    let end = step.momentum(step.psi(p * 2.0 - m).dexp(psi));
    let change = bottasso_borri(step, turn, end);
    let mean = (m + step.momentum(step.psi(m + change).dexpinv(psi))) * 0.5;
    Iterate::new(mean, change, turn)
}
