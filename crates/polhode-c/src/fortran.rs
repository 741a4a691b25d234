//! `frb_step` and `quat_step` with the argument lists of FRB-FORTRAN (Celledoni & Zanna, section 3), as
//! Fortran compilers call them: lower case, an underscore at the end, every argument by reference.
//!
//! What is new behind them: moments in any order, equal ones included; momentum of any length; any
//! motion, special cases included; inputs and outputs may be the same variables. There is no error
//! argument, so that a step which cannot be done leaves the state as it was, with the status in
//! `polhode_last_error`: no output is NaN for finite input.

use core::cell::RefCell;
use core::ffi::c_char;

use polhode_core::glam::{DMat3, DQuat, DVec3};
use polhode_core::rotor::{self, Rotor};
use polhode_core::{Inertia, State, so3};

use crate::error::{
    CallFailure, guard, polhode_clear_error, polhode_last_error, polhode_last_error_message,
    polhode_status,
};
use crate::pointer;
use crate::switch::{exact, polhode_use_exact};

/// A rotor and what it was made for.
struct CachedRotor {
    id: &'static str,
    moments: [u64; 3],
    rotor: Box<dyn Rotor>,
}

impl CachedRotor {
    fn new(id: &'static str, moments: [f64; 3]) -> Result<Self, CallFailure> {
        let rotor = rotor::build(id, &Inertia::principal_unphysical(moments)?)?;
        Ok(Self { id, moments: moments.map(f64::to_bits), rotor })
    }
}

thread_local! {
    // Most programs step one body: without this its constants would be most of the work of a step.
    // These rotors carry nothing from step to step, so that no result depends on it.
    static CACHED: RefCell<Option<CachedRotor>> = const { RefCell::new(None) };
}

/// The free motion of a body over h.
fn step(
    published: &'static str,
    h: f64,
    moments: [f64; 3],
    state: &mut State,
) -> Result<(), CallFailure> {
    let id = if exact() { "exact" } else { published };
    // While a thread ends, what it kept is gone.
    let mut cached = CACHED.try_with(RefCell::take).ok().flatten();
    if !cached.as_ref().is_some_and(|m| m.id == id && m.moments == moments.map(f64::to_bits)) {
        cached = Some(CachedRotor::new(id, moments)?);
    }
    if let Some(cached) = &mut cached {
        cached.rotor.step(h, state)?;
    }
    let _ = CACHED.try_with(|kept| kept.replace(cached));
    if state.m.is_finite() && state.q.is_finite() { Ok(()) } else { Err(overflow("Piout")) }
}

fn check_finite(name: &str, values: &[f64]) -> Result<(), CallFailure> {
    if values.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(CallFailure::invalid(format!("{name} = {values:?}: every number must be finite")))
}

fn overflow(name: &str) -> CallFailure {
    let message = format!("{name}: the result is beyond the range of doubles");
    CallFailure::new(polhode_status::POLHODE_OUT_OF_RANGE, message)
}

/// Momentum and attitude after a step, the latter of N numbers.
type StepResult<const N: usize> = Result<([f64; 3], [f64; N]), CallFailure>;

/// Algorithm 1: Qout = Qin R with R the rotation of the step, as published: Qin is not made
/// orthogonal, whatever it is. Columns first.
fn matrix_step(h: f64, moments: [f64; 3], pi: [f64; 3], q: [f64; 9]) -> StepResult<9> {
    check_finite("Piin", &pi)?;
    check_finite("Qin", &q)?;
    let mut state = State { m: pi.into(), q: DQuat::IDENTITY };
    step("frb-matrix", h, moments, &mut state)?;
    let q = DMat3::from_cols_array(&q) * DMat3::from_quat(state.q);
    if !q.is_finite() {
        return Err(overflow("Qout"));
    }
    Ok((state.m.to_array(), q.to_cols_array()))
}

/// Algorithm 2: qout = qin r, of unit length. The bits of the rotor, if qin is of unit length.
fn quaternion_step(h: f64, moments: [f64; 3], pi: [f64; 3], q: [f64; 4]) -> StepResult<4> {
    check_finite("Piin", &pi)?;
    check_finite("qin", &q)?;
    // A quaternion of unit length goes in as it is: the product is then the library's own, to the bit.
    let square = q.iter().map(|x| x * x).sum::<f64>();
    let q = if (square - 1.0).abs() <= 1e-12 {
        so3::from_wxyz(q)
    } else {
        State::new(DVec3::ZERO, so3::from_wxyz(q))?.q
    };
    let mut state = State { m: pi.into(), q };
    step("frb-quaternion", h, moments, &mut state)?;
    Ok((state.m.to_array(), state.attitude()))
}

