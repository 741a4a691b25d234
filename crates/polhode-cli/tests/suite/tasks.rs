//! What users come with, from the files they have: each of these is a command that the documents show.

use std::path::Path;

use serde_json::Value;

use crate::support::Folder;

fn root() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
        .display()
        .to_string()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn an_engine_in_single_precision_is_judged_at_60_hz() {
    let folder = Folder::new();
    let file = format!("{}/examples/trajectories/engine-60hz.csv", root());
    let line = format!("check {file} --inertia 0.2,0.7,0.8");
    let ended = folder.run(&line);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""), "{}", ended.stdout);
    for part in [
        "angular velocity wx, wy, wz; quaternion qw, qx, qy, qz",
        "numbers of single precision (float32)",
        "energy is gained",
        "Euler's semi-implicit step explains",
        "polhode-step",
        "WRONG",
    ] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    let document = json(&folder.run(&format!("{line} --json")).stdout);
    let trajectory = &document["trajectories"][0];
    assert_eq!(trajectory["single_precision"], true);
    assert!(
        (trajectory["step"].as_f64().unwrap() - 1.0 / 60.0).abs() < 1e-9,
        "{}",
        trajectory["step"]
    );
    let gained = trajectory["energy_change"].as_f64().unwrap();
    assert!((0.1..0.2).contains(&gained), "{gained}");
}

#[test]
fn a_method_of_ones_own_is_measured() {
    let folder = Folder::new();
    let scenario = format!("{}/scenarios/own-method.toml", root());
    let line = format!(
        "compare {scenario} --methods own+exact,strang+exact --steps 0.04,0.02,0.01 --json"
    );
    let document = json(&folder.good(&line));
    for method in document["methods"].as_array().unwrap() {
        let order = method["observed_order"].as_f64().unwrap();
        assert!((order - 2.0).abs() < 0.25, "{method}");
    }
    let error = |id: &str, step: f64| {
        let trials = document["trials"].as_array().unwrap().iter();
        let trial = { trials }.find(|t| t["method"] == id && t["step"] == step).unwrap();
        trial["momentum_error"].as_f64().unwrap()
    };
    // The same number of kicks.
    let ratio = error("own+exact", 0.04) / error("strang+exact", 0.02);
    assert!((0.2..0.5).contains(&ratio), "{ratio}");
}

#[test]
fn toutatis_comes_from_its_two_periods() {
    let folder = Folder::new();
    let scenario = format!("{}/scenarios/toutatis.toml", root());
    let document = json(&folder.good(&format!("run {scenario} --until 20 --out t.csv --json")));
    let motion = &document["motion"];
    assert_eq!((&motion["regime"], &motion["turns_over"]), (&"about-minor".into(), &false.into()));
    for (key, days) in [("period", 5.41), ("precession_period", 7.35)] {
        assert!((motion[key].as_f64().unwrap() - days).abs() < 1e-12, "{motion}");
    }
}
