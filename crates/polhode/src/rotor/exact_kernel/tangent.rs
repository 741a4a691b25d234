//! The phase of a step with its derivatives: what [`MomentumBlock`](crate::tangent::MomentumBlock) needs.
//!
//! The integrals of S²/C1², S²/C3² and S² are the integral J of the step with other poles: A1, A3 and 0 in place of
//! w. A step that is divided doubles them: X(2h) = 2 X(h) + sigma(h)² sigma(2h), sigma = S/C, without cancellation.

use polhode_number::Number;
use polhode_step::formula::{self, angle, root_drop, sine_amplitude};

use super::phase::{LONG, SeriesConstants, UndividedStep, double, quadrature, separatrix_side};
use super::short::is_tiny;
use super::{ExactBody, ExactIncrement, MomentumConstants, constants, general, is_brief};
use crate::tangent::Phase;

/// A short step with its phase, which has most of its functions in common with the step.
#[inline(always)]
fn short<const TERMS: u8>(
    constants: &MomentumConstants<f64>,
    h: f64,
) -> (ExactIncrement<f64>, Phase<f64>) {
    let MomentumConstants { a1, a3, .. } = *constants;
    let u = h * h;
    let (y1, y3, cube) = (a1 * u, a3 * u, h * u);
    let (p, q) = (y1 + y3, y1 * y3);
    let s = h + h * sine_amplitude::<f64, TERMS>(p, q, 1.0);
    let s2 = s * s;
    // Not by closures, which would not be inlined.
    let x1 = root_drop::<f64, TERMS>(a1 * s2, 1.0);
    let x3 = root_drop::<f64, TERMS>(a3 * s2, 1.0);
    let integrals = [
        cube * angle::<f64, TERMS>(p, q, y1, 1.0),
        cube * angle::<f64, TERMS>(p, q, y3, 1.0),
        cube * angle::<f64, TERMS>(p, q, 0.0, 1.0),
    ];
    let phase = Phase::small(h, [s, 1.0 - x1, 1.0 - x3, x1, x3], integrals);
    (constants.short_step::<TERMS>(h, 1.0), phase)
}

/// h³ times the quadrature.
#[inline(always)]
fn integral<L: Number>(cube: L, c: &[L; 8], pole: L) -> L {
    let (numerator, denominator) = quadrature(c, pole);
    cube * numerator / denominator
}

/// The phase of a step whose A1 h² and A3 h² are at most 0.08 or so.
#[inline(always)]
pub(crate) fn small<L: Number>(a1: L, a3: L, h: L) -> Phase<L> {
    let (small, c) = UndividedStep::new(a1, a3, h);
    let cube = h * small.u;
    let (of1, of3) = (integral(cube, &c, small.y1), integral(cube, &c, small.y3));
    let of0 = integral(cube, &c, L::splat(0.0));
    Phase::small(h, small.functions(), [of1, of3, of0])
}

/// The step of length h from momentum m, and its phase.
#[inline(always)]
pub(crate) fn step_and_phase(
    body: &ExactBody<f64>,
    m: [f64; 3],
    h: f64,
) -> (ExactIncrement<f64>, Phase<f64>) {
    let constants = constants(body, m);
    if !is_brief(body, h, &constants) {
        return long(body, m, h, &constants);
    }
    if is_tiny(body, h, &constants) {
        short::<{ formula::TINY }>(&constants, h)
    } else {
        short::<{ formula::SHORT }>(&constants, h)
    }
}

/// The same where the step is not short. Compiled once: what is gained by its being part of the caller is little
/// beside what it takes.
#[inline(never)]
fn long(
    body: &ExactBody<f64>,
    m: [f64; 3],
    h: f64,
    constants: &MomentumConstants<f64>,
) -> (ExactIncrement<f64>, Phase<f64>) {
    (general(body, m, h, constants), phase(body, m, h, constants))
}

/// The phase of a step that is not short.
#[inline(always)]
fn phase(
    body: &ExactBody<f64>,
    m: [f64; 3],
    h: f64,
    constants: &MomentumConstants<f64>,
) -> Phase<f64> {
    let MomentumConstants { a1, a3, .. } = *constants;
    // What counts here is A h², which may be far below v.
    let largest = a1.max(a3);
    if largest * h * h <= LONG {
        return small(a1, a3, h);
    }
    let mut halvings = 0;
    let mut part = largest * h * h;
    let mut step = h;
    while part > LONG {
        (part, step, halvings) = (0.25 * part, 0.5 * step, halvings + 1);
    }
    let (small, c) = UndividedStep::new(a1, a3, step);
    let [mut s, mut c1, mut c3, ..] = small.functions();
    let side = separatrix_side(body, m[0], m[2]);
    let minor = side >= 0.0;
    let pole = if minor { small.y3 } else { small.y1 };
    let mut x = integral(step * small.u, &c, pole);
    let d = body.a[1] * side;
    let motion = SeriesConstants { a1, a3, d, side, kappa: 0.0, w: 0.0, gauge: 1.0 };
    for _ in 0..halvings {
        let still = if minor { c3 } else { c1 };
        let sigma = s / still;
        ([s, c1, c3], _) = double(&motion, s, c1, c3);
        let twice = s / if minor { c3 } else { c1 };
        x = 2.0 * x + sigma * sigma * twice;
    }
    let (delta, per_p) = (d.abs(), 1.0 / if minor { a1 } else { a3 });
    Phase::whole(h, [s, c1, c3], minor, [per_p, delta * per_p], x, h - delta * x)
}
