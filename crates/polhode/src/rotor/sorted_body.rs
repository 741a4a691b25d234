//! What the published rotors have in common: sorted axes, powers of two for units, the update of
//! the state.

use glam::DQuat;
use polhode_elliptic::Dd;

use crate::inertia::PrincipalFrame;
use crate::method::StepError;
use crate::scale::{exponent, ldexp, ldexp_dd};
use crate::{Inertia, State};

/// A body in sorted axes, its moments scaled to order one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SortedBody {
    /// I1 <= I2 <= I3, the largest in [1, 2).
    pub(super) moments: [Dd; 3],
    frame: PrincipalFrame,
    inertia_exponent: i32,
    in_range: bool,
}

/// What a step does: the momentum after it, and the rotation.
pub(super) struct Flow {
    pub(super) m: [f64; 3],
    pub(super) r: DQuat,
}

/// Phases beyond this have no digits left.
const PHASE_LIMIT: f64 = 1e13;

impl SortedBody {
    pub(super) fn new(inertia: &Inertia) -> Self {
        let (moments, frame) = inertia.sorted_frame();
        let inertia_exponent = exponent(moments[2].hi());
        let moments = moments.map(|i| ldexp_dd(i, -inertia_exponent));
        Self { moments, frame, inertia_exponent, in_range: inertia.can_be_stepped() }
    }

    /// The moments, rounded.
    pub(super) fn rounded(&self) -> [f64; 3] {
        self.moments.map(Dd::hi)
    }

    /// Applies a flow, given the momentum (largest component in [1, 2)) and the step in its units.
    /// None means that the flow could not be computed.
    pub(super) fn advance(
        &self,
        h: f64,
        state: &mut State,
        flow: impl FnOnce([f64; 3], f64) -> Option<Flow>,
    ) -> Result<(), StepError> {
        let out_of_range = StepError::OutOfRange { h, momentum: state.m.to_array() };
        if !(self.in_range && h.is_finite() && state.m.is_finite()) {
            return Err(out_of_range);
        }
        let entered = self.frame.enter_rounded(state.m);
        let largest = entered.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        if largest == 0.0 {
            return Ok(());
        }
        let e = exponent(largest);
        let scaled_h = ldexp(h, e - self.inertia_exponent);
        if scaled_h.abs() / self.moments[0].hi() >= PHASE_LIMIT {
            return Err(out_of_range);
        }
        let Flow { m, r } = flow(entered.map(|x| ldexp(x, -e)), scaled_h).ok_or(out_of_range)?;
        // A vector close to the largest doubles may overflow when it is turned.
        let m = self.frame.leave_after(state.m, m.map(|x| ldexp(x, e)));
        if !(m.is_finite() && r.is_finite()) {
            return Err(out_of_range);
        }
        let v = self.frame.leave_rounded([r.x, r.y, r.z]);
        state.m = m;
        state.q = (state.q * DQuat::from_xyzw(v.x, v.y, v.z, r.w)).normalize();
        Ok(())
    }
}
