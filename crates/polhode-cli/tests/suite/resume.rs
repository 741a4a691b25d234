//! Runs that are killed, interrupted and resumed: their files end equal, byte for byte, to those of
//! a run that was left alone.

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{CommandOutcome, Folder};
use polhode_testkit::bodies::Rng;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const FILES: [&str; 6] = ["x.csv", "x.npz", "x.jsonl", "x.aem", "x.svg", "x.html"];

/// A run of up to a second in the test profile, with a checkpoint every few milliseconds. Every kind
/// of stepper carries something of its own.
const METHODS: [&str; 4] =
    ["strang:compensated+exact", "kahanli8+dmv:compensated", "imidm", "rkmk:tableau=gauss2"];

fn run_line(method: &str, steps: u64) -> String {
    let outs = FILES.map(|file| format!("--out {file}")).join(" ");
    let until = steps as f64 * 0.001;
    format!("run top.toml --method {method} --until {until} --every 7 {outs}")
}

fn contents(folder: &Folder) -> Vec<Vec<u8>> {
    FILES.iter().map(|file| folder.read(file)).collect()
}

/// The same run, left alone.
fn uninterrupted(line: &str) -> Vec<Vec<u8>> {
    let folder = Folder::with_top();
    folder.good(line);
    contents(&folder)
}

fn spawn(folder: &Folder, line: &str) -> Child {
    let mut command = folder.polhode(line.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn signal(child: &Child, signal: Signal) {
    // It may have ended by itself.
    let _ = kill_process(Pid::from_child(child), signal);
}

fn wait(child: Child) -> CommandOutcome {
    CommandOutcome::from(child.wait_with_output().unwrap())
}

/// Whether a process has its own answer to Ctrl-C.
fn listens(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    // The first bit is that of signal 1.
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|signals| signals >> 1 & 1 == 1)
}

/// Begins a run and presses Ctrl-C when it is under way.
fn interrupt(folder: &Folder, line: &str) -> CommandOutcome {
    let mut child = spawn(folder, line);
    let under_way = |child: &Child| folder.path("x.csv.part").exists() && listens(child);
    while !under_way(&child) && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(30));
    signal(&child, Signal::INT);
    wait(child)
}

#[test]
fn killed_while_files_are_completed_it_completes_them() {
    // The moment between the last step and the end is hit by leaving its checkpoint behind.
    let folder = Folder::with_top();
    let line = run_line("strang+exact", 2000);
    let want = uninterrupted(&line);
    let begin = Instant::now();
    let mut seen = false;
    while !seen {
        assert!(begin.elapsed() < Duration::from_mins(2), "never caught it finishing");
        let line = format!("{line} --force --checkpoint x.ckpt --checkpoint-every 100000");
        let mut child = spawn(&folder, &line);
        // The only checkpoint of this run is the one before files are completed.
        while !folder.path("x.ckpt").exists() && child.try_wait().unwrap().is_none() {}
        signal(&child, Signal::KILL);
        wait(child);
        seen = folder.path("x.ckpt").exists();
    }
    folder.good("resume x.ckpt");
    // What has ended leaves no checkpoint.
    assert!(
        folder.refused("resume x.ckpt").contains("x.ckpt: no such file; --checkpoint saves one")
    );
    assert!(contents(&folder) == want);
    assert!(!folder.path("x.ckpt").exists());
}

#[test]
fn after_ctrl_c_it_says_how_to_go_on() {
    let line = run_line("strang:compensated+exact", 300_000);
    let folder = Folder::with_top();
    let ended = interrupt(&folder, &line);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(130), ""), "{}", ended.stderr);
    let command = ended.stderr.lines().last().unwrap().trim();
    assert_eq!(command, "polhode resume top.ckpt", "{}", ended.stderr);
    assert!(ended.stderr.starts_with("interrupted after step "), "{}", ended.stderr);
    assert!(ended.stderr.contains("; the rows so far are in "), "{}", ended.stderr);
    assert!(ended.stderr.contains("x.csv.part, "), "{}", ended.stderr);

    // A new run would spoil the files of the interrupted one.
    let refused = folder.run(&line);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("polhode resume"), "{}", refused.stderr);

    // The scenario is in the checkpoint, so this does no harm.
    fs::remove_file(folder.path("top.toml")).unwrap();
    let document: Value = serde_json::from_str(&folder.good("resume top.ckpt --json")).unwrap();
    assert_eq!(document["steps"], 300_000);
    assert!(contents(&folder) == uninterrupted(&line));
    assert!(!folder.path("top.ckpt").exists());
}

#[test]
fn the_end_of_a_time_slot_is_an_interruption() {
    let folder = Folder::with_top();
    let mut child = spawn(&folder, "run top.toml --until 300 --out x.csv");
    while !folder.path("x.csv.part").exists() && child.try_wait().unwrap().is_none() {}
    sleep(Duration::from_millis(30));
    signal(&child, Signal::TERM);
    assert_eq!(wait(child).code, Some(130));
    folder.good("resume top.ckpt");
}

