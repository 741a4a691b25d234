//! The drivers in Fortran, compiled if there is a compiler.

use std::path::Path;
use std::process::Command;

use crate::claim::Claims;
use crate::{Context, ExperimentError, files};

/// The sources in the order in which they depend on each other: the drivers and the module of the C
/// library's crate.
const SOURCES: [(&str, &str); 5] = [
    ("driver_files.f90", include_str!("../../fortran/driver_files.f90")),
    ("driver_example0.f90", include_str!("../../fortran/driver_example0.f90")),
    ("driver_example1.f90", include_str!("../../fortran/driver_example1.f90")),
    ("driver_example2.f90", include_str!("../../fortran/driver_example2.f90")),
    ("polhode.f90", include_str!("../../fortran/polhode.f90")),
];

const COMPILER: &str = "gfortran";

/// What came of compiling.
enum CompilerOutcome {
    /// By this version, and without a word.
    Clean(String),
    /// What the compiler says.
    Complaint(String),
    /// There is no compiler.
    No,
}

pub(super) fn claim(claims: &mut Claims, context: &Context<'_>) -> Result<(), ExperimentError> {
    const CLAIM: &str = "the package is compatible with FORTRAN 95 compilers (f95, g95, gfortran)";
    const EXPECTED: &str = "compiles without a warning";
    let note = "the three drivers and the module with the interfaces, as they are in the C library's crate: \
                the package's own sources are not printed. The routines they call, frb_step and quat_step, \
                are those of that library, whose tests link and run the drivers";
    let folder = context.out.join("fortran");
    let compiled = compile(&folder);
    // What the compiler leaves behind is of no use without the library.
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|source| ExperimentError::File { path: folder.clone(), source })?;
    }
    match compiled? {
        CompilerOutcome::Clean(version) => {
            let measured = format!("{} files by {version}", SOURCES.len());
            claims.check(CLAIM, EXPECTED, measured, true, note);
        }
        CompilerOutcome::Complaint(words) => claims.check(CLAIM, EXPECTED, words, false, note),
        CompilerOutcome::No => {
            claims.untested(CLAIM, EXPECTED, format!("there is no {COMPILER} here"), note);
        }
    }
    Ok(())
}

fn compile(folder: &Path) -> Result<CompilerOutcome, ExperimentError> {
    let Ok(version) = Command::new(COMPILER).arg("--version").output() else {
        return Ok(CompilerOutcome::No);
    };
    for (name, text) in SOURCES {
        files::write(&folder.join(name), text)?;
    }
    let output = Command::new(COMPILER)
        .args(["-std=f2018", "-Wall", "-Wextra", "-c"])
        .args(SOURCES.map(|s| s.0))
        .current_dir(folder)
        .output()
        .map_err(|source| ExperimentError::File { path: COMPILER.into(), source })?;
    let words = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && words.is_empty() {
        let version = String::from_utf8_lossy(&version.stdout);
        return Ok(CompilerOutcome::Clean(version.lines().next().unwrap_or(COMPILER).to_owned()));
    }
    let lines = words.lines().map(str::trim).filter(|l| !l.is_empty());
    Ok(CompilerOutcome::Complaint(lines.take(6).collect::<Vec<_>>().join(" ")))
}
