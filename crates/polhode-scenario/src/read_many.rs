//! From a text to an ensemble.

use std::path::PathBuf;

use super::control::OnOrbit;
use super::document::{KeyEntry, TomlTable, TomlValue};
use super::ensemble::{BodySource, EnsembleScenario, Work};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::laws::{read_attitude, read_inertia, read_spin};
use super::read::{
    OF_MANY, OF_ONE, ScenarioTree, UNTIL, VECTOR, only_sections, read_run, read_varying, whole,
};
use super::rows;
use super::solving::{self, TOLERANCE, tolerance};
use super::source::{ReadResult, ScenarioText};
use super::{control, inside, method, torques, watch};
use polhode::ensemble::{AttitudeLaw, Draw, Ensemble, EnsembleSolver};
use polhode::inside::{Inside, VaryingInertia, Wheel};
use polhode::{Inertia, Torque};

/// What needs steps.
const MOVING: [&str; 4] = ["wheel", "dissipation", "damper", "controller"];
/// What may stand in the sections that have the same keys in all ensembles.
const KEYS: &[(&str, &[&str])] = &[
    ("bodies", &["count", "seed", "file"]),
    ("body", &["inertia", "allow_unphysical"]),
    ("start", &["omega", "momentum", "attitude"]),
    ("run", &["until", "every", "interval", "times", "tolerance", "stops"]),
];
const COUNT: &str = "a whole number from 1 to 1e15";
const SEED: &str = "a whole number from 0 to 2^53";

/// Reads and checks an ensemble.
pub(super) fn ensemble(source: &ScenarioText) -> ReadResult<EnsembleScenario> {
    let tree = ScenarioTree::new(source, ScenarioFault::EmptyEnsemble)?;
    let document = &tree.document;
    // In a whole scenario it is not [output] that is wrong, but that there is one body.
    let is_scenario = document.get("bodies").is_none() && only_sections(document, OF_ONE).is_ok();
    if !is_scenario {
        only_sections(document, OF_MANY)?;
    }
    let bodies = tree.need(
        "bodies",
        "count = .. or file = \"..\" (one body alone is a scenario: use `polhode run`)",
    )?;
    if let Some(entry) = document.get("run")
        && let Some(field) = Section::new("run", &entry.item)?.get("stop_when")
    {
        let why = "the bodies of an ensemble have one end; put the comparison into [watch], where it is a column \
                   of 1 where it holds and 0 elsewhere";
        return Err(field.fail(ScenarioFault::Unwanted { why }));
    }
    // Before anything is missed, which may be there under a misspelt name.
    for (name, keys) in KEYS {
        if let Some(entry) = document.get(name) {
            Section::new(name, &entry.item)?.only(keys)?;
        }
    }
    let run = tree.need("run", "until = .. or times = [..]")?;
    let bodies = if bodies.get("file").is_some() {
        read_table(bodies, document)?
    } else {
        let drawn = read_count(bodies)?;
        let body = tree.need("body", "inertia = ..")?;
        let start = tree.need("start", "omega = .. or momentum = ..")?;
        read_draw(drawn, body, start)?
    };
    let work = match (run.get("times"), document.get("method")) {
        (Some(times), _) => read_solution(run, times, listed(run, times, document)?, document)?,
        (None, None) => {
            let (until, times) = spaced(run)?;
            read_solution(run, until, times, document)?
        }
        (None, Some(_)) => {
            let method = tree.need("method", "id = \"..\" and step = ..")?;
            let omega_is_drawn = matches!(&bodies, BodySource::Drawn(draw) if draw.spin_is_omega);
            read_steps(method, run, document, omega_is_drawn)?
        }
    };
    let span = match &work {
        Work::Steps { .. } => [0.0, work.end()],
        Work::Times(times) | Work::Solution { times, .. } => bounds(times),
    };
    let torque = work.torque();
    let seen = OnOrbit::read(document, &torque)?.map(|orbit| orbit.seen_with(&torque));
    let seen = seen.unwrap_or(torque);
    let wheels = inside::wheels(document)?;
    let watching = watch::read_for_many(document, run, &seen, &wheels, span)?;
    let (name, text) = (source.name.clone(), source.text.clone());
    Ok(EnsembleScenario { name, text, overrides: source.overrides.clone(), bodies, work, watching })
}

/// The least and the greatest.
fn bounds(times: &[f64]) -> [f64; 2] {
    [
        times.iter().copied().fold(f64::INFINITY, f64::min),
        times.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    ]
}

