//! `polhode free` from outside: what it prints, on which stream, with which exit code.

// Helpers of tests are not in a `#[test]` function, where unwrapping is allowed.

use std::io::Read;
use std::process::{Command, Output, Stdio};

use polhode::{FreeMotion, Inertia, State, so3};
use serde_json::Value;

const TENSOR: &str = "2,0.1,0,0.1,3,0.2,0,0.2,4";

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polhode"));
    command.args(arguments);
    command
}

fn output(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

/// The stdout of a run that must succeed in silence.
fn good(arguments: &[&str]) -> String {
    let output = output(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn free(line: &str) -> String {
    let mut arguments = vec!["free"];
    arguments.extend(line.split_whitespace());
    good(&arguments)
}

fn json(line: &str) -> Value {
    serde_json::from_str(&free(&format!("{line} --json"))).unwrap()
}

/// The numbers of all rows of a table, every row of the same length.
fn rows(table: &str) -> Vec<[f64; 11]> {
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let numbers: Vec<f64> = line.split_whitespace().map(|x| x.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    })
    .collect()
}

fn doubles(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    numbers.into_iter().map(f64::to_bits).collect()
}

fn list(text: &str) -> Vec<f64> {
    text.split(',').map(|x| x.parse().unwrap()).collect()
}

/// (inertia, momentum, attitude): every regime, units of molecules and of planets, a full tensor.
const MOTIONS: [(&str, &str, &str); 10] = [
    ("1,2,2.8", "0.01,10,0", "1,0,0,0"),
    ("1,2,3", "-1,2,-3", "0.1,0.2,-0.3,0.4"),
    ("3,1,2", "-1,2,0.5", "-2,0,0,0"),
    ("1,1,1", "1,-2,3", "1,0,0,0"),
    ("1,1,1", "0,0,0", "0,0,3,4"),
    ("3,3,4", "1,1,3", "1,0,0,0"),
    ("4,5,9", "4,1,3", "1,0,0,0"),
    ("1.02e-47,1.92e-47,2.94e-47", "1e-34,2e-34,3e-35", "1,0,0,0"),
    ("8e37,8.1e37,8.2e37", "1e30,2e33,5e33", "1,0,0,0"),
    (TENSOR, "1,-2,3", "1e-200,1e-200,0,0"),
];

fn motion(inertia: &str, momentum: &str, attitude: &str) -> FreeMotion {
    let inertia = Inertia::from_slice(&list(inertia), false).unwrap();
    let m: [f64; 3] = list(momentum).try_into().unwrap();
    let q = so3::from_wxyz(list(attitude).try_into().unwrap());
    FreeMotion::new(&inertia, State::new(m, q).unwrap()).unwrap()
}

#[test]
fn table_and_document_have_the_bits_of_the_library() {
    for (inertia, momentum, attitude) in MOTIONS {
        let motion = motion(inertia, momentum, attitude);
        let arguments = format!(
            "--inertia {inertia} --momentum {momentum} --attitude {attitude} --at -0.25,0,1e-12,0.1"
        );
        let (table, document) = (rows(&free(&arguments)), json(&arguments));
        assert_eq!(table.len(), 4);
        for (n, t) in [-0.25, 0.0, 1e-12, 0.1].into_iter().enumerate() {
            let want = motion.at(t).unwrap();
            let (m, omega) = (want.m.to_array(), want.omega(motion.inertia()).to_array());
            let row = [t].into_iter().chain(m).chain(omega).chain(want.attitude());
            assert_eq!(bits(table[n]), bits(row), "{arguments}");

            let state = &document["states"][n];
            assert_eq!(state["t"].as_f64(), Some(t));
            assert_eq!(bits(doubles(&state["momentum"])), bits(m));
            assert_eq!(bits(doubles(&state["omega"])), bits(omega));
            assert_eq!(bits(doubles(&state["attitude"])), bits(want.attitude()));
            assert_eq!(bits(doubles(&state["matrix"])), bits(so3::to_rows(want.q)));
            let acceleration = motion.angular_acceleration_at(t).unwrap().to_array();
            assert_eq!(bits(doubles(&state["angular_acceleration"])), bits(acceleration));
        }
        let summary = &document["motion"];
        assert_eq!(summary["regime"], motion.regime().name());
        assert_eq!(summary["period"].as_f64(), motion.period());
        assert_eq!(summary["precession_rate"].as_f64(), Some(motion.precession_rate()));
        assert_eq!(summary["separatrix_distance"].as_f64(), motion.separatrix_distance());
        assert_eq!(summary["next_flip"].as_f64(), motion.next_flip(0.0).unwrap());
    }
}

#[test]
fn the_document_has_the_keys_of_the_contract() {
    let document = json("--inertia 1,1,1 --momentum 1,0,0 --at 0");
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&document), ["motion", "polhode", "schema", "states"]);
    let state = keys(&document["states"][0]);
    for key in ["t", "momentum", "omega", "attitude", "matrix"] {
        assert!(state.iter().any(|k| k == key), "{key}");
    }
    let summary = keys(&document["motion"]);
    for key in ["regime", "period", "precession_rate", "separatrix_distance", "next_flip"] {
        assert!(summary.iter().any(|k| k == key), "{key}");
    }
    // There, and null: the momentum of a sphere has no period.
    assert_eq!(document["motion"]["period"], Value::Null);
    // Nine numbers row by row: a quarter turn about z takes body x to space y.
    let document = json("--inertia 1,1,1 --momentum 0,0,0 --attitude 1,0,0,1 --at 0");
    let matrix = doubles(&document["states"][0]["matrix"]);
    assert!((matrix[3] - 1.0).abs() < 1e-15 && (matrix[1] + 1.0).abs() < 1e-15, "{matrix:?}");
}

