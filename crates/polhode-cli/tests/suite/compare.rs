//! `polhode compare` through the built program.

use crate::support::{Folder, TOP};
use serde_json::Value;

const COMPARE: &str = "compare top.toml --until 0.5 --methods strang+exact,rkn4-6+exact,rk4 \
                       --steps 0.02,0.01,0.005";

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.good(&format!("{line} --json"))).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_table_has_a_row_for_every_method_and_step() {
    let folder = Folder::with_top();
    let text = folder.good(COMPARE);
    for method in ["strang+exact", "rkn4-6+exact", "rk4"] {
        // One for each of three steps, one for its order.
        let rows = text.lines().filter(|l| l.trim_start().starts_with(&format!("{method} ")));
        assert_eq!(rows.count(), 4, "{method}: {text}");
    }
    assert!(text.starts_with("# top.toml until 0.5\n# reference: rkn6-14:comp"), "{text}");
    assert_eq!(folder.names(), ["top.toml"]);
}

#[test]
fn the_document_tells_errors_costs_and_orders() {
    let folder = Folder::with_top();
    let document = json(&folder, COMPARE);
    assert_eq!(document["until"], 0.5);
    assert!(number(&document["reference"]["error"]) < 1e-12);
    assert!(number(&document["floor"]) >= number(&document["reference"]["error"]));
    let trials = document["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 9);
    for trial in trials {
        let steps = (0.5 / number(&trial["step"])).round();
        assert_eq!(number(&trial["steps"]), steps);
        assert!(number(&trial["seconds"]) > 0.0);
        assert!(trial["failure"].is_null());
        for part in ["momentum_error", "attitude_error"] {
            let [all, end] = [&trial[part], &trial[format!("{part}_at_end").as_str()]].map(number);
            assert!(end <= all && all < 0.1, "{trial}");
        }
    }
    // A step of classical Runge-Kutta takes four evaluations; one of Strang's shares its ends.
    assert_eq!(trials[0]["torque_evaluations"], 26);
    assert_eq!(trials[6]["torque_evaluations"], 100);
    for (method, order) in document["methods"].as_array().unwrap().iter().zip([2.0, 4.0, 4.0]) {
        assert_eq!(number(&method["order"]), order);
        assert!((number(&method["observed_order"]) - order).abs() < 0.5, "{method}");
    }
    assert!(document["wanted"].is_null());
}

#[test]
fn any_number_of_threads_gives_the_same_errors_and_evaluations() {
    let folder = Folder::with_top();
    let on = |threads: &str| {
        let line = format!("{COMPARE} --error 1e-7 --json");
        let mut command = folder.polhode(line.split_whitespace());
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        let mut document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let wanted = document["wanted"]["methods"].take();
        let rows = [document["trials"].take(), wanted];
        let mut rows: Vec<Value> =
            rows.iter().flat_map(|r| r.as_array().unwrap().clone()).collect();
        for row in &mut rows {
            row["seconds"].take();
        }
        assert_eq!(rows.len(), 12);
        rows
    };
    let one = on("1");
    assert_eq!(one, on("2"));
    assert_eq!(one, on("7"));
}

#[test]
fn a_wanted_error_is_reached_by_the_step_named() {
    let folder = Folder::with_top();
    // Long enough for steps that fit the span to lie close together.
    let line = COMPARE.replace("--until 0.5", "--until 8");
    let document = json(&folder, &format!("{line} --error 1e-5"));
    let wanted = &document["wanted"];
    assert_eq!(wanted["error"], 1e-5);
    let rows = wanted["methods"].as_array().unwrap();
    for row in rows {
        let [momentum, attitude] = ["momentum_error", "attitude_error"].map(|e| number(&row[e]));
        assert!(momentum.max(attitude) <= 1e-5, "{row}");
        // The step is no shorter than need be: one a fifth longer fails, run by itself.
        let (method, step) = (row["method"].as_str().unwrap(), 1.2 * number(&row["step"]));
        let longer = format!("compare top.toml --until 8 --methods {method} --steps {step}");
        let longer = json(&folder, &longer);
        let longer = &longer["trials"][0];
        let [momentum, attitude] = ["momentum_error", "attitude_error"].map(|e| number(&longer[e]));
        assert!(momentum.max(attitude) > 1e-5, "{row} {longer}");
    }
    let least = |key: &str| {
        let cost = |row: &&Value| number(&row[key]);
        rows.iter().min_by(|a, b| cost(a).total_cmp(&cost(b))).unwrap()["method"].clone()
    };
    assert_eq!(wanted["cheapest_in_time"], least("seconds"));
    assert_eq!(wanted["fewest_torque_evaluations"], least("torque_evaluations"));
    let text = folder.good(&format!("{line} --error 1e-5"));
    // A solution to a tolerance may be quicker than all of them; then that is said first.
    for what in ["Cheapest in time", "Fewest torque evaluations"] {
        let told = ["", " with a fixed step"]
            .map(|among| format!("\n{what}{among}: rkn4-6+exact with step "));
        assert!(told.iter().any(|told| text.contains(told)), "{what}: {text}");
    }
}

#[test]
fn methods_of_other_scenarios_go_beside_each_other() {
    let folder = Folder::with_top();
    let own = |file: &str, method: &str| {
        let top = std::fs::read_to_string(folder.path("top.toml")).unwrap();
        let (before, rest) = top.split_once("[method]").unwrap();
        let (_, after) = rest.split_once("[run]").unwrap();
        folder.write(file, format!("{before}[method]\n{method}step = 0.1\n[run]{after}"));
    };
    let stages =
        "stages = [['kick', 0.5], ['drift', 1], ['kick', 0.5]]\norder = 2\nrotor = 'exact'\n";
    own("one.toml", &format!("id = 'one'\n{stages}"));
    own("two.toml", &format!("id = 'two'\ncompensated = true\n{stages}"));
    own("heun.toml", "tableau = { a = [[0, 0], [1, 0]], b = [0.5, 0.5] }\norder = 2\n");
    let line = "compare top.toml --until 0.5 --steps 0.1,0.05,0.025";
    let document =
        json(&folder, &format!("{line} --methods strang+exact,one.toml,two.toml,heun.toml"));
    let trials = document["trials"].as_array().unwrap();
    let of = |method: &str| trials.iter().find(|t| t["method"] == method).unwrap().clone();
    let error = |method: &str| number(&of(method)["momentum_error"]);
    let [one, two] = [error("one+exact"), error("two:compensated+exact")];
    assert_eq!(one, error("strang+exact"));
    assert!((two / one - 1.0).abs() < 1e-9 && two != one, "{two:e} {one:e}");
    assert!(error("own") > one);
    own("again.toml", &format!("id = 'one'\n{stages}"));
    for (methods, why) in
        [("one.toml,again.toml", "'one+exact' is there already"), ("no.toml", "no.toml")]
    {
        let ended = folder.run(&format!("{line} --methods {methods}"));
        assert!(ended.code == Some(2) && ended.stderr.contains(why), "{}", ended.stderr);
    }
}

#[test]
fn an_error_out_of_reach_is_told() {
    let folder = Folder::with_top();
    let text = folder
        .good("compare top.toml --until 0.5 --methods strang+exact,fe --steps 0.01 --error 1e-12");
    assert!(text.contains("strang+exact  not reached: "), "{text}");
    assert!(text.ends_with("\nNo method reaches an error of 1e-12.\n"), "{text}");
}

#[test]
fn a_folder_spelt_in_two_ways_is_one() {
    let folder = Folder::with_top();
    std::fs::create_dir(folder.path("d")).unwrap();
    let ended = folder.run(&format!("{COMPARE} --out d/a.csv --out d/../d/a.csv"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("d/../d/a.csv: the same file as d/a.csv"), "{ended:?}");
    assert_eq!(folder.names(), ["top.toml"]);
    folder.good(&format!("{COMPARE} --out d/a.csv --out a.csv"));
}

#[test]
fn a_method_that_is_not_for_the_torque_is_a_row_with_its_reason() {
    let folder = Folder::with_top();
    let line = "compare top.toml --set torque.kind=damping --set torque.coefficient=0.1 --until 0.1 \
                --methods rkn6-14+exact,exact,strang+exact --steps 0.01,0.005 --out a.csv";
    let text = folder.good(line);
    assert!(
        text.contains("rkn6-14+exact  refused: rkn6-14: its order conditions hold only"),
        "{text}"
    );
    assert_eq!(text.matches("refused").count(), 2, "{text}");
    let table = String::from_utf8(folder.read("a.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    assert!(rows[0][10].starts_with("rkn6-14: its order conditions"), "{:?}", rows[0]);
    assert_eq!((&rows[0][2], &rows[5][10]), ("", ""));
    // If nothing is left, that is a failure; the reasons are on stdout all the same.
    let ended = folder.run(
        "compare top.toml --set torque.kind=damping --set torque.coefficient=0.1 --until 0.1 \
         --methods rkn6-14+exact",
    );
    assert_eq!(ended.code, Some(1));
    assert!(ended.stdout.contains("refused"), "{ended:?}");
    assert_eq!(ended.stderr, "error: no method got through with any step\n");
}

#[test]
fn files_hold_what_the_table_says() {
    let folder = Folder::with_top();
    folder.good(&format!("{COMPARE} --out a.csv --out a.svg --error 1e-6"));
    assert_eq!(folder.names(), ["a.csv", "a.svg", "top.toml"]);
    let table = folder.read("a.csv");
    let mut table = csv::Reader::from_reader(&table[..]);
    assert_eq!(table.headers().unwrap().iter().next(), Some("method"));
    let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
    let document = json(&folder, COMPARE);
    for (row, trial) in rows.iter().zip(document["trials"].as_array().unwrap()) {
        assert_eq!(&row[0], trial["method"].as_str().unwrap());
        assert_eq!(row[3].parse::<f64>().unwrap(), number(&trial["momentum_error"]));
        assert_eq!(row[8].parse::<f64>().unwrap(), number(&trial["torque_evaluations"]));
    }
    assert_eq!(rows.len(), 9);
    let picture = String::from_utf8(folder.read("a.svg")).unwrap();
    let tree = roxmltree::Document::parse(&picture).unwrap();
    let words: Vec<&str> = tree.descendants().filter_map(|n| n.text()).map(str::trim).collect();
    assert!(words.contains(&"top until 0.5"), "{words:?}");
    let axes =
        ["step (units of time)", "seconds", "torque evaluations", "error (relative, or rad)"];
    for word in axes.into_iter().chain(["rkn4-6+exact", "wanted", "slope 2", "slope 4"]) {
        assert!(words.contains(&word), "{word}: {words:?}");
    }
}

#[test]
fn existing_files_stay_unless_forced() {
    let folder = Folder::with_top();
    folder.write("a.csv", "mine");
    let ended = folder.run(&format!("{COMPARE} --out b.svg --out a.csv"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("a.csv: exists already; --force replaces it"), "{ended:?}");
    assert_eq!(folder.read("a.csv"), b"mine");
    assert_eq!(folder.names(), ["a.csv", "top.toml"]);
    folder.good(&format!("{COMPARE} --out a.csv --force"));
    assert!(folder.read("a.csv").starts_with(b"method,"));
    assert_eq!(folder.names(), ["a.csv", "top.toml"]);
}

/// Options after `compare`, the exit code, parts of the message.
#[rustfmt::skip]
const BAD: &[(&str, i32, &[&str])] = &[
    ("missing.toml", 2, &["missing.toml", "no such file"]),
    ("", 2, &["<SCENARIO>"]),
    ("top.toml --methods strung+exact", 2, &["--methods: 'strung+exact'", "did you mean 'strang'"]),
    ("top.toml --methods strang+exakt", 2, &["--methods", "did you mean 'exact'"]),
    ("top.toml --methods rk5", 2, &["--methods: 'rk5'", "no method 'rk5'; did you mean 'rk4'"]),
    ("top.toml --methods rk4,,trap", 2, &["--methods: ''", "polhode methods"]),
    ("top.toml --methods ,", 2, &["--methods: ''", "no method between commas"]),
    ("top.toml --methods strang", 2, &["--methods: 'strang'", "a scheme needs a rotor", "strang+exact"]),
    ("top.toml --methods dmv:order=3", 2, &["--methods: 'dmv:order=3'", "2 to 20 in steps of 2"]),
    ("top.toml --steps 0", 2, &["--steps: '0'", "finite and not zero"]),
    ("top.toml --steps 0.1,nan", 2, &["--steps: '0.1,nan'", "'nan', is not a number"]),
    ("top.toml --steps inf", 2, &["--steps: 'inf'", "is not finite"]),
    ("top.toml --steps 0.1,,0.2", 2, &["--steps", "number 2", "is empty"]),
    ("top.toml --steps -0.1", 2, &["--steps: '-0.1'", "not before the start"]),
    ("top.toml --steps 1e-300", 2, &["--steps: '1e-300'", "more than 1e15 steps"]),
    ("top.toml --steps small", 2, &["--steps: 'small'", "is not a number"]),
    ("top.toml --until 0.001 --steps 1", 2, &["--steps: '1'", "a step of 1.0 goes beyond the end, 0.001"]),
    ("top.toml --out a.svg --out a.svg", 2, &["--out: a.svg: the same file as a.svg"]),
    ("top.toml --out a.svg --out ./a.svg --force", 2, &["--out: ./a.svg: the same file as a.svg"]),
    ("top.toml --error 0", 2, &["--error: '0'", "above zero"]),
    ("top.toml --error -1e-8", 2, &["--error: '-1e-8'", "above zero"]),
    ("top.toml --error nan", 2, &["--error: 'nan'", "is not a number"]),
    ("top.toml --until 0.1 --steps 0.01 --error 1e-16", 2, &["--error: '1e-16'", "ten times the error"]),
    ("top.toml --until 0", 2, &["top.toml", "nothing to compare", "until = 0"]),
    ("top.toml --until nan", 2, &["run.until=nan", "not a number"]),
    ("top.toml --until 1e12 --steps 1", 1, &["top.toml", "the reference would take", "--until"]),
    ("top.toml --until 5000 --steps 1 --set start.omega=[0.1,0.2,0.1]", 1, &["does not converge", "take a shorter time", "--until"]),
    ("top.toml --set method.stop=1", 2, &["no key 'stop'", "did you mean 'step'"]),
    ("top.toml --out a.txt", 2, &["--out: a.txt", "the extension says the format: .csv"]),
    ("top.toml --out nowhere/a.csv", 2, &["nowhere/a.csv", "no folder"]),
    ("top.toml --out .", 2, &["--out: ."]),
    ("top.toml --step 0.1", 2, &["--step", "--steps"]),
];

#[test]
fn bad_input_is_told_and_leaves_nothing_behind() {
    let folder = Folder::with_top();
    for (options, code, parts) in BAD {
        let ended = folder.run(&format!("compare {options}"));
        assert_eq!(ended.code, Some(*code), "{options}: {ended:?}");
        assert_eq!(ended.stdout, "", "{options}");
        for part in *parts {
            assert!(ended.stderr.contains(part), "{options}: {part}: {}", ended.stderr);
        }
        assert!(!ended.stderr.contains("panicked"), "{options}: {}", ended.stderr);
        assert_eq!(folder.names(), ["top.toml"], "{options}");
    }
    folder.write("bad.toml", TOP.replace("kind =", "kinds ="));
    let ended = folder.run("compare bad.toml");
    assert_eq!(ended.code, Some(2));
    let told = "bad.toml:6: [torque] kinds = \"heavy-top\": no key 'kinds'; did you mean 'kind'?";
    assert!(ended.stderr.contains(told), "{ended:?}");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn without_options_methods_and_steps_suit_the_scenario() {
        let folder = Folder::with_top();
        let document = json(&folder, "compare top.toml --set method.step=0.02");
        let steps: Vec<f64> = document["trials"].as_array().unwrap()[..5]
            .iter()
            .map(|t| number(&t["step"]))
            .collect();
        assert_eq!(steps, [0.02, 0.01, 0.005, 0.0025, 0.00125]);
        assert_eq!(document["methods"][0]["method"], "strang:compensated+exact");
        assert_eq!(document["methods"].as_array().unwrap().len(), 6);
        // Damping suits other methods; none of those proposed is refused.
        let damped = "compare top.toml --set torque.kind=damping --set torque.coefficient=0.1 \
                      --steps 0.02 --until 0.1";
        let document = json(&folder, damped);
        assert!(document["trials"].as_array().unwrap().iter().all(|t| t["failure"].is_null()));
        // A free body is measured by its exact motion.
        let free = folder.good("compare top.toml --set torque.kind=none --steps 0.02");
        assert!(
            free.contains("# reference: the exact motion of a free body, to 4e-15\n"),
            "{free}"
        );
        // Time may run backwards.
        let back = json(&folder, "compare top.toml --set method.step=-0.02 --until -0.4");
        assert!(back["trials"].as_array().unwrap().iter().all(|t| t["failure"].is_null()));
        assert_eq!(back["trials"][0]["steps"], 20);
        // .. also where the scenario's own step goes forwards, if others are given.
        let back = json(
            &folder,
            "compare top.toml --methods strang+exact --until -0.4 --steps -0.04,-0.02",
        );
        assert!(back["trials"].as_array().unwrap().iter().all(|t| t["failure"].is_null()));
        assert_eq!(back["trials"][0]["steps"], 10);
        // An own step longer than the span is cut to it.
        let short = json(
            &folder,
            "compare top.toml --methods strang+exact --set method.step=0.1 --until 0.01",
        );
        assert_eq!(short["trials"][0]["step"], 0.01);
        assert_eq!(short["trials"][1]["steps"], 2);
    }
}
