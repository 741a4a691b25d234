//! `polhode chaos`: how fast neighbouring motions of a scenario part.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use polhode::SimulateError;
use polhode::method::Derivatives;
use polhode::tangent::{ChaosVerdict, Lyapunov};
use serde::Serialize;

use crate::carried;
use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};
use crate::output::Origin;

/// The largest Lyapunov exponent of a scenario: whether its motion is chaotic, and how far ahead it can be known.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Chaos {
    /// The scenario, a TOML file or a name of `polhode scenarios`
    scenario: PathBuf,

    #[arg(long, value_name = "ID", help = format!(
        "Another method than the scenario's: a splitting with a rotor that has derivatives, {}",
        polhode::catalog().rotors_with(Derivatives::Start).join(", ")
    ))]
    method: Option<String>,

    /// Take steps of this length instead of the scenario's
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    step: Option<String>,

    /// End at this time instead of the scenario's: the later, the surer the answer
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    until: Option<String>,

    /// Change any key of the scenario: start.omega=[1,2,3], torque.kind=none
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Write one JSON document, with the convergence
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  polhode chaos heavy-top-small --until 2000
  polhode chaos heavy-top-small --method kahanli8+exact --step 0.05 --json

The exponent is the mean rate at which a small change of the state grows, from the derivatives of every step; momenta \
are measured by the length of the momentum at the start, angles in radians. Of a regular motion the mean rate \
falls like \
log(t)/t and goes on falling; of a chaotic one it settles, and errors grow tenfold in a time of 2.3/exponent. The \
verdict is from the second half of the time: 'positive' if neighbours part by five e-foldings or more in it, 'not \
positive' if by less than two in a run of a hundred radians or more, else 'not settled'. The motion of a free body is \
never chaotic: its exponent is positive only on the turn about the middle axis and on the separatrix. A scenario \
without a fixed step is stepped by kahanli8+exact, thirty times a radian at the speed of the start.";

/// What was found, in words; `span` is the time of the run.
///
/// Where neighbours part by less than two e-foldings over half of it, an exponent is below four over all of it.
fn words(found: &Lyapunov, span: f64) -> String {
    let tenfold = core::f64::consts::LN_10 / found.exponent;
    let exponent = match found.verdict {
        ChaosVerdict::Positive => format!("positive: errors grow tenfold in {tenfold:.3}"),
        ChaosVerdict::NotPositive => {
            format!("not positive: if it is not zero, it is below {:.1e}", 4.0 / span)
        }
        _ => format!("not settled: {} is too short; try a longer --until", shortest(span)),
    };
    let motion = match (found.chaotic(), found.free) {
        (_, true) => {
            "not chaotic: a free body never is; its neighbours part exponentially only from the turn about the\n\
             middle axis and from the separatrix, and for a while close to these"
        }
        (Some(true), _) => {
            "chaotic; or an unstable steady motion, whose neighbours part in the same way"
        }
        (Some(false), _) => "no chaos seen",
        (None, _) => "undecided",
    };
    format!("the exponent is {exponent}\n{motion}")
}

/// Steps in a radian where the scenario has none.
const STEPS_A_RADIAN: f64 = 30.0;
const DEFAULT: &str = "kahanli8+exact";

/// The JSON document of `polhode chaos`.
#[derive(Serialize)]
struct ChaosDocument<'a> {
    #[serde(flatten)]
    origin: Origin,
    scenario: &'a str,
    method: &'a str,
    step: f64,
    until: f64,
    exponent: f64,
    /// Largest less smallest mean rate over the second half.
    spread: f64,
    /// Whether the exponent is `positive`, `not positive` or `not settled`.
    verdict: &'static str,
    /// Null where the run is too short to tell.
    chaotic: Option<bool>,
    /// Times, and the mean rate up to each.
    convergence: &'a [(f64, f64)],
}

impl Chaos {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let mut changes = self.set.clone();
        changes.extend(self.until.iter().map(|until| format!("run.until={until}")));
        let scenario = carried::scenario(&self.scenario, &changes)?;
        let problem = scenario.problem();
        let number = |name, text: &Option<String>| -> Result<Option<f64>, Failure> {
            let given = text.as_deref().map(|text| OptionText::new(name, text, "one number"));
            given.map(|given| given.number()).transpose()
        };
        let step = number("--step", &self.step)?;
        let until = scenario.until();
        if until == problem.t0() {
            let start = shortest(until);
            return Err(Failure::Input(format!(
                "run.until = {start}: this is the start; an exponent takes a run of a hundred radians or more"
            )));
        }
        let steps = scenario.steps();
        let speed = problem.inertia().omega(problem.start().m).length();
        let usual = || {
            let size = if speed > 0.0 { 1.0 / (STEPS_A_RADIAN * speed) } else { 0.01 };
            if until < problem.t0() { -size } else { size }
        };
        let step = step.or(steps.map(|steps| steps.plan.step)).unwrap_or_else(usual);
        let (method, found) = match (&self.method, steps) {
            (Some(id), _) => (id.clone(), problem.lyapunov(id.as_str(), step, until)),
            (None, Some(steps)) => {
                (steps.method_id.clone(), problem.lyapunov(&steps.method, step, until))
            }
            (None, None) => (DEFAULT.to_owned(), problem.lyapunov(DEFAULT, step, until)),
        };
        let found = found.map_err(|e| match e {
            SimulateError::Run(e) => Failure::Running(e.to_string()),
            e => Failure::Input(e.to_string()),
        })?;
        let Lyapunov { exponent, spread, convergence, .. } = &found;
        if self.json {
            let scenario = scenario.name();
            let document = ChaosDocument {
                origin: Origin::THIS,
                scenario,
                method: &method,
                step,
                until,
                exponent: *exponent,
                spread: *spread,
                verdict: found.verdict.name(),
                chaotic: found.chaotic(),
                convergence,
            };
            serde_json::to_writer(&mut *out, &document)?;
            writeln!(out)?;
            return Ok(());
        }
        writeln!(out, "{method}, step {}, until {}", shortest(step), shortest(until))?;
        // A mean rate that has not settled is no exponent.
        let what = match found.verdict {
            ChaosVerdict::Positive => "largest Lyapunov exponent",
            _ => "mean rate over the run",
        };
        writeln!(out, "{what} {exponent:.3e}, within {spread:.1e} over the second half")?;
        writeln!(out, "{}", words(&found, (until - problem.t0()).abs()))?;
        writeln!(out, "mean rate up to")?;
        let every = convergence.len().div_ceil(8).max(1);
        for (t, rate) in convergence.iter().rev().step_by(every).rev() {
            writeln!(out, "  t = {:<12} {rate:.3e}", format!("{t:.6}"))?;
        }
        Ok(())
    }
}
