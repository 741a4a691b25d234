//! Exact momentum, attitude by the angular velocity at the middle of the step (SEJ's free part).
//!
//! m(h) and m(h/2) by Jacobi's functions, and w = I^-1 m at the start, the middle and the end:
//!
//! q(h) = q(0) exp(h w(h/2)), or with `attitude=magnus` a step of Magnus' series of order 4,
//! q(h) = q(0) exp(h (w(0) + 4 w(h/2) + w(h))/6 + h² w(0) x w(h)/12).
//!
//! Order 2 or 4 in the attitude, symmetric; keeps the length of the momentum and the energy; neither
//! the momentum in space nor the Poisson structure. Cost: one arithmetic-geometric mean, one ascending
//! and two descending Landen transformations.
//!
//! # References
//! Celledoni & Säfström, sections 2 and 3: elliptic functions at t + h/2 and t + h, a symmetric but not
//! symplectic scheme. The pages with the update of the attitude are missing from the paper: the
//! midpoint rule and Magnus' series are two readings that have these properties. Magnus' series:
//! Blanes, Casas, Oteo and Ros (2009), with Simpson's rule. Erratum corrected: E = T in eq. (4)
//! (printed as 2 T).

use glam::DVec3;

use super::frame_rotor::steady_flow;
use super::jacobi_orbit::{JacobiPath, Separatrix};
use super::sorted_body::{Flow, SortedBody};
use super::{Keeps, Order, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind};
use crate::{State, so3};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "midpoint-attitude",
    title: "elliptic functions for the momentum, attitude by the midpoint angular velocity",
    order: |p| RotorOrder {
        momentum: Order::Exact,
        attitude: Order::Of(if p.choice("attitude") == "magnus" { 4 } else { 2 }),
    },
    keeps: Keeps { spatial_momentum: false, symplectic: false, ..Keeps::ALL },
    lanes: None,
    parameters: &[MethodParameter {
        name: "attitude",
        doc: "How the attitude follows from the angular velocity at the start, the middle and the end.",
        kind: ParameterKind::Choice(&["midpoint", "magnus"]),
    }],
    cites: &[Citation { key: "CelledoniSafstrom", at: "sections 2 and 3" }],
    build: |inertia, p| {
        let magnus = p.choice("attitude") == "magnus";
        Box::new(MidpointAttitude { body: SortedBody::new(inertia), magnus })
    },
};

struct MidpointAttitude {
    body: SortedBody,
    magnus: bool,
}

impl Rotor for MidpointAttitude {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let Self { body, magnus } = self;
        let moments = body.rounded();
        body.advance(h, state, |m, h| match JacobiPath::new(body.moments, m) {
            JacobiPath::Steady => Some(steady_flow(moments, m, h)),
            JacobiPath::Separatrix(path) => {
                let end = separatrix_momentum(&path, h);
                let along = [m, separatrix_momentum(&path, 0.5 * h), end];
                Some(Flow { m: end, r: turn(moments, along, h, *magnus) })
            }
            JacobiPath::Periodic(orbit) => {
                let at = |t: f64| orbit.momentum(orbit.amplitude(t * orbit.length));
                let (start, end) = (orbit.momentum(orbit.phi0), at(h));
                let along = [start, at(0.5 * h), end].map(|m| m.map(|x| x * orbit.length));
                Some(orbit.restore(end, turn(moments, along, h, *magnus)))
            }
        })
    }
}

fn separatrix_momentum(path: &Separatrix, t: f64) -> [f64; 3] {
    path.momentum(t * path.length).0.map(|x| x * path.length)
}

/// The rotation of a step with these momenta at its start, middle and end.
fn turn([i1, i2, i3]: [f64; 3], along: [[f64; 3]; 3], h: f64, magnus: bool) -> glam::DQuat {
    let [start, middle, end] = along.map(|m| DVec3::new(m[0] / i1, m[1] / i2, m[2] / i3) * h);
    if !magnus {
        return so3::exp(middle);
    }
    so3::exp((start + 4.0 * middle + end) / 6.0 + start.cross(end) / 12.0)
}

#[cfg(test)]
mod tests {
    use crate::{FreeMotion, Inertia, State, rotor};

    #[test]
    fn both_readings_have_their_order() {
        let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
        let start = State::aligned([0.6, -0.5, 0.8]).unwrap();
        let exact = FreeMotion::new(&inertia, start).unwrap().at(2.0).unwrap();
        for (spec, order) in
            [("midpoint-attitude", 2.0), ("midpoint-attitude:attitude=magnus", 4.0)]
        {
            let error = |n: u32| {
                let (mut rotor, mut state) = (rotor::build(spec, &inertia).unwrap(), start);
                (0..n).for_each(|_| rotor.step(2.0 / f64::from(n), &mut state).unwrap());
                (state.q - exact.q).length()
            };
            let seen = (error(20) / error(40)).log2();
            assert!((seen - order).abs() < 0.1, "{spec}: {seen}");
        }
    }
}
