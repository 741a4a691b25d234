//! `polhode ensemble`: many bodies, on all cores.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, process};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polhode::Torque;
use polhode::ensemble::{
    BodySamples, EnsembleError, EnsembleSummary, FreeEnsemble, InertiaLaw, MAX_THREADS, Sink,
    Source, motion_constants,
};
use polhode::observe::ObserveError;
use polhode_scenario::{Bodies, EnsembleScenario, Work};
use serde::Serialize;

use crate::attitude::AttitudeFormat;
use crate::catalogue::lanes;
use crate::failure::{Failure, INTERRUPTED};
use crate::numbers::{counted, time};
use crate::output::{
    BodyFile, BodyMotion, BodyRow, Made, Origin, body_extensions, distinct, is_standard, listed,
    part,
};
use statistics::Statistics;
use table::BodyTable;

mod statistics;
mod table;

/// Runs many bodies, drawn at random or from a table, on all cores.
#[derive(Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{}\n\n{RESULTS}", lanes()))]
pub(crate) struct EnsembleCommand {
    /// The ensemble, a TOML file
    ensemble: PathBuf,

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

    /// Use this many threads, 1 to 256, instead of all cores; the results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MOST_THREADS))]
    threads: Option<u16>,

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
    polhode ensemble scenarios/ensembles/tumbling-debris.toml
  The same, with all states for NumPy:
    polhode ensemble scenarios/ensembles/tumbling-debris.toml --out debris.npz

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
with other names are not read. [run] has until (rounded up to whole steps) and every, or times = [..] \
for the exact free motion; with a torque and without [method], for the motion solved to [run] tolerance \
(1e-10 unless given). Every torque goes, and sums of them by [[torque]]; and every method that \
accepts the torque: see `polhode torques` and `polhode methods`.";

const RESULTS: &str = "\
Files have a row for each body and kept step: body, step, t, momentum m1 m2 m3, angular velocity \
w1 w2 w3, attitude q0 q1 q2 q3, energy; then the body's principal moments i1 i2 i3, and period, \
precession_period and regime of its free motion from the start, empty where there is none (in .npz the regime is a number: \
rest 0, steady 1, symmetric-top 2, about-minor 3, about-major 4, separatrix 5). Bodies come in blocks of 16384, each through all its times. A \
body that cannot go on is told, has no further rows, and does not count in the statistics; the others go \
on. In the summary, turn (rad) is the angle between the attitudes at start and end, from 0 to pi. Errors \
are the largest over all kept steps, and are there only for what the true motion keeps. The same seed \
gives the same bodies and the same results, whatever the number of cores.";

/// Whatever is shown at the end.
#[derive(Serialize)]
struct EnsembleReport<'a> {
    #[serde(flatten)]
    origin: Origin,
    ensemble: &'a str,
    bodies: u64,
    failed: u64,
    first_failure: Option<String>,
    method: &'a str,
    /// Steps of each body, or times.
    steps: u64,
    /// What those are, one and many.
    #[serde(skip)]
    unit: [&'static str; 2],
    t: f64,
    statistics: &'a Statistics,
    wall_seconds: f64,
    body_steps_per_second: f64,
    outputs: Vec<String>,
}

impl EnsembleCommand {
    /// Runs the command.
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let scenario = EnsembleScenario::load_with(&self.ensemble, &self.set)
            .map_err(|e| Failure::Input(e.to_string()))?;
        let standard = self.out.iter().any(|path| is_standard(path));
        if standard && self.json {
            let why = "rows and a document cannot share standard output; name a file";
            return Err(Failure::Input(format!("--out -: not with --json: {why}")));
        }
        let mut collector = Collector::new(&scenario);
        collector.open(&self.out, self.force, &meta(&scenario))?;
        remove_when_interrupted(&self.out);
        let begin = Instant::now();
        let done = match &scenario.bodies {
            Bodies::Drawn(draw) => self.work(&scenario, draw.source(), &mut collector),
            Bodies::Table { file, inertia, allow_unphysical, .. } => {
                BodyTable::open(file, *inertia, *allow_unphysical)
                    .and_then(|table| self.work(&scenario, table, &mut collector))
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        collector.bar.finish_and_clear();
        let summary = match done {
            Ok(summary) => summary,
            Err(failure) => {
                collector.discard();
                return Err(failure);
            }
        };
        collector.finish()?;
        let (method, steps, unit, t) = match &scenario.work {
            Work::Steps { method_id, plan, .. } => {
                let end = plan.time(0.0, plan.steps);
                (method_id.as_str(), plan.steps, ["step", "steps"], end)
            }
            Work::Times(times) => {
                let last = times.last().copied().unwrap_or(0.0);
                ("free motion", times.len() as u64, ["time", "times"], last)
            }
            Work::Solution { times, .. } => {
                let last = times.last().copied().unwrap_or(0.0);
                ("solved", times.len() as u64, ["time", "times"], last)
            }
        };
        let report = EnsembleReport {
            origin: Origin::THIS,
            ensemble: &scenario.name,
            bodies: summary.bodies,
            failed: summary.failed,
            first_failure: summary.first_failure.as_ref().map(ToString::to_string),
            method,
            steps,
            unit,
            t,
            statistics: &collector.statistics,
            wall_seconds: seconds,
            body_steps_per_second: summary.bodies as f64 * steps as f64 / seconds,
            outputs: self.out.iter().map(|path| path.display().to_string()).collect(),
        };
        // Also for those who do not read the results, or only their beginning.
        if let Some(failures) = report.failures() {
            eprintln!("warning: {failures}");
        }
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else if standard {
            report.write(&mut std::io::stderr())?;
        } else {
            report.write(out)?;
        }
        if summary.failed > 0 && summary.failed == summary.bodies {
            return Err(Failure::Running("no body came to the end".into()));
        }
        Ok(())
    }

    fn work(
        &self,
        scenario: &EnsembleScenario,
        source: impl Source + Send,
        collector: &mut Collector<'_>,
    ) -> Result<EnsembleSummary, Failure> {
        let threads = usize::from(self.threads.unwrap_or(0));
        let done = match &scenario.work {
            Work::Steps { ensemble, plan, every, .. } => {
                ensemble.as_ref().clone().threads(threads).run(source, plan, *every, collector)
            }
            Work::Times(times) => {
                FreeEnsemble::new().threads(threads).run(source, times, collector)
            }
            Work::Solution { solver, times, .. } => {
                solver.as_ref().clone().threads(threads).run(source, times, collector)
            }
        };
        let summary = done.map_err(|e| match e {
            EnsembleError::Source(e) => Failure::Input(e.to_string()),
            e => Failure::Running(format!("{}: {e}", scenario.name)),
        })?;
        match &scenario.bodies {
            Bodies::Table { file, .. } if summary.bodies == 0 => Err(Failure::Input(format!(
                "{}: no bodies in it; needed: at least one line of numbers below the names of the \
                 columns",
                file.display()
            ))),
            _ => Ok(summary),
        }
    }
}

/// How the files of an ensemble are made.
fn meta(scenario: &EnsembleScenario) -> String {
    let none = Torque::none();
    let (method, step, tolerance, torque) = match &scenario.work {
        Work::Steps { method_id, plan, torque, .. } => {
            (method_id.as_str(), Some(plan.step), None, torque)
        }
        Work::Times(_) => ("closed-form", None, None, &none),
        Work::Solution { tolerance, torque, .. } => ("solved", None, Some(*tolerance), torque),
    };
    let inertia = match &scenario.bodies {
        Bodies::Drawn(draw) => match &draw.inertia {
            InertiaLaw::Fixed(inertia) => Some(inertia),
            _ => None,
        },
        Bodies::Table { inertia, .. } => inertia.as_ref(),
    };
    let (attitude, degrees) = (AttitudeFormat::Quaternion, false);
    let scenario = &scenario.name;
    Made { scenario, method, step, tolerance, torque, inertia, attitude, degrees }.document()
}

/// From now on Ctrl-C leaves no unfinished files behind: an ensemble is not resumed.
///
/// Where the system refuses, Ctrl-C stays what it was: the end of the program.
fn remove_when_interrupted(files: &[PathBuf]) {
    let parts: Vec<PathBuf> = files.iter().map(|file| part(file)).collect();
    let _ = ctrlc::set_handler(move || {
        for part in &parts {
            let _ = fs::remove_file(part);
        }
        eprintln!("polhode: interrupted; no files were written");
        process::exit(INTERRUPTED.into());
    });
}

/// Statistics, files and the bar.
struct Collector<'a> {
    statistics: Statistics,
    files: Vec<(&'a Path, BodyFile)>,
    bar: ProgressBar,
    /// The step that the block was last seen at.
    seen: u64,
    /// What the free motions of the block are like, if they are written.
    motions: Vec<BodyMotion>,
}

impl<'a> Collector<'a> {
    fn new(scenario: &EnsembleScenario) -> Self {
        let (torque, steps) = match &scenario.work {
            Work::Steps { torque, plan, .. } => (torque.clone(), plan.steps),
            Work::Times(times) => (Torque::none(), times.len() as u64 - 1),
            Work::Solution { torque, times, .. } => (torque.clone(), times.len() as u64 - 1),
        };
        let total = match &scenario.bodies {
            Bodies::Drawn(draw) => Some(draw.count.saturating_mul(steps)),
            Bodies::Table { .. } => None,
        };
        let statistics = Statistics::new(torque);
        Self { statistics, files: Vec::new(), bar: bar(total), seen: 0, motions: Vec::new() }
    }

