//! The tolerance is that of the end: measured over random problems.

use polhode_testkit::bodies::Rng;

use super::motions::motion;
use super::{end_by_other, error};

/// Errors over tolerances, in rising order, and how many problems were refused.
fn study(count: usize, seed: u64) -> (Vec<f64>, usize) {
    let mut rng = Rng::new(seed);
    let (mut ratios, mut refused) = (Vec::new(), 0);
    for i in 0..count {
        let case = motion(&mut rng);
        let solver = case.problem.solver().tolerance(case.tolerance).times(&[]);
        let solution = match solver.until(case.until) {
            Ok(solution) => solution,
            Err(error) => {
                eprintln!("{i}: {}, {:e}: {error}", case.name, case.tolerance);
                refused += 1;
                continue;
            }
        };
        // So sensitive that the other method cannot tell.
        let Some(want) = end_by_other(&case.problem, solution.method(), case.until, case.tolerance)
        else {
            continue;
        };
        let ratio = error(&solution.end().1, &want) / case.tolerance;
        assert!(ratio < 100.0, "{i}: {}, {:e}: {ratio}", case.name, case.tolerance);
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    assert!(ratios.len() * 100 >= count * 97, "{} of {count} compared", ratios.len());
    (ratios, refused)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
fn check(count: usize, seed: u64) {
    let (ratios, refused) = study(count, seed);
    let part = |p: f64| ratios[((ratios.len() - 1) as f64 * p) as usize];
    eprintln!(
        "error over tolerance: median {:.3}, 98 % below {:.2}, most {:.2}; {refused} refused",
        part(0.5),
        part(0.98),
        part(1.0)
    );
    assert!(part(0.98) < 10.0);
    assert!(refused * 100 <= count, "{refused} refused");
}

#[test]
fn the_end_is_as_good_as_wanted() {
    check(100, 16);
}

#[test]
#[ignore = "takes seconds: cargo test -p polhode --test suite tolerance -- --ignored"]
fn the_end_is_as_good_as_wanted_over_a_thousand_problems() {
    for seed in 1..=3 {
        check(1000, seed);
    }
}