/// A solution in several legs of a tenth of a second, with rows all over them.
fn solution_line(more: &str) -> String {
    let outs = FILES.map(|file| format!("--out {file}")).join(" ");
    format!("run top.toml --tolerance 1e-4 --until 30000 --interval 2.5 {outs} {more}")
}

#[test]
fn an_interrupted_solution_ends_as_if_it_never_had_been() {
    let line = solution_line("");
    let folder = Folder::with_top();
    let ended = interrupt(&folder, &line);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(130), ""), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("interrupted after row "), "{}", ended.stderr);
    // Before the first leg is solved, and once more after some.
    let mut child = spawn(&folder, "resume top.ckpt");
    sleep(Duration::from_millis(700));
    signal(&child, Signal::INT);
    let again = child.wait().unwrap().code();
    assert!(matches!(again, Some(130 | 0)), "{again:?}");
    let whole = Folder::with_top();
    let want: Value = serde_json::from_str(&whole.good(&format!("{line} --json"))).unwrap();
    if again == Some(130) {
        let got: Value = serde_json::from_str(&folder.good("resume top.ckpt --json")).unwrap();
        for field in
            ["steps", "rejected", "rows", "state", "error", "invariants", "torque_evaluations"]
        {
            assert_eq!(got[field], want[field], "{field}");
        }
    }
    assert!(contents(&folder) == contents(&whole), "the files differ");
    assert!(!folder.path("top.ckpt").exists());
}

#[test]
fn killed_at_random_moments_a_solution_ends_as_if_it_never_had_been() {
    let mut rng = Rng::new(20261115);
    let want = uninterrupted(&solution_line(""));
    let folder = Folder::with_top();
    let line = solution_line("--force --checkpoint x.ckpt --checkpoint-every 20000");
    let mut kills_after_a_checkpoint = 0;
    loop {
        let resumes = folder.path("x.ckpt").exists();
        let child = spawn(&folder, if resumes { "resume x.ckpt" } else { &line });
        // Enough for a leg, however busy the machine: after some kills it is left to end.
        if kills_after_a_checkpoint < 3 {
            let begin = Instant::now();
            while !folder.path("x.ckpt").exists() && begin.elapsed() < Duration::from_mins(1) {
                sleep(Duration::from_millis(1));
            }
            sleep(Duration::from_millis(rng.below(200) as u64));
            signal(&child, Signal::KILL);
        }
        let ended = wait(child);
        if ended.code.is_none() {
            kills_after_a_checkpoint += 1;
            continue;
        }
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        break;
    }
    assert!(kills_after_a_checkpoint > 0);
    assert!(contents(&folder) == want, "the files differ");
}

/// What a checkpoint says of how far the run is: the rows written.
fn saved_rows(folder: &Folder) -> Option<u64> {
    // It may be gone by now, but is never there in part.
    let file = fs::read(folder.path("x.ckpt")).ok()?;
    let body = &file[file.iter().position(|&b| b == b'\n').unwrap()..];
    let checkpoint: Value = serde_json::from_slice(body).unwrap();
    (checkpoint["finishing"] == false).then(|| checkpoint["step"].as_u64().unwrap())
}

#[test]
fn a_closed_form_is_interrupted_between_rows() {
    let line =
        "run top.toml --set torque.kind=none --tolerance 1e-8 --until 3e5 --interval 1 --out x.csv";
    let folder = Folder::with_top();
    let ended = interrupt(&folder, line);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    assert!(folder.read("x.csv.part").len() > 1000);
    folder.good("resume top.ckpt");
    let whole = Folder::with_top();
    whole.good(line);
    assert!(folder.read("x.csv") == whole.read("x.csv"));
}

#[test]
fn a_place_to_save_is_found_next_to_the_files() {
    let folder = Folder::with_top();
    // Nobody may write beside the scenario or in the current folder, not even root.
    let out = folder.path("x.csv");
    let line = format!("run /proc/self/fd/0 --until 300 --out {}", out.display());
    let mut command = folder.polhode(line.split_whitespace());
    command.stdin(fs::File::open(folder.path("top.toml")).unwrap()).current_dir("/proc");
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("x.csv.part").exists() || !listens(&child) {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(30));
    signal(&child, Signal::INT);
    let ended = wait(child);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    let place = ended.stderr.lines().last().unwrap().trim();
    let checkpoint = place.strip_prefix("polhode resume ").unwrap();
    assert!(checkpoint.ends_with("/0.ckpt") && folder.path("0.ckpt").exists(), "{place}");
    folder.good(&format!("resume {checkpoint}"));
}

