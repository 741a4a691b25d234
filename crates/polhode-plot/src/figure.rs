//! A grid of panels on one page.

use plotters::drawing::{DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::SVGBackend;
use plotters::style::WHITE;

use crate::canvas::{Anchor, Area, Lettering, PixelRectangle, UNITS, length, write};
use crate::compact::compact;
use crate::data::Panel;
use crate::legend::LegendEntry;
use crate::text::{printable, shortened};
use crate::{chart, heat_map, legend, sphere};

/// Why a figure could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The drawing library gave up.
    #[error("the figure cannot be drawn: {0}")]
    Drawing(String),
}

impl From<DrawingAreaErrorKind<std::io::Error>> for PlotError {
    fn from(error: DrawingAreaErrorKind<std::io::Error>) -> Self {
        Self::Drawing(error.to_string())
    }
}

/// Panels in rows, from left to right and from top to bottom.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Figure {
    /// Above all panels; may be empty.
    pub title: String,
    /// What it is and what it shows, for those who do not see it: title and description of the SVG,
    /// not drawn; may be empty.
    pub described: [String; 2],
    /// How it was made, for programs: the metadata of the SVG, not drawn; may be empty.
    pub metadata: String,
    /// Panels in a row.
    pub columns: usize,
    /// The pictures, row by row.
    pub panels: Vec<Panel>,
    /// Width and height of a panel with its labels, without its legend, in pixels.
    pub panel_size: [f64; 2],
}

const MARGIN: f64 = 10.0;
const GUTTER: f64 = 18.0;
const HEADING: f64 = 30.0;
/// Panels smaller than this have no room for their labels, larger ones help nobody.
const SIZES: std::ops::RangeInclusive<f64> = 120.0..=4000.0;

impl Figure {
    /// One panel alone, two and four in two columns, any other number in three at most.
    pub fn new(panels: impl IntoIterator<Item = Panel>) -> Self {
        let panels: Vec<Panel> = panels.into_iter().collect();
        let columns = match panels.len() {
            0 | 1 => 1,
            2 | 4 => 2,
            _ => 3,
        };
        Self {
            title: String::new(),
            described: Default::default(),
            metadata: String::new(),
            columns,
            panels,
            panel_size: [460.0, 340.0],
        }
    }

    /// With this title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// With this title and description in the SVG, not drawn.
    #[must_use]
    pub fn described(mut self, title: impl Into<String>, description: impl Into<String>) -> Self {
        self.described = [title.into(), description.into()];
        self
    }

    /// With this text in the metadata of the SVG, not drawn.
    #[must_use]
    pub fn metadata(mut self, metadata: impl Into<String>) -> Self {
        self.metadata = metadata.into();
        self
    }

    /// With this many panels in a row.
    #[must_use]
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }

    /// With panels of this width and height, in pixels.
    #[must_use]
    pub fn panel_size(mut self, width: f64, height: f64) -> Self {
        self.panel_size = [width, height];
        self
    }

    /// The figure as the text of an SVG file.
    ///
    /// # Errors
    /// If the drawing library gives up; no data are known that make it.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let layout = Layout::new(self);
        let mut svg = String::new();
        let size = (length(layout.width), length(layout.height));
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        layout.draw(&area, self)?;
        area.present()?;
        drop(area);
        Ok(in_pixels(&svg, size, &layout).replacen(">\n", &format!(">\n{}", self.about()), 1))
    }

    /// The elements that say what the figure is.
    fn about(&self) -> String {
        let escaped = |text: &str| {
            printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
        };
        let [title, description] = &self.described;
        let named = [("title", title), ("desc", description), ("metadata", &self.metadata)];
        let said = named.into_iter().filter(|(_, text)| !text.is_empty());
        let elements = said.map(|(tag, text)| format!("<{tag}>{}</{tag}>\n", escaped(text)));
        elements.collect::<Vec<_>>().concat()
    }
}

/// Where everything goes, in pixels.
struct Layout {
    width: f64,
    height: f64,
    cells: Vec<PixelRectangle>,
    /// What to list below each panel.
    legends: Vec<(Vec<LegendEntry>, PixelRectangle)>,
}

impl Layout {
    fn new(figure: &Figure) -> Self {
        let [width, height] = figure
            .panel_size
            .map(|v| if v.is_nan() { 400.0 } else { v.clamp(*SIZES.start(), *SIZES.end()) });
        let columns = figure.columns.clamp(1, figure.panels.len().max(1));
        let page = columns as f64 * (width + GUTTER) - GUTTER;
        let entries: Vec<Vec<LegendEntry>> = figure.panels.iter().map(legend::entries).collect();
        // Panels that all show the same things share one legend below the last row.
        let listed: Vec<&Vec<LegendEntry>> = entries.iter().filter(|e| !e.is_empty()).collect();
        let shared = listed.len() > 1 && listed.windows(2).all(|w| w[0] == w[1]);

        let mut top = MARGIN + if figure.title.is_empty() { 0.0 } else { HEADING };
        let (mut cells, mut legends) = (Vec::new(), Vec::new());
        for row in entries.chunks(columns) {
            let below = top + height;
            let mut deepest = 0.0_f64;
            for (column, entries) in row.iter().enumerate() {
                let left = MARGIN + column as f64 * (width + GUTTER);
                cells.push(PixelRectangle { left, top, width, height });
                if !shared {
                    let room = legend::height(entries, width);
                    deepest = deepest.max(room);
                    let frame = PixelRectangle { left, top: below + 4.0, width, height: room };
                    legends.push((entries.clone(), frame));
                }
            }
            top = below + deepest + GUTTER;
        }
        top -= GUTTER - 4.0;
        if let (true, Some(&entries)) = (shared, listed.first()) {
            let room = legend::height(entries, page);
            let frame = PixelRectangle { left: MARGIN, top: top + 4.0, width: page, height: room };
            legends.push((entries.clone(), frame));
            top += room + 4.0;
        }
        Self { width: page + 2.0 * MARGIN, height: top.max(0.0) + MARGIN, cells, legends }
    }

    fn draw(&self, area: &Area, figure: &Figure) -> Result<(), PlotError> {
        let letters = Lettering { bold: true, ..Lettering::new(17.0, Anchor::Centre) };
        let title = shortened(&figure.title, (self.width - 2.0 * MARGIN) / 17.0 / 1.06);
        write(area, &title, [0.5 * self.width, MARGIN + 0.4 * HEADING], letters)?;
        for (panel, &cell) in figure.panels.iter().zip(&self.cells) {
            match panel {
                Panel::Chart(c) => chart::draw(area, cell, c),
                Panel::HeatMap(m) => heat_map::draw(area, cell, m),
                Panel::Sphere(s) => sphere::draw(area, cell, s),
            }?;
        }
        for (entries, frame) in &self.legends {
            legend::draw(area, entries, *frame)?;
        }
        Ok(())
    }
}

/// The drawing's units are parts of a pixel: only the size of the page says so. Attributes at their
/// default are left out.
fn in_pixels(svg: &str, size: (u32, u32), layout: &Layout) -> String {
    let units = format!("<svg width=\"{}\" height=\"{}\"", size.0, size.1);
    let whole = |v: f64| (f64::from(length(v)) / UNITS).ceil();
    let pixels =
        format!("<svg width=\"{}\" height=\"{}\"", whole(layout.width), whole(layout.height));
    // Quotes within texts are escaped, so that only attributes match.
    let svg = svg.replacen(&units, &pixels, 1);
    compact(&svg.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", ""))
}
