//! From a text to a scenario.

use super::control::OnOrbit;
use super::document::{Item, KeyEntry, TomlTable, TomlValue};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::solving::{self, Computation, Steps};
use super::source::{ReadResult, ScenarioText, Span, Trouble, quote};
use super::{MAX_BYTES, Scenario, control, given, inside, method, output, torques, watch};
use polhode::glam::DQuat;
use polhode::inside::VaryingInertia;
use polhode::shape::MassProperties;
use polhode::{Inertia, Plan, PlanError, Problem, SolveError, State};

/// All sections: the first is that of ensembles, the last that of scenarios.
const SECTIONS: &[&str] = &[
    "bodies",
    "body",
    "start",
    "torque",
    "orbit",
    "wheel",
    "dissipation",
    "damper",
    "controller",
    "method",
    "run",
    "watch",
    "directions",
    "output",
];
/// The sections of a scenario.
pub(super) const OF_ONE: &[&str] = SECTIONS.split_at(1).1;
/// The sections of an ensemble.
pub(super) const OF_MANY: &[&str] = SECTIONS.split_at(SECTIONS.len() - 1).0;
pub(super) const VECTOR: &str = "three numbers, in the body frame";
/// The ways to say how the body turns at the start; one of them.
const SPINS: [&str; 3] = ["omega", "momentum", "periods"];
const STEP: &str = "a number, not zero";
pub(super) const UNTIL: &str = "a number: the time of the end, from a start at 0";

/// A text and the tree that it is with its overrides.
pub(super) struct ScenarioTree<'a> {
    source: &'a ScenarioText,
    pub(super) document: TomlTable,
}

impl<'a> ScenarioTree<'a> {
    /// Reads the tree; `empty` is what is wrong if there is nothing in it.
    pub(super) fn new(source: &'a ScenarioText, empty: ScenarioFault) -> ReadResult<Self> {
        if source.text.len() > MAX_BYTES {
            return Err(at(0, ScenarioFault::TooLarge));
        }
        let document = source.tree()?;
        if document.0.is_empty() {
            return Err(at(0, empty));
        }
        Ok(Self { source, document })
    }

    /// The section of that name, and what it needs if it is not there.
    pub(super) fn need(&self, name: &'static str, needs: &'static str) -> ReadResult<Section<'_>> {
        if let Some(entry) = self.document.get(name) {
            return Section::new(name, &entry.item);
        }
        // What is missing could stand at the end of the file.
        let end = self.source.text.trim_end().len();
        Err(at(end, ScenarioFault::MissingSection { name, needs }))
    }
}

/// What is wrong at a place in the text, and not with something that stands there.
fn at(byte: usize, fault: ScenarioFault) -> Box<Trouble> {
    let span = Span { over: None, bytes: byte..byte };
    Box::new(Trouble { span, field: String::new(), fault })
}

/// Reads and checks a scenario.
pub(super) fn scenario(source: &ScenarioText) -> ReadResult<Scenario> {
    let tree = ScenarioTree::new(source, ScenarioFault::Empty)?;
    let document = &tree.document;
    refuse_ensemble(document)?;
    only_sections(document, OF_ONE)?;
    let body = tree.need("body", "inertia = [..]")?;
    let start = tree.need("start", "omega = [..] or momentum = [..]")?;
    let method = document.get("method").map(|e| Section::new("method", &e.item)).transpose()?;
    let run = tree.need("run", "until = ..")?;

    let (inertia, mass_properties, varying) = read_varying(body)?;
    let inside = inside::read(document, varying)?;
    let with_wheels = inside::body(document, &inertia, inside)?;
    let start = read_start(start, &with_wheels)?;
    let orbit = torques::read_orbit(document)?;
    let torque = torques::read(document.get("torque").map(|e| &e.item), orbit, &inertia, &start)?;
    let mut on_orbit = OnOrbit::read(document, &torque)?;
    let problem = with_wheels.torque(torque.clone()).starting_from(start);
    let problem = control::read(document, &problem, on_orbit.as_mut())?;
    let seen = on_orbit.map_or_else(|| torque.clone(), |orbit| orbit.seen_with(&torque));
    let (computation, until) = read_computation(method, run, &problem)?;
    let end = match &computation {
        Computation::Steps(steps) => steps.plan.time(0.0, steps.plan.steps),
        Computation::Solution(_) => until,
    };
    if torque.check_times([0.0, end]).is_err() {
        torques::check_times(document.get("torque").map(|e| &e.item), orbit, end)?;
    }
    let watching = watch::read(document, run, &problem, &seen, end)?;
    let mut output = output::read(document.get("output").map(|e| &e.item))?;
    // A body that is described by its shape is drawn like it.
    output.shape = output.shape.or_else(|| given::look(body));
    Ok(Scenario {
        name: source.name.clone(),
        text: source.text.clone(),
        overrides: source.overrides.clone(),
        mass_properties,
        start,
        problem,
        computation,
        until,
        output,
        watching,
    })
}

