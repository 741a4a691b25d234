//! How far an ensemble has come: blocks of bodies that are done, and what was seen of them.
//!
//! The form is that of the checkpoint of a run: a line with format, version and SHA-256, then JSON.

use std::path::{Path, PathBuf};
use std::{fs, io};

use polhode_scenario::EnsembleScenario;
use serde::{Deserialize, Serialize};

use super::statistics::MomentsWords;
use crate::checksum::checksum;
use crate::failure::Failure;
use crate::output::{PartMark, absolute};
use crate::sealed;

const FORMAT: &str = "polhode-ensemble";
const VERSION: &str = "1";

/// An ensemble, saved between two blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EnsembleCheckpoint {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) overrides: Vec<String>,
    pub(super) threads: Option<u16>,
    pub(super) skip_bad: bool,
    pub(super) outputs: Vec<(PathBuf, PartMark)>,
    /// Bodies done.
    pub(super) bodies: u64,
    pub(super) failed: u64,
    pub(super) first_failure: Option<String>,
    pub(super) statistics: Vec<MomentsWords>,
    /// Of the sessions so far.
    pub(super) wall_seconds: f64,
}

impl EnsembleCheckpoint {
    /// Of an ensemble of which no body is done.
    pub(super) fn new(
        scenario: &EnsembleScenario,
        threads: Option<u16>,
        skip_bad: bool,
    ) -> Result<Self, Failure> {
        Ok(Self {
            name: absolute(Path::new(&scenario.name))?.display().to_string(),
            text: scenario.text.clone(),
            overrides: scenario.overrides.clone(),
            threads,
            skip_bad,
            outputs: Vec::new(),
            bodies: 0,
            failed: 0,
            first_failure: None,
            statistics: Vec::new(),
            wall_seconds: 0.0,
        })
    }

    /// Whether a file begins as one.
    pub(super) fn is_one(path: &Path) -> bool {
        sealed::is_of(FORMAT, path)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let fail = |e: io::Error| Failure::file(path, "cannot save the ensemble", &e);
        let body = serde_json::to_vec(self).map_err(|e| fail(e.into()))?;
        sealed::write(path, FORMAT, VERSION, &body).map_err(fail)
    }

    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let bytes = fs::read(path).map_err(|e| refuse(format!("cannot be read: {e}")))?;
        let (heading, body) = sealed::parts(&bytes);
        match heading.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [FORMAT, VERSION, sum] if sum == checksum(body) => {}
            [FORMAT, VERSION, _] => {
                return Err(refuse(
                    "damaged: the contents do not fit their checksum; run the ensemble anew".into(),
                ));
            }
            _ => {
                return Err(refuse(format!(
                    "saved by another version: this program reads version {VERSION}; resume it with the program that \
                     wrote it"
                )));
            }
        }
        serde_json::from_slice(body).map_err(|e| refuse(format!("damaged: {e}")))
    }
}
