//! THREAD network, fourth assignment. It has no figures; its exercises are shown as ones.

mod exponential;
mod integrators;

use crate::Experiment;

pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "thread-1",
        title: "Rodrigues' formula (problem 1)",
        caption: "Largest difference of an entry between the formula of Rodrigues, as printed and \
                  as the library computes it, and a general matrix exponential (scaling and \
                  squaring, which knows nothing of skew matrices), over 50 directions for each \
                  angle. The printed quotient (1 - cos α)/α² loses its digits for small α, as the \
                  assignment's remark warns; the library uses half angles instead. A \
                  difference of zero is drawn at 1e-18.",
        seconds: 0.2,
        parallel: false,
        run: exponential::rodrigues,
    },
    Experiment {
        id: "thread-2",
        title: "The norm of the momentum (problem 2a)",
        caption: "Change of |m| along runs of both Lie group methods, for a symmetric body \
                  (1, 1, 2) and one with distinct moments (1, 2, 3), step 0.05.",
        seconds: 0.2,
        parallel: false,
        run: integrators::norm,
    },
    Experiment {
        id: "thread-3",
        title: "Order of convergence (problem 2b)",
        caption: "Error of the momentum at t = 10 against the exact motion, for both methods and \
                  both bodies. The assignment asks for a classical integrator as reference: RK4 \
                  with a step of 1e-4 agrees with the exact motion as said in the claims.",
        seconds: 1.0,
        parallel: false,
        run: integrators::convergence,
    },
];
