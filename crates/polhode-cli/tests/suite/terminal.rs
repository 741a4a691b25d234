//! The program on a terminal (a pseudo-terminal) and away from one: the progress bar.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::process::Stdio;

use crate::support::Folder;
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// What a command writes to a terminal of 100 columns on its stderr, and to stdout; its exit code.
fn on_a_terminal(folder: &Folder, line: &str) -> (Option<i32>, String, String) {
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&ours).unwrap();
    unlockpt(&ours).unwrap();
    let name = ptsname(&ours, Vec::new()).unwrap();
    let theirs = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let size = Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&theirs, size).unwrap();

    let mut command = folder.polhode(line.split_whitespace());
    let mut child = command.stdout(Stdio::piped()).stderr(theirs).spawn().unwrap();
    // Else it is open for writing as long as we live, and has no end to read.
    drop(command);

    let (mut screen, mut bytes) = (File::from(ours), Vec::new());
    let mut buffer = [0; 4096];
    loop {
        match screen.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => bytes.extend_from_slice(&buffer[..n]),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            // Linux says so when the other side is closed.
            Err(_) => break,
        }
    }
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    (child.wait().unwrap().code(), stdout, String::from_utf8_lossy(&bytes).into_owned())
}

/// About a second in the test profile: the bar is drawn several times.
const LONG: &str = "run top.toml --until 3000 --every 100000 --out x.csv";

#[test]
fn a_terminal_shows_progress_rate_and_remaining_time() {
    let folder = Folder::with_top();
    let (code, stdout, screen) = on_a_terminal(&folder, LONG);
    assert_eq!(code, Some(0), "{screen}");
    assert!(stdout.contains("3000000 steps"), "{stdout}");
    for part in ["of 3,000,000 steps", "/s", " left", "%"] {
        assert!(screen.contains(part), "{part}: {screen:?}");
    }
    // The bar is taken away at the end: the line is cleared after the last text.
    assert!(screen.trim_end().ends_with("\u{1b}[2K") || screen.ends_with('\r'), "{screen:?}");
}

#[test]
fn away_from_a_terminal_there_is_silence() {
    let folder = Folder::with_top();
    let stdout = folder.good(LONG);
    assert!(stdout.contains("3000000 steps") && !stdout.contains('\u{1b}'), "{stdout}");
}

#[test]
fn json_on_a_terminal_is_one_document_on_stdout() {
    let folder = Folder::with_top();
    let (code, stdout, _) = on_a_terminal(&folder, &format!("{LONG} --json"));
    assert_eq!(code, Some(0));
    let document: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(document["steps"], 3_000_000);
}

#[test]
fn messages_reach_a_terminal_too() {
    let folder = Folder::with_top();
    let (code, stdout, screen) = on_a_terminal(&folder, "run top.toml --method leapfrog");
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(screen.starts_with("error: "), "{screen:?}");
}

#[test]
fn a_comparison_shows_progress_too() {
    let folder = Folder::with_top();
    let line = "compare top.toml --until 100 --methods strang+exact,rk4 --steps 0.001,0.0002";
    let (code, stdout, screen) = on_a_terminal(&folder, line);
    assert_eq!(code, Some(0), "{screen}");
    assert!(stdout.starts_with("# top.toml until 100\n") && !stdout.contains('\u{1b}'), "{stdout}");
    for part in ["of 1,200,000 steps", " left", "%"] {
        assert!(screen.contains(part), "{part}: {screen:?}");
    }
}

#[test]
fn an_ensemble_shows_progress_too() {
    let line = "ensemble tumbling-debris --set bodies.count=30000";
    let (code, stdout, screen) = on_a_terminal(&Folder::new(), line);
    assert_eq!(code, Some(0), "{screen}");
    assert!(stdout.contains("30000 bodies") && !stdout.contains('\u{1b}'), "{stdout}");
    for part in ["of 60,000 body steps", "/s", " left", "%"] {
        assert!(screen.contains(part), "{part}: {screen:?}");
    }
}
