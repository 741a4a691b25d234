//! Vilmart, Reducing round-off errors in rigid body dynamics.

mod compensated;
mod figures;
mod growth;
mod literal;
mod rounded;
mod similar;
mod text;
mod trajectories;

use crate::Experiment;

pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "vilmart-text",
        title: "Numbers of the text",
        caption: "The period, the two constants of Algorithm 4.1, errors of the phase, other initial \
                  values and another body, and what DMV of order 10 keeps.",
        seconds: 100.0,
        parallel: true,
        run: text::text,
    },
    Experiment {
        id: "vilmart-1",
        title: "Round-off of the energy, Jacobi elliptic functions (figure 1)",
        caption: "Error of the Hamiltonian along 200 trajectories of a million steps of 0.01, from \
                  initial values within 0.001 of the paper's, and their mean and standard deviation (the \
                  paper's are over 1000; reduced size: 16 of 200 000 steps). A trajectory is drawn \
                  through every sixth of its 200 samples (reduced size: every third of 100); the \
                  data have all of them. Left: Algorithm 3.1. Right: \
                  Algorithm 4.1. Below: Algorithm 3.1 with its constants, and products with them, \
                  in double-double arithmetic, the paper's first idea, and the library's exact step, which the \
                  paper does not have.",
        seconds: 350.0,
        parallel: true,
        run: figures::jacobi,
    },
    Experiment {
        id: "vilmart-2",
        title: "Round-off of DMV (figure 2)",
        caption: "As figure 1, for the discrete Moser-Veselov algorithm of order 10: error of the \
                  Hamiltonian (left) and of the first component of the momentum in space (right), \
                  standard (top) and with compensated summation (second row). Then the same of the \
                  library's exact step, which the paper does not have (50 of the trajectories drawn). Last \
                  row: compensated DMV from initial values within 0.01, some of whose bodies turn by a \
                  whole turn in a period of their momentum, so that what is rounded in one period is \
                  rounded alike in the next; and what compensated summation gains, against the distance of \
                  the initial values from the paper's. The steps in the panels of H are \
                  those of H as a double.",
        seconds: 350.0,
        parallel: true,
        run: compensated::dmv,
    },
    Experiment {
        id: "vilmart-casimir",
        title: "Round-off of the Casimir",
        caption: "Mean (full) and standard deviation (dashed) of the error of C = |y|²/2, which the \
                  paper does not show, for the runs of figures 1 and 2.",
        seconds: 1.0,
        parallel: true,
        run: figures::casimir,
    },
];
