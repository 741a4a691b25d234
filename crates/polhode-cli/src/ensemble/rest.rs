//! The bodies that a resumed ensemble has still to do.

use polhode::ensemble::{Member, Members};
use polhode::observe::ObserveError;

/// What is left of a source after so many bodies.
pub(super) struct Rest<S> {
    pub(super) source: S,
    pub(super) skip: u64,
}

impl<S: Members> Members for Rest<S> {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        while self.skip > 0 {
            let mut done = Vec::new();
            let count = usize::try_from(self.skip).unwrap_or(usize::MAX).min(most);
            self.source.fill(&mut done, count)?;
            if done.is_empty() {
                return Err("fewer bodies than were done before; has the table changed?".into());
            }
            self.skip -= done.len() as u64;
        }
        self.source.fill(bodies, most)
    }

    fn left(&self) -> Option<u64> {
        Some(self.source.left()?.saturating_sub(self.skip))
    }
}
