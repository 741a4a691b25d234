//! Curves on a sphere in orthographic projection.

use plotters::style::RGBColor;

use crate::canvas::{
    Anchor, Area, Lettering, Pixel, PixelRectangle, PlotResult, disc, path, ring, stroke, write,
};
use crate::chart::title;
use crate::curve::draw_mark;
use crate::data::{LineStyle, Mark, Sphere};
use crate::palette::{GRID, INK, PAPER, REFERENCE, colour};

/// How far the axes reach, in radii.
const REACH: f64 = 1.22;

pub(crate) fn draw(area: &Area, cell: PixelRectangle, sphere: &Sphere) -> PlotResult {
    let cell = title(area, cell, &sphere.title)?;
    let view = SphereView::new(cell, sphere);
    graticule(area, &view)?;
    axes(area, &view)?;
    let mut far = false;
    for (index, curve) in sphere.curves.iter().enumerate() {
        let ink = colour(curve.style.colour.unwrap_or(index));
        let runs = curve.points.split(|p| !p.iter().all(|v| v.is_finite()));
        for run in runs.filter(|run| !run.is_empty()) {
            for (hidden, places) in view.pieces(run) {
                let (width, line) = if curve.style.line == LineStyle::None {
                    (curve.style.width, LineStyle::None)
                } else if hidden {
                    far = true;
                    (0.6 * curve.style.width, LineStyle::Dashed)
                } else {
                    (curve.style.width, curve.style.line)
                };
                path(area, &apart(&places), ink, width, line)?;
            }
            if let Some(mark) = curve.style.mark {
                view.marks(area, run, mark, ink)?;
            } else if let [lone] = run {
                let (place, _) = view.project(lone.map(|v| v / view.scale));
                disc(area, place, 2.0, ink)?;
            }
        }
    }
    ring(area, view.centre, view.radius, stroke(INK, 1.0))?;
    if far {
        // In the corner, which the sphere leaves free.
        let place = [cell.left + 4.0, cell.top + cell.height - 4.0];
        let words = Lettering { colour: REFERENCE, ..Lettering::new(12.0, Anchor::Left) };
        write(area, "dashed: far side", place, words)?;
    }
    letters(area, &view, &sphere.axes)
}

struct SphereView {
    centre: Pixel,
    /// Of the sphere, in pixels.
    radius: f64,
    /// Of the sphere, in units of the data.
    scale: f64,
    right: [f64; 3],
    up: [f64; 3],
    towards: [f64; 3],
}

impl SphereView {
    fn new(cell: PixelRectangle, sphere: &Sphere) -> Self {
        let [longitude, latitude] =
            sphere.view.map(|angle| if angle.is_finite() { angle.to_radians() } else { 0.5 });
        let ((sl, cl), (sp, cp)) = (longitude.sin_cos(), latitude.sin_cos());
        let norms = sphere.curves.iter().flat_map(|c| &c.points).map(norm);
        let largest = norms.filter(|n| n.is_finite()).fold(0.0, f64::max);
        let given = sphere.radius.filter(|r| r.is_finite() && *r > 0.0);
        let scale = given.unwrap_or(if largest > 0.0 { largest } else { 1.0 });
        Self {
            centre: [cell.left + 0.5 * cell.width, cell.top + 0.5 * cell.height],
            radius: (0.5 * cell.width.min(cell.height) - 6.0).max(10.0) / (REACH + 0.14),
            scale,
            right: [-sl, cl, 0.0],
            up: [-sp * cl, -sp * sl, cp],
            towards: [cp * cl, cp * sl, sp],
        }
    }

    /// Where a point of the unit sphere is seen, and how far it is in front of the centre.
    fn project(&self, p: [f64; 3]) -> (Pixel, f64) {
        let place = [
            self.centre[0] + self.radius * dot(self.right, p),
            self.centre[1] - self.radius * dot(self.up, p),
        ];
        (place, dot(self.towards, p))
    }

