//! Colours of lines and maps.

use plotters::style::RGBColor;
use plotters::style::colors::colormaps::{ColorMap, ViridisRGB};

/// Colours of series, dark enough on white and distinct for the colour-blind too: those of Okabe
/// and Ito without their yellow, which is pale, the blue first and the sky blue darkened.
pub const COLOURS: [[u8; 3]; 7] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 158, 115],
    [204, 121, 167],
    [0, 0, 0],
    [230, 159, 0],
    [60, 150, 210],
];

const NAMES: [&str; 7] = ["blue", "vermilion", "green", "purple", "black", "orange", "sky blue"];

/// What to call the colour of this index in a caption.
pub fn colour_name(index: usize) -> &'static str {
    NAMES[index % NAMES.len()]
}

pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);
pub(crate) const GRID: RGBColor = RGBColor(216, 216, 216);
pub(crate) const FAINT: RGBColor = RGBColor(238, 238, 238);
pub(crate) const REFERENCE: RGBColor = RGBColor(110, 110, 110);

pub(crate) fn colour(index: usize) -> RGBColor {
    let [r, g, b] = COLOURS[index % COLOURS.len()];
    RGBColor(r, g, b)
}

/// Levels of a heat map: enough to look continuous, few enough that neighbouring cells often share
/// one and become one rectangle.
pub(crate) const LEVELS: u32 = 32;

/// The level of a `share` of the range, within 0 and 1.
pub(crate) fn level(share: f64) -> u32 {
    // Truncation is the purpose; the product lies within the levels.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let level = (share.clamp(0.0, 1.0) * f64::from(LEVELS)) as u32;
    level.min(LEVELS - 1)
}

pub(crate) fn level_colour(level: u32) -> RGBColor {
    let share = (f64::from(level) + 0.5) / f64::from(LEVELS);
    ViridisRGB.get_color(share)
}
