//! Optima without a starting guess.

use core::f64::consts::PI;

use glam::{DMat3, DVec3};

use crate::count::whole;
use crate::descend::{Optimum, descend};
use crate::error::FitError;
use crate::guess::{Guess, at};
use crate::model::Observations;
use crate::shape::MassShape;
use crate::{invariants, segments, white, wobble};

/// The unknowns of gyro data: shape and angular velocity.
pub(crate) const GYRO: [usize; at::ATTITUDE] = [0, 1, 2, 3, 4, 5, 6, 7];

/// No more samples than this are shot at in segments; longer arcs grow from their middle.
const MOST_SHOT: usize = 800;

/// Samples of an arc that is not the whole one yet.
const ON_THE_WAY: usize = 4000;

/// Of so few samples everything is tried; of more, until nothing but noise is left.
const FEW: usize = 300;

/// More samples than this are not searched for ever, if what is left is not noise.
const LONG: usize = 3000;

/// What is being looked for, and what has been found.
struct Search<'a> {
    observations: &'a Observations,
    /// The part in the middle that is shot at in segments.
    part: Observations,
    /// Samples in a radian of turning.
    dense: f64,
    found: Vec<Optimum>,
    /// Whether the best of them leaves nothing but noise.
    white: bool,
    /// How many starts have led to the best of them.
    agreed: usize,
}

/// The optima that the likeliest starts lead to, best first.
pub(crate) fn quick(observations: &Observations) -> Vec<Optimum> {
    let mut search = Search::new(observations);
    search.shoot(1.2, MassShape::SPHERE);
    if !search.white {
        search.shoot(3.0, MassShape::SPHERE);
    }
    search.sorted()
}

/// The optima that were found for gyro data, best first.
pub(crate) fn search(observations: &Observations) -> Vec<Optimum> {
    let mut search = Search::new(observations);
    let dense = search.dense;
    search.shoot(1.2, MassShape::SPHERE);
    if !search.done() {
        search.shoot(3.0, MassShape::SPHERE);
    }
    for guess in invariants::guesses(observations) {
        if !search.done() {
            search.keep(grown(observations, guess, &search.part.near(8.0 / dense), &GYRO));
        }
    }
    if !search.done() && !search.settled() {
        for guess in wobble::guesses(observations) {
            search.keep(descend(observations, guess, &GYRO, 30));
        }
    }
    if !search.white {
        search.harder();
    }
    search.neighbours();
    search.sorted()
}

impl<'a> Search<'a> {
    fn new(observations: &'a Observations) -> Self {
        let count = observations.gyro.len();
        let [first, last] = observations.span();
        let reach = first.abs().max(last.abs());
        let mut part = observations.clone();
        if count > MOST_SHOT {
            part = observations.near(reach * MOST_SHOT as f64 / count as f64);
            if part.gyro.len() < MOST_SHOT / 4 {
                part.gyro = about_the_epoch(&observations.gyro, MOST_SHOT).to_vec();
            }
        }
        let dense = count as f64 / (last - first);
        Self { observations, part, dense, found: Vec::new(), white: false, agreed: 0 }
    }
}

/// So many samples nearest to the epoch, counted and not timed: where samples are sparse about it.
fn about_the_epoch(gyro: &[(f64, DVec3)], count: usize) -> &[(f64, DVec3)] {
    let middle = gyro.partition_point(|x| x.0 < 0.0);
    let from = middle.saturating_sub(count / 2).min(gyro.len() - count);
    &gyro[from..from + count]
}

impl Search<'_> {
    fn sorted(mut self) -> Vec<Optimum> {
        self.found.sort_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost));
        self.found
    }

    fn done(&self) -> bool {
        self.white && self.observations.gyro.len() > FEW
    }

    /// Of many samples: several starts have led to one optimum, so what is left is no matter of the start.
    fn settled(&self) -> bool {
        self.agreed >= 3 && self.observations.gyro.len() > LONG
    }

    fn keep(&mut self, fitted: Result<Optimum, FitError>) {
        let Ok(fitted) = fitted else { return };
        let best = self.best().is_none_or(|best| fitted.normal.cost < best.normal.cost - 1e-6);
        let again = self.best().is_some_and(|best| same(best, &fitted));
        self.agreed = if again {
            self.agreed + 1
        } else if best {
            1
        } else {
            self.agreed
        };
        if best && !(again && self.white) {
            self.white = structure(self.observations, &fitted.guess) < 1.0;
        }
        self.found.push(fitted);
    }

    fn best(&self) -> Option<&Optimum> {
        self.found.iter().min_by(|a, b| a.normal.cost.total_cmp(&b.normal.cost))
    }

    fn shoot(&mut self, radians: f64, shape: MassShape) {
        let length = whole(radians * self.dense).clamp(3, self.part.gyro.len().max(3));
        if let Ok(guess) = segments::shoot(&self.part, length, shape) {
            self.keep(grown(self.observations, guess, &self.part, &GYRO));
        }
    }

    /// Other bodies to begin with, and other segments.
    fn harder(&mut self) {
        let mean = self.observations.gyro.iter().map(|x| x.1).sum::<DVec3>().normalize_or(DVec3::Z);
        let (u, v) = mean.any_orthonormal_pair();
        let about = DMat3::from_cols(u, v, mean);
        for (radians, moments) in [
            (2.0, [1.0, 1.4, 1.8]),
            (2.0, [1.6, 1.3, 0.8]),
            (5.0, [1.0, 1.4, 1.8]),
            (5.0, [1.6, 1.3, 0.8]),
            (0.7, [1.4, 1.0, 1.2]),
        ] {
            if !self.white && !self.settled() {
                self.shoot(radians, MassShape::of_moments(moments, about));
            }
        }
    }

    /// Optima next to the best one: other counts of periods, axes of nearly equal moments exchanged.
    fn neighbours(&mut self) {
        let Some(best) = self.best().cloned() else { return };
        let [first, last] = self.observations.span();
        let mut guesses = Vec::new();
        if !self.done()
            && let Some((period, gradient)) = period_gradient(&best.guess)
        {
            for cycles in [-1.0, 1.0] {
                let change = -cycles * period * period / (last - first);
                let size: f64 = gradient.iter().map(|x| x * x).sum();
                let step: Vec<f64> = gradient.iter().map(|x| x * change / size).collect();
                if change.abs() < 0.5 * period && step.iter().all(|x| x.abs() < 0.3) {
                    guesses.push(best.guess.stepped(&GYRO, &step));
                }
            }
        }
        let p = best.guess.shape.p;
        for (i, j) in [(0, 1), (1, 2)] {
            // A gap that the data hardly see may as well be the other way round.
            let mut gap = [0.0; GYRO.len()];
            for (k, g) in gap[..2].iter_mut().enumerate() {
                *g = MassShape::EIGENVALUES[i][k] - MassShape::EIGENVALUES[j][k];
            }
            let variance = best.normal.matrix.solve(&gap);
            let variance = variance.map(|x| x.iter().zip(gap).map(|(a, b)| a * b).sum::<f64>());
            if variance.is_none_or(|variance| p[i] - p[j] < 6.0 * variance.sqrt()) {
                let mut moments = best.guess.shape.moments();
                moments.swap(i, j);
                let shape = MassShape::of_moments(moments, best.guess.shape.axes);
                guesses.push(Guess { shape, ..best.guess });
            }
        }
        for guess in guesses {
            self.keep(descend(self.observations, guess, &GYRO, 30));
        }
    }
}

