//! `init_exampleN.dat`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use polhode::composition::{self, SCHEMES};
use polhode::glam::{DMat3, DQuat};
use polhode::{State, so3};

use super::{Driver, DriverStage};
use crate::ExperimentError;

/// What a driver starts from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Init {
    /// Principal moments.
    pub(crate) inertia: [f64; 3],
    /// Momentum in the body frame.
    pub(crate) momentum: [f64; 3],
    /// Attitude, body to space.
    pub(crate) attitude: Attitude,
    /// The end; the start is 0.
    pub(crate) t_end: f64,
    /// What example 1 has beside.
    pub(crate) splitting: Option<ExampleSplitting>,
}

/// An attitude as a file has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Attitude {
    /// Row by row.
    Matrix([f64; 9]),
    /// w, x, y, z.
    Quaternion([f64; 4]),
}

/// Torque and scheme of example 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExampleSplitting {
    /// The field, in space: the torque is (u2, -u1, 0) with u = Q^T u0.
    pub(crate) u0: [f64; 3],
    /// The step of the integration.
    pub(crate) step: f64,
    /// Write every so many steps.
    pub(crate) every: u64,
    /// Parts of the free motion.
    pub(crate) a: [f64; 8],
    /// Parts of the torque.
    pub(crate) b: [f64; 7],
}

impl ExampleSplitting {
    /// How many steps.
    pub(super) fn steps(&self, t_end: f64) -> u64 {
        // Checked to be a number that can be counted when it was read.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = (t_end / self.step).round() as u64;
        steps
    }

    /// The palindrome a1 b1 a2 … b7 a8 b7 … a2 b1 a1.
    pub(super) fn stages(&self) -> impl Iterator<Item = DriverStage> {
        let half =
            (0..7).flat_map(|i| [DriverStage::Free(self.a[i]), DriverStage::Kick(self.b[i])]);
        let back =
            (0..7).rev().flat_map(|i| [DriverStage::Kick(self.b[i]), DriverStage::Free(self.a[i])]);
        half.chain([DriverStage::Free(self.a[7])]).chain(back)
    }
}

/// A line number (0: the whole file) and what is wrong.
type Complaint = (usize, String);

