//! Decides what of a suite can run here, and runs it.

use std::time::{Duration, Instant};

use crate::machine::Machine;
use crate::report::{install_line, names};
use crate::suites::{Suite, Tool};

/// How a suite ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed {
        steps: usize,
        elapsed: Duration,
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
fn prepare(needs: &[&'static Tool], machine: &mut dyn Machine, ci: bool) -> Verdict {
    let mut missing: Vec<&Tool> = needs.iter().copied().filter(|t| !machine.has(t)).collect();
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
        machine.install(tool);
    }
    missing.retain(|t| !machine.has(t));
    if missing.is_empty() {
        Verdict::Go
    } else {
        Verdict::Fail(format!("{} could not be installed", names(&missing)))
    }
}

pub(crate) fn suite(suite: &Suite, machine: &mut dyn Machine, ci: bool, quick: bool) -> Outcome {
    let steps: Vec<_> = suite.steps.iter().filter(|s| !quick || s.quick).collect();
    if steps.is_empty() {
        return Outcome::Skipped("not part of --quick".to_owned());
    }
    match prepare(suite.needs, machine, ci) {
        Verdict::Go => {}
        Verdict::LeaveOut(reason) => return Outcome::Skipped(reason),
        Verdict::Fail(reason) => return Outcome::Failed(vec![reason]),
    }

    let start = Instant::now();
    let mut ran = 0;
    let mut without = Vec::new();
    let mut failures = Vec::new();
    for step in steps {
        let line = step.line.join(" ");
        match prepare(step.needs, machine, ci) {
            Verdict::Go => {
                println!("\n== {}: {line}", suite.name);
                ran += 1;
                if !machine.run(step) {
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
        Outcome::Passed { steps: ran, elapsed: start.elapsed(), without }
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, suite};
    use crate::machine::Machine;
    use crate::suites::{Step, Suite, Tool};

    static COMPILER: Tool = Tool {
        name: "fc",
        probe: &["fc", "--version"],
        install: &[&["get", "update"], &["get", "fc"]],
    };
    static LINTER: Tool =
        Tool { name: "lint", probe: &["lint", "--version"], install: &[&["get", "lint"]] };

    const fn step(line: &'static [&'static str], quick: bool) -> Step {
        Step { line, env: &[], needs: &[], quick }
    }

    /// Needs the compiler as a whole, and the linter for its first step.
    static FORTRAN: Suite = Suite {
        name: "fortran",
        needs: &[&COMPILER],
        steps: &[
            Step { line: &["lint"], env: &[], needs: &[&LINTER], quick: false },
            step(&["fc", "build"], false),
            step(&["fc", "test"], true),
        ],
    };

    #[derive(Default)]
    struct Fake {
        tools: Vec<&'static str>,
        installable: Vec<&'static str>,
        failing: Vec<&'static str>,
        ran: Vec<String>,
    }

    impl Machine for Fake {
        fn has(&self, tool: &Tool) -> bool {
            self.tools.contains(&tool.name)
        }
        fn install(&mut self, tool: &Tool) {
            if self.installable.contains(&tool.name) {
                self.tools.push(tool.name);
            }
        }
        fn run(&mut self, step: &Step) -> bool {
            let line = step.line.join(" ");
            let succeeds = !self.failing.contains(&line.as_str());
            self.ran.push(line);
            succeeds
        }
    }

    #[test]
    fn all_tools_there() {
        let mut machine = Fake { tools: vec!["fc", "lint"], ..Fake::default() };
        let outcome = suite(&FORTRAN, &mut machine, false, false);
        assert!(matches!(outcome, Outcome::Passed { steps: 3, without, .. } if without.is_empty()));
        assert_eq!(machine.ran, ["lint", "fc build", "fc test"]);
    }

    #[test]
    fn a_missing_tool_skips_the_suite_and_says_how_to_get_it() {
        let mut machine = Fake { tools: vec!["lint"], installable: vec!["fc"], ..Fake::default() };
        assert_eq!(
            suite(&FORTRAN, &mut machine, false, false),
            Outcome::Skipped("fc not found; to install: get update && get fc".to_owned())
        );
        assert!(machine.ran.is_empty());
    }

    #[test]
    fn ci_installs_a_missing_tool() {
        let mut machine = Fake { tools: vec!["lint"], installable: vec!["fc"], ..Fake::default() };
        let outcome = suite(&FORTRAN, &mut machine, true, false);
        assert!(matches!(outcome, Outcome::Passed { steps: 3, .. }));
    }

    #[test]
    fn ci_fails_rather_than_skip() {
        let mut machine = Fake::default();
        assert_eq!(
            suite(&FORTRAN, &mut machine, true, false),
            Outcome::Failed(vec!["fc could not be installed".to_owned()])
        );
        assert!(machine.ran.is_empty());
    }

    #[test]
    fn a_missing_linter_costs_its_step_alone() {
        let mut machine = Fake { tools: vec!["fc"], ..Fake::default() };
        let outcome = suite(&FORTRAN, &mut machine, false, false);
        assert!(
            matches!(outcome, Outcome::Passed { steps: 2, without, .. } if without == ["lint not found; to install: get lint"])
        );
        assert_eq!(machine.ran, ["fc build", "fc test"]);
    }

    #[test]
    fn a_missing_linter_fails_ci_but_hides_no_other_failure() {
        let mut machine = Fake { tools: vec!["fc"], failing: vec!["fc build"], ..Fake::default() };
        assert_eq!(
            suite(&FORTRAN, &mut machine, true, false),
            Outcome::Failed(vec!["lint could not be installed".to_owned(), "fc build".to_owned()])
        );
        assert_eq!(machine.ran, ["fc build", "fc test"]);
    }

    #[test]
    fn nothing_run_is_not_a_pass() {
        static LINT_ONLY: Suite = Suite {
            name: "lint",
            needs: &[],
            steps: &[Step { line: &["lint"], env: &[], needs: &[&LINTER], quick: true }],
        };
        let outcome = suite(&LINT_ONLY, &mut Fake::default(), false, false);
        assert!(matches!(outcome, Outcome::Skipped(_)));
    }

    #[test]
    fn quick_keeps_the_quick_steps() {
        static SLOW: Suite = Suite {
            name: "slow",
            needs: &[&COMPILER],
            steps: &[step(&["fc", "everything"], false)],
        };
        let mut machine = Fake { tools: vec!["fc"], ..Fake::default() };
        let outcome = suite(&FORTRAN, &mut machine, false, true);
        assert!(matches!(outcome, Outcome::Passed { steps: 1, .. }));
        assert_eq!(machine.ran, ["fc test"]);
        assert_eq!(
            suite(&SLOW, &mut machine, true, true),
            Outcome::Skipped("not part of --quick".to_owned())
        );
    }
}
