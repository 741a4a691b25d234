//! The page that shows everything: one file, readable on a phone.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::select::paper_of;
use crate::{Claim, ClaimVerdict, ExperimentOutcome, PAPERS};

/// The whole page, figures and style included: nothing else is loaded.
pub(crate) fn page(outcomes: &[ExperimentOutcome], quick: bool) -> String {
    let mut body = String::new();
    let size = if quick {
        "Reduced size (--quick): the claims are checked on shorter runs and coarser grids than the \
         papers'."
    } else {
        "Full size: runs and grids as in the papers."
    };
    let _ = write!(
        body,
        "<header><h1>Five papers on the rotation of rigid bodies, computed anew</h1>\n<p>{size} \
         {}</p></header>\n<nav>{}</nav>\n",
        tally(outcomes.iter().flat_map(|o| &o.claims)),
        contents(outcomes)
    );
    for paper in PAPERS {
        let of_paper: Vec<&ExperimentOutcome> =
            outcomes.iter().filter(|o| paper_of(o.id).is_some_and(|p| p.id == paper.id)).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(body, "<h2>{} · {}</h2>", paper.id, escape(paper.title));
        for outcome in of_paper {
            experiment(&mut body, outcome);
        }
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" \
         href=\"data:,\">\n<title>polhode: \
         papers reproduced</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn tally<'a>(claims: impl Iterator<Item = &'a Claim>) -> String {
    let mut counts = [0; 3];
    for claim in claims {
        counts[match claim.verdict {
            ClaimVerdict::Holds => 0,
            ClaimVerdict::Differs => 1,
            ClaimVerdict::Untested => 2,
        }] += 1;
    }
    let [holds, differs, untested] = counts;
    format!(
        "{} claims: {holds} hold, {differs} differ, {untested} cannot be tested here.",
        holds + differs + untested
    )
}

fn contents(outcomes: &[ExperimentOutcome]) -> String {
    let links = outcomes.iter().map(|o| format!("<a href=\"#f{0}\">{0}</a>", o.id));
    links.collect::<Vec<_>>().join(" ")
}

fn experiment(body: &mut String, outcome: &ExperimentOutcome) {
    let (id, title) = (outcome.id, escape(outcome.title));
    let _ = writeln!(body, "<section id=\"f{id}\">\n<h3>{id} · {title}</h3>");
    if let Some(svg) = &outcome.svg {
        let _ = writeln!(
            body,
            "<div class=\"figure\" tabindex=\"0\"><img alt=\"Figure {id}: {title}\"{} \
             src=\"data:image/svg+xml;base64,{}\"></div>",
            readable(svg),
            STANDARD.encode(svg)
        );
    }
    let _ = writeln!(body, "<p class=\"caption\">{}</p>", escape(outcome.caption));
    if !outcome.files.is_empty() {
        let links = outcome.files.iter().map(|f| format!("<a href=\"{0}\">{0}</a>", escape(f)));
        let _ = writeln!(body, "<p class=\"files\">{}</p>", links.collect::<Vec<_>>().join(" · "));
    }
    body.push_str(
        "<table class=\"claims\"><thead><tr><th>claim</th><th>expected</th><th>measured</th>\
         <th>verdict</th></tr></thead><tbody>\n",
    );
    for claim in &outcome.claims {
        row(body, claim);
    }
    body.push_str("</tbody></table>\n</section>\n");
}

/// A figure that does not fit is scrolled, not shrunk: below four fifths of its size its letters, of
/// 12 pixels and more, would be too small to read.
fn readable(svg: &str) -> String {
    let width = svg.split_once("width=\"").and_then(|(_, rest)| rest.split_once('"'));
    let width: Option<f64> = width.and_then(|(number, _)| number.parse().ok());
    width.map_or(String::new(), |w| format!(" style=\"min-width: {:.0}px\"", 0.8 * w))
}

fn row(body: &mut String, claim: &Claim) {
    let verdict = verdict(claim.verdict);
    let note = if claim.note.is_empty() {
        String::new()
    } else {
        format!("<div class=\"note\">{}</div>", escape(&claim.note))
    };
    let _ = writeln!(
        body,
        "<tr><td>{}{note}</td><td data-label=\"expected\">{}</td><td \
         data-label=\"measured\">{}</td><td data-label=\"verdict\"><span class=\"{verdict}\">\
         {verdict}</span></td></tr>",
        escape(&claim.claim),
        escape(&claim.expected),
        escape(&claim.measured)
    );
}

/// The word for a verdict, as in `claims.json`.
pub(crate) fn verdict(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "holds",
        ClaimVerdict::Differs => "differs",
        ClaimVerdict::Untested => "untested",
    }
}

fn escape(text: &str) -> String {
    text.chars().fold(String::new(), |mut safe, c| {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
        safe
    })
}

const STYLE: &str = "\
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 68rem; \
margin: 0 auto; padding: 0 1rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.25rem; margin-top: 3rem; \
border-top: 3px solid #222; padding-top: .5rem; } h3 { font-size: 1.05rem; margin-top: 2.2rem; }
nav a { display: inline-block; padding: .2rem .35rem; }
a { color: #0055a4; }
.figure { overflow-x: auto; } .figure img { display: block; max-width: 100%; height: auto; }
.caption { margin: .4rem 0; } .files { font-size: .85rem; margin: .2rem 0 .8rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid \
#ccc; } th { border-bottom: 2px solid #222; } td:first-child { width: 46%; }
.note { color: #555; font-size: .85rem; }
.holds, .differs, .untested { display: inline-block; padding: 0 .5rem; border-radius: .3rem; \
color: #fff; font-weight: 600; white-space: nowrap; }
.holds { background: #00684c; } .differs { background: #a93f00; } .untested { background: #555; }
@media (max-width: 42rem) {
  table, tbody, tr, td { display: block; width: auto !important; } thead { display: none; }
  tr { border-bottom: 2px solid #888; padding: .4rem 0; } td { border: 0; padding: .15rem 0; }
  td[data-label]::before { content: attr(data-label) \": \"; color: #555; }
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_claims_are_shown() {
        let claim = Claim {
            paper: "000".into(),
            figure: "celledoni-safstrom-1".into(),
            claim: "error < 1 & \"small\"".into(),
            expected: "<1".into(),
            measured: "0.5".into(),
            verdict: ClaimVerdict::Differs,
            note: "because".into(),
        };
        let outcome = ExperimentOutcome {
            id: "celledoni-safstrom-1",
            title: "a <b>",
            caption: "c & d",
            svg: Some("<svg width=\"500\"/>".into()),
            files: vec!["celledoni-safstrom-1.svg".into()],
            claims: vec![claim],
            seconds: 1.0,
        };
        let page = page(&[outcome], true);
        for text in [
            "error &lt; 1 &amp; &quot;small&quot;",
            "a &lt;b&gt;",
            "PHN2Zy",
            "1 differ,",
            "min-width: 400px",
        ] {
            assert!(page.contains(text), "{text}");
        }
    }
}
