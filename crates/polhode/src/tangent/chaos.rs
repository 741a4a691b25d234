//! What is made of tangents along a run: Lyapunov exponents, covariances.

use super::run::TangentRun;
use crate::{IntoMethod, Plan, Problem, SimulateError, State};

/// A symmetric matrix of (m, rotation vector), by rows: variances and covariances.
pub type Covariance = [[f64; 6]; 6];

/// The rate at which neighbouring motions part.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lyapunov {
    /// The mean rate over the run, per time: the largest Lyapunov exponent, as far as the run is long enough.
    pub exponent: f64,
    /// Times, and the mean rate up to each: how the exponent converges. Of a regular motion it falls like log(t)/t.
    pub convergence: Vec<(f64, f64)>,
    /// The largest less the smallest mean rate over the second half of the run.
    pub spread: f64,
    /// Whether the exponent has settled, and on what.
    pub verdict: ChaosVerdict,
    /// The body is free. Its motion is integrable, so never chaotic: neighbours part exponentially only from the
    /// turn about the middle axis and from the separatrix, and for a while close to these.
    pub free: bool,
}

/// What a run tells of the largest Lyapunov exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChaosVerdict {
    /// It has settled on a positive rate: over the second half of the run neighbours parted by five e-foldings or
    /// more, and by at least 1.5 in each half of it.
    Positive,
    /// Neighbours parted like a power of the time: by less than two e-foldings over the second half of a run of a
    /// hundred radians or more. What exponent there may be is below four over the time of the run.
    NotPositive,
    /// Neither: the run is too short to tell.
    NotSettled,
}

impl ChaosVerdict {
    /// Its name: `positive`, `not positive` or `not settled`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::NotPositive => "not positive",
            Self::NotSettled => "not settled",
        }
    }

    /// From times since the start, and how many e-foldings neighbours have parted until each; and the angle that
    /// the body has turned.
    fn new(grown: &[(f64, f64)], turned: f64) -> Self {
        let Some(&(span, last)) = grown.last() else { return Self::NotSettled };
        let until = |part: f64| {
            let before = grown.iter().take_while(|(t, _)| *t <= part * span).last();
            before.map(|(_, grown)| *grown)
        };
        let (Some(half), Some(three_quarters)) = (until(0.5), until(0.75)) else {
            return Self::NotSettled;
        };
        if last - half >= POSITIVE
            && three_quarters - half >= 0.3 * POSITIVE
            && last - three_quarters >= 0.3 * POSITIVE
        {
            Self::Positive
        } else if last - half < REGULAR && turned >= LONG {
            Self::NotPositive
        } else {
            Self::NotSettled
        }
    }
}

/// E-foldings over the second half of a run from which on the exponent is positive.
const POSITIVE: f64 = 5.0;

/// Neighbours of regular motions part like a power of the time, mostly the first: over the second half of a run
/// by that power times log 2.
const REGULAR: f64 = 2.0;

/// So many radians are enough to tell that an exponent is not positive.
const LONG: f64 = 100.0;

impl Lyapunov {
    /// Whether the motion is chaotic; none if the run is too short to tell. A free body never is. Of others a
    /// positive exponent is taken for chaos, which an unstable steady motion has too.
    pub fn chaotic(&self) -> Option<bool> {
        match self.verdict {
            _ if self.free => Some(false),
            ChaosVerdict::Positive => Some(true),
            ChaosVerdict::NotPositive => Some(false),
            ChaosVerdict::NotSettled => None,
        }
    }
}

/// So many points of the convergence are kept.
const POINTS: u64 = 200;

/// A variation may grow by this before its length is set back to one.
const GROWN: f64 = 1e6;

impl Problem {
    /// The largest Lyapunov exponent, from the tangents of the steps of a run: the growth of a variation that
    /// is set back to length one when it has grown. Momenta are measured by the length of the momentum at the
    /// start, angles in radians.
    ///
    /// # Errors
    /// As for [`Problem::simulate_tangent`].
    ///
    /// ```
    /// use polhode::{Inertia, Problem, State};
    /// // A turn about the middle axis: neighbours part with exp(lambda t).
    /// let body = Inertia::principal([1.0, 2.0, 3.0])?;
    /// let problem = Problem::new(body, State::aligned([0.0, 1.0, 0.0])?);
    /// let found = problem.lyapunov("exact", 0.1, 200.0)?;
    /// let lambda = ((1.0 / 1.0 - 1.0 / 2.0) * (1.0 / 2.0 - 1.0 / 3.0) as f64).sqrt();
    /// assert!((found.exponent - lambda).abs() < 0.02);
    /// assert_eq!((found.verdict.name(), found.chaotic()), ("positive", Some(false)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lyapunov(
        &self,
        method: impl IntoMethod,
        step: f64,
        until: f64,
    ) -> Result<Lyapunov, SimulateError> {
        TangentRun::new(self, method)?.lyapunov(step, until)
    }

    /// The covariance of the state along a run, to first order: P <- Phi P Phi^T + Q h in every step, from P
    /// at the start and the growth Q of noise per time. Times, states and covariances of the start, of every
    /// n-th step, and of the last.
    ///
    /// # Errors
    /// As for [`Problem::simulate_tangent`]; also if a covariance is not finite or not symmetric, or a variance is
    /// negative. That it has no negative eigenvalue is left to the caller.
    pub fn covariance(
        &self,
        method: impl IntoMethod,
        plan: (f64, f64, u64),
        start: &Covariance,
        noise: &Covariance,
    ) -> Result<Vec<(f64, State, Covariance)>, SimulateError> {
        TangentRun::new(self, method)?.covariance(plan, start, noise)
    }
}

