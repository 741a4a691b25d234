//! Ensembles that are stopped from outside, and tell how far they are.

use std::sync::{Arc, Mutex};

use polhode::ensemble::{
    BodySamples, Draw, Ensemble, EnsembleError, EnsembleSolver, EnsembleSummary, FinalStates,
    FreeEnsemble, Member, Sink,
};
use polhode::torque::HeavyTop;
use polhode::{Control, Plan, Stop};

use super::mixed;

type RunResult = Result<EnsembleSummary, EnsembleError>;

/// A run of some bodies under a control, shown to a sink.
type Runner = fn(Vec<Member>, Control, &mut (dyn Sink + Send)) -> RunResult;

/// More steps than are done between two looks, and shown only at both ends.
const PLAN: Plan = Plan { step: 0.01, steps: 1000 };

const TIMES: [f64; 40] = {
    let mut times = [0.0; 40];
    let mut i = 0;
    while i < 40 {
        times[i] = i as f64;
        i += 1;
    }
    times
};

fn top() -> HeavyTop {
    HeavyTop::lagrange(0.1).unwrap()
}

fn stepped(
    method: &str,
    bodies: Vec<Member>,
    control: Control,
    sink: &mut (dyn Sink + Send),
) -> RunResult {
    let ensemble = Ensemble::new(method)?.torque(top()).block(64).threads(2).control(control);
    ensemble.run(bodies.into_iter(), &PLAN, u64::MAX, sink)
}

/// Everything that runs many bodies: in lanes, one by one, in closed form, to a tolerance.
const RUNNERS: [Runner; 4] = [
    |bodies, control, sink| stepped("strang+exact", bodies, control, sink),
    |bodies, control, sink| stepped("rk4", bodies, control, sink),
    |bodies, control, sink| {
        let ensemble = FreeEnsemble::new().block(64).threads(2).control(control);
        ensemble.run(bodies.into_iter(), &TIMES, sink)
    },
    |bodies, control, sink| {
        let ensemble =
            EnsembleSolver::new(1e-6).torque(top()).block(64).threads(2).control(control);
        ensemble.run(bodies.into_iter(), &TIMES, sink)
    },
];

/// Bodies of usual sizes, in three blocks, the last of which is no whole cell.
fn bodies() -> Vec<Member> {
    mixed(200, 5).into_iter().filter(|body| body.start.m.length() > 1e-3).take(150).collect()
}

/// What a control tells.
fn told() -> (Arc<Mutex<Vec<f64>>>, Control) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let to = told.clone();
    (told, Control::default().telling(move |part| to.lock().unwrap().push(part)))
}

#[test]
fn it_tells_how_much_is_done() {
    for (number, run) in RUNNERS.iter().enumerate() {
        let (told, control) = told();
        let summary = run(bodies(), control, &mut FinalStates::default()).unwrap();
        assert_eq!((summary.bodies, summary.failed), (150, 0), "{number}");
        let parts = told.lock().unwrap();
        // The end of every block, and something between.
        assert!(parts.len() > 4, "{number}: {parts:?}");
        assert!(parts.iter().all(|part| *part > 0.0 && *part <= 1.0), "{number}: {parts:?}");
        assert!(parts.iter().any(|part| *part < 0.5), "{number}: {parts:?}");
        let blocks = [64.0 / 150.0, 128.0 / 150.0, 1.0];
        assert!(blocks.iter().all(|block| parts.contains(block)), "{number}: {parts:?}");
        assert_eq!(parts.last(), Some(&1.0), "{number}");
    }
}

#[test]
fn it_is_stopped_in_the_middle_of_a_block() {
    for (number, run) in RUNNERS.iter().enumerate() {
        let (stop, first_block) = (Stop::new(), 64.0 / 150.0);
        let asked = stop.clone();
        let control = Control::stopped_by(&stop).telling(move |part| {
            assert!(part < first_block, "{number}: it goes on to {part}");
            asked.request();
        });
        let mut ends = 0;
        let mut sink = |samples: &BodySamples<'_>| {
            ends += u32::from(samples.last);
            Ok(())
        };
        let ended = run(bodies(), control, &mut sink);
        assert!(matches!(ended, Err(EnsembleError::Stopped(_))), "{number}: {ended:?}");
        assert_eq!(ends, 0, "{number}: the sink was shown an end that was not reached");
        // And before it begins, if that is wished.
        let ended = run(bodies(), Control::stopped_by(&stop), &mut FinalStates::default());
        assert_eq!(ended.unwrap_err().to_string(), "stopped on request");
    }
}

#[test]
fn a_control_that_does_nothing_changes_nothing() {
    for run in RUNNERS {
        let (mut plain, mut watched) = (FinalStates::default(), FinalStates::default());
        run(bodies(), Control::default(), &mut plain).unwrap();
        run(bodies(), told().1.looking(|_| {}), &mut watched).unwrap();
        assert_eq!(plain.states, watched.states);
    }
}

#[test]
fn only_the_end_is_told_of_bodies_nobody_has_counted() {
    let (told, control) = told();
    let uncounted = bodies().into_iter().filter(|_| true);
    FreeEnsemble::new()
        .control(control)
        .run(uncounted, &TIMES, &mut FinalStates::default())
        .unwrap();
    assert_eq!(*told.lock().unwrap(), [1.0]);
}

#[test]
fn drawn_bodies_are_counted() {
    use polhode::ensemble::{InertiaLaw, SpinLaw};
    let (inertia, spin) = (InertiaLaw::Any { largest: 1.0 }, SpinLaw::Isotropic { length: 1.0 });
    let draw = Draw::new(1, 100, inertia, spin);
    let (told, control) = told();
    let ensemble = FreeEnsemble::new().block(50).control(control);
    ensemble.run(draw.source(), &[1.0], &mut FinalStates::default()).unwrap();
    assert_eq!(*told.lock().unwrap(), [0.5, 1.0, 1.0]);
}
