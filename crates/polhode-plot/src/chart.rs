//! Charts: axes by plotters' mesh, series by our own strokes.

use plotters::chart::ChartBuilder;
use plotters::style::ShapeStyle;

use crate::canvas::{
    Anchor, Area, Lettering, PixelRectangle, PlotResult, UNITS, length, outline, path, stroke,
    units, write,
};
use crate::curve;
use crate::data::{Chart, LineStyle};
use crate::palette::{FAINT, GRID, INK, colour};
use crate::reference;
use crate::ruler::{Ruler, showable};
use crate::text::{printable, shortened, width};

const NUMBERS: f64 = 13.0;
const WORDS: f64 = 14.0;
const TITLE: f64 = 15.0;
const TITLE_ROOM: f64 = 26.0;

pub(crate) fn draw(area: &Area, cell: PixelRectangle, chart: &Chart) -> PlotResult {
    let cell = title(area, cell, &chart.title)?;
    // A point counts for the range of one axis only if the other can show it too.
    let points = chart.series.iter().flat_map(|s| s.points.iter().map(|p| s.raised(*p)));
    let shown: Vec<[f64; 2]> =
        points.filter(|p| showable(p[0], chart.x.scale) && showable(p[1], chart.y.scale)).collect();
    let values = |i: usize| shown.iter().map(move |p| p[i]);
    let x = Ruler::new(&chart.x, values(0), cell.width / 75.0);
    let y = Ruler::new(&chart.y, values(1), cell.height / 42.0);
    let frame = axes(area, cell, [&x, &y], [&chart.x.label, &chart.y.label])?;
    let mut labels = Vec::new();
    for &exponent in &chart.slopes {
        reference::draw(area, frame, [&x, &y], chart, exponent, &mut labels)?;
    }
    for (index, series) in chart.series.iter().enumerate() {
        let (every, last) = (series.every.max(1), series.points.len().saturating_sub(1));
        let drawn = series.points.iter().enumerate().filter(|(i, _)| i % every == 0 || *i == last);
        let shares: Vec<Option<[f64; 2]>> = drawn
            .map(|(_, p)| series.raised(*p))
            .map(|p| (x.shows(p[0]) && y.shows(p[1])).then(|| [x.share(p[0]), y.share(p[1])]))
            .collect();
        let ink = colour(series.style.colour.unwrap_or(index));
        curve::draw(area, frame, &shares, series.style, ink)?;
    }
    outline(area, frame, INK, 1.0)
}

/// Writes the title and returns what is left of the cell.
pub(crate) fn title(area: &Area, cell: PixelRectangle, text: &str) -> PlotResult<PixelRectangle> {
    if text.is_empty() {
        return Ok(cell);
    }
    let letters = Lettering { bold: true, ..Lettering::new(TITLE, Anchor::Centre) };
    // Bold letters are wider than the estimate for plain ones.
    let text = shortened(text, cell.width / TITLE / 1.06);
    write(area, &text, [cell.left + 0.5 * cell.width, cell.top + 0.5 * TITLE_ROOM - 2.0], letters)?;
    Ok(PixelRectangle { top: cell.top + TITLE_ROOM, height: cell.height - TITLE_ROOM, ..cell })
}

/// Draws grid, ticks and labels; the frame of the plot is what remains.
pub(crate) fn axes(
    area: &Area,
    cell: PixelRectangle,
    [x, y]: [&Ruler; 2],
    [x_label, y_label]: [&str; 2],
) -> PlotResult<PixelRectangle> {
    let (x_caption, y_caption) = (x.caption(x_label), y.caption(y_label));
    let widest = y.ticks.iter().map(|t| width(&t.label)).fold(1.0, f64::max);
    let left = NUMBERS * widest + 12.0 + if y_caption.is_empty() { 0.0 } else { 22.0 };
    let bottom = 26.0 + if x_caption.is_empty() { 0.0 } else { 20.0 };
    // Half of the last label of the horizontal axis stands beyond the frame.
    let right = x.ticks.last().map_or(8.0, |t| 0.5 * NUMBERS * width(&t.label)).max(10.0);
    let top = 8.0;
    let frame = PixelRectangle {
        left: cell.left + left,
        top: cell.top + top,
        width: (cell.width - left - right).max(20.0),
        height: (cell.height - top - bottom).max(20.0),
    };
    let place = area
        .clone()
        .shrink((units(frame.left), units(frame.top)), (length(frame.width), length(frame.height)));
    let mut mesh = ChartBuilder::on(&place).build_cartesian_2d(x.clone(), y.clone())?;
    let faint: ShapeStyle = stroke(FAINT, 0.75);
    mesh.configure_mesh()
        .bold_line_style(stroke(GRID, 1.0))
        .light_line_style(faint)
        .disable_axes()
        .draw()?;
    ticks(area, frame, [x, y])?;
    let words = Lettering::new(WORDS, Anchor::Centre);
    let x_caption = shortened(&printable(&x_caption), (cell.width - 8.0) / WORDS);
    let y_caption = shortened(&printable(&y_caption), (cell.height - 8.0) / WORDS);
    // Centred on the plot, but moved so far that neither end leaves the cell.
    let half = 0.5 * WORDS * width(&x_caption);
    let middle = (frame.left + 0.5 * frame.width).min(cell.right() - half).max(cell.left + half);
    write(area, &x_caption, [middle, cell.bottom() - 11.0], words)?;
    let half = 0.5 * WORDS * width(&y_caption);
    let middle = (frame.top + 0.5 * frame.height).max(cell.top + half).min(cell.bottom() - half);
    let upwards = Lettering { upwards: true, ..words };
    write(area, &y_caption, [cell.left + 10.0, middle], upwards)?;
    Ok(frame)
}

fn ticks(area: &Area, frame: PixelRectangle, [x, y]: [&Ruler; 2]) -> PlotResult {
    let visible = |share: f64| (-1e-6..=1.0 + 1e-6).contains(&share);
    for tick in x.ticks.iter().filter(|t| visible(x.share(t.value))) {
        let [left, bottom] = frame.at([x.share(tick.value), 0.0]);
        path(area, &[[left, bottom], [left, bottom + 4.0]], INK, 1.0, LineStyle::Solid)?;
        let letters = Lettering::new(NUMBERS, Anchor::Centre);
        write(area, &tick.label, [left, bottom + 15.0], letters)?;
    }
    for tick in y.ticks.iter().filter(|t| visible(y.share(t.value))) {
        let [left, height] = frame.at([0.0, y.share(tick.value)]);
        path(area, &[[left - 4.0, height], [left, height]], INK, 1.0, LineStyle::Solid)?;
        let letters = Lettering::new(NUMBERS, Anchor::Right);
        write(area, &tick.label, [left - 7.0, height], letters)?;
    }
    Ok(())
}

/// A whole number of units, so that neighbouring rectangles meet.
pub(crate) fn snapped(pixels: f64) -> f64 {
    (pixels * UNITS).round() / UNITS
}
