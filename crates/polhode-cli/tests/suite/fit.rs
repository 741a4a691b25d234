//! `polhode fit`.

use std::fmt::Write;

use polhode::glam::DVec3;
use polhode::{FreeMotion, Inertia, State, so3};
use serde_json::Value;

use crate::support::Folder;

/// A table of a known motion: rounded to so many decimals, in radians or degrees.
fn table(columns: &str, decimals: usize, unit: f64) -> String {
    let inertia = Inertia::principal([1.0, 1.7, 2.2]).unwrap();
    let attitude = so3::exp([0.4, -0.2, 0.9].into());
    let start = State::from_omega(&inertia, [0.5, 0.6, 0.7], attitude).unwrap();
    let motion = FreeMotion::new(&inertia, start).unwrap();
    let mut text = columns.to_owned() + "\n";
    for k in 0..150 {
        let t = 0.3 * f64::from(k);
        let state = motion.at(t).unwrap();
        let omega = state.omega(&inertia) * unit;
        let [w, x, y, z] = state.attitude();
        let mut numbers = vec![t];
        if columns.contains("wx") {
            numbers.extend(omega.to_array());
        }
        if columns.contains("q0") {
            numbers.extend([w, x, y, z]);
        }
        if columns.contains("sx") {
            for known in [[1.0, 0.0, 0.0], [0.0, 0.6, -0.8]] {
                numbers.extend((state.q.conjugate() * DVec3::from_array(known)).to_array());
            }
        }
        let row: Vec<String> = numbers.iter().map(|x| format!("{x:.decimals$}")).collect();
        writeln!(text, "{}", row.join(",")).unwrap();
    }
    text
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn ratios(document: &Value) -> [f64; 2] {
    [0, 1].map(|i| document["estimates"][i]["value"].as_f64().unwrap())
}

fn assert_body(document: &Value, within: f64) {
    assert_eq!(document["verdict"], "good", "{}", document["doubts"]);
    for (got, want) in ratios(document).into_iter().zip([1.0 / 2.2, 1.7 / 2.2]) {
        assert!((got - want).abs() < within, "{got} {want}");
    }
}

#[test]
fn a_gyro_log_tells_the_body() {
    let folder = Folder::new();
    folder.write("gyro.csv", table("t,wx,wy,wz", 3, 1.0));
    let text = folder.good("fit gyro.csv");
    assert!(text.contains("I1/I3                0.45"), "{text}");
    assert!(text.contains("scale of the inertia is not determined"), "{text}");
    assert!(text.contains("left-handed") && text.contains("good: nothing but noise"), "{text}");
    let line = "fit gyro.csv --noise 0.0003 --predict 20,100 --json --svg fit.svg --html fit.html";
    let document = json(&folder.good(line));
    assert_body(&document, 1e-3);
    assert_eq!(document["predictions"][1]["t"], 100.0);
    let reduced = document["quality"]["reduced_chi_square"].as_f64().unwrap();
    // Rounding to a thousandth has a deviation of 0.00029.
    assert!((0.6..1.3).contains(&reduced), "{reduced}");
    let svg = String::from_utf8(folder.read("fit.svg")).unwrap();
    roxmltree::Document::parse(&svg).unwrap();
    assert!(svg.contains("How likely I1/I3 is"));
    let html = String::from_utf8(folder.read("fit.html")).unwrap();
    assert!(html.contains("<svg ") && html.contains("I2/I3"));
}

#[test]
fn attitudes_and_directions_do_as_well() {
    let folder = Folder::new();
    folder.write("stars.csv", table("t,q0,q1,q2,q3", 4, 1.0));
    assert_body(&json(&folder.good("fit stars.csv --json")), 1e-3);
    folder.write("seen.csv", table("t,sx,sy,sz,bx,by,bz", 4, 1.0));
    let line = "fit seen.csv --direction 1,0,0=sx,sy,sz --direction 0,0.6,-0.8=bx,by,bz --json";
    assert_body(&json(&folder.good(line)), 1e-3);
    let one = folder.refused("fit seen.csv --direction 1,0,0=sx,sy,sz");
    assert!(one.contains("two vectors"), "{one}");
    // What this program writes itself.
    folder.write("free.toml", "body.inertia = [1, 1.7, 2.2]\nstart.omega = [0.5, 0.6, 0.7]\nrun.until = 40\nrun.interval = 0.5\n");
    folder.good("run free.toml --out free.csv");
    assert_body(&json(&folder.good("fit free.csv --json")), 1e-6);
}

#[test]
fn wrong_units_are_told() {
    let folder = Folder::new();
    folder.write("degrees.csv", table("t,wx,wy,wz", 3, 180.0 / std::f64::consts::PI));
    let ended = folder.run("fit degrees.csv");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.contains("in degrees"), "{}", ended.stdout);
    assert_body(&json(&folder.good("fit degrees.csv --degrees --json")), 1e-3);
}

