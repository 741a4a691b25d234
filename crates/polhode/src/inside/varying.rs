//! Moments of inertia that change with time.

use core::fmt;
use std::sync::Arc;

use super::InsideError;
use crate::torque::{Body, VectorSource};
use crate::{Inertia, InertiaError, InertiaOver, Point};

/// The inertia of a body as a function of time: moments as formulas or a table, or any tensor as a closure.
///
/// What moves to change it has no momentum of its own relative to the body: M = I(t) omega.
#[derive(Clone)]
pub struct VaryingInertia {
    law: MomentsLaw,
    /// Whether moments are allowed that no body can have.
    unphysical: bool,
}

#[derive(Clone)]
enum MomentsLaw {
    /// Principal moments along the body axes.
    Moments(VectorSource),
    Function(Arc<dyn Fn(f64) -> Result<Inertia, InertiaError> + Send + Sync>),
}

impl fmt::Debug for VaryingInertia {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.law {
            MomentsLaw::Moments(source) => write!(f, "VaryingInertia({source:?})"),
            MomentsLaw::Function(_) => f.write_str("VaryingInertia(a function)"),
        }
    }
}

impl VaryingInertia {
    /// Principal moments, along the axes of the body frame: three formulas of t, or a table over time.
    ///
    /// # Errors
    /// [`InsideError::OfState`] if a formula names anything but time.
    pub fn moments(source: impl Into<VectorSource>) -> Result<Self, InsideError> {
        let source = source.into();
        if source.depends_on_state() {
            return Err(InsideError::OfState);
        }
        Ok(Self { law: MomentsLaw::Moments(source), unphysical: false })
    }

    /// Allows a greatest moment that exceeds the sum of the other two, which no body can have.
    #[must_use]
    pub fn allow_unphysical(self) -> Self {
        Self { unphysical: true, ..self }
    }

    /// The inertia that a function gives, which is not checked again. The rotor of a step is made anew for it, which
    /// takes about as long as the step.
    pub fn function(
        function: impl Fn(f64) -> Result<Inertia, InertiaError> + Send + Sync + 'static,
    ) -> Self {
        Self { law: MomentsLaw::Function(Arc::new(function)), unphysical: false }
    }

    /// The inertia at a time.
    ///
    /// # Errors
    /// [`InertiaError`] if a moment is not positive there, or the moments are those of no body and that is not
    /// [allowed](VaryingInertia::allow_unphysical).
    pub fn at(&self, t: f64) -> Result<Inertia, InertiaError> {
        match &self.law {
            MomentsLaw::Moments(source) => {
                let one = Inertia::principal_unphysical([1.0; 3])?;
                let over = InertiaOver::new(&one);
                let at = Point { m: [0.0; 3], q: [1.0, 0.0, 0.0, 0.0] };
                let moments = source.vector(&Body::one(&one, &over), t, &at);
                Inertia::from_slice(&moments, self.unphysical)
            }
            MomentsLaw::Function(function) => function(t),
        }
    }

    /// Checks that the moments are known at these times, and so between them.
    pub(crate) fn check_times(&self, times: [f64; 2]) -> Result<(), InsideError> {
        let MomentsLaw::Moments(source) = &self.law else { return Ok(()) };
        let Some(table) = source.table() else { return Ok(()) };
        let unknown = times.into_iter().find(|t| !table.knows(*t));
        match (unknown, table.span()) {
            (Some(t), Some((first, last))) => Err(InsideError::BeyondTable { first, last, t }),
            _ => Ok(()),
        }
    }
}
