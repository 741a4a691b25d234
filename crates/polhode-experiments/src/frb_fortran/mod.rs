//! Celledoni and Zanna, FRB-FORTRAN.

mod accuracy;
mod carlson_notis;
mod compiler;
mod cost;
mod dormand_prince;
mod listings;
mod perturbed;
mod published;
mod published_dmv;
mod quadrature;
mod text;

use crate::Experiment;

pub(crate) static EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "frb-fortran-text",
        title: "Frames, quadrature and coefficients (sections 1 to 3, appendix)",
        caption: "What the text says of the three frames, of semi-exact methods and of the splitting \
                  scheme.",
        seconds: 1.0,
        parallel: false,
        run: text::text,
    },
    Experiment {
        id: "frb-fortran-1",
        title: "The drivers (figure 1, a listing; section 3.4)",
        caption: "The three drivers read init_exampleN.dat and write out_exampleN.dat, in the form \
                  of docs/drivers.md: the paper does not print it. Examples 0 and 2 take one step; \
                  example 1 follows the body of section 4.3 to t = 5e4 (500 at reduced size).",
        seconds: 10.0,
        parallel: false,
        run: listings::drivers,
    },
    Experiment {
        id: "frb-fortran-2",
        title: "Rescaling of the momentum (figure 2, a listing)",
        caption: "A step with a momentum of any length, and the same after the listing's rescaling \
                  to a unit momentum.",
        seconds: 0.1,
        parallel: false,
        run: listings::rescaling,
    },
    Experiment {
        id: "frb-fortran-3",
        title: "Moments in any order (figure 3, a listing)",
        caption: "Steps with the moments in all six orders.",
        seconds: 0.1,
        parallel: false,
        run: listings::permutation,
    },
    Experiment {
        id: "frb-fortran-4",
        title: "The triangle of inertia (figure 4)",
        caption: "Bodies by x = I₁/I₃ and y = I₂/I₃: 0 < 1 − y ≤ x < y < 1. Dots: the points of the \
                  100 × 50 grid over [0, 1] × [1/2, 1] that lie inside (every second column and row).",
        seconds: 0.1,
        parallel: false,
        run: accuracy::triangle,
    },
    Experiment {
        id: "frb-fortran-5",
        title: "Accuracy over the triangle (figure 5)",
        caption: "Mean log₁₀ of the error after one step of h = 1, over 20 unit momenta in the first \
                  octant, on a 100 × 50 grid (at reduced size 5 momenta, 30 × 15): the larger error of \
                  momentum and attitude. The reference is a Taylor series in double-double \
                  arithmetic, so that it is reliable everywhere, unlike the paper's.",
        seconds: 14.0,
        parallel: true,
        run: accuracy::map,
    },
    Experiment {
        id: "frb-fortran-6",
        title: "Cost relative to DMV (figure 6)",
        caption: "Time of an integration over [0, 10] against the step, divided by that of the \
                  cheapest DMV method (of order 6, 8 or 10) with the same step; \
                  least times of runs taken in turn, mean over three bodies. Left: the paper's setting, \
                  Algorithms 1 and 2 as printed (errata corrected) with the integrals of Carlson and Notis \
                  (1981) and the system's sine and cosine, the semi-exact variants with a Gaussian \
                  quadrature of five points, and DMV with the iteration that Hairer and Vilmart \
                  published. Right: the library's routines of the same names, and its own exact step.",
        seconds: 10.0,
        parallel: false,
        run: cost::cost,
    },
    Experiment {
        id: "frb-fortran-7",
        title: "A perturbed body for a long time (figure 7)",
        caption: "The momentum of section 4.3 on its sphere over [0, 5e4], every \
                  step a point in the close-up of (m₁, m₂).",
        seconds: 10.0,
        parallel: false,
        run: perturbed::perturbed,
    },
];
