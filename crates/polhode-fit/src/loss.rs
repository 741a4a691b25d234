//! What a residual costs.

/// How residuals are weighed: squares, or less where they are large, so that outliers do not pull.
///
/// Losses act on the length of the residual of a sample (three numbers, each in units of its noise).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Loss {
    /// Squares: the most likely fit where the noise is normal.
    #[default]
    Squares,
    /// Squares up to this many standard deviations, linear beyond.
    Huber(f64),
    /// A smooth passage from squares to linear at about this many standard deviations.
    SoftL1(f64),
    /// Logarithmic beyond about this many standard deviations: outliers hardly count.
    Cauchy(f64),
}

impl Loss {
    /// The loss and its derivative by the square of the residual.
    pub(crate) fn of(self, square: f64) -> (f64, f64) {
        match self {
            Self::Squares => (square, 1.0),
            Self::Huber(c) => {
                if square <= c * c {
                    (square, 1.0)
                } else {
                    let r = square.sqrt();
                    (2.0 * c * r - c * c, c / r)
                }
            }
            Self::SoftL1(c) => {
                let root = (1.0 + square / (c * c)).sqrt();
                (2.0 * c * c * (root - 1.0), 1.0 / root)
            }
            Self::Cauchy(c) => {
                let x = square / (c * c);
                (c * c * libm::log1p(x), 1.0 / (1.0 + x))
            }
        }
    }

    /// Its constant, if it has one.
    pub(crate) fn constant(self) -> Option<f64> {
        match self {
            Self::Squares => None,
            Self::Huber(c) | Self::SoftL1(c) | Self::Cauchy(c) => Some(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_the_losses_and_small_residuals_are_squared() {
        for loss in [Loss::Squares, Loss::Huber(1.5), Loss::SoftL1(1.5), Loss::Cauchy(1.5)] {
            for s in [1e-6, 0.5, 2.0, 9.0, 400.0] {
                let (h, (_, slope)) = (1e-5 * s, loss.of(s));
                let difference = (loss.of(s + h).0 - loss.of(s - h).0) / (2.0 * h);
                assert!((difference - slope).abs() < 1e-6, "{loss:?} at {s}");
            }
            assert!((loss.of(1e-6).0 / 1e-6 - 1.0).abs() < 1e-5);
        }
    }
}
