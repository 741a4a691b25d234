//! What `cargo xtask install` leaves behind.

use std::process::Command;

use crate::{compile, folder, good, prefix, program, sources, stdout};

#[test]
#[ignore = "needs gcc: cargo xtask test"]
fn everything_is_where_compilers_look() {
    let version = env!("CARGO_PKG_VERSION");
    for file in [
        "include/polhode.h",
        "include/polhode_step.h",
        "lib/libpolhode.a",
        "lib/pkgconfig/polhode.pc",
        "share/polhode/fortran/polhode.f90",
        &format!("lib/libpolhode.so.{version}"),
    ] {
        assert!(prefix().join(file).is_file(), "{file}");
    }
    // The name that a program carries is that of a file.
    let library = prefix().join("lib/libpolhode.so");
    let dynamic = stdout(Command::new("objdump").arg("-p").arg(&library));
    let soname = dynamic.lines().find_map(|line| line.trim().strip_prefix("SONAME"));
    assert!(prefix().join("lib").join(soname.unwrap().trim()).is_file(), "{soname:?}");
}

#[test]
#[ignore = "needs gcc and pkg-config: cargo xtask test"]
fn pkg_config_has_what_it_takes() {
    let folder = folder("pkg-config");
    let mut query = Command::new("pkg-config");
    query.args(["--cflags", "--libs", "polhode"]);
    query.env("PKG_CONFIG_PATH", prefix().join("lib/pkgconfig"));
    let flags = stdout(&mut query);
    let source = sources().join("examples/c/free_motion.c");
    let mut cc = Command::new("gcc");
    cc.current_dir(&folder).arg("-o").arg("free_motion").arg(source);
    good(cc.args(flags.split_whitespace()));
    let printed = stdout(&mut program(&folder.join("free_motion"), &folder));
    assert!(printed.starts_with("# regime about-minor"), "{printed}");
}

#[test]
#[ignore = "needs g++: cargo xtask test"]
fn the_header_is_also_cpp() {
    let folder = folder("cpp");
    let file = folder.join("header.cpp");
    let text = "#include <polhode.h>\nint main() { return polhode_last_error(); }\n";
    std::fs::write(&file, text).unwrap();
    let built =
        compile("g++", crate::Link::Shared, &folder, &["-std=c++17"], &[file.to_str().unwrap()]);
    good(&mut program(&built, &folder));
}
