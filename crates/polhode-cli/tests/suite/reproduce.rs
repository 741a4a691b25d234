//! `polhode reproduce` from outside: files, streams, exit codes.

use std::process::{Command, Output};

use serde_json::Value;

fn output(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polhode")).arg("reproduce").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_selection_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/results");
    let place = out.to_str().unwrap();
    let run = output(&["thread", "000-8", "--quick", "--out", place]);
    assert_eq!((run.status.code(), text(&run.stderr).as_str()), (Some(0), ""));
    let summary = text(&run.stdout);
    // Lines that are set in tell of what differs.
    let lines = summary.lines().filter(|line| !line.starts_with(' '));
    let ids: Vec<&str> = lines.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(
        ids.starts_with(&["celledoni-safstrom-8", "thread-1", "thread-2", "thread-3"]),
        "{summary}"
    );
    assert!(summary.trim_end().ends_with("index.html"));
    let figure = "celledoni-safstrom-8";
    let files = [&*format!("{figure}.svg"), &*format!("{figure}.csv"), "thread-3.svg"];
    for file in files.into_iter().chain(["claims.json", "index.html"]) {
        assert!(out.join(file).is_file(), "{file}");
    }
    let json = output(&[figure, "--quick", "--json", "--out", place]);
    let claims: Value = serde_json::from_slice(&json.stdout).unwrap();
    let written: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("claims.json")).unwrap()).unwrap();
    assert_eq!(claims, written);
    assert_eq!(claims[0]["paper"], "000");
    assert_eq!(claims[0]["figure"], figure);
    assert_eq!(claims[0]["verdict"], "holds");
}

#[test]
fn the_full_size_says_how_long_it_takes() {
    let folder = tempfile::tempdir().unwrap();
    let run = output(&["thread-1", "--out", folder.path().to_str().unwrap()]);
    assert_eq!(run.status.code(), Some(0));
    let said = text(&run.stderr);
    assert!(said.starts_with("full size: about 1 second on"), "{said}");
}

#[test]
fn bad_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    for (name, hint) in [
        ("004-9", "vilmart has vilmart-text, vilmart-1"),
        ("thread-9", "thread has thread-1, thread-2"),
        ("figure", "e.g. vilmart-1"),
    ] {
        let run = output(&[name, "--quick", "--out", place]);
        assert_eq!(run.status.code(), Some(2));
        assert!(run.stdout.is_empty());
        let said = text(&run.stderr);
        assert!(said.contains(&format!("'{name}'")) && said.contains(hint), "{said}");
    }
    assert_eq!(output(&["all", "--quick"]).status.code(), Some(2), "--out is missing");
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none(), "nothing was written");
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let run = output(&["thread-1", "--quick", "--out", file.to_str().unwrap()]);
    assert_eq!(run.status.code(), Some(1));
    let said = text(&run.stderr);
    assert_eq!(said, format!("error: --out: {} is not a folder\n", file.display()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "in the way");
}
