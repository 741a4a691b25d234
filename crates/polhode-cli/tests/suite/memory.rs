//! Memory does not grow with the number of steps, nor with that of bodies; threads are bounded.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::Folder;

/// The largest value of a line of `/proc/PID/status` while a command ran.
fn largest(what: &str, command: &mut Command) -> u64 {
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        // Gone, or not yet there, between the two questions.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix(what)).unwrap_or("0");
        peak = peak.max(line.trim().trim_end_matches(" kB").parse().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    peak
}

/// The most memory the program had with these arguments, in kilobytes, as the kernel counts it.
fn peak_of(folder: &Folder, line: &str) -> u64 {
    let peak = largest("VmHWM:", &mut folder.polhode(line.split_whitespace()));
    assert!(peak > 1000, "{peak} kB cannot be all of it");
    peak
}

#[test]
fn neither_steps_nor_rows_cost_memory() {
    // A plot has some thousand points however many rows there are, so all three have more than that.
    let folder = Folder::with_top();
    let [short, long, dense] = [(2e5, 20), (2e6, 200), (2e6, 20)].map(|(steps, every)| {
        let until = steps * 0.001;
        let outs =
            "--force --out x.csv --out x.npz --out x.jsonl --out x.aem --out x.svg --out x.html";
        peak_of(&folder, &format!("run top.toml --until {until} --every {every} {outs}"))
    });
    let measured = format!(
        "{short} kB for 2e5 steps and 1e4 rows, {long} kB for 2e6 and 1e4, {dense} kB for 2e6 and 1e5"
    );
    // 9e4 rows are 14 MB as numbers, 25 MB as text, a byte for each of 1.8e6 steps would be 1800 kB; pages
    // and caches make 100 kB of noise.
    assert!(long.max(dense) < short + 700, "{measured}");
}

#[test]
fn bodies_of_an_ensemble_cost_no_memory() {
    let folder = Folder::new();
    // Both many times the blocks of 16384 bodies that are under way at a time: memory no longer grows there.
    let [few, many] = [200_000, 900_000].map(|bodies| {
        folder.write("many.toml", ensemble(bodies));
        peak_of(&folder, "ensemble many.toml --threads 2")
    });
    // A state is 56 bytes, 39 MB for so many more bodies; how many blocks wait for others, and what the
    // allocator keeps of them, makes 10 MB of noise.
    assert!(many < few + 30_000, "{few} kB for 2e5 bodies, {many} kB for 9e5");
}

#[test]
fn the_environment_cannot_ask_for_thousands_of_threads() {
    let folder = Folder::new();
    folder.write("e.toml", ensemble(100_000));
    let mut command = folder.polhode(["ensemble", "e.toml"]);
    let threads = largest("Threads:", command.env("RAYON_NUM_THREADS", "2000"));
    // The program's own and one that waits for Ctrl-C.
    let most = polhode::MAX_THREADS as u64 + 2;
    assert!((100..=most).contains(&threads), "{threads} threads");
}

/// So many random bodies, each moved by one step.
fn ensemble(bodies: u32) -> String {
    format!(
        "[bodies]\ncount = {bodies}\nseed = 1\n\
         [body]\ninertia = {{ law = \"any\", largest = 1.0 }}\n\
         [start]\nomega = {{ law = \"isotropic\", length = 1.0 }}\n\
         [method]\nid = \"exact\"\nstep = 0.01\n[run]\nuntil = 0.01\n"
    )
}
