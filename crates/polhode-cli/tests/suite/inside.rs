//! Bodies with wheels and controllers, run, killed, resumed and checked as a user would.

use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Ended, Folder};

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
    // The third wheel is at its limit at times, and not beyond.
    let third = rows[1..].iter().map(|row| row.rsplit(',').next().unwrap().parse::<f64>().unwrap());
    let most = third.fold(0.0, |most: f64, speed| most.max(speed.abs()));
    assert!(most > 2.9 && most < 3.2, "{most}");
}

#[test]
fn killed_and_resumed_a_controlled_run_ends_with_the_same_bytes() {
    let want = folder();
    want.good(&line());
    let killed = folder();
    let line = format!("{} --force --checkpoint x.ckpt --checkpoint-every 100", line());
    let (begin, mut kills, mut wait) = (Instant::now(), 0, 20);
    loop {
        assert!(begin.elapsed() < Duration::from_mins(3), "does not come to an end");
        let resumes = killed.path("x.ckpt").exists();
        let command = if resumes { "resume x.ckpt" } else { &line };
        let mut command = killed.polhode(command.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        sleep(Duration::from_millis(wait));
        // Pictures are drawn in one go, which takes a while on a busy machine: ever longer is waited for.
        wait += 7 + wait / 8;
        let _ = child.kill();
        let ended = Ended::from(child.wait_with_output().unwrap());
        if ended.code.is_none() {
            kills += u32::from(resumes);
            continue;
        }
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        break;
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
    folder.write(
        "e.toml",
        text.replace("run.until = 5", "run.times = [1]").replace("method =", "# "),
    );
    let said = folder.refused("ensemble e.toml");
    assert!(said.contains("computed in steps") && said.contains("[method]"), "{said}");
}
