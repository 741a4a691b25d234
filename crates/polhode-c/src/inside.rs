//! What moves inside a body: runs of bodies that are not rigid, or not left alone.

use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;

use polhode_core::formula::{Constants, Formula};
use polhode_core::inside::{BallDamper, Dissipation, Inside, MAX_WHEELS, VaryingInertia, Wheel};
use polhode_core::table::{Beyond, Interpolation, VectorTable};
use polhode_core::{Inertia, InertiaError, Problem, State};

use crate::body::polhode_body;
use crate::controller::polhode_controller;
use crate::error::{CallFailure, guard, polhode_status};
use crate::method::polhode_method;
use crate::pointer;
use crate::run::polhode_run;
use crate::state::polhode_state;
use crate::torque::{polhode_torque, problem};

/// The greatest number of wheels in a body.
pub const POLHODE_MAX_WHEELS: usize = 8;

const _: () = assert!(POLHODE_MAX_WHEELS == MAX_WHEELS);

/// A wheel. It keeps its speed relative to the body, unless it is driven; it is if `driven` is not 0, or
/// any of the numbers after it. Numbers that are 0 are as if they were not there.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct polhode_wheel {
    /// Its axis in the body frame, of any length.
    pub axis: [f64; 3],
    /// Its moment of inertia about the axis.
    pub inertia: f64,
    /// Its speed at the start, relative to the body.
    pub speed: f64,
    /// Whether it turns freely: its momentum changes by the torque of its motor alone.
    pub driven: i32,
    /// The torque of its motor, to which controllers add.
    pub torque: f64,
    /// The greatest torque of its motor.
    pub torque_limit: f64,
    /// The speed beyond which the motor does not drive it.
    pub speed_limit: f64,
    /// Friction in its bearings, torque for a speed.
    pub viscous_friction: f64,
    /// Friction in its bearings, whatever the speed.
    pub coulomb_friction: f64,
}

/// Computes an inertia tensor at a time: nine numbers, row by row, into `inertia`. Returns 0, or anything
/// else to end the call with POLHODE_CALLBACK. No longjmp, no C++ exception may leave it.
pub type polhode_inertia_function =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, inertia: *mut f64) -> i32>;

/// What moves inside a body, and what controls it. All zero is nothing.
///
/// None of it changes the momentum in space. The momentum of states is the total one; the inertia of the
/// body is that with everything locked.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_inside {
    /// The wheels, POLHODE_MAX_WHEELS at most.
    pub wheels: *const polhode_wheel,
    /// How many wheels there are.
    pub wheel_count: usize,
    /// Dissipation takes away this times |m x omega|^2 of the energy in a unit of time.
    pub dissipation_rate: f64,
    /// Or: it takes away 2 pi/Q of the energy of a small wobble of a symmetric body in each period, Q this.
    pub quality_factor: f64,
    /// A ball turns in a cavity of viscous fluid: its moment of inertia.
    pub damper_inertia: f64,
    /// The torque on it for a unit of relative angular velocity.
    pub damper_coefficient: f64,
    /// Moments of inertia that vary: three expressions of t with semicolons between them, "1 + 0.1*sin(t);
    /// 2; 2.5", along the body axes. They take the place of the body's.
    pub moments: *const c_char,
    /// Or as a table of rows t, I1, I2, I3, between which a spline goes.
    pub rows: *const f64,
    /// The number of its rows.
    pub row_count: usize,
    /// Or any inertia, from a function.
    pub inertia: polhode_inertia_function,
    /// Passed to that function. What it points to must live as long as the run.
    pub inertia_user: *mut c_void,
    /// The controllers, called in this order.
    pub controllers: *const polhode_controller,
    /// How many controllers there are.
    pub controller_count: usize,
}

/// Begins a run of a body in which something moves, or that has controllers: as polhode_run_new(), with
/// `inside` beside the body. What `inside` points to may be freed afterwards, but for what `user`
/// pointers point to.
///
/// The method is a splitting: "strang+exact", "kahanli8+exact". With controllers a run that has failed
/// cannot go on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_new_inside(
    body: *const polhode_body,
    inside: *const polhode_inside,
    torque: *const polhode_torque,
    method: *const polhode_method,
    start: *const polhode_state,
    t0: f64,
    step: f64,
    run: *mut *mut polhode_run,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            polhode_run::begin(run, method, step, || {
                let (problem, refused) = problem(body, torque, start, t0)?;
                let refused_inside = Arc::default();
                let problem = pointer::get(inside, "inside")?.fill(problem, &refused_inside)?;
                Ok((problem, [refused, refused_inside]))
            })
        }
    })
}

