//! What acts on a body, all in all: models and functions, added up.

use core::fmt;
use core::ops::Add;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use polhode_number::vector::{Matrix, Quaternion, Vector, add, cross, scale, splat, turned_by};
use polhode_number::{Constant, Dual, Number, Part};

use super::calls::{call, call_at_once};
use super::given::Given;
use super::model::Model;
use super::{Body, Dependence, TorqueError, TorqueFunction, TorqueJacobian, affine, find};
use super::{KeyValues, Orbit, Source, TorqueEntry};
use crate::solve::ChooseField;
use crate::table::VectorTable;
use crate::{Inertia, InertiaOver, PhasePoint, Point, State};

/// What acts on a body: a model of this library, a function of the user's, a sum of such, or nothing.
///
/// It knows no body: a [`Problem`](crate::Problem) or an ensemble binds it to one or to many.
/// It depends on what any part depends on. It has a potential if **all** its parts have one: that of
/// the conservative parts alone would make the work of the others look like an error of the energy.
///
/// ```
/// use polhode::torque::{Damping, Dependence, HeavyTop};
/// use polhode::Torque;
/// let top = Torque::from(HeavyTop::lagrange(20.0)?) + Damping::new([0.1, 0.1, 0.1])?;
/// assert_eq!(top.dependence(), Dependence::Momentum);
/// # Ok::<(), polhode::torque::TorqueError>(())
/// ```
#[derive(Clone)]
pub struct Torque {
    parts: Vec<Summand>,
    /// What follows from the parts, kept because every kick asks for it.
    dependence: Dependence,
    depends_on_time: bool,
    kick: Kick,
}

impl Default for Torque {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

#[derive(Clone)]
enum Summand {
    /// What runs over any number, and the entry of the table that it was built from.
    Model(Kernel, &'static TorqueEntry),
    Function(Arc<dyn TorqueFunction>),
}

/// One text over any number.
#[derive(Clone, Debug, PartialEq)]
enum Kernel {
    /// A record of parameters.
    Record(Model),
    /// A program or a table.
    Given(Arc<Given>),
}

impl Kernel {
    fn parameters(&self) -> Vec<(&str, f64)> {
        match self {
            Self::Record(model) => model.parameters(),
            Self::Given(given) => given.parameters(),
        }
    }

    fn parameter_count(&self) -> usize {
        match self {
            Self::Record(model) => model.parameter_count(),
            Self::Given(given) => given.parameter_count(),
        }
    }

    fn dependence(&self) -> Dependence {
        match self {
            Self::Record(model) => model.dependence(),
            Self::Given(given) => given.dependence(),
        }
    }

    fn depends_on_time(&self) -> bool {
        match self {
            Self::Record(model) => model.depends_on_time(),
            Self::Given(given) => given.depends_on_time(),
        }
    }

    fn is_conservative(&self) -> bool {
        match self {
            Self::Record(model) => model.is_conservative(),
            Self::Given(given) => given.is_conservative(),
        }
    }

    /// Records are at most affine in the momentum; a program may be anything.
    fn kick(&self) -> Kick {
        match self {
            Self::Record(_) => Kick::Affine,
            Self::Given(_) => Kick::RungeKutta,
        }
    }

    #[inline(always)]
    fn torque<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        match self {
            Self::Record(model) => model.torque(body, t, at),
            Self::Given(given) => given.torque(body, t, at),
        }
    }

    #[inline(always)]
    fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        match self {
            Self::Record(model) => model.potential(body, t, q),
            Self::Given(given) => given.potential(body, t, q),
        }
    }
}

