//! Archives, the same bytes whenever they are made from the same files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::sbom::Kind;
use super::{Place, licenses, sbom};
use crate::machine::{output, root, succeed};
use crate::metadata::{PackageContents, VERSION};

/// What an archive is made of.
pub(super) struct Product {
    /// How its names begin.
    pub(super) name: &'static str,
    /// The package that is compiled.
    pub(super) package: &'static str,
    pub(super) kind: Kind,
}

impl Product {
    /// The name of its archive, without an extension.
    pub(super) fn stem(&self, target: &str) -> String {
        format!("{}-{VERSION}-{target}", self.name)
    }

    /// Where its documents are: products may be unpacked into one folder.
    pub(super) fn documents(&self) -> String {
        format!("share/doc/{}", self.name)
    }

    /// Writes the list of its components into this folder, and gives what is compiled into it.
    pub(super) fn list(
        &self,
        folder: &Path,
        target: &str,
    ) -> Result<(PathBuf, PackageContents), String> {
        let compiled = PackageContents::into_package(self.package, target)?;
        let path = folder.join(format!("{}.cdx.json", self.stem(target)));
        write(&path, sbom::document(&compiled, self.kind)?)?;
        Ok((path, compiled))
    }
}

/// Packs this folder, which has the name of the archive, with documents and licences; lists its components beside.
pub(super) fn pack(
    place: &Place,
    product: &Product,
    target: &str,
    folder: &Path,
) -> Result<PathBuf, String> {
    let (_, compiled) = product.list(&place.dist, target)?;
    let documents = folder.join(product.documents());
    for file in ["CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(file), &documents.join(file))?;
    }
    let readme = root().join("crates").join(product.package).join("README.md");
    copy(&readme, &documents.join("README.md"))?;
    write(&documents.join(licenses::FILE), licenses::text(&compiled, target)?)?;
    packed(place, folder)
}

/// Packs this folder as it is.
pub(super) fn packed(place: &Place, folder: &Path) -> Result<PathBuf, String> {
    let parent = folder.parent().unwrap_or(folder);
    let archive = place.dist.join(format!("{}.tar.gz", name(folder)));
    let mut tar = Command::new("tar");
    // Neither order nor times nor owners of this machine, nor the time of packing. Other tars than GNU's do not know
    // these.
    if output(Command::new("tar").arg("--version"))?.contains("GNU") {
        tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg("--use-compress-program=gzip -n");
    } else {
        tar.arg("-z");
    }
    succeed(tar.arg("-cf").arg(&archive).arg("-C").arg(parent).arg(name(folder)))?;
    Ok(archive)
}

/// The command that unpacks an archive into a folder.
pub(super) fn unpacking(archive: &Path, folder: &Path) -> Command {
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive).arg("-C").arg(folder);
    tar
}

/// The name of a file, without its folder.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().display().to_string()
}

/// All files below a folder, links to files among them, in order.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Copies a file, or a folder with all that is in it, and makes the folders it goes to.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("{}: {e}", from.display());
    if from.is_dir() {
        for entry in fs::read_dir(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    write_with(to, |to| fs::copy(from, to).map(|_| ()))
}

/// Writes a file, and makes its folders.
pub(super) fn write(to: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    write_with(to, |to| fs::write(to, text))
}

fn write_with(to: &Path, write: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<(), String> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| write(to)).map_err(|e| format!("{}: {e}", to.display()))
}

/// SHA-256 of a file in hexadecimal digits.
pub(super) fn checksum(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(sha256(&bytes))
}

/// SHA-256 in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// The size of a file, in words.
pub(super) fn size(path: &Path) -> String {
    let bytes = fs::metadata(path).map_or(0, |m| m.len());
    format!("{:.2} MB", bytes as f64 / 1e6)
}