/// The total momentum of a body that turns with this angular velocity, its wheels as at the start at t0.
///
/// - `omega`, `momentum`: three numbers each, body frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_inside_momentum(
    body: *const polhode_body,
    inside: *const polhode_inside,
    t0: f64,
    omega: *const f64,
    momentum: *mut f64,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let start = State::aligned([0.0; 3])?;
            let problem = Problem::new(pointer::get(body, "body")?.inertia, start).starting_at(t0);
            let omega: [f64; 3] = pointer::read(omega, "omega")?;
            let problem = pointer::get(inside, "inside")?.fill(problem, &Arc::default())?;
            let found = problem.momentum_of(omega);
            if !found.is_finite() {
                let message = format!("omega = {omega:?}: the momentum is not finite");
                return Err(CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message));
            }
            pointer::put_numbers(momentum, found.to_array(), "momentum")
        }
    })
}

/// The angular velocity of the body of a run where it is now (three numbers, body frame), and the speeds
/// of its wheels relative to it. Either pointer may be NULL.
///
/// - `count`: how many speeds there is room for; it must be the number of wheels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_run_inside(
    run: *const polhode_run,
    omega: *mut f64,
    wheels: *mut f64,
    count: usize,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            let inner = pointer::get(run, "run")?.lock()?;
            let (turning, speeds) = inner.moving();
            if !wheels.is_null() && count != speeds.len() {
                let there = speeds.len();
                return Err(CallFailure::invalid(format!(
                    "count = {count}: there are {there} wheels"
                )));
            }
            if !omega.is_null() {
                pointer::put_numbers(omega, turning.to_array(), "omega")?;
            }
            if !wheels.is_null() {
                for (place, speed) in speeds.into_iter().enumerate() {
                    pointer::put(wheels.add(place), speed, "wheels")?;
                }
            }
            Ok(())
        }
    })
}

impl polhode_wheel {
    fn wheel(&self) -> Result<Wheel, CallFailure> {
        let mut wheel = Wheel::new(self.axis, self.inertia, self.speed)?;
        if self.driven != 0 {
            wheel = wheel.driven();
        }
        if self.torque != 0.0 {
            wheel = wheel.torque(self.torque)?;
        }
        if self.torque_limit != 0.0 {
            wheel = wheel.torque_limit(self.torque_limit)?;
        }
        if self.speed_limit != 0.0 {
            wheel = wheel.speed_limit(self.speed_limit)?;
        }
        if self.viscous_friction != 0.0 || self.coulomb_friction != 0.0 {
            wheel = wheel.friction(self.viscous_friction, self.coulomb_friction)?;
        }
        Ok(wheel)
    }
}

impl polhode_inside {
    /// The problem with all of this in it; a function that refuses leaves its code.
    unsafe fn fill(
        &self,
        problem: Problem,
        refused: &Arc<AtomicI32>,
    ) -> Result<Problem, CallFailure> {
        let mut inside = Inside::default();
        // SAFETY: pointers as the header demands.
        let (wheels, controllers, varying) = unsafe {
            (
                pointer::slice(self.wheels, self.wheel_count, "wheels")?,
                pointer::slice(self.controllers, self.controller_count, "controllers")?,
                self.varying(problem.inertia().is_physical(), refused)?,
            )
        };
        for wheel in wheels {
            inside = inside.wheel(wheel.wheel()?);
        }
        match (self.dissipation_rate != 0.0, self.quality_factor != 0.0) {
            (true, true) => {
                let message = "dissipation_rate and quality_factor are given; set one to 0";
                return Err(CallFailure::invalid(message));
            }
            (true, false) => inside = inside.dissipation(Dissipation::rate(self.dissipation_rate)?),
            (false, true) => {
                inside = inside.dissipation(Dissipation::quality(self.quality_factor)?);
            }
            (false, false) => {}
        }
        if self.damper_inertia != 0.0 || self.damper_coefficient != 0.0 {
            inside = inside.damper(BallDamper::new(self.damper_inertia, self.damper_coefficient)?);
        }
        if let Some(varying) = varying {
            let physical = problem.inertia().is_physical();
            inside = inside.varying(if physical { varying } else { varying.allow_unphysical() });
        }
        let mut problem = problem.inside(inside).map_err(|error| taken(refused, error.into()))?;
        for (n, controller) in controllers.iter().enumerate() {
            problem = problem.controlled(controller.control(n, refused)?);
        }
        Ok(problem)
    }

