//! The torques that can be chosen.

use polhode::Torque;
use polhode::torque::{ConstantTorque, Damping, GravityGradient, HeavyTop, TorqueError};
use polhode_view::Look;

/// A torque with one slider.
pub struct Kind {
    /// Its name in a scenario.
    pub name: &'static str,
    /// What it is, in the list to choose from.
    pub title: &'static str,
    /// What the slider says.
    pub slider: &'static str,
    /// The largest value of the slider.
    pub most: f64,
    /// Where the slider is when the torque is chosen.
    pub usual: f64,
    /// What the body looks like.
    pub look: Look,
    make: fn(f64) -> Result<Torque, TorqueError>,
    /// Its keys in a scenario.
    pub(crate) keys: fn(f64) -> String,
}

impl Kind {
    /// The torque of a strength.
    ///
    /// # Errors
    /// [`TorqueError`] if the strength is not finite, or negative where that makes no sense.
    pub fn torque(&self, strength: f64) -> Result<Torque, TorqueError> {
        (self.make)(strength)
    }
}

/// All torques to choose from; the first one stands for no torque.
pub static KINDS: [Kind; 5] = [
    Kind {
        name: "none",
        title: "none: a free body",
        slider: "Strength",
        most: 1.0,
        usual: 0.0,
        look: Look::Box,
        make: |_| Ok(Torque::none()),
        keys: |_| String::new(),
    },
    Kind {
        name: "heavy-top",
        title: "gravity: a heavy top on its tip",
        slider: "Weight times distance of the centre",
        most: 100.0,
        usual: 20.0,
        look: Look::Top,
        make: |x| Ok(HeavyTop::new([0.0, 0.0, x], [0.0, 0.0, 1.0])?.into()),
        keys: |x| format!("centre = [0.0, 0.0, {x:?}]\n"),
    },
    Kind {
        name: "constant",
        title: "a thruster: constant torque about axis 3",
        slider: "Torque",
        most: 20.0,
        usual: 2.0,
        look: Look::Satellite,
        make: |x| Ok(ConstantTorque::body([0.0, 0.0, x])?.into()),
        keys: |x| format!("torque = [0.0, 0.0, {x:?}]\n"),
    },
    Kind {
        name: "damping",
        title: "a drag, against the angular velocity",
        slider: "Torque for an angular velocity of 1",
        most: 5.0,
        usual: 0.3,
        look: Look::Box,
        make: |x| Ok(Damping::new([x; 3])?.into()),
        keys: |x| format!("coefficient = {x:?}\n"),
    },
    Kind {
        name: "gravity-gradient",
        title: "gravity gradient on a circular orbit",
        slider: "Angular velocity of the orbit",
        most: 10.0,
        usual: 1.0,
        look: Look::Satellite,
        make: |x| Ok(GravityGradient::new(x, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?.into()),
        keys: |x| format!("rate = {x:?}\n"),
    },
];
