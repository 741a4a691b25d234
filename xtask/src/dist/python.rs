//! The Python package: wheels that need no compiler, and the sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::archive::Product;
use super::sbom::Kind;
use super::{PartResult, Place, archive, glibc, licenses, privacy, program, tools, trial};
use crate::machine::{output, root, succeed};
use crate::metadata::{OLDEST_RUST, VERSION};
use crate::suites::{PYTHON, Tool};

pub(super) const NEEDS: &[&Tool] = if cfg!(target_os = "linux") {
    &[&PYTHON, &tools::MATURIN, &tools::ZIG, &tools::AUDITWHEEL]
} else {
    &[&PYTHON, &tools::MATURIN]
};

/// Of the wheel for the other processor.
pub(super) const AARCH64_NEEDS: &[&Tool] =
    &[&PYTHON, &tools::MATURIN, &tools::ZIG, &tools::AUDITWHEEL, &tools::AARCH64_GNU];

const PRODUCT: Product =
    Product { name: "polhode-python", package: "polhode-python", kind: Kind::Library };

/// What a package says about itself, and what lies in it beside the code.
const METADATA: &str = "\
from importlib.metadata import distribution
package = distribution('polhode')
found = package.metadata
assert found['License-Expression'] == 'MIT OR Apache-2.0', found['License-Expression']
assert any(url.startswith('Rust documentation, ') for url in found.get_all('Project-URL')), found.get_all('Project-URL')
assert found['Description-Content-Type'].startswith('text/markdown')
expected = ['LICENSE-APACHE', 'LICENSE-MIT', 'THIRD-PARTY-LICENSES']
assert sorted(found.get_all('License-File')) == expected, found.get_all('License-File')
licences = {file.name: file.read_text() for file in package.files if 'LICENSE' in file.name}
assert sorted(licences) == expected, list(licences)
assert 'pyo3 ' in licences['THIRD-PARTY-LICENSES'] and all(len(text) > 1000 for text in licences.values())
lists = [file for file in package.files if 'sboms' in file.parts]
assert len(lists) == 1 and 'pkg:cargo/pyo3@' in lists[0].read_text(), lists
";

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let sources = pack_sources(place)?;
    let wheel = build_wheel(place, &program::target_of_libraries()?)?;
    let mut notes = vec![try_wheel(place, &wheel)?];
    let code = trial::readme_block("python", "")?;
    let user = [("first.py", code.as_str())];
    notes.extend(trial::follow_readme(place, &wheel, &user, "env/bin/python first.py")?);
    notes.push(try_sources(place, &sources)?);
    Ok(PartResult { count: 2, notes })
}

/// The wheel for aarch64, built on x86-64.
pub(super) fn make_for_aarch64(place: &Place) -> Result<PartResult, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        let note = "built on Linux for x86-64 alone; `python` makes the one of this system";
        return Ok(PartResult { count: 0, notes: vec![note.to_owned()] });
    }
    let wheel = build_wheel(place, "aarch64-unknown-linux-gnu")?;
    let (name, size) = (archive::name(&wheel), archive::size(&wheel));
    let note = format!("{name}, {size}: built, its glibc looked at; NOT installed, NOT run");
    Ok(PartResult { count: 1, notes: vec![note] })
}

fn maturin() -> Command {
    let mut maturin = tools::tool_command("maturin");
    maturin.current_dir(root().join("crates/polhode-python"));
    maturin
}

/// Runs maturin, and puts the one file that it makes among what is uploaded.
fn made_by(place: &Place, maturin: &mut Command) -> Result<PathBuf, String> {
    let folder = place.empty("maturin")?;
    succeed(maturin.arg("--out").arg(&folder))?;
    let files = archive::files(&folder)?;
    let [file] = files.as_slice() else {
        return Err(format!("maturin has made {} files instead of one", files.len()));
    };
    let kept = place.dist.join(archive::name(file));
    archive::copy(file, &kept)?;
    Ok(kept)
}

fn pack_sources(place: &Place) -> Result<PathBuf, String> {
    made_by(place, maturin().arg("sdist"))
}

/// Builds a wheel, with the licences and the list of what is compiled into it.
fn build_wheel(place: &Place, target: &str) -> Result<PathBuf, String> {
    let (list, compiled) = PRODUCT.list(&place.dist, target)?;
    let mut build = maturin();
    build.args(["build", "--release", "--strip", "--target", target]);
    build.arg("--sbom-include").arg(list);
    if cfg!(target_os = "linux") {
        build.args(["--zig", "--compatibility", "manylinux2014"]);
    }
    // Licences are found beside those of the package itself; in the repository there is no such file.
    let licences = root().join("crates/polhode-python").join(licenses::FILE);
    archive::write(&licences, licenses::text(&compiled, target)?)?;
    let wheel = made_by(place, privacy::compiled_privately(&mut build));
    fs::remove_file(&licences).map_err(|e| format!("{}: {e}", licences.display()))?;
    let wheel = wheel?;

    let name = archive::name(&wheel);
    if !name.starts_with(&format!("polhode-{VERSION}-cp310-abi3-")) {
        return Err(format!("{name}: not for every Python from 3.10 on"));
    }
    if cfg!(target_os = "linux") {
        glibc::check_wheel(&wheel)?;
    }
    Ok(wheel)
}

