//! Calendar times.

/// A calendar time, of whichever time system goes with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to less than 60: a run does not start in a leap second.
    pub second: f64,
}

/// How it is written.
pub(super) const ALLOWED: &str = "a time 2026-01-31T12:00:00, with day of the year 2026-031T12:00:00, with decimals or a final Z";

impl Epoch {
    /// Reads both forms of CCSDS time codes (ASCII A and B): `2026-01-31T12:00:00.5Z` with month
    /// and day, or `2026-031T12:00:00.5Z` with the day of the year.
    ///
    /// ```
    /// use polhode::scenario::Epoch;
    /// assert_eq!(Epoch::parse("2024-060T00:00:00"), Epoch::parse("2024-02-29T00:00:00Z"));
    /// assert_eq!(Epoch::parse("2023-02-29T00:00:00"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (date, time) = text.split_once('T')?;
        let (year, month, day) = match date.split('-').collect::<Vec<_>>()[..] {
            [year, month, day] => (digits(year, 4)?, digits(month, 2)?, digits(day, 2)?),
            [year, day] => {
                let year = digits(year, 4)?;
                let (month, day) = month_and_day(year, digits(day, 3)?)?;
                (year, month, day)
            }
            _ => return None,
        };
        if year == 0 || !(1..=12).contains(&month) || !(1..=length(year, month)).contains(&day) {
            return None;
        }
        let [hour, minute, second] = time.split(':').collect::<Vec<_>>()[..] else { return None };
        let (hour, minute) = (digits(hour, 2)?, digits(minute, 2)?);
        let (whole, decimals) = second.split_once('.').unwrap_or((second, "0"));
        digits(whole, 2)?;
        if decimals.is_empty() || !decimals.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let second: f64 = second.parse().ok()?;
        (hour < 24 && minute < 60 && second < 60.0).then_some(())?;
        let small = |x: u16| u8::try_from(x).ok();
        Some(Self {
            year,
            month: small(month)?,
            day: small(day)?,
            hour: small(hour)?,
            minute: small(minute)?,
            second,
        })
    }
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u16> {
    let all = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    all.then(|| text.parse().ok()).flatten()
}

fn length(year: u16, month: u16) -> u16 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn month_and_day(year: u16, mut day: u16) -> Option<(u16, u16)> {
    for month in 1..=12 {
        let length = length(year, month);
        if day <= length {
            return Some((month, day));
        }
        day -= length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_are() {
        for (text, date, second) in [
            ("2026-01-31T12:30:15", (2026, 1, 31), 15.0),
            ("2000-02-29T12:30:59.999Z", (2000, 2, 29), 59.999),
            ("2026-001T12:30:00", (2026, 1, 1), 0.0),
            ("2024-366T12:30:00.25", (2024, 12, 31), 0.25),
            ("2026-365T12:30:00.0", (2026, 12, 31), 0.0),
        ] {
            let e = Epoch::parse(text).unwrap();
            assert_eq!((e.year, e.month, e.day), date, "{text}");
            assert_eq!((e.hour, e.minute, e.second), (12, 30, second), "{text}");
        }
    }

    #[test]
    fn times_that_are_not() {
        for text in [
            "",
            "2026-01-31",
            "2026-1-31T00:00:00",
            "26-01-31T00:00:00",
            "0000-01-01T00:00:00",
            "2026-13-01T00:00:00",
            "2026-04-31T00:00:00",
            "1900-02-29T00:00:00",
            "2026-000T00:00:00",
            "2026-366T00:00:00",
            "2026-01-31T24:00:00",
            "2026-01-31T00:60:00",
            "2026-01-31T00:00:60",
            "2026-01-31T00:00:59.99999999999999999999",
            "2026-01-31T00:00:1e1",
            "2026-01-31T00:00:00.",
            "2026-01-31T00:00:00+01:00",
            "2026-01-31 00:00:00",
            "2026-01-31T00:00",
            "+026-01-31T00:00:00",
            "2026-01-31T00:00:00ZZ",
        ] {
            assert_eq!(Epoch::parse(text), None, "{text}");
        }
    }
}
