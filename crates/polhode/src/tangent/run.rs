//! The tangent of a run: the product of the tangents of its steps, which is the derivative of the discrete map.
//!
//! A splitting is run over numbers with derivatives, six at a time; the text of its stages is that of a plain run
//! (`method::splitting`). The free motion between kicks has its derivatives in closed form if the rotor is
//! exact, and from its kernel otherwise.

use glam::DQuat;
use polhode_number::Splat;
use polhode_number::vector::{Quaternion, turned_by};

use super::flow::{TangentFlow, TangentRotor};
use super::variation::Variation;
use super::{HeldQuantity, InertiaTangent, Tangent};
use crate::composition::Stage;
use crate::method::{KickMemory, Method, MethodError, SchemeStep, StepError};
use crate::torque::Body;
use crate::{
    Control, InertiaOver, IntoMethod, Plan, Point, Problem, RunError, SimulateError, State,
};

/// A state with all its derivatives: by the start, the inertia, the parameters of the torque, and time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MotionTangent {
    /// The state with its derivatives by the state at the start and by time.
    pub tangent: Tangent,
    /// Its derivatives by the inertia, at a fixed momentum at the start. None if the rotor has none.
    pub by_inertia: Option<InertiaTangent>,
    /// Its derivatives by each of the torque's [parameters](crate::Torque::parameters), in their order: (dm, del).
    pub by_parameters: Vec<[f64; 6]>,
}

/// A run of a splitting method that carries derivatives along.
///
/// ```
/// use polhode::tangent::TangentRun;
/// use polhode::{Inertia, Problem, State, torque::HeavyTop};
/// let start = State::aligned([1.0, 2.0, 3.0])?;
/// let top = Problem::new(Inertia::principal([1.0, 1.5, 2.0])?, start).torque(HeavyTop::lagrange(1.0)?);
/// let mut run = TangentRun::new(&top, "rkn6-14+exact")?;
/// for _ in 0..100 {
///     run.step(0.01)?;
/// }
/// let by_strength = run.tangent().by_parameters[2]; // heavy-top.centre.z
/// assert!(by_strength[0] != 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TangentRun<'a> {
    problem: &'a Problem,
    method: Method,
    rotor: TangentRotor,
    over: InertiaOver<f64>,
    passes: Vec<Pass>,
    /// The passes as they were before the step.
    before: Vec<Pass>,
    t: f64,
    control: Control,
}

/// Which variables a pass has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Variables {
    /// The momentum and the rotation vector at the start.
    Start,
    /// The entries of the inertia.
    Inertia,
    /// Six parameters of the torque, from this one on.
    Parameters(usize),
}

impl Variables {
    /// The inertia of the body, which may be what varies.
    pub(super) fn inertia<'a>(
        self,
        constant: &'a InertiaOver<Variation>,
        varying: &'a InertiaOver<Variation>,
    ) -> &'a InertiaOver<Variation> {
        if self == Self::Inertia { varying } else { constant }
    }

    /// The sizes of the variables, after a one; also one where nothing tells.
    pub(super) fn units(self, problem: &Problem) -> [f64; 7] {
        let or_one = |size: f64| if size > 0.0 { size } else { 1.0 };
        match self {
            Self::Start => {
                let m = or_one(problem.start().m.length());
                [1.0, m, m, m, 1.0, 1.0, 1.0]
            }
            Self::Inertia => {
                let mut units = [problem.inertia().moments().max_element(); 7];
                units[0] = 1.0;
                units
            }
            Self::Parameters(first) => {
                let parameters = problem.torques().parameters();
                // Components of one vector have one size.
                let group = |name: &str| name.rsplit_once('.').map(|(group, _)| group.to_owned());
                let mut units = [1.0; 7];
                for (unit, (name, _)) in units[1..].iter_mut().zip(&parameters[first..]) {
                    let of_group =
                        parameters.iter().filter(|(other, _)| group(other) == group(name));
                    *unit = or_one(of_group.fold(0.0, |size, (_, value)| size.max(value.abs())));
                }
                units
            }
        }
    }

    /// Which variable the first parameter of the torque is, if these are some of them.
    pub(super) fn first_parameter(self) -> Option<isize> {
        match self {
            Self::Parameters(first) => Some(-first.cast_signed()),
            Self::Start | Self::Inertia => None,
        }
    }
}

/// All variables of a problem, six at a time.
pub(super) fn variables(problem: &Problem, inertia: bool) -> Vec<Variables> {
    let mut made = vec![Variables::Start];
    if inertia {
        made.push(Variables::Inertia);
    }
    let parameters = problem.torques().parameters().len();
    made.extend((0..parameters).step_by(6).map(Variables::Parameters));
    made
}

