//! Derivatives of a motion at all times of a span, and where events move.

use super::equations::{Dop853Stages, Equations, NUMBERS, unpack};
use super::run::{Pass, Variables, assemble};
use super::{InertiaTangent, MotionTangent, Tangent};
use crate::solve::TimeError;
use crate::{FreeMotion, Inertia, Problem, State};

/// Central differences over this part of a number lose a third of the digits.
const STEP: f64 = 6e-6;

/// A rate from such differences that is less than this part of what it could be has no digit left.
const TOUCHES: f64 = 1e-10;

/// A rate below this part of what it could be may be that next to a time of touching, which no solver finds exactly:
/// the function is then of one sign so many radians before and after.
const SLOW: f64 = 1e-4;
const NEAR: f64 = 1e-5;

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
    pub(super) problem: Problem,
    pub(super) end: f64,
    pub(super) form: TangentForm,
}

/// How the derivatives are known.
#[derive(Clone, Debug)]
pub(super) enum TangentForm {
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
    /// Its derivatives by I11, I22, I33, I12, I13, I23.
    pub time_by_inertia: [f64; 6],
    /// Its derivatives by each parameter of the torque.
    pub time_by_parameters: Vec<f64>,
    /// The state at the event with its derivatives, the event moving along. State and derivative by time are there
    /// whatever the event does.
    pub there: MotionTangent,
    /// How fast the function of the event changes along the motion, per time; zero where it only touches zero,
    /// to the digits of the differences.
    pub speed: f64,
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
        let (variables, times, nodes) = match &self.form {
            TangentForm::Free(motion) => {
                // Its derivatives are known at the end, and grow with time.
                let found = motion.inertia_tangent_at(t - from);
                let (tangent, by_inertia) =
                    found.map_err(|_| TimeError::OutsideSpan { t, from, to })?;
                let by_inertia = Some(by_inertia);
                return Ok(MotionTangent { tangent, by_inertia, by_parameters: Vec::new() });
            }
            TangentForm::Solved { variables, times, nodes } => (variables, times, nodes),
        };
        let along = |other: &f64| if to < from { *other >= t } else { *other <= t };
        let index = times.partition_point(along) - 1;
        let size = NUMBERS * variables.len();
        let mut y = nodes[size * index..size * (index + 1)].to_vec();
        if times[index] != t {
            let equations = Equations::new(&self.problem, variables);
            let mut steps = Dop853Stages::new(&equations);
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
        let fastest = explicit.abs() + parts.sum::<f64>();
        let touches = speed.abs() <= TOUCHES * fastest
            || speed.abs() <= SLOW * fastest && {
                let near = NEAR / if rate > 0.0 { rate } else { 1.0 };
                let mut value = |t: f64| self.at(t).map(|at| event(body, t, &at.tangent.state));
                matches!((value(t - near), value(t + near)), (Ok(a), Ok(b)) if a * b > 0.0)
            };
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
