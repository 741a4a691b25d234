//! Errors at the end against solutions that share nothing with the solver.

use polhode::glam::DVec3;
use polhode::solve::{ClosureTorque, SolveMethod, Solver};
use polhode::torque::{
    ConstantTorque, CoulombWall, Damping, Dependence, Function, GravityGradient, HeavyTop, TORQUES,
    Torque,
};
use polhode::{FreeMotion, Inertia, Problem, SolveError, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::bodies::Rng;
use polhode_testkit::oracle::{Potential, torqued_cases};

use super::{error, top};

const BOTH: [SolveMethod; 2] = [SolveMethod::Extrapolation, SolveMethod::Dop853];

/// A body that a constant torque spins up to fifty times as fast. Its end was computed in quadruple precision, from the
/// doubles that stand here.
#[test]
fn over_thousands_of_radians_steps_are_kept_short_where_long_ones_would_round_too_much() {
    let inertia = Inertia::principal([
        0.095_642_358_532_598_67,
        0.245_373_174_992_192_8,
        0.288_314_408_706_150_94,
    ]);
    let q = [
        0.628_034_807_609_177_8,
        0.010_258_388_109_466_474,
        -0.602_634_878_582_235_3,
        -0.492_238_000_382_816,
    ];
    let m = [0.115_516_710_803_322_39, 0.661_396_291_885_725_8, -0.741_087_602_517_403_8];
    let start = State::new(m, so3::from_wxyz(q)).unwrap();
    let pull = [-3.515_172_868_031_921_6, -3.231_001_891_266_426, -0.889_648_945_714_663_1];
    let problem = Problem::new(inertia.unwrap(), start)
        .torque(ConstantTorque::space(pull).unwrap())
        .starting_at(2.340_151_454_628_959);
    let m = [57.299_266_896_142_95, 3.395_799_930_154_215_7, -2.526_833_352_285_576_6];
    let q = [
        -0.196_676_074_140_055_6,
        -0.298_630_364_353_374_4,
        0.557_328_436_717_937_9,
        0.749_348_677_834_668_4,
    ];
    let want = State::new(m, so3::from_wxyz(q)).unwrap();
    let solve = |tolerance| {
        let solver = problem.solver().tolerance(tolerance).times(&[]);
        solver.until(14.298_576_262_171_087)
    };
    let mut steps = Vec::new();
    for tolerance in [2e-10, 7.5e-11] {
        let solution = solve(tolerance).unwrap();
        let off = error(&solution.end().1, &want) / tolerance;
        assert!(off < 5.0, "{tolerance:e}: {off}");
        steps.push(solution.statistics().steps);
    }
    assert!(steps[1] > 4 * steps[0], "{steps:?}");
    // 3,550 radians are too many for that.
    assert!(matches!(solve(2e-11), Err(SolveError::Rounding { .. })));
}

#[test]
fn reference_solutions_are_met_at_every_tolerance() {
    for case in torqued_cases() {
        let torque: Torque = match case.potential {
            Potential::Linear(c) => HeavyTop::new([0.0, 0.0, c], case.u_space).unwrap().into(),
            Potential::CoulombWall { sign } if sign > 0.0 => CoulombWall::printed().into(),
            _ => CoulombWall::physical().into(),
        };
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let q = so3::from_wxyz(case.quaternion0.map(Dd::hi));
        let start = State::new(case.momentum0.map(Dd::hi), q).unwrap();
        let problem = Problem::new(inertia, start).torque(torque);
        let momentum: DVec3 = case.momentum.map(Dd::hi).into();
        let want = State { m: momentum, q: so3::from_wxyz(case.quaternion.map(Dd::hi)) };
        for method in BOTH {
            for tolerance in [1e-4, 1e-7, 1e-10] {
                let solver = problem.solver().method(method).tolerance(tolerance).times(&[]);
                // Some are too long or too sensitive for some tolerances, and say so.
                let Ok(solution) = solver.until(case.t.hi()) else { continue };
                let got = solution.end().1;
                let off = error(&got, &want);
                // What is promised of nearly all, and of the one with the less cautious estimate, of all.
                let most = if method == SolveMethod::Dop853 { 100.0 } else { 10.0 };
                assert!(off < most * tolerance, "{}, {method}, {tolerance:e}: {off:e}", case.name);
                // On the continuous branch.
                assert!(got.q.dot(want.q) > 0.0, "{}", case.name);
            }
        }
    }
}

/// The end by a splitting method in steps so short that it is as good as rounding allows.
fn by_splitting(problem: &Problem, until: f64) -> State {
    let scheme =
        if problem.torques().dependence() == Dependence::Momentum { "kahanli8" } else { "rkn6-14" };
    let method = format!("{scheme}:compensated+exact:compensated");
    let steps = 4096.0;
    let trajectory =
        problem.simulate(method.as_str(), (until - problem.t0()) / steps, until).unwrap();
    trajectory.points.last().unwrap().state
}

fn tilted() -> Inertia {
    Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 3.0, 0.4], [-0.2, 0.4, 2.5]]).unwrap()
}

