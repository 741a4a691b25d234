//! What a scenario watches: columns, intervals, and when a run stops; and resuming with all of it.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use core::f64::consts::{FRAC_PI_2, PI};

use crate::support::Folder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A body that turns about its third axis, one radian a unit of time: dot(x, X) is the cosine of the time.
const TURNING: &str = "\
[body]
inertia = [1.0, 1.5, 2.0]
[start]
omega = [0.0, 0.0, 1.0]
[directions]
sun = [0.0, 3.0, 0.0]
[watch]
along = \"dot(x, X)\"
far = \"deg(angle(x, sun))\"
up = \"along > 0\"
never = \"along > 2\"
always = \"far < 200\"
";

const AEM: &str =
    "[output.aem]\nobject_name = 'A'\nobject_id = 'B'\nstart_epoch = '2026-01-01T00:00:00'\n";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// Beginning and end of each interval of a condition.
fn intervals(document: &Value, name: &str) -> Vec<[f64; 2]> {
    let windows = document["windows"].as_array().unwrap();
    let window = windows.iter().find(|w| w["name"] == name).unwrap();
    let pair = |pair: &Value| [number(&pair[0]), number(&pair[1])];
    window["intervals"].as_array().unwrap().iter().map(pair).collect()
}

fn document(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.good(line)).unwrap()
}

/// In closed form, solved to a tolerance (a torque about the axis would change the cosine, a zero one does not), and
/// in fixed steps.
const WAYS: [&str; 3] = [
    "[run]\nuntil = 10.0\ninterval = 0.25\n",
    "[torque]\nkind = 'formula'\ntorque = ['0*t', 0, 0]\n[run]\nuntil = 10.0\ninterval = 0.25\n",
    "[method]\nid = 'exact'\nstep = 0.125\n[run]\nuntil = 10.0\nevery = 2\n",
];

#[test]
fn columns_stand_in_every_table() {
    for way in WAYS {
        let folder = Folder::new();
        folder.write("turning.toml", format!("{TURNING}{way}"));
        folder.good("run turning.toml --out x.csv --out x.jsonl --out x.npz");
        let text = String::from_utf8(folder.read("x.csv")).unwrap();
        let mut lines = text.lines();
        assert!(lines.next().unwrap().ends_with(",spatial_momentum_error,along,far"));
        let mut count = 0;
        for line in lines {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            let [t, .., along, far] = cells[..] else { panic!("{line}") };
            assert!((along - t.cos()).abs() < 1e-9, "{line}");
            let angle = t.sin().acos().to_degrees();
            // The arc cosine has half the digits where its argument is one.
            assert!((far - angle).abs() < 1e-5, "{line}: {angle}");
            count += 1;
        }
        assert_eq!(count, 41);
        let rows = String::from_utf8(folder.read("x.jsonl")).unwrap();
        let last: Value = serde_json::from_str(rows.lines().last().unwrap()).unwrap();
        assert!((number(&last["watch"]["along"]) - 10f64.cos()).abs() < 1e-9, "{last}");
        let archive = folder.read("x.npz");
        for name in ["along.npy", "far.npy"] {
            assert!(archive.windows(name.len()).any(|w| w == name.as_bytes()), "{name}");
        }
    }
}

#[test]
fn intervals_are_told_from_when_to_when() {
    for way in WAYS {
        let folder = Folder::new();
        folder.write("turning.toml", format!("{TURNING}{way}"));
        let document = document(&folder, "run turning.toml --out x.csv --json");
        let want = [[0.0, FRAC_PI_2], [3.0 * FRAC_PI_2, 5.0 * FRAC_PI_2]];
        let got = intervals(&document, "up");
        assert_eq!(got.len(), 2, "{got:?}");
        for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
            assert!((got - want).abs() < 1e-9, "{got} {want}");
        }
        assert_eq!(intervals(&document, "never").len(), 0);
        assert_eq!(intervals(&document, "always"), [[0.0, 10.0]]);
        let text = folder.good("run turning.toml --out y.csv");
        assert!(text.contains("up, along > 0: 2 intervals, 4.7123889"), "{text}");
        assert!(text.contains("\n  from 4.71238"), "{text}");
        assert!(text.contains("never, along > 2: 0 intervals, 0 in all"), "{text}");
    }
}

