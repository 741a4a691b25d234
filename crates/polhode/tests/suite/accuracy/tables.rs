//! Elliptic functions, and `FreeMotion` on the oracle.

use std::collections::BTreeMap;
use std::fmt::Write;

use polhode_testkit::compare::Distribution;
use polhode_testkit::oracle::{FreeCase, free_cases, long_cases};
use polhode_testkit::{ELLIPTIC_BOUNDS, elliptic_rows, special_function_errors};

use super::map::{Error, error};

/// The whole domain: rows that every test run tries, and the large samples of `study/measure.py`, which
/// takes too long for that.
fn regions() -> String {
    let mut text = String::from(
        "### On the whole real line\n\n\
         Every function in every region of its domain: negative parameters, m > 1, principal values, m and \
         1 - m down to 5e-324, arguments of 1e-270 to 1e270, phases to 1e9. Arguments are exact doubles. \
         Conditioned errors on the rows of `oracle/elliptic_A.json` (mpmath), which every test run tries:\n\n\
         | function | rows | mean | P99 | max | bound |\n|---|---:|---:|---:|---:|---:|\n",
    );
    for (function, bound) in ELLIPTIC_BOUNDS {
        let rows: Vec<_> = elliptic_rows().iter().filter(|row| row.function == function).collect();
        let errors: Vec<f64> = rows.iter().flat_map(|row| row.errors()).collect();
        let d = Distribution::of(&errors);
        writeln!(
            text,
            "| `{function}` | {} | {:.2} | {:.2} | {:.2} | {bound} |",
            rows.len(),
            d.mean,
            d.p99,
            d.max
        )
        .unwrap();
    }
    text.push('\n');
    let study = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/accuracy/elliptic_study.md");
    text += &std::fs::read_to_string(study).unwrap();
    text.push('\n');
    text
}

pub(crate) fn elliptic_functions() -> String {
    let mut text = String::from(
        "## Elliptic functions\n\n\
         On the 310 rows of `oracle/special_A.json` (40 digits). *Relative*: error divided by the \
         value. *Conditioned*: divided by |f| + the sum of |x df/dx| over the arguments x, which is \
         what a rounding of value and arguments amounts to; the bound is for this one. Arguments \
         are complementary, mc = (1-k)(1+k) and nc = 1-n, each rounded, and u and phi go up to \
         1000.\n\n\
         | function | rows | relative: mean | P99 | max | conditioned: mean | P99 | max | bound |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for e in special_function_errors() {
        let (r, c) = (Distribution::of(&e.relative), Distribution::of(&e.conditioned));
        writeln!(
            text,
            "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
            e.name,
            e.relative.len(),
            r.mean,
            r.p99,
            r.max,
            c.mean,
            c.p99,
            c.max,
            e.bound
        )
        .unwrap();
    }
    text.push('\n');
    text += &regions();
    text
}

pub(crate) fn oracle() -> String {
    let mut text = String::from(
        "## Free motion on the oracle\n\n\
         The 227 cases of `oracle/free_A.json` and the 30 of `oracle/long_A.json` (phases of 1e4 \
         to 1e9 rad), by the first word of their name.\n\n\
         | cases | number | momentum: mean | max | attitude: mean | max |\n\
         |---|---:|---:|---:|---:|---:|\n",
    );
    let mut groups: BTreeMap<String, Vec<Error>> = BTreeMap::new();
    for case in free_cases().iter().chain(long_cases()) {
        groups.entry(group(case)).or_default().push(error(
            case.inertia,
            case.momentum0,
            case.quaternion0,
            case.t,
            (case.momentum, case.quaternion),
        ));
    }
    let all: Vec<Error> = groups.values().flatten().copied().collect();
    for (name, errors) in groups.iter().chain([(&"**all**".to_string(), &all)]) {
        let of = |part: fn(&Error) -> f64| {
            Distribution::of(&errors.iter().map(part).collect::<Vec<_>>())
        };
        let (m, q) = (of(|e| e.momentum), of(|e| e.attitude));
        writeln!(
            text,
            "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
            errors.len(),
            m.mean,
            m.max,
            q.mean,
            q.max
        )
        .unwrap();
    }
    text.push('\n');
    text
}

/// The name up to its first digit, sign or underscore.
fn group(case: &FreeCase) -> String {
    if case.name.starts_with("long") {
        let phase = case.name.rsplit("phase").next().expect("named by its phase");
        return format!("long, {phase} rad");
    }
    case.name.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default().to_string()
}
