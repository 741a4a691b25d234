//! The `polhode` program: rotation of rigid bodies from the command line.
//!
//! One module per command; each turns its arguments into calls of the library and writes the
//! result to stdout. Messages go to stderr. Exit codes: 0 done, 1 failed while running (or found wrong,
//! by `check`), 2 bad input or usage.
//!
//! The program's own text is here rather than in `main.rs` so that the fuzz targets reach its readers;
//! it is no library for others, and promises nothing to them. That is the `polhode` crate.
#![forbid(unsafe_code)]

mod attitude;
mod body;
mod carried;
mod catalogue;
mod chaos;
mod check;
mod checksum;
mod cite;
mod compare;
mod completions;
mod ensemble;
mod failure;
mod fit;
mod free;
#[doc(hidden)]
pub mod fuzzing;
mod inertia;
mod man;
mod moment;
mod numbers;
mod output;
mod reproduce;
pub mod run;
mod scenario_reference;
mod sealed;
mod shown;
mod times;
mod unit_names;
mod view;

use std::io::{BufWriter, Write, stdout};
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use failure::Failure;

/// The rotation of rigid bodies, computed exactly.
#[derive(Parser)]
#[command(name = "polhode", version, after_help = CONVENTIONS)]
struct Cli {
    #[command(subcommand)]
    command: CliCommand,
}

const CONVENTIONS: &str = "\
Example:
  polhode free --inertia 1,2,3 --omega 0.01,5,0 --until 10 --every 0.5

Units are yours, as long as they agree with each other; angles are in radians. Angular momentum \
and velocity are in the body frame, attitudes are quaternions w,x,y,z (scalar first) that take \
body to space coordinates.";

#[derive(Subcommand)]
enum CliCommand {
    Free(free::FreeCommand),
    Inertia(inertia::InertiaCommand),
    Run(run::RunCommand),
    View(view::ViewCommand),
    Resume(run::Resume),
    Check(check::CheckCommand),
    Fit(fit::FitCommand),
    Compare(compare::Compare),
    Chaos(chaos::Chaos),
    Ensemble(ensemble::EnsembleCommand),
    Reproduce(reproduce::Reproduce),
    Methods(catalogue::ListMethods),
    Torques(catalogue::ListTorques),
    Scenarios(carried::ListScenarios),
    New(carried::New),
    ScenarioReference(scenario_reference::ScenarioReference),
    Cite(cite::Cite),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// The program: reads the command line, does what it says, and gives the exit code.
pub fn main() -> ExitCode {
    let parsed = Cli::command().try_get_matches().and_then(|matches| {
        let json = wants_json(&matches);
        Ok((Cli::from_arg_matches(&matches)?, json))
    });
    let (program, json) = match parsed {
        Ok(parsed) => parsed,
        // Also the way of --help and --version, to stdout and with exit code 0.
        Err(message) => {
            let code = u8::try_from(message.exit_code()).unwrap_or(2);
            // What was meant cannot be known better.
            if std::env::args_os().any(|argument| argument == "--json") && code != 0 {
                let _ = writeln!(
                    stdout(),
                    "{}",
                    failure::document("usage", &message.to_string(), code)
                );
            }
            // Nobody is left to tell if this cannot be written.
            let _ = message.print();
            return ExitCode::from(code);
        }
    };
    let mut out = CountingWriter { out: BufWriter::new(stdout().lock()), bytes: 0 };
    let done = match program.command {
        CliCommand::Free(free) => free.run(&mut out),
        CliCommand::Inertia(inertia) => inertia.run(&mut out),
        CliCommand::Run(run) => run.run(&mut out),
        CliCommand::View(view) => view.run(&mut out),
        CliCommand::Resume(resume) => resume.run(&mut out),
        CliCommand::Check(check) => check.run(&mut out),
        CliCommand::Fit(fit) => fit.run(&mut out),
        CliCommand::Compare(compare) => compare.run(&mut out),
        CliCommand::Chaos(chaos) => chaos.run(&mut out),
        CliCommand::Ensemble(ensemble) => ensemble.run(&mut out),
        CliCommand::Reproduce(reproduce) => reproduce.run(&mut out),
        CliCommand::Methods(methods) => methods.run(&mut out),
        CliCommand::Torques(torques) => torques.run(&mut out),
        CliCommand::Scenarios(scenarios) => scenarios.run(&mut out),
        CliCommand::New(new) => new.run(&mut out),
        CliCommand::ScenarioReference(reference) => reference.run(&mut out),
        CliCommand::Cite(cite) => cite.run(&mut out),
        CliCommand::Completions(completions) => completions.run(Cli::command(), &mut out),
        CliCommand::Man(man) => man.run(Cli::command(), &mut out),
    };
    // Also after a failure, so that the rows before it are whole.
    let written = out.flush().map_err(Failure::from);
    match done.and(written) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // A document that has begun stays the only one.
            if json
                && out.bytes == 0
                && let Some(document) = failure.document()
            {
                let _ = writeln!(out, "{document}").and_then(|()| out.flush());
            }
            failure.report()
        }
    }
}

/// Whether results are wanted as JSON, and errors with them.
fn wants_json(matches: &ArgMatches) -> bool {
    let flag =
        |(_, matches): (&str, &ArgMatches)| matches.try_get_one::<bool>("json").ok()?.copied();
    matches.subcommand().and_then(flag).unwrap_or(false)
}

/// A writer that knows whether anything was written.
struct CountingWriter<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// The commands of a help's examples, lines that end in a backslash joined.
    fn examples(help: &str) -> Vec<String> {
        let whole = help.replace("\\\n", " ");
        let lines = whole.lines().filter_map(|line| Some(&line[line.find("polhode ")?..]));
        let lines = lines.filter(|line| !line.contains('`'));
        // What a shell does with the output is not ours.
        let command = |line: &str| line.split(['>', '|']).next().unwrap_or_default().to_owned();
        lines.map(command).collect()
    }

    #[test]
    fn every_example_of_every_help_is_a_command_that_can_be_read() {
        let program = Cli::command();
        for command in std::iter::once(&program).chain(program.get_subcommands()) {
            let name = command.get_name();
            let help = command.get_after_help().unwrap().to_string();
            let (shown, _) = help.split_once("\n\n").unwrap_or((&help, ""));
            for line in shown.lines() {
                assert!(line.chars().count() <= 100, "{name}: too long for a terminal: {line}");
            }
            let examples = examples(shown);
            assert!(!examples.is_empty(), "{name}");
            for example in examples {
                // As a shell splits them: what is between quotes is one word.
                let parts = example.split('\'').enumerate();
                let words: Vec<&str> = parts
                    .flat_map(|(i, part)| match i % 2 {
                        0 => part.split_whitespace().collect(),
                        _ => vec![part],
                    })
                    .collect();
                if let Err(e) = Cli::try_parse_from(&words) {
                    panic!("{name}: {example}: {e}");
                }
                // The word after the command, unless it names a file: that of a scenario there is.
                let argument = words.get(2).filter(|word| !word.contains(['.', '-']));
                let takes = ["run", "compare", "chaos", "cite", "ensemble", "new"];
                if let Some(scenario) = argument.filter(|_| takes.contains(&name)) {
                    let known =
                        carried::names().chain(carried::ensembles()).any(|n| n == *scenario);
                    assert!(known, "{name}: {scenario} is not there");
                }
            }
        }
    }
}