/// A section that is not wanted here.
fn unwanted(document: &TomlTable, name: &'static str, why: &'static str) -> ReadResult<()> {
    match document.get(name) {
        None => Ok(()),
        Some(KeyEntry { item, .. }) => {
            // [[torque]] counts as one, too.
            let item = match &item.value {
                TomlValue::List(list) if !list.is_empty() => &list[0],
                _ => item,
            };
            Err(Section::new(name, item)?.fail(ScenarioFault::Unwanted { why }))
        }
    }
}

/// Refuses keys beside one that does not go with them.
fn exclude(section: Section<'_>, other: &'static str, keys: &[&'static str]) -> ReadResult<()> {
    match keys.iter().find_map(|key| Some((*key, section.get(key)?))) {
        None => Ok(()),
        Some((key, field)) => Err(field.fail(ScenarioFault::Both { key, other })),
    }
}

fn read_table(bodies: Section<'_>, document: &TomlTable) -> ReadResult<BodySource> {
    exclude(bodies, "file", &["count", "seed"])?;
    let allowed = "the name of a .csv file";
    let file = PathBuf::from(bodies.require("file", allowed)?.text(allowed)?);
    unwanted(document, "start", "momenta and attitudes stand in the table of [bodies] file")?;
    let (mut inertia, mut allow_unphysical) = (None, false);
    if let Some(entry) = document.get("body") {
        let body = Section::new("body", &entry.item)?;
        if body.get("inertia").is_some() {
            inertia = Some(read_varying(body)?.0);
        }
        allow_unphysical = body.flag("allow_unphysical")?;
    }
    Ok(BodySource::Table { file, inertia, allow_unphysical })
}

/// How many are drawn, and from which seed.
fn read_count(bodies: Section<'_>) -> ReadResult<(u64, u64)> {
    let or_file = format!("{COUNT} (or give 'file', the name of a table of bodies)");
    let count = whole(bodies.require("count", &or_file)?, 1.0, 1e15, COUNT)?;
    let seed = match bodies.get("seed") {
        None => 0,
        Some(seed) => whole(seed, 0.0, 9007199254740992.0, SEED)?,
    };
    Ok((count, seed))
}

fn read_draw(
    (count, seed): (u64, u64),
    body: Section<'_>,
    start: Section<'_>,
) -> ReadResult<BodySource> {
    let inertia = read_inertia(body)?;
    let (field, spin_is_omega) = match (start.get("omega"), start.get("momentum")) {
        (Some(_), Some(momentum)) => {
            let (key, other) = ("momentum", "omega");
            return Err(momentum.fail(ScenarioFault::Both { key, other }));
        }
        (Some(field), None) => (field, true),
        (None, Some(field)) => (field, false),
        (None, None) => {
            let allowed = format!("{VECTOR}, or a law (or give 'momentum')");
            return Err(start.fail(ScenarioFault::MissingKey { key: "omega", allowed }));
        }
    };
    let spin = read_spin(field, spin_is_omega)?;
    let attitude = match start.get("attitude") {
        None => AttitudeLaw::Fixed(polhode::glam::DQuat::IDENTITY),
        Some(field) => read_attitude(field)?,
    };
    let draw = Draw::new(seed, count, inertia, spin).with(|draw| {
        draw.spin_is_omega = spin_is_omega;
        draw.attitude = attitude;
    });
    Ok(BodySource::Drawn(draw))
}

/// The times that are listed.
fn listed(run: Section<'_>, times: SectionField<'_>, document: &TomlTable) -> ReadResult<Vec<f64>> {
    exclude(run, "times", &["until", "every", "interval"])?;
    let why = "'times' are of the exact free motion, or of one that is solved to a tolerance: neither needs a \
               method of fixed steps";
    unwanted(document, "method", why)?;
    let allowed = "a list of times, one at least";
    match times.value() {
        TomlValue::List(list) if !list.is_empty() => times.numbers(list, 1, allowed),
        _ => Err(times.refuse(allowed)),
    }
}

/// Times every interval and at the end; without an interval, the start and the end. With the field of the end.
fn spaced(run: Section<'_>) -> ReadResult<(SectionField<'_>, Vec<f64>)> {
    solving::refuse_every(run)?;
    let field = run.require("until", UNTIL)?;
    let until = field.number(UNTIL)?;
    let times = match run.get("interval") {
        Some(interval) => {
            let rows = solving::spaced(interval, until)?;
            (0..rows.len()).map(|k| rows.time(k)).collect()
        }
        None if until == 0.0 => vec![until],
        None => vec![0.0, until],
    };
    Ok((field, times))
}

/// Bodies at these times, which are said in that field.
fn read_solution(
    run: Section<'_>,
    field: SectionField<'_>,
    times: Vec<f64>,
    document: &TomlTable,
) -> ReadResult<Work> {
    for section in MOVING {
        let why =
            "such bodies are computed in steps: give [method] with id and step, and [run] until";
        unwanted(document, section, why)?;
    }
    if let Some((field, _)) = varying(document)? {
        let why = "bodies whose moments vary are computed in steps: give [method] with id and step, and [run] until";
        return Err(field.fail(ScenarioFault::Unwanted { why }));
    }
    let tolerance = run.get("tolerance").map_or(Ok(TOLERANCE), tolerance)?;
    let torque = read_torque(document)?;
    let last = times.iter().fold(0.0, |end: f64, t| if t.abs() > end.abs() { *t } else { end });
    check_times(document, &torque, last)?;
    let solver = EnsembleSolver::new(tolerance).torque(torque.clone());
    if !torque.is_none() {
        solver.check(&times).map_err(|e| field.fail(ScenarioFault::Ensemble(e.to_string())))?;
    }
    let stops = match run.get("stops") {
        None => Vec::new(),
        Some(field) => rows::stops(field, last)?,
    };
    if torque.is_none() {
        return Ok(Work::Times(times));
    }
    let solver = Box::new(solver.stops(&stops));
    Ok(Work::Solution { solver, tolerance, torque, times })
}

fn read_torque(document: &TomlTable) -> ReadResult<Torque> {
    let orbit = torques::read_orbit(document)?;
    torques::read_for_many(document.get("torque").map(|entry| &entry.item), orbit)
}

/// How the moments of all bodies vary, if they do, and where that is said.
fn varying(document: &TomlTable) -> ReadResult<Option<(SectionField<'_>, VaryingInertia)>> {
    let Some(entry) = document.get("body") else { return Ok(None) };
    let body = Section::new("body", &entry.item)?;
    let Some(field) = body.get("inertia") else { return Ok(None) };
    let law = inside::varying(field, body.flag("allow_unphysical")?)?;
    Ok(law.map(|(law, _)| (field, law)))
}

/// Checks that the torque is known until the end.
fn check_times(document: &TomlTable, torque: &Torque, until: f64) -> ReadResult<()> {
    if torque.check_times([0.0, until]).is_ok() {
        return Ok(());
    }
    let orbit = torques::read_orbit(document)?;
    torques::check_times(document.get("torque").map(|entry| &entry.item), orbit, until)
}

fn read_steps(
    method: Section<'_>,
    run: Section<'_>,
    document: &TomlTable,
    omega_is_drawn: bool,
) -> ReadResult<Work> {
    if let Some(field) = run.get("tolerance") {
        let why = "a method of fixed steps has none; leave out [method]";
        return Err(field.fail(ScenarioFault::Unwanted { why }));
    }
    if let Some(field) = run.get("stops") {
        let why = "steps of fixed length cannot end there; leave out [method]";
        return Err(field.fail(ScenarioFault::Unwanted { why }));
    }
    let (stepping, method_id) = method::read(method)?;
    let (plan, _, every) = read_run(method, run)?;
    let torque = read_torque(document)?;
    check_times(document, &torque, plan.time(0.0, plan.steps))?;
    let mut ensemble = Ensemble::with(stepping).torque(torque.clone());
    ensemble = read_moving(document, ensemble, &torque)?;
    if omega_is_drawn {
        ensemble = ensemble.adding_wheels();
    }
    ensemble.check().map_err(|e| method::fail(method, ScenarioFault::Ensemble(e.to_string())))?;
    Ok(Work::Steps { ensemble: Box::new(ensemble), method_id, torque, plan, every })
}

/// With what moves inside every body, and their controllers.
fn read_moving(document: &TomlTable, ensemble: Ensemble, torque: &Torque) -> ReadResult<Ensemble> {
    let inside = inside::read(document, varying(document)?.map(|(_, law)| law))?;
    let wheels: f64 = inside.wheels().iter().map(Wheel::inertia).sum();
    // Controllers are told of the wheels, whatever the body is: any that has room for them.
    let sphere = Inertia::principal([1.0 + 2.0 * wheels; 3]);
    let Ok(sphere) = sphere else { return Ok(ensemble.inside(inside)) };
    let mut of_wheels = Inside::default();
    for wheel in inside.wheels() {
        of_wheels = of_wheels.wheel(*wheel);
    }
    let example = inside::body(document, &sphere, of_wheels)?.torque(torque.clone());
    let mut orbit = OnOrbit::read(document, torque)?;
    let controlled = control::read(document, &example, orbit.as_mut())?;
    let loops = controlled.control_loops().iter().cloned();
    Ok(loops.fold(ensemble.inside(inside), Ensemble::controlled))
}
