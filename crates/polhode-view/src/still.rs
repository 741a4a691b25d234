//! A still picture: the body at a few times, for who has no WebGL, no script, or paper.

use std::fmt::Write;

use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::so3;

use crate::body::{Look, Solid};
use crate::{Film, PageRun};

const WIDTH: f64 = 210.0;
const HEIGHT: f64 = 240.0;
/// Pixels to a unit of length.
const SCALE: f64 = 62.0;

/// Bodies of more triangles are drawn as boxes: a still picture of a mesh would be larger than all the rest.
const MOST_TRIANGLES: usize = 1500;

/// Rows of pictures, a run each.
pub(crate) fn draw(runs: &[PageRun]) -> String {
    let fine = runs.iter().any(|run| run.body.triangles() > 200);
    let poses = if fine || runs.len() > 1 { 4 } else { 6 };
    let (width, row) = (WIDTH * f64::from(poses), HEIGHT + 24.0);
    let height = row * runs.len() as f64;
    let names: Vec<_> = runs.iter().map(|run| escaped(&run.name)).collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<title>{}: the body at {poses} times</title>\n<desc>{}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n",
        names.join(", "),
        runs.iter().map(|run| escaped(&run.alt())).collect::<Vec<_>>().join(" "),
    );
    for (index, run) in runs.iter().enumerate() {
        let top = row * index as f64;
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{}\" font-weight=\"bold\">{}</text>",
            top + 16.0,
            names[index]
        );
        for pose in 0..poses {
            let share = f64::from(pose) / f64::from(poses - 1);
            let place = [WIDTH * (f64::from(pose) + 0.5), top + 24.0 + HEIGHT * 0.52];
            self::pose(&mut svg, run, share, place);
        }
    }
    svg + "</svg>"
}

/// The body after a share of a turn or so of the film: early enough that neighbours look alike.
fn pose(svg: &mut String, run: &PageRun, share: f64, [x, y]: [f64; 2]) {
    let film = &run.film;
    let moments = film.moments();
    let last = moments.len() - 1;
    let time = moments[0].t + (strip_end(film) - moments[0].t) * share;
    let index = moments.partition_point(|m| m.t < time).min(last);
    let moment = &moments[index];
    let state = &moment.state;
    let up = if run.free { moments[0].state.spatial_momentum() } else { DVec3::Z };
    let look = looking(up);
    let coarse;
    let body = if run.body.triangles() <= MOST_TRIANGLES {
        &run.body
    } else {
        coarse = Solid::new(Look::Box, film.inertia());
        &coarse
    };
    faces(svg, body, look, state.q, [x, y]);
    let omega = state.q * state.omega(film.inertia());
    for (name, vector, colour, length) in
        [("L", state.spatial_momentum(), "#000000", 1.45), ("ω", omega, "#d55e00", 1.25)]
    {
        let Some(direction) = vector.try_normalize() else { continue };
        let tip = look * direction * length;
        let [tx, ty] = [x + SCALE * tip.x, y - SCALE * tip.y];
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.0} {y:.0}L{tx:.0} {ty:.0}\" stroke=\"{colour}\" stroke-width=\"2.5\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"{colour}\" text-anchor=\"middle\">{name}</text>",
            x + 1.13 * (tx - x),
            y + 1.13 * (ty - y) + 4.0,
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">t = {}</text>",
        y + HEIGHT * 0.47,
        short(moment.t)
    );
}

/// The strip shows about a turn: later poses would have nothing to do with each other.
fn strip_end(film: &Film) -> f64 {
    let mut turned = 0.0;
    for pair in film.moments().windows(2) {
        turned += so3::angle_between(pair[0].state.q, pair[1].state.q);
        if turned > 5.0 {
            return pair[1].t;
        }
    }
    film.span().1
}

/// From space to the picture: to the right, upwards, towards the viewer.
fn looking(up: DVec3) -> DMat3 {
    let up = up.try_normalize().unwrap_or(DVec3::Z);
    let (first, second) = up.any_orthonormal_pair();
    let world = DMat3::from_cols(first, second, up).transpose();
    let (l, b) = (-0.9_f64, 0.32_f64);
    let back = DVec3::new(b.cos() * l.cos(), b.cos() * l.sin(), b.sin());
    let right = DVec3::new(-l.sin(), l.cos(), 0.0);
    DMat3::from_cols(right, back.cross(right), back).transpose() * world
}

fn faces(svg: &mut String, body: &Solid, look: DMat3, q: DQuat, [x, y]: [f64; 2]) {
    let places: Vec<DVec3> = body.places.iter().map(|&p| look * (q * p)).collect();
    let light = DVec3::new(0.25, 0.5, 0.83);
    let mut seen: Vec<(f64, String)> = Vec::new();
    for (corners, colour) in body.corners.iter().zip(&body.colours) {
        let [a, b, c] = corners.map(|i| places[i as usize]);
        let normal = (b - a).cross(c - a);
        let Some(normal) = normal.try_normalize().filter(|n| n.z > 0.0) else { continue };
        let shade = 0.6 + 0.4 * normal.dot(light).max(0.0);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
        let [r, g, b_] = colour.map(|part| (f64::from(part) * shade) as u8);
        let point = |p: DVec3| format!("{:.0} {:.0}", x + SCALE * p.x, y - SCALE * p.y);
        let path = format!(
            "<path d=\"M{} {} {}z\" fill=\"#{r:02x}{g:02x}{b_:02x}\" stroke=\"#{r:02x}{g:02x}{b_:02x}\" \
             stroke-width=\".5\"/>",
            point(a),
            point(b),
            point(c)
        );
        seen.push((a.z + b.z + c.z, path));
    }
    // The farthest first.
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, path) in seen {
        svg.push_str(&path);
        svg.push('\n');
    }
}

/// Four digits are enough for a caption.
pub(crate) fn short(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if !(1e-3..1e6).contains(&size) {
        format!("{x:.3e}")
    } else {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 6")]
        let places = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
        let text = format!("{x:.places$}");
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').into()
        } else {
            text
        }
    }
}

/// A text inside HTML or SVG.
pub(crate) fn escaped(text: &str) -> String {
    let clean: String = text.chars().filter(|c| !c.is_control()).collect();
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
