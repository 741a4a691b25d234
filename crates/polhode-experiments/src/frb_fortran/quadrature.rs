//! Semi-exact methods: the integral of the third kind by quadrature.

use polhode::rotor::components::{momentum_step, quadrature_pi};
use polhode::{FreeMotion, Inertia, Problem, State, rotor};

use super::text::starts;
use crate::claim::{Claims, number};
use crate::measure::{apart, end, largest, matrix_distance, order, spatial_change};
use crate::{ExperimentError, spread};

const MOMENTS: [f64; 3] = [0.7, 1.0, 1.4];

pub(super) fn claims(claims: &mut Claims) -> Result<(), ExperimentError> {
    orders(claims)?;
    attitude_orders(claims)?;
    kept(claims)?;
    large_steps(claims)?;
    convergence(claims)
}

/// The order of each rule, from one interval that shrinks about its middle.
fn orders(claims: &mut Claims) -> Result<(), ExperimentError> {
    // n = 1.5 has a pole on the real axis, at 0.955: the error has one sign.
    let (middle, nc, mc) = (0.5, -0.5, 0.3);
    let wide = [middle - 0.4, middle + 0.4];
    let [low, high] = wide.map(|phi| polhode_elliptic::incomplete_pi(phi, nc, mc));
    let gap = (in_parts(wide, nc, mc)? - (high? - low?)).abs();
    claims.check(
        "Carlson's algorithms and quadrature to machine accuracy give the same integral",
        "equal to rounding",
        number(gap),
        gap < 1e-14,
        "n = 1.5, k² = 0.7, from 0.1 to 0.9; 16 intervals of 10 points",
    );
    for nodes in 1..=10_u32 {
        let mut points = Vec::new();
        for k in 0..80 {
            let width = 0.8 * 0.97_f64.powi(k);
            let ends = [middle - 0.5 * width, middle + 0.5 * width];
            let error = (quadrature_pi(ends, nc, mc, nodes)? - in_parts(ends, nc, mc)?).abs();
            points.push([width, error]);
        }
        let (p, [from, to]) = corrected_order(&points);
        let expected = 2.0 * f64::from(nodes);
        claims.check(
            &format!("Gauss-Legendre quadrature with p = {nodes} points attains the order 2p"),
            &number(expected),
            number(p),
            (p - expected).abs() < 0.05 * expected,
            &format!(
                "fitted to errors from {} to {} of one interval, whose order is one higher, with the \
                 next two terms of the expansion; below 1e-14 rounding ends the reading",
                number(from),
                number(to)
            ),
        );
    }
    Ok(())
}

/// The integral to the last digit: the rule of 10 points in 16 parts. Carlson's method agrees, but as
/// a difference of two integrals it has more rounding.
fn in_parts([from, to]: [f64; 2], nc: f64, mc: f64) -> Result<f64, ExperimentError> {
    let mut sum = 0.0;
    for part in 0..16 {
        let at = |n: i32| from + (to - from) * f64::from(n) / 16.0;
        sum += quadrature_pi([at(part), at(part + 1)], nc, mc, 10)?;
    }
    Ok(sum)
}

