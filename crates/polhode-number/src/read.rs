//! Numbers in texts.

/// The double that a decimal text stands for, or why there is none, in words that follow the text.
///
/// # Errors
/// If it is no number, not finite, or beyond the range of doubles at either end: taken as zero, a number
/// below it would turn a slow body into one at rest.
pub fn read(text: &str) -> Result<f64, &'static str> {
    let x: f64 = text.parse().map_err(|_| "is not a number")?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    if x.is_nan() {
        Err("is not a number")
    } else if x.is_infinite() && !mantissa.contains(|c: char| c.is_ascii_digit()) {
        Err("is not finite")
    } else if x.is_infinite() {
        Err("overflows to infinity: the largest double is about 1.8e308")
    } else if x == 0.0 && mantissa.contains(|c: char| ('1'..='9').contains(&c)) {
        Err("underflows to zero: the smallest double is about 5e-324")
    } else {
        Ok(x)
    }
}

/// The double of a decimal text, or of a fraction `1/60` of two.
///
/// # Errors
/// As [`read`]; also if the denominator is zero, or the quotient beyond the range of doubles.
pub fn read_fraction(text: &str) -> Result<f64, &'static str> {
    let Some((above, below)) = text.split_once('/') else { return read(text) };
    let (above, below) = (read(above.trim())?, read(below.trim())?);
    let quotient = above / below;
    if below == 0.0 {
        Err("divides by zero")
    } else if !quotient.is_finite() {
        Err("overflows to infinity: the largest double is about 1.8e308")
    } else if quotient == 0.0 && above != 0.0 {
        Err("underflows to zero: the smallest double is about 5e-324")
    } else {
        Ok(quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::{read, read_fraction};

    #[test]
    fn fractions_are_read() {
        for (text, x) in [("1/60", 1.0 / 60.0), ("-3 / 4", -0.75), ("0/5", 0.0), ("2.5", 2.5)] {
            assert_eq!(read_fraction(text), Ok(x), "{text}");
        }
        for (text, why) in [
            ("1/0", "divides by zero"),
            ("1/2/3", "not a number"),
            ("/2", "not a number"),
            ("1e300/1e-300", "overflows"),
            ("1e-300/1e300", "underflows"),
        ] {
            assert!(read_fraction(text).is_err_and(|found| found.contains(why)), "{text}");
        }
    }

    #[test]
    fn doubles_are_read() {
        for (text, x) in [("1", 1.0), ("-2.5e-7", -2.5e-7), ("0e5", 0.0), ("5e-324", 5e-324)] {
            assert_eq!(read(text), Ok(x));
        }
    }

    #[test]
    fn texts_that_are_no_doubles_say_why() {
        for (text, why) in [
            ("1e999", "overflows"),
            ("-1.5E+400", "overflows"),
            ("inf", "not finite"),
            ("-infinity", "not finite"),
            ("NaN", "not a number"),
            ("1e-999", "underflows"),
            ("0x10", "not a number"),
            ("1 2", "not a number"),
            ("", "not a number"),
        ] {
            assert!(read(text).is_err_and(|found| found.contains(why)), "{text}");
        }
    }
}
