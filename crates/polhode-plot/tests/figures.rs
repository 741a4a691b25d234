//! Figures of ordinary and of hopeless data: well-formed, complete, the same each time.
#![allow(clippy::unwrap_used)]

use polhode_plot::{
    Axis, COLOURS, Chart, Curve, Figure, HeatMap, LineStyle, Mark, Panel, Scale, Series, Sphere,
};
use polhode_testkit::colour;

/// The texts of an SVG, which must be well-formed XML and name no font of the system.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|e| panic!("{e}: {svg}"));
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "svg");
    for node in root.descendants().filter(|n| n.has_tag_name("text")) {
        assert_eq!(node.attribute("font-family"), Some("sans-serif"));
    }
    let texts = root.descendants().filter(|n| n.has_tag_name("text"));
    texts.map(|n| n.text().unwrap_or("").trim().to_owned()).collect()
}

fn svg(panel: impl Into<Panel>) -> String {
    Figure::new([panel.into()]).to_svg().unwrap()
}

/// Strokes or areas: pieces of paths that have this attribute.
fn pieces(svg: &str, attribute: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap();
    let paths = document.descendants().filter(|n| n.has_tag_name("path"));
    let paths = paths.filter(|n| n.has_attribute(attribute));
    paths.map(|n| n.attribute("d").unwrap().matches('M').count()).sum()
}

fn count(svg: &str, tag: &str) -> usize {
    roxmltree::Document::parse(svg).unwrap().descendants().filter(|n| n.has_tag_name(tag)).count()
}

#[test]
fn colours_are_told_apart_by_all() {
    let (apart, who) = colour::nearest(&COLOURS);
    assert!(apart > 10.0, "{apart:.1}: {who}");
    // Those of the components of a vector or a quaternion.
    let (apart, who) = colour::nearest(&COLOURS[..4]);
    assert!(apart > 15.0, "{apart:.1}: {who}");
    for colour in &COLOURS[..4] {
        let contrast = colour::contrast(*colour, [255; 3]);
        assert!(contrast > 3.0, "{colour:?}: {contrast:.2}");
    }
}

#[test]
fn labels_ticks_and_legend_are_there() {
    let chart = Chart::new(Axis::log("step h"), Axis::log("error"))
        .title("a < b & \"c\"")
        .series(Series::new("strang <1>", [[1e-3, 1e-8], [1e-2, 1e-6], [1e-1, 1e-4]]))
        .slope(2.0);
    let texts = texts(&svg(chart));
    for expected in ["a < b & \"c\"", "step h", "error", "strang <1>", "10⁻²", "10⁻⁶", "slope 2"]
    {
        assert!(texts.iter().any(|t| t == expected), "{expected} not in {texts:?}");
    }
}

#[test]
fn texts_stay_on_the_page() {
    let long = "a label that is much longer than the axis it describes, and goes on ".repeat(4);
    let chart = Chart::new(Axis::linear(&long), Axis::log(&long))
        .title(&long)
        .series(Series::new(&long, [[1.0 + 1e-14, 1e-300], [1.0, 1e300]]));
    let figure = Figure::new([chart.clone().into(), chart.into()]).title(&long);
    let svg = figure.to_svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let number = |n: &roxmltree::Node, key: &str| n.attribute(key).unwrap().parse::<f64>().unwrap();
    let page: Vec<f64> = document
        .root_element()
        .attribute("viewBox")
        .unwrap()
        .split(' ')
        .map(|v| v.parse().unwrap())
        .collect();
    for node in document.descendants().filter(|n| n.has_tag_name("text")) {
        let text = node.text().unwrap().trim();
        // Half an em for a letter: what common sans-serif fonts take on average.
        let long = 0.5 * number(&node, "font-size") * text.chars().count() as f64;
        let (before, after) = match node.attribute("text-anchor").unwrap() {
            "start" => (0.0, long),
            "end" => (long, 0.0),
            _ => (0.5 * long, 0.5 * long),
        };
        let upwards = node.attribute("transform").is_some();
        let (place, size) =
            if upwards { (number(&node, "y"), page[3]) } else { (number(&node, "x"), page[2]) };
        assert!(place - before >= 0.0 && place + after <= size, "{text} at {place}");
    }
}

#[test]
fn equal_data_equal_bytes() {
    let wave = (0..500).map(|i| [f64::from(i), (f64::from(i) * 0.1).sin()]);
    let chart = Chart::new(Axis::linear("t"), Axis::linear("y")).series(Series::new("w", wave));
    let figure = Figure::new([chart.into()]);
    assert_eq!(figure.to_svg().unwrap(), figure.clone().to_svg().unwrap());
}

