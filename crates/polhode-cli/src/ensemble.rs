//! `polhode ensemble`: many bodies, on all cores.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use polhode::ensemble::{EnsembleError, EnsembleSummary, FreeEnsemble, MAX_THREADS, Members};
use polhode_scenario::{BodySource, EnsembleScenario, Work};

use crate::carried;
use crate::catalogue::lanes;
use crate::failure::{Failure, tell};
use crate::numbers::counted;
use crate::output::{
    Provenance, body_extensions, distinct, is_standard, listed, made_beside, regimes,
};
use crate::run::{ComputationOptions, apart, interrupt, prepare, save_somewhere, shown};
use checkpoint::EnsembleCheckpoint;
use collector::Collector;
use report::EnsembleReport;
use rest::Rest;
use table::BodyTable;

mod checkpoint;
mod collector;
mod report;
mod rest;
mod sketch;
mod statistics;
mod table;
mod watched;

/// Runs many bodies, drawn at random or from a table, on all cores.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{}\n\n{}", lanes(), results()))]
#[allow(clippy::struct_excessive_bools, reason = "flags")]
pub(crate) struct EnsembleCommand {
    /// The ensemble, a TOML file or a name of `polhode scenarios ensembles`
    ensemble: PathBuf,

    #[command(flatten)]
    computation: ComputationOptions,

    /// Change any key of the ensemble: bodies.count=100, start.omega=[1,2,3]
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[arg(long, value_name = "FILE", help = format!(
        "Write the states of all bodies to this file, {}; - is standard output, as .csv; may be given several times",
        listed(&body_extensions())
    ))]
    out: Vec<PathBuf>,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// Save how far the ensemble is in this file after blocks of bodies, so that it can go on after a crash
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Use this many threads, 1 to 256, instead of all cores; the results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,

    /// Leave out rows of a table that are no bodies, and tell how many; without it the first ends everything
    #[arg(long)]
    skip_bad: bool,

    /// Show also how the bodies are distributed, in ten parts from the least to the greatest value
    #[arg(long)]
    histograms: bool,

    /// Write one JSON document instead of the summary
    #[arg(long)]
    json: bool,
}

/// As the type of a range of values has it.
#[allow(clippy::cast_possible_wrap, reason = "a few hundred")]
const MOST_THREADS: i64 = MAX_THREADS as i64;

const EXAMPLES: &str = "\
Examples:
  Ten thousand pieces of debris of every shape, at t = 0, 100 and 1e6:
    polhode ensemble tumbling-debris
  A hundred of them, with histograms:
    polhode ensemble tumbling-debris --set bodies.count=100 --histograms
  All of them, with all states for NumPy, and a picture of how they are distributed:
    polhode ensemble tumbling-debris --out debris.npz --out debris.svg
  A fleet of satellites solved to eight digits instead of in its steps, at two times:
    polhode ensemble satellites --tolerance 1e-8 --times 10,62.8
  A million, saved on the way, and resumed after a crash:
    polhode ensemble tumbling-debris --set bodies.count=1e6 --out d.csv --checkpoint d.ckpt
    polhode resume d.ckpt

