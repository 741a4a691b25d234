//! Drawing in pixels with fractions, over plotters' backend of whole units.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::{DashedLineSeries, SVGBackend, TextStyle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle};

use crate::PlotError;
use crate::data::LineStyle;
use crate::palette::INK;
use crate::text::printable;

/// Units of the drawing in a pixel: plotters draws in whole units, and whole pixels make curves
/// jagged.
pub(crate) const UNITS: f64 = 4.0;

/// The size of a font as plotters wants it is its line height.
const LINE_HEIGHT: f64 = 1.24;

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type PlotResult<T = ()> = Result<T, PlotError>;
/// Pixels from the left and from the top.
pub(crate) type Pixel = [f64; 2];

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelRectangle {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl PixelRectangle {
    pub(crate) fn right(&self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// The place of a share of the width, and of the height counted from the bottom.
    pub(crate) fn at(&self, [x, y]: [f64; 2]) -> Pixel {
        [self.left + x * self.width, self.bottom() - y * self.height]
    }
}

pub(crate) fn units(pixels: f64) -> i32 {
    #[expect(clippy::cast_possible_truncation)] // a place on the page; the cast saturates
    let units = (pixels * UNITS).round() as i32;
    units
}

/// As [`units`], for a length.
pub(crate) fn length(pixels: f64) -> u32 {
    u32::try_from(units(pixels)).unwrap_or(0).max(1)
}

fn point([x, y]: Pixel) -> (i32, i32) {
    (units(x), units(y))
}

pub(crate) fn stroke(colour: RGBColor, width: f64) -> ShapeStyle {
    colour.stroke_width(length(width))
}

#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Left,
    Centre,
    Right,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub(crate) struct Lettering {
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) colour: RGBColor,
    pub(crate) bold: bool,
    /// Reads upwards.
    pub(crate) upwards: bool,
}

impl Lettering {
    pub(crate) fn new(size: f64, anchor: Anchor) -> Self {
        Self { size, anchor, colour: INK, bold: false, upwards: false }
    }

    fn style(self) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = ("sans-serif", self.size * UNITS * LINE_HEIGHT).into_font().style(weight);
        let font = if self.upwards { font.transform(FontTransform::Rotate270) } else { font };
        let h = match self.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        TextStyle::from(font).pos(Pos::new(h, VPos::Center))
    }
}

/// Text whose middle line passes through `place`.
pub(crate) fn write(area: &Area, text: &str, place: Pixel, lettering: Lettering) -> PlotResult {
    if text.is_empty() {
        return Ok(());
    }
    let style = lettering.style();
    Ok(area.draw_text(&printable(text), &style.color(&lettering.colour), point(place))?)
}

pub(crate) fn path(
    area: &Area,
    places: &[Pixel],
    colour: RGBColor,
    width: f64,
    line: LineStyle,
) -> PlotResult {
    let mut points: Vec<(i32, i32)> = places.iter().map(|&p| point(p)).collect();
    points.dedup();
    if points.len() < 2 {
        return Ok(());
    }
    let style = stroke(colour, width);
    match line {
        LineStyle::None => Ok(()),
        LineStyle::Solid => Ok(area.draw(&PathElement::new(points, style))?),
        LineStyle::Dashed => dashes(area, points, style, 7.0, 4.0),
        LineStyle::Dotted => dashes(area, points, style, 1.6, 3.2),
    }
}

fn dashes(
    area: &Area,
    points: Vec<(i32, i32)>,
    style: ShapeStyle,
    dash: f64,
    gap: f64,
) -> PlotResult {
    let series = DashedLineSeries::new(points, length(dash), length(gap), style);
    for element in series {
        area.draw(&element)?;
    }
    Ok(())
}

pub(crate) fn polygon(area: &Area, places: &[Pixel], colour: RGBColor) -> PlotResult {
    let points: Vec<(i32, i32)> = places.iter().map(|&p| point(p)).collect();
    Ok(area.draw(&Polygon::new(points, colour.filled()))?)
}

pub(crate) fn disc(area: &Area, centre: Pixel, radius: f64, colour: RGBColor) -> PlotResult {
    Ok(area.draw(&Circle::new(point(centre), length(radius), colour.filled()))?)
}

pub(crate) fn ring(area: &Area, centre: Pixel, radius: f64, style: ShapeStyle) -> PlotResult {
    Ok(area.draw(&Circle::new(point(centre), length(radius), style))?)
}

pub(crate) fn rectangle(area: &Area, corners: [Pixel; 2], colour: RGBColor) -> PlotResult {
    Ok(area.draw(&Rectangle::new(corners.map(point), colour.filled()))?)
}

/// The outline of a frame.
pub(crate) fn outline(
    area: &Area,
    frame: PixelRectangle,
    colour: RGBColor,
    width: f64,
) -> PlotResult {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    path(area, &corners.map(|c| frame.at(c)), colour, width, LineStyle::Solid)
}
