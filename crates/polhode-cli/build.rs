//! Puts the scenarios into the program, so that it has them wherever it is installed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("scenarios");
    let mut names = Vec::new();
    collect(&root, "", &mut names);
    // As they are listed, without their ends.
    names.sort_by(|a, b| stem(a).cmp(stem(b)).then(a.cmp(b)));
    assert!(
        !names.is_empty(),
        "{}: no scenarios there; in a repository it is a symbolic link, which git must check out as one: \
         git config core.symlinks true",
        root.display()
    );
    let mut table = String::from("[\n");
    for name in &names {
        let path = root.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let _ = writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    table.push_str("]\n");
    let file = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("scenarios.rs");
    fs::write(&file, table).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The files of a folder and of those below it, by their names from the first folder on.
fn collect(root: &Path, below: &str, names: &mut Vec<String>) {
    let folder = root.join(below);
    println!("cargo::rerun-if-changed={}", folder.display());
    let Ok(entries) = fs::read_dir(&folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.path().is_dir() {
            collect(root, &name, names);
        } else if [".toml", ".csv"].iter().any(|end| name.ends_with(end)) {
            names.push(name);
        }
    }
}