#[test]
fn a_run_stops_when_it_is_to() {
    for (i, way) in WAYS.into_iter().enumerate() {
        let folder = Folder::new();
        let stop = "stop_when = 'along < -0.5'\n";
        folder.write("turning.toml", format!("{TURNING}{way}{stop}"));
        let document = document(&folder, "run turning.toml --out x.csv --json");
        let (t, want) = (number(&document["t"]), 2.0 * PI / 3.0);
        assert_eq!(document["stopped_when"], "along < -0.5");
        // A fixed step is done before it is looked at.
        let limit = if i == 2 { 0.125 } else { 1e-9 };
        assert!(t >= want - 1e-9 && t <= want + limit, "{t} {want}");
        // Nine until t = 2, and the end.
        let rows = String::from_utf8(folder.read("x.csv")).unwrap().lines().count() - 1;
        assert_eq!((rows as u64, &document["rows"]), (10, &Value::from(10)), "{way}");
        let text = folder.good("run turning.toml --out y.csv");
        assert!(text.contains(" (stopped before 10: along < -0.5)\n"), "{text}");
    }
    // What is true at the start does not stop it there.
    let folder = Folder::new();
    folder.write("turning.toml", format!("{TURNING}{}stop_when = 'along > 0.5'\n", WAYS[0]));
    let t = number(&document(&folder, "run turning.toml --out x.csv --json")["t"]);
    assert!((t - 5.0 * PI / 3.0).abs() < 1e-9, "{t}");
}

#[test]
fn the_end_of_a_stopped_run_is_its_last_row() {
    // Rows so far apart that the end is between them; rows at every step; an end where there is a row anyway.
    for (rows, stop, count) in [
        ("interval = 4.0\n", "along < -0.5", 2),
        ("interval = 0.125\n", "along < -0.5", 18),
        ("interval = 1.0\n", "t > 2", 3),
        ("interval = 1.0\n", "t > 9.99999", 11),
    ] {
        for (i, way) in WAYS.into_iter().enumerate() {
            let way = way.replace("interval = 0.25\n", rows).replace("every = 2\n", rows);
            let count = count + u64::from(i == 2 && stop == "t > 2");
            for back in [false, true] {
                let folder = Folder::new();
                let way = if back {
                    let way = way.replace("until = 10.0", "until = -10.0");
                    way.replace("step = 0.125", "step = -0.125")
                } else {
                    way.clone()
                };
                let stop = if back { stop.replace("t > ", "-t > ") } else { stop.to_owned() };
                let text = format!("{TURNING}{way}stop_when = '{stop}'\n{AEM}");
                folder.write("turning.toml", text);
                let aem = if back { "" } else { "--out x.aem" };
                let line = format!("run turning.toml --out x.csv --out x.jsonl {aem} --json");
                let document = document(&folder, &line);
                assert_eq!(document["stopped_when"], Value::from(stop.as_str()), "{way}");
                assert_eq!(document["rows"], count, "{way}{stop}");
                let text = String::from_utf8(folder.read("x.csv")).unwrap();
                let row = |line: &str| -> Vec<f64> {
                    line.split(',').map(|cell| cell.parse().unwrap()).collect()
                };
                let table: Vec<_> = text.lines().skip(1).map(row).collect();
                assert_eq!(table.len() as u64, count, "{text}");
                assert!(table.windows(2).all(|w| (w[1][0] - w[0][0]).abs() > 1e-9), "{text}");
                let (last, state) = (&table[table.len() - 1], &document["state"]);
                assert_eq!(last[0], number(&document["t"]), "{way}{stop}");
                let numbers = |name: &str| -> Vec<f64> {
                    state[name].as_array().unwrap().iter().map(number).collect()
                };
                assert_eq!(last[1..4], numbers("momentum"), "{way}{stop}");
                assert_eq!(last[7..11], numbers("attitude"), "{way}{stop}");
                let text = String::from_utf8(folder.read("x.jsonl")).unwrap();
                assert_eq!(text.lines().count() as u64, count);
                let row: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
                assert_eq!(number(&row["t"]), last[0]);
                if !back {
                    let text = String::from_utf8(folder.read("x.aem")).unwrap();
                    let rows = text.lines().skip_while(|l| *l != "DATA_START").count() - 2;
                    assert_eq!(rows as u64, count, "{text}");
                }
            }
        }
    }
    // An end that differs from the time of a row by rounding alone takes its place.
    let mut beside = 0;
    for (k, way) in (1..=3).flat_map(|k| WAYS[..2].iter().map(move |way| (k, way))) {
        let folder = Folder::new();
        let way = way.replace("interval = 0.25", "interval = 0.125");
        let stop = format!("stop_when = 'along < {:?}'\n", f64::from(k).cos());
        folder.write("turning.toml", format!("{TURNING}{way}{stop}{AEM}"));
        let document = document(&folder, "run turning.toml --out x.csv --out x.aem --json");
        let off = number(&document["t"]) - f64::from(k);
        assert!(off.abs() < 1e-12, "{off:e}");
        beside += i32::from(off > 0.0);
        assert_eq!(document["rows"], 8 * k + 1, "{way}{stop}{off:e}");
    }
    assert!(beside > 0, "no run has ended after a row");
    // Times that were chosen are those of all rows.
    let folder = Folder::new();
    let way = WAYS[0].replace("interval = 0.25", "times = [0, 1, 3]\nstop_when = 'along < -0.5'");
    folder.write("turning.toml", format!("{TURNING}{way}"));
    assert_eq!(document(&folder, "run turning.toml --out x.csv --json")["rows"], 2);
}

