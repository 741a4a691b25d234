//! Controllers: functions of the caller's that command a body.

use core::ffi::c_void;
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;

use polhode_core::control::{Command, ControlLoop, ControllerInput};
use polhode_core::glam::DVec3;

use crate::error::CallFailure;
use crate::inside::{POLHODE_MAX_WHEELS, UserCall};
use crate::state::polhode_state;

/// What a controller is told.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_moment {
    /// The time of the call.
    pub t: f64,
    /// Attitude and total momentum.
    pub state: polhode_state,
    /// The angular velocity of the body; body frame.
    pub omega: [f64; 3],
    /// The speeds of the wheels relative to the body.
    pub wheels: [f64; POLHODE_MAX_WHEELS],
    /// How many wheels there are.
    pub wheel_count: usize,
    /// The magnetic field that a torque "dipole" or "magnetic-dipole" is in; body frame.
    pub field: [f64; 3],
    /// 0 if there is no such torque, and so no field.
    pub has_field: i32,
}

/// What a controller answers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_command {
    /// A torque from outside, of thrusters for instance; body frame.
    pub torque: [f64; 3],
    /// A magnetic dipole; body frame.
    pub dipole: [f64; 3],
    /// The torques of the motors of the wheels.
    pub motors: [f64; POLHODE_MAX_WHEELS],
}

/// Commands from this call until the next: writes to `command`, which is zero before. Returns 0, or
/// anything else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
pub type polhode_controller_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        at: *const polhode_moment,
        command: *mut polhode_command,
    ) -> i32,
>;

/// A controller: called every `period` from the start of the run on, its command held in between. A
/// step is cut where a command changes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_controller {
    /// The law of control.
    pub function: polhode_controller_function,
    /// Passed to it. What it points to must live as long as the run.
    pub user: *mut c_void,
    /// The time from one call to the next.
    pub period: f64,
    /// A command acts that much after the call.
    pub delay: f64,
    /// The greatest dipole along each axis; 0 for no limit.
    pub dipole_limit: f64,
}

type ControlFunction =
    unsafe extern "C" fn(*mut c_void, *const polhode_moment, *mut polhode_command) -> i32;

impl UserCall<ControlFunction> {
    fn command(&self, at: &ControllerInput<'_>) -> Command {
        let mut told = polhode_moment {
            t: at.t,
            state: (*at.state).into(),
            omega: at.omega.to_array(),
            wheels: [0.0; POLHODE_MAX_WHEELS],
            wheel_count: at.wheels.len(),
            field: at.field.unwrap_or(DVec3::ZERO).to_array(),
            has_field: at.field.is_some().into(),
        };
        for (place, speed) in told.wheels.iter_mut().zip(at.wheels) {
            *place = *speed;
        }
        let mut command = polhode_command {
            torque: [0.0; 3],
            dipole: [0.0; 3],
            motors: [0.0; POLHODE_MAX_WHEELS],
        };
        // SAFETY: the caller's function with the caller's pointer; both others live here.
        let code = unsafe { (self.function)(self.user, &raw const told, &raw mut command) };
        if code != 0 {
            self.refused.store(code, Ordering::Relaxed);
            // A command that is not finite ends the step.
            return Command::torque(DVec3::NAN);
        }
        let polhode_command { torque, dipole, motors } = command;
        let mut command = Command::torque(torque);
        (command.dipole, command.motors) = (dipole.into(), motors);
        command
    }
}

impl polhode_controller {
    /// As number n of a list.
    pub(crate) fn control(
        &self,
        n: usize,
        refused: &Arc<AtomicI32>,
    ) -> Result<ControlLoop, CallFailure> {
        let function = self
            .function
            .ok_or_else(|| CallFailure::null(&format!("controllers[{n}].function")))?;
        let call = UserCall { function, user: self.user, refused: Arc::clone(refused) };
        let call = Arc::new(call);
        let make = move || {
            let call = Arc::clone(&call);
            move |at: &ControllerInput<'_>| call.command(at)
        };
        let control = ControlLoop::new(self.period, make)?.delayed(self.delay)?;
        Ok(if self.dipole_limit == 0.0 {
            control
        } else {
            control.dipole_limit(self.dipole_limit)?
        })
    }
}