    /// Marks at the points in front; behind, none.
    fn marks(&self, area: &Area, points: &[[f64; 3]], mark: Mark, ink: RGBColor) -> PlotResult {
        let seen = points.iter().map(|p| self.project(p.map(|v| v / self.scale)));
        let mut places: Vec<Pixel> = seen.filter(|(_, depth)| *depth >= 0.0).map(|p| p.0).collect();
        places.dedup();
        places.into_iter().try_for_each(|place| draw_mark(area, place, mark, ink))
    }

    /// Parts in front of and behind the sphere's outline.
    fn pieces(&self, points: &[[f64; 3]]) -> Vec<(bool, Vec<Pixel>)> {
        let mut pieces: Vec<(bool, Vec<Pixel>)> = Vec::new();
        let mut before: Option<(Pixel, f64)> = None;
        for point in points {
            let (place, depth) = self.project(point.map(|v| v / self.scale));
            let hidden = depth < 0.0;
            match (before, pieces.last_mut()) {
                (Some((_, earlier)), Some((_, piece))) if (earlier < 0.0) == hidden => {
                    piece.push(place);
                }
                (Some((last, earlier)), Some((_, piece))) => {
                    // The outline is crossed between the two.
                    let share = earlier / (earlier - depth);
                    let edge = [0, 1].map(|i| last[i] + share * (place[i] - last[i]));
                    piece.push(edge);
                    pieces.push((hidden, vec![edge, place]));
                }
                _ => pieces.push((hidden, vec![place])),
            }
            before = Some((place, depth));
        }
        pieces
    }
}

/// Without points that nobody tells from the one before: less than 0.7 pixels away.
fn apart(places: &[Pixel]) -> Vec<Pixel> {
    let mut kept: Vec<Pixel> = Vec::new();
    for (index, &place) in places.iter().enumerate() {
        let near = kept.last().is_some_and(|k| (k[0] - place[0]).hypot(k[1] - place[1]) < 0.7);
        if !near || index + 1 == places.len() {
            kept.push(place);
        }
    }
    kept
}

/// Meridians and parallels every 30 degrees, those in front only.
fn graticule(area: &Area, view: &SphereView) -> PlotResult {
    let degrees = |n: i32| f64::from(n).to_radians();
    let parallels = (-2..=2).map(|k| {
        let (s, c) = degrees(30 * k).sin_cos();
        (0..=72).map(|i| degrees(5 * i).sin_cos()).map(|(y, x)| [c * x, c * y, s]).collect()
    });
    let meridians = (0..12).map(|k| {
        let (y, x) = degrees(30 * k).sin_cos();
        (-18..=18).map(|i| degrees(5 * i).sin_cos()).map(|(s, c)| [c * x, c * y, s]).collect()
    });
    let unit = SphereView { scale: 1.0, ..*view };
    for circle in parallels.chain(meridians) {
        let circle: Vec<[f64; 3]> = circle;
        for (hidden, places) in unit.pieces(&circle) {
            if !hidden {
                path(area, &places, GRID, 0.75, LineStyle::Solid)?;
            }
        }
    }
    Ok(())
}

fn axes(area: &Area, view: &SphereView) -> PlotResult {
    for axis in 0..3 {
        let along = |length: f64| {
            let mut p = [0.0; 3];
            p[axis] = length;
            view.project(p)
        };
        let ((foot, depth), (tip, _)) = (along(1.0), along(REACH));
        let line = if depth < 0.0 { LineStyle::Dotted } else { LineStyle::Solid };
        path(area, &[foot, tip], REFERENCE, 1.2, line)?;
    }
    Ok(())
}

/// The names of the axes, above all curves, which end around them.
fn letters(area: &Area, view: &SphereView, names: &[String; 3]) -> PlotResult {
    for (axis, name) in names.iter().enumerate() {
        let mut p = [0.0; 3];
        p[axis] = REACH + 0.12;
        let (place, _) = view.project(p);
        disc(area, place, 8.5, PAPER)?;
        write(area, name, place, Lettering::new(14.0, Anchor::Centre))?;
    }
    Ok(())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn norm(p: &[f64; 3]) -> f64 {
    p[0].hypot(p[1]).hypot(p[2])
}
