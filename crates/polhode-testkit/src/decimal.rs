//! Decimal text to double-double, correctly rounded.

use polhode_elliptic::Dd;

/// Reads a decimal number such as `-0.0123` or `4.4e-151` into the double-double nearest to it.
///
/// The leading double is the nearest to the number and the second the nearest to what is left,
/// found by exact decimal subtraction; nothing is lost but below 1e-290, where the second double
/// becomes subnormal.
///
/// # Panics
/// If `text` is not a finite decimal number.
pub fn parse_dd(text: &str) -> Dd {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let hi: f64 = match magnitude.parse() {
        Ok(x) if f64::is_finite(x) => x,
        _ => panic!("not a finite decimal number: {text:?}"),
    };
    let lo = if hi == 0.0 { 0.0 } else { remainder(magnitude, hi) };
    let value = Dd::new(hi, lo);
    if negative { -value } else { value }
}

/// The double nearest to `magnitude - hi`.
fn remainder(magnitude: &str, hi: f64) -> f64 {
    let text = Fixed::parse(magnitude);
    // A double with exponent e is a whole multiple of 2^(e-52), so 52-e places hold all of it.
    let exponent = (hi.to_bits() >> 52).cast_signed() - 1023;
    let places = usize::try_from(52 - exponent).unwrap_or(0);
    let double = Fixed::parse(&format!("{hi:.places$}"));
    let (larger, smaller, sign) =
        if text.at_least(&double) { (&text, &double, 1.0) } else { (&double, &text, -1.0) };
    let difference: f64 =
        larger.minus(smaller).parse().expect("a difference of decimals is a decimal");
    sign * difference
}

/// Decimal digits of a non-negative number, most significant first.
struct Fixed {
    digits: Vec<u8>,
    /// Power of ten of the digit after the last one, as a count of digits before the point.
    whole: i64,
}

impl Fixed {
    fn parse(text: &str) -> Self {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                (mantissa, exponent.parse().unwrap_or_else(|_| panic!("bad exponent in {text:?}")))
            }
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        Self {
            digits: whole.bytes().chain(fraction.bytes()).map(|b| b - b'0').collect(),
            whole: i64::try_from(whole.len()).expect("a length fits") + exponent,
        }
    }

    /// The digit that counts `10^place`.
    fn digit(&self, place: i64) -> u8 {
        usize::try_from(self.whole - 1 - place)
            .ok()
            .and_then(|index| self.digits.get(index))
            .copied()
            .unwrap_or(0)
    }

    /// The place of the last digit stored.
    fn last_place(&self) -> i64 {
        self.whole - i64::try_from(self.digits.len()).expect("a length fits")
    }

    fn at_least(&self, other: &Self) -> bool {
        let (top, bottom) = self.span(other);
        (bottom..=top)
            .rev()
            .map(|place| self.digit(place).cmp(&other.digit(place)))
            .find(|order| order.is_ne())
            .is_none_or(core::cmp::Ordering::is_gt)
    }

    /// `self - other` as decimal text, for `self >= other`.
    fn minus(&self, other: &Self) -> String {
        let (top, bottom) = self.span(other);
        let mut reversed = Vec::new();
        let mut borrow = 0;
        for place in bottom..=top {
            let take = other.digit(place) + borrow;
            let have = self.digit(place);
            borrow = u8::from(have < take);
            reversed.push(char::from(b'0' + have + 10 * borrow - take));
        }
        let digits: String = reversed.iter().rev().collect();
        format!("{digits}e{bottom}")
    }

    fn span(&self, other: &Self) -> (i64, i64) {
        (self.whole.max(other.whole), self.last_place().min(other.last_place()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(got: Dd, want: Dd) -> f64 {
        ((got - want).hi() / want.hi()).abs()
    }

    #[test]
    fn a_tenth_is_one_over_ten() {
        let tenth = Dd::ONE / Dd::from(10.0);
        assert!(relative(parse_dd("0.1"), tenth) < 1e-32);
        assert!(relative(parse_dd("-0.1"), -tenth) < 1e-32);
        assert!(parse_dd("0.1").lo() != 0.0);
        assert!(relative(parse_dd("1e-1"), tenth) < 1e-32);
    }

    #[test]
    fn thirty_five_digits_of_pi() {
        assert_eq!(parse_dd("3.14159265358979323846264338327950288"), Dd::PI);
        assert_eq!(parse_dd("0.0314159265358979323846264338327950288e2"), Dd::PI);
    }

    #[test]
    fn both_signs_of_the_low_part_occur() {
        // 1/3 rounds down, 2/3 rounds up.
        let third = parse_dd("0.3333333333333333333333333333333333333333333");
        let two = parse_dd("0.6666666666666666666666666666666666666666667");
        assert!(third.lo() > 0.0 && relative(third, Dd::ONE / Dd::from(3.0)) < 1e-32);
        assert!(two.lo() != 0.0 && relative(two, Dd::from(2.0) / Dd::from(3.0)) < 1e-32);
        let below_one = parse_dd("0.99999999999999999999999999");
        assert_eq!(below_one.hi(), 1.0);
        assert!((below_one.lo() / -1e-26 - 1.0).abs() < 1e-15);
    }

    #[test]
    fn doubles_are_read_exactly() {
        for x in [0.0, 1.0, 0.5, 1e-151, 6.5e150, 1e-300, 123456.75, 2.5e-308] {
            // Seventeen digits name a double, but as a number they are another one.
            assert_eq!(parse_dd(&format!("{x:.1100}")), Dd::from(x));
        }
        assert_eq!(parse_dd("1e3"), Dd::from(1000.0));
        assert_eq!(parse_dd("60000001"), Dd::from(60000001.0));
        let tiny = parse_dd("9.1234567890123456789012345678901e-151") * Dd::from(1e151);
        let plain = parse_dd("9.1234567890123456789012345678901");
        // 1e151 is a double within 1e-16 of the power of ten; only the leading part compares.
        assert!(relative(tiny, plain) < 2e-16);
    }

    #[test]
    fn exponents_keep_the_low_part() {
        let a = parse_dd("1.2345678901234567890123456789012345e-150");
        let b = parse_dd("1.2345678901234567890123456789012345e-151");
        assert!(relative(b * Dd::from(10.0), a) < 3e-32);
    }

    #[test]
    #[should_panic(expected = "not a finite decimal number")]
    fn words_are_refused() {
        parse_dd("nan");
    }
}
