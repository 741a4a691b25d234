//! Files that are whole or not there.

use std::fs;
use std::path::Path;

use crate::ExperimentError;

/// Writes beside the place and moves into it: a file that is there is whole.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ExperimentError> {
    let refuse = |source| ExperimentError::File { path: path.into(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refuse)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    fs::write(&beside, text).map_err(refuse)?;
    fs::rename(&beside, path).map_err(refuse)
}

/// Makes a folder, with those above it, unless it is there.
pub(crate) fn make_folder(path: &Path) -> Result<(), ExperimentError> {
    if path.exists() && !path.is_dir() {
        return Err(ExperimentError::NotAFolder { path: path.into() });
    }
    fs::create_dir_all(path).map_err(|source| ExperimentError::File { path: path.into(), source })
}

pub(crate) fn read(path: &Path) -> Result<String, ExperimentError> {
    fs::read_to_string(path).map_err(|source| ExperimentError::File { path: path.into(), source })
}
