//! Exact momentum, attitude by the angular velocity at the middle of the step (SEJ's free part).
//!
//! m(h) and m(h/2) by Jacobi's functions, q(h) = q(0) exp(h I^-1 m(h/2)).
//!
//! Order 2 in the attitude, symmetric; keeps the length of the momentum and the energy; neither the
//! momentum in space nor the Poisson structure. Cost: one arithmetic-geometric mean, one ascending
//! and two descending Landen transformations.
//!
//! # References
//! 000, sections 2 and 3: elliptic functions at t + h/2 and t + h, a symmetric but not symplectic
//! scheme. The pages with the update of the attitude are missing from the paper; that it is the
//! midpoint rule is inferred from these two properties. Erratum corrected: E = T in eq. (4)
//! (printed as 2 T).

use glam::DVec3;

use super::frame_rotor::steady_flow;
use super::jacobi_orbit::{Path, Separatrix};
use super::sorted_body::{Flow, SortedBody};
use super::{Keeps, Order, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::{State, so3};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "midpoint-attitude",
    title: "elliptic functions for the momentum, attitude by the midpoint angular velocity",
    order: |_| RotorOrder { momentum: Order::Exact, attitude: Order::Of(2) },
    keeps: Keeps { spatial_momentum: false, symplectic: false, ..Keeps::ALL },
    in_lanes: false,
    parameters: &[],
    cites: &[Citation { key: "CelledoniSafstrom", at: "sections 2 and 3" }],
    build: |inertia, _| Box::new(MidpointAttitude { body: SortedBody::new(inertia) }),
};

struct MidpointAttitude {
    body: SortedBody,
}

impl Rotor for MidpointAttitude {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let body = &self.body;
        let moments = body.rounded();
        body.advance(h, state, |m, h| match Path::new(body.moments, m) {
            Path::Steady => Some(steady_flow(moments, m, h)),
            Path::Separatrix(path) => {
                let at = |t: f64| separatrix_momentum(&path, t);
                Some(Flow { m: at(h), r: turn(moments, at(0.5 * h), h) })
            }
            Path::Periodic(orbit) => {
                let at = |t: f64| orbit.momentum(orbit.amplitude(t * orbit.length));
                let middle = at(0.5 * h).map(|x| x * orbit.length);
                Some(orbit.restore(at(h), turn(moments, middle, h)))
            }
        })
    }
}

fn separatrix_momentum(path: &Separatrix, t: f64) -> [f64; 3] {
    path.momentum(t * path.length).0.map(|x| x * path.length)
}

fn turn([i1, i2, i3]: [f64; 3], m: [f64; 3], h: f64) -> glam::DQuat {
    so3::exp(DVec3::new(m[0] / i1, m[1] / i2, m[2] / i3) * h)
}
