//! Celledoni and Säfström, A symmetric splitting method for rigid body dynamics.

mod alone;
mod euler;
mod long_runs;
mod text;
mod work;

use polhode::glam::DQuat;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State};

use crate::{Experiment, ExperimentError};

/// A heavy top with u0 = e3.
fn top(moments: [f64; 3], omega: [f64; 3]) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal(moments)?;
    let start = State::from_omega(&inertia, omega, DQuat::IDENTITY)?;
    let torque = HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])?;
    Ok(Problem::new(inertia, start).torque(torque))
}

/// The top of figures 3 and 4.
fn large_top() -> Result<Problem, ExperimentError> {
    top([1000.0, 5000.0, 6000.0], [100.0; 3])
}

/// The top of figures 5 to 7.
fn small_top() -> Result<Problem, ExperimentError> {
    top([1.0, 5.0, 6.0], [10.0; 3])
}

pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "celledoni-safstrom-text",
        title: "Properties of the method (sections 1 to 3)",
        caption: "What the text says of the splitting and of the arithmetic-geometric mean.",
        seconds: 0.1,
        parallel: false,
        run: text::text,
    },
    Experiment {
        id: "celledoni-safstrom-1",
        title: "Euler equations: time against error (figure 1)",
        caption: "Time of an integration over [0, 1] and error of the angular velocity at its end, for \
                  steps 1, 1/2, … 1/4096. Drawn are mean times of 200 runs, as in the paper (20 at \
                  reduced size), all methods and steps in turn. A mean also shows what else the \
                  machine does: the claims are judged by the least times, long runs being timed in \
                  laps of 0.3 ms. Steps and both times are in celledoni-safstrom-1-times.csv. An error of zero is \
                  drawn at 1e-16. All step the momentum alone, as in the paper. 'Elliptic functions' is \
                  section 3 as it stands, the constants of the orbit computed once; 'Algorithm 3.1' of \
                  Vilmart computes them anew in every step.",
        seconds: 10.0,
        parallel: false,
        run: euler::work,
    },
    Experiment {
        id: "celledoni-safstrom-2",
        title: "Euler equations: energy (figure 2)",
        caption: "Error of the energy on [0, 400] with steps of 0.4, (c) with the constants of the orbit \
                  computed once as in section 3, and the angular velocity (to t = 40, lest the lines \
                  cover each other).",
        seconds: 0.1,
        parallel: false,
        run: euler::energy,
    },
    Experiment {
        id: "celledoni-safstrom-3",
        title: "Heavy top with large moments: time against error (figure 3)",
        caption: "As figure 1, for the heavy top with moments (1000, 5000, 6000): mean time of 100 runs (10 at \
                  reduced size), with the least ones in celledoni-safstrom-3-times.csv. The pages that say how \
                  SEJ carries the attitude are missing from our text: 'SEJ, midpoint' does it by the angular \
                  velocity at the middle of the step, 'SEJ, Magnus' by a step of Magnus' series from those at its \
                  start, middle and end. 'strang+exact' is the same splitting with the exact attitude. Reference: \
                  kahanli8+exact.",
        seconds: 15.0,
        parallel: false,
        run: work::large,
    },
    Experiment {
        id: "celledoni-safstrom-4",
        title: "Heavy top with large moments: energy (figure 4)",
        caption: "Error of the energy on [0, 20] with steps of 0.001.",
        seconds: 0.3,
        parallel: false,
        run: long_runs::large_energy,
    },
    Experiment {
        id: "celledoni-safstrom-5",
        title: "Heavy top with small moments: time against error (figure 5)",
        caption: "As figure 3, for moments (1, 5, 6): mean time of 200 runs (10 at reduced \
                  size), with the least ones in celledoni-safstrom-5-times.csv.",
        seconds: 20.0,
        parallel: false,
        run: work::small,
    },
    Experiment {
        id: "celledoni-safstrom-6",
        title: "Heavy top with small moments: SEJ (figure 6)",
        caption: "Error of the energy and trajectory of u = Qᵀe₃ on its sphere, on [0, 100], for \
                  steps 0.01, 0.05 and 0.1.",
        seconds: 0.2,
        parallel: false,
        run: long_runs::sej,
    },
    Experiment {
        id: "celledoni-safstrom-7",
        title: "Heavy top with small moments: MR (figure 7)",
        caption: "As figure 6, for the splitting of McLachlan and Reich.",
        seconds: 0.2,
        parallel: false,
        run: long_runs::mr,
    },
    Experiment {
        id: "celledoni-safstrom-8",
        title: "Heavy tops of growing inertia: mean energy error (figure 8)",
        caption: "Mean absolute error of the energy over the 1000 steps of [0, 10], moments \
                  (α, 2α, 3α).",
        seconds: 0.3,
        parallel: false,
        run: long_runs::inertia,
    },
];
