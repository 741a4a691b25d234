//! Charts: axes by plotters' mesh, series by our own strokes.

use plotters::chart::ChartBuilder;
use plotters::style::ShapeStyle;

use crate::canvas::{
    Anchor, Area, Drawn, Frame, Lettering, Place, UNITS, length, outline, path, stroke, units,
    write,
};
use crate::curve;
use crate::data::{Chart, Line, Series};
use crate::palette::{FAINT, GRID, INK, REFERENCE, colour};
use crate::ruler::{Ruler, showable};
use crate::text::{fixed, printable, shortened, width};

const NUMBERS: f64 = 13.0;
const WORDS: f64 = 14.0;
const TITLE: f64 = 15.0;
const TITLE_ROOM: f64 = 26.0;

pub(crate) fn draw(area: &Area, cell: Frame, chart: &Chart) -> Drawn {
    let cell = title(area, cell, &chart.title)?;
    // A point counts for the range of one axis only if the other can show it too.
    let points = chart.series.iter().flat_map(|s| &s.points);
    let shown: Vec<&[f64; 2]> =
        points.filter(|p| showable(p[0], chart.x.scale) && showable(p[1], chart.y.scale)).collect();
    let values = |i: usize| shown.iter().map(move |p| p[i]);
    let x = Ruler::new(&chart.x, values(0), cell.width / 75.0);
    let y = Ruler::new(&chart.y, values(1), cell.height / 42.0);
    let frame = axes(area, cell, [&x, &y], [&chart.x.label, &chart.y.label])?;
    let mut labels = Vec::new();
    for &exponent in &chart.slopes {
        reference(area, frame, [&x, &y], chart, exponent, &mut labels)?;
    }
    for (index, series) in chart.series.iter().enumerate() {
        let shares: Vec<Option<[f64; 2]>> = series
            .points
            .iter()
            .map(|p| (x.shows(p[0]) && y.shows(p[1])).then(|| [x.share(p[0]), y.share(p[1])]))
            .collect();
        let ink = colour(series.style.colour.unwrap_or(index));
        curve::draw(area, frame, &shares, series.style, ink)?;
    }
    outline(area, frame, INK, 1.0)
}

/// Writes the title and returns what is left of the cell.
pub(crate) fn title(area: &Area, cell: Frame, text: &str) -> Drawn<Frame> {
    if text.is_empty() {
        return Ok(cell);
    }
    let letters = Lettering { bold: true, ..Lettering::new(TITLE, Anchor::Centre) };
    // Bold letters are wider than the estimate for plain ones.
    let text = shortened(text, cell.width / TITLE / 1.06);
    write(area, &text, [cell.left + 0.5 * cell.width, cell.top + 0.5 * TITLE_ROOM - 2.0], letters)?;
    Ok(Frame { top: cell.top + TITLE_ROOM, height: cell.height - TITLE_ROOM, ..cell })
}

