//! Derivatives to a tolerance, along a solution and at events.

use polhode::glam::DVec3;
use polhode::solve::Event;
use polhode::tangent::{ChaosVerdict, propagated};
use polhode::torque::{Damping, HeavyTop};
use polhode::{FreeMotion, Inertia, Problem, State, Torque, so3};
use polhode_testkit::tangents::torqued_tangents;

#[test]
fn the_error_of_every_column_is_that_of_the_tolerance() {
    for case in torqued_tangents() {
        let inertia = Inertia::principal_unphysical(case.inertia.unwrap()).unwrap();
        let start = State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap();
        let top = HeavyTop::new(case.arm.unwrap(), [0.0, 0.0, 1.0]).unwrap();
        let problem = Problem::new(inertia, start).torque(top);
        for tolerance in [1e-6, 1e-9] {
            let got = problem.solve_tangent(case.t, tolerance).unwrap().at(case.t).unwrap();
            let mut worst = 0.0f64;
            let columns = (0..6).map(|k| {
                (got.tangent.state_transition.map(|row| row[k]), case.phi.map(|row| row[k]))
            });
            let by = got.by_inertia.unwrap();
            let inertia = (0..3).flat_map(|k| {
                [
                    (by.inertia.map(|row| row[k]), case.inertia_columns.map(|row| row[k])),
                    (by.inertia_off.map(|row| row[k]), case.inertia_off_columns.map(|row| row[k])),
                ]
            });
            let arm = case.arm_columns.unwrap();
            let arm = (0..3).map(|k| (got.by_parameters[k], arm.map(|row| row[k])));
            for (got, want) in columns.chain(inertia).chain(arm) {
                for rows in [0..3, 3..6] {
                    let size = |v: &[f64]| v.iter().fold(0.0f64, |l, x| l.max(x.abs()));
                    let off: Vec<f64> = rows.clone().map(|i| got[i] - want[i]).collect();
                    let largest = size(&want[rows]);
                    if largest > 0.0 {
                        assert!(off.iter().all(|x| x.is_finite()));
                        worst = worst.max(size(&off) / largest);
                    }
                }
            }
            // As for solutions: most are below the tolerance, chaotic ones may be a hundred of it.
            assert!(worst < 100.0 * tolerance, "{} {tolerance:e}: {worst:e}", case.name);
        }
    }
}

fn damped_top(strength: f64, m: [f64; 3]) -> Problem {
    let torque = Torque::from(HeavyTop::lagrange(strength).unwrap());
    let torque = torque + Damping::new([0.1, 0.2, 0.05]).unwrap();
    let start = State::new(m, so3::exp([0.5, -1.2, 0.8].into())).unwrap();
    Problem::new(Inertia::principal([1.0, 1.4, 1.9]).unwrap(), start).torque(torque)
}

#[test]
fn any_time_has_its_derivatives_either_way() {
    let problem = damped_top(0.7, [0.4, -0.3, 0.9]);
    for until in [6.0, -6.0] {
        let tangents = problem.solve_tangent(until, 1e-11).unwrap();
        for t in [0.0, 0.01 * until, 0.37 * until, until] {
            let there = tangents.at(t).unwrap();
            let whole = problem.solve_tangent(t, 1e-12).unwrap().at(t).unwrap();
            for (got, want) in there
                .tangent
                .state_transition
                .as_flattened()
                .iter()
                .zip(whole.tangent.state_transition.as_flattened())
            {
                assert!((got - want).abs() < 2e-10, "{t}: {got} {want}");
            }
        }
        let error = tangents.at(2.0 * until).unwrap_err().to_string();
        assert!(error.contains("spans"), "{error}");
    }
}

