//! The step for engines.

use std::fmt::Write;

use crate::engines::COUNTED;
use crate::report::Report;

pub(super) fn write(out: &mut String, report: &Report) -> std::fmt::Result {
    let Some(first) = report.nanoseconds.get(COUNTED[0]) else { return Ok(()) };
    writeln!(
        out,
        "## A step for engines\n\n`polhode-step` beside the gyroscopic steps of engines (`polhode-testkit`, module \
         `engines`), with the integration of the rotation, for a body that turns by a sixteenth of a radian in a \
         step. See [engines.md](engines.md).\n"
    )?;
    writeln!(out, "| step | ns | of `{}` |\n|---|---|---|", COUNTED[0])?;
    let engines = report.nanoseconds.iter().filter(|(name, _)| name.starts_with("engine: "));
    let ours = COUNTED.iter().filter_map(|name| Some((*name, report.nanoseconds.get(*name)?)));
    for (name, time) in engines.map(|(name, time)| (name.as_str(), time)).chain(ours) {
        writeln!(out, "| {name} | {time:.0} | {:.2} |", time / first)?;
    }
    writeln!(out)
}
