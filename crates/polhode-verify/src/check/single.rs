//! Numbers of single precision, told from others.

/// Whether numbers are those of single precision: as doubles, or written with the fewest digits that tell them from
/// their neighbours.
pub(super) fn single_precision<'a>(numbers: impl Iterator<Item = &'a f64>) -> bool {
    let (mut any, mut long) = (0_usize, 0_usize);
    for x in numbers.filter(|x| **x != 0.0) {
        #[allow(clippy::cast_possible_truncation, reason = "that is the question")]
        let single = *x as f32;
        let text = format!("{single:e}");
        let written = text.parse::<f64>().is_ok_and(|back| back.to_bits() == x.to_bits());
        if !(written || f64::from(single).to_bits() == x.to_bits()) {
            return false;
        }
        any += 1;
        // Numbers of few digits are those of any precision.
        let digits = text.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
        long += usize::from(digits >= 8);
    }
    any >= 16 && 4 * long >= any
}

#[cfg(test)]
mod tests {
    use super::single_precision;

    #[test]
    #[allow(clippy::cast_possible_truncation, reason = "that is what is tested")]
    fn single_precision_is_told() {
        let doubles: Vec<f64> = (1..100).map(|n| f64::from(n).sqrt()).collect();
        assert!(!single_precision(doubles.iter()));
        let singles: Vec<f64> = doubles.iter().map(|x| f64::from(*x as f32)).collect();
        assert!(single_precision(singles.iter()));
        let written: Vec<f64> =
            doubles.iter().map(|x| (*x as f32).to_string().parse().unwrap()).collect();
        assert!(single_precision(written.iter()));
        // Digits cut off are not those of single precision, whether more or fewer.
        for digits in [4, 6, 9, 12] {
            let cut: Vec<f64> =
                doubles.iter().map(|x| format!("{x:.digits$e}").parse().unwrap()).collect();
            assert!(!single_precision(cut.iter()), "{digits}");
        }
        assert!(!single_precision([0.5; 20].iter()));
    }
}
