//! Values between the ends of steps.

use polhode::solve::{SolveMethod, TimeError};
use polhode_testkit::bodies::Rng;

use super::motions::motion;
use super::{error, top};

#[test]
fn values_within_steps_are_as_good_as_the_end() {
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let solution = top().solver().method(method).tolerance(tolerance).until(1.0).unwrap();
            let times: Vec<f64> = (0..=200).map(|i| f64::from(i) / 200.0).collect();
            let top = top();
            let best = top.solver().method(SolveMethod::Extrapolation).tolerance(1e-13);
            let want = best.times(&times).until(1.0).unwrap();
            for (t, want) in times.iter().zip(want.states()) {
                let off = error(&solution.at(*t).unwrap(), want);
                assert!(off < 10.0 * tolerance, "{method}, {tolerance:e} at {t}: {off:e}");
            }
        }
    }
}

#[test]
fn values_of_random_problems() {
    let mut rng = Rng::new(12);
    for _ in 0..30 {
        let case = motion(&mut rng);
        let Ok(solution) = case.problem.solve(case.until, case.tolerance) else { continue };
        let other = match solution.method() {
            SolveMethod::Dop853 => SolveMethod::Extrapolation,
            _ => SolveMethod::Dop853,
        };
        let best = case.problem.solver().method(other).tolerance(1e-12).until(case.until);
        let Ok(best) = best else { continue };
        for i in 1..10 {
            let (t0, until) = solution.span();
            let t = t0 + (until - t0) * f64::from(i) / 10.0;
            let off = error(&solution.at(t).unwrap(), &best.at(t).unwrap());
            assert!(off < 100.0 * case.tolerance, "{} at {t}: {off:e}", case.name);
        }
    }
}

#[test]
fn times_outside_and_times_not_kept_are_errors() {
    let solution = top().solver().tolerance(1e-6).until(-1.0).unwrap();
    assert_eq!(solution.span(), (0.0, -1.0));
    assert!(solution.at(-0.5).is_ok() && solution.at(0.0).is_ok() && solution.at(-1.0).is_ok());
    for t in [0.1, -1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(solution.at(t), Err(TimeError::OutsideSpan { from: 0.0, to: -1.0, .. })));
    }
    let text = solution.at(0.5).unwrap_err().to_string();
    assert_eq!(text, "t = 0.5: the solution spans 0.0 to -1.0");
    let few = top().solver().tolerance(1e-6).times(&[0.25, 0.5]).until(1.0).unwrap();
    assert_eq!(few.times(), [0.25, 0.5]);
    assert_eq!(few.at(0.25).unwrap(), few.states()[0]);
    assert_eq!(few.at(1.0).unwrap(), few.end().1);
    assert_eq!(few.at(0.3), Err(TimeError::NotKept { t: 0.3 }));
    assert!(few.at_many(&[0.25, 0.3]).is_err());
}
