//! Torques: the models of the library, and callbacks.

use core::ffi::{c_char, c_void};
use core::sync::atomic::{AtomicI32, Ordering};
use std::sync::Arc;

use polhode_core::glam::{DQuat, DVec3};
use polhode_core::torque::{self, Dependence, KeyValue, KeyValues, TorqueFunction};
use polhode_core::{Inertia, Problem, State, Torque, so3};

use crate::body::polhode_body;
use crate::error::{CallFailure, guard, polhode_status};
use crate::pointer;
use crate::state::polhode_state;

/// A torque, for any body.
#[derive(Clone)]
pub struct polhode_torque {
    parts: Vec<TorquePart>,
}

/// Every run has to know of its own refusals, so functions become torques when a run begins.
#[derive(Clone)]
enum TorquePart {
    Model(Torque),
    Function(Callback),
}

/// A key of a torque and its value: numbers, or a word.
///
/// Expressions are one word with semicolons between them ("-k*w1; 0; sin(t)"), and so are constants
/// ("k = 0.1; n = 2"). Rows of a table follow each other in one list of numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct polhode_key {
    /// The name of the key, for example "up".
    pub name: *const c_char,
    /// Its numbers; NULL if the value is a word.
    pub numbers: *const f64,
    /// How many numbers.
    pub count: usize,
    /// The word; NULL if the value is numbers.
    pub word: *const c_char,
}

/// What a torque depends on, besides time.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum polhode_dependence {
    /// On the attitude at most.
    POLHODE_ON_ATTITUDE = 1,
    /// On the momentum as well. Some methods refuse such torques.
    POLHODE_ON_MOMENTUM = 2,
}

/// Computes a torque: three numbers, body frame, into `torque`. Returns 0, or anything else to end
/// the call with POLHODE_CALLBACK: the step is not done, and the function not called again for it (an
/// ensemble of many threads may just be calling it for other bodies). It must return: no longjmp, no C++
/// exception may leave it.
pub type polhode_torque_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        t: f64,
        state: *const polhode_state,
        torque: *mut f64,
    ) -> i32,
>;

/// Computes the potential energy at an attitude (quaternion w, x, y, z).
pub type polhode_potential_function =
    Option<unsafe extern "C" fn(user: *mut c_void, t: f64, attitude: *const f64) -> f64>;

/// A torque of the library.
///
/// - `kind`: "heavy-top", "gravity-gradient", ...: polhode_catalog_id(POLHODE_TORQUES, ..) lists them.
/// - `keys`: `count` keys with their values; those left out have their defaults.
/// - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_torque_new(
    kind: *const c_char,
    keys: *const polhode_key,
    count: usize,
    torque: *mut *mut polhode_torque,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(torque, "torque", || {
                let entry = torque::find(pointer::text(kind, "kind")?)?;
                let mut values = KeyValues::new();
                for key in pointer::slice(keys, count, "keys")? {
                    let name = pointer::text(key.name, "the name of a key")?;
                    if values.insert(name.to_owned(), value(name, key)?).is_some() {
                        let kind = entry.kind;
                        return Err(CallFailure::invalid(format!("{kind}: {name} is given twice")));
                    }
                }
                Ok(polhode_torque { parts: vec![TorquePart::Model(entry.build(&values)?)] })
            })
        }
    })
}

unsafe fn value(name: &str, key: &polhode_key) -> Result<KeyValue, CallFailure> {
    match (key.numbers.is_null(), key.word.is_null()) {
        (true, true) => Err(CallFailure::null(&format!("the value of {name}"))),
        (false, false) => Err(CallFailure::invalid(format!(
            "{name}: numbers and a word are given; set one to NULL"
        ))),
        // SAFETY: pointers as the header demands.
        (true, false) => Ok(unsafe { pointer::text(key.word, name)? }.into()),
        // SAFETY: as above.
        (false, true) => match *unsafe { pointer::slice(key.numbers, key.count, name)? } {
            [number] => Ok(number.into()),
            ref numbers => Ok(numbers.to_vec().into()),
        },
    }
}

/// A torque that a function of the caller computes.
///
/// - `function`: the torque.
/// - `potential`: its potential energy, for reports; NULL if it has none.
/// - `user`: passed to both. What it points to must live as long as the runs that use the torque.
/// - `dependence`: one of polhode_dependence.
/// - `depends_on_time`: 0 if the torque does not change while the state stands still; it is then not
///   evaluated twice at the same attitude.
/// - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
///
/// A run calls the functions on the thread that advances or describes it, and on no other. An ensemble
/// calls them for one body after the other, on several threads at once unless it has one: they must
/// allow that.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_torque_from_function(
    function: polhode_torque_function,
    potential: polhode_potential_function,
    user: *mut c_void,
    dependence: i32,
    depends_on_time: i32,
    torque: *mut *mut polhode_torque,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(torque, "torque", || {
                if function.is_none() {
                    return Err(CallFailure::null("function"));
                }
                let dependence = match dependence {
                    x if x == polhode_dependence::POLHODE_ON_ATTITUDE as i32 => {
                        Dependence::Attitude
                    }
                    x if x == polhode_dependence::POLHODE_ON_MOMENTUM as i32 => {
                        Dependence::Momentum
                    }
                    other => {
                        return Err(CallFailure::invalid(format!(
                            "dependence = {other}: must be POLHODE_ON_ATTITUDE (1) or \
                             POLHODE_ON_MOMENTUM (2)"
                        )));
                    }
                };
                let depends_on_time = depends_on_time != 0;
                let callback = Callback { function, potential, user, dependence, depends_on_time };
                Ok(polhode_torque { parts: vec![TorquePart::Function(callback)] })
            })
        }
    })
}

