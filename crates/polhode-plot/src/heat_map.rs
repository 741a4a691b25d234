//! Values on a grid as colours.

use crate::canvas::{
    Anchor, Area, Lettering, Pixel, PixelRectangle, PlotResult, outline, rectangle, write,
};
use crate::chart::{axes, snapped, title};
use crate::data::{Axis, HeatMap};
use crate::palette::{INK, LEVELS, level, level_colour};
use crate::ruler::Ruler;
use crate::text::{printable, shortened, width};

/// Width of the colour bar.
const BAR: f64 = 14.0;

pub(crate) fn draw(area: &Area, cell: PixelRectangle, map: &HeatMap) -> PlotResult {
    let cell = title(area, cell, &map.title)?;
    let mut shades = Axis::linear(map.label.clone());
    shades.range = map.range;
    let scale = shades_ruler(&shades, map, cell.height);
    let caption = scale.caption(&map.label);
    let widest = scale.ticks.iter().map(|t| width(&t.label)).fold(1.0, f64::max);
    let room = BAR + 12.0 + 13.0 * widest + if caption.is_empty() { 4.0 } else { 24.0 };
    let x = Ruler::new(&map.x, std::iter::empty(), (cell.width - room) / 75.0);
    let y = Ruler::new(&map.y, std::iter::empty(), cell.height / 42.0);
    let inner = PixelRectangle { width: cell.width - room - 6.0, ..cell };
    let frame = axes(area, inner, [&x, &y], [&map.x.label, &map.y.label])?;
    cells(area, frame, map, &scale)?;
    outline(area, frame, INK, 1.0)?;
    bar(area, frame, cell, &scale, &caption)
}

/// The whole range of the data without a margin.
fn shades_ruler(shades: &Axis, map: &HeatMap, height: f64) -> Ruler {
    let finite = map.values.iter().copied().filter(|v| v.is_finite());
    let ends = finite.fold(None, |seen: Option<[f64; 2]>, v| {
        let [low, high] = seen.unwrap_or([v, v]);
        Some([low.min(v), high.max(v)])
    });
    let mut shades = shades.clone();
    shades.range = shades.range.or(ends);
    Ruler::new(&shades, map.values.iter().copied(), height / 42.0)
}

fn cells(area: &Area, frame: PixelRectangle, map: &HeatMap, scale: &Ruler) -> PlotResult {
    if map.columns == 0 {
        return Ok(());
    }
    let rows = map.values.len() / map.columns;
    let mut runs = Vec::new();
    for (index, row) in map.values.chunks_exact(map.columns).enumerate() {
        let heights = [index, index + 1].map(|i| i as f64 / rows as f64);
        let levels: Vec<Option<u32>> =
            row.iter().map(|&v| v.is_finite().then(|| level(scale.share(v)))).collect();
        let mut column = 0;
        // Neighbours of one colour are one rectangle: the file is several times smaller.
        for run in levels.chunk_by(|a, b| a == b) {
            let sides = [column, column + run.len()].map(|c| c as f64 / map.columns as f64);
            column += run.len();
            if let Some(level) = run[0] {
                runs.push((level, [[sides[0], heights[1]], [sides[1], heights[0]]]));
            }
        }
    }
    // All of one colour follow each other, and become one path.
    runs.sort_by_key(|(level, _)| *level);
    let mut fill = |(level, corners)| rectangle(area, meeting(frame, corners), level_colour(level));
    runs.into_iter().try_for_each(&mut fill)
}

/// A rectangle of the frame in whole units, so that neighbours meet.
fn meeting(frame: PixelRectangle, corners: [[f64; 2]; 2]) -> [Pixel; 2] {
    corners.map(|c| frame.at(c).map(snapped))
}

fn bar(
    area: &Area,
    frame: PixelRectangle,
    cell: PixelRectangle,
    scale: &Ruler,
    caption: &str,
) -> PlotResult {
    let bar = PixelRectangle { left: frame.right() + 14.0, width: BAR, ..frame };
    for level in 0..LEVELS {
        let heights = [level, level + 1].map(|l| f64::from(l) / f64::from(LEVELS));
        let corners = [[0.0, heights[1]], [1.0, heights[0]]];
        rectangle(area, meeting(bar, corners), level_colour(level))?;
    }
    outline(area, bar, INK, 0.75)?;
    for tick in &scale.ticks {
        let [right, height] = bar.at([1.0, scale.share(tick.value)]);
        let letters = Lettering::new(13.0, Anchor::Left);
        write(area, &tick.label, [right + 5.0, height], letters)?;
    }
    let letters = Lettering { upwards: true, ..Lettering::new(14.0, Anchor::Centre) };
    let caption = shortened(&printable(caption), (cell.height - 8.0) / 14.0);
    write(area, &caption, [cell.right() - 9.0, frame.top + 0.5 * frame.height], letters)
}
