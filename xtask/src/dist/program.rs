//! The program: one file that needs no other, with manual, completions, scenarios and examples beside it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::archive::Product;
use super::sbom::Kind;
use super::{PartResult, Place, archive, privacy, tools, trial};
use crate::machine::{command, output, root, succeed};
use crate::suites::Tool;

/// On Linux for x86-64 it is static, and runs on every distribution; elsewhere it is what cargo makes.
const STATIC: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

pub(super) const NEEDS: &[&Tool] = if STATIC { &[&tools::X86_64_MUSL] } else { &[] };

const PRODUCT: Product = Product { name: "polhode", package: "polhode-cli", kind: Kind::Program };

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let target = if STATIC { "x86_64-unknown-linux-musl".to_owned() } else { host()? };
    // Here the part `aarch64` compares bits: what it needs is built along, with the same library.
    let examples: &[&str] = if STATIC { &[super::bits::EXAMPLE] } else { &[] };
    let program = build(place, &target, examples)?;
    let archive = pack(place, &target, &program, &[&program])?;
    let mut notes = vec![installed(place, &archive, &[])?];
    notes.extend(trial::follow_readme(place, &archive, &[], &trial::readme_block("sh", "")?)?);
    Ok(PartResult { count: 1, notes })
}

/// Unpacks an archive and runs what is in it, after these words; says how long that took.
pub(super) fn installed(place: &Place, archive: &Path, before: &[&Path]) -> Result<String, String> {
    let start = Instant::now();
    let unpacked = trial::unpack(place, "program", archive)?;
    let unpacking = start.elapsed();
    trial::documents(&unpacked, &PRODUCT)?;
    for file in [
        "man/man1/polhode-run.1",
        "polhode/scenarios/dzhanibekov.toml",
        "polhode/examples/trajectories/tumbling-gyro.csv",
    ] {
        if !unpacked.join("share").join(file).is_file() {
            return Err(format!("{}: share/{file} is not in it", archive.display()));
        }
    }
    let program = unpacked.join("bin").join(executable("polhode"));
    let first = trial::first_run(place, &[before, &[&program]].concat())?;
    Ok(format!(
        "{}, {}: unpacked and first result in {}",
        archive::name(archive),
        archive::size(archive),
        trial::seconds(unpacking + first)
    ))
}

/// Builds the program, and with it these examples of the library: together the library is compiled once.
pub(super) fn build(place: &Place, target: &str, examples: &[&str]) -> Result<PathBuf, String> {
    let mut build = command(&["cargo", "build", "--release", "--package", "polhode-cli"]);
    build.args(["--bin", "polhode", "--target", target]);
    if !examples.is_empty() {
        build.args(["--package", "polhode"]);
    }
    for example in examples {
        build.args(["--example", example]);
    }
    build.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
    succeed(with_linker(privacy::compiled_privately(&mut build)))?;
    Ok(place.target.join(target).join("release").join(executable("polhode")))
}

/// An example that was built with the program.
pub(super) fn example(program: &Path, name: &str) -> PathBuf {
    program.with_file_name("examples").join(executable(name))
}

fn executable(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
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
    program: &Path,
    line: &[&Path],
) -> Result<PathBuf, String> {
    let folder = place.empty(&PRODUCT.stem(target))?;
    let printed = |arguments: &[&str]| {
        let mut program = Command::new(line[0]);
        output(program.args(&line[1..]).args(arguments))
    };
    archive::copy(program, &folder.join("bin").join(archive::name(program)))?;
    let share = folder.join("share");
    archive::write(&share.join("man/man1/polhode.1"), printed(&["man"])?)?;
    for command in commands(&printed(&["--help"])?) {
        let page = share.join(format!("man/man1/polhode-{command}.1"));
        archive::write(&page, printed(&["man", &command])?)?;
    }
    for (shell, file) in [
        ("bash", "bash-completion/completions/polhode"),
        ("zsh", "zsh/site-functions/_polhode"),
        ("fish", "fish/vendor_completions.d/polhode.fish"),
        ("powershell", "polhode/completions/_polhode.ps1"),
    ] {
        archive::write(&share.join(file), printed(&["completions", shell])?)?;
    }
    for folder in ["scenarios", "examples/trajectories"] {
        archive::copy(&root().join(folder), &share.join("polhode").join(folder))?;
    }
    archive::pack(place, &PRODUCT, target, &folder)
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

/// The target of what other programs load, on this system: on Linux those have glibc.
pub(super) fn target_of_libraries() -> Result<String, String> {
    if cfg!(target_os = "linux") {
        return Ok(format!("{}-unknown-linux-gnu", std::env::consts::ARCH));
    }
    host()
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
        let help = "About.\n\nUsage: polhode <COMMAND>\n\nCommands:\n  free      Where it is:\n              at any time\n\
                    \x20 run       More\n  help      Help\n\nOptions:\n  -h  Help\n";
        assert_eq!(commands(help), ["free", "run"]);
    }
}
