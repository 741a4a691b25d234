//! The words of the summary.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::run::Outcome;
use crate::suites::Tool;

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn names(tools: &[&Tool]) -> String {
    match tools {
        [] => String::new(),
        [only] => only.name.to_owned(),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(|t| t.name).collect();
            format!("{} and {}", first.join(", "), last.name)
        }
    }
}

/// One line for a shell that installs them all; what two tools share is said once.
pub(crate) fn install_line(tools: &[&Tool]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in tools.iter().flat_map(|t| t.install) {
        let line = line.join(" ");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.join(" && ")
}

/// One line per suite, then the count.
pub(crate) struct Report<'a> {
    pub(crate) outcomes: &'a [(&'static str, Outcome)],
    /// Of the whole run, its building included.
    pub(crate) processors: Option<Duration>,
    /// The part of it in which tools were installed.
    pub(crate) installing: Duration,
}

impl Report<'_> {
    pub(crate) fn succeeded(&self) -> bool {
        self.count(|o| matches!(o, Outcome::Failed { .. })) == 0
    }

    fn count(&self, which: fn(&Outcome) -> bool) -> usize {
        self.outcomes.iter().filter(|(_, o)| which(o)).count()
    }
}

impl Display for Report<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = self.outcomes.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, outcome) in self.outcomes {
            write!(f, "{name:width$}  ")?;
            match outcome {
                Outcome::Passed { steps, elapsed, processors, notes } => {
                    let plural = if *steps == 1 { "" } else { "s" };
                    write!(f, "passed   {steps} step{plural} in {:.1} s", elapsed.as_secs_f64())?;
                    if let Some(time) = processors {
                        write!(f, ", processor time {:.1} s", time.as_secs_f64())?;
                    }
                    for reason in notes {
                        write!(f, "\n{:width$}           {reason}", "")?;
                    }
                    writeln!(f)?;
                }
                Outcome::Failed { what, elapsed } => {
                    writeln!(
                        f,
                        "failed   after {:.1} s: {}",
                        elapsed.as_secs_f64(),
                        what.join("; ")
                    )?;
                }
                Outcome::Skipped(reason) => writeln!(f, "skipped  {reason}")?,
            }
        }
        match self.processors {
            Some(time) => {
                let minutes = |time: Duration| time.as_secs_f64() / 60.0;
                let testing = time.saturating_sub(self.installing);
                write!(f, "processor time {:.1} min", minutes(testing))?;
                if self.installing > Duration::ZERO {
                    write!(f, ", and {:.1} min to install tools", minutes(self.installing))?;
                }
                writeln!(f)?;
            }
            None => writeln!(f, "processor time not known: this system has no /proc/self/stat")?,
        }
        // Alone on its line and in these words: machines read it.
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.count(|o| matches!(o, Outcome::Passed { .. })),
            self.count(|o| matches!(o, Outcome::Failed { .. })),
            self.count(|o| matches!(o, Outcome::Skipped(_))),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Report};
    use crate::run::Outcome;

    #[test]
    fn a_line_per_suite_and_the_count() {
        let passed = Outcome::Passed {
            steps: 3,
            elapsed: Duration::from_millis(1250),
            processors: Some(Duration::from_millis(2500)),
            notes: vec!["clippy not found; to install: get clippy".to_owned()],
        };
        let failed = Outcome::Failed {
            what: vec!["make".to_owned(), "make test".to_owned()],
            elapsed: Duration::from_millis(90_040),
        };
        let skipped = Outcome::Skipped("pip not found".to_owned());
        let outcomes = [("rust", passed), ("c", failed), ("python", skipped)];
        let processors = Some(Duration::from_secs(90));
        let installing = Duration::from_secs(18);
        let report = Report { outcomes: &outcomes, processors, installing };
        assert!(!report.succeeded());
        let expected = "\
rust    passed   3 steps in 1.2 s, processor time 2.5 s
                 clippy not found; to install: get clippy
c       failed   after 90.0 s: make; make test
python  skipped  pip not found
processor time 1.2 min, and 0.3 min to install tools
1 passed, 1 failed, 1 skipped";
        assert_eq!(report.to_string(), expected);
        let skipped = Report { outcomes: &outcomes[2..], processors: None, installing };
        assert!(skipped.succeeded());
        assert!(skipped.to_string().contains("\nprocessor time not known"));
    }
}
