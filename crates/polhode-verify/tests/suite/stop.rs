//! Long computations end soon after they are asked to, and tell how far they are.

use std::time::Duration;

use polhode::torque::{HeavyTop, Torque};
use polhode::{Control, FreeMotion, Inertia, Interruption, Problem, State, Stop};
use polhode_verify::check::{self, CheckError, CheckOptions, Samples};
use polhode_verify::compare::{CompareError, Comparison, Contender, Setup};
use polhode_verify::{Reference, ReferenceError};

fn problem(torque: Torque) -> Problem {
    let inertia = Inertia::principal([1.0, 5.0, 6.0]).unwrap();
    Problem::new(inertia, State::aligned([1.0, 2.0, 3.0]).unwrap()).torque(torque)
}

fn top() -> Problem {
    problem(HeavyTop::lagrange(1.0).unwrap().into())
}

/// Asks a computation of minutes to stop after a while: its error then says that it has.
fn stopped<E>(work: impl FnOnce(&Control) -> E) -> E {
    let stop = Stop::new();
    let asked = stop.clone();
    let asking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        asked.request();
    });
    let error = work(&Control::stopped_by(&stop));
    asking.join().unwrap();
    error
}

#[test]
fn a_reference_stops() {
    let error = stopped(|control| Reference::at_times(&top(), &[2e6], control).unwrap_err());
    assert_eq!(error, ReferenceError::Stopped(Interruption));
}

fn compare(problem: &Problem, until: f64, steps: &[f64], control: &Control) -> CompareError {
    let contenders = vec![Contender::parse("rk4").unwrap(), Contender::parse("exact").unwrap()];
    let setup = Setup::new(until, contenders, steps.to_vec()).wanted(1e-3);
    Comparison::new(problem, setup, control).unwrap_err()
}

#[test]
fn a_comparison_stops_in_its_reference_its_runs_and_its_clock() {
    let error = stopped(|control| compare(&top(), 2e6, &[1.0], control));
    assert_eq!(error, CompareError::Stopped(Interruption));
    let free = problem(Torque::none());
    let error = stopped(|control| compare(&free, 10.0, &[1e-7, 2e-8], control));
    assert_eq!(error, CompareError::Stopped(Interruption));
    // Short runs, each of which is timed for a twentieth of a second.
    let steps: Vec<f64> = (1..1000).map(|n| 1.0 / f64::from(n)).collect();
    let error = stopped(|control| compare(&free, 1.0, &steps, control));
    assert_eq!(error, CompareError::Stopped(Interruption));
}

#[test]
fn a_check_stops_in_its_reference_and_among_its_samples() {
    let (inertia, start) = (*top().inertia(), top().start());
    let times = [0.0, 2e6];
    let samples = Samples::of_states(&times, &[start, start]);
    let options = CheckOptions::default();
    let error =
        stopped(|control| check::check_problem(&samples, &top(), &options, control).unwrap_err());
    assert_eq!(error, CheckError::Stopped(Interruption));

    let motion = FreeMotion::new(&inertia, start).unwrap();
    let times: Vec<f64> = (0..3_000_000).map(|n| f64::from(n) * 1e-3).collect();
    // The right states of the first of them, and then it stands still.
    let mut states: Vec<State> = times[..1000].iter().map(|t| motion.at(*t).unwrap()).collect();
    states.resize(times.len(), start);
    let samples = Samples::of_states(&times, &states);
    let error =
        stopped(|control| check::check_free(&samples, &inertia, &options, control).unwrap_err());
    assert_eq!(error, CheckError::Stopped(Interruption));
}

/// What a computation tells of its progress.
fn told<T>(work: impl FnOnce(&Control) -> T) -> Vec<f64> {
    let (sender, parts) = std::sync::mpsc::channel();
    let control = Control::default().telling(move |part| sender.send(part).unwrap());
    work(&control);
    drop(control);
    parts.iter().collect()
}

#[test]
fn references_and_checks_tell_their_progress() {
    let free = problem(Torque::none());
    let times: Vec<f64> = (0..4000).map(f64::from).collect();
    let parts = told(|control| Reference::at_times(&free, &times, control).unwrap());
    assert_eq!(parts, [0.0, 0.25, 0.5, 0.75, 1.0]);
    let times = [0.0, 0.5, 1.0];
    assert_eq!(told(|control| Reference::at_times(&top(), &times, control).unwrap()), [1.0]);

    let states = Reference::at_times(&top(), &times, &Control::default()).unwrap();
    let samples = Samples::of_states(&times, states.states());
    let options = CheckOptions::default();
    let parts = told(|control| check::check_problem(&samples, &top(), &options, control).unwrap());
    assert_eq!(parts, [0.5, 1.0]);
    let inertia = *top().inertia();
    let parts = told(|control| check::check_free(&samples, &inertia, &options, control).unwrap());
    assert_eq!(parts, [1.0]);
}
