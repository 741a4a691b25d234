//! What cannot be checked: exit code 2, one line that names file, line and column; nothing on stdout.

use std::fs;

use super::{BODY, csv, exact, run, run_on};

/// A good file of three rows; others are made from it.
const GOOD: &str = "t,m1,m2,m3\n0,1,2,3\n1,1,2,3\n2,1,2,3\n";

fn refused(text: &str, more: &[&str], expected: &[&str]) {
    let (code, out, err) = run_on(text, more);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{text}\n{err}");
    assert!(err.starts_with("error: ") && err.trim_end().lines().count() == 1, "{err}");
    for part in expected {
        assert!(err.contains(part), "{part:?} not in {err}");
    }
}

#[test]
fn a_scenario_is_no_file_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), "[body]\ninertia = [3.0, 8.0, 11.0]\n").unwrap();
    let (code, out, err) = run(folder.path(), &[&["a.toml"], &BODY[..]].concat());
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.starts_with("error: a.toml: is a scenario") && err.contains("--scenario"), "{err}");
}

#[test]
fn bad_files() {
    let table: &[(&str, &[&str])] = &[
        ("", &["a.csv:1: no header"]),
        ("\n\n", &["no header"]),
        ("# only a comment\n", &["no header"]),
        ("0,1,2,3\n1,1,2,3\n", &["a.csv:1: no header, but numbers"]),
        ("t|m1|m2|m3\n0|1|2|3\n", &["a.csv:1: only one column, 't|m1|m2|m3'", "commas"]),
        ("t m1\n0 1\n", &["only one column"]),
        ("t,m1,m2,m3\n", &["a.csv: no rows after the header; at least two"]),
        ("t,m1,m2,m3\n0,1,2,3\n", &["a.csv: only one row, in line 2; at least two"]),
        (
            &GOOD.replace("t,", "seconds,"),
            &["a.csv:1: no column 't' (columns: seconds, m1, m2, m3)", "--time"],
        ),
        (&GOOD.replace("m3", "M3"), &["a.csv:1: no column 'm3' (columns: t, m1, m2, M3)"]),
        (&GOOD.replace("m3", "z"), &["a.csv:1: no column 'm3'"]),
        (&GOOD.replace("m3", "m2"), &["column 'm2' is there twice, as number 3 and 4"]),
        (
            &GOOD.replace("m1,m2,m3", "a,b,c"),
            &["neither momentum nor omega is given", "wx, wy, wz", "among t, a, b, c;"],
        ),
        (&GOOD.replace("1,1,2,3", "1,1,2"), &["a.csv:3: 3 fields, where the header has 4"]),
        (&GOOD.replace("1,1,2,3", "1,1,2,3,4"), &["a.csv:3: 5 fields, where the header has 4"]),
        (&GOOD.replace("1,1,2,3", "x"), &["a.csv:3: 1 field, where"]),
        (&GOOD.replace("1,1,2,3", "1,1,,3"), &["a.csv:3: column 'm2': '' is empty"]),
        (&GOOD.replace("1,1,2,3", "1,1,two,3"), &["a.csv:3: column 'm2': 'two' is not a number"]),
        (&GOOD.replace("1,1,2,3", "1,1,nan,3"), &["a.csv:3: column 'm2': 'nan' is not a number"]),
        (&GOOD.replace("1,1,2,3", "1,-inf,2,3"), &["column 'm1': '-inf' is not finite"]),
        (&GOOD.replace("1,1,2,3", "1,1e999,2,3"), &["column 'm1': '1e999' overflows"]),
        (&GOOD.replace("1,1,2,3", "1,0x10,2,3"), &["'0x10' is not a number"]),
        (&GOOD.replace("1,1,2,3", "1,1 000,2,3"), &["'1 000' is not a number"]),
        (&GOOD.replace("\n2,", "\n1,"), &["a.csv:4: column 't': 1.0 after 1.0 in line 3", "rise"]),
        (&GOOD.replace("\n2,", "\n0.5,"), &["a.csv:4: column 't': 0.5 after 1.0 in line 3"]),
        (&GOOD.replace("\n2,", "\nnan,"), &["a.csv:4: column 't': 'nan'"]),
        ("t,m1,m2,m3\n0,1,2,3\n\"1,1,2,3\n2,1,2,3\n", &["a.csv:3: 1 field, where"]),
        (
            "t,m1,m2,m3,q0,q1,q2,q3\n0,1,2,3,1,0,0,0\n1,1,2,3,0,0,0,0\n",
            &["a.csv:3: the attitude is no rotation"],
        ),
        ("t,q0,q1,q2,q3\n0,1,0,0,0\n1,1,0,0,0\n", &["neither momentum nor omega"]),
        ("t,m1,m2,m3\n0,1,2,3\n1e30,1,2,3\n", &["a.csv:", "1e30", "1e13 rad"]),
        (&format!("t,{}\n", "x".repeat(2_000_000)), &["a.csv", "more than 1 MiB"]),
    ];
    for (text, expected) in table {
        refused(text, &[], expected);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = GOOD.as_bytes().to_vec();
    bytes[22] = 0xff;
    fs::write(folder.path().join("a.csv"), bytes).unwrap();
    let (code, _, err) = run(folder.path(), &[&["a.csv"], &BODY[..]].concat());
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: a.csv:3: "), "{err}");
}

#[test]
fn bad_usage() {
    let good = csv(&exact(10, 0.1));
    let table: &[(&[&str], &[&str])] = &[
        (&["--momentum", "m1,m2"], &["--momentum: 'm1,m2': 2 names given", "three names"]),
        (&["--momentum", "m1,,m3"], &["--momentum: 'm1,,m3': a name is empty"]),
        (&["--attitude", "q0,q1"], &["--attitude: 'q0,q1': 2 names", "nine of a matrix"]),
        (&["--attitude", "q0,q1,q2"], &["--attitude: 'q0,q1,q2': three columns", "--euler zyx"]),
        (&["--time", "time"], &["a.csv:1: no column 'time'", "--time"]),
        (&["--omega", "w1,w2,w33"], &["no column 'w33'; did you mean 'w3'?", "--omega"]),
        (&["--tolerance", "0"], &["--tolerance: '0': must be positive"]),
        (&["--tolerance", "-1e-3"], &["--tolerance: '-1e-3': must be positive"]),
        (&["--tolerance", "small"], &["--tolerance: 'small': is not a number"]),
        (&["--order", "2"], &["--order: only one file"]),
        (&["--order", "0"], &["--order: '0': must be positive"]),
        (
            &["--attitude", "w1,w2,w3,m1,m2,m3,q0,q1,q2", "--scalar-last"],
            &["--scalar-last: a matrix"],
        ),
        (&["--steps", "1,2"], &["--steps: '1,2': steps given: 2, files: 1"]),
        (&["--steps", "0"], &["--steps: '0': 0.0 is no step"]),
    ];
    for (more, expected) in table {
        refused(&good, more, expected);
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), &good).unwrap();
    for (arguments, expected) in [
        (&["a.csv"][..], "--inertia"),
        (&["--inertia", "1,2,2.5"], "<FILE>"),
        (&["a.csv", "--inertia", "1,2,4"], "--allow-unphysical"),
        (&["a.csv", "--inertia", "1,2,3", "--scenario", "x.toml"], "cannot be used with"),
        (&["a.csv", "--inertia", "1,2,3", "--momentum-frame", "both"], "[possible values: body"),
        (&["b.csv", "--inertia", "1,2,3"], "b.csv: no such file"),
        (&["b.csv"], "b.csv: no such file"),
        (&["b.toml"], "b.toml: no such file"),
        (&["dzhanibekov"], "dzhanibekov: a scenario, not the rows of a motion"),
        (&[".", "--inertia", "1,2,3"], ".: is a directory; name a CSV file in it"),
        (
            &["a.csv", "a.csv", "--order", "2", "--inertia", "1,2,3"],
            "two trajectories have the step 0.1",
        ),
    ] {
        let (code, out, err) = run(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
}

#[test]
fn help_has_an_example() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = run(folder.path(), &["--help"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("polhode check trajectory.csv --inertia 1,2,2.8"), "{out}");
}
