//! `coulomb-wall`: a pinned body in a Coulomb potential with a soft wall.
//!
//! V = 1/s - 0.001/s^10 with s = 1.1 + u3, u = Q^T e3; torque V'(u3) (u2, -u1, 0) in the body frame,
//! V' = -1/s^2 + 0.01/s^11. That is the torque as printed; "physical" has the opposite sign.
//!
//! Key: `sign` is "printed" (default) or "physical".
//!
//! # References
//! 003, section 5.4. Erratum: the text has an attracting charge and a repelling wall, the printed
//! torque a repelling charge and an attracting wall. Its figures come from the printed one.

use glam::{DMat3, DQuat, DVec3};

use super::{Dependence, Key, KeyKind, Torque, TorqueEntry, TorqueJacobian};
use crate::cite::Citation;
use crate::{State, so3};

const SIGN: Key = Key {
    name: "sign",
    doc: "The torque as printed in 003, or with the opposite sign, as its text says.",
    kind: KeyKind::Choice(&["printed", "physical"]),
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "coulomb-wall",
    title: "a Coulomb potential with a soft wall, V = 1/s - 0.001/s^10, s = 1.1 + u3, or minus that",
    keys: &[SIGN],
    cites: &[Citation { key: "Krysl2006", at: "section 5.4" }],
    make: |given, _| {
        let physical = given.is(&SIGN, "physical")?;
        Ok(Box::new(if physical { CoulombWall::physical() } else { CoulombWall::printed() }))
    },
};

/// Where the third axis of the body stands when s = 0: just out of reach.
const PIVOT: f64 = 1.1;
/// The wall's share in the torque.
const WALL: f64 = 0.01;

/// A Coulomb potential with a soft wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombWall {
    sign: f64,
}

impl CoulombWall {
    /// The torque as printed in 003: the charge repels, the wall attracts.
    pub const fn printed() -> Self {
        Self { sign: 1.0 }
    }

    /// The torque of 003's text: the charge attracts, the wall repels.
    pub const fn physical() -> Self {
        Self { sign: -1.0 }
    }
}

fn up(q: DQuat) -> DVec3 {
    q.conjugate() * DVec3::Z
}

/// 1/s, 1/s^2 and 1/s^8.
fn powers(u: DVec3) -> (f64, f64, f64) {
    let r = 1.0 / (PIVOT + u.z);
    let r2 = r * r;
    let r4 = r2 * r2;
    (r, r2, r4 * r4)
}

impl Torque for CoulombWall {
    fn torque(&self, _t: f64, state: &State) -> DVec3 {
        let u = up(state.q);
        let (r, r2, r8) = powers(u);
        u.cross(DVec3::Z) * (self.sign * (WALL * (r8 * r2 * r) - r2))
    }

    fn dependence(&self) -> Dependence {
        Dependence::Attitude
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn potential(&self, _t: f64, q: DQuat) -> Option<f64> {
        let (r, r2, r8) = powers(up(q));
        Some(self.sign * (r - 0.1 * WALL * (r8 * r2)))
    }

    fn jacobian(&self, _t: f64, state: &State) -> Option<TorqueJacobian> {
        let u = up(state.q);
        let (r, r2, r8) = powers(u);
        let slope = self.sign * (WALL * (r8 * r2 * r) - r2);
        let curvature = self.sign * (2.0 * (r2 * r) - 11.0 * WALL * (r8 * r2 * r2));
        // u turns by u x v, u3 by -w . v.
        let w = u.cross(DVec3::Z);
        let outer = DMat3::from_cols(w * w.x, w * w.y, w * w.z);
        let turning = so3::hat(DVec3::Z) * so3::hat(u);
        Some(TorqueJacobian::of_attitude(-(outer * curvature) - turning * slope))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Inertia;

    #[test]
    fn energies_of_the_example() {
        // 003's body and start; 32 digits from oracle/torqued_A.json.
        let inertia = Inertia::principal([2.0, 3.0, 4.5]).unwrap();
        let start = State::aligned([2.0, 2.0, 2.0]).unwrap();
        for (torque, want) in [
            (CoulombWall::printed(), 2.587_300_987_776_925_6),
            (CoulombWall::physical(), 1.634_921_234_445_296_6),
        ] {
            let v = torque.potential(0.0, start.q).unwrap();
            let energy = start.kinetic_energy(&inertia) + v;
            assert!((energy - want).abs() < 1e-15, "{energy}");
        }
    }

    #[test]
    fn the_printed_torque_in_space() {
        let q = so3::exp(DVec3::new(0.4, -0.9, 0.3));
        let state = State::new([0.0; 3], q).unwrap();
        let r = state.matrix();
        // R23 and R13 are in the third column.
        let (r13, r23, r33) = (r.z_axis.x, r.z_axis.y, r.z_axis.z);
        let s = 1.1 + r33;
        let want = DVec3::new(-r23, r13, 0.0) * (0.01 / s.powi(11) - 1.0 / s.powi(2));
        let got = state.q * CoulombWall::printed().torque(0.0, &state);
        assert!((got - want).length() < 1e-15, "{got} {want}");
    }
}
