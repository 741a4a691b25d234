//! What stands beside the axes of pictures: the units that a scenario names, or that there are some.

use polhode::observe::Observable;
use polhode_scenario::Scenario;

/// The names of units.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitNames {
    time: Option<String>,
    inertia: Option<String>,
}

impl UnitNames {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let output = scenario.output();
        Self { time: output.time_unit.clone(), inertia: output.inertia_unit.clone() }
    }

    /// Of time, if it has a name.
    pub(crate) fn time(&self) -> Option<&str> {
        self.time.as_deref()
    }

    /// The axis of time.
    pub(crate) fn t(&self) -> String {
        format!("t ({})", self.time().unwrap_or("units of time"))
    }

    /// Of an angular velocity, in radians or degrees.
    pub(crate) fn rate(&self, angle: &str) -> String {
        match &self.time {
            Some(time) => format!("{angle}/{time}"),
            None => format!("{angle} per unit of time"),
        }
    }

    /// Of a momentum, if it has a name.
    pub(crate) fn momentum(&self) -> Option<String> {
        Some(format!("{}/{}", self.inertia.as_ref()?, self.time()?))
    }

    /// Of an energy, if it has a name.
    pub(crate) fn energy(&self) -> Option<String> {
        Some(format!("{}/{}²", self.inertia.as_ref()?, self.time()?))
    }

    /// What is watched, with its unit where the formula tells.
    pub(crate) fn watched(&self, name: &str, observable: &Observable) -> String {
        let text = observable.text();
        // The whole formula is one call of this function.
        let is = |function: &str| {
            text.strip_prefix(function)
                .and_then(|rest| rest.strip_prefix('('))
                .and_then(|rest| rest.strip_suffix(')'))
                .is_some_and(closes)
        };
        if text == "deg(norm(omega))" {
            format!("{name} ({})", self.rate("degrees"))
        } else if is("deg") {
            format!("{name} (degrees)")
        } else if is("angle") {
            format!("{name} (rad)")
        } else if is("wheel_speed") || text == "norm(omega)" {
            format!("{name} ({})", self.rate("rad"))
        } else {
            name.to_owned()
        }
    }
}

/// Whether every parenthesis that is closed in a text was opened in it.
fn closes(text: &str) -> bool {
    let mut open = 0_i32;
    text.chars().all(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open >= 0
    })
}

/// A unit in parentheses, or that it is the run's.
pub(crate) fn or_of_the_run(unit: Option<String>) -> String {
    unit.unwrap_or_else(|| "units of the run".into())
}

#[cfg(test)]
mod tests {
    use super::UnitNames;
    use polhode::observe::{Directions, Observable, Surroundings};
    use polhode::torque::Torque;

    fn watched(units: &UnitNames, text: &str) -> String {
        let (torque, directions) = (Torque::none(), Directions::new());
        let around = Surroundings::new(&torque, &directions);
        units.watched("it", &Observable::new(text, &around).unwrap())
    }

    #[test]
    fn units_follow_from_those_that_are_named() {
        let si = UnitNames { time: Some("s".into()), inertia: Some("kg m²".into()) };
        assert_eq!(si.t(), "t (s)");
        assert_eq!(si.rate("rad"), "rad/s");
        assert_eq!(si.momentum().unwrap(), "kg m²/s");
        assert_eq!(si.energy().unwrap(), "kg m²/s²");
        let none = UnitNames::default();
        assert_eq!((none.t().as_str(), none.momentum()), ("t (units of time)", None));
        assert_eq!(none.rate("degrees"), "degrees per unit of time");
    }

    #[test]
    fn formulas_tell_their_units() {
        let si = UnitNames { time: Some("s".into()), inertia: None };
        assert_eq!(watched(&si, "deg(angle(z, Z))"), "it (degrees)");
        assert_eq!(watched(&si, "deg(angle(z, Z)) + cos(t)"), "it");
        assert_eq!(watched(&si, "deg(angle(z, Z)) / deg(angle(x, Z))"), "it");
        assert_eq!(watched(&si, "deg(norm(omega))"), "it (degrees/s)");
        assert_eq!(watched(&si, "norm(omega)"), "it (rad/s)");
    }
}
