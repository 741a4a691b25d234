//! The times at which a motion is wanted: a list, or a grid from zero.

use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};

/// More rows than this are taken for a slip of the pen.
const MOST_ROWS: f64 = 1e8;

/// Times, none of them stored for a grid.
#[derive(Debug)]
pub(crate) enum Times {
    List(Vec<f64>),
    /// 0, step, 2 step, ... , last step.
    Grid {
        step: f64,
        last: u32,
    },
}

impl Times {
    /// 0, every, 2 every, ... up to and including `until`; downwards where `until` is negative.
    pub(crate) fn grid(until: &OptionText, every: &OptionText) -> Result<Self, Failure> {
        let (end, spacing) = (until.number()?, every.number()?);
        if spacing <= 0.0 {
            return Err(every.refuse(
                "the spacing of times must be positive (for times before zero give a negative --until)",
            ));
        }
        let last = steps_up_to(end.abs() / spacing);
        if last >= MOST_ROWS {
            let (end, spacing) = (shortest(end), shortest(spacing));
            return Err(every.refuse(format_args!(
                "steps of {spacing} up to {end} are more than 1e8 rows; choose a larger --every \
                 or a smaller --until"
            )));
        }
        // Whole and below 1e8: exact.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(Self::Grid { step: spacing.copysign(end), last: last as u32 })
    }

    /// All times in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> + '_ {
        let count = match self {
            Self::List(times) => times.len(),
            Self::Grid { last, .. } => *last as usize + 1,
        };
        (0..count).map(|n| match self {
            Self::List(times) => times[n],
            // Adding zero makes the start of a grid that goes down 0 instead of -0.
            Self::Grid { step, .. } => n as f64 * step + 0.0,
        })
    }

    /// The time farthest from zero.
    pub(crate) fn farthest(&self) -> f64 {
        match self {
            Self::List(times) => {
                times.iter().fold(0.0, |a: f64, &b| if b.abs() > a.abs() { b } else { a })
            }
            Self::Grid { step, last } => f64::from(*last) * step,
        }
    }
}

/// How many whole steps fit, where a ratio that misses a whole number by its own rounding error
/// counts as that number: 0.3 is three steps of 0.1, although 0.3/0.1 < 3 in doubles.
fn steps_up_to(ratio: f64) -> f64 {
    let nearest = ratio.round();
    // Half an ulp each for the two numbers typed and their quotient.
    if (ratio - nearest).abs() <= 1.5 * f64::EPSILON * ratio { nearest } else { ratio.floor() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(until: &str, every: &str) -> Vec<f64> {
        let (until, every) =
            (OptionText::new("--until", until, ""), OptionText::new("--every", every, ""));
        Times::grid(&until, &every).unwrap().iter().collect()
    }

    #[test]
    fn a_grid_ends_at_its_end_when_that_is_a_multiple() {
        assert_eq!(grid("0.3", "0.1"), [0.0, 0.1, 0.2, 3.0 * 0.1]);
        assert_eq!(grid("-1", "0.4"), [0.0, -0.4, -0.8]);
        assert!(grid("-1", "0.4")[0].is_sign_positive());
        assert_eq!(grid("0", "5"), [0.0]);
        assert_eq!(grid("1", "5"), [0.0]);
        assert_eq!(grid("1e-300", "2e-301").len(), 6);
        assert_eq!(grid("0.9999999999", "0.1").len(), 10);
        for steps in 1..2000u32 {
            for every in [0.1, 0.01, 0.7, 1.0 / 3.0] {
                let end = (f64::from(steps) * every).to_string();
                assert_eq!(grid(&end, &every.to_string()).len(), steps as usize + 1);
            }
        }
    }

    #[test]
    fn times_are_products_not_sums() {
        let times = grid("100", "0.1");
        assert_eq!(times.len(), 1001);
        assert!(times.iter().enumerate().all(|(n, &t)| t == n as f64 * 0.1));
    }

    #[test]
    fn the_farthest_time_may_be_anywhere() {
        assert_eq!(Times::List(vec![1.0, -7.0, 3.0]).farthest(), -7.0);
        assert_eq!(Times::Grid { step: -0.5, last: 4 }.farthest(), -2.0);
    }
}