#[test]
fn gaps_split_lines() {
    let points = [[0.0, 1.0], [1.0, 2.0], [2.0, f64::NAN], [3.0, 1.0], [4.0, 2.0]];
    let whole = points.map(|[x, y]| [x, if y.is_nan() { 1.5 } else { y }]);
    let lines = |points: [[f64; 2]; 5], y: Axis| {
        let chart = Chart::new(Axis::linear(""), y).series(Series::new("", points));
        pieces(&svg(chart), "stroke")
    };
    let range = || Axis::linear("").range(0.0, 3.0);
    assert_eq!(lines(points, range()), lines(whole, range()) + 1);
    // Not positive on a logarithmic axis is a gap too.
    let low = points.map(|[x, y]| [x, if y.is_nan() { -1.0 } else { y }]);
    let log = || Axis::log("").range(0.1, 3.0);
    assert_eq!(lines(low, log()), lines(whole, log()) + 1);
}

#[test]
fn hopeless_data_have_a_picture() {
    let nan = f64::NAN;
    let data: [&[[f64; 2]]; 8] = [
        &[],
        &[[1.0, 2.0]],
        &[[nan, nan], [f64::INFINITY, 0.0]],
        &[[0.0, 5.0], [1.0, 5.0]],
        &[[3.0, -1.0], [3.0, -2.0]],
        &[[-1.0, 0.0], [0.0, -0.0]],
        &[[f64::MAX, f64::MIN], [f64::MIN, f64::MAX]],
        &[[1e-320, 5e-324], [1e308, 1.0]],
    ];
    for points in data {
        for (x, y) in
            [(Scale::Linear, Scale::Linear), (Scale::Log, Scale::Log), (Scale::Log, Scale::Linear)]
        {
            for range in [None, Some([1.0, 2.0]), Some([2.0, 1.0]), Some([nan, 0.0])] {
                let axis = |scale| {
                    let mut axis = Axis::linear("a");
                    (axis.scale, axis.range) = (scale, range);
                    axis
                };
                for line in [LineStyle::Solid, LineStyle::Dashed, LineStyle::None] {
                    let series = Series::new("s", points.to_vec()).mark(Mark::Cross).line(line);
                    let chart = Chart::new(axis(x), axis(y)).series(series).slope(2.0).slope(nan);
                    texts(&svg(chart));
                }
            }
        }
    }
    texts(&Figure::new([]).to_svg().unwrap());
    texts(&Figure::new([]).columns(0).panel_size(nan, -1.0).to_svg().unwrap());
    let control = Chart::new(Axis::linear("a\u{0}b\u{1b}"), Axis::linear("\u{ffff}"));
    texts(&svg(control.title("line\nbreak")));
}

#[test]
fn a_single_point_is_seen() {
    let empty = Chart::new(Axis::linear(""), Axis::linear(""));
    let one = empty.clone().series(Series::new("", [[1.0, 2.0]]));
    assert_eq!(count(&svg(one), "circle"), count(&svg(empty), "circle") + 1);
}

#[test]
fn maps_leave_out_what_is_not_finite() {
    let map = |values: Vec<f64>, columns| HeatMap {
        title: "map".into(),
        x: Axis::linear("x").range(0.0, 1.0),
        y: Axis::linear("y").range(0.0, 1.0),
        columns,
        values,
        label: "digits".into(),
        range: None,
    };
    let cells = |values: Vec<f64>| pieces(&svg(map(values, 2)), "shape-rendering");
    let none = cells(vec![f64::NAN; 4]);
    assert_eq!(cells(vec![1.0, f64::NAN, 2.0, 3.0]), none + 3);
    // Neighbours of one colour are one rectangle.
    assert_eq!(cells(vec![1.0, 1.0, 2.0, 3.0]), none + 3);
    for values in [vec![], vec![1.0], vec![2.0; 4], vec![f64::MAX, f64::MIN, 0.0, f64::INFINITY]] {
        for columns in [0, 1, 3] {
            assert!(texts(&svg(map(values.clone(), columns))).contains(&"map".to_owned()));
        }
    }
}

#[test]
fn the_far_side_of_a_sphere_is_dashed() {
    let circle = |from: u16, to: u16| {
        (from..=to).map(|i| {
            let (s, c) = f64::from(i).to_radians().sin_cos();
            [c, s, 0.0]
        })
    };
    let lines = |points: Vec<[f64; 3]>| {
        let mut sphere = Sphere::new(["x", "y", "z"]).curve(Curve::new("equator", points));
        sphere.view = [0.0, 20.0];
        pieces(&svg(sphere), "stroke")
    };
    // And the picture says what that means.
    let told = |points: Vec<[f64; 3]>| {
        let mut sphere = Sphere::new(["x", "y", "z"]).curve(Curve::new("equator", points));
        sphere.view = [0.0, 20.0];
        texts(&svg(sphere)).contains(&"dashed: far side".to_owned())
    };
    assert!(!told(circle(0, 80).collect()) && told(circle(0, 100).collect()));
    let bare = lines(vec![]);
    assert_eq!(lines(circle(0, 80).collect()), bare + 1, "the near side is one stroke");
    assert!(lines(circle(100, 260).collect()) > bare + 10, "the far side is many");
    for points in [vec![[f64::NAN; 3]], vec![[0.0; 3]], vec![[1e300; 3], [-1e300; 3]]] {
        lines(points);
    }
}

