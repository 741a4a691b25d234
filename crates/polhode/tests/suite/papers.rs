//! Statements of the papers, in small.

use glam::DVec3;
use polhode::composition::{SCHEMES, Scheme, Stage};
use polhode::method::Method;
use polhode::observe::{Every, Invariants};
use polhode::rotor;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Plan, Problem, State, run, so3};
use polhode_elliptic::Dd;
use polhode_testkit::bodies::Rng;
use polhode_testkit::compare::slope;

/// The top of the splitting tests, its torque scaled.
fn top(strength: f64) -> Problem {
    let centre = [0.3, -0.2, 0.9].map(|x| x * strength);
    let torque = HeavyTop::new(centre, [0.1, 0.5, -0.8]).unwrap();
    let inertia = Inertia::principal_unphysical([0.345, 0.653, 1.0]).unwrap();
    let start = State::aligned([0.5, 0.2, 0.71f64.sqrt()]).unwrap();
    Problem::new(inertia, start).torque(torque)
}

fn at_one(method: &Method, problem: &Problem, steps: u64) -> State {
    let mut stepper = method.stepper(problem).unwrap();
    let plan = Plan { step: 1.0 / steps as f64, steps };
    run(problem, &mut *stepper, &plan, &mut []).unwrap().state
}

fn reference(problem: &Problem) -> State {
    at_one(&Method::parse("kahanli8:compensated+exact:compensated").unwrap(), problem, 200)
}

#[test]
fn rkn6_14_has_order_6_and_with_roles_exchanged_4() {
    let scheme = SCHEMES.iter().find(|s| s.id == "rkn6-14").unwrap();
    let exchange = |stage: &Stage| match *stage {
        Stage::Drift(a) => Stage::Kick(a),
        Stage::Kick(b) => Stage::Drift(b),
        other => other,
    };
    let stages: Vec<Stage> = scheme.stages.iter().map(exchange).collect();
    assert_eq!(stages.len(), 29);
    let exchanged = Scheme::new("rkn6-14-exchanged", 4, stages).unwrap();
    let exchanged = Method::splitting(exchanged.for_torques_of_attitude(), "exact").unwrap();
    let problem = top(1.0);
    let want = reference(&problem);
    let order = |method: &Method, counts: &[u64]| {
        let steps: Vec<f64> = counts.iter().map(|&n| 1.0 / n as f64).collect();
        let errors: Vec<f64> =
            counts.iter().map(|&n| (at_one(method, &problem, n).m - want.m).length()).collect();
        slope(&steps, &errors, 3e-15)
    };
    // Compensated: this method is at the rounding before it is at its asymptotic order.
    let method = Method::parse("rkn6-14:compensated+exact:compensated").unwrap();
    let right = order(&method, &[9, 10, 12, 14]);
    assert!((right - 6.0).abs() < 0.25, "{right}");
    let exchanged = order(&exchanged, &[24, 32, 48, 64]);
    assert!((exchanged - 4.0).abs() < 0.25, "{exchanged}");
}

#[test]
fn aba864_has_orders_8_6_4_in_the_strength_of_the_torque() {
    let method = Method::parse("aba864:compensated+exact:compensated").unwrap();
    let e = 0.05;
    let error = |strength: f64, steps: u64| {
        let problem = top(strength);
        at_one(&method, &problem, steps).m - reference(&problem).m
    };
    // error = a e + b e² + c e³ + ..., taken apart by differences in e.
    let parts = |steps: u64| -> [DVec3; 3] {
        let [p1, m1, p2, m2] = [e, -e, 2.0 * e, -2.0 * e].map(|s| error(s, steps));
        let odd = [(p1 - m1) / (2.0 * e), (p2 - m2) / (4.0 * e)];
        let even = [(p1 + m1) / (2.0 * e * e), (p2 + m2) / (8.0 * e * e)];
        [
            (odd[0] * 4.0 - odd[1]) / 3.0,
            (even[0] * 4.0 - even[1]) / 3.0,
            (odd[1] - odd[0]) / (3.0 * e * e),
        ]
    };
    for (part, order, counts) in
        [(0, 8.0, [3, 4, 5, 6]), (1, 6.0, [4, 5, 6, 8]), (2, 4.0, [5, 6, 8, 10])]
    {
        let steps = counts.map(|n: u64| 1.0 / n as f64);
        let errors = counts.map(|n| parts(n)[part].length());
        let measured = slope(&steps, &errors, 1e-13);
        assert!((measured - order).abs() < 0.5, "part {}: {measured} {errors:?}", part + 1);
    }
}

