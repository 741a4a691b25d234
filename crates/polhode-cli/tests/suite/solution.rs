//! `polhode run` to a tolerance: rows at times, errors told, the bits of the library.

use crate::support::{Folder, TOP};
use polhode::{Errors, FreeMotion};
use polhode_scenario::Scenario;
use serde_json::Value;

/// The top without a method, and the same free.
fn folder() -> Folder {
    let folder = Folder::with_top();
    let without = TOP.replace("[method]\nid = \"strang:compensated+exact\"\nstep = 0.001\n", "");
    assert!(!without.contains("method"));
    folder.write("solved.toml", &without);
    folder.write("free.toml", without.replace("heavy-top", "none"));
    folder
}

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.good(&format!("{line} --json"))).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn rows(folder: &Folder, name: &str) -> Vec<Vec<f64>> {
    let text = String::from_utf8(folder.read(name)).unwrap();
    let row = |line: &str| line.split(',').map(|x| x.parse().unwrap()).collect();
    text.lines().skip(1).map(row).collect()
}

fn times(folder: &Folder, name: &str) -> Vec<f64> {
    rows(folder, name).iter().map(|row| row[0]).collect()
}

#[test]
fn a_torqued_body_is_solved_with_the_bits_of_the_library() {
    let folder = folder();
    let document = json(&folder, "run solved.toml --until 7.3 --interval 1 --out x.csv");
    let text = String::from_utf8(folder.read("solved.toml")).unwrap();
    let problem = Scenario::parse(&text, "solved.toml").unwrap().problem();
    let solution = problem.solve(7.3, 1e-10).unwrap();
    let (t, end) = solution.end();
    assert_eq!((document["t"].as_f64(), document["until"].as_f64()), (Some(t), Some(7.3)));
    assert_eq!(document["method"], "extrapolation");
    assert_eq!(document["steps"], solution.statistics().steps);
    assert_eq!(document["torque_evaluations"], solution.statistics().evaluations);
    assert_eq!(document["tolerance"], 1e-10);
    assert_eq!(document["step"], Value::Null);
    assert_eq!(numbers(&document["state"]["momentum"]), end.m.to_array());
    assert_eq!(numbers(&document["state"]["attitude"]), end.attitude());
    // Rows are values of the same solution, and the last one is its end.
    let rows = rows(&folder, "x.csv");
    assert_eq!(rows.len(), 9);
    for row in &rows {
        let state = solution.at(row[0]).unwrap();
        assert_eq!((&row[1..4], &row[7..11]), (&state.m.to_array()[..], &state.attitude()[..]));
    }
    assert_eq!(rows[8][0], 7.3);
    // The error told is that of the end: neither nothing nor much more than a far better solution tells.
    let better = problem.solve(7.3, 1e-12).unwrap().end().1;
    let truth = Errors::new(&end, &better, end.m.length()).worst();
    let error = &document["error"];
    let told = error["momentum"].as_f64().unwrap().max(error["attitude"].as_f64().unwrap());
    assert_eq!(error["kind"], "estimated");
    assert!(told > 0.1 * truth && told < 10.0 * truth && told < 1e-9, "{told:e} {truth:e}");
}

#[test]
fn a_free_body_is_evaluated_in_closed_form() {
    let folder = folder();
    let document = json(&folder, "run free.toml --until 1e6 --times 0,0.1,5e5 --out x.csv");
    let text = String::from_utf8(folder.read("free.toml")).unwrap();
    let problem = Scenario::parse(&text, "free.toml").unwrap().problem();
    let motion = FreeMotion::new(problem.inertia(), problem.start()).unwrap();
    assert_eq!(
        (document["method"].as_str(), document["steps"].as_u64()),
        (Some("closed-form"), Some(0))
    );
    assert_eq!(document["t"], 1e6);
    assert_eq!(numbers(&document["state"]["momentum"]), motion.at(1e6).unwrap().m.to_array());
    assert_eq!(document["error"]["kind"], "rounding");
    assert!(document["error"]["attitude"].as_f64().unwrap() < 1e-7);
    for row in rows(&folder, "x.csv") {
        assert_eq!(row[1..4], motion.at(row[0]).unwrap().m.to_array());
    }
    let summary = folder.good("run free.toml --out y.csv");
    assert!(
        summary.starts_with("free.toml: 1001 rows, evaluated in closed form\nat t = 1\n"),
        "{summary}"
    );
    assert!(summary.contains("rad  (rounding, at most about)"), "{summary}");
}

