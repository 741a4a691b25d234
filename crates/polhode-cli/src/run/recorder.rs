//! An observer that writes rows to files.

use std::ops::ControlFlow;
use std::path::PathBuf;

use polhode::Problem;
use polhode::observe::{ConservedQuantities, ObserveError, Observer, Sample};

use crate::output::{InsideNumbers, Row, RowFile, in_words};

/// A file of the run.
pub(super) struct OutputTarget {
    pub(super) file: PathBuf,
    /// None if it was complete before the run was interrupted.
    pub(super) output: Option<RowFile<Row>>,
}

/// Writes each step it is shown, as a row that also says how far the invariants are from the start.
pub(super) struct Recorder<'a> {
    targets: &'a mut [OutputTarget],
    start: ConservedQuantities,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(problem: &Problem, targets: &'a mut [OutputTarget]) -> Self {
        let start = &problem.start();
        let energy = problem.energy(problem.t0(), start);
        Self { targets, start: ConservedQuantities::new(energy, start) }
    }

    fn row(&self, sample: &Sample<'_>) -> Row {
        let Sample { step, t, state, inside, .. } = *sample;
        let energy = sample.energy();
        let now = ConservedQuantities::new(energy, state);
        let [energy_error, momentum_error, spatial_momentum_error] = now.changes(&self.start);
        Row {
            step,
            t,
            state: *state,
            omega: sample.omega(),
            energy,
            energy_error,
            momentum_error,
            spatial_momentum_error,
            inside: InsideNumbers::new(inside),
        }
    }
}

impl Observer for Recorder<'_> {
    fn observe(&mut self, sample: &Sample<'_>) -> Result<ControlFlow<()>, ObserveError> {
        let row = self.row(sample);
        for OutputTarget { file, output } in &mut *self.targets {
            if let Some(output) = output {
                let failed =
                    |e| format!("cannot write {}: {e}", in_words(&file.display().to_string()));
                output.row(&row).map_err(failed)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
