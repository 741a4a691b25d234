//! How far a run has come, in a file: the scenario, the state, and what the method carries.
//!
//! The first line names the format, its version and the SHA-256 of everything after it; then comes
//! one JSON object. Doubles are kept as their bits, so nothing is rounded and a NaN stays one.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{self, Path, PathBuf};

use polhode::glam::{DQuat, DVec3};
use polhode::{Plan, State};
use polhode_scenario::{Scenario, ScenarioError, Steps};
use serde::{Deserialize, Serialize};

use crate::checksum::checksum;
use crate::ensemble;
use crate::failure::Failure;
use crate::output::{PartMark, part};
use crate::sealed;

const FORMAT: &str = "polhode-checkpoint";
const VERSION: &str = "1";

/// Larger files are no checkpoints: a scenario has at most a megabyte, its tables some tens,
/// everything else is small.
const MAX_BYTES: u64 = 100_000_000;

/// A quaternion is renormalised by every step; one this far from length 1 was never a result.
const NORM_TOLERANCE: f64 = 1e-6;

/// A run, saved after a step.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The program that wrote it.
    pub(super) program: String,
    pub(super) scenario_name: String,
    pub(super) scenario_text: String,
    pub(super) overrides: Vec<String>,
    pub(super) attitude: String,
    pub(super) degrees: bool,
    pub(super) save_every: Option<u64>,
    pub(super) outputs: Vec<SavedOutput>,
    /// All steps are done; files may have been renamed into place already.
    pub(super) finishing: bool,
    /// Steps done; of a solution, rows written.
    pub(super) step: u64,
    /// m, then q with the scalar first.
    pub(super) state: [u64; 7],
    pub(super) carried: Vec<u64>,
    /// Of energy, length of the momentum, momentum in space.
    pub(super) max_errors: [u64; 3],
    /// Of each condition that is watched, when it began to hold and ceased to.
    #[serde(default)]
    pub(super) windows: Vec<Vec<u64>>,
    pub(super) torque_evaluations: u64,
    pub(super) iterations: u64,
    pub(super) wall_seconds: f64,
}

/// A file of the run and how much of its spool belongs to the steps done.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOutput {
    pub(super) file: PathBuf,
    /// None if the file is complete.
    pub(super) mark: Option<PartMark>,
}

/// The numbers of a checkpoint, as doubles.
#[derive(Clone, Debug)]
pub(super) struct CheckpointNumbers {
    pub(super) state: State,
    pub(super) carried: Vec<f64>,
    pub(super) max_errors: [f64; 3],
}

impl CheckpointNumbers {
    /// As bits, in the order of the fields.
    fn bits(&self) -> ([u64; 7], Vec<u64>, [u64; 3]) {
        let [x, y, z] = self.state.m.to_array();
        let [a, b, c, d] = self.state.attitude();
        (
            [x, y, z, a, b, c, d].map(f64::to_bits),
            self.carried.iter().map(|x| x.to_bits()).collect(),
            self.max_errors.map(f64::to_bits),
        )
    }
}

impl Checkpoint {
    /// The run of a scenario, just begun.
    pub(super) fn new(scenario: &Scenario, reached: &CheckpointNumbers) -> Self {
        let (state, carried, max_errors) = reached.bits();
        Self {
            program: env!("CARGO_PKG_VERSION").to_owned(),
            scenario_name: scenario.name().to_owned(),
            scenario_text: scenario.text().to_owned(),
            overrides: scenario.overrides().to_vec(),
            attitude: String::new(),
            degrees: false,
            save_every: None,
            outputs: Vec::new(),
            finishing: false,
            step: 0,
            state,
            carried,
            max_errors,
            windows: Vec::new(),
            torque_evaluations: 0,
            iterations: 0,
            wall_seconds: 0.0,
        }
    }

