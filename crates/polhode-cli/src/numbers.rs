//! Numbers in and out: what the user typed for an option, and doubles as text.

use std::fmt::Display;

use crate::failure::Failure;

/// A number of things: "1 body", "2 bodies".
pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Longer texts are cut in messages: a list of times can be thousands of characters.
const LONGEST_QUOTE: usize = 72;

/// What was typed for an option. Every message about it names the option and quotes the text.
#[derive(Clone, Copy)]
pub(crate) struct OptionText<'a> {
    option: &'static str,
    text: &'a str,
    /// What the option takes, for messages: "three numbers x,y,z".
    takes: &'static str,
}

impl<'a> OptionText<'a> {
    pub(crate) fn new(option: &'static str, text: &'a str, takes: &'static str) -> Self {
        Self { option, text, takes }
    }

    /// The failure that says why the text cannot be used.
    pub(crate) fn refuse(&self, why: impl Display) -> Failure {
        Failure::Input(format!("{}: {}: {why}", self.option, quote(self.text)))
    }

    /// What is written as between the braces of a scenario, `rpm=[0,0,30]`, instead of plain numbers.
    pub(crate) fn form(&self) -> Option<&'a str> {
        self.text.contains('=').then_some(self.text)
    }

    /// Any count of numbers, separated by commas.
    pub(crate) fn list(&self) -> Result<Vec<f64>, Failure> {
        if self.text.trim().is_empty() {
            return Err(self.refuse(format_args!("nothing given; needed: {}", self.takes)));
        }
        let parts: Vec<&str> = self.text.split(',').collect();
        let number = |(i, part): (usize, &&str)| {
            read(part.trim()).map_err(|why| {
                let place = match parts.len() {
                    1 => String::new(),
                    _ => format!("number {}, {}, ", i + 1, quote(part.trim())),
                };
                self.refuse(format_args!("{place}{why}; needed: {}", self.takes))
            })
        };
        parts.iter().enumerate().map(number).collect()
    }

    /// The failure of a text that is neither a list nor the name of a file.
    pub(crate) fn refuse_as_file(&self, refused: Failure) -> Failure {
        // With a comma it was meant as a list, whose message names the number.
        match read(self.text.trim()) {
            Err(why) if !self.text.trim().is_empty() && !self.text.contains(',') => self
                .refuse(format_args!("{why}, and no file has this name; needed: {}", self.takes)),
            _ => refused,
        }
    }

    /// Exactly N numbers.
    pub(crate) fn array<const N: usize>(&self) -> Result<[f64; N], Failure> {
        self.list()?.try_into().map_err(|list: Vec<f64>| {
            let (count, s) = (list.len(), if list.len() == 1 { "" } else { "s" });
            self.refuse(format_args!("{count} number{s} given; needed: {}", self.takes))
        })
    }

    /// One number.
    pub(crate) fn number(&self) -> Result<f64, Failure> {
        self.array().map(|[x]| x)
    }
}

/// A finite double, also as a fraction 1/60, or why the text is not a number.
pub(crate) fn read(text: &str) -> Result<f64, &'static str> {
    if text.is_empty() {
        return Err("is empty (a comma too many?)");
    }
    if text.contains([' ', ';', '\t']) {
        return Err("is not a number: separate numbers with commas");
    }
    polhode_number::read_fraction(text)
}

/// The text in quotes, on one line and not too long.
pub(crate) fn quote(text: &str) -> String {
    let mut shown: String = text.chars().take(LONGEST_QUOTE).collect();
    if shown.len() < text.len() {
        shown.push_str("...");
    }
    format!("'{}'", shown.escape_debug())
}

