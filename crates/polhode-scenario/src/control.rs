//! `[[controller]]`: a law of control, its rate, its actuators.
//!
//! ```toml
//! [[controller]]
//! kind = "pd-quaternion"          # or "b-dot", "momentum-dump"
//! period = 0.5                    # called that often, its command held in between
//! delay = 0.1                     # optional: its command acts that much later
//! target = "nadir"                # or an attitude, in any of its forms
//! stiffness = 2e-5                # torque for an angle
//! damping = 1e-3                  # torque for an angular velocity
//! actuator = "wheels"             # or "thrusters", "torque"
//! ```

use super::document::{Table, Value};
use super::error::ScenarioFault;
use super::field::Section;
use super::given;
use super::inside::several;
use super::source::{Outcome, Trouble};
use polhode::Problem;
use polhode::control::{
    BDot, ControlError, ControlLoop, MomentumDump, PdQuaternion, Target, Thrusters,
};
use polhode::torque::Source;

const KINDS: &str = "one of b-dot, pd-quaternion, momentum-dump";
const NUMBER: &str = "a number";
const POSITIVE: &str = "a positive number";
const ACTUATORS: &str = "one of wheels, thrusters, torque";
const THRUST: &str = "three positive numbers: the torque of the thrusters about each body axis";

const COMMON: &[&str] = &["kind", "period", "delay"];
const MAGNETIC: &[&str] = &["gain", "dipole_limit"];
const POINTING: &[&str] =
    &["target", "stiffness", "damping", "actuator", "thrust", "shortest_pulse"];

/// Adds the controllers of the scenario; `field` is that of the orbit.
pub(super) fn read(
    document: &Table,
    problem: &Problem,
    field: Option<&Source>,
) -> Outcome<Problem> {
    let mut controlled = problem.clone();
    for section in several("controller", document)? {
        controlled = controlled.controlled(read_one(section, problem, field)?);
    }
    Ok(controlled)
}

fn read_one(
    section: Section<'_>,
    problem: &Problem,
    field: Option<&Source>,
) -> Outcome<ControlLoop> {
    let all: Vec<&'static str> = [COMMON, MAGNETIC, POINTING].concat();
    section.only(&all)?;
    let fail = |error| at_key(section, error);
    let number = |key: &'static str, default: Option<f64>| match (section.get(key), default) {
        (Some(field), _) => field.number(NUMBER),
        (None, Some(default)) => Ok(default),
        (None, None) => section.require(key, NUMBER)?.number(NUMBER),
    };
    let kind_field = section.require("kind", KINDS)?;
    let kind = kind_field.text(KINDS)?;
    let own = match kind {
        "b-dot" | "momentum-dump" => MAGNETIC,
        "pd-quaternion" => POINTING,
        _ => return Err(kind_field.refuse(KINDS)),
    };
    section.only(&[COMMON, own].concat())?;
    let period = section.require("period", POSITIVE)?.number(POSITIVE)?;
    let mut control = match kind {
        "b-dot" => {
            let law = BDot::new(number("gain", None)?).map_err(fail)?;
            ControlLoop::new(period, move || law)
        }
        "momentum-dump" => {
            let law = MomentumDump::new(number("gain", None)?).map_err(fail)?;
            ControlLoop::new(period, move || law)
        }
        _ => {
            let (law, thrusters, internal) = pointing(section, problem)?;
            let control = ControlLoop::new(period, move || law);
            control.map(|control| match (thrusters, internal) {
                (Some(thrusters), _) => control.thrusters(thrusters),
                (None, true) => control.internal(),
                (None, false) => control,
            })
        }
    }
    .map_err(fail)?
    .delayed(number("delay", Some(0.0))?)
    .map_err(fail)?;
    if own == MAGNETIC {
        let field = field.cloned().or_else(|| problem.torques().field());
        let missing = ControlError::Missing {
            what: "there is no magnetic field",
            remedy: "give [orbit] strength, or a [torque] dipole with a field",
        };
        control = control.field(field.ok_or_else(|| fail(missing))?);
        if let Some(limit) = section.get("dipole_limit") {
            control = control.dipole_limit(limit.number(POSITIVE)?).map_err(fail)?;
        }
    }
    Ok(control)
}

fn pointing(
    section: Section<'_>,
    problem: &Problem,
) -> Outcome<(PdQuaternion, Option<Thrusters>, bool)> {
    let fail = |error| at_key(section, error);
    let target_field = section.require("target", &format!("\"nadir\", or {}", given::ATTITUDE))?;
    let target = match target_field.value() {
        Value::Text(text) if text == "nadir" => {
            if problem.torques().orbit().is_none() {
                return Err(target_field.fail(ScenarioFault::Control(ControlError::Missing {
                    what: "there is no nadir without an orbit",
                    remedy: "give [orbit] and a [torque] on it, gravity-gradient for instance",
                })));
            }
            Target::Nadir
        }
        _ => Target::Fixed(given::attitude(target_field)?),
    };
    let gain = |key| section.require(key, NUMBER)?.number(NUMBER);
    let law = PdQuaternion::new(target, gain("stiffness")?, gain("damping")?).map_err(fail)?;
    let actuator = section.require("actuator", ACTUATORS)?;
    let thrusters = |key: &'static str| -> Outcome<()> {
        match section.get(key) {
            None => Ok(()),
            Some(field) => Err(field.fail(ScenarioFault::Unwanted {
                why: "it is about thrusters; give actuator = \"thrusters\", or leave it out",
            })),
        }
    };
    match actuator.text(ACTUATORS)? {
        "wheels" => {
            thrusters("thrust")?;
            thrusters("shortest_pulse")?;
            let wheels = problem.moving().map_or(&[][..], |inside| inside.wheels());
            let law = law.by_wheels(wheels);
            Ok((law.map_err(|e| actuator.fail(ScenarioFault::Control(e)))?, None, true))
        }
        "torque" => {
            thrusters("thrust")?;
            thrusters("shortest_pulse")?;
            Ok((law, None, false))
        }
        "thrusters" => {
            let level = section.require("thrust", THRUST)?.vector::<3>(THRUST)?;
            let shortest = section.get("shortest_pulse").map_or(Ok(0.0), |f| f.number(NUMBER))?;
            Ok((law, Some(Thrusters::new(level, shortest).map_err(fail)?), false))
        }
        _ => Err(actuator.refuse(ACTUATORS)),
    }
}

/// Trouble at the key that it is about.
fn at_key(section: Section<'_>, error: ControlError) -> Box<Trouble> {
    let key = match &error {
        ControlError::Value { key, .. } => Some(*key),
        _ => None,
    };
    match key.and_then(|key| section.get(key)) {
        Some(field) => field.fail(ScenarioFault::Control(error)),
        None => section.fail(ScenarioFault::Control(error)),
    }
}
