//! Legendre's integrals over an arc that begins at a multiple of a quarter turn and is at most a quarter
//! turn long.
//!
//! From an even multiple Delta² = 1 - m sin² = cos² + mc sin²; from an odd one, with the angle counted
//! from there, it is mc cos² + sin². Both are a cos² + b sin², and the same formulas serve: of the several
//! that Carlson's integrals offer, those whose terms are all positive.
//!
//! # References
//! DLMF 19.25.5-14 (Legendre's integrals by Carlson's), 19.21.12 (for n < 0).

use crate::{DomainError, float, rc, rd, rf, rj};

/// Sine and cosine of an arc's length, neither negative, and Delta² = a cos² + b sin² along it.
#[derive(Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) sin: f64,
    pub(crate) cos: f64,
    pub(crate) a: f64,
    pub(crate) b: f64,
    /// Delta² at its end.
    pub(crate) delta2: f64,
}

/// Of a Delta² beyond this R_D and R_J alone might be below all doubles; their products are not.
const HUGE: f64 = 1e60;

/// The weight 1/(g cos² + h sin²) of the third kind.
#[derive(Clone, Copy)]
pub(crate) struct Weight {
    pub(crate) g: f64,
    pub(crate) h: f64,
    /// 1 - h/g, which must not come from a rounded quotient.
    pub(crate) n: f64,
}

impl Arc {
    #[inline(always)]
    pub(crate) fn new(sin: f64, cos: f64, a: f64, b: f64) -> Self {
        Self { sin, cos, a, b, delta2: a * (cos * cos) + b * (sin * sin) }
    }

    /// ∫ dθ/Delta.
    #[inline(always)]
    pub(crate) fn first(&self) -> Result<f64, DomainError> {
        Ok(self.sin * rf(self.a * (self.cos * self.cos), self.delta2, self.a)?)
    }

    /// ∫ sin²θ dθ/Delta.
    pub(crate) fn of_sin2(&self) -> Result<f64, DomainError> {
        let Self { sin, cos, a, delta2, .. } = *self;
        let cube = sin * sin * sin / 3.0;
        let c2 = cos * cos;
        if a > HUGE {
            return Ok(cube * (rd(c2, delta2 / a, 1.0)? / float::sqrt(a)));
        }
        Ok(cube * (a * rd(a * c2, delta2, a)?))
    }

    /// ∫ cos²θ dθ/Delta.
    pub(crate) fn of_cos2(&self) -> Result<f64, DomainError> {
        let Self { sin, cos, a, b, delta2 } = *self;
        let elementary = sin * cos / float::sqrt(delta2);
        if b == 0.0 {
            return Ok(elementary);
        }
        let cube = sin * sin * sin / 3.0;
        if delta2 > HUGE {
            let rest = rd(a * (cos * cos) / delta2, a / delta2, 1.0)?;
            return Ok(elementary + cube * (b / delta2 * rest / float::sqrt(delta2)));
        }
        Ok(elementary + cube * (b * rd(a * (cos * cos), a, delta2)?))
    }

    /// ∫ Delta dθ, of which `difference` is b - a.
    pub(crate) fn second(&self, difference: f64) -> Result<f64, DomainError> {
        if difference > 0.0 {
            return Ok(self.a * self.first()? + difference * self.of_sin2()?);
        }
        if self.b == 0.0 {
            return Ok(-difference * self.of_cos2()?);
        }
        Ok(self.b * self.first()? - difference * self.of_cos2()?)
    }

    /// ∫ dθ/((g cos²θ + h sin²θ) Delta), where the weight has no pole on the arc.
    pub(crate) fn third(&self, weight: Weight) -> Result<f64, DomainError> {
        let Self { sin, cos, a, b, delta2 } = *self;
        let Weight { g, h, n } = weight;
        let (c2, s2) = (cos * cos, sin * sin);
        if n >= 0.0 {
            let ratio = h / g;
            let pole = c2 + ratio * s2;
            if pole <= 0.0 {
                return Ok(if g < 0.0 { f64::NEG_INFINITY } else { f64::INFINITY });
            }
            let rest = self.rj(pole)?;
            return Ok((self.first()? + n * (s2 * sin / 3.0) * rest) / g);
        }
        // h > g > 0. Quotients before products: either may be as large as a double can be.
        let ratio = h / g;
        let back = b / a / ratio;
        let (p, q) = (c2 + (ratio * sin) * sin, c2 + back * s2);
        let elementary = cos * rc(delta2, a * p * q)?;
        let rest = back * (s2 / 3.0) * self.rj(q)?;
        Ok(sin * (rf(a * c2, delta2, a)? / h + (-n / h) * (elementary + rest)))
    }

    /// a R_J(a cos², Delta², a, a p).
    fn rj(&self, p: f64) -> Result<f64, DomainError> {
        let (a, c2) = (self.a, self.cos * self.cos);
        if a > HUGE {
            return Ok(rj(c2, self.delta2 / a, 1.0, p)? / float::sqrt(a));
        }
        Ok(a * rj(a * c2, self.delta2, a, a * p)?)
    }
}