#[test]
fn a_scalar_in_the_wrong_place_is_told() {
    let folder = Folder::new();
    folder.write("both.csv", table("t,wx,wy,wz,q0,q1,q2,q3", 4, 1.0));
    assert_body(&json(&folder.good("fit both.csv --json")), 1e-3);
    let ended = folder.run("fit both.csv --scalar-last");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let words = "scalar part stands first and was taken to be last; is that so?";
    assert!(ended.stdout.contains(words), "{}", ended.stdout);
    // As it was read, and read otherwise.
    let ended = folder.run("fit both.csv --attitude q1,q2,q3,q0");
    assert!(ended.stdout.contains("scalar part stands last, not first; is"), "{}", ended.stdout);
    assert_body(
        &json(&folder.good("fit both.csv --attitude q1,q2,q3,q0 --scalar-last --json")),
        1e-3,
    );
}

#[test]
fn rows_may_be_missing_if_told() {
    let folder = Folder::new();
    let text = table("t,wx,wy,wz", 3, 1.0);
    let holes: Vec<String> = (0..)
        .zip(text.lines())
        .map(|(i, line)| {
            if i % 9 == 5 {
                format!("{},,NaN,0.1", line.split(',').next().unwrap())
            } else {
                line.to_owned()
            }
        })
        .collect();
    folder.write("holes.csv", holes.join("\n"));
    let refused = folder.refused("fit holes.csv");
    assert!(refused.contains("holes.csv:6: column 'wx'"), "{refused}");
    assert!(refused.contains("--skip-missing leaves such rows out"), "{refused}");
    let document = json(&folder.good("fit holes.csv --skip-missing --json"));
    assert_body(&document, 1e-3);
    assert_eq!(document["skipped"], 17);
}

#[test]
fn what_cannot_be_used_is_refused() {
    let folder = Folder::new();
    folder.write("two.csv", "t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n");
    folder.write("rest.csv", "t,wx,wy,wz\n0,0,0,0\n1,0,0,0\n2,0,0,0\n3,0,0,0\n4,0,0,0\n");
    folder.write("twice.csv", "t,wx,wy,wz\n0,1,2,3\n1,1,2,3\n1,1,2,3\n");
    folder.write("none.csv", "t,a,b\n0,1,2\n1,1,2\n");
    folder.write("gyro.csv", table("t,wx,wy,wz", 3, 1.0));
    for (line, words) in [
        ("fit two.csv", "2 samples; at least 4"),
        ("fit rest.csv", "no motion"),
        ("fit twice.csv", "twice.csv:4: column 't': 1.0 after 1.0"),
        ("fit none.csv", "neither angular velocity nor attitude"),
        ("fit nowhere.csv", "no such file"),
        ("fit gyro.csv --noise 0", "--noise"),
        ("fit gyro.csv --misalignment free", "--misalignment"),
        ("fit gyro.csv --direction 1,0,0", "--direction"),
        ("fit gyro.csv --direction 1,0,0=a,b,c", "--direction"),
    ] {
        let refused = folder.refused(line);
        assert!(refused.contains(words), "{line}: {refused}");
    }
}

