//! Which side of the separatrix, decided exactly.

use polhode_elliptic::{Dd, fused_two_prod, two_sum};

/// Relative size of the difference below which it is computed exactly.
const NEAR: f64 = 1.0 / 1024.0;

/// e = I1 I3 (m1² + m3²) - I2 (I1 m3² + I3 m1²) = (I3 - I2) I1 m3² - (I2 - I1) I3 m1², with all
/// digits right and zero exactly where it is zero.
///
/// Its sign is the side of the separatrix, and near it everything depends on its size: rounding it
/// anywhere before the last subtraction leaves 1e-17 where 0 or 1e-30 belongs, and the motion
/// amplifies that by e^(lambda t). So the products are added up without any rounding, as an
/// expansion (Shewchuk, *Adaptive precision floating-point arithmetic*, 1997).
pub(crate) fn separatrix_side(moments: [Dd; 3], m1: Dd, m3: Dd) -> Dd {
    let [i1, i2, i3] = moments;
    let minor = (i2 - i1) * i3 * m1.square();
    let major = (i3 - i2) * i1 * m3.square();
    let difference = major - minor;
    // Far from it the double-double difference has digits to spare: 2^-10 costs it three of 31.
    if difference.hi().abs() > NEAR * (major.hi() + minor.hi()) {
        return difference;
    }
    let mut sum = Expansion::EMPTY;
    sum.add_product(1.0, [i1, i3, m1, m1]);
    sum.add_product(1.0, [i1, i3, m3, m3]);
    sum.add_product(-1.0, [i2, i1, m3, m3]);
    sum.add_product(-1.0, [i2, i3, m1, m1]);
    sum.total()
}

/// Components that four products of four double-doubles of order one can leave, with a margin; no
/// allocation, for steps come here too.
const CAPACITY: usize = 64;

/// A sum of doubles that is exact: components of increasing size that do not overlap.
struct Expansion {
    components: [f64; CAPACITY],
    count: usize,
}

impl Expansion {
    const EMPTY: Self = Self { components: [0.0; CAPACITY], count: 0 };

    fn add_product(&mut self, sign: f64, factors: [Dd; 4]) {
        let mut terms = Self::EMPTY;
        terms.add(sign);
        for factor in factors {
            let mut product = Self::EMPTY;
            for &term in &terms.components[..terms.count] {
                for part in [factor.hi(), factor.lo()] {
                    let (p, e) = fused_two_prod(term, part);
                    product.add(e);
                    product.add(p);
                }
            }
            terms = product;
        }
        for &term in &terms.components[..terms.count] {
            self.add(term);
        }
    }

    fn add(&mut self, x: f64) {
        let mut carry = x;
        let mut kept = 0;
        for i in 0..self.count {
            let (s, e) = two_sum(carry, self.components[i]);
            carry = s;
            if e != 0.0 {
                self.components[kept] = e;
                kept += 1;
            }
        }
        if carry != 0.0 {
            // Should the margin ever be used up, the smallest component is the one to go.
            if kept == CAPACITY {
                self.components.rotate_left(1);
                kept -= 1;
            }
            self.components[kept] = carry;
            kept += 1;
        }
        self.count = kept;
    }

    fn total(&self) -> Dd {
        let components = &self.components[..self.count];
        components.iter().fold(Dd::ZERO, |sum, &x| sum + Dd::from(x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(moments: [f64; 3], m1: f64, m3: f64) -> f64 {
        separatrix_side(moments.map(Dd::from), Dd::from(m1), Dd::from(m3)).hi()
    }

    #[test]
    fn zero_on_the_separatrix_and_only_there() {
        // (I3 - I2) I1 m3² = (I2 - I1) I3 m1²: 4·4·9 = 1·9·16.
        assert_eq!(side([4.0, 5.0, 9.0], 4.0, 3.0), 0.0);
        assert_eq!(side([2.0, 3.0, 6.0], -1.0, 1.0), 0.0);
        let next = 4.0 * (1.0 + f64::EPSILON);
        let relative = side([4.0, 5.0, 9.0], next, 3.0) / (1.0 * 9.0 * 16.0);
        assert!((relative / (-2.0 * f64::EPSILON) - 1.0).abs() < 1e-15, "{relative:e}");
    }

    #[test]
    fn products_longer_than_a_double_double_still_cancel() {
        // The same body and momentum in units that fill 47 bits each: 180 bits a product.
        let (c, d) = (1.0 + 2f64.powi(-40), 1.0 + 2f64.powi(-44));
        let moments = [4.0 * c, 5.0 * c, 9.0 * c];
        assert_eq!(side(moments, 4.0 * d, 3.0 * d), 0.0);
        assert!(side(moments, 4.0 * d, 3.0 * d * (1.0 + f64::EPSILON)) > 0.0);
    }
}