/// A run over numbers with six derivatives.
#[derive(Clone, Copy)]
pub(super) struct Pass {
    variables: Variables,
    memory: KickMemory<Variation>,
    /// What rounding has dropped from the attitude in sums so far.
    dropped: Quaternion<Variation>,
    pub(super) at: Point<Variation>,
}

/// A free motion has one stage.
const DRIFT: &[Stage] = &[Stage::Drift(1.0)];

impl<'a> TangentRun<'a> {
    /// A run of this problem from its start, with derivatives by all there is.
    ///
    /// [`Method::derivatives`] says which methods have a tangent: splittings whose rotor is exact or has a kernel, the
    /// latter none by the inertia. Where a function of the user's has no Jacobian its derivatives are differences, good
    /// to some ten digits. Sums are compensated, of the state too, which may differ from that of a plain run by its
    /// rounding: a tangent can be larger on the way than at the end, and with it what is rounded there.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such method, it does not go with the torque, or it has no tangent.
    pub fn new(problem: &'a Problem, method: impl IntoMethod) -> Result<Self, MethodError> {
        let method = method.into_method()?;
        // Whatever a plain run would refuse.
        method.stepper(problem)?;
        let rotor = TangentRotor::new(problem, &method)?;
        let variables = variables(problem, matches!(rotor, TangentRotor::Exact(_)));
        let start = problem.start();
        let passes: Vec<Pass> = variables.into_iter().map(|v| Pass::new(v, &start)).collect();
        let over = InertiaOver::new(problem.inertia());
        let (before, t, control) = (passes.clone(), problem.t0(), Control::default());
        Ok(Self { problem, method, rotor, over, passes, before, t, control })
    }

    /// Lets this control watch and stop the run, while it does more than one step at a time.
    #[must_use]
    pub fn control(self, control: Control) -> Self {
        Self { control, ..self }
    }

    /// Keeps the derivatives by the start alone, which takes less time.
    #[must_use]
    pub fn by_start(mut self) -> Self {
        self.passes.truncate(1);
        self.before.truncate(1);
        self
    }

    /// Advances by a step of length h.
    ///
    /// # Errors
    /// [`StepError`]; the run is then where it was.
    pub fn step(&mut self, h: f64) -> Result<(), StepError> {
        self.before.copy_from_slice(&self.passes);
        let stepped = self.advance(h);
        match stepped {
            Ok(()) => self.t += h,
            Err(_) => self.passes.copy_from_slice(&self.before),
        }
        stepped
    }

    fn advance(&mut self, h: f64) -> Result<(), StepError> {
        let parts = self.method.as_splitting();
        let stages = parts.and_then(|parts| parts.scheme).map_or(DRIFT, |scheme| &scheme.stages);
        let (constant, varying): (InertiaOver<Variation>, _) =
            (self.over.map(&mut Splat), self.over.varying());
        for pass in &mut self.passes {
            let by_inertia = pass.variables == Variables::Inertia;
            let lanes = core::slice::from_ref(self.problem.inertia());
            let mut body = Body::new(pass.variables.inertia(&constant, &varying), lanes);
            body.first_parameter = pass.variables.first_parameter();
            let scheme = SchemeStep { stages, torque: self.problem.torques(), body };
            let dropped = &mut pass.dropped;
            let mut flow =
                TangentFlow { rotor: &self.rotor, by_inertia, inertia: &constant, dropped };
            let momentum = pass.at.m.map(Variation::value);
            let times = (Variation::constant(self.t), Variation::constant(h));
            scheme.step(&mut flow, &mut pass.memory, times, &mut pass.at)?;
            if !pass.is_finite() {
                return Err(StepError::OutOfRange { h, momentum });
            }
        }
        Ok(())
    }

    /// The time that the run has reached.
    pub fn t(&self) -> f64 {
        self.t
    }

    /// The state that the run has reached.
    pub fn state(&self) -> State {
        self.passes[0].state()
    }

    /// The state transition matrix by rows.
    pub fn state_transition(&self) -> [[f64; 6]; 6] {
        transposed(&self.passes[0].columns())
    }

    /// The problem whose motion is computed.
    pub(super) fn problem(&self) -> &'a Problem {
        self.problem
    }

    /// The n-th step of a plan from a time on, which leads to a time of the plan: no sum of steps has rounded it.
    pub(super) fn advance_to(&mut self, plan: &Plan, t0: f64, n: u64) -> Result<(), SimulateError> {
        self.control.check()?;
        let (t, state) = (self.t, self.state());
        self.step(plan.step).map_err(|source| RunError::Step { step: n, t, state, source })?;
        self.t = plan.time(t0, n);
        self.control.report(n as f64 / plan.steps as f64);
        Ok(())
    }

    /// Steps on until a time, as [`Problem::simulate`] does: times, and the states there with their derivatives, from
    /// here, of every n-th step and of the last.
    ///
    /// # Errors
    /// [`SimulateError`] if the steps do not lead to the end, one of them fails, or the end is requested.
    pub fn until(
        mut self,
        step: f64,
        until: f64,
        every: u64,
    ) -> Result<Vec<(f64, MotionTangent)>, SimulateError> {
        let t0 = self.t;
        let plan = Plan::until(t0, step, until)?;
        let mut kept = vec![(t0, self.tangent())];
        for n in 1..=plan.steps {
            self.advance_to(&plan, t0, n)?;
            if n.is_multiple_of(every.max(1)) || n == plan.steps {
                kept.push((self.t, self.tangent()));
            }
        }
        Ok(kept)
    }

    /// Begins to differentiate anew: from here on by the state here.
    pub fn restart(&mut self) {
        let state = self.state();
        for pass in &mut self.passes {
            *pass = Pass::new(pass.variables, &state);
        }
    }

    /// The state with its derivatives.
    pub fn tangent(&self) -> MotionTangent {
        assemble(self.problem, self.t, &self.passes)
    }
}