    /// The scenario of the run, as it was when the run began.
    pub(super) fn scenario(&self) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(&self.scenario_text, &self.scenario_name, &self.overrides)
    }

    pub(super) fn reached(&self) -> CheckpointNumbers {
        let [x, y, z, a, b, c, d] = self.state.map(f64::from_bits);
        CheckpointNumbers {
            // Not State::new, which normalises the attitude once more and changes its bits.
            state: State { m: DVec3::new(x, y, z), q: DQuat::from_xyzw(b, c, d, a) },
            carried: self.carried.iter().map(|&bits| f64::from_bits(bits)).collect(),
            max_errors: self.max_errors.map(f64::from_bits),
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        let fail = |e: io::Error| Failure::file(path, "cannot save the run", &e);
        let mut body = serde_json::to_vec_pretty(self).map_err(|e| fail(e.into()))?;
        body.push(b'\n');
        sealed::write(path, FORMAT, VERSION, &body).map_err(fail)
    }

    /// Reads and checks a file.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let refuse = |why: String| Failure::Input(format!("{}: {why}", path.display()));
        let mut bytes = Vec::new();
        let read = |bytes: &mut _| fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(bytes);
        read(&mut bytes).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => refuse(
                "no such file; --checkpoint saves one, which is removed at the end".to_owned(),
            ),
            _ => refuse(format!("cannot read the checkpoint: {e}")),
        })?;
        Self::parse(&bytes).map_err(refuse)
    }

    /// The checkpoint in these bytes.
    ///
    /// # Errors
    /// Why they are not a checkpoint: another format or version, damage, or contents that no run leaves.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("no checkpoint: larger than {MAX_BYTES} bytes"));
        }
        let (heading, body) = sealed::parts(bytes);
        let sum = match heading.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [FORMAT, VERSION, sum] => sum,
            [FORMAT, version, _] => {
                return Err(format!(
                    "a checkpoint of version '{version}': this program reads version {VERSION}; \
                     resume it with the program that wrote it"
                ));
            }
            _ => {
                return Err(format!(
                    "no checkpoint: its first line does not begin with '{FORMAT}'"
                ));
            }
        };
        if sum != checksum(body) {
            return Err(
                "damaged: the contents do not fit their checksum; take an earlier checkpoint, or \
                 run the scenario anew"
                    .to_owned(),
            );
        }
        let checkpoint: Self = serde_json::from_slice(body)
            .map_err(|e| format!("damaged, although its checksum is right: {e}"))?;
        checkpoint.check()?;
        Ok(checkpoint)
    }

    /// What no run leaves behind.
    fn check(&self) -> Result<(), String> {
        let CheckpointNumbers { state, .. } = self.reached();
        if !state.m.is_finite() || (state.q.length() - 1.0).abs().is_nan() {
            return Err(format!("damaged: a state that is not finite, {state:?}"));
        }
        if (state.q.length() - 1.0).abs() > NORM_TOLERANCE {
            return Err(format!("damaged: an attitude of length {:?}", state.q.length()));
        }
        let scenario =
            self.scenario().map_err(|e| format!("the scenario in it cannot be run: {e}"))?;
        // What a solution carries is checked when it is taken up.
        let Some(Steps { plan: Plan { steps, .. }, .. }) = scenario.steps() else { return Ok(()) };
        if self.step > *steps {
            return Err(format!("damaged: at step {} of {steps}", self.step));
        }
        // A run that is to end when something happens may end anywhere.
        let stops = scenario.watching().stop_when.is_some() && self.finishing;
        if self.finishing != (self.step == *steps) && !stops {
            return Err(format!("damaged: finishing at step {} of {steps}", self.step));
        }
        Ok(())
    }
}

/// Finds out before the run whether its checkpoint can be written to a file the user has named.
///
/// A checkpoint there already is removed if the user says so: the run it belongs to is given up.
pub(crate) fn prepare(path: &Path, force: bool) -> Result<(), Failure> {
    let refuse = |why: String| Failure::Input(format!("--checkpoint: {}: {why}", shown(path)));
    if path.exists() {
        if !is_checkpoint(path) {
            return Err(refuse(
                "is there already and is no checkpoint; choose another name".into(),
            ));
        }
        if !force {
            return Err(refuse(format!(
                "holds an interrupted run; `polhode resume {}` goes on with it, --force begins anew",
                shown(path)
            )));
        }
        fs::remove_file(path).map_err(|e| refuse(format!("cannot be replaced: {e}")))?;
    }
    let temporary = part(path);
    fs::File::create(&temporary)
        .and_then(|_| fs::remove_file(&temporary))
        .map_err(|e| refuse(format!("cannot be written there: {e}")))
}

/// Of a run, or of an ensemble.
fn is_checkpoint(path: &Path) -> bool {
    sealed::is_of(FORMAT, path) || ensemble::is_checkpoint(path)
}

