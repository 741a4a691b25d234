//! The claims as a document.

use std::fmt::Write as _;

use crate::page::verdict;
use crate::{Claim, PAPERS, Verdict};

/// `docs/reproduction.md`: every claim of a run at full size, with the figures that lie beside it in
/// `figures/`, named by `has_figure`.
pub fn report(claims: &[Claim], has_figure: &dyn Fn(&str) -> bool) -> String {
    let count = |v: Verdict| claims.iter().filter(|c| c.verdict == v).count();
    let mut text = format!(
        "# Reproduction of the papers\n\nWritten by `polhode reproduce all --out DIR` at full size \
         and `cargo xtask docs`; do not edit.\n\nOf {} claims {} hold, {} differ and {} cannot be \
         tested here. Times are those of the machine that ran it (2 cores). The papers' titles and \
         misprints are in [notation.md](notation.md).\n",
        claims.len(),
        count(Verdict::Holds),
        count(Verdict::Differs),
        count(Verdict::Untested)
    );
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
                let cells = [&claim.claim, &claim.expected, &claim.measured];
                for cell in cells {
                    let _ = write!(text, "| {} ", cell.replace('|', "\\|"));
                }
                let note = claim.note.replace('|', "\\|");
                let _ = writeln!(text, "| {} | {note} |", verdict(claim.verdict));
            }
        }
    }
    text
}
