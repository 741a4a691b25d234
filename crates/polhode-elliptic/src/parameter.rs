//! A parameter and its complement, of which the one that is given is not rounded.

use crate::Dd;

/// A parameter m = k² together with mc = 1 - k², or a characteristic n together with nc = 1 - n.
///
/// Whichever of the two is given is kept as it is, and the other one to twice the digits of a double:
/// near m = 0 the information sits in m, near m = 1 in mc. A plain `f64` converts as the
/// **complementary** one, so that `complete_k(mc)` and `complete_k(Parameter::new(m))` are the two ways
/// to ask.
///
/// ```
/// use polhode_elliptic::{Parameter, complete_k, sn_cn_dn};
/// assert_eq!(complete_k(0.25)?, complete_k(Parameter::new(0.75))?);
/// // 1 - m would be rounded here, and 1e6 of its roundings add up.
/// let sn = sn_cn_dn(1e6, Parameter::new(6.2e-15))?.sn;
/// assert!((sn + 0.3499935_f64).abs() < 1e-7);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// k², or n.
    pub(crate) m: Dd,
    /// 1 - k², or 1 - n.
    pub(crate) mc: Dd,
    /// Whether m is what was given, for the sake of messages.
    pub(crate) direct: bool,
}

impl Parameter {
    /// By the parameter m = k², or the characteristic n.
    #[inline(always)]
    pub fn new(m: f64) -> Self {
        Self { m: Dd::from(m), mc: complement(m), direct: true }
    }

    /// By the complementary parameter mc = 1 - k², or nc = 1 - n.
    #[inline(always)]
    pub fn complementary(mc: f64) -> Self {
        Self { m: complement(mc), mc: Dd::from(mc), direct: false }
    }

    /// By the modulus k.
    ///
    /// ```
    /// use polhode_elliptic::{Parameter, complete_e};
    /// assert_eq!(complete_e(Parameter::modulus(1.0))?, 1.0);
    /// # Ok::<(), polhode_elliptic::DomainError>(())
    /// ```
    pub fn modulus(k: f64) -> Self {
        let m = Dd::product(k, k);
        // (1 - k)(1 + k), each exact in two parts.
        let mc = Dd::sum(1.0, -k) * Dd::sum(1.0, k);
        Self { m, mc, direct: true }
    }

    /// The parameter m, or the characteristic n, as a double.
    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.m.hi()
    }

    /// The complementary parameter 1 - m, or 1 - n, as a double.
    #[inline(always)]
    pub fn complement(&self) -> f64 {
        self.mc.hi()
    }
}

/// 1 - x without a rounding; infinite for an infinite x.
#[inline(always)]
fn complement(x: f64) -> Dd {
    let difference = Dd::sum(1.0, -x);
    if difference.lo().is_nan() { Dd::from(1.0 - x) } else { difference }
}

impl From<f64> for Parameter {
    /// A number stands for the complementary parameter.
    #[inline(always)]
    fn from(mc: f64) -> Self {
        Self::complementary(mc)
    }
}

/// 2^200, by which numbers near the ends of the range of doubles are scaled: the second half of a
/// double-double, and the products behind a quotient or a root, need room.
const ROOM: f64 =
    1_606_938_044_258_990_275_541_962_092_341_162_602_522_202_993_782_792_835_301_376.0;

/// a/b, also for a huge or a tiny b.
fn quotient(a: Dd, b: Dd) -> Dd {
    if b.hi().abs() < 1e-200 {
        return (a / b.scale(ROOM)).scale(ROOM);
    }
    if b.hi().abs() < 1e200 {
        return a / b;
    }
    a.scale(1.0 / ROOM) / b.scale(1.0 / ROOM)
}

/// The square root of any positive double-double.
pub(crate) fn root(x: Dd) -> Dd {
    if x.hi() > 1e200 {
        return x.scale(1.0 / ROOM).scale(1.0 / ROOM).sqrt().scale(ROOM);
    }
    if x.hi() < 1e-200 {
        return x.scale(ROOM).scale(ROOM).sqrt().scale(1.0 / ROOM);
    }
    x.sqrt()
}

impl Parameter {
    /// 1/m and 1 - 1/m = -mc/m, for m > 1.
    pub(crate) fn reciprocal(&self) -> Self {
        let (m, mc) = (quotient(Dd::ONE, self.m), quotient(-self.mc, self.m));
        Self { m, mc, direct: self.direct }
    }

    /// mu = -m/mc and 1/mc, for m < 0: the parameter seen from the other end of a quarter turn.
    pub(crate) fn imaginary(&self) -> Self {
        let (m, mc) = (quotient(-self.m, self.mc), quotient(Dd::ONE, self.mc));
        Self { m, mc, direct: self.direct }
    }
}
