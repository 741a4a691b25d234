//! Trying what was made: in an empty folder, without Rust on the PATH.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::archive::Product;
use super::{Place, archive, licenses};
use crate::machine::{output, succeed};
use crate::metadata::{root_file, target_folder};

/// The README's first result: the T-handle turns over every so many seconds.
pub(super) const FLIP: &str = "2.0954";

/// The PATH without Rust. Where a distribution has it, in `/usr/bin`, shells and compilers are, too: a folder with Rust
/// gives way to one of links to all else that is in it.
pub(super) fn path_without_rust() -> Result<OsString, String> {
    // Every command asks, and cargo is slow to tell where its folder is.
    static PATH: OnceLock<Result<OsString, String>> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let links = target_folder()?.join("dist-scratch").join("without-rust");
        without_rust(&env::var_os("PATH").unwrap_or_default(), &links)
    });
    path.clone()
}

/// This PATH without Rust, with folders of links in this one.
fn without_rust(path: &OsStr, links: &Path) -> Result<OsString, String> {
    let names =
        ["cargo", "rustc", "rustup"].map(|name| format!("{name}{}", env::consts::EXE_SUFFIX));
    let mut folders = Vec::new();
    for folder in env::split_paths(path) {
        if !names.iter().any(|name| folder.join(name).exists()) {
            folders.push(folder);
        } else if cfg!(unix) {
            folders.push(linked(&folder, links)?);
        }
        // Links are for the privileged on Windows, where no folder is Rust's and the system's.
    }
    env::join_paths(folders).map_err(|e| format!("PATH: {e}"))
}

/// A folder in `links` of links to all in this folder but Rust and what belongs to it. What is there already remains:
/// another process may be using it.
#[cfg(unix)]
fn linked(folder: &Path, links: &Path) -> Result<PathBuf, String> {
    use std::io::{Error, ErrorKind};
    use std::path::{MAIN_SEPARATOR, absolute};

    let failed = |e: Error| format!("{}: {e}", folder.display());
    // A link that is not absolute would lead from where it lies.
    let folder = absolute(folder).map_err(failed)?;
    let place = links.join(folder.display().to_string().replace(MAIN_SEPARATOR, "-"));
    fs::create_dir_all(&place).map_err(failed)?;
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let text = name.to_string_lossy();
        if ["cargo", "rust"].iter().any(|begin| text.starts_with(begin)) {
            continue;
        }
        match std::os::unix::fs::symlink(folder.join(&name), place.join(&name)) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(failed(e)),
            _ => {}
        }
    }
    Ok(place)
}

#[cfg(not(unix))]
fn linked(folder: &Path, _: &Path) -> Result<PathBuf, String> {
    Err(format!("{}: links are made on Unix alone", folder.display()))
}

/// A command that finds no Rust, in this folder.
pub(super) fn command_without_rust(
    program: impl AsRef<OsStr>,
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
        // What else is in the folders of Rust remains.
        for program in ["sh", "tar"] {
            let mut shell = command_without_rust("sh", &here).unwrap();
            let status = shell.args(["-c", &format!("command -v {program}")]).status();
            assert!(status.is_ok_and(|s| s.success()), "{program} is not on the PATH");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_with_rust_keeps_all_else() {
        use std::env;
        use std::os::unix::fs::PermissionsExt as _;
        use std::process::Command;

        use super::{output, without_rust};

        let scratch = std::env::temp_dir().join(format!("polhode-path-{}", std::process::id()));
        let (shared, other) = (scratch.join("usr/bin"), scratch.join("other"));
        for name in ["cargo", "cargo-clippy", "rustc", "rust-gdb", "polhode-tool", "gone"] {
            let program = shared.join(name);
            archive::write(&program, format!("#!/bin/sh\necho this is {name}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        archive::write(&other.join("cargo-but-not-it"), "").unwrap();
        let path = env::join_paths([&shared, &other]).unwrap();
        // Twice, for the links of another time are there; what was removed since is not found.
        let first = without_rust(&path, &scratch.join("links")).unwrap();
        fs::remove_file(shared.join("gone")).unwrap();
        assert_eq!(without_rust(&path, &scratch.join("links")).unwrap(), first);
        let folders: Vec<_> = env::split_paths(&first).collect();
        assert_eq!(folders.len(), 2);
        assert_eq!(folders[1], other);
        for (name, kept) in [
            ("cargo", false),
            ("cargo-clippy", false),
            ("rustc", false),
            ("rust-gdb", false),
            ("polhode-tool", true),
            ("gone", false),
        ] {
            assert_eq!(folders[0].join(name).exists(), kept, "{name}");
        }
        let mut tool = Command::new("polhode-tool");
        assert_eq!(output(tool.env("PATH", &first)).unwrap(), "this is polhode-tool\n");
        fs::remove_dir_all(scratch).unwrap();
    }

    #[test]
    fn the_readme_shows_python() {
        assert!(readme_block("python", "").unwrap().starts_with("import polhode\n"));
        assert!(readme_block("python", "tangent(").unwrap().starts_with("there = "));
        assert!(readme_block("cobol", "").is_err());
        assert!(readme_block("python", "ADD 1 TO X").is_err());
    }
}
