//! The order of a method from trajectories in different steps.

use polhode::{Inertia, State, so3};
use polhode_verify::check::{self, CheckError, CheckReport, Mistake, OrderVerdict, Samples};

use super::{body, exact, integrate, report, times};

/// Semi-explicit Euler: first order in momentum and attitude.
fn euler(inertia: &Inertia, start: State, h: f64, count: u32) -> CheckReport {
    let (times, states) = integrate(start, count, h, |_, s| {
        let m = s.m + s.m.cross(inertia.omega(s.m)) * h;
        State { m, q: s.q * so3::exp(inertia.omega(m) * h) }
    });
    report(&Samples::of_states(&times, &states), inertia)
}

/// The explicit midpoint rule: second order.
fn midpoint(inertia: &Inertia, start: State, h: f64, count: u32) -> CheckReport {
    let (times, states) = integrate(start, count, h, |_, s| {
        let half = s.m + s.m.cross(inertia.omega(s.m)) * (0.5 * h);
        let m = s.m + half.cross(inertia.omega(half)) * h;
        State { m, q: s.q * so3::exp(inertia.omega(half) * h) }
    });
    report(&Samples::of_states(&times, &states), inertia)
}

#[test]
fn a_first_order_method_claimed_as_second_is_found() {
    let (inertia, start) = body();
    let [a, b] = [(0.004, 500), (0.002, 1000)].map(|(h, n)| (h, euler(&inertia, start, h, n)));
    let runs = [(a.0, &a.1), (b.0, &b.1)];
    let found = check::convergence(&runs, Some(2.0)).unwrap();
    assert_eq!(found.verdict, OrderVerdict::TooLow);
    assert!(found.observed.is_some_and(|p| (p - 1.0).abs() < 0.1), "{found:?}");
    let diagnosis = found.diagnosis.unwrap();
    assert_eq!(diagnosis.mistakes, [Mistake::OrderTooLow]);
    assert!(diagnosis.text.contains("not 2.0"), "{}", diagnosis.text);
    let honest = check::convergence(&runs, Some(1.0)).unwrap();
    assert_eq!((honest.verdict, honest.diagnosis), (OrderVerdict::Holds, None));
}

#[test]
fn a_second_order_method_is_one_in_any_order_of_files() {
    let (inertia, start) = body();
    let runs =
        [(0.01, 400), (0.04, 100), (0.02, 200)].map(|(h, n)| (h, midpoint(&inertia, start, h, n)));
    let runs: Vec<(f64, &CheckReport)> = runs.iter().map(|(h, r)| (*h, r)).collect();
    let found = check::convergence(&runs, Some(2.0)).unwrap();
    assert_eq!(found.verdict, OrderVerdict::Holds);
    assert!(found.observed.is_some_and(|p| (p - 2.0).abs() < 0.1), "{found:?}");
    let steps: Vec<[f64; 2]> = found.pairs.iter().map(|p| p.steps).collect();
    assert_eq!(steps, [[0.04, 0.02], [0.02, 0.01]]);
}

#[test]
fn different_spans_are_compared_over_the_common_one() {
    let (inertia, start) = body();
    let long = midpoint(&inertia, start, 0.02, 2000);
    let short = midpoint(&inertia, start, 0.01, 400);
    let found = check::convergence(&[(0.02, &long), (0.01, &short)], None).unwrap();
    assert!(found.observed.is_some_and(|p| (p - 2.0).abs() < 0.1), "{found:?}");
}

#[test]
fn rounding_and_chaos_show_no_order() {
    let (inertia, start) = body();
    let exact = |h: f64| {
        let times = times(100, h);
        report(&Samples::of_states(&times, &exact(&inertia, start, &times)), &inertia)
    };
    let [a, b] = [exact(0.02), exact(0.01)];
    let found = check::convergence(&[(0.02, &a), (0.01, &b)], Some(2.0)).unwrap();
    assert_eq!((found.verdict, found.observed), (OrderVerdict::Rounding, None));
    let [a, b] = [(0.1, 1000), (0.05, 2000)].map(|(h, n)| euler(&inertia, start, h, n));
    let found = check::convergence(&[(0.1, &a), (0.05, &b)], Some(1.0)).unwrap();
    assert_eq!((found.verdict, found.observed), (OrderVerdict::TooCoarse, None));
    assert!(found.diagnosis.is_some());
}

#[test]
fn what_shows_no_order_is_refused() {
    let (inertia, start) = body();
    let a = euler(&inertia, start, 0.02, 100);
    let refused =
        |runs: &[(f64, &CheckReport)], claim| check::convergence(runs, claim).unwrap_err();
    assert_eq!(refused(&[(0.1, &a)], None), CheckError::TooFew { count: 1 });
    assert_eq!(refused(&[(0.1, &a), (-0.1, &a)], None), CheckError::SameStep { step: 0.1 });
    let zero = CheckError::Option { field: "step", value: 0.0 };
    assert_eq!(refused(&[(0.1, &a), (0.0, &a)], None), zero);
    let order = CheckError::Option { field: "order", value: -1.0 };
    assert_eq!(refused(&[(0.1, &a), (0.2, &a)], Some(-1.0)), order);
}