#[test]
fn panels_with_equal_series_share_a_legend() {
    let panel = |name: &str| {
        let series = Series::new(name, [[0.0, 1.0], [1.0, 2.0]]);
        Panel::from(Chart::new(Axis::linear("x"), Axis::linear("y")).series(series))
    };
    let named = |a: &str, b: &str| {
        let figure = Figure::new([panel(a), panel(b)]).to_svg().unwrap();
        texts(&figure).iter().filter(|t| *t == a).count()
    };
    assert_eq!(named("same", "same"), 1);
    assert_eq!(named("one", "other"), 1);
}

#[test]
fn labels_of_slopes_keep_apart() {
    let points = |p: i32| (0..4).map(move |n| 0.5_f64.powi(n)).map(move |h| [h, h.powi(p)]);
    let mut chart =
        Chart::new(Axis::log("h"), Axis::log("error")).series(Series::new("a", points(4)));
    for exponent in [3.8, 4.0, 4.2] {
        chart = chart.slope(exponent);
    }
    let svg = Figure::new(vec![chart.into()]).to_svg().unwrap();
    let tree = roxmltree::Document::parse(&svg).unwrap();
    let labels = tree.descendants().filter(|n| n.has_tag_name("text"));
    let labels = labels.filter(|n| n.text().is_some_and(|t| t.trim().starts_with("slope")));
    let places: Vec<[f64; 2]> = labels
        .map(|n| ["x", "y"].map(|name| n.attribute(name).unwrap().parse().unwrap()))
        .collect();
    assert_eq!(places.len(), 3, "{svg}");
    for (i, a) in places.iter().enumerate() {
        for b in &places[..i] {
            assert!((a[0] - b[0]).abs() > 40.0 || (a[1] - b[1]).abs() > 11.0, "{places:?}");
        }
    }
}

/// How many guides are drawn.
fn guides(chart: Chart) -> usize {
    texts(&svg(chart)).iter().filter(|t| t.starts_with("slope")).count()
}

#[test]
fn slopes_without_room_are_left_out() {
    let axes = || Chart::new(Axis::log("h").range(0.1, 1.0), Axis::log("error").range(0.1, 1.0));
    let line = |height: f64| Series::new("a", [[0.1, 0.1 * height], [1.0, height]]);
    assert_eq!(guides(axes().series(line(1.0)).slope(1.0)), 1);
    // Lines all over the frame leave no room for another.
    let full =
        (0..60).fold(axes(), |chart, k| chart.series(line(10_f64.powf(f64::from(k) / 30.0 - 1.0))));
    assert_eq!(guides(full.slope(1.0)), 0);
}

#[test]
fn unlisted_series_are_drawn_without_a_name_in_the_legend() {
    let wave = (0..101).map(|i| [f64::from(i), f64::from(i % 2)]);
    let chart = |series: Series| Chart::new(Axis::linear(""), Axis::linear("")).series(series);
    let series = Series::new("wave", wave);
    let whole = svg(chart(series.clone()));
    assert!(texts(&whole).contains(&"wave".to_owned()));
    let bare = svg(chart(series.clone().unlisted()));
    assert!(!texts(&bare).contains(&"wave".to_owned()));
    assert!(pieces(&bare, "stroke") + 1 == pieces(&whole, "stroke"), "without the sample only");
    let thin = svg(chart(series.every(50)));
    assert!(thin.len() + 300 < whole.len(), "{} against {}", thin.len(), whole.len());
}

#[test]
fn what_is_too_low_is_drawn_at_the_floor() {
    let marks = |series: Series| {
        let chart = Chart::new(Axis::log("h"), Axis::log("error")).series(series);
        count(&svg(chart), "circle")
    };
    let series = Series::new("", [[0.1, 0.0], [1.0, f64::NAN], [2.0, 1.0]]).mark(Mark::Circle);
    assert_eq!(marks(series.clone().floor(1e-16)), marks(series) + 1, "but not what is no number");
}

#[test]
fn a_description_is_there_for_those_who_do_not_see_it() {
    let chart = Chart::new(Axis::linear("x"), Axis::linear("y"));
    let figure = Figure::new([chart.into()]);
    assert!(!figure.to_svg().unwrap().contains("<title>"));
    let svg = figure.described("energy & time", "m < 1").to_svg().unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let elements = document.root_element().children().filter(roxmltree::Node::is_element);
    let first: Vec<_> =
        elements.take(2).map(|n| (n.tag_name().name(), n.text().unwrap())).collect();
    assert_eq!(first, [("title", "energy & time"), ("desc", "m < 1")]);
}
