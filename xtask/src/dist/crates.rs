//! The crates, as they are published: every one built from its package alone.

use std::fs;

use serde_json::Value;

use super::{Made, Place, VERSION, archive, done, output, trial};
use crate::machine::command;
use crate::suites::{FORGET_PACKAGES, PACKAGE_BUILD};

pub(super) fn make(place: &Place) -> Result<Made, String> {
    let published = published()?;
    done(&mut command(FORGET_PACKAGES.line))?;
    let mut package = command(&["cargo", "package", "--allow-dirty"]);
    for name in &published {
        package.args(["--package", name]);
    }
    done(package.envs(PACKAGE_BUILD.iter().copied()))?;

    let built = place.target.join("packages");
    let folder = place.dist.join("crates");
    let _ = fs::remove_dir_all(&folder);
    for name in &published {
        let file = format!("{name}-{VERSION}.crate");
        archive::copy(&built.join("package").join(&file), &folder.join(&file))?;
    }
    // Built from its package, so what `cargo install` gives: it has its scenarios.
    let program = built.join("debug").join(format!("polhode{}", std::env::consts::EXE_SUFFIX));
    trial::first_run(place, &[&program])?;
    let notes =
        vec![format!("{} built from their packages: {}", published.len(), published.join(", "))];
    Ok(Made { count: published.len(), notes })
}

/// The names of the crates that are published.
fn published() -> Result<Vec<String>, String> {
    let text = output(&mut command(&["cargo", "metadata", "--no-deps", "--format-version", "1"]))?;
    let document: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let packages = document["packages"].as_array().ok_or("cargo metadata: no packages")?;
    // Those that are not have an empty list of registries.
    let published = packages.iter().filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| Some(package["name"].as_str()?.to_owned())).collect())
}
