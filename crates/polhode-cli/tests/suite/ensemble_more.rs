//! Ensembles that are changed from the command line, interrupted, or hold a bad body; distributions.

use serde_json::Value;

use crate::support::Folder;

const MANY: &str = "\
[bodies]
count = 40000
seed = 3
[body]
inertia = { law = \"log-normal\", about = [1.0, 2.0, 2.5], sigma = 0.1 }
[start]
omega = { law = \"gaussian\", mean = [0.0, 30.0, 0.0], sigma = 5.0, unit = \"deg_per_s\" }
[method]
id = \"exact\"
step = 0.1
[run]
until = 20.0
every = 20
";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn keys_are_set_from_the_command_line() {
    let folder = Folder::with_ensemble(MANY);
    let ended = folder.good("ensemble e.toml --set bodies.count=7 --set run.until=1 --json");
    let document = json(&ended);
    assert_eq!((&document["bodies"], &document["t"]), (&7.into(), &1.0.into()));
    let message = folder.refused("ensemble e.toml --set bodies.cont=7");
    assert!(
        message.contains("with bodies.cont=7: no key 'cont'; did you mean 'count'?"),
        "{message}"
    );
}

#[test]
fn options_say_how_bodies_are_computed_and_when() {
    let many = MANY.replace("\"exact\"", "\"strang+exact\"");
    let folder = Folder::with_ensemble(&format!("{many}[torque]\nkind = \"heavy-top\"\n"));
    let few = "ensemble e.toml --set bodies.count=20";
    let told = |options: &str| json(&folder.good(&format!("{few} {options} --json")));
    let times = |options: &str| {
        folder.good(&format!("{few} --set bodies.count=1 {options} --out t.csv --force"));
        let table = String::from_utf8(folder.read("t.csv")).unwrap();
        let time = |line: &str| line.split(',').nth(2).unwrap().parse::<f64>().unwrap();
        table.lines().skip(1).map(time).collect::<Vec<_>>()
    };
    // A tolerance takes the place of the method: there is the start and the end, or what is asked for.
    assert_eq!(told("--tolerance 1e-8")["method"], "solved");
    assert_eq!(times("--tolerance 1e-8"), [0.0, 20.0]);
    assert_eq!(times("--tolerance 1e-8 --until -3"), [0.0, -3.0]);
    assert_eq!(times("--tolerance 1e-8 --until 0"), [0.0]);
    assert_eq!(times("--tolerance 1e-8 --until 1 --interval 0.4"), [0.0, 0.4, 0.8, 1.0]);
    assert_eq!(times("--tolerance 1e-8 --times 0.5,2.5"), [0.5, 2.5]);
    // Fixed steps, another method, and the closed form.
    assert_eq!(times("--until 1 --interval 0.5"), [0.0, 0.5, 1.0]);
    assert_eq!(told("--method strang+dmv --step 0.5 --every 7")["steps"], 40);
    let free = "--set torque.kind=none --tolerance 1e-8";
    assert_eq!(told(&format!("{free} --times 1,1e6"))["method"], "free motion");
    for (options, want) in [
        ("--times 1", "'times' are of the exact free motion"),
        ("--tolerance 1e-8 --times 0.5 --until 2", "exclude each other"),
        ("--tolerance 2", "a number from 1e-14 to 0.1"),
        ("--tolerance 1e-8 --interval 0", "a positive number"),
        ("--tolerance 1e-8 --set run.every=2", "'interval' and 'times' choose rows"),
    ] {
        let message = folder.refused(&format!("{few} {options}"));
        assert!(message.contains(want), "{options}: {message}");
    }
}

#[test]
fn who_takes_one_kind_for_the_other_is_told_where_to_go() {
    let folder = Folder::with_ensemble(MANY);
    for command in ["run", "compare", "chaos", "cite"] {
        let message = folder.refused(&format!("{command} tumbling-debris"));
        assert!(message.contains("use `polhode ensemble tumbling-debris`"), "{message}");
    }
    let message = folder.refused("run e.toml");
    assert!(message.contains("use `polhode ensemble`"), "{message}");
    let message = folder.refused("ensemble dzhanibekov");
    assert!(message.contains("use `polhode run`"), "{message}");
}

#[test]
fn distributions_are_told() {
    let folder = Folder::with_ensemble(MANY);
    let line = "ensemble e.toml --set bodies.count=3000 --set run.until=0";
    let text = folder.good(&format!("{line} --histograms --out a.csv"));
    assert!(text.contains("\nquantiles ") && text.contains("50 %"), "{text}");
    assert_eq!(text.matches("up to").count(), 7, "{text}");
    let document = json(&folder.good(&format!("{line} --json")));
    let omega = &document["statistics"]["omega_norm"];
    // Against the rows themselves.
    let table = String::from_utf8(folder.read("a.csv")).unwrap();
    let mut lengths: Vec<f64> = table
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let w = [6, 7, 8].map(|i| fields[i].parse::<f64>().unwrap());
            w.iter().map(|x| x * x).sum::<f64>().sqrt()
        })
        .collect();
    lengths.sort_by(f64::total_cmp);
    for (key, part) in [("0.05", 0.05), ("0.5", 0.5), ("0.99", 0.99)] {
        let found = omega["quantiles"][key].as_f64().unwrap();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let want = lengths[(part * 2999.0) as usize];
        assert!((found - want).abs() < 2e-3 * want, "{key}: {found} {want}");
    }
    let counts: u64 =
        omega["histogram"]["counts"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(counts, 3000);
}

