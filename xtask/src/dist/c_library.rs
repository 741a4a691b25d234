//! The C and Fortran library.

use std::path::Path;
use std::time::Instant;

use super::{Made, Place, VERSION, archive, done, output, tools, trial};
use crate::install;
use crate::machine::{command, root};
use crate::suites::{GCC, GFORTRAN, PKG_CONFIG, Tool};

pub(super) const NEEDS: &[&Tool] = if cfg!(target_os = "linux") {
    &[&tools::ZIG, &tools::ZIGBUILD, &GCC, &GFORTRAN, &PKG_CONFIG]
} else {
    &[]
};

/// The README's first result, in C.
const FIRST: &str = r#"
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

pub(super) fn make(place: &Place) -> Result<Made, String> {
    let (built, name) = if cfg!(target_os = "linux") {
        let target = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        let mut zigbuild = tools::tool_command("cargo-zigbuild");
        zigbuild.args(["zigbuild", "--release", "--package", "polhode-c", "--target"]);
        // For every distribution since 2014, as the wheel.
        done(zigbuild.arg(format!("{target}.2.17")))?;
        (place.target.join(&target).join("release"), target)
    } else {
        done(&mut command(&["cargo", "build", "--release", "--package", "polhode-c"]))?;
        let system = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
        (place.target.join("release"), system)
    };
    let folder = place.empty(&format!("libpolhode-{VERSION}-{name}"))?;
    // Wherever it is unpacked, pkg-config finds it by the place of its own file.
    install::copy(&built, &folder, "${pcfiledir}/../..").map_err(|e| e.to_string())?;
    for file in ["README.md", "examples"] {
        let to = folder.join("share/polhode").join(file);
        archive::copy(&root().join("crates/polhode-c").join(file), &to)?;
    }
    archive::copy(
        &root().join("docs/c-and-fortran.md"),
        &folder.join("share/polhode/c-and-fortran.md"),
    )?;
    let archive = archive::pack(place, &folder)?;
    let mut notes = Vec::new();
    if cfg!(target_os = "linux") {
        let start = Instant::now();
        let unpacked = trial::unpack(place, "c-library", &archive)?;
        first_result(place, &unpacked)?;
        notes.push(format!(
            "{}, {}: unpacked, compiled against (shared, static, Fortran) and first result in {}",
            archive.file_name().unwrap_or_default().display(),
            archive::size(&archive),
            trial::seconds(start.elapsed())
        ));
    }
    Ok(Made { count: 1, notes })
}

/// Compiles and runs programs with what was unpacked, as its users do.
fn first_result(place: &Place, prefix: &Path) -> Result<(), String> {
    let folder = place.empty("c-program")?;
    archive::write(&folder.join("first.c"), FIRST)?;
    let flags = |options: &[&str]| -> Result<Vec<String>, String> {
        let mut query = trial::command_without_rust("pkg-config", &folder)?;
        query.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
        let text = output(query.args(options).arg("polhode"))?;
        Ok(text.split_whitespace().map(str::to_owned).collect())
    };
    let run = |program: &str| {
        let mut program = trial::command_without_rust(folder.join(program), &folder)?;
        output(program.env("LD_LIBRARY_PATH", prefix.join("lib")))
    };
    let mut gcc = trial::command_without_rust("gcc", &folder)?;
    done(gcc.args(["-o", "shared", "first.c"]).args(flags(&["--cflags", "--libs"])?))?;
    let mut gcc = trial::command_without_rust("gcc", &folder)?;
    gcc.args(["-o", "static", "first.c"]).args(flags(&["--cflags"])?);
    done(gcc.arg(prefix.join("lib/libpolhode.a")).args(["-lm", "-lpthread", "-ldl"]))?;
    for program in ["shared", "static"] {
        let said = run(program)?;
        if said != format!("flips every {} s\n", trial::FLIP) {
            return Err(format!("the {program} program in C says {said}"));
        }
    }
    let mut gfortran = trial::command_without_rust("gfortran", &folder)?;
    let share = prefix.join("share/polhode");
    gfortran.args(["-O2", "-ffp-contract=off", "-o", "fortran"]);
    gfortran.arg(share.join("fortran/polhode.f90"));
    gfortran.arg(share.join("examples/fortran/heavy_top.f90"));
    done(gfortran.args(flags(&["--libs"])?))?;
    run("fortran").map(|_| ())
}
