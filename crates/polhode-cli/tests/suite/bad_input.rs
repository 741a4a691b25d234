//! Bad input of `polhode free`: exit code 2, one message that names the option and quotes what was
//! given, nothing on stdout, no panic.

// Helpers of tests are not in a `#[test]` function, where unwrapping is allowed.

use std::process::Command;

/// (arguments, what the message must contain). Blanks separate arguments; `_` is an empty one.
const BAD: &[(&str, &[&str])] = &[
    // Numbers.
    (
        "--inertia 1,2,3 --momentum 1,2 --at 0",
        &["error: --momentum: '1,2': 2 numbers given", "x,y,z"],
    ),
    ("--inertia 1,2,3 --momentum 7 --at 0", &["error: --momentum: '7': 1 number given"]),
    ("--inertia 1,2,3 --momentum 1,2,3,4 --at 0", &["error: --momentum: '1,2,3,4': 4 numbers"]),
    (
        "--inertia 1,2,3 --momentum 1,2,3, --at 0",
        &["error: --momentum: '1,2,3,'", "number 4", "empty"],
    ),
    ("--inertia 1,2,3 --momentum ,1,2,3 --at 0", &["--momentum: ',1,2,3'", "number 1", "empty"]),
    ("--inertia 1,2,3 --momentum 1,,3 --at 0", &["--momentum: '1,,3'", "number 2", "empty"]),
    (
        "--inertia 1,2,3 --momentum 1,2,abc --at 0",
        &["--momentum: '1,2,abc'", "'abc', is not a number"],
    ),
    (
        "--inertia 1,2,3 --momentum 1;2;3 --at 0",
        &["--momentum: '1;2;3'", "is not a number", "x,y,z"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,nan,3 --at 0",
        &["--momentum: '1,nan,3'", "'nan', is not a number"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,-inf --at 0",
        &["--momentum: '1,2,-inf'", "'-inf', is not finite"],
    ),
    (
        "--inertia 1,2,3 --momentum 1e999,2,3 --at 0",
        &["--momentum: '1e999,2,3'", "overflows to infinity"],
    ),
    (
        "--inertia 1,2,3 --momentum 1e-999,2,3 --at 0",
        &["--momentum: '1e-999,2,3'", "underflows to zero"],
    ),
    ("--inertia 1,2,3 --momentum _ --at 0", &["--momentum: ''", "nothing given", "x,y,z"]),
    ("--inertia 1,2,3 --momentum --json --at 0", &["--momentum: '--json'", "is not a number"]),
    ("--inertia 1,2,3 --omega 1,2 --at 0", &["error: --omega: '1,2': 2 numbers"]),
    ("--inertia 1,2,3 --omega 1,x,2 --at 0", &["error: --omega: '1,x,2'", "'x', is not a number"]),
    // Inertia.
    (
        "--inertia 1,2 --momentum 1,2,3 --at 0",
        &["error: --inertia: '1,2': 2 numbers given", "3", "9"],
    ),
    (
        "--inertia 1,2,3,4 --momentum 1,2,3 --at 0",
        &["error: --inertia: '1,2,3,4': 4 numbers given"],
    ),
    ("--inertia _ --momentum 1,2,3 --at 0", &["--inertia: ''", "nothing given"]),
    ("--inertia -1,2,3 --momentum 1,2,3 --at 0", &["--inertia: '-1,2,3'", "must be positive"]),
    ("--inertia 0,2,2 --momentum 1,2,3 --at 0", &["--inertia: '0,2,2'", "must be positive"]),
    (
        "--inertia inf,2,3 --momentum 1,2,3 --at 0",
        &["--inertia: 'inf,2,3'", "'inf', is not finite"],
    ),
    (
        "--inertia 1,2,4 --momentum 1,2,3 --at 0",
        &["--inertia: '1,2,4'", "1, 2, 4", "--allow-unphysical"],
    ),
    (
        "--inertia -1,2,4 --momentum 1,2,3 --at 0 --allow-unphysical",
        &["--inertia: '-1,2,4'", "positive"],
    ),
    (
        "--inertia 2,1,0,-1,2,0,0,0,3 --momentum 1,2,3 --at 0",
        &["--inertia: '2,1,0,-1,2,0,0,0,3'", "not symmetric", "(1,2) = 1.0"],
    ),
    (
        "--inertia 1,2,0,2,1,0,0,0,3 --momentum 1,2,3 --at 0",
        &["--inertia: '1,2,0,2,1,0,0,0,3'", "must be positive"],
    ),
    (
        "--inertia 1,0,0,0,1,0,0,0,3 --momentum 1,2,3 --at 0",
        &["--inertia: '1,0,0,0,1,0,0,0,3'", "no body has", "--allow-unphysical"],
    ),
    (
        "--inertia 1,1e101,1e101 --momentum 1,2,3 --at 0",
        &["--inertia: '1,1e101,1e101'", "out of range", "1e100"],
    ),
    // Attitude.
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 0 --attitude 0,0,0,0",
        &["--attitude: '0,0,0,0'", "length zero"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 0 --attitude 1,0,0",
        &["--attitude: '1,0,0'", "w,x,y,z"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 0 --attitude 1,0,0,i",
        &["--attitude: '1,0,0,i'", "'i', is not"],
    ),
    // Range.
    (
        "--inertia 1e10,2e10,3e10 --omega 1e300,0,0 --at 0",
        &["--omega: '1e300,0,0'", "not within the range"],
    ),
    (
        "--inertia 1,2,3 --momentum 1e308,0,0 --at 0",
        &["--momentum: '1e308,0,0'", "out of range", "1e307"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 1,1e20,2",
        &["--at: '1,1e20,2'", "t = 1e20 is out of range"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 1,-1e20 --json",
        &["--at: '1,-1e20'", "t = -1e20 is out of range"],
    ),
    (
        "--inertia 1,1,1 --momentum 1,2,3 --until 1e20 --every 1e19",
        &["--until: '1e20'", "t = 1e20 is out"],
    ),
    // Times.
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 1,two",
        &["error: --at: '1,two'", "'two', is not a number"],
    ),
    ("--inertia 1,2,3 --momentum 1,2,3 --at _", &["error: --at: ''", "nothing given"]),
    ("--inertia 1,2,3 --momentum 1,2,3 --at inf", &["error: --at: 'inf'", "is not finite"]),
    ("--inertia 1,2,3 --momentum 1,2,3 --until 1 --every 0", &["--every: '0'", "must be positive"]),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --until -1 --every -0.1",
        &["--every: '-0.1'", "negative --until"],
    ),
    ("--inertia 1,2,3 --momentum 1,2,3 --until 1 --every 1e-9", &["--every: '1e-9'", "1e8 rows"]),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --until 1e300 --every 1e-300",
        &["--every: '1e-300'", "1e8 rows"],
    ),
    ("--inertia 1,2,3 --momentum 1,2,3 --until 1,2 --every 1", &["--until: '1,2'", "one number"]),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --until ten --every 1",
        &["--until: 'ten'", "is not a number"],
    ),
    // Usage.
    (
        "--inertia 1,2,3 --momentum 1,2,3 --omega 1,2,3 --at 0",
        &["--momentum", "cannot be used with", "--omega"],
    ),
    ("--inertia 1,2,3 --at 0", &["not provided", "--momentum", "--omega"]),
    ("--momentum 1,2,3 --at 0", &["not provided", "--inertia"]),
    ("--inertia 1,2,3 --momentum 1,2,3", &["not provided", "--at", "--until"]),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 1 --until 2 --every 1",
        &["--at", "cannot be used with", "--until"],
    ),
    (
        "--inertia 1,2,3 --momentum 1,2,3 --at 1 --every 1",
        &["--at", "cannot be used with", "--every"],
    ),
    ("--inertia 1,2,3 --momentum 1,2,3 --until 1", &["not provided", "--every"]),
    ("--inertia 1,2,3 --momentum 1,2,3 --every 1", &["not provided", "--until"]),
    ("--inertia 1,2,3 --momentum 1,2,3 --at 1 --at 2", &["--at", "cannot be used multiple times"]),
    ("--inertia 1,2,3 --momemtum 1,2,3 --at 1", &["'--momemtum'", "--momentum"]),
    ("--inertia 1,2,3 --momentum 1, 2, 3 --at 1", &["unexpected argument '2,'"]),
];

fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_polhode")).args(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{message}");
    let out = String::from_utf8(output.stdout).unwrap();
    // Among JSON an error is a document too.
    let document = out.starts_with("{\"error\":{") && arguments.last() == Some(&"--json");
    assert!(out.is_empty() || document, "{arguments:?} wrote to stdout: {out}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

#[test]
fn bad_input_is_refused_with_a_message_that_helps() {
    for (line, parts) in BAD {
        let mut arguments = vec!["free"];
        arguments.extend(line.split(' ').map(|x| if x == "_" { "" } else { x }));
        let message = refused(&arguments);
        assert!(message.starts_with("error: "), "{message}");
        assert_eq!(message.matches("error: ").count(), 1, "{message}");
        // Our own messages are a single line; clap adds the usage to its.
        if message.starts_with("error: --") {
            assert_eq!(message.lines().count(), 1, "{message}");
        }
        for part in *parts {
            assert!(message.contains(part), "{line}\nlacks: {part}\n{message}");
        }
    }
}

#[test]
fn long_and_odd_texts_are_quoted_in_short() {
    let long = format!("{}x", "1.25,".repeat(10_000));
    let base = ["free", "--inertia", "1,2,3", "--momentum", "1,2,3", "--at"];
    let message = refused(&[&base[..], &[long.as_str()]].concat());
    assert!(message.contains("number 10001, 'x', is not a number"), "{message}");
    assert!(message.len() < 300, "{message}");
    let message = refused(&[&base[..], &["1\n2\u{1b}[31m"]].concat());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let output = Command::new(env!("CARGO_BIN_EXE_polhode"))
        .args(["free", "--inertia"])
        .arg(OsStr::from_bytes(b"1,2,\xff"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("UTF-8"));
}

#[test]
fn a_command_is_needed_and_must_exist() {
    assert!(refused(&[]).contains("Usage: polhode"));
    let message = refused(&["fre"]);
    assert!(message.contains("'fre'") && message.contains("'free'"), "{message}");
}
