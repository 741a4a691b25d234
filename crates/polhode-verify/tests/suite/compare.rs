//! Work and precision: orders, recommendations, failures, and the same numbers on any number of
//! threads.

use polhode::glam::DVec3;
use polhode::method::MethodError;
use polhode::observe::{Every, Trajectory};
use polhode::solve::SolveMethod;
use polhode::torque::{Damping, Dependence, Function, HeavyTop};
use polhode::{Control, Inertia, Plan, Problem, State, run, so3};
use polhode_verify::Reference;
use polhode_verify::compare::{
    CompareError, Comparison, Contender, Measurement, Setup, TrialError, TuningError, suggested,
};

use crate::problems;

fn top() -> Problem {
    let inertia = Inertia::principal([1.0, 1.4, 1.9]).unwrap();
    let torque = HeavyTop::new([0.1, 0.2, 1.0], [0.3, 0.0, 1.0]).unwrap();
    problems::problem(&inertia, torque, problems::tumbling()).starting_at(0.0)
}

fn damped() -> Problem {
    let inertia = problems::tensor();
    let damping = Damping::new([0.1, 0.2, 0.3]).unwrap();
    problems::problem(&inertia, damping, problems::tumbling())
}

fn compare(
    problem: &Problem,
    until: f64,
    ids: &[&str],
    steps: &[f64],
    wanted: Option<f64>,
) -> Result<Comparison, CompareError> {
    let contenders = ids.iter().map(|id| Contender::parse(id).unwrap()).collect();
    let setup = Setup::new(until, contenders, steps.to_vec()).wanted(wanted);
    Comparison::new(problem, setup, &Control::default())
}

const STEPS: [f64; 5] = [0.2, 0.1, 0.05, 0.025, 0.0125];

#[test]
fn solutions_are_measured_beside_the_methods() {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
    let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(1.0).unwrap());
    let ids = ["strang+exact", "rkn6-14+exact"];
    let contenders = ids.map(|id| Contender::parse(id).unwrap()).to_vec();
    let setup = Setup::new(5.0, contenders, vec![0.1, 0.05]);
    let solvers = vec![SolveMethod::Extrapolation, SolveMethod::Dop853];
    let setup = setup.solving(solvers, vec![1e-4, 1e-8]);
    let comparison = Comparison::new(&problem, setup, &Control::default()).unwrap();
    let solutions = comparison.solutions();
    assert_eq!((comparison.trials().len(), solutions.len()), (4, 4));
    for solution in solutions {
        let measured = solution.result.as_ref().unwrap();
        let (error, end) = (measured.error.worst(), measured.error_at_end.worst());
        assert!(end > 0.0 && end < 10.0 * solution.tolerance, "{solution:?}");
        assert!(error >= end && measured.steps > 0 && measured.cost.torque_evaluations > 0);
        assert!(measured.cost.seconds > 0.0);
    }
    let error = |n: usize| solutions[n].result.as_ref().unwrap().error.worst();
    let wanted = 0.5 * error(0).min(error(2));
    assert_eq!(comparison.quickest_solution(wanted).unwrap().0.tolerance, 1e-8);
    assert!(comparison.quickest_solution(1e-18).is_none());
    let best = comparison.best_at_steps();
    assert_eq!(
        best.iter().map(|t| (t.contender, t.step)).collect::<Vec<_>>(),
        [(1, 0.1), (1, 0.05)]
    );
    // The closed form has no tolerance, and of a torqued body none.
    let setup =
        Setup::new(5.0, vec![], vec![]).solving(vec![SolveMethod::ClosedForm], vec![1e-4, 1e-8]);
    let free = Comparison::new(&Problem::new(inertia, start), setup.clone(), &Control::default());
    let free = free.unwrap();
    assert_eq!(free.solutions().len(), 1);
    assert!(free.solutions()[0].result.as_ref().unwrap().error.worst() < 1e-15);
    let torqued = Comparison::new(&problem, setup, &Control::default()).unwrap();
    assert!(torqued.solutions()[0].result.is_err());
}