#[test]
fn events_move_with_the_start_the_inertia_and_the_parameters() {
    // Of the angular velocity too, which changes with the inertia.
    let event = |body: &Inertia, _: f64, s: &State| s.m.z - 0.2 * s.q.x + 0.3 * body.omega(s.m).y;
    let when = |problem: &Problem| {
        let function = |t: f64, s: &State| event(problem.inertia(), t, s);
        let solver = problem.solver().tolerance(1e-13).event(Event::new(function).terminal());
        solver.until(20.0).unwrap().end()
    };
    let m = [0.4, -0.3, 0.9];
    let problem = damped_top(0.7, m);
    let (t, _) = when(&problem);
    assert!(t < 19.0);
    let got = problem.solve_tangent(t, 1e-12).unwrap().at_event(t, event).unwrap();
    let h = 1e-5;
    for k in 0..3 {
        let moved = |by: f64| {
            let mut m = m;
            m[k] += by;
            when(&damped_top(0.7, m))
        };
        let ((t1, plus), (t0, minus)) = (moved(h), moved(-h));
        let want = (t1 - t0) / (2.0 * h);
        assert!((got.time_by_start[k] - want).abs() < 1e-7, "{k}: {} {want}", got.time_by_start[k]);
        let want = (plus.m - minus.m) / (2.0 * h);
        let there = got.there.tangent.state_transition;
        assert!((there[0][k] - want.x).abs() < 1e-7, "{k}: {} {}", there[0][k], want.x);
    }
    let (t1, t0) = (when(&damped_top(0.7 + h, m)).0, when(&damped_top(0.7 - h, m)).0);
    let want = (t1 - t0) / (2.0 * h);
    assert!(
        (got.time_by_parameters[2] - want).abs() < 1e-7,
        "{} {want}",
        got.time_by_parameters[2]
    );
    for k in 0..6 {
        let moved = |by: f64| {
            let mut rows = DVec3::AXES.map(|axis| problem.inertia().momentum(axis).to_array());
            let (i, j) = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)][k];
            rows[i][j] += by;
            rows[j][i] = rows[i][j];
            let body = Inertia::tensor(rows).unwrap();
            when(&Problem::new(body, problem.start()).torque(problem.torques().clone())).0
        };
        let (got, want) = (got.time_by_inertia[k], (moved(h) - moved(-h)) / (2.0 * h));
        assert!((got - want).abs() < 1e-7 * (1.0 + want.abs()), "{k}: {got} {want}");
    }
}

#[test]
fn events_that_only_touch_zero_have_no_derivatives() {
    let problem = damped_top(0.7, [0.4, -0.3, 0.9]);
    let tangents = problem.solve_tangent(5.0, 1e-12).unwrap();
    let at = |t: f64| tangents.at(t).unwrap().tangent;
    // Where the first component of the momentum is largest or smallest.
    let (mut low, mut high) = (0.0, 0.05);
    while at(low).time[0] * at(high).time[0] > 0.0 {
        (low, high) = (high, high + 0.05);
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if at(low).time[0] * at(middle).time[0] > 0.0 { low = middle } else { high = middle }
    }
    let level = at(low).state.m.x;
    let touching = tangents.at_event(low, |_, _, s: &State| s.m.x - level).unwrap();
    assert_eq!(touching.speed, 0.0);
    let times = touching.time_by_start.iter().chain(&touching.time_by_inertia);
    assert!(times.chain(&touching.time_by_parameters).all(|x| x.is_nan()));
    assert!(touching.there.tangent.state_transition.as_flattened().iter().all(|x| x.is_nan()));
    assert_eq!(touching.there.tangent.state, at(low).state);
    // A time that is not exact, as solvers find it, makes no huge numbers of it.
    for by in [1e-9, -1e-8, 1e-7, -1e-6] {
        let near = tangents.at_event(low + by, |_, _, s: &State| s.m.x - level).unwrap();
        assert_eq!(near.speed, 0.0, "{by}");
        assert!(near.time_by_start.iter().all(|x| x.is_nan()), "{by}");
    }
    // A slow crossing is one.
    let t = low + 1e-4;
    let passed = at(t).state.m.x;
    let crossing = tangents.at_event(t, |_, _, s: &State| s.m.x - passed).unwrap();
    assert!((crossing.speed - at(t).time[0]).abs() < 1e-5 * at(t).time[0].abs());
    assert!(crossing.time_by_start.iter().all(|x| x.is_finite()));
    let t = low + 0.1;
    let (level, speed) = (at(t).state.m.x, at(t).time[0]);
    let crossing = tangents.at_event(t, |_, _, s: &State| s.m.x - level).unwrap();
    assert!((crossing.speed - speed).abs() < 1e-9 * speed.abs(), "{} {speed}", crossing.speed);
    assert!(crossing.time_by_start.iter().all(|x| x.is_finite()));
}

