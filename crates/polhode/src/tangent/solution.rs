//! Derivatives of a motion to a tolerance: the variational equations beside those of the motion.
//!
//! The equations of motion are evaluated over numbers with derivatives, which are those of the variations,
//! and integrated by Dormand and Prince's method of order 8. The error of a step is taken of every column,
//! relative to the column.

use super::equations::{Equations, NUMBERS, Steps, pack, unpack};
use super::run::{Pass, Variables, assemble, variables};
use super::{InertiaTangent, MotionTangent, Tangent};
use crate::solve::{MAX_TOLERANCE, MIN_TOLERANCE, SolveError, TimeError};
use crate::{FreeMotion, Inertia, Problem, State};

/// Steps aim at this part of the tolerance: errors add up.
const SHARE: f64 = 0.1;

/// Central differences over this part of a number lose a third of the digits.
const STEP: f64 = 6e-6;

/// A rate from such differences that is less than this part of what it could be has no digit left.
const TOUCHES: f64 = 1e-10;

/// Steps that fail one after the other until there is no hope.
const MOST_REJECTED: u32 = 100;

/// A motion over a span of time with its derivatives by the start, the inertia and the parameters of the torque.
///
/// ```
/// use polhode::{Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 1.5, 2.0])?, start).torque(HeavyTop::lagrange(1.0)?);
/// let tangents = top.solve_tangent(10.0, 1e-10)?;
/// let there = tangents.at(7.5)?;
/// assert!(there.tangent.state_transition[0][0].is_finite());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TangentSolution {
    problem: Problem,
    end: f64,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A free body: closed form.
    Free(Box<FreeMotion>),
    Solved {
        variables: Vec<Variables>,
        times: Vec<f64>,
        /// The numbers at these times, one list after the other.
        nodes: Vec<f64>,
    },
}

/// How an event moves and what the state there does, when start, inertia or parameters change.
///
/// An event whose function only touches zero, so that it does not change with time there, has no such derivatives:
/// `speed` is then zero and they are NaN, for there is no neighbouring event, or there are two.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventTangent {
    /// The derivatives of the time of the event by (m, rotation vector) at the start.
    pub time_by_start: [f64; 6],
    /// By I11, I22, I33, I12, I13, I23.
    pub time_by_inertia: [f64; 6],
    /// By each parameter of the torque.
    pub time_by_parameters: Vec<f64>,
    /// The state at the event with its derivatives, the event moving along. State and derivative by time are there
    /// whatever the event does.
    pub there: MotionTangent,
    /// How fast the function of the event changes along the motion, per time; zero where it only touches zero,
    /// to the digits of the differences.
    pub speed: f64,
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
        self.solve_tangent_with_stops(until, tolerance, &[])
    }

    /// The same where the torque jumps at these times: steps end there.
    ///
    /// # Errors
    /// As for [`Problem::solve_tangent`].
    pub fn solve_tangent_with_stops(
        &self,
        until: f64,
        tolerance: f64,
        stops: &[f64],
    ) -> Result<TangentSolution, SolveError> {
        if !until.is_finite() {
            return Err(SolveError::Until { until });
        }
        if !(MIN_TOLERANCE..=MAX_TOLERANCE).contains(&tolerance) {
            return Err(SolveError::Tolerance { name: "tolerance", value: tolerance });
        }
        if self.needs_steps() {
            return Err(SolveError::NoDerivatives);
        }
        let torque = self.torques();
        if torque.is_none() {
            let motion = FreeMotion::new(self.inertia(), self.start()).map_err(SolveError::Free)?;
            motion.inertia_tangent_at(until - self.t0()).map_err(SolveError::Free)?;
            let kind = Kind::Free(Box::new(motion));
            return Ok(TangentSolution { problem: self.clone(), end: until, kind });
        }
        torque.check(self.inertia())?;
        torque.check_times([self.t0(), until])?;
        let variables = variables(self, true);
        let (mut times, mut nodes) = (vec![self.t0()], Vec::new());
        for variables in &variables {
            let mut numbers = [0.0; NUMBERS];
            pack(&Pass::new(*variables, &self.start()).at, &mut numbers);
            nodes.extend(numbers);
        }
        let between = |t: &f64| self.t0().min(until) < *t && *t < self.t0().max(until);
        let mut stops: Vec<f64> =
            stops.iter().copied().chain(torque.knots()).filter(between).collect();
        stops.sort_unstable_by(f64::total_cmp);
        stops.dedup();
        if until < self.t0() {
            stops.reverse();
        }
        stops.push(until);
        let equations = Equations::new(self, &variables);
        let mut drive = Drive {
            steps: Steps::new(&equations),
            tolerance: SHARE * tolerance,
            want: 0.0,
            y: nodes.clone(),
        };
        let mut t = self.t0();
        for stop in stops {
            t = drive.until(t, stop, |t, y| {
                times.push(t);
                nodes.extend_from_slice(y);
            })?;
        }
        let kind = Kind::Solved { variables, times, nodes };
        Ok(TangentSolution { problem: self.clone(), end: until, kind })
    }
}

