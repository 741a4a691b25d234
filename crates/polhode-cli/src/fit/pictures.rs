//! Data, fit, residuals and likelihood as pictures.

use polhode_fit::Fit;
use polhode_plot::{Axis, Chart, Figure, LineStyle, Mark, Panel, Series};

use super::{FitFindings, text};
use crate::failure::Failure;

/// Points of a curve.
const POINTS: usize = 600;

/// More samples are drawn one in so many.
const MOST_MARKS: usize = 1500;

/// Points of a likelihood.
const PROFILE: i32 = 10;

const AXES: [&str; 3] = ["x", "y", "z"];

pub(super) fn svg(findings: &FitFindings) -> Result<String, Failure> {
    let fit = &findings.fit;
    let mut panels: Vec<Panel> = vec![motion(findings)?.into()];
    for (title, rows) in [
        ("Residuals of the angular velocity", &fit.gyro_residuals),
        ("Residuals of the attitude (rad)", &fit.attitude_residuals),
        ("Residuals of the directions", &fit.direction_residuals),
    ] {
        if !rows.is_empty() {
            panels.push(residuals(title, rows).into());
        }
    }
    for which in 0..2 {
        if let Some(chart) = likelihood(fit, which) {
            panels.push(chart.into());
        }
    }
    let described = "what was measured and what the motion that was found says";
    let figure = Figure::new(panels)
        .described(format!("Fit of {}", findings.table.name), described)
        .columns(1)
        .panel_size(760.0, 280.0);
    figure.to_svg().map_err(|e| Failure::Running(format!("the picture: {e}")))
}

/// The page with report and picture.
pub(super) fn html(findings: &FitFindings) -> Result<String, Failure> {
    let mut report = Vec::new();
    text::write(&mut report, findings)?;
    let report = String::from_utf8_lossy(&report);
    let escaped = report.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let svg = svg(findings)?;
    Ok(format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>polhode fit</title>\n\
         <style>body {{ font-family: sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }}\n\
         pre {{ overflow-x: auto }} svg {{ max-width: 100%; height: auto }}</style>\n\
         <h1>What is this body, and how does it tumble?</h1>\n<pre>{escaped}</pre>\n{svg}\n</html>\n"
    ))
}

/// The angular velocity, measured and fitted, and where it goes on with its band.
fn motion(findings: &FitFindings) -> Result<Chart, Failure> {
    let FitFindings { fit, data, table, times, .. } = findings;
    let all = &table.samples.times;
    let ends = all.iter().chain(times);
    let [first, last] =
        ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], t| [a.min(*t), b.max(*t)]);
    let grid: Vec<f64> =
        (0..=POINTS).map(|i| first + (last - first) * i as f64 / POINTS as f64).collect();
    let there = fit.predict(&grid).map_err(|e| Failure::Running(format!("the picture: {e}")))?;
    let mut chart = Chart::new(Axis::linear("t"), Axis::linear("angular velocity"))
        .title("Angular velocity: measured, fitted, and one standard deviation either way");
    for i in 0..3 {
        if let Some((times, omega)) = &data.gyro {
            let every = times.len().div_ceil(MOST_MARKS).max(1);
            let points = times.iter().zip(omega).step_by(every).map(|(t, w)| [*t, w[i]]);
            let marks = Series::new("", points).line(LineStyle::None).mark(Mark::Dot);
            chart = chart.series(marks.colour(i).unlisted());
        }
        let curve = grid.iter().zip(&there).map(|(t, p)| [*t, p.omega[i]]);
        chart = chart.series(Series::new(AXES[i], curve).colour(i));
        for sign in [-1.0, 1.0] {
            let edge = |p: &polhode_fit::Prediction| p.omega[i] + sign * p.omega_deviation[i];
            let edge = grid.iter().zip(&there).map(|(t, p)| [*t, edge(p)]);
            chart =
                chart.series(Series::new("", edge).colour(i).line(LineStyle::Dotted).unlisted());
        }
    }
    Ok(chart)
}

fn residuals(title: &str, rows: &[(f64, [f64; 3])]) -> Chart {
    let mut chart = Chart::new(Axis::linear("t"), Axis::linear("residual")).title(title);
    let every = rows.len().div_ceil(MOST_MARKS).max(1);
    for (i, name) in AXES.into_iter().enumerate() {
        let points = rows.iter().step_by(every).map(|(t, r)| [*t, r[i]]);
        chart =
            chart.series(Series::new(name, points).line(LineStyle::None).mark(Mark::Dot).colour(i));
    }
    chart
}

/// How likely other ratios are; none where nothing is determined.
fn likelihood(fit: &Fit, which: usize) -> Option<Chart> {
    let estimate = &fit.estimates[which];
    if !(estimate.deviation.is_finite() && estimate.deviation > 0.0) {
        return None;
    }
    let step = 0.4 * estimate.deviation;
    let values: Vec<f64> = (-PROFILE..=PROFILE)
        .map(|k| estimate.value + f64::from(k) * step)
        .filter(|x| *x > 0.0 && *x <= 1.0)
        .collect();
    let likelihoods = fit.profile(which, &values).ok()?;
    let points = values.iter().zip(&likelihoods).map(|(x, y)| [*x, *y]);
    let parabola = values.iter().map(|x| {
        let pull = (x - estimate.value) / estimate.deviation;
        [*x, -0.5 * pull * pull]
    });
    let chart = Chart::new(Axis::linear(&estimate.name), Axis::linear("log-likelihood"))
        .title(format!("How likely {} is, all else fitted anew", estimate.name))
        .series(Series::new("profile", points))
        .series(Series::new("from the covariance", parabola).line(LineStyle::Dashed));
    Some(chart)
}
