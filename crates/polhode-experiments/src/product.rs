//! An experiment and what it gives.

use polhode_plot::{Figure, Panel};

use crate::{Claim, Context, ExperimentError};

/// One figure of a paper, or one of its claims without a figure.
#[non_exhaustive]
pub struct Experiment {
    /// Paper and figure, e.g. "celledoni-safstrom-1": its name on the command line and of its files.
    pub id: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What the figure shows, and how it was made.
    pub caption: &'static str,
    /// Seconds of one core that it takes at full size, roughly.
    pub seconds: f64,
    /// Whether it uses all cores.
    pub parallel: bool,
    pub(crate) run: fn(&Context<'_>) -> Result<Product, ExperimentError>,
}

/// What an experiment gives.
#[derive(Debug)]
#[non_exhaustive]
pub struct Product {
    /// The figure, unless the paper's is a listing.
    pub figure: Option<Figure>,
    /// What the paper claims about it, and what is found.
    pub claims: Vec<Claim>,
    /// Other files: name and text.
    pub files: Vec<(String, String)>,
}

impl Product {
    pub(crate) fn new(figure: impl Into<Option<Figure>>, claims: Vec<Claim>) -> Self {
        Self { figure: figure.into(), claims, files: Vec::new() }
    }

    /// With one more file.
    pub(crate) fn with_file(mut self, name: &str, text: String) -> Self {
        self.files.push((name.to_owned(), text));
        self
    }
}

/// What the columns of coordinates are: the names of the axes, of all panels where they differ.
fn columns(figure: &Figure) -> [String; 3] {
    let axes = figure.panels.iter().map(|panel| match panel {
        Panel::Chart(chart) => [&*chart.x.label, &*chart.y.label, ""],
        Panel::Sphere(sphere) => [0, 1, 2].map(|i| &*sphere.axes[i]),
        Panel::HeatMap(map) => [&*map.x.label, &*map.y.label, &*map.label],
    });
    let mut columns = [const { Vec::new() }; 3];
    for names in axes {
        for (column, name) in columns.iter_mut().zip(names) {
            if !name.is_empty() && !column.contains(&name) {
                column.push(name);
            }
        }
    }
    let [x, y, z] = columns.map(|names| names.join(" or "));
    [(x, "x"), (y, "y"), (z, "z")]
        .map(|(name, other)| if name.is_empty() { other.into() } else { name })
}

/// The data of a figure, one point a row; the third coordinate is that of spheres, and the value of
/// maps.
pub(crate) fn csv(figure: &Figure) -> Result<String, ExperimentError> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let [x, y, z] = columns(figure);
    table.write_record(["panel", "series", &x, &y, &z])?;
    for panel in &figure.panels {
        match panel {
            Panel::Chart(chart) => {
                for series in &chart.series {
                    for [x, y] in &series.points {
                        table.serialize((&chart.title, &series.name, x, y, ""))?;
                    }
                }
            }
            Panel::Sphere(sphere) => {
                for curve in &sphere.curves {
                    for [x, y, z] in &curve.points {
                        table.serialize((&sphere.title, &curve.name, x, y, z))?;
                    }
                }
            }
            Panel::HeatMap(map) => {
                let columns = map.columns.max(1);
                let rows = (map.values.len() / columns).max(1);
                let middle = |range: Option<[f64; 2]>, i: usize, n: usize| {
                    let [low, high] = range.unwrap_or([0.0, 1.0]);
                    low + (high - low) * (i as f64 + 0.5) / n as f64
                };
                for (index, value) in map.values.iter().enumerate().filter(|(_, v)| v.is_finite()) {
                    let x = middle(map.x.range, index % columns, columns);
                    let y = middle(map.y.range, index / columns, rows);
                    table.serialize((&map.title, &map.label, x, y, value))?;
                }
            }
        }
    }
    let bytes = table.into_inner().map_err(|e| csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
