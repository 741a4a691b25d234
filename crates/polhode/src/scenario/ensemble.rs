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
//! [torque]                          # optional: heavy-top or gravity-gradient
//! kind = "heavy-top"
//! [method]
//! id = "rkn6-14+exact"
//! step = 0.01
//! [run]
//! until = 10.0                      # or times = [1.0, 10.0, 1e6] for free bodies, without [method]
//! every = 100
//! ```

use std::path::{Path, PathBuf};

use super::document::{self, Entry, Item, Table, Value};
use super::error::{ScenarioError, ScenarioFault};
use super::field::{Field, Section};
use super::read::{INERTIA, VECTOR, only_sections, read_body, read_run};
use super::source::{self, Outcome, Source, Span, Trouble};
use super::{MAX_BYTES, method, torques};
use crate::ensemble::{AttitudeLaw, Draw, Ensemble, Field as Torque, InertiaLaw, SpinLaw};
use crate::{Inertia, Plan, State, so3};

const SECTIONS: &[&str] = &["bodies", "body", "start", "torque", "method", "run"];
const COUNT: &str = "a whole number from 1 to 1e15";
const SEED: &str = "a whole number from 0 to 2^53";
const LENGTH: &str = "a number, not negative";
const ATTITUDE: &str = "four numbers (w, x, y, z), body to space, or { law = \"uniform\" }";

/// An ensemble, read and checked.
#[derive(Clone, Debug)]
pub struct EnsembleScenario {
    /// The name it was read under.
    pub name: String,
    /// The bodies.
    pub bodies: Bodies,
    /// What is done with them.
    pub work: Work,
}

/// Where the bodies come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// Drawn at random.
    Drawn(Draw),
    /// From a table.
    Table {
        /// The file.
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
    /// Steps.
    Steps {
        /// The method and the field.
        ensemble: Box<Ensemble>,
        /// The method with all parameters.
        method_id: String,
        /// The field.
        field: Torque,
        /// The step and how many.
        plan: Plan,
        /// Of how many steps one is kept.
        every: u64,
    },
    /// Free motion at these times.
    Times(Vec<f64>),
}

impl EnsembleScenario {
    /// Reads an ensemble from a file. A table of bodies is looked for beside it.
    ///
    /// # Errors
    /// [`ScenarioError`] if the file cannot be read or what it says cannot be run.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        let path = path.as_ref();
        let mut scenario = Self::parse(&source::read(path)?, &path.display().to_string())?;
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
    /// use polhode::scenario::EnsembleScenario;
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
    /// # Ok::<(), polhode::ScenarioError>(())
    /// ```
    pub fn parse(text: &str, name: &str) -> Result<Self, ScenarioError> {
        let source = Source { name: name.to_owned(), text: text.to_owned(), overrides: Vec::new() };
        read(&source).map_err(|trouble| source.locate(*trouble))
    }
}

fn read(source: &Source) -> Outcome<EnsembleScenario> {
    let at = |byte: usize, fault| {
        let span = Span { over: None, bytes: byte..byte };
        Box::new(Trouble { span, field: String::new(), fault })
    };
    if source.text.len() > MAX_BYTES {
        return Err(at(0, ScenarioFault::TooLarge));
    }
    let document = document::parse(&source.text, None)?;
    if document.0.is_empty() {
        return Err(at(0, ScenarioFault::EmptyEnsemble));
    }
    only_sections(&document, SECTIONS)?;
    let end = source.text.trim_end().len();
    let need = |name, needs| match document.get(name) {
        Some(entry) => Section::new(name, &entry.item),
        None => Err(at(end, ScenarioFault::MissingSection { name, needs })),
    };
    let bodies = need("bodies", "count = .. or file = \"..\"")?;
    let run = need("run", "until = .. or times = [..]")?;
    let bodies = if bodies.get("file").is_some() {
        read_table(bodies, &document)?
    } else {
        let body = need("body", "inertia = ..")?;
        let start = need("start", "omega = .. or momentum = ..")?;
        read_draw(bodies, body, start)?
    };
    let work = if let Some(times) = run.get("times") {
        read_times(run, times, &document)?
    } else {
        let method = need("method", "id = \"..\" and step = ..")?;
        read_steps(method, run, &document)?
    };
    Ok(EnsembleScenario { name: source.name.clone(), bodies, work })
}

