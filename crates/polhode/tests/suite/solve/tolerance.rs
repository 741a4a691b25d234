//! The tolerance is that of the end: measured over random problems.

use polhode::glam::DVec3;
use polhode::solve::SolveMethod;
use polhode::torque::{Damping, Dependence, Function, HeavyTop, MagneticDipole, TorqueFunction};
use polhode::{Errors, FreeMotion, Inertia, Problem, SolveError, State, Torque};
use polhode_testkit::bodies::Rng;

use super::motions::{Motion, late, motion, resting, slowing, tabled, tipping, upright};
use super::{end_by_other, error};

/// Errors over tolerances, in rising order, and the problems that were refused.
fn study(count: usize, seed: u64, next: fn(&mut Rng) -> Motion) -> (Vec<f64>, Vec<Motion>) {
    let mut rng = Rng::new(seed);
    let (mut ratios, mut refused) = (Vec::new(), Vec::new());
    for i in 0..count {
        let case = next(&mut rng);
        let solver = case.problem.solver().tolerance(case.tolerance).times(&[]);
        let solution = match solver.until(case.until) {
            Ok(solution) => solution,
            Err(error) => {
                eprintln!("{i}: {}, {:e}: {error}", case.name, case.tolerance);
                refused.push(case);
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
    (ratios, refused)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index")]
fn check(count: usize, seed: u64, next: fn(&mut Rng) -> Motion) {
    let (ratios, refused) = study(count, seed, next);
    let refused = refused.len();
    assert!(ratios.len() * 100 >= count * 97, "{} of {count} compared", ratios.len());
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
fn the_end_is_as_good_as_wanted_over_a_thousand_problems() {
    for seed in 1..=3 {
        check(1000, seed, motion);
    }
}

/// A top that starts upright, where its torque is zero, and falls over again and again.
fn falling(torque: impl Into<Torque>) -> Problem {
    let inertia = Inertia::principal([0.6, 0.42, 0.77]).unwrap();
    let start = State::aligned([0.9 * 0.6, 0.45 * 0.42, 0.09 * 0.77]).unwrap();
    Problem::new(inertia, start).torque(torque)
}

#[test]
fn a_torque_that_is_zero_at_the_start_is_seen() {
    let model = HeavyTop::lagrange(6.0).unwrap();
    let pull = |_: &Inertia, _: f64, s: &State| (s.q.conjugate() * DVec3::Z).cross(DVec3::Z) * 6.0;
    let function = Function::new(Dependence::Attitude, pull);
    let vectorized = VectorizedTorque(pull);
    let problems = [falling(model), falling(function), falling(vectorized)];
    for (until, tolerance) in [(20.0, 1e-6), (25.0, 1e-5), (20.0, 1e-4)] {
        let want = falling(model).solve(until, tolerance / 100.0).unwrap().end().1;
        for (i, problem) in problems.iter().enumerate() {
            let solution = problem.solve(until, tolerance).unwrap();
            let ratio = error(&solution.end().1, &want) / tolerance;
            assert!(ratio < 10.0, "{i} until {until} to {tolerance:e}: {ratio}");
        }
        let compiled = problems[0].solver().compiled(model).tolerance(tolerance).until(until);
        let ratio = error(&compiled.unwrap().end().1, &want) / tolerance;
        assert!(ratio < 10.0, "compiled, until {until} to {tolerance:e}: {ratio}");
    }
    for problem in &problems {
        assert!(matches!(problem.solve(60.0, 1e-6), Err(SolveError::Sensitive { .. })));
    }
}

#[test]
fn a_torque_that_comes_later_is_seen() {
    check(1500, 11, late);
}

#[test]
fn a_torque_that_jumps_between_its_rows_is_met() {
    check(1000, 6, tabled);
}

/// What an error of that size, relative to the momentum and made at some time on the way, makes of the end at most, as
/// a splitting tells.
fn makes(case: &Motion, size: f64) -> f64 {
    let (problem, t0, steps) = (&case.problem, case.problem.t0(), 2048);
    let step = (case.until - t0) / f64::from(steps);
    let simulate = |problem: Problem| problem.simulate("rkn6-14+exact", step, case.until).unwrap();
    let way = simulate(problem.clone());
    let end = way.points[way.points.len() - 1].state;
    let made = way.points.iter().step_by(128).map(|point| {
        let mut there = point.state;
        there.m += DVec3::new(0.6, -0.48, 0.64) * (size * there.m.length());
        let beside = simulate(problem.clone().starting_at(point.t).starting_from(there));
        beside.points.last().map_or(0.0, |last| error(&last.state, &end))
    });
    made.fold(0.0, f64::max)
}

/// What rounding makes of a hundred steps, relative to the momentum. Where so small an error on the way makes more than
/// a tolerance of the end, there is nothing but to refuse.
const OF_STEPS: f64 = 1e-15;

#[test]
fn a_body_that_tips_over_is_no_excuse() {
    let (ratios, refused) = study(1500, 11, tipping);
    let needless = refused.iter().filter(|case| makes(case, OF_STEPS) < case.tolerance).count();
    eprintln!("{} refused, {needless} without need; {} compared", refused.len(), ratios.len());
    // The other method that would tell is refused, too, where nothing is known of the end.
    assert!(ratios.len() > 1200, "{} compared", ratios.len());
    assert!(ratios[ratios.len() * 98 / 100] < 10.0);
    assert!(needless * 100 <= 1500, "{needless} of 1500 refused without need");
}

/// What an error of that size, relative to the momentum and made at some time on the way, makes of the end of a free
/// body at most.
fn made_of(free: &Problem, until: f64, size: f64) -> f64 {
    let motion = FreeMotion::new(free.inertia(), free.start()).unwrap();
    let (want, times) = (motion.at(until).unwrap(), 64);
    let beside = (0..times).flat_map(|i| [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| (i, axis)));
    let made = beside.map(|(i, axis)| {
        let t = until * f64::from(i) / f64::from(times);
        let mut there = motion.at(t).unwrap();
        there.m += axis * (size * there.m.length());
        let end = FreeMotion::new(free.inertia(), there).unwrap().at(until - t).unwrap();
        error(&end, &want)
    });
    made.fold(0.0, f64::max)
}

#[test]
fn a_free_body_that_tips_over_is_as_good_by_any_method() {
    let (mut rng, mut ratios, mut refused, count) = (Rng::new(12), Vec::new(), 0, 500);
    for _ in 0..count {
        let Motion { problem, until, tolerance, .. } = tipping(&mut rng);
        let free = Problem::new(*problem.inertia(), problem.start());
        let want = free.solve(until, tolerance).unwrap().end().1;
        for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
            let solver = free.solver().method(method).tolerance(tolerance).times(&[]);
            match solver.until(until) {
                Ok(found) => ratios.push(error(&found.end().1, &want) / tolerance),
                Err(_) => refused += usize::from(made_of(&free, until, OF_STEPS) < tolerance),
            }
        }
    }
    // What is promised of all problems; refused without need, too.
    ratios.sort_by(f64::total_cmp);
    let (mostly, most) = (ratios[ratios.len() * 98 / 100], ratios[ratios.len() - 1]);
    eprintln!("98 % below {mostly:.2}, most {most:.2}; {refused} refused without need");
    assert!(mostly < 10.0 && most < 100.0, "98 % below {mostly}, most {most}");
    assert!(refused * 100 <= 2 * count, "{refused} of {} refused without need", 2 * count);
    assert!(ratios.len() * 10 > 2 * count * 8, "{} of {} solved", ratios.len(), 2 * count);
}

#[test]
fn errors_made_on_the_way_count_by_what_becomes_of_them() {
    // How near a top comes back is a matter of its energy, to which errors at the bottom add far more than those near
    // the start. The other method does not know of the end in one of fifteen.
    let (ratios, refused) = study(3000, 5, upright);
    assert!(
        refused.len() < 90 && ratios.len() > 2600 && ratios[ratios.len() * 98 / 100] < 10.0,
        "{}, {}",
        refused.len(),
        ratios.len()
    );
}

#[test]
fn errors_of_a_momentum_that_falls_are_relative_to_what_is_left() {
    let (ratios, refused) = study(1000, 3, slowing);
    let worst = ratios[ratios.len() - 1];
    assert!(refused.is_empty() && ratios.len() > 990 && worst < 10.0, "{worst}");
}

#[test]
fn an_estimate_is_relative_to_the_momentum_at_the_end_and_no_floor_where_one_step_will_do() {
    let mut rng = Rng::new(4);
    let (mut compared, mut far_off) = (0, 0);
    for _ in 0..500 {
        let Motion { problem, until, tolerance, name } = slowing(&mut rng);
        let solver = problem.solver().tolerance(tolerance).estimating_error();
        let solution = solver.until(until).unwrap();
        let estimate = solution.error_estimate().unwrap();
        let Some(want) = end_by_other(&problem, solution.method(), until, tolerance) else {
            continue;
        };
        let true_one = Errors::new(&solution.end().1, &want, want.m.length());
        // Below, the other method is no better.
        if true_one.momentum > 1e-10 {
            let ratio = estimate.momentum / true_one.momentum;
            assert!(ratio > 0.01, "{name}, {tolerance:e}: {estimate:?} {true_one:?}");
            far_off += usize::from(!(0.3..3.0).contains(&ratio));
            compared += 1;
        }
    }
    assert!(compared > 150 && far_off * 50 <= compared, "{far_off} of {compared}");
}

#[test]
fn a_body_at_rest_is_no_excuse() {
    // Many of them rest where nothing acts, and stay there.
    check(1000, 1, resting);
}

#[test]
fn a_top_at_rest_upright_stays_there() {
    let top = HeavyTop::lagrange(2.0).unwrap();
    let tensor = Inertia::tensor([[0.5, 0.1, 0.05], [0.1, 0.6, 0.02], [0.05, 0.02, 0.7]]).unwrap();
    for inertia in [Inertia::principal([0.5, 0.6, 0.7]).unwrap(), tensor] {
        let problem = Problem::new(inertia, State::aligned([0.0; 3]).unwrap()).torque(top);
        let solution = problem.solve(50.0, 1e-10).unwrap();
        assert_eq!(solution.end().1, problem.start());
        assert_eq!(solution.at(20.0).unwrap(), problem.start());
    }
}

/// A compass needle in a fluid: it swings until it points north.
#[test]
fn a_body_that_comes_to_rest_takes_no_more_steps() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.1, 0.4, 0.75]).unwrap();
    let needle = MagneticDipole::new([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap();
    let torque = Torque::from(needle) + Damping::new([0.3; 3]).unwrap();
    let problem = Problem::new(inertia, start).torque(torque);
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let solution = problem.solver().method(method).times(&[]).until(1000.0).unwrap();
        // Were errors relative to what rounding leaves of the momentum, it would be millions.
        assert!(solution.statistics().steps < 50_000, "{method}: {:?}", solution.statistics());
        let (_, end) = solution.end();
        let (axis, north) = (end.q * DVec3::Z, DVec3::X);
        assert!((axis - north).length() < 1e-9 && end.m.length() < 1e-9, "{axis} {}", end.m);
    }
}

/// A torque of a function that is called for several states at once.
struct VectorizedTorque<F>(F);

impl<F: Fn(&Inertia, f64, &State) -> DVec3 + Send + Sync> TorqueFunction for VectorizedTorque<F> {
    fn torque(&self, body: &Inertia, t: f64, state: &State) -> DVec3 {
        (self.0)(body, t, state)
    }

    fn is_vectorized(&self) -> bool {
        true
    }

    fn dependence(&self) -> Dependence {
        Dependence::Attitude
    }
}

#[test]
fn an_estimate_is_no_less_than_what_rounding_makes() {
    let problem = falling(HeavyTop::lagrange(6.0).unwrap());
    for tolerance in [1e-6, 1e-7] {
        let solver = problem.solver().tolerance(tolerance).method(SolveMethod::Dop853);
        let Ok(solution) = solver.estimating_error().until(40.0) else { continue };
        let estimate = solution.error_estimate().unwrap();
        // As much as neighbours of the size of rounding part until then.
        assert!(estimate.momentum > 1e-12 && estimate.attitude > 1e-12, "{estimate:?}");
    }
}
