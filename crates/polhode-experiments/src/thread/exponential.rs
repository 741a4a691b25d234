//! The exponential of a skew matrix.

use polhode::glam::{DMat3, DVec3};
use polhode::so3;
use polhode_plot::{Axis, Chart, Figure, Mark, Series};

use crate::claim::{Claims, number};
use crate::measure::largest;
use crate::{Context, ExperimentError, Product, spread};

/// Directions for each angle.
const DIRECTIONS: usize = 50;

// All experiments have one signature.
#[expect(clippy::unnecessary_wraps)]
pub(super) fn rodrigues(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let angles: Vec<f64> = (0..=context.pick(26, 104))
        .map(|k| 10f64.powf(-12.0 + 13.0 * f64::from(k) / context.pick(26.0, 104.0)))
        .collect();
    context.progress.begin("thread-1", angles.len() as u64);
    let (mut cube, mut printed, mut library) = (0.0_f64, Vec::new(), Vec::new());
    for &angle in &angles {
        let (mut by_formula, mut by_library) = (0.0_f64, 0.0_f64);
        for n in 0..DIRECTIONS {
            let a = direction(n) * angle;
            let skew = so3::hat(a);
            let third = skew * skew * skew + skew * a.length_squared();
            cube = cube.max(entry(third) / angle.powi(3));
            let general = exponential(skew);
            by_formula = by_formula.max(entry(formula(skew, a.length()) - general));
            by_library = by_library.max(entry(DMat3::from_quat(so3::exp(a)) - general));
        }
        printed.push([angle, by_formula]);
        library.push([angle, by_library]);
        context.progress.advance();
    }
    let worst = |points: &[[f64; 2]]| largest(points.iter().map(|p| p[1]));
    let zero = entry(DMat3::from_quat(so3::exp(DVec3::ZERO)) - DMat3::IDENTITY);
    let mut claims = Claims::of("thread-1");
    claims.check(
        "A³ = −α²A for a skew matrix A",
        "0, relative to α³",
        number(cube),
        cube < 8.0 * f64::EPSILON,
        "rounding alone: three products of entries up to α",
    );
    claims.check(
        "e^A = I + (sin α/α) A + ((1 − cos α)/α²) A²; compare with a general matrix exponential",
        "equal to rounding",
        format!("{} for angles up to 10", number(worst(&library))),
        worst(&library) < 2e-14,
        "the general exponential squares repeatedly, and is the less accurate of the two",
    );
    claims.check(
        "both coefficients have removable singularities at α = 0",
        "identity at 0, no loss of digits nearby",
        format!(
            "{} at 0; {} for α < 1e-3",
            number(zero),
            number(largest(library.iter().filter(|p| p[0] < 1e-3).map(|p| p[1])))
        ),
        zero == 0.0 && library.iter().filter(|p| p[0] < 1e-3).all(|p| p[1] < 1e-15),
        "",
    );
    // A difference of zero has no place on a logarithmic axis: it is drawn at the smallest one.
    let shown = |name: &str, points: Vec<[f64; 2]>| Series::new(name, points).floor(1e-18);
    let chart = Chart::new(Axis::log("α"), Axis::log("largest difference of an entry"))
        .series(shown("formula as printed", printed).mark(Mark::Circle))
        .series(shown("library", library).mark(Mark::Square));
    let figure = Figure::new([chart.into()]).panel_size(620.0, 360.0);
    Ok(Product::new(figure, claims.into_list()))
}

/// Directions in all octants.
fn direction(n: usize) -> DVec3 {
    let v = spread::octant(n);
    let sign = |bit: usize| if (n >> bit) & 1 == 0 { 1.0 } else { -1.0 };
    DVec3::new(v[0] * sign(0), v[1] * sign(1), v[2] * sign(2))
}

fn formula(skew: DMat3, angle: f64) -> DMat3 {
    let (s, c) = angle.sin_cos();
    DMat3::IDENTITY + skew * (s / angle) + (skew * skew) * ((1.0 - c) / (angle * angle))
}

/// The exponential of any matrix: its series where it is small, and squaring.
fn exponential(a: DMat3) -> DMat3 {
    let mut halvings = 0;
    let mut scaled = a;
    while entry(scaled) > 0.25 {
        scaled *= 0.5;
        halvings += 1;
    }
    // 0.75^18/18! is 1e-18: the entries of a row add up to 0.75 at most.
    let mut sum = DMat3::IDENTITY;
    for k in (1..=18).rev() {
        sum = DMat3::IDENTITY + scaled * sum * (1.0 / f64::from(k));
    }
    for _ in 0..halvings {
        sum *= sum;
    }
    sum
}

fn entry(a: DMat3) -> f64 {
    largest(a.to_cols_array().map(f64::abs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_general_exponential_knows_diagonal_matrices() {
        let a = DMat3::from_diagonal(DVec3::new(1.0, -2.0, 0.5));
        let e = DMat3::from_diagonal(DVec3::new(1f64.exp(), (-2f64).exp(), 0.5f64.exp()));
        // Three squarings double the rounding of entries up to e each time.
        assert!(entry(exponential(a) - e) < 1e-14);
    }
}
