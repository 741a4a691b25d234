//! The C and Fortran library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::archive::Product;
use super::sbom::Kind;
use super::{PartResult, Place, archive, glibc, privacy, program, tools, trial};
use crate::install;
use crate::machine::{command, output, root, succeed};
use crate::metadata::root_file;
use crate::suites::{GCC, GFORTRAN, PKG_CONFIG, READELF, STRIP, Tool};

pub(super) const NEEDS: &[&Tool] = if cfg!(target_os = "linux") {
    &[&tools::ZIG, &tools::ZIGBUILD, &GCC, &GFORTRAN, &PKG_CONFIG, &READELF, &STRIP]
} else {
    &[]
};

const PRODUCT: Product = Product { name: "libpolhode", package: "polhode-c", kind: Kind::Library };

/// Of `docs`, what is about the library.
const DOCUMENTS: [&str; 2] = ["c-and-fortran.md", "drivers.md"];

/// The README's first result, in C.
const FIRST_RESULT: &str = r#"
#include <polhode.h>
#include <stdio.h>

int main(void)
{
    const double inertia[3] = {3, 8, 11}, omega[3] = {0.01, 12, 0};
    polhode_body *body;
    polhode_free_motion *motion;
    polhode_free_motion_properties found;

    if (polhode_body_new(inertia, 3, 0, &body) != POLHODE_OK
        || polhode_free_motion_from_omega(body, omega, NULL, &motion) != POLHODE_OK
        || polhode_free_motion_describe(motion, &found) != POLHODE_OK) {
        fprintf(stderr, "%s\n", polhode_last_error_message());
        return 1;
    }
    printf("flips every %.4f s\n", found.period / 2);
    polhode_free_motion_free(motion);
    polhode_body_free(body);
    return 0;
}
"#;

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let target = program::target_of_libraries()?;
    let built = build(place, &target)?;
    let folder = place.empty(&PRODUCT.stem(&target))?;
    // Wherever it is unpacked, pkg-config finds it by the place of its own file.
    install::copy(&built, &folder, "${pcfiledir}/../..").map_err(|e| e.to_string())?;
    archive::copy(
        &root().join("crates/polhode-c/examples"),
        &folder.join("share/polhode/examples"),
    )?;
    for file in DOCUMENTS {
        let text = root_file(&format!("docs/{file}"))?;
        archive::write(&folder.join(PRODUCT.documents()).join(file), links_within(&text))?;
    }
    if cfg!(target_os = "linux") {
        glibc::check(&folder.join("lib/libpolhode.so"))?;
        // What debuggers would read is of the standard library alone.
        for file in ["libpolhode.so", "libpolhode.a"] {
            let mut strip = Command::new("strip");
            succeed(strip.arg("--strip-debug").arg(folder.join("lib").join(file)))?;
        }
    }
    let archive = archive::pack(place, &PRODUCT, &target, &folder)?;
    let (name, size) = (archive::name(&archive), archive::size(&archive));
    let start = Instant::now();
    let unpacked = trial::unpack(place, "c-library", &archive)?;
    trial::documents(&unpacked, &PRODUCT)?;
    let note = if cfg!(target_os = "linux") {
        first_result(place, &unpacked)?;
        let time = trial::seconds(start.elapsed());
        format!(
            "{name}, {size}: unpacked, C and Fortran linked shared and static, first result in {time}"
        )
    } else {
        format!("{name}, {size}: unpacked; no program was compiled with it on this system")
    };
    let mut notes = vec![note];
    let lines = trial::readme_block("sh", "cc -o program ")? + "./program";
    let user = [("program.c", FIRST_RESULT)];
    notes.extend(trial::follow_readme(place, &archive, &user, &lines)?);
    Ok(PartResult { count: 1, notes })
}

/// A text in Markdown without links to documents that do not go along: of those the words remain.
fn links_within(text: &str) -> String {
    let mut rest = text;
    let mut result = String::new();
    while let Some((before, after)) = rest.split_once("](") {
        let (link, behind) = after.split_once(')').unwrap_or((after, ""));
        let file = link.split('#').next().unwrap_or_default();
        rest = behind;
        if file.is_empty() || file.contains("://") || DOCUMENTS.contains(&file) {
            result.extend([before, "](", link, ")"]);
        } else {
            let (before, words) = before.rsplit_once('[').unwrap_or((before, ""));
            result.extend([before, words]);
        }
    }
    result + rest
}

