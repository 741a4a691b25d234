//! Decides what of a suite can run here, and runs it.

use std::time::{Duration, Instant};

use crate::machine::{command, has, install, installing_time, processor_time, run};
use crate::report::{install_line, names};
use crate::suites::{Suite, Tool};

/// How a suite ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed {
        steps: usize,
        elapsed: Duration,
        /// Of all processors together, where the system tells.
        processors: Option<Duration>,
        /// What was left out for want of a tool, and what else there is to say.
        notes: Vec<String>,
    },
    Failed {
        what: Vec<String>,
        elapsed: Duration,
    },
    Skipped(String),
}

/// What becomes of what needs a tool that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingToolRule {
    /// It is left out: the way of a person's machine.
    LeaveOut,
    /// The tool is installed, and failing that the suite: the way of CI, where green must mean that everything was
    /// tested.
    Install,
    /// The tool is installed where it can be had, and what needs it left out elsewhere.
    TryToInstall,
}

impl MissingToolRule {
    /// What the environment asks for.
    pub(crate) fn on_this_machine() -> Self {
        let ci = std::env::var("CI").is_ok_and(|v| v == "true" || v == "1");
        if ci { Self::Install } else { Self::LeaveOut }
    }

    /// The same for what not every registry has.
    pub(crate) fn optional(self) -> Self {
        if self == Self::Install { Self::TryToInstall } else { self }
    }
}

/// What to do about the tools that something needs.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Go,
    /// The reason, with the way to install what is missing.
    LeaveOut(String),
    Fail(String),
}

/// Whether these tools are there, after installing them if that is asked for.
pub(crate) fn prepare(needs: &[&'static Tool], mode: MissingToolRule) -> Verdict {
    let mut missing: Vec<&Tool> = needs.iter().copied().filter(|t| !has(t)).collect();
    if missing.is_empty() {
        return Verdict::Go;
    }
    let not_found = |missing: &[&Tool]| {
        let (names, line) = (names(missing), install_line(missing));
        Verdict::LeaveOut(format!("{names} not found; to install: {line}"))
    };
    if mode == MissingToolRule::LeaveOut {
        return not_found(&missing);
    }
    for tool in &missing {
        println!("== installing {}", tool.name);
        install(tool);
    }
    missing.retain(|t| !has(t));
    if missing.is_empty() {
        Verdict::Go
    } else if mode == MissingToolRule::TryToInstall {
        not_found(&missing)
    } else {
        Verdict::Fail(format!("{} could not be installed", names(&missing)))
    }
}

/// The processor time so far, without that of installing tools.
fn testing_time() -> Option<Duration> {
    Some(processor_time()?.saturating_sub(installing_time()))
}

/// How suites compile, unless the environment says otherwise: for one run, not for the next edit. So nothing is kept
/// for incremental builds, there are no lines for backtraces (a failed assertion names its own), and each crate is
/// compiled in one piece, which is a sixth less work.
const COMPILING: [(&str, &str); 3] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_DEBUG", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1"),
];

pub(crate) fn suite(suite: &Suite, mode: MissingToolRule, quick: bool) -> Outcome {
    let steps: Vec<_> = suite.steps.iter().filter(|s| !quick || s.quick.is_some()).collect();
    if steps.is_empty() {
        return Outcome::Skipped("not part of --quick".to_owned());
    }
    let (start, used) = (Instant::now(), testing_time());
    match prepare(suite.needs, mode) {
        Verdict::Go => {}
        Verdict::LeaveOut(reason) => return Outcome::Skipped(reason),
        Verdict::Fail(reason) => {
            return Outcome::Failed { what: vec![reason], elapsed: start.elapsed() };
        }
    }

    let compiling = COMPILING.iter().filter(|(name, _)| std::env::var_os(name).is_none());
    let mut ran = 0;
    let mut notes = Vec::new();
    let mut failures = Vec::new();
    for step in steps {
        let more = if quick { step.quick.unwrap_or_default() } else { &[] };
        let line = [step.line, more].concat().join(" ");
        match prepare(step.needs, mode) {
            Verdict::Go => {
                println!("\n== {}: {line}", suite.name);
                ran += 1;
                let env = compiling.clone().chain(step.env).copied();
                if !run(command(step.line).args(more).envs(env)) {
                    failures.push(line);
                }
            }
            Verdict::LeaveOut(reason) => notes.push(reason),
            Verdict::Fail(reason) => failures.push(reason),
        }
    }
    if !failures.is_empty() {
        Outcome::Failed { what: failures, elapsed: start.elapsed() }
    } else if ran == 0 {
        // Nothing was tested, so nothing passed.
        Outcome::Skipped(notes.join("; "))
    } else {
        let processors = used.and_then(|used| Some(testing_time()?.saturating_sub(used)));
        Outcome::Passed { steps: ran, elapsed: start.elapsed(), processors, notes }
    }
}