/// A fiftieth of a step long, and in a step of almost a turn.
#[test]
fn what_changes_twice_within_a_step_is_seen() {
    for (step, torque) in [(0.125, "none"), (6.0, "none"), (0.125, "formula"), (6.0, "formula")] {
        let folder = Folder::new();
        let torque = match torque {
            "none" => "[method]\nid = 'exact'\n",
            _ => {
                "[torque]\nkind = 'formula'\ntorque = ['0*t', 0, 0]\n[method]\nid = 'strang+exact'\n"
            }
        };
        let watch =
            TURNING.replace("along > 2", "along > 0.999999").replace("far < 200", "far > 0.1");
        let text = format!("{watch}{torque}step = {step}\n[run]\nuntil = 12\n");
        folder.write("turning.toml", text);
        let document = document(&folder, "run turning.toml --out x.csv --json");
        let (turn, half) = (2.0 * PI, 0.999_999f64.acos());
        let close = |name: &str, want: &[f64]| {
            let got = intervals(&document, name);
            let got: Vec<f64> = got.into_iter().flatten().collect();
            assert_eq!(got.len(), want.len(), "{step} {name}: {got:?}");
            for (got, want) in got.iter().zip(want) {
                assert!((got - want).abs() < 1e-8, "{step} {name}: {got} {want}");
            }
        };
        close("up", &[0.0, FRAC_PI_2, 3.0 * FRAC_PI_2, 5.0 * FRAC_PI_2, 7.0 * FRAC_PI_2, 12.0]);
        close("never", &[0.0, half, turn - half, turn + half]);
        let near = 0.1f64.to_radians();
        let [first, second] = [FRAC_PI_2, FRAC_PI_2 + turn];
        let want = [0.0, first - near, first + near, second - near, second + near, 12.0];
        close("always", &want);
    }
    // What is true for a moment stops a run, with the step in which it was.
    let folder = Folder::new();
    let way = WAYS[2].replace("every = 2", "stop_when = 'along < -0.999999'");
    folder.write("turning.toml", format!("{TURNING}{way}"));
    let document = document(&folder, "run turning.toml --out x.csv --json");
    assert_eq!((number(&document["t"]), &document["steps"]), (3.25, &26.into()), "{document}");
}

#[test]
fn wheels_are_watched_by_their_numbers() {
    let folder = Folder::new();
    let wheel = |axis: &str, speed: u32| {
        format!("[[wheel]]\naxis = {axis}\ninertia = 0.1\nspeed = {speed}\n")
    };
    let wheels = wheel("[1, 0, 0]", 3) + &wheel("[0, 1, 0]", 7);
    folder.write(
        "w.toml",
        format!(
            "body.inertia = [1, 1.5, 2]\nstart.omega = [0.2, 0.1, 0.3]\nrun.until = 0.1\nmethod.id = \
             'strang+exact'\nmethod.step = 0.01\n{wheels}[watch]\none = 'wheel_speed(1)'\ntwo = 'wheel_speed(2)'\n"
        ),
    );
    folder.good("run w.toml --out w.csv");
    let rows = String::from_utf8(folder.read("w.csv")).unwrap();
    assert!(rows.starts_with("t,") && rows.lines().next().unwrap().ends_with(",one,two"), "{rows}");
    for row in rows.lines().skip(1) {
        let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        let [.., one, two] = cells[..] else { panic!("{row}") };
        assert!((one - 3.0).abs() < 1e-12 && (two - 7.0).abs() < 1e-12, "{row}");
    }
}

/// A body that turns about the normal of its orbit, faster than it goes round, free.
#[test]
fn an_orbit_on_which_nothing_acts_can_be_watched() {
    let folder = Folder::new();
    let orbit = "[orbit]\nrate = 0.1\nstrength = 3\n[watch]\noff = 'angle(x, nadir)'\n\
                 ahead = 'angle(x, velocity)'\nfield3 = 'dot(z, field)'\n";
    let body = "[body]\ninertia = [1.0, 1.5, 2.0]\n";
    folder.write(
        "one.toml",
        format!("{body}[start]\nomega = [0.0, 0.0, 0.3]\n{orbit}near = 'off < 2'\n[run]\ntimes = [0, 1, 7]\n"),
    );
    folder.write(
        "many.toml",
        format!("bodies.file = 'b.csv'\n{body}{orbit}[run]\ntimes = [0, 1, 7]\n"),
    );
    folder.write("b.csv", "w1,w2,w3\n0,0,0.3\n");
    let told = document(&folder, "run one.toml --out one.csv --json");
    assert_eq!(told["method"], "closed-form");
    folder.good("ensemble many.toml --out many.csv");
    for name in ["one.csv", "many.csv"] {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        for (line, t) in text.lines().skip(1).zip([0.0, 1.0, 7.0]) {
            let cells: Vec<&str> = line.split(',').collect();
            let value = |name: &str| -> f64 {
                cells[names.iter().position(|n| *n == name).unwrap()].parse().unwrap()
            };
            // The planet is behind at first; the axis goes on by 0.2 a unit of time.
            assert!((value("off") - (PI - 0.2 * t)).abs() < 1e-12, "{line}");
            assert!((value("ahead") - (FRAC_PI_2 - 0.2 * t).abs()).abs() < 1e-12, "{line}");
            assert!((value("field3") - 3.0).abs() < 1e-12, "{line}");
        }
    }
    let [near] = intervals(&told, "near")[..] else { panic!("{told}") };
    assert!((near[0] - (PI - 2.0) / 0.2).abs() < 1e-9 && near[1] == 7.0, "{near:?}");
}

