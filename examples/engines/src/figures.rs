//! The figures of docs/engines.md.

use std::path::Path;

use polhode_plot::{Axis, Chart, Figure, Series};

use crate::{Hour, Spin};

pub(crate) fn write(
    directory: &Path,
    worlds: &[Hour],
    engines: &[Hour],
    tops: &[Spin],
) -> Result<(), Box<dyn std::error::Error>> {
    // The start is named once, and the exact step is drawn once.
    let shown = worlds[1..].iter().chain(engines.iter().filter(|hour| {
        ["explicit", "implicit (Catto)", "length kept (Jolt)"].contains(&hour.name.as_str())
    }));
    let energy = shown.fold(
        Chart::new(Axis::linear("time (minutes)"), Axis::linear("energy, of that at the start"))
            .title("A handle that floats"),
        |chart, hour| {
            let points = hour.energy.iter().filter(|point| point[1] < 1.5);
            let points = points.step_by(10).map(|[time, energy]| [time / 60.0, *energy]);
            chart.series(Series::new(&hour.name, points.collect::<Vec<_>>()))
        },
    );
    let tilt = tops.iter().fold(
        Chart::new(Axis::linear("time (s)"), Axis::linear("angle from the vertical (degrees)"))
            .title("A top on the ground"),
        |chart, top| {
            let points = top.tilt.iter().filter(|point| point[0] < 60.0).step_by(6);
            chart.series(Series::new(&top.name, points.copied().collect::<Vec<_>>()))
        },
    );
    let drawn = [
        (
            "engines-energy.svg",
            energy,
            "Energy over an hour of the T-handle without torque, by the steps of physics engines.",
        ),
        (
            "engines-top.svg",
            tilt,
            "How far a spinning top leans over a minute, by the steps of physics engines.",
        ),
    ];
    for (name, chart, about) in drawn {
        let title = chart.title.clone();
        let figure = Figure::new([chart.into()]).described(title, about);
        std::fs::write(directory.join(name), figure.to_svg()?)?;
    }
    Ok(())
}
