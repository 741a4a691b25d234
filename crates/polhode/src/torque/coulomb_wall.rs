//! `coulomb-wall`: a pinned body in a Coulomb potential with a soft wall.
//!
//! V = 1/s - 0.001/s^10 with s = 1.1 + u3, u = Q^T e3; torque V'(u3) (u2, -u1, 0) in the body frame,
//! V' = -1/s^2 + 0.01/s^11. That is the torque as printed; "physical" has the opposite sign.
//!
//! Key: `sign` is "printed" (default) or "physical".
//!
//! # References
//! Krysl, section 5.4. Erratum: the text has an attracting charge and a repelling wall, the printed
//! torque a repelling charge and an attracting wall. Its figures come from the printed one.

use polhode_number::vector::{Quaternion, Vector, cross, scale, splat, to_body};
use polhode_number::{Lift, Number};

use super::{Acts, Body, Key, KeyKind, Record, TorqueEntry};
use crate::Point;
use crate::cite::Citation;

const SIGN: Key = Key {
    name: "sign",
    doc: "The torque as printed in Krysl, section 5.4, or with the opposite sign, as the text there says.",
    kind: KeyKind::Choice(&["printed", "physical"]),
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "coulomb-wall",
    title: "a Coulomb potential with a soft wall, V = 1/s - 0.001/s^10, s = 1.1 + u3, or minus that",
    keys: &[SIGN],
    cites: &[Citation { key: "Krysl2006", at: "section 5.4" }],
    example: || vec![("sign", "physical".into())],
    make: |given| {
        let physical = given.is(&SIGN, "physical")?;
        Ok(if physical { CoulombWall::physical() } else { CoulombWall::printed() }.into())
    },
};

/// Where the third axis of the body stands when s = 0: just out of reach.
const PIVOT: f64 = 1.1;
/// The wall's share in the torque.
const WALL: f64 = 0.01;

/// A Coulomb potential with a soft wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombWall<N = f64> {
    sign: N,
}

impl CoulombWall {
    /// The torque as printed in Krysl: the charge repels, the wall attracts.
    pub const fn printed() -> Self {
        Self { sign: 1.0 }
    }

    /// The torque of Krysl's text: the charge attracts, the wall repels.
    pub const fn physical() -> Self {
        Self { sign: -1.0 }
    }
}

impl Record for CoulombWall {
    type Over<N: Number> = CoulombWall<N>;

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> CoulombWall<N> {
        CoulombWall { sign: lift.lift(self.sign) }
    }
}

#[inline(always)]
fn up<N: Number>(q: Quaternion<N>) -> Vector<N> {
    to_body(q, splat([0.0, 0.0, 1.0]))
}

/// 1/s, 1/s^2 and 1/s^8.
#[inline(always)]
fn powers<N: Number>(u: Vector<N>) -> (N, N, N) {
    let r = N::splat(1.0) / (N::splat(PIVOT) + u[2]);
    let r2 = r * r;
    let r4 = r2 * r2;
    (r, r2, r4 * r4)
}

impl<N: Number> Acts<N> for CoulombWall<N> {
    const CONSERVATIVE: bool = true;
    /// At the wall it is a million times stronger than elsewhere.
    const STEEP: bool = true;

    #[inline(always)]
    fn torque(&self, _body: &Body<'_, N>, _t: N, at: &Point<N>) -> Vector<N> {
        let u = up(at.q);
        let (r, r2, r8) = powers(u);
        let slope = self.sign * (N::splat(WALL) * (r8 * r2 * r) - r2);
        scale(cross(u, splat([0.0, 0.0, 1.0])), slope)
    }

    #[inline(always)]
    fn potential(&self, _body: &Body<'_, N>, _t: N, q: Quaternion<N>) -> N {
        let (r, r2, r8) = powers(up(q));
        self.sign * (r - N::splat(0.1 * WALL) * (r8 * r2))
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{Inertia, Problem, State, so3};

    fn body() -> Inertia {
        Inertia::principal([2.0, 3.0, 4.5]).unwrap()
    }

    #[test]
    fn energies_of_the_example() {
        // Krysl's body and start; 32 digits from oracle/torqued_A.json.
        let start = State::aligned([2.0, 2.0, 2.0]).unwrap();
        for (torque, want) in [
            (CoulombWall::printed(), 2.587_300_987_776_925_6),
            (CoulombWall::physical(), 1.634_921_234_445_296_6),
        ] {
            let energy = Problem::new(body(), start).torque(torque).energy(0.0, &start);
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
        let problem = Problem::new(body(), state).torque(CoulombWall::printed());
        let got = state.q * problem.torque_at(0.0, &state);
        assert!((got - want).length() < 1e-15, "{got} {want}");
    }
}