An ensemble is a scenario with [bodies] count = .. and laws in the place of numbers:
  [body]  inertia = { law = \"any\", largest = 1.0 }
          inertia = { law = \"log-normal\", about = [1.0, 2.0, 2.5], sigma = 0.1 }
  [start] omega = { law = \"isotropic\", length = 1.0 }      (or momentum)
          omega = { law = \"gaussian\", mean = [0.0, 5.0, 0.0], sigma = 0.1 }
          attitude = { law = \"uniform\" }
Log-normal scatters the mass: each of its three second moments, (I2 + I3 - I1)/2 and so on round, is \
taken times e^(sigma x) with x normal. The sigma of gaussian is one number or three. [bodies] seed is \
0 unless given; [body] allow_unphysical = true is as in a scenario.

Instead, [bodies] file = \"bodies.csv\" names a table beside the ensemble with the columns i1 i2 i3 \
(unless [body] has inertia), m1 m2 m3 or w1 w2 w3, and q0 q1 q2 q3 if the attitudes differ; columns \
with other names are not read. With [method], [run] has until (rounded up to whole steps) and every. Without, free \
bodies are evaluated in closed form and torqued ones solved to [run] tolerance (1e-10 unless given), at times = [..], \
or until an end: there and at the start, or every interval. Every torque may \
act, also several by [[torque]], and every method that accepts them may be named: see `polhode torques` and `polhode methods`.

[watch] and [directions] are those of a scenario (`polhode run --help`): a formula is a column of the files and \
a row of the summary, and so is a comparison, 1 where it holds and 0 elsewhere, so that its mean is the part of the \
bodies for which it holds at the end. In the summary, undefined values (an angle to what has no direction) do not \
count.";

fn results() -> String {
    format!(
        "\
An .svg shows the density of the directions of the momenta on their sphere, and histograms, at the last time. Other \
files have a row for each body and kept step: body, step, t, momentum m1 m2 m3, angular velocity \
w1 w2 w3, attitude q0 q1 q2 q3, energy; then the body's principal moments i1 i2 i3, and period, \
precession_period and regime of its free motion from the start, empty where there is none (in .npz the regime \
is a number: {}); then what [watch] names. Beside a {} file stands FILE.meta.json, which says how it was made. Bodies \
come in blocks of 16384, each through all its times. A body that cannot go on is reported, has no further rows, and does \
not count in the statistics; the others go on. In the summary, turn (rad) is the angle between the attitudes at start \
and end, from 0 to pi. Errors are the largest over all kept steps, and are there only for what the true motion keeps. \
Quantiles are right to 0.07 % of their size. The same seed \
gives the same bodies and the same results, whatever the number of cores.

The first Ctrl-C saves the blocks that are done (in the file of --checkpoint, or under the name of the ensemble \
with .ckpt) \
and tells how to go on, with `polhode resume`; the second stops at once. With --checkpoint, an ensemble that \
was killed can be resumed, too.",
        regimes(),
        made_beside()
    )
}

impl EnsembleCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut overrides = self.computation.overrides()?;
        overrides.extend_from_slice(&self.set);
        let scenario = carried::ensemble(&self.ensemble, &overrides)?;
        self.go(&scenario, None, out)
    }

    /// Runs an ensemble from its first body, or from a checkpoint on.
    fn go(
        &self,
        scenario: &EnsembleScenario,
        from: Option<(&EnsembleCheckpoint, &Path)>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if self.writes_rows() && (self.json || self.checkpoint.is_some()) {
            let other = if self.json { "--json" } else { "--checkpoint" };
            let why =
                "rows and a document cannot share standard output, and rows there cannot be saved";
            return Err(Failure::Input(format!("--out -: not with {other}: {why}; name a file")));
        }
        let saved = match from {
            Some((_, path)) => Some(path.to_owned()),
            None => self.checkpoint.clone(),
        };
        let checkpoint = match from {
            Some((checkpoint, _)) => checkpoint.clone(),
            None => EnsembleCheckpoint::new(scenario, self.threads, self.skip_bad)?,
        };
        let mut collector = Collector::new(scenario, checkpoint, saved.clone());
        let meta = Provenance::of_many(scenario).document();
        match from {
            None => {
                if let Some(path) = &self.checkpoint {
                    apart(path, &distinct(&self.out)?)?;
                    prepare(path, self.force)?;
                }
                collector.open(&self.out, self.force, &meta)?;
            }
            Some((checkpoint, path)) => collector.take_up(checkpoint, path, &meta)?,
        }
        interrupt::watch();
        let done = match &scenario.bodies {
            BodySource::Drawn(draw) => self.work(scenario, (draw.source(), false), &mut collector),
            BodySource::Table { file, inertia, allow_unphysical, .. } => {
                let bad = self.skip_bad.then(|| collector.bad.clone());
                let carried = carried::table_of(scenario, file);
                BodyTable::open(file, carried, *inertia, *allow_unphysical, bad).and_then(|table| {
                    let of_omega = table.spin_is_omega();
                    self.work(scenario, (table, of_omega), &mut collector)
                })
            }
            _ => Err(cannot_run(scenario)),
        };
        let seconds = collector.seconds();
        collector.bar.finish_and_clear();
        let is_saved = || saved.as_deref().is_some_and(EnsembleCheckpoint::is_one);
        let summary = match done {
            Ok(summary) => summary,
            Err(_) if collector.interrupted => {
                return Err(self.save(scenario, collector, saved).unwrap_or_else(|e| e));
            }
            Err(Failure::Running(why)) if is_saved() => {
                let path = saved.as_deref().unwrap_or(Path::new(""));
                return Err(collector.given_up(Failure::Running(format!(
                    "{why}\nThe ensemble is saved up to some block before: `polhode resume {}` goes on from there",
                    shown(path)
                ))));
            }
            Err(failure) => return Err(collector.given_up(failure)),
        };
        let goes_on = |failure| match failure {
            Failure::Running(why) if is_saved() => Failure::Running(format!(
                "{why}\nThe ensemble is saved: `polhode resume {}` completes the files",
                saved.as_deref().map(shown).unwrap_or_default()
            )),
            other => other,
        };
        collector.finish(&meta).map_err(goes_on)?;
        if let Some(path) = saved.as_deref().filter(|path| path.exists()) {
            fs::remove_file(path).map_err(|e| Failure::file(path, "cannot remove", &e))?;
        }
        let bodies = collector.offset + summary.bodies;
        self.report(scenario, &collector, bodies, seconds, out)
    }

    /// Whether a table goes to standard output.
    fn writes_rows(&self) -> bool {
        self.out.iter().any(|path| is_standard(path))
    }

    /// Says what came out.
    fn report(
        &self,
        scenario: &EnsembleScenario,
        collector: &Collector<'_>,
        bodies: u64,
        seconds: f64,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let report = EnsembleReport {
            outputs: self.out.iter().map(|path| path.display().to_string()).collect(),
            histograms: self.histograms,
            ..EnsembleReport::new(scenario, collector, bodies, seconds)
        };
        // Also for those who do not read the results, or only their beginning.
        if let Some(failures) = report.failures() {
            tell(format_args!("warning: {failures}"));
        }
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else if self.writes_rows() {
            report.write(&mut std::io::stderr())?;
        } else {
            report.write(out)?;
        }
        if report.failed > 0 && report.failed == bodies {
            return Err(Failure::Running("no body came to the end".into()));
        }
        Ok(())
    }

    /// Bodies from a source, which may know their angular velocities, to which wheels are to be added.
    fn work(
        &self,
        scenario: &EnsembleScenario,
        (source, of_omega): (impl Members + Send, bool),
        collector: &mut Collector<'_>,
    ) -> Result<EnsembleSummary, Failure> {
        let threads = usize::from(self.threads.unwrap_or(0));
        let source = Rest { source, skip: collector.offset };
        let control = interrupt::control();
        let done = match &scenario.work {
            Work::Steps { ensemble, plan, every, .. } => {
                let mut ensemble = ensemble.as_ref().clone().threads(threads).control(control);
                if of_omega {
                    ensemble = ensemble.adding_wheels();
                }
                ensemble.run(source, plan, *every, collector)
            }
            Work::Times(times) => {
                let ensemble = FreeEnsemble::new().threads(threads).control(control);
                ensemble.run(source, times, collector)
            }
            Work::Solution { solver, times, .. } => {
                let solver = solver.as_ref().clone().threads(threads).control(control);
                solver.run(source, times, collector)
            }
            _ => return Err(cannot_run(scenario)),
        };
        collector.interrupted = matches!(done, Err(EnsembleError::Stopped(_)));
        let summary = done.map_err(|e| match e {
            EnsembleError::Source(e) => Failure::Input(e.to_string()),
            e => Failure::Running(format!("{}: {e}", scenario.name)),
        })?;
        match &scenario.bodies {
            BodySource::Table { file, .. } if summary.bodies + collector.offset == 0 => {
                Err(Failure::Input(format!(
                    "{}: no bodies in it; needed: at least one line of numbers below the names of the \
                     columns",
                    file.display()
                )))
            }
            _ => Ok(summary),
        }
    }

    /// Saves the blocks that are done, and says where the rows are and how to go on.
    fn save(
        &self,
        scenario: &EnsembleScenario,
        mut collector: Collector<'_>,
        saved: Option<PathBuf>,
    ) -> Result<Failure, Failure> {
        let give_up = |collector: &mut Collector<'_>, why: &str| {
            collector.given_up(Failure::Interrupted(format!("interrupted; {why}")))
        };
        if self.writes_rows() {
            let why = "nothing goes on with rows that went to standard output";
            return Ok(give_up(&mut collector, why));
        }
        // Made before: an output that cannot be written is no matter of where the checkpoint is.
        let made = collector.checkpoint().map_err(|failure| collector.given_up(failure))?;
        let Some(checkpoint) = made else {
            let why = "the first block of bodies was not done, so there is nothing to go on from";
            return Ok(give_up(&mut collector, why));
        };
        let write = |path: &Path| checkpoint.write(path);
        let path = match saved {
            Some(path) => write(&path).map(|()| path),
            None => save_somewhere(Path::new(&scenario.name), &self.out, write),
        };
        let path = path.map_err(|failure| collector.given_up(failure))?;
        let rows = collector
            .parts()
            .map_or_else(String::new, |parts| format!("; the rows so far are in {parts}"));
        Ok(Failure::Interrupted(format!(
            "interrupted after {}{rows}; go on with\n  polhode resume {}",
            counted(checkpoint.bodies, "body", "bodies"),
            shown(&path)
        )))
    }
}

/// Of what only a newer library reads.
fn cannot_run(scenario: &EnsembleScenario) -> Failure {
    Failure::Input(format!("{}: this program cannot run it", scenario.name))
}

/// Whether a file is the checkpoint of an ensemble.
pub(crate) fn is_checkpoint(path: &Path) -> bool {
    EnsembleCheckpoint::is_one(path)
}

/// Goes on with an ensemble; none if the checkpoint is not that of one.
pub(crate) fn resume(path: &Path, json: bool, out: &mut impl Write) -> Option<Result<(), Failure>> {
    if !EnsembleCheckpoint::is_one(path) {
        return None;
    }
    let mut go = || {
        let checkpoint = EnsembleCheckpoint::read(path)?;
        let EnsembleCheckpoint { name, text, overrides, .. } = &checkpoint;
        let scenario = EnsembleScenario::read_again(text, name, overrides)
            .map_err(|e| Failure::Input(format!("{}: {e}", path.display())))?;
        let command = EnsembleCommand {
            ensemble: name.into(),
            computation: ComputationOptions::default(),
            set: overrides.clone(),
            out: checkpoint.outputs.iter().map(|(file, _)| file.clone()).collect(),
            force: true,
            checkpoint: None,
            threads: checkpoint.threads,
            skip_bad: checkpoint.skip_bad,
            histograms: false,
            json,
        };
        command.go(&scenario, Some((&checkpoint, path)), out)
    };
    Some(go())
}
