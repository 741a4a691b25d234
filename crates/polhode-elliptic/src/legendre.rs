//! Legendre's incomplete integrals of any amplitude, made of arcs.
//!
//! An amplitude is a number of quarter turns and an arc (`arc.rs`). Past pi/2 the integrals are
//! quasi-periodic, growing by twice the complete integral every pi; from there on the arc begins at the
//! nearest multiple of pi/2, so that nothing is subtracted. Where m > 1 the reciprocal modulus is used:
//! with sin(beta) = sqrt(m) sin(phi) the integrals are those of beta and 1/m (DLMF 19.7.4).

use crate::arc::{Arc, Weight};
use crate::{DomainError, Parameter, float, quarter, trig};

/// An amplitude as whole half turns and a rest within a quarter turn of zero.
pub(crate) struct Amplitude {
    half_turns: f64,
    /// Sign, sine and cosine of the rest; sine and cosine are not negative.
    sign: f64,
    sin: f64,
    cos: f64,
}

impl Amplitude {
    #[inline(always)]
    fn new(phi: f64) -> Self {
        let (s, c) = (trig::sin(phi), trig::cos(phi));
        let mut half_turns = float::round_ties_even(phi * core::f64::consts::FRAC_1_PI);
        let odd = |n: f64| n % 2.0 != 0.0;
        // Next to an odd multiple of pi/2 the quotient may round to the wrong side; the sign of
        // the cosine knows. The wrong side would be off by the slope there, 1/kc.
        if (c < 0.0) != odd(half_turns) && c != 0.0 {
            half_turns += if (s > 0.0) == odd(half_turns) { -1.0 } else { 1.0 };
        }
        let sign = if (s < 0.0) == odd(half_turns) { 1.0 } else { -1.0 };
        Self { half_turns, sign, sin: s.abs(), cos: c.abs() }
    }
}

/// One of Legendre's integrals: over a quarter turn, and over an arc.
pub(crate) trait Integral {
    const NAME: &'static str;
    /// The complete integral, for m <= 1.
    fn complete(&self, m: &Parameter) -> f64;
    /// From an even multiple of a quarter turn.
    fn direct(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError>;
    /// From an odd one.
    fn turned(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError>;
    /// By the integrals of the reciprocal parameter, of which this is the arc; m > 1.
    fn reciprocal(
        &self,
        arc: &Arc,
        m: &Parameter,
        reciprocal: &Parameter,
    ) -> Result<f64, DomainError>;
    /// Whether a pole lies between an even multiple of a quarter turn and the end of the arc.
    #[inline(always)]
    fn past_a_pole(&self, _arc: &Arc) -> bool {
        false
    }

    #[inline(always)]
    fn at(&self, phi: f64, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        // m > 1, an infinity or NaN.
        if !(0.0..=f64::MAX).contains(&mc) || !phi.is_finite() {
            return self.elsewhere(phi, m);
        }
        let a = Amplitude::new(phi);
        let arc = Arc::new(a.sin, a.cos, 1.0, mc);
        if a.half_turns == 0.0 && !self.past_a_pole(&arc) {
            return Ok(a.sign * self.direct(&arc, m)?);
        }
        self.beyond(&a, &arc, m)
    }

    /// Past pi/2, or past a pole.
    #[inline(never)]
    fn beyond(&self, a: &Amplitude, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        let complete = self.complete(m);
        if complete.is_infinite() {
            return Ok(if a.half_turns < 0.0 { -complete } else { complete });
        }
        // From the end of the quarter that leaves less to add, unless a pole is in the way.
        let turned = if self.has_pole() { self.past_a_pole(arc) } else { self.most_is_behind(a) };
        // Without digits in mc, the further end is as good: the rest is little beside the complete one.
        if turned && (mc > 1e-290 || self.has_pole()) {
            let arc = Arc::new(a.cos, a.sin, mc, 1.0);
            let rest = a.sign * self.turned(&arc, m)?;
            return Ok((2.0 * a.half_turns + a.sign) * complete - rest);
        }
        Ok(2.0 * a.half_turns * complete + a.sign * self.direct(arc, m)?)
    }

    #[inline(always)]
    fn has_pole(&self) -> bool {
        false
    }

    /// Whether from here to the odd multiple of a quarter turn there is less than from the even one.
    #[inline(always)]
    fn most_is_behind(&self, a: &Amplitude) -> bool {
        a.cos < a.sin
    }

    /// m > 1, infinite arguments, and what is refused.
    #[cold]
    fn elsewhere(&self, phi: f64, m: &Parameter) -> Result<f64, DomainError> {
        let mc = m.mc.hi();
        if phi.is_nan() {
            return Err(DomainError::new(Self::NAME, "phi", phi, "a number"));
        }
        if mc.is_nan() {
            return Err(m.error(Self::NAME, "a number"));
        }
        if phi == 0.0 {
            return Ok(phi);
        }
        if phi.is_infinite() {
            m.up_to_one(Self::NAME)?;
            let complete = self.complete(m);
            if complete == 0.0 {
                let allowed = "finite where the complete integral is zero";
                return Err(DomainError::new(Self::NAME, "phi", phi, allowed));
            }
            return Ok(phi * complete);
        }
        if mc == f64::INFINITY {
            // Every term but that of the angle is gone.
            return Ok(libm::copysign(self.complete(m), phi));
        }
        let a = Amplitude::new(phi);
        let arc = Arc::new(a.sin, a.cos, 1.0, mc);
        if a.half_turns != 0.0 || arc.delta2 < 0.0 || mc == f64::NEG_INFINITY {
            return Err(
                m.error(Self::NAME, "m sin^2 <= 1 from 0 to phi, or the integral is complex")
            );
        }
        let root = float::sqrt(m.m.hi());
        let reciprocal = m.reciprocal();
        let beta = Arc {
            sin: root * a.sin,
            cos: float::sqrt(arc.delta2),
            a: 1.0,
            b: reciprocal.mc.hi(),
            delta2: a.cos * a.cos,
        };
        Ok(a.sign * self.reciprocal(&beta, m, &reciprocal)? / root)
    }
}

/// ∫ 1/Δ.
pub(crate) struct First;

impl Integral for First {
    const NAME: &'static str = "incomplete_f";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::k(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
    fn reciprocal(&self, arc: &Arc, _: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        arc.first()
    }
}

/// ∫ Δ.
pub(crate) struct Second;

impl Integral for Second {
    const NAME: &'static str = "incomplete_e";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::e(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        if arc.b == 0.0 { Ok(arc.sin) } else { arc.second(-m.m.hi()) }
    }
    fn turned(&self, arc: &Arc, m: &Parameter) -> Result<f64, DomainError> {
        arc.second(m.m.hi())
    }
    fn reciprocal(&self, arc: &Arc, _: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_cos2()
    }
}

/// ∫ sin²/Δ.
pub(crate) struct OfSin2;

impl Integral for OfSin2 {
    const NAME: &'static str = "incomplete_d";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::d(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_sin2()
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_cos2()
    }
    fn reciprocal(&self, arc: &Arc, m: &Parameter, _: &Parameter) -> Result<f64, DomainError> {
        Ok(arc.of_sin2()? / m.m.hi())
    }
}

