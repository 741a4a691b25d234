//! Checkpoints that are damaged, foreign or made up are refused with the reason; never a panic.

use std::io::Write;
use std::process::Stdio;

use crate::support::Folder;
use polhode_cli::run::Checkpoint;
use polhode_testkit::bodies::Rng;
use rustix::process::{Pid, Signal, kill_process};
use sha2::{Digest, Sha256};

/// A folder with the checkpoint `top.ckpt` of an interrupted run.
fn interrupted() -> Folder {
    let folder = Folder::with_top();
    let line = "run top.toml --until 2000 --out x.csv --method kahanli8:compensated+exact";
    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    while !folder.path("x.csv.part").exists() {}
    std::thread::sleep(std::time::Duration::from_millis(30));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    folder
}

/// The file with another body, and a checksum that fits it.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut file = b"polhode-checkpoint 1 ".to_vec();
    for byte in Sha256::digest(body) {
        write!(file, "{byte:02x}").unwrap();
    }
    file.push(b'\n');
    file.extend_from_slice(body);
    file
}

fn body(file: &[u8]) -> &[u8] {
    &file[file.iter().position(|&b| b == b'\n').unwrap() + 1..]
}

#[test]
fn damage_is_refused_with_the_reason() {
    let folder = interrupted();
    let good = folder.read("top.ckpt");
    let text = String::from_utf8(good.clone()).unwrap();
    let contents = std::str::from_utf8(body(&good)).unwrap();
    let replaced = |from: &str, to: &str| {
        assert!(contents.contains(from), "{from}\n{contents}");
        sealed(contents.replacen(from, to, 1).as_bytes())
    };
    let step = contents.lines().find(|l| l.contains("\"step\"")).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let table: Vec<(Vec<u8>, &[&str])> = vec![
        (Vec::new(), &["no checkpoint"]),
        (b"\n\n".to_vec(), &["no checkpoint", "polhode-checkpoint"]),
        (b"t,m1,m2\n0,1,2\n".to_vec(), &["no checkpoint"]),
        (vec![0xff; 1000], &["no checkpoint"]),
        (good[..good.len() / 2].to_vec(), &["damaged", "checksum", "run the scenario anew"]),
        (good[..good.len() - 1].to_vec(), &["damaged", "checksum"]),
        (flipped, &["damaged", "checksum"]),
        ([good.clone(), b" ".to_vec()].concat(), &["damaged", "checksum"]),
        (
            text.replacen("checkpoint 1", "checkpoint 2", 1).into(),
            &["version '2'", "reads version 1"],
        ),
        (sealed(b""), &["damaged", "checksum is right"]),
        (sealed(b"{}"), &["damaged", "missing field"]),
        (replaced("\"step\"", "\"stride\""), &["damaged", "stride"]),
        (replaced(step, "  \"step\": 2000001,"), &["step 2000001 of 2000000"]),
        (replaced("\"finishing\": false", "\"finishing\": true"), &["finishing at step"]),
        (replaced("[body]", "[bodi]"), &["the scenario in it cannot be run", "top.toml:1"]),
        (
            replaced("kahanli8:compensated+exact", "strang+exact"),
            &["carries does not fit", "strang+exact"],
        ),
        (replaced("quaternion", "quarternion"), &["attitude", "quarternion"]),
    ];
    for (file, parts) in table {
        folder.write("bad.ckpt", file);
        let ended = folder.run("resume bad.ckpt");
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("error: bad.ckpt: "), "{}", ended.stderr);
        for part in parts {
            assert!(ended.stderr.contains(part), "lacks {part}: {}", ended.stderr);
        }
    }
    let missing = folder.run("resume nowhere.ckpt");
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("nowhere.ckpt: no such file"), "{}", missing.stderr);
    let a_folder = folder.run("resume .");
    assert_eq!(a_folder.code, Some(2));
}

#[test]
fn mutants_are_refused_or_sound_but_never_a_panic() {
    let (count, mut rng) = match std::env::var("POLHODE_MUTANTS") {
        Ok(count) => (count.parse().unwrap(), Rng::new(1)),
        Err(_) => (5_000, Rng::new(20260102)),
    };
    let good = interrupted().read("top.ckpt");
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..count {
        // Half of them with a checksum that fits, so that what is behind it is tried as well.
        let seal = i % 2 == 0;
        let mut bytes = if seal { body(&good).to_vec() } else { good.clone() };
        for _ in 0..=rng.below(3) {
            mutate(&mut rng, &mut bytes);
        }
        let file = if seal { sealed(&bytes) } else { bytes };
        match Checkpoint::parse(&file) {
            Ok(_) => accepted += 1,
            Err(message) => {
                assert!(!message.is_empty() && message.len() < 2000, "{message}");
                refused += 1;
            }
        }
    }
    // Both ways are taken: a changed number is a checkpoint like any other.
    assert!(accepted > count / 200 && refused > count / 2, "{accepted} and {refused}");
}

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    const PIECES: [&str; 12] = [
        "18446744073709551615",
        "-1",
        "1e400",
        "null",
        "[]",
        "{",
        "\"",
        ",",
        "\n",
        "\u{0}",
        "true",
        "9218868437227405312",
    ];
    let at = rng.below(bytes.len().max(1));
    match rng.below(5) {
        0 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        1 if at < bytes.len() => {
            bytes.remove(at);
        }
        2 => bytes.truncate(at),
        3 => {
            let piece = PIECES[rng.below(PIECES.len())];
            bytes.splice(at..at, piece.bytes());
        }
        // A number for a number.
        _ => {
            let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
            if let Some(start) = (at..bytes.len()).find(|&i| digit(i)) {
                let end = (start..=bytes.len()).find(|&i| !digit(i)).unwrap_or(bytes.len());
                let number = rng.below(usize::MAX).to_string();
                bytes.splice(start..end, number.bytes());
            }
        }
    }
}