#[test]
fn observed_orders_are_those_of_the_methods() {
    let methods = [
        ("strang+exact", 2.0),
        ("trap", 2.0),
        ("rkn4-6+exact", 4.0),
        ("rk4", 4.0),
        ("rkmk4", 4.0),
        ("rkn6-14+exact", 6.0),
        ("kahanli8+exact", 8.0),
    ];
    let ids = methods.map(|m| m.0);
    let comparison = compare(&top(), 4.0, &ids, &STEPS, None).unwrap();
    // Longer steps, where methods of high order are above rounding.
    let long = compare(&top(), 4.0, &ids[5..], &[0.4, 0.25, 0.2, 0.16], None).unwrap();
    for (i, (id, want)) in methods.into_iter().enumerate() {
        let order = if i < 5 { comparison.observed_order(i) } else { long.observed_order(i - 5) };
        let order = order.unwrap();
        assert!((order - want).abs() < 0.2, "{id}: {order}");
    }
    // Errors as large as the motion show no order; three smaller ones do.
    let steps = [0.05, 0.025, 0.0125];
    assert_eq!(compare(&top(), 4.0, &["fe"], &steps, None).unwrap().observed_order(0), None);
    let steps = [0.025, 0.0125, 0.00625];
    let order = compare(&top(), 4.0, &["fe"], &steps, None).unwrap().observed_order(0).unwrap();
    assert!((order - 1.0).abs() < 0.05, "{order}");
}

#[test]
fn rounding_that_the_motion_enlarges_shows_no_order() {
    // Close to the separatrix: errors of 1e-8 in steps of any length, of exact ones, too.
    let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
    let free = |m: DVec3| Problem::new(inertia, State::aligned(m).unwrap());
    let problem = free(inertia.momentum([0.01, 12.0, 0.0]));
    let ids = ["dmv", "exact", "three-rotations", "rk4"];
    let comparison = compare(&problem, 60.0, &ids, &[0.01, 0.005, 0.0025, 0.00125], None).unwrap();
    let orders: Vec<_> = (0..4).map(|i| comparison.observed_order(i)).collect();
    assert_eq!(orders[..2], [None, None]);
    assert!((orders[2].unwrap() - 2.0).abs() < 0.1, "{orders:?}");
    // Two errors above rounding are one slope, 4.7, and no order.
    assert_eq!(orders[3], None);
    assert!((1e-8..1e-5).contains(&comparison.floor()), "{}", comparison.floor());
    // Far from it nothing is lost.
    let problem = free(DVec3::new(3.0, 1.0, 2.0));
    let comparison = compare(&problem, 10.0, &ids, &[0.2, 0.1], None).unwrap();
    assert!(comparison.floor() < 1e-12, "{}", comparison.floor());
}

/// The error and the evaluations of a run with n steps, without the library's own comparison.
fn brute(problem: &Problem, reference: &Reference, contender: &Contender, n: u64) -> (f64, u64) {
    let mut stepper = contender.method.stepper(problem).unwrap();
    let until = *reference.times().last().unwrap();
    let plan = Plan { step: until / n as f64, steps: n };
    let mut watch = Every::new(n / 8, Trajectory::default());
    let summary = run(problem, &mut *stepper, &plan, &mut [&mut watch]).unwrap();
    let lengths = reference.states().iter().map(|s| s.m.length());
    let scale = lengths.fold(problem.start().m.length(), f64::max);
    let errors = watch.inner().points[1..].iter().zip(reference.states()).map(|(got, want)| {
        let momentum = (got.state.m - want.m).length() / scale;
        momentum.max(so3::angle_between(got.state.q, want.q))
    });
    (errors.fold(0.0, f64::max), summary.torque_evaluations)
}

/// The fewest steps, a multiple of eight up to some thousands, by trying ever more.
fn fewest(
    problem: &Problem,
    reference: &Reference,
    contender: &Contender,
    wanted: f64,
) -> Option<(u64, u64)> {
    let mut parts = 4;
    while parts <= 2000 {
        let (error, evaluations) = brute(problem, reference, contender, 8 * parts);
        if error <= wanted {
            return Some((8 * parts, evaluations));
        }
        // By less than the precision of the search.
        parts = (parts * 102 / 100).max(parts + 1);
    }
    None
}

