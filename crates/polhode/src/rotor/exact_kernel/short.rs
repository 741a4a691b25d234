//! The short step: every function of h a polynomial, of fewer terms where it is tiny. The formula has its home
//! in `polhode-step`, which engines take it from.

use polhode_number::Number;
use polhode_step::formula;

use super::{ExactBody, ExactIncrement, MomentumConstants};

/// Below this V = max(|a1|, |a3|) a2 G² h², and this square of the angle G h/I1, a step is short.
///
/// What the series of a root leaves out has always the same sign and adds up over the steps: it is below
/// 1e-21. What the others leave out, below 2e-17, is as if h were a little longer.
pub(super) const SHORT: f64 = 0.003;
pub(super) const SMALL_TURN: f64 = 0.03;

/// Below these a step is tiny, and half the terms suffice.
pub(super) const TINY: f64 = 5e-5;
pub(super) const TINY_TURN: f64 = 5e-4;

/// Where a step is tiny.
#[inline(always)]
pub(super) fn is_tiny<L: Number>(
    body: &ExactBody<L>,
    h: L,
    constants: &MomentumConstants<L>,
) -> L::Mask {
    let turn = body.b1.0 * h;
    let bends_little = (body.stiffness * constants.g2 * h * h).less(L::splat(TINY));
    bends_little & (turn * turn * constants.g2).less(L::splat(TINY_TURN))
}

/// The step of length h, where it is short.
#[inline(always)]
pub(super) fn step<L: Number>(
    body: &ExactBody<L>,
    h: L,
    constants: &MomentumConstants<L>,
) -> ExactIncrement<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let tiny = is_tiny(body, h, constants);
    if L::all(tiny) {
        return constants.short_step::<{ formula::TINY }>(h, zero);
    }
    constants.short_step::<{ formula::SHORT }>(h, L::select(tiny, zero, one))
}
