//! `.svg` of an ensemble: how its bodies are distributed at the last time.

use std::io;

use polhode::glam::DVec3;
use polhode_plot::{Axis, Chart, Figure, HeatMap, Panel, Series};

use super::bodies::BodyRow;
use super::spool::SpoolRows;
use crate::numbers::time;

/// Bars of a histogram.
const BARS: usize = 40;

/// A number of a body, and what it is.
struct Quantity<'a> {
    title: &'a str,
    label: &'a str,
    value: CloudValue,
}

enum CloudValue {
    Known(fn(&BodyRow) -> f64),
    /// What is watched, by its number.
    Watched(usize),
}

impl Quantity<'_> {
    fn of(&self, row: &BodyRow) -> f64 {
        match self.value {
            CloudValue::Known(value) => value(row),
            CloudValue::Watched(which) => row.watched[which],
        }
    }
}

/// Those of every ensemble, and what is watched.
fn quantities(watched: &[String]) -> Vec<Quantity<'_>> {
    let known = |title, label, value| Quantity { title, label, value: CloudValue::Known(value) };
    let mut all = vec![
        known("Angular velocity", "length of the angular velocity (rad per unit of time)", |row| {
            row.omega.length()
        }),
        known("Energy", "energy (units of the run)", |row| row.energy),
        known("Period of the free motion", "period (units of time)", |row| row.motion.period),
    ];
    let of_name =
        |(which, name)| Quantity { title: name, label: name, value: CloudValue::Watched(which) };
    all.extend(watched.iter().map(String::as_str).enumerate().map(of_name));
    all
}

/// The figure, from rows that are read a few times and never kept.
pub(super) fn draw(
    title: &str,
    watched: &[String],
    meta: &str,
    rows: &mut SpoolRows<BodyRow>,
) -> io::Result<String> {
    let quantities = quantities(watched);
    // Bodies that could not go on have no row of the last step.
    let mut last = (0, 0.0);
    for row in rows.all()? {
        let row = row?;
        if row.step >= last.0 {
            last = (row.step, row.t);
        }
    }
    let is_last = |row: &io::Result<BodyRow>| row.as_ref().map_or(true, |row| row.step == last.0);
    let mut count = 0_u64;
    let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; quantities.len()];
    for row in rows.all()?.filter(is_last) {
        let row = row?;
        count += 1;
        for ([low, high], quantity) in ranges.iter_mut().zip(&quantities) {
            let x = quantity.of(&row);
            if x.is_finite() {
                (*low, *high) = (low.min(x), high.max(x));
            }
        }
    }
    let mut sphere = Density::new(count);
    let mut bars = vec![[0_u64; BARS]; quantities.len()];
    for row in rows.all()?.filter(is_last) {
        let row = row?;
        sphere.take(row.state.m);
        for ((bars, range), quantity) in bars.iter_mut().zip(&ranges).zip(&quantities) {
            let x = quantity.of(&row);
            if x.is_finite() {
                let [x, low, high] = [x, range[0], range[1]].map(|x| on_axis(x, *range));
                bars[place(x, [low, high], BARS)] += 1;
            }
        }
    }
    let bodies = if count == 1 { "1 body".to_owned() } else { format!("{count} bodies") };
    let mut panels: Vec<Panel> = vec![sphere.map().into()];
    for ((bars, range), quantity) in bars.iter().zip(ranges).zip(&quantities) {
        if range[0] <= range[1] {
            panels.push(histogram(bars, range, quantity).into());
        }
    }
    let title = format!("{title}: {bodies} at t = {}", time(last.1));
    let shown: Vec<&str> = quantities.iter().map(|quantity| quantity.title).collect();
    let described = format!(
        "The density of the directions of the momenta in the bodies, on an equal-area map of the sphere; \
        histograms: {}",
        shown.join(", ")
    );
    let figure = Figure::new(panels).title(&title).described(&title, described).metadata(meta);
    figure.to_svg().map_err(io::Error::other)
}

