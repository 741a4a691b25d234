//! The sections of an ensemble that are not those of a scenario.

use super::{FLAG, NUMBER, SectionReference, key};

/// The sections of an ensemble that are not those of a scenario.
pub const ENSEMBLE: &[SectionReference] = &[
    SectionReference {
        name: "bodies",
        doc: "Where the bodies come from. Needed, with count or file.",
        keys: &[
            key(
                "count",
                "a whole number from 1 to 1e15",
                "-",
                "needed, or file",
                "10000",
                "How many are drawn.",
            ),
            key(
                "seed",
                "a whole number from 0 to 2^53",
                "-",
                "0",
                "7",
                "Of the random numbers: another seed draws other bodies.",
            ),
            key(
                "file",
                "the name of a .csv file beside the ensemble",
                "-",
                "needed, or count",
                "\"bodies.csv\"",
                "A table of bodies: i1 i2 i3, m1 m2 m3 or w1 w2 w3, q0 q1 q2 q3.",
            ),
        ],
    },
    SectionReference {
        name: "body",
        doc: "As in a scenario; inertia may be a law.",
        keys: &[
            key(
                "inertia",
                "as in a scenario, or { law = \"any\", largest = .. }, or \
                 { law = \"log-normal\", about = [..], sigma = .. }",
                "mass times length squared",
                "needed, unless in the table",
                "{ law = \"log-normal\", about = [1, 2, 2.5], sigma = 0.1 }",
                "any: every body is equally likely, up to a largest moment. log-normal: each second moment of the mass \
                 is taken times e^(sigma x) with x normal.",
            ),
            key("allow_unphysical", FLAG, "-", "false", "true", "As in a scenario."),
        ],
    },
    SectionReference {
        name: "start",
        doc: "As in a scenario, without periods; each may be a law.",
        keys: &[
            key(
                "omega",
                "as in a scenario, or { law = \"isotropic\", length = .. }, or \
                 { law = \"gaussian\", mean = [..], sigma = .. }",
                "radians per unit of time",
                "needed, or momentum",
                "{ law = \"gaussian\", mean = [0, 30, 0], sigma = 0.5, unit = \"deg_per_s\" }",
                "sigma is one number or three. unit may be deg_per_s, rpm or rad_per_s.",
            ),
            key(
                "momentum",
                "the same, without unit",
                "inertia per unit of time",
                "needed, or omega",
                "{ law = \"isotropic\", length = 1 }",
                "Angular momentum in the body frame.",
            ),
            key(
                "attitude",
                "as in a scenario, or { law = \"uniform\" }",
                "-",
                "[1, 0, 0, 0]",
                "{ law = \"uniform\" }",
                "uniform: every attitude is equally likely.",
            ),
        ],
    },
    SectionReference {
        name: "run",
        doc: "With [method], steps until the end; without, free bodies in closed form, or torqued ones solved, at \
              times or until the end.",
        keys: &[
            key(
                "until",
                NUMBER,
                "time",
                "needed, or times",
                "10",
                "The end. Without [method], states are kept there and at the start, or every interval.",
            ),
            key(
                "every",
                "a whole number",
                "steps",
                "1",
                "100",
                "Of fixed steps, keep one in so many.",
            ),
            key(
                "interval",
                NUMBER,
                "time",
                "-",
                "2.5",
                "The time from one state that is kept to the next, until the end; of fixed steps, a whole number of \
                 them.",
            ),
            key(
                "times",
                "a list of times",
                "time",
                "needed, or until",
                "[1, 10, 1e6]",
                "When states are wanted, without [method].",
            ),
            key(
                "tolerance",
                NUMBER,
                "as in a scenario",
                "1e-10",
                "1e-8",
                "Of torqued bodies without [method].",
            ),
            key(
                "stops",
                "a list of times",
                "time",
                "none",
                "[0.5]",
                "Where the torque jumps, without [method]: a step of every body ends there.",
            ),
        ],
    },
];