/// The order p of a rule from errors ~ w^(p+1) (1 + b w² + c w⁴) of intervals of width w, and the
/// errors used: the smallest that are above rounding.
fn corrected_order(points: &[[f64; 2]]) -> (f64, [f64; 2]) {
    const TERMS: usize = 4;
    let seen: Vec<[f64; 2]> = points.iter().copied().take_while(|p| p[1] > 1e-14).collect();
    // Wide enough to tell the power from the corrections, narrow enough for two of them.
    let last = seen.last().map_or(f64::NAN, |p| p[0]);
    let used: Vec<[f64; 2]> = seen.into_iter().filter(|p| p[0] < 1.75 * last).collect();
    let ends = [used.first(), used.last()].map(|p| p.map_or(f64::NAN, |p| p[1]));
    // Least squares for ln e = a + q ln w + b w² + c w⁴, by its normal equations.
    let mut normal = [[0.0; TERMS + 1]; TERMS];
    for [w, e] in used {
        let row = [1.0, w.ln(), w * w, w.powi(4), e.ln()];
        for i in 0..TERMS {
            for j in 0..=TERMS {
                normal[i][j] += row[i] * row[j];
            }
        }
    }
    for i in 0..TERMS {
        for other in (0..TERMS).filter(|other| *other != i) {
            let pivot = normal[i];
            let factor = normal[other][i] / pivot[i];
            normal[other].iter_mut().zip(pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    (normal[1][TERMS] / normal[1][1] - 1.0, ends)
}

/// The order of the attitude of whole runs, as far as it shows above rounding.
fn attitude_orders(claims: &mut Claims) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal(MOMENTS)?;
    let start = State::aligned([0.6, 0.3, 0.9])?;
    let problem = Problem::new(inertia, start);
    let exact = FreeMotion::new(&inertia, start)?.at(3.0)?;
    for nodes in 1..=5_u32 {
        let id = format!("semi-exact:nodes={nodes}:frame=1");
        let mut points = Vec::new();
        for steps in [4.0, 5.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0] {
            let h = 3.0 / steps;
            points.push([h, matrix_distance(&end(&problem, &id, h, 3.0)?, &exact)]);
        }
        // The five smallest above rounding: larger steps are not yet of the order.
        points.retain(|p| p[1] > 1e-14);
        let p = order(&points[points.len().saturating_sub(5)..], 0.0, 1.0);
        let expected = 2.0 * f64::from(nodes);
        claims.check(
            &format!("Q is approximated to the order of the quadrature, {nodes} points"),
            &number(expected),
            number(p),
            (p - expected).abs() < 0.1 * expected,
            "attitude at t = 3; with more points the error is rounding before the order shows",
        );
    }
    Ok(())
}

fn step(id: &str, inertia: &Inertia, h: f64, from: State) -> Result<State, ExperimentError> {
    let mut state = from;
    rotor::build(id, inertia)?.step(h, &mut state)?;
    Ok(state)
}

fn kept(claims: &mut Claims) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal(MOMENTS)?;
    let mut gaps = [0.0_f64; 3];
    for start in starts()? {
        let state = step("semi-exact:nodes=2", &inertia, 1.0, start)?;
        let exact = step("exact", &inertia, 1.0, start)?;
        let back = step("semi-exact:nodes=2", &inertia, -1.0, state)?;
        gaps[0] = gaps[0].max((state.m - exact.m).length());
        gaps[1] = gaps[1].max(spatial_change(&inertia, &state, &start));
        gaps[2] = gaps[2].max(apart(&back, &start));
    }
    for (gap, claim) in gaps.into_iter().zip([
        "semi-exact methods integrate the angular momentum exactly",
        "semi-exact methods preserve Qm",
        "semi-exact methods are time-symmetric if the quadrature is",
    ]) {
        claims.check(claim, "to rounding", number(gap), gap < 2e-14, "20 starts, h = 1, two nodes");
    }
    Ok(())
}

/// The quadrature of eint_gauss is for short steps.
fn large_steps(claims: &mut Claims) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal(MOMENTS)?;
    let worst = |nodes: u32, h: f64| -> Result<f64, ExperimentError> {
        let mut gaps = Vec::new();
        for start in starts()? {
            let state = step(&format!("semi-exact:nodes={nodes}"), &inertia, h, start)?;
            gaps.push(matrix_distance(&state, &step("exact", &inertia, h, start)?));
        }
        Ok(largest(gaps))
    };
    for nodes in [5, 10] {
        let (short, long) = (worst(nodes, 0.5)?, worst(nodes, 30.0)?);
        claims.check(
            &format!("quadrature is suitable only if the step is not too large, {nodes} points"),
            "close to rounding for a short step, useless for a long one",
            format!("{} with h = 0.5, {} with h = 30", number(short), number(long)),
            short < 1e-10 && long > 1e-2,
            "largest error of the attitude of 20 starts, one step; 30 is one or two periods",
        );
    }
    Ok(())
}

/// The mean and Landen's transformations converge whatever they begin with.
fn convergence(claims: &mut Claims) -> Result<(), ExperimentError> {
    let [i1, i2, i3] = MOMENTS;
    let inertia = Inertia::principal(MOMENTS)?;
    let ratio = ((1.0 / i1 - 1.0 / i2) / (1.0 / i2 - 1.0 / i3)).sqrt();
    let (mut most, mut least, mut gaps) = (0, f64::INFINITY, Vec::new());
    let mut look = |m: [f64; 3], h: f64| -> Result<(), ExperimentError> {
        let found = momentum_step(&inertia, m, h)?;
        let exact = step("exact", &inertia, h, State::aligned(m)?)?;
        most = most.max(found.mean_steps);
        least = least.min(found.complementary_modulus);
        gaps.push((found.momentum - exact.m).length() / exact.m.length());
        Ok(())
    };
    for n in 0..1000 {
        look(spread::octant(n), 1.0)?;
    }
    // Towards the axis of instability, along the separatrix and beside it: k to 1.
    for n in 0..=150 {
        let small = 10f64.powi(-n);
        look([small, 1.0, small * ratio], 1.0)?;
        look([small, 1.0, small], 1.0)?;
    }
    claims.check(
        "elliptic functions are computed by iterations that always converge",
        "no start without convergence: fewer steps than the 20 allowed, and the right motion",
        format!(
            "at most {most} steps of the mean, √(1 − k²) down to {}; momentum off by {} at most",
            number(least),
            number(largest(gaps.iter().copied()))
        ),
        most < 20 && least < 1e-150 && largest(gaps) < 1e-8,
        "1302 starts, from all over the octant to 1e-150 beside the axis of instability, against the \
         library's exact step, which uses other functions. They converge, but next to k = 1 the last \
         arcsine is of a number close to 1 and loses half of the digits",
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_told_from_its_corrections() {
        let widths = (0..80).map(|k| 0.8 * 0.97_f64.powi(k));
        let error = |w: f64| 1e-3 * w.powi(11) * (0.7 * w * w - 0.2 * w.powi(4)).exp();
        let points: Vec<[f64; 2]> = widths.map(|w| [w, error(w).max(1e-15)]).collect();
        let (p, [from, to]) = corrected_order(&points);
        assert!((p - 10.0).abs() < 1e-3, "{p}");
        assert!(from > to && to > 1e-14, "{from} {to}");
    }
}
