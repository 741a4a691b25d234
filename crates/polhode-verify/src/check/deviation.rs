//! How far a quantity is from what it should be, over the whole of a trajectory.

use crate::Errors;

/// How a deviation grows with time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Growth {
    /// It is too small to be anything but rounding.
    Rounding,
    /// It is as large in the first quarter of the time as later.
    Bounded,
    /// It grows like this power of the time.
    Power(f64),
    /// It grows faster than t^6: suddenly, or exponentially.
    Steep,
}

impl Growth {
    /// `rounding`, `bounded`, `power` or `steep`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rounding => "rounding",
            Self::Bounded => "bounded",
            Self::Power(_) => "power",
            Self::Steep => "steep",
        }
    }

    /// The power of the time, where it grows like one.
    pub fn power(self) -> Option<f64> {
        if let Self::Power(power) = self { Some(power) } else { None }
    }
}

/// How far a quantity is from what it should be: relative to its size, or an angle in radians.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Deviation {
    /// The largest deviation over all samples.
    pub max: f64,
    /// The time of the largest.
    pub at: f64,
    /// The deviation at the last time.
    pub end: f64,
    /// The slope of the straight line through all deviations, per unit of time.
    pub slope: f64,
    /// How it grows; none if there are too few samples to tell.
    pub growth: Option<Growth>,
    /// The first time at which it is larger than allowed; none if it is always allowed.
    pub beyond: Option<f64>,
}

/// Deviations up to this size are rounding: that of 1e6 steps is some 1e-13.
pub(super) const ROUNDING: f64 = 1e-12;

/// Fewer samples tell nothing of growth.
const ENOUGH: usize = 16;

/// Less than t^0.3 is an oscillation that happens to be larger later on.
const BOUNDED: f64 = 0.3;

/// A higher power would only pretend that it is one.
const STEEPEST: f64 = 6.0;

impl Deviation {
    /// Of values at times; `allowed` says how large the k-th may be.
    pub(super) fn new(times: &[f64], values: &[f64], allowed: impl Fn(usize) -> f64) -> Self {
        let (mut at, mut beyond) = (0, None);
        for (k, &value) in values.iter().enumerate() {
            if value > values[at] {
                at = k;
            }
            if beyond.is_none() && value > allowed(k) {
                beyond = Some(times[k]);
            }
        }
        let max = values[at];
        Self {
            max,
            at: times[at],
            end: *values.last().unwrap_or(&0.0),
            slope: slope(times, values),
            growth: growth(times, values, max),
            beyond,
        }
    }
}

/// A quotient that is a number whatever the numbers: a quantity that should be zero and is not has
/// no size to compare with, and is as wrong as can be.
pub(super) fn relative(difference: f64, size: f64) -> f64 {
    finite(Errors::relative(difference, size))
}

/// The largest number for what is infinite: reports are made of numbers.
pub(super) fn finite(error: f64) -> f64 {
    error.min(f64::MAX)
}

/// The slope, or none to speak of where it cannot be told.
fn slope(times: &[f64], values: &[f64]) -> f64 {
    let slope = polhode_number::slope(times, values);
    if slope.is_finite() { slope } else { 0.0 }
}

/// From the largest value of the first quarter of the time and that of all of it.
fn growth(times: &[f64], values: &[f64], max: f64) -> Option<Growth> {
    if times.len() < ENOUGH {
        return None;
    }
    if max <= ROUNDING {
        return Some(Growth::Rounding);
    }
    let quarter = 0.25 * (times[times.len() - 1] - times[0]).abs();
    let early = times.iter().zip(values).filter(|(t, _)| (*t - times[0]).abs() <= quarter);
    let early = early.fold(0.0, |max: f64, (_, x)| max.max(*x));
    // Infinite where there is nothing early on.
    let power = libm::log2(max / early) / 2.0;
    Some(match power {
        p if p < BOUNDED => Growth::Bounded,
        p if p > STEEPEST => Growth::Steep,
        p => Growth::Power(p),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(f: impl Fn(f64) -> f64) -> Deviation {
        let times: Vec<f64> = (0..=1000).map(|n| 5.0 + 0.1 * f64::from(n)).collect();
        let values: Vec<f64> = times.iter().map(|t| f(t - 5.0)).collect();
        Deviation::new(&times, &values, |_| 1e-3)
    }

    #[test]
    fn growth_is_told() {
        let linear = of(|t| 1e-4 * t);
        assert!(matches!(linear.growth, Some(Growth::Power(p)) if (p - 1.0).abs() < 1e-3));
        assert!((linear.slope / 1e-4 - 1.0).abs() < 1e-12);
        assert!(
            (linear.max - 1e-2).abs() < 1e-15 && linear.at == 105.0 && linear.end == linear.max
        );
        // The first one above 1e-3, ten units after the start.
        assert!(linear.beyond.is_some_and(|t| (t - 15.0).abs() < 0.11));
        let quadratic = of(|t| 1e-6 * t * t);
        assert!(matches!(quadratic.growth, Some(Growth::Power(p)) if (p - 2.0).abs() < 1e-3));
        let bounded = of(|t| 1e-4 * t.sin().abs());
        assert_eq!((bounded.growth, bounded.beyond), (Some(Growth::Bounded), None));
        assert!(bounded.slope.abs() < 1e-6);
        let jump = of(|t| if t < 50.0 { 1e-11 } else { 1e-2 });
        assert_eq!(jump.growth, Some(Growth::Steep));
        assert_eq!(of(|t| 1e-15 * t).growth, Some(Growth::Rounding));
        assert_eq!(of(|_| 0.0).growth, Some(Growth::Rounding));
        let few = Deviation::new(&[0.0, 1.0], &[0.0, 1.0], |_| 0.5);
        assert_eq!((few.growth, few.beyond, few.slope), (None, Some(1.0), 1.0));
    }

    #[test]
    fn no_numbers_are_too_large_or_small() {
        assert_eq!(relative(0.0, 0.0), 0.0);
        assert_eq!(relative(1.0, 0.0), f64::MAX);
        assert_eq!(relative(1e300, 1e-300), f64::MAX);
        for size in [1e-300, f64::MAX] {
            let d = Deviation::new(&[0.0, 1e-5, 2e-5], &[0.0, size, size], |_| 1.0);
            assert!(d.slope.is_finite());
        }
    }
}
