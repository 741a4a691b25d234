//! `polhode run` from outside: summary, files, options, exit codes.

use std::path::Path;

use crate::support::{Folder, TOP};
use polhode::method::Method;
use polhode::observe::Invariants;
use polhode::run;
use polhode_scenario::Scenario;
use serde_json::Value;

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.good(&format!("{line} --json"))).unwrap()
}

fn csv(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let row = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    text.lines().skip(1).map(row).collect()
}

#[test]
fn one_step_is_singular() {
    let text = Folder::with_top().good("run top.toml --step 0.01 --until 0.01");
    assert!(text.starts_with("top.toml: 1 step of 0.01 by "), "{text}");
}

#[test]
fn the_first_command_of_the_readme() {
    let folder = Folder::new();
    let scenario = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/dzhanibekov.toml");
    let mut command = folder.polhode(["run"]);
    let output = command.arg(&scenario).output().unwrap();
    assert!(output.status.success());
    let summary = String::from_utf8(output.stdout).unwrap();
    for part in [
        "6000 steps of 0.01 by exact",
        "at t = 60",
        "period: 4.1908",
        "flip period: 2.0954",
        "wrote out/dzhanibekov.csv",
        "wrote out/dzhanibekov.svg",
    ] {
        assert!(summary.contains(part), "lacks '{part}':\n{summary}");
    }
    assert_eq!(folder.names(), ["out/dzhanibekov.csv", "out/dzhanibekov.svg"]);
    assert_eq!(csv(&folder, "out/dzhanibekov.csv").len(), 6001);
    // Replaced on the next run, without a word.
    assert!(folder.polhode(["run"]).arg(&scenario).output().unwrap().status.success());
}

#[test]
fn the_document_has_the_fields_of_the_contract_and_the_bits_of_the_library() {
    let folder = Folder::with_top();
    let document = json(&folder, "run top.toml");
    let scenario = Scenario::parse(TOP, "top.toml").unwrap();
    let problem = scenario.problem();
    let mut stepper = Method::parse("strang:compensated+exact").unwrap().stepper(&problem).unwrap();
    let mut invariants = Invariants::default();
    let end = run(&problem, &mut *stepper, &scenario.steps().unwrap().plan, &mut [&mut invariants])
        .unwrap();

    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    assert_eq!(document["method"], "strang:compensated+exact");
    assert_eq!(document["steps"], 1000);
    assert_eq!(document["t"], 1.0);
    let state = &document["state"];
    assert_eq!(state["t"], 1.0);
    assert_eq!(numbers(&state["momentum"]), end.state.m.to_array());
    assert_eq!(numbers(&state["omega"]), end.state.omega(problem.inertia()).to_array());
    assert_eq!(numbers(&state["attitude"]), end.state.attitude());
    assert_eq!(numbers(&state["matrix"]).len(), 9);
    let kept = &document["invariants"];
    assert_eq!(kept["energy"]["start"], 601.0);
    assert_eq!(kept["energy"]["max_error"], invariants.energy().unwrap().max_error);
    assert_eq!(kept["momentum_norm"]["max_error"], invariants.momentum_norm().unwrap().max_error);
    let spatial = invariants.spatial_momentum().unwrap();
    assert_eq!(kept["spatial_momentum"]["max_error"], spatial.max_error);
    assert_eq!(numbers(&kept["spatial_momentum"]["start"]), spatial.start.to_array());
    // Only energy is an invariant of this motion.
    assert_eq!(kept["energy"]["conserved"], true);
    assert_eq!(kept["momentum_norm"]["conserved"], false);
    assert!(document["wall_seconds"].as_f64().unwrap() > 0.0);
    assert!(document["steps_per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(document["torque_evaluations"], end.torque_evaluations);
}

#[test]
fn options_change_the_scenario() {
    let folder = Folder::with_top();
    let line = "run top.toml --method rk4 --step 0.01 --until 0.5 --every 10 --set start.omega=[1,2,3] --out x.csv";
    let document = json(&folder, line);
    assert_eq!(document["method"], "rk4");
    assert_eq!(document["steps"], 50);
    // 6 rows: the start and every tenth step; I omega for the start.
    let rows = csv(&folder, "x.csv");
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0][..4], [0.0, 1.0, 10.0, 18.0]);
    assert_eq!(rows.last().unwrap()[0], 0.5);
    // Files of --out stand for those of the scenario.
    assert_eq!(folder.names(), ["top.toml", "x.csv"]);
}

