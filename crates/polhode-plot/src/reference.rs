//! Lines that show what an order would be.

use crate::canvas::{Anchor, Area, Lettering, Pixel, PixelRectangle, PlotResult, path, write};
use crate::data::{Chart, LineStyle, Series};
use crate::palette::REFERENCE;
use crate::ruler::Ruler;
use crate::text::{fixed, width};

/// How far a line stays from every series, as a share of the height.
const CLEAR: f64 = 0.05;

/// A line y ~ x^p where it meets no series and stays within the frame: a little below the end of
/// the series that has the nearest slope, as errors bend at large steps and level off at small ones,
/// or else below all series, or a short one anywhere between them. Where there is no such place, none.
/// `labels` are the places of those written so far.
pub(crate) fn draw(
    area: &Area,
    frame: PixelRectangle,
    rulers: [&Ruler; 2],
    chart: &Chart,
    exponent: f64,
    labels: &mut Vec<Pixel>,
) -> PlotResult {
    if !(rulers.iter().all(|r| r.is_log()) && exponent.is_finite()) {
        return Ok(());
    }
    // From the names of other lines, and so from these lines.
    let apart = |ends: &[[f64; 2]; 2]| {
        let middle = frame.at([0, 1].map(|i| 0.5 * (ends[0][i] + ends[1][i])));
        labels.iter().all(|l| (l[0] - middle[0]).abs() > 60.0 || (l[1] - middle[1]).abs() > 24.0)
    };
    let Some(ends) = place(rulers, chart, exponent, apart) else {
        return Ok(());
    };
    path(area, &ends.map(|p| frame.at(p)), REFERENCE, 1.1, LineStyle::Dashed)?;
    let text = format!("slope {}", fixed(exponent, usize::from(exponent.fract() != 0.0)));
    let letters = Lettering { colour: REFERENCE, ..Lettering::new(12.0, Anchor::Left) };
    let wide = letters.size * width(&text);
    let place = |share: f64| {
        let along = |i: usize| ends[0][i] + share * (ends[1][i] - ends[0][i]);
        let [left, height] = frame.at([along(0), along(1)]);
        let left = (left + 6.0).min(frame.right() - wide - 2.0);
        [left, (height + 11.0).min(frame.bottom() - 8.0)]
    };
    let free = |place: &Pixel| {
        let apart = |other: &Pixel| {
            (place[0] - other[0]).abs() > wide || (place[1] - other[1]).abs() > letters.size
        };
        labels.iter().all(apart)
    };
    // In the middle of the line, or as near to it as others leave room.
    let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0];
    let place = shares.map(place).into_iter().find(free).unwrap_or_else(|| place(0.5));
    write(area, &text, place, letters)?;
    labels.push(place);
    Ok(())
}

