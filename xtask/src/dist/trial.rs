//! Trying what was made: in an empty folder, without Rust on the PATH.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Place, archive, done, output};
use crate::machine::root;

/// The README's first result: the T-handle turns over every so many seconds.
pub(super) const FLIP: &str = "2.0954";

/// The PATH without the folders in which Rust is.
pub(super) fn path_without_rust() -> Result<OsString, String> {
    let names =
        ["cargo", "rustc", "rustup"].map(|name| format!("{name}{}", env::consts::EXE_SUFFIX));
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path)
        .filter(|folder| !names.iter().any(|name| folder.join(name).exists()));
    env::join_paths(folders).map_err(|e| format!("PATH: {e}"))
}

/// A command that finds no Rust, in this folder.
pub(super) fn command_without_rust(
    program: impl AsRef<std::ffi::OsStr>,
    folder: &Path,
) -> Result<Command, String> {
    let mut command = Command::new(program);
    command.current_dir(folder).env("PATH", path_without_rust()?);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if ["CARGO", "RUST"].iter().any(|begin| text.starts_with(begin)) {
            command.env_remove(&name);
        }
    }
    Ok(command)
}

/// Unpacks an archive into an empty folder; gives the one folder in it.
pub(super) fn unpack(place: &Place, name: &str, archive: &Path) -> Result<PathBuf, String> {
    let folder = place.empty(name)?;
    done(&mut archive::unpacking(archive, &folder))?;
    let mut entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let inside = entries.next().and_then(Result::ok).ok_or("the archive is empty")?;
    if entries.next().is_some() {
        return Err(format!("{}: more than one folder in it", archive.display()));
    }
    Ok(inside.path())
}

/// Runs the README's first command with the program, whose line this is, in an empty folder.
pub(super) fn first_run(place: &Place, program: &[&Path]) -> Result<Duration, String> {
    let folder = place.empty("first-run")?;
    let start = Instant::now();
    let mut command = command_without_rust(program[0], &folder)?;
    let text = output(command.args(&program[1..]).args(["run", "dzhanibekov"]))?;
    let elapsed = start.elapsed();
    if !text.contains(&format!("flip period: {FLIP}")) {
        return Err(format!("`polhode run dzhanibekov` does not tell the flips: {text}"));
    }
    for file in ["out/dzhanibekov.csv", "out/dzhanibekov.svg"] {
        if !folder.join(file).is_file() {
            return Err(format!("`polhode run dzhanibekov` has not written {file}"));
        }
    }
    Ok(elapsed)
}

/// The first block of code in this language that the README shows.
pub(super) fn readme_block(language: &str) -> Result<String, String> {
    let text =
        fs::read_to_string(root().join("README.md")).map_err(|e| format!("README.md: {e}"))?;
    let begin = format!("```{language}\n");
    let block = text.split_once(&begin).and_then(|(_, rest)| rest.split_once("```"));
    block.map(|(code, _)| code.to_owned()).ok_or(format!("README.md shows nothing in {language}"))
}

/// A time as it is reported.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::{command_without_rust, readme_block};

    #[test]
    fn rust_is_not_found() {
        let here = std::env::temp_dir();
        for program in ["cargo", "rustc"] {
            // By the PATH of the command, not by ours: a shell looks there.
            let mut shell = command_without_rust("sh", &here).unwrap();
            let status = shell.args(["-c", &format!("command -v {program}")]).status();
            assert!(status.is_ok_and(|s| !s.success()), "{program} is on the PATH");
        }
    }

    #[test]
    fn the_readme_shows_python() {
        assert!(readme_block("python").unwrap().starts_with("import polhode\n"));
        assert!(readme_block("cobol").is_err());
    }
}