/// A file for the other command is told as such. [bodies] alone may be a slip for [body].
fn refuse_ensemble(document: &TomlTable) -> ReadResult<()> {
    if let Some(KeyEntry { item, .. }) = document.get("bodies")
        && let TomlValue::Table(bodies) = &item.value
        && ["count", "file"].iter().any(|key| bodies.get(key).is_some())
    {
        return Err(Section::new("bodies", item)?.fail(ScenarioFault::IsEnsemble));
    }
    Ok(())
}

pub(super) fn only_sections(
    document: &TomlTable,
    known: &'static [&'static str],
) -> ReadResult<()> {
    let Some(entry) = document.0.iter().find(|e| !known.contains(&e.key.as_str())) else {
        return Ok(());
    };
    let name = quote(&entry.key);
    let is_table = |item: &Item| matches!(item.value, TomlValue::Table(_));
    let is_section = match &entry.item.value {
        TomlValue::List(list) => list.first().is_some_and(is_table),
        _ => is_table(&entry.item),
    };
    let trouble = if is_section {
        let start = entry.key_span.bytes.start;
        let span = Span { over: entry.key_span.over, bytes: start..start };
        let field = format!("[{name}]");
        Trouble { span, field, fault: ScenarioFault::UnknownSection { name, known } }
    } else {
        Trouble {
            span: entry.item.span.clone(),
            field: name,
            fault: ScenarioFault::NoSection { known },
        }
    };
    Err(Box::new(trouble))
}

pub(super) fn read_body(body: Section<'_>) -> ReadResult<(Inertia, Option<MassProperties>)> {
    body.only(&["inertia", "allow_unphysical"])?;
    let field = body.require("inertia", given::INERTIA)?;
    given::inertia(field, body.flag("allow_unphysical")?)
}

/// The inertia at t = 0, and how it varies if it does.
pub(super) fn read_varying(
    body: Section<'_>,
) -> ReadResult<(Inertia, Option<MassProperties>, Option<VaryingInertia>)> {
    if let Some(field) = body.get("inertia")
        && let Some((law, first)) = inside::varying(field, body.flag("allow_unphysical")?)?
    {
        body.only(&["inertia", "allow_unphysical"])?;
        return Ok((first, None, Some(law)));
    }
    let (inertia, mass_properties) = read_body(body)?;
    Ok((inertia, mass_properties, None))
}

