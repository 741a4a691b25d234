//! The integrals of sd² and cd², by the theta series that give dn.
//!
//! Both grow linearly, by complete integrals of the second kind; the periodic rest is the logarithmic derivative of
//! theta_3. They say how the phase of a motion changes with its modulus.
//!
//! # References
//! DLMF 22.16 (iii) for the zeta function, of which the rest is a shifted one; 20.7 (viii) for the imaginary
//! transformation. `Bk = ∫ cos²/Δ` and `Dk = ∫ sin²/Δ` over a quarter period: DLMF 19.2.6.

use polhode_number::Number;

use crate::theta::{Side, Theta};
use crate::{DomainError, Parameter, complete_b, complete_d, complete_k};

/// What the integrals of one modulus need besides its [`Theta`].
#[derive(Clone, Copy, Debug)]
pub struct ThetaSquares {
    /// Growth of the integrals of sd² and cd² in a half period, 2 Bk/k'² and 2 Dk.
    sd: f64,
    cd: f64,
    /// Of the periodic rest: what is subtracted from it, per half period, and its factor, 2 pi/K times the nome
    /// over k² or, on the hyperbolic side, the same of the complementary modulus.
    linear: f64,
    factor: f64,
    /// k², k'² and 2K.
    k2: f64,
    kc2: f64,
    half_period: f64,
}

impl ThetaSquares {
    /// For the modulus k with complement kc and K = `quarter`, as for [`Theta::new`]; none of the first two negative.
    ///
    /// # Errors
    /// [`DomainError`] if kc is not in (0, 1].
    pub fn new(k: f64, kc: f64, quarter: f64) -> Result<Self, DomainError> {
        let (k2, kc2) = (k * k, kc * kc);
        let parameter = Parameter::complementary(kc2.max(f64::MIN_POSITIVE));
        let (b, d) = (complete_b(parameter)?, complete_d(parameter)?);
        // The nome over the square of the modulus: 1/16 where both vanish.
        let quotient = |k: f64, kc: f64| {
            let root = 1.0 + libm::sqrt(kc);
            let per_k2 = 0.5 / ((1.0 + kc) * root * root);
            let l4 = ((k * k * per_k2) * (k * k * per_k2)) * ((k * k * per_k2) * (k * k * per_k2));
            per_k2 * (1.0 + l4 * (2.0 + l4 * (15.0 + l4 * (150.0 + l4 * 1707.0))))
        };
        let (linear, factor);
        if k <= kc {
            linear = 2.0 * b;
            factor = core::f64::consts::TAU / quarter * quotient(k, kc);
        } else {
            let complementary = Parameter::complementary(k2);
            let k_prime = complete_k(complementary)?;
            linear = complete_b(complementary)? / k_prime * 2.0 * quarter;
            factor = core::f64::consts::TAU / k_prime * quotient(kc, k);
        }
        // Where this overflows the integral is finite in the first half period all the same.
        let sd = (2.0 * b / kc2).min(f64::MAX);
        Ok(Self { sd, cd: 2.0 * d, linear, factor, k2, kc2, half_period: 2.0 * quarter })
    }

    /// The integrals of sd² and cd² from 0 to 2K, a half period: 2 Bk/k'² and 2 Dk.
    pub fn half_period(&self) -> (f64, f64) {
        (self.sd, self.cd)
    }
}

impl Theta {
    /// The integrals of sd² and cd² from 0 to u = 2K (whole + f + tail), whole an integer and `|f| <= 1/2`.
    ///
    /// Errors are a few eps of the larger of one and the integral.
    #[inline(always)]
    pub fn squares<L: Number>(&self, constants: &ThetaSquares, whole: L, f: L, tail: L) -> (L, L) {
        let n = L::splat;
        let rest = self.log_derivative(f, tail) * n(constants.factor);
        match self.side() {
            Side::Circular => {
                let turns = whole + f;
                let sd = (n(constants.linear) * turns - rest) / n(constants.kc2);
                (sd, n(constants.cd) * turns + rest)
            }
            Side::Hyperbolic { .. } => {
                let sd = (rest - n(constants.linear) * f) / n(constants.k2);
                let cd = n(constants.half_period) * f - n(constants.kc2) * sd;
                (whole * n(constants.sd) + sd, whole * n(constants.cd) + cd)
            }
        }
    }
}
