//! What a run is, apart from how far it has come.

use std::path::{Path, PathBuf};

use polhode_scenario::Scenario;

use super::checkpoint::Checkpoint;
use crate::attitude::AttitudeFormat;
use crate::failure::Failure;
use crate::output::{Provenance, absolute, distinct, is_standard, part};

/// A scenario and where its results go.
pub(super) struct RunJob {
    pub(super) scenario: Scenario,
    /// As absolute paths, so that a run can be resumed from another folder.
    pub(super) files: Vec<PathBuf>,
    pub(super) attitude: AttitudeFormat,
    pub(super) degrees: bool,
    pub(super) saving: SavePlan,
}

/// When the run is saved, and where.
pub(super) struct SavePlan {
    /// Saved here while it goes on. None: only when interrupted, wherever there is a place then.
    pub(super) path: Option<PathBuf>,
    /// After so many steps; once a minute if there is no such number.
    pub(super) every: Option<u64>,
}

impl RunJob {
    pub(super) fn new(
        scenario: Scenario,
        files: &[PathBuf],
        attitude: AttitudeFormat,
        degrees: bool,
        saving: SavePlan,
    ) -> Result<Self, Failure> {
        let files = files.iter().map(|file| storable(file)).collect::<Result<Vec<_>, _>>()?;
        let files = distinct(&files)?;
        if let Some(path) = &saving.path {
            apart(path, &files)?;
        }
        Ok(Self { scenario, files, attitude, degrees, saving })
    }

    /// How its files are made, as a JSON document.
    pub(super) fn meta(&self) -> String {
        let Self { attitude, degrees, .. } = *self;
        Provenance { attitude, degrees, ..Provenance::of(&self.scenario) }.document()
    }

    /// Whether a table goes to standard output.
    pub(super) fn writes_rows(&self) -> bool {
        self.files.iter().any(|file| is_standard(file))
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
            saving: SavePlan { path: Some(path.to_owned()), every: checkpoint.save_every },
        })
    }
}

/// The file as an absolute path that a checkpoint can hold.
fn storable(file: &Path) -> Result<PathBuf, Failure> {
    let absolute = absolute(file)?;
    match absolute.to_str() {
        Some(_) => Ok(absolute),
        None => Err(Failure::Input(format!(
            "'{}': its whole path must be UTF-8, as checkpoints are",
            file.display()
        ))),
    }
}

/// Checks that a checkpoint is not one of these files, which are absolute paths.
pub(crate) fn apart(checkpoint: &Path, files: &[PathBuf]) -> Result<(), Failure> {
    let path = storable(checkpoint)?;
    if files.iter().any(|file| path == *file || path == part(file)) {
        return Err(Failure::Input(format!(
            "--checkpoint: {}: the trajectory goes there; choose another name",
            path.display()
        )));
    }
    Ok(())
}
