//! Few points for many rows: what of a run is drawn.

use polhode::glam::DVec3;

/// Rows of a picture: more than there are pixels across a panel help nobody.
const MOST_POINTS: u64 = 4000;

/// The direction of a vector; of none, there is none.
pub(super) fn direction(m: DVec3) -> [f64; 3] {
    m.try_normalize().unwrap_or(DVec3::NAN).to_array()
}

/// A curve over many rows as the least and the greatest value in each of a number of bins: what
/// stands out is seen, however short it was.
pub(super) struct Envelope {
    /// Rows, and how many bins there are for them.
    count: u64,
    bins: u64,
    bin: Option<Bin>,
    points: Vec<[f64; 2]>,
}

struct Bin {
    number: u64,
    /// Row and point.
    low: (u64, [f64; 2]),
    high: (u64, [f64; 2]),
}

impl Envelope {
    pub(super) fn new(count: u64) -> Self {
        let bins = if count <= MOST_POINTS { count } else { MOST_POINTS / 2 };
        Self { count, bins, bin: None, points: Vec::new() }
    }

    pub(super) fn take(&mut self, n: u64, t: f64, x: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "less than the bins")]
        let number = (u128::from(n) * u128::from(self.bins) / u128::from(self.count)) as u64;
        match &mut self.bin {
            Some(bin) if bin.number == number => {
                if x < bin.low.1[1] {
                    bin.low = (n, [t, x]);
                }
                if x > bin.high.1[1] {
                    bin.high = (n, [t, x]);
                }
            }
            _ => {
                self.close();
                self.bin = Some(Bin { number, low: (n, [t, x]), high: (n, [t, x]) });
            }
        }
    }

    fn close(&mut self) {
        let Some(Bin { low, high, .. }) = self.bin.take() else { return };
        let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
        self.points.push(first.1);
        if second.0 != first.0 {
            self.points.push(second.1);
        }
    }

    pub(super) fn points(mut self) -> Vec<[f64; 2]> {
        self.close();
        self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(count: u32, x: impl Fn(u32) -> f64, sign: f64) -> Vec<[f64; 2]> {
        let mut envelope = Envelope::new(u64::from(count));
        for n in 0..count {
            envelope.take(u64::from(n), sign * f64::from(n), x(n));
        }
        envelope.points()
    }

    #[test]
    fn few_rows_are_all_drawn() {
        let points = envelope(4000, f64::from, 1.0);
        assert!(points.into_iter().eq((0..4000).map(|n| [f64::from(n), f64::from(n)])));
    }

    #[test]
    fn many_rows_keep_their_peaks_in_the_order_of_time() {
        for sign in [1.0, -1.0] {
            let peaks = |n| match n {
                123_456 => 7.0,
                654_321 => -7.0,
                n => f64::from(n % 10) * 0.1,
            };
            let points = envelope(1_000_000, peaks, sign);
            assert!(points.len() as u64 <= MOST_POINTS, "{}", points.len());
            assert!(points.contains(&[sign * 123_456.0, 7.0]));
            assert!(points.contains(&[sign * 654_321.0, -7.0]));
            assert!(points.windows(2).all(|p| sign * p[0][0] < sign * p[1][0]), "{sign}");
        }
    }
}
