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
}

/// The name and the nanoseconds of a unit of each entrant; none for what could not be done.
pub(crate) fn race(rounds: u32, mut entrants: Vec<Entrant<'_>>) -> Vec<(String, Option<f64>)> {
    let mut best = vec![f64::INFINITY; entrants.len()];
    for _ in 0..rounds {
        for (entrant, best) in entrants.iter_mut().zip(&mut best) {
            let begin = Instant::now();
            let done = (entrant.round)();
            let time = begin.elapsed().as_secs_f64() * 1e9 / entrant.units;
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
    use super::{Entrant, race};

    #[test]
    fn the_shortest_round_counts_and_failures_do_not() {
        let mut round = 0;
        let slow_at_first = || {
            round += 1;
            let pause = if round == 1 { 30 } else { 2 };
            std::thread::sleep(std::time::Duration::from_millis(pause));
            true
        };
        let times = race(
            3,
            vec![Entrant::new("sleep", 1, slow_at_first), Entrant::new("none", 1, || false)],
        );
        assert_eq!((times[0].0.as_str(), times[1].0.as_str()), ("sleep", "none"));
        assert!(times[0].1.is_some_and(|ns| (2e6..30e6).contains(&ns)), "{times:?}");
        assert_eq!(times[1].1, None);
    }
}
