//! Bodies with wheels and controllers, run, killed, resumed and checked as a user would.

use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use crate::support::{CommandOutcome, Folder};

/// Wheels, holds, delays, pulses and memories of controllers: everything that a checkpoint must have.
const STEERED: &str = "\
[body]
inertia = [1.0, 1.6, 2.1]
[start]
omega = [0.05, -0.04, 0.09]
[orbit]
rate = 1e-2
eccentricity = 0.2
strength = 2.6e-5
axis = [0.17, 0.0, -0.98]
spin = 7e-4
[torque]
kind = 'gravity-gradient'
[[wheel]]
axis = [1, 0, 0]
inertia = 0.02
torque_limit = 0.01
[[wheel]]
axis = [0, 1, 0]
inertia = 0.02
viscous_friction = 1e-4
coulomb_friction = 1e-4
[[wheel]]
axis = [0, 0, 1]
inertia = 0.02
speed_limit = 3.0
[damper]
inertia = 0.05
coefficient = 0.01
[[controller]]
kind = 'pd-quaternion'
period = 0.37
delay = 0.9
target = 'nadir'
stiffness = 2e-2
damping = 1e-1
actuator = 'wheels'
[[controller]]
kind = 'b-dot'
period = 0.25
gain = 1e4
dipole_limit = 5.0
[[controller]]
kind = 'pd-quaternion'
period = 2.0
target = [1, 0, 0, 0]
stiffness = 1e-2
damping = 1e-1
actuator = 'thrusters'
thrust = [0.05, 0.05, 0.05]
shortest_pulse = 0.05
[method]
id = 'strang:compensated+dmv'
step = 0.1
[watch]
off_nadir = 'deg(angle(z, nadir))'
slow = 'norm(omega) < 0.05'
[run]
until = 2000
every = 7
";

const FILES: [&str; 3] = ["x.csv", "x.npz", "x.svg"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.toml", STEERED);
    folder
}

fn line() -> String {
    format!("run s.toml {}", FILES.map(|file| format!("--out {file}")).join(" "))
}

#[test]
fn rows_have_the_wheels_and_the_grid_changes_no_bit() {
    let coarse = folder();
    let out = coarse.good(&line());
    assert!(out.contains("  wheels    ") && out.contains("slow, norm(omega) < 0.05: "), "{out}");
    assert!(
        out.contains("in steps of half the length, to compare with, would take too long"),
        "{out}"
    );
    let text = String::from_utf8(coarse.read("x.csv")).unwrap();
    assert!(text.lines().next().unwrap().ends_with(",off_nadir,wheel1,wheel2,wheel3"));
    let fine = folder();
    fine.good(&format!("{} --every 1", line()));
    let all = String::from_utf8(fine.read("x.csv")).unwrap();
    let rows: Vec<&str> = all.lines().collect();
    for (n, row) in text.lines().enumerate().skip(1).take(2857) {
        assert_eq!(row, rows[1 + 7 * (n - 1)]);
    }
    assert_eq!(text.lines().last(), rows.last().copied());
    assert_eq!((text.lines().count(), rows.len()), (2860, 20_002));
    // The third wheel is at its limit at times, beyond it by no more than the body itself takes it.
    let most = |text: &str| {
        let third = text.lines().skip(1).map(|row| row.rsplit(',').next().unwrap());
        third.fold(0.0, |most: f64, speed| most.max(speed.parse::<f64>().unwrap().abs()))
    };
    assert!((3.0..3.1).contains(&most(&all)), "{}", most(&all));
    fine.good(&format!("{} --every 1 --force --set wheel.3.speed_limit=100", line()));
    let free = String::from_utf8(fine.read("x.csv")).unwrap();
    assert!(most(&free) > 50.0, "{}", most(&free));
}

#[test]
fn killed_and_resumed_a_controlled_run_ends_with_the_same_bytes() {
    let want = folder();
    want.good(&line());
    let killed = folder();
    let line = format!("{} --force --checkpoint x.ckpt --checkpoint-every 100", line());
    let saved = || std::fs::read(killed.path("x.ckpt")).ok();
    let mut kills = 0;
    let mut is_done = false;
    while kills < 6 && !is_done {
        let before = saved();
        let command = if before.is_some() { "resume x.ckpt" } else { &line };
        let mut command = killed.polhode(command.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Until it has saved anew, and a little further, so that its files are beyond what is saved.
        while saved() == before && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(3 * kills));
        let _ = child.kill();
        let ended = CommandOutcome::from(child.wait_with_output().unwrap());
        is_done = ended.code.is_some();
        if is_done {
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        } else {
            kills += 1;
        }
    }
    assert!(kills > 0, "it was never killed");
    if !is_done {
        killed.good("resume x.ckpt");
    }
    for file in FILES {
        assert!(killed.read(file) == want.read(file), "{file} after {kills} kills");
    }
}

