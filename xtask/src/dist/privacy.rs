//! Releases tell nothing of the machine that made them: which folders those are, how the compiler is kept from writing
//! them down, and whether it was.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Place, archive, trial};
use crate::machine::{command, output, root, succeed};

/// Between the words of `CARGO_ENCODED_RUSTFLAGS`.
const SEPARATOR: &str = "\x1f";

/// The folders of this machine, and what stands for them in messages of the program.
fn folders() -> Vec<(PathBuf, &'static str)> {
    let mut folders = vec![(root(), "/polhode")];
    // Where the sources of the standard library are installed, rustc names them by their place.
    let sysroot = output(&mut command(&["rustc", "--print", "sysroot"])).unwrap_or_default();
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src");
    folders.extend(library.is_dir().then_some((library, "/rustc")));
    folders.extend(cargo_home().map(|folder| (folder, "/cargo")));
    let mut registries = unpacked_registries();
    // Those without a name are made when crates are packaged, and hold nothing of others.
    registries.retain(|path| !archive::name(path).starts_with('-'));
    folders.extend(registries.into_iter().map(|folder| (folder, "/crates")));
    folders
}

fn cargo_home() -> Option<PathBuf> {
    let given = env::var_os("CARGO_HOME").map(PathBuf::from);
    given.or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// The folders into which cargo unpacks packages, one for each registry.
pub(super) fn unpacked_registries() -> Vec<PathBuf> {
    let sources = cargo_home().map(|folder| folder.join("registry/src"));
    let entries = sources.and_then(|folder| fs::read_dir(folder).ok());
    let mut registries: Vec<_> =
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    registries.sort();
    registries
}

/// How everything that is released is compiled. The flags are the same for all of it, or cargo would compile anew.
pub(super) fn compiled_privately(command: &mut Command) -> &mut Command {
    let mut flags: Vec<String> = match (env::var("CARGO_ENCODED_RUSTFLAGS"), env::var("RUSTFLAGS"))
    {
        (Ok(given), _) => given.split(SEPARATOR).map(str::to_owned).collect(),
        (_, Ok(given)) => given.split_whitespace().map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    flags.retain(|flag| !flag.is_empty());
    // Of those that match, rustc takes the last.
    let remapped = folders().into_iter();
    flags.extend(remapped.map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())));
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR))
}

/// The folders of this machine that are looked for. A name like `/src` is part of others, and tells nothing.
pub(super) fn telling_folders() -> Vec<String> {
    let telling = folders().into_iter().filter(|(folder, _)| folder.components().count() > 2);
    telling.map(|(folder, _)| folder.display().to_string()).collect()
}

/// Looks into these files, and into those inside of them, for the folders of this machine; tells which were looked for.
pub(super) fn check(place: &Place, files: &[PathBuf]) -> Result<Vec<String>, String> {
    let folders = telling_folders();
    search(place, files, &folders)?;
    Ok(folders)
}

/// An error if one of these texts is in one of these files, or inside of it.
fn search(place: &Place, files: &[PathBuf], folders: &[String]) -> Result<(), String> {
    for file in files {
        let unpacked = place.empty("unpacked")?;
        let inside = match file.extension().and_then(|e| e.to_str()) {
            Some("gz" | "crate") => {
                succeed(&mut archive::unpacking(file, &unpacked))?;
                archive::files(&unpacked)?
            }
            Some("whl") => {
                let mut python = trial::command_without_rust("python3", &unpacked)?;
                succeed(python.args(["-m", "zipfile", "-e"]).arg(file).arg(&unpacked))?;
                archive::files(&unpacked)?
            }
            _ => vec![file.clone()],
        };
        if inside.is_empty() {
            return Err(format!("{}: nothing in it", file.display()));
        }
        for path in inside {
            if let Some(folder) = folders.iter().find(|folder| holds(&path, folder)) {
                let within = path.strip_prefix(&unpacked).unwrap_or(&path);
                let (file, within) = (archive::name(file), within.display());
                return Err(format!(
                    "{file}: {within} tells of {folder}, a folder of this machine"
                ));
            }
        }
    }
    Ok(())
}

/// Whether a text is anywhere in a file.
fn holds(path: &Path, text: &str) -> bool {
    let text = text.as_bytes();
    // A link that leads nowhere holds nothing.
    fs::read(path).is_ok_and(|bytes| bytes.windows(text.len()).any(|window| window == text))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::{compiled_privately, search};
    use crate::dist::{Place, archive};
    use crate::machine::{root, succeed};

    #[test]
    fn the_folders_of_this_machine_are_found_wherever_they_are() {
        let scratch = std::env::temp_dir().join(format!("polhode-privacy-{}", std::process::id()));
        let place = Place {
            dist: scratch.join("d"),
            scratch: scratch.join("s"),
            target: scratch.join("t"),
        };
        let folder = scratch.join("folder");
        let write = |text: &str| {
            archive::write(&folder.join("deep/file"), text).unwrap();
            let packed = scratch.join("some.tar.gz");
            let mut tar = Command::new("tar");
            succeed(tar.arg("-czf").arg(&packed).arg("-C").arg(&folder).arg("deep")).unwrap();
            [packed, folder.join("deep/file")]
        };
        let folders = ["/home/me/clone".to_owned()];
        for file in write("\u{0}crates/polhode\u{0}") {
            assert_eq!(search(&place, &[file], &folders), Ok(()));
        }
        for file in write("\u{0}rs/home/me/clone/crates\u{0}") {
            let found = search(&place, &[file], &folders);
            assert!(found.is_err_and(|e| e.contains("/home/me/clone, a folder of this machine")));
        }
        fs::remove_dir_all(scratch).unwrap();
    }

    #[test]
    fn the_compiler_is_told_to_write_other_folders() {
        let mut command = Command::new("cargo");
        let (_, flags) = compiled_privately(&mut command).get_envs().next().unwrap();
        let flags = flags.unwrap().display().to_string();
        assert!(flags.contains(&format!("--remap-path-prefix={}=/polhode", root().display())));
    }
}
