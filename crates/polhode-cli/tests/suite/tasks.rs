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
    // Its light curve, from the attitudes of the table: the area of the shadow of an ellipsoid.
    let table = String::from_utf8(folder.read("t.csv")).unwrap();
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let mut range = [f64::INFINITY, 0.0f64];
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
        let [w, x, y, z] = ["q0", "q1", "q2", "q3"].map(|name| cells[column(name)]);
        // The second row of the matrix that takes body to space.
        let seen = [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)];
        let shadows = [1.2 * 0.95, 0.95 * 2.3, 2.3 * 1.2].into_iter().zip(seen);
        let area = std::f64::consts::PI * shadows.map(|(s, d)| s * s * d * d).sum::<f64>().sqrt();
        assert!((cells[column("area")] - area).abs() < 1e-12 * area, "{line}");
        let magnitude = -2.5 * (area / (std::f64::consts::PI * 2.3 * 1.2)).log10();
        assert!((cells[column("magnitude")] - magnitude).abs() < 1e-12, "{line}");
        range = [range[0].min(magnitude), range[1].max(magnitude)];
    }
    // Once it is seen from its broadest side, once half a magnitude fainter; end-on it would be 0.96.
    assert!((0.0..0.05).contains(&range[0]) && (0.5..0.96).contains(&range[1]), "{range:?}");
    folder.good(&format!("run {scenario} --until 20 --out t.svg"));
    assert!(String::from_utf8(folder.read("t.svg")).unwrap().contains("magnitude"));
}

#[test]
fn water_is_dragged_along_by_a_field_that_turns() {
    let folder = Folder::new();
    let alone = json(&folder.good("run rotating-field --out one.csv --json"));
    assert!(alone["error"]["attitude"].as_f64().unwrap() < 1e-8, "{alone}");
    let field = json(&folder.good("ensemble rotating-field --out many.csv --json"));
    assert_eq!((&field["bodies"], &field["failed"]), (&1000.into(), &0.into()));
    let without =
        json(&folder.good("ensemble rotating-field --set torque.constants.E=1e-9 --json"));
    let mean = |document: &Value, name: &str| {
        document["statistics"]["watch"][name]["mean"].as_f64().unwrap()
    };
    // Of directions from everywhere a quarter is within 60 degrees, and the cosine has the mean 0 and the deviation
    // 1/sqrt(3); a thousand of them are within four deviations of that.
    assert!(mean(&without, "cosine").abs() < 4.0 / 3000f64.sqrt(), "{without}");
    assert!((mean(&without, "follows") - 0.25).abs() < 4.0 * (0.1875f64 / 1000.0).sqrt());
    assert!(mean(&field, "cosine") > 0.1 && mean(&field, "follows") > 0.3, "{field}");
    let median = field["statistics"]["watch"]["cosine"]["quantiles"]["0.5"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&median), "{median}");
    let rows = String::from_utf8(folder.read("many.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 1000 * 5);
}

#[test]
fn a_table_of_another_program_turns_a_satellite_by_half_a_turn() {
    let folder = Folder::new();
    let document = json(&folder.good("run thruster-burn --out t.csv --json"));
    let attitude = &document["state"]["attitude"];
    // From rest to rest, half a turn about the third axis: q = (0, 0, 0, 1).
    let about = [0, 1, 2, 3].map(|i| attitude[i].as_f64().unwrap());
    assert!(about[0].abs() < 1e-3 && (about[3].abs() - 1.0).abs() < 1e-6, "{attitude}");
    assert!(document["state"]["omega"][2].as_f64().unwrap().abs() < 1e-12, "{document}");
}