/// A step by one of the two algorithms. After a failure the state is given back as it came.
///
/// # Safety
/// Every pointer is NULL or that of an array of its size, as Fortran passes them. Inputs are read before outputs are
/// written.
unsafe fn call<const N: usize>(
    step: fn(f64, [f64; 3], [f64; 3], [f64; N]) -> StepResult<N>,
    [q_in_name, q_out_name]: [&str; 2],
    (pi_out, q_out): (*mut f64, *mut f64),
    (h, inertia): (*const f64, *const f64),
    (pi_in, q_in): (*const f64, *const f64),
) {
    guard(|| {
        // SAFETY: as the caller says.
        unsafe {
            let pi = pointer::read(pi_in, "Piin")?;
            let q = pointer::read(q_in, q_in_name)?;
            let [h] = pointer::read(h, "h")?;
            let stepped = step(h, pointer::read(inertia, "aInert")?, pi, q);
            let (pi, q) = *stepped.as_ref().unwrap_or(&(pi, q));
            pointer::put_numbers(pi_out, pi, "Piout")?;
            pointer::put_numbers(q_out, q, q_out_name)?;
            stepped.map(|_| ())
        }
    });
}

/// `call frb_step(Piout, Qout, h, aInert, Piin, Qin)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn frb_step_(
    pi_out: *mut f64,
    q_out: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
    q_in: *const f64,
) {
    // SAFETY: the same arguments.
    unsafe {
        call(matrix_step, ["Qin", "Qout"], (pi_out, q_out), (h, inertia), (pi_in, q_in));
    }
}

/// `call quat_step(Piout, qout, h, aInert, Piin, qin)`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn quat_step_(
    pi_out: *mut f64,
    q_out: *mut f64,
    h: *const f64,
    inertia: *const f64,
    pi_in: *const f64,
    q_in: *const f64,
) {
    // SAFETY: the same arguments.
    unsafe {
        call(quaternion_step, ["qin", "qout"], (pi_out, q_out), (h, inertia), (pi_in, q_in));
    }
}

/// `call polhode_use_exact(1)`, for programs that do not use the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_use_exact_(exact: *const i32) {
    guard(|| {
        // SAFETY: Fortran passes the address of an integer.
        polhode_use_exact(*unsafe { pointer::get(exact, "exact")? });
        Ok(())
    });
}

