//! What the sliders say.

use polhode::glam::DVec3;
use polhode::{Inertia, Problem, State, so3};

use crate::{KINDS, Kind};

/// A body, its start, what acts on it, and how accurately its motion is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Principal moments of inertia.
    pub moments: [f64; 3],
    /// Angular velocity at the start, in the body frame.
    pub omega: [f64; 3],
    /// The body is turned by so many degrees about the first axis of space.
    pub tilt: f64,
    /// Which of [`KINDS`] acts.
    pub kind: usize,
    /// How strongly.
    pub strength: f64,
    /// The error wanted at the end.
    pub tolerance: f64,
    /// The end; the start is at 0.
    pub until: f64,
}

impl Default for Settings {
    /// The flip of a T-handle.
    fn default() -> Self {
        Self {
            moments: [3.0, 8.0, 11.0],
            omega: [0.05, 6.0, 0.0],
            tilt: 0.0,
            kind: 0,
            strength: 0.0,
            tolerance: 1e-9,
            until: 20.0,
        }
    }
}

impl Settings {
    /// How many numbers there are.
    pub const COUNT: usize = 11;

    /// From numbers in the order of the fields; the page has no other way to tell them.
    pub fn from_numbers(numbers: [f64; Self::COUNT]) -> Self {
        let [i1, i2, i3, w1, w2, w3, tilt, kind, strength, tolerance, until] = numbers;
        let kind = (0..KINDS.len()).find(|&k| k as f64 == kind).unwrap_or(0);
        let (moments, omega) = ([i1, i2, i3], [w1, w2, w3]);
        Self { moments, omega, tilt, kind, strength, tolerance, until }
    }

    /// The torque that acts.
    pub fn acting(&self) -> &'static Kind {
        &KINDS[self.kind]
    }

    /// The problem that these settings describe.
    ///
    /// # Errors
    /// What the library has to say about the body, the start or the torque.
    pub fn problem(&self) -> Result<Problem, String> {
        let inertia = Inertia::principal(self.moments).map_err(|e| e.to_string())?;
        let attitude = so3::exp(DVec3::X * self.tilt.to_radians());
        let start = State::from_omega(&inertia, self.omega, attitude).map_err(|e| e.to_string())?;
        let torque = self.acting().torque(self.strength).map_err(|e| e.to_string())?;
        Ok(Problem::new(inertia, start).torque(torque))
    }

    /// The problem that these settings describe as a scenario, for `polhode run`.
    pub fn scenario(&self) -> String {
        let Kind { name, keys, look, .. } = self.acting();
        format!(
            "# Made in the playground. Run it: polhode run playground.toml\n\
             # See it: polhode run playground.toml --out playground.html\n\n\
             [body]\ninertia = {:?}\n\n\
             [start]\nomega = {:?}\nattitude = {{ axis = [1.0, 0.0, 0.0], angle_deg = {:?} }}\n\n\
             [torque]\nkind = \"{name}\"\n{}\n\
             [run]\nuntil = {:?}\ntolerance = {:?}\n\n\
             [output]\nfiles = [\"playground.csv\", \"playground.svg\"]\nshape = \"{}\"\n",
            self.moments,
            self.omega,
            self.tilt,
            keys(self.strength),
            self.until,
            self.tolerance,
            look.name(),
        )
    }
}
