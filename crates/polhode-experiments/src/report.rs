//! The claims as a document.

use std::fmt::Write as _;

use crate::page::verdict;
use crate::{Claim, ClaimVerdict, PAPERS};

/// What wrong coefficients were seen to do.
const SENSITIVITY: &str = include_str!("sensitivity.md");

/// `docs/reproduction.md`: the claims of a run at full size; the figures lie beside it in
/// `figures/`, as far as `has_figure` says.
pub fn report(claims: &[Claim], has_figure: &dyn Fn(&str) -> bool) -> String {
    let count = |v: ClaimVerdict| claims.iter().filter(|c| c.verdict == v).count();
    let mut text = format!(
        "# Reproduction of the papers\n\nGenerated from `docs/figures/claims.json`, which \
         `polhode reproduce all --out DIR` writes at full size (where a note says so, reduced); a test \
         compares. Of {} claims {} hold, {} differ and {} cannot be tested here; what differs has its reason in the \
         last column. 'About 10ⁿ' and 'O(10ⁿ)' are taken as within a factor of 6 of 10ⁿ, for the largest \
         error or the amplitude (half of what a curve spans), and as at most 6 · 10ⁿ for what a method \
         is accurate to. Times are those of one machine with 2 cores. Titles and misprints of the papers are \
         in [notation.md](notation.md), the methods in [methods.md](methods.md).\n\n## What differs\n\n",
        claims.len(),
        count(ClaimVerdict::Holds),
        count(ClaimVerdict::Differs),
        count(ClaimVerdict::Untested)
    );
    for claim in claims.iter().filter(|c| c.verdict == ClaimVerdict::Differs) {
        let _ = writeln!(text, "- {}: {}", claim.figure, claim.claim);
    }
    let _ = write!(text, "\n{SENSITIVITY}");
    for paper in PAPERS {
        let _ = write!(text, "\n## {}: {}\n", paper.id, paper.title);
        for experiment in paper.experiments {
            let own: Vec<&Claim> = claims.iter().filter(|c| c.figure == experiment.id).collect();
            if own.is_empty() {
                continue;
            }
            let _ = write!(text, "\n### {}: {}\n\n", experiment.id, experiment.title);
            if has_figure(experiment.id) {
                let _ = write!(text, "![{0}](figures/{0}.svg)\n\n", experiment.id);
            }
            let _ = write!(text, "{}\n\n", experiment.caption);
            text.push_str(
                "| claim | expected | measured | verdict | note |\n|---|---|---|---|---|\n",
            );
            for claim in own {
                for cell in [&claim.claim, &claim.expected, &claim.measured] {
                    let _ = write!(text, "| {} ", cell.replace('|', "\\|"));
                }
                let note = claim.note.replace('|', "\\|");
                let _ = writeln!(text, "| {} | {note} |", verdict(claim.verdict));
            }
        }
    }
    text
}