#[test]
fn rows_are_at_the_times_wanted() {
    let folder = folder();
    folder.good("run solved.toml --out a.csv");
    let thousand = times(&folder, "a.csv");
    assert_eq!((thousand.len(), thousand[1], thousand[1000]), (1001, 0.001, 1.0));
    folder.good("run solved.toml --interval 0.3 --out b.csv");
    assert_eq!(times(&folder, "b.csv"), [0.0, 0.3, 0.6, 3.0 * 0.3, 1.0]);
    folder.good("run solved.toml --until -1 --interval 0.5 --out c.csv");
    assert_eq!(times(&folder, "c.csv"), [0.0, -0.5, -1.0]);
    folder.write("t.txt", "0.25\n0.5, 0.75\n");
    folder.good("run solved.toml --times t.txt --out d.csv");
    assert_eq!(times(&folder, "d.csv"), [0.25, 0.5, 0.75]);
    folder.good("run solved.toml --times 0.25,0.5 --out e.csv");
    // Which other rows there are changes nothing.
    assert_eq!(rows(&folder, "e.csv")[..], rows(&folder, "d.csv")[..2]);
    folder.good("run solved.toml --until 0 --out f.csv");
    assert_eq!(times(&folder, "f.csv"), [0.0]);
    // With a fixed step an interval is a number of steps.
    folder.good("run top.toml --interval 0.25 --out g.csv");
    assert_eq!(times(&folder, "g.csv").len(), 5);
    for format in ["npz", "jsonl", "aem", "svg"] {
        folder.good(&format!("run solved.toml --times 0,0.1,0.7 --out h.{format}"));
    }
}

#[test]
fn a_tolerance_takes_the_place_of_the_method() {
    let folder = folder();
    let document = json(&folder, "run top.toml --tolerance 1e-6 --out x.csv");
    assert_eq!(
        (&document["method"], &document["tolerance"]),
        (&"extrapolation".into(), &1e-6.into())
    );
    let document = json(&folder, "run top.toml --method dop853 --out y.csv");
    assert_eq!((&document["method"], &document["tolerance"]), (&"dop853".into(), &1e-10.into()));
    let document = json(&folder, "run solved.toml --method rk4 --step 0.01 --out z.csv");
    assert_eq!((&document["method"], &document["step"]), (&"rk4".into(), &0.01.into()));
    assert!(document.get("tolerance").is_none());
    // A step ends where the torque may jump: there are more of them.
    let stopped = json(&folder, "run solved.toml --set run.stops=[0.1,0.11,0.5] --out s.csv");
    let smooth = json(&folder, "run solved.toml --out s.csv --force");
    assert!(stopped["steps"].as_u64() > smooth["steps"].as_u64());
}

/// A torque about one axis that jumps at these times, at each of which a step is to end.
fn jumping(until: f64, stops: &[f64]) -> String {
    let jumps: Vec<String> = stops.iter().map(|stop| format!("sign(t - {stop:?})")).collect();
    format!(
        "[body]\ninertia = [1, 2, 2.5]\n[start]\nomega = [1, 20, 3]\n[torque]\nkind = \"formula\"\n\
         torque = [\"{}\", \"0\", \"0\"]\n[run]\nuntil = {until:?}\ntolerance = 1e-6\nstops = {stops:?}\n",
        jumps.join(" + ")
    )
}

