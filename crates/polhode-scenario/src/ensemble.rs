//! Ensembles as TOML files: a scenario for many bodies.
//!
//! ```toml
//! [bodies]
//! count = 10000                     # or file = "bodies.csv", beside this file
//! seed = 7                          # optional: another seed, other bodies
//! [body]                            # fixed as in a scenario, or drawn:
//! inertia = { law = "log-normal", about = [1.0, 2.0, 2.5], sigma = 0.1 }
//! [start]
//! omega = { law = "gaussian", mean = [0.0, 5.0, 0.0], sigma = 0.1 }
//! attitude = { law = "uniform" }
//! [torque]                          # optional, as in a scenario; [[torque]] for a sum
//! kind = "heavy-top"
//! [method]
//! id = "rkn6-14+exact"
//! step = 0.01
//! [run]
//! until = 10.0
//! every = 100
//! [watch]                           # optional, as in a scenario: columns; a comparison is one of 1 and 0
//! tilt = "deg(angle(z, Z))"
//! ```
//!
//! Without `[method]`, `[run] times = [1.0, 10.0, 1e6]`: free bodies are evaluated there in closed form, others are
//! solved to `[run] tolerance` (1e-10 unless given).

use std::path::{Path, PathBuf};

use super::document::{self, KeyEntry, Table, Value};
use super::error::{ScenarioError, ScenarioFault};
use super::field::{Field, Section};
use super::laws::{read_attitude, read_inertia, read_spin};
use super::read::{VECTOR, only_sections, read_body, read_run};
use super::solving::{TOLERANCE, tolerance};
use super::source::{self, Outcome, ScenarioText, Span, Trouble};
use super::watch::{self, Watching};
use super::{MAX_BYTES, control, given, inside, method, overrides, own, tables, torques};
use polhode::ensemble::{AttitudeLaw, Draw, Ensemble, EnsembleSolver};
use polhode::inside::{Inside, Wheel};
use polhode::torque::Source;
use polhode::{Inertia, Plan, Torque};

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
];
/// What needs steps.
const MOVING: [&str; 4] = ["wheel", "dissipation", "damper", "controller"];
/// What may stand in the sections that have the same keys in all ensembles.
const KEYS: &[(&str, &[&str])] = &[
    ("bodies", &["count", "seed", "file"]),
    ("body", &["inertia", "allow_unphysical"]),
    ("start", &["omega", "momentum", "attitude"]),
    ("run", &["until", "every", "times", "tolerance"]),
];
const COUNT: &str = "a whole number from 1 to 1e15";
const SEED: &str = "a whole number from 0 to 2^53";

/// An ensemble, read and checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct EnsembleScenario {
    /// The name it was read under.
    pub name: String,
    /// The text it was read from, with what files that it names have become in overrides.
    pub text: String,
    /// What changed it.
    pub overrides: Vec<String>,
    /// Where the bodies come from.
    pub bodies: Bodies,
    /// What is done with them.
    pub work: Work,
    /// What is watched of each.
    pub watching: Watching,
}

/// Where the bodies come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// Bodies drawn at random by laws and a seed.
    Drawn(Draw),
    /// Bodies from the rows of a table.
    #[non_exhaustive]
    Table {
        /// The file with the table; of a scenario that was read from a file, in the folder of that file
        /// unless its path is absolute.
        file: PathBuf,
        /// Their inertia, unless the table has it.
        inertia: Option<Inertia>,
        /// Whether inertia that no body can have is accepted.
        allow_unphysical: bool,
    },
}

/// What is done with the bodies.
#[derive(Clone, Debug)]
pub enum Work {
    /// Steps of a method, under a torque or none.
    #[non_exhaustive]
    Steps {
        /// The method and the torque.
        ensemble: Box<Ensemble>,
        /// The method with all parameters.
        method_id: String,
        /// What acts on every body.
        torque: Torque,
        /// The step and how many.
        plan: Plan,
        /// Of how many steps one is kept.
        every: u64,
    },
    /// Free motion at these times.
    Times(Vec<f64>),
    /// Motion under a torque, solved to a tolerance, at these times.
    #[non_exhaustive]
    Solution {
        /// The tolerance and the torque.
        solver: Box<EnsembleSolver>,
        /// The error wanted at the last of the times.
        tolerance: f64,
        /// What acts on every body.
        torque: Torque,
        /// When states are wanted.
        times: Vec<f64>,
    },
}