/// Functions are equal only to themselves.
impl PartialEq for Torque {
    fn eq(&self, other: &Self) -> bool {
        let same = |pair: (&Summand, &Summand)| match pair {
            (Summand::Model(a, _), Summand::Model(b, _)) => a == b,
            (Summand::Function(a), Summand::Function(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(same)
    }
}

impl<T: Into<Torque>> Add<T> for Torque {
    type Output = Self;
    fn add(mut self, other: T) -> Self {
        self.parts.extend(other.into().parts);
        Self::of(self.parts)
    }
}

impl core::iter::Sum for Torque {
    fn sum<I: Iterator<Item = Self>>(torques: I) -> Self {
        Self::of(torques.flat_map(|torque| torque.parts).collect())
    }
}

impl fmt::Debug for Torque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        for part in &self.parts {
            match part {
                Summand::Model(model, _) => list.entry(model),
                Summand::Function(_) => list.entry(&"a function"),
            };
        }
        list.finish()
    }
}

/// How the momentum changes in a kick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kick {
    /// By the torque times dt.
    Constant,
    /// By the flow of m' = A m + b.
    Affine,
    /// By a step of classical Runge-Kutta.
    RungeKutta,
}

/// Of each stage of the classical method, its weight times six and the part of the step to the next.
const RUNGE_KUTTA: [(f64, f64); 4] = [(1.0, 0.5), (2.0, 0.5), (2.0, 1.0), (1.0, 0.0)];

impl Torque {
    /// The sum of these parts.
    fn of(parts: Vec<Summand>) -> Self {
        let mut torque = Self {
            parts: Vec::new(),
            dependence: Dependence::None,
            depends_on_time: false,
            kick: Kick::Constant,
        };
        for part in &parts {
            let (dependence, depends_on_time, kick) = match part {
                Summand::Model(m, _) => (m.dependence(), m.depends_on_time(), m.kick()),
                Summand::Function(f) => (f.dependence(), f.depends_on_time(), Kick::RungeKutta),
            };
            torque.dependence = torque.dependence.max(dependence);
            torque.depends_on_time |= depends_on_time;
            if dependence == Dependence::Momentum {
                torque.kick = torque.kick.max(kick);
            }
        }
        Self { parts, ..torque }
    }

    /// That of a model, as an entry of the table has built it.
    pub(super) fn model(model: Model, entry: &'static TorqueEntry) -> Self {
        Self::of(vec![Summand::Model(Kernel::Record(model), entry)])
    }

    /// That of a program or a table.
    pub(super) fn given(given: Given, entry: &'static TorqueEntry) -> Self {
        Self::of(vec![Summand::Model(Kernel::Given(Arc::new(given)), entry)])
    }

    /// What of it is a program or a table, and which kind of torque it was built as.
    fn all_given(&self) -> impl Iterator<Item = (&Given, &'static str)> {
        self.parts.iter().filter_map(|part| match part {
            Summand::Model(Kernel::Given(given), entry) => Some((&**given, entry.kind)),
            _ => None,
        })
    }

    /// The orbit that a gravity gradient has, or a field along an orbit, if there is one.
    pub fn orbit(&self) -> Option<&Orbit> {
        self.parts.iter().find_map(|part| match part {
            Summand::Model(Kernel::Record(Model::GravityGradient(gravity)), _) => {
                Some(gravity.path())
            }
            Summand::Model(Kernel::Given(given), _) => match &given.source {
                Source::Orbit(field) => Some(field.orbit()),
                _ => None,
            },
            _ => None,
        })
    }

    /// The field that a dipole is in, if there is one: what `dipole` or `magnetic-dipole` says.
    pub fn field(&self) -> Option<Source> {
        self.parts.iter().find_map(|part| match part {
            Summand::Model(Kernel::Record(Model::MagneticDipole(magnet)), _) => {
                Some(magnet.field.into())
            }
            Summand::Model(Kernel::Given(given), _) if given.dipole.is_some() => {
                Some(given.source.clone())
            }
            _ => None,
        })
    }

