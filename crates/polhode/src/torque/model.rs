//! What a model of torque is: parameters, and a kernel over any number.

use polhode_number::vector::{Matrix, Quaternion, Vector};
use polhode_number::{Constant, Dual, Lift, Number, Seed, Splat};

use super::summand::{SeparateTorque, apart};
use super::{Dependence, TorqueEntry, TorqueError};
use crate::solve::ChooseField;
use crate::{Inertia, InertiaOver, PhasePoint, Point};

/// The body that a torque acts on, over any number.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a, N> {
    /// Its inertia, in the number that the kernel computes with.
    pub inertia: &'a InertiaOver<N>,
    /// The same for one lane after the other: what a function of the user's is given. Lanes beyond the
    /// last are copies of the last.
    pub(crate) lanes: &'a [Inertia],
    /// In a computation with derivatives by the parameters of the torque: which variable the first of them is.
    pub(crate) first_parameter: Option<isize>,
    /// The momentum is that of a part of the body, of which `inertia` knows the angular velocity. A function of the
    /// user's is told the momentum that the whole body has with it.
    pub(crate) in_parts: bool,
}

impl<'a> Body<'a, f64> {
    /// One body, whose inertia was made ready for kernels.
    #[inline]
    pub fn one(inertia: &'a Inertia, over: &'a InertiaOver<f64>) -> Self {
        Self::new(over, core::slice::from_ref(inertia))
    }
}

impl<'a, N: Number> Body<'a, N> {
    /// Bodies in lanes, or one with derivatives; none of these are by the parameters of the torque.
    #[inline(always)]
    pub(crate) fn new(inertia: &'a InertiaOver<N>, lanes: &'a [Inertia]) -> Self {
        Self { inertia, lanes, first_parameter: None, in_parts: false }
    }

    /// The same, with something in it that turns by itself.
    #[inline(always)]
    pub(crate) fn in_parts(self) -> Self {
        Self { in_parts: true, ..self }
    }

    /// The same body for the part of a torque before which there are so many parameters.
    #[inline(always)]
    pub(super) fn after(&self, parameters: usize) -> Self {
        let first_parameter = self.first_parameter.map(|first| first + parameters.cast_signed());
        Self { first_parameter, ..*self }
    }

    /// A parameter of the torque, by its place among those of its part.
    #[inline(always)]
    pub(crate) fn parameter(&self, place: usize, value: f64) -> N {
        match self.first_parameter {
            Some(first) if N::VARIES => N::seeded(value, first + place.cast_signed()),
            _ => N::splat(value),
        }
    }

    /// The same body in a computation with derivatives, given its inertia over duals.
    #[inline(always)]
    pub(super) fn constant<'b, const K: usize>(
        &self,
        inertia: &'b InertiaOver<Dual<N, K>>,
    ) -> Body<'b, Dual<N, K>>
    where
        'a: 'b,
    {
        let Self { lanes, first_parameter, in_parts, .. } = *self;
        Body { inertia, lanes, first_parameter, in_parts }
    }
}

/// The parameters of a model: a record of numbers that exists over any number.
pub trait Record: Copy {
    /// The same record over other numbers.
    type Over<N: Number>: Acts<N>;

    /// The record with every number lifted, in the order of its fields.
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> Self::Over<N>;

    /// The names of its numbers, in the same order, for derivatives by them: `rate`, or `centre.x`,
    /// `centre.y`, `centre.z`. Empty where a number is a choice.
    const PARAMETERS: &'static [&'static str] = &[];

    /// Checks that the torque on this body stays within the range of doubles.
    ///
    /// # Errors
    /// [`TorqueError::TooLarge`] if it does not.
    fn check(&self, _inertia: &Inertia) -> Result<(), TorqueError> {
        Ok(())
    }
}

