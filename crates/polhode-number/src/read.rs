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

#[cfg(test)]
mod tests {
    use super::read;

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