    /// The times, in their order, at which it or a derivative of it jumps: the rows of its tables. Steps of
    /// [`Problem::solve`](crate::Problem::solve) end there.
    pub fn knots(&self) -> Vec<f64> {
        let tables = self.all_given().filter_map(|(given, _)| given.source.table());
        let mut knots: Vec<f64> = tables.flat_map(VectorTable::times).copied().collect();
        knots.sort_unstable_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// That it is known at these times, and so between them.
    ///
    /// # Errors
    /// [`TorqueError::BeyondTable`] if a table ends before.
    pub fn check_times(&self, times: [f64; 2]) -> Result<(), TorqueError> {
        for (given, kind) in self.all_given() {
            let Some(table) = given.source.table() else { continue };
            let unknown = times.into_iter().find(|t| !table.knows(*t));
            if let (Some(t), Some((first, last))) = (unknown, table.span()) {
                return Err(TorqueError::BeyondTable { kind, first, last, t });
            }
        }
        Ok(())
    }

    /// The same models, built by that entry of the table.
    pub(super) fn built_by(mut self, by: &'static TorqueEntry) -> Self {
        for part in &mut self.parts {
            if let Summand::Model(_, entry) = part {
                *entry = by;
            }
        }
        self
    }

    /// The entries of the table that its models are built from, in order.
    pub fn entries(&self) -> impl Iterator<Item = &'static TorqueEntry> {
        self.parts.iter().filter_map(|part| match part {
            Summand::Model(_, entry) => Some(*entry),
            Summand::Function(_) => None,
        })
    }

    /// No torque: a free body.
    pub fn none() -> Self {
        Self::default()
    }

    /// The torque of that kind, with these values of its keys: what a scenario says.
    ///
    /// ```
    /// use polhode::Torque;
    /// let values = [("centre".to_owned(), [0.0, 0.0, 9.81].into())].into();
    /// assert!(Torque::build("heavy-top", &values)?.conserves_energy());
    /// # Ok::<(), polhode::torque::TorqueError>(())
    /// ```
    ///
    /// # Errors
    /// [`TorqueError`] for an unknown kind, a key that is unknown or missing, or a value that is not
    /// allowed.
    pub fn build(kind: &str, values: &KeyValues) -> Result<Self, TorqueError> {
        find(kind)?.build(values)
    }

    /// The torque of a function that is called for one body at a time.
    pub fn function(function: impl TorqueFunction + 'static) -> Self {
        Self::of(vec![Summand::Function(Arc::new(function))])
    }

    /// True if there is no torque at all.
    pub fn is_none(&self) -> bool {
        self.parts.is_empty()
    }