#[cfg(test)]
mod tests {
    use super::{MissingToolRule, Outcome, suite};
    use crate::suites::{Line, Step, Suite, Tool};

    // Programs that are there whenever these tests are, and one that is nowhere.
    static COMPILER: Tool = Tool { name: "rustc", probe: &["rustc", "--version"], install: &[] };
    static NOWHERE: Tool = Tool {
        name: "xyzzy",
        probe: &["xyzzy-no-such-program"],
        install: &[&["cargo", "--version"], &["cargo", "--version", "--quiet"]],
    };
    const GOOD: Line = &["cargo", "--version"];
    const BAD: Line = &["cargo", "--no-such-option"];
    const THERE: &[&Tool] = &[&COMPILER];
    const MISSING: &[&Tool] = &[&NOWHERE];
    const HOW: &str = "xyzzy not found; to install: cargo --version && cargo --version --quiet";

    const fn step(line: Line, needs: &'static [&'static Tool], quick: bool) -> Step {
        Step { line, env: &[], needs, quick: if quick { Some(&[]) } else { None } }
    }

    /// How a suite of these steps ends.
    fn outcome(needs: &[&'static Tool], steps: Vec<Step>, ci: bool, quick: bool) -> Outcome {
        let mode = if ci { MissingToolRule::Install } else { MissingToolRule::LeaveOut };
        outcome_in(mode, needs, steps, quick)
    }

    fn outcome_in(
        mode: MissingToolRule,
        needs: &[&'static Tool],
        steps: Vec<Step>,
        quick: bool,
    ) -> Outcome {
        let (needs, steps) = (needs.to_vec().leak(), steps.leak());
        suite(&Suite { name: "suite", needs, steps }, mode, quick)
    }

    /// What has failed; nothing if nothing has.
    fn failures(outcome: Outcome) -> Vec<String> {
        match outcome {
            Outcome::Failed { what, .. } => what,
            _ => Vec::new(),
        }
    }

    #[test]
    fn all_tools_there() {
        let steps = vec![step(GOOD, &[], false), step(GOOD, THERE, true)];
        let outcome = outcome(&[&COMPILER], steps, false, false);
        assert!(matches!(outcome, Outcome::Passed { steps: 2, notes, .. } if notes.is_empty()));
    }

    #[test]
    fn a_missing_tool_skips_the_suite_and_says_how_to_get_it() {
        // Had it run, it would have failed.
        let missing = |ci| outcome(&[&COMPILER, &NOWHERE], vec![step(BAD, &[], false)], ci, false);
        assert_eq!(missing(false), Outcome::Skipped(HOW.to_owned()));
        // On CI, which tries to install it, that is a failure.
        assert_eq!(failures(missing(true)), ["xyzzy could not be installed"]);
        // Unless it is one that not every registry has.
        let optional = MissingToolRule::Install.optional();
        let left_out = outcome_in(optional, &[&NOWHERE], vec![step(BAD, &[], false)], false);
        assert_eq!(left_out, Outcome::Skipped(HOW.to_owned()));
    }

    #[test]
    fn a_missing_linter_costs_its_step_alone() {
        let steps = vec![step(BAD, MISSING, false), step(GOOD, &[], false)];
        let both = outcome(&[], steps, false, false);
        assert!(matches!(both, Outcome::Passed { steps: 1, notes, .. } if notes == [HOW]));
        let alone = outcome(&[], vec![step(BAD, MISSING, false)], false, false);
        assert_eq!(alone, Outcome::Skipped(HOW.to_owned()));
    }

    #[test]
    fn a_missing_linter_fails_ci_but_hides_no_other_failure() {
        let steps = vec![step(GOOD, MISSING, false), step(BAD, &[], false)];
        let what = ["xyzzy could not be installed", "cargo --no-such-option"];
        assert_eq!(failures(outcome(&[], steps, true, false)), what);
    }

    #[test]
    fn quick_keeps_the_quick_steps() {
        let steps = vec![step(BAD, &[], false), step(GOOD, &[], true)];
        assert!(matches!(outcome(&[], steps, false, true), Outcome::Passed { steps: 1, .. }));
        let more = Step { quick: Some(&["--no-such-option"]), ..step(GOOD, &[], true) };
        assert_eq!(
            failures(outcome(&[], vec![more], false, true)),
            ["cargo --version --no-such-option"]
        );
        let slow = outcome(&[&NOWHERE], vec![step(BAD, &[], false)], true, true);
        assert_eq!(slow, Outcome::Skipped("not part of --quick".to_owned()));
    }
}