impl Init {
    /// The published data as far as there are any: example 1 is section 4.3 of the paper. Examples 0 and 2
    /// are bodies of our own.
    pub(crate) fn published(driver: Driver, t_end: f64) -> Self {
        let identity = Attitude::Matrix([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        match driver {
            Driver::Example0 => Self {
                inertia: [0.2002090394040131, 0.2539223471155811, 0.3293805665275422],
                momentum: [0.09486734517015638, 0.13029840726641564, 0.06045273830260916],
                attitude: identity,
                t_end,
                splitting: None,
            },
            Driver::Example1 => {
                let (a, b) = coefficients();
                let u0 = [9.5586303547238536e-05, 4.8777318247201465e-04, -8.6772148817192390e-04];
                Self {
                    inertia: [1.0, 1.0126869887825154, 3.3062374224730378],
                    momentum: [
                        -3.4790957088547336e-01,
                        -1.9822914599675923e-01,
                        -9.1633189192763642e-01,
                    ],
                    attitude: identity,
                    t_end,
                    splitting: Some(ExampleSplitting { u0, step: 0.5, every: 100, a, b }),
                }
            }
            Driver::Example2 => Self {
                inertia: [0.12015889154338001, 0.15972985037127946, 0.17722572631606356],
                momentum: [0.03620953089566414, -0.0538085609424773, 0.10286571905143743],
                attitude: Attitude::Quaternion([1.0, 0.0, 0.0, 0.0]),
                t_end,
                splitting: None,
            },
        }
    }

    pub(super) fn start(&self) -> Result<State, ExperimentError> {
        let q = match self.attitude {
            Attitude::Matrix(rows) => DQuat::from_mat3(&DMat3::from_cols_array(&rows).transpose()),
            Attitude::Quaternion(wxyz) => so3::from_wxyz(wxyz),
        };
        Ok(State::new(self.momentum, q)?)
    }

    /// The file's text.
    pub(crate) fn text(&self, driver: Driver) -> String {
        let mut text = format!("# init_example{}.dat; see docs/drivers.md\n", driver.number());
        let mut line = |name: &str, values: &[f64]| {
            let values: Vec<String> = values.iter().map(f64::to_string).collect();
            let _ = writeln!(text, "{name} {}", values.join(" "));
        };
        line("inertia", &self.inertia);
        line("momentum", &self.momentum);
        match &self.attitude {
            Attitude::Matrix(rows) => line("attitude", rows),
            Attitude::Quaternion(wxyz) => line("attitude", wxyz),
        }
        line("t_end", &[self.t_end]);
        if let Some(s) = &self.splitting {
            line("u0", &s.u0);
            line("step", &[s.step]);
            line("every", &[s.every as f64]);
            line("a", &s.a);
            line("b", &s.b);
        }
        text
    }

    /// What a file says.
    ///
    /// # Errors
    /// The line, 0 for the whole file, and what is wrong with it.
    pub(crate) fn parse(driver: Driver, text: &str) -> Result<Self, Complaint> {
        let mut lines = Lines::read(text, driver)?;
        let attitude = if driver == Driver::Example2 {
            Attitude::Quaternion(lines.take("attitude")?)
        } else {
            Attitude::Matrix(lines.take("attitude")?)
        };
        let [t_end] = lines.take("t_end")?;
        let splitting = if driver == Driver::Example1 {
            let [step] = lines.take("step")?;
            let [every] = lines.take("every")?;
            if !(step.is_normal() && (0.0..1e15).contains(&(t_end / step))) {
                return Err((0, format!("step = {step}: t_end/step must be 0 to 1e15 steps")));
            }
            if !(every >= 1.0 && every.fract() == 0.0 && every < 1e15) {
                return Err((0, format!("every = {every}: must be a whole number from 1")));
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let every = every as u64;
            let (u0, a, b) = (lines.take("u0")?, lines.take("a")?, lines.take("b")?);
            Some(ExampleSplitting { u0, step, every, a, b })
        } else {
            None
        };
        let (inertia, momentum) = (lines.take("inertia")?, lines.take("momentum")?);
        Ok(Self { inertia, momentum, attitude, t_end, splitting })
    }
}

/// Named lines of numbers.
struct Lines<'a>(BTreeMap<&'a str, (usize, Vec<f64>)>);

impl<'a> Lines<'a> {
    fn read(text: &'a str, driver: Driver) -> Result<Self, Complaint> {
        let mut names = vec!["inertia", "momentum", "attitude", "t_end"];
        if driver == Driver::Example1 {
            names.extend(["u0", "step", "every", "a", "b"]);
        }
        let mut lines = BTreeMap::new();
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(name) = words.next() else { continue };
            if !names.contains(&name) {
                let known = names.join(", ");
                return Err((number, format!("'{name}' is none of {known}")));
            }
            let mut values = Vec::new();
            for word in words {
                match polhode_number::read(word) {
                    Ok(value) => values.push(value),
                    Err(why) => return Err((number, format!("{name}: '{word}' {why}"))),
                }
            }
            if lines.insert(name, (number, values)).is_some() {
                return Err((number, format!("{name} is given twice")));
            }
        }
        Ok(Self(lines))
    }

    fn take<const N: usize>(&mut self, name: &str) -> Result<[f64; N], Complaint> {
        let (line, values) =
            self.0.remove(name).ok_or_else(|| (0, format!("{name} is missing")))?;
        let s = if N == 1 { "" } else { "s" };
        let got = values.len();
        values.try_into().map_err(|_| (line, format!("{name}: needs {N} number{s}, got {got}")))
    }
}

/// The coefficients of the scheme `rkn6-14`.
pub(crate) fn coefficients() -> ([f64; 8], [f64; 7]) {
    let (mut a, mut b) = ([0.0; 8], [0.0; 7]);
    let stages = SCHEMES.iter().find(|s| s.id == "rkn6-14").map_or(&[][..], |s| &s.stages);
    let (mut drifts, mut kicks) = (a.iter_mut(), b.iter_mut());
    for stage in stages {
        let (place, part) = match stage {
            composition::Stage::Drift(part) => (drifts.next(), part),
            composition::Stage::Kick(part) => (kicks.next(), part),
            // This scheme has none of the others.
            _ => continue,
        };
        // The second half repeats the first one.
        if let Some(place) = place {
            *place = *part;
        }
    }
    (a, b)
}
