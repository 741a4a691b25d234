//! Of the document, what is about many bodies.

use std::fmt::Write;

use super::number;
use crate::report::Report;

pub(super) fn write(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        out,
        "## Ensembles\n\nThe cost of a body's step of h = 0.01 on one thread, over that of a scalar `rk4` step. \
         `batchN`: `exact` in N lanes, inertia shared; `batch-own`: each body its own; the rest in the widest \
         lanes.\n\n| | ratio |\n|---|---:|"
    )?;
    let listed = |key: &str| {
        key.starts_with("batch") || key.starts_with("thread") || key.starts_with("stream")
    };
    for (key, ratio) in report.ratios.iter().filter(|(key, _)| listed(key)) {
        writeln!(out, "| `{key}` | {} |", number(*ratio))?;
    }
    writeln!(
        out,
        "\n`stream1e8`: the memory of a process that makes 1e8 bodies one after the other and steps each once. On \
         all cores, nanoseconds for a step of one body, setting up included, which is most of it where the \
         steps are few:\n\n| | ns |\n|---|---:|"
    )?;
    let listed = |key: &str| key.starts_with("bodies ") || key.starts_with("steps ");
    for (key, ns) in report.nanoseconds.iter().filter(|(key, _)| listed(key)) {
        writeln!(out, "| {key} | {ns:.1} |")?;
    }
    writeln!(
        out,
        "\nTen thousand bodies, each with its own moments, on all cores: nanoseconds a body, for one of 200 steps of \
         0.01, or for one of the times.\n\n| | ns |\n|---|---:|"
    )?;
    for (key, ns) in &report.nanoseconds {
        if let Some(use_) = key.strip_prefix("ensemble: ") {
            writeln!(out, "| {use_} | {ns:.1} |")?;
        }
    }
    writeln!(
        out,
        "\nA thousand water molecules (figure 1 of Vilmart). Peak memory is that of a process that steps so many \
         bodies once.\n\n| | |\n|---|---:|"
    )?;
    for (key, value) in &report.quantities {
        writeln!(out, "| {key} | {value:.4e} |")?;
    }
    writeln!(out)
}