/// Draws grid, ticks and labels; the frame of the plot is what remains.
pub(crate) fn axes(
    area: &Area,
    cell: Frame,
    [x, y]: [&Ruler; 2],
    [x_label, y_label]: [&str; 2],
) -> Drawn<Frame> {
    let (x_caption, y_caption) = (x.caption(x_label), y.caption(y_label));
    let widest = y.ticks.iter().map(|t| width(&t.label)).fold(1.0, f64::max);
    let left = NUMBERS * widest + 12.0 + if y_caption.is_empty() { 0.0 } else { 22.0 };
    let bottom = 26.0 + if x_caption.is_empty() { 0.0 } else { 20.0 };
    // Half of the last label of the horizontal axis stands beyond the frame.
    let right = x.ticks.last().map_or(8.0, |t| 0.5 * NUMBERS * width(&t.label)).max(10.0);
    let top = 8.0;
    let frame = Frame {
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

fn ticks(area: &Area, frame: Frame, [x, y]: [&Ruler; 2]) -> Drawn {
    let visible = |share: f64| (-1e-6..=1.0 + 1e-6).contains(&share);
    for tick in x.ticks.iter().filter(|t| visible(x.share(t.value))) {
        let [left, bottom] = frame.at([x.share(tick.value), 0.0]);
        path(area, &[[left, bottom], [left, bottom + 4.0]], INK, 1.0, Line::Solid)?;
        let letters = Lettering::new(NUMBERS, Anchor::Centre);
        write(area, &tick.label, [left, bottom + 15.0], letters)?;
    }
    for tick in y.ticks.iter().filter(|t| visible(y.share(t.value))) {
        let [left, height] = frame.at([0.0, y.share(tick.value)]);
        path(area, &[[left - 4.0, height], [left, height]], INK, 1.0, Line::Solid)?;
        let letters = Lettering::new(NUMBERS, Anchor::Right);
        write(area, &tick.label, [left - 7.0, height], letters)?;
    }
    Ok(())
}

/// A line y ~ x^p over half of the chart, a little below the end of a series that has the nearest
/// slope: errors bend at large steps, and level off at small ones.
/// `labels` are the places of those written so far.
fn reference(
    area: &Area,
    frame: Frame,
    [x, y]: [&Ruler; 2],
    chart: &Chart,
    exponent: f64,
    labels: &mut Vec<Place>,
) -> Drawn {
    if !(x.is_log() && y.is_log() && exponent.is_finite()) {
        return Ok(());
    }
    let ends = chart.series.iter().flat_map(|s| ends(s, [x, y]));
    let off = |[outer, inner]: &[[f64; 2]; 2]| {
        let slope = (outer[1] - inner[1]) / (outer[0] - inner[0]);
        (slope - exponent).abs()
    };
    let Some([outer, inner]) = ends.min_by(|a, b| off(a).total_cmp(&off(b))) else {
        return Ok(());
    };
    let decades = |r: &Ruler| r.ends()[1].log10() - r.ends()[0].log10();
    let line = |share: f64| {
        let log_x = x.ends()[0].log10() + share * decades(x);
        let log_y = outer[1] + exponent * (log_x - outer[0]);
        [share, (log_y - y.ends()[0].log10()) / decades(y) - 0.07]
    };
    let (from, to) = if outer[0] > inner[0] { (0.5, 1.0) } else { (0.0, 0.5) };
    for piece in curve::clipped(&[line(from), line(to)]) {
        let places: Vec<_> = piece.iter().map(|&p| frame.at(p)).collect();
        path(area, &places, REFERENCE, 1.1, Line::Dashed)?;
        let text = format!("slope {}", fixed(exponent, usize::from(exponent.fract() != 0.0)));
        let letters = Lettering { colour: REFERENCE, ..Lettering::new(12.0, Anchor::Left) };
        let wide = letters.size * width(&text);
        let place = |share: f64| {
            let along = |i: usize| piece[0][i] + share * (piece[1][i] - piece[0][i]);
            let [left, height] = frame.at([along(0), along(1)]);
            let left = (left + 6.0).min(frame.right() - wide - 2.0);
            [left, (height + 11.0).min(frame.bottom() - 8.0)]
        };
        let free = |place: &Place| {
            let apart = |other: &Place| {
                (place[0] - other[0]).abs() > wide || (place[1] - other[1]).abs() > letters.size
            };
            labels.iter().all(apart)
        };
        // In the middle of the line, or as near to it as others leave room.
        let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0];
        let place = shares.map(place).into_iter().find(free).unwrap_or_else(|| place(0.5));
        write(area, &text, place, letters)?;
        labels.push(place);
    }
    Ok(())
}

/// Logarithms of the two points at the right end of a series, and at its left end; the outer one
/// first. The same slope at both ends counts for the right.
fn ends(series: &Series, [x, y]: [&Ruler; 2]) -> Vec<[[f64; 2]; 2]> {
    let shown = series.points.iter().filter(|p| x.shows(p[0]) && y.shows(p[1]));
    let mut logs: Vec<[f64; 2]> = shown.map(|p| p.map(f64::log10)).collect();
    logs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    match logs[..] {
        [first, second, .., before, last] => vec![[last, before], [first, second]],
        [first, .., last] => vec![[last, first]],
        _ => Vec::new(),
    }
}

/// A whole number of units, so that neighbouring rectangles meet.
pub(crate) fn snapped(pixels: f64) -> f64 {
    (pixels * UNITS).round() / UNITS
}