    /// Moments that no body has are refused where those of the body itself are of one.
    unsafe fn varying(
        &self,
        physical: bool,
        refused: &Arc<AtomicI32>,
    ) -> Result<Option<VaryingInertia>, CallFailure> {
        let given = [!self.moments.is_null(), !self.rows.is_null(), self.inertia.is_some()]
            .iter()
            .filter(|x| **x)
            .count();
        if given > 1 {
            let message =
                "moments, rows and inertia: more than one is given; set the others to NULL";
            return Err(CallFailure::invalid(message));
        }
        if !self.moments.is_null() {
            // SAFETY: a text as the header demands.
            let text = unsafe { pointer::text(self.moments, "moments")? };
            let formula = |text: &str| Formula::new(text.trim(), &Constants::new());
            let formulas: Vec<Formula> = text.split(';').map(formula).collect::<Result<_, _>>()?;
            let formulas = <[Formula; 3]>::try_from(formulas).map_err(|formulas| {
                let count = formulas.len();
                CallFailure::invalid(format!(
                    "moments = \"{text}\": {count} expressions; needed: three"
                ))
            })?;
            return Ok(Some(VaryingInertia::moments(formulas)?));
        }
        if !self.rows.is_null() {
            let numbers = self.row_count.checked_mul(4).ok_or_else(|| {
                CallFailure::invalid(format!("row_count = {}: too many", self.row_count))
            })?;
            // SAFETY: a table as the header demands.
            let (rows, _) = unsafe { pointer::slice(self.rows, numbers, "rows")? }.as_chunks::<4>();
            let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
            let table = VectorTable::from_rows(&rows, Interpolation::Spline, Beyond::Error)?;
            return Ok(Some(VaryingInertia::moments(table)?));
        }
        let Some(function) = self.inertia else { return Ok(None) };
        let call = UserCall { function, user: self.inertia_user, refused: Arc::clone(refused) };
        Ok(Some(VaryingInertia::function(move |t| call.inertia(t, physical))))
    }
}

/// The failure of a function that refused, or else this one.
fn taken(refused: &AtomicI32, otherwise: CallFailure) -> CallFailure {
    match refused.swap(0, Ordering::Relaxed) {
        0 => otherwise,
        code => {
            let message = format!("the inertia function returned {code}");
            CallFailure::new(polhode_status::POLHODE_CALLBACK, message)
        }
    }
}

/// A function of the caller's with its pointer.
pub(crate) struct UserCall<F> {
    pub(crate) function: F,
    pub(crate) user: *mut c_void,
    /// Where it leaves the code with which it refuses.
    pub(crate) refused: Arc<AtomicI32>,
}

// SAFETY: the pointer is used on the thread that makes, advances or describes a run, which is locked
// meanwhile. That it may be used there is the caller's word.
unsafe impl<F: Send> Send for UserCall<F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for UserCall<F> {}

impl UserCall<unsafe extern "C" fn(*mut c_void, f64, *mut f64) -> i32> {
    fn inertia(&self, t: f64, physical: bool) -> Result<Inertia, InertiaError> {
        let refuse = InertiaError::NotFinite { position: 1, value: f64::NAN };
        if self.refused.load(Ordering::Relaxed) != 0 {
            return Err(refuse);
        }
        let mut numbers = [0.0; 9];
        // SAFETY: the caller's function with the caller's pointer; the array lives here.
        let code = unsafe { (self.function)(self.user, t, numbers.as_mut_ptr()) };
        if code != 0 {
            self.refused.store(code, Ordering::Relaxed);
            return Err(refuse);
        }
        Inertia::from_slice(&numbers, !physical)
    }
}
