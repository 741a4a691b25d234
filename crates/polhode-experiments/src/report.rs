//! The claims as a document.

use std::fmt::Write as _;

use crate::page::verdict;
use crate::{Claim, PAPERS, Verdict};

/// What wrong coefficients were seen to do.
const SENSITIVITY: &str = include_str!("sensitivity.md");

/// `docs/reproduction.md`: the claims of a run at full size, and those of experiments that were run
/// at reduced size; the figures lie beside it in `figures/`, as far as `has_figure` says.
pub fn report(full: &[Claim], reduced: &[Claim], has_figure: &dyn Fn(&str) -> bool) -> String {
    let all = || full.iter().chain(reduced);
    let count = |v: Verdict| all().filter(|c| c.verdict == v).count();
    let mut text = format!(
        "# Reproduction of the papers\n\nGenerated from `docs/figures/claims.json`, which \
         `polhode reproduce all --out DIR` writes; a test compares. Of {} claims {} hold, {} differ \
         and {} cannot be tested here; what differs has its reason in the last column. Times are \
         those of one machine with 2 cores. Titles and misprints of the papers are in \
         [notation.md](notation.md), the methods in [methods.md](methods.md).\n",
        all().count(),
        count(Verdict::Holds),
        count(Verdict::Differs),
        count(Verdict::Untested)
    );
    if !reduced.is_empty() {
        text.push_str(
            "\nFigures marked *reduced size* are those of `--quick`; all others were computed as in \
             the papers.\n",
        );
    }
    let _ = write!(text, "\n{SENSITIVITY}");
    for paper in PAPERS {
        let _ = write!(text, "\n## {}: {}\n", paper.id, paper.title);
        for experiment in paper.experiments {
            let own: Vec<&Claim> = all().filter(|c| c.figure == experiment.id).collect();
            if own.is_empty() {
                continue;
            }
            let quick = reduced.iter().any(|c| c.figure == experiment.id);
            let mark = if quick { " (reduced size)" } else { "" };
            let _ = write!(text, "\n### {}: {}{mark}\n\n", experiment.id, experiment.title);
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