#[test]
fn check_knows_the_total_momentum() {
    let folder = Folder::new();
    let text = "body.inertia = [1.0, 1.6, 2.1]\nstart.omega = [0.3, -0.2, 0.4]\nrun.until = 20\n\
                method = { id = 'kahanli8+exact', step = 0.1 }\n\
                wheel = { axis = [0, 0.6, 0.8], inertia = 0.05, speed = 9, torque = 0.01 }\n";
    folder.write("w.toml", text);
    let out = folder.good("run w.toml --out a.csv");
    assert!(out.contains("momentum in space") && out.contains("relative)"), "{out}");
    let out = folder.good("check a.csv --scenario w.toml");
    assert!(out.contains("drift of space momentum") && out.contains("right: exact"), "{out}");
    // The wheel forgotten: the motion is another.
    folder.write("without.toml", text.replace("wheel =", "# wheel ="));
    assert_ne!(folder.run("check a.csv --scenario without.toml").code, Some(0));
    let rows = String::from_utf8(folder.read("a.csv")).unwrap();
    let spoiled: Vec<String> = rows
        .lines()
        .enumerate()
        .map(|(n, row)| if n == 150 { row.replacen("0.", "0.9", 2) } else { row.to_owned() })
        .collect();
    folder.write("b.csv", spoiled.join("\n"));
    assert_ne!(folder.run("check b.csv --scenario w.toml").code, Some(0));
}

const WHEEL: &str = "body.inertia = [1, 1.6, 2.1]\nstart.omega = [0.3, -0.2, 0.4]\nrun.until = 20\n\
                     wheel = { axis = [0, 0.6, 0.8], inertia = 0.05, speed = 9 }\n";

#[test]
fn what_needs_steps_says_so() {
    let folder = Folder::new();
    folder.write("w.toml", WHEEL.replace("speed = 9", "torque = 0.1"));
    let said = folder.refused("run w.toml");
    assert!(said.contains("in steps of one length") && said.contains("kahanli8+exact"), "{said}");
    let said = folder.refused("run w.toml --tolerance 1e-8");
    assert!(said.contains("run.tolerance=1e-8: something moves inside"), "{said}");
    folder.write("w.toml", format!("{WHEEL}method = {{ id = 'kahanli6+exact', step = 0.1 }}\n"));
    assert!(folder.refused("run w.toml --method rk4").contains("is no splitting"));
}

/// At constant speed wheels need no method.
#[test]
fn wheels_at_constant_speed_are_solved() {
    let folder = Folder::new();
    folder.write("w.toml", WHEEL);
    folder.good("run w.toml --out solved.csv --interval 1");
    folder.good("run w.toml --method kahanli8+exact --step 0.1 --every 10 --out stepped.csv");
    let numbers = |file: &str| -> Vec<Vec<f64>> {
        let text = String::from_utf8(folder.read(file)).unwrap();
        let row = |line: &str| line.split(',').filter_map(|x| x.parse().ok()).collect();
        text.lines().skip(1).map(row).collect()
    };
    let (solved, stepped) = (numbers("solved.csv"), numbers("stepped.csv"));
    assert_eq!((solved.len(), stepped.len()), (21, 21));
    for (a, b) in solved.iter().zip(&stepped) {
        // Time, momentum, angular velocity, quaternion.
        let apart = a[1..12].iter().zip(&b[1..12]).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{a:?}\n{b:?}");
    }
    let out = folder.good("check solved.csv --scenario w.toml");
    assert!(out.contains("right"), "{out}");
}

#[test]
fn bodies_with_wheels_are_compared() {
    let folder = Folder::new();
    folder.write("w.toml", format!("{WHEEL}method = {{ id = 'kahanli6+exact', step = 0.1 }}\n"));
    let out = folder.good("compare w.toml --steps 0.4,0.2,0.1");
    for method in ["strang+exact", "kahanli6+exact", "kahanli8+exact", "dop853"] {
        assert!(out.contains(method), "{out}");
    }
    let driven = WHEEL.replace("speed = 9", "torque = 0.1");
    folder.write("w.toml", format!("{driven}method = {{ id = 'kahanli6+exact', step = 0.1 }}\n"));
    let out =
        folder.good("compare w.toml --methods strang+exact,kahanli8+exact --steps 0.4,0.2,0.1");
    assert!(out.contains("kahanli8+exact"), "{out}");
}

