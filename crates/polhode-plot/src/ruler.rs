//! An axis with its range and ticks chosen; the coordinate of plotters.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use crate::data::{Axis, Scale};
use crate::text::{fixed, power_of_ten};

/// Part of the range left free at either end, so that no mark sits on the frame.
const MARGIN: f64 = 0.04;

#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    low: f64,
    high: f64,
    scale: Scale,
    /// Places that are labelled.
    pub(crate) ticks: Vec<Tick>,
    /// Places between them that get a fainter line.
    minor: Vec<f64>,
    /// A power of ten taken out of all labels, to be shown with the axis.
    factor: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) value: f64,
    pub(crate) label: String,
}

impl Ruler {
    /// For an axis with room for about `places` labels, showing `values`.
    pub(crate) fn new(axis: &Axis, values: impl Iterator<Item = f64>, places: f64) -> Self {
        let places = places.max(2.0);
        let given = axis.range.filter(|&[low, high]| {
            low < high && showable(low, axis.scale) && showable(high, axis.scale)
        });
        let [low, high] = given.unwrap_or_else(|| match axis.scale {
            Scale::Linear => linear_range(values),
            Scale::Log => log_range(values),
        });
        let mut ruler =
            Self { low, high, scale: axis.scale, ticks: Vec::new(), minor: Vec::new(), factor: 0 };
        match axis.scale {
            Scale::Linear => ruler.linear_ticks(places),
            Scale::Log => ruler.log_ticks(places),
        }
        ruler
    }

    /// Whether the value has a place on this axis, within its range or not.
    pub(crate) fn shows(&self, value: f64) -> bool {
        showable(value, self.scale)
    }

    /// 0 at the low end, 1 at the high end; only for values that it [`shows`](Self::shows).
    pub(crate) fn share(&self, value: f64) -> f64 {
        match self.scale {
            // Halves first: the difference of two huge ends overflows.
            Scale::Linear => (0.5 * value - 0.5 * self.low) / (0.5 * self.high - 0.5 * self.low),
            Scale::Log => {
                (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10())
            }
        }
    }

    pub(crate) fn is_log(&self) -> bool {
        self.scale == Scale::Log
    }

    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// The label of the axis, with the factor of its numbers.
    pub(crate) fn caption(&self, label: &str) -> String {
        match (self.factor, label) {
            (0, _) => label.to_owned(),
            (factor, "") => format!("({})", power_of_ten(factor)),
            (factor, _) => format!("{label} ({})", power_of_ten(factor)),
        }
    }

    pub(crate) fn label(&self, value: f64) -> String {
        self.ticks
            .iter()
            .find(|tick| tick.value == value)
            .map_or_else(String::new, |tick| tick.label.clone())
    }

    fn linear_ticks(&mut self, places: f64) {
        let span = self.high - self.low;
        if !span.is_finite() {
            return;
        }
        let rough = span / places;
        let power = rough.log10().floor();
        let unit = 10f64.powf(power);
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|m| m * unit)
            .find(|&s| s >= 0.75 * rough)
            .unwrap_or(10.0 * unit);
        if !(step > 0.0 && step.is_finite()) {
            return;
        }
        let largest = self.low.abs().max(self.high.abs());
        let magnitude = exponent(largest);
        self.factor = if (-3..5).contains(&magnitude) { 0 } else { magnitude };
        let scaled = |value: f64| value / 10f64.powi(self.factor);
        let decimals = (-exponent(scaled(step) * 1.0000001)).clamp(0, 15);
        let decimals = usize::try_from(decimals).unwrap_or(0);
        let (first, last) = ((self.low / step).ceil(), (self.high / step).floor());
        let mut n = first;
        // A step lost against the values (a range of a few ulp) would never end.
        while n <= last && self.ticks.len() < 64 {
            let value = n * step;
            self.ticks.push(Tick { value, label: fixed(scaled(value), decimals) });
            n += 1.0;
        }
    }

    fn log_ticks(&mut self, places: f64) {
        let (from, to) = (self.low.log10(), self.high.log10());
        // The ends of a range like 1e-8..1e-2 belong to it, whatever the logarithm rounds to.
        let (first, last) = ((from - 1e-9).ceil(), (to + 1e-9).floor());
        let decades = to - from;
        if last - first < 1.0 {
            self.narrow_log_ticks();
            return;
        }
        let every = [1, 2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200]
            .into_iter()
            .find(|&every| decades / f64::from(every) <= places)
            .unwrap_or(200);
        #[expect(clippy::cast_possible_truncation)] // exponents of doubles
        let (first, last) = (first as i32, last as i32);
        for power in first..=last {
            let value = decade(power);
            if power.rem_euclid(every) == 0 {
                self.ticks.push(Tick { value, label: power_of_ten(power) });
            } else {
                self.minor.push(value);
            }
        }
        if every == 1 && decades < 8.0 {
            for power in first - 1..=last {
                let within = (2..10).map(|m| f64::from(m) * decade(power));
                self.minor.extend(within.filter(|&v| v > self.low && v < self.high));
            }
        }
    }

    /// Less than two powers of ten in sight: multiples are labelled.
    fn narrow_log_ticks(&mut self) {
        let power = exponent(self.low);
        let candidates = [1, 2, 5].map(f64::from);
        let multiples = (power..=power + 2).flat_map(|p| candidates.map(|m| (m, p)));
        let seen: Vec<(f64, i32)> =
            multiples.filter(|&(m, p)| (self.low..=self.high).contains(&(m * decade(p)))).collect();
        let plain = seen.iter().all(|(_, p)| (-3..4).contains(p));
        let label = |m: f64, p: i32| match (plain, m == 1.0) {
            (true, _) => fixed(m * decade(p), usize::try_from(-p).unwrap_or(0)),
            (false, true) => power_of_ten(p),
            (false, false) => format!("{m}·{}", power_of_ten(p)),
        };
        let all: Vec<Tick> =
            seen.iter().map(|&(m, p)| Tick { value: m * decade(p), label: label(m, p) }).collect();
        if all.len() >= 2 {
            self.ticks = all;
            return;
        }
        // Less than a factor of two: as good as linear.
        self.linear_ticks(4.0);
    }
}

