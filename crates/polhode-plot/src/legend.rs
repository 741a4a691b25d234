//! Names of the series, with a piece of each.

use crate::canvas::{Anchor, Area, Lettering, PixelRectangle, PlotResult, path, write};
use crate::curve::draw_mark;
use crate::data::{LineStyle, Panel, Style};
use crate::palette::colour;
use crate::text::{shortened, width};

const SIZE: f64 = 13.0;
const ROW: f64 = 19.0;
const SAMPLE: f64 = 28.0;
const GAP: f64 = 16.0;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LegendEntry {
    name: String,
    style: Style,
    colour: usize,
}

/// The entries of a panel.
pub(crate) fn entries(panel: &Panel) -> Vec<LegendEntry> {
    let named: Vec<(&str, Style)> = match panel {
        Panel::Chart(c) => {
            let listed = c.series.iter().map(|s| (if s.unlisted { "" } else { &s.name }, s.style));
            listed.collect()
        }
        Panel::Sphere(s) => s.curves.iter().map(|c| (c.name.as_str(), c.style)).collect(),
        Panel::HeatMap(_) => Vec::new(),
    };
    named
        .into_iter()
        .enumerate()
        .filter(|(_, (name, _))| !name.is_empty())
        .map(|(index, (name, style))| LegendEntry {
            name: name.to_owned(),
            style,
            colour: style.colour.unwrap_or(index),
        })
        .collect()
}

/// Rows of entries that fit into a width.
fn rows(entries: &[LegendEntry], limit: f64) -> Vec<Vec<(&LegendEntry, f64)>> {
    let mut rows: Vec<Vec<(&LegendEntry, f64)>> = Vec::new();
    let mut used = f64::INFINITY;
    for entry in entries {
        let wide = SAMPLE + 6.0 + SIZE * width(&shortened(&entry.name, longest(limit))) + GAP;
        if used + wide - GAP > limit {
            rows.push(Vec::new());
            used = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((entry, wide));
        }
        used += wide;
    }
    rows
}

fn longest(limit: f64) -> f64 {
    (limit - SAMPLE - 6.0) / SIZE
}

/// How much room the legend needs below a panel this wide.
pub(crate) fn height(entries: &[LegendEntry], limit: f64) -> f64 {
    let rows = rows(entries, limit).len();
    if rows == 0 { 0.0 } else { rows as f64 * ROW + 6.0 }
}

pub(crate) fn draw(area: &Area, entries: &[LegendEntry], frame: PixelRectangle) -> PlotResult {
    for (index, row) in rows(entries, frame.width).iter().enumerate() {
        let total: f64 = row.iter().map(|(_, wide)| wide).sum::<f64>() - GAP;
        let mut x = frame.left + 0.5 * (frame.width - total);
        let y = frame.top + (index as f64 + 0.5) * ROW;
        for (entry, wide) in row {
            sample(area, entry, [x, y])?;
            let name = shortened(&entry.name, longest(frame.width));
            let letters = Lettering::new(SIZE, Anchor::Left);
            write(area, &name, [x + SAMPLE + 6.0, y], letters)?;
            x += wide;
        }
    }
    Ok(())
}

fn sample(area: &Area, entry: &LegendEntry, [x, y]: [f64; 2]) -> PlotResult {
    let colour = colour(entry.colour);
    if entry.style.line != LineStyle::None {
        let width = entry.style.width.max(1.6);
        path(area, &[[x, y], [x + SAMPLE, y]], colour, width, entry.style.line)?;
    }
    match entry.style.mark {
        Some(mark) => draw_mark(area, [x + 0.5 * SAMPLE, y], mark, colour),
        None => Ok(()),
    }
}
