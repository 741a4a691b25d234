//! A run as pictures show it: its film, what the body looks like, and what is watched.

use std::path::Path;

use polhode::glam::DVec3;
use polhode::observe::{Directions, Observable, Surroundings};
use polhode::shape::MassProperties;
use polhode::solve::SolveMethod;
use polhode::{Inertia, Problem};
use polhode_scenario::{Computation, Scenario, read_mesh};
use polhode_view::{Film, Look, PageRun, Solid, ViewError};

use crate::failure::Failure;
use crate::numbers::{shortest, time};
use crate::unit_names::UnitNames;

/// The motion of a scenario until a time, in so many moments at most, from its steps or its solution: never from its
/// rows, which may be far apart.
pub(crate) fn film(scenario: &Scenario, end: f64, most: usize) -> Result<Film, ViewError> {
    let problem = scenario.problem();
    match scenario.computation() {
        Computation::Steps(steps) => Film::steps(&problem, &steps.method, &steps.plan, end, most),
        Computation::Solution(solving) => {
            Film::solved(&problem, end, solving.tolerance, &solving.stops, most)
        }
        _ => Err(ViewError::Motion("this program cannot run it".into())),
    }
}

/// What the body of a scenario looks like: as it says, or as suits what acts on it.
///
/// # Errors
/// [`Failure::Input`] if its mesh cannot be read.
pub(crate) fn scenario_body(scenario: &Scenario) -> Result<Solid, Failure> {
    let folder = Path::new(scenario.name()).parent().unwrap_or(Path::new(""));
    match &scenario.output().shape {
        Some(shape) => body(shape, scenario.inertia(), folder),
        None => Ok(Solid::new(Look::usual(scenario.torque()), scenario.inertia())),
    }
}

/// The shapes that [`body`] knows, in words.
pub(crate) fn shapes() -> String {
    format!("{}, or the name of an .stl or .obj file", Look::ALL.map(Look::name).join(", "))
}

/// The body of this look, or of a mesh in this folder.
///
/// # Errors
/// [`Failure::Input`] if it is neither.
pub(crate) fn body(shape: &str, inertia: &Inertia, folder: &Path) -> Result<Solid, Failure> {
    if let Some(look) = Look::named(shape) {
        return Ok(Solid::new(look, inertia));
    }
    let path = folder.join(shape);
    if !["stl", "obj"].iter().any(|e| path.extension().is_some_and(|x| x.eq_ignore_ascii_case(e))) {
        return Err(Failure::Input(format!("shape '{shape}': no such shape; one of {}", shapes())));
    }
    let mesh = read_mesh(&path, 1.0).map_err(|e| Failure::Input(e.to_string()))?;
    let properties = MassProperties::mesh(&mesh, 1.0);
    let properties = properties.map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
    Ok(Solid::mesh_of(&mesh, properties.centre))
}

/// The film of a scenario with its body, plots of what it watches, and the direction down where there is one.
pub(crate) fn run(scenario: &Scenario, name: &str, film: Film, body: Solid) -> PageRun {
    let problem = scenario.problem();
    let units = UnitNames::of(scenario);
    let columns: Vec<(String, String, Vec<f64>)> = scenario
        .watching()
        .columns
        .iter()
        .map(|(name, observable)| {
            let title = format!("{} = {}", units.watched(name, observable), observable.text());
            (name.clone(), title, values(&film, &problem, observable))
        })
        .collect();
    let nadir = nadir(&film, &problem);
    // With wheels the ellipsoid of inertia does not roll on a plane, either.
    let torqued = !problem.torques().is_none() || film.is_gyrostat();
    let mut run = PageRun::new(name, film).body(body).torqued(torqued);
    for (name, title, values) in columns {
        run = run.watch(name, title, values);
    }
    run = run.units(units.time().unwrap_or_default(), units.momentum().unwrap_or_default());
    match nadir {
        Some(nadir) => run.arrow("nadir", nadir),
        None => run,
    }
}

/// An observable at every moment.
pub(crate) fn values(film: &Film, problem: &Problem, observable: &Observable) -> Vec<f64> {
    (0..film.moments().len()).map(|i| value(film, problem, observable, i)).collect()
}

