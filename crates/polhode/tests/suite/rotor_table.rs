//! The table of rotors: names, hints, citations.

use polhode::Inertia;
use polhode::rotor::{self, ROTORS};

#[test]
fn every_citation_is_in_the_bibliography() {
    for rotor in ROTORS {
        assert!(!rotor.cites.is_empty(), "{}", rotor.id);
        for cite in rotor.cites {
            assert!(cite.bibtex().is_some(), "{}: {}", rotor.id, cite.key);
        }
    }
}

#[test]
fn names_are_unique_and_misspellings_get_a_hint() {
    for (i, rotor) in ROTORS.iter().enumerate() {
        assert!(ROTORS[..i].iter().all(|r| r.id != rotor.id));
    }
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let error = rotor::build("exakt", &inertia).err().unwrap();
    assert_eq!(error.to_string(), "no rotor 'exakt'; did you mean 'exact'?");
    let error = rotor::build("semi-exact:nodes=11", &inertia).err().unwrap();
    assert!(error.to_string().contains("nodes = '11'"), "{error}");
}
