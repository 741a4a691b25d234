//! The intervals of time in which something holds.

/// Intervals of time, as they are found one after the other.
///
/// ```
/// use polhode::observe::Intervals;
/// let mut intervals = Intervals::default();
/// for (from, holds) in [(0.0, false), (1.0, true), (2.0, true), (2.5, false), (4.0, true)] {
///     intervals.extend(from, holds);
/// }
/// assert_eq!(intervals.until(5.0), [[1.0, 2.5], [4.0, 5.0]]);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intervals {
    /// Beginning and end of each, one after the other; one that lasts has no end.
    bounds: Vec<f64>,
}

impl Intervals {
    /// The intervals with these [bounds](Intervals::bounds).
    pub fn from_bounds(bounds: Vec<f64>) -> Self {
        Self { bounds }
    }

    /// Beginning and end of each, one after the other; one that lasts has no end.
    pub fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// Adds that it holds, or does not, from this time on.
    pub fn extend(&mut self, from: f64, holds: bool) {
        let lasts = self.bounds.len() % 2 == 1;
        if holds != lasts {
            self.bounds.push(from);
        }
    }

    /// All of them, up to this time; those without length are left out.
    pub fn until(&self, end: f64) -> Vec<[f64; 2]> {
        let pair = |pair: &[f64]| [pair[0], pair.get(1).copied().unwrap_or(end)];
        self.bounds.chunks(2).map(pair).filter(|[from, to]| from != to).collect()
    }
}
