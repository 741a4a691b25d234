//! Memory of an ensemble that streams, measured in a process of its own.

use std::process::Command;

use polhode::ensemble::{BodySamples, Ensemble, Member};
use polhode::{Inertia, Plan, State};

use crate::Failure;
use crate::bodies::GENERIC;
use crate::effort::Effort;
use crate::report::Report;

/// Bodies of the smaller run that the larger one is compared with.
const FEW: u64 = 100_000;

/// Steps many bodies once, each made when it is needed and forgotten when it is done, and prints the
/// greatest number of bytes that this process had in memory.
pub(crate) fn stream(bodies: u64) -> Result<String, Failure> {
    let inertia = Inertia::principal(GENERIC.moments)?;
    let start = State::aligned(GENERIC.momentum)?;
    let source = (0..bodies).map(|i| {
        let mut start = start;
        start.m.x += 1e-9 * i as f64;
        Member { inertia, start }
    });
    // Something of every body, or the work could be left undone.
    let mut sum = 0.0;
    let mut sink = |samples: &BodySamples<'_>| {
        if samples.last {
            sum += (0..samples.len()).map(|i| samples.state(i).m.x).sum::<f64>();
        }
        Ok(())
    };
    let plan = Plan { step: 0.01, steps: 1 };
    let summary = Ensemble::new("exact")?.run(source, &plan, u64::MAX, &mut sink)?;
    if summary.failed > 0 || summary.bodies != bodies || !sum.is_finite() {
        return Err(format!("{} of {} bodies failed", summary.failed, summary.bodies).into());
    }
    peak()
}

/// As Linux counts it.
fn peak() -> Result<String, Failure> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")).ok_or("no VmHWM")?;
    Ok((kilobytes.trim().parse::<u64>()? * 1024).to_string())
}

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        report.skipped.push("stream/stream1e5: peak memory is read from Linux's /proc".into());
        return Ok(());
    }
    let many = effort.size(1_000_000, 100_000_000, 100_000_000);
    let few = child(FEW)?;
    let most = child(many)?;
    report.quantities.insert("stream: peak bytes, 1e5 bodies".into(), few);
    let zeros = many.ilog10();
    report.quantities.insert(format!("stream: peak bytes, 1e{zeros} bodies"), most);
    report.ratios.insert(format!("stream1e{zeros}/stream1e5"), most / few);
    Ok(())
}

fn child(bodies: u64) -> Result<f64, Failure> {
    let this = std::env::current_exe()?;
    let output = Command::new(this).args(["stream", &bodies.to_string()]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}
