//! The arguments of Carlson's integrals: which are ordinary, which are refused, and how others are scaled.

use crate::float::root_of_scale;
use crate::{DomainError, Real};

/// Bounds within which the products of each function stay in the range of doubles.
pub(crate) const WIDE: f64 = 1e280;
pub(crate) const NARROW: f64 = 1e100;

/// Whether each is zero or within 1/bound and bound, and at most one of them zero.
#[inline(always)]
pub(crate) fn ordinary<const N: usize>(values: [f64; N], bound: f64) -> bool {
    let low = 1.0 / bound;
    let (mut inside, mut zeros) = (0, 0);
    for x in values {
        inside += usize::from(x >= low && x <= bound);
        zeros += usize::from(x == 0.0);
    }
    inside + zeros == N && zeros <= 1
}

/// Arguments that are not ordinary, looked at more closely.
pub(crate) struct Arguments<const N: usize> {
    pub(crate) function: &'static str,
    pub(crate) names: [&'static str; N],
    pub(crate) values: [f64; N],
}

impl<const N: usize> Arguments<N> {
    pub(crate) fn error(&self, at: usize, allowed: &'static str) -> DomainError {
        DomainError::new(self.function, self.names[at], self.values[at], allowed)
    }

    /// Refuses what is negative or NaN, and of double-doubles what has no room for its second half.
    pub(crate) fn check<T: Real>(&self, bound: f64) -> Result<(), DomainError> {
        for (at, &x) in self.values.iter().enumerate() {
            if x.is_nan() || x < 0.0 {
                return Err(self.error(at, "0 or more"));
            }
            let inside = x == 0.0 || (x >= 1.0 / bound && x <= bound);
            if T::EPSILON < f64::EPSILON && !inside {
                let wide = "0 or 1e-280 to 1e280 in double-double";
                let narrow = "0 or 1e-100 to 1e100 in double-double";
                return Err(self.error(at, if bound == WIDE { wide } else { narrow }));
            }
        }
        Ok(())
    }

    pub(crate) fn zeros(&self, among: usize) -> usize {
        self.values[..among].iter().filter(|x| **x == 0.0).count()
    }

    /// The first that is infinite.
    pub(crate) fn infinity(&self) -> Option<usize> {
        self.values.iter().position(|x| x.is_infinite())
    }
}

pub(crate) const UNDETERMINED: &str = "finite where another argument makes the integral diverge";

/// The greatest of some numbers.
fn greatest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| m.max(*x))
}

/// Arguments times the square of the power of two that comes with them.
pub(crate) struct ScaledArguments<T, const N: usize>(pub(crate) [T; N], pub(crate) f64);

impl<T: Real, const N: usize> ScaledArguments<T, N> {
    /// The greatest becomes about 2^target.
    pub(crate) fn to(target: i32, arguments: [T; N]) -> Self {
        let root = root_of_scale(greatest(&arguments.map(Real::to_f64)), target);
        // In two steps: the square may be beyond all doubles.
        Self(arguments.map(|x| x * root * root), root)
    }

    /// Where all are tiny, so that none has lost digits.
    pub(crate) fn lifted(arguments: [T; N]) -> Self {
        if greatest(&arguments.map(Real::to_f64)) > 1e-280 {
            return Self(arguments, 1.0);
        }
        Self::to(0, arguments)
    }
}

/// Half the roots of x, y, z, and a quarter of lambda = sqrt(xy) + sqrt(yz) + sqrt(zx).
pub(crate) fn first_step<T: Real>(x: T, y: T, z: T) -> ([T; 3], T) {
    let [sx, sy, sz] = [x, y, z].map(|x| x.sqrt() * 0.5);
    ([sx, sy, sz], sx * sy + sz * (sx + sy))
}
