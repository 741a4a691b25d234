//! What is refused, and what is said about it; bodies without end.

use polhode::ensemble::{
    Arrays, BodySamples, Ensemble, EnsembleError, FinalStates, FreeEnsemble, Member, Members, Width,
};
use polhode::observe::ObserveError;
use polhode::{Inertia, Plan, State, Torque};

use super::{mixed, values};

const PLAN: Plan = Plan { step: 0.1, steps: 1 };

fn refused(result: Result<impl Sized, EnsembleError>) -> String {
    result.err().unwrap().to_string()
}

#[test]
fn methods_and_torques() {
    let refuse = |method| refused(Ensemble::new(method));
    assert_eq!(refuse("exakt"), "no method 'exakt'; did you mean 'exact'?");
    let all = ["rk4", "strang+frb-matrix", "semi-exact", "sej", "rkmk4", "mr", "exact:compensated"];
    assert!(all.into_iter().all(|method| Ensemble::new(method).is_ok()));
    let top = Torque::build("heavy-top", &values(&[])).unwrap();
    let run = Ensemble::new("exact").unwrap().torque(top).run(
        mixed(3, 7).into_iter(),
        &PLAN,
        1,
        &mut FinalStates::default(),
    );
    assert!(refused(run).contains("a rotor alone is for free bodies"));
    let damping = Torque::build("damping", &values(&[("coefficient", 0.1.into())])).unwrap();
    let error = Ensemble::new("rkn6-14+exact").unwrap().torque(damping).check();
    assert!(refused(error).contains("do not depend on the momentum"));
}

#[test]
fn plans_times_widths_and_blocks() {
    let bodies = || mixed(3, 8).into_iter();
    let exact = || Ensemble::new("exact").unwrap();
    let sink = &mut FinalStates::default();
    let text = refused(exact().run(bodies(), &Plan { step: f64::NAN, steps: 1 }, 1, sink));
    assert_eq!(text, "step = NaN: must be finite and not zero");
    assert_eq!(
        refused(exact().block(0).run(bodies(), &PLAN, 1, sink)),
        "block = 0: must be at least 1"
    );
    let text = refused(FreeEnsemble::new().run(bodies(), &[0.0, f64::INFINITY], sink));
    assert_eq!(text, "times: inf at position 2 is not finite");
    let there = Width::available();
    for width in [Width::Two, Width::Four, Width::Eight] {
        let run = exact().width(width).run(bodies(), &PLAN, 1, sink);
        assert_eq!(run.is_ok(), there.contains(&width), "{width:?}");
    }
}

#[test]
fn arrays() {
    let momentum = [0.1, 0.2, 0.3, -1.0, 0.5, 0.0];
    let inertia = [1.0, 2.0, 2.5];
    let good = Arrays { inertia: &inertia, momentum: &momentum, ..Arrays::default() };
    let bodies = good.bodies().unwrap();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[1].start.m.to_array(), [-1.0, 0.5, 0.0]);
    let spinning =
        Arrays { omega: true, attitude: &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0], ..good };
    let bodies = spinning.bodies().unwrap();
    assert_eq!(bodies[1].start.m.to_array(), [-1.0, 1.0, 0.0]);
    assert_eq!(bodies[1].start.attitude(), [0.0, 0.0, 1.0, 0.0]);
    let each = [1.0, 2.0, 2.5, 2.0, 3.0, 4.0];
    assert_eq!(Arrays { inertia: &each, ..good }.bodies().unwrap()[1].inertia.moments().y, 3.0);
    let tensor = [2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 3.0];
    assert!(Arrays { inertia: &tensor, ..good }.bodies().is_ok());
    // Nine numbers for three bodies are their moments, unless one tensor is said to be meant.
    let three = [0.1; 9];
    assert!(
        refused(Arrays { inertia: &tensor, momentum: &three, ..good }.bodies())
            .starts_with("body 0: ")
    );
    assert!(Arrays { inertia: &tensor, momentum: &three, shared: true, ..good }.bodies().is_ok());

    let text = refused(Arrays { momentum: &momentum[..5], ..good }.bodies());
    assert_eq!(text, "momentum: 5 numbers given for 1 bodies; needed: three for each body");
    let text = refused(Arrays { attitude: &[1.0; 7], ..good }.bodies());
    assert_eq!(text, "attitude: 7 numbers given for 2 bodies; needed: 8 or none");
    let text = refused(Arrays { inertia: &[1.0; 5], ..good }.bodies());
    assert_eq!(text, "inertia: 5 numbers given for 2 bodies; needed: 3 or 9 for all, or 6 or 18");
    let nan = [0.1, 0.2, 0.3, -1.0, f64::NAN, 0.0];
    let text = refused(Arrays { momentum: &nan, ..good }.bodies());
    assert!(text.starts_with("body 1: momentum = [-1.0, NaN"), "{text}");
    let impossible = [1.0, 2.0, 2.5, 1.0, 1.0, 4.0];
    let text = refused(Arrays { inertia: &impossible, ..good }.bodies());
    assert!(
        text.starts_with("body 1: inertia: principal moments [1.0, 1.0, 4.0]: no body"),
        "{text}"
    );
    assert!(Arrays { inertia: &impossible, allow_unphysical: true, ..good }.bodies().is_ok());
}

#[test]
fn a_source_or_a_sink_that_fails_ends_the_run() {
    struct BrokenSource;
    impl Members for BrokenSource {
        fn fill(&mut self, _: &mut Vec<Member>, _: usize) -> Result<(), ObserveError> {
            Err("line 7: no number".into())
        }
    }
    let exact = Ensemble::new("exact").unwrap();
    let text = refused(exact.run(BrokenSource, &PLAN, 1, &mut FinalStates::default()));
    assert_eq!(text, "line 7: no number");
    let mut full = |_: &BodySamples<'_>| Err("disk full".into());
    assert_eq!(refused(exact.run(mixed(3, 9).into_iter(), &PLAN, 1, &mut full)), "disk full");
}

#[test]
fn no_bodies_is_no_error() {
    let mut end = FinalStates::default();
    let summary = Ensemble::new("exact").unwrap().run(core::iter::empty(), &PLAN, 1, &mut end);
    assert_eq!(summary.unwrap().bodies, 0);
}

/// Never more bodies in the sink than a block, however many there are.
#[test]
fn bodies_stream() {
    let inertia = Inertia::principal([0.6, 0.8, 1.0]).unwrap();
    let start = State::aligned([0.3, 0.4, 0.5]).unwrap();
    let (mut most, mut total) = (0, 0);
    let mut sink = |samples: &BodySamples<'_>| {
        most = most.max(samples.len());
        total += u64::from(samples.last) * samples.len() as u64;
        Ok(())
    };
    let bodies = core::iter::repeat_n(Member { inertia, start }, 1_000_001);
    let summary = Ensemble::new("exact").unwrap().block(4096).run(bodies, &PLAN, 1, &mut sink);
    assert_eq!(summary.unwrap().bodies, 1_000_001);
    assert_eq!((most, total), (4096, 1_000_001));
}
