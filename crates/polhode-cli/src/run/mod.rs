//! `polhode run` and `polhode resume`: a scenario through time, to files and a summary.
//!
//! ```text
//! scenario.toml + options ──▶ RunJob ─┐
//! checkpoint ──▶ RunJob + how far ────┴─drive──▶ rows to outputs, checkpoints, progress ──▶ summary
//! ```

use std::fs;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};

use clap::Args;
use polhode_scenario::Scenario;

use crate::attitude::AttitudeOptions;
use crate::carried;
use crate::ensemble;
use crate::failure::Failure;
use crate::output::{PANEL_NAMES, Replace, about_formats, listed, made_beside, run_extensions};

mod checkpoint;
mod course;
mod drive;
mod end_error;
pub(crate) mod interrupt;
mod job;
mod leg;
mod options;
mod progress;
mod recorder;
mod solution;
mod stepping;
mod summary;
mod windows;

pub use checkpoint::Checkpoint;
pub(crate) use checkpoint::{prepare, save_somewhere, shown};

use drive::drive;
use job::{RunJob, SavePlan};

pub(crate) use job::apart;
pub(crate) use options::ComputationOptions;

use options::{named, toml_text};

/// Runs a scenario: a body and a torque through time, to a tolerance or in fixed steps, to files and a
/// summary.
#[derive(Args)]
#[command(after_help = format!("{RUN_EXAMPLES}\n\n{}\n\n{INTERRUPTED}", formats()))]
pub(crate) struct RunCommand {
    /// The scenario, a TOML file or a name of `polhode scenarios`
    scenario: PathBuf,

    #[command(flatten)]
    computation: ComputationOptions,

    /// Change any key of the scenario: start.omega=[1,2,3], torque.kind=none
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[arg(long, value_name = "FILE", help = format!(
        "Write the trajectory to this file instead of those the scenario lists; {}; - is standard output, as .csv, \
         with the summary on standard error; may be given several times",
        listed(&run_extensions())
    ))]
    out: Vec<PathBuf>,

    #[arg(long, value_name = "PANELS", help = format!(
        "The panels of an .svg, separated by commas, instead of those that suit the problem: {}, or a name of [watch]; \
         axis is the path of a top's axis in space",
        PANEL_NAMES.join(", ")
    ))]
    plot: Option<String>,

    #[arg(long, value_name = "SHAPE", help = format!(
        "What the body looks like in an .html: {} beside the scenario", crate::shown::shapes()
    ))]
    shape: Option<String>,

    /// Replace files that are there already, and what an interrupted run has left of them
    #[arg(long)]
    force: bool,

    /// Save how far the run is in this file once a minute, so that it can go on after a crash
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Save every so many steps instead; a free body in closed form has no steps, and rows are counted
    #[arg(long, value_name = "STEPS", requires = "checkpoint", value_parser = clap::value_parser!(u64).range(1..))]
    checkpoint_every: Option<u64>,

    #[command(flatten)]
    attitude: AttitudeOptions,

    /// Write one JSON document instead of the summary
    #[arg(long)]
    json: bool,
}

const RUN_EXAMPLES: &str = "\
Examples:
  The flip of a T-handle, with a table and a plot in out/:
    polhode run dzhanibekov
  The same for an hour with another method, to a file for NumPy:
    polhode run dzhanibekov --method dmv --until 3600 --every 100 --out handle.npz
  A top to ten digits, every quarter of a unit of time:
    polhode run heavy-top-small --tolerance 1e-10 --interval 0.25 --out top.csv
  A page in which the top turns, for any browser:
    polhode run fast-lagrange-top --out top.html
  The path of its axis in space, and how well its energy is kept:
    polhode run fast-lagrange-top --plot axis,energy --out top.svg
  A long run that survives a crash:
    polhode run heavy-top-small --until 1e6 --checkpoint top.ckpt
    polhode resume top.ckpt

A scenario without [method] needs no step: a free body is evaluated in closed form, a torqued one solved \
to [run] tolerance, 1e-10 unless given. Rows are then written at --interval or --times, or at a thousand \
equal intervals, and the run ends at --until exactly; steps of fixed length may go beyond it, and the \
summary says so. It also says how far the end is from the truth: of a solution, estimated by a second one at \
a tenth of the tolerance; of a run of fixed steps, by a solution to 1e-12 or what can be had; of a free body, \
measured against the exact motion. Where no estimate can be had, it says why.

Files that the scenario lists are written under out/ and replaced on the next run; files of --out \
are not replaced without --force. Rows go to FILE.part, which becomes FILE when all are there; what is \
there of them stays if the run fails.

What to watch stands in the scenario: [watch] names formulas, which become columns, and comparisons, of which \
the summary tells from when to when they hold; [run] stop_when ends the run when a comparison becomes true, with a \
last row there:
  [watch]
  off_nadir = \"deg(angle(z, nadir))\"
  pointing = \"off_nadir < 10\"
