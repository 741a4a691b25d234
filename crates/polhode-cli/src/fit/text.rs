//! What was found, for a reader.

use std::io::{self, Write};

use polhode_fit::{Estimate, Fit};

use super::FitFindings;
use crate::numbers::shortest;

pub(super) fn write(out: &mut impl Write, findings: &FitFindings) -> io::Result<()> {
    let FitFindings { table, fit, .. } = findings;
    let times = &table.samples.times;
    writeln!(out, "{}", table.name)?;
    let [first, last] = [times[0], times[times.len() - 1]].map(shortest);
    writeln!(out, "  {} rows, t = {first} .. {last}", times.len())?;
    writeln!(out, "  columns: {}", table.columns)?;
    if table.skipped > 0 {
        writeln!(out, "  rows left out because something is missing: {}", table.skipped)?;
    }
    if let Some(note) = &table.note {
        writeln!(out, "  {note}")?;
    }
    writeln!(out)?;
    body(out, fit)?;
    start(out, fit)?;
    quality(out, fit)?;
    predictions(out, findings)?;
    for open in &fit.undetermined {
        writeln!(out, "not determined: {open}")?;
    }
    if let Some([a, b]) = fit.mirrored {
        writeln!(
            out,
            "if the columns were left-handed (two exchanged, or one of the wrong sign): I1/I3 = {a:.6}, I2/I3 = \
             {b:.6}; a gyro alone cannot tell"
        )?;
    }
    writeln!(out)?;
    for doubt in &fit.doubts {
        writeln!(out, "doubtful: {doubt}")?;
    }
    if fit.doubts.is_empty() {
        writeln!(out, "good: nothing but noise is left")?;
    }
    Ok(())
}

/// A number with its deviation, to the digits that mean something.
fn with_deviation(value: f64, deviation: f64) -> String {
    if deviation.is_infinite() {
        return "not determined".into();
    }
    if deviation == 0.0 {
        return shortest(value);
    }
    let size = value.abs().max(deviation);
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.6e} ± {deviation:.1e}");
    }
    // Two digits of the deviation.
    let digits = (1.0 - deviation.log10().floor()).clamp(0.0, 15.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 15")]
    let digits = digits as usize;
    format!("{value:.digits$} ± {deviation:.digits$}")
}

fn line(out: &mut impl Write, estimate: &Estimate) -> io::Result<()> {
    let name = &estimate.name;
    writeln!(out, "  {name:<20} {}", with_deviation(estimate.value, estimate.deviation))
}

fn body(out: &mut impl Write, fit: &Fit) -> io::Result<()> {
    writeln!(out, "body")?;
    for estimate in &fit.estimates[..2] {
        line(out, estimate)?;
    }
    for estimate in ["I1", "I2", "I3"].into_iter().filter_map(|name| fit.get(name)) {
        line(out, estimate)?;
    }
    for (i, axis) in fit.axes.iter().enumerate() {
        let [x, y, z] = axis.map(|x| format!("{x:9.6}"));
        // A turn about one axis moves the other two: an axis is known as well as the worse of both.
        let others: Vec<f64> =
            (0..3).filter(|j| *j != i).map(|j| fit.estimates[2 + j].deviation).collect();
        let known = others.iter().copied().fold(0.0, f64::max);
        let known = if known.is_infinite() {
            "direction not determined".to_owned()
        } else {
            format!("within {known:.1e} rad")
        };
        writeln!(out, "  axis of I{}           {x} {y} {z}   {known}", i + 1)?;
    }
    // Of which axis it goes about, nothing is known without the ratios.
    let known = fit.estimates[..2].iter().all(|e| e.deviation.is_finite());
    let regime = if known { fit.regime.name() } else { "not determined" };
    writeln!(out, "  the momentum         {regime}")
}

fn start(out: &mut impl Write, fit: &Fit) -> io::Result<()> {
    writeln!(out, "state at t = {}", shortest(fit.epoch))?;
    for estimate in &fit.estimates[5..8] {
        line(out, estimate)?;
    }
    if let Some([w, x, y, z]) = fit.attitude {
        writeln!(out, "  attitude (w,x,y,z)   {w:.8} {x:.8} {y:.8} {z:.8}")?;
        let each = ["attitude.x", "attitude.y", "attitude.z"].map(|name| fit.get(name));
        let worst = each.into_iter().flatten().map(|e| e.deviation).fold(0.0, f64::max);
        writeln!(out, "                       {}", within(worst))?;
    }
    let others = fit.estimates.iter().skip(8).filter(|e| !e.name.starts_with("attitude"));
    // The numbers of the torque follow the moments that it tells.
    let moments = ["I1", "I2", "I3"];
    let mut parts = others.collect::<Vec<_>>();
    let torque = parts.iter().position(|e| e.name == moments[0]);
    let torque = torque.map(|at| parts.split_off(at)[moments.len()..].to_vec()).unwrap_or_default();
    for (title, estimates) in [("sensor", parts), ("torque", torque)] {
        if !estimates.is_empty() {
            writeln!(out, "{title}")?;
        }
        for estimate in estimates {
            line(out, estimate)?;
        }
    }
    Ok(())
}

/// How well an attitude is known.
fn within(angle: f64) -> String {
    if angle.is_infinite() {
        "one turn of it is not determined".into()
    } else {
        format!("within {angle:.1e} rad")
    }
}

fn quality(out: &mut impl Write, fit: &Fit) -> io::Result<()> {
    writeln!(out, "fit")?;
    let given = if fit.noise_given { "given" } else { "estimated" };
    if let Some([x, y, z]) = fit.gyro_noise {
        writeln!(out, "  noise of the gyro    {x:.3e} {y:.3e} {z:.3e} ({given})")?;
    }
    if let Some(x) = fit.attitude_noise {
        writeln!(out, "  noise of attitude    {x:.3e} rad ({given})")?;
    }
    if let Some(x) = fit.direction_noise {
        writeln!(out, "  noise of directions  {x:.3e} ({given})")?;
    }
    if fit.noise_given {
        let (reduced, degrees) = (fit.reduced_chi_square(), fit.degrees);
        writeln!(out, "  chi-square           {reduced:.4} per degree of freedom ({degrees})")?;
    }
    if let Some(weak) = &fit.weak {
        let values = weak.singular_values.map(|x| format!("{x:.2e}")).join(" ");
        writeln!(
            out,
            "  in windows of data   {} of the 5 ratios of the inertia stand out",
            weak.shown()
        )?;
        writeln!(out, "    singular values    {values}, of which noise makes {:.2e}", weak.noise)?;
    }
    for rival in &fit.rivals {
        let [a, b] = rival.ratios;
        writeln!(
            out,
            "  rival                I1/I3 = {a:.5}, I2/I3 = {b:.5}, {}: {:.1} less in log-likelihood",
            rival.regime.name(),
            rival.less
        )?;
    }
    Ok(())
}

fn predictions(out: &mut impl Write, findings: &FitFindings) -> io::Result<()> {
    for (t, there) in findings.times.iter().zip(&findings.predictions) {
        let [x, y, z] = [0, 1, 2].map(|i| with_deviation(there.omega[i], there.omega_deviation[i]));
        writeln!(out, "at t = {}: omega {x}, {y}, {z}", shortest(*t))?;
        if let Some([w, x, y, z]) = there.attitude {
            let worst = there.attitude_deviation.iter().copied().fold(0.0, f64::max);
            writeln!(out, "  attitude {w:.6} {x:.6} {y:.6} {z:.6}, {}", within(worst))?;
        }
    }
    Ok(())
}