/// A torque over numbers of one kind: one text for one body, for lanes, and with derivatives.
///
/// Kernels are inlined, and contain no closures: what is not inlined is compiled without the
/// instructions that the lanes are made for.
pub trait Acts<N: Number> {
    /// What it depends on, besides time.
    const DEPENDENCE: Dependence = Dependence::Attitude;
    /// Whether it changes with time while the state stands still.
    const DEPENDS_ON_TIME: bool = false;
    /// Whether it has a potential.
    const CONSERVATIVE: bool = false;
    /// Whether it is weak at some attitudes and many times stronger at others: a look at a few of them does
    /// not tell how strong it is.
    const STEEP: bool = false;

    /// The torque in the body frame. One that depends on the momentum is that on the body at rest plus
    /// A m, with a matrix A that is the same at all times and attitudes: kicks rely on it.
    fn torque(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N>;

    /// The potential energy, of a torque that has one: `torque . v = -d potential(q exp(s v))/ds`.
    #[inline(always)]
    fn potential(&self, _body: &Body<'_, N>, _t: N, _q: Quaternion<N>) -> N {
        N::splat(0.0)
    }
}

macro_rules! chosen {
    ($choose:ident, $model:ident) => {
        $choose.plain($model)
    };
    ($choose:ident, $model:ident, $form:ident) => {
        match $model.$form() {
            Some(form) => $choose.$form(form),
            None => $choose.general(),
        }
    };
}

/// The table of models: entries of all, the types of those that have parameters of their own, and a
/// choice of one of these.
///
/// A model is compiled into the steps of the solver as it is, or, if its line names one, in a form that takes
/// less work there ([`ChooseField`]): `pull`, `orbit`.
macro_rules! models {
    ($($module:ident $(=> $Model:ident $(: $form:ident)?)?,)*) => {
        /// Every model of torque.
        pub static TORQUES: &[&TorqueEntry] = &[$(&super::$module::ENTRY,)*];

        /// A model with its parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(super) enum Model {
            $($($Model(super::$module::$Model),)?)*
        }

        /// The types of the models that have parameters of their own.
        pub(super) mod types {
            $($(pub use super::super::$module::$Model;)?)*
        }

        $($(
            impl From<super::$module::$Model> for super::Torque {
                fn from(model: super::$module::$Model) -> Self {
                    Self::model(Model::$Model(model), &super::$module::ENTRY)
                }
            }
        )?)*

        impl Model {
            /// The form in which it goes into the steps of the solver.
            pub(super) fn choose_field<C: ChooseField>(&self, choose: C) -> C::Output {
                match self {
                    $($(Model::$Model(model) => chosen!(choose, model $(, $form)?),)?)*
                }
            }
        }

        /// A function of any model.
        macro_rules! each {
            ($model:expr, $acts:ident => $does:expr) => {
                match $model {
                    $($(Model::$Model($acts) => $does,)?)*
                }
            };
        }
    };
}

models! {
    none,
    heavy_top => HeavyTop: pull,
    lagrange_top,
    coulomb_wall => CoulombWall,
    gravity_gradient => GravityGradient: orbit,
    magnetic_dipole => MagneticDipole,
    constant => ConstantTorque,
    damping => Damping,
    formula,
    table,
    dipole,
}

fn dependence<N: Number, A: Acts<N>>(_: &A) -> Dependence {
    A::DEPENDENCE
}

fn depends_on_time<N: Number, A: Acts<N>>(_: &A) -> bool {
    A::DEPENDS_ON_TIME
}

fn is_conservative<N: Number, A: Acts<N>>(_: &A) -> bool {
    A::CONSERVATIVE
}

fn is_steep<N: Number, A: Acts<N>>(_: &A) -> bool {
    A::STEEP
}

impl<N: Number, R: Record> SeparateTorque<N> for R {
    /// The numbers of the record are variables if the body says so.
    #[inline(always)]
    fn act(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        match body.first_parameter {
            Some(next) if N::VARIES => {
                let left = R::PARAMETERS.len();
                let mut parameters = ParameterSeed { seed: Seed { next }, left };
                self.over(&mut parameters).torque(body, t, at)
            }
            _ => self.over(&mut Splat).torque(body, t, at),
        }
    }
}

