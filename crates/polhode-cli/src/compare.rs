//! `polhode compare`: which method and which step, on your own problem.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polhode::solve::{MAX_TOLERANCE, MIN_TOLERANCE, SolveMethod};
use polhode::{Control, Plan, Problem};
use polhode_scenario::Scenario;
use polhode_verify::ReferenceError;
use polhode_verify::compare::{CompareError, Comparison, Contender, Setup, TOLERANCES, suggested};

use crate::carried;
use crate::failure::{Failure, concluded};
use crate::numbers::OptionText;
use crate::output::{
    ComparisonWriter, Document, Provenance, about_comparisons, comparison_writer, distinct,
};

mod json;
mod table;

/// Compares methods and steps on a scenario: error against the exact or converged motion, and cost.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// The scenario, a TOML file or a name of `polhode scenarios`
    scenario: PathBuf,

    #[arg(long, value_name = "A,B,..", help = format!(
        "The methods, separated by commas: ids of `polhode methods`, of which the solvers ({}) take tolerances instead of \
         steps; or a scenario, FILE.toml, for the method that it names or defines. Without it, the scenario's own, a \
         handful that suit its torque, and the solver",
        SolveMethod::ALL.map(SolveMethod::id).join(", ")
    ))]
    methods: Option<String>,

    /// The steps, separated by commas. Without it, the scenario's own and up to four more, each half as
    /// long as the one before
    #[arg(long, value_name = "H1,H2,..", allow_hyphen_values = true)]
    steps: Option<String>,

    /// The tolerances of the methods that solve to one, separated by commas; 1e-4,1e-6,1e-8,1e-10,1e-12
    /// unless given
    #[arg(long, value_name = "E1,E2,..", allow_hyphen_values = true)]
    tolerances: Option<String>,

    /// End at this time instead of the scenario's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    until: Option<String>,

    /// The error you can live with: searches the longest step of each method that reaches it, and
    /// says which method is cheapest
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    error: Option<String>,

    /// Change any key of the scenario: start.omega=[1,2,3], torque.kind=none
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    #[arg(long, value_name = "FILE", help = format!(
        "Write {} to this file; may be given several times",
        about_comparisons()
    ))]
    out: Vec<PathBuf>,

    /// Replace files that are there already
    #[arg(long)]
    force: bool,

    /// Write one JSON document instead of the table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  A first look, with plots:
    polhode compare heavy-top-small --until 10 --out top.svg
  What is cheapest for an error of 1e-8?
    polhode compare heavy-top-small --until 10 --error 1e-8 \\
      --methods strang+exact,rkn6-14+exact,rk4 --steps 0.1,0.05,0.02,0.01

Errors are those at eight moments evenly spread over the run, the end included; the largest counts. \
That of the momentum is relative to its greatest length, that of the attitude an angle in radians. \
They are measured against the exact motion of a free body, or a solution refined until it converges, \
whose own error is reported.

Runs for the errors go on in parallel, on as many cores as there are (RAYON_NUM_THREADS limits them). \
Times are measured afterwards, one run at a time: the least of five turns of about a hundredth of a \
second each, taken in proportion where a run is longer. A method that fails is listed with the reason.

Methods that solve to a tolerance have a table of their own, by tolerance. For those with a fixed step a \
line says which is best at each step: has the least error.

For --error, further runs narrow the step down, to about three per cent unless that would take \
millions of steps: the step named was run and did reach the error. Such steps divide the span into a \
multiple of eight.";

/// How many steps are tried unless they are given: each half as long as the one before.
const HALVINGS: i32 = 5;

/// Fewer, two at least, if all runs together would have more steps than this: some ten seconds.
const MOST_STEPS: u64 = 10_000_000;

