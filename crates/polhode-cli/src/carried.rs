//! The scenarios that the program carries, so that it needs no repository: `polhode scenarios`, `polhode new`, and
//! names in the place of files.

use std::io::Write;
use std::path::Path;

use clap::Args;
use polhode::parameters::suggestion;
use polhode_scenario::{EnsembleScenario, Scenario, ScenarioError, ScenarioFault};
use serde::Serialize;

use crate::failure::{Failure, tell};
use crate::output::Origin;

/// All files of the folder, by their names in it: scenarios, ensembles, and the tables that they name.
static FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/scenarios.rs"));

/// Where ensembles lie; `polhode ensemble` takes their names without it, too.
const ENSEMBLES: &str = "ensembles/";

/// Lists the scenarios that the program carries: `run`, `compare` and the others take their names.
#[derive(Args)]
#[command(after_help = LIST_EXAMPLES)]
pub(crate) struct ListScenarios {
    /// Only those with this text in name or title
    #[arg(value_name = "TEXT")]
    filter: Option<String>,

    /// Write one JSON document
    #[arg(long)]
    json: bool,
}

const LIST_EXAMPLES: &str = "\
Examples:
  polhode scenarios
  polhode scenarios top
  polhode run dzhanibekov

Where there is a file of the same name, the file is taken and not the scenario of the program; a name that begins \
with ./ is always that of a file. Names that begin with ensembles/ are for `polhode ensemble`, which takes them \
without that, too.";

/// Writes a scenario that the program carries, to make your own of it.
#[derive(Args)]
#[command(after_help = NEW_EXAMPLES)]
pub(crate) struct New {
    /// The name of a scenario: see `polhode scenarios`
    #[arg(value_name = "NAME")]
    name: String,

    /// Write one JSON document with the text in it
    #[arg(long)]
    json: bool,
}

const NEW_EXAMPLES: &str = "\
Examples:
  polhode new heavy-top > mine.toml
  polhode new ensembles/tumbling-debris > debris.toml
  polhode new ensembles/satellites.csv > satellites.csv

Change what is to be changed with any editor, then `polhode run mine.toml`. `polhode scenario-reference` says \
which keys there are.";

/// A scenario as it is listed.
#[derive(Serialize)]
struct ScenarioTitle {
    name: &'static str,
    title: String,
}

impl ListScenarios {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct ScenarioList {
            #[serde(flatten)]
            origin: Origin,
            scenarios: Vec<ScenarioTitle>,
        }
        let wanted = self.filter.as_deref().unwrap_or_default().to_lowercase();
        let all = names()
            .map(|name| ScenarioTitle { name, title: title(text(name).unwrap_or_default()) });
        let scenarios: Vec<_> = all
            .filter(|s| s.name.contains(&wanted) || s.title.to_lowercase().contains(&wanted))
            .collect();
        if scenarios.is_empty() {
            return Err(Failure::Input(format!(
                "TEXT: '{wanted}': no scenario has that in its name or title; `polhode scenarios` lists all"
            )));
        }
        if self.json {
            serde_json::to_writer_pretty(
                &mut *out,
                &ScenarioList { origin: Origin::THIS, scenarios },
            )?;
            return Ok(writeln!(out)?);
        }
        let width = scenarios.iter().map(|s| s.name.len()).max().unwrap_or(0);
        for ScenarioTitle { name, title } in &scenarios {
            writeln!(out, "{name:width$}  {title}")?;
        }
        Ok(())
    }
}

impl New {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct TextForJson<'a> {
            #[serde(flatten)]
            origin: Origin,
            name: &'a str,
            text: &'a str,
        }
        let name = self.name.as_str();
        // Also an ensemble by the name that `polhode ensemble` takes.
        let name = carried(Path::new(name), &["", ENSEMBLES]).unwrap_or(name);
        let text = match file(name) {
            Some(table) => table.to_owned(),
            None => whole(name).ok_or_else(|| {
                let known: Vec<_> = names().chain(ensembles()).collect();
                Failure::Input(format!("NAME: no scenario '{name}'{}", suggestion(&known, name)))
            })?,
        };
        if self.json {
            let document = TextForJson { origin: Origin::THIS, name, text: &text };
            serde_json::to_writer_pretty(&mut *out, &document)?;
            return Ok(writeln!(out)?);
        }
        out.write_all(text.as_bytes())?;
        for table in tables_beside(name, &text) {
            let short = table.rsplit('/').next().unwrap_or(table);
            tell(format_args!("note: it reads {short}: polhode new {table} > {short}"));
        }
        Ok(())
    }
}

/// The scenario of a file or, where there is none, that of the program with this name.
pub(crate) fn scenario(path: &Path, overrides: &[impl AsRef<str>]) -> Result<Scenario, Failure> {
    let found = match unless_file(path, &[""]) {
        // As if its file were in the current folder.
        Some(name) => {
            Scenario::parse_at(&whole(name).unwrap_or_default(), format!("{name}.toml"), overrides)
        }
        None => Scenario::load_with(path, overrides),
    };
    found.map_err(|error| refuse(&error, path, &of_one_body().collect::<Vec<_>>()))
}

/// The ensemble of a file or, where there is none, that of the program with this name.
pub(crate) fn ensemble(path: &Path, overrides: &[String]) -> Result<EnsembleScenario, Failure> {
    let found = match unless_file(path, &[ENSEMBLES, ""]) {
        Some(name) => {
            let path = format!("{}.toml", name.trim_start_matches(ENSEMBLES));
            EnsembleScenario::parse_at(&whole(name).unwrap_or_default(), path, overrides)
        }
        None => EnsembleScenario::load_with(path, overrides),
    };
    found.map_err(|error| refuse(&error, path, &ensembles().collect::<Vec<_>>()))
}