/// The sum of `count` torques, all of which act at once; of none, no torque.
///
/// - `torques`: handles, which may be freed afterwards; the same one may come twice.
/// - `torque`: the handle; NULL after a failure. Free it with polhode_torque_free().
///
/// It has a potential if all its parts have one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_torque_sum(
    torques: *const *const polhode_torque,
    count: usize,
    torque: *mut *mut polhode_torque,
) -> polhode_status {
    guard(|| {
        // SAFETY: pointers as the header demands.
        unsafe {
            pointer::new_handle(torque, "torque", || {
                let mut parts = Vec::new();
                for (n, &one) in pointer::slice(torques, count, "torques")?.iter().enumerate() {
                    parts.extend_from_slice(&pointer::get(one, &format!("torques[{n}]"))?.parts);
                }
                Ok(polhode_torque { parts })
            })
        }
    })
}

/// Frees a torque. Runs made with it are not affected. NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_torque_free(torque: *mut polhode_torque) {
    guard(|| {
        // SAFETY: a handle, not freed before, or NULL.
        unsafe { pointer::free(torque) };
        Ok(())
    });
}

/// A torque at work in one run or ensemble.
#[derive(Default)]
pub(crate) struct ActingTorque {
    pub(crate) torque: Torque,
    /// Where a function leaves the code with which it refuses; zero while none has.
    pub(crate) refused: Arc<AtomicI32>,
}

impl polhode_torque {
    pub(crate) fn acting(&self) -> ActingTorque {
        let refused = Arc::new(AtomicI32::new(0));
        let torque = self.parts.iter().map(|part| match part {
            TorquePart::Model(torque) => torque.clone(),
            TorquePart::Function(callback) => {
                CallbackTorque { callback: callback.clone(), refused: Arc::clone(&refused) }.into()
            }
        });
        ActingTorque { torque: torque.sum(), refused }
    }
}

/// A problem of the caller's pointers, and where its torque refuses.
///
/// # Safety
/// `body` and `start` are NULL or as the header demands, and so is `torque`, which may be NULL for none.
pub(crate) unsafe fn problem(
    body: *const polhode_body,
    torque: *const polhode_torque,
    start: *const polhode_state,
    t0: f64,
) -> Result<(Problem, Arc<AtomicI32>), CallFailure> {
    // SAFETY: as this function demands.
    let (body, start, torque) =
        unsafe { (pointer::get(body, "body")?, pointer::get(start, "start")?, torque.as_ref()) };
    if !t0.is_finite() {
        return Err(CallFailure::invalid(format!("t0 = {t0:?}: must be finite")));
    }
    let ActingTorque { torque, refused } = torque.map(polhode_torque::acting).unwrap_or_default();
    let problem = Problem::new(body.inertia, start.checked()?).torque(torque).starting_at(t0);
    Ok((problem, refused))
}

/// Functions of the caller.
#[derive(Clone)]
struct Callback {
    function: polhode_torque_function,
    potential: polhode_potential_function,
    user: *mut c_void,
    dependence: Dependence,
    depends_on_time: bool,
}

// SAFETY: the pointers are used on the thread that advances or describes a run, which is locked
// meanwhile, and on the threads of an ensemble, as the header says. That they may be used there is the
// caller's word.
unsafe impl Send for Callback {}
// SAFETY: as above.
unsafe impl Sync for Callback {}

/// A callback at work.
struct CallbackTorque {
    callback: Callback,
    refused: Arc<AtomicI32>,
}

impl TorqueFunction for CallbackTorque {
    fn torque(&self, _body: &Inertia, t: f64, state: &State) -> DVec3 {
        let Some(function) = self.callback.function else { return DVec3::ZERO };
        // A method that tries again, with another solver, must not talk the function round.
        if self.refused.load(Ordering::Relaxed) != 0 {
            return DVec3::NAN;
        }
        let mut torque = [0.0; 3];
        let state = polhode_state::from(*state);
        // SAFETY: the caller's function with the caller's pointer; both others live here.
        let code =
            unsafe { function(self.callback.user, t, &raw const state, torque.as_mut_ptr()) };
        if code != 0 {
            self.refused.store(code, Ordering::Relaxed);
            // Steppers refuse a state that is not finite: this ends the step.
            return DVec3::NAN;
        }
        DVec3::from_array(torque)
    }

    fn dependence(&self) -> Dependence {
        self.callback.dependence
    }

    fn depends_on_time(&self) -> bool {
        self.callback.depends_on_time
    }

    fn is_conservative(&self) -> bool {
        self.callback.potential.is_some()
    }

    fn potential(&self, _body: &Inertia, t: f64, q: DQuat) -> Option<f64> {
        let attitude = so3::to_wxyz(q);
        // SAFETY: the caller's function with the caller's pointer; the array lives here.
        self.callback.potential.map(|v| unsafe { v(self.callback.user, t, attitude.as_ptr()) })
    }
}