/// Everything but the times.
fn numbers(comparison: &Comparison) -> Vec<(f64, Option<Measurement>)> {
    let tuned = comparison.tuned().iter().filter_map(|t| t.trial.as_ref().ok());
    let all = comparison.trials().iter().chain(tuned);
    all.map(|trial| {
        let mut measured = trial.result.as_ref().ok().copied();
        if let Some(measured) = &mut measured {
            measured.cost.seconds = 0.0;
        }
        (trial.step, measured)
    })
    .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_numbers() {
    let problem = damped();
    let ids = ["strang+exact", "s6-10+dmv", "trap", "rkmk:tableau=gauss2", "rkn6-14+exact"];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| numbers(&compare(&problem, 5.0, &ids, &STEPS, Some(1e-6)).unwrap()))
    };
    let one = on(1);
    assert!(one.len() > 25 && one.iter().any(|(_, m)| m.is_none()));
    assert_eq!(one, on(4));
    assert_eq!(one, on(3));
}

#[test]
fn what_fails_is_a_row() {
    let comparison = compare(
        &damped(),
        3.3,
        &["rkn6-14+exact", "exact", "strang+exact"],
        &[0.1, -0.1, 1e-12],
        Some(1e-5),
    )
    .unwrap();
    let results: Vec<_> = comparison.trials().iter().map(|t| &t.result).collect();
    assert_eq!(results.len(), 9);
    for refused in &results[..6] {
        let error = refused.as_ref().unwrap_err();
        let method = matches!(
            error,
            TrialError::Method(
                MethodError::TorqueOfMomentum { .. } | MethodError::RotorWithTorque { .. }
            )
        );
        assert!(method || matches!(error, TrialError::Plan(_) | TrialError::TooManySteps { .. }));
    }
    assert!(results[6].is_ok());
    assert!(matches!(results[7], Err(TrialError::Plan(_))));
    assert!(matches!(results[8], Err(TrialError::TooManySteps { .. })));
    let tuned: Vec<_> = comparison.tuned().iter().map(|t| t.trial.as_ref().map(|_| ())).collect();
    assert_eq!(tuned, [Err(&TuningError::Failed), Err(&TuningError::Failed), Ok(())]);
    // Blows up on the way.
    let comparison = compare(&top(), 40.0, &["fe"], &[5.0], None).unwrap();
    match &comparison.trials()[0].result {
        Ok(measured) => assert!(measured.error.worst() > 0.1),
        Err(error) => assert!(matches!(error, TrialError::Run(_)), "{error}"),
    }
}

#[test]
fn errors_are_nothing_but_rounding_where_the_method_is_exact() {
    let problem = problems::free();
    let comparison = compare(&problem, 50.3, &["exact", "rk4"], &[0.5, 0.25], Some(1e-9)).unwrap();
    assert_eq!(comparison.reference().converged(), None);
    assert_eq!(comparison.observed_order(0), None);
    let exact = comparison.trials()[0].result.as_ref().unwrap();
    // What the rotor promises, 8 eps (1 + |m| h/I1), in each of a hundred steps.
    assert!(exact.error.worst() < 4e-13, "{exact:?}");
    let cheapest = comparison.cheapest(|cost| cost.seconds).unwrap();
    assert_eq!(cheapest.contender, 0);
    // As long as a run that is looked at can be.
    assert_eq!(cheapest.result.as_ref().unwrap().steps, 8);
}

