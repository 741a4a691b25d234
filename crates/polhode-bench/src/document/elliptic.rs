//! Elliptic functions against those of other libraries.

use std::fmt::Write;

use super::number;
use crate::report::Report;

/// Our name in the benchmark, what a reader calls it, and SciPy's name.
const FUNCTIONS: [(&str, &str, Option<&str>); 12] = [
    ("sn-cn-dn", "sn, cn, dn", Some("ellipj")),
    ("K", "K", Some("ellipk")),
    ("E", "E", Some("ellipe")),
    ("Pi", "Pi", None),
    ("F", "F, incomplete", Some("ellipkinc")),
    ("E-incomplete", "E, incomplete", Some("ellipeinc")),
    ("Pi-incomplete", "Pi, incomplete", None),
    ("RF", "RF", Some("elliprf")),
    ("RC", "RC", Some("elliprc")),
    ("RD", "RD", Some("elliprd")),
    ("RG", "RG", Some("elliprg")),
    ("RJ", "RJ", Some("elliprj")),
];

const HEAD: &str = "\
# The speed of the elliptic functions

One core against one core, each row interleaved in one process, in short rounds of which the shortest counts.
Ratios are our time over theirs: below one we are faster. Arguments: u and amplitudes up to 1.5 (u up to 10 in
Python), characteristics and parameters from 0 to 0.99, Carlson's arguments from 0.1 to 9. GSL and Boost take the
modulus, whose square root is in their time; Boost, by its default policy, computes in long doubles. What a
library has not is –.

## Rust: one call

| function | ns | `ellip` | GSL | Boost |
|---|---:|---:|---:|---:|
";

const PYTHON: &str = "
## Python: an element of an array, and a call with scalars

SciPy's `ellipj` and ours also give the amplitude.

| function | array: ns | ratio to SciPy | scalar: ns | ratio to SciPy |
|---|---:|---:|---:|---:|
";

/// Why others are faster where they are: our name, the library's, and the reason.
const REASONS: [(&str, &str, &str); 4] = [
    (
        "K",
        "ellip",
        "it looks up one of ten polynomials by m; one sequence of operations for every m costs more for one \
         parameter, and runs in lanes for many (3 ns each, `complete_k_each`)",
    ),
    ("E", "ellip", "as for K (`complete_e_each`)"),
    (
        "RC",
        "ellip",
        "by the arctangent and the logarithm of the system's library, whose bits differ between systems; ours \
         is a duplication, with the same bits everywhere",
    ),
    (
        "RJ",
        "ellip",
        "each step needs an RC; ours has positive terms only, so that no digits are lost where p is small \
         beside the others, and duplicates where `ellip` calls the system's library",
    ),
];

/// The whole document.
pub(crate) fn elliptic(report: &Report) -> String {
    let mut out = String::from(HEAD);
    // Writing to a string cannot fail.
    let _ = tables(&mut out, report);
    out
}

fn tables(out: &mut String, report: &Report) -> std::fmt::Result {
    let time = |key: String| report.nanoseconds.get(&key).copied();
    let ratio = |ours: Option<f64>, theirs: Option<f64>| match (ours, theirs) {
        (Some(ours), Some(theirs)) => number(ours / theirs),
        _ => "–".to_owned(),
    };
    let shown = |time: Option<f64>| time.map_or_else(|| "–".to_owned(), number);
    let mut behind = Vec::new();
    for (name, title, _) in FUNCTIONS {
        let ours = time(format!("elliptic: {name}"));
        write!(out, "| {title} | {} |", shown(ours))?;
        for (peer, who) in [("ellip", "`ellip`"), ("gsl", "GSL"), ("boost", "Boost")] {
            let theirs = time(format!("{peer}: {name}"));
            write!(out, " {} |", ratio(ours, theirs))?;
            if ours > theirs && theirs.is_some() {
                let reason = REASONS.iter().find(|(of, by, _)| (*of, *by) == (name, peer));
                let reason = reason.map_or("reason unknown", |(_, _, text)| text);
                behind.push(format!("{title} of {who}: {reason}."));
            }
        }
        writeln!(out)?;
    }
    out.push_str(PYTHON);
    for (_, title, scipy) in FUNCTIONS {
        let Some(scipy) = scipy else { continue };
        write!(out, "| {title} (`{scipy}`) |")?;
        for one in ["", ", one"] {
            let ours = time(format!("python: {scipy}{one}"));
            let theirs = time(format!("scipy: {scipy}{one}"));
            write!(out, " {} | {} |", shown(ours), ratio(ours, theirs))?;
            if one.is_empty() && ours > theirs && theirs.is_some() {
                behind.push(format!("`{scipy}` of SciPy, on arrays: reason unknown."));
            }
        }
        writeln!(out)?;
    }
    if !behind.is_empty() {
        writeln!(out, "\n## Where others are faster\n\n- {}", behind.join("\n- "))?;
    }
    for skipped in &report.skipped {
        writeln!(out, "\nNot measured: {skipped}.")?;
    }
    Ok(())
}
