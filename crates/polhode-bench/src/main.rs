//! Benchmarks: `cargo xtask bench`. See `docs/performance.md` for what they have shown.
//!
//! | what | where |
//! |---|---|
//! | steps of rotors and methods | `rotors` |
//! | work and precision on heavy tops | `tops` |
//! | solving to a tolerance | `solve` |
//! | free motion against an integration | `free` |
//! | elliptic functions | `special` |
//! | ensembles: width, threads, sizes | `ensembles` |
//! | the step for engines | `engines` |
//! | memory | `memory` |
//! | instructions, as a guard against regressions | `counts` |
//! | what users would pick instead | `peers`, `python` |
//! | the document | `report`, `targets`, `document` |
#![allow(clippy::print_stdout, reason = "a command-line program")]

mod bodies;
mod counts;
mod document;
mod effort;
mod engines;
mod ensembles;
mod fits;
#[cfg(feature = "peers")]
mod free;
mod memory;
#[cfg(feature = "peers")]
mod peers;
mod python;
mod report;
mod rotors;
mod solve;
#[cfg(feature = "peers")]
mod special;
mod tangents;
mod targets;
mod timing;
mod tops;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use effort::Effort;
use report::{Machine, Report};

/// Whatever went wrong: a benchmark that cannot run says why and ends.
pub(crate) type Failure = Box<dyn std::error::Error>;

/// Measure speed, as ratios of what runs interleaved in one process.
#[derive(Parser)]
#[command(after_help = "Example: cargo xtask bench --quick --json")]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
    #[command(flatten)]
    options: Options,
}

#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Options {
    /// Print one JSON document.
    #[arg(long)]
    json: bool,
    /// Fewer rounds and smaller problems: a minute or two.
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// The largest problems at their full size.
    #[arg(long)]
    full: bool,
    /// Elliptic functions alone, and a document of their own.
    #[arg(long)]
    elliptic: bool,
    /// Also SciPy and heyoka, from this Python.
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// Write the document to this file.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Task {
    /// Compare instructions per step with those expected; needs valgrind.
    Counts {
        /// Write the counts found as those expected.
        #[arg(long)]
        update: bool,
    },
    /// Do one piece of work that is counted.
    #[command(hide = true)]
    Work { name: String, steps: u32 },
    /// Step many bodies once and print the greatest memory needed.
    #[command(hide = true)]
    Stream { bodies: u64 },
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// True if all went well.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    match &arguments.task {
        Some(Task::Counts { update }) => return counts::guard(*update),
        Some(Task::Work { name, steps }) => counts::work(name, *steps)?,
        Some(Task::Stream { bodies }) => println!("{}", memory::stream(*bodies)?),
        None => {
            let elliptic = arguments.options.elliptic;
            let report = if elliptic {
                measure_elliptic(&arguments.options)?
            } else {
                measure(&arguments.options)?
            };
            let text = if elliptic { document::elliptic(&report) } else { document::text(&report) };
            if let Some(file) = &arguments.options.write {
                std::fs::write(file, document::written(elliptic) + &text)?;
            }
            if arguments.options.json {
                println!("{}", serde_json::to_string_pretty(&report)?);
            } else if arguments.options.write.is_none() {
                println!("{text}");
            }
        }
    }
    Ok(true)
}

/// One part of the measurements.
type Part = (&'static str, fn(Effort, &mut Report) -> Result<(), Failure>);

fn effort(options: &Options) -> Effort {
    match (options.quick, options.full) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Full,
        _ => Effort::Normal,
    }
}

/// Elliptic functions only.
fn measure_elliptic(options: &Options) -> Result<Report, Failure> {
    let mut report = Report { machine: Machine::here(), ..Report::default() };
    #[cfg(feature = "peers")]
    special::measure(effort(options), &mut report)?;
    if cfg!(not(feature = "peers")) {
        report.skipped.push(WITHOUT_PEERS.into());
    }
    match &options.python {
        Some(program) => python::elliptic(program, &mut report)?,
        None => report.skipped.push("scipy: only with --python".into()),
    }
    Ok(report)
}

const WITHOUT_PEERS: &str = "all other libraries: built without the feature `peers`";

fn measure(options: &Options) -> Result<Report, Failure> {
    let effort = effort(options);
    let mut report = Report { machine: Machine::here(), ..Report::default() };
    let parts: &[Part] = &[
        ("rotors", rotors::measure),
        ("tangents", tangents::measure),
        ("fits", fits::measure),
        ("steps for engines", engines::measure),
        ("heavy tops", tops::measure),
        ("solving to a tolerance", solve::measure),
        #[cfg(feature = "peers")]
        ("free motion", free::measure),
        #[cfg(feature = "peers")]
        ("elliptic functions", special::measure),
        ("ensembles", ensembles::measure),
        ("figure 1 of Vilmart", ensembles::figure),
        ("memory", memory::measure),
    ];
    for (name, part) in parts {
        eprintln!("measuring: {name}");
        part(effort, &mut report)?;
    }
    if cfg!(not(feature = "peers")) {
        report.skipped.push(WITHOUT_PEERS.into());
    }
    match &options.python {
        Some(program) => python::measure(program, &mut report)?,
        None => report.skipped.push("scipy and heyoka: only with --python".into()),
    }
    report.judge();
    Ok(report)
}
