//! Right and wrong trajectories: exit code, words, JSON.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use polhode::glam::DVec3;
use polhode::{State, so3};
use serde_json::Value;

use super::{BODY, csv, exact, inertia, run, run_on, start};

#[test]
fn a_right_trajectory_is_right_in_words_and_in_json() {
    let text = csv(&exact(200, 0.1));
    let (code, out, err) = run_on(&text, &[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("a.csv\n  201 rows, t = 0 .. 20"), "{out}");
    assert!(out.contains("momentum, angular velocity, quaternion"), "{out}");
    assert!(out.lines().last().unwrap().starts_with("right: exact"), "{out}");

    let (code, out, _) = run_on(&text, &["--json"]);
    assert_eq!(code, Some(0));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["verdict"], "right");
    let one = &document["trajectories"][0];
    assert_eq!((&one["verdict"], &one["rows"]), (&"exact".into(), &201.into()));
    assert!(one["errors"]["attitude"]["max"].as_f64().unwrap() < 1e-14);
    assert!(one["invariants"]["energy"]["max"].as_f64().unwrap() < 1e-14);
    assert_eq!(one["samples"]["attitude_error"].as_array().unwrap().len(), 201);
    assert_eq!(
        (&one["diagnoses"], &document["convergence"]),
        (&Value::Array(vec![]), &Value::Null)
    );
}

#[test]
fn a_transposed_attitude_is_wrong_with_code_1() {
    let mut rows = exact(200, 0.1);
    for (_, s) in &mut rows {
        s.q = s.q.conjugate();
    }
    let (code, out, err) = run_on(&csv(&rows), &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(out.contains("with the quaternion conjugated, the largest error falls from"), "{out}");
    assert!(out.lines().last().unwrap().starts_with("WRONG"), "{out}");
    let (code, out, err) = run_on(&csv(&rows), &["--json"]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["verdict"], "wrong");
    let mistakes = &document["trajectories"][0]["diagnoses"][0]["mistakes"];
    assert_eq!(mistakes[0], "transposed-attitude");
}

#[test]
fn a_missing_gyroscopic_term_is_named() {
    let omega = start().omega(&inertia());
    let at = |n: u32| f64::from(n) * 0.1;
    let rows: Vec<(f64, State)> = (0..=200)
        .map(|n| (at(n), State { q: start().q * so3::exp(omega * at(n)), ..start() }))
        .collect();
    let (code, out, _) = run_on(&csv(&rows), &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("The gyroscopic term is missing"), "{out}");
}

#[test]
fn times_in_milliseconds_are_named() {
    let rows: Vec<(f64, State)> = exact(200, 0.1).iter().map(|(t, s)| (1e3 * t, *s)).collect();
    let (code, out, _) = run_on(&csv(&rows), &[]);
    assert_eq!(code, Some(1));
    assert!(out.contains("with the times divided by 1000, the largest error falls from"), "{out}");
    assert!(out.contains("milliseconds") && !out.contains("gyroscopic"), "{out}");
}

#[test]
fn a_reader_that_leaves_early_does_not_make_it_right() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), csv(&euler(2000, 0.1))).unwrap();
    for more in [&[][..], &["--json"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_polhode"))
            .args([&["check", "a.csv"], &BODY[..], more].concat())
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]));
    }
}

#[test]
fn a_sign_flip_is_no_error() {
    let mut rows = exact(200, 0.1);
    for (_, s) in &mut rows[50..] {
        s.q = -s.q;
    }
    let (code, out, _) = run_on(&csv(&rows), &[]);
    assert_eq!(code, Some(0));
    assert!(out.contains("changes its sign once; q and -q are the same attitude"), "{out}");
}

/// Semi-explicit Euler, of first order.
fn euler(count: u32, h: f64) -> Vec<(f64, State)> {
    let mut rows = vec![(0.0, start())];
    for n in 1..=count {
        let s = rows[rows.len() - 1].1;
        let m: DVec3 = s.m + s.m.cross(inertia().omega(s.m)) * h;
        rows.push((f64::from(n) * h, State { m, q: s.q * so3::exp(inertia().omega(m) * h) }));
    }
    rows
}