    /// True if a part is a function of the user's.
    pub fn calls_functions(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Summand::Function(_)))
    }

    /// True if there are functions of the user's, and all of them take several states at once.
    pub(crate) fn calls_vectorized_functions(&self) -> bool {
        let one_by_one =
            |part: &Summand| matches!(part, Summand::Function(f) if !f.is_vectorized());
        self.calls_functions() && !self.parts.iter().any(one_by_one)
    }

    /// The form in which it goes into the steps of the solver: that of its one model, or any torque.
    pub(crate) fn choose_field<C: ChooseField>(&self, choose: C) -> C::Output {
        match self.parts.as_slice() {
            [Summand::Model(Kernel::Record(model), _)] => model.choose_field(choose),
            _ => choose.general(),
        }
    }

    /// What it depends on.
    #[inline]
    pub fn dependence(&self) -> Dependence {
        self.dependence
    }

    /// Whether it changes with time while the state stands still.
    #[inline]
    pub fn depends_on_time(&self) -> bool {
        self.depends_on_time
    }

    /// True if it has a potential; that of no torque is zero.
    pub fn is_conservative(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Summand::Model(model, _) => model.is_conservative(),
            Summand::Function(f) => f.is_conservative(),
        })
    }

    /// True if a part is a model that is weak at some attitudes and many times stronger at others.
    pub(crate) fn is_steep(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Summand::Model(Kernel::Record(model), _) => model.is_steep(),
            Summand::Model(Kernel::Given(_), _) | Summand::Function(_) => false,
        })
    }

    /// The names and values of the parameters that derivatives can be taken by, in order: each with the kind
    /// of its torque, `heavy-top.centre.x`, numbered from the second torque of a kind on
    /// (`damping#2.coefficient.x`). Constants of formulas have their own names. A function of the user's has
    /// none.
    ///
    /// ```
    /// use polhode::torque::{Damping, HeavyTop};
    /// use polhode::Torque;
    /// let torque = Torque::from(HeavyTop::lagrange(20.0)?) + Damping::new([0.1, 0.2, 0.3])?;
    /// let (name, value) = &torque.parameters()[7];
    /// assert_eq!((name.as_str(), *value), ("damping.coefficient.y", 0.2));
    /// # Ok::<(), polhode::torque::TorqueError>(())
    /// ```
    pub fn parameters(&self) -> Vec<(String, f64)> {
        let mut named = Vec::new();
        let mut kinds: Vec<&str> = Vec::new();
        for part in &self.parts {
            let Summand::Model(kernel, entry) = part else { continue };
            kinds.push(entry.kind);
            let count = kinds.iter().filter(|kind| **kind == entry.kind).count();
            let mark = if count > 1 { format!("#{count}") } else { String::new() };
            for (name, value) in kernel.parameters() {
                named.push((format!("{}{mark}.{name}", entry.kind), value));
            }
        }
        named
    }

    /// True if it depends on the inertia of the body, or is a function that may.
    pub(crate) fn depends_on_inertia(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Summand::Model(Kernel::Record(model), _) => {
                matches!(model, Model::GravityGradient(_) | Model::Damping(_))
            }
            Summand::Model(Kernel::Given(given), _) => given.dependence() == Dependence::Momentum,
            Summand::Function(_) => true,
        })
    }

    /// True if kinetic plus potential energy stays what it is: there is a potential, and it does not
    /// change with time by itself.
    pub fn conserves_energy(&self) -> bool {
        self.is_conservative() && !self.depends_on_time()
    }

    /// True if the derivatives of all parts are known. Those of models are; a function says its own.
    pub fn has_jacobian(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Summand::Model(..) => true,
            Summand::Function(f) => f.has_jacobian(),
        })
    }

    /// That the torque on this body stays within the range of doubles.
    ///
    /// # Errors
    /// [`TorqueError::TooLarge`] if it does not.
    pub fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        self.parts.iter().try_for_each(|part| match part {
            Summand::Model(Kernel::Record(model), _) => model.check(inertia),
            Summand::Model(Kernel::Given(_), _) | Summand::Function(_) => Ok(()),
        })
    }

    /// The torque in the body frame.
    #[inline(always)]
    pub fn torque<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
    ) -> Vector<N> {
        let mut sum = splat([0.0; 3]);
        let mut passed = 0;
        for (i, part) in self.parts.iter().enumerate() {
            let of_part;
            let body = if N::VARIES && body.first_parameter.is_some() {
                of_part = body.after(passed);
                passed += part.parameter_count();
                &of_part
            } else {
                body
            };
            let torque = N::outline(PartTorque { part, body, t, at });
            // Added to zero, a zero of one part alone would lose its sign.
            sum = if i == 0 { torque } else { add(sum, torque) };
        }
        sum
    }

    /// The potential energy, if there is one.
    #[inline(always)]
    pub fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> Option<N> {
        if !self.is_conservative() {
            return None;
        }
        let mut sum = N::splat(0.0);
        for part in &self.parts {
            sum = sum + part.potential(body, t, q);
        }
        Some(sum)
    }

    /// The torque of the square W = torque . I^-1 torque, given the torque at this attitude: what the
    /// modified kick of a gradient scheme needs. For torques that do not depend on the momentum.
    ///
    /// It is -2 (J w + w x torque), w = I^-1 torque and J w the change of the torque as the body turns
    /// about w: where the torque has a potential that is -2 J^T w, the slope of W; where it has none, it is
    /// what the commutator of two kicks and a drift comes to all the same.
    #[inline(always)]
    pub fn of_square<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
        torque: Vector<N>,
    ) -> Vector<N> {
        let w = body.inertia.omega(torque);
        let mut along = splat([0.0; 3]);
        let mut passed = 0;
        for part in &self.parts {
            let body = &body.after(passed);
            passed += part.parameter_count();
            along = add(along, N::outline(PartAlong { part, body, t, at, w }));
        }
        scale(add(along, cross(w, torque)), N::splat(-2.0))
    }

    /// Whether kicks are exact: they are unless a function or a formula depends on the momentum.
    pub fn kicks_are_exact(&self) -> bool {
        self.kick != Kick::RungeKutta
    }

    /// How often a kick evaluates the torque.
    pub fn evaluations_in_a_kick(&self) -> u32 {
        match self.kick {
            Kick::Constant | Kick::Affine => u32::from(!self.is_none()),
            Kick::RungeKutta => 4,
        }
    }

    /// The momentum after the flow of m' = torque over dt, with time and attitude standing still: the
    /// kick of a splitting method.
    ///
    /// Exact for models, all of which are at most affine in the momentum, and their sums (damping and any
    /// torques without momentum, by variation of constants). With a function or a formula of the momentum it is
    /// a step of classical Runge-Kutta, of order 4.
    #[inline(always)]
    pub fn kick<N: Number>(&self, body: &Body<'_, N>, t: N, dt: N, at: &Point<N>) -> Vector<N> {
        let Point { m, q } = *at;
        // The first stage of Runge-Kutta, or the body at rest, to which an affine torque is told apart.
        let mut stage = if self.kick == Kick::Affine { splat([0.0; 3]) } else { m };
        let mut sum = splat([0.0; 3]);
        for (weight, further) in RUNGE_KUTTA {
            let torque = self.torque(body, t, &Point { m: stage, q });
            match self.kick {
                Kick::Constant => return add(m, scale(torque, dt)),
                Kick::Affine => return affine::flow(&self.momentum_matrix(body), torque, dt, m),
                Kick::RungeKutta => {
                    sum = add(sum, scale(torque, N::splat(weight)));
                    stage = add(m, scale(torque, dt * N::splat(further)));
                }
            }
        }
        add(m, scale(sum, dt / N::splat(6.0)))
    }

    /// The matrix A of models whose torque is that on the body at rest plus A m.
    #[inline(always)]
    fn momentum_matrix<N: Number>(&self, body: &Body<'_, N>) -> Matrix<N> {
        let mut matrix: Matrix<N> = [splat([0.0; 3]); 3];
        let mut passed = 0;
        for part in &self.parts {
            let body = &body.after(passed);
            passed += part.parameter_count();
            if let Summand::Model(Kernel::Record(model), _) = part
                && model.dependence() == Dependence::Momentum
            {
                let of_part = model.momentum_matrix(body);
                for j in 0..3 {
                    matrix[j] = add(matrix[j], of_part[j]);
                }
            }
        }
        matrix
    }

    /// Kinetic plus potential energy of one body; kinetic alone where there is no potential.
    pub fn energy(&self, inertia: &Inertia, t: f64, state: &State) -> f64 {
        self.energy_of(&Body::one(inertia, &InertiaOver::new(inertia)), inertia, t, state)
    }

    /// The same of a body whose numbers are at hand.
    pub(crate) fn energy_of(
        &self,
        body: &Body<'_, f64>,
        inertia: &Inertia,
        t: f64,
        state: &State,
    ) -> f64 {
        let potential = self.potential(body, t, state.attitude());
        state.kinetic_energy(inertia) + potential.unwrap_or(0.0)
    }

    /// How the torque on one body changes with its state; none if a function does not say.
    pub(crate) fn jacobian(
        &self,
        body: &Body<'_, f64>,
        t: f64,
        state: &State,
    ) -> Option<TorqueJacobian> {
        let mut sum = TorqueJacobian { rotation: DMat3::ZERO, momentum: DMat3::ZERO };
        for part in &self.parts {
            let of_part = part.jacobian(body, t, state)?;
            sum.rotation += of_part.rotation;
            sum.momentum += of_part.momentum;
        }
        Some(sum)
    }
}

