//! The same drawing in fewer letters.

use std::fmt::Write as _;

/// An SVG whose neighbouring strokes of one style, and neighbouring rectangles of one colour, are
/// one path each, with coordinates relative to the point before: hundreds of trajectories and
/// thousands of cells take a third of the letters.
///
/// Every element is on a line of its own, and texts have no such lines: their brackets are escaped.
pub(crate) fn compact(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    let mut open: Option<(String, String)> = None;
    for line in svg.lines() {
        match (stroke(line).or_else(|| area(line)), &mut open) {
            (Some((style, piece)), Some((same, path))) if style == *same => path.push_str(&piece),
            (found, open) => {
                close(&mut out, open.take());
                *open = found;
                if open.is_none() {
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
    }
    close(&mut out, open);
    out
}

fn close(out: &mut String, path: Option<(String, String)>) {
    if let Some((style, pieces)) = path {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<path {style} d=\"{pieces}\"/>");
    }
}

/// The value of an attribute.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

/// Style and path of a stroke.
fn stroke(line: &str) -> Option<(String, String)> {
    let (style, _) = line.strip_prefix("<polyline ")?.split_once(" points=\"")?;
    let mut path = String::new();
    let mut before: Option<[i64; 2]> = None;
    for pair in attribute(line, "points")?.split_whitespace() {
        let (x, y) = pair.split_once(',')?;
        let point = [x.parse().ok()?, y.parse().ok()?];
        if let Some([x, y]) = before {
            let [right, down] = [point[0] - x, point[1] - y];
            // A minus sign separates as well as a blank.
            let first = if path.ends_with('l') || right < 0 { "" } else { " " };
            let between = if down < 0 { "" } else { " " };
            let _ = write!(path, "{first}{right}{between}{down}");
        } else {
            let _ = write!(path, "M{} {}l", point[0], point[1]);
        }
        before = Some(point);
    }
    Some((style.to_owned(), path))
}

/// Style and path of a filled rectangle. Its edges are not smoothed: no seam is seen between
/// neighbours.
fn area(line: &str) -> Option<(String, String)> {
    if !line.starts_with("<rect ") {
        return None;
    }
    let number = |name: &str| attribute(line, name)?.parse::<i64>().ok();
    let [x, y, width, height] = [number("x")?, number("y")?, number("width")?, number("height")?];
    let style = format!("fill=\"{}\" shape-rendering=\"crispEdges\"", attribute(line, "fill")?);
    Some((style, format!("M{x} {y}h{width}v{height}h-{width}z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_style_are_one_path() {
        let svg = "<svg>\n<polyline fill=\"none\" stroke=\"#1\" points=\"1,2 4,1 4,5 \"/>\n\
                   <polyline fill=\"none\" stroke=\"#1\" points=\"9,9 8,10 \"/>\n\
                   <polyline fill=\"none\" stroke=\"#2\" points=\"0,0 1,1 \"/>\n\
                   <rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#3\"/>\n\
                   <rect x=\"5\" y=\"2\" width=\"3\" height=\"4\" fill=\"#3\"/>\n\
                   <text>\n1,2\n</text>\n</svg>\n";
        let expected = "<svg>\n<path fill=\"none\" stroke=\"#1\" d=\"M1 2l3-1 0 4M9 9l-1 1\"/>\n\
                        <path fill=\"none\" stroke=\"#2\" d=\"M0 0l1 1\"/>\n\
                        <path fill=\"#3\" shape-rendering=\"crispEdges\" \
                        d=\"M1 2h3v4h-3zM5 2h3v4h-3z\"/>\n<text>\n1,2\n</text>\n</svg>\n";
        assert_eq!(compact(svg), expected);
    }
}
