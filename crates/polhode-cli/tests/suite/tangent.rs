//! Derivatives of free motions, and chaos.

use serde_json::Value;

use crate::support::Folder;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn free_motions_have_their_derivatives_in_json() {
    let folder = Folder::new();
    let at = |m1: f64| {
        let line = format!("free --inertia 1,2,2.8 --momentum {m1},5,0.3 --at 2 --json --tangent");
        json(&folder.good(&line))
    };
    let document = at(0.4);
    let state = &document["states"][0];
    assert_eq!(state["held"], "momentum");
    assert_eq!(state["inertia_off"].as_array().unwrap().len(), 6);
    let number = |document: &Value, key: &str| document["states"][0][key][1].as_f64().unwrap();
    let want = (number(&at(0.40001), "momentum") - number(&at(0.39999), "momentum")) / 2e-5;
    let got = state["state_transition"][1][0].as_f64().unwrap();
    assert!((got - want).abs() < 1e-7 * want.abs().max(1.0), "{got} {want}");
    let period = |document: &Value| document["motion"]["period"].as_f64().unwrap();
    let want = (period(&at(0.40001)) - period(&at(0.39999))) / 2e-5;
    let got = document["gradients"]["period"]["momentum"][0].as_f64().unwrap();
    assert!((got - want).abs() < 1e-7 * want.abs(), "{got} {want}");

    let omega = json(&folder.good("free --inertia 1,2,2.8 --omega 1,0,0 --at 2 --json --tangent"));
    assert_eq!(omega["states"][0]["held"], "angular velocity");
    // A steady turn has no period, and so no derivative of one.
    assert!(omega["gradients"]["period"].is_null());
    let refused = folder.run("free --inertia 1,2,2.8 --omega 1,0,0 --at 2 --tangent");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("--json"), "{}", refused.stderr);
}

#[test]
fn chaos_is_told_from_order() {
    let folder = Folder::new();
    let scenario = "body.inertia = [1, 2, 3]\nstart.momentum = [0, 1, 0]\nrun.until = 200\n";
    folder.write("middle.toml", scenario);
    let document = json(&folder.good("chaos middle.toml --method exact --step 0.1 --json"));
    // The rate at which a turn about the middle axis is left, and log(t)/t.
    let rate = (0.5 * (1.0 / 2.0 - 1.0 / 3.0_f64)).sqrt();
    let found = document["exponent"].as_f64().unwrap();
    assert!((found - rate).abs() < 0.02, "{found} {rate}");
    assert_eq!(document["convergence"].as_array().unwrap().len(), 200);
    assert!(folder.good("chaos middle.toml --method exact --step 0.1").contains("chaotic"));
    let regular = "chaos middle.toml --set start.momentum=[0.1,0.2,1] --until 500";
    assert!(folder.good(regular).contains("no chaos seen"));
    assert!(folder.good("chaos hyperion").contains("chaotic: "));
    let short = "chaos middle.toml --method exact --step 0.1 --until 25";
    assert!(folder.good(short).contains("undecided"), "{}", folder.good(short));
    let refused = folder.run("chaos middle.toml --method rk4 --step 0.1");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("rk4: has no derivatives"), "{}", refused.stderr);
    let refused = folder.run("chaos middle.toml --step 0");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}