#[test]
fn a_first_order_method_claimed_as_second_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("coarse.csv"), csv(&euler(500, 0.004))).unwrap();
    fs::write(path("fine.csv"), csv(&euler(1000, 0.002))).unwrap();
    let order = |claimed: &str, more: &[&str]| {
        let files = ["coarse.csv", "fine.csv", "--order", claimed];
        run(folder.path(), &[&files[..], &BODY[..], more].concat())
    };
    let (code, out, err) = order("2", &[]);
    assert_eq!((code, err.as_str()), (Some(1), ""), "{out}");
    assert!(out.contains("observed order 1.0") && out.contains("claimed 2"), "{out}");
    assert!(out.contains("WRONG: the order is lower than claimed"), "{out}");
    assert!(out.contains("the error of the momentum goes from"), "{out}");
    assert!(out.contains(", that of the attitude goes from"), "{out}");
    // Honest about it, it is right: the error is that of the method ..
    let (code, out, _) = order("1", &[]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("right: converges to the exact motion with order 1.0"), "{out}");
    assert!(!out.contains("no mistake known"), "{out}");
    // .. unless that has to be small as well.
    assert_eq!(order("1", &["--tolerance", "1e-6"]).0, Some(1));
    assert_eq!(order("1", &["--tolerance", "0.1"]).0, Some(0));
    let (_, out, _) = order("2", &["--json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["convergence"]["verdict"], "too-low");
    let observed = document["convergence"]["observed"].as_f64().unwrap();
    assert!((observed - 1.0).abs() < 0.1);
    // Steps that rows do not show.
    let (code, out, _) = order("2", &["--steps", "0.04,0.02"]);
    assert_eq!(code, Some(1));
    assert!(out.contains("steps 0.04, 0.02: momentum"), "{out}");
}

#[test]
fn files_without_a_claim_are_judged_by_their_errors() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), csv(&exact(100, 0.1))).unwrap();
    fs::write(folder.path().join("b.csv"), csv(&exact(100, 0.1))).unwrap();
    let (code, out, _) = run(folder.path(), &[&["a.csv", "b.csv"], &BODY[..]].concat());
    assert_eq!(code, Some(0), "{out}");
    fs::write(folder.path().join("b.csv"), csv(&euler(100, 0.1))).unwrap();
    assert_eq!(run(folder.path(), &[&["a.csv", "b.csv"], &BODY[..]].concat()).0, Some(1));
}

const TOP: &str = "body.inertia = [1, 5, 6]\nstart.omega = [1, 1, 1]\ntorque.kind = 'heavy-top'\n\
                   method = { id = 'rkn6-14+exact', step = 0.01 }\nrun.until = 3\n";

#[test]
fn a_scenario_gives_body_torque_and_start() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("top.toml"), TOP).unwrap();
    let scenario = polhode_scenario::Scenario::parse(TOP, "top.toml").unwrap();
    let problem = scenario.problem();
    let mut stepper = scenario.steps().unwrap().method.stepper(&problem).unwrap();
    let mut seen = polhode::observe::Trajectory::default();
    polhode::run(&problem, &mut *stepper, &scenario.steps().unwrap().plan, &mut [&mut seen])
        .unwrap();
    let mut text = "t,q0,q1,q2,q3\n".to_owned();
    for p in &seen.points {
        let [w, x, y, z] = p.state.attitude();
        writeln!(text, "{:?},{w:?},{x:?},{y:?},{z:?}", p.t).unwrap();
    }
    let file = folder.path().join("a.csv");
    fs::write(&file, &text).unwrap();
    let (code, out, err) = run(folder.path(), &["a.csv", "--scenario", "top.toml"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("against a converged solution (rkn6-14"), "{out}");
    // Without its torque the same motion is another.
    fs::write(folder.path().join("free.toml"), TOP.replace("heavy-top", "none")).unwrap();
    let (code, out, _) = run(folder.path(), &["a.csv", "--scenario", "free.toml"]);
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("of the scenario"), "{out}");
    let (code, _, err) = run(folder.path(), &["a.csv", "--scenario", "tip.toml"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("tip.toml: no such file; did you mean"), "{err}");
}
