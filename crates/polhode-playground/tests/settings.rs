//! What the sliders say is what is computed, and what is exported.
#![allow(clippy::unwrap_used)]

use polhode::so3;
use polhode_playground::{KINDS, Motion, Settings};
use polhode_scenario::Scenario;

/// Settings that are not the usual ones, with each of the torques.
fn various() -> impl Iterator<Item = Settings> {
    KINDS.iter().enumerate().map(|(kind, entry)| Settings {
        moments: [2.5, 4.0, 5.5],
        omega: [0.3, -2.0, 1.1],
        tilt: 35.0,
        kind,
        strength: entry.usual,
        tolerance: 1e-8,
        until: 7.5,
    })
}

#[test]
fn the_scenario_is_the_same_problem() {
    for settings in various().chain([Settings::default()]) {
        let text = settings.scenario();
        let scenario = Scenario::parse(&text, "playground").unwrap();
        let (theirs, ours) = (scenario.problem(), settings.problem().unwrap());
        assert_eq!(theirs.inertia(), ours.inertia());
        assert_eq!(theirs.start().m, ours.start().m, "{text}");
        assert!(so3::angle_between(theirs.start().q, ours.start().q) < 1e-15, "{text}");
        assert_eq!(scenario.until(), settings.until);
        assert_eq!(theirs.is_free(), ours.is_free());
        // The same torque, wherever the body is.
        let state = Motion::new(&settings).unwrap().at(3.0).unwrap();
        assert_eq!(theirs.torque_at(3.0, &state), ours.torque_at(3.0, &state), "{text}");
        assert_eq!(theirs.is_free(), ours.torque_at(3.0, &state).length() == 0.0, "{text}");
    }
}

#[test]
fn a_solution_is_as_good_as_asked_for() {
    for settings in various() {
        let better = Settings { tolerance: 1e-12, ..settings.clone() };
        let [ours, theirs] =
            [&settings, &better].map(|s| Motion::new(s).unwrap().at(settings.until).unwrap());
        let off = so3::angle_between(ours.q, theirs.q);
        assert!(off < 1e-8, "{}: {off}", settings.acting().name);
        // A free body is exact whatever is asked for.
        assert_eq!(settings.kind == 0, ours == theirs, "{}: {off}", settings.acting().name);
    }
}

#[test]
fn numbers_are_told_in_the_order_of_the_fields() {
    let numbers = [1.0, 2.0, 2.5, 4.0, 5.0, 6.0, 7.0, 3.0, 9.0, 1e-6, 11.0];
    let settings = Settings::from_numbers(numbers);
    assert_eq!((settings.moments, settings.omega), ([1.0, 2.0, 2.5], [4.0, 5.0, 6.0]));
    assert_eq!((settings.tilt, settings.acting().name), (7.0, "damping"));
    assert_eq!((settings.strength, settings.tolerance, settings.until), (9.0, 1e-6, 11.0));
}

#[test]
fn what_cannot_be_is_said() {
    let wrong = |settings: Settings| Motion::new(&settings).err().unwrap();
    let usual = Settings::default();
    let moments = wrong(Settings { moments: [1.0, 2.0, 9.0], ..usual.clone() });
    assert!(moments.contains('9'), "{moments}");
    let negative = wrong(Settings { kind: 3, strength: -1.0, ..usual.clone() });
    assert!(negative.contains("coefficient"), "{negative}");
    let spin = wrong(Settings { omega: [f64::NAN, 0.0, 0.0], ..usual.clone() });
    assert!(spin.contains("omega"), "{spin}");
    let tolerance = wrong(Settings { kind: 1, strength: 1.0, tolerance: 0.5, ..usual });
    assert!(tolerance.contains("tolerance"), "{tolerance}");
}
