//! Trying what was made: in an empty folder, without Rust on the PATH.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::archive::Product;
use super::{Place, archive, licenses};
use crate::machine::{output, succeed};
use crate::metadata::root_file;

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
    succeed(&mut archive::unpacking(archive, &folder))?;
    let mut entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let inside = entries.next().and_then(Result::ok).ok_or("the archive is empty")?;
    if entries.next().is_some() {
        return Err(format!("{}: more than one folder in it", archive.display()));
    }
    Ok(inside.path())
}

/// Whether what was unpacked has its documents, the licences of others among them, and no link in them is dead.
pub(super) fn documents(unpacked: &Path, product: &Product) -> Result<(), String> {
    let folder = unpacked.join(product.documents());
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", licenses::FILE] {
        let size = fs::metadata(folder.join(file)).map_or(0, |m| m.len());
        if size < 200 {
            return Err(format!("{}: {file} is missing, or next to empty", folder.display()));
        }
    }
    let texts = archive::files(unpacked)?.into_iter();
    let texts = texts.filter(|file| file.extension().is_some_and(|e| e == "md"));
    let dead: Vec<_> = texts.map(|file| dead_links(&file)).collect::<Result<Vec<_>, _>>()?.concat();
    if dead.is_empty() { Ok(()) } else { Err(format!("dead links: {}", dead.join(", "))) }
}

/// The links of a text in Markdown to files that are not there.
fn dead_links(file: &Path) -> Result<Vec<String>, String> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let folder = file.parent().unwrap_or(file);
    let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let links = links.map(|link| link.split('#').next().unwrap_or_default());
    let dead = links.filter(|link| !link.contains("://") && !folder.join(link).exists());
    Ok(dead.map(|link| format!("{} in {}", link, archive::name(file))).collect())
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

/// Installs a file by the README's lines, in an empty folder with these files of a user, goes on with these lines of a
/// shell, which get the first result, and says how long it took. The README names the files for this system alone.
pub(super) fn follow_readme(
    place: &Place,
    file: &Path,
    users: &[(&str, &str)],
    lines: &str,
) -> Result<Option<String>, String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(None);
    }
    let name = archive::name(file);
    let install = readme_block("sh", &name)?;
    let folder = place.empty("readme")?;
    archive::copy(file, &folder.join(&name))?;
    for (name, text) in users {
        archive::write(&folder.join(name), text)?;
    }
    let start = Instant::now();
    let mut shell = command_without_rust("sh", &folder)?;
    let printed = output(shell.args(["-e", "-c", &format!("{install}{lines}")]))?;
    let time = seconds(start.elapsed());
    if !printed.contains(FLIP) {
        return Err(format!("{name}: the README's lines do not end with {FLIP}: {printed}"));
    }
    Ok(Some(format!("{name}: by the README's lines, from nothing to the first result in {time}")))
}

/// The first block of code in this language that the README shows and that has these words.
pub(super) fn readme_block(language: &str, words: &str) -> Result<String, String> {
    let text = root_file("README.md")?;
    let begin = format!("```{language}\n");
    let mut blocks = text.split(&begin).skip(1).filter_map(|rest| rest.split("```").next());
    let block = blocks.find(|block| block.contains(words));
    block.map(str::to_owned).ok_or(format!("README.md shows no `{words}` in {language}"))
}

/// A time as it is reported.
pub(super) fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{archive, command_without_rust, dead_links, readme_block};

    #[test]
    fn dead_links_are_found() {
        let folder = std::env::temp_dir().join(format!("polhode-links-{}", std::process::id()));
        let file = folder.join("a.md");
        let text = "[b](b.md) [here](#x) [a](a.md#x) [web](https://b.invalid/c)\n[c](d/c.md)";
        archive::write(&file, text).unwrap();
        assert_eq!(dead_links(&file).unwrap(), ["b.md in a.md", "d/c.md in a.md"]);
        archive::write(&folder.join("b.md"), "").unwrap();
        assert_eq!(dead_links(&file).unwrap(), ["d/c.md in a.md"]);
        fs::remove_dir_all(folder).unwrap();
    }

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
        assert!(readme_block("python", "").unwrap().starts_with("import polhode\n"));
        assert!(readme_block("python", "tangent(").unwrap().starts_with("there = "));
        assert!(readme_block("cobol", "").is_err());
        assert!(readme_block("python", "ADD 1 TO X").is_err());
    }
}