#[test]
fn exponents_tell_order_from_chaos() {
    let body = Inertia::principal([1.0, 1.5, 2.0]).unwrap();
    let regular = Problem::new(body, State::aligned([0.4, -0.3, 0.9]).unwrap());
    let found = regular.lyapunov("exact", 0.5, 2000.0).unwrap();
    // log(t)/t.
    assert!(found.exponent.abs() < 8.0 / 2000.0, "{found:?}");
    assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::NotPositive, Some(false)));
    // An unstable turn has a positive exponent, and no chaos.
    let unstable = Problem::new(body, State::aligned([0.0, 1.0, 0.0]).unwrap());
    let found = unstable.lyapunov("exact", 0.5, 200.0).unwrap();
    assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::Positive, Some(false)));
    // A regular motion with a torque: a fast symmetric top.
    let symmetric = Inertia::principal([1.0, 1.0, 2.0]).unwrap();
    let start = State::new([0.3, 0.1, 6.0], so3::exp([0.5, 0.3, 0.2].into())).unwrap();
    let regular = Problem::new(symmetric, start).torque(HeavyTop::lagrange(0.5).unwrap());
    let found = regular.lyapunov("strang+exact", 0.05, 400.0).unwrap();
    assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::NotPositive, Some(false)));
    // A run of a few radians, of a few steps, or of none tells nothing.
    for until in [10.0, 0.1, 0.0] {
        let found = regular.lyapunov("strang+exact", 0.05, until).unwrap();
        assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::NotSettled, None), "{until}");
    }
    let top = HeavyTop::new([0.3, 0.5, 0.7], [0.0, 0.0, 1.0]).unwrap();
    let start = State::new([0.3, 0.9, 0.1], so3::exp([1.5, 0.3, 0.2].into())).unwrap();
    let chaotic = Problem::new(body, start).torque(top);
    let found = chaotic.lyapunov("strang+exact", 0.05, 2000.0).unwrap();
    assert!(
        found.exponent > 0.03 && found.spread < 0.5 * found.exponent,
        "{} {}",
        found.exponent,
        found.spread
    );
    assert_eq!(found.convergence.len(), 200);
    assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::Positive, Some(true)));
    let found = chaotic.lyapunov("strang+exact", 0.05, 40.0).unwrap();
    assert_eq!((found.verdict, found.chaotic()), (ChaosVerdict::NotSettled, None));
}

#[test]
fn a_covariance_is_carried_by_the_tangent() {
    let problem = damped_top(0.7, [0.4, -0.3, 0.9]);
    let mut start = [[0.0; 6]; 6];
    for (k, row) in start.iter_mut().enumerate() {
        row[k] = 1e-10 * (1.0 + k as f64);
    }
    start[0][1] = 5e-11;
    start[1][0] = 5e-11;
    let kept = problem.covariance("rkn6-14+exact", (0.05, 3.0, 20), &start, &[[0.0; 6]; 6]);
    // The scheme is refused: damping depends on the momentum.
    assert!(kept.is_err());
    let kept =
        problem.covariance("kahanli8+exact", (0.05, 3.0, 20), &start, &[[0.0; 6]; 6]).unwrap();
    assert_eq!(kept.iter().map(|k| k.0).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    let (_, _, end) = kept[3];
    let phi = problem.solve_tangent(3.0, 1e-12).unwrap().at(3.0).unwrap().tangent.state_transition;
    for i in 0..6 {
        for j in 0..6 {
            let mut want = 0.0;
            for k in 0..6 {
                for l in 0..6 {
                    want += phi[i][k] * start[k][l] * phi[j][l];
                }
            }
            assert!((end[i][j] - want).abs() < 1e-16, "({i},{j}): {} {want}", end[i][j]);
            assert_eq!(end[i][j], end[j][i]);
        }
    }
    for (entry, value) in [((0, 1), 1.0), ((2, 2), -1.0), ((3, 3), f64::NAN)] {
        let mut wrong = start;
        wrong[entry.0][entry.1] = value;
        let found = problem.covariance("kahanli8+exact", (0.05, 3.0, 20), &start, &wrong);
        assert!(found.unwrap_err().to_string().starts_with("covariance noise["), "{entry:?}");
    }
    // Noise is added after every step, and carried on by the next.
    let mut noise = [[0.0; 6]; 6];
    for (k, row) in noise.iter_mut().enumerate() {
        row[k] = 1e-9 * (1.0 + k as f64);
    }
    let body = Inertia::principal([1.0, 1.5, 2.0]).unwrap();
    let free = Problem::new(body, State::aligned([0.4, -0.3, 0.9]).unwrap());
    let kept = free.covariance("exact", (0.25, 2.0, 100), &start, &noise).unwrap();
    let mut want = start;
    for n in 0..8 {
        let state = FreeMotion::new(&body, free.start()).unwrap().at(0.25 * f64::from(n)).unwrap();
        let step = FreeMotion::new(&body, state).unwrap().tangent_at(0.25).unwrap();
        want = propagated(&step.state_transition, &want);
        for (k, row) in want.iter_mut().enumerate() {
            row[k] += noise[k][k] * 0.25;
        }
    }
    for (got, want) in kept[1].2.as_flattened().iter().zip(want.as_flattened()) {
        assert!((got - want).abs() < 1e-21, "{got} {want}");
    }
    // Of a body at rest it grows with time.
    let mut noise = [[0.0; 6]; 6];
    noise[3][3] = 1e-8;
    let free = Problem::new(*problem.inertia(), State::aligned([0.0; 3]).unwrap());
    let kept = free.covariance("exact", (0.1, 2.0, 100), &[[0.0; 6]; 6], &noise).unwrap();
    assert!((kept[1].2[3][3] - 2e-8).abs() < 1e-20);
}
