//! Which sequences of substeps a step is extrapolated from: data, and what follows from it.
//!
//! A step H is done with several counts n of substeps H/n. Each lane does one of them, and some lanes a second
//! one after it. The results y_j differ from the solution by a series in (H/n_j)², which the weights
//! w_j = prod_{i != j} n_j²/(n_j² - n_i²) cancel up to the order of twice the number of sequences.

/// What each of the four lanes does.
type Lanes = [f64; 4];

/// Some lanes come to the end of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct SequenceEnd {
    /// So many pairs of leaps after the turn before, or after the first leap.
    pub(super) pairs: u32,
    /// It is the second sequence of these lanes.
    pub(super) second: bool,
    /// 1 in these lanes, 0 in the others.
    pub(super) lanes: Lanes,
    /// These lanes begin their second sequence.
    pub(super) restart: bool,
}

/// Weights of the results of the first and second sequences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) first: Lanes,
    pub(super) second: Lanes,
}

/// The most turns of a plan.
const TURNS: usize = 6;

/// A set of sequences, with all that follows from their counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequences {
    /// The order of the result.
    pub(super) order: i32,
    /// The shortest sequence, by which the stability of the step is bounded.
    pub(super) least: f64,
    /// Evaluations of the torque in a step, each lane counted.
    pub(super) evaluations: u64,
    /// The counts of the first and second sequences; zero where there is none.
    pub(super) counts: [Lanes; 2],
    /// Their inverses.
    pub(super) parts: [Lanes; 2],
    /// A substep of the second sequence over one of the first.
    pub(super) ratio: Lanes,
    /// When which lanes are done.
    turns: [SequenceEnd; TURNS],
    turn_count: usize,
    /// What makes the result of the increments.
    pub(super) result: Weights,
    /// What makes its difference from the result without the shortest sequence.
    pub(super) error: Weights,
}

/// Order 8: for large tolerances.
pub(super) static SHORT: Sequences = Sequences::new([16.0, 14.0, 12.0, 10.0], [0.0; 4]);

/// Order 12.
pub(super) static LONG: Sequences = Sequences::new([22.0, 18.0, 14.0, 12.0], [0.0, 0.0, 8.0, 10.0]);

impl Sequences {
    const fn new(first: Lanes, second: Lanes) -> Self {
        let counts = [first, second];
        let mut least = f64::INFINITY;
        // The slope at the start is common to all.
        let (mut number, mut evaluations) = (0, 1);
        let (mut parts, mut ratio) = ([[0.0; 4]; 2], [0.0; 4]);
        let mut i = 0;
        while i < 8 {
            let n = counts[i / 4][i % 4];
            if n > 0.0 {
                number += 1;
                evaluations += if i < 4 { whole(n) - 1 } else { whole(n) };
                parts[i / 4][i % 4] = 1.0 / n;
                least = if n < least { n } else { least };
            }
            i += 1;
        }
        let mut lane = 0;
        while lane < 4 {
            if second[lane] > 0.0 {
                ratio[lane] = first[lane] / second[lane];
            }
            lane += 1;
        }
        let (result, without) = (weights(&counts, 0.0), weights(&counts, least));
        let (turns, turn_count) = turns(&counts);
        Self {
            order: 2 * number,
            least,
            evaluations,
            counts,
            parts,
            ratio,
            turns,
            turn_count,
            result,
            error: difference(&result, &without),
        }
    }

    /// When which lanes are done, in order; the last turn is the end of the step.
    #[inline(always)]
    pub(super) fn turns(&self) -> &[SequenceEnd] {
        &self.turns[..self.turn_count]
    }
}

/// A count as an integer.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
const fn whole(count: f64) -> u64 {
    count as u64
}