/// Installs a wheel into a new environment and gets the first result; says how long that took.
fn try_wheel(place: &Place, wheel: &Path) -> Result<String, String> {
    let start = Instant::now();
    let python = environment(place, "wheel")?;
    let bare = start.elapsed();
    let start = Instant::now();
    install(&python, wheel)?;
    first_result(place, &python)?;
    let installed = start.elapsed();
    output(trial::command_without_rust(&python, &place.scratch)?.args(["-c", METADATA]))?;
    Ok(format!(
        "{}, {}: installed (with NumPy) and first result in {}, after {} for an environment",
        archive::name(wheel),
        archive::size(wheel),
        trial::seconds(installed),
        trial::seconds(bare)
    ))
}

/// Builds the sources where Rust is, and looks at what they say where it is not.
fn try_sources(place: &Place, sources: &Path) -> Result<String, String> {
    refused_without_rust(place, sources)?;
    refused_by_old_rust(place, sources)?;
    let start = Instant::now();
    built_from_sources(place, sources)?;
    Ok(format!(
        "{}, {}: built (not optimised), installed and first result in {}; without Rust, and with an old one, it says \
         what is missing",
        archive::name(sources),
        archive::size(sources),
        trial::seconds(start.elapsed())
    ))
}

/// A new virtual environment; gives its interpreter.
fn environment(place: &Place, name: &str) -> Result<PathBuf, String> {
    let folder = place.empty(&format!("venv-{name}"))?;
    let mut python = trial::command_without_rust("python3", &place.scratch)?;
    succeed(python.args(["-m", "venv"]).arg(&folder))?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}

fn install(python: &Path, package: &Path) -> Result<(), String> {
    let folder = python.parent().unwrap_or(python);
    let mut pip = trial::command_without_rust(python, folder)?;
    succeed(pip.args(["-m", "pip", "install", "--quiet"]).arg(package))
}

/// Runs what the README shows.
fn first_result(place: &Place, python: &Path) -> Result<(), String> {
    let code = trial::readme_block("python", "")?;
    let printed = output(trial::command_without_rust(python, &place.scratch)?.args(["-c", &code]))?;
    if printed.contains(&format!("flips every {}", trial::FLIP)) {
        return Ok(());
    }
    Err(format!("the README's example in Python prints {printed}"))
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
    succeed(&mut pip)?;
    first_result(place, &python)
}

/// Where it is not, they say so.
fn refused_without_rust(place: &Place, sources: &Path) -> Result<(), String> {
    let python = environment(place, "no-rust")?;
    let pip = trial::command_without_rust(&python, &place.scratch)?;
    let reason = "there is no cargo on the PATH";
    refused(pip, sources, &[], reason)?;
    // Then nobody asks for what building requires, and what is installed builds.
    let python = root().join(tools::tool_path!("python"));
    let pip = trial::command_without_rust(python, &place.scratch)?;
    refused(pip, sources, &["--no-build-isolation"], reason)
}

/// Where it is too old, as that of many distributions is, they say so, too.
#[cfg(unix)]
fn refused_by_old_rust(place: &Place, sources: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = place.empty("old-rust")?;
    for name in ["cargo", "rustc"] {
        let program = folder.join(name);
        archive::write(&program, format!("#!/bin/sh\necho {name} 1.63.0\n"))?;
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(&program, permissions).map_err(|e| e.to_string())?;
    }
    let python = environment(place, "old-rust-venv")?;
    let mut pip = trial::command_without_rust(&python, &place.scratch)?;
    let mut path = folder.into_os_string();
    path.extend([":".as_ref(), trial::path_without_rust()?.as_os_str()]);
    pip.env("PATH", path);
    refused(pip, sources, &[], "the cargo on the PATH is older: cargo 1.63.0")
}

#[cfg(not(unix))]
fn refused_by_old_rust(_: &Place, _: &Path) -> Result<(), String> {
    Ok(())
}

/// That these sources are not installed with these options, for this reason, and that what helps is said.
fn refused(
    mut python: Command,
    sources: &Path,
    options: &[&str],
    reason: &str,
) -> Result<(), String> {
    let tried = python.args(["-m", "pip", "install"]).args(options).arg(sources).output();
    let tried = tried.map_err(|e| format!("pip: {e}"))?;
    let message = String::from_utf8_lossy(&[tried.stdout, tried.stderr].concat()).into_owned();
    if tried.status.success() {
        return Err(format!("the sources were installed although {reason}: how?"));
    }
    let needs = format!("polhode needs Rust {OLDEST_RUST} or newer");
    for part in [needs.as_str(), reason, "https://rustup.rs", "wheel"] {
        if !message.contains(part) {
            return Err(format!("where {reason}, the sources do not say `{part}`: {message}"));
        }
    }
    Ok(())
}
