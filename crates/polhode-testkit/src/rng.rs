//! Random numbers from a seed.

/// `SplitMix64`: small, fast, and the same numbers everywhere.
///
/// # References
/// - Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence that belongs to `seed`.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Between two positive numbers, every factor as likely as every other.
    pub fn log_uniform(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.uniform(libm::log(low), libm::log(high)))
    }

    /// A whole number below `end`.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "there is no number below 0");
        // The bias is 2^-64 times `end`.
        usize::try_from(self.bits() % end as u64).expect("a remainder fits where its divisor does")
    }

    /// 1 or -1.
    pub fn sign(&mut self) -> f64 {
        if self.bits() & 1 == 0 { 1.0 } else { -1.0 }
    }

    /// A direction, uniform on the sphere in N dimensions, to rounding.
    pub fn direction<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v: [f64; N] = core::array::from_fn(|_| self.uniform(-1.0, 1.0));
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..=1.0).contains(&length) {
                return v.map(|x| x / length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_the_published_one() {
        // First outputs for seed 1234567, as in the reference implementation.
        let mut rng = Rng::new(1234567);
        let first = [(); 3].map(|()| rng.bits());
        assert_eq!(first, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn directions_have_length_one_and_all_signs() {
        let mut rng = Rng::new(5);
        let mut seen = [false; 8];
        for _ in 0..200 {
            let v: [f64; 3] = rng.direction();
            assert!((v.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
            seen[(0..3).map(|i| usize::from(v[i] < 0.0) << i).sum::<usize>()] = true;
        }
        assert_eq!(seen, [true; 8]);
    }

    #[test]
    fn ranges_are_kept_and_filled() {
        let mut rng = Rng::new(6);
        let values: Vec<f64> = (0..1000).map(|_| rng.uniform(2.0, 3.0)).collect();
        assert!(values.iter().all(|x| (2.0..3.0).contains(x)));
        assert!((values.iter().sum::<f64>() / 1000.0 - 2.5).abs() < 0.05);
        let values: Vec<f64> = (0..1000).map(|_| rng.log_uniform(1e-4, 1e4)).collect();
        assert!(values.iter().all(|x| (0.99e-4..1.01e4).contains(x)));
        let below_one = values.iter().filter(|&&x| x < 1.0).count();
        assert!((420..580).contains(&below_one), "{below_one}");
        let mut seen = [0; 3];
        for _ in 0..300 {
            seen[rng.below(3)] += 1;
        }
        assert!(seen.iter().all(|&n| n > 60), "{seen:?}");
    }
}