#[test]
fn every_torque_on_every_kind_of_body() {
    let bodies = [
        Inertia::principal([1.0, 2.0, 2.5]).unwrap(),
        Inertia::principal([2.5, 1.0, 2.0]).unwrap(),
        Inertia::principal([2.0, 2.0, 1.0]).unwrap(),
        Inertia::principal([2.0, 2.0, 2.0]).unwrap(),
        tilted(),
    ];
    let v = [0.3, -0.5, 0.7];
    let models = TORQUES.iter().filter(|entry| entry.kind != "none");
    let models = models.map(|entry| (entry.kind, entry.build(&entry.example()).unwrap()));
    let others: [(&str, Torque); 7] = [
        ("top", HeavyTop::new(v, [0.0, 0.0, 1.0]).unwrap().into()),
        ("up another way", HeavyTop::new(v, [0.5, -2.0, 0.7]).unwrap().into()),
        ("hanging", HeavyTop::new(v, [0.0, 0.0, -1.5]).unwrap().into()),
        ("all but hanging", HeavyTop::new(v, [1e-9, -1e-9, -1.5]).unwrap().into()),
        ("all but standing", HeavyTop::new(v, [1e-9, 0.0, 1.5]).unwrap().into()),
        ("thrust", ConstantTorque::body(v).unwrap().into()),
        (
            "sum",
            Torque::from(HeavyTop::lagrange(0.5).unwrap())
                + Damping::new([0.1, 0.05, 0.2]).unwrap()
                + GravityGradient::new(0.3, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]).unwrap(),
        ),
    ];
    let torques: Vec<(&str, Torque)> = models.chain(others).collect();
    let starts = [[0.6, 1.5, -0.4], [0.0, 0.0, 0.0]];
    for inertia in bodies {
        for (name, torque) in &torques {
            for (momentum, until) in [(starts[0], 5.0), (starts[0], -2.0), (starts[1], 3.0)] {
                let start = State::new(momentum, so3::exp([0.4, 1.0, -0.3].into())).unwrap();
                let problem = Problem::new(inertia, start).torque(torque.clone()).starting_at(0.7);
                // What is at rest stays there, and its errors are in proportion to nothing.
                if momentum == starts[1] && problem.torque_at(0.7, &start) == DVec3::ZERO {
                    continue;
                }
                let want = by_splitting(&problem, until);
                for method in BOTH {
                    for tolerance in [1e-5, 1e-9, 1e-12] {
                        let solver = problem.solver().method(method).tolerance(tolerance);
                        let solution = solver.until(until).unwrap();
                        let off = error(&solution.end().1, &want);
                        // What the splitting is off by itself.
                        assert!(
                            off < 10.0 * tolerance + 2e-12,
                            "{name}, {method}, {tolerance:e}: {off:e}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_closed_form_is_that_of_the_free_motion() {
    let start = State::aligned([0.3, 1.4, 0.2]).unwrap();
    let problem = Problem::new(tilted(), start).starting_at(2.0);
    let solution = problem.solve(1e4, 1e-10).unwrap();
    assert_eq!(solution.method(), SolveMethod::ClosedForm);
    let motion = FreeMotion::new(&tilted(), start).unwrap();
    for t in [2.0, 3.5, 777.0, 1e4] {
        assert_eq!(solution.at(t).unwrap(), motion.at(t - 2.0).unwrap());
    }
    // The others reach the same.
    let want = motion.at(18.0).unwrap();
    for method in BOTH {
        let solution = problem.solver().method(method).tolerance(1e-10).until(20.0).unwrap();
        let off = error(&solution.end().1, &want);
        assert!(off < 1e-9, "{method}: {off:e}");
    }
}

#[test]
fn closures_are_compiled_in_or_called() {
    let pull = |s: &State| (s.q.conjugate() * DVec3::Z).cross(DVec3::Z) - s.m * 0.01;
    for inertia in [Inertia::principal([1.0, 5.0, 6.0]).unwrap(), tilted()] {
        let start = State::aligned([3.0, 4.0, 5.0]).unwrap();
        let free = Problem::new(inertia, start);
        let inlined = ClosureTorque::new(move |t: f64, s: &State| pull(s) + DVec3::X * t.cos());
        let compiled = free.solver().compiled(inlined).tolerance(1e-11).until(4.0).unwrap();
        assert_eq!(compiled.method(), SolveMethod::Extrapolation);
        let torque = Function::new(Dependence::Momentum, move |_: &Inertia, t: f64, s: &State| {
            pull(s) + DVec3::X * t.cos()
        });
        let called = free.clone().torque(torque).solve(4.0, 1e-11).unwrap();
        assert_eq!(called.method(), SolveMethod::Dop853);
        let off = error(&compiled.end().1, &called.end().1);
        assert!(off < 1e-10, "{off:e}");
    }
}

#[test]
fn forms_of_torques_in_a_step_are_the_models_themselves() {
    // A step has its own forms of a pull and of a gravity gradient; compiled in, the models are as they are.
    let mut rng = Rng::new(7);
    let mut next = || rng.uniform(-1.0, 1.0);
    for round in 0..20 {
        let vector = |next: &mut dyn FnMut() -> f64| [next(), next(), next()];
        let moments = [2.0, 3.0, 3.5].map(|middle| middle + 0.5 * next());
        let inertia = if round % 2 == 0 { Inertia::principal(moments).unwrap() } else { tilted() };
        let attitude = so3::exp(DVec3::from(vector(&mut next)) * 3.0);
        let start = State::new(vector(&mut next).map(|x| 5.0 * x), attitude).unwrap();
        let problem = Problem::new(inertia, start).starting_at(next());
        let until = problem.t0() + 0.2;
        let centre = if round % 4 < 2 { [0.0, 0.0, next()] } else { vector(&mut next) };
        let top = HeavyTop::new(centre, vector(&mut next)).unwrap();
        let normal = DVec3::from(vector(&mut next)).normalize();
        let towards = normal.any_orthonormal_vector();
        let orbit = GravityGradient::new(0.7, normal.to_array(), towards.to_array()).unwrap();
        let one_step = |form: Problem, model: Solver<'_>| {
            let solver = form.solver().tolerance(1e-6).first_step(1.0).times(&[]);
            let (a, b) = (solver.until(until).unwrap(), model.until(until).unwrap());
            assert_eq!((a.statistics().steps, b.statistics().steps), (1, 1));
            let off = error(&a.end().1, &b.end().1);
            // Weights whose magnitudes add up to 1,427 leave some 1e-13 of rounding.
            assert!(off < 1e-12, "{off:e} for {form:?}");
        };
        let model = || problem.solver().tolerance(1e-6).first_step(1.0).times(&[]);
        one_step(problem.clone().torque(top), model().compiled(top));
        one_step(problem.clone().torque(orbit), model().compiled(orbit));
    }
}

#[test]
fn units_do_not_matter() {
    let want = top().solve(1.0, 1e-9).unwrap();
    // Powers of two: of mass times length squared, and of time.
    for (mass, time) in [(120, 0), (-300, 0), (0, 200), (0, -200), (-100, -100)] {
        let (mass, time) = (2.0_f64.powi(mass), 2.0_f64.powi(time));
        let inertia = Inertia::principal([mass, 5.0 * mass, 6.0 * mass]).unwrap();
        let start = State::aligned([10.0, 50.0, 60.0].map(|m| m * (mass / time))).unwrap();
        let strength = mass / time / time;
        let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(strength).unwrap());
        let got = problem.solve(time, 1e-9).unwrap();
        let scaled = State { m: got.end().1.m * (time / mass), q: got.end().1.q };
        assert_eq!(scaled, want.end().1);
        assert_eq!(got.statistics(), want.statistics());
    }
}

#[test]
fn steps_end_where_a_torque_jumps() {
    let switch = |_: &Inertia, t: f64, s: &State| {
        if t < 1.0 { DVec3::X } else { s.q.conjugate() * DVec3::Y * -2.0 }
    };
    let start = State::aligned([1.0, 2.0, 0.5]).unwrap();
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let problem = Problem::new(inertia, start).torque(Function::new(Dependence::Attitude, switch));
    // In two parts, each of which is smooth.
    let first = Problem::new(inertia, start).torque(ConstantTorque::body([1.0, 0.0, 0.0]).unwrap());
    let at_one = first.solve(1.0, 1e-12).unwrap().end().1;
    let second = Problem::new(inertia, at_one)
        .torque(ConstantTorque::space([0.0, -2.0, 0.0]).unwrap())
        .starting_at(1.0);
    let want = second.solve(3.0, 1e-12).unwrap().end().1;
    let with = problem.solver().tolerance(1e-9).stops(&[1.0]).until(3.0).unwrap();
    assert!(with.times().contains(&1.0));
    let off = error(&with.end().1, &want);
    assert!(off < 1e-8, "{off:e}");
    // Without, steps fail on the jump.
    let without = problem.solver().tolerance(1e-9).until(3.0).unwrap();
    assert!(without.statistics().evaluations > with.statistics().evaluations);
}

#[test]
fn the_error_is_estimated_on_request() {
    let want = top().solve(1.0, 1e-13).unwrap().end().1;
    for tolerance in [1e-4, 1e-7] {
        let solution = top().solver().tolerance(tolerance).estimating_error().until(1.0).unwrap();
        let estimate = solution.error_estimate().unwrap().worst();
        let off = error(&solution.end().1, &want);
        assert!(estimate < 10.0 * off && off < 10.0 * estimate, "{estimate:e} {off:e}");
    }
    assert!(top().solve(1.0, 1e-6).unwrap().error_estimate().is_none());
}