/// The torque of a part; run out of line, so that nothing of other models is computed beside it.
struct PartTorque<'a, N, A> {
    part: &'a Summand,
    body: &'a Body<'a, N>,
    t: N,
    at: &'a A,
}

impl<N: Number, A: PhasePoint<N>> Part for PartTorque<'_, N, A> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        self.part.torque(self.body, self.t, &self.at.point())
    }
}

/// The change of the torque of a part as the body turns about w; run out of line likewise.
struct PartAlong<'a, N, A> {
    part: &'a Summand,
    body: &'a Body<'a, N>,
    t: N,
    at: &'a A,
    w: Vector<N>,
}

impl<N: Number, A: PhasePoint<N>> Part for PartAlong<'_, N, A> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        self.part.along(self.body, self.t, &self.at.point(), self.w)
    }
}

impl Summand {
    fn parameter_count(&self) -> usize {
        match self {
            Self::Model(kernel, _) => kernel.parameter_count(),
            Self::Function(_) => 0,
        }
    }

    #[inline(always)]
    fn torque<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        match self {
            Self::Model(model, _) => model.torque(body, t, at),
            Self::Function(f) if f.is_vectorized() => call_at_once(f.as_ref(), body, t, at),
            Self::Function(f) => call(body, t, at, [], |inertia, t, state, []| {
                f.torque(inertia, t, state).to_array()
            }),
        }
    }

    #[inline(always)]
    fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        match self {
            Self::Model(model, _) => model.potential(body, t, q),
            Self::Function(f) => {
                let at = Point { m: splat([0.0; 3]), q };
                // Asked only where it says that there is one.
                let [energy] = call(body, t, &at, [], |inertia, t, state, []| {
                    [f.potential(inertia, t, state.q).unwrap_or(f64::NAN)]
                });
                energy
            }
        }
    }

    /// The change of the torque as the body turns about w.
    #[inline(always)]
    fn along<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>, w: Vector<N>) -> Vector<N> {
        match self {
            Self::Model(model, _) => {
                let turning = Point {
                    m: at.m.map(Dual::<N, 1>::constant),
                    q: with_slopes(at.q, [turned_by(at.q, w)]),
                };
                let inertia = body.inertia.map(&mut Constant);
                let torque = model.torque(&body.constant(&inertia), Dual::constant(t), &turning);
                [torque[0].slopes[0], torque[1].slopes[0], torque[2].slopes[0]]
            }
            Self::Function(f) => call(body, t, at, w, |inertia, t, state, w| {
                // Asked only where it says that there are any.
                let known = f.jacobian(inertia, t, state).map(|j| j.rotation);
                (known.unwrap_or(DMat3::NAN) * DVec3::from_array(w)).to_array()
            }),
        }
    }

    fn jacobian(&self, body: &Body<'_, f64>, t: f64, state: &State) -> Option<TorqueJacobian> {
        let model = match self {
            Self::Model(model, _) => model,
            Self::Function(f) => return f.jacobian(&body.lanes[0], t, state),
        };
        let Point { m, q } = Point::from(state);
        let turns = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|v| turned_by(q, v));
        let matrix = |torque: Vector<Dual<f64, 3>>| {
            DMat3::from_cols_array_2d(&[0, 1, 2].map(|k| torque.map(|x| x.slopes[k])))
        };
        let inertia = body.inertia.map(&mut Constant);
        let (body, t) = (body.constant(&inertia), Dual::constant(t));
        let turning = Point { m: m.map(Dual::constant), q: with_slopes(q, turns) };
        let rotation = matrix(model.torque(&body, t, &turning));
        if model.dependence() < Dependence::Momentum {
            return Some(TorqueJacobian::of_attitude(rotation));
        }
        let moving =
            Point { m: [0, 1, 2].map(|i| Dual::variable(m[i], i)), q: q.map(Dual::constant) };
        Some(TorqueJacobian { rotation, momentum: matrix(model.torque(&body, t, &moving)) })
    }
}

/// A quaternion with these derivatives.
#[inline(always)]
fn with_slopes<N: Number, const K: usize>(
    q: Quaternion<N>,
    slopes: [Quaternion<N>; K],
) -> Quaternion<Dual<N, K>> {
    let mut turning = [Dual::constant(q[0]); 4];
    for (i, component) in turning.iter_mut().enumerate() {
        component.value = q[i];
        for (slope, of_all) in component.slopes.iter_mut().zip(&slopes) {
            *slope = of_all[i];
        }
    }
    turning
}