impl Compare {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let scenario = self.load()?;
        let problem = scenario.problem();
        let (contenders, solvers) = self.contenders(&scenario, &problem)?;
        let setup = Setup::new(scenario.until(), contenders, self.steps(&scenario)?);
        let setup = setup.solving(solvers, self.tolerances()?);
        let mut setup = setup.wanted(self.wanted()?);
        while self.steps.is_none()
            && setup.steps.len() > 2
            && setup.total_steps(problem.t0()) > MOST_STEPS
        {
            setup.steps.pop();
        }
        let wanted = setup.wanted;
        let files = self.files()?;
        let bar = bar(setup.total_steps(problem.t0()));
        let told = bar.clone();
        let control = Control::default().telling(move |part| {
            let total = told.length().unwrap_or_default();
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "0 to total"
            )]
            let done = (part * total as f64).round() as u64;
            // Threads may tell it out of turn.
            told.set_position(done.max(told.position()));
        });
        let compared = Comparison::new(&problem, setup, &control);
        bar.finish_and_clear();
        let comparison = compared.map_err(|e| self.refuse(e))?;
        let view = ComparisonView { scenario: &scenario, comparison: &comparison, wanted };
        // The methods and their steps are in the table.
        let made = Provenance {
            method: "compared",
            step: None,
            tolerance: None,
            ..Provenance::of(&scenario)
        };
        let meta = made.document();
        for (file, writer) in files {
            file.write_with_meta(&(writer.contents)(&view, &meta)?, &meta)?;
        }
        let written = if self.json { json::write(out, &view) } else { table::write(out, &view) };
        let failed = comparison.trials().iter().all(|t| t.result.is_err())
            && comparison.solutions().iter().all(|s| s.result.is_err());
        let nothing = || Failure::Running("no method got through with any step".into());
        concluded(written, failed.then(nothing))
    }

    fn load(&self) -> Result<Scenario, Failure> {
        let overrides = self.overrides();
        let load = |overrides: &[String]| carried::scenario(&self.scenario, overrides);
        // The scenario's own step does not count beside others, which may go the other way; if it is
        // not for its step that it cannot be read, that is told below.
        if let Some([first, ..]) = self.given_steps()?.as_deref() {
            let step = format!("method.step={first:?}");
            let with_step: Vec<String> =
                std::iter::once(step).chain(overrides.iter().cloned()).collect();
            if let Ok(scenario) = load(&with_step) {
                return Ok(scenario);
            }
        }
        load(&overrides)
    }

    /// The options that stand for a key of the scenario, before those that name one.
    fn overrides(&self) -> Vec<String> {
        let until = self.until.iter().map(|until| format!("run.until={until}"));
        until.chain(self.set.iter().cloned()).collect()
    }

    fn contenders(
        &self,
        scenario: &Scenario,
        problem: &Problem,
    ) -> Result<(Vec<Contender>, Vec<SolveMethod>), Failure> {
        let solver = problem.can_be_solved().then(|| SolveMethod::suited_to(problem));
        let ids: Vec<&str> = if let Some(list) = &self.methods {
            list.split(',').map(str::trim).collect()
        } else {
            let own = scenario.steps().map(|steps| steps.method_id.as_str());
            let suggested = suggested(problem).iter().copied();
            own.into_iter().chain(suggested).chain(solver.map(SolveMethod::id)).collect()
        };
        let (mut contenders, mut solvers): (Vec<Contender>, Vec<SolveMethod>) = Default::default();
        for id in ids {
            let given = OptionText::new("--methods", id, "");
            if id.is_empty() {
                return Err(given.refuse(
                    "no method between commas, or none at all; give ids, see `polhode methods`",
                ));
            }
            // The same one twice says nothing twice.
            if contenders.iter().any(|c| c.id == id) {
                continue;
            }
            if let Some(method) = SolveMethod::ALL.into_iter().find(|method| method.id() == id) {
                if !solvers.contains(&method) {
                    solvers.push(method);
                }
                continue;
            }
            // A method of the scenario's own has its name there alone; others come from other scenarios.
            let own = scenario.steps().filter(|steps| steps.method_id == id);
            let contender = match own {
                Some(own) => Contender::new(id, own.method.clone()),
                None if Path::new(id).extension().is_some_and(|end| end == "toml") => {
                    method_of(id).map_err(|e| given.refuse(e))?
                }
                None => Contender::parse(id).map_err(|e| given.refuse(e))?,
            };
            if contenders.iter().any(|c| c.id == contender.id) {
                return Err(given.refuse(format_args!("'{}' is there already", contender.id)));
            }
            contenders.push(contender);
        }
        Ok((contenders, solvers))
    }

    fn tolerances(&self) -> Result<Vec<f64>, Failure> {
        let Some(list) = &self.tolerances else { return Ok(TOLERANCES.to_vec()) };
        let given = OptionText::new("--tolerances", list, "tolerances e1,e2,..");
        let mut tolerances = given.list()?;
        if let Some(bad) = tolerances.iter().find(|e| !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(*e))
        {
            return Err(given.refuse(format_args!(
                "{bad:?}: allowed are {MIN_TOLERANCE:?} to {MAX_TOLERANCE:?}"
            )));
        }
        // The largest first, as steps.
        tolerances.sort_by(|a, b| b.total_cmp(a));
        tolerances.dedup();
        Ok(tolerances)
    }

    fn given_steps(&self) -> Result<Option<Vec<f64>>, Failure> {
        self.steps.as_deref().map(|list| steps_option(list).list()).transpose()
    }

    fn steps(&self, scenario: &Scenario) -> Result<Vec<f64>, Failure> {
        let span = scenario.until();
        let (Some(list), Some(mut steps)) = (&self.steps, self.given_steps()?) else {
            let own = scenario.steps().map_or_else(|| radian(scenario), |steps| steps.plan.step);
            // A step beyond the end would compare another span than the one named.
            let longest = if beyond(own, span) { span } else { own };
            return Ok((0..HALVINGS).map(|n| longest * 0.5_f64.powi(n)).collect());
        };
        let given = steps_option(list);
        for step in &steps {
            Plan::until(0.0, *step, span).map_err(|e| given.refuse(e))?;
            if beyond(*step, span) {
                return Err(given.refuse(format_args!(
                    "a step of {step:?} goes beyond the end, {span:?}; take one that is no longer"
                )));
            }
        }
        // The longest first, whichever way time runs.
        steps.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
        steps.dedup();
        Ok(steps)
    }

    fn wanted(&self) -> Result<Option<f64>, Failure> {
        let Some(error) = &self.error else { return Ok(None) };
        let given = OptionText::new("--error", error, "one number, above zero");
        match given.number()? {
            wanted if wanted > 0.0 => Ok(Some(wanted)),
            _ => Err(given.refuse("an error that can be reached is above zero")),
        }
    }

    fn files(&self) -> Result<Vec<(Document, ComparisonWriter)>, Failure> {
        distinct(&self.out)?;
        let file = |path: &PathBuf| {
            let writer = comparison_writer(path).map_err(|failure| match failure {
                Failure::Input(why) => Failure::Input(format!("--out: {why}")),
                other => other,
            })?;
            Ok((Document::new(path.clone(), self.force)?, writer))
        };
        self.out.iter().map(file).collect()
    }

    fn refuse(&self, e: CompareError) -> Failure {
        match e {
            CompareError::Wanted { .. } => {
                OptionText::new("--error", self.error.as_deref().unwrap_or_default(), "").refuse(e)
            }
            CompareError::Until { .. } => {
                Failure::Input(format!("{}: nothing to compare: {e}", self.scenario.display()))
            }
            CompareError::Reference(
                ReferenceError::NotConverged { .. } | ReferenceError::TooLong { .. },
            ) => Failure::Running(format!("{}: {e} (--until)", self.scenario.display())),
            e => Failure::Running(format!("{}: {e}", self.scenario.display())),
        }
    }
}

