//! The crates, as they are published: every one built from its package alone.

use std::fs;
use std::path::Path;

use super::{PartResult, Place, archive, privacy, trial};
use crate::machine::{command, succeed};
use crate::metadata::{VERSION, Workspace};

/// How packages are built: that they compile is the question, not how fast they are.
const PROFILE: [(&str, &str); 2] =
    [("CARGO_PROFILE_DEV_OPT_LEVEL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")];

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let workspace = Workspace::read()?;
    let published: Vec<_> = workspace.published().map(|package| package.text("name")).collect();
    let built = place.target.join("packages");
    forget(&built);
    let mut package = command(&["cargo", "package", "--allow-dirty"]);
    for name in &published {
        package.args(["--package", name]);
    }
    succeed(package.envs(PROFILE).env("CARGO_TARGET_DIR", &built))?;

    for name in &published {
        let file = format!("{name}-{VERSION}.crate");
        archive::copy(&built.join("package").join(&file), &place.dist.join(&file))?;
    }
    // Built from its package, so what `cargo install` gives: it has its scenarios.
    let program = built.join("debug").join(format!("polhode{}", std::env::consts::EXE_SUFFIX));
    trial::first_run(place, &[&program])?;
    let notes =
        vec![format!("{} built from their packages: {}", published.len(), published.join(", "))];
    Ok(PartResult { count: published.len(), notes })
}

/// Cargo unpacks and compiles packages once for each version, and would take what an earlier run has left.
fn forget(built: &Path) {
    let mut folders = vec![built.join("debug/.fingerprint")];
    folders.extend(privacy::unpacked_registries());
    for folder in folders {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if archive::name(&entry.path()).starts_with("polhode-") {
                // What cannot be removed is told by cargo.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}
