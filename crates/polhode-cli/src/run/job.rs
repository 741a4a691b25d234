//! What a run is, apart from how far it has come.

use std::path::{self, Path, PathBuf};

use polhode::Scenario;

use super::checkpoint::Checkpoint;
use crate::attitude::AttitudeFormat;
use crate::failure::Failure;
use crate::output::part;

/// A scenario and where its results go.
pub(super) struct Job {
    pub(super) scenario: Scenario,
    /// As absolute paths, so that a run can be resumed from another folder.
    pub(super) files: Vec<PathBuf>,
    pub(super) attitude: AttitudeFormat,
    pub(super) degrees: bool,
    pub(super) saving: Saving,
}

/// When the run is saved, and where.
pub(super) struct Saving {
    /// Saved here while it goes on. None: only when interrupted, wherever there is a place then.
    pub(super) path: Option<PathBuf>,
    /// After so many steps; once a minute if there is no such number.
    pub(super) every: Option<u64>,
}

impl Job {
    pub(super) fn new(
        scenario: Scenario,
        files: Vec<PathBuf>,
        attitude: AttitudeFormat,
        degrees: bool,
        saving: Saving,
    ) -> Result<Self, Failure> {
        let files = files.into_iter().map(|file| absolute(&file)).collect::<Result<Vec<_>, _>>()?;
        for (i, file) in files.iter().enumerate() {
            if files[..i].contains(file) {
                return Err(Failure::Input(format!("--out: {}: given twice", file.display())));
            }
        }
        if let Some(path) = &saving.path {
            let path = absolute(path)?;
            if files.iter().any(|file| path == *file || path == part(file)) {
                return Err(Failure::Input(format!(
                    "--checkpoint: {}: the trajectory goes there; choose another name",
                    path.display()
                )));
            }
        }
        Ok(Self { scenario, files, attitude, degrees, saving })
    }

    /// The run a checkpoint was taken of; it is saved to the same file.
    pub(super) fn resumed(checkpoint: &Checkpoint, path: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let scenario = checkpoint
            .scenario()
            .map_err(|e| refuse(format!("the scenario in it cannot be run: {e}")))?;
        let attitude = checkpoint
            .attitude
            .parse()
            .map_err(|e| refuse(format!("attitude = '{}': {e}", checkpoint.attitude)))?;
        Ok(Self {
            scenario,
            files: checkpoint.outputs.iter().map(|output| output.file.clone()).collect(),
            attitude,
            degrees: checkpoint.degrees,
            saving: Saving { path: Some(path.to_owned()), every: checkpoint.save_every },
        })
    }
}

/// The same for every way to write it, as far as its folder exists.
fn absolute(file: &Path) -> Result<PathBuf, Failure> {
    let refuse = |why: String| Failure::Input(format!("'{}': {why}", file.display()));
    let mut absolute = path::absolute(file).map_err(|e| refuse(e.to_string()))?;
    if let (Some(folder), Some(name)) = (absolute.parent(), absolute.file_name())
        && let Ok(folder) = folder.canonicalize()
    {
        absolute = folder.join(name);
    }
    match absolute.to_str() {
        Some(_) => Ok(absolute),
        None => Err(refuse("its whole path must be UTF-8, as checkpoints are".to_owned())),
    }
}
