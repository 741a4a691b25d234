//! One figure of every kind, written to the folder named on the command line.

use std::path::Path;

use polhode_plot::{Axis, Chart, Curve, Figure, HeatMap, LineStyle, Mark, Series, Sphere};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: gallery FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let figures =
        [("convergence", convergence()), ("time", time()), ("map", map()), ("sphere", sphere())];
    for (name, figure) in figures {
        std::fs::write(folder.join(name).with_extension("svg"), figure.to_svg()?)?;
    }
    Ok(())
}

fn convergence() -> Figure {
    let steps = (0..8).map(|k| 0.25 / f64::from(1 << k));
    let errors = |c: f64, p: f64| steps.clone().map(move |h| [h, (c * h.powf(p)).max(3e-15)]);
    let panel = |title: &str, c: f64| {
        let names = [("mr", 1.0, 2.0), ("sej", 0.1, 2.0), ("rkn6-14+exact", 0.05, 6.0)];
        let start =
            Chart::new(Axis::log("step h"), Axis::log("error of the momentum")).title(title);
        let all = names.into_iter().zip(Mark::DISTINCT);
        all.fold(start, |chart, ((name, k, p), mark)| {
            chart.series(Series::new(name, errors(c * k, p)).mark(mark))
        })
        .slope(2.0)
        .slope(6.0)
    };
    Figure::new([panel("free body", 1.0).into(), panel("heavy top", 30.0).into()])
        .title("Convergence")
}

fn time() -> Figure {
    let wave = |phase: f64, size: f64| {
        (0..40_000).map(move |i| {
            let t = f64::from(i) * 0.01;
            [t, size * (t + phase).sin() * (1.0 + 0.2 * (21.0 * t).cos())]
        })
    };
    let chart = |size: f64, y: &str| {
        Chart::new(Axis::linear("time"), Axis::linear(y).range(-1.5 * size, 1.5 * size))
    };
    let upper = chart(3e-14, "energy error")
        .series(Series::new("exact & <new>", wave(0.0, 3e-14)).width(1.0))
        .series(Series::new("dashed", wave(1.0, 1e-14).step_by(100)).line(LineStyle::Dashed))
        .series(Series::new("dotted", wave(2.0, 2e-14).step_by(100)).line(LineStyle::Dotted));
    let gaps = [
        [0.0, 1.0],
        [50.0, 1.2],
        [90.0, f64::NAN],
        [120.0, 0.7],
        [200.0, f64::INFINITY],
        [400.0, 1.0],
    ];
    let lower =
        chart(1.0, "first component").series(Series::new("with gaps", gaps).mark(Mark::Square));
    let narrow = Chart::new(Axis::log("α"), Axis::log("error").range(2e-3, 4e-2))
        .series(Series::new("narrow", [[1.0, 3e-3], [1e5, 3e-2]]));
    Figure::new([upper.into(), lower.into(), narrow.into()]).columns(1).panel_size(700.0, 240.0)
}

fn map() -> Figure {
    let (columns, rows) = (100, 50);
    let value = |i: usize| {
        let (x, y) = ((i % columns) as f64 / 100.0, (i / columns) as f64 / 50.0);
        if x + y > 1.0 { f64::NAN } else { -15.5 + 0.4 * (9.0 * x).sin() * (7.0 * y).cos() }
    };
    let panel = |title: &str| HeatMap {
        title: title.into(),
        x: Axis::linear("I1/I3").range(0.0, 1.0),
        y: Axis::linear("I2/I3").range(0.0, 1.0),
        columns,
        values: (0..columns * rows).map(value).collect(),
        label: "mean log₁₀ error".into(),
        range: None,
    };
    Figure::new([panel("matrix").into(), panel("quaternion").into()])
}

fn sphere() -> Figure {
    let curve = |tilt: f64, wobble: f64| {
        (0..=400).map(move |i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 400.0;
            let (s, c) = (tilt + wobble * (2.0 * angle).cos()).sin_cos();
            [c * angle.cos(), c * angle.sin(), s]
        })
    };
    let panel = Sphere::new(["m₁", "m₂", "m₃"])
        .title("Momentum")
        .curve(Curve::new("about the largest axis", curve(0.9, 0.1)))
        .curve(Curve::new("near the separatrix", curve(0.1, 0.4)));
    Figure::new([panel.into()]).panel_size(420.0, 420.0)
}
