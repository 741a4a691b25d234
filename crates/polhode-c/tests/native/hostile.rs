//! A program that does everything wrong, under two tools that watch its memory.

use crate::{Link, compile, folder, good, program, stdout};

const FILE: &[&str] = &["tests/native/hostile.c"];

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn clean_under_address_sanitizer() {
    let folder = folder("hostile-asan");
    let flags = ["-std=c11", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover"];
    let built = compile("gcc", Link::Static, &folder, &flags, FILE);
    let mut hostile = program(&built, &folder);
    hostile.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1");
    assert_eq!(stdout(&mut hostile).trim(), "done");
}

#[test]
#[ignore = "needs gcc and valgrind: cargo xtask test"]
fn clean_under_valgrind() {
    let folder = folder("hostile-valgrind");
    let built = compile("gcc", Link::Shared, &folder, &["-std=c11", "-g", "-O1"], FILE);
    let mut hostile = program("valgrind".as_ref(), &folder);
    hostile.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
    // The threads of an ensemble end while the program does; what a list holds by the middle of a
    // block counts as "possibly lost", and is not.
    let leaks =
        ["--errors-for-leak-kinds=definite,indirect", "--show-leak-kinds=definite,indirect"];
    hostile.args(leaks).arg("--fair-sched=yes").arg(&built);
    let output = good(&mut hostile);
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "done");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn a_child_process_has_threads_of_its_own() {
    let folder = folder("fork");
    let file = &["tests/native/fork.c"];
    let built = compile("gcc", Link::Shared, &folder, &["-std=c11"], file);
    assert_eq!(stdout(&mut program(&built, &folder)).trim(), "done");
}
