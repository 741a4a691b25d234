//! Krysl, Dynamically equivalent implicit algorithms.

mod convergence;
mod coulomb;
mod literal;
mod properties;

use crate::Experiment;

/// Methods as the paper calls them; the last is introduced there, but not plotted.
const METHODS: [(&str, &str); 8] = [
    ("trap", "TRAP"),
    ("imid", "IMID"),
    ("trapm", "TRAPM"),
    ("imidm", "IMIDM"),
    ("swc1", "SWC1"),
    ("akw", "AKW"),
    ("bbtrap", "BBTRAP"),
    ("bbtrapwd", "BBTRAPWD"),
];

pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "krysl-text",
        title: "Properties of the algorithms (sections 3 and 4)",
        caption: "What the text says of adjoints, conjugate pairs and conservation, measured on the \
                  free body of section 5.1 with steps of 0.25, and on the slow top for AKW.",
        seconds: 10.0,
        parallel: false,
        run: properties::properties,
    },
    Experiment {
        id: "krysl-1",
        title: "Free body: convergence (figure 1)",
        caption: "Errors of the body-frame momentum (left) and of the attitude matrix (right), \
                  2-norm, at t = 100. SWC1 and BBTRAP are the same method without torque; AKW \
                  equals IMID in the momentum. Reference: the exact motion.",
        seconds: 2.0,
        parallel: true,
        run: convergence::free,
    },
    Experiment {
        id: "krysl-2",
        title: "Slow Lagrange top: convergence (figure 2)",
        caption: "As figure 1, at t = 20. Reference: kahanli8+exact with a step of 1e-3. Where a \
                  line begins late, the Newton iteration did not converge for larger steps.",
        seconds: 8.0,
        parallel: true,
        run: convergence::slow,
    },
    Experiment {
        id: "krysl-3",
        title: "Fast Lagrange top: convergence (figure 3)",
        caption: "As figure 2, for the fast top. Errors follow h² only below steps of 3e-3.",
        seconds: 8.0,
        parallel: true,
        run: convergence::fast,
    },
    Experiment {
        id: "krysl-4",
        title: "Coulomb potential with a wall: reference algorithms (figure 4)",
        caption: "Energy, divided by its initial value, for 40 000 steps of 0.5. A line ends where \
                  the Newton iteration fails. The last panel is BBTRAPWD, which the paper does not \
                  plot, with a scale of its own.",
        seconds: 2.0,
        parallel: false,
        run: coulomb::reference,
    },
    Experiment {
        id: "krysl-5",
        title: "Coulomb potential with a wall: present algorithms (figure 5)",
        caption: "As figure 4, with a vertical scale of one fifth of that.",
        seconds: 2.0,
        parallel: false,
        run: coulomb::present,
    },
];
