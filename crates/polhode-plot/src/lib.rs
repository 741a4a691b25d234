//! Charts as data, drawn as SVG.
//!
//! A [`Figure`] is a grid of panels: a [`Chart`] of curves and points over two axes, a [`HeatMap`]
//! or curves on a [`Sphere`]. [`Figure::to_svg`] turns it into the text of an SVG file, the same
//! bytes for the same data on every machine. Text stays text: no font is read, the viewer's
//! sans-serif is asked for.
//!
//! Whatever the data, there is a picture: points that are not finite, or not positive on a
//! logarithmic axis, are gaps; a series may be empty, a single point or constant.
//!
//! ```
//! use polhode_plot::{Axis, Chart, Figure, Mark, Series};
//!
//! let error = Series::new("strang", [[0.1, 3e-3], [0.05, 7.5e-4], [0.025, 1.9e-4]]);
//! let chart = Chart::new(Axis::log("step"), Axis::log("error"))
//!     .title("Error of the momentum")
//!     .series(error.mark(Mark::Circle))
//!     .slope(2.0);
//! let svg = Figure::new([chart.into()]).to_svg()?;
//! assert!(svg.starts_with("<svg "));
//! # Ok::<(), polhode_plot::PlotError>(())
//! ```

mod canvas;
mod chart;
mod compact;
mod curve;
mod data;
mod figure;
mod heat_map;
mod legend;
mod palette;
mod reference;
mod ruler;
mod sphere;
mod text;

pub use data::{Axis, Chart, Curve, HeatMap, LineStyle, Mark, Panel, Scale, Series, Sphere, Style};
pub use figure::{Figure, PlotError};
pub use palette::{COLOURS, colour_name};