#[test]
fn stops_at_the_start_and_the_end_are_heard() {
    let folder = Folder::new();
    for (until, stops) in [(2.0, [0.0, 0.7, 2.0]), (-2.0, [0.0, -0.7, -2.0])] {
        let text = jumping(until, &stops);
        folder.write("j.toml", &text);
        let problem = Scenario::parse(&text, "j.toml").unwrap().problem();
        let solver = problem.solver().tolerance(1e-6).stops(&stops);
        let solution = solver.until(until).unwrap();
        let document = json(&folder, "run j.toml --out j.csv --force");
        assert_eq!(document["steps"], solution.statistics().steps);
        assert_eq!(document["torque_evaluations"], solution.statistics().evaluations);
        assert_eq!(numbers(&document["state"]["momentum"]), solution.end().1.m.to_array());
        // It matters: without the first of them other steps are made.
        let without = problem.solver().tolerance(1e-6).stops(&stops[1..]).until(until).unwrap();
        assert_ne!(without.statistics(), solution.statistics());
    }
}

/// A kick at the start is so strong that the run has two legs, between which the torque jumps: it is asked for just
/// before and just after.
#[test]
fn a_stop_between_two_legs_is_heard_in_both() {
    let folder = Folder::new();
    let text = jumping(2.0, &[1.0]).replace("[\"sign", "[\"2.6e9*exp(-1e10*t) + sign");
    folder.write("j.toml", &text);
    let document = json(&folder, "run j.toml --out j.csv");
    let mut problem = Scenario::parse(&text, "j.toml").unwrap().problem();
    let mut steps = [0, 0];
    for end in [1.0, 2.0] {
        // A leg has the square of its part of the tolerance.
        let leg =
            |stops: &[f64]| problem.solver().tolerance(1e-6 / 4.0).stops(stops).until(end).unwrap();
        let solution = leg(&[1.0]);
        steps = [steps[0] + solution.statistics().steps, steps[1] + leg(&[]).statistics().steps];
        let state = solution.end().1;
        problem = problem.starting_at(end).starting_from(state);
    }
    assert_eq!(numbers(&document["state"]["momentum"]), problem.start().m.to_array());
    assert_eq!(document["steps"], steps[0]);
    assert_ne!(steps[0], steps[1]);
}

#[test]
fn in_fixed_steps_the_error_of_a_torqued_body_is_estimated_or_said_to_be_unknown() {
    let folder = folder();
    let text = String::from_utf8(folder.read("solved.toml")).unwrap();
    let problem = Scenario::parse(&text, "solved.toml").unwrap().problem();
    let run = "run solved.toml --method rk4 --out z.csv --force";
    let mut before = f64::INFINITY;
    for step in ["0.01", "0.005"] {
        let document = json(&folder, &format!("{run} --step {step}"));
        let t = document["t"].as_f64().unwrap();
        let want = problem.solve(t, 1e-11).unwrap().end().1;
        let got = numbers(&document["state"]["momentum"]);
        let off =
            (polhode::glam::DVec3::new(got[0], got[1], got[2]) - want.m).length() / want.m.length();
        let error = document["error"]["momentum"].as_f64().unwrap();
        assert_eq!(document["error"]["kind"], "estimated");
        assert!(error > 1e-11 && (error / off - 1.0).abs() < 0.5, "{error:e} {off:e}");
        // Of order 4.
        assert!(error < before / 10.0, "{error:e} {before:e}");
        before = error;
        assert!(document.get("error_unknown").is_none());
    }
    let text = folder.good(&format!("{run} --step 0.01"));
    assert!(text.contains("estimated by a better solution"), "{text}");
    // Ten million radians: of the angle nothing is left.
    let far = "run solved.toml --method strang+exact --step 10 --until 1e5 --set start.omega=[60,70,80] --out f.csv";
    let document = json(&folder, &format!("{far} --every 1000"));
    assert!(document.get("error").is_none());
    let why = document["error_unknown"].as_str().unwrap();
    assert!(why.contains("rounding"), "{why}");
    let text = folder.good(&format!("{far} --every 1000 --force"));
    assert!(text.contains("  error     not known: "), "{text}");
}

