//! Figures 4 and 5: accuracy over all bodies.

use polhode::{FreeMotion, Inertia, State, rotor};
use polhode_plot::{Axis, Chart, Figure, HeatMap, LineStyle, Mark, Panel, Series};
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::dormand_prince;
use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product, spread};

/// The middle of a cell of a grid over [0, 1] x [1/2, 1].
fn cell(index: usize, columns: usize, rows: usize) -> [f64; 2] {
    let x = ((index % columns) as f64 + 0.5) / columns as f64;
    let y = 0.5 + 0.5 * ((index / columns) as f64 + 0.5) / rows as f64;
    [x, y]
}

/// Within 0 < 1 - y <= x < y < 1.
fn inside([x, y]: [f64; 2]) -> bool {
    1.0 - y > 0.0 && 1.0 - y <= x && x < y && y < 1.0
}

// All experiments have one signature.
#[expect(clippy::unnecessary_wraps)]
pub(super) fn triangle(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-4", 1);
    let mut claims = Claims::of("frb-fortran-4");
    // Moments of boxes of mass points: what bodies can have.
    let mut outside = 0;
    for n in 0..1000 {
        let [a, b, c] = spread::octant(n).map(|v| v * v + 1e-9);
        let mut moments = [b + c, a + c, a + b];
        moments.sort_by(f64::total_cmp);
        let point = [moments[0] / moments[2], moments[1] / moments[2]];
        outside += usize::from(!inside(point));
    }
    claims.check(
        "the triangle 0 < 1 − y ≤ x < y < 1 contains every body with distinct moments",
        "none outside",
        format!("{outside} of 1000 bodies outside"),
        outside == 0,
        "bodies of three pairs of mass points; the edges are symmetric and flat bodies",
    );
    let points: Vec<[f64; 2]> =
        (0..5000).map(|i| cell(i, 100, 50)).filter(|&p| inside(p)).collect();
    let share = points.len() as f64 / 5000.0;
    claims.check(
        "a grid of 100 × 50 points is laid over the triangle",
        "half of the points inside",
        format!("{} of 5000", points.len()),
        (share - 0.5).abs() < 0.02,
        "",
    );
    let edge = Series::new("", [[0.0, 1.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0]]).colour(4);
    let shown = (0..5000).filter(|i| i % 2 == 0 && (i / 100) % 2 == 0).map(|i| cell(i, 100, 50));
    let dots = Series::new("", shown.filter(|&p| inside(p))).line(LineStyle::None).mark(Mark::Dot);
    let corner = |name: &str, x: f64, y: f64, mark: Mark, colour: usize| {
        Series::new(name, [[x, y]]).line(LineStyle::None).mark(mark).colour(colour)
    };
    let chart = Chart::new(
        Axis::linear("x = I₁/I₃").range(-0.03, 1.03),
        Axis::linear("y = I₂/I₃").range(0.47, 1.03),
    )
    .series(dots.colour(6))
    .series(edge)
    .series(corner("needle (0, 1)", 0.0, 1.0, Mark::Diamond, 1))
    .series(corner("disc (1/2, 1/2)", 0.5, 0.5, Mark::Square, 2))
    .series(corner("sphere (1, 1)", 1.0, 1.0, Mark::Circle, 0));
    let figure = Figure::new([chart.into()]).panel_size(620.0, 400.0);
    context.progress.advance();
    Ok(Product::new(figure, claims.into_list()))
}

const METHODS: [&str; 4] =
    ["matrix (frb-matrix)", "quaternion (frb-quaternion)", "library: exact", "library: FreeMotion"];

/// The larger error of momentum and attitude of the four methods after a step of 1, as log10 of its
/// size relative to 1; an error of zero counts as an eighth of eps.
fn errors(moments: [f64; 3], momentum: [f64; 3]) -> Result<[f64; 4], ExperimentError> {
    let inertia = Inertia::principal_unphysical(moments)?;
    let start = State::aligned(momentum)?;
    let (m, q) = FreeReference::new(moments, momentum, [1.0, 0.0, 0.0, 0.0]).at(1.0);
    let error = |state: &State| {
        // Attitudes are compared as rotations: the matrix routine has no sign of q.
        let attitude = state.attitude();
        let other = attitude.map(|v| -v);
        let turned = quaternion_distance(attitude, q).min(quaternion_distance(other, q));
        momentum_error(state.m.to_array(), m).max(turned).max(f64::EPSILON / 8.0).log10()
    };
    let mut all = [0.0; 4];
    for (place, id) in all.iter_mut().zip(["frb-matrix", "frb-quaternion", "exact"]) {
        let mut state = start;
        rotor::build(id, &inertia)?.step(1.0, &mut state)?;
        *place = error(&state);
    }
    all[3] = error(&FreeMotion::new(&inertia, start)?.at(1.0)?);
    Ok(all)
}