/// The weights of all sequences longer than that.
const fn weights(counts: &[Lanes; 2], longer_than: f64) -> Weights {
    let mut all = [[0.0; 4]; 2];
    let mut j = 0;
    while j < 8 {
        let n = counts[j / 4][j % 4];
        if n > longer_than {
            let mut weight = 1.0;
            let mut i = 0;
            while i < 8 {
                let other = counts[i / 4][i % 4];
                if other > longer_than && i != j {
                    weight *= n * n / (n * n - other * other);
                }
                i += 1;
            }
            all[j / 4][j % 4] = weight;
        }
        j += 1;
    }
    Weights { first: all[0], second: all[1] }
}

const fn difference(a: &Weights, b: &Weights) -> Weights {
    let mut of = *a;
    let mut i = 0;
    while i < 4 {
        of.first[i] -= b.first[i];
        of.second[i] -= b.second[i];
        i += 1;
    }
    of
}

/// A first sequence of n takes n - 1 leaps after Euler's step; a second one, which leaps over the start, n.
const fn turns(counts: &[Lanes; 2]) -> ([SequenceEnd; TURNS], usize) {
    let none = SequenceEnd { pairs: 0, second: false, lanes: [0.0; 4], restart: false };
    let (mut turns, mut count) = ([none; TURNS], 0);
    // Counts are even, so that all ends are after an odd number of leaps, the last of a pair.
    let (mut leaps, mut last) = (1, 1);
    // No lane leaps more often than this.
    while leaps < 64 {
        let mut which = 0;
        while which < 2 {
            let mut turn = SequenceEnd { pairs: (leaps - last) / 2, second: which == 1, ..none };
            let mut some = false;
            let mut lane = 0;
            while lane < 4 {
                let (first, second) = (counts[0][lane], counts[1][lane]);
                let end = if which == 0 { first - 1.0 } else { first - 1.0 + second };
                if end == leaps as f64 && (which == 0 || second > 0.0) {
                    turn.lanes[lane] = 1.0;
                    turn.restart = which == 0 && second > 0.0;
                    some = true;
                }
                lane += 1;
            }
            if some {
                turns[count] = turn;
                count += 1;
                last = leaps;
            }
            which += 1;
        }
        leaps += 2;
    }
    (turns, count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs<'a>(w: &'a Weights, s: &'a Sequences) -> impl Iterator<Item = (f64, f64)> + 'a {
        let weights = w.first.into_iter().chain(w.second);
        weights.zip(s.counts.as_flattened().iter().copied()).filter(|(_, n)| *n > 0.0)
    }

    #[test]
    fn weights_cancel_the_powers_up_to_their_order() {
        for (sequences, count, evaluations) in [(&SHORT, 4, 49), (&LONG, 6, 81)] {
            assert_eq!((sequences.order, sequences.evaluations), (2 * count, evaluations));
            for power in 0..count {
                let sum = |w: &Weights| -> f64 {
                    let scaled = |n: f64| (sequences.least / n).powi(2 * power);
                    pairs(w, sequences).map(|(w, n)| w * scaled(n)).sum()
                };
                let want = if power == 0 { 1.0 } else { 0.0 };
                // Weights of up to 30 that cancel.
                assert!((sum(&sequences.result) - want).abs() < 1e-13, "{power}");
                let error = sum(&sequences.error);
                assert_eq!(error.abs() < 1e-13, power < count - 1, "{power}: {error}");
            }
        }
    }

    #[test]
    fn every_sequence_ends_once() {
        for sequences in [&SHORT, &LONG] {
            let turns = sequences.turns();
            for lane in 0..4 {
                let mut leaps = 1;
                let mut ends = Vec::new();
                for turn in turns {
                    leaps += 2 * turn.pairs;
                    if turn.lanes[lane] > 0.0 {
                        ends.push(f64::from(leaps));
                    }
                }
                let [n, m] = [sequences.counts[0][lane], sequences.counts[1][lane]];
                let want = if m > 0.0 { vec![n - 1.0, n - 1.0 + m] } else { vec![n - 1.0] };
                assert_eq!(ends, want);
            }
            assert!(!turns[turns.len() - 1].restart);
        }
    }
}
