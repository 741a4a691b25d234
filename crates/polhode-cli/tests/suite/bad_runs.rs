//! Bad scenarios, options and places to write, through the program: exit code 1 or 2, a message that
//! names file, line and remedy, nothing on stdout, no file left behind.

use crate::support::{Folder, TOP};

/// A line of the scenario (from 1), what stands there instead, parts of the message.
type BadLine = (usize, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const BAD_LINES: &[BadLine] = &[
    (1, "[bodi]", &["top.toml:1:", "no section 'bodi'", "did you mean 'body'"]),
    (1, "[body", &["top.toml:1:", "]"]),
    (2, "inertia = [1.0, 5.0]", &["top.toml:2:", "a list of 2", "three principal moments"]),
    (2, "inertia = [1.0, 5.0, 6.5]", &["top.toml:2:", "no body has these", "allow_unphysical = true"]),
    (2, "inertia = [1.0, 5.0, -6.0]", &["top.toml:2:", "must be positive"]),
    (2, "inertia = [0.0, 5.0, 5.0]", &["top.toml:2:", "must be positive"]),
    (2, "inertia = \"1,5,6\"", &["top.toml:2:", "a text is not allowed"]),
    (2, "inertia = [1, 5, nan]", &["top.toml:2:", "not a number"]),
    (2, "inertia = [[1,2,0],[3,1,0],[0,0,1]]", &["top.toml:2:", "not symmetric"]),
    (2, "inertia = [[2,1,0],[1,2,0],[0,0,9]]", &["top.toml:2:", "no body has these"]),
    (2, "mass = 3", &["top.toml:2:", "no key 'mass'", "known: inertia"]),
    (3, "[begin]", &["top.toml:3:", "no section 'begin'"]),
    (4, "omega = [10, 10]", &["top.toml:4:", "a list of 2", "three numbers"]),
    (4, "omega = [10, nan, 10]", &["top.toml:4:", "not a number"]),
    (4, "omega = [1e308, 0, 1e308]", &["top.toml:4:", "beyond the range", "other units"]),
    (4, "omega = [1,1,1]\nmomentum = [1,1,1]", &["top.toml:5:", "exclude each other", "keep one"]),
    (4, "omega = [1,1,1]\nattitude = [0,0,0,0]", &["top.toml:5:", "length zero"]),
    (4, "omga = [1,1,1]", &["top.toml:4:", "did you mean 'omega'"]),
    (6, "kind = \"heavytop\"", &["top.toml:6:", "no torque 'heavytop'", "did you mean 'heavy-top'"]),
    (6, "kind = 3", &["top.toml:6:", "a number is not allowed"]),
    (6, "kind = \"heavy-top\"\nup = [0,0,0]", &["top.toml:7:", "not all zero"]),
    (6, "kind = \"heavy-top\"\nmass = 2", &["top.toml:7:", "no key 'mass'", "known: "]),
    (8, "id = \"strung+exact\"", &["top.toml:8:", "no scheme 'strung'", "did you mean 'strang'"]),
    (8, "id = \"strang+exakt\"", &["top.toml:8:", "did you mean 'exact'"]),
    (8, "id = \"leapfrog\"", &["top.toml:8:", "no method 'leapfrog'", "known: "]),
    (8, "id = \"strang\"", &["top.toml:8:", "a scheme needs a rotor", "strang+exact"]),
    (8, "id = \"exact\"", &["top.toml:8:", "a rotor alone is for free bodies", "strang+exact"]),
    (8, "id = \"strang+dmv:order=11\"", &["top.toml:8:", "order = '11'"]),
    (9, "step = 0", &["top.toml:9:", "not zero"]),
    (9, "step = nan", &["top.toml:9:", "not a number"]),
    (9, "step = -0.1", &["top.toml:11:", "until", "change the sign"]),
    (9, "step = 1e-300", &["top.toml:11:", "more than 1e15 steps"]),
    (9, "step = \"small\"", &["top.toml:9:", "a text is not allowed"]),
    (11, "until = -1.0", &["top.toml:11:", "not be before the start"]),
    (11, "until = inf", &["top.toml:11:", "not finite"]),
    (11, "till = 1.0", &["top.toml:11:", "no key 'till'", "known: until, every"]),
    (11, "until = 1\nevery = 0", &["top.toml:12:", "a whole number from 1"]),
    (13, "files = [\"a.xls\"]", &["top.toml:13:", "'a.xls' at position 1", ".csv, .npz, .jsonl, .aem, .svg, .html"]),
    (13, "files = [\"../a.csv\"]", &["top.toml:13:", "relative to out/"]),
    (15, "object_name = 7", &["top.toml:15:", "a number is not allowed"]),
    (17, "start_epoch = \"tomorrow\"", &["top.toml:17:", "2026-01-31T12:00:00"]),
];

/// Options after `run top.toml`, the exit code, parts of the message.
#[rustfmt::skip]
const BAD_OPTIONS: &[(&str, i32, &[&str])] = &[
    ("--method leapfrog", 2, &["method.id=\"leapfrog\"", "no method 'leapfrog'"]),
    ("--method +exact", 2, &["method.id=\"+exact\"", "no scheme ''"]),
    ("--method strang+", 2, &["method.id=\"strang+\"", "no rotor ''"]),
    ("--method true", 2, &["no method 'true'"]),
    ("--step 0", 2, &["method.step=0", "not zero"]),
    ("--step x", 2, &["method.step=x"]),
    ("--step nan", 2, &["method.step=nan"]),
    ("--until -1", 2, &["run.until=-1"]),
    ("--every 0", 2, &["run.every=0", "from 1"]),
    ("--every 2.5", 2, &["run.every=2.5"]),
    ("--set body.mass=1", 2, &["body.mass=1", "no key 'mass'"]),
    ("--set nonsense", 2, &["nonsense", "key=value"]),
    ("--set torque={kind=\"damping\",coefficient=0.1} --method rkn6-14+exact", 2,
        &["rkn6-14", "do not depend on the momentum", "s6-10"]),
    ("--out x.xls", 2, &["x.xls", ".csv"]),
    ("--out x", 2, &["x", ".csv"]),
    ("--out nowhere/x.csv", 2, &["nowhere"]),
    ("--out top.toml/x.csv", 2, &["top.toml"]),
    ("--out x.csv --out x.csv", 2, &["x.csv", "the same file as"]),
    ("--out folder.csv", 2, &["folder.csv"]),
    ("--checkpoint-every 10", 2, &["--checkpoint"]),
    ("--checkpoint x.ckpt --checkpoint-every 0", 2, &["--checkpoint-every"]),
    ("--checkpoint nowhere/x.ckpt", 2, &["nowhere/x.ckpt"]),
    ("--out x.csv --checkpoint x.csv", 2, &["x.csv", "choose another name"]),
    ("--out x.csv --checkpoint x.csv.part", 2, &["x.csv.part", "choose another name"]),
    ("--out x.csv --out folder.csv/../x.csv", 2, &["x.csv", "the same file as"]),
    ("--checkpoint top.toml --force", 2, &["top.toml", "is no checkpoint"]),
    ("--attitude-as eulr", 2, &["eulr", "euler"]),
    ("--frobnicate", 2, &["--frobnicate"]),
];

fn refused(folder: &Folder, line: &str, code: i32, parts: &[&str]) {
    let before = folder.names();
    let ended = folder.run(line);
    assert_eq!(ended.code, Some(code), "{line}: {}", ended.stderr);
    assert_eq!(ended.stdout, "", "{line}");
    assert!(ended.stderr.starts_with("error: "), "{line}: {}", ended.stderr);
    assert!(!ended.stderr.contains("panicked"), "{line}: {}", ended.stderr);
    for part in parts {
        assert!(ended.stderr.contains(part), "{line}: lacks '{part}': {}", ended.stderr);
    }
    assert_eq!(folder.names(), before, "{line}: left something behind");
}

#[test]
fn a_method_that_is_no_word_is_told_as_a_method() {
    let folder = Folder::with_top();
    for (method, part) in [("", "a method, e.g. "), ("a\"b\\", "no method 'a\"b\\'")] {
        let run = folder.polhode(["run", "top.toml", "--method", method]).output().unwrap();
        let told = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{told}");
        assert!(told.contains(part) && !told.contains("after '='"), "{told}");
    }
}

#[test]
fn bad_lines_are_named_with_their_remedy() {
    assert!(BAD_LINES.len() >= 40);
    let folder = Folder::new();
    for (number, new, parts) in BAD_LINES {
        let line = |(i, old): (usize, &'static str)| if i + 1 == *number { *new } else { old };
        let text: Vec<&str> = TOP.lines().enumerate().map(line).collect();
        folder.write("top.toml", text.join("\n"));
        refused(&folder, "run top.toml", 2, parts);
    }
}

#[test]
fn bad_options_are_named_with_their_remedy() {
    let folder = Folder::with_top();
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    for (options, code, parts) in BAD_OPTIONS {
        refused(&folder, &format!("run top.toml {options}"), *code, parts);
    }
}

/// The row at the start is written although only the first of two legs was solved.
#[test]
fn a_single_row_is_kept_after_a_failure() {
    let folder = Folder::new();
    let text = "[body]\ninertia = [1, 2, 2.5]\n[start]\nomega = [1, 20, 3]\n[torque]\nkind = \"formula\"\n\
                torque = [\"1/(t - 6000)^2\", \"0\", \"0\"]\n[run]\ntolerance = 1e-3\ntimes = [0.0, 8000.0]\n";
    folder.write("s.toml", text);
    let ended = folder.run("run s.toml --out x.csv");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = ended.stderr.lines().last().unwrap();
    assert!(told.starts_with("The rows so far are in ") && told.ends_with("x.csv.part"), "{told}");
    assert_eq!(folder.names(), ["s.toml", "x.csv.part"]);
    let rows = String::from_utf8(folder.read("x.csv.part")).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
    assert!(rows.ends_with('\n') && rows.lines().nth(1).unwrap().contains(",20"), "{rows}");
    // Where the first of them fails there is no row, and nothing is left.
    std::fs::remove_file(folder.path("x.csv.part")).unwrap();
    folder.write("s.toml", text.replace("6000", "2000"));
    refused(&folder, "run s.toml --out x.csv", 1, &["s.toml: "]);
}

#[test]
fn scenarios_that_are_no_files_or_no_text() {
    let folder = Folder::with_top();
    folder.write("bytes.toml", [0xff, 0xfe, 0x00]);
    folder.write("empty.toml", "");
    folder.write("huge.toml", "#".repeat(1_100_000));
    refused(&folder, "run nowhere.toml", 2, &["nowhere.toml"]);
    refused(&folder, "run .", 2, &["."]);
    refused(&folder, "run bytes.toml", 2, &["bytes.toml"]);
    refused(&folder, "run empty.toml", 2, &["empty.toml", "nothing in it"]);
    refused(&folder, "run huge.toml", 2, &["huge.toml", "1000000"]);
    refused(&folder, "run", 2, &["<SCENARIO>"]);
}

#[cfg(unix)]
mod unix {
    use std::process::Command;

    use super::*;
    use crate::support::CommandOutcome;

    /// Runs the program under a limit on the size of files: what it does when a disk is full.
    fn on_a_full_disk(folder: &Folder, blocks: u32, line: &str) -> CommandOutcome {
        let program = env!("CARGO_BIN_EXE_polhode");
        // Without the trap the kernel kills whoever exceeds the limit; with it, writing fails.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {program} {line}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path("."));
        CommandOutcome::from(shell.output().unwrap())
    }

    #[test]
    fn a_full_disk_leaves_the_rows_there_is_room_for() {
        for file in ["x.csv", "x.npz", "x.jsonl", "x.aem", "x.svg", "x.html"] {
            for solved in ["", "--tolerance 1e-8 --interval 0.001"] {
                let folder = Folder::with_top();
                let line = format!("run top.toml --until 10 --out {file} {solved}");
                let ended = on_a_full_disk(&folder, 16, &line);
                assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
                assert!(ended.stderr.contains(file), "{}", ended.stderr);
                let part = format!("{file}.part");
                let said = ended.stderr.lines().last().unwrap();
                assert!(
                    said.starts_with("The rows so far are in ") && said.ends_with(&part),
                    "{said}"
                );
                assert_eq!(folder.names(), ["top.toml", &part]);
                let room = folder.read(&part);
                assert_eq!(room.len(), 16 * 512);
                if file == "x.csv" {
                    let whole = Folder::with_top();
                    whole.good(&line);
                    assert!(whole.read(file).starts_with(&room));
                }
            }
        }
    }

    /// Three hundred bodies with four rows each.
    const ENSEMBLE: &str = "\
        bodies = { count = 300, seed = 5 }\n\
        body.inertia = { law = 'any', largest = 1.0 }\n\
        start.momentum = { law = 'isotropic', length = 2.0 }\n\
        method = { id = 'exact', step = 0.1 }\n\
        run = { until = 2.0, every = 8 }\n";

    #[test]
    fn a_full_disk_leaves_the_rows_of_an_ensemble() {
        for file in ["x.csv", "x.npz", "x.jsonl"] {
            let folder = Folder::with_ensemble(ENSEMBLE);
            let line = format!("ensemble e.toml --out {file}");
            let ended = on_a_full_disk(&folder, 16, &line);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
            let part = format!("{file}.part");
            assert!(ended.stderr.contains("cannot write it"), "{}", ended.stderr);
            let told = format!("\nThe rows so far are in {part}\n");
            assert!(ended.stderr.ends_with(&told), "{}", ended.stderr);
            assert_eq!(folder.names(), ["e.toml", &part]);
            assert_eq!(folder.read(&part).len(), 16 * 512);
            folder.good(&format!("{line} --force"));
        }
    }

    #[test]
    fn after_a_full_disk_a_saved_run_goes_on() {
        let line = "run top.toml --until 10 --out x.csv";
        let folder = Folder::with_top();
        let saved = format!("{line} --checkpoint x.ckpt --checkpoint-every 50");
        let ended = on_a_full_disk(&folder, 400, &saved);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains("polhode resume x.ckpt"), "{}", ended.stderr);
        folder.good("resume x.ckpt");
        let whole = Folder::with_top();
        whole.good(line);
        assert!(folder.read("x.csv") == whole.read("x.csv"));
    }

    #[test]
    fn a_disk_that_is_full_only_when_files_are_put_together_leaves_the_rows() {
        // 128 bytes a row in the spool, some 200 in an ephemeris with rates: 480 blocks of 512 are
        // in between.
        let folder = Folder::with_top();
        let line = "run top.toml --until 1.5 --set output.aem.rates=true --out x.aem";
        let ended = on_a_full_disk(&folder, 480, line);
        assert_eq!(ended.code, Some(1), "{}", ended.stderr);
        assert!(ended.stderr.contains("x.aem: cannot write"), "{}", ended.stderr);
        assert_eq!(folder.names(), ["top.toml", "x.aem.part"]);
        assert!(ended.stderr.contains("The rows so far are in"), "{}", ended.stderr);
        folder.good(&format!("{line} --force"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_may_not_be_written_to() {
        // Not even by root.
        let folder = Folder::with_top();
        refused(&folder, "run top.toml --out /proc/x.csv", 2, &["/proc/x.csv", "cannot create"]);
        refused(&folder, "run top.toml --checkpoint /proc/x.ckpt", 2, &["/proc/x.ckpt"]);
    }
}