impl EnsembleScenario {
    /// Reads an ensemble from a file. A table of bodies is looked for beside it.
    ///
    /// # Errors
    /// [`ScenarioError`] if the file cannot be read or what it says cannot be run.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::load_with(path, &[] as &[&str])
    }

    /// Reads an ensemble from a file and changes it by overrides `key=value`.
    ///
    /// # Errors
    /// As [`EnsembleScenario::load`]; also for overrides that cannot be used.
    pub fn load_with(
        path: impl AsRef<Path>,
        overrides: &[impl AsRef<str>],
    ) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        Self::parse_at(&source::read(path)?, path, overrides)
    }

    /// The ensemble of a text that stands for the file at this path, changed by overrides: other files that it names
    /// are looked for beside it. The file itself need not be there.
    ///
    /// # Errors
    /// As [`EnsembleScenario::load_with`].
    pub fn parse_at(
        text: &str,
        path: impl AsRef<Path>,
        overrides: &[impl AsRef<str>],
    ) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        let mut source = ScenarioText::new(text, path, overrides);
        let folder = path.parent().unwrap_or(Path::new(""));
        own::inline(&mut source, folder)?;
        tables::inline(&mut source, folder)?;
        given::inline(&mut source, folder)?;
        Self::read_again(&source.text, &source.name, &source.overrides)
    }

    /// The ensemble of [`EnsembleScenario::text`], name and overrides of one that was read from a file.
    ///
    /// # Errors
    /// [`ScenarioError`] if what it says cannot be run.
    pub fn read_again(text: &str, name: &str, overrides: &[String]) -> Result<Self, ScenarioError> {
        let (text, path) = (text.to_owned(), Path::new(name));
        let source = ScenarioText { name: name.to_owned(), text, overrides: overrides.to_vec() };
        let mut scenario = read(&source).map_err(|trouble| source.locate(*trouble))?;
        if let (Bodies::Table { file, .. }, Some(folder)) = (&mut scenario.bodies, path.parent()) {
            *file = folder.join(&*file);
        }
        Ok(scenario)
    }

    /// The ensemble of a text; the name is for messages.
    ///
    /// # Errors
    /// [`ScenarioError`] if what it says cannot be run.
    ///
    /// ```
    /// use polhode_scenario::EnsembleScenario;
    /// let text = "
    /// bodies.count = 100
    /// body.inertia = { law = 'any', largest = 1.0 }
    /// start.momentum = { law = 'isotropc', length = 1.0 }
    /// run.times = [1.0, 10.0]
    /// ";
    /// let error = EnsembleScenario::parse(text, "many.toml").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "many.toml:4: [start] momentum = { law = 'isotropc', length = 1.0 }: no law 'isotropc'; \
    ///      did you mean 'isotropic'?"
    /// );
    /// # Ok::<(), polhode_scenario::ScenarioError>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, ScenarioError> {
        let source =
            ScenarioText { name: name.to_owned(), text: text.to_owned(), overrides: Vec::new() };
        read(&source).map_err(|trouble| source.locate(*trouble))
    }
}

