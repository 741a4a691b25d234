//! What acts on a body, all in all: models and functions, added up.

use core::fmt;
use core::ops::Add;
use std::sync::Arc;

use glam::DVec3;

use super::given::GivenVector;
use super::model::Model;
use super::summand::{Kick, Summand, TorqueKernel};
use super::{
    ConstantTorque, Dependence, KeyValues, Orbit, TorqueEntry, TorqueError, TorqueFunction,
    VectorSource, find,
};
use crate::Inertia;
use crate::solve::ChooseField;
use crate::table::VectorTable;

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
    pub(super) parts: Vec<Summand>,
    /// What follows from the parts, kept because every kick asks for it.
    dependence: Dependence,
    depends_on_time: bool,
    pub(super) kick: Kick,
}

impl Default for Torque {
    fn default() -> Self {
        Self::of(Vec::new())
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

impl Torque {
    /// The sum of these parts.
    fn of(parts: Vec<Summand>) -> Self {
        let (dependence, kick) = (Dependence::None, Kick::Constant);
        let mut torque = Self { parts, dependence, depends_on_time: false, kick };
        torque.conclude();
        torque
    }

    /// Finds out what follows from the parts.
    fn conclude(&mut self) {
        (self.dependence, self.depends_on_time, self.kick) =
            (Dependence::None, false, Kick::Constant);
        for part in &self.parts {
            let (dependence, depends_on_time, kick) = match part {
                Summand::Model(m, _) => (m.dependence(), m.depends_on_time(), m.kick()),
                Summand::Function(f) => (f.dependence(), f.depends_on_time(), Kick::RungeKutta),
            };
            self.dependence = self.dependence.max(dependence);
            self.depends_on_time |= depends_on_time;
            if dependence == Dependence::Momentum {
                self.kick = self.kick.max(kick);
            }
        }
    }

    /// Makes it no torque, and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.conclude();
    }

    /// Adds another, in the memory that is there if it is enough.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.parts.extend_from_slice(&other.parts);
        self.conclude();
    }

    /// Gives what was made by [`Torque::dipole`] another dipole, in place if no other torque shares it.
    pub(crate) fn set_dipole(&mut self, dipole: DVec3) {
        for part in &mut self.parts {
            if let Summand::Model(TorqueKernel::Given(given), _) = part {
                Arc::make_mut(given).dipole = Some(dipole);
            }
        }
    }

    /// Makes it this constant torque in the body frame, in place if it is a constant torque already.
    pub(crate) fn set_constant(&mut self, torque: DVec3) -> Result<(), TorqueError> {
        let model = Model::ConstantTorque(ConstantTorque::body(torque)?);
        match self.parts.as_mut_slice() {
            [Summand::Model(kernel, _)] => *kernel = TorqueKernel::Record(model),
            _ => *self = ConstantTorque::body(torque)?.into(),
        }
        Ok(())
    }

    /// The torque of a model, as an entry of the table has built it.
    pub(super) fn model(model: Model, entry: &'static TorqueEntry) -> Self {
        Self::of(vec![Summand::Model(TorqueKernel::Record(model), entry)])
    }

    /// The torque of a program or a table.
    pub(super) fn given(given: GivenVector, entry: &'static TorqueEntry) -> Self {
        Self::of(vec![Summand::Model(TorqueKernel::Given(Arc::new(given)), entry)])
    }

    /// Its programs and tables, each with the kind of torque that it was built as.
    fn all_given(&self) -> impl Iterator<Item = (&GivenVector, &'static str)> {
        self.parts.iter().filter_map(|part| match part {
            Summand::Model(TorqueKernel::Given(given), entry) => Some((&**given, entry.kind)),
            _ => None,
        })
    }

    /// The orbit that a gravity gradient has, or a field along an orbit, if there is one.
    pub fn orbit(&self) -> Option<&Orbit> {
        self.parts.iter().find_map(|part| match part {
            Summand::Model(TorqueKernel::Record(Model::GravityGradient(gravity)), _) => {
                Some(gravity.path())
            }
            Summand::Model(TorqueKernel::Given(given), _) => match &given.source {
                VectorSource::Orbit(field) => Some(field.orbit()),
                _ => None,
            },
            _ => None,
        })
    }

    /// The field that a dipole is in, if there is one: what `dipole` or `magnetic-dipole` says.
    pub fn field(&self) -> Option<VectorSource> {
        self.parts.iter().find_map(|part| match part {
            Summand::Model(TorqueKernel::Record(Model::MagneticDipole(magnet)), _) => {
                Some(magnet.field.into())
            }
            Summand::Model(TorqueKernel::Given(given), _) if given.dipole.is_some() => {
                Some(given.source.clone())
            }
            _ => None,
        })
    }

    /// The times, in their order, at which the torque or a derivative of it jumps: the rows of its tables. Steps of
    /// [`Problem::solve`](crate::Problem::solve) end there.
    pub fn knots(&self) -> Vec<f64> {
        let tables = self.all_given().filter_map(|(given, _)| given.source.table());
        let mut knots: Vec<f64> = tables.flat_map(VectorTable::times).copied().collect();
        knots.sort_unstable_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// Checks that the torque is known at these times, and so between them.
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

    /// The function of the user's that it is, if it is one and nothing else, and takes a state at a time.
    pub(crate) fn as_function(&self) -> Option<&Arc<dyn TorqueFunction>> {
        match self.parts.as_slice() {
            [Summand::Function(function)] if !function.is_vectorized() => Some(function),
            _ => None,
        }
    }

    /// The form in which it goes into the steps of the solver: that of its one model, or any torque.
    pub(crate) fn choose_field<C: ChooseField>(&self, choose: C) -> C::Output {
        match self.parts.as_slice() {
            [Summand::Model(TorqueKernel::Record(model), _)] => model.choose_field(choose),
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
            Summand::Model(TorqueKernel::Record(model), _) => model.is_steep(),
            Summand::Model(TorqueKernel::Given(_), _) | Summand::Function(_) => false,
        })
    }

    /// True if a part is a formula that jumps or bends at times or states that nobody named.
    pub(crate) fn is_rough(&self) -> bool {
        self.parts.iter().any(
            |part| matches!(part, Summand::Model(TorqueKernel::Given(given), _) if given.is_rough()),
        )
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

    /// Checks that the torque on this body stays within the range of doubles.
    ///
    /// # Errors
    /// [`TorqueError::TooLarge`] if it does not.
    pub fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        self.parts.iter().try_for_each(|part| match part {
            Summand::Model(TorqueKernel::Record(model), _) => model.check(inertia),
            Summand::Model(TorqueKernel::Given(_), _) | Summand::Function(_) => Ok(()),
        })
    }
}
