//! Methods of the user's own, through the built program: wherever a built-in one goes.

use crate::support::{Folder, TOP};
use serde_json::Value;

const STRANG: &str = "stages = [[\"kick\", 0.5], [\"drift\", 1.0], [\"kick\", 0.5]]";
const FILE: &str =
    "# Strang's\nstage,coefficient\nkick,0.5\n drift , 1.0 # all of it\n\nkick,0.5\n";

/// The top with this in the place of its method's id.
fn with(method: &str) -> Folder {
    let folder = Folder::new();
    let text = TOP.replace("id = \"strang:compensated+exact\"", method);
    assert!(text != TOP);
    folder.write("top.toml", text);
    folder
}

fn trajectory(folder: &Folder, arguments: &str) -> Vec<u8> {
    folder.good(&format!("run top.toml --out x.csv --force {arguments}"));
    folder.read("x.csv")
}

fn built_in(id: &str) -> Vec<u8> {
    trajectory(&Folder::with_top(), &format!("--method {id}"))
}

#[test]
fn stages_give_the_bits_of_the_same_scheme_built_in() {
    let strang = built_in("strang+exact");
    let folder = with(&format!("{STRANG}\norder = 2\nrotor = \"exact\""));
    assert!(trajectory(&folder, "") == strang);
    let text = folder.good("run top.toml --out x.csv --force");
    assert!(text.contains("own+exact"), "{text}");
    let folder = with("coefficients = \"mine.csv\"\norder = 2\nrotor = \"exact\"\nid = \"mine\"");
    folder.write("mine.csv", FILE);
    assert!(trajectory(&folder, "") == strang);
    let text = folder.good("run top.toml --out x.csv --force");
    assert!(text.contains("mine+exact"), "{text}");
    // Rotors with parameters, and gradients.
    let folder = with(&format!("{STRANG}\norder = 2\nrotor = \"dmv:order=6\""));
    assert!(trajectory(&folder, "") == built_in("strang+dmv:order=6"));
    let chin = "stages = [['kick', 0.16666666666666666], ['drift', 0.5], \
                ['gradient', 0.6666666666666666, 0.013888888888888888], ['drift', 0.5], \
                ['kick', 0.16666666666666666]]\norder = 4\nrotor = 'exact'\naccepts = 'attitude'";
    assert!(trajectory(&with(chin), "") == built_in("suzuki-chin4+exact"));
}

#[test]
fn a_tableau_gives_the_bits_of_the_same_one_built_in() {
    let midpoint = "tableau = { a = [[0.5]], b = [1.0], c = [0.5] }\norder = 2";
    assert!(trajectory(&with(midpoint), "") == built_in("rkmk:tableau=midpoint"));
    let without_c = "tableau = { a = [[0.5]], b = [1.0] }\norder = 2\nid = 'mine'";
    assert!(trajectory(&with(without_c), "") == built_in("rkmk:tableau=midpoint"));
    // A text is the parameter it always was.
    let named = "id = 'rkmk'\ntableau = 'midpoint'";
    assert!(trajectory(&with(named), "") == built_in("rkmk:tableau=midpoint"));
}

