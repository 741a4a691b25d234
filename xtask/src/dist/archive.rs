//! Archives, the same bytes whenever they are made from the same files.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use super::{Place, done, output};
use crate::machine::root;

/// What every archive has at its top.
const TOP: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Packs this folder of the scratch place as `NAME.tar.gz`, with README and licences.
pub(super) fn pack(place: &Place, folder: &Path) -> Result<PathBuf, String> {
    for file in TOP {
        copy(&root().join(file), &folder.join(file))?;
    }
    let name = folder.file_name().unwrap_or_default();
    let parent = folder.parent().unwrap_or(folder);
    let archive = place.dist.join(format!("{}.tar.gz", name.display()));
    let mut tar = Command::new("tar");
    // Neither order nor times nor owners of this machine, nor the time of packing. Other tars than GNU's do not know
    // these.
    if output(Command::new("tar").arg("--version"))?.contains("GNU") {
        tar.args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"]);
        tar.arg("--use-compress-program=gzip -n");
    } else {
        tar.arg("-z");
    }
    done(tar.arg("-cf").arg(&archive).arg("-C").arg(parent).arg(name))?;
    Ok(archive)
}

/// The command that unpacks an archive into a folder.
pub(super) fn unpacking(archive: &Path, folder: &Path) -> Command {
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive).arg("-C").arg(folder);
    tar
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
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
    }
    Ok(digits)
}

/// The size of a file, in words.
pub(super) fn size(path: &Path) -> String {
    let bytes = fs::metadata(path).map_or(0, |m| m.len());
    format!("{:.2} MB", bytes as f64 / 1e6)
}
