//! Forward and backward Euler steps for rotations, from which Krysl's pairs are composed: `fe`,
//! `be`, and in momentum-conserving form `fem`, `bem`.
//!
//! From the equation of motion as a rate, with psi the turn of the step, R1 = R0 exp(psi):
//!
//! - `fe`: m1 = m0 - h skew[I^-1 m0] m0 + h T0, psi = h I^-1 m0;
//! - `be`: m1 = m0 - h skew[I^-1 m1] m1 + h T1, psi = h I^-1 m1.
//!
//! From its integral:
//!
//! - `fem`: m1 = exp(-psi) (m0 + h T0), psi = h I^-1 m0;
//! - `bem`: m1 = exp(-psi) m0 + h T1, psi = h I^-1 m1.
//!
//! Order 1. A step back by `be` undoes a step of `fe` and the other way round, and likewise for `fem`
//! and `bem`; none is symmetric itself. `fe` and `be` keep nothing; `fem` and `bem` keep the length
//! of the momentum and the momentum in space of a free body. One evaluation of the torque for `fe`
//! and `fem`, one for each iteration for the others; the torque may depend on anything. They are
//! here for what is composed of them: alone their error is of the size of the step.
//!
//! # References
//! Krysl, eqs. (11), (12), (18), (19). Erratum corrected: exp[-h I^-1 Pi_2] in the proof of eq. (13)
//! (erratum 3). `fem` and `bem` are `rkmk` with the tableaux `forward-euler` and `backward-euler`.

use super::MethodEntry;
use super::krysl::{Implicit, Iterate, PARAMETERS, StepStart};
use super::start::Start;
use super::step_number::{StepNumber, StepVector};
use super::turn::Turn;
use super::update::{COMPENSATED, Explicit, StateIncrement};
use super::{Keeps, Order};
use crate::cite::Citation;
use crate::torque::Dependence;

const MOMENTUM: Keeps = Keeps { momentum_norm: true, spatial_momentum: true, ..Keeps::NOTHING };

pub(super) static FE: MethodEntry = MethodEntry {
    id: "fe",
    title: "forward Euler for rotations",
    order: |_| Order::Of(1),
    keeps: Keeps::NOTHING,
    accepts: Dependence::Momentum,
    parameters: &[COMPENSATED],
    cites: &[Citation { key: "Krysl2006", at: "eq. (11)" }],
    build: |_, p| Explicit::stepper(fe, p),
};

pub(super) static BE: MethodEntry = MethodEntry {
    id: "be",
    title: "backward Euler for rotations",
    order: |_| Order::Of(1),
    keeps: Keeps::NOTHING,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "eq. (12)" }],
    build: |_, p| Implicit::stepper("be", (be, be), p),
};

pub(super) static FEM: MethodEntry = MethodEntry {
    id: "fem",
    title: "forward Euler for rotations, momentum-conserving",
    order: |_| Order::Of(1),
    keeps: MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: &[COMPENSATED],
    cites: &[Citation { key: "Krysl2006", at: "eq. (18)" }],
    build: |_, p| Explicit::stepper(fem, p),
};

pub(super) static BEM: MethodEntry = MethodEntry {
    id: "bem",
    title: "backward Euler for rotations, momentum-conserving",
    order: |_| Order::Of(1),
    keeps: MOMENTUM,
    accepts: Dependence::Momentum,
    parameters: PARAMETERS,
    cites: &[Citation { key: "Krysl2006", at: "eq. (19)" }],
    build: |_, p| Implicit::stepper("bem", (bem, bem), p),
};

fn fe(start: &Start) -> StateIncrement {
    let dm = start.m.cross(start.psi) + start.first_impulse();
    StateIncrement::new(start, dm, Turn::exp(start.psi.into()))
}

fn be<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let turn = Turn::exp(step.psi(p));
    step.end(step.gyroscopic(p) + step.impulse(1.0, turn, p), turn)
}

fn fem(start: &Start) -> StateIncrement {
    let turn = Turn::exp(start.psi.into());
    let impulse = start.first_impulse();
    StateIncrement::new(start, impulse + turn.into_body((start.m + impulse).into()).value(), turn)
}

fn bem<N: StepNumber>(step: &StepStart, p: StepVector<N>) -> Iterate<N> {
    let turn = Turn::exp(step.psi(p));
    step.end(turn.into_body(step.m()) + step.impulse(1.0, turn, p), turn)
}