/// A gyro on a body that a scenario pushes and brakes, rounded to four decimals.
fn driven(folder: &Folder) {
    let scenario = "body.inertia = [1, 1.7, 2.2]\nstart.omega = [0.5, 0.6, 0.7]\n\
        torque = [{ kind = \"constant\", torque = [0.02, -0.01, 0.03] }, { kind = \"damping\", coefficient = 0.01 }]\n\
        run.until = 60\nrun.interval = 0.3\nrun.tolerance = 1e-10\n";
    folder.write("driven.toml", scenario);
    folder.good("run driven.toml --out driven.csv");
    let text = String::from_utf8(folder.read("driven.csv")).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|h| *h == name).unwrap();
    let columns = ["t", "w1", "w2", "w3"].map(place);
    let mut rounded = String::from("t,w1,w2,w3\n");
    for line in lines {
        let cells: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let row = columns.map(|i| format!("{:.4}", cells[i]));
        writeln!(rounded, "{}", row.join(",")).unwrap();
    }
    folder.write("gyro.csv", rounded);
}

#[test]
fn a_steady_spin_has_no_ratios() {
    let folder = Folder::new();
    let mut text = String::from("t,wx,wy,wz\n");
    for k in 0..60 {
        // The last digits of an irrational rotation stand for noise.
        let noise = |seed: f64| ((f64::from(k) + seed) * 0.754877).fract() * 2e-3 - 1e-3;
        let t = 0.2 * f64::from(k);
        writeln!(text, "{t},{},{},{}", noise(0.1), noise(7.3), 1.5 + noise(13.7)).unwrap();
    }
    folder.write("spin.csv", text);
    let ended = folder.run("fit spin.csv");
    assert!(ended.stdout.contains("spins about one axis"), "{}", ended.stdout);
    assert!(ended.stdout.contains("I1/I3                not determined"), "{}", ended.stdout);
    assert!(ended.stdout.contains("the momentum         not determined"), "{}", ended.stdout);
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn a_torque_tells_the_scale_and_its_own_numbers() {
        let folder = Folder::new();
        driven(&folder);
        let push = "kind=\"constant\",torque=[0.02,-0.01,0.03]";
        let line =
            &format!("fit gyro.csv --torque {push} --torque kind=\"damping\",coefficient=0.03");
        let unknown = "--unknown damping.coefficient";
        let document = json(&folder.good(&format!("{line} {unknown} --json")));
        assert_body(&document, 1e-3);
        let estimates = document["estimates"].as_array().unwrap();
        for (name, want) in [("I1", 1.0), ("I2", 1.7), ("I3", 2.2), ("damping.coefficient", 0.01)] {
            let estimate = estimates.iter().find(|e| e["name"] == name).unwrap();
            let [value, deviation] =
                ["value", "deviation"].map(|key| estimate[key].as_f64().unwrap());
            assert!(
                (value - want).abs() < 5.0 * deviation && deviation < 0.01 * want,
                "{estimate}"
            );
        }
        assert_eq!(document["undetermined"], Value::Array(Vec::new()));
        let text = folder.good(&format!("{line} {unknown}"));
        assert!(text.contains("torque\n  damping.coefficient"), "{text}");
        // A torque that does not act tells nothing.
        folder.write("free.csv", table("t,wx,wy,wz", 3, 1.0));
        let text = folder.good(&format!("fit free.csv --torque {push}"));
        assert!(text.contains("I3                   not determined"), "{text}");
        assert!(text.contains("too weak here or does not act"), "{text}");
        // Without the right number, it is doubted.
        let ended = folder.run(line);
        assert_eq!(ended.code, Some(1), "{}", ended.stdout);
        for (more, words) in [
            ("--unknown damping.rate", "damping.coefficient"),
            ("--unknown damping.coefficient=0", "must be positive"),
            ("--torque kind=\"heavy-top\"", "depends on the attitude"),
            ("--torque kind=\"damping\"", "coefficient"),
            ("--torque damping", "key=value"),
            ("--largest-moment 0", "--largest-moment"),
        ] {
            let refused = folder.refused(&format!("{line} {more}"));
            assert!(refused.contains(words), "{more}: {refused}");
        }
    }
}