#[test]
fn what_cannot_be_watched_is_told_with_its_place() {
    for (lines, parts) in [
        ("[watch]\nx = 'w1'\n", &["t.toml:6: [watch] x = 'w1': 'x' has a meaning already"][..]),
        ("[watch]\nenergy_error = 'w1'\n", &["'energy_error' is a column already"]),
        ("[watch]\na = 3\n", &["[watch] a = 3: a number is not allowed", "a formula"]),
        (
            "[watch]\na = 'angle(z, moment)'\n",
            &[
                "t.toml:6: ",
                "at column 10: no direction 'moment'; did you mean 'momentum'?\n",
                "\n             ^",
            ],
        ),
        ("[watch]\na = 'angle(z, nadir)'\n", &["there is no nadir without an orbit"]),
        ("[watch]\na = '1 < 2 < 3'\n", &["one comparison is enough"]),
        (
            "[run]\nuntil = 1\nstop_when = 'w1'\n",
            &["[run] stop_when = 'w1': at column 3: a comparison is missing"],
        ),
        (
            "[directions]\nsun = [1, 2]\n",
            &["[directions] sun = [1, 2]: a list of 2 is not allowed"],
        ),
        ("[directions]\nsun = 'sun.csv'\n", &["[directions] sun = 'sun.csv': no such file"]),
        (
            "[directions]\nsun = [[0, 1, 0, 0], [0.5, 0, 1, 0]]\n[watch]\na = 'angle(x, sun)'\n",
            &["t.toml:8: ", "goes from t = 0.0 to 0.5, and t = 1.0 is wanted"],
        ),
    ] {
        let folder = Folder::new();
        let head = "[body]\ninertia = [1, 2, 2.5]\n[start]\nomega = [1, 2, 3]\n";
        let run = if lines.contains("[run]") { "" } else { "[run]\nuntil = 1\n" };
        folder.write("t.toml", format!("{head}{lines}{run}"));
        let told = folder.refused("run t.toml --out x.csv");
        for part in parts {
            assert!(told.contains(part), "{told}\nhas not: {part}");
        }
    }
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn an_interrupted_run_tells_the_same_intervals() {
        let long = |until: f64| {
            format!(
                "{TURNING}[torque]\nkind = 'formula'\ntorque = ['0.01*cos(t)', 0, 0]\n[method]\nid = 'strang+exact'\n\
                 step = 0.01\n[run]\nuntil = {until:?}\nevery = 1000\nstop_when = 't > {:?}'\n",
                0.9 * until
            )
        };
        let folder = Folder::new();
        folder.write("long.toml", long(4000.0));
        let want = document(&folder, "run long.toml --out want.csv --json");
        let line = "run long.toml --out x.csv --checkpoint x.ckpt --checkpoint-every 20000";
        let mut resumed = 0;
        loop {
            let resumes = folder.path("x.ckpt").exists();
            let line = if resumes { "resume x.ckpt --json" } else { line };
            let line = if resumes { line.to_owned() } else { format!("{line} --json --force") };
            let mut command = folder.polhode(line.split_whitespace());
            let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            sleep(Duration::from_millis(40 + 15 * resumed));
            let _ = kill_process(Pid::from_child(&child), Signal::KILL);
            let ended = child.wait_with_output().unwrap();
            resumed += 1;
            if ended.status.code().is_none() {
                assert!(resumed < 400, "no end");
                continue;
            }
            assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
            let got: Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert_eq!((&got["windows"], &got["t"]), (&want["windows"], &want["t"]));
            assert!(got["windows"][0]["intervals"].as_array().unwrap().len() > 100);
            assert_eq!(folder.read("x.csv"), folder.read("want.csv"));
            assert!(resumed > 2, "it was never resumed");
            break;
        }
    }
}
