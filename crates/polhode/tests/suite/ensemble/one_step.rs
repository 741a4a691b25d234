//! One free step of many bodies: the bits of a new rotor for each.

use polhode::ensemble::{EnsembleError, FreeStep, Member};
use polhode::method::Method;
use polhode::rotor::{self, ROTORS};
use polhode::{Inertia, State};

use super::mixed;

fn split(bodies: &[Member]) -> (Vec<Inertia>, Vec<State>) {
    bodies.iter().map(|body| (body.inertia, body.start)).unzip()
}

fn bits(state: &State) -> [u64; 7] {
    let [x, y, z] = state.m.to_array();
    let [a, b, c, d] = state.attitude();
    [x, y, z, a, b, c, d].map(f64::to_bits)
}

#[test]
fn every_rotor_has_its_bits() {
    // A cell, and a part of another.
    let (inertia, starts) = split(&mixed(41, 5));
    // Short and long steps, back and forth, and none.
    let h: Vec<f64> = (0..41).map(|i| [0.01, -0.3, 0.0, 2.0, 1e-9][i % 5]).collect();
    let rotors = ROTORS.iter().map(|rotor| rotor.id).chain(["dmv:order=8", "exact:compensated"]);
    for id in rotors {
        let Ok(step) = FreeStep::new(id) else { panic!("{id}") };
        let alone = |i: usize, inertia: &Inertia, h: f64| {
            let mut state = starts[i];
            rotor::build(id, inertia).unwrap().step(h, &mut state).map(|()| state)
        };
        // One for all, or one each.
        for (inertia, h) in [(&inertia[..], &h[..]), (&inertia[..1], &h), (&inertia, &h[..1])] {
            let mut states = starts.clone();
            let outcome = step.step(inertia, h, &mut states);
            let of = |i: usize| alone(i, &inertia[i % inertia.len()], h[i % h.len()]);
            let failed = (0..41).find(|&i| of(i).is_err());
            match outcome {
                Ok(()) => assert_eq!(failed, None, "{id}"),
                Err(EnsembleError::OneStep { body, source }) => {
                    assert_eq!(failed, Some(usize::try_from(body).unwrap()), "{id}");
                    assert_eq!(of(failed.unwrap()), Err(source));
                }
                Err(other) => panic!("{other}"),
            }
            for i in 0..41 {
                assert_eq!(bits(&states[i]), bits(&of(i).unwrap_or(starts[i])), "{id}, body {i}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let (inertia, mut states) = split(&mixed(5, 5));
    let exact = FreeStep::new("exact").unwrap();
    let text = exact.step(&inertia[..3], &[0.1], &mut states).unwrap_err().to_string();
    assert_eq!(text, "inertia: 3 numbers given for 5 bodies; needed: 1 or 5");
    let text = exact.step(&inertia, &[0.1; 4], &mut states).unwrap_err().to_string();
    assert_eq!(text, "h: 4 numbers given for 5 bodies; needed: 1 or 5");
    let before = states.clone();
    let error = exact.step(&inertia, &[0.1, 0.1, f64::NAN, 0.1, 1e30], &mut states).unwrap_err();
    assert!(error.to_string().starts_with("body 2: step NaN with momentum"), "{error}");
    assert_eq!((states[2], states[4]), (before[2], before[4]));
    assert_ne!(states[0], before[0]);
    for (id, text) in [
        ("exakt", "no rotor 'exakt'; did you mean 'exact'?"),
        ("strang+exact", "no rotor 'strang+exact'"),
        ("rk4", "no rotor 'rk4'"),
    ] {
        let found = FreeStep::new(id).unwrap_err().to_string();
        assert!(found.starts_with(text), "{found}");
    }
    assert!(FreeStep::new(Method::parse("dmv:order=6").unwrap()).is_ok());
    assert!(exact.step(&[], &[], &mut []).is_ok());
}