    /// Opens all files, or leaves none behind.
    fn open(&mut self, paths: &'a [PathBuf], force: bool, meta: &str) -> Result<(), Failure> {
        distinct(paths)?;
        for path in paths {
            match BodyFile::create(path, force, meta) {
                Ok(file) => self.files.push((path, file)),
                Err(failure) => {
                    self.discard();
                    return Err(failure);
                }
            }
        }
        Ok(())
    }

    /// Completes all files; after one that cannot be, there are no more.
    fn finish(&mut self) -> Result<(), Failure> {
        while !self.files.is_empty() {
            let (path, file) = self.files.remove(0);
            if let Err(e) = file.finish() {
                // Nothing goes on with its rows.
                let _ = fs::remove_file(part(path));
                self.discard();
                return Err(Failure::file(path, "cannot write it", &e));
            }
        }
        Ok(())
    }

    fn discard(&mut self) {
        for (_, file) in self.files.drain(..) {
            file.discard();
        }
    }
}

impl Sink for Collector<'_> {
    fn samples(&mut self, samples: &BodySamples<'_>) -> Result<(), ObserveError> {
        self.statistics.samples(samples);
        if !self.files.is_empty() && samples.step == 0 {
            let constants = motion_constants(samples.bodies());
            let motion = |c: &Result<_, _>| c.as_ref().map_or(BodyMotion::NONE, BodyMotion::new);
            self.motions = constants.iter().map(motion).collect();
        }
        for (path, file) in &mut self.files {
            for i in (0..samples.len()).filter(|&i| samples.is_running(i)) {
                let state = samples.state(i);
                let row = BodyRow {
                    body: samples.first + i as u64,
                    step: samples.step,
                    t: samples.t,
                    state,
                    omega: state.omega(&samples.bodies()[i].inertia),
                    energy: samples.energy(i),
                    moments: samples.bodies()[i].inertia.moments(),
                    motion: self.motions.get(i).copied().unwrap_or(BodyMotion::NONE),
                };
                file.row(&row).map_err(|e| format!("{}: cannot write it: {e}", path.display()))?;
            }
        }
        let since = samples.step.saturating_sub(self.seen);
        self.seen = if samples.last { 0 } else { samples.step };
        self.bar.inc(since * samples.len() as u64);
        Ok(())
    }
}

/// A bar on stderr; hidden where that is no terminal.
fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let template = match total {
        Some(_) => {
            "{bar:30} {percent:>3}%  {human_pos} of {human_len} body steps, {per_sec}, {eta} left"
        }
        None => "{human_pos} body steps, {per_sec}",
    };
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

impl EnsembleReport<'_> {
    /// How many bodies failed, and the first reason.
    fn failures(&self) -> Option<String> {
        let first = self.first_failure.as_ref()?;
        let bodies = counted(self.bodies, "body", "bodies");
        Some(format!("{} of {bodies} could not go on; the first: {first}", self.failed))
    }

