//! Vilmart's Algorithm 4.1: the momentum by Jacobi's functions with two constants only.
//!
//! c1 = I1 (I3 - I2)/(I2 (I3 - I1)), c2 = 1 - c1, then c1 = 1 - c2 so that c1 + c2 = 1 holds in
//! floating point; d1² = y1² + c1 y2², d3² = c2 y2² + y3², recomputed before each step;
//! y = (d1 cn, d2 sn, ±sqrt(d3² - c2 y2²)) or (±sqrt(d1² - c1 y2²), d2 sn, d3 cn). The attitude is
//! that of `frb-quaternion`.
//!
//! Keeps everything to rounding, and its constants are exact for a nearby body: errors are a random
//! walk. No cancellation near symmetric bodies and axes; near the separatrix 1 - k² loses digits,
//! and where I1 << I3 the rounding of c1 shows (1e-9 at 1e-6). Cost as `frb-quaternion`.
//!
//! # References
//! Vilmart, Algorithm 4.1, eq. (5). The second case ("similar formulas") is reconstructed.

use polhode_elliptic::Dd;

use super::jacobi_step::{JacobiStep, Momentum};
use super::{Keeps, RotorEntry, RotorOrder};
use crate::cite::Citation;

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: "jacobi-vilmart",
    title: "elliptic functions with two constants: round-off as a random walk",
    order: |_| RotorOrder::EXACT,
    keeps: Keeps::ALL,
    lanes: None,
    parameters: &[],
    cites: &[Citation { key: "Vilmart2008", at: "Algorithm 4.1, eq. (5)" }],
    build: |inertia, _| Box::new(JacobiStep::new(inertia, momentum)),
};

/// c1 and c2, whose sum is 1 without rounding.
pub(super) fn constants([i1, i2, i3]: [f64; 3]) -> [f64; 2] {
    let c1 = i1 * (i3 - i2) / (i2 * (i3 - i1));
    let c2 = 1.0 - c1;
    [1.0 - c2, c2]
}

pub(super) fn momentum(moments: [Dd; 3], y: [f64; 3], h: f64) -> Momentum {
    let [i1, i2, i3] = moments.map(Dd::hi);
    let [y1, y2, y3] = y;
    let [c1, c2] = constants([i1, i2, i3]);
    let (d1_2, d3_2) = (y1 * y1 + c1 * y2 * y2, c2 * y2 * y2 + y3 * y3);
    let (d1, d3) = (d1_2.sqrt(), d3_2.sqrt());
    if c2 * d1_2 <= c1 * d3_2 {
        let d2 = (y1 * y1 / c1 + y2 * y2).sqrt();
        let k2 = c2 * d1_2 / (c1 * d3_2);
        let lambda = ((i3 - i2) * (i3 - i1) / (i1 * i2 * i3 * i3)).sqrt();
        let f = Momentum::functions(k2, [y2 / d2, y1 / d1], h * (y3.signum() * lambda * d3));
        let second = d2 * f.sn;
        let third = (d3_2 - c2 * second * second).max(0.0).sqrt();
        f.with([d1 * f.cn, second, third.copysign(y3)])
    } else {
        let d2 = (y3 * y3 / c2 + y2 * y2).sqrt();
        let k2 = c1 * d3_2 / (c2 * d1_2);
        let lambda = ((i2 - i1) * (i3 - i1) / (i1 * i1 * i2 * i3)).sqrt();
        let f = Momentum::functions(k2, [y2 / d2, y3 / d3], h * (y1.signum() * lambda * d1));
        let second = d2 * f.sn;
        let first = (d1_2 - c1 * second * second).max(0.0).sqrt();
        f.with([first.copysign(y1), second, d3 * f.cn])
    }
}
