//! What was found, for a reader.

use std::io::{self, Write};

use polhode_verify::check::{
    Attitudes, CheckReport, CheckVerdict, Deviation, Diagnosis, Growth, Mistake, OrderPair,
    OrderVerdict, ReferenceKind, Samples, VectorFrame,
};

use super::{CheckFindings, ColumnNames, TrajectoryTable};
use crate::numbers::shortest;

pub(super) fn write(out: &mut impl Write, findings: &CheckFindings) -> io::Result<()> {
    for (table, report) in findings.tables.iter().zip(&findings.reports) {
        trajectory(out, table, report)?;
    }
    if let Some(convergence) = &findings.convergence {
        writeln!(out, "order of convergence")?;
        for pair in &convergence.pairs {
            order_pair(out, pair)?;
        }
        let seen = match (convergence.observed, convergence.verdict) {
            (Some(order), _) => format!("observed order {order:.2}"),
            (None, OrderVerdict::Rounding) => "all errors are rounding: no order to see".into(),
            (None, _) => "no order to see".into(),
        };
        let claimed = convergence.claimed.map_or(String::new(), |p| format!(", claimed {p}"));
        writeln!(out, "  {seen}{claimed}")?;
        writeln!(out)?;
    }
    for (table, report) in findings.tables.iter().zip(&findings.reports) {
        for diagnosis in &report.diagnoses {
            write_diagnosis(out, &table.name, diagnosis)?;
            remedies(out, table, &findings.columns, diagnosis)?;
            writeln!(out)?;
        }
    }
    if let Some(diagnosis) = findings.convergence.as_ref().and_then(|c| c.diagnosis.as_ref()) {
        write_diagnosis(out, "order", diagnosis)?;
        writeln!(out)?;
    }
    verdict(out, findings)
}

fn trajectory(
    out: &mut impl Write,
    table: &TrajectoryTable,
    report: &CheckReport,
) -> io::Result<()> {
    let times = &report.times;
    let [first, last] = [times[0], times[times.len() - 1]].map(shortest);
    writeln!(out, "{}", table.name)?;
    writeln!(out, "  {} rows, t = {first} .. {last}: {}", times.len(), given(&table.samples))?;
    let reference = match report.reference {
        ReferenceKind::FirstSample => "the exact motion of the free body from the first row".into(),
        ReferenceKind::Exact => "the exact motion of the free body of the scenario".into(),
        ReferenceKind::Converged { method, error, .. } => {
            format!("a converged solution ({method}, error {error:.0e})")
        }
        other => other.id().into(),
    };
    writeln!(out, "  columns: {}", table.columns)?;
    writeln!(out, "  against {reference}")?;
    if let Some(note) = &table.note {
        writeln!(out, "  {note}")?;
    }
    if report.single_precision {
        let allowance = report.allowance;
        writeln!(
            out,
            "  numbers of single precision (float32): they leave up to {allowance:.1e} open"
        )?;
    } else if let Some(digits) = table.short_digits() {
        let allowance = report.allowance;
        writeln!(out, "  numbers of {digits} digits: they leave up to {allowance:.1e} open")?;
    }
    if let Some(step) = report.equal_steps {
        writeln!(
            out,
            "  the times are rounded: they are taken as those of equal steps of {step:?}"
        )?;
    }
    writeln!(out, "  {:<26} {:>9} {:>12} {:>9}  growth", "", "largest", "at t", "at end")?;
    for (name, deviation) in [
        ("error of momentum", report.momentum),
        ("error of attitude (rad)", report.attitude),
        ("drift of energy", report.energy),
        ("drift of |momentum|", report.momentum_norm),
        ("drift of space momentum", report.spatial_momentum),
        ("attitude from a rotation", report.orthogonality),
        ("omega from I^-1 m", report.consistency),
    ] {
        if let Some(d) = deviation {
            let at = format!("{:.6}", d.at);
            let at = if at.len() > 12 { format!("{:.3e}", d.at) } else { at };
            let (max, end) = (format!("{:.2e}", d.max), format!("{:.2e}", d.end));
            let sign = if name == "drift of energy" { gained(report) } else { "" };
            writeln!(out, "  {name:<26} {max:>9} {at:>12} {end:>9}  {}{sign}", growth(&d))?;
        }
    }
    if report.sign_changes > 0 {
        let count = report.sign_changes;
        let times = if count == 1 { "once".into() } else { format!("{count} times") };
        writeln!(
            out,
            "  the quaternion changes its sign {times}; q and -q are the same attitude: no error"
        )?;
    }
    writeln!(out)
}

/// Whether energy that is not kept was gained or lost.
fn gained(report: &CheckReport) -> &'static str {
    match (report.energy.and_then(|d| d.beyond), report.energy_change) {
        (Some(_), Some(change)) if change > 0.0 => "; energy is gained",
        (Some(_), Some(change)) if change < 0.0 => "; energy is lost",
        _ => "",
    }
}

