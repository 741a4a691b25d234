//! The variational equations beside those of the motion, to a tolerance.
//!
//! The equations of motion are evaluated over numbers with derivatives, which are those of the variations,
//! and integrated by Dormand and Prince's method of order 8. The error of a step is taken of every column,
//! relative to the column.

use super::equations::{Dop853Stages, Equations, NUMBERS, pack};
use super::run::{Pass, variables};
use super::solution::{TangentForm, TangentSolution};
use crate::solve::{MAX_TOLERANCE, MIN_TOLERANCE, SolveError};
use crate::{Control, FreeMotion, Problem};

/// The tolerance unless another is given, which is that of [`Solver`](crate::Solver).
const DEFAULT_TOLERANCE: f64 = 1e-10;

/// Steps aim at this part of the tolerance: errors add up.
const SHARE: f64 = 0.1;

/// Steps that fail one after the other until there is no hope.
const MOST_REJECTED: u32 = 100;

/// How a problem is to be solved with its derivatives. Made by [`Problem::tangent_solver`], run by
/// [`TangentSolver::until`].
///
/// ```
/// use polhode::{Control, Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 1.5, 2.0])?, start).torque(HeavyTop::lagrange(1.0)?);
/// let control = Control::default().telling(|part| eprintln!("{:.0} %", 100.0 * part));
/// let tangents = top.tangent_solver().tolerance(1e-8).control(control).until(10.0)?;
/// assert_eq!(tangents.span(), (0.0, 10.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct TangentSolver<'a> {
    problem: &'a Problem,
    tolerance: f64,
    stops: Vec<f64>,
    control: Control,
}

impl Problem {
    /// Solves as [`Problem::solve`] does, with derivatives at all times of the span: by the state at the
    /// start, the inertia, and the [parameters](crate::Torque::parameters) of the torque.
    ///
    /// The tolerance is the error wanted of every column, relative to the column. Where a function of the
    /// user's has no Jacobian its derivatives are differences, good to some ten digits. A free body is
    /// evaluated in closed form.
    ///
    /// # Errors
    /// [`SolveError`] as for [`Problem::solve`].
    pub fn solve_tangent(&self, until: f64, tolerance: f64) -> Result<TangentSolution, SolveError> {
        self.tangent_solver().tolerance(tolerance).until(until)
    }

    /// Solves as [`Problem::solve_tangent`] does, with everything that can be chosen: tolerance, stops, control.
    pub fn tangent_solver(&self) -> TangentSolver<'_> {
        let (stops, control) = (Vec::new(), Control::default());
        TangentSolver { problem: self, tolerance: DEFAULT_TOLERANCE, stops, control }
    }
}

impl TangentSolver<'_> {
    /// The error wanted of every column, relative to the column; 1e-10 unless it is given.
    pub fn tolerance(self, tolerance: f64) -> Self {
        Self { tolerance, ..self }
    }

    /// Steps end at these times: where the torque jumps. The rows of a tabulated torque are such times without being
    /// named.
    pub fn stops(self, stops: &[f64]) -> Self {
        Self { stops: stops.to_vec(), ..self }
    }

    /// Sets who is told how far the solution is, and who may stop it.
    pub fn control(self, control: Control) -> Self {
        Self { control, ..self }
    }

    /// Solves from the problem's start until this time, before or after it.
    ///
    /// # Errors
    /// [`SolveError`] as for [`Problem::solve`], or if the end is requested.
    pub fn until(self, until: f64) -> Result<TangentSolution, SolveError> {
        let Self { problem, tolerance, ref stops, ref control } = self;
        if !until.is_finite() {
            return Err(SolveError::Until { until });
        }
        if !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance) {
            return Err(SolveError::Tolerance { name: "tolerance", value: tolerance });
        }
        if problem.needs_steps() {
            return Err(SolveError::NoDerivatives);
        }
        let torque = problem.torques();
        control.check()?;
        if torque.is_none() {
            let motion =
                FreeMotion::new(problem.inertia(), problem.start()).map_err(SolveError::Free)?;
            motion.inertia_tangent_at(until - problem.t0()).map_err(SolveError::Free)?;
            control.report(1.0);
            let form = TangentForm::Free(Box::new(motion));
            return Ok(TangentSolution { problem: problem.clone(), end: until, form });
        }
        torque.check(problem.inertia())?;
        torque.check_times([problem.t0(), until])?;
        let variables = variables(problem, true);
        let (mut times, mut nodes) = (vec![problem.t0()], Vec::new());
        for variables in &variables {
            let mut numbers = [0.0; NUMBERS];
            pack(&Pass::new(*variables, &problem.start()).at, &mut numbers);
            nodes.extend(numbers);
        }
        let between = |t: &f64| problem.t0().min(until) < *t && *t < problem.t0().max(until);
        let mut stops: Vec<f64> =
            stops.iter().copied().chain(torque.knots()).filter(between).collect();
        stops.sort_unstable_by(f64::total_cmp);
        stops.dedup();
        if until < problem.t0() {
            stops.reverse();
        }
        stops.push(until);
        let equations = Equations::new(problem, &variables);
        let mut drive = TangentDrive {
            control,
            span: (problem.t0(), until),
            steps: Dop853Stages::new(&equations),
            tolerance: SHARE * tolerance,
            want: 0.0,
            y: nodes.clone(),
        };
        let mut t = problem.t0();
        for stop in stops {
            t = drive.until(t, stop, |t, y| {
                times.push(t);
                nodes.extend_from_slice(y);
            })?;
        }
        let form = TangentForm::Solved { variables, times, nodes };
        Ok(TangentSolution { problem: problem.clone(), end: until, form })
    }
}

