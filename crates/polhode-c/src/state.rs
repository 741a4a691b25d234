//! Momentum and attitude as C has them.

use polhode_core::{State, so3};

use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;

/// The state of a body.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_state {
    /// Angular momentum in the body frame.
    pub momentum: [f64; 3],
    /// Attitude: quaternion w, x, y, z of unit length, from body to space coordinates.
    pub attitude: [f64; 4],
}

impl From<State> for polhode_state {
    fn from(state: State) -> Self {
        Self { momentum: state.m.to_array(), attitude: state.attitude() }
    }
}

impl polhode_state {
    pub(crate) fn checked(&self) -> Result<State, CallFailure> {
        Ok(State::new(self.momentum, so3::from_wxyz(self.attitude))?)
    }

    /// The state as it is: one that the library made, to the bit.
    pub(crate) fn unchecked(&self) -> State {
        State { m: self.momentum.into(), q: so3::from_wxyz(self.attitude) }
    }
}

/// The attitude as a matrix, nine numbers row by row: `v_space = matrix v_body`.
///
/// `attitude` is a quaternion w, x, y, z; it is normalised.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_attitude_matrix(
    attitude: *const f64,
    matrix: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        let attitude = unsafe { pointer::read(attitude, "attitude")? };
        let state = State::new([0.0; 3], so3::from_wxyz(attitude))?;
        // SAFETY: as above.
        unsafe { pointer::put_numbers(matrix, so3::to_rows(state.q), "matrix") }
    })
}
