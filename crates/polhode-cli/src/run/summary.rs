//! How a run ended, for a reader and as JSON.

use std::io::{self, Write};

use polhode::glam::DVec3;
use polhode::observe::{Condition, Drift, Invariants};
use polhode::solve::SolveMethod;
use polhode::{FreeMotion, Problem, State};
use serde::Serialize;

use super::course::Finish;
use super::end_error::EndError;
use super::job::RunJob;
use crate::attitude::{AttitudeFormat, angle_unit};
use crate::failure::Failure;
use crate::free::MotionSummary;
use crate::moment::Moment;
use crate::numbers::{counted, elapsed, shortest, time};
use crate::output::{Origin, in_words};

/// The end of the run, and what was measured on the way.
pub(super) struct Ending {
    pub(super) course: Finish,
    pub(super) invariants: Invariants,
    /// From when to when each condition held.
    pub(super) windows: Vec<Vec<[f64; 2]>>,
    pub(super) seconds: f64,
}

#[derive(Serialize)]
struct RunJson<'a> {
    #[serde(flatten)]
    origin: Origin,
    scenario: &'a str,
    method: &'a str,
    /// Null where steps are of many lengths.
    step: Option<f64>,
    steps: u64,
    /// Of a solution: the error wanted at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    /// Of a solution: steps that were done again, shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<u64>,
    rows: u64,
    until: f64,
    t: f64,
    state: Moment,
    /// The speeds of wheels relative to the body.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wheels: Vec<f64>,
    /// The attitude in the form asked for, and the angular velocity in degrees if those are.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<StateForm>,
    /// How far the state may be from the true one, as far as that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<EndError>,
    /// Why it is not known, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_unknown: Option<String>,
    /// What ended the run before its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_when: Option<&'a str>,
    /// Conditions that were watched.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    windows: Vec<ConditionWindow<'a>>,
    invariants: Drifts,
    torque_evaluations: u64,
    iterations: u64,
    wall_seconds: f64,
    steps_per_second: f64,
    outputs: Vec<String>,
    /// For a free body: what its motion is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    motion: Option<MotionSummary>,
}

/// A condition and when it held.
#[derive(Serialize)]
struct ConditionWindow<'a> {
    name: &'a str,
    condition: &'a str,
    /// Of all intervals together.
    duration: f64,
    /// Beginning and end, in the order in which they are passed.
    intervals: &'a [[f64; 2]],
}

/// More intervals are counted, not listed.
const LISTED: usize = 20;

impl ConditionWindow<'_> {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { name, condition, duration, intervals } = self;
        let count = counted(intervals.len() as u64, "interval", "intervals");
        writeln!(out, "{name}, {condition}: {count}, {} in all", shortest(*duration))?;
        for [from, to] in intervals.iter().take(LISTED) {
            writeln!(out, "  from {} to {}", shortest(*from), shortest(*to))?;
        }
        match intervals.len().checked_sub(LISTED) {
            Some(more) if more > 0 => writeln!(out, "  and {more} more, which --json lists"),
            _ => Ok(()),
        }
    }
}

/// The state in the form asked for.
#[derive(Serialize)]
struct StateForm {
    attitude_as: String,
    attitude_columns: Vec<String>,
    attitude: Vec<f64>,
    omega: [f64; 3],
    degrees: bool,
}

impl StateForm {
    /// None for what is shown in any case.
    fn new(form: AttitudeFormat, degrees: bool, omega: DVec3, state: &State) -> Option<Self> {
        (degrees || form != AttitudeFormat::Quaternion).then(|| Self {
            attitude_as: form.to_string(),
            attitude_columns: form.screen(degrees),
            attitude: form.numbers(state.q, degrees),
            omega: angle_unit(omega, degrees).to_array(),
            degrees,
        })
    }
}

#[derive(Serialize)]
struct Drifts {
    /// Why the energy changes, where it does.
    #[serde(skip)]
    note: &'static str,
    energy: Departure<f64>,
    momentum_norm: Departure<f64>,
    spatial_momentum: Departure<[f64; 3]>,
}