#[test]
fn in_fixed_steps_the_error_of_a_free_body_is_measured() {
    let folder = folder();
    let document = json(&folder, "run free.toml --method rk4 --step 0.01 --out x.csv");
    let text = String::from_utf8(folder.read("free.toml")).unwrap();
    let problem = Scenario::parse(&text, "free.toml").unwrap().problem();
    let want = FreeMotion::new(problem.inertia(), problem.start()).unwrap().at(1.0).unwrap();
    let got = numbers(&document["state"]["momentum"]);
    let error = document["error"]["momentum"].as_f64().unwrap();
    let off =
        (polhode::glam::DVec3::new(got[0], got[1], got[2]) - want.m).length() / want.m.length();
    assert_eq!(document["error"]["kind"], "measured");
    assert!(error > 1e-8 && (error / off - 1.0).abs() < 1e-6, "{error:e} {off:e}");
    let text = folder.good("run free.toml --method rk4 --step 0.01 --out x.csv --force");
    assert!(text.contains("(against the exact motion)"), "{text}");
    // Under torque it is estimated.
    assert!(folder.good("run top.toml --out y.csv").contains("estimated by a better solution"));
}

#[test]
fn what_cannot_be_told_from_rounding_is_a_bound() {
    let folder = folder();
    let line = "run solved.toml --until 0.1 --tolerance 1e-14 --out x.csv --force";
    let text = folder.good(line);
    assert!(text.contains("  error     below ") && text.contains(", below "), "{text}");
    let error = &json(&folder, line)["error"];
    assert_eq!((&error["momentum"], &error["attitude"]), (&error["least"], &error["least"]));
    // One step is good enough for a tenth of the tolerance, too: the comparison goes on.
    let line = "run solved.toml --until 0.1 --tolerance 0.1 --out x.csv --force";
    let document = json(&folder, line);
    let text = String::from_utf8(folder.read("solved.toml")).unwrap();
    let problem = Scenario::parse(&text, "solved.toml").unwrap().problem();
    let want = problem.solve(0.1, 1e-13).unwrap().end().1;
    let got = numbers(&document["state"]["momentum"]);
    let off =
        (polhode::glam::DVec3::new(got[0], got[1], got[2]) - want.m).length() / want.m.length();
    let error = document["error"]["momentum"].as_f64().unwrap();
    assert!(error < 3.0 * off && error > 0.3 * off && off > 1e-12, "{error:e} {off:e}");
}

#[test]
fn the_error_of_a_momentum_that_falls_is_relative_to_what_is_left() {
    let folder = folder();
    let text = "[body]\ninertia = [1, 2, 2.5]\n[start]\nomega = [1, 2, 3]\n[torque]\nkind = \"damping\"\n\
                coefficient = [1, 2, 2.5]\n[run]\nuntil = 6\ntolerance = 1e-6\n";
    folder.write("damped.toml", text);
    let problem = Scenario::parse(text, "damped.toml").unwrap().problem();
    let want = problem.solve(6.0, 1e-12).unwrap().end().1;
    assert!(want.m.length() < problem.start().m.length() / 300.0);
    let document = json(&folder, "run damped.toml --out x.csv");
    let got = numbers(&document["state"]["momentum"]);
    let off =
        (polhode::glam::DVec3::new(got[0], got[1], got[2]) - want.m).length() / want.m.length();
    let error = document["error"]["momentum"].as_f64().unwrap();
    assert!(off < 1e-5 && (0.3..3.0).contains(&(error / off)), "{error:e} {off:e}");
}

#[test]
fn a_tolerance_that_is_missed_is_told() {
    // Beside the separatrix the motion enlarges every error: a little beyond what was foreseen, or a billionfold.
    let folder = folder();
    let line = |off: &str, end: &str| {
        format!(
            "run free.toml --set method.id=extrapolation --set body.inertia=[3,8,11] \
             --set start.omega=[{off},12,0] {end} --out x.csv --force"
        )
    };
    let summary = folder.good(&line("2e-2", "--until 30 --tolerance 1e-9"));
    assert!(summary.contains("more than the tolerance of 1e-9"), "{summary}");
    let refused = folder.refused(&line("2e-2", "--until 30 --tolerance 1e-11"));
    assert!(refused.contains("so that rounding alone makes"), "{refused}");
    let refused = folder.refused(&line("1e-6", "--until 60 --tolerance 1e-10"));
    assert!(refused.contains("differences as small as rounding grow so large"), "{refused}");
}