fn given(samples: &Samples) -> String {
    let frame = match samples.momentum_frame {
        VectorFrame::Body => "momentum",
        VectorFrame::Space => "momentum in space",
    };
    let attitude = samples.attitude.as_ref().map(|a| match a {
        Attitudes::Quaternions(_) => "quaternion",
        Attitudes::Matrices(_) => "matrix",
    });
    let all = [
        samples.momentum.as_ref().map(|_| frame),
        samples.omega.as_ref().map(|_| "angular velocity"),
        attitude,
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn growth(d: &Deviation) -> String {
    match d.growth {
        None => "-".into(),
        Some(Growth::Steep) => "faster than t^6: suddenly, or exponentially".into(),
        Some(Growth::Power(p)) => format!("like t^{p:.1}, {:.1e} per unit of time", d.slope),
        Some(other) => other.id().into(),
    }
}

fn order_pair(out: &mut impl Write, pair: &OrderPair) -> io::Result<()> {
    let [long, short] = pair.steps.map(shortest);
    for (name, measured) in [("momentum", pair.momentum), ("attitude", pair.attitude)] {
        if let Some(([a, b], order)) = measured {
            let order = order.map_or("-".into(), |p| format!("{p:.2}"));
            writeln!(out, "  steps {long}, {short}: {name} {a:.2e}, {b:.2e}, order {order}")?;
        }
    }
    Ok(())
}

fn write_diagnosis(out: &mut impl Write, about: &str, diagnosis: &Diagnosis) -> io::Result<()> {
    writeln!(out, "{about}: {}", diagnosis.text)
}

fn remedies(
    out: &mut impl Write,
    table: &TrajectoryTable,
    columns: &ColumnNames,
    diagnosis: &Diagnosis,
) -> io::Result<()> {
    for mistake in &diagnosis.mistakes {
        if let Some(remedy) = remedy(*mistake, &table.samples, columns) {
            writeln!(out, "  ({remedy})")?;
        }
    }
    Ok(())
}

/// How this program is told, where it is only a matter of reading.
fn remedy(mistake: Mistake, samples: &Samples, columns: &ColumnNames) -> Option<&'static str> {
    let told = columns.scalar_last;
    match mistake {
        Mistake::ScalarLast if told => None,
        Mistake::ScalarLast if columns.attitude.is_none() => {
            Some("--attitude q0,q1,q2,q3 --scalar-last says that the last of them is the scalar")
        }
        Mistake::ScalarLast => Some("--scalar-last says that the scalar stands last"),
        Mistake::ScalarFirst if told => Some("leave out --scalar-last"),
        Mistake::VectorFrame if samples.momentum.is_none() => Some(match samples.omega_frame {
            VectorFrame::Body => "--omega-frame space says so",
            VectorFrame::Space => "leave out --omega-frame space",
        }),
        Mistake::VectorFrame => Some(match samples.momentum_frame {
            VectorFrame::Body => "--momentum-frame space says so",
            VectorFrame::Space => "leave out --momentum-frame space",
        }),
        Mistake::Degrees if !columns.degrees => Some("--degrees says that omega is in degrees"),
        _ => None,
    }
}

fn verdict(out: &mut impl Write, findings: &CheckFindings) -> io::Result<()> {
    let worst = findings.reports.iter().fold(0.0, |max: f64, r| max.max(r.worst()));
    let tolerance = findings.reports.first().map_or(0.0, |r| r.tolerance);
    let claimed = findings.convergence.as_ref().filter(|c| c.claimed.is_some());
    if !findings.right {
        let why = match claimed {
            Some(c) if c.verdict == OrderVerdict::TooLow => "the order is lower than claimed",
            Some(c) if c.verdict == OrderVerdict::TooCoarse => "no order can be seen",
            _ => "",
        };
        return if why.is_empty() {
            writeln!(out, "WRONG: the error is {worst:.1e}, the tolerance {tolerance:.1e}")
        } else {
            writeln!(out, "WRONG: {why}")
        };
    }
    let unknown = findings.reports.iter().fold(0.0, |max: f64, r| max.max(r.allowance));
    match claimed.and_then(|c| Some((c.observed?, c.claimed?))) {
        Some((observed, claimed)) => writeln!(
            out,
            "right: converges to the exact motion with order {observed:.2} (claimed {claimed})"
        ),
        None if findings.reports.iter().any(|r| r.between_samples.is_some()) => {
            let between = findings.reports.iter().filter_map(|r| r.between_samples);
            let between = between.fold(0.0, f64::max);
            writeln!(
                out,
                "right but for rounding: from row to row it follows the exact motion to {between:.1e}, and all \
                 the roundings together have grown to {worst:.1e}, beyond the tolerance of {tolerance:.1e}. \
                 Shorter steps would add to it; evaluated in closed form a free body has no such error"
            )
        }
        None if unknown > tolerance => writeln!(
            out,
            "right as far as one can tell, which is to {unknown:.1e} at worst: the rounding of the numbers \
             leaves so much open (error {worst:.1e}, tolerance {tolerance:.1e})"
        ),
        None if findings.reports.iter().all(|r| r.verdict == CheckVerdict::Exact) => {
            writeln!(out, "right: exact as far as rounding lets one tell (error {worst:.1e})")
        }
        None => writeln!(out, "right: accurate to {worst:.1e} (tolerance {tolerance:.1e})"),
    }
}
