//! Memory does not grow with the number of steps.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::process::Stdio;

use support::Folder;

/// The most memory the run had, in kilobytes, as the kernel counts it.
fn peak_of(steps: f64) -> u64 {
    let folder = Folder::with_top();
    let until = steps * 0.001;
    let outs = "--out x.csv";
    let line = format!("run top.toml --until {until} --every 1000 {outs}");
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
fn ten_million_steps_take_no_more_memory_than_a_tenth_of_them() {
    let [short, long] = [1e6, 1e7].map(peak_of);
    println!("peak memory: {short} kB for 1e6 steps, {long} kB for 1e7");
    // 9000 more rows are 1.3 MB as numbers, 2.5 MB as text; pages and caches make 100 kB of noise.
    assert!(long < short + 700, "{short} kB for 1e6 steps, {long} kB for 1e7");
}