#[test]
fn the_last_step_is_always_kept_and_times_are_products() {
    let folder = Folder::with_top();
    folder.good("run top.toml --step 0.1 --until 0.7 --every 3 --out x.csv");
    let times: Vec<f64> = csv(&folder, "x.csv").iter().map(|row| row[0]).collect();
    assert_eq!(times, [0.0, 3.0 * 0.1, 6.0 * 0.1, 7.0 * 0.1]);
}

#[test]
fn an_end_between_two_steps_is_said() {
    let folder = Folder::with_top();
    let summary = folder.good("run top.toml --step 0.3 --until 1 --out x.csv");
    assert!(summary.contains("at t = 1.2 (not 1: all steps are whole)"), "{summary}");
}

#[test]
fn backwards_in_time() {
    let folder = Folder::with_top();
    let document = json(&folder, "run top.toml --step -0.001 --until -1 --out x.csv");
    assert_eq!(document["t"], -1.0);
}

#[test]
fn no_steps_at_all_give_the_start() {
    let folder = Folder::with_top();
    let document = json(&folder, "run top.toml --until 0 --out x.csv");
    assert_eq!((document["steps"].as_u64(), document["t"].as_f64()), (Some(0), Some(0.0)));
    assert_eq!(csv(&folder, "x.csv").len(), 1);
}

#[test]
fn files_are_not_replaced_without_force() {
    let folder = Folder::with_top();
    folder.write("x.csv", "mine");
    let refused = folder.run("run top.toml --out y.csv --out x.csv");
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("x.csv") && refused.stderr.contains("--force"));
    assert_eq!(folder.read("x.csv"), b"mine");
    assert_eq!(folder.names(), ["top.toml", "x.csv"], "something was left behind");
    folder.good("run top.toml --out x.csv --force");
    assert_ne!(folder.read("x.csv"), b"mine");
}

#[test]
fn a_checkpoint_of_a_finished_run_is_taken_away() {
    let folder = Folder::with_top();
    folder.good("run top.toml --out x.csv --checkpoint x.ckpt --checkpoint-every 100");
    assert_eq!(folder.names(), ["top.toml", "x.csv"]);
}

#[test]
fn a_free_body_is_described_and_a_damped_one_has_no_energy_error() {
    let folder = Folder::with_top();
    let free = folder.good("run top.toml --set torque.kind=none");
    assert!(free.contains("regime: ") && free.contains("relative"), "{free}");
    let damped = folder.good(
        "run top.toml --set torque.kind=damping --set torque.coefficient=0.1 --method strang+exact",
    );
    assert!(
        damped.contains("not conserved by this torque") && !damped.contains("regime"),
        "{damped}"
    );
}

#[test]
fn a_step_that_fails_says_where_and_leaves_nothing() {
    let folder = Folder::with_top();
    // A quarter turn is too much for the equation of dmv.
    let ended = folder.run("run top.toml --method strang+dmv --step 0.5 --until 10 --out x.csv");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    for part in ["error: top.toml: step 1 at t = 0.0", "dmv", "smaller step"] {
        assert!(ended.stderr.contains(part), "lacks '{part}': {}", ended.stderr);
    }
    assert_eq!(folder.names(), ["top.toml"]);
}

#[test]
fn help_has_an_example() {
    let folder = Folder::new();
    for command in ["run", "resume"] {
        let help = folder.good(&format!("{command} --help"));
        assert!(help.contains("Example") && help.contains(&format!("polhode {command}")), "{help}");
    }
}