/// ∫ cos²/Δ.
pub(crate) struct OfCos2;

impl Integral for OfCos2 {
    const NAME: &'static str = "incomplete_b";
    #[inline(always)]
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::b(m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        if arc.b == 0.0 { Ok(arc.sin) } else { arc.of_cos2() }
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.of_sin2()
    }
    fn reciprocal(
        &self,
        arc: &Arc,
        _: &Parameter,
        reciprocal: &Parameter,
    ) -> Result<f64, DomainError> {
        arc.second(-reciprocal.m.hi())
    }
}

/// ∫ 1/((1 - n sin²) Δ), of this characteristic.
pub(crate) struct Third<'a>(pub(crate) &'a Parameter);

impl Integral for Third<'_> {
    const NAME: &'static str = "incomplete_pi";
    fn complete(&self, m: &Parameter) -> f64 {
        quarter::pi(self.0, m)
    }
    #[inline(always)]
    fn direct(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        arc.third(Weight { g: 1.0, h: self.0.mc.hi(), n: self.0.m.hi() })
    }
    fn turned(&self, arc: &Arc, _: &Parameter) -> Result<f64, DomainError> {
        let nc = self.0.mc.hi();
        arc.third(Weight { g: nc, h: 1.0, n: -self.0.m.hi() / nc })
    }
    fn reciprocal(
        &self,
        arc: &Arc,
        m: &Parameter,
        reciprocal: &Parameter,
    ) -> Result<f64, DomainError> {
        // m - n, from the complements where these were given and are small.
        let (nc, mc) = (self.0.mc.hi(), m.mc.hi());
        let complements = !(self.0.direct || m.direct) && nc.abs().max(mc.abs()) < 0.25;
        let (n, m) = (self.0.m.hi(), m.m.hi());
        let difference = if complements { nc - mc } else { m - n };
        let weight = Weight { g: 1.0, h: difference / m, n: n / m };
        if arc.cos * arc.cos + weight.h * (arc.sin * arc.sin) < 0.0 {
            // Past the pole, from the end of the quarter turn.
            let n = Parameter { m: weight.n.into(), mc: weight.h.into(), direct: self.0.direct };
            let back = Arc { sin: arc.cos, cos: arc.sin, a: arc.b, b: arc.a, delta2: arc.delta2 };
            let whole = Third(&n);
            return Ok(whole.complete(reciprocal) - whole.turned(&back, reciprocal)?);
        }
        arc.third(weight)
    }
    #[inline(always)]
    fn past_a_pole(&self, arc: &Arc) -> bool {
        let nc = self.0.mc.hi();
        nc < 0.0 && arc.cos * arc.cos + nc * (arc.sin * arc.sin) < 0.0
    }
    #[inline(always)]
    fn has_pole(&self) -> bool {
        self.0.mc.hi() <= 0.0
    }
    /// The weight alone, 1/(cos² + nc sin²), has half of its integral at tan² = 1/nc.
    #[inline(always)]
    fn most_is_behind(&self, a: &Amplitude) -> bool {
        a.cos * a.cos < self.0.mc.hi() * (a.sin * a.sin)
    }
}