/// The state that passes have come to, with the derivatives of all.
pub(super) fn assemble(problem: &Problem, t: f64, passes: &[Pass]) -> MotionTangent {
    let state = passes[0].state();
    let torque = problem.torque_at(t, &state);
    let omega = problem.inertia().omega(state.m);
    let m = state.m.cross(omega) + torque;
    let time = [m.x, m.y, m.z, omega.x, omega.y, omega.z];
    let mut made = MotionTangent {
        tangent: Tangent { state, state_transition: [[0.0; 6]; 6], time },
        by_inertia: None,
        by_parameters: Vec::new(),
    };
    for pass in passes {
        let columns = pass.columns();
        match pass.variables {
            Variables::Start => made.tangent.state_transition = transposed(&columns),
            Variables::Inertia => {
                let rows = transposed(&columns);
                made.by_inertia = Some(InertiaTangent {
                    inertia: rows.map(|[a, b, c, ..]| [a, b, c]),
                    inertia_off: rows.map(|[.., a, b, c]| [a, b, c]),
                    held: HeldQuantity::Momentum,
                });
            }
            Variables::Parameters(_) => made.by_parameters.extend(columns),
        }
    }
    made.by_parameters.truncate(problem.torques().parameters().len());
    made
}

fn transposed(columns: &[[f64; 6]; 6]) -> [[f64; 6]; 6] {
    core::array::from_fn(|row| core::array::from_fn(|column| columns[column][row]))
}

impl Pass {
    /// Variables that have come to these numbers.
    pub(super) fn at(variables: Variables, at: Point<Variation>) -> Self {
        let zero = Variation::constant(0.0);
        let (memory, dropped) = (KickMemory::new(Some([zero; 3])), [zero; 4]);
        Self { variables, memory, dropped, at }
    }

    pub(super) fn new(variables: Variables, start: &State) -> Self {
        let Point { m, q } = Point::from(start);
        let mut at = Point { m: m.map(Variation::constant), q: q.map(Variation::constant) };
        if variables == Variables::Start {
            for k in 0..3 {
                at.m[k].0.slopes[k] = 1.0;
                let mut axis = [0.0; 3];
                axis[k] = 1.0;
                for (x, slope) in at.q.iter_mut().zip(turned_by(q, axis)) {
                    x.0.slopes[3 + k] = slope;
                }
            }
        }
        Self::at(variables, at)
    }

    fn state(&self) -> State {
        State::from(Point {
            m: self.at.m.map(Variation::value),
            q: self.at.q.map(Variation::value),
        })
    }

    fn is_finite(&self) -> bool {
        let numbers = self.at.m.iter().chain(&self.at.q);
        numbers.fold(true, |fine, x| fine & x.value().is_finite() & super::all_finite(&x.0.slopes))
    }

    /// (dm, del) for each variable: del is twice the vector part of q* dq.
    fn columns(&self) -> [[f64; 6]; 6] {
        let q = self.state().q.conjugate();
        core::array::from_fn(|k| {
            let [w, x, y, z] = self.at.q.map(|x| x.slope(k));
            let del = (q * DQuat::from_xyzw(x, y, z, w)).xyz() * 2.0;
            let m = self.at.m.map(|x| x.slope(k));
            [m[0], m[1], m[2], del.x, del.y, del.z]
        })
    }
}

impl Problem {
    /// Steps the body as [`Problem::simulate`] does, with derivatives: times, and the states there with
    /// theirs, of the start, of every n-th step and of the last.
    ///
    /// # Errors
    /// As for [`Problem::simulate`], or if the method has no tangent ([`TangentRun::new`]). A run that can be stopped
    /// is [`TangentRun::until`].
    pub fn simulate_tangent(
        &self,
        method: impl IntoMethod,
        step: f64,
        until: f64,
        every: u64,
    ) -> Result<Vec<(f64, MotionTangent)>, SimulateError> {
        TangentRun::new(self, method)?.until(step, until, every)
    }
}
