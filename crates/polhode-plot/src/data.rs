//! What a figure is made of.

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scale {
    /// Linear: equal differences have equal distances.
    #[default]
    Linear,
    /// Logarithmic: equal ratios have equal distances; labelled in powers of ten.
    Log,
}

/// One axis of a chart.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Axis {
    /// What is shown along it, with its unit.
    pub label: String,
    /// How values are laid out along it.
    pub scale: Scale,
    /// The least and the greatest value shown; those of the data, if not given (or not usable).
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis as long as the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis as long as the data.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Log, range: None }
    }

    /// The same axis from `low` to `high`; what lies beyond is cut off.
    #[must_use]
    pub fn range(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// How neighbouring points are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum LineStyle {
    /// Neighbouring points are not connected.
    None,
    /// By a full line.
    #[default]
    Solid,
    /// By dashes.
    Dashed,
    /// By dots.
    Dotted,
}

/// The shape drawn at every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// A filled disc.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle, point upwards.
    Triangle,
    /// A filled square on its corner.
    Diamond,
    /// Two crossing strokes.
    Cross,
    /// The smallest disc that is seen, for clouds of points.
    Dot,
}

impl Mark {
    /// Marks that are told apart easily, in the order in which series of one chart should use them.
    pub const DISTINCT: [Self; 5] =
        [Self::Circle, Self::Square, Self::Triangle, Self::Diamond, Self::Cross];
}

/// How a series looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// The line between the points.
    pub line: LineStyle,
    /// The mark at every point, if there is one.
    pub mark: Option<Mark>,
    /// Index in [`COLOURS`](crate::COLOURS), counted round; the place of the series in its chart,
    /// if not given.
    pub colour: Option<usize>,
    /// The width of the line, in pixels.
    pub width: f64,
}

impl Default for Style {
    fn default() -> Self {
        Self { line: LineStyle::Solid, mark: None, colour: None, width: 1.6 }
    }
}

/// Points of the plane, in the order in which they are connected.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Series {
    /// The name in the legend; a series without a name is not listed there.
    pub name: String,
    /// Whether it is left out of the legend in spite of its name.
    pub unlisted: bool,
    /// The height at which lower points are drawn, e.g. an error of zero on a logarithmic axis.
    pub floor: Option<f64>,
    /// One point in so many is drawn, and the first and the last; all are, if 0 or 1.
    pub every: usize,
    /// Abscissa and ordinate; a point that cannot be shown is a gap in the line.
    pub points: Vec<[f64; 2]>,
    /// How the points and the line between them look.
    pub style: Style,
}

impl Series {
    /// A full line through `points`.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = points.into_iter().collect();
        Self { name: name.into(), points, ..Self::default() }
    }

    /// Leaves it out of the legend in spite of its name.
    #[must_use]
    pub fn unlisted(mut self) -> Self {
        self.unlisted = true;
        self
    }

    /// Draws points lower than this at this height.
    #[must_use]
    pub fn floor(mut self, height: f64) -> Self {
        self.floor = Some(height);
        self
    }

    /// A point as it is drawn.
    pub(crate) fn raised(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x, self.floor.filter(|floor| y < *floor).unwrap_or(y)]
    }

    /// Draws it through every `count`th of its points only, and the last.
    #[must_use]
    pub fn every(mut self, count: usize) -> Self {
        self.every = count;
        self
    }

    /// With this line.
    #[must_use]
    pub fn line(mut self, line: LineStyle) -> Self {
        self.style.line = line;
        self
    }

    /// With this mark at every point.
    #[must_use]
    pub fn mark(mut self, mark: Mark) -> Self {
        self.style.mark = Some(mark);
        self
    }

    /// In the colour of this index.
    #[must_use]
    pub fn colour(mut self, index: usize) -> Self {
        self.style.colour = Some(index);
        self
    }

    /// With a line of this width in pixels.
    #[must_use]
    pub fn width(mut self, width: f64) -> Self {
        self.style.width = width;
        self
    }
}

/// Curves and points over two axes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chart {
    /// The title above the chart; may be empty.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series in the order in which they are drawn, later ones above.
    pub series: Vec<Series>,
    /// Exponents p of reference lines y ~ x^p, drawn where both axes are logarithmic and there is
    /// room below the series.
    pub slopes: Vec<f64>,
}

impl Chart {
    /// A chart without series.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self { title: String::new(), x, y, series: Vec::new(), slopes: Vec::new() }
    }

    /// With this title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// With one series more.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// With a reference line y ~ x^`exponent`.
    #[must_use]
    pub fn slope(mut self, exponent: f64) -> Self {
        self.slopes.push(exponent);
        self
    }
}

/// Values on a grid as colours, with a colour bar.
///
/// Cells whose value is not finite stay white, so that a triangle is a grid with such cells.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// The title above the map; may be empty.
    pub title: String,
    /// The horizontal axis; its range, which must be given, is covered by the columns.
    pub x: Axis,
    /// The vertical axis; its range, which must be given, is covered by the rows.
    pub y: Axis,
    /// Number of cells in a row.
    pub columns: usize,
    /// The values row by row, the lowest first; a last row that is not full is left out.
    pub values: Vec<f64>,
    /// What the colours stand for.
    pub label: String,
    /// The values at the ends of the colour bar; those of the data, if not given.
    pub range: Option<[f64; 2]>,
}

/// A curve in space.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Curve {
    /// The name in the legend; a curve without a name is not listed there.
    pub name: String,
    /// The points in the order in which they are connected; those that are not finite are gaps.
    pub points: Vec<[f64; 3]>,
    /// How it looks; the part behind the sphere is thin and dashed, its marks are hidden.
    pub style: Style,
}

impl Curve {
    /// A full line through `points`.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = [f64; 3]>) -> Self {
        let points = points.into_iter().collect();
        Self { name: name.into(), points, style: Style::default() }
    }

    /// In the colour of this index.
    #[must_use]
    pub fn colour(mut self, index: usize) -> Self {
        self.style.colour = Some(index);
        self
    }
}

/// Curves on a sphere, seen from far away.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sphere {
    /// The title above the sphere; may be empty.
    pub title: String,
    /// Names of the three axes, at their positive ends.
    pub axes: [String; 3],
    /// Radius of the sphere; the largest distance of a point from the origin, if not given.
    pub radius: Option<f64>,
    /// Longitude and latitude of the viewer, in degrees.
    pub view: [f64; 2],
    /// The curves in the order in which they are drawn, later ones above.
    pub curves: Vec<Curve>,
}

impl Sphere {
    /// An empty sphere, seen from the first octant.
    pub fn new(axes: [&str; 3]) -> Self {
        Self {
            title: String::new(),
            axes: axes.map(String::from),
            radius: None,
            view: [35.0, 20.0],
            curves: Vec::new(),
        }
    }

    /// With this title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// With one curve more.
    #[must_use]
    pub fn curve(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }
}

/// One picture of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Panel {
    /// Curves and points over two axes.
    Chart(Chart),
    /// Values on a grid as colours.
    HeatMap(HeatMap),
    /// Curves on a sphere.
    Sphere(Sphere),
}

impl From<Chart> for Panel {
    fn from(chart: Chart) -> Self {
        Self::Chart(chart)
    }
}

impl From<HeatMap> for Panel {
    fn from(map: HeatMap) -> Self {
        Self::HeatMap(map)
    }
}

impl From<Sphere> for Panel {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}