/// The table of bodies of an ensemble of the program. When an ensemble is resumed, its name and its text tell whether
/// it is one of those.
pub(crate) fn table_of(ensemble: &EnsembleScenario, table: &Path) -> Option<&'static str> {
    let path = Path::new(&ensemble.name);
    let name = format!("{ENSEMBLES}{}", path.file_stem()?.to_str()?);
    if path.is_file() || whole(&name)? != ensemble.text {
        return None;
    }
    file(&format!("{ENSEMBLES}{}", table.file_name()?.to_str()?))
}

/// The names of all scenarios, without `.toml`.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(name, _)| name.strip_suffix(".toml"))
}

/// The names of scenarios of one body.
pub(crate) fn of_one_body() -> impl Iterator<Item = &'static str> {
    names().filter(|name| !name.starts_with(ENSEMBLES))
}

/// The names of ensembles, as `polhode ensemble` takes them.
pub(crate) fn ensembles() -> impl Iterator<Item = &'static str> {
    names().filter_map(|name| name.strip_prefix(ENSEMBLES))
}

/// The scenario of the program that an argument names, where it is no file.
fn unless_file(path: &Path, before: &[&str]) -> Option<&'static str> {
    if path.is_file() { None } else { carried(path, before) }
}

/// The scenario of the program that an argument names, with the first of these before it that makes it one.
fn carried(path: &Path, before: &[&str]) -> Option<&'static str> {
    let given = path.to_str()?;
    { before }.iter().find_map(|before| {
        let given = format!("{before}{given}");
        names().find(|name| **name == given)
    })
}

fn refuse(error: &ScenarioError, path: &Path, known: &[&str]) -> Failure {
    if !matches!(error.fault(), ScenarioFault::NoFile { near: None }) {
        return Failure::Input(error.to_string());
    }
    let name = path.display().to_string();
    // Something like `run dzanibekov`.
    if path.extension().is_none() && path.components().count() == 1 {
        if ensembles().any(|ensemble| ensemble == name) {
            return Failure::Input(format!(
                "{name}: an ensemble, not a scenario of one body: use `polhode ensemble {name}`"
            ));
        }
        let near = suggestion(known, &name);
        let near = if near.starts_with("; did") { near } else { String::new() };
        let listed = "`polhode scenarios` lists them";
        return Failure::Input(format!(
            "{name}: no such file, and no scenario of that name{near} ({listed})"
        ));
    }
    // Something like `run scenarios/dzhanibekov.toml` where no repository is.
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    Failure::Input(match known.iter().find(|known| Some(**known) == stem) {
        Some(carried) => {
            format!("{name}: no such file; the program has a scenario of that name: {carried}")
        }
        None => error.to_string(),
    })
}

fn file(name: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The text of a scenario as it stands in its file.
fn text(name: &str) -> Option<&'static str> {
    file(&format!("{name}.toml"))
}

/// The text of a scenario, with the rows of a table over time in the place of its file's name: it needs no file then.
fn whole(name: &str) -> Option<String> {
    let mut text = text(name)?.to_owned();
    for (file, rows) in FILES.iter().filter(|(file, _)| file.starts_with("data/")) {
        text = text.replace(&format!("\"{file}\""), &inline(rows));
    }
    Some(text)
}

/// Rows of numbers as a list of TOML; without comments and the line of names, which are no numbers.
fn inline(table: &str) -> String {
    let rows = table.lines().map(str::trim).filter(|line| {
        line.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+' || c == '.')
    });
    let rows: Vec<String> =
        rows.map(|row| format!("    [{}],\n", row.replace(',', ", "))).collect();
    format!("[\n{}]", rows.concat())
}

/// The tables that a text goes on naming: those of bodies.
fn tables_beside<'a>(name: &'a str, text: &'a str) -> impl Iterator<Item = &'static str> + use<'a> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let named = move |file: &&'static str| {
        let (place, short) = file.rsplit_once('/').unwrap_or(("", file));
        place == folder && text.contains(&format!("\"{short}\""))
    };
    FILES.iter().map(|(file, _)| *file).filter(named)
}

/// What a scenario says first, in the comment it begins with: up to the end of a line that ends a sentence.
fn title(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("# ")) {
        lines.push(line);
        if line.ends_with(['.', '?']) {
            break;
        }
    }
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::path::Path;

    use super::*;

    #[test]
    fn every_scenario_is_read_from_the_program_as_from_its_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
        assert!(names().count() > 20);
        let none: [String; 0] = [];
        for name in names() {
            let path = root.join(name).with_extension("toml");
            if let Some(short) = name.strip_prefix(ENSEMBLES) {
                // Also where a scenario has the same name.
                let here = ensemble(Path::new(short), &none).unwrap();
                let there = ensemble(&path, &none).unwrap();
                assert_eq!(format!("{:?}", here.work), format!("{:?}", there.work), "{name}");
            } else {
                let here = scenario(Path::new(name), &none).unwrap();
                let there = scenario(&path, &none).unwrap();
                assert_eq!(
                    format!("{:?}", here.problem()),
                    format!("{:?}", there.problem()),
                    "{name}"
                );
                assert_eq!(here.output(), there.output(), "{name}");
            }
            let title = title(text(name).unwrap());
            assert!(
                (21..240).contains(&title.len()) && title.ends_with(['.', '?']),
                "{name}: {title}"
            );
        }
    }

    #[test]
    fn rows_keep_their_digits() {
        let table = "# about\nt,x,y,z\n0,0,0,0.02\n-2.0855295603023123,0,0,1e-3\n";
        let rows = "[\n    [0, 0, 0, 0.02],\n    [-2.0855295603023123, 0, 0, 1e-3],\n]";
        assert_eq!(inline(table), rows);
    }
}