    /// For a reader.
    fn write(&self, out: &mut impl Write) -> Result<(), Failure> {
        let Self { ensemble, failed, method, t, unit: [one, many], .. } = self;
        let bodies = counted(self.bodies, "body", "bodies");
        let steps = counted(self.steps, one, many);
        writeln!(out, "{ensemble}: {bodies}, {method}, {steps} to t = {}", time(*t))?;
        if let Some(first) = &self.first_failure {
            writeln!(out, "{failed} could not go on; the first: {first}")?;
        }
        let names = ["mean", "deviation", "least", "greatest"];
        let [a, b, c, d] = names;
        writeln!(out, "\n{:<24}{a:>14}{b:>14}{c:>14}{d:>14}", "at the end")?;
        for (name, moments) in self.statistics.rows() {
            let [a, b, c, d] =
                [moments.mean, moments.deviation, moments.min, moments.max].map(brief);
            writeln!(out, "{name:<24}{a:>14}{b:>14}{c:>14}{d:>14}")?;
        }
        let (seconds, rate) = (self.wall_seconds, self.body_steps_per_second);
        writeln!(out, "\n{seconds:.2} s, {rate:.2e} body {many}/s")?;
        for output in &self.outputs {
            writeln!(out, "wrote {output}")?;
        }
        Ok(())
    }
}

/// Six digits: this is for reading, the files have them all.
fn brief(x: f64) -> String {
    if !x.is_finite() {
        return "-".into();
    }
    let size = x.abs();
    if size == 0.0 || (1e-3..1e6).contains(&size) { format!("{x:.6}") } else { format!("{x:.4e}") }
}
