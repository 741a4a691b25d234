//! The Python package: a wheel that needs no compiler, and the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::{Made, Place, VERSION, archive, done, output, tools, trial};
use crate::machine::root;
use crate::suites::{PYTHON, Tool};

pub(super) const NEEDS: &[&Tool] = &[&PYTHON, &tools::MATURIN, &tools::ZIG];

/// What a package says about itself.
const METADATA: &str = "\
from importlib.metadata import distribution
package = distribution('polhode')
found = package.metadata
assert found['License-Expression'] == 'MIT OR Apache-2.0', found['License-Expression']
assert sorted(found.get_all('License-File')) == ['LICENSE-APACHE', 'LICENSE-MIT'], found.get_all('License-File')
assert any(url.startswith('Documentation, ') for url in found.get_all('Project-URL')), found.get_all('Project-URL')
assert found['Description-Content-Type'].startswith('text/markdown')
licences = [file for file in package.files if 'LICENSE' in file.name]
assert len(licences) == 2 and all(file.locate().stat().st_size > 1000 for file in licences), licences
";

pub(super) fn make(place: &Place) -> Result<Made, String> {
    let folder = place.dist.join("python");
    let _ = fs::remove_dir_all(&folder);
    let maturin = || {
        let mut maturin = tools::tool_command("maturin");
        maturin.current_dir(root().join("crates/polhode-python"));
        maturin
    };
    done(maturin().args(["sdist", "--out"]).arg(&folder))?;
    let mut build = maturin();
    build.args(["build", "--release", "--strip", "--out"]).arg(&folder);
    if cfg!(target_os = "linux") {
        // For every distribution since 2014.
        build.args(["--zig", "--compatibility", "manylinux2014"]);
    }
    done(&mut build)?;

    let (mut wheel, mut sources) = (None, None);
    for entry in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        match path.extension().and_then(|e| e.to_str()) {
            Some("whl") => wheel = Some(path),
            _ => sources = Some(path),
        }
    }
    let wheel = wheel.ok_or("maturin has made no wheel")?;
    let sources = sources.ok_or("maturin has packed no sources")?;
    let name = wheel.file_name().unwrap_or_default().display().to_string();
    if !name.starts_with(&format!("polhode-{VERSION}-cp310-abi3-")) {
        return Err(format!("{name}: not for every Python from 3.10 on"));
    }
    let mut notes = Vec::new();
    if cfg!(target_os = "linux") {
        let found = output(tools::tool_command("auditwheel").arg("show").arg(&wheel))?;
        if !found.contains("manylinux_2_17") {
            return Err(format!("{name}: needs a newer glibc: {found}"));
        }
    }

    let start = Instant::now();
    let python = environment(place, "wheel")?;
    let bare = start.elapsed();
    let start = Instant::now();
    install(&python, &wheel)?;
    first_result(place, &python)?;
    notes.push(format!(
        "{name}, {}: installed (with NumPy) and first result in {}, after {} for an environment",
        archive::size(&wheel),
        trial::seconds(start.elapsed()),
        trial::seconds(bare)
    ));
    output(trial::command_without_rust(&python, &place.scratch)?.args(["-c", METADATA]))?;

    refused_without_rust(place, &sources)?;
    let start = Instant::now();
    built_from_sources(place, &sources)?;
    notes.push(format!(
        "{}, {}: built (not optimised), installed and first result in {}; without Rust it says what is missing",
        sources.file_name().unwrap_or_default().display(),
        archive::size(&sources),
        trial::seconds(start.elapsed())
    ));
    Ok(Made { count: 2, notes })
}

/// A new virtual environment; gives its interpreter.
fn environment(place: &Place, name: &str) -> Result<PathBuf, String> {
    let folder = place.empty(&format!("venv-{name}"))?;
    let mut python = trial::command_without_rust("python3", &place.scratch)?;
    done(python.args(["-m", "venv"]).arg(&folder))?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}

fn install(python: &Path, package: &Path) -> Result<(), String> {
    let folder = python.parent().unwrap_or(python);
    let mut pip = trial::command_without_rust(python, folder)?;
    done(pip.args(["-m", "pip", "install", "--quiet"]).arg(package))
}

/// Runs what the README shows.
fn first_result(place: &Place, python: &Path) -> Result<(), String> {
    let code = trial::readme_block("python")?;
    let said = output(trial::command_without_rust(python, &place.scratch)?.args(["-c", &code]))?;
    if said.contains(&format!("flips every {}", trial::FLIP)) {
        return Ok(());
    }
    Err(format!("the README's example in Python says {said}"))
}

/// Where Rust is, the sources become a package. That they do is the question, not how fast it is.
fn built_from_sources(place: &Place, sources: &Path) -> Result<(), String> {
    let python = environment(place, "sources")?;
    let mut pip = Command::new(&python);
    pip.current_dir(&place.scratch).args(["-m", "pip", "install", "--quiet"]).arg(sources);
    pip.env("CARGO_TARGET_DIR", place.target.join("dist-sources"));
    for (key, value) in [("OPT_LEVEL", "0"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0")] {
        pip.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
    done(&mut pip)?;
    first_result(place, &python)
}

/// Where it is not, they say so.
fn refused_without_rust(place: &Place, sources: &Path) -> Result<(), String> {
    let python = environment(place, "no-rust")?;
    let mut pip = trial::command_without_rust(&python, &place.scratch)?;
    let tried = pip.args(["-m", "pip", "install"]).arg(sources).output();
    let tried = tried.map_err(|e| format!("pip: {e}"))?;
    let said =
        [tried.stdout, tried.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let said = said.concat();
    if tried.status.success() {
        return Err("the sources were installed without Rust: how?".to_owned());
    }
    let needs = format!("polhode needs Rust {} or newer", env!("CARGO_PKG_RUST_VERSION"));
    for part in [needs.as_str(), "https://rustup.rs", "wheel"] {
        if !said.contains(part) {
            return Err(format!("without Rust the sources do not say `{part}`: {said}"));
        }
    }
    Ok(())
}