#[test]
fn rounding_is_told_from_a_step_too_long() {
    let comparison = compare(&top(), 40.0, &["rk4", "fe"], &[0.01, 0.001], Some(1e-13)).unwrap();
    let tuned: Vec<_> = comparison.tuned().iter().map(|t| t.trial.as_ref().err()).collect();
    assert!(
        matches!(tuned[0], Some(TuningError::Floor { .. } | TuningError::TooFar { .. })),
        "{tuned:?}"
    );
    assert!(matches!(tuned[1], Some(TuningError::TooFar { .. })), "{tuned:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refused = |until, wanted| compare(&top(), until, &["rk4"], &[0.1], wanted).unwrap_err();
    assert!(matches!(refused(f64::NAN, None), CompareError::Until { .. }));
    assert!(matches!(refused(0.0, None), CompareError::Until { .. }));
    for wanted in [0.0, -1.0, 1e-17, f64::NAN, f64::INFINITY] {
        let error = refused(1.0, Some(wanted));
        assert!(matches!(error, CompareError::Wanted { .. }), "{error}");
    }
    assert!(matches!(refused(1e15, None), CompareError::Reference(_)));
}

#[test]
fn suggestions_fit_the_torque() {
    let nonlinear = Function::new(Dependence::Momentum, |_, _, s: &State| s.m * -s.m.length());
    let problems = [
        problems::free(),
        top(),
        damped(),
        problems::problem(&problems::tensor(), nonlinear, problems::tumbling()),
    ];
    for problem in problems {
        let ids = suggested(&problem);
        let comparison = compare(&problem, 1.3, ids, &[0.01], None).unwrap();
        for trial in comparison.trials() {
            assert!(trial.result.is_ok(), "{}: {:?}", ids[trial.contender], trial.result);
        }
    }
}

#[test]
fn progress_adds_up_to_all_steps() {
    let contenders = ["rk4", "trap"].map(|id| Contender::parse(id).unwrap()).to_vec();
    let setup = Setup::new(1.0, contenders, vec![0.1, 0.3, 0.01]);
    let total = setup.total_steps(0.0);
    assert_eq!(total, 2 * (10 + 4 + 100));
    let (sender, told) = std::sync::mpsc::channel();
    let control = Control::default().telling(move |part| sender.send(part).unwrap());
    Comparison::new(&top(), setup, &control).unwrap();
    drop(control);
    let mut parts: Vec<f64> = told.iter().collect();
    assert_eq!(parts.pop(), Some(1.0), "the end");
    parts.sort_by(f64::total_cmp);
    assert_eq!(parts.last(), Some(&1.0), "the last step");
    assert_eq!(parts.len(), 2 * (8 + 4 + 8), "every moment a run is looked at");
    assert!(parts.windows(2).all(|pair| pair[0] < pair[1]), "{parts:?}");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn the_recommendation_is_that_of_brute_force() {
        let problem = top();
        let times: Vec<f64> = (1..=8).map(|k| 5.0 * f64::from(k)).collect();
        let reference = Reference::at_times(&problem, &times, &Control::default()).unwrap();
        let ids = ["strang+exact", "rkn4-6+exact", "rk4", "rkn6-14+exact", "rkmk4"];
        for wanted in [1e-4, 1e-7, 1e-10] {
            let found = compare(&problem, 40.0, &ids, &STEPS, Some(wanted)).unwrap();
            let mut cheapest = (u64::MAX, 0);
            for (i, contender) in found.contenders().iter().enumerate() {
                let fewest = fewest(&problem, &reference, contender, wanted);
                let tuned = found.tuned()[i].trial.as_ref().map(|t| *t.result.as_ref().unwrap());
                match (fewest, tuned) {
                    (Some((steps, _)), Ok(measured)) => {
                        let ratio = measured.steps as f64 / steps as f64;
                        let id = ids[i];
                        assert!((0.94..1.06).contains(&ratio), "{id} {wanted:e}: {ratio}, {steps}");
                        assert!(measured.error.worst() <= wanted);
                    }
                    (Some(_), Err(e)) => panic!("{} {wanted:e}: {e}", ids[i]),
                    (None, Ok(measured)) => assert!(measured.steps > 15_500, "{measured:?}"),
                    (None, Err(e)) => assert!(matches!(e, TuningError::TooFar { .. }), "{e}"),
                }
                cheapest = cheapest.min((fewest.map_or(u64::MAX, |f| f.1), i));
            }
            let chosen = found.cheapest(|cost| cost.torque_evaluations as f64).unwrap();
            assert_eq!(chosen.contender, cheapest.1, "{wanted:e}");
            let quickest = found.cheapest(|cost| cost.seconds).unwrap();
            let seconds = |i: usize| {
                let trial = found.tuned()[i].trial.as_ref().ok()?;
                trial.result.as_ref().ok().map(|m| m.cost.seconds)
            };
            let least = (0..ids.len()).filter_map(seconds).fold(f64::INFINITY, f64::min);
            assert_eq!(seconds(quickest.contender), Some(least));
            assert!(least > 0.0, "{least}");
        }
    }
}
