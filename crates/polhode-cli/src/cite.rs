//! `polhode cite`: the papers behind a computation, as BibTeX.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use polhode::cite::{Citation, OWN, entries};
use polhode::method::Method;
use polhode::solve::SolveMethod;
use serde::Serialize;

use crate::carried;
use crate::failure::Failure;
use crate::numbers::OptionText;

/// Writes the BibTeX entries of the papers behind a scenario: its method and its torques.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Cite {
    /// The scenario, a TOML file or a name of `polhode scenarios`
    scenario: Option<PathBuf>,

    /// Cite for this method or solver, instead of the scenario's; may be given several times
    #[arg(long, value_name = "ID")]
    method: Vec<String>,

    /// Write one JSON document instead
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  polhode cite dzhanibekov > references.bib
  polhode cite --method rkn6-14+exact --method dmv
  polhode cite --method extrapolation

The first entry is always that of polhode itself. Without a scenario and without --method, the \
entries of everything polhode cites follow. Lines that begin with % say what an entry is cited for.";

/// An entry and what it is for.
#[derive(Serialize)]
struct BibEntry {
    key: &'static str,
    /// Method or torque, and the place in the paper.
    cited_for: Vec<Reason>,
    bibtex: &'static str,
}

#[derive(Serialize)]
struct Reason {
    what: String,
    at: &'static str,
}

impl Cite {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut list = List::default();
        if let Some(path) = &self.scenario {
            let scenario = carried::scenario(path, &[] as &[&str])?;
            if self.method.is_empty() {
                list.add(scenario.method_id(), scenario.cites());
            }
            for entry in scenario.torque().entries() {
                list.add(entry.kind, entry.cites.to_vec());
            }
        }
        for id in &self.method {
            let cites = match id.parse::<SolveMethod>() {
                Ok(solver) => solver.cites(),
                Err(_) => Method::parse(id)
                    .map_err(|e| OptionText::new("--method", id, "").refuse(e))?
                    .cites(),
            };
            list.add(id, cites);
        }
        if self.scenario.is_none() && self.method.is_empty() {
            list.0.extend(entries().map(|(key, bibtex)| BibEntry {
                key,
                cited_for: vec![],
                bibtex,
            }));
        }
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &list.0)?;
            writeln!(out)?;
            return Ok(());
        }
        for (i, entry) in list.0.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            for Reason { what, at } in &entry.cited_for {
                writeln!(out, "% {what}: {at}")?;
            }
            writeln!(out, "{}", entry.bibtex)?;
        }
        Ok(())
    }
}

/// Entries in the order in which they are needed first.
struct List(Vec<BibEntry>);

impl Default for List {
    fn default() -> Self {
        Self(vec![BibEntry { key: "polhode", cited_for: vec![], bibtex: OWN }])
    }
}

impl List {
    fn add(&mut self, what: &str, cites: Vec<Citation>) {
        for cite in cites {
            // Every key has an entry: a test sees to it.
            let Some(bibtex) = cite.bibtex() else { continue };
            let reason = Reason { what: what.to_owned(), at: cite.at };
            match self.0.iter_mut().find(|entry| entry.key == cite.key) {
                Some(entry) => entry.cited_for.push(reason),
                None => self.0.push(BibEntry { key: cite.key, cited_for: vec![reason], bibtex }),
            }
        }
    }
}