fn read(source: &ScenarioText) -> Outcome<EnsembleScenario> {
    let at = |byte: usize, fault| {
        let span = Span { over: None, bytes: byte..byte };
        Box::new(Trouble { span, field: String::new(), fault })
    };
    if source.text.len() > MAX_BYTES {
        return Err(at(0, ScenarioFault::TooLarge));
    }
    let mut document = document::parse(&source.text, None)?;
    overrides::apply(source, &mut document)?;
    if document.0.is_empty() {
        return Err(at(0, ScenarioFault::EmptyEnsemble));
    }
    // In a whole scenario it is not [output] that is wrong, but that there is one body.
    let is_scenario =
        document.get("bodies").is_none() && only_sections(&document, super::read::SECTIONS).is_ok();
    if !is_scenario {
        only_sections(&document, SECTIONS)?;
    }
    let end = source.text.trim_end().len();
    let need = |name, needs| match document.get(name) {
        Some(entry) => Section::new(name, &entry.item),
        None => Err(at(end, ScenarioFault::MissingSection { name, needs })),
    };
    let bodies = need(
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
    let run = need("run", "until = .. or times = [..]")?;
    let bodies = if bodies.get("file").is_some() {
        read_table(bodies, &document)?
    } else {
        let drawn = read_count(bodies)?;
        let body = need("body", "inertia = ..")?;
        let start = need("start", "omega = .. or momentum = ..")?;
        read_draw(drawn, body, start)?
    };
    let work = if let Some(times) = run.get("times") {
        read_times(run, times, &document)?
    } else {
        let method = need("method", "id = \"..\" and step = ..")?;
        let omega_is_drawn = matches!(&bodies, Bodies::Drawn(draw) if draw.spin_is_omega);
        read_steps(method, run, &document, omega_is_drawn)?
    };
    let none = Torque::none();
    let (torque, span) = match &work {
        Work::Steps { torque, plan, .. } => (torque, [0.0, plan.time(0.0, plan.steps)]),
        Work::Times(times) => (&none, bounds(times)),
        Work::Solution { torque, times, .. } => (torque, bounds(times)),
    };
    if MOVING.iter().any(|name| document.get(name).is_some()) {
        let why = "what is watched of a body needs the state of what moves inside it, which an ensemble does not keep; \
                   `polhode run` watches one such body";
        unwanted(&document, "watch", why)?;
    }
    let watching = watch::read_for_many(&document, run, torque, span)?;
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
fn unwanted(document: &Table, name: &'static str, why: &'static str) -> Outcome<()> {
    match document.get(name) {
        None => Ok(()),
        Some(KeyEntry { item, .. }) => {
            // [[torque]] counts as one, too.
            let item = match &item.value {
                Value::List(list) if !list.is_empty() => &list[0],
                _ => item,
            };
            Err(Section::new(name, item)?.fail(ScenarioFault::Unwanted { why }))
        }
    }
}

/// Refuses keys beside one that does not go with them.
fn exclude(section: Section<'_>, other: &'static str, keys: &[&'static str]) -> Outcome<()> {
    match keys.iter().find_map(|key| Some((*key, section.get(key)?))) {
        None => Ok(()),
        Some((key, field)) => Err(field.fail(ScenarioFault::Both { key, other })),
    }
}

fn read_table(bodies: Section<'_>, document: &Table) -> Outcome<Bodies> {
    exclude(bodies, "file", &["count", "seed"])?;
    let allowed = "the name of a .csv file";
    let file = PathBuf::from(bodies.require("file", allowed)?.text(allowed)?);
    unwanted(document, "start", "momenta and attitudes stand in the table of [bodies] file")?;
    let (mut inertia, mut allow_unphysical) = (None, false);
    if let Some(entry) = document.get("body") {
        let body = Section::new("body", &entry.item)?;
        if body.get("inertia").is_some() {
            inertia = Some(read_body(body)?.0);
        }
        allow_unphysical = body.flag("allow_unphysical")?;
    }
    Ok(Bodies::Table { file, inertia, allow_unphysical })
}

/// How many are drawn, and from which seed.
fn read_count(bodies: Section<'_>) -> Outcome<(u64, u64)> {
    let or_file = format!("{COUNT} (or give 'file', the name of a table of bodies)");
    let count = whole(bodies.require("count", &or_file)?, 1.0, 1e15, COUNT)?;
    let seed = match bodies.get("seed") {
        None => 0,
        Some(seed) => whole(seed, 0.0, 9007199254740992.0, SEED)?,
    };
    Ok((count, seed))
}

fn read_draw((count, seed): (u64, u64), body: Section<'_>, start: Section<'_>) -> Outcome<Bodies> {
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
    Ok(Bodies::Drawn(Draw { seed, count, inertia, spin, spin_is_omega, attitude }))
}

fn whole(field: Field<'_>, least: f64, most: f64, allowed: &str) -> Outcome<u64> {
    let x = field.number(allowed)?;
    if !(least..=most).contains(&x) || x.fract() != 0.0 {
        return Err(field.refuse(allowed));
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
    Ok(x as u64)
}

fn read_times(run: Section<'_>, times: Field<'_>, document: &Table) -> Outcome<Work> {
    exclude(run, "times", &["until", "every"])?;
    let why = "'times' are of the exact free motion, or of one that is solved to a tolerance: neither needs a \
               method of fixed steps";
    unwanted(document, "method", why)?;
    for section in MOVING {
        let why =
            "such bodies are computed in steps: give [method] and [run] until instead of times";
        unwanted(document, section, why)?;
    }
    let allowed = "a list of times, one at least";
    let list = match times.value() {
        Value::List(list) if !list.is_empty() => times.numbers(list, 1, allowed)?,
        _ => return Err(times.refuse(allowed)),
    };
    let tolerance = run.get("tolerance").map_or(Ok(TOLERANCE), tolerance)?;
    let torque = read_torque(document)?;
    let last = list.iter().fold(0.0, |end: f64, t| if t.abs() > end.abs() { *t } else { end });
    check_times(document, &torque, last)?;
    if torque.is_none() {
        return Ok(Work::Times(list));
    }
    let solver = Box::new(EnsembleSolver::new(tolerance).torque(torque.clone()));
    solver.check(&list).map_err(|e| times.fail(ScenarioFault::Ensemble(e.to_string())))?;
    Ok(Work::Solution { solver, tolerance, torque, times: list })
}

fn read_torque(document: &Table) -> Outcome<Torque> {
    let orbit = torques::read_orbit(document)?;
    let torque = torques::read_for_many(document.get("torque").map(|entry| &entry.item), orbit)?;
    match orbit {
        Some(orbit)
            if torque.orbit().is_none()
                && document.get("controller").is_none()
                && !watch::names_orbit(document) =>
        {
            Err(orbit.fail(torques::UNUSED_ORBIT))
        }
        _ => Ok(torque),
    }
}

/// That the torque is known until the end.
fn check_times(document: &Table, torque: &Torque, until: f64) -> Outcome<()> {
    if torque.check_times([0.0, until]).is_ok() {
        return Ok(());
    }
    let orbit = torques::read_orbit(document)?;
    torques::check_times(document.get("torque").map(|entry| &entry.item), orbit, until)
}

fn read_steps(
    method: Section<'_>,
    run: Section<'_>,
    document: &Table,
    omega_is_drawn: bool,
) -> Outcome<Work> {
    if let Some(field) = run.get("tolerance") {
        let why = "a method of fixed steps has none; leave out [method] and give 'times'";
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
fn read_moving(document: &Table, ensemble: Ensemble, torque: &Torque) -> Outcome<Ensemble> {
    let inside = inside::read(document, None)?;
    let wheels: f64 = inside.wheels().iter().map(Wheel::inertia).sum();
    // Controllers are told of the wheels, whatever the body is: any that has room for them.
    let sphere = Inertia::principal([1.0 + 2.0 * wheels; 3]);
    let Ok(sphere) = sphere else { return Ok(ensemble.inside(inside)) };
    let mut of_wheels = Inside::default();
    for wheel in inside.wheels() {
        of_wheels = of_wheels.wheel(*wheel);
    }
    let example = inside::body(document, &sphere, of_wheels)?.torque(torque.clone());
    let orbit = torques::read_orbit(document)?.filter(|_| document.get("controller").is_some());
    let field = orbit.map(torques::field_of).transpose()?.flatten().map(Source::from);
    let controlled = control::read(document, &example, field.as_ref())?;
    let loops = controlled.control_loops().iter().cloned();
    Ok(loops.fold(ensemble.inside(inside), Ensemble::controlled))
}