#[test]
fn omega_is_the_same_start_as_its_momentum() {
    let by_omega = free("--inertia 1,2,3 --omega 0.5,-2,1 --at 0,7");
    let by_momentum = free("--inertia 1,2,3 --momentum 0.5,-4,3 --at 0,7");
    assert_eq!(by_omega, by_momentum);
}

#[test]
fn grids_count_from_zero_in_both_directions() {
    let body = "--inertia 1,2,3 --momentum 1,2,3";
    let times = |line: &str| -> Vec<f64> {
        rows(&free(&format!("{body} {line}"))).iter().map(|row| row[0]).collect()
    };
    assert_eq!(times("--until 0.3 --every 0.1"), [0.0, 0.1, 0.2, 3.0 * 0.1]);
    assert_eq!(times("--until -1 --every 0.4"), [0.0, -0.4, -0.8]);
    assert_eq!(times("--until 0 --every 1"), [0.0]);
    assert_eq!(times("--at 3,-1,3"), [3.0, -1.0, 3.0]);
    let document = json(&format!("{body} --until 1 --every 0.25"));
    assert_eq!(document["states"].as_array().unwrap().len(), 5);
}

#[test]
fn columns_are_aligned_and_numbers_short() {
    let table = free("--inertia 1,2,2.8 --momentum -1e-9,10,-1e-5 --until 1e5 --every 1234.5");
    let lines: Vec<&str> = table.lines().skip_while(|line| !line.ends_with("q3")).collect();
    assert!(lines.len() > 80);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    let first: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(first[..4], ["0", "-1e-9", "10", "-1e-5"]);
    assert_eq!(first[7..], ["1", "0", "0", "0"]);
}

#[test]
fn the_heading_tells_what_happens() {
    let heading = |line: &str| {
        let table = free(&format!("{line} --at 0"));
        table.lines().filter(|line| line.starts_with("# ")).collect::<Vec<_>>().join("\n")
    };
    let racket = heading("--inertia 1,2,2.8 --momentum 0.01,10,0");
    let motion = motion("1,2,2.8", "0.01,10,0", "1,0,0,0");
    for text in [
        "regime: about-minor (the momentum circles".to_owned(),
        format!("period: {} (", motion.period().unwrap()),
        format!("precession rate: {} (", motion.precession_rate()),
        format!("next flip: {} (", motion.next_flip(0.0).unwrap().unwrap()),
        "separatrix distance: -9.99999".to_owned(),
    ] {
        assert!(racket.contains(&text), "{text}\n{racket}");
    }
    for (line, there, absent) in [
        ("--inertia 1,1,1 --momentum 0,0,0", "rest (", "period"),
        ("--inertia 1,1,1 --momentum 1,0,0", "steady (uniform", "unstable"),
        ("--inertia 1,2,2.5 --momentum 0,1,0", "unstable", "flip"),
        ("--inertia 3,3,4 --momentum 1,0,1", "symmetric-top (", "separatrix"),
        ("--inertia 4,5,9 --momentum 4,1,3", "separatrix (turns over once", "period"),
    ] {
        let heading = heading(line);
        assert!(heading.contains(there) && !heading.contains(absent), "{line}\n{heading}");
    }
}