/// Twice the energy in double-double: what a double would round is what is to be seen.
fn energy(inertia: &Inertia, m: DVec3) -> Dd {
    let moments = inertia.moments();
    (0..3).fold(Dd::ZERO, |sum, i| sum + Dd::product(m[i], m[i]) / Dd::from(moments[i]))
}

/// Mean and standard deviation of the energy error, in eps, over trajectories close to Vilmart's, after
/// a quarter of the steps and after all.
fn round_off(spec: &str, trajectories: u32, steps: u32) -> [(f64, f64); 2] {
    let inertia = Inertia::principal_unphysical([0.345, 0.653, 1.0]).unwrap();
    let mut rng = Rng::new(44);
    let mut errors = [Vec::new(), Vec::new()];
    for _ in 0..trajectories {
        let m = DVec3::new(0.5, 0.2, 0.71f64.sqrt())
            + DVec3::from_array(core::array::from_fn(|_| rng.uniform(-0.01, 0.01)));
        let mut state = State::aligned(m.normalize()).unwrap();
        let first = energy(&inertia, state.m);
        let mut rotor = rotor::build(spec, &inertia).unwrap();
        for n in 1..=steps {
            rotor.step(0.01, &mut state).unwrap();
            let error = || ((energy(&inertia, state.m) - first) / first).hi() / f64::EPSILON;
            if n == steps / 4 {
                errors[0].push(error());
            }
            if n == steps {
                errors[1].push(error());
            }
        }
    }
    errors.map(|e| {
        let n = e.len() as f64;
        let mean = e.iter().sum::<f64>() / n;
        (mean, (e.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
    })
}

#[test]
fn the_long_run_of_001_stays_bounded() {
    // Section 4.3: h = 0.5 to t = 5e4 with the driver's method.
    let inertia =
        Inertia::principal_unphysical([1.0, 1.0126869887825154, 3.3062374224730378]).unwrap();
    let up = [9.558_630_354_723_853_6e-5, 4.877_731_824_720_146_5e-4, -8.677_214_881_719_239e-4];
    let torque = HeavyTop::new([0.0, 0.0, 1.0], up).unwrap();
    let m = [-0.34790957088547336, -0.19822914599675923, -0.91633189192763642];
    let start = State::new(m, so3::from_wxyz([1.0, 0.0, 0.0, 0.0])).unwrap();
    let problem = Problem::new(inertia, start).torque(torque);
    let mut stepper = Method::parse("frb").unwrap().stepper(&problem).unwrap();
    let plan = Plan::until(0.0, 0.5, 5e4).unwrap();
    let mut invariants = Every::new(10, Invariants::default());
    let summary = run(&problem, &mut *stepper, &plan, &mut [&mut invariants]).unwrap();
    assert_eq!(summary.step, 100_000);
    let energy = invariants.inner().energy().unwrap();
    let norm = invariants.inner().momentum_norm().unwrap();
    eprintln!("energy {energy:?}, |m| {norm:?}");
    // 1e5 steps of fourteen drifts: a walk of 1e-13; the scheme's own error is 2e-14.
    assert!(energy.max_error < 1e-12, "{energy:?}");
    // The torque is 1e-3: the momentum stays within that of where it was.
    assert!(norm.max_error < 2e-3, "{norm:?}");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn vilmarts_experiment_in_small() {
        // 25 trajectories, 4e4 steps of 0.01: `polhode reproduce vilmart` has a thousand of 1e6. The standard
        // error of a mean is sd/5.
        let (trajectories, steps) = (25, 40_000);
        let standard = round_off("jacobi-standard", trajectories, steps);
        let vilmart = round_off("jacobi-vilmart", trajectories, steps);
        let dmv = round_off("dmv", trajectories, steps);
        let compensated = round_off("dmv:compensated", trajectories, steps);
        eprintln!(
            "standard {standard:?}\nvilmart {vilmart:?}\ndmv {dmv:?}\ncompensated {compensated:?}"
        );
        // Linear: the mean grows fourfold with four times the steps, far beyond its standard error.
        let [(early, _), (late, sd)] = standard;
        assert!(late.abs() > 10.0 * sd / 5.0, "no drift: {standard:?}");
        assert!((late / early - 4.0).abs() < 1.0, "not linear: {standard:?}");
        // Random walk: no mean to speak of, and a deviation that doubles.
        for [(_, early), (mean, late)] in [vilmart, dmv] {
            assert!(mean.abs() < 4.0 * late / 5.0, "a drift: {mean} of {late}");
            assert!((late / early - 2.0).abs() < 0.8, "no square root: {early} {late}");
        }
        // About 1/h less; at this length the floor of the last rounding is part of it.
        assert!(compensated[1].1 < 0.05 * dmv[1].1, "{compensated:?}");
    }
}
