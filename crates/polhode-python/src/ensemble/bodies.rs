//! The bodies that Python gives.

use std::sync::Arc;

use polhode::ensemble::{Arrays, EnsembleError, Member, Members};
use polhode::observe::ObserveError;
use polhode::{Control, Inertia, State, Stop};
use pyo3::prelude::*;

use super::refused;
use crate::arrays::{Doubles, copied};
use crate::threads::interruptible;

/// The bodies, as flat arrays: inertia (of all, or one each), momentum or angular velocity, attitude
/// (or none).
#[pyclass(frozen, module = "polhode._polhode")]
pub(crate) struct Bodies(pub(super) Arc<BodyArrays>);

pub(super) struct BodyArrays {
    inertia: Vec<f64>,
    /// Numbers of each inertia if there is one for each body; zero if one for all.
    inertia_width: usize,
    allow_unphysical: bool,
    pub(super) momentum: Vec<f64>,
    omega: bool,
    attitude: Vec<f64>,
    /// The number of the first body, where these are a part of an ensemble.
    pub(super) first: u64,
    /// A body with impossible numbers fails alone; until then one at rest is in its place.
    keep_going: bool,
}

#[pymethods]
impl Bodies {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "a column each")]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn new(
        inertia: Doubles<'_>,
        inertia_width: usize,
        allow_unphysical: bool,
        momentum: Doubles<'_>,
        omega: bool,
        attitude: Doubles<'_>,
        first: u64,
        keep_going: bool,
    ) -> PyResult<Self> {
        Ok(Self(Arc::new(BodyArrays {
            inertia: copied(&inertia)?,
            inertia_width,
            allow_unphysical,
            momentum: copied(&momentum)?,
            omega,
            attitude: copied(&attitude)?,
            first,
            keep_going,
        })))
    }

    /// Fails if one of them is no possible body.
    fn validate(&self, py: Python<'_>) -> PyResult<()> {
        let (numbers, stop) = (self.0.clone(), Stop::new());
        let control = Control::stopped_by(&stop);
        let validated = interruptible(py, || stop.request(), move || numbers.validate(&control))?;
        validated.map_err(|e| refused(&e, false))
    }
}

impl Bodies {
    /// The inertia of each. Where bodies with impossible numbers are allowed, it is that of the one at rest in their
    /// place.
    pub(crate) fn inertias(&self) -> PyResult<Vec<Inertia>> {
        let remaining = RemainingBodies { numbers: self.0.clone(), next: 0 };
        let bodies = remaining.some(self.0.momentum.len() / 3).map_err(|e| refused(&e, false))?;
        Ok(bodies.into_iter().map(|body| body.inertia).collect())
    }
}

/// The bodies from one on.
pub(super) struct RemainingBodies {
    pub(super) numbers: Arc<BodyArrays>,
    pub(super) next: usize,
}

impl RemainingBodies {
    /// The next ones. Where bodies with impossible numbers are allowed, one at rest is in their place.
    pub(super) fn some(&self, count: usize) -> Result<Vec<Member>, EnsembleError> {
        match self.exactly(count) {
            Err(EnsembleError::Inertia { .. } | EnsembleError::State { .. })
                if self.numbers.keep_going =>
            {
                let one = |next: usize| {
                    let alone = Self { numbers: self.numbers.clone(), next };
                    alone.exactly(1).ok().and_then(|mut bodies| bodies.pop()).or_else(resting)
                };
                Ok((self.next..self.next + count).filter_map(one).collect())
            }
            other => other,
        }
    }

    fn exactly(&self, count: usize) -> Result<Vec<Member>, EnsembleError> {
        let (n, first) = (&self.numbers, self.next);
        // Of no bodies there are no inertias either, unless there is one for all.
        if count == 0 && n.inertia_width != 0 {
            return Ok(Vec::new());
        }
        // No attitudes stay none.
        let part = |numbers: &[f64], width: usize| {
            let end = |row: usize| (width * row).min(numbers.len());
            end(first)..end(first + count)
        };
        let arrays = Arrays {
            inertia: match n.inertia_width {
                0 => &n.inertia,
                width => &n.inertia[part(&n.inertia, width)],
            },
            shared: n.inertia_width == 0,
            allow_unphysical: n.allow_unphysical,
            momentum: &n.momentum[part(&n.momentum, 3)],
            omega: n.omega,
            attitude: &n.attitude[part(&n.attitude, 4)],
        };
        let before = n.first + first as u64;
        arrays.bodies().map_err(|error| match error {
            EnsembleError::Inertia { body, source } => {
                EnsembleError::Inertia { body: body + before, source }
            }
            EnsembleError::State { body, source } => {
                EnsembleError::State { body: body + before, source }
            }
            other => other,
        })
    }
}

/// A body that does nothing.
fn resting() -> Option<Member> {
    let inertia = Inertia::principal([1.0; 3]).ok()?;
    Some(Member { inertia, start: State::aligned([0.0; 3]).ok()? })
}

impl Members for RemainingBodies {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        let more = self.some(most.min(self.numbers.momentum.len() / 3 - self.next))?;
        self.next += more.len();
        bodies.extend(more);
        Ok(())
    }

    fn left(&self) -> Option<u64> {
        Some((self.numbers.momentum.len() / 3 - self.next) as u64)
    }
}

impl BodyArrays {
    /// The bodies with impossible numbers, and what is wrong with them; only where they are allowed.
    pub(super) fn bad(self: &Arc<Self>) -> Vec<(u64, String)> {
        let whole = |next: usize, count: usize| {
            RemainingBodies { numbers: self.clone(), next }.exactly(count).map(|_| ())
        };
        let count = self.momentum.len() / 3;
        let mut bad = Vec::new();
        for first in (0..count).step_by(4096) {
            let end = count.min(first + 4096);
            if self.keep_going && whole(first, end - first).is_err() {
                let one = |i: usize| Some((i as u64, whole(i, 1).err()?.to_string()));
                bad.extend((first..end).filter_map(one));
            }
        }
        bad
    }

    /// Finds a bad body before hours are spent on the good ones.
    pub(super) fn validate(self: &Arc<Self>, control: &Control) -> Result<(), EnsembleError> {
        let mut remaining = RemainingBodies { numbers: self.clone(), next: 0 };
        let count = self.momentum.len() / 3;
        while remaining.next < count {
            control.check()?;
            remaining.next += remaining.some(4096.min(count - remaining.next))?.len();
        }
        Ok(())
    }
}