/// The part of a range in which a number lies, of so many.
fn place(x: f64, [low, high]: [f64; 2], parts: usize) -> usize {
    if high <= low {
        return parts / 2;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the parts")]
    let part = ((x - low) / (high - low) * parts as f64) as usize;
    part.min(parts - 1)
}

/// Numbers that are all positive and of very different sizes need an axis on which ratios count.
fn is_wide([low, high]: [f64; 2]) -> bool {
    low > 0.0 && high > 30.0 * low
}

/// Where a number of this range stands on its axis.
fn on_axis(x: f64, range: [f64; 2]) -> f64 {
    if is_wide(range) { x.ln() } else { x }
}

fn histogram(bars: &[u64; BARS], [low, high]: [f64; 2], quantity: &Quantity<'_>) -> Chart {
    // Numbers that are all the same fill the middle of a range about them.
    let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
    let (low, high) = if high > low { (low, high) } else { (low - room, low + room) };
    let wide = is_wide([low, high]);
    let edge = |k: usize| {
        let share = k as f64 / BARS as f64;
        if wide { low * (high / low).powf(share) } else { low + (high - low) * share }
    };
    let mut points = vec![[low, 0.0]];
    for (k, &bar) in bars.iter().enumerate() {
        points.extend([[edge(k), bar as f64], [edge(k + 1), bar as f64]]);
    }
    points.push([high, 0.0]);
    let x = if wide { Axis::log(quantity.label) } else { Axis::linear(quantity.label) };
    Chart::new(x, Axis::linear("bodies")).title(quantity.title).series(Series::new("", points))
}

/// Directions counted in cells of equal area.
struct Density {
    columns: usize,
    rows: usize,
    cells: Vec<u64>,
    count: u64,
}

impl Density {
    /// For so many bodies: some ten in a cell, if they were spread evenly.
    fn new(count: u64) -> Self {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "6 to 30")]
        let rows = (count as f64 / 20.0).sqrt().clamp(6.0, 30.0) as usize;
        let columns = 2 * rows;
        Self { columns, rows, cells: vec![0; columns * rows], count: 0 }
    }

    fn take(&mut self, m: DVec3) {
        let Some(m) = m.try_normalize() else { return };
        let longitude = m.y.atan2(m.x).to_degrees();
        let column = place(longitude, [-180.0, 180.0], self.columns);
        let row = place(m.z, [-1.0, 1.0], self.rows);
        self.cells[row * self.columns + column] += 1;
        self.count += 1;
    }

    /// Archimedes: heights and longitudes of a sphere are an equal-area map of it.
    fn map(&self) -> HeatMap {
        let even = self.count as f64 / self.cells.len() as f64;
        let value = |&cell: &u64| if even > 0.0 { cell as f64 / even } else { f64::NAN };
        HeatMap {
            title: "Direction of the momentum in the body".into(),
            x: Axis::linear("longitude about axis 3, from axis 1 (degrees)").range(-180.0, 180.0),
            y: Axis::linear("cosine of the angle from axis 3").range(-1.0, 1.0),
            columns: self.columns,
            values: self.cells.iter().map(value).collect(),
            label: "density (1: even)".into(),
            range: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_counted_once() {
        let mut density = Density::new(1000);
        for k in 0..1000_u32 {
            let z = (f64::from(k) + 0.5) / 500.0 - 1.0;
            let angle = f64::from(k) * 2.4;
            density.take(
                DVec3::new(angle.cos(), angle.sin(), 0.0) * (1.0 - z * z).sqrt() + DVec3::Z * z,
            );
        }
        assert_eq!(density.cells.iter().sum::<u64>(), 1000);
        // A spiral of equal steps in height is spread evenly.
        assert!(density.cells.iter().filter(|&&cell| cell == 0).count() < density.cells.len() / 10);
        let map = density.map();
        let mean: f64 = map.values.iter().sum::<f64>() / map.values.len() as f64;
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!([0.0, 0.5, 1.0].map(|x| place(x, [0.0, 1.0], 4)), [0, 2, 3]);
        assert_eq!(place(7.0, [7.0, 7.0], 4), 2);
    }
}