/// The period of the motion and its derivatives by the unknowns.
fn period_gradient(guess: &Guess) -> Option<(f64, Vec<f64>)> {
    let motion = guess.motion().ok()?;
    let period = motion.period()?;
    let gradient = motion.period_gradient().ok()?;
    let mut by = vec![0.0; GYRO.len()];
    for (x, direction) in by.iter_mut().zip(guess.shape.directions()) {
        let (d, o) = (gradient.inertia, gradient.inertia_off);
        *x = -(d[0] * direction.x_axis.x
            + d[1] * direction.y_axis.y
            + d[2] * direction.z_axis.z
            + o[0] * direction.y_axis.x
            + o[1] * direction.z_axis.x
            + o[2] * direction.z_axis.y);
    }
    let by_omega = guess.shape.inertia_matrix() * DVec3::from_array(gradient.momentum);
    by[at::OMEGA..at::OMEGA + 3].copy_from_slice(&by_omega.to_array());
    (period.is_finite() && by.iter().all(|x| x.is_finite())).then_some((period, by))
}

/// Whether two optima are one.
pub(crate) fn same(a: &Optimum, b: &Optimum) -> bool {
    let difference = (a.guess.shape.matrix() - b.guess.shape.matrix()).to_cols_array();
    difference.iter().all(|x| x.abs() < 1e-3) && (a.guess.omega - b.guess.omega).length() < 1e-2
}

/// What is left in the residuals besides noise; below one there is nothing.
pub(crate) fn structure(observations: &Observations, guess: &Guess) -> f64 {
    let Ok(residuals) = observations.residuals(guess) else { return f64::INFINITY };
    let mut most: f64 = 0.0;
    let (gyro, attitude) = (observations.gyro.len(), observations.attitude.len());
    let times: Vec<f64> = observations.gyro.iter().map(|x| x.0).collect();
    most = most.max(white::structure(&times, &residuals[..gyro]));
    let times: Vec<f64> = observations.attitude.iter().map(|x| x.0).collect();
    most = most.max(white::structure(&times, &residuals[gyro..gyro + attitude]));
    let times: Vec<f64> = observations.directions.iter().map(|x| x.0).collect();
    // Of two numbers each, not three: by chance they are correlated the more.
    most.max(white::structure(&times, &residuals[gyro + attitude..]) * (2.0_f64 / 3.0).sqrt())
}

/// From an arc about the epoch to the whole one, doubling it, and to the optimum of all samples.
pub(crate) fn grown(
    observations: &Observations,
    guess: Guess,
    part: &Observations,
    active: &[usize],
) -> Result<Optimum, FitError> {
    descend(observations, growing(observations, guess, part, active)?, active, 60)
}

/// The same, near to the optimum of all samples, with no more than enough of them.
pub(crate) fn growing(
    observations: &Observations,
    guess: Guess,
    part: &Observations,
    active: &[usize],
) -> Result<Guess, FitError> {
    let [first, last] = observations.span();
    let whole = last.max(-first);
    let mut reach = part.span()[1].max(0.01 * PI);
    let mut guess = guess;
    if reach < whole {
        guess = descend(part, guess, active, 30)?.guess;
    }
    while 2.0 * reach < whole {
        reach *= 2.0;
        // On the way, enough samples are enough.
        let arc = observations.near(reach).thinned(ON_THE_WAY);
        guess = descend(&arc, guess, active, 12)?.guess;
    }
    if observations.samples() > 2 * ON_THE_WAY {
        guess = descend(&observations.clone().thinned(ON_THE_WAY), guess, active, 12)?.guess;
    }
    Ok(guess)
}
