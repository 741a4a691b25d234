//! The bodies of an ensemble and where they come from.

use super::error::EnsembleError;
use crate::observe::ObserveError;
use crate::{Inertia, State, so3};

/// A body of an ensemble and its state at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The inertia about the centre of mass, or about the fixed point of a top.
    pub inertia: Inertia,
    /// Its state at the start.
    pub start: State,
}

/// Where bodies come from, some at a time: any iterator over [`Member`] is one.
pub trait Members {
    /// Appends the next bodies, `most` of them, or fewer if those are the last.
    ///
    /// # Errors
    /// Whatever it could not do; the run ends.
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError>;

    /// How many bodies are left, if that is known before they are there.
    fn left(&self) -> Option<u64> {
        None
    }
}

impl<I: Iterator<Item = Member>> Members for I {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        bodies.extend(self.by_ref().take(most));
        Ok(())
    }

    fn left(&self) -> Option<u64> {
        let (least, most) = self.size_hint();
        most.filter(|most| *most == least).map(|count| count as u64)
    }
}

/// Bodies from arrays of numbers, row by row: n momenta of three, and for the rest one for all or one
/// for each.
///
/// `inertia` has 3 or 9 numbers (moments, or a tensor row by row), or n times as many; with n = 3 and
/// nine numbers, they are moments of each unless `shared`. `attitude` has n times (w, x, y, z), or
/// none: then all bodies are aligned with space.
///
/// ```
/// use polhode::ensemble::Arrays;
/// let arrays = Arrays { inertia: &[1.0, 2.0, 2.5], momentum: &[0.1, 0.2, 0.3, 0.0, 1.0, 0.0], ..Arrays::default() };
/// assert_eq!(arrays.bodies()?.len(), 2);
/// # Ok::<(), polhode::ensemble::EnsembleError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Arrays<'a> {
    /// Three principal moments or nine entries of a tensor, for all bodies or for each.
    pub inertia: &'a [f64],
    /// Whether `inertia` is that of all bodies. Only needed for three bodies with one tensor.
    pub shared: bool,
    /// Whether inertia that no body can have is accepted.
    pub allow_unphysical: bool,
    /// Momenta in the body frame.
    pub momentum: &'a [f64],
    /// Whether `momentum` holds angular velocities instead.
    pub omega: bool,
    /// Attitudes, scalar first; empty for bodies aligned with space.
    pub attitude: &'a [f64],
}

impl Arrays<'_> {
    /// The bodies in the order of their rows.
    ///
    /// # Errors
    /// [`EnsembleError`] naming the array whose length does not fit, or the first body whose numbers
    /// are not finite, not positive, or of no possible body.
    pub fn bodies(&self) -> Result<Vec<Member>, EnsembleError> {
        let field = if self.omega { "omega" } else { "momentum" };
        let n = self.momentum.len() / 3;
        let wrong =
            |field, given, needed| Err(EnsembleError::Length { field, given, bodies: n, needed });
        if !self.momentum.len().is_multiple_of(3) {
            return wrong(field, self.momentum.len(), "three for each body".into());
        }
        if !self.attitude.is_empty() && self.attitude.len() != 4 * n {
            return wrong("attitude", self.attitude.len(), format!("{} or none", 4 * n));
        }
        let given = self.inertia.len();
        let shared = self.shared || given == 3 || (given == 9 && n != 3);
        let each = if shared { given } else { given / n.max(1) };
        if !(each == 3 || each == 9) || (!shared && each * n != given) {
            return wrong("inertia", given, format!("3 or 9 for all, or {} or {}", 3 * n, 9 * n));
        }
        let inertia = |body: usize| {
            let numbers = if shared { self.inertia } else { &self.inertia[each * body..][..each] };
            Inertia::from_slice(numbers, self.allow_unphysical)
                .map_err(|source| EnsembleError::Inertia { body: body as u64, source })
        };
        let common = if shared { Some(inertia(0)?) } else { None };
        let mut bodies = Vec::with_capacity(n);
        for body in 0..n {
            let inertia = common.map_or_else(|| inertia(body), Ok)?;
            let v = [0, 1, 2].map(|i| self.momentum[3 * body + i]);
            let q = match self.attitude.get(4 * body..4 * body + 4) {
                Some(&[w, x, y, z]) => so3::from_wxyz([w, x, y, z]),
                _ => glam::DQuat::IDENTITY,
            };
            let start =
                if self.omega { State::from_omega(&inertia, v, q) } else { State::new(v, q) };
            let start =
                start.map_err(|source| EnsembleError::State { body: body as u64, source })?;
            bodies.push(Member { inertia, start });
        }
        Ok(bodies)
    }
}