#[test]
fn interrupted_again_and_again() {
    let line = run_line("kahanli8:compensated+exact", 100_000);
    let folder = Folder::with_top();
    let mut next = format!("{line} --force");
    let mut interrupts = 0;
    loop {
        let ended = interrupt(&folder, &next);
        match ended.code {
            Some(130) => interrupts += 1,
            // Before the program listens to signals, or after it is done.
            None if !folder.path("top.ckpt").exists() => continue,
            None => {}
            code => {
                assert_eq!(code, Some(0), "{}", ended.stderr);
                break;
            }
        }
        next = "resume top.ckpt".to_owned();
    }
    assert!(interrupts >= 2, "{interrupts}");
    assert!(contents(&folder) == uninterrupted(&line));
}

#[test]
fn the_summary_of_a_resumed_run_is_that_of_the_whole() {
    let folder = Folder::with_top();
    let line = "run top.toml --until 300 --json --out x.csv";
    assert_eq!(interrupt(&folder, line).code, Some(130));
    let mut resumed: Value = serde_json::from_str(&folder.good("resume top.ckpt --json")).unwrap();
    let mut whole: Value = serde_json::from_str(&folder.good(&format!("{line} --force"))).unwrap();
    for document in [&mut resumed, &mut whole] {
        let object = document.as_object_mut().unwrap();
        object.remove("wall_seconds").unwrap();
        object.remove("steps_per_second").unwrap();
    }
    // A step begins with the torque the step before has ended with; a resumed run asks once more.
    let evaluations =
        [&mut resumed, &mut whole].map(|d| d["torque_evaluations"].take().as_u64().unwrap());
    assert_eq!(evaluations[0], evaluations[1] + 1);
    assert_eq!(resumed, whole);
}

#[test]
fn the_spool_of_another_run_is_not_taken_for_ones_own() {
    let folder = Folder::with_top();
    let line = "run top.toml --until 300 --out x.npz --out x.csv";
    assert_eq!(interrupt(&folder, line).code, Some(130));
    // The same files, another run, killed: its checkpoint is another one.
    let other = format!("{line} --force --set start.omega=[1,2,3] --checkpoint other.ckpt");
    assert_eq!(interrupt(&folder, &other).code, Some(130));
    let refused = folder.run("resume top.ckpt");
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    assert!(refused.stderr.contains("before the checkpoint"), "{}", refused.stderr);
    // The other one has taken no harm.
    folder.good("resume other.ckpt");
}

#[test]
fn runs_of_one_scenario_do_not_share_a_checkpoint() {
    let folder = Folder::with_top();
    let children = ["x", "y"].map(|name| {
        let mut child = spawn(&folder, &format!("run top.toml --until 300 --out {name}.csv"));
        let part = folder.path(&format!("{name}.csv.part"));
        while !part.exists() && child.try_wait().unwrap().is_none() {}
        child
    });
    sleep(Duration::from_millis(30));
    for child in &children {
        signal(child, Signal::INT);
    }
    for child in children {
        let ended = wait(child);
        assert_eq!(ended.code, Some(130), "{}", ended.stderr);
        let command = ended.stderr.lines().last().unwrap().trim();
        folder.good(command.strip_prefix("polhode ").unwrap());
    }
    assert_eq!(folder.names(), ["top.toml", "x.csv", "y.csv"]);
}

#[test]
fn a_scenario_without_a_place_for_a_checkpoint_beside_it() {
    let folder = Folder::with_top();
    // Nobody may write here, not even root.
    let line = "run /proc/self/fd/0 --until 300 --out x.csv";
    let mut command = folder.polhode(line.split_whitespace());
    command.stdin(fs::File::open(folder.path("top.toml")).unwrap());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("x.csv.part").exists() && child.try_wait().unwrap().is_none() {}
    sleep(Duration::from_millis(30));
    signal(&child, Signal::INT);
    let ended = wait(child);
    assert_eq!(ended.code, Some(130), "{}", ended.stderr);
    let command = ended.stderr.lines().last().unwrap().trim();
    folder.good(command.strip_prefix("polhode ").unwrap());
}

/// The scenario is longer than a file may be, and stands in the checkpoint.
#[test]
fn a_checkpoint_for_which_there_is_no_room_leaves_nothing() {
    let folder = Folder::new();
    let text =
        format!("{}{}", "# A long word before the rest.\n".repeat(1000), crate::support::TOP);
    folder.write("top.toml", text);
    let program = env!("CARGO_BIN_EXE_polhode");
    let run = "run top.toml --until 300 --every 100000 --out x.csv";
    let script = format!("trap '' XFSZ; ulimit -f 16; exec {program} {run}");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path("."));
    let mut child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let under_way = |child: &Child| folder.path("x.csv.part").exists() && listens(child);
    while !under_way(&child) && child.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(1));
    }
    sleep(Duration::from_millis(30));
    signal(&child, Signal::INT);
    let ended = wait(child);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let want = "top.toml: no place to save the run: top.ckpt: cannot save the run: ";
    assert!(ended.stderr.contains(want), "{}", ended.stderr);
    assert!(!ended.stderr.contains("polhode resume"), "{}", ended.stderr);
    assert_eq!(folder.names(), ["top.toml", "x.csv.part"]);
}

