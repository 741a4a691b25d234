//! Formulas that jump or bend at times that nobody named.

use polhode::formula::{Constants, Formula};
use polhode::solve::SolveMethod;
use polhode::torque::{Damping, VectorFrame};
use polhode::{Inertia, Problem, State, Torque};

use super::error;

fn formula(text: &str) -> Torque {
    let constants = Constants::from([("k".to_owned(), -0.3)]);
    let [x, y, z] = [text, "0", "0"].map(|text| Formula::new(text, &constants).unwrap());
    Torque::formula([x, y, z], VectorFrame::Body)
}

fn problem(torque: Torque) -> Problem {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    Problem::new(inertia, State::aligned([0.3, 2.0, 1.25]).unwrap()).torque(torque)
}

const UNTIL: f64 = 10.0;

/// The zeros of sin(7 t) until then.
fn wave() -> Vec<f64> {
    (1..=22).map(|k| f64::from(k) * core::f64::consts::PI / 7.0).collect()
}

#[test]
fn jumps_in_time_are_found_without_being_named() {
    for (text, jumps) in
        [("sign(t - 1.2345)", vec![1.2345]), ("sign(sin(7*t))", wave()), ("abs(sin(7*t))", wave())]
    {
        let problem = problem(formula(text));
        let best = problem.solver().method(SolveMethod::Extrapolation).tolerance(1e-12);
        let want = best.stops(&jumps).until(UNTIL).unwrap().end().1;
        // A jump is found as well as a step tells, and its error is added to those of the others.
        let most = 20.0 * jumps.len() as f64;
        for tolerance in [1e-4, 1e-6, 1e-9] {
            let solution = problem.solve(UNTIL, tolerance).unwrap();
            assert_eq!(solution.method(), SolveMethod::Dop853);
            let off = error(&solution.end().1, &want) / tolerance;
            assert!(off < most, "{text} at {tolerance:e}: {off} tolerances");
        }
    }
}

#[test]
fn jumps_with_the_state_are_found() {
    for text in [
        "max(0, sign(r11 - 0.3))",
        "max(0, r11 - 0.3)",
        "sqrt((r11 - 0.3)^2)",
        "((r11 - 0.3)^2)^0.5",
        "acos(cos(3*r11))",
        "atan(r21/r11)",
        "-atan2(r21, r11)",
    ] {
        let problem = problem(formula(text));
        let want = problem.solver().method(SolveMethod::Dop853).tolerance(1e-12).until(UNTIL);
        let want = want.unwrap().end().1;
        for tolerance in [1e-4, 1e-6, 1e-9] {
            let off = error(&problem.solve(UNTIL, tolerance).unwrap().end().1, &want) / tolerance;
            assert!(off < 100.0, "{text} at {tolerance:e}: {off} tolerances");
        }
    }
}

#[test]
fn the_method_is_that_of_the_roughest_part() {
    let damping = Torque::from(Damping::new([0.1, 0.2, 0.3]).unwrap());
    for (text, rough) in [
        ("sin(t)*w1^2/(2 + cos(r11))", false),
        // Of constants alone, whether they have names or not.
        ("abs(-2)*sqrt(abs(k))*w1 + t/sqrt(2)", false),
        ("atan(5*w1) + atan(w1/2) + exp(t)^-2", false),
        ("t^3 + 2^k", false),
        ("sign(w1)", true),
        ("abs(t)", true),
        ("min(t, 1)", true),
        ("max(t, 1)", true),
        ("sqrt(t)", true),
        ("t^0.5", true),
        ("asin(r11)", true),
        ("acos(r11)", true),
        ("atan2(r21, r11)", true),
        ("atan(r21/r11)", true),
        ("atan(tan(t))", true),
        ("atan(2*r11^-1)", true),
    ] {
        let want = if rough { SolveMethod::Dop853 } else { SolveMethod::Extrapolation };
        let alone = problem(formula(text));
        assert_eq!(SolveMethod::suited_to(&alone), want, "{text}");
        let sum = problem(damping.clone() + formula(text));
        assert_eq!(SolveMethod::suited_to(&sum), want, "{text}");
        let asked = alone.solver().method(SolveMethod::Extrapolation).tolerance(1e-4);
        assert_eq!(asked.until(0.01).unwrap().method(), SolveMethod::Extrapolation);
    }
}
