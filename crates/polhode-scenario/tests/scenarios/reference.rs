//! The reference of scenarios has every key that is read, and its examples are read.

use polhode_scenario::reference::{ENSEMBLE, SCENARIO, SectionReference};
use polhode_scenario::{EnsembleScenario, Scenario, ScenarioFault};

/// A scenario that needs nothing more.
const BASE: &str = "body.inertia = [1, 2, 2.5]\nstart.omega = [0.1, 2, 0]\nrun.until = 10\n";
const MANY: &str =
    "bodies.count = 3\nbody.inertia = [1, 2, 2.5]\nstart.omega = [0.1, 2, 0]\nrun.times = [1]\n";

/// What the reader knows in a section, from what it says to a key that is none.
fn known(fault: &ScenarioFault) -> Vec<&'static str> {
    match fault {
        ScenarioFault::UnknownKey { known, .. } => known.clone(),
        other => panic!("{other}"),
    }
}

fn names(section: &SectionReference) -> Vec<&'static str> {
    let mut names: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
    names.sort_unstable();
    names
}

fn sorted(mut names: Vec<&'static str>) -> Vec<&'static str> {
    names.sort_unstable();
    names
}

#[test]
fn every_key_that_is_read_is_in_the_reference() {
    for section in SCENARIO {
        // Torques and methods have keys of their own besides; names to watch are the user's.
        if ["torque", "method", "watch", "directions"].contains(&section.name) {
            continue;
        }
        let over = [format!("{}.nonsense=1", section.name)];
        let fault = Scenario::parse_with(BASE, "x", &over).unwrap_err().fault().clone();
        assert_eq!(names(section), sorted(known(&fault)), "[{}]", section.name);
    }
    for section in ENSEMBLE {
        let text = format!("{MANY}{}.nonsense = 1\n", section.name);
        let fault = EnsembleScenario::parse(&text, "x").unwrap_err().fault().clone();
        assert_eq!(names(section), sorted(known(&fault)), "[{}]", section.name);
    }
}

/// What a key of a wheel, a sink, a damper or a controller needs beside it.
fn with_neighbours(name: &str, example: &str) -> Vec<String> {
    let more: &[&str] = match name {
        "dissipation.rate" | "dissipation.quality_factor" => &[],
        _ if name.starts_with("wheel.") => &["wheel.axis=[0, 0, 1]", "wheel.inertia=1e-4"],
        _ if name.starts_with("damper.") => &["damper.inertia=0.01", "damper.coefficient=0.1"],
        "controller.kind"
        | "controller.period"
        | "controller.delay"
        | "controller.gain"
        | "controller.dipole_limit" => {
            &["controller.kind=\"b-dot\"", "controller.period=1", "controller.gain=1"]
        }
        _ => &[
            "controller.kind=\"pd-quaternion\"",
            "controller.period=1",
            "controller.target=\"nadir\"",
            "controller.stiffness=1",
            "controller.damping=1",
            "controller.actuator=\"torque\"",
        ],
    };
    let mut over: Vec<String> = more.iter().map(|&text| text.to_owned()).collect();
    over.retain(|text| !text.starts_with(&format!("{name}=")));
    if ["controller.thrust", "controller.shortest_pulse"].contains(&name) {
        over.retain(|text| !text.contains("actuator"));
        over.push("controller.actuator=\"thrusters\"".into());
        if name != "controller.thrust" {
            over.push("controller.thrust=[1, 1, 1]".into());
        }
    }
    over.push(format!("{name}={example}"));
    over
}

#[test]
fn every_example_is_read() {
    let aem =
        "[output.aem]\nobject_name = 'X'\nobject_id = '1'\nstart_epoch = '2026-01-01T00:00:00'\n";
    for section in SCENARIO {
        for key in section.keys.iter().filter(|key| !key.example.is_empty()) {
            let name = format!("{}.{}", section.name, key.name);
            let mut over = vec![format!("{name}={}", key.example)];
            let mut text = BASE.to_owned();
            match name.as_str() {
                // Of no use alone.
                "method.coefficients" => continue,
                "method.step" | "run.every" => over.push("method.id=exact".into()),
                "method.stages" | "method.order" | "method.rotor" | "method.accepts"
                | "method.compensated" => {
                    over = vec![
                        "method.stages=[[\"kick\", 0.5], [\"drift\", 1], [\"kick\", 0.5]]".into(),
                        "method.order=2".into(),
                        "method.rotor=\"exact\"".into(),
                        format!("{name}={}", key.example),
                    ];
                }
                "method.tableau" => over.push("method.order=2".into()),
                // Periods of another body.
                "start.periods" => over.push("body.inertia=[1, 3.09, 3.22]".into()),
                _ if section.name == "output.aem" => text += aem,
                _ if ["wheel", "dissipation", "damper", "controller"].contains(&section.name) => {
                    over = with_neighbours(&name, key.example);
                    text += "torque = { kind = 'gravity-gradient', rate = 1e-3 }\n\
                             orbit = { rate = 1e-3, strength = 2e-5 }\nmethod = { id = 'strang+exact', step = 0.1 }\n";
                }
                _ if section.name == "orbit" => {
                    text += "torque = { kind = 'gravity-gradient', rate = 1e-3 }\n";
                }
                _ => {}
            }
            if section.name == "method" && name != "method.step" || name == "run.every" {
                over.push("method.step=0.1".into());
            }
            Scenario::parse_with(&text, "x", &over).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
    for section in ENSEMBLE {
        for key in section.keys {
            let name = format!("{}.{}", section.name, key.name);
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("many.toml");
            let steps = ["run.until", "run.every", "run.interval"].contains(&name.as_str());
            let table = name == "bodies.file";
            let mut text = MANY.to_owned();
            if steps {
                text = text.replace(
                    "run.times = [1]",
                    "run.until = 1\nmethod = { id = 'exact', step = 0.1 }",
                );
            }
            if table {
                text = "bodies.file = 'x.csv'\nrun.times = [1]\n".into();
            }
            std::fs::write(&path, text).unwrap();
            let over = [format!("{name}={}", key.example)];
            EnsembleScenario::load_with(&path, &over).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

#[test]
fn the_reference_names_every_law_of_control() {
    let section = SCENARIO.iter().find(|section| section.name == "controller").unwrap();
    let kind = section.keys.iter().find(|key| key.name == "kind").unwrap();
    let told: Vec<&str> = kind.kind.split([',', ' ']).filter(|word| word.contains('-')).collect();
    assert_eq!(sorted(told), sorted(polhode::control::LAWS.to_vec()));
}

/// As the page says: a key of [method], or where scheme and rotor both have it, a part of the id.
#[test]
fn every_parameter_of_a_method_is_told_and_read() {
    use polhode::parameters::{MethodParameter, ParameterKind};

    let page = polhode_scenario::reference::reference();
    let rotors =
        polhode::rotor::ROTORS.iter().map(|r| (r.id, format!("strang+{}", r.id), r.parameters));
    let others = polhode::method::METHODS.iter().map(|m| (m.id, m.id.to_owned(), m.parameters));
    let mut count = 0;
    for (id, method, parameters) in rotors.chain(others) {
        for MethodParameter { name, kind, .. } in parameters {
            assert!(page.contains(&format!("| `{id}` | `{name}` | ")), "{id}: {name}");
            let value = match kind {
                ParameterKind::Flag => "true".to_owned(),
                ParameterKind::Integer { max, .. } => max.to_string(),
                ParameterKind::Choice(words) => format!("{:?}", words[words.len() - 1]),
                other => panic!("{other:?}"),
            };
            let id = format!("method.id={method:?}");
            let over = [id.clone(), "method.step=0.1".into(), format!("method.{name}={value}")];
            match Scenario::parse_with(BASE, "x", &over) {
                Ok(_) => {}
                Err(e) => match e.fault() {
                    ScenarioFault::Ambiguous { .. } => {
                        let within = id.trim_end_matches('"').to_owned() + &format!(":{name}\"");
                        let over = [within, "method.step=0.1".into()];
                        Scenario::parse_with(BASE, "x", &over).unwrap_or_else(|e| panic!("{e}"));
                    }
                    _ => panic!("{method}: {name}: {e}"),
                },
            }
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}