A formula may name t, w1 to w3, m1 to m3, q0 to q3, r11 to r33; angle(a, b), dot(a, b) and norm(a) of directions; \
area_box(lx, ly, lz, d), area_ellipsoid(a, b, c, d); yaw, pitch, roll; precession, nutation, rotation; kinetic, \
potential, energy; wheel_speed(1); pi; and sin cos tan asin acos atan atan2 exp log sqrt abs sign min max deg rad. \
Directions are the body axes x, y, z; the space axes X, Y, Z; body(1, 0, 1), space(0, 0, 1), momentum, omega; nadir \
and velocity on an orbit; field, that of a dipole; and those that [directions] names.

A method of your own stands in the scenario, in the place of [method] id:
  stages = [[\"kick\", 0.5], [\"drift\", 1.0], [\"kick\", 0.5]] with order = 2 and rotor = \"exact\", the
  coefficients of a splitting; [\"gradient\", b, c] is a kick with a gradient;
  coefficients = \"mine.csv\" reads them from a file beside the scenario, with lines like kick,0.5;
  tableau = { a = [[0, 0], [1, 0]], b = [0.5, 0.5] } with order = 2 is a Runge-Kutta method.
Its id, if given, is a name for results. `polhode compare` shows whether it has the order.";

fn formats() -> String {
    format!(
        "The extension says the format. {} Beside a {} file stands FILE.meta.json, which says how it was made: method, \
         step or tolerance, inertia, units, version.",
        about_formats(),
        made_beside()
    )
}

const INTERRUPTED: &str = "\
The first Ctrl-C finishes the step, saves the run (to the scenario's name with .ckpt beside the scenario, in \
the current folder or next to a file of --out, unless --checkpoint says otherwise) and tells how to go on; the \
second one stops at once. Exit codes: \
0 done, 1 failed, 2 bad input, 130 interrupted.";

/// Goes on with a run or an ensemble that was interrupted: its files end as if it never had been.
#[derive(Args)]
#[command(after_help = RESUME_EXAMPLE)]
pub(crate) struct Resume {
    /// The checkpoint
    checkpoint: PathBuf,

    /// Write one JSON document instead of the summary
    #[arg(long)]
    json: bool,
}

const RESUME_EXAMPLE: &str = "\
Example:
  polhode run water --until 1e6 --checkpoint water.ckpt --checkpoint-every 100000
  polhode resume water.ckpt

A solution is saved between its rows. It is computed in legs, in each of which the body turns by some 1e5 radians, \
and the leg in hand is computed again.

The checkpoint holds the scenario, so it does not matter if that file has changed since. The files \
FILE.part of the run must still be there.";

impl RunCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let scenario = carried::scenario(&self.scenario, &self.overrides()?)?;
        scenario.check_formats(&run_extensions()).map_err(|e| Failure::Input(e.to_string()))?;
        let (files, replace) = self.files(&scenario)?;
        let saving = SavePlan { path: self.checkpoint.clone(), every: self.checkpoint_every };
        let job =
            RunJob::new(scenario, &files, self.attitude.format(), self.attitude.degrees(), saving)?;
        if let Some(path) = &self.checkpoint {
            checkpoint::prepare(path, self.force)?;
        }
        if job.writes_rows() {
            if self.json || self.checkpoint.is_some() {
                let other = if self.json { "--json" } else { "--checkpoint" };
                let why = "rows and a document cannot share standard output, and rows there cannot be saved";
                return Err(Failure::Input(format!(
                    "--out -: not with {other}: {why}; name a file"
                )));
            }
            return drive(&job, None, replace, false, &mut stderr());
        }
        drive(&job, None, replace, self.json, out)
    }

    /// The options that stand for a key of the scenario, before those that name one.
    fn overrides(&self) -> Result<Vec<String>, Failure> {
        let shape = self.shape.as_deref().map(toml_text);
        let plot = self.plot.as_deref().map(|panels| {
            let names: Vec<_> = panels.split(',').map(|name| toml_text(name.trim())).collect();
            format!("[{}]", names.join(", "))
        });
        let output = [("output.plot", &plot), ("output.shape", &shape)];
        let computation = self.computation.overrides()?;
        Ok(computation.into_iter().chain(named(&output)).chain(self.set.iter().cloned()).collect())
    }

    /// What to write, and what that may replace. The scenario's own files get their folder.
    fn files(&self, scenario: &Scenario) -> Result<(Vec<PathBuf>, Replace), Failure> {
        if !self.out.is_empty() {
            return Ok((self.out.clone(), Replace::forced(self.force)));
        }
        let files: Vec<_> =
            scenario.output().files.iter().map(|file| Path::new("out").join(file)).collect();
        for folder in files.iter().filter_map(|file| file.parent()) {
            fs::create_dir_all(folder).map_err(|e| {
                Failure::Input(format!("{}: cannot make this folder: {e}", folder.display()))
            })?;
        }
        Ok((files, Replace { file: true, part: self.force }))
    }
}

impl Resume {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(resumed) = ensemble::resume(&self.checkpoint, self.json, out) {
            return resumed;
        }
        let checkpoint = Checkpoint::read(&self.checkpoint)?;
        let job = RunJob::resumed(&checkpoint, &self.checkpoint)?;
        drive(&job, Some(&checkpoint), Replace::forced(true), self.json, out)
    }
}