/// Saves a run that has named no checkpoint, and says where: as `SCENARIO.ckpt` beside the scenario; where that cannot
/// be written, in the current folder, or next to a file of the run; with a number if the name is taken.
///
/// # Errors
/// [`Failure::Running`] with what went wrong in each of these places, where nothing is left.
pub(crate) fn save_somewhere(
    scenario: &Path,
    files: &[PathBuf],
    mut write: impl FnMut(&Path) -> Result<(), Failure>,
) -> Result<PathBuf, Failure> {
    let stem = scenario.file_stem().unwrap_or(OsStr::new("run")).to_string_lossy().into_owned();
    let mut folders = vec![scenario.parent().unwrap_or(Path::new("")), Path::new("")];
    folders.extend(files.iter().filter_map(|file| file.parent()));
    let (mut tried, mut refused) = (Vec::new(), Vec::new());
    for folder in folders {
        // The same folder may be named from the root and from the current one.
        let place = path::absolute(folder.join(&stem)).unwrap_or_else(|_| folder.join(&stem));
        if tried.contains(&place) {
            continue;
        }
        tried.push(place);
        let path = match reserve(folder, &stem) {
            Ok(path) => path,
            Err(e) => {
                refused.push(format!("{}: {e}", folder.join(format!("{stem}.ckpt")).display()));
                continue;
            }
        };
        match write(&path) {
            Ok(()) => return Ok(path),
            Err(failure) => {
                // Empty it is of no use, and keeps the name from others.
                let _ = fs::remove_file(&path);
                refused.push(failure.message());
            }
        }
    }
    let refused = refused.join("; ");
    Err(Failure::Running(format!("{}: no place to save the run: {refused}", scenario.display())))
}

/// Makes an empty file in a folder: no other run takes the same name.
fn reserve(folder: &Path, stem: &str) -> io::Result<PathBuf> {
    for n in 1..1000 {
        let name = if n == 1 { format!("{stem}.ckpt") } else { format!("{stem}-{n}.ckpt") };
        let path = folder.join(name);
        match fs::File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A path as a shell takes it.
pub(crate) fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+@:,=%".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a folder of its own, with a folder `out` for a file of the run.
    fn saved(
        write: impl FnMut(&Path) -> Result<(), Failure>,
    ) -> (tempfile::TempDir, Result<PathBuf, Failure>) {
        let folder = tempfile::tempdir().unwrap();
        let (beside, out) = (folder.path().join("in"), folder.path().join("out"));
        fs::create_dir(&beside).unwrap();
        fs::create_dir(&out).unwrap();
        let scenario = beside.join("no-such-scenario-as-this.toml");
        let saved = save_somewhere(&scenario, &[out.join("a.csv"), out.join("b.csv")], write);
        (folder, saved)
    }

    fn left(folder: &Path) -> usize {
        fs::read_dir(folder.join("in")).unwrap().count()
    }

    #[test]
    fn a_run_is_saved_in_the_first_place_that_takes_it() {
        let (folder, first) = saved(|_| Ok(()));
        assert_eq!(first.unwrap(), folder.path().join("in/no-such-scenario-as-this.ckpt"));
        let full = |path: &Path| Failure::file(path, "cannot save", &io::Error::other("disk full"));
        let (folder, second) = saved(|path| {
            if path.components().any(|part| part.as_os_str() == "out") {
                return Ok(());
            }
            assert!(path.exists());
            Err(full(path))
        });
        assert_eq!(second.unwrap(), folder.path().join("out/no-such-scenario-as-this.ckpt"));
        assert_eq!(left(folder.path()), 0);
        assert!(!Path::new("no-such-scenario-as-this.ckpt").exists());
        let mut tried = 0;
        let (folder, nowhere) = saved(|path| {
            tried += 1;
            Err(full(path))
        });
        let said = nowhere.unwrap_err().message();
        assert_eq!((tried, said.matches("disk full").count(), left(folder.path())), (3, 3, 0));
        assert!(said.contains("no place to save the run: "), "{said}");
        assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_with_two_names_is_tried_once() {
        let folder = tempfile::tempdir().unwrap();
        let scenario = folder.path().join("no-such-scenario-as-that.toml");
        let here = std::env::current_dir().unwrap();
        let mut tried = 0;
        let nowhere = save_somewhere(&scenario, &["a.csv".into(), here.join("b.csv")], |path| {
            tried += 1;
            Err(Failure::file(path, "cannot save", &io::Error::other("disk full")))
        });
        let said = nowhere.unwrap_err().message();
        assert_eq!((tried, said.matches("disk full").count()), (2, 2), "{said}");
    }

    #[test]
    fn a_name_that_is_taken_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a.ckpt", "a-2.ckpt"].map(|name| folder.path().join(name));
        fs::write(&first, "kept").unwrap();
        let full = |path: &Path| Failure::file(path, "cannot save", &io::Error::other("disk full"));
        let scenario = folder.path().join("a.toml");
        assert!(save_somewhere(&scenario, &[], |path| Err(full(path))).is_err());
        assert!(first.exists() && !second.exists());
        assert_eq!(save_somewhere(&scenario, &[], |_| Ok(())).unwrap(), second);
        assert_eq!(fs::read(&first).unwrap(), b"kept");
    }
}