impl TangentRun<'_> {
    /// The largest Lyapunov exponent of the motion from here on: see [`Problem::lyapunov`].
    ///
    /// # Errors
    /// As for [`TangentRun::until`].
    pub fn lyapunov(self, step: f64, until: f64) -> Result<Lyapunov, SimulateError> {
        let (problem, t0) = (self.problem(), self.t());
        let mut run = self.by_start();
        let plan = Plan::until(t0, step, until)?;
        run.restart();
        let length = run.state().m.length();
        let unit = if length > 0.0 { length } else { 1.0 };
        // No direction of symmetry: one of all components.
        let mut variation = [0.55, -0.35, 0.45, 0.25, 0.4, -0.38];
        let norm = |v: &[f64; 6]| {
            let squares = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
            (squares(&v[..3]) / (unit * unit) + squares(&v[3..])).sqrt()
        };
        for x in &mut variation[..3] {
            *x *= unit;
        }
        let mut grown = -norm(&variation).ln();
        let (mut convergence, mut growth, mut turned) = (Vec::new(), Vec::new(), 0.0);
        let every = plan.steps.div_ceil(POINTS).max(1);
        for n in 1..=plan.steps {
            run.advance_to(&plan, t0, n)?;
            let tangent = run.state_transition();
            let moved = apply(&tangent, &variation);
            let size = norm(&moved);
            let at_point = n.is_multiple_of(every) || n == plan.steps;
            turned += problem.inertia().omega(run.state().m).length() * plan.step.abs();
            if at_point {
                let t = plan.time(t0, n);
                let (since, parted) = ((t - t0).abs(), grown + size.ln());
                growth.push((since, parted));
                convergence.push((t, parted / since));
            }
            if !(1.0 / GROWN..=GROWN).contains(&size) {
                grown += size.ln();
                variation = moved.map(|x| x / size);
                run.restart();
            }
        }
        let exponent = convergence.last().map_or(0.0, |(_, rate)| *rate);
        let half = &convergence[convergence.len() / 2..];
        let largest = half.iter().fold(f64::NEG_INFINITY, |l, (_, rate)| l.max(*rate));
        let smallest = half.iter().fold(f64::INFINITY, |l, (_, rate)| l.min(*rate));
        // Of no step at all nothing is known, and nothing has spread.
        let spread = if convergence.is_empty() { 0.0 } else { largest - smallest };
        let (verdict, free) = (ChaosVerdict::new(&growth, turned), problem.torques().is_none());
        Ok(Lyapunov { exponent, convergence, spread, verdict, free })
    }

    /// The covariance of the state from here on: see [`Problem::covariance`].
    ///
    /// # Errors
    /// As for [`TangentRun::until`]; also if a covariance is not finite or not symmetric, or a variance is negative.
    pub fn covariance(
        self,
        (step, until, every): (f64, f64, u64),
        start: &Covariance,
        noise: &Covariance,
    ) -> Result<Vec<(f64, State, Covariance)>, SimulateError> {
        check("start", start)?;
        check("noise", noise)?;
        let t0 = self.t();
        let plan = Plan::until(t0, step, until)?;
        let mut run = self.by_start();
        let mut covariance = *start;
        let mut kept = vec![(t0, run.state(), covariance)];
        for n in 1..=plan.steps {
            run.restart();
            run.advance_to(&plan, t0, n)?;
            covariance = propagated(&run.state_transition(), &covariance);
            for (row, noise) in covariance.iter_mut().zip(noise) {
                for (x, rate) in row.iter_mut().zip(noise) {
                    *x += rate * plan.step.abs();
                }
            }
            if n.is_multiple_of(every.max(1)) || n == plan.steps {
                kept.push((plan.time(t0, n), run.state(), covariance));
            }
        }
        Ok(kept)
    }
}

/// Checks that a matrix may be a covariance, as far as its entries tell.
fn check(which: &'static str, matrix: &Covariance) -> Result<(), SimulateError> {
    for (row, column) in (0..36).map(|k| (k / 6, k % 6)) {
        let value = matrix[row][column];
        let sound = value.is_finite() && value == matrix[column][row];
        if !sound || row == column && value < 0.0 {
            return Err(SimulateError::Covariance { which, row, column, value });
        }
    }
    Ok(())
}

fn apply(phi: &[[f64; 6]; 6], v: &[f64; 6]) -> [f64; 6] {
    core::array::from_fn(|i| (0..6).map(|j| phi[i][j] * v[j]).sum())
}

/// Phi P Phi^T: what a covariance P of the start comes to.
pub fn propagated(phi: &[[f64; 6]; 6], covariance: &Covariance) -> Covariance {
    let half: [[f64; 6]; 6] = core::array::from_fn(|j| apply(phi, &covariance[j]));
    // Row j of `half` is Phi times column j of P; symmetric by construction.
    let mut made = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..=i {
            let entry: f64 = (0..6).map(|k| half[k][i] * phi[j][k]).sum();
            made[i][j] = entry;
            made[j][i] = entry;
        }
    }
    made
}