/// The time in which the body turns by about a radian, for a scenario that has no step.
fn radian(scenario: &Scenario) -> f64 {
    let rate = scenario.start().omega(scenario.inertia()).length();
    let span = scenario.until();
    let step = (1.0 / rate).copysign(span);
    // At rest, or where it hardly turns: a hundredth of the span.
    if beyond(step, 0.1 * span) || !step.is_finite() { 0.01 * span } else { step }
}

fn steps_option(list: &str) -> OptionText<'_> {
    OptionText::new("--steps", list, "steps h1,h2,..")
}

/// Whether a single step goes beyond the end, by more than a plan overlooks.
fn beyond(step: f64, span: f64) -> bool {
    step.abs() > span.abs() * (1.0 + 1e-6) && span != 0.0
}

/// The method of another scenario.
fn method_of(file: &str) -> Result<Contender, String> {
    let scenario = Scenario::load(file).map_err(|e| e.to_string())?;
    let steps = scenario.steps().ok_or("this scenario has no method: it is solved")?;
    Ok(Contender::new(steps.method_id.clone(), steps.method.clone()))
}

/// What is shown.
pub(crate) struct ComparisonView<'a> {
    pub(crate) scenario: &'a Scenario,
    pub(crate) comparison: &'a Comparison,
    pub(crate) wanted: Option<f64>,
}

impl ComparisonView<'_> {
    pub(crate) fn id(&self, contender: usize) -> &str {
        &self.comparison.contenders()[contender].id
    }
}

/// A bar on stderr; hidden where that is no terminal.
fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(
        "{bar:30} {percent:>3}%  {human_pos} of {human_len} steps, {eta} left",
    ) {
        bar.set_style(style);
    }
    bar
}