#[test]
fn bad_times_and_tolerances_are_named() {
    let folder = folder();
    folder.write("bad.txt", "0\nx\n");
    for (options, parts) in [
        ("--tolerance 0", &["run.tolerance=0", "1e-14 to 0.1"][..]),
        ("--tolerance x", &["run.tolerance=x"]),
        ("--interval 0", &["run.interval=0", "a positive number"]),
        ("--interval 1e-9", &["1e8 rows"]),
        ("--times 0,2", &["run.times=", "2.0 at position 2", "from 0.0 to 1.0"]),
        ("--times 0,x", &["--times", "'0,x'", "the name of a file"]),
        (
            "--times nowhere.txt",
            &["--times: 'nowhere.txt': ", "no file has this name", "the name of a file"],
        ),
        ("--times bad.txt", &["--times: bad.txt:2: x"]),
        ("--times 0.5 --interval 0.5", &["exclude each other"]),
        ("--every 3", &["run.every=3", "'interval' and 'times'"]),
        ("--method closed-form", &["method.id=\"closed-form\"", "free bodies"]),
        ("--method dop853 --step 0.1", &["method.step=0.1", "chooses its steps"]),
        ("--until nan", &["run.until=nan"]),
        ("--method rk4 --step 0.1 --times 0.5", &["run.times=", "rows are steps"]),
        ("--tolerance nan", &["run.tolerance=nan", "not a number"]),
        ("--tolerance -1e-6", &["run.tolerance=-1e-6", "1e-14 to 0.1"]),
        ("--tolerance 1e-6,1e-7", &["run.tolerance=\"1e-6,1e-7\"", "1e-14 to 0.1"]),
        ("--tolerance=", &["run.tolerance=\"\"", "1e-14 to 0.1"]),
        ("--interval=", &["run.interval=\"\"", "a positive number"]),
        ("--until=", &["run.until=\"\"", "the time of the end"]),
        ("--times=", &["--times: ''", "nothing given", "t1,t2"]),
        ("--tolerance inf", &["run.tolerance=inf", "not finite"]),
        ("--tolerance [1e-6,1e-6]", &["run.tolerance=[1e-6,1e-6]", "1e-14 to 0.1"]),
        ("--interval nan", &["run.interval=nan", "not a number"]),
        ("--interval -0.1", &["run.interval=-0.1", "a positive number"]),
        ("--interval inf", &["run.interval=inf", "not finite"]),
        ("--interval x", &["run.interval=x", "a positive number"]),
        ("--times nan", &["--times: 'nan'", "not a number", "t1,t2"]),
        ("--times 0,nan", &["--times: '0,nan'", "number 2", "not a number"]),
        ("--times 0.5,0.5", &["0.5 at position 2", "follow each other"]),
        ("--times 0.5,0.2", &["0.2 at position 2", "follow each other"]),
        ("--times -0.5", &["-0.5 at position 1", "from 0.0 to 1.0"]),
        ("--times 0.5,", &["--times: '0.5,'", "a comma too many", "t1,t2"]),
        ("--set run.stops=0.5", &["run.stops=0.5", "a list of times, from the start to the end"]),
        ("--set run.stops=x", &["run.stops=x", "a list of times, from the start to the end"]),
        ("--set run.stops=['x']", &["run.stops=['x']", "a text at position 1", "a list of times"]),
        ("--set run.stops=[nan]", &["run.stops=[nan]", "position 1", "not a number"]),
        ("--set run.stops=[2]", &["run.stops=[2]", "2.0 at position 1", "from 0.0 to 1.0"]),
        ("--set run.stops=[-0.1]", &["-0.1 at position 1", "from 0.0 to 1.0"]),
        ("--set run.stops=[0.5,0.5]", &["0.5 at position 2", "follow each other"]),
        ("--set run.stops=[0.5,0.2]", &["0.2 at position 2", "follow each other"]),
        ("--method rk4 --step 0.1 --set run.stops=[0.5]", &["run.stops=", "fixed step"]),
    ] {
        let said = folder.refused(&format!("run solved.toml --out x.csv {options}"));
        for part in parts {
            assert!(said.contains(part), "{options}: lacks '{part}': {said}");
        }
    }
    assert!(!folder.names().iter().any(|name| name.contains("x.csv")));
    folder.good("run solved.toml --set run.stops=[] --out x.csv");
}