/// The ends of the line, as shares of the frame.
fn place(
    [x, y]: [&Ruler; 2],
    chart: &Chart,
    exponent: f64,
    apart: impl Fn(&[[f64; 2]; 2]) -> bool,
) -> Option<[[f64; 2]; 2]> {
    let drawn: Vec<Vec<[f64; 2]>> = chart.series.iter().map(|s| shares(s, [x, y])).collect();
    let decades = |r: &Ruler| r.ends()[1].log10() - r.ends()[0].log10();
    let rise = exponent * decades(x) / decades(y);
    let [left, right] = drawn.iter().flatten().fold([1.0_f64, 0.0_f64], |[low, high], p| {
        [low.min(p[0].max(0.0)), high.max(p[0].min(1.0))]
    });
    let fits = |ends: &[[f64; 2]; 2]| {
        ends[0][0] < ends[1][0]
            && ends.iter().all(|p| (0.01..=0.99).contains(&p[1]))
            && between(ends).all(|p| {
                drawn.iter().filter_map(|s| height(s, p[0])).all(|h| (h - p[1]).abs() > 0.8 * CLEAR)
            })
    };
    // Below the end of the series with the nearest slope.
    let off = |[outer, inner]: &[[f64; 2]; 2]| {
        ((outer[1] - inner[1]) / (outer[0] - inner[0]) - rise).abs()
    };
    let nearest = drawn.iter().flat_map(|s| ends(s)).min_by(|a, b| off(a).total_cmp(&off(b)));
    let beside = nearest.map(|[outer, inner]| {
        let range = if outer[0] > inner[0] {
            [0.5 * (left + right), right]
        } else {
            [left, 0.5 * (left + right)]
        };
        range.map(|share| [share, outer[1] + rise * (share - outer[0]) - 1.4 * CLEAR])
    });
    // Below all, the longest that fits, and rather at the end with the nearest slope.
    let below = |from: f64, to: f64| {
        let line = [[from, rise * from], [to, rise * to]];
        let room = |p: [f64; 2]| {
            let heights = drawn.iter().filter_map(move |s| height(s, p[0]));
            heights.fold(f64::INFINITY, f64::min) - p[1]
        };
        let lift = between(&line).map(room).fold(f64::INFINITY, f64::min) - CLEAR;
        line.map(|[share, height]| [share, height + lift])
    };
    let leftwards = nearest.is_some_and(|[outer, inner]| outer[0] < inner[0]);
    let lengths = [0.5, 0.4, 0.3, 0.2].map(|part| part * (right - left));
    let under = lengths.into_iter().flat_map(|length| {
        (0..=4).map(move |k| {
            let aside = 0.25 * f64::from(k) * (right - left - length);
            let from = if leftwards { left + aside } else { right - length - aside };
            [from, from + length]
        })
    });
    // Anywhere between them, short, and as near to that end as there is room.
    let target = nearest.map_or([0.5, 0.5], |[outer, _]| outer);
    let short = [0.22, 0.16, 0.11].into_iter().find_map(|length| {
        let tall = rise * length;
        let spots =
            (0..=24).flat_map(|i| (0..=24).map(move |j| [i, j].map(|n| f64::from(n) / 24.0)));
        let lines = spots.map(|[from, low]| [[from, low], [from + length, low + tall]]);
        let away = |line: &[[f64; 2]; 2]| {
            (line[0][0] + 0.5 * length - target[0]).hypot(line[0][1] + 0.5 * tall - target[1])
        };
        let free = lines.filter(|line| line[1][0] <= 0.99 && fits(line) && apart(line));
        free.min_by(|a, b| away(a).total_cmp(&away(b)))
    });
    let long = beside.into_iter().chain(under.map(|[from, to]| below(from, to)));
    long.chain(short).find(fits)
}

/// Places along a line, close to each other.
fn between(ends: &[[f64; 2]; 2]) -> impl Iterator<Item = [f64; 2]> {
    let [from, to] = *ends;
    (0..=64).map(move |k| [0, 1].map(|i| from[i] + f64::from(k) / 64.0 * (to[i] - from[i])))
}

/// The points of a series that are shown, as shares, from left to right.
fn shares(series: &Series, [x, y]: [&Ruler; 2]) -> Vec<[f64; 2]> {
    let drawn = series.points.iter().map(|p| series.raised(*p));
    let shown = drawn.filter(|p| x.shows(p[0]) && y.shows(p[1]));
    let mut shares: Vec<[f64; 2]> = shown.map(|p| [x.share(p[0]), y.share(p[1])]).collect();
    shares.sort_by(|a, b| a[0].total_cmp(&b[0]));
    shares
}

/// The height of a series at a place between its ends.
fn height(shares: &[[f64; 2]], at: f64) -> Option<f64> {
    let pair = shares.windows(2).find(|w| w[0][0] <= at && at <= w[1][0])?;
    let wide = pair[1][0] - pair[0][0];
    let part = if wide > 0.0 { (at - pair[0][0]) / wide } else { 0.0 };
    Some(pair[0][1] + part * (pair[1][1] - pair[0][1]))
}

/// The two points at the right end of a series, and at its left end; the outer one first. The same
/// slope at both ends counts for the right.
fn ends(shares: &[[f64; 2]]) -> Vec<[[f64; 2]; 2]> {
    match shares[..] {
        [first, second, .., before, last] => vec![[last, before], [first, second]],
        [first, .., last] => vec![[last, first]],
        _ => Vec::new(),
    }
}