fn read_start(start: Section<'_>, body: &Problem) -> ReadResult<State> {
    let inertia = body.inertia();
    start.only(&["omega", "momentum", "periods", "attitude"])?;
    let q = start.get("attitude").map_or(Ok(DQuat::IDENTITY), given::attitude)?;
    let given: Vec<SectionField<'_>> = SPINS.iter().filter_map(|key| start.get(key)).collect();
    let (field, state) = match given[..] {
        [] => {
            let allowed = format!("{} (or give 'momentum' or 'periods')", given::OMEGA);
            return Err(start.fail(ScenarioFault::MissingKey { key: "omega", allowed }));
        }
        [field] => match field.key() {
            "omega" => {
                let omega = given::omega(field)?;
                // Of a body with wheels the momentum is the total one.
                (
                    field,
                    match body.moving() {
                        None => State::from_omega(inertia, omega, q),
                        Some(_) => State::new(body.momentum_of(omega), q),
                    },
                )
            }
            "momentum" => (field, State::new(field.vector::<3>(VECTOR)?, q)),
            _ => (field, State::new(given::periods(field, inertia)?, q)),
        },
        [first, second, ..] => {
            let name = |field: SectionField<'_>| SPINS.into_iter().find(|key| *key == field.key());
            let (key, other) = (name(second).unwrap_or("momentum"), name(first).unwrap_or("omega"));
            return Err(second.fail(ScenarioFault::Both { key, other }));
        }
    };
    let state = state.map_err(|e| field.fail(ScenarioFault::State(e)))?;
    let out_of_range = |what| Err(field.fail(ScenarioFault::OutOfRange { what }));
    if !state.omega(inertia).is_finite() {
        return out_of_range("the angular velocity");
    }
    if !state.kinetic_energy(inertia).is_finite() {
        return out_of_range("the kinetic energy");
    }
    Ok(state)
}

/// In steps of one length where there is a method that has them, to a tolerance otherwise; and the end.
fn read_computation(
    method: Option<Section<'_>>,
    run: Section<'_>,
    problem: &Problem,
) -> ReadResult<(Computation, f64)> {
    run.only(solving::KEYS)?;
    let named = method.map(solving::method).transpose()?.flatten();
    let Some(method) = method.filter(|_| named.is_none()) else {
        if !problem.can_be_solved() {
            let fault = ScenarioFault::Solve(SolveError::MovesInside.to_string());
            return Err(match run.get("tolerance") {
                Some(tolerance) => tolerance.fail(fault),
                None => run.fail(fault),
            });
        }
        let (solving, until) = solving::read(named, run, problem)?;
        return Ok((Computation::Solution(solving), until));
    };
    let (stepping, method_id) = method::read(method)?;
    solving::refuse_with_steps(run)?;
    let (plan, until, every) = read_run(method, run)?;
    stepping.stepper(problem).map_err(|e| method::fail(method, ScenarioFault::Method(e)))?;
    Ok((Computation::Steps(Steps { method: stepping, method_id, plan, every }), until))
}

pub(super) fn read_run(method: Section<'_>, run: Section<'_>) -> ReadResult<(Plan, f64, u64)> {
    let step_field = method.require("step", STEP)?;
    let step = step_field.number(STEP)?;
    let until_field = run.require("until", UNTIL)?;
    let until = until_field.number(UNTIL)?;
    let every = match (run.get("every"), run.get("interval")) {
        (None, None) => 1,
        (Some(field), None) => count(field)?,
        (None, Some(field)) => solving::every(field, step)?,
        (Some(_), Some(field)) => {
            return Err(field.fail(ScenarioFault::Both { key: "interval", other: "every" }));
        }
    };
    let plan = Plan::until(0.0, step, until).map_err(|e| match e {
        PlanError::Step { .. } => step_field.fail(ScenarioFault::Plan(e)),
        _ => until_field.fail(ScenarioFault::Plan(e)),
    })?;
    if !plan.time(0.0, plan.steps).is_finite() {
        return Err(
            until_field.fail(ScenarioFault::OutOfRange { what: "the end of the last step" })
        );
    }
    Ok((plan, until, every))
}

/// How many steps there are from one that is kept to the next.
pub(super) fn count(field: SectionField<'_>) -> ReadResult<u64> {
    whole(field, 1.0, 1e15, "a whole number from 1 to 1e15: keep every so many steps")
}

/// A whole number within these bounds, which `allowed` says in words.
pub(super) fn whole(
    field: SectionField<'_>,
    least: f64,
    most: f64,
    allowed: &str,
) -> ReadResult<u64> {
    let x = field.number(allowed)?;
    if !(least..=most).contains(&x) || x.fract() != 0.0 {
        return Err(field.refuse(allowed));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    Ok(x as u64)
}
