//! Numbers and widths of text.

/// `10` to this power, with a superscript: 10⁻⁸.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let superscript = digits.chars().map(|c| match c.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    });
    "10".chars().chain(superscript).collect()
}

/// The number with that many decimals and a proper minus sign; no minus before a zero.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| c == '0' || c == '.') => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// The width of a text, in units of its font size: an estimate on the safe side, since the
/// viewer's font is not known.
pub(crate) fn width(text: &str) -> f64 {
    text.chars()
        .map(|c| match c {
            '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 't' | 'f' | 'r'
            | '(' | ')' | '[' | ']' => 0.37,
            'm' | 'w' | 'M' | 'W' | '−' | '=' | '+' | '<' | '>' => 0.86,
            'A'..='Z' => 0.72,
            _ => 0.61,
        })
        .sum()
}

/// Without the control characters that XML cannot hold.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' { ' ' } else { c })
        .collect()
}

/// The text, shortened with an ellipsis to at most this width (in units of the font size).
pub(crate) fn shortened(text: &str, limit: f64) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let mut short = String::new();
    for c in text.chars() {
        if width(&short) + width(c.encode_utf8(&mut [0; 4])) + width("…") > limit {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_have_superscripts() {
        assert_eq!(power_of_ten(-18), "10⁻¹⁸");
        assert_eq!(power_of_ten(0), "10⁰");
        assert_eq!(power_of_ten(230), "10²³⁰");
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(fixed(-1.5, 1), "−1.5");
        assert_eq!(fixed(20.0, 0), "20");
    }

    #[test]
    fn long_text_ends_in_an_ellipsis() {
        assert_eq!(shortened("short", 10.0), "short");
        let cut = shortened("a title that goes on and on", 6.0);
        assert!(cut.ends_with('…') && width(&cut) <= 6.0, "{cut}");
    }
}
