//! All experiments at reduced size: every verdict is as it must be, every file is there and whole.

use std::collections::BTreeSet;
use std::path::Path;

use polhode_experiments::{
    Claim, ClaimVerdict, Context, ExperimentOutcome, PAPERS, Silent, Size, experiments, reproduce,
    select,
};

/// Claims that are known to differ, with the reason in their notes: figure and beginning.
const DIFFER: &[(&str, &str)] = &[
    ("celledoni-safstrom-1", "the error is of the size of 1e-14, with the elliptic functions"),
    ("celledoni-safstrom-1", "the error is independent of the step, with the elliptic functions"),
    (
        "celledoni-safstrom-5",
        "the two methods perform similarly, with a slight advantage for SEJ: ω",
    ),
    ("frb-fortran-text", "eq. (23): the printed coefficients"),
    ("frb-fortran-3", "P(a × b) = Pa × Pb"),
    ("frb-fortran-3", "the listing sets the entries back"),
    ("krysl-text", "IMIDM is symplectic"),
    ("krysl-1", "IMID is the most accurate in the attitude"),
    ("krysl-2", "the absolute accuracy of the present algorithm is outstanding, in the momentum"),
    ("krysl-4", "the body is repeatedly repelled"),
    ("vilmart-text", "c₁ and c₂ have a floating point representation with the same exponent"),
];

/// Claims about times: what they give depends on the machine and on what else it does. And that about
/// Fortran: whether there is a compiler.
const TIMED: &[(&str, &str)] = &[
    ("celledoni-safstrom-1", "elliptic functions are faster"),
    ("celledoni-safstrom-3", "the advantage of SEJ over MR is quite clear: same time"),
    ("celledoni-safstrom-3", "smaller global error for the same amount"),
    ("celledoni-safstrom-5", "slight advantage for SEJ at the same time"),
    ("celledoni-safstrom-5", "smaller global error for the same amount"),
    ("frb-fortran-6", "the exact algorithms cost"),
    ("frb-fortran-6", "the semi-exact variants cost"),
    ("frb-fortran-6", "exact methods can be competitive"),
    ("frb-fortran-6", "a Gaussian quadrature costs"),
    ("frb-fortran-6", "the exact method computes three"),
    ("frb-fortran-6", "not the paper's"),
    ("frb-fortran-1", "the package is compatible with FORTRAN 95"),
];

const UNTESTED: &[(&str, &str)] =
    &[("frb-fortran-text", "the effective error of RKN6-14 is E_f = 0.63")];

fn listed(list: &[(&str, &str)], claim: &Claim) -> bool {
    list.iter().any(|(figure, start)| claim.figure == *figure && claim.claim.starts_with(start))
}

/// The document has the claims of full size: the same ones.
fn documented(outcomes: &[ExperimentOutcome]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/figures/claims.json");
    let kept: Vec<Claim> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names = |claims: &mut dyn Iterator<Item = &Claim>| -> BTreeSet<(String, String)> {
        claims.map(|c| (c.figure.clone(), c.claim.clone())).collect()
    };
    let (found, kept) =
        (names(&mut outcomes.iter().flat_map(|o| &o.claims)), names(&mut kept.iter()));
    let apart: Vec<_> = found.symmetric_difference(&kept).collect();
    assert!(apart.is_empty(), "not both in docs/figures/claims.json and computed: {apart:#?}");
}

