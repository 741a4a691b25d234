//! A body and where it starts.

use polhode::glam::{DMat3, DVec3};
use polhode::{FreeMotion, Inertia, State, so3};
use pyo3::prelude::*;

use crate::errors::{of_inertia, of_motion, of_state};

/// A body and the state it starts from.
#[pyclass(frozen, name = "Body", module = "polhode._polhode")]
pub(crate) struct StartingBody {
    pub(crate) inertia: Inertia,
    pub(crate) start: State,
    /// The angular velocity if that was given: the momentum is then rounded, and a free motion
    /// knows better.
    omega: Option<DVec3>,
}

#[pymethods]
impl StartingBody {
    /// A body with these moments (3) or this tensor (9 numbers), a momentum or an angular velocity,
    /// and an attitude (w, x, y, z).
    #[new]
    #[allow(clippy::needless_pass_by_value, reason = "extracted from Python")]
    fn new(
        inertia: Vec<f64>,
        momentum: Option<[f64; 3]>,
        omega: Option<[f64; 3]>,
        attitude: [f64; 4],
        allow_unphysical: bool,
    ) -> PyResult<Self> {
        let inertia =
            Inertia::from_slice(&inertia, allow_unphysical).map_err(|e| of_inertia(&e))?;
        let q = so3::from_wxyz(attitude);
        let start = match omega {
            Some(omega) => State::from_omega(&inertia, omega, q),
            None => State::new(momentum.unwrap_or_default(), q),
        };
        let start = start.map_err(|e| of_state(&e))?;
        Ok(Self { inertia, start, omega: omega.map(DVec3::from_array) })
    }

    /// The principal moments.
    #[getter]
    fn moments(&self) -> [f64; 3] {
        self.inertia.moments().to_array()
    }

    /// The rotation from principal to body coordinates, (w, x, y, z).
    #[getter]
    fn axes(&self) -> [f64; 4] {
        so3::to_wxyz(self.inertia.axes())
    }

    /// True if some distribution of mass has these moments.
    #[getter]
    fn physical(&self) -> bool {
        self.inertia.is_physical()
    }

    /// The inertia tensor, row by row.
    #[getter]
    fn tensor(&self) -> [f64; 9] {
        let columns = DMat3::IDENTITY.to_cols_array_2d().map(|axis| self.inertia.momentum(axis));
        // Symmetric: rows are columns.
        DMat3::from_cols(columns[0], columns[1], columns[2]).to_cols_array()
    }

    /// The momentum at the start.
    #[getter]
    fn momentum(&self) -> [f64; 3] {
        self.start.m.to_array()
    }

    /// The angular velocity at the start, as given if it was.
    #[getter]
    fn omega(&self) -> [f64; 3] {
        self.omega.unwrap_or_else(|| self.inertia.omega(self.start.m)).to_array()
    }

    /// The attitude at the start, (w, x, y, z).
    #[getter]
    fn attitude(&self) -> [f64; 4] {
        self.start.attitude()
    }
}

impl StartingBody {
    /// In this state, with its bits.
    pub(crate) fn of(inertia: Inertia, start: State) -> Self {
        Self { inertia, start, omega: None }
    }

    pub(crate) fn free_motion(&self) -> PyResult<FreeMotion> {
        let motion = match self.omega {
            Some(omega) => FreeMotion::from_omega(&self.inertia, omega, self.start.q),
            None => FreeMotion::new(&self.inertia, self.start),
        };
        motion.map_err(|e| of_motion(&e))
    }
}
