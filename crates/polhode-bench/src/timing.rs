//! Races: what is compared is measured interleaved in one process.
//!
//! A machine has other things to do, and changes its clock: an absolute time means little, and a mean
//! means nothing. So all entrants of a race run in turn, in short rounds that fit between two
//! interruptions, and the shortest round of each counts.

use std::time::Instant;

/// Something that takes time.
pub(crate) struct Entrant<'a> {
    name: String,
    /// How many steps, calls or solutions a round is.
    units: f64,
    /// A round; false if it could not be done.
    round: Box<dyn FnMut() -> bool + 'a>,
}

impl<'a> Entrant<'a> {
    pub(crate) fn new(
        name: impl Into<String>,
        units: u32,
        round: impl FnMut() -> bool + 'a,
    ) -> Self {
        Self { name: name.into(), units: f64::from(units), round: Box::new(round) }
    }

    /// Solves the same so many times a round; the function says whether it could.
    pub(crate) fn solving(
        name: impl Into<String>,
        solutions: u32,
        mut solve: impl FnMut() -> bool + 'a,
    ) -> Self {
        Self::new(name, solutions, move || (0..solutions).all(|_| solve()))
    }
}

/// Solutions in a round where one is short: reading the clock would count, and what runs once among others finds
/// nothing of its own in the caches.
pub(crate) const SOLUTIONS: u32 = 8;

/// The name and the nanoseconds of a unit of each entrant; none for what could not be done.
pub(crate) fn race(rounds: u32, entrants: Vec<Entrant<'_>>) -> Vec<(String, Option<f64>)> {
    let begin = Instant::now();
    race_by(|| begin.elapsed().as_secs_f64(), rounds, entrants)
}

/// A race by a clock that tells seconds.
fn race_by(
    mut clock: impl FnMut() -> f64,
    rounds: u32,
    mut entrants: Vec<Entrant<'_>>,
) -> Vec<(String, Option<f64>)> {
    let mut best = vec![f64::INFINITY; entrants.len()];
    for _ in 0..rounds {
        for (entrant, best) in entrants.iter_mut().zip(&mut best) {
            let begin = clock();
            let done = (entrant.round)();
            let time = (clock() - begin) * 1e9 / entrant.units;
            // What could not be done has no cost worth telling.
            if done {
                *best = best.min(time);
            }
        }
    }
    let known = |best: f64| best.is_finite().then_some(best);
    entrants.into_iter().zip(best).map(|(entrant, best)| (entrant.name, known(best))).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::{Entrant, race_by};

    #[test]
    fn the_shortest_round_counts_and_failures_do_not() {
        let now = Cell::new(0.0);
        let mut pauses = [30.0, 2.0, 4.0].into_iter();
        let slow_at_first = || {
            now.set(now.get() + pauses.next().unwrap());
            true
        };
        let entrants =
            vec![Entrant::new("pauses", 2, slow_at_first), Entrant::new("none", 1, || false)];
        let times = race_by(|| now.get(), 3, entrants);
        assert_eq!(times, [("pauses".to_owned(), Some(1e9)), ("none".to_owned(), None)]);
    }
}
