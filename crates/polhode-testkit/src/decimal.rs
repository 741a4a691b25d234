//! Decimal text to double-double.

use polhode_elliptic::Dd;

/// Reads a decimal number such as `-0.0123` or `4.4e-151`.
///
/// The leading double is the nearest to the number; the second is what is left, to some 1e-31 of the
/// number (and to less below 1e-270, where it becomes subnormal).
///
/// # Panics
/// If `text` is not a finite decimal number.
pub fn parse_dd(text: &str) -> Dd {
    let refuse = || -> ! { panic!("not a finite decimal number: {text:?}") };
    let hi: f64 = text.parse().ok().filter(|x: &f64| x.is_finite()).unwrap_or_else(|| refuse());
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut exponent: i32 = exponent.parse().unwrap_or_else(|_| refuse());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = Dd::ZERO;
    for digit in whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit) {
        value = value * 10.0 + Dd::from(f64::from(digit - b'0'));
    }
    exponent -= i32::try_from(fraction.len()).unwrap_or_else(|_| refuse());
    while exponent != 0 {
        // The largest power of ten that is a double.
        let power = exponent.clamp(-22, 22);
        let ten = 10.0_f64.powi(power.abs());
        value = if power > 0 { value * ten } else { value / Dd::from(ten) };
        exponent -= power;
    }
    let value = if text.starts_with('-') { -value } else { value };
    Dd::new(hi, (value - Dd::from(hi)).hi())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(got: Dd, want: Dd) -> f64 {
        ((got - want).hi() / want.hi()).abs()
    }

    #[test]
    fn fractions_of_small_integers() {
        let quotient = |a: f64, b: f64| Dd::from(a) / Dd::from(b);
        for (text, want) in [
            ("0.1", quotient(1.0, 10.0)),
            ("-0.1", quotient(-1.0, 10.0)),
            ("1e-1", quotient(1.0, 10.0)),
            // 1/3 rounds down, 2/3 rounds up: both signs of the second double.
            ("0.3333333333333333333333333333333333333333333", quotient(1.0, 3.0)),
            ("0.6666666666666666666666666666666666666666667", quotient(2.0, 3.0)),
            ("3.14159265358979323846264338327950288", Dd::PI),
            ("0.0314159265358979323846264338327950288e2", Dd::PI),
        ] {
            assert!(relative(parse_dd(text), want) < 1e-31, "{text}");
        }
        let below_one = parse_dd("0.99999999999999999999999999");
        assert_eq!(below_one.hi(), 1.0);
        assert!((below_one.lo() / -1e-26 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_leading_double_is_the_nearest() {
        for x in [0.0, 1.0, -0.5, 1e-151, 6.5e150, 1e-300, 123456.75, 0.1 + 0.2, 1.0 / 3.0] {
            assert_eq!(parse_dd(&format!("{x}")).hi(), x);
            assert_eq!(parse_dd(&format!("{x:e}")).hi(), x);
        }
        assert_eq!(parse_dd("60000001"), Dd::from(60000001.0));
        assert_eq!(parse_dd("0"), Dd::ZERO);
    }

    #[test]
    fn exponents_keep_the_second_double() {
        let a = parse_dd("1.2345678901234567890123456789012345e-150");
        let b = parse_dd("1.2345678901234567890123456789012345e-151");
        assert!(relative(b * Dd::from(10.0), a) < 1e-30);
    }

    #[test]
    #[should_panic(expected = "not a finite decimal number")]
    fn words_are_refused() {
        parse_dd("nan");
    }
}
