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

use super::document::{TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::Section;
use super::given;
use super::inside::several;
use super::source::{ReadResult, Trouble};
use super::{torques, watch};
use polhode::Problem;
use polhode::control::{
    BDot, ControlError, ControlLoop, LAWS, MomentumDump, PdQuaternion, Target, Thrusters,
};
use polhode::glam::DVec3;
use polhode::torque::{DipoleField, Torque};

/// The target that is no attitude.
const NADIR: &str = "nadir";

const NUMBER: &str = "a number";
const POSITIVE: &str = "a positive number";
const ACTUATORS: &str = "one of wheels, thrusters, torque";
const THRUST: &str = "three positive numbers: the torque of the thrusters about each body axis";

const COMMON: &[&str] = &["kind", "period", "delay"];
const MAGNETIC: &[&str] = &["gain", "dipole_limit"];
const POINTING: &[&str] =
    &["target", "stiffness", "damping", "actuator", "thrust", "shortest_pulse"];

/// The orbit of a scenario, as controllers and observers see it.
pub(super) struct OnOrbit<'a> {
    section: Section<'a>,
    field: DipoleField,
    /// Whether something makes use of it.
    used: bool,
}

impl<'a> OnOrbit<'a> {
    /// The orbit of `[orbit]`, if it is there and something asks for it: the torque, a controller, or what is watched.
    pub(super) fn read(document: &'a TomlTable, torque: &Torque) -> ReadResult<Option<Self>> {
        let Some(section) = torques::read_orbit(document)? else { return Ok(None) };
        let no_field = torque.field().is_none() && watch::names(document, &["field"]);
        let watched = no_field || watch::names(document, &["nadir", "velocity"]);
        let used = torque.orbit().is_some() || watched;
        if document.get("controller").is_none() {
            if !used {
                return Err(section.fail(torques::UNUSED_ORBIT));
            }
            if torque.orbit().is_some() && !no_field {
                return Ok(None);
            }
        }
        if no_field {
            section.require("strength", "a number: of the field that [watch] names")?;
        }
        Ok(Some(Self { section, field: torques::along(section)?, used }))
    }

    fn has_field(&self) -> bool {
        self.section.get("strength").is_some()
    }

    /// The torque as observers see it: a dipole of zero adds the orbit, and the field, if there is no other.
    pub(super) fn seen_with(&self, torque: &Torque) -> Torque {
        let there = torque.orbit().is_some() && (torque.field().is_some() || !self.has_field());
        match Torque::dipole(DVec3::ZERO, self.field) {
            Ok(none) if !there => torque.clone() + none,
            _ => torque.clone(),
        }
    }

    /// Checks that something makes use of it.
    fn check(&self) -> ReadResult<()> {
        if self.used { Ok(()) } else { Err(self.section.fail(torques::UNUSED_ORBIT)) }
    }
}

/// Adds the controllers of the scenario.
pub(super) fn read(
    document: &TomlTable,
    problem: &Problem,
    orbit: Option<&mut OnOrbit<'_>>,
) -> ReadResult<Problem> {
    let mut controlled = problem.clone();
    let mut orbit = orbit;
    for section in several("controller", document)? {
        controlled = controlled.controlled(read_one(section, problem, orbit.as_deref_mut())?);
    }
    orbit.map_or(Ok(()), |orbit| orbit.check())?;
    Ok(controlled)
}

/// The keys of a controller of this kind, which it has no others than.
fn kind_of(section: Section<'_>) -> ReadResult<(&str, &'static [&'static str])> {
    section.only(&[COMMON, MAGNETIC, POINTING].concat())?;
    let kinds = format!("one of {}", LAWS.join(", "));
    let field = section.require("kind", &kinds)?;
    let kind = field.text(&kinds)?;
    let own = match kind {
        BDot::KIND | MomentumDump::KIND => MAGNETIC,
        PdQuaternion::KIND => POINTING,
        _ => return Err(field.refuse(kinds)),
    };
    section.only(&[COMMON, own].concat())?;
    Ok((kind, own))
}

fn read_one(
    section: Section<'_>,
    problem: &Problem,
    orbit: Option<&mut OnOrbit<'_>>,
) -> ReadResult<ControlLoop> {
    let (kind, own) = kind_of(section)?;
    let fail = |error| at_key(section, error);
    let period = section.require("period", POSITIVE)?.number(POSITIVE)?;
    let gain = || section.require("gain", NUMBER)?.number(NUMBER);
    let mut control = match kind {
        BDot::KIND => {
            let law = BDot::new(gain()?).map_err(fail)?;
            ControlLoop::new(period, move || law)
        }
        MomentumDump::KIND => {
            let law = MomentumDump::new(gain()?).map_err(fail)?;
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
    .delayed(section.get("delay").map_or(Ok(0.0), |field| field.number(NUMBER))?)
    .map_err(fail)?;
    if let Some(limit) = section.get("dipole_limit") {
        control = control.dipole_limit(limit.number(POSITIVE)?).map_err(fail)?;
    }
    if let Some(orbit) = orbit {
        let points_at_nadir = is_nadir(section);
        if points_at_nadir && problem.torques().orbit().is_none() {
            control = control.orbit(*orbit.field.orbit());
        }
        if own == MAGNETIC && orbit.has_field() {
            control = control.field(orbit.field);
        }
        orbit.used |= points_at_nadir || own == MAGNETIC && orbit.has_field();
    }
    control.check(problem).map_err(fail)?;
    Ok(control)
}

fn is_nadir(section: Section<'_>) -> bool {
    matches!(section.get("target").map(|f| f.value()), Some(TomlValue::Text(text)) if text == NADIR)
}

fn pointing(
    section: Section<'_>,
    problem: &Problem,
) -> ReadResult<(PdQuaternion, Option<Thrusters>, bool)> {
    let fail = |error| at_key(section, error);
    let allowed = format!("\"{NADIR}\", or {}", given::ATTITUDE);
    let field = section.require("target", &allowed)?;
    let target = match field.value() {
        TomlValue::Text(text) if text == NADIR => Target::Nadir,
        TomlValue::List(_) | TomlValue::Table(_) => Target::Fixed(given::attitude(field)?),
        TomlValue::Text(_) => return Err(field.refuse(allowed)),
        other => return Err(field.refuse_part(other.kind().into(), &allowed)),
    };
    let gain = |key| section.require(key, NUMBER)?.number(NUMBER);
    let law = PdQuaternion::new(target, gain("stiffness")?, gain("damping")?).map_err(fail)?;
    let actuator = section.require("actuator", ACTUATORS)?;
    let thrusters = |key: &'static str| -> ReadResult<()> {
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
        ControlError::Missing { .. } if is_nadir(section) => Some("target"),
        _ => None,
    };
    match key.and_then(|key| section.get(key)) {
        Some(field) => field.fail(ScenarioFault::Control(error)),
        None => section.fail(ScenarioFault::Control(error)),
    }
}
