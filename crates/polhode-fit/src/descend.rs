//! Levenberg's and Marquardt's iteration from a guess to the nearest optimum, within what is physical.

use crate::error::FitError;
use crate::guess::Guess;
use crate::model::{Normal, Observations};
use crate::shape::MassShape;

/// An optimum, or where the iteration was given up.
#[derive(Clone, Debug)]
pub(crate) struct Optimum {
    pub(crate) guess: Guess,
    pub(crate) normal: Normal,
    pub(crate) converged: bool,
}

/// Steps that lower the cost by less than this, relative, are the last.
const LAST: f64 = 1e-9;

/// Relative to the curvature.
const LEAST_DAMPING: f64 = 1e-9;

/// The nearest optimum, in at most so many iterations.
pub(crate) fn descend(
    observations: &Observations,
    start: Guess,
    active: &[usize],
    iterations: usize,
) -> Result<Optimum, FitError> {
    descend_damped(observations, start, active, (iterations, 1e-4))
}

/// The same from a guess next to the optimum: the first step is the whole one.
pub(crate) fn refine(
    observations: &Observations,
    start: Guess,
    active: &[usize],
) -> Result<Optimum, FitError> {
    descend_damped(observations, start, active, (60, LEAST_DAMPING))
}

fn descend_damped(
    observations: &Observations,
    start: Guess,
    active: &[usize],
    (iterations, mut damping): (usize, f64),
) -> Result<Optimum, FitError> {
    let mut guess = start;
    let mut normal = observations.normal(&guess, active)?;
    let mut converged = false;
    let mut small = 0;
    for _ in 0..iterations {
        let mut lowered = false;
        let within = observations.held(&guess, &normal, active);
        // A damping of a million times the curvature moves nothing.
        while damping < 1e6 {
            let Some(step) =
                step(within.as_ref().unwrap_or(&normal), &guess.shape, active, damping)
            else {
                damping *= 10.0;
                continue;
            };
            // Where the gain that is expected is below rounding, it is not worth an evaluation.
            let expected: f64 = step.iter().zip(&normal.right).map(|(a, b)| a * b).sum();
            if expected.abs() < 1e-3 * LAST * normal.cost {
                break;
            }
            let trial = observations.bounded(guess.stepped(active, &step));
            match observations.normal(&trial, active) {
                Ok(next) if next.cost < normal.cost => {
                    let gain = (normal.cost - next.cost) / normal.cost;
                    small = if gain < LAST { small + 1 } else { 0 };
                    (guess, normal) = (trial, next);
                    damping = (damping * 0.1).max(LEAST_DAMPING);
                    lowered = true;
                    break;
                }
                Err(FitError::Stopped) => return Err(FitError::Stopped),
                _ => damping *= if damping < 1e-3 { 100.0 } else { 5.0 },
            }
        }
        if !lowered || small > 0 || normal.cost == 0.0 {
            converged = true;
            break;
        }
    }
    Ok(Optimum { guess, normal, converged })
}

/// A damped step that leaves no eigenvalue of the second moments negative.
pub(crate) fn step(
    normal: &Normal,
    shape: &MassShape,
    active: &[usize],
    damping: f64,
) -> Option<Vec<f64>> {
    let n = active.len();
    let mut damped = normal.matrix.clone();
    let largest = (0..n).fold(0.0, |max: f64, i| max.max(damped.at(i, i)));
    for i in 0..n {
        // Where the data say nothing, a small share of what they say elsewhere keeps the step finite.
        *damped.at_mut(i, i) += damping * (damped.at(i, i) + 1e-9 * largest) + 1e-14 * largest;
    }
    let mut right = normal.right.clone();
    let has_shape = active.first() == Some(&0);
    // Bounds become active one by one: there are three eigenvalues.
    for _ in 0..3 {
        let step = damped.solve(&right)?;
        let violated = has_shape.then(|| shape.violated(&step)).flatten();
        let Some(i) = violated else { return Some(step) };
        let row = MassShape::EIGENVALUES[i];
        let weight = 1e9 * largest;
        for a in 0..2 {
            right[a] -= weight * row[a] * shape.p[i];
            for b in 0..2 {
                *damped.at_mut(a, b) += weight * row[a] * row[b];
            }
        }
    }
    damped.solve(&right)
}
