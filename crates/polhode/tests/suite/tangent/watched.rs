//! Runs and solutions with derivatives that are stopped from outside, and tell how far they are.

use std::sync::{Arc, Mutex};

use polhode::solve::SolveError;
use polhode::tangent::TangentRun;
use polhode::torque::HeavyTop;
use polhode::{Control, Inertia, Interruption, Problem, SimulateError, State, Stop};

fn top() -> Problem {
    let start = State::aligned([1.0, 2.0, 3.0]).unwrap();
    let inertia = Inertia::principal([1.0, 1.5, 2.0]).unwrap();
    Problem::new(inertia, start).torque(HeavyTop::lagrange(1.0).unwrap()).starting_at(2.0)
}

/// Whether it came to its end.
type RunResult = Result<(), SimulateError>;

fn run(problem: &Problem, control: Control) -> TangentRun<'_> {
    TangentRun::new(problem, "strang+exact").unwrap().control(control)
}

/// Everything that carries derivatives along, over a tenth of a hundred steps.
const RUNS: [fn(&Problem, Control) -> RunResult; 4] = [
    |problem, control| run(problem, control).until(0.1, 12.0, 1000).map(|_| ()),
    |problem, control| run(problem, control).lyapunov(0.1, 12.0).map(|_| ()),
    |problem, control| {
        let nothing = [[0.0; 6]; 6];
        run(problem, control).covariance((0.1, 12.0, 1000), &nothing, &nothing).map(|_| ())
    },
    |problem, control| match problem.tangent_solver().control(control).until(12.0) {
        Err(SolveError::Stopped(Interruption)) => Err(SimulateError::Stopped(Interruption)),
        solved => {
            solved.unwrap();
            Ok(())
        }
    },
];

#[test]
fn they_tell_how_much_is_done() {
    for go in RUNS {
        let told = Arc::new(Mutex::new(Vec::new()));
        let to = told.clone();
        go(&top(), Control::default().telling(move |part| to.lock().unwrap().push(part))).unwrap();
        let parts = told.lock().unwrap();
        assert!(parts.len() >= 10 && parts.is_sorted(), "{parts:?}");
        assert!(parts[0] > 0.0 && parts[0] < 0.2 && parts.last() == Some(&1.0), "{parts:?}");
    }
}

#[test]
fn they_end_on_request() {
    for go in RUNS {
        let (stop, told) = (Stop::new(), Arc::new(Mutex::new(0)));
        let (asked, count) = (stop.clone(), told.clone());
        let control = Control::stopped_by(&stop).telling(move |_| {
            let mut count = count.lock().unwrap();
            *count += 1;
            if *count == 3 {
                asked.request();
            }
        });
        let ended = go(&top(), control).unwrap_err();
        assert!(matches!(ended, SimulateError::Stopped(Interruption)), "{ended}");
        assert_eq!(*told.lock().unwrap(), 3);
    }
}

#[test]
fn a_closed_form_is_not_begun_once_the_end_is_requested() {
    let stop = Stop::new();
    stop.request();
    let free = Problem::new(*top().inertia(), top().start());
    let ended = free.tangent_solver().control(Control::stopped_by(&stop)).until(1.0);
    assert!(matches!(ended, Err(SolveError::Stopped(_))));
}

#[test]
fn a_run_goes_on_from_where_it_is() {
    let problem = top();
    let mut begun = TangentRun::new(&problem, "strang+exact").unwrap();
    for _ in 0..10 {
        begun.step(0.1).unwrap();
    }
    let kept = begun.until(0.1, 4.0, 5).unwrap();
    let times: Vec<f64> = kept.iter().map(|(t, _)| *t).collect();
    assert_eq!(times.len(), 3);
    assert!((times[0] - 3.0).abs() < 1e-12 && (times[2] - 4.0).abs() < 1e-12, "{times:?}");
    let whole = problem.simulate_tangent("strang+exact", 0.1, 4.0, 1000).unwrap();
    let (got, want) = (&kept[2].1.tangent, &whole[1].1.tangent);
    for (got, want) in
        got.state_transition.iter().flatten().zip(want.state_transition.iter().flatten())
    {
        assert!((got - want).abs() < 1e-11, "{got} {want}");
    }
}
