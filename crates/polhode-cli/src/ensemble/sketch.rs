//! Quantiles and histograms of values that are not kept.
//!
//! Values are counted in classes whose ends are a factor of 2^(1/512) apart: quantiles are right to 0.07 % of their
//! size, in memory that does not grow with the number of values.

use std::collections::BTreeMap;

use serde::Serialize;

/// Classes from one power of two to the next.
const GRAIN: f64 = 512.0;
/// More than the classes of all doubles of one sign, from 2^-1075 on.
const MIDDLE: f64 = 1100.0 * GRAIN;

/// The quantiles that are told, with their names.
pub(super) const QUANTILES: [(&str, f64); 7] = [
    ("1 %", 0.01),
    ("5 %", 0.05),
    ("25 %", 0.25),
    ("50 %", 0.5),
    ("75 %", 0.75),
    ("95 %", 0.95),
    ("99 %", 0.99),
];

/// Bars of a histogram.
const BARS: usize = 10;

/// How many values are in each class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sketch {
    counts: BTreeMap<i32, u64>,
}

/// Ends of the bars, one more than there are, and how many values are in each.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Histogram {
    pub(super) edges: Vec<f64>,
    pub(super) counts: Vec<u64>,
}

impl Sketch {
    /// One more value, which is finite.
    pub(super) fn add(&mut self, x: f64) {
        *self.counts.entry(class(x)).or_default() += 1;
    }

    /// The value that this part of all values does not exceed; between the least and the greatest.
    pub(super) fn quantile(&self, part: f64, min: f64, max: f64) -> f64 {
        let total: u64 = self.counts.values().sum();
        let rank = part * total.saturating_sub(1) as f64;
        let mut before = 0;
        for (&class, &count) in &self.counts {
            before += count;
            if before as f64 > rank {
                return middle(class).clamp(min, max);
            }
        }
        max
    }

    /// Bars of equal width from the least to the greatest value.
    pub(super) fn histogram(&self, min: f64, max: f64) -> Histogram {
        let width = (max - min) / BARS as f64;
        let edges =
            (0..=BARS).map(|i| if i == BARS { max } else { min + i as f64 * width }).collect();
        let mut counts = vec![0; BARS];
        for (&class, &count) in &self.counts {
            let place = (middle(class).clamp(min, max) - min) / width;
            // Not a number where all values are one.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 10")]
            let bar = if place.is_finite() { (place as usize).min(BARS - 1) } else { 0 };
            counts[bar] += count;
        }
        Histogram { edges, counts }
    }

    /// As pairs of words, for a checkpoint.
    pub(super) fn words(&self) -> Vec<(i32, u64)> {
        self.counts.iter().map(|(class, count)| (*class, *count)).collect()
    }

    pub(super) fn from_words(words: &[(i32, u64)]) -> Self {
        Self { counts: words.iter().copied().collect() }
    }
}

/// The number of the class of a value; those of negative ones are negative.
#[allow(clippy::cast_possible_truncation, reason = "at most 2124 times the grain")]
fn class(x: f64) -> i32 {
    if x == 0.0 {
        return 0;
    }
    let place = (libm::log2(x.abs()) * GRAIN).floor() + MIDDLE;
    (if x < 0.0 { -place } else { place }) as i32
}

/// The value in the middle of a class.
fn middle(class: i32) -> f64 {
    if class == 0 {
        return 0.0;
    }
    let size = libm::exp2((f64::from(class.abs()) - MIDDLE + 0.5) / GRAIN);
    size.copysign(f64::from(class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_values() {
        for scale in [1e-300, -1.0, 1.0, 1e300] {
            let mut values: Vec<f64> =
                (0..10_000).map(|i| scale * 1.001f64.powi(i % 5000)).collect();
            let mut sketch = Sketch::default();
            for &x in &values {
                sketch.add(x);
            }
            values.sort_by(f64::total_cmp);
            let (min, max) = (values[0], values[9999]);
            for (name, part) in QUANTILES {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                let want = values[(part * 9999.0) as usize];
                let found = sketch.quantile(part, min, max);
                assert!((found - want).abs() <= 2e-3 * want.abs(), "{name}: {found} {want}");
            }
            assert_eq!(Sketch::from_words(&sketch.words()), sketch);
            let histogram = sketch.histogram(min, max);
            assert_eq!(histogram.counts.iter().sum::<u64>(), 10_000);
            assert_eq!((histogram.edges[0], histogram.edges[BARS]), (min, max));
            for (i, &count) in histogram.counts.iter().enumerate() {
                let inside = |x: &&f64| (histogram.edges[i]..histogram.edges[i + 1]).contains(*x);
                let want = values.iter().filter(inside).count() as f64;
                assert!((count as f64 - want).abs() <= 0.02 * want + 40.0, "{i}: {count} {want}");
            }
        }
    }

    #[test]
    fn one_value_and_zeros() {
        let mut sketch = Sketch::default();
        for x in [0.0, -0.0, 0.0] {
            sketch.add(x);
        }
        assert_eq!(sketch.quantile(0.5, 0.0, 0.0), 0.0);
        assert_eq!(sketch.histogram(0.0, 0.0).counts[0], 3);
        for x in [5e-324, f64::MAX, -f64::MAX, f64::MIN_POSITIVE] {
            let mut one = Sketch::default();
            one.add(x);
            assert_eq!(one.quantile(0.5, x, x), x);
        }
    }
}