/// `call polhode_last_error(status, message)`, for programs that do not use the module: the status
/// and the message of the last failure on this thread, which are then forgotten.
///
/// `length` is that of `message`, which Fortran compilers append to the arguments: as a `size_t`, as
/// gfortran 8 and later have it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn polhode_last_error_(
    status: *mut i32,
    message: *mut c_char,
    length: usize,
) {
    guard(|| {
        // SAFETY: Fortran passes the address of an integer and of `length` characters.
        unsafe {
            let text = core::ffi::CStr::from_ptr(polhode_last_error_message()).to_bytes();
            if !message.is_null() {
                for n in 0..length {
                    let byte = text.get(n).copied().unwrap_or(b' ');
                    message.add(n).write(byte.cast_signed() as c_char);
                }
            }
            pointer::put(status, polhode_last_error() as i32, "status")?;
        }
        polhode_clear_error();
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_testkit::bodies::Rng;

    /// Held by tests that set the switch: it is global.
    static SWITCH: std::sync::Mutex<()> = std::sync::Mutex::new(());

    const UNITY: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    fn frb(h: f64, moments: [f64; 3], pi: [f64; 3], q: [f64; 9]) -> ([f64; 3], [f64; 9]) {
        let (mut pi_out, mut q_out) = ([f64::NAN; 3], [f64::NAN; 9]);
        // SAFETY: arrays of the right sizes.
        unsafe {
            frb_step_(
                pi_out.as_mut_ptr(),
                q_out.as_mut_ptr(),
                &raw const h,
                moments.as_ptr(),
                pi.as_ptr(),
                q.as_ptr(),
            );
        }
        (pi_out, q_out)
    }

    fn quat(h: f64, moments: [f64; 3], pi: [f64; 3], q: [f64; 4]) -> ([f64; 3], [f64; 4]) {
        let (mut pi_out, mut q_out) = ([f64::NAN; 3], [f64::NAN; 4]);
        // SAFETY: arrays of the right sizes.
        unsafe {
            quat_step_(
                pi_out.as_mut_ptr(),
                q_out.as_mut_ptr(),
                &raw const h,
                moments.as_ptr(),
                pi.as_ptr(),
                q.as_ptr(),
            );
        }
        (pi_out, q_out)
    }

    /// A finite double of any size: special ones often, the rest with random exponents.
    fn any(rng: &mut Rng, spread: f64) -> f64 {
        const SPECIAL: [f64; 10] =
            [0.0, 1.0, -1.0, 5e-324, -5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, 1e300, 1e13];
        if rng.below(10) < 1 {
            return SPECIAL[rng.below(10)];
        }
        let size = rng.log_uniform(10f64.powf(-spread), 10f64.powf(spread));
        if rng.below(10) < 2 { -size } else { size }
    }

    #[test]
    fn steps_of_changing_bodies_have_the_bits_of_the_rotors() {
        let _held = SWITCH.lock().unwrap();
        let bodies = [[1.0, 2.0, 2.5], [2.5, 1.0, 2.0], [2.0, 2.0, 1.0]];
        let inertias = bodies.map(|i| Inertia::principal(i).unwrap());
        for (on, matrix, quaternion) in [(0, "frb-matrix", "frb-quaternion"), (1, "exact", "exact")]
        {
            polhode_use_exact(on);
            let mut pi = [0.3, 0.4, 0.5];
            let (mut q, mut big) = ([1.0, 0.0, 0.0, 0.0], (pi, UNITY));
            let mut state = State::aligned(pi).unwrap();
            let (mut m, mut rows) = (state.m, DMat3::IDENTITY);
            for n in 0..300 {
                // Each body twice in a row, then the next.
                let body = n / 2 % 3;
                (pi, q) = quat(0.7, bodies[body], pi, q);
                rotor::build(quaternion, &inertias[body]).unwrap().step(0.7, &mut state).unwrap();
                assert_eq!((pi, q), (state.m.to_array(), state.attitude()), "{quaternion}, {n}");
                big = frb(0.7, bodies[body], big.0, big.1);
                let mut turn = State { m, q: DQuat::IDENTITY };
                rotor::build(matrix, &inertias[body]).unwrap().step(0.7, &mut turn).unwrap();
                (m, rows) = (turn.m, rows * DMat3::from_quat(turn.q));
                assert_eq!(big, (m.to_array(), rows.to_cols_array()), "{matrix}, {n}");
            }
        }
        polhode_use_exact(0);
    }

    #[test]
    fn finite_input_gives_finite_output_and_a_refused_step_the_input() {
        let _held = SWITCH.lock().unwrap();
        let mut rng = Rng::new(20260101);
        let (mut done, mut refused) = (0, 0);
        for n in 0..20_000 {
            // From numbers of one size to numbers of all sizes.
            let spread = [0.5, 5.0, 50.0, 150.0, 307.0][n % 5];
            let h = any(&mut rng, spread);
            let moments = [0; 3].map(|_| any(&mut rng, spread));
            let pi = [0; 3].map(|_| any(&mut rng, spread));
            let q = [0; 9].map(|_| any(&mut rng, spread));
            let short: [f64; 4] = [q[0], q[1], q[2], q[3]];
            polhode_use_exact((n % 2).try_into().unwrap());
            let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());

            polhode_clear_error();
            let (pi_out, q_out) = frb(h, moments, pi, q);
            assert!(finite(&pi_out) && finite(&q_out), "{h:?} {moments:?} {pi:?} {q:?}");
            if polhode_last_error() == polhode_status::POLHODE_OK {
                done += 1;
            } else {
                refused += 1;
                assert_eq!((pi_out, q_out), (pi, q));
            }

            polhode_clear_error();
            let (pi_out, q_out) = quat(h, moments, pi, short);
            assert!(finite(&pi_out) && finite(&q_out), "{h:?} {moments:?} {pi:?} {short:?}");
            if polhode_last_error() == polhode_status::POLHODE_OK {
                let length = q_out.iter().map(|x| x * x).sum::<f64>();
                assert!((length - 1.0).abs() < 1e-12, "{h:?} {moments:?} {pi:?} {short:?}");
                done += 1;
            } else {
                refused += 1;
                assert_eq!((pi_out, q_out), (pi, short));
            }
        }
        polhode_use_exact(0);
        assert!(done > 3000 && refused > 3000, "{done} done, {refused} refused");
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let (moments, pi) = ([1.0, 2.0, 2.5], [0.3, 0.4, 0.5]);
        for bad in [f64::NAN, f64::INFINITY] {
            let inputs = [
                (bad, moments, pi, UNITY),
                (0.1, [1.0, bad, 2.0], pi, UNITY),
                (0.1, moments, [0.1, bad, 0.2], UNITY),
                (0.1, moments, pi, [bad; 9]),
            ];
            for (h, moments, pi, q) in inputs {
                polhode_clear_error();
                let (out, _) = frb(h, moments, pi, q);
                assert_ne!(polhode_last_error(), polhode_status::POLHODE_OK);
                assert_eq!(out.map(f64::to_bits), pi.map(f64::to_bits));
                polhode_clear_error();
                quat(h, moments, pi, [q[0], q[1], q[2], q[3]]);
                assert_ne!(polhode_last_error(), polhode_status::POLHODE_OK);
            }
        }
        polhode_clear_error();
    }
}
