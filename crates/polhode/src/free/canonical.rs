//! The frame in which an orbit is computed.

use polhode_elliptic::Dd;

use super::invariants::{MotionInvariants, root_distance};
use crate::inertia::PrincipalFrame;

/// A body in the canonical frame of its orbit: see `orbit`.
pub(super) struct Canonical {
    pub(super) moments: [Dd; 3],
    pub(super) m: [Dd; 3],
    /// sqrt |1 - 2 T Ia| and sqrt |1 - 2 T Ic|.
    pub(super) root_a: Dd,
    pub(super) root_c: Dd,
    /// +1 if the moments increase from a to c, -1 if they decrease.
    pub(super) orientation: f64,
    /// From the canonical axes to the body frame.
    pub(super) frame: PrincipalFrame,
}

impl Canonical {
    pub(super) fn difference(&self, i: usize, j: usize) -> Dd {
        (self.moments[i] - self.moments[j]).abs()
    }

    pub(super) fn product(&self) -> Dd {
        self.moments[0] * self.moments[1] * self.moments[2]
    }

    pub(super) fn new(invariants: &MotionInvariants) -> Self {
        let [i1, i2, i3] = invariants.moments;
        let [m1, m2, m3] = invariants.m;
        let root1 = root_distance(i1, (i2, m2), (i3, m3));
        let root3 = root_distance(i3, (i1, m1), (i2, m2));
        // B13² >= B31², where the orbit crosses m2 = 0: then the momentum stays away from axis 3.
        if root3.square() * i1 >= root1.square() * i3 {
            Self {
                moments: [i1, i2, i3],
                m: [m1, m2, m3],
                root_a: root1,
                root_c: root3,
                orientation: 1.0,
                frame: invariants.frame,
            }
        } else {
            // Reversal is odd: all signs change.
            Self {
                moments: [i3, i2, i1],
                m: [-m3, -m2, -m1],
                root_a: root3,
                root_c: root1,
                orientation: -1.0,
                frame: invariants.frame.reversed(),
            }
        }
    }
}
