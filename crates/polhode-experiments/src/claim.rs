//! What a paper says, and what is found.

use serde::{Deserialize, Serialize};

use crate::select::paper_of;

/// Whether a claim was found to be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimVerdict {
    /// What is measured agrees.
    Holds,
    /// What is measured does not agree; the note says why, as far as it is known.
    Differs,
    /// It cannot be decided here; the note says why.
    Untested,
}

/// A claim of a paper beside what is measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// The number of the paper, "000" to "004".
    pub paper: String,
    /// The experiment it belongs to, e.g. "celledoni-safstrom-1".
    pub figure: String,
    /// What the paper says, in our words.
    pub claim: String,
    /// The number or relation that follows.
    pub expected: String,
    /// What was found.
    pub measured: String,
    /// Whether they agree.
    pub verdict: ClaimVerdict,
    /// How it was measured, or why it differs or cannot be tested; may be empty.
    pub note: String,
}

/// The claims of one experiment, while they are collected.
#[derive(Debug)]
pub(crate) struct Claims {
    figure: &'static str,
    list: Vec<Claim>,
}

impl Claims {
    pub(crate) fn of(figure: &'static str) -> Self {
        Self { figure, list: Vec::new() }
    }

    /// A claim that `holds` decides. The note is for the reader who finds that it does not.
    pub(crate) fn check(
        &mut self,
        claim: &str,
        expected: &str,
        measured: impl Into<String>,
        holds: bool,
        note: &str,
    ) {
        let verdict = if holds { ClaimVerdict::Holds } else { ClaimVerdict::Differs };
        self.push(claim, expected, measured.into(), verdict, note);
    }

    /// A claim that cannot be decided.
    pub(crate) fn untested(
        &mut self,
        claim: &str,
        expected: &str,
        measured: impl Into<String>,
        note: &str,
    ) {
        self.push(claim, expected, measured.into(), ClaimVerdict::Untested, note);
    }

    fn push(
        &mut self,
        claim: &str,
        expected: &str,
        measured: String,
        verdict: ClaimVerdict,
        note: &str,
    ) {
        self.list.push(Claim {
            paper: paper_of(self.figure).map_or("", |paper| paper.number).into(),
            figure: self.figure.into(),
            claim: claim.into(),
            expected: expected.into(),
            measured,
            verdict,
            note: note.into(),
        });
    }

    pub(crate) fn into_list(self) -> Vec<Claim> {
        self.list
    }
}

/// A number as the tables show it: three digits, with a power of ten where that is shorter.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || (1e-2..1e5).contains(&value.abs()) {
        let digits = if value.abs() >= 100.0 { 0 } else { 3 };
        let text = format!("{value:.digits$}");
        if text.contains('.') {
            return text.trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        return text;
    }
    format!("{value:.2e}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 0.063, -9.0e-3, 12.1640, 4095.2, 27700.0, 1.25e-17].map(number);
        assert_eq!(texts, ["0", "1", "0.063", "-9.00e-3", "12.164", "4095", "27700", "1.25e-17"]);
    }

    #[test]
    fn the_paper_is_that_of_the_figure() {
        let mut claims = Claims::of("krysl-4");
        claims.check("a", "b", "c", false, "d");
        let list = claims.into_list();
        assert_eq!((list[0].paper.as_str(), list[0].verdict), ("003", ClaimVerdict::Differs));
    }
}
