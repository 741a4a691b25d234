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
    let text = MANY.replace("until = 20.0", "until = 100.0").replace("every = 20", "every = 500");
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
    assert!(message.contains("bodies; go on with\n  polhode resume "), "{message}");
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
