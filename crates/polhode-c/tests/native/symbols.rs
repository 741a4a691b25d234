//! What the libraries export: the functions of the header and the Fortran routines, nothing else.

use std::collections::BTreeSet;
use std::process::Command;

use crate::{prefix, sources, stdout};

/// The Fortran routines of docs/c-and-fortran.md.
const FORTRAN: [&str; 12] = [
    "egellipx_step_",
    "egellpjx_step_",
    "eint_gauss_",
    "ellint_pi_",
    "ellpi_",
    "frb_step_",
    "polhode_last_error_",
    "polhode_use_exact_",
    "quat_step_",
    "rc_",
    "rf_",
    "rj_",
];

/// The functions that the header declares.
fn declared() -> BTreeSet<String> {
    let text = std::fs::read_to_string(prefix().join("include/polhode.h")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with([' ', '/', '#', '}']));
    let name = |line: &str| {
        let before = line.split_once('(')?.0;
        let name = before.rsplit([' ', '*']).next()?;
        name.starts_with("polhode_").then(|| name.to_owned())
    };
    let found: BTreeSet<_> = lines.filter(|l| !l.starts_with("typedef")).filter_map(name).collect();
    assert!(found.len() > 40, "{found:?}");
    found
}

fn expected() -> BTreeSet<String> {
    declared().into_iter().chain(FORTRAN.map(str::to_owned)).collect()
}

/// The symbols that `nm` lists as defined and visible from outside.
fn defined(options: &[&str], library: &str) -> BTreeSet<String> {
    let path = prefix().join("lib").join(library);
    let listing = stdout(Command::new("nm").args(options).arg(path));
    let name = |line: &str| line.split_whitespace().nth(2).map(str::to_owned);
    listing.lines().filter_map(name).collect()
}

#[test]
#[ignore = "needs nm: cargo xtask test"]
fn the_shared_library_exports_header_and_fortran_list_exactly() {
    assert_eq!(defined(&["-D", "--defined-only"], "libpolhode.so"), expected());
}

/// A static library carries Rust's own library, whose symbols are mangled or reserved (`__rust...`,
/// `rust_...`, compiler support). What is tested: ours are there, and no other name of ours.
#[test]
#[ignore = "needs nm: cargo xtask test"]
fn the_static_library_has_header_and_fortran_list() {
    let found = defined(&["--defined-only", "--extern-only"], "libpolhode.a");
    let missing: Vec<_> = expected().difference(&found).cloned().collect();
    assert!(missing.is_empty(), "{missing:?}");
    let ours: BTreeSet<_> = found.into_iter().filter(|s| s.starts_with("polhode")).collect();
    let ours_expected = expected().into_iter().filter(|s| s.starts_with("polhode")).collect();
    assert_eq!(ours, ours_expected);
}

#[test]
#[ignore = "needs nm: cargo xtask test"]
fn the_fortran_module_and_the_page_know_every_symbol() {
    let module = std::fs::read_to_string(sources().join("fortran/polhode.f90")).unwrap();
    for name in declared() {
        let bound = module.contains(&format!(" {name}(")) && module.contains("bind(C)");
        assert!(bound, "{name} is not in polhode.f90");
    }
    let page = std::fs::read_to_string(sources().join("../../docs/c-and-fortran.md")).unwrap();
    for name in FORTRAN {
        let plain = name.trim_end_matches('_');
        assert!(page.to_lowercase().contains(&format!("{plain}(")), "{plain} is not documented");
    }
}
