//! Kinds of free motion.

/// The kind of a free motion: what the momentum does in the body frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Regime {
    /// No momentum, no motion.
    Rest,
    /// The momentum stands still in the body: a sphere, or a turn about a principal axis.
    Steady,
    /// Two equal moments: the momentum circles the axis of the third at a constant rate.
    SymmetricTop,
    /// The momentum circles the axis of the least moment (more energy than the separatrix).
    AboutMinor,
    /// The momentum circles the axis of the greatest moment (less energy than the separatrix).
    AboutMajor,
    /// Exactly between the two: the momentum goes from one end of the middle axis to the other,
    /// once.
    Separatrix,
}

impl Regime {
    /// Every kind, in the order in which files number them.
    pub const ALL: [Self; 6] = [
        Self::Rest,
        Self::Steady,
        Self::SymmetricTop,
        Self::AboutMinor,
        Self::AboutMajor,
        Self::Separatrix,
    ];

    /// A short name, as the program prints it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Steady => "steady",
            Self::SymmetricTop => "symmetric-top",
            Self::AboutMinor => "about-minor",
            Self::AboutMajor => "about-major",
            Self::Separatrix => "separatrix",
        }
    }
}
