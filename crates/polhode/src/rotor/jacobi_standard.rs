//! Vilmart's Algorithm 3.1: the momentum by Jacobi's functions, as it is usually written.
//!
//! a1 = sqrt(2 H I3 - 2 C), a3 = sqrt(2 C - 2 H I1), recomputed before each step;
//! y = (b1 a1 cn, b2 a1 sn, ±b3 a3 dn) or (±b1 a1 dn, b2 a3 sn, b3 a3 cn). The attitude is that of
//! `frb-quaternion`.
//!
//! Keeps everything to rounding, but the rounding of its constants is the same in every step: the
//! energy drifts linearly in long runs. With `constants=double-double` constants and products with
//! them have 32 digits (the paper's first idea) and the drift is gone. a1 and a3 are differences:
//! near symmetric bodies and near the axes 1 and 3 the digits are lost (1e-2 where two moments
//! agree to 1e-15), and near the separatrix 1 - k² loses them. That is the point of this rotor; see
//! `jacobi-vilmart` and `exact`. Cost as `frb-quaternion`.
//!
//! # References
//! Vilmart, Algorithm 3.1 and section 3.1. The second case ("similar formulas") is reconstructed.

use polhode_elliptic::Dd;

use super::jacobi_step::{JacobiStep, Momentum};
use super::{Keeps, RotorEntry, RotorOrder};
use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind};

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "jacobi-standard",
    title: "elliptic functions in the standard form, drifting in long runs",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: None,
    parameters: &[MethodParameter {
        name: "constants",
        doc: "Constants, and products with them, in double or in double-double.",
        kind: ParameterKind::Choice(&["double", "double-double"]),
    }],
    cites: &[Citation { key: "Vilmart2008", at: "Algorithm 3.1" }],
    build: |inertia, p| match p.choice("constants") {
        "double-double" => Box::new(JacobiStep::new(inertia, momentum_dd)),
        _ => Box::new(JacobiStep::new(inertia, momentum)),
    },
};

/// Algorithm 3.1 in doubles.
pub(super) fn momentum(moments: [Dd; 3], y: [f64; 3], h: f64) -> Momentum {
    let [i1, i2, i3] = moments.map(Dd::hi);
    let [y1, y2, y3] = y;
    let twice_c = y1 * y1 + y2 * y2 + y3 * y3;
    let twice_h = y1 * y1 / i1 + y2 * y2 / i2 + y3 * y3 / i3;
    // Rounding can leave a difference of zero below zero.
    let a1 = (twice_h * i3 - twice_c).max(0.0).sqrt();
    let a3 = (twice_c - twice_h * i1).max(0.0).sqrt();
    let (b1, b3) = ((i1 / (i3 - i1)).sqrt(), (i3 / (i3 - i1)).sqrt());
    let product = i1 * i2 * i3;
    if (i2 - i1) * a1 * a1 <= (i3 - i2) * a3 * a3 {
        let b2 = (i2 / (i3 - i2)).sqrt();
        let k2 = (i2 - i1) / (i3 - i2) * (a1 * a1) / (a3 * a3);
        let rate = y3.signum() * ((i3 - i2) / product).sqrt() * a3;
        let f = Momentum::functions(k2, [y2 / (b2 * a1), y1 / (b1 * a1)], h * rate);
        f.with([b1 * a1 * f.cn, b2 * a1 * f.sn, b3 * a3 * y3.signum() * f.dn])
    } else {
        let b2 = (i2 / (i2 - i1)).sqrt();
        let k2 = (i3 - i2) / (i2 - i1) * (a3 * a3) / (a1 * a1);
        let rate = y1.signum() * ((i2 - i1) / product).sqrt() * a1;
        let f = Momentum::functions(k2, [y2 / (b2 * a3), y3 / (b3 * a3)], h * rate);
        f.with([b1 * a1 * y1.signum() * f.dn, b2 * a3 * f.sn, b3 * a3 * f.cn])
    }
}

/// Algorithm 3.1 with constants and products in double-double.
pub(super) fn momentum_dd(moments: [Dd; 3], y: [f64; 3], h: f64) -> Momentum {
    let [i1, i2, i3] = moments;
    let squares = y.map(|x| Dd::product(x, x));
    let twice_c = squares[0] + squares[1] + squares[2];
    let twice_h = squares[0] / i1 + squares[1] / i2 + squares[2] / i3;
    let root = |x: Dd| if x.hi() > 0.0 { x.sqrt() } else { Dd::ZERO };
    let (a1, a3) = (root(twice_h * i3 - twice_c), root(twice_c - twice_h * i1));
    let (b1, b3) = ((i1 / (i3 - i1)).sqrt(), (i3 / (i3 - i1)).sqrt());
    let product = i1 * i2 * i3;
    let [y1, y2, y3] = y;
    let quotient = |x: f64, amplitude: Dd| (Dd::from(x) / amplitude).hi();
    let (p, q) = ((i2 - i1) * a1.square(), (i3 - i2) * a3.square());
    if p <= q {
        let b2 = (i2 / (i3 - i2)).sqrt();
        let rate = ((i3 - i2) / product).sqrt() * a3 * y3.signum();
        let start = [quotient(y2, b2 * a1), quotient(y1, b1 * a1)];
        let f = Momentum::functions((p / q).hi(), start, (rate * h).hi());
        f.with([(b1 * a1 * f.cn).hi(), (b2 * a1 * f.sn).hi(), (b3 * a3 * y3.signum() * f.dn).hi()])
    } else {
        let b2 = (i2 / (i2 - i1)).sqrt();
        let rate = ((i2 - i1) / product).sqrt() * a1 * y1.signum();
        let start = [quotient(y2, b2 * a3), quotient(y3, b3 * a3)];
        let f = Momentum::functions((q / p).hi(), start, (rate * h).hi());
        f.with([(b1 * a1 * y1.signum() * f.dn).hi(), (b2 * a3 * f.sn).hi(), (b3 * a3 * f.cn).hi()])
    }
}
