//! The program: one file that needs no other, with manual, completions and scenarios beside it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::{Made, Place, VERSION, archive, done, output, tools, trial};
use crate::machine::{command, root};
use crate::suites::Tool;

/// On Linux it is static, and runs on every distribution; elsewhere it is what cargo makes.
const STATIC: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

pub(super) const NEEDS: &[&Tool] = if STATIC { &[&tools::X86_64_MUSL] } else { &[] };

pub(super) fn make(place: &Place) -> Result<Made, String> {
    let target = if STATIC { "x86_64-unknown-linux-musl".to_owned() } else { host()? };
    let built = build(place, &target)?;
    let archive = pack(place, &target, &built, &[&built.program])?;
    Ok(Made { count: 1, notes: vec![installed(place, &archive, &[])?] })
}

/// Unpacks an archive and runs what is in it, after these words; says how long that took.
pub(super) fn installed(place: &Place, archive: &Path, before: &[&Path]) -> Result<String, String> {
    let start = Instant::now();
    let unpacked = trial::unpack(place, "program", archive)?;
    let unpacking = start.elapsed();
    for file in ["share/man/man1/polhode-run.1", "share/polhode/scenarios/dzhanibekov.toml"] {
        if !unpacked.join(file).is_file() {
            return Err(format!("{}: {file} is not in it", archive.display()));
        }
    }
    let program = unpacked.join("bin").join(format!("polhode{}", std::env::consts::EXE_SUFFIX));
    let first = trial::first_run(place, &[before, &[&program]].concat())?;
    Ok(format!(
        "{}, {}: unpacked and first result in {}",
        archive.file_name().unwrap_or_default().display(),
        archive::size(archive),
        trial::seconds(unpacking + first)
    ))
}

/// What was built for a target.
pub(super) struct Built {
    pub(super) program: PathBuf,
    /// Prints the reference cases to the bit.
    pub(super) bits: PathBuf,
}

/// Builds the program, and with it what prints bits: together the library is compiled once.
pub(super) fn build(place: &Place, target: &str) -> Result<Built, String> {
    let mut build = command(&[
        "cargo",
        "build",
        "--release",
        "--package",
        "polhode-cli",
        "--package",
        "polhode",
        "--bin",
        "polhode",
        "--example",
        "reference_bits",
        "--target",
    ]);
    build.arg(target).env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    done(with_linker(&mut build))?;
    let folder = place.target.join(target).join("release");
    let executable = |name: &str| format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(Built {
        program: folder.join(executable("polhode")),
        bits: folder.join("examples").join(executable("reference_bits")),
    })
}

/// What cargo needs to know to link and run for aarch64 on another processor: rustc brings linker and C library.
pub(super) fn with_linker(command: &mut Command) -> &mut Command {
    let variable = |name: &str| format!("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_{name}");
    command.env(variable("LINKER"), "rust-lld").env(variable("RUNNER"), "qemu-aarch64-static")
}

/// Packs a program; `line` runs it on this machine.
pub(super) fn pack(
    place: &Place,
    target: &str,
    built: &Built,
    line: &[&Path],
) -> Result<PathBuf, String> {
    let folder = place.empty(&format!("polhode-{VERSION}-{target}"))?;
    let said = |arguments: &[&str]| {
        let mut program = Command::new(line[0]);
        output(program.args(&line[1..]).args(arguments))
    };
    let name = built.program.file_name().unwrap_or_default();
    archive::copy(&built.program, &folder.join("bin").join(name))?;
    let share = folder.join("share");
    archive::write(&share.join("man/man1/polhode.1"), said(&["man"])?)?;
    for command in commands(&said(&["--help"])?) {
        let page = share.join(format!("man/man1/polhode-{command}.1"));
        archive::write(&page, said(&["man", &command])?)?;
    }
    for (shell, file) in [
        ("bash", "bash-completion/completions/polhode"),
        ("zsh", "zsh/site-functions/_polhode"),
        ("fish", "fish/vendor_completions.d/polhode.fish"),
        ("powershell", "polhode/completions/_polhode.ps1"),
    ] {
        archive::write(&share.join(file), said(&["completions", shell])?)?;
    }
    archive::copy(&root().join("scenarios"), &share.join("polhode/scenarios"))?;
    archive::pack(place, &folder)
}

/// The names in the list of commands of a help.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = listed.take_while(|line| !line.is_empty());
    // What a command does may go on in the next line, farther in.
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The target that rustc compiles for when none is named.
fn host() -> Result<String, String> {
    let text = output(&mut command(&["rustc", "-vV"]))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV tells no host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_read_from_the_help() {
        let help = "About.\n\nUsage: polhode <COMMAND>\n\nCommands:\n  free      Where it is:\n              at any time\n  run       More\n  help      Help\n\nOptions:\n  -h  Help\n";
        assert_eq!(commands(help), ["free", "run"]);
    }
}
