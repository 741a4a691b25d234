//! What a release consists of: the components of what was compiled, and the checksums of everything.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Made, Place, VERSION, archive, sbom};

/// The name of the list; `sha256sum --check` reads it.
const CHECKSUMS: &str = "SHA256SUMS";

/// What is compiled, and the crate that it is made from.
const COMPILED: [(&str, &str); 3] =
    [("polhode", "polhode-cli"), ("polhode-python", "polhode-python"), ("libpolhode", "polhode-c")];

pub(super) fn make(place: &Place) -> Result<Made, String> {
    let metadata = sbom::metadata()?;
    for (name, package) in COMPILED {
        let document = sbom::document(&metadata, package)?;
        let text = serde_json::to_string_pretty(&document).map_err(|e| e.to_string())?;
        archive::write(&place.dist.join(format!("{name}-{VERSION}.cdx.json")), text + "\n")?;
    }
    let mut files = Vec::new();
    collect(&place.dist, &mut files)?;
    files.retain(|file| file.file_name().is_some_and(|name| name != CHECKSUMS));
    files.sort();
    let mut list = String::new();
    for file in &files {
        let name = file.strip_prefix(&place.dist).unwrap_or(file);
        let name =
            name.components().map(|c| c.as_os_str().display().to_string()).collect::<Vec<_>>();
        list.extend([&archive::checksum(file)?, "  ", &name.join("/"), "\n"]);
    }
    archive::write(&place.dist.join(CHECKSUMS), &list)?;
    let notes = vec![format!("{CHECKSUMS}: {} files", files.len())];
    Ok(Made { count: COMPILED.len() + 1, notes })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
