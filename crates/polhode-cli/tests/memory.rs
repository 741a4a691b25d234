//! Memory does not grow with the number of steps, nor with that of bodies.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::process::Stdio;

use support::Folder;

/// The most memory the program had with these arguments, in kilobytes, as the kernel counts it.
fn peak_of(folder: &Folder, line: &str) -> u64 {
    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        // Gone, or not yet there, between the two questions.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or("0 kB");
        peak = peak.max(line.trim().trim_end_matches(" kB").parse().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    assert!(peak > 1000, "{peak} kB cannot be all of it");
    peak
}

#[test]
fn neither_steps_nor_rows_cost_memory() {
    // A plot has some thousand points however many rows there are, so all three have more than that.
    let folder = Folder::with_top();
    let [short, long, dense] = [(1e6, 100), (1e7, 1000), (1e7, 100)].map(|(steps, every)| {
        let until = steps * 0.001;
        let outs = "--force --out x.csv --out x.npz --out x.jsonl --out x.aem --out x.svg";
        peak_of(&folder, &format!("run top.toml --until {until} --every {every} {outs}"))
    });
    let measured = format!(
        "{short} kB for 1e6 steps and 1e4 rows, {long} kB for 1e7 and 1e4, {dense} kB for 1e7 and 1e5"
    );
    // 9e4 rows are 14 MB as numbers, 25 MB as text; pages and caches make 100 kB of noise.
    assert!(long.max(dense) < short + 700, "{measured}");
}

#[test]
fn bodies_of_an_ensemble_cost_no_memory() {
    let folder = Folder::new();
    // Both more than the blocks that are under way at a time, of 16384 bodies.
    let [few, many] = [100_000, 2_000_000].map(|bodies| {
        let ensemble = format!(
            "[bodies]\ncount = {bodies}\nseed = 1\n\
             [body]\ninertia = {{ law = \"any\", largest = 1.0 }}\n\
             [start]\nomega = {{ law = \"isotropic\", length = 1.0 }}\n\
             [method]\nid = \"exact\"\nstep = 0.01\n[run]\nuntil = 0.01\n"
        );
        folder.write("many.toml", ensemble);
        peak_of(&folder, "ensemble many.toml --threads 2")
    });
    // A state is 56 bytes, 106 MB for so many more bodies; blocks under way make 4 MB of noise.
    assert!(many < few + 10_000, "{few} kB for 1e5 bodies, {many} kB for 2e6");
}
