//! Combinations of features, each compiled; with the oldest Rust that is supported, where that is the one used here.

use super::{PartResult, Place};
use crate::machine::{command, output, succeed};
use crate::metadata::OLDEST_RUST;

/// A package and its features, without those that it has by default: every one that a user can ask for, alone and
/// together.
const COMBINATIONS: [(&str, &str); 13] = [
    ("polhode-step", "libm"),
    ("polhode-step", "libm,std"),
    ("polhode-step", "std,glam"),
    ("polhode-step", "std,mint"),
    ("polhode-step", "std,nalgebra"),
    ("polhode-step", "libm,std,glam,mint,nalgebra"),
    ("polhode-number", ""),
    ("polhode-number", "std"),
    ("polhode-elliptic", ""),
    ("polhode-elliptic", "std"),
    ("polhode", ""),
    ("polhode", "mint"),
    ("polhode", "ensemble,mint"),
];

pub(super) fn make(_place: &Place) -> Result<PartResult, String> {
    for (package, features) in COMBINATIONS {
        let mut check = command(&["cargo", "check", "--no-default-features"]);
        succeed(check.args(["--package", package, "--features", features]))?;
    }
    let version = output(&mut command(&["rustc", "--version"]))?;
    Ok(PartResult { count: COMBINATIONS.len(), notes: vec![toolchain(&version)] })
}

/// Whether the compiler of this version is the oldest that is supported.
fn toolchain(version: &str) -> String {
    let used = version.split_whitespace().nth(1).unwrap_or("of an unknown version");
    if used == OLDEST_RUST || used.starts_with(&format!("{OLDEST_RUST}.")) {
        format!("with Rust {used}: the oldest that is supported")
    } else {
        format!(
            "with Rust {used}: NOT the oldest that is supported, {OLDEST_RUST}, which was not tried here"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{COMBINATIONS, toolchain};
    use crate::metadata::{OLDEST_RUST, Workspace, root_file};

    #[test]
    fn every_feature_of_every_published_crate_is_compiled() {
        let workspace = Workspace::read().unwrap();
        let mut seen = 0;
        for package in workspace.published() {
            for feature in package.features() {
                let name = package.text("name");
                let mut lists = COMBINATIONS.iter().filter(|(package, _)| *package == name);
                let tried = lists.any(|(_, list)| list.split(',').any(|tried| tried == feature));
                // What is on by default is on in every other build.
                assert!(tried || feature == "default", "{name}: {feature} is never compiled");
                seen += 1;
            }
        }
        assert!(seen > 5);
    }

    #[test]
    fn another_compiler_is_told() {
        let oldest = format!("rustc {OLDEST_RUST}.0 (59807616e 2026-04-14)");
        assert!(toolchain(&oldest).ends_with("the oldest that is supported"));
        assert!(toolchain("rustc 1.950.0").contains("NOT the oldest"));
        assert!(toolchain("rustc 1.99.1 (x)").contains("Rust 1.99.1: NOT the oldest"));
    }

    #[test]
    fn the_oldest_rust_is_the_same_everywhere() {
        // What stands before the number.
        let places = [
            ("README.md", "Rust "),
            ("crates/polhode-python/README.md", "Rust "),
            ("crates/polhode-python/packaging/polhode_build.py", "OLDEST = \""),
            (".github/workflows/ci.yml", "rustup toolchain install "),
            (".github/workflows/ci.yml", "rustup default "),
            (".github/workflows/ci.yml", "cargo +"),
            (".github/workflows/release.yml", "rustup toolchain install "),
            (".github/workflows/release.yml", "rustup default "),
        ];
        for (file, before) in places {
            let text = root_file(file).unwrap();
            let numbers: Vec<&str> = text
                .split(before)
                .skip(1)
                .map(|rest| rest.split(|c: char| c != '.' && !c.is_ascii_digit()).next().unwrap())
                .map(|number| number.trim_end_matches('.'))
                .filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
                .collect();
            assert!(!numbers.is_empty(), "{file} names no version after `{before}`");
            assert!(numbers.iter().all(|n| *n == OLDEST_RUST), "{file}: {before}{numbers:?}");
        }
    }
}
