//! Calendar times.

use core::fmt;

/// A calendar time, of whichever time system goes with it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
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
pub(super) const ALLOWED: &str = "a time 2026-01-31T12:00:00, with day of the year \
                                  2026-031T12:00:00, with decimals or a final Z";

impl Epoch {
    /// Reads both forms of CCSDS time codes (ASCII A and B): `2026-01-31T12:00:00.5Z` with month
    /// and day, or `2026-031T12:00:00.5Z` with the day of the year.
    ///
    /// ```
    /// use polhode_scenario::Epoch;
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
        let second = polhode_number::read(second).ok()?;
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

    /// The time so many seconds later, or earlier, to the picosecond; `None` outside the years 1 to
    /// 9999. Every day has 86400 seconds: where the time system is UTC, leap seconds on the way are
    /// not counted.
    ///
    /// ```
    /// use polhode_scenario::Epoch;
    /// let start = Epoch::parse("2024-02-28T23:59:59.25").unwrap();
    /// assert_eq!(start.after(0.8).unwrap().to_string(), "2024-02-29T00:00:00.05");
    /// ```
    pub fn after(&self, seconds: f64) -> Option<Self> {
        if seconds.is_nan() || seconds.abs() >= MOST_SECONDS {
            return None;
        }
        // Whole seconds and the rest apart: neither loses a digit to the other.
        let (whole, rest) = (seconds.floor(), seconds - seconds.floor());
        #[allow(clippy::cast_possible_truncation, reason = "at most 4e11")]
        let whole = whole as i128 * SECOND;
        let seconds = whole + picoseconds(rest) + picoseconds(self.second);
        let minutes = i128::from(self.hour) * 60 + i128::from(self.minute);
        let since_midnight = minutes * MINUTE + seconds;
        let (days, rest) = (since_midnight.div_euclid(DAY), since_midnight.rem_euclid(DAY));
        let before: u16 = (1..u16::from(self.month)).map(|m| length(self.year, m)).sum();
        // Days since the first of the year.
        let mut day = i128::from(before + u16::from(self.day) - 1) + days;
        let mut year = self.year;
        while day < 0 {
            year = year.checked_sub(1).filter(|&y| y > 0)?;
            day += i128::from(year_length(year));
        }
        while day >= i128::from(year_length(year)) {
            day -= i128::from(year_length(year));
            year = year.checked_add(1).filter(|&y| y <= 9999)?;
        }
        let (month, day) = month_and_day(year, u16::try_from(day).ok()? + 1)?;
        let small = |x: i128| u8::try_from(x).ok();
        Some(Self {
            year,
            month: small(month.into())?,
            day: small(day.into())?,
            hour: small(rest / (60 * MINUTE))?,
            minute: small(rest / MINUTE % 60)?,
            second: (rest % MINUTE) as f64 / SECOND as f64,
        })
    }
}

impl Epoch {
    /// The seconds from another time to this one: the inverse of [`Epoch::after`], with days of 86400 seconds.
    ///
    /// ```
    /// use polhode_scenario::Epoch;
    /// let start = Epoch::parse("2023-12-31T23:59:59.25").unwrap();
    /// assert_eq!(start.after(86401.5).unwrap().since(start), 86401.5);
    /// ```
    pub fn since(&self, other: Self) -> f64 {
        let picoseconds_of = |e: &Self| {
            let years: i128 = (1..e.year).map(|year| i128::from(year_length(year))).sum();
            let months: u16 = (1..u16::from(e.month)).map(|month| length(e.year, month)).sum();
            let minutes = i128::from(e.hour) * 60 + i128::from(e.minute);
            let day = years + i128::from(months) + i128::from(e.day);
            day * DAY + minutes * MINUTE + picoseconds(e.second)
        };
        (picoseconds_of(self) - picoseconds_of(&other)) as f64 / SECOND as f64
    }
}

/// As CCSDS time code A, with as many decimals as there are, up to twelve.
impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second } = self;
        // Not 60 by rounding.
        let second = format!("{:015.12}", second.min(59.999999999999));
        let second = second.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second}")
    }
}

/// Lengths of time are counted in picoseconds.
const SECOND: i128 = 1_000_000_000_000;
const MINUTE: i128 = 60 * SECOND;
const DAY: i128 = 1440 * MINUTE;

/// More than the years 1 to 9999 have.
const MOST_SECONDS: f64 = 4e11;

/// Of less than a minute.
#[allow(clippy::cast_possible_truncation, reason = "at most 6e13")]
fn picoseconds(seconds: f64) -> i128 {
    (seconds * SECOND as f64).round() as i128
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u16> {
    let all = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    all.then(|| text.parse().ok()).flatten()
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn year_length(year: u16) -> u16 {
    if is_leap(year) { 366 } else { 365 }
}

fn length(year: u16, month: u16) -> u16 {
    match month {
        2 if is_leap(year) => 29,
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
            // Not zero, and no double.
            &format!("2026-01-31T00:00:00.{}1", "0".repeat(400)),
        ] {
            assert_eq!(Epoch::parse(text), None, "{text}");
        }
    }

    #[test]
    fn times_later_and_earlier() {
        for (start, seconds, want) in [
            ("2026-01-01T00:00:00", 0.0, "2026-01-01T00:00:00"),
            ("2026-01-01T00:00:00", 0.07000000000000001, "2026-01-01T00:00:00.07"),
            ("2026-01-01T00:00:00", 1e-12, "2026-01-01T00:00:00.000000000001"),
            ("2026-01-01T00:00:00", -1e-12, "2025-12-31T23:59:59.999999999999"),
            ("2026-01-01T00:00:00", 57000.5, "2026-01-01T15:50:00.5"),
            ("2024-02-28T23:59:59.5", 0.5, "2024-02-29T00:00:00"),
            ("2023-02-28T23:59:59.5", 86400.5, "2023-03-02T00:00:00"),
            ("2024-12-31T12:00:00", 43200.0, "2025-01-01T00:00:00"),
            ("2000-03-01T00:00:00", -86400.0, "2000-02-29T00:00:00"),
            // 400 years are 146097 days.
            ("1970-01-01T00:00:00", 146097.0 * 86400.0, "2370-01-01T00:00:00"),
            ("2370-01-01T00:00:00", -146097.0 * 86400.0, "1970-01-01T00:00:00"),
            // A POSIX time.
            ("1970-01-01T00:00:00", 1709210096.0, "2024-02-29T12:34:56"),
            // No leap second at the end of 2016.
            ("2016-12-31T23:59:59", 1.0, "2017-01-01T00:00:00"),
            ("2026-01-01T00:00:59.9999999999999", 0.0, "2026-01-01T00:01:00"),
        ] {
            let later = Epoch::parse(start).unwrap().after(seconds).unwrap();
            assert_eq!(later.to_string(), want, "{start} + {seconds}");
            assert_eq!(Epoch::parse(want).unwrap(), later, "{start} + {seconds}");
        }
    }

    #[test]
    fn times_beyond_the_calendar() {
        let start = Epoch::parse("2026-01-01T00:00:00").unwrap();
        for seconds in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, 3e11, -1e11] {
            assert_eq!(start.after(seconds), None, "{seconds}");
        }
        let last = Epoch::parse("9999-12-31T23:59:59.9999999999999").unwrap();
        assert_eq!(last.after(0.0), None);
        assert_eq!(last.to_string(), "9999-12-31T23:59:59.999999999999");
        assert!(start < start.after(1e-12).unwrap());
    }
}