#[test]
fn a_flip_is_said_only_where_the_body_turns_over() {
    // The first two stay near the middle axis, one to each side of the separatrix; the next pass it on their way
    // about another axis, the last do not even come there.
    for (momentum, flips) in [
        ("0.1,1,0", true),
        ("0,0.99,0.14", true),
        ("0.6,0.8,0", false),
        ("0,0.75,0.66", false),
        ("0.8,0.6,0", false),
        ("0,0.6,0.8", false),
    ] {
        let table = free(&format!("--inertia 1,2,2.8 --momentum {momentum} --at 0"));
        assert_eq!(table.contains("next flip: "), flips, "{table}");
        assert_eq!(table.contains("half period: "), !flips, "{table}");
        let json = free(&format!("--inertia 1,2,2.8 --momentum {momentum} --at 0 --json"));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["motion"]["turns_over"], flips);
        let rate = json["motion"]["precession_rate"].as_f64().unwrap();
        let period = json["motion"]["precession_period"].as_f64().unwrap();
        assert_eq!(period, std::f64::consts::TAU / rate);
    }
}

#[test]
fn a_motion_is_found_from_its_two_periods() {
    // Toutatis, in days: Hudson & Ostro (1995), Science 270, 84; the moments are theirs, too.
    let toutatis = "--inertia 1,3.09,3.22 --periods 5.41,7.35";
    let json = |line: &str| -> serde_json::Value {
        serde_json::from_str(&free(&format!("{line} --json"))).unwrap()
    };
    let found = json(toutatis);
    let number = |key: &str| found["motion"][key].as_f64().unwrap();
    assert_eq!(found["motion"]["regime"], "about-minor");
    assert!(
        (number("period") - 5.41).abs() < 1e-12
            && (number("precession_period") - 7.35).abs() < 1e-12
    );
    // The light curve of 1992/93 has the frequencies 0.135, 0.271 and 0.643 per day, each to 0.008 (Mueller, Belton
    // and Samarasinha 2000): one and two turns of the long axis, and two of both motions together.
    let (turn, precession) = (1.0 / number("period"), 1.0 / number("precession_period"));
    for (model, seen) in
        [(precession, 0.135), (2.0 * precession, 0.271), (2.0 * (turn + precession), 0.643)]
    {
        assert!((model - seen).abs() < 0.008, "{model} {seen}");
    }
    assert!(free(toutatis).contains("precession period: 7.3"), "printed");
    // What is found is the motion that has the periods, in either mode.
    let start = "--inertia 1,2,2.8 --momentum 0.5,0,2";
    let short = json(&format!("{start} --at 0"));
    let [rotation, precession] =
        ["period", "precession_period"].map(|key| short["motion"][key].as_f64().unwrap());
    let periods = format!("--inertia 1,2,2.8 --periods {rotation},{precession}");
    let again = json(&format!("{periods} --mode short-axis"));
    let momentum = |value: &serde_json::Value, i: usize| {
        value["states"][0]["momentum"][i].as_f64().unwrap().abs()
    };
    for i in 0..3 {
        assert!((momentum(&again, i) - momentum(&short, i)).abs() < 1e-11, "{again} {short}");
    }
    let refused = |line: &str| {
        let ended = Command::new(env!("CARGO_BIN_EXE_polhode"))
            .arg("free")
            .args(line.split_whitespace())
            .output()
            .unwrap();
        assert_eq!(ended.status.code(), Some(2), "{line}");
        String::from_utf8(ended.stderr).unwrap()
    };
    for (line, parts) in [
        (
            periods.as_str(),
            &["--periods: ", "both a long-axis and a short-axis mode", "--mode"][..],
        ),
        (
            "--inertia 1,3.09,3.22 --periods 3,7.35",
            &["is 0.408", "more than 0.46", "long-axis mode, or more"],
        ),
        ("--inertia 1,1,1 --periods 3,7", &["three equal moments"]),
        ("--inertia 2,2,1 --periods 9,1 --mode short-axis", &["has no short-axis mode"]),
        ("--inertia 1,2,2.8 --periods 3", &["1 number given", "rotation,precession"]),
        ("--inertia 1,2,2.8 --periods 3,-7", &["precession period = -7.0: must be positive"]),
        ("--inertia 1,2,2.8 --periods 3,7 --omega 1,2,3", &["cannot be used with"]),
    ] {
        let message = refused(line);
        assert!(parts.iter().all(|part| message.contains(part)), "{line}: {message}");
    }
}