#[test]
fn the_command_line_goes_before_the_file() {
    let own = format!("{STRANG}\norder = 2\nrotor = \"exact\"\nid = \"mine\"");
    let folder = with(&own);
    let kahanli = built_in("kahanli8+exact");
    assert!(trajectory(&folder, "--method kahanli8+exact") == kahanli);
    // In one word each, as the tests split lines at spaces.
    let top = Folder::with_top();
    let set = "--set method.stages=[[\"kick\",0.5],[\"drift\",1],[\"kick\",0.5]] --set method.order=2 \
               --set method.rotor=exact";
    assert!(trajectory(&top, set) == built_in("strang+exact"));
    top.write("mine.csv", FILE);
    let set = "--set method.coefficients=mine.csv --set method.order=2 --set method.rotor=exact";
    assert!(trajectory(&top, set) == built_in("strang+exact"));
    let aba = "--set method.stages=[[\"drift\",0.5],[\"kick\",1],[\"drift\",0.5]]";
    let drift_first = built_in("strang-aba+exact");
    assert!(trajectory(&folder, aba) == drift_first && drift_first != built_in("strang+exact"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_is_resumed_whatever_became_of_the_coefficients() {
    use rustix::process::{Pid, Signal, kill_process};

    let method = "coefficients = \"mine.csv\"\norder = 2\nrotor = \"exact\"";
    let line = "run top.toml --until 50 --every 100 --out x.csv --checkpoint x.ckpt --checkpoint-every 500";
    let whole = with(method);
    whole.write("mine.csv", FILE);
    whole.good(line);
    let folder = with(method);
    folder.write("mine.csv", FILE);
    let child = folder.polhode(line.split_whitespace()).spawn().unwrap();
    while !folder.path("x.ckpt").exists() {}
    let _ = kill_process(Pid::from_child(&child), Signal::KILL);
    child.wait_with_output().unwrap();
    assert!(folder.path("x.csv.part").exists(), "killed too late for the test to say anything");
    // Another scheme, or none.
    folder.write("mine.csv", "drift,0.5\nkick,1\ndrift,0.5\n");
    std::fs::remove_file(folder.path("top.toml")).unwrap();
    folder.good("resume x.ckpt");
    assert!(folder.read("x.csv") == whole.read("x.csv"));
}

#[test]
fn a_comparison_measures_the_order() {
    let jump = 1.0 / (2.0 - 2.0_f64.cbrt());
    let parts = [0.5 * jump, 0.5 - 0.5 * jump, 0.5 - 0.5 * jump, 0.5 * jump];
    let [a, b, c, d] = parts.map(|x| format!("{x:?}"));
    let (w, v) = (format!("{jump:?}"), format!("{:?}", 1.0 - 2.0 * jump));
    let method = format!(
        "stages = [['kick', {a}], ['drift', {w}], ['kick', {b}], ['drift', {v}], ['kick', {c}], \
         ['drift', {w}], ['kick', {d}]]\norder = 4\nrotor = 'exact'\nid = 'triple-jump'"
    );
    let folder = with(&method);
    let line = "compare top.toml --until 1 --steps 0.02,0.01,0.005 --json";
    let document: Value = serde_json::from_str(&folder.good(line)).unwrap();
    let text = document.to_string();
    assert!(text.contains("\"triple-jump+exact\""), "{text}");
    let beside = format!("{line} --methods triple-jump+exact,yoshida4+exact");
    let document: Value = serde_json::from_str(&folder.good(&beside)).unwrap();
    let trials = document["trials"].as_array().unwrap();
    let error = |method: &str, step: f64| {
        let of = |t: &&Value| t["method"] == method && t["step"] == step;
        let trial = trials.iter().find(of).unwrap_or_else(|| panic!("{document}"));
        trial["attitude_error"].as_f64().unwrap_or_else(|| panic!("{trial}"))
    };
    for step in [0.02, 0.01, 0.005] {
        let ratio = error("triple-jump+exact", step) / error("yoshida4+exact", step);
        assert!((ratio - 1.0).abs() < 1e-3, "{step}: {ratio}");
    }
    let gain = error("triple-jump+exact", 0.01) / error("triple-jump+exact", 0.005);
    assert!((13.0..19.0).contains(&gain), "an order of 4 gains 16: {gain}");
    folder.good("cite top.toml");
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_the_remedy() {
    let rest = "order = 2\nrotor = \"exact\"";
    for (method, parts) in [
        (
            format!("stages = [['kick', 0.5], ['drift', 1.0]]\n{rest}"),
            &["top.toml:8: [method] stages = ", "its kicks add up to 0.5; they must add up to 1"][..],
        ),
        (
            format!("stages = [['push', 1.0]]\n{rest}"),
            &["a stage \"push\" at position 1", "[\"kick\", b]"],
        ),
        (
            format!("stages = [['kick', 1.0, 2.0]]\n{rest}"),
            &["a kick with 2 numbers at position 1"],
        ),
        (format!("stages = [['drift', 1.0], 3]\n{rest}"), &["a number at position 2"]),
        (format!("stages = [['drift', nan]]\n{rest}"), &["position 1 is not a number"]),
        (format!("stages = [['drift', 'x']]\n{rest}"), &["a text among the numbers at position 1"]),
        (format!("stages = 'strang'\n{rest}"), &["a text is not allowed", "[\"drift\", a]"]),
        (format!("stages = []\n{rest}"), &["top.toml:8: [method] stages = []", "no stages given"]),
        (STRANG.into(), &["'order' is missing; it must be a whole number from 1 to 100"]),
        (format!("{STRANG}\norder = 2"), &["'rotor' is missing", "\"exact\""]),
        (format!("{STRANG}\norder = 0\nrotor = 'exact'"), &["top.toml:9: [method] order = 0"]),
        (
            format!("{STRANG}\norder = 2\nrotor = 'exakt'"),
            &["no rotor 'exakt'; did you mean 'exact'?"],
        ),
        (format!("{STRANG}\n{rest}\nid = 'strang'"), &["'strang' is a method of the library"]),
        (format!("{STRANG}\n{rest}\nid = 'a+b'"), &["a word without spaces"]),
        (format!("{STRANG}\n{rest}\naccepts = 'all'"), &["\"attitude\" or \"momentum\""]),
        (format!("{STRANG}\n{rest}\nnodes = 3"), &["no key 'nodes'"]),
        (format!("stagse = []\n{rest}"), &["no key 'stagse'; did you mean 'stages'?"]),
        (
            format!("coefficients = 'x.csv'\n{rest}"),
            &["top.toml:8: [method] coefficients = 'x.csv': no such file; check the path"],
        ),
        (
            format!("{STRANG}\n{rest}\ncoefficients = 'x.csv'"),
            &[
                "top.toml:11: [method] coefficients = 'x.csv': 'coefficients' and 'stages' exclude each other",
            ],
        ),
        (
            format!("{STRANG}\norder = 2\ntableau = {{ a = [[0]], b = [1] }}"),
            &["'tableau' and 'stages' exclude each other"],
        ),
        (
            "tableau = { a = [[0.5]], b = [0.9] }\norder = 2".into(),
            &["b sums to 0.9; the sum must be 1"],
        ),
        ("tableau = { a = [[0.5]] }\norder = 2".into(), &["'b' is missing"]),
        ("tableau = { a = [[0.5]], b = [1], d = 2 }\norder = 2".into(), &["no key 'd'"]),
        ("tableau = { a = [[0.5, 1]], b = [1] }\norder = 2".into(), &["row 1 of a has 2 entries"]),
        ("tableau = 3\norder = 2".into(), &["a number is not allowed"]),
        (
            "tableau = { a = [[0.5]], b = [1] }\norder = 2\nrotor = 'exact'".into(),
            &["no key 'rotor'"],
        ),
    ] {
        let told = with(&method).refused("run top.toml --out x.csv");
        assert!(parts.iter().all(|part| told.contains(part)), "{method}: {told}");
    }
    // A torque that depends on the momentum, where order conditions would not hold.
    let folder = with(&format!("{STRANG}\n{rest}\naccepts = 'attitude'"));
    let told =
        folder.refused("run top.toml --out x.csv --set torque={kind=\"damping\",coefficient=1}");
    assert!(
        told.contains("top.toml:8: [method] stages = ") && told.contains("own: its order"),
        "{told}"
    );
}

#[test]
fn a_bad_file_of_coefficients_is_told_with_its_own_line() {
    for (text, want) in [
        ("kick,0.5\ndrift,x\n", "mine.csv:2: drift,x: 'x' is not a number; needed is"),
        (
            "kick,0.5\npush,1\n",
            "mine.csv:2: push,1: a stage \"push\" is not allowed; allowed is kick,b",
        ),
        ("kick\n", "mine.csv:1: kick: a kick with 0 numbers is not allowed"),
        ("kick,inf\n", "mine.csv:1: kick,inf: 'inf' is not finite"),
        ("kick,0.5\ndrift,1\n", "its kicks add up to 0.5; they must add up to 1"),
        ("kick,1e-999\n", "mine.csv:1: kick,1e-999: '1e-999' underflows to zero"),
        ("", "no stages given; it must have drifts and kicks"),
    ] {
        let folder = with("coefficients = \"mine.csv\"\norder = 2\nrotor = \"exact\"");
        folder.write("mine.csv", text);
        let told = folder.refused("run top.toml --out x.csv");
        assert!(told.contains(want), "{text}: {told}");
    }
    let told = with("coefficients = 3\norder = 2\nrotor = \"exact\"").refused("run top.toml");
    assert!(
        told.contains("top.toml:8: [method] coefficients = 3: a number is not allowed"),
        "{told}"
    );
}