/// The shortest text that reads back to the same double: `1`, `0.1`, `-2.5e-7`.
pub(crate) fn shortest(x: f64) -> String {
    // `Debug` has an exponent where that is shorter; `Display` prints three hundred zeros.
    let mut text = format!("{x:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

/// A time of a grid as a person would write it: 62.8, where 628 times 0.1 is 62.800000000000004. For reading; files
/// and documents have every bit.
pub(crate) fn time(t: f64) -> String {
    let exact = shortest(t);
    let Ok(rounded) = format!("{t:.14e}").parse::<f64>() else { return exact };
    let written = shortest(rounded);
    // A product and a sum round twice, by an eps at most.
    let same = (rounded - t).abs() <= 2.0 * f64::EPSILON * t.abs();
    if same && written.len() + 3 < exact.len() { written } else { exact }
}

/// How long something took: three digits and a unit, `354 us`.
pub(crate) fn elapsed(seconds: f64) -> String {
    let (scale, unit) = match seconds {
        s if s < 1e-6 => (1e9, "ns"),
        s if s < 1e-3 => (1e6, "us"),
        s if s < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    };
    let scaled = seconds * scale;
    let digits = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.digits$} {unit}")
}

/// No double has a longer [`shortest`]: sign, point, 17 digits, and four zeros or an exponent.
pub(crate) const WIDEST: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_no_doubles_say_why() {
        for (text, why) in [("1e999", "overflows"), ("1 2", "commas"), ("", "empty")] {
            assert!(read(text).unwrap_err().contains(why), "{text}");
        }
        for (text, x) in [
            ("0e-999", 0.0),
            ("-0.0", 0.0),
            (".5", 0.5),
            ("+1.", 1.0),
            ("5e-324", 5e-324),
            ("1/60", 1.0 / 60.0),
        ] {
            assert_eq!(read(text), Ok(x), "{text}");
        }
    }

    #[test]
    fn shortest_reads_back_and_fits_its_column() {
        let mut bits = 1u64;
        for _ in 0..100_000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // All exponents, then those printed without one.
            for x in [f64::from_bits(bits), 1e-5 * (1.0 + (bits >> 11) as f64)] {
                if x.is_finite() {
                    let text = shortest(x);
                    assert_eq!(text.parse::<f64>().unwrap().to_bits(), x.to_bits());
                    assert!(text.len() <= WIDEST, "{text}");
                }
            }
        }
        assert_eq!([1.0, -0.5, 1e-7, 1e22].map(shortest), ["1", "-0.5", "1e-7", "1e22"]);
        assert_eq!(shortest(-1.2345678901234567e-300).len(), WIDEST);
    }

    #[test]
    fn times_of_a_grid_are_written_as_people_do() {
        assert_eq!(628.0 * 0.1, 62.800000000000004);
        assert_eq!([628.0 * 0.1, 3.0 * 0.1, -7.0 * 0.1].map(time), ["62.8", "0.3", "-0.7"]);
        assert_eq!(
            [0.0, 20.0, 1e22, 1.0 / 3.0].map(time),
            ["0", "20", "1e22", "0.3333333333333333"]
        );
        // What is meant to be another number stays one.
        for t in [0.1 + 1e-15, 62.80000000000004, 1e-300 / 7.0, f64::MIN_POSITIVE / 64.0] {
            assert_eq!(time(t).parse::<f64>(), Ok(t));
        }
    }

    #[test]
    fn durations_have_three_digits() {
        for (seconds, text) in [
            (1.234e-8, "12.3 ns"),
            (9.99e-6, "9.99 us"),
            (1.5e-3, "1.50 ms"),
            (0.1234, "123 ms"),
            (12.34, "12.3 s"),
            (1234.0, "1234 s"),
        ] {
            assert_eq!(elapsed(seconds), text);
        }
    }

    #[test]
    fn quotes_stay_on_one_short_line() {
        assert_eq!(quote("1,2\n"), "'1,2\\n'");
        let long = quote(&"é".repeat(100));
        assert!(long.ends_with("...'") && long.chars().count() == LONGEST_QUOTE + 5, "{long}");
    }
}