#[test]
fn a_spool_that_is_gone_or_cut_is_missed() {
    let folder = Folder::with_top();
    assert_eq!(interrupt(&folder, "run top.toml --until 300 --out x.csv").code, Some(130));
    let spool = folder.read("x.csv.part");
    folder.write("x.csv.part", &spool[..100]);
    let cut = folder.run("resume top.ckpt");
    assert_eq!(cut.code, Some(2));
    assert!(cut.stderr.contains("x.csv.part"), "{}", cut.stderr);
    fs::remove_file(folder.path("x.csv.part")).unwrap();
    let gone = folder.run("resume top.ckpt");
    assert_eq!(gone.code, Some(2));
    assert!(gone.stderr.contains("x.csv.part"), "{}", gone.stderr);
    // Nothing is lost by trying.
    folder.write("x.csv.part", &spool);
    folder.good("resume top.ckpt");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn killed_at_random_moments_a_run_ends_as_if_it_never_had_been() {
        let mut rng = Rng::new(20260301);
        let (mut kills, mut kills_after_a_checkpoint, mut rounds) = (0, 0, 0);
        let mut methods = METHODS.iter().cycle();
        // On a fast machine a round is over after a kill or two.
        while rounds < METHODS.len() || kills < 16 || kills_after_a_checkpoint < 8 {
            let method = methods.next().unwrap();
            rounds += 1;
            let line = run_line(method, 50_000);
            let want = uninterrupted(&line);
            let begin = Instant::now();
            let folder = Folder::with_top();
            let line = format!("{line} --force --checkpoint x.ckpt --checkpoint-every 2000");
            // Pictures are drawn in one go, which takes a while on a busy machine: ever longer is waited for.
            let mut window = 100;
            loop {
                window += window / 8;
                assert!(
                    begin.elapsed() < Duration::from_mins(5),
                    "{method} does not come to an end"
                );
                let resumes = folder.path("x.ckpt").exists();
                let child = spawn(&folder, if resumes { "resume x.ckpt" } else { &line });
                sleep(Duration::from_millis(10 + rng.below(window) as u64));
                signal(&child, Signal::KILL);
                let ended = wait(child);
                if ended.code.is_none() {
                    kills += 1;
                    kills_after_a_checkpoint += u32::from(resumes);
                    continue;
                }
                assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{method}");
                break;
            }
            assert!(contents(&folder) == want, "{method}: the files differ");
            let names: Vec<String> = folder.names();
            assert!(!names.iter().any(|n| n.contains("part") || n.contains("ckpt")), "{names:?}");
        }
    }

    /// One leg, of which rows are written for a second: it is saved many times before its end, by steps, or by rows
    /// where there are none; and it stops by itself.
    #[test]
    fn a_solution_is_saved_between_the_rows_of_a_leg() {
        for (way, every) in [
            (
                "--tolerance 1e-4 --until 3000 --interval 0.01 --set run.stop_when='t>2900.001'",
                1000,
            ),
            ("--set torque.kind=none --tolerance 1e-8 --until 3e5 --interval 1", 10_000),
        ] {
            let line = format!("run top.toml {way} --out x.csv --json");
            let whole = Folder::with_top();
            let want: Value = serde_json::from_str(&whole.good(&line)).unwrap();
            let folder = Folder::with_top();
            let line = format!("{line} --checkpoint x.ckpt --checkpoint-every {every}");
            let mut child = spawn(&folder, &line);
            let mut seen = Vec::new();
            while child.try_wait().unwrap().is_none() && seen.len() < 3 {
                seen.extend(saved_rows(&folder));
                seen.dedup();
                sleep(Duration::from_millis(1));
            }
            signal(&child, Signal::KILL);
            assert_eq!(
                wait(child).code,
                None,
                "it ended before it was saved three times: {seen:?}"
            );
            let rows = want["rows"].as_u64().unwrap();
            assert!(seen.is_sorted() && seen[0] > 1 && seen[2] < rows, "{seen:?} of {rows}");
            let got: Value = serde_json::from_str(&folder.good("resume x.ckpt --json")).unwrap();
            for field in [
                "steps",
                "rejected",
                "rows",
                "t",
                "state",
                "error",
                "invariants",
                "torque_evaluations",
            ] {
                assert_eq!(got[field], want[field], "{field}");
            }
            assert!(folder.read("x.csv") == whole.read("x.csv"), "the files differ");
        }
    }
}
