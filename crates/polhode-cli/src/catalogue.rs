//! `polhode methods` and `polhode torques`: what there is to choose from.

use std::io::{self, Write};

use clap::Args;
use polhode::EntryKind;
use polhode::method::Derivatives;
use serde::Serialize;

use crate::failure::Failure;
use crate::numbers::OptionText;

mod records;
mod torques;

use records::Methods;
use torques::{TorqueRecord, torques};

/// Lists the methods: schemes and rotors, which go together in pairs, all others, and solvers.
#[derive(Args)]
#[command(after_help = METHODS_EXAMPLES)]
pub(crate) struct ListMethods {
    /// Only those with this text in id or title, with parameters and papers
    #[arg(value_name = "TEXT")]
    filter: Option<String>,

    /// Write one JSON document with everything known about each
    #[arg(long)]
    json: bool,
}

const METHODS_EXAMPLES: &str = "\
Examples:
  polhode methods
  polhode methods dmv
  polhode methods --json

A method for a body with a torque is a pair SCHEME+ROTOR, such as rkn6-14+exact, a preset, or one of \
the other methods; a rotor alone is a method for a free body. Parameters follow an id: \
dmv:order=6:compensated, strang:compensated+semi-exact:nodes=5. A solver needs no step: it goes with \
[run] tolerance or --tolerance. The order of a pair is the smaller \
one of the two, except that a scheme of Strang steps keeps its own with any symmetric rotor.

What a method keeps is explained below the tables.";

/// Lists the torques and their keys.
#[derive(Args)]
#[command(after_help = TORQUES_EXAMPLES)]
pub(crate) struct ListTorques {
    /// Only those with this text in kind or title
    #[arg(value_name = "TEXT")]
    filter: Option<String>,

    /// Write one JSON document with everything known about each
    #[arg(long)]
    json: bool,
}

const TORQUES_EXAMPLES: &str = "\
Examples:
  polhode torques
  polhode torques top
  polhode torques --json

A scenario has a section [torque] with kind = \"heavy-top\" and the keys of that kind, or several \
sections [[torque]] for a sum. Keys with a default may be left out.";

/// Which methods an ensemble runs in lanes, as a sentence.
pub(crate) fn lanes() -> String {
    let all = polhode::catalog();
    let rotors: Vec<&str> = all.of(EntryKind::Rotor).filter(|r| r.in_lanes).map(|r| r.id).collect();
    format!(
        "In an ensemble {}, alone or with any scheme, run in SIMD lanes, several bodies at once.\n\
         With the parameter compensated they run body by body, as all other methods do.",
        and(&rotors)
    )
}

/// Which methods have derivatives, as a sentence.
pub(crate) fn derivatives() -> String {
    let all = polhode::catalog();
    let (some, most) = (Derivatives::Start, Derivatives::Inertia);
    let (with, by_inertia) = (all.rotors_with(some), all.rotors_with(most));
    format!(
        "Runs with {}, alone or with any scheme, have derivatives,\nby the inertia those with {}.",
        and(&with),
        and(&by_inertia)
    )
}

/// Words as they are listed in a sentence.
pub(crate) fn and(words: &[&str]) -> String {
    match words {
        [] => "none".into(),
        [one] => (*one).into(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// What is in a record of any table.
trait CatalogueRecord {
    fn id(&self) -> &str;
    fn title(&self) -> &str;
}

fn matching<R: CatalogueRecord>(records: Vec<R>, filter: Option<&str>) -> Vec<R> {
    let Some(text) = filter.map(str::to_lowercase) else { return records };
    let holds = |r: &R| r.id().contains(&text) || r.title().to_lowercase().contains(&text);
    records.into_iter().filter(holds).collect()
}

fn nothing(filter: Option<&str>, what: &str, command: &str) -> Failure {
    OptionText::new("TEXT", filter.unwrap_or_default(), "").refuse(format_args!(
        "no {what} has that in its name or title; `polhode {command}` lists all"
    ))
}

fn write_json(out: &mut impl Write, document: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    writeln!(out)?;
    Ok(())
}

impl ListMethods {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let filter = self.filter.as_deref();
        let all = Methods::all();
        let methods = Methods {
            schemes: matching(all.schemes, filter),
            rotors: matching(all.rotors, filter),
            others: matching(all.others, filter),
            presets: matching(all.presets, filter),
            solvers: matching(all.solvers, filter),
        };
        if methods.is_empty() {
            return Err(nothing(filter, "method, scheme, rotor or solver", "methods"));
        }
        if self.json {
            return write_json(out, &methods);
        }
        Ok(methods.write(out, filter.is_some())?)
    }
}

impl ListTorques {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let torques = matching(torques(), self.filter.as_deref());
        if torques.is_empty() {
            return Err(nothing(self.filter.as_deref(), "torque", "torques"));
        }
        if self.json {
            #[derive(Serialize)]
            struct CatalogueJson {
                torques: Vec<TorqueRecord>,
            }
            return write_json(out, &CatalogueJson { torques });
        }
        for (i, torque) in torques.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            torque.write(out)?;
        }
        Ok(())
    }
}

/// Rows of text in columns as wide as they need; the last one ends as it ends.
fn columns(out: &mut impl Write, rows: &[Vec<String>]) -> io::Result<()> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|r| Some(r.get(i)?.chars().count())).max();
    let widths: Vec<usize> = (0..count).map(|i| width(i).unwrap_or(0)).collect();
    for row in rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