/// Ends of intervals have the accuracy of the run, whatever its step; what holds for a moment within a step is seen.
#[test]
fn windows_are_as_accurate_as_the_run() {
    let folder = Folder::new();
    let text = "body.inertia = [1, 1.6, 2.1]\nstart.omega = [0.3, -0.2, 2.4]\nrun.until = 30\n\
                wheel = { axis = [0, 0.6, 0.8], inertia = 0.05, speed = 9, viscous_friction = 1e-3 }\n\
                [[controller]]\nkind = 'pd-quaternion'\nperiod = 0.7\ntarget = [1, 0, 0, 0]\n\
                stiffness = 0.01\ndamping = 0.02\nactuator = 'torque'\n\
                [watch]\nclose = 'deg(angle(x, X)) < 20'\n[method]\nid = 'kahanli8+exact'\nstep = 0.05\n";
    folder.write("w.toml", text);
    let intervals = |step: &str| -> Vec<f64> {
        let out = folder.good(&format!("run w.toml --json --set method.step={step}"));
        let document: serde_json::Value = serde_json::from_str(&out).unwrap();
        let bounds = document["windows"][0]["intervals"].as_array().unwrap();
        bounds.iter().flat_map(|pair| [&pair[0], &pair[1]]).map(|t| t.as_f64().unwrap()).collect()
    };
    let fine = intervals("0.05");
    assert!(fine.len() >= 6, "{fine:?}");
    // In a step of half a unit the body turns by more than a radian.
    for step in ["0.25", "0.5"] {
        let coarse = intervals(step);
        assert_eq!(coarse.len(), fine.len(), "{coarse:?}\n{fine:?}");
        for (a, b) in coarse.iter().zip(&fine) {
            assert!((a - b).abs() < 1e-6, "{step}: {coarse:?}\n{fine:?}");
        }
    }
}

#[test]
fn an_ensemble_has_wheels_and_controllers() {
    let folder = Folder::new();
    let text = "bodies.count = 20\nbody.inertia = [1, 1.6, 2.1]\n\
                start.omega = { law = 'gaussian', mean = [0.3, -0.2, 0.4], sigma = 0.1 }\nrun.until = 5\n\
                method = { id = 'strang+exact', step = 0.1 }\n\
                wheel = { axis = [0, 0.6, 0.8], inertia = 0.05, speed = 9, torque = 0.01 }\n";
    folder.write("e.toml", text);
    let out = folder.good("ensemble e.toml --out bodies.csv");
    assert!(out.contains("20 bodies") && out.contains("energy"), "{out}");
    let rows = String::from_utf8(folder.read("bodies.csv")).unwrap();
    let names: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let first: Vec<f64> =
        rows.lines().nth(1).unwrap().split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect();
    // The total momentum is I omega and that of the wheel.
    let total = 2.1 * first[at("w3")] + 0.05 * 9.0 * 0.8;
    assert!((first[at("m3")] - total).abs() < 1e-12, "{first:?}");
    assert!((first[at("wheel1")] - 9.0).abs() < 1e-14, "{first:?}");
    // Conditions and columns are those of the body with its wheel, as `polhode run` has them.
    let watching = "[watch]\nfast = 'norm(omega)'\nspun = 'wheel_speed(1) > 9.5'\n";
    folder.write("e.toml", format!("{text}{watching}"));
    folder.good("ensemble e.toml --out watched.csv --force");
    let rows = String::from_utf8(folder.read("watched.csv")).unwrap();
    let names: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let (mut before, mut after) = (0, 0);
    for row in rows.lines().skip(1) {
        let row: Vec<f64> = row.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect();
        let norm = ["w1", "w2", "w3"].map(|w| row[at(w)].powi(2)).iter().sum::<f64>().sqrt();
        assert!((row[at("fast")] - norm).abs() < 1e-14, "{row:?}");
        let spun = row[at("wheel1")] > 9.5;
        assert_eq!(row[at("spun")], f64::from(u8::from(spun)), "{row:?}");
        *(if spun { &mut after } else { &mut before }) += 1;
    }
    assert!(before >= 20 && after >= 20, "{before} {after}");
    // Moments that vary, for all bodies alike.
    let varying = text.replace("[1, 1.6, 2.1]", "['1 + 0.1*t', 1.6, '2.1 + 0.01*t']");
    folder.write("e.toml", varying);
    folder.good("ensemble e.toml --out varying.csv");
    let rows = String::from_utf8(folder.read("varying.csv")).unwrap();
    let names: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
    let last: Vec<f64> =
        rows.lines().last().unwrap().split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect();
    assert_eq!(last[at("t")], 5.0);
    let total = 2.15 * last[at("w3")] + 0.05 * last[at("wheel1")] * 0.8;
    assert!((last[at("m3")] - total).abs() < 1e-12, "{last:?}");
    folder.write(
        "e.toml",
        text.replace("run.until = 5", "run.times = [1]").replace("method =", "# "),
    );
    let said = folder.refused("ensemble e.toml");
    assert!(said.contains("computed in steps") && said.contains("[method]"), "{said}");
}