/// Makes variables of as many numbers as a record has parameters, and constants of what follows: that would take the
/// place of the parameters of the next torque.
struct ParameterSeed {
    seed: Seed,
    left: usize,
}

impl<N: Number> Lift<f64, N> for ParameterSeed {
    #[inline(always)]
    fn lift(&mut self, x: f64) -> N {
        match self.left.checked_sub(1) {
            None => N::splat(x),
            Some(left) => {
                self.left = left;
                self.seed.lift(x)
            }
        }
    }
}

/// The names and values of the numbers of a record.
fn parameters<R: Record>(model: &R) -> Vec<(&'static str, f64)> {
    let mut values = PassedNumbers(Vec::new());
    let _: R::Over<f64> = model.over(&mut values);
    R::PARAMETERS.iter().copied().zip(values.0).collect()
}

/// Remembers the numbers it passes on.
struct PassedNumbers(Vec<f64>);

impl Lift<f64, f64> for PassedNumbers {
    fn lift(&mut self, x: f64) -> f64 {
        self.0.push(x);
        x
    }
}

#[inline(always)]
fn momentum_matrix<N: Number, R: Record>(model: &R, body: &Body<'_, N>) -> Matrix<N> {
    let zero = N::splat(0.0);
    if <R::Over<N> as Acts<N>>::DEPENDENCE < Dependence::Momentum {
        return [[zero; 3]; 3];
    }
    let m = [Dual::variable(zero, 0), Dual::variable(zero, 1), Dual::variable(zero, 2)];
    let [none, one] = [Dual::constant(zero), Dual::constant(N::splat(1.0))];
    let (inertia, at) = (body.inertia.map(&mut Constant), Point { m, q: [one, none, none, none] });
    let torque: Vector<Dual<N, 3>> = model.act(&body.constant(&inertia), none, &at);
    let [x, y, z] = [torque[0].slopes, torque[1].slopes, torque[2].slopes];
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]]
}

impl Model {
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64)> {
        each!(self, model => parameters(model))
    }

    pub(super) fn parameter_count(&self) -> usize {
        fn count<R: Record>(_: &R) -> usize {
            R::PARAMETERS.len()
        }
        each!(self, model => count(model))
    }

    pub(super) fn is_steep(&self) -> bool {
        each!(self, model => is_steep::<f64, _>(model))
    }

    pub(super) fn dependence(&self) -> Dependence {
        each!(self, model => dependence::<f64, _>(model))
    }

    pub(super) fn depends_on_time(&self) -> bool {
        each!(self, model => depends_on_time::<f64, _>(model))
    }

    pub(super) fn is_conservative(&self) -> bool {
        each!(self, model => is_conservative::<f64, _>(model))
    }

    pub(super) fn check(&self, inertia: &Inertia) -> Result<(), TorqueError> {
        each!(self, model => model.check(inertia))
    }

    #[inline(always)]
    pub(super) fn torque<N: Number>(
        &self,
        body: &Body<'_, N>,
        t: N,
        at: &impl PhasePoint<N>,
    ) -> Vector<N> {
        each!(self, model => apart(model, body, t, at))
    }

    /// The same where it is run, with all models in one place.
    #[inline(always)]
    pub(super) fn act<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        each!(self, model => model.act(body, t, at))
    }

    #[inline(always)]
    pub(super) fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        each!(self, model => model.over(&mut Splat).potential(body, t, q))
    }

    /// The derivative of the torque with respect to the momentum, by columns.
    #[inline(always)]
    pub(super) fn momentum_matrix<N: Number>(&self, body: &Body<'_, N>) -> Matrix<N> {
        each!(self, model => momentum_matrix(model, body))
    }
}
