//! Which sequences of substeps a step is extrapolated from: data, and what follows from it.
//!
//! A step H is done with several counts n of substeps H/n, each in a lane of its own. The results y_j differ from the
//! solution by a series in (H/n_j)², which the weights w_j = prod_{i != j} n_j²/(n_j² - n_i²) cancel up to the order
//! of twice the number of sequences.

/// What each lane does: four or eight of them.
type Lanes = [f64; 8];

/// Some lanes come to the end of their sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct SequenceEnd {
    /// After so many leaps, an odd number.
    pub(super) leaps: u32,
    /// 1 in these lanes, 0 in the others.
    pub(super) lanes: Lanes,
}

/// Weights of the results of the sequences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Of angular velocities in units of a lane's own substep: those of the quaternion times the count.
    pub(super) turning: Lanes,
    pub(super) quaternion: Lanes,
}

/// A set of sequences, with all that follows from their counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequences {
    /// The order of the result.
    pub(super) order: i32,
    /// Radians of the first step for an error of 1e-8.
    pub(super) first: f64,
    /// The shortest sequence, by which the stability of the step is bounded.
    pub(super) least: f64,
    /// They need eight lanes, not four.
    pub(super) eight: bool,
    /// Evaluations of the torque in a step, each lane counted.
    pub(super) evaluations: u64,
    /// The inverses of their counts. A lane too many does the same as the last, and has no weight: with a substep of
    /// zero, torques would be asked for momenta that are not numbers.
    pub(super) parts: Lanes,
    /// When which lanes are done.
    ends: [SequenceEnd; 8],
    /// How many there are.
    pub(super) count: usize,
    /// What makes the result of the increments.
    pub(super) result: Weights,
    /// What makes the estimate of its error: part of the difference from the result without the shortest sequence.
    pub(super) error: Weights,
    /// By how much rounding in the sequences grows in the result: the sum of the absolute weights.
    pub(super) noise: f64,
}

/// Order 8: for large tolerances.
pub(super) static SHORT: Sequences =
    Sequences::new(&[12.0, 14.0, 16.0, 18.0], Experience { first: 1.1, estimate: 0.5 });

/// Order 14.
pub(super) static LONG: Sequences = Sequences::new(
    &[12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0],
    Experience { first: 2.4, estimate: 1.0 },
);

/// Order 14 with small weights: for tolerances next to rounding.
pub(super) static FINE: Sequences = Sequences::new(
    &[8.0, 10.0, 12.0, 14.0, 18.0, 22.0, 26.0],
    Experience { first: 1.3, estimate: 1.0 },
);

/// What was measured on heavy tops.
#[derive(Clone, Copy, Debug)]
struct Experience {
    /// Radians of the first step for an error of 1e-8: a little less than most motions allow.
    first: f64,
    /// The error of a step is below this part of the difference from the result without the shortest sequence, where
    /// that is what a step is allowed.
    estimate: f64,
}

impl Sequences {
    /// The sequences of these counts of substeps, which are even and rise.
    const fn new(counts: &[f64], Experience { first, estimate }: Experience) -> Self {
        let mut parts = [1.0 / counts[counts.len() - 1]; 8];
        // The slope at the start is common to all.
        let (mut evaluations, mut noise) = (1, 0.0);
        let none = SequenceEnd { leaps: 0, lanes: [0.0; 8] };
        let mut ends = [none; 8];
        let (result, without) = (weights(counts, 0), weights(counts, 1));
        let mut error = result;
        let mut lane = 0;
        while lane < counts.len() {
            let n = counts[lane];
            parts[lane] = 1.0 / n;
            evaluations += whole(n) - 1;
            noise += result.quaternion[lane].abs();
            error.turning[lane] = estimate * (result.turning[lane] - without.turning[lane]);
            error.quaternion[lane] =
                estimate * (result.quaternion[lane] - without.quaternion[lane]);
            // A sequence of n takes n - 1 leaps after Euler's step.
            #[allow(clippy::cast_possible_truncation, reason = "small counts")]
            let leaps = whole(n) as u32 - 1;
            ends[lane].leaps = leaps;
            ends[lane].lanes[lane] = 1.0;
            lane += 1;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 8")]
        let order = 2 * counts.len() as i32;
        Self {
            order,
            first,
            least: counts[0],
            eight: counts.len() > 4,
            evaluations,
            parts,
            ends,
            count: counts.len(),
            result,
            error,
            noise,
        }
    }

    /// When which of these lanes are done, in order.
    #[inline(always)]
    pub(super) fn ends(&self, lanes: core::ops::Range<usize>) -> &[SequenceEnd] {
        &self.ends[lanes.start..lanes.end.min(self.count)]
    }
}

/// A count as an integer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
const fn whole(count: f64) -> u64 {
    count as u64
}

/// The weights of all sequences but the first so many.
const fn weights(counts: &[f64], first: usize) -> Weights {
    let mut weights = Weights { turning: [0.0; 8], quaternion: [0.0; 8] };
    let mut j = first;
    while j < counts.len() {
        let n = counts[j];
        let mut weight = 1.0;
        let mut i = first;
        while i < counts.len() {
            if i != j {
                weight *= n * n / (n * n - counts[i] * counts[i]);
            }
            i += 1;
        }
        weights.quaternion[j] = weight;
        weights.turning[j] = weight * n;
        j += 1;
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs<'a>(w: &'a Weights, s: &'a Sequences) -> impl Iterator<Item = (f64, f64)> + 'a {
        w.quaternion.into_iter().zip(s.parts).filter(|(w, _)| *w != 0.0)
    }

    #[test]
    fn weights_cancel_the_powers_up_to_their_order() {
        for (sequences, count, evaluations) in [(&SHORT, 4, 57), (&LONG, 7, 120), (&FINE, 7, 104)] {
            assert_eq!((sequences.order, sequences.evaluations), (2 * count, evaluations));
            for power in 0..count {
                let sum = |w: &Weights| -> f64 {
                    let scaled = |part: f64| (sequences.least * part).powi(2 * power);
                    pairs(w, sequences).map(|(w, part)| w * scaled(part)).sum()
                };
                let want = if power == 0 { 1.0 } else { 0.0 };
                // Weights of up to 500 that cancel.
                let rounding = 4.0 * f64::EPSILON * sequences.noise;
                assert!((sum(&sequences.result) - want).abs() < rounding, "{power}");
                let error = sum(&sequences.error);
                assert_eq!(error.abs() < 2.0 * rounding, power < count - 1, "{power}: {error}");
            }
        }
    }

    #[test]
    fn every_sequence_ends_once() {
        for sequences in [&SHORT, &LONG, &FINE] {
            for (lane, end) in sequences.ends(0..8).iter().enumerate() {
                let done: Vec<usize> = (0..8).filter(|&i| end.lanes[i] > 0.0).collect();
                assert_eq!((done, end.leaps % 2), (vec![lane], 1));
                assert!((sequences.parts[lane] * f64::from(end.leaps + 1) - 1.0).abs() < 1e-15);
            }
        }
    }
}
