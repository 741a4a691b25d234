//! Exact momentum, attitude by a quadrature instead of the integral of the third kind.
//!
//! As `frb-matrix` (`frame=1`) or `frb-quaternion` (`frame=2`), with Pi(phi1) - Pi(phi0) by the
//! Gauss-Legendre rule with `nodes` points over the amplitude, order 2 nodes, or with `rule=hermite`
//! by cubic Hermite interpolation over the argument, order 4.
//!
//! Keeps the energy and the momentum in space (the frames take m to e3 whatever the angle);
//! symmetric, as the rules are; not symplectic. Cost: 0.8 to 0.9 of `frb-matrix`. Only for
//! steps over which the integrand is smooth: less than a quarter of a period.
//!
//! # References
//! Celledoni & Zanna, section 3.3, eq. (20), routine `eint_gauss`; the Hermite rule: van Zon &
//! Schofield.

use super::frame_rotor::FrameRotor;
use super::frames::{FrameForm, MomentumFrame, ThirdKind};
use super::{Keeps, Order, RotorEntry, RotorOrder};
use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind, Parameters};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "semi-exact",
    title: "elliptic functions for the momentum, quadrature for the attitude",
    order: |p| RotorOrder { momentum: Order::Exact, attitude: Order::Of(order(p)) },
    keeps: Keeps { symplectic: false, ..Keeps::ALL },
    lanes: None,
    parameters: &[
        MethodParameter {
            name: "nodes",
            doc: "Points of the Gauss-Legendre rule.",
            kind: ParameterKind::Integer { min: 1, max: 10, step: 1, default: 5 },
        },
        MethodParameter {
            name: "frame",
            doc: "1: along m', matrices; 2: Kosenko's, quaternions.",
            kind: ParameterKind::Choice(&["2", "1"]),
        },
        MethodParameter {
            name: "rule",
            doc: "Gauss-Legendre over the amplitude, or Hermite over the argument.",
            kind: ParameterKind::Choice(&["gauss", "hermite"]),
        },
    ],
    cites: &[
        Citation { key: "CelledoniZanna2008", at: "section 3.3, eq. (20)" },
        Citation { key: "VanZonSchofield2007", at: "Hermite quadrature, as cited there" },
    ],
    build: |inertia, p| {
        let (frame, form) = match p.choice("frame") {
            "1" => (MomentumFrame::Derivative, FrameForm::Matrix),
            _ => (MomentumFrame::Kosenko, FrameForm::Quaternion),
        };
        Box::new(FrameRotor::new(inertia, frame, form, rule(p)))
    },
};

fn rule(parameters: &Parameters) -> ThirdKind {
    match parameters.choice("rule") {
        "hermite" => ThirdKind::Hermite,
        _ => ThirdKind::Gauss(parameters.integer("nodes")),
    }
}

fn order(parameters: &Parameters) -> u32 {
    match rule(parameters) {
        ThirdKind::Gauss(nodes) => 2 * nodes,
        _ => 4,
    }
}