/// Builds the libraries; gives the folder in which they are.
fn build(place: &Place, target: &str) -> Result<PathBuf, String> {
    if cfg!(target_os = "linux") {
        let mut zigbuild = tools::tool_command("cargo-zigbuild");
        zigbuild.args(["zigbuild", "--release", "--package", "polhode-c", "--target"]);
        // For every distribution since 2014, as the wheel.
        zigbuild.arg(format!("{target}.{}", glibc::OLDEST));
        succeed(privacy::compiled_privately(&mut zigbuild))?;
        return Ok(place.target.join(target).join("release"));
    }
    let mut build = command(&["cargo", "build", "--release", "--package", "polhode-c"]);
    succeed(privacy::compiled_privately(&mut build))?;
    Ok(place.target.join("release"))
}

/// Compiles and runs programs with what was unpacked, as its users do.
fn first_result(place: &Place, prefix: &Path) -> Result<(), String> {
    let user = User { folder: place.empty("c-program")?, prefix };
    archive::write(&user.folder.join("first.c"), FIRST_RESULT)?;
    let shared = user.flags(&["--cflags", "--libs"])?;
    let with_archive = user.flags(&["--cflags", "--static", "--libs"])?;
    // The static library, but the system's C library as it is.
    let mixed: Vec<_> =
        with_archive.iter().map(|flag| flag.replace("-lpolhode", "-l:libpolhode.a")).collect();
    let fully: Vec<_> = [&["-static".to_owned()], with_archive.as_slice()].concat();

    let expected = format!("flips every {} s\n", trial::FLIP);
    for (name, flags) in [("shared", &shared), ("mixed", &mixed), ("static", &fully)] {
        let printed = user.compiled("gcc", name, &["first.c".into()], flags)?;
        if printed != expected {
            return Err(format!("the {name} program in C prints {printed}"));
        }
    }

    let share = prefix.join("share/polhode");
    let in_c = [share.join("examples/c/heavy_top.c"), "-lm".into()];
    let in_c = rows(&user.compiled("gcc", "top", &in_c, &shared)?, "function ");
    let sources = [share.join("fortran/polhode.f90"), share.join("examples/fortran/heavy_top.f90")];
    for (name, flags) in [("fortran", &shared), ("fortran-static", &fully)] {
        let printed = user.compiled("gfortran", name, &sources, flags)?;
        if in_c.is_empty() || rows(&printed, "") != in_c {
            return Err(format!("{name}: other numbers than from C: {printed}"));
        }
    }
    Ok(())
}

/// The numbers in the lines that begin so.
fn rows(printed: &str, begin: &str) -> Vec<Vec<f64>> {
    let lines = printed.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.strip_prefix(begin))
        .map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()).collect())
        .collect()
}

/// Who has unpacked the library there, and writes programs in a folder of their own.
struct User<'a> {
    folder: PathBuf,
    prefix: &'a Path,
}

impl User<'_> {
    /// What pkg-config says.
    fn flags(&self, options: &[&str]) -> Result<Vec<String>, String> {
        let mut query = trial::command_without_rust("pkg-config", &self.folder)?;
        query.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"));
        let text = output(query.args(options).arg("polhode"))?;
        Ok(text.split_whitespace().map(str::to_owned).collect())
    }

    /// Compiles a program of this name and runs it; gives what it prints.
    fn compiled(
        &self,
        compiler: &str,
        name: &str,
        sources: &[PathBuf],
        flags: &[String],
    ) -> Result<String, String> {
        let mut compiler = trial::command_without_rust(compiler, &self.folder)?;
        compiler.args(["-O2", "-ffp-contract=off", "-o", name]).args(sources).args(flags);
        // What is linked in full tells of functions that need shared libraries, of which none is called.
        output(&mut compiler)?;
        let mut program = trial::command_without_rust(self.folder.join(name), &self.folder)?;
        output(program.env("LD_LIBRARY_PATH", self.prefix.join("lib")))
    }
}

#[cfg(test)]
mod tests {
    use super::{links_within, rows};

    #[test]
    fn of_links_that_lead_out_the_words_remain() {
        let text = "[a](drivers.md), [b](notation.md#x) and [c](https://d.invalid) or [e](#f).";
        let within = "[a](drivers.md), b and [c](https://d.invalid) or [e](#f).";
        assert_eq!(links_within(text), within);
    }

    #[test]
    fn numbers_of_both_languages_are_read() {
        let in_c = "# t\nmodel 1\nfunction 2.5 -0.5\n";
        assert_eq!(rows(in_c, "function "), [[2.5, -0.5]]);
        assert_eq!(rows("# t\n  2.5000E+000 -5.0000E-001\n", ""), [[2.5, -0.5]]);
    }
}
