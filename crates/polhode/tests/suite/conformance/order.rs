//! Orders, measured.

use polhode::Problem;
use polhode::method::Method;
use polhode::method::Order;
use polhode_testkit::compare::slope;

use super::{after, free, methods, top};

/// Errors below this are rounding.
const PLATEAU: f64 = 2e-13;

/// Errors of momentum and attitude over [0, 1] for ever smaller steps.
struct StepErrors {
    steps: Vec<f64>,
    momentum: Vec<f64>,
    attitude: Vec<f64>,
}

fn errors(spec: &str, method: &Method, problem: &Problem, ratio: f64) -> StepErrors {
    let reference = Method::parse("kahanli8:compensated+exact:compensated").unwrap();
    let want = after(&reference, problem, 1.0 / 200.0, 200);
    let mut all = StepErrors { steps: Vec::new(), momentum: Vec::new(), attitude: Vec::new() };
    let mut count = 3.0_f64;
    loop {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
        let n = count.round() as u32;
        let state = after(method, problem, 1.0 / f64::from(n), n);
        let momentum = (state.m - want.m).length();
        let attitude = (state.q - want.q).length();
        assert!(momentum.is_finite() && attitude.is_finite(), "{spec}");
        all.steps.push(1.0 / f64::from(n));
        all.momentum.push(momentum);
        all.attitude.push(attitude);
        if momentum.max(attitude) < PLATEAU || n > 4000 {
            return all;
        }
        count = (count * ratio).max(count + 1.0);
    }
}

/// The slope through the four finest points above the plateau.
fn order(spec: &str, steps: &[f64], errors: &[f64]) -> f64 {
    let clear: Vec<usize> = (0..steps.len()).filter(|&i| errors[i] > PLATEAU).collect();
    assert!(clear.len() >= 3, "{spec}: fewer than three points above the plateau: {errors:?}");
    let last = &clear[clear.len().saturating_sub(4)..];
    let pick = |v: &[f64]| last.iter().map(|&i| v[i]).collect::<Vec<_>>();
    slope(&pick(steps), &pick(errors), PLATEAU)
}

fn check(
    spec: &str,
    method: &Method,
    nominal: Order,
    problem: &Problem,
    failures: &mut Vec<String>,
) {
    let Order::Of(nominal) = nominal else { return };
    let ratio = if nominal <= 2 { 2.0 } else { 1.3 };
    let e = errors(spec, method, problem, ratio);
    for (what, values) in [("momentum", &e.momentum), ("attitude", &e.attitude)] {
        // A rotor that is exact in the momentum has no order there when the body is free.
        if values.iter().all(|&x| x < 1e-12) {
            continue;
        }
        let measured = order(spec, &e.steps, values);
        if (measured - f64::from(nominal)).abs() > 0.25 {
            failures.push(format!("{spec}: {what} {measured:.2} for {nominal}"));
        }
    }
}

#[test]
fn orders_are_as_claimed() {
    let mut failures = Vec::new();
    for (spec, method) in methods() {
        check(&spec, &method, method.order(), &top(), &mut failures);
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn orders_of_the_free_body_are_as_claimed() {
    let mut failures = Vec::new();
    for (spec, method) in methods() {
        // Without kicks strang is its rotor; other symmetric schemes raise the rotor's order.
        let rotor = spec.strip_prefix("strang+").map(|rotor| Method::parse(rotor).unwrap());
        match rotor {
            Some(rotor) => check(&spec, &method, rotor.order(), &free(), &mut failures),
            None if spec.contains('+') => {}
            None => check(&spec, &method, method.order(), &free(), &mut failures),
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