/// An observable at one moment, with what moves inside the body as it is then.
pub(crate) fn value(film: &Film, problem: &Problem, observable: &Observable, index: usize) -> f64 {
    let moment = &film.moments()[index];
    if film.has_inside() {
        return observable.value_inside(problem, moment.t, &moment.state, film.inside(index));
    }
    observable.value(problem, moment.t, &moment.state)
}

/// What a formula over the names of observables says at every moment; none where the torque knows no such names.
pub(crate) fn formula(film: &Film, problem: &Problem, text: &str) -> Option<Vec<f64>> {
    let directions = Directions::new();
    let around = Surroundings::new(problem.torques(), &directions);
    Some(values(film, problem, &Observable::new(text, &around).ok()?))
}

fn nadir(film: &Film, problem: &Problem) -> Option<Vec<DVec3>> {
    let part = |axis: &str| formula(film, problem, &format!("cos(angle({axis}, nadir))"));
    let (x, y, z) = (part("X")?, part("Y")?, part("Z")?);
    Some(x.into_iter().zip(y).zip(z).map(|((x, y), z)| DVec3::new(x, y, z)).collect())
}

/// How a scenario is computed, in words.
pub(crate) fn computed(scenario: &Scenario) -> String {
    let method = scenario.method_id();
    match scenario.computation() {
        Computation::Steps(steps) => {
            format!(
                "{method} in steps of {}, to t = {}",
                shortest(steps.plan.step),
                time(scenario.until())
            )
        }
        Computation::Solution(_) if method == SolveMethod::ClosedForm.id() => {
            format!("closed form, to t = {}", time(scenario.until()))
        }
        Computation::Solution(solving) => format!(
            "{method} to a tolerance of {}, to t = {}",
            shortest(solving.tolerance),
            time(scenario.until())
        ),
        _ => method.to_owned(),
    }
}

/// The comment at the top of a scenario, line by line, without its marks.
fn comment(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let lines = scenario.text().lines().skip_while(|line| line.trim().is_empty());
    lines.map_while(|line| line.strip_prefix('#').map(str::trim_end))
}

/// The first line of a scenario's comment that is not of its first sentences: an empty one, or what it shows.
fn ends_description(line: &str) -> bool {
    line.is_empty() || line.trim_start().starts_with("What it shows")
}

/// The first sentences of a scenario: the comment at its top, up to its first empty line or to what it shows.
pub(crate) fn described(scenario: &Scenario) -> String {
    let lines = comment(scenario).take_while(|line| !ends_description(line)).take(6);
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The rest of that comment in paragraphs: what it shows, what to look at, what to try, its source and units.
///
/// A paragraph begins at the left, with its subject and a colon. What is indented belongs to it; but a further command
/// to try, indented as far as the first, is a paragraph of its own.
pub(crate) fn explained(scenario: &Scenario) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    for line in comment(scenario).skip_while(|line| !ends_description(line)) {
        let text = line.trim();
        let line = line.strip_prefix(' ').unwrap_or(line);
        let subject = text.split_once(':').is_some_and(|(subject, _)| subject.len() < 20);
        let begins = subject && !line.starts_with(' ');
        let command =
            line.starts_with("     ") && (text.starts_with("--") || text.starts_with("polhode "));
        match paragraphs.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if !begins && !command => {
                last.push(' ');
                last.push_str(text);
            }
            _ => paragraphs.push(text.to_owned()),
        }
    }
    // The blanks between a command and its purpose are for the eyes of who reads the file.
    let single = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    paragraphs.into_iter().map(single).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_comment_of_a_scenario_becomes_paragraphs() {
        let text = "\
# A book, thrown
# into the air.
#
# What it shows: it turns over,
#   and over.
# Try: --set a=1      one.
#      --set b=2      another.
#
# Units: none.

[body]
inertia = [1.0, 2.0, 2.5]
[start]
omega = [0.0, 0.0, 1.0]
[run]
until = 1.0
";
        let scenario = Scenario::parse(text, "book").unwrap();
        assert_eq!(described(&scenario), "A book, thrown into the air.");
        let told = [
            "What it shows: it turns over, and over.",
            "Try: --set a=1 one.",
            "--set b=2 another.",
            "Units: none.",
        ];
        assert_eq!(explained(&scenario), told);
    }
}
