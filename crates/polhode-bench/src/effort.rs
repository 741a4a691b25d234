//! How much to measure.

/// How much to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// A minute: enough to see a factor.
    Quick,
    /// Minima that come out again.
    Normal,
    /// With the largest problems at their full size.
    Full,
}

impl Effort {
    /// Of the rounds of a race, as many as there is patience for.
    pub(crate) fn rounds(self, normal: u32) -> u32 {
        if self == Self::Quick { (normal / 8).max(3) } else { normal }
    }

    /// One of three sizes.
    pub(crate) fn size<T>(self, quick: T, normal: T, full: T) -> T {
        match self {
            Self::Quick => quick,
            Self::Normal => normal,
            Self::Full => full,
        }
    }
}