/// How files were made is told of wheels, controllers and moments that vary too.
#[test]
fn files_say_what_moved() {
    let folder = folder();
    folder.good("run s.toml --until 2 --out a.csv --out a.npz --set body.inertia=[\"1+0.01*t\",1.6,2.1] --set method.id=strang+exact");
    let meta: serde_json::Value = serde_json::from_slice(&folder.read("a.csv.meta.json")).unwrap();
    assert_eq!(meta["wheels"][1]["viscous_friction"], 1e-4);
    assert_eq!(meta["controllers"][0]["target"], "nadir");
    assert_eq!(meta["controllers"][2]["thrust"], serde_json::json!([0.05, 0.05, 0.05]));
    assert_eq!(meta["damper"]["coefficient"], 0.01);
    assert_eq!(meta["varying_inertia"], serde_json::json!(["1+0.01*t", 1.6, 2.1]));
    let archive = folder.read("a.npz");
    let entry = b"varying_inertia";
    assert!(archive.windows(entry.len()).any(|part| part == entry));
    folder.write("w.toml", WHEEL);
    folder.good("run w.toml --out w.csv");
    let meta: serde_json::Value = serde_json::from_slice(&folder.read("w.csv.meta.json")).unwrap();
    assert_eq!(
        meta["wheels"],
        serde_json::json!([{"axis": [0.0, 0.6, 0.8], "inertia": 0.05, "speed": 9.0}])
    );
    assert!(meta.get("controllers").is_none() && meta.get("varying_inertia").is_none());
}

/// Rows on standard output cannot be continued, and Ctrl-C says so.
#[test]
#[cfg(unix)]
fn an_interrupt_of_rows_on_standard_output_leaves_no_checkpoint() {
    use std::io::{BufRead, BufReader};

    use rustix::process::{Pid, Signal, kill_process};

    let folder = folder();
    let mut command = folder.polhode("run s.toml --out - --until 1e6 --every 1000".split(' '));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut rows = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        rows.read_line(&mut String::new()).unwrap();
    }
    let reading = std::thread::spawn(move || rows.lines().map_while(Result::ok).count());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("interrupted after step") && told.contains("--out FILE.csv"), "{told}");
    assert!(!told.contains("resume"), "{told}");
    assert_eq!(folder.names(), ["s.toml"]);
    reading.join().unwrap();
}

/// The orbit of a magnetic controller is one to point at and to watch.
#[test]
fn the_orbit_of_a_controller_has_a_nadir() {
    let folder = Folder::new();
    let torque = "[torque]\nkind = 'gravity-gradient'\n";
    let text = STEERED.replace(torque, "").replace("until = 2000", "until = 50");
    folder.write("s.toml", text.replace("slow = ", "in_field = 'deg(angle(x, field))'\nslow = "));
    let out = folder.good("run s.toml --out a.csv");
    assert!(out.contains("slow, norm(omega) < 0.05"), "{out}");
    let rows = String::from_utf8(folder.read("a.csv")).unwrap();
    assert!(rows.lines().next().unwrap().contains("off_nadir,in_field,wheel1"), "{rows}");
    assert!(!rows.contains("NaN") && !rows.contains("nan"));
    // Without a field it is still an orbit.
    let magnet = text.find("[[controller]]\nkind = 'b-dot'").unwrap();
    let next = magnet + text[magnet + 1..].find("[[controller]]").unwrap() + 1;
    let without =
        format!("{}{}", &text[..magnet], &text[next..]).replace("strength = 2.6e-5\n", "");
    folder.write("n.toml", without);
    folder.good("run n.toml --out b.csv");
    // Neither steered by nor watched.
    let unused = text
        .replace("target = 'nadir'", "target = [1, 0, 0, 0]")
        .replace("angle(z, nadir)", "angle(z, momentum)");
    let magnet = unused.find("[[controller]]\nkind = 'b-dot'").unwrap();
    let next = magnet + unused[magnet + 1..].find("[[controller]]").unwrap() + 1;
    folder.write("u.toml", format!("{}{}", &unused[..magnet], &unused[next..]));
    let said = folder.refused("run u.toml");
    assert!(said.contains("nothing is on this orbit"), "{said}");
}

/// A period far below the step is told, not computed for ever.
#[test]
fn ticks_finer_than_a_millionth_of_a_step_are_refused() {
    let folder = folder();
    let ended = folder.run("run s.toml --set controller.2.period=1e-12 --until 86400 --out a.csv");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("more than a million times in a step"), "{}", ended.stderr);
    let fine = "run s.toml --set controller.2.period=1e-3 --until 1 --out a.csv";
    folder.good(fine);
}