/// Steps whose length follows the error.
struct TangentDrive<'a> {
    control: &'a Control,
    /// When it all starts and ends.
    span: (f64, f64),
    steps: Dop853Stages<'a>,
    tolerance: f64,
    /// The next step's length; zero if unknown.
    want: f64,
    y: Vec<f64>,
}

impl TangentDrive<'_> {
    fn until(
        &mut self,
        mut t: f64,
        end: f64,
        mut done: impl FnMut(f64, &[f64]),
    ) -> Result<f64, SolveError> {
        let forwards = end >= t;
        let steps = &mut self.steps;
        steps.equations.slope(t, &self.y, &mut steps.stages[0]);
        if self.want == 0.0 {
            self.want = first(&self.y, &steps.stages[0], steps.equations.problem);
        }
        let mut rejected = 0;
        while t != end {
            let left = (end - t).abs();
            // The last two of equal length, rather than a crumb at the end.
            let size = match self.want {
                want if want >= left => left,
                want if want > 0.6 * left => 0.5 * left,
                want => want,
            };
            let h = if forwards { size } else { -size };
            let next = if size == left { end } else { t + h };
            if next == t || rejected > MOST_REJECTED {
                return Err(SolveError::StepTooSmall { t, step: h });
            }
            self.control.check()?;
            steps.attempt(t, h, &self.y);
            let ratio = steps.ratio(h, &self.y, self.tolerance);
            if ratio <= 1.0 {
                t = next;
                steps.accept(&mut self.y);
                done(t, &self.y);
                let (from, to) = self.span;
                self.control.report((t - from) / (to - from));
                steps.equations.slope(t, &self.y, &mut steps.stages[0]);
                rejected = 0;
            } else {
                if !ratio.is_finite() && rejected == MOST_REJECTED {
                    return Err(SolveError::TorqueNotFinite { t });
                }
                rejected += 1;
            }
            let factor =
                if ratio.is_finite() { 0.9 * libm::pow(ratio.max(1e-10), -0.125) } else { 0.2 };
            let most = if rejected > 0 { 0.9 } else { 6.0 };
            self.want =
                size.max(if ratio <= 1.0 { self.want } else { 0.0 }) * factor.clamp(0.2, most);
        }
        Ok(t)
    }
}

/// A first step: a small part of a radian.
fn first(y: &[f64], slope: &[f64], problem: &Problem) -> f64 {
    let momentum = |numbers: &[f64]| glam::DVec3::new(numbers[0], numbers[7], numbers[14]);
    let omega = problem.inertia().omega(momentum(y)).length();
    let push = problem.inertia().omega(momentum(slope)).length().sqrt();
    0.1 / omega.max(push).max(f64::MIN_POSITIVE)
}
