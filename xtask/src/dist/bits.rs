//! The program for aarch64, run here by an emulator, and its bits beside those of x86-64.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::{PartResult, Place, privacy, program, tools};
use crate::machine::{command, output, succeed};
use crate::suites::Tool;

const TARGET: &str = "aarch64-unknown-linux-musl";
const OTHER: &str = "x86_64-unknown-linux-musl";
const EMULATOR: &str = "qemu-aarch64-static";

/// Prints reference cases to the bit.
pub(super) const EXAMPLE: &str = "reference_bits";

/// What its lines begin with; together they are all of `oracle/`.
const FUNCTIONS: [&str; 7] =
    ["free", "heavy-top", "coulomb-wall", "special", "elliptic", "free-tangent", "torqued-tangent"];

pub(super) const NEEDS: &[&Tool] = &[&tools::X86_64_MUSL, &tools::AARCH64_MUSL, &tools::QEMU];

/// What is computed on both, each to files: ensembles free and torqued, in lanes and to a tolerance; runs with a
/// torque, in steps and to a tolerance; a free run in steps.
const RUNS: [&str; 6] = [
    "ensemble tumbling-debris --set bodies.count=300 --out debris.npz --out debris.csv",
    "ensemble satellites --out satellites.npz",
    "ensemble rotating-field --set bodies.count=40 --out field.csv",
    "run heavy-top-small --until 20 --out top.csv --out top.svg",
    "run solved-top --out solved.npz",
    "run dzhanibekov --out handle.csv",
];

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let emulator = Path::new(EMULATOR);
    let here = program::build(place, OTHER, &[EXAMPLE])?;
    let there = program::build(place, TARGET, &[EXAMPLE])?;
    let archive = program::pack(place, TARGET, &there, &[emulator, &there])?;
    let mut notes = vec![program::installed(place, &archive, &[emulator])?];

    let ours = output(&mut Command::new(program::example(&here, EXAMPLE)))?;
    let theirs = output(Command::new(EMULATOR).arg(program::example(&there, EXAMPLE)))?;
    equal("reference cases", ours.as_bytes(), theirs.as_bytes())?;
    notes.push(format!("equal bits on both, reference cases: {}", counts(&ours)?));

    let mut count = 2;
    for line in RUNS {
        let ours = files(place, "bits-here", &[&here], line)?;
        let theirs = files(place, "bits-there", &[emulator, &there], line)?;
        if !ours.keys().eq(theirs.keys()) {
            return Err(format!("`polhode {line}` writes other files on {TARGET}"));
        }
        for (name, bytes) in &ours {
            equal(&format!("`polhode {line}`: {name}"), bytes, &theirs[name])?;
        }
        let bytes: usize = ours.values().map(Vec::len).sum();
        notes.push(format!("equal bits on both: polhode {line} ({bytes} bytes)"));
        count += 1;
    }

    // The step for engines has its bits committed: here optimised, there in both ways. `test` has the other.
    for (target, profile) in [(OTHER, "release"), (TARGET, "dev"), (TARGET, "release")] {
        let mut test = command(&["cargo", "test", "--package", "polhode-step", "--test", "suite"]);
        test.args(["--profile", profile, "--target", target, "bits_are_the_committed_ones"]);
        succeed(program::with_linker(privacy::compiled_privately(&mut test)))?;
        notes.push(format!("committed bits of polhode-step: {target}, {profile}"));
        count += 1;
    }
    Ok(PartResult { count, notes })
}

/// How many lines there are of each function; an error if there is none of one.
fn counts(printed: &str) -> Result<String, String> {
    let count = |function: &str| {
        let of_it = |line: &&str| line.split(' ').next() == Some(function);
        match printed.lines().filter(of_it).count() {
            0 => Err(format!("{EXAMPLE} prints no case of `{function}`")),
            count => Ok(format!("{count} {function}")),
        }
    };
    let counts: Vec<_> = FUNCTIONS.into_iter().map(count).collect::<Result<_, _>>()?;
    Ok(counts.join(", "))
}

/// The files that a run writes, by name.
fn files(
    place: &Place,
    name: &str,
    program: &[&Path],
    line: &str,
) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let folder = place.empty(name)?;
    let mut command = Command::new(program[0]);
    output(command.args(&program[1..]).args(line.split(' ')).current_dir(&folder))?;
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries = fs::read_dir(&folder).map_err(failed)?;
    let read = |entry: std::io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name().display().to_string(), fs::read(entry.path())?))
    };
    let files: BTreeMap<_, _> = entries.map(read).collect::<Result<_, _>>().map_err(failed)?;
    if files.is_empty() { Err(format!("`polhode {line}` writes no files")) } else { Ok(files) }
}

fn equal(what: &str, ours: &[u8], theirs: &[u8]) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let at = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    Err(format!("{what}: differs between {OTHER} and {TARGET} from byte {at} on"))
}

#[cfg(test)]
mod tests {
    use super::{FUNCTIONS, counts, equal};

    #[test]
    fn a_function_without_a_case_is_told() {
        let printed: String = FUNCTIONS.map(|name| format!("{name} case 00 -> 00\n")).concat();
        assert!(counts(&printed).is_ok_and(|counts| counts.contains("1 elliptic, ")));
        let without = printed.replace("elliptic case", "other case");
        assert!(counts(&without).is_err_and(|e| e.contains("`elliptic`")));
        assert!(counts("").is_err());
    }

    #[test]
    fn the_first_byte_that_differs_is_told() {
        assert!(equal("x", b"abc", b"abc").is_ok());
        assert!(equal("x", b"abc", b"abd").is_err_and(|e| e.contains("byte 2")));
        assert!(equal("x", b"abc", b"abcd").is_err_and(|e| e.contains("byte 3")));
    }
}
