//! Series as strokes and marks within a frame.

use crate::canvas::{Area, Pixel, PixelRectangle, PlotResult, disc, path, polygon};
use crate::data::{LineStyle, Mark, Style};
use plotters::style::RGBColor;

/// Half the size of a mark, in pixels.
const MARK: f64 = 3.8;
/// Beyond this many frames from the frame a place is as good as infinitely far.
const FAR: f64 = 1e6;

/// Draws places given as shares of the frame; `None` is a gap.
pub(crate) fn draw(
    area: &Area,
    frame: PixelRectangle,
    shares: &[Option<[f64; 2]>],
    style: Style,
    colour: RGBColor,
) -> PlotResult {
    let runs = shares.split(Option::is_none).filter(|run| !run.is_empty());
    for run in runs {
        let places: Vec<[f64; 2]> =
            run.iter().flatten().map(|p| p.map(|v| v.clamp(-FAR, FAR))).collect();
        if style.line != LineStyle::None {
            for piece in clipped(&places) {
                let pixels: Vec<Pixel> = piece.into_iter().map(|p| frame.at(p)).collect();
                path(area, &thinned(&pixels), colour, style.width, style.line)?;
            }
        }
        // A run of one point has no line to be seen by.
        let lone = (places.len() == 1 && style.line != LineStyle::None).then_some(Mark::Dot);
        if let Some(mark) = style.mark.or(lone) {
            marks(area, frame, &places, mark, colour)?;
        }
    }
    Ok(())
}

fn marks(
    area: &Area,
    frame: PixelRectangle,
    places: &[[f64; 2]],
    mark: Mark,
    colour: RGBColor,
) -> PlotResult {
    let inside = places.iter().filter(|p| p.iter().all(|v| (-1e-9..=1.0 + 1e-9).contains(v)));
    let mut pixels: Vec<Pixel> =
        inside.map(|&p| frame.at(p).map(|v| (2.0 * v).round() / 2.0)).collect();
    pixels.dedup();
    pixels.into_iter().try_for_each(|place| draw_mark(area, place, mark, colour))
}

pub(crate) fn draw_mark(area: &Area, [x, y]: Pixel, mark: Mark, colour: RGBColor) -> PlotResult {
    let r = MARK;
    match mark {
        Mark::Circle => disc(area, [x, y], r, colour),
        Mark::Dot => disc(area, [x, y], 1.5, colour),
        Mark::Square => {
            let s = 0.9 * r;
            polygon(area, &[[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]], colour)
        }
        Mark::Triangle => {
            let (s, low) = (1.15 * r, 0.75 * r);
            polygon(area, &[[x, y - 1.2 * r], [x + s, y + low], [x - s, y + low]], colour)
        }
        Mark::Diamond => {
            let s = 1.25 * r;
            polygon(area, &[[x, y - s], [x + s, y], [x, y + s], [x - s, y]], colour)
        }
        Mark::Cross => {
            let s = 0.95 * r;
            path(area, &[[x - s, y - s], [x + s, y + s]], colour, 1.8, LineStyle::Solid)?;
            path(area, &[[x - s, y + s], [x + s, y - s]], colour, 1.8, LineStyle::Solid)
        }
    }
}

/// The parts of a line that lie within the unit square.
pub(crate) fn clipped(places: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
    let mut pieces: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut open = false;
    for pair in places.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let Some((start, end)) = within(from, to) else {
            open = false;
            continue;
        };
        let at = |s: f64| [0, 1].map(|i| from[i] + s * (to[i] - from[i]));
        let first = if start == 0.0 { from } else { at(start) };
        let last = if end == 1.0 { to } else { at(end) };
        match pieces.last_mut() {
            Some(piece) if open => piece.push(last),
            _ => pieces.push(vec![first, last]),
        }
        open = end == 1.0;
    }
    pieces
}

/// From which to which share of a segment it lies within the unit square.
fn within(from: [f64; 2], to: [f64; 2]) -> Option<(f64, f64)> {
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for i in 0..2 {
        let step = to[i] - from[i];
        if step == 0.0 {
            if !(0.0..=1.0).contains(&from[i]) {
                return None;
            }
            continue;
        }
        let (a, b) = (-from[i] / step, (1.0 - from[i]) / step);
        start = start.max(a.min(b));
        end = end.min(a.max(b));
    }
    (start <= end).then_some((start, end))
}

/// Without the points nobody sees: of those in one column of half a pixel, the first, the lowest,
/// the highest and the last are kept, so that a dense oscillation keeps its envelope.
fn thinned(pixels: &[Pixel]) -> Vec<Pixel> {
    #[expect(clippy::cast_possible_truncation)] // a place on the page
    let column = |p: &Pixel| (p[0] * 2.0).round() as i64;
    let mut kept = Vec::new();
    for group in pixels.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 {
            kept.extend_from_slice(group);
            continue;
        }
        let by_height = |i: &usize, j: &usize| group[*i][1].total_cmp(&group[*j][1]);
        let lowest = (0..group.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut chosen = [0, lowest.min(highest), lowest.max(highest), group.len() - 1].to_vec();
        chosen.dedup();
        kept.extend(chosen.into_iter().map(|i| group[i]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_frame() {
        let pieces = clipped(&[[-1.0, 0.5], [0.5, 0.5], [0.5, 2.0], [0.75, 2.0], [0.75, 0.0]]);
        assert_eq!(
            pieces,
            [vec![[0.0, 0.5], [0.5, 0.5], [0.5, 1.0]], vec![[0.75, 1.0], [0.75, 0.0]],]
        );
        assert!(clipped(&[[2.0, 2.0], [3.0, 3.0]]).is_empty());
        assert!(clipped(&[[0.5, 0.5]]).is_empty());
    }

    #[test]
    fn thinning_keeps_the_envelope() {
        let dense: Vec<Pixel> = (0..10_000)
            .map(|i| {
                let x = f64::from(i) * 0.01;
                [x, (f64::from(i) * 2.1).sin() * 50.0]
            })
            .collect();
        let thin = thinned(&dense);
        assert!(thin.len() < 1000, "{}", thin.len());
        let peak = |points: &[Pixel]| points.iter().map(|p| p[1]).fold(0.0, f64::max);
        assert_eq!(peak(&dense), peak(&thin));
        assert_eq!(dense[0], thin[0]);
        assert_eq!(dense.last(), thin.last());
    }
}