/// 10 to an integer power, correctly rounded like a literal.
fn decade(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(f64::MAX)
}

/// The power of ten at or below a value, 0 for zero.
fn exponent(value: f64) -> i32 {
    if value == 0.0 {
        return 0;
    }
    #[expect(clippy::cast_possible_truncation)] // exponents of doubles
    let power = value.abs().log10().floor() as i32;
    power
}

pub(crate) fn showable(value: f64, scale: Scale) -> bool {
    value.is_finite() && (scale == Scale::Linear || value > 0.0)
}

fn extent(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |seen: Option<[f64; 2]>, v| match seen {
        None => Some([v, v]),
        Some([low, high]) => Some([low.min(v), high.max(v)]),
    })
}

fn linear_range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    match extent(values.filter(|v| v.is_finite())) {
        None => [0.0, 1.0],
        // As good as constant: a range in which doubles are still told apart.
        Some([low, high]) if high - low <= 8.0 * f64::EPSILON * low.abs().max(high.abs()) => {
            let around = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
            [low - around, high + around]
        }
        Some([low, high]) => {
            let margin = MARGIN * (0.5 * high - 0.5 * low) * 2.0;
            let (from, to) = (low - margin, high + margin);
            if from.is_finite() && to.is_finite() { [from, to] } else { [low, high] }
        }
    }
}

fn log_range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let positive = values.filter(|&v| v > 0.0 && v.is_finite());
    match extent(positive.map(f64::log10)) {
        None => [0.1, 10.0],
        Some([low, high]) => {
            let margin = (MARGIN * (high - low)).max(if high - low < 1e-9 { 0.7 } else { 0.02 });
            let (from, to) = (10f64.powf(low - margin), 10f64.powf(high + margin));
            [from.max(f64::from_bits(1)), to.min(f64::MAX)]
        }
    }
}

impl Ranged for Ruler {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let place = f64::from(limit.0) + self.share(*value) * f64::from(limit.1 - limit.0);
        #[expect(clippy::cast_possible_truncation)] // pixels; the cast saturates
        let pixel = place.round() as i32;
        pixel
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            self.minor.clone()
        } else {
            self.ticks.iter().map(|tick| tick.value).collect()
        }
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Ruler {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], places: f64) -> Vec<String> {
        Ruler::new(axis, values.iter().copied(), places)
            .ticks
            .into_iter()
            .map(|tick| tick.label)
            .collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(
            labels(&Axis::linear(""), &[0.0, 1.0], 5.0),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!(labels(&Axis::linear(""), &[-40.0, 38.0], 4.0), ["−40", "−20", "0", "20", "40"]);
        assert_eq!(
            labels(&Axis::linear("").range(0.0, 400.0), &[], 4.0),
            ["0", "100", "200", "300", "400"]
        );
    }

    #[test]
    fn small_numbers_share_a_factor() {
        let ruler = Ruler::new(&Axis::linear("error"), [0.0, 3.2e-14].into_iter(), 4.0);
        assert_eq!(ruler.caption("error"), "error (10⁻¹⁴)");
        assert_eq!(ruler.ticks[1].label, "1");
        let large = Ruler::new(&Axis::linear(""), [0.0, 1e6].into_iter(), 4.0);
        assert_eq!(large.caption("steps"), "steps (10⁶)");
        assert_eq!(large.ticks.last().unwrap().label, "1.0");
    }

    #[test]
    fn log_ticks_are_powers() {
        assert_eq!(labels(&Axis::log(""), &[1.3e-8, 0.5e-5], 8.0), ["10⁻⁷", "10⁻⁶"]);
        assert_eq!(
            labels(&Axis::log("").range(1e-8, 1e-5), &[], 8.0),
            ["10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵"]
        );
        let far = labels(&Axis::log(""), &[1e-300, 1e300], 6.0);
        assert!(far.len() >= 3 && far.len() <= 8, "{far:?}");
        assert!(far.contains(&"10⁰".to_owned()));
    }

    #[test]
    fn narrow_log_axes_have_labels() {
        for (low, high) in [(0.01, 0.1), (0.02, 0.09), (2e-5, 9e-5), (1.0, 1.3), (3e-8, 3.1e-8)] {
            let labels = labels(&Axis::log(""), &[low, high], 5.0);
            assert!(labels.len() >= 2, "{low} to {high}: {labels:?}");
            assert!(labels.iter().all(|l| !l.is_empty()));
        }
    }

    #[test]
    fn any_data_have_a_range() {
        for values in [
            &[][..],
            &[0.0],
            &[5.0],
            &[1e-320],
            &[f64::MAX, f64::MIN],
            &[f64::NAN, f64::INFINITY],
            &[1.0, 1.0 + 2e-16],
            &[-3.0, -3.0],
        ] {
            for axis in [Axis::linear(""), Axis::log(""), Axis::linear("").range(2.0, 1.0)] {
                let ruler = Ruler::new(&axis, values.iter().copied(), 5.0);
                assert!(ruler.low < ruler.high, "{values:?}: {ruler:?}");
                let places = values.iter().filter(|&&v| ruler.shows(v));
                for &v in places {
                    let share = ruler.share(v);
                    assert!((-1e-9..=1.0 + 1e-9).contains(&share), "{v}: {share} {ruler:?}");
                }
            }
        }
    }
}
