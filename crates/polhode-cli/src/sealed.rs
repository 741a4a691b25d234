//! Files that a later session goes on with: the first line has their format, its version and the SHA-256 of all that
//! comes after it.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use crate::checksum::checksum;
use crate::output::part;

/// Whether a file begins as one of that format.
pub(crate) fn is_of(format: &str, path: &Path) -> bool {
    let mut beginning = vec![0; format.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginning == format.as_bytes()
}

/// Writes it under a temporary name, makes sure it is on the disk, and renames.
pub(crate) fn write(path: &Path, format: &str, version: &str, body: &[u8]) -> io::Result<()> {
    let temporary = part(path);
    let write = || {
        let mut file = File::create(&temporary)?;
        writeln!(file, "{format} {version} {}", checksum(body))?;
        file.write_all(body)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // What is there of it is of no use; the file before it still is.
        let _ = fs::remove_file(&temporary);
    })
}

/// The words of the first line, and what comes after it.
pub(crate) fn parts(bytes: &[u8]) -> (Vec<String>, &[u8]) {
    let end = bytes.iter().position(|&b| b == b'\n').unwrap_or(bytes.len());
    let heading = String::from_utf8_lossy(&bytes[..end]);
    let words = heading.split(' ').map(str::to_owned).collect();
    (words, bytes.get(end + 1..).unwrap_or_default())
}
