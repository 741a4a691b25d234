//! F and am by the arithmetic-geometric mean and Landen's transformations, as FRB-FORTRAN does.
//!
//! # References
//! Celledoni & Zanna, section 3.2, eq. (17)-(19), with its errata: the tangent of eq. (17) is of phi_n
//! (printed a_n), its quadrant must be tracked, and the descending loop ends at n = 1.

use core::f64::consts::TAU;

/// Levels that the smallest modulus kc > 0 can need.
const LEVELS: usize = 20;

/// The arithmetic-geometric mean of 1 and kc, all levels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landen {
    a: [f64; LEVELS],
    b: [f64; LEVELS],
    c: [f64; LEVELS],
    last: usize,
}

impl Landen {
    /// For the complementary modulus `0 < kc <= 1`; k is its complement, with its own digits.
    pub(super) fn new(k: f64, kc: f64) -> Self {
        let (mut a, mut b, mut c) = ([1.0; LEVELS], [kc; LEVELS], [k; LEVELS]);
        let mut last = 0;
        while c[last] > f64::EPSILON * a[last] && last + 1 < LEVELS {
            let n = last + 1;
            a[n] = 0.5 * (a[last] + b[last]);
            b[n] = (a[last] * b[last]).sqrt();
            // (a - b)/2 without the subtraction.
            c[n] = 0.25 * c[last] * c[last] / a[n];
            last = n;
        }
        Self { a, b, c, last }
    }

    /// Steps of the mean until c is rounding.
    pub(super) fn steps(&self) -> usize {
        self.last
    }

    /// The modulus it began with.
    pub(super) fn modulus(&self) -> f64 {
        self.c[0]
    }

    /// F(phi), for any phi.
    pub(super) fn phase(&self, phi: f64) -> f64 {
        let mut phi = phi;
        for n in 0..self.last {
            let (s, c) = (libm::sin(phi), libm::cos(phi));
            // The angle with tangent b/a tan(phi) that lies in the same turn as phi.
            let turn = TAU * ((phi - libm::atan2(s, c)) / TAU).round_ties_even();
            phi += libm::atan2(self.b[n] * s, self.a[n] * c) + turn;
        }
        phi / (self.power() * self.a[self.last])
    }

    /// am(u), for any u.
    pub(super) fn amplitude(&self, u: f64) -> f64 {
        let mut phi = self.power() * self.a[self.last] * u;
        for n in (1..=self.last).rev() {
            let sine = self.c[n] / self.a[n] * libm::sin(phi);
            phi = 0.5 * (phi + libm::asin(sine.clamp(-1.0, 1.0)));
        }
        phi
    }

    /// 2^N.
    fn power(&self) -> f64 {
        f64::from(1u32 << self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_elliptic_crate_and_with_itself() {
        for mc in [1e-12, 1e-4, 0.3, 0.9999, 1.0] {
            let landen = Landen::new(f64::sqrt(1.0 - mc), f64::sqrt(mc));
            for u in [-7.3, -1.0, 0.2, 2.9, 12.0] {
                let phi = landen.amplitude(u);
                let want = polhode_elliptic::jacobi(u, mc).unwrap();
                // Close to k = 1 the last arcsines are of numbers close to 1, where they lose digits.
                let error = (phi - want.am).abs();
                assert!(error < 2e-15 + 1e-21 / mc, "am({u}, {mc}): {error:e}");
                // F has the slope 1/dn.
                let slack = 1e-14 + 2.0 * (error + 1e-15) / want.dn;
                assert!((landen.phase(phi) - u).abs() < slack, "F(am({u}), {mc})");
            }
        }
    }
}
