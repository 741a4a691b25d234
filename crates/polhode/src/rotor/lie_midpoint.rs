//! The midpoint rule for rotations in two halves: the free part of Krysl's explicit Newmark algorithm.
//!
//! A step is two of half its length k = h/2, each with the turn psi that solves
//!
//! psi = k I^-1 exp(-psi/2) m, m(k) = exp(-psi) m, q(k) = q exp(psi).
//!
//! `strang+lie-midpoint` is the algorithm LIEMID\[EA\], the explicit Newmark or Verlet algorithm for
//! rotations: half a kick, then a step of this rotor, then half a kick. It is explicit in the torque, of
//! which it takes one evaluation a step. Its first half is a first-order algorithm, the impulse at the start
//! of the midpoint rule, and its second half the adjoint of that, the impulse at the end.
//!
//! Order 2, symmetric; keeps the length of the momentum and the momentum in space; not the energy, whose
//! error oscillates, nor the Poisson structure. Without a torque it is `imidm` with half the step. Newton's
//! iteration, three or four times a half; for steps below two radians.
//!
//! # References
//! Krysl, Explicit momentum-conserving integrator (2005), and what Krysl, section 6, says of it and of explicit
//! Newmark algorithms, its references 8 and 9.

use glam::{DMat3, DVec3};

use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::{Inertia, State, so3};

const ID: &str = "lie-midpoint";

/// Moments farther apart are refused, as by all rotors.
const APART: f64 = 1e60;

/// More than Newton needs for any step that it can do.
const ITERATIONS: u32 = 30;

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: ID,
    title: "midpoint rule for rotations; with strang Krysl's explicit Newmark algorithm",
    order: |_| RotorOrder::of(2),
    keeps: Keeps { energy: false, symplectic: false, ..Keeps::ALL },
    lanes: None,
    parameters: &[],
    cites: &[
        Citation { key: "Krysl2005", at: "algorithm LIEMID[EA]" },
        Citation { key: "Krysl2006", at: "section 6, with its reference 9" },
    ],
    build: |inertia, _| Box::new(LieMidpoint { inertia: *inertia }),
};

struct LieMidpoint {
    inertia: Inertia,
}

impl Rotor for LieMidpoint {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let moments = self.inertia.moments();
        if moments.max_element() > APART * moments.min_element() {
            return Err(StepError::OutOfRange { h, momentum: state.m.to_array() });
        }
        let first = self.half(0.5 * h, *state)?;
        *state = self.half(0.5 * h, first)?;
        Ok(())
    }
}

impl LieMidpoint {
    fn half(&self, k: f64, State { m, q }: State) -> Result<State, StepError> {
        let psi = self.turn(k, m)?;
        let r = so3::exp(psi);
        let v = DVec3::new(r.x, r.y, r.z);
        // exp(-psi) m - m: what is added to m has digits of its own.
        let across = v.cross(m);
        let change = 2.0 * (v.cross(across) - across * r.w);
        let q = q * r;
        // The length is 1 but for rounding: one step of Newton for its inverse keeps it so.
        Ok(State { m: m + change, q: q * (1.5 - 0.5 * q.length_squared()) })
    }

    /// The turn that solves the midpoint rule, by Newton's iteration from that of the start.
    fn turn(&self, k: f64, m: DVec3) -> Result<DVec3, StepError> {
        let turned = |p: DVec3| self.inertia.omega(p) * k;
        let mut psi = turned(m);
        let mut smallest = f64::INFINITY;
        for iterations in 1..=ITERATIONS {
            let middle = so3::exp(psi * -0.5) * m;
            let residual = turned(middle) - psi;
            // exp(-psi/2) m changes by p x dexp(psi/2) dpsi/2, p being its value.
            let slope = so3::hat(middle) * so3::dexp(psi * 0.5) * 0.5;
            let columns = [slope.x_axis, slope.y_axis, slope.z_axis].map(turned);
            let matrix = DMat3::IDENTITY - DMat3::from_cols(columns[0], columns[1], columns[2]);
            let update = matrix.inverse() * residual;
            psi += update;
            if !psi.is_finite() {
                return Err(StepError::OutOfRange { h: 2.0 * k, momentum: m.to_array() });
            }
            let size = update.abs().max_element();
            // Quadratic convergence: an update below half the digits is the last that is not rounding.
            if size == 0.0 || (size >= smallest && smallest < 1e-8 * psi.abs().max_element()) {
                return Ok(psi);
            }
            if iterations == ITERATIONS {
                let residual = size / psi.abs().max_element();
                return Err(StepError::NoConvergence {
                    rotor: ID,
                    h: 2.0 * k,
                    iterations,
                    residual,
                });
            }
            smallest = smallest.min(size);
        }
        Ok(psi)
    }
}