fn verdicts(outcomes: &[ExperimentOutcome]) {
    let claims: Vec<&Claim> = outcomes.iter().flat_map(|o| &o.claims).collect();
    let mut wrong = Vec::new();
    for claim in &claims {
        let expected = match () {
            () if listed(TIMED, claim) => continue,
            () if listed(DIFFER, claim) => ClaimVerdict::Differs,
            () if listed(UNTESTED, claim) => ClaimVerdict::Untested,
            () => ClaimVerdict::Holds,
        };
        if claim.verdict != expected {
            wrong.push(format!("expected {expected:?}: {claim:?}"));
        }
        if claim.verdict != ClaimVerdict::Holds {
            assert!(!claim.note.is_empty(), "no reason given: {claim:?}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (figure, start) in DIFFER.iter().chain(TIMED).chain(UNTESTED) {
        let known = claims.iter().any(|c| c.figure == *figure && c.claim.starts_with(start));
        assert!(known, "no claim of {figure} begins with '{start}'");
    }
    // Every experiment has claims, and no claim is made twice.
    for experiment in experiments() {
        assert!(claims.iter().any(|c| c.figure == experiment.id), "{}", experiment.id);
    }
    let distinct: BTreeSet<(&str, &str)> =
        claims.iter().map(|c| (c.figure.as_str(), c.claim.as_str())).collect();
    assert_eq!(distinct.len(), claims.len());
    // Every figure the papers number has an experiment of its name.
    for (paper, figures) in
        [("celledoni-safstrom", 8), ("frb-fortran", 7), ("krysl", 5), ("vilmart", 2)]
    {
        for figure in 1..=figures {
            let id = format!("{paper}-{figure}");
            assert!(experiments().any(|e| e.id == id), "{id}");
        }
    }
}

fn files(folder: &Path, outcomes: &[ExperimentOutcome]) {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    for outcome in outcomes {
        for file in &outcome.files {
            assert!(!text(file).is_empty(), "{file}");
        }
        if let Some(svg) = &outcome.svg {
            assert_eq!(*svg, text(&format!("{}.svg", outcome.id)));
            roxmltree::Document::parse(svg).unwrap();
            let mut rows = text(&format!("{}.csv", outcome.id)).lines().count();
            rows -= 1;
            assert!(rows > 5, "{}: {rows} rows", outcome.id);
        }
    }
    let claims: Vec<Claim> = serde_json::from_str(&text("claims.json")).unwrap();
    assert_eq!(claims.len(), outcomes.iter().map(|o| o.claims.len()).sum::<usize>());
    assert!(claims.iter().all(|c| PAPERS.iter().any(|p| p.number == c.paper)));
    let raw: serde_json::Value = serde_json::from_str(&text("claims.json")).unwrap();
    let keys: Vec<&String> = raw[0].as_object().unwrap().keys().collect();
    let expected = ["claim", "expected", "figure", "measured", "note", "paper", "verdict"];
    assert_eq!(keys, expected);
    let page = text("index.html");
    assert_eq!(page.matches("<img ").count(), outcomes.iter().filter(|o| o.svg.is_some()).count());
    assert_eq!(page.matches("data-label=\"verdict\"").count(), claims.len());
    // Self-contained: nothing is fetched from elsewhere.
    assert!(!page.contains("http"), "the page loads nothing");
    let left: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The numbers of an interrupted run that goes on are those of one that was not interrupted.
fn goes_on(whole: &Path) {
    const FIGURE: &str = "vilmart-text";
    let claims = |folder: &Path| {
        let text = std::fs::read_to_string(folder.join("claims.json")).unwrap();
        let mut claims: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
        claims.retain(|claim| claim["figure"] == FIGURE);
        claims
    };
    // Some parts are missing and some are damaged: as after an interruption.
    let broken = tempfile::tempdir().unwrap();
    let parts = broken.path().join("parts");
    std::fs::create_dir_all(&parts).unwrap();
    let mut names: Vec<_> =
        std::fs::read_dir(whole.join("parts")).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let text = |name: &std::ffi::OsString| {
        std::fs::read_to_string(whole.join("parts").join(name)).unwrap()
    };
    for (index, name) in names.iter().enumerate().filter(|(i, _)| i % 8 != 1) {
        let text = text(name);
        let kept = if index % 16 == 0 { &text[..text.len() / 2] } else { &text[..] };
        std::fs::write(parts.join(name), kept).unwrap();
    }
    let context = Context { size: Size::Quick, out: broken.path(), progress: &Silent };
    reproduce(&select(&[FIGURE]).unwrap(), &context).unwrap();
    assert_eq!(claims(broken.path()), claims(whole));
    // Parts of this figure are there again, and whole again; it has an eighth of all or more.
    let whole_again = |(i, name): &(usize, &std::ffi::OsString)| {
        (i % 8 == 1 || i % 16 == 0)
            && std::fs::read_to_string(parts.join(name)).is_ok_and(|again| again == text(name))
    };
    let (missing, damaged): (Vec<_>, Vec<_>) =
        names.iter().enumerate().filter(whole_again).partition(|(i, _)| i % 8 == 1);
    assert!(!missing.is_empty() && !damaged.is_empty(), "{missing:?} {damaged:?}");
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    #[test]
    fn all_claims_are_as_they_must_be_and_an_interrupted_run_goes_on() {
        // Emptied first, and then kept: `page.rs` shows this page in a browser.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproduced");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).unwrap();
        }
        let selection = select(&["all"]).unwrap();
        let context = Context { size: Size::Quick, out: &folder, progress: &Silent };
        let outcomes = reproduce(&selection, &context).unwrap();
        verdicts(&outcomes);
        documented(&outcomes);
        files(&folder, &outcomes);
        goes_on(&folder);
    }
}