pub(super) fn map(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let (columns, rows, starts) = context.pick((30, 15, 5), (100, 50, 20));
    context.progress.begin("frb-fortran-5", (columns * rows) as u64);
    let cells: Vec<[f64; 4]> = (0..columns * rows)
        .into_par_iter()
        .map(|index| {
            let [x, y] = cell(index, columns, rows);
            let mut sums = [0.0; 4];
            if inside([x, y]) {
                for n in 0..starts {
                    let found = errors([x, y, 1.0], spread::octant(n))?;
                    sums.iter_mut().zip(found).for_each(|(sum, e)| *sum += e / starts as f64);
                }
            } else {
                sums = [f64::NAN; 4];
            }
            context.progress.advance();
            Ok(sums)
        })
        .collect::<Result<_, ExperimentError>>()?;

    let mut claims = Claims::of("frb-fortran-5");
    for (which, name) in METHODS.into_iter().enumerate() {
        let values: Vec<f64> = cells.iter().map(|c| c[which]).filter(|v| v.is_finite()).collect();
        let good = values.iter().filter(|v| **v < -15.0).count() as f64 / values.len() as f64;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let worst = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        claims.check(
            &format!("accurate to the order of machine accuracy for large portions: {name}"),
            "mean log₁₀ error below −15 in most of the triangle",
            format!(
                "{mean:.2} on average, {worst:.2} at worst; below −15 in {:.0} % of the cells",
                100.0 * good
            ),
            good > 0.9,
            "",
        );
    }
    let [corner, elsewhere] = adaptive_reference()?;
    claims.check(
        "the reference solution is not fully reliable in the top left corner of the triangle",
        "larger errors there",
        format!(
            "mean log₁₀ error {} there (I₁/I₃ < 0.15), {} elsewhere",
            number(corner),
            number(elsewhere)
        ),
        corner > elsewhere + 0.5,
        "the pair of Dormand and Prince, as in ode45, with relative and absolute tolerance eps, against \
         the Taylor series; 30 × 15 cells, two momenta each",
    );
    let finite = || cells.iter().flatten().copied().filter(|v| v.is_finite());
    let range = [finite().fold(f64::MAX, f64::min), finite().fold(f64::MIN, f64::max)];
    let panels = METHODS.into_iter().enumerate().map(|(which, name)| {
        Panel::from(HeatMap {
            title: name.to_owned(),
            x: Axis::linear("I₁/I₃").range(0.0, 1.0),
            y: Axis::linear("I₂/I₃").range(0.5, 1.0),
            columns,
            values: cells.iter().map(|c| c[which]).collect(),
            label: "mean log₁₀ error".into(),
            range: Some(range),
        })
    });
    let figure = Figure::new(panels).columns(2).panel_size(460.0, 290.0);
    Ok(Product::new(figure, claims.into_list()))
}

/// The mean log10 error of the paper's kind of reference, in the top left corner and elsewhere.
fn adaptive_reference() -> Result<[f64; 2], ExperimentError> {
    let (columns, rows) = (30, 15);
    let all: Vec<(bool, f64)> = (0..2 * columns * rows)
        .into_par_iter()
        .map(|index| (cell(index / 2, columns, rows), spread::octant(index % 2)))
        .filter(|(at, _)| inside(*at))
        .map(|([x, y], momentum)| {
            let moments = [x, y, 1.0];
            let (m, q) = FreeReference::new(moments, momentum, [1.0, 0.0, 0.0, 0.0]).at(1.0);
            let (found_m, found_q) = dormand_prince::at_one(moments, momentum);
            let error = momentum_error(found_m, m).max(quaternion_distance(found_q, q));
            Ok((x < 0.15, error.max(f64::EPSILON / 8.0).log10()))
        })
        .collect::<Result<_, ExperimentError>>()?;
    Ok([true, false].map(|corner| {
        let part: Vec<f64> = all.iter().filter(|e| e.0 == corner).map(|e| e.1).collect();
        part.iter().sum::<f64>() / part.len().max(1) as f64
    }))
}
