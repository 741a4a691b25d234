//! Bodies that are stepped again and again.

/// A free body and where it starts.
pub(crate) struct FreeBody {
    pub(crate) name: &'static str,
    pub(crate) moments: [f64; 3],
    pub(crate) momentum: [f64; 3],
    /// The step that its paper takes.
    pub(crate) step: f64,
}

/// Nothing special about it: |m| = 1, so that a step of one is a radian or so.
pub(crate) const GENERIC: FreeBody = FreeBody {
    name: "generic",
    moments: [0.6, 0.8, 1.0],
    momentum: [0.5, 0.4, 0.768_114_574_786_860_8],
    step: 0.01,
};

/// The water molecule of Vilmart, section 3.1. Flat but for the rounding of its moments.
pub(crate) const WATER: FreeBody = FreeBody {
    name: "vilmart water",
    moments: [0.345, 0.653, 1.0],
    momentum: [0.5, 0.2, 0.842_614_977_317_635_9],
    step: 0.01,
};

/// The free bodies of the papers, at their steps: the second experiment of Celledoni & Säfström,
/// figure 5 of Celledoni & Zanna (one of many bodies; there h = 1), the round-off experiments of Vilmart.
pub(crate) const PAPERS: [FreeBody; 3] = [
    FreeBody {
        name: "celledoni-safstrom experiment 2",
        moments: [1.0, 2.0, 3.0],
        momentum: [1.0, -4.0, 3.0],
        step: 0.4,
    },
    FreeBody {
        name: "frb-fortran figure 5",
        moments: [0.5, 0.8, 1.0],
        momentum: [0.577_350_269_189_625_8; 3],
        step: 1.0,
    },
    WATER,
];