#[test]
fn blanks_after_commas_and_leading_signs_are_fine() {
    let spaced = ["--inertia", "1, 2 ,3", "--momentum", "-1, +2.,.3e1", "--at", " 1"];
    let spaced = good(&[&["free"], &spaced[..]].concat());
    assert_eq!(spaced, free("--inertia=1,2,3 --momentum=-1,2,3 --at=1"));
}

#[test]
fn unphysical_moments_on_request() {
    assert_eq!(
        rows(&free("--inertia 1,5,60 --momentum 1,2,3 --at 1,2 --allow-unphysical")).len(),
        2
    );
}

#[test]
fn numbers_beyond_doubles_are_null_never_nan() {
    // The angular acceleration is 1e480.
    let text = free("--inertia 1,2,3 --momentum 1e240,2e240,1e240 --at 1e-240 --json");
    let _: Value = serde_json::from_str(&text).unwrap();
    assert!(text.contains("null") && !text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn a_tensor_shows_its_principal_moments_and_axes() {
    let tensor = "--inertia 2,1,0,1,2,0,0,0,2.5 --momentum 1,2,3 --at 0";
    let document: Value = serde_json::from_str(&free(&format!("{tensor} --json"))).unwrap();
    let mut moments: Vec<f64> =
        serde_json::from_value(document["motion"]["principal_moments"].clone()).unwrap();
    moments.sort_by(f64::total_cmp);
    assert_eq!(moments, [1.0, 2.5, 3.0]);
    let axes: Vec<f64> =
        serde_json::from_value(document["motion"]["principal_axes"].clone()).unwrap();
    assert!((axes.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-15);
    assert!(free(tensor).contains("# principal moments: "));
    assert!(!free("--inertia 1,2,3 --momentum 1,2,3 --at 0").contains("# principal moments: "));
}

#[test]
fn a_closed_pipe_is_no_error() {
    for json in [&[][..], &["--json"]] {
        // Minutes and gigabytes, were it not for the reader that goes away.
        let line = "free --inertia 1,2,3 --momentum 1,2,3 --until 9e7 --every 1";
        let arguments: Vec<&str> = line.split(' ').collect();
        let mut child = program(&[&arguments, json].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 2000]).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_while_running() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let line = "free --inertia 1,2,3 --momentum 1,2,3 --at 1";
    let arguments: Vec<&str> = line.split(' ').collect();
    let output = program(&arguments).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("error: cannot write the results"), "{errors}");
}

#[test]
fn help_and_version() {
    assert_eq!(good(&["--version"]), concat!("polhode ", env!("CARGO_PKG_VERSION"), "\n"));
    for arguments in [&["--help"][..], &["free", "--help"], &["help", "free"]] {
        let help = good(arguments);
        for text in ["Example", "polhode free --inertia", "scalar first", "body frame", "radians"] {
            assert!(help.contains(text), "{text}\n{help}");
        }
    }
}

#[test]
fn examples_of_the_help_run() {
    let help = [good(&["--help"]), good(&["free", "--help"])].concat();
    let examples: Vec<&str> =
        help.lines().map(str::trim).filter(|line| line.starts_with("polhode free")).collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        good(&example.split(' ').skip(1).collect::<Vec<_>>());
    }
}

#[test]
fn attitudes_in_every_form() {
    let line = "--inertia 1,2,3 --omega 0.3,-2,1 --attitude 0.1,0.2,-0.3,0.4 --at 0,0.7";
    let motion = FreeMotion::from_omega(
        &Inertia::principal([1.0, 2.0, 3.0]).unwrap(),
        [0.3, -2.0, 1.0],
        so3::from_wxyz([0.1, 0.2, -0.3, 0.4]),
    )
    .unwrap();
    let state = motion.at(0.7).unwrap();
    let [w, x, y, z] = state.attitude();
    let matrix = so3::to_rows(state.q);
    let yaw_pitch_roll = so3::euler_angles(state.q, so3::EulerSequence::ZYX);
    let zxz = so3::euler_angles(state.q, so3::EulerSequence::named("zxz").unwrap());
    for (form, names, want) in [
        ("quaternion", "q0 q1 q2 q3", vec![w, x, y, z]),
        ("scalar-last", "q1 q2 q3 q0", vec![x, y, z, w]),
        ("matrix", "q11 q12 q13 q21 q22 q23 q31 q32 q33", matrix.to_vec()),
        ("euler", "yaw pitch roll", yaw_pitch_roll.to_vec()),
        (
            "euler-zyx --degrees",
            "yaw_deg pitch_deg roll_deg",
            yaw_pitch_roll.map(f64::to_degrees).to_vec(),
        ),
        ("euler-zxz", "precession nutation spin", zxz.to_vec()),
    ] {
        let arguments = format!("{line} --attitude-as {form}");
        let table = free(&arguments);
        let heading = table.lines().rfind(|l| l.starts_with('#')).unwrap();
        let heading: Vec<_> = heading[1..].split_whitespace().collect();
        assert_eq!(heading[7..].join(" "), names, "{form}");
        let last = table.lines().last().unwrap();
        let numbers: Vec<f64> = last.split_whitespace().map(|x| x.parse().unwrap()).collect();
        assert_eq!(bits(numbers[7..].iter().copied()), bits(want.clone()), "{form}");
        let mut omega = state.omega(motion.inertia()).to_array();
        if form.contains("degrees") {
            omega = omega.map(f64::to_degrees);
        }
        assert_eq!(bits(numbers[4..7].iter().copied()), bits(omega), "{form}");

        // The document's own fields stay what they are.
        let document = &json(&arguments)["states"][1];
        assert_eq!(bits(doubles(&document["attitude"])), bits([w, x, y, z]));
        let omega = state.omega(motion.inertia()).to_array();
        assert_eq!(bits(doubles(&document["omega"])), bits(omega));
        match &document["attitude_as"] {
            Value::Null => assert_eq!(form, "quaternion"),
            other => assert_eq!(bits(doubles(other)), bits(want), "{form}"),
        }
        match &document["omega_deg"] {
            Value::Null => assert!(!form.contains("degrees"), "{form}"),
            other => assert_eq!(bits(doubles(other)), bits(omega.map(f64::to_degrees)), "{form}"),
        }
        // What is said of the motion has its unit, too.
        let rate = motion.precession_rate();
        let in_degrees = form.contains("degrees");
        let (rate, unit) = if in_degrees { (rate.to_degrees(), "degrees") } else { (rate, "rad") };
        assert!(table.contains(&format!("precession rate: {rate} (")), "{table}");
        assert!(table.contains(&format!(", in {unit} per unit of time)\n")), "{table}");
    }
    let mistyped = output(&[
        "free",
        "--inertia",
        "1,2,3",
        "--omega",
        "1,0,0",
        "--at",
        "0",
        "--attitude-as",
        "euler-zyy",
    ]);
    let message = String::from_utf8(mistyped.stderr).unwrap();
    assert_eq!(mistyped.status.code(), Some(2));
    assert!(message.contains("'euler-zyy'") && message.contains("euler-zyx"), "{message}");
}
