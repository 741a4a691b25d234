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
    for name in ["period", "precession_rate", "next_flip"] {
        let value = |document: &Value| document["motion"][name].as_f64().unwrap();
        let want = (value(&at(0.40001)) - value(&at(0.39999))) / 2e-5;
        let got = document["gradients"][name]["momentum"][0].as_f64().unwrap();
        assert!((got - want).abs() < 1e-7 * want.abs().max(1.0), "{name}: {got} {want}");
    }

    let omega = json(&folder.good("free --inertia 1,2,2.8 --omega 1,0,0 --at 2 --json --tangent"));
    assert_eq!(omega["states"][0]["held"], "angular velocity");
    // A steady turn has no period, and so no derivative of one.
    assert!(omega["gradients"]["period"].is_null());
    let reason = omega["gradients"]["missing"]["period"].as_str().unwrap();
    assert!(reason.contains("no steady turn"), "{reason}");
    assert!(omega["gradients"]["missing"]["precession_rate"].is_string());
    assert!(omega["gradients"]["next_flip"].is_null());
    let reason = omega["gradients"]["missing"]["next_flip"].as_str().unwrap();
    assert!(reason.contains("there is none"), "{reason}");
    assert!(document["gradients"].get("missing").is_none());
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
    assert_eq!((&document["verdict"], &document["chaotic"]), (&"positive".into(), &false.into()));
    // A free body is never chaotic.
    let unstable = folder.good("chaos middle.toml --method exact --step 0.1");
    assert!(unstable.contains("the exponent is positive: errors grow tenfold"), "{unstable}");
    assert!(unstable.contains("not chaotic: a free body never is"), "{unstable}");
    let regular = "chaos middle.toml --set start.momentum=[0.1,0.2,1] --until 500";
    assert!(folder.good(regular).contains("the exponent is not positive"));
    assert_eq!(json(&folder.good(&format!("{regular} --json")))["verdict"], "not positive");

    let hyperion = folder.good("chaos hyperion");
    assert!(hyperion.contains("largest Lyapunov exponent"), "{hyperion}");
    assert!(hyperion.contains("the exponent is positive"), "{hyperion}");
    assert!(hyperion.contains("chaotic; or an unstable steady motion"), "{hyperion}");
    let top = "body.inertia = [1, 1, 2]\nstart.momentum = [0.3, 0.1, 6]\nrun.until = 400\n\
               torque.kind = \"heavy-top\"\ntorque.centre = [0, 0, 0.5]\n";
    folder.write("top.toml", top);
    let regular = folder.good("chaos top.toml");
    assert!(regular.contains("not positive") && regular.contains("no chaos seen"), "{regular}");
    assert!(regular.contains("mean rate over the run"), "{regular}");
    let short = folder.good("chaos top.toml --until 10");
    assert!(short.contains("not settled") && short.contains("undecided"), "{short}");
    let short = json(&folder.good("chaos top.toml --until 10 --json"));
    assert_eq!(short["verdict"], "not settled");
    assert!(short["chaotic"].is_null());
    let refused = folder.run("chaos top.toml --until 0");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("until = 0: this is the start"), "{}", refused.stderr);
    let refused = folder.run("chaos middle.toml --method rk4 --step 0.1");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("rk4: has no derivatives"), "{}", refused.stderr);
    let refused = folder.run("chaos middle.toml --step 0");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
}