/// Steps whose length follows the error.
struct Drive<'a> {
    steps: Steps<'a>,
    tolerance: f64,
    /// The next step's length; zero if unknown.
    want: f64,
    y: Vec<f64>,
}

impl Drive<'_> {
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
            steps.attempt(t, h, &self.y);
            let ratio = steps.ratio(h, &self.y, self.tolerance);
            if ratio <= 1.0 {
                t = next;
                self.y.copy_from_slice(&steps.next);
                done(t, &self.y);
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

impl TangentSolution {
    /// When it starts and when it ends.
    pub fn span(&self) -> (f64, f64) {
        (self.problem.t0(), self.end)
    }

    /// The state at a time of the span with its derivatives, those by the inertia at a fixed momentum at the start.
    ///
    /// # Errors
    /// [`TimeError`] if the time is outside the span.
    pub fn at(&self, t: f64) -> Result<MotionTangent, TimeError> {
        let (from, to) = self.span();
        if !(t >= from.min(to) && t <= from.max(to)) {
            return Err(TimeError::OutsideSpan { t, from, to });
        }
        let (variables, times, nodes) = match &self.kind {
            Kind::Free(motion) => {
                // Its derivatives are known at the end, and grow with time.
                let found = motion.inertia_tangent_at(t - from);
                let (tangent, by_inertia) =
                    found.map_err(|_| TimeError::OutsideSpan { t, from, to })?;
                let by_inertia = Some(by_inertia);
                return Ok(MotionTangent { tangent, by_inertia, by_parameters: Vec::new() });
            }
            Kind::Solved { variables, times, nodes } => (variables, times, nodes),
        };
        let along = |other: &f64| if to < from { *other >= t } else { *other <= t };
        let index = times.partition_point(along) - 1;
        let size = NUMBERS * variables.len();
        let mut y = nodes[size * index..size * (index + 1)].to_vec();
        if times[index] != t {
            let equations = Equations::new(&self.problem, variables);
            let mut steps = Steps::new(&equations);
            steps.equations.slope(times[index], &y, &mut steps.stages[0]);
            steps.attempt(times[index], t - times[index], &y);
            y = steps.next;
        }
        let passes = variables.iter().zip(y.chunks_exact(NUMBERS));
        let passes: Vec<Pass> = passes.map(|(&v, numbers)| Pass::at(v, unpack(numbers))).collect();
        Ok(assemble(&self.problem, t, &passes))
    }

    /// The derivatives of the time of an event, a zero of this function of body, time and state, and of the state
    /// there. The body is an argument because its inertia changes too, and with it an angular velocity.
    ///
    /// The function is differentiated by differences, which leaves some ten digits. Where it only touches zero
    /// there are no derivatives: see [`EventTangent`].
    ///
    /// # Errors
    /// [`TimeError`] if the time is outside the span.
    pub fn at_event(
        &self,
        t: f64,
        mut event: impl FnMut(&Inertia, f64, &State) -> f64,
    ) -> Result<EventTangent, TimeError> {
        let mut there = self.at(t)?;
        let Tangent { state, time, .. } = there.tangent;
        let body = self.problem.inertia();
        let rate = body.omega(state.m).length();
        let moved = |by: [f64; 6]| {
            let [a, b, c, del @ ..] = by;
            let q = state.q * crate::so3::exp(del.into());
            State { m: state.m + glam::DVec3::new(a, b, c), q }
        };
        let mut gradient = [0.0; 6];
        for (k, slope) in gradient.iter_mut().enumerate() {
            let size = if k < 3 { STEP * state.m.length().max(f64::MIN_POSITIVE) } else { STEP };
            let mut by = [0.0; 6];
            by[k] = size;
            let plus = event(body, t, &moved(by));
            by[k] = -size;
            *slope = (plus - event(body, t, &moved(by))) / (2.0 * size);
        }
        let dt = STEP / if rate > 0.0 { rate } else { 1.0 };
        let explicit = (event(body, t + dt, &state) - event(body, t - dt, &state)) / (2.0 * dt);
        let along =
            |column: &[f64; 6]| -> f64 { gradient.iter().zip(column).map(|(g, x)| g * x).sum() };
        // g(t, x) stays zero: the time moves by -grad g . dx over the change of g with time.
        let speed = explicit + along(&time);
        // As fast as it could change while the state does.
        let turning = (rate * state.m.length()).max(glam::DVec3::from_slice(&time).length());
        let parts = gradient.iter().enumerate();
        let parts = parts.map(|(k, g)| g.abs() * if k < 3 { turning } else { rate });
        let touches = speed.abs() <= TOUCHES * (explicit.abs() + parts.sum::<f64>());
        let speed = if touches { 0.0 } else { speed };
        let moved_by = |change: f64| if touches { f64::NAN } else { -change / speed };
        let shift = |column: &[f64; 6]| moved_by(along(column));
        let mut time_by_start = [0.0; 6];
        for k in 0..6 {
            let column = there.tangent.state_transition.map(|row| row[k]);
            time_by_start[k] = shift(&column);
            for (row, slope) in there.tangent.state_transition.iter_mut().zip(time) {
                row[k] += slope * time_by_start[k];
            }
        }
        let mut time_by_inertia = [0.0; 6];
        if let Some(InertiaTangent { inertia, inertia_off, .. }) = &mut there.by_inertia {
            for (k, moved) in time_by_inertia.iter_mut().enumerate() {
                let block = if k < 3 { &mut *inertia } else { &mut *inertia_off };
                let mut of_body = |part: f64| {
                    with_entry(body, k, part).map_or(f64::NAN, |(b, by)| event(&b, t, &state) / by)
                };
                let own = 0.5 * (of_body(STEP) + of_body(-STEP));
                *moved = moved_by(along(&block.map(|row| row[k % 3])) + own);
                for (row, slope) in block.iter_mut().zip(time) {
                    row[k % 3] += slope * *moved;
                }
            }
        }
        let mut time_by_parameters = Vec::new();
        for column in &mut there.by_parameters {
            let moved = shift(column);
            for (x, slope) in column.iter_mut().zip(time) {
                *x += slope * moved;
            }
            time_by_parameters.push(moved);
        }
        Ok(EventTangent { time_by_start, time_by_inertia, time_by_parameters, there, speed })
    }
}

/// The body with one entry of its inertia, I11, I22, I33, I12, I13 or I23, changed by this part of its moments; and by
/// how much.
fn with_entry(inertia: &Inertia, entry: usize, part: f64) -> Option<(Inertia, f64)> {
    let mut rows = glam::DVec3::AXES.map(|axis| inertia.momentum(axis).to_array());
    let (i, j) = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)][entry];
    let by = part * (rows[i][i] * rows[j][j]).sqrt();
    rows[i][j] += by;
    if i != j {
        rows[j][i] += by;
    }
    Some((Inertia::tensor_unphysical(rows).ok()?, by))
}
