//! `polhode reproduce`: the figures and claims of five papers, computed anew.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use polhode_experiments::{
    Claim, ClaimVerdict, Context, ExperimentError, ExperimentOutcome, Progress, Size, estimate,
    reproduce, select,
};

use crate::failure::{Failure, tell};

/// Computes the figures of five papers anew, and checks their claims one by one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Reproduce {
    /// `all`, papers (celledoni-safstrom, frb-fortran, thread, krysl, vilmart) or figures (vilmart-1); all if
    /// none is named
    #[arg(value_name = "all|PAPER|FIGURE")]
    what: Vec<String>,

    /// Where figures (SVG), data (CSV), claims.json and index.html go; made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Everything at reduced size, in about a minute instead of half an hour on two cores
    #[arg(long)]
    quick: bool,

    /// Write the claims as one JSON document, as in claims.json, instead of a summary
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  Everything at reduced size, then look at it in a browser:
    polhode reproduce all --quick --out results
  All of Krysl and figure 1 of Vilmart, as in the papers:
    polhode reproduce krysl vilmart-1 --out results

A full size run that was interrupted goes on where it was when it is given the same --out: finished \
parts of the long experiments are kept in DIR/parts, which may be deleted afterwards.

A second run into the same folder replaces the files of the figures it computes, and claims.json and \
index.html as a whole: they show what the last run computed. Other files stay.

\
The numbers 000 to 004 stand for the papers in the order given above: 004-1 is vilmart-1.";

impl Reproduce {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let selection = select(&self.what).map_err(|e| Failure::Input(e.to_string()))?;
        let size = if self.quick { Size::Quick } else { Size::Full };
        if size == Size::Full {
            let cores = polhode::default_threads();
            tell(format_args!(
                "full size: {} on {cores} cores, if they are free (--quick: everything in about a \
                 minute); interrupted, the same command goes on where it was",
                duration(estimate(&selection, cores))
            ));
        }
        let bar = Bar::new();
        let context = Context { size, out: &self.out, progress: &bar };
        let outcomes = reproduce(&selection, &context).map_err(|e| match e {
            ExperimentError::File { .. } | ExperimentError::NotAFolder { .. } => {
                Failure::Running(format!("--out: {e}"))
            }
            e => Failure::Running(e.to_string()),
        })?;
        if self.json {
            let claims: Vec<&Claim> = outcomes.iter().flat_map(|o| &o.claims).collect();
            serde_json::to_writer_pretty(&mut *out, &claims)?;
            writeln!(out)?;
            return Ok(());
        }
        self.summarise(out, &outcomes)
    }

    fn summarise(
        &self,
        out: &mut impl Write,
        outcomes: &[ExperimentOutcome],
    ) -> Result<(), Failure> {
        let width = outcomes.iter().map(|o| o.id.len()).max().unwrap_or(0);
        for outcome in outcomes {
            let count = |v: ClaimVerdict| outcome.claims.iter().filter(|c| c.verdict == v).count();
            let (holds, differs) = (count(ClaimVerdict::Holds), count(ClaimVerdict::Differs));
            let untested = count(ClaimVerdict::Untested);
            writeln!(
                out,
                "{:<width$}  {holds:>2} hold, {differs:>2} differ, {untested:>2} untested  {:>6.1} s  {}",
                outcome.id, outcome.seconds, outcome.title
            )?;
            for claim in outcome.claims.iter().filter(|c| c.verdict == ClaimVerdict::Differs) {
                writeln!(
                    out,
                    "        differs: {}: expected {}, measured {}",
                    claim.claim, claim.expected, claim.measured
                )?;
            }
        }
        writeln!(out, "{}", self.out.join("index.html").display())?;
        Ok(())
    }
}

/// "about 40 minutes".
fn duration(seconds: f64) -> String {
    if seconds < 90.0 {
        let seconds = seconds.ceil().max(1.0);
        return format!("about {seconds} second{}", if seconds > 1.0 { "s" } else { "" });
    }
    let minutes = (seconds / 60.0).ceil();
    if minutes < 90.0 {
        format!("about {minutes} minutes")
    } else {
        format!("about {:.1} hours", minutes / 60.0)
    }
}

/// A bar on stderr, if that is a terminal.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}");
        Self(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())))
    }
}

impl Progress for Bar {
    fn begin(&self, id: &str, parts: u64) {
        self.0.reset();
        self.0.set_prefix(id.to_owned());
        self.0.set_length(parts);
    }

    fn advance(&self) {
        self.0.inc(1);
    }

    fn end(&self) {
        self.0.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_are_round() {
        assert_eq!(duration(0.2), "about 1 second");
        assert_eq!(duration(61.5), "about 62 seconds");
        assert_eq!(duration(1790.0), "about 30 minutes");
        assert_eq!(duration(9000.0), "about 2.5 hours");
    }
}
