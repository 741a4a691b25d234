//! Decides what of a suite can run here, and runs it.

use std::time::{Duration, Instant};

use crate::machine::{command, has, install, processor_time, run};
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
        /// What was left out for want of a tool, in words.
        without: Vec<String>,
    },
    Failed(Vec<String>),
    Skipped(String),
}

/// What to do about the tools that something needs.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Go,
    /// The reason, with the way to install what is missing.
    LeaveOut(String),
    Fail(String),
}

/// Missing tools are a reason to skip for a person, but not on CI, where they are installed and a
/// suite that cannot run is a failure: a green run must mean that everything was tested.
fn prepare(needs: &[&'static Tool], ci: bool) -> Verdict {
    let mut missing: Vec<&Tool> = needs.iter().copied().filter(|t| !has(t)).collect();
    if missing.is_empty() {
        return Verdict::Go;
    }
    if !ci {
        return Verdict::LeaveOut(format!(
            "{} not found; to install: {}",
            names(&missing),
            install_line(&missing)
        ));
    }
    for tool in &missing {
        println!("== installing {}", tool.name);
        install(tool);
    }
    missing.retain(|t| !has(t));
    if missing.is_empty() {
        Verdict::Go
    } else {
        Verdict::Fail(format!("{} could not be installed", names(&missing)))
    }
}

pub(crate) fn suite(suite: &Suite, ci: bool, quick: bool) -> Outcome {
    let steps: Vec<_> = suite.steps.iter().filter(|s| !quick || s.quick).collect();
    if steps.is_empty() {
        return Outcome::Skipped("not part of --quick".to_owned());
    }
    match prepare(suite.needs, ci) {
        Verdict::Go => {}
        Verdict::LeaveOut(reason) => return Outcome::Skipped(reason),
        Verdict::Fail(reason) => return Outcome::Failed(vec![reason]),
    }

    let (start, used) = (Instant::now(), processor_time());
    let mut ran = 0;
    let mut without = Vec::new();
    let mut failures = Vec::new();
    for step in steps {
        let line = step.line.join(" ");
        match prepare(step.needs, ci) {
            Verdict::Go => {
                println!("\n== {}: {line}", suite.name);
                ran += 1;
                if !run(command(step.line).envs(step.env.iter().copied())) {
                    failures.push(line);
                }
            }
            Verdict::LeaveOut(reason) => without.push(reason),
            Verdict::Fail(reason) => failures.push(reason),
        }
    }
    if !failures.is_empty() {
        Outcome::Failed(failures)
    } else if ran == 0 {
        // Nothing was tested, so nothing passed.
        Outcome::Skipped(without.join("; "))
    } else {
        let processors = used.and_then(|used| Some(processor_time()?.saturating_sub(used)));
        Outcome::Passed { steps: ran, elapsed: start.elapsed(), processors, without }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, suite};
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
        Step { line, env: &[], needs, quick }
    }

    /// How a suite of these steps ends.
    fn outcome(needs: &[&'static Tool], steps: Vec<Step>, ci: bool, quick: bool) -> Outcome {
        let (needs, steps) = (needs.to_vec().leak(), steps.leak());
        suite(&Suite { name: "suite", needs, steps }, ci, quick)
    }

    #[test]
    fn all_tools_there() {
        let steps = vec![step(GOOD, &[], false), step(GOOD, THERE, true)];
        let outcome = outcome(&[&COMPILER], steps, false, false);
        assert!(matches!(outcome, Outcome::Passed { steps: 2, without, .. } if without.is_empty()));
    }

    #[test]
    fn a_missing_tool_skips_the_suite_and_says_how_to_get_it() {
        // Had it run, it would have failed.
        let missing = |ci| outcome(&[&COMPILER, &NOWHERE], vec![step(BAD, &[], false)], ci, false);
        assert_eq!(missing(false), Outcome::Skipped(HOW.to_owned()));
        // On CI, which tries to install it, that is a failure.
        let failed = Outcome::Failed(vec!["xyzzy could not be installed".to_owned()]);
        assert_eq!(missing(true), failed);
    }

    #[test]
    fn a_missing_linter_costs_its_step_alone() {
        let steps = vec![step(BAD, MISSING, false), step(GOOD, &[], false)];
        let both = outcome(&[], steps, false, false);
        assert!(matches!(both, Outcome::Passed { steps: 1, without, .. } if without == [HOW]));
        let alone = outcome(&[], vec![step(BAD, MISSING, false)], false, false);
        assert_eq!(alone, Outcome::Skipped(HOW.to_owned()));
    }

    #[test]
    fn a_missing_linter_fails_ci_but_hides_no_other_failure() {
        let steps = vec![step(GOOD, MISSING, false), step(BAD, &[], false)];
        let what = ["xyzzy could not be installed", "cargo --no-such-option"].map(str::to_owned);
        assert_eq!(outcome(&[], steps, true, false), Outcome::Failed(what.to_vec()));
    }

    #[test]
    fn quick_keeps_the_quick_steps() {
        let steps = vec![step(BAD, &[], false), step(GOOD, &[], true)];
        assert!(matches!(outcome(&[], steps, false, true), Outcome::Passed { steps: 1, .. }));
        let slow = outcome(&[&NOWHERE], vec![step(BAD, &[], false)], true, true);
        assert_eq!(slow, Outcome::Skipped("not part of --quick".to_owned()));
    }
}
