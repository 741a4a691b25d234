//! Where the error depends on: shape of the body, distance to the special motions, phase.
//!
//! Reference: Taylor series in double-double, without elliptic functions.

use std::fmt::Write;

use polhode::{FreeMotion, Inertia, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::bodies::{Body, BodyClass, Rng, body};
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};

/// Errors of momentum and attitude, in eps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Error {
    pub(crate) momentum: f64,
    pub(crate) attitude: f64,
}

impl Error {
    fn max(self, other: Self) -> Self {
        Self {
            momentum: self.momentum.max(other.momentum),
            attitude: self.attitude.max(other.attitude),
        }
    }
}

pub(crate) fn error(
    inertia: [f64; 3],
    momentum: [f64; 3],
    attitude: [f64; 4],
    t: f64,
    (m, q): ([Dd; 3], [Dd; 4]),
) -> Error {
    let inertia = Inertia::principal_unphysical(inertia).unwrap();
    let start = State::new(momentum, so3::from_wxyz(attitude)).unwrap();
    let state = FreeMotion::new(&inertia, start).unwrap().at(t).unwrap();
    Error {
        momentum: momentum_error(state.m.to_array(), m) / f64::EPSILON,
        attitude: quaternion_distance(state.attitude(), q) / f64::EPSILON,
    }
}

/// The largest errors at some times, in radians of rotation.
fn worst(body: &Body, angles: &[f64]) -> Error {
    let reference = FreeReference::new(body.inertia, body.momentum, body.attitude);
    angles.iter().fold(Error::default(), |worst, &angle| {
        let t = body.time_for(angle);
        let want = reference.at_long(t);
        worst.max(error(body.inertia, body.momentum, body.attitude, t, want))
    })
}

/// Over the inertia triangle: I3 = 1, I2 and I1 on a grid, equality cases included.
pub(crate) fn triangle() -> String {
    let mut text = String::from(
        "## Over the inertia triangle\n\n\
         Moments I1 <= I2 <= I3 = 1 with I1 + I2 >= 1: spheres at the upper right, symmetric tops \
         on the diagonal and on the top row, flat bodies at the lower edge. Largest error (momentum \
         / attitude) of 6 random motions after 1, 10 and 100 rad.\n\n| I2 \\ I1 |",
    );
    let grid = [1e-3, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    for i1 in grid {
        write!(text, " {i1} |").unwrap();
    }
    text += "\n|---|";
    text += &"---:|".repeat(grid.len());
    let mut rng = Rng::new(1);
    for i2 in [1.0, 0.9, 0.8, 0.7, 0.6, 0.5] {
        write!(text, "\n| {i2} |").unwrap();
        for i1 in grid {
            if i1 > i2 || i1 + i2 < 1.0 - 1e-12 {
                text += " |";
                continue;
            }
            let mut cell = Error::default();
            for _ in 0..6 {
                let body = Body {
                    inertia: [i1, i2, 1.0],
                    momentum: rng.direction(),
                    attitude: rng.direction(),
                };
                cell = cell.max(worst(&body, &[1.0, 10.0, 100.0]));
            }
            write!(text, " {:.1} / {:.1} |", cell.momentum, cell.attitude).unwrap();
        }
    }
    text += "\n\n";
    text
}

/// Over the distance to the axes, the separatrix and the symmetric bodies.
pub(crate) fn distances() -> String {
    type Class = fn(f64) -> BodyClass;
    let classes: [(&str, Class); 8] = [
        ("axis 1", |d| BodyClass::NearAxis { axis: 0, d }),
        ("axis 2", |d| BodyClass::NearAxis { axis: 1, d }),
        ("axis 3", |d| BodyClass::NearAxis { axis: 2, d }),
        ("separatrix, below", |d| BodyClass::NearSeparatrix(d)),
        ("separatrix, above", |d| BodyClass::NearSeparatrix(-d)),
        ("oblate", BodyClass::NearSymmetricOblate),
        ("prolate", BodyClass::NearSymmetricProlate),
        ("sphere", BodyClass::NearSphere),
    ];
    let mut text = String::from(
        "## Over the distance to the special motions\n\n\
         Distance: angle between momentum and axis; relative distance to the separatrix (in energy \
         below: about the greatest moment; above: about the least); relative difference of two \
         moments. Largest error (momentum / attitude) of 5 random motions after 1, 10 and 100 \
         rad.\n\n| distance |",
    );
    for (name, _) in classes {
        write!(text, " {name} |").unwrap();
    }
    text += "\n|---|";
    text += &"---:|".repeat(classes.len());
    let mut rng = Rng::new(2);
    for n in 1..=16 {
        let d = 10f64.powi(-n);
        write!(text, "\n| {d:e} |").unwrap();
        for (_, class) in classes {
            let mut cell = Error::default();
            for _ in 0..5 {
                cell = cell.max(worst(&body(class(d), &mut rng), &[1.0, 10.0, 100.0]));
            }
            write!(text, " {:.1} / {:.1} |", cell.momentum, cell.attitude).unwrap();
        }
    }
    text += "\n\n";
    text
}

/// Over the phase.
pub(crate) fn phases() -> String {
    let classes = [
        ("generic", BodyClass::Generic),
        ("near the separatrix, 1e-6", BodyClass::NearSeparatrix(1e-6)),
        ("nearly symmetric, 1e-6", BodyClass::NearSymmetricOblate(1e-6)),
        ("near axis 1, 1e-6", BodyClass::NearAxis { axis: 0, d: 1e-6 }),
    ];
    let mut text = String::from(
        "## Over the phase\n\n\
         Largest error (momentum / attitude) of 8 random motions, forwards and backwards. The \
         reference finds the period and the angle turned over it by the Taylor series, and goes \
         through whole periods at once.\n\n| rad |",
    );
    for (name, _) in classes {
        write!(text, " {name} |").unwrap();
    }
    text += "\n|---|---:|---:|---:|---:|";
    let mut rng = Rng::new(3);
    for n in 0..=9 {
        let angle = 10f64.powi(n);
        write!(text, "\n| {angle:e} |").unwrap();
        for (_, class) in classes {
            let mut cell = Error::default();
            for _ in 0..8 {
                cell = cell.max(worst(&body(class, &mut rng), &[angle, -0.7 * angle]));
            }
            write!(text, " {:.1} / {:.1} |", cell.momentum, cell.attitude).unwrap();
        }
    }
    text += "\n";
    text
}