/// Bodies that turn about their third axis, each with a rate of its own.
const WATCHED: &str = "\
[bodies]
file = \"b.csv\"
[body]
inertia = [1.0, 1.5, 2.0]
[run]
times = [0.0, 0.5, 2.0]
[directions]
sun = [0.0, 3.0, 0.0]
[watch]
along = \"dot(x, X)\"
far = \"deg(angle(x, sun))\"
tilt = \"angle(momentum, z)\"
up = \"along > 0\"
";

#[test]
fn what_is_watched_stands_in_tables_and_statistics() {
    let rates = [0.0, 0.5, 1.0, 2.0, 3.0];
    let rows = rates.map(|rate| format!("0,0,{rate}\n")).concat();
    let torqued = "[torque]\nkind = 'formula'\ntorque = ['0*t', 0, 0]\n";
    let steps = "[method]\nid = 'strang+exact'\nstep = 0.5\n";
    let in_steps = WATCHED.replace("times = [0.0, 0.5, 2.0]", "until = 2.0") + torqued + steps;
    for (text, count) in [(WATCHED.into(), 3), (format!("{WATCHED}{torqued}"), 3), (in_steps, 5)] {
        let folder = Folder::with_ensemble(&text);
        folder.write("b.csv", format!("w1,w2,w3\n{rows}"));
        let line = "ensemble e.toml --out a.csv --out a.jsonl --out a.npz --out a.svg --json";
        let document = json(&folder.good(line));
        let table = String::from_utf8(folder.read("a.csv")).unwrap();
        let mut lines = table.lines();
        assert!(lines.next().unwrap().ends_with(",regime,along,far,tilt,up"), "{table}");
        let lines: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        assert_eq!(lines.len(), count * rates.len());
        let objects = String::from_utf8(folder.read("a.jsonl")).unwrap();
        for (cells, object) in lines.iter().zip(objects.lines()) {
            let number = |i: usize| cells[i].parse::<f64>().unwrap();
            let angle = rates[cells[0].parse::<usize>().unwrap()] * number(2);
            assert!((number(20) - angle.cos()).abs() < 1e-9, "{cells:?}");
            assert!((number(21) - angle.sin().acos().to_degrees()).abs() < 1e-5, "{cells:?}");
            // A body at rest has no momentum to be at an angle with.
            assert_eq!(cells[22], if cells[0] == "0" { "" } else { "0" }, "{cells:?}");
            assert_eq!(cells[23], if angle.cos() > 0.0 { "1" } else { "0" }, "{cells:?}");
            let watch = &json(object)["watch"];
            assert_eq!(watch["along"].as_f64().unwrap(), number(20));
            assert_eq!(watch["tilt"].is_null(), cells[0] == "0", "{watch}");
        }
        let archive = folder.read("a.npz");
        for name in ["along.npy", "far.npy", "tilt.npy", "up.npy"] {
            assert!(archive.windows(name.len()).any(|w| w == name.as_bytes()), "{name}");
        }
        assert!(String::from_utf8(folder.read("a.svg")).unwrap().contains("bodies at t = 2"));
        let watch = &document["statistics"]["watch"];
        let mean = rates.iter().map(|rate| (2.0 * rate).cos()).sum::<f64>() / 5.0;
        assert!((watch["along"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{watch}");
        // cos 0, cos 1 and cos 6 are positive, cos 2 and cos 4 are not.
        assert!((watch["up"]["mean"].as_f64().unwrap() - 0.6).abs() < 1e-15, "{watch}");
        assert_eq!(watch["tilt"]["max"], 0.0);
        let text = folder.good("ensemble e.toml");
        assert!(text.contains("\nup                            0.600000"), "{text}");
    }
}

#[test]
fn an_orbit_is_shared_by_the_torques_of_an_ensemble() {
    let folder = Folder::new();
    let text = "bodies.file = 'b.csv'\nbody.inertia = [1, 1.5, 2]\nrun.times = [0.1]\n[watch]\n\
                off = 'deg(angle(x, nadir))'\n[[torque]]\nkind = 'gravity-gradient'\n";
    folder.write("b.csv", "w1,w2,w3\n0,0,1e-3\n");
    folder.write("shared.toml", format!("{text}[orbit]\nrate = 1e-3\n"));
    folder.write("own.toml", format!("{text}rate = 1e-3\n"));
    for name in ["shared", "own"] {
        folder.good(&format!("ensemble {name}.toml --out {name}.csv"));
    }
    assert!(folder.read("shared.csv") == folder.read("own.csv"));
    let rows = String::from_utf8(folder.read("own.csv")).unwrap();
    // The planet is behind, and both turn alike.
    let off: f64 = rows.trim_end().rsplit(',').next().unwrap().parse().unwrap();
    assert!((off - 180.0).abs() < 1e-4, "{off}");
    folder.write(
        "unused.toml",
        text.replace("'gravity-gradient'", "'none'").replace("nadir", "Z") + "[orbit]\nrate = 1\n",
    );
    let told = folder.refused("ensemble unused.toml");
    assert!(told.contains("[orbit]: nothing is on this orbit"), "{told}");
}

#[test]
fn what_an_ensemble_cannot_watch_is_told() {
    for (lines, part) in [
        ("period = 'w1'", "'period' is a column already"),
        ("regime = 'w1'", "'regime' is a column already"),
        ("a = 'angle(x, nadir)'", "there is no nadir without an orbit"),
        ("a = 'wheel_speed(1)'", "wheel"),
        ("a = 'angel(x, z)'", "no function 'angel'; did you mean 'angle'?"),
    ] {
        let folder = Folder::with_ensemble(&format!("{MANY}[watch]\n{lines}\n"));
        let told = folder.refused("ensemble e.toml");
        assert!(told.contains("e.toml:15: [watch]") && told.contains(part), "{told}");
    }
    let folder = Folder::with_ensemble(&format!("{MANY}stop_when = 'w1 > 3'\n"));
    let told = folder.refused("ensemble e.toml");
    assert!(
        told.contains("[run] stop_when") && told.contains("put the comparison into [watch]"),
        "{told}"
    );
    let folder = Folder::with_ensemble(&format!(
        "{MANY}[directions]\nsun = [[0, 1, 0, 0], [19, 0, 1, 0]]\n[watch]\na = 'angle(x, sun)'\n"
    ));
    let told = folder.refused("ensemble e.toml");
    assert!(told.contains("goes from t = 0.0 to 19.0, and t = 20.0 is wanted"), "{told}");
}

#[test]
fn one_bad_body_fails_alone() {
    let folder = Folder::with_ensemble(crate::support::TABLE);
    let table = "i1,i2,i3,m1,m2,m3\n1,2,2.5,1,2,3\n1,2,9,1,2,3\n1,2,2.5,x,2,3\n1,2,2.5,3,2,1\n";
    folder.write("b.csv", table);
    assert!(folder.refused("ensemble e.toml").contains("b.csv:3: "));
    let ended = folder.run("ensemble e.toml --skip-bad --json --out a.csv");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("2 of 4 bodies could not go on; the first: b.csv:3: "),
        "{}",
        ended.stderr
    );
    let document = json(&ended.stdout);
    assert_eq!((&document["bodies"], &document["failed"]), (&4.into(), &2.into()));
    let rows = String::from_utf8(folder.read("a.csv")).unwrap();
    let bodies: Vec<&str> = rows.lines().skip(1).map(|row| &row[..1]).collect();
    assert_eq!(bodies, ["0", "3"]);
    // The others are as they would be without the bad ones.
    folder.write("b.csv", "i1,i2,i3,m1,m2,m3\n1,2,2.5,1,2,3\n1,2,2.5,3,2,1\n");
    let alone = json(&folder.good("ensemble e.toml --json"));
    assert_eq!(alone["statistics"], document["statistics"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_ensemble_ends_as_if_it_never_had_been() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    // Three blocks of a second or so, with three rows a body.
    let text = MANY.replace("until = 20.0", "until = 100.0").replace("every = 20", "every = 500")
        + "[watch]\ntilt = 'deg(angle(z, Z))'\nover = 'tilt > 90'\n";
    let whole = Folder::with_ensemble(&text);
    let outputs = "--out x.csv --out x.npz";
    let want = json(&whole.good(&format!("ensemble e.toml {outputs} --json")));
    let block = whole.read("x.csv").len() as u64 * 16384 / 40000;
    let folder = Folder::with_ensemble(&text);
    let line = format!("ensemble e.toml {outputs}");
    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let written = || folder.path("x.csv.part").metadata().map_or(0, |m| m.len());
    while written() < block + block / 10 && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{message}");
    let rows =
        "bodies; the rows so far are in x.csv.part, x.npz.part; go on with\n  polhode resume ";
    assert!(message.contains(rows), "{message}");
    assert_eq!(folder.names(), ["e.ckpt", "e.toml", "x.csv.part", "x.npz.part"]);
    // The ensemble itself may be gone, but not what was written.
    std::fs::remove_file(folder.path("e.toml")).unwrap();
    let damaged = folder.read("e.ckpt");
    folder.write("damaged.ckpt", &damaged[..damaged.len() - 1]);
    assert!(folder.refused("resume damaged.ckpt").contains("damaged.ckpt: damaged: "));
    let document = json(&folder.good("resume e.ckpt --json"));
    assert_eq!(folder.names(), ["damaged.ckpt", "x.csv", "x.npz"]);
    for file in ["x.csv", "x.npz"] {
        assert!(folder.read(file) == whole.read(file), "{file}");
    }
    assert_eq!(document["statistics"], want["statistics"]);
    assert_eq!(document["bodies"], 40000);
}

/// Killed again and again, it ends with the same files.
#[cfg(target_os = "linux")]
#[test]
fn an_ensemble_that_was_killed_goes_on_from_its_checkpoint() {
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    let text =
        MANY.replace("count = 40000", "count = 120000").replace("until = 20.0", "until = 0.1");
    let folder = Folder::with_ensemble(&text);
    let whole = "ensemble e.toml --out want.csv --json";
    let want = json(&folder.good(whole));
    let line = "ensemble e.toml --out x.csv --checkpoint x.ckpt --threads 1";
    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while !folder.path("x.ckpt").exists() && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_mins(5), "never saved");
        sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(folder.path("x.ckpt").exists(), "it was done before it was saved");
    let told = folder.refused(line);
    assert!(told.contains("x.ckpt") && told.contains("polhode resume"), "{told}");
    let document = json(&folder.good("resume x.ckpt --json"));
    assert!(folder.read("x.csv") == folder.read("want.csv"));
    assert_eq!(document["statistics"], want["statistics"]);
    assert!(!folder.path("x.ckpt").exists());
    let told = folder.run("ensemble e.toml --out - --checkpoint x.ckpt").stderr;
    assert!(told.contains("--out -: not with --checkpoint"), "{told}");
}

/// A folder in the place of one of its files keeps that one from its name.
#[cfg(target_os = "linux")]
#[test]
fn files_that_could_not_be_completed_are_completed_later() {
    use std::fs;
    use std::process::Stdio;
    use std::thread::sleep;
    use std::time::Duration;

    let folder = Folder::with_ensemble(&MANY.replace("until = 20.0", "until = 2.0"));
    folder.good("ensemble e.toml --out want.csv --out want.npz");
    let line = "ensemble e.toml --out x.csv --out x.npz --checkpoint x.ckpt";
    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("x.npz.part").exists() && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    fs::create_dir(folder.path("x.npz")).unwrap();
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{message}");
    assert!(message.contains("x.npz: cannot write it"), "{message}");
    assert!(message.contains("`polhode resume x.ckpt` completes the files"), "{message}");
    // As long as the folder is there it cannot be completed, and nothing is lost.
    let again = folder.run("resume x.ckpt");
    assert!(again.code != Some(0) && folder.path("x.npz.part").exists(), "{again:?}");
    fs::remove_dir(folder.path("x.npz")).unwrap();
    folder.good("resume x.ckpt");
    for kind in ["csv", "npz"] {
        assert!(
            folder.read(&format!("x.{kind}")) == folder.read(&format!("want.{kind}")),
            "{kind}"
        );
    }
    assert!(!folder.path("x.ckpt").exists() && !folder.path("x.npz.part").exists());
}

/// Thirty bodies under a torque that is switched on at the start and grows in a jump later.
const JUMPING: &str = "\
[bodies]
count = 30
seed = 3
[body]
inertia = { law = \"log-normal\", about = [1.0, 2.0, 2.5], sigma = 0.05 }
[start]
omega = { law = \"gaussian\", mean = [0.0, 1.0, 0.0], sigma = 0.3 }
[torque]
kind = \"formula\"
torque = [\"0.2*sign(t) + 0.1*sign(t - 0.7)\", \"0.1*r31\", \"0\"]
[run]
times = [0.5, 2.0]
tolerance = 1e-8
stops = [0.0, 0.7, 2.0]
";

#[test]
fn every_body_meets_the_stops() {
    let folder = Folder::with_ensemble(JUMPING);
    let table = |options: &str| {
        folder.good(&format!("ensemble e.toml {options} --out t.csv --force"));
        String::from_utf8(folder.read("t.csv")).unwrap()
    };
    let met = table("");
    for threads in [1, 3] {
        assert_eq!(table(&format!("--threads {threads}")), met);
    }
    assert_ne!(table("--set run.stops=[0.7]"), met);
    assert_ne!(table("--set run.stops=[]"), met);
    // The first body is the same alone.
    let first = |table: &str| {
        let rows = table.lines().filter(|line| line.starts_with("0,"));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(first(&met).len(), 2);
    assert_eq!(first(&table("--set bodies.count=1")), first(&met));
}

#[test]
fn bad_times_tolerances_and_stops_of_ensembles_are_named() {
    let folder = Folder::with_ensemble(JUMPING);
    for (options, parts) in [
        ("--tolerance nan", &["run.tolerance=nan", "not a number"][..]),
        ("--tolerance 0", &["run.tolerance=0", "1e-14 to 0.1"]),
        ("--tolerance -1", &["run.tolerance=-1", "1e-14 to 0.1"]),
        ("--tolerance x", &["run.tolerance=x", "1e-14 to 0.1"]),
        ("--times 1,1", &["run.times=", "times[1] = 1.0", "follow each other"]),
        ("--times 2,1", &["run.times=", "times[1] = 1.0", "follow each other"]),
        ("--times nan", &["--times: 'nan'", "not a number", "t1,t2"]),
        ("--times 0,x", &["--times: '0,x'", "the name of a file"]),
        ("--times 1 --until 2", &["times", "until", "exclude each other"]),
        ("--times 1 --interval 0.5", &["times", "interval", "exclude each other"]),
        ("--until 2 --interval 0", &["run.interval=0", "a positive number"]),
        ("--until 2 --interval -1", &["run.interval=-1", "a positive number"]),
        ("--until 2 --interval nan", &["run.interval=nan", "not a number"]),
        ("--until 2 --interval 1e-9", &["run.interval=1e-9", "1e8 rows"]),
        ("--until nan", &["run.until=nan", "not a number"]),
        ("--set run.times=[]", &["run.times=[]", "one at least"]),
        ("--set run.times=1", &["run.times=1", "a list of times"]),
        ("--set run.stops=0.5", &["run.stops=0.5", "a list of times, from the start to the end"]),
        ("--set run.stops=[nan]", &["run.stops=[nan]", "not a number"]),
        ("--set run.stops=['x']", &["a text at position 1", "a list of times"]),
        ("--set run.stops=[3]", &["run.stops=[3]", "3.0 at position 1", "from 0.0 to 2.0"]),
        ("--set run.stops=[-1]", &["-1.0 at position 1", "from 0.0 to 2.0"]),
        ("--set run.stops=[1,1]", &["1.0 at position 2", "follow each other"]),
        ("--set run.stops=[1,0.5]", &["0.5 at position 2", "follow each other"]),
    ] {
        let said = folder.refused(&format!("ensemble e.toml --out x.csv {options}"));
        for part in parts {
            assert!(said.contains(part), "{options}: lacks '{part}': {said}");
        }
        assert!(!said.contains("panicked"), "{options}: {said}");
    }
    // Steps of one length do not end elsewhere; a method that is asked for makes do without.
    let stepped = Folder::with_ensemble(&format!("{MANY}stops = [1.0]\n"));
    let said = stepped.refused("ensemble e.toml");
    assert!(said.contains("stops = [1.0]") && said.contains("leave out [method]"), "{said}");
    folder.good("ensemble e.toml --method rk4 --step 0.1 --until 2 --out s.csv");
    assert_eq!(folder.names(), ["e.toml", "s.csv"]);
}