/// A section that is not wanted here.
fn unwanted(document: &Table, name: &'static str, why: &'static str) -> Outcome<()> {
    match document.get(name) {
        None => Ok(()),
        Some(Entry { item, .. }) => {
            Err(Section::new(name, item)?.fail(ScenarioFault::Unwanted { why }))
        }
    }
}

fn read_table(bodies: Section<'_>, document: &Table) -> Outcome<Bodies> {
    bodies.only(&["file"])?;
    let allowed = "the name of a .csv file";
    let file = PathBuf::from(bodies.require("file", allowed)?.text(allowed)?);
    unwanted(document, "start", "momenta and attitudes stand in the table of [bodies] file")?;
    let (mut inertia, mut allow_unphysical) = (None, false);
    if let Some(entry) = document.get("body") {
        let body = Section::new("body", &entry.item)?;
        if body.get("inertia").is_some() {
            inertia = Some(read_body(body)?);
        } else {
            body.only(&["allow_unphysical"])?;
        }
        allow_unphysical =
            body.get("allow_unphysical").map(|f| f.flag()).transpose()?.unwrap_or(false);
    }
    Ok(Bodies::Table { file, inertia, allow_unphysical })
}

fn read_draw(bodies: Section<'_>, body: Section<'_>, start: Section<'_>) -> Outcome<Bodies> {
    bodies.only(&["count", "seed", "file"])?;
    let count = whole(bodies.require("count", COUNT)?, 1.0, 1e15, COUNT)?;
    let seed = match bodies.get("seed") {
        None => 0,
        Some(seed) => whole(seed, 0.0, 9007199254740992.0, SEED)?,
    };
    start.only(&["omega", "momentum", "attitude"])?;
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
    let spin = read_spin(field)?;
    let attitude = match start.get("attitude") {
        None => AttitudeLaw::Fixed(glam::DQuat::IDENTITY),
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

/// A value that is a table `{ law = "..", .. }`: the law's name and its keys.
struct Law<'a> {
    of: Field<'a>,
    name: &'a str,
    table: &'a Table,
}

impl<'a> Law<'a> {
    /// None if the value is no table.
    fn new(of: Field<'a>, known: &[&'static str]) -> Outcome<Option<Self>> {
        let Value::Table(table) = of.value() else { return Ok(None) };
        let name = match table.get("law").map(|e| &e.item.value) {
            Some(Value::Text(name)) => name.as_str(),
            _ => {
                let allowed = format!("a law: {{ law = \"{}\", .. }}", known.join("\" or \""));
                return Err(of.refuse(allowed));
            }
        };
        if !known.contains(&name) {
            let known = known.to_vec();
            return Err(of.fail(ScenarioFault::UnknownLaw { law: source::quote(name), known }));
        }
        Ok(Some(Self { of, name, table }))
    }

    fn only(&self, known: &[&'static str]) -> Outcome<()> {
        match self.table.0.iter().find(|e| e.key != "law" && !known.contains(&e.key.as_str())) {
            None => Ok(()),
            Some(entry) => {
                let (key, known) = (source::quote(&entry.key), known.to_vec());
                Err(self.of.fail(ScenarioFault::UnknownKey { key, known }))
            }
        }
    }

    fn item(&self, key: &'static str, allowed: &str) -> Outcome<&'a Item> {
        let missing = || ScenarioFault::MissingKey { key, allowed: allowed.into() };
        Ok(&self.table.get(key).ok_or_else(|| self.of.fail(missing()))?.item)
    }

    /// Some numbers; `count` of them unless that is zero.
    fn numbers(&self, key: &'static str, count: usize, allowed: &str) -> Outcome<Vec<f64>> {
        let item = self.item(key, allowed)?;
        let refuse = || {
            let found = format!("{key}: {}", item.value.kind());
            self.of.refuse_part(found, &format!("{key} = {allowed}"))
        };
        let numbers = match &item.value {
            Value::List(list) => self.of.numbers(list, 1, &format!("{key} = {allowed}"))?,
            Value::Number(_) => self.of.numbers(std::slice::from_ref(item), 1, allowed)?,
            _ => return Err(refuse()),
        };
        let single = matches!(item.value, Value::Number(_));
        if (count == 1) != single && !(count == 0 && (single || numbers.len() == 3))
            || (count > 1 && numbers.len() != count)
        {
            return Err(refuse());
        }
        Ok(numbers)
    }

    fn not_negative(&self, key: &'static str) -> Outcome<f64> {
        let x = self.numbers(key, 1, LENGTH)?[0];
        if x < 0.0 {
            return Err(self.of.refuse(format!("{key} = {LENGTH}")));
        }
        Ok(x)
    }
}

fn read_inertia(body: Section<'_>) -> Outcome<InertiaLaw> {
    let allowed = format!("{INERTIA}, or a law");
    let field = body.require("inertia", &allowed)?;
    let Some(law) = Law::new(field, &["any", "log-normal"])? else {
        return Ok(InertiaLaw::Fixed(read_body(body)?));
    };
    body.only(&["inertia"])?;
    if law.name == "any" {
        law.only(&["largest"])?;
        let largest = law.not_negative("largest")?;
        if largest < 1e-290 || largest > 1e290 {
            return Err(field.refuse("largest = a number from 1e-290 to 1e290"));
        }
        return Ok(InertiaLaw::Any { largest });
    }
    law.only(&["about", "sigma"])?;
    let about = law.numbers("about", 3, "three principal moments")?;
    Inertia::from_slice(&about, false).map_err(|e| field.fail(ScenarioFault::Inertia(e)))?;
    Ok(InertiaLaw::LogNormal {
        about: [about[0], about[1], about[2]],
        sigma: law.not_negative("sigma")?,
    })
}

fn read_spin(field: Field<'_>) -> Outcome<SpinLaw> {
    let Some(law) = Law::new(field, &["isotropic", "gaussian"])? else {
        return Ok(SpinLaw::Fixed(field.vector::<3>(&format!("{VECTOR}, or a law"))?));
    };
    if law.name == "isotropic" {
        law.only(&["length"])?;
        return Ok(SpinLaw::Isotropic { length: law.not_negative("length")? });
    }
    law.only(&["mean", "sigma"])?;
    let mean = law.numbers("mean", 3, "three numbers")?;
    let sigma = law.numbers("sigma", 0, "one number or three, none negative")?;
    if sigma.iter().any(|&s| s < 0.0) {
        return Err(field.refuse("sigma = one number or three, none negative"));
    }
    let sigma = if let [s] = sigma[..] { [s; 3] } else { [sigma[0], sigma[1], sigma[2]] };
    Ok(SpinLaw::Gaussian { mean: [mean[0], mean[1], mean[2]], sigma })
}

fn read_attitude(field: Field<'_>) -> Outcome<AttitudeLaw> {
    if let Some(law) = Law::new(field, &["uniform"])? {
        law.only(&[])?;
        return Ok(AttitudeLaw::Uniform);
    }
    let q = so3::from_wxyz(field.vector(ATTITUDE)?);
    let state = State::new([0.0; 3], q).map_err(|e| field.fail(ScenarioFault::State(e)))?;
    Ok(AttitudeLaw::Fixed(state.q))
}

fn read_times(run: Section<'_>, times: Field<'_>, document: &Table) -> Outcome<Work> {
    run.only(&["times"])?;
    unwanted(document, "method", "'times' are of the exact free motion, which needs no method")?;
    unwanted(
        document,
        "torque",
        "'times' are of the exact free motion; with a torque give 'until'",
    )?;
    let allowed = "a list of times, one at least";
    match times.value() {
        Value::List(list) if !list.is_empty() => Ok(Work::Times(times.numbers(list, 1, allowed)?)),
        _ => Err(times.refuse(allowed)),
    }
}

fn read_steps(method: Section<'_>, run: Section<'_>, document: &Table) -> Outcome<Work> {
    let (plan, _, every) = read_run(method, run)?;
    let (_, method_id) = method::read(method)?;
    let refuse = |e| match method.get("id") {
        Some(id) => id.fail(ScenarioFault::Ensemble(e)),
        None => method.fail(ScenarioFault::Ensemble(e)),
    };
    let ensemble = Ensemble::new(&method_id).map_err(|e| refuse(e.to_string()))?;
    let field = match document.get("torque") {
        None => Torque::NONE,
        Some(entry) => torques::read_field(&entry.item)?,
    };
    let ensemble = ensemble.field(field);
    ensemble.check_field().map_err(|e| refuse(e.to_string()))?;
    Ok(Work::Steps { ensemble: Box::new(ensemble), method_id, field, plan, every })
}
