//! Writes `docs/reproduction.md` from the claims beside the figures, or compares.

use std::path::{Path, PathBuf};

use polhode_experiments::{Claim, experiments, report};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn claims() -> Vec<Claim> {
    let text = std::fs::read_to_string(docs().join("figures/claims.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_document_is_up_to_date() {
    let claims = claims();
    for experiment in experiments() {
        let known = claims.iter().any(|c| c.figure == experiment.id);
        assert!(known, "no claims of {} in docs/figures", experiment.id);
    }
    let has_figure = |id: &str| docs().join("figures").join(format!("{id}.svg")).is_file();
    let text = polhode_testkit::markdown::wrap(&report(&claims, &has_figure));
    let path = docs().join("reproduction.md");
    if std::env::var_os("POLHODE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, text).unwrap();
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap();
    assert!(
        found == text,
        "docs/reproduction.md is out of date; `cargo xtask docs` writes it anew"
    );
}

#[test]
fn the_readme_counts_the_claims() {
    let readme = std::fs::read_to_string(docs().join("../README.md")).unwrap();
    let count = format!(" {} of their claims checked ", claims().len());
    assert!(readme.contains(&count), "README.md does not say{count}");
}

/// What is committed stays small; the largest are curves on spheres, to t = 100.
#[test]
fn figures_are_small() {
    for entry in std::fs::read_dir(docs().join("figures")).unwrap() {
        let entry = entry.unwrap();
        let size = entry.metadata().unwrap().len();
        assert!(size < 350_000, "{:?} has {size} bytes", entry.file_name());
    }
}
