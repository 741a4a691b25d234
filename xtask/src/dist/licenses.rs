//! The licences of what others wrote and is compiled into what is released.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::standard_library;
use crate::metadata::{PackageContents, root_file};

/// The name of the file, wherever it goes.
pub(super) const FILE: &str = "THIRD-PARTY-LICENSES";

/// How the names of files with licences, copyrights and notices begin.
const BEGINNINGS: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

const RULE: &str =
    "--------------------------------------------------------------------------------";

/// The text of the file: each package with the licence that it names, then the texts, equal ones once.
pub(super) fn text(compiled: &PackageContents, target: &str) -> Result<String, String> {
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in compiled.components().into_iter().filter(|package| !package.is_ours()) {
        let name = format!("{} {}", package.text("name"), package.text("version"));
        // Writing to a string does not fail.
        let _ = writeln!(list, "{name}: {}", package.license());
        let found = texts_in(&package.folder())?;
        if found.is_empty() {
            return Err(format!("{name} ({}) has no text of its licence", package.license()));
        }
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    // What every program of Rust contains, of which no package tells.
    let mut runtime = vec!["standard library of Rust, copyright (c) The Rust Project Developers"];
    let _ = writeln!(list, "the standard library of Rust: MIT OR Apache-2.0");
    if target.ends_with("-musl") {
        runtime.push("musl, copyright (c) 2005-2020 Rich Felker, et al.");
        let _ = writeln!(list, "musl, the C library: MIT");
    }
    texts.entry(permission()?).or_default().extend(runtime.into_iter().map(str::to_owned));
    let whole = "the standard library of Rust, in full";
    texts.entry(standard_library::notices()?.trim().to_owned()).or_default().push(whole.to_owned());

    let mut text = format!(
        "What others wrote and is compiled into this ({target}), with the licences.\n\n{list}"
    );
    for (licence, names) in texts {
        let _ = write!(text, "\n{RULE}\nLicence of {}:\n\n{licence}\n", names.join("; "));
    }
    Ok(text)
}

/// The permission of the MIT licence, without whose copyright it is: that stands above the text.
fn permission() -> Result<String, String> {
    let ours = root_file("LICENSE-MIT")?;
    let begin = ours.find("Permission is hereby granted").ok_or("LICENSE-MIT: no permission")?;
    Ok(ours[begin..].trim().to_owned())
}

/// The texts of the licences in a folder of sources.
fn texts_in(folder: &Path) -> Result<Vec<String>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.path().is_file() && BEGINNINGS.iter().any(|begin| name.starts_with(begin)) {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let read = |path| fs::read(path).map_err(failed);
    let texts = paths.iter().map(|path| {
        let text = String::from_utf8_lossy(&read(path)?).replace("\r\n", "\n");
        Ok(text.trim_matches('\n').trim_end().to_owned())
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::metadata::PackageContents;

    #[test]
    fn every_package_has_its_text() {
        let target = "x86_64-unknown-linux-musl";
        let compiled = PackageContents::into_package("polhode-cli", target).unwrap();
        let text = text(&compiled, target).unwrap();
        let (list, texts) = text.split_once("\nLicence of ").unwrap();
        let others: Vec<_> =
            compiled.components().into_iter().filter(|package| !package.is_ours()).collect();
        assert!(others.len() > 30);
        for package in others {
            let name = format!("{} {}", package.text("name"), package.text("version"));
            assert!(list.contains(&format!("\n{name}: ")), "{name} is not in the list");
            assert!(texts.contains(&name), "{name} has no text");
        }
        assert!(list.contains("musl"));
        assert!(texts.contains(&super::standard_library::notices().unwrap()));
        // A licence that many have in the same words is there once.
        let distinct: std::collections::BTreeSet<_> = text.split(super::RULE).collect();
        assert_eq!(distinct.len(), text.matches(super::RULE).count() + 1);
        assert!(!text.contains("polhode-verify"));
    }
}