/// How far a quantity went from its start.
#[derive(Serialize)]
struct Departure<T> {
    start: T,
    max_error: f64,
    /// Whether the true motion keeps it: only then is the departure an error.
    conserved: bool,
    #[serde(skip)]
    size: f64,
}

impl Departure<f64> {
    fn scalar(drift: Option<Drift<f64>>, conserved: bool) -> Self {
        let (start, max_error) = drift.map_or((0.0, 0.0), |d| (d.start, d.max_error));
        Self { start, max_error, conserved, size: start.abs() }
    }
}

/// Writes the summary.
pub(super) fn write(
    job: &RunJob,
    problem: &Problem,
    ending: &Ending,
    json: bool,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let summary = RunJson::new(job, problem, ending);
    if json {
        serde_json::to_writer(&mut *out, &summary)?;
        writeln!(out)?;
    } else {
        summary.write_text(out)?;
    }
    Ok(())
}

impl<'a> RunJson<'a> {
    fn new(job: &'a RunJob, problem: &Problem, ending: &'a Ending) -> Self {
        let Ending { course, invariants, windows, seconds } = ending;
        let watching = job.scenario.watching();
        let window = |((name, condition), intervals): (&'a (String, Condition), &'a Vec<_>)| {
            ConditionWindow {
                name,
                condition: condition.text(),
                duration: intervals
                    .iter()
                    .fold(0.0, |sum, [from, to]: &[f64; 2]| sum + (to - from).abs()),
                intervals,
            }
        };
        let kept = problem.conserves_momentum();
        let spatial = invariants.spatial_momentum();
        let norm = Departure::scalar(invariants.momentum_norm(), kept);
        let drifts = Drifts {
            note: if problem.needs_steps() {
                "not conserved by what acts on the body and in it"
            } else {
                "not conserved by this torque"
            },
            energy: Departure::scalar(invariants.energy(), problem.conserves_energy()),
            spatial_momentum: Departure {
                start: spatial.map_or([0.0; 3], |d| d.start.to_array()),
                max_error: spatial.map_or(0.0, |d| d.max_error),
                conserved: kept,
                size: norm.size,
            },
            momentum_norm: norm,
        };
        // A start beyond the range of the exact motion has none of its numbers; the run has not failed.
        let motion = problem
            .is_free()
            .then(|| FreeMotion::new(problem.inertia(), problem.start()).ok())
            .flatten();
        let solving = job.scenario.solving();
        let (error, error_unknown) = match EndError::new(job, problem, motion.as_ref(), course) {
            Ok(error) => (Some(error), None),
            Err(reason) => (None, Some(reason)),
        };
        let omega = problem.omega_inside(course.t, &course.state, &course.inside);
        Self {
            origin: Origin::THIS,
            scenario: job.scenario.name(),
            method: job.scenario.method_id(),
            step: job.scenario.steps().map(|steps| steps.plan.step),
            steps: course.steps,
            tolerance: solving.map(|solving| solving.tolerance),
            rejected: solving.map(|_| course.rejected),
            rows: course.rows,
            until: job.scenario.until(),
            t: course.t,
            state: Moment::with_omega(course.t, &course.state, omega),
            wheels: problem.wheel_speeds(course.t, &course.state, &course.inside),
            shown: StateForm::new(job.attitude, job.degrees, omega, &course.state),
            error,
            error_unknown,
            stopped_when: watching
                .stop_when
                .as_ref()
                .filter(|_| course.stopped)
                .map(Condition::text),
            windows: watching.conditions.iter().zip(windows).map(window).collect(),
            invariants: drifts,
            torque_evaluations: course.torque_evaluations,
            iterations: course.iterations,
            wall_seconds: *seconds,
            steps_per_second: course.steps as f64 / seconds.max(f64::MIN_POSITIVE),
            outputs: job.files.iter().map(|file| shown(file)).collect(),
            motion: motion.map(|motion| MotionSummary::new(&motion)),
        }
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let list =
            |numbers: &[f64]| numbers.iter().map(|&x| shortest(x)).collect::<Vec<_>>().join(" ");
        let Self { scenario, method, .. } = self;
        let steps = counted(self.steps, "step", "steps");
        let rows = counted(self.rows, "row", "rows");
        match (self.step, self.tolerance) {
            (Some(step), _) => {
                writeln!(out, "{scenario}: {steps} of {} by {method}", shortest(step))?;
            }
            (None, Some(tolerance)) if *method != SolveMethod::ClosedForm.id() => {
                let tolerance = shortest(tolerance);
                writeln!(out, "{scenario}: {rows}, solved to {tolerance} by {method} in {steps}")?;
            }
            _ => writeln!(out, "{scenario}: {rows}, evaluated in closed form")?,
        }
        let missed = self.stopped_when.is_none()
            && self.step.is_some_and(|step| (self.t - self.until).abs() > 1e-6 * step.abs());
        let beyond = if missed {
            format!(" (not {}: all steps are whole)", shortest(self.until))
        } else if let Some(condition) = self.stopped_when {
            format!(" (stopped before {}: {condition})", shortest(self.until))
        } else {
            String::new()
        };
        writeln!(out, "at t = {}{beyond}", time(self.t))?;
        writeln!(out, "  momentum  {}", list(&self.state.momentum))?;
        match &self.shown {
            None => {
                writeln!(out, "  omega     {}", list(&self.state.omega))?;
                writeln!(
                    out,
                    "  attitude  {}  (w x y z, body to space)",
                    list(&self.state.attitude)
                )?;
            }
            Some(shown) => {
                let unit = if shown.degrees { "  (degrees per unit of time)" } else { "" };
                writeln!(out, "  omega     {}{unit}", list(&shown.omega))?;
                let names = shown.attitude_columns.join(" ");
                writeln!(out, "  attitude  {}  ({names}, body to space)", list(&shown.attitude))?;
            }
        }
        if !self.wheels.is_empty() {
            writeln!(out, "  wheels    {}  (speeds relative to the body)", list(&self.wheels))?;
        }
        if let Some(error) = &self.error {
            error.write_text(out)?;
        }
        if let Some(reason) = &self.error_unknown {
            writeln!(out, "  error     not known: {reason}")?;
        }
        writeln!(out, "on the way, largest departure from the start")?;
        self.invariants.write_text(out)?;
        if let Some(motion) = &self.motion {
            writeln!(out, "the exact motion")?;
            let degrees = self.shown.as_ref().is_some_and(|shown| shown.degrees);
            motion.write_lines("  ", degrees, out)?;
        }
        for window in &self.windows {
            window.write_text(out)?;
        }
        let per_second = match self.steps {
            0 => String::new(),
            _ => format!(", {:.3e} steps a second", self.steps_per_second),
        };
        writeln!(out, "in {}{per_second}", elapsed(self.wall_seconds))?;
        for file in &self.outputs {
            writeln!(out, "wrote {}", in_words(file))?;
        }
        Ok(())
    }
}

impl Drifts {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = |name: &str, max_error: f64, conserved: bool, size: f64, else_: &str| {
            let relative = max_error / size;
            let note = match conserved {
                true if relative.is_finite() => format!("({relative:.1e} relative)"),
                true => String::new(),
                false => format!("({else_})"),
            };
            writeln!(out, "  {name:<18} {max_error:>9.3e} {note}")
        };
        let Self { energy, momentum_norm: norm, spatial_momentum: spatial, .. } = self;
        line("energy", energy.max_error, energy.conserved, energy.size, self.note)?;
        line(
            "momentum, length",
            norm.max_error,
            norm.conserved,
            norm.size,
            "changed by the torque",
        )?;
        line(
            "momentum in space",
            spatial.max_error,
            spatial.conserved,
            spatial.size,
            "changed by the torque",
        )
    }
}

/// Relative to the current folder where it is in it.
fn shown(file: &std::path::Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| file.strip_prefix(here).ok());
    relative.unwrap_or(file).display().to_string()
}
