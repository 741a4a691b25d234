//! Rotors: flows of the free body over one step, exact and approximate.
//!
//! A rotor is what a splitting method calls between two kicks; alone it is a method for free
//! bodies. [`ROTORS`] lists them, [`build`] makes one from its name and parameters:
//!
//! ```
//! use polhode::{Inertia, State, rotor};
//! let inertia = Inertia::principal([0.345, 0.653, 0.9])?;
//! let mut rotor = rotor::build("dmv:order=10:compensated", &inertia)?;
//! let mut state = State::aligned([0.5, 0.2, 0.8])?;
//! for _ in 0..100 {
//!     rotor.step(0.01, &mut state)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(hidden)]
pub mod components;
#[cfg(test)]
mod derivatives;
pub(crate) mod dmv;
mod dmv_coefficients;
pub(crate) mod dmv_kernel;
pub(crate) mod exact;
pub(crate) mod exact_kernel;
mod frame_rotor;
mod frames;
mod frb_matrix;
mod frb_quaternion;
mod frb_vanzon;
mod gauss_legendre;
mod jacobi_orbit;
mod jacobi_standard;
mod jacobi_step;
mod jacobi_vilmart;
mod landen;
mod lie_midpoint;
mod midpoint_attitude;
mod semi_exact;
mod sorted_body;
pub(crate) mod three_rotations;
pub(crate) mod three_rotations_kernel;
pub(crate) mod unit_step;

pub use exact::Exact;
#[doc(hidden)]
pub use jacobi_step::EulerStep;

use crate::cite::Citation;
use crate::method::{Derivatives, Keeps, Order, RestoreError, StepError};
use crate::parameters::{MethodParameter, ParameterError, Parameters, split, suggestion};
use crate::{Inertia, State};

/// A flow of the free rigid body over one step.
///
/// A rotor belongs to one body. It may carry numbers from step to step (a warm start, the digits
/// that compensated summation saves); [`Rotor::reset`] makes it forget them.
pub trait Rotor: Send {
    /// Advances the state by h, which may be negative. No allocation.
    ///
    /// # Errors
    /// [`StepError`]; the state is then untouched.
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError>;

    /// Forgets what is carried from step to step: call it after a change of the state from outside. What belongs to
    /// the state, the momenta of wheels, stays.
    fn reset(&mut self) {}

    /// What is carried, as numbers: with these in a new rotor a run goes on bit for bit.
    fn carried(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Takes up what [`Rotor::carried`] gave.
    ///
    /// # Errors
    /// [`RestoreError`] if this rotor carries another count of numbers.
    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        RestoreError::unless_empty(carried)
    }
}

/// One rotor: what it is, what it keeps, whom to cite, how to build it.
#[derive(Debug)]
#[non_exhaustive]
pub struct RotorEntry {
    /// Its name everywhere: command line, scenario, Python, C.
    pub id: &'static str,
    /// One line on what it is.
    pub title: &'static str,
    /// The order of momentum and attitude, for given parameters.
    pub order: fn(&Parameters) -> RotorOrder,
    /// What it keeps of the motion of a free body, but for rounding.
    pub keeps: Keeps,
    /// Its kernel over lanes: an ensemble runs a rotor without one body by body.
    pub(crate) lanes: Option<fn(&Parameters) -> LaneKernel>,
    /// What may follow the id.
    pub parameters: &'static [MethodParameter],
    /// The publications to cite for it.
    pub cites: &'static [Citation],
    /// Builds the rotor of a body.
    pub build: fn(&Inertia, &Parameters) -> Box<dyn Rotor>,
}

impl RotorEntry {
    /// Whether it has a kernel over lanes: an ensemble runs others body by body.
    pub fn in_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// What runs with it and these parameters have derivatives by: by the inertia in closed form alone.
    pub fn derivatives(&self, parameters: &Parameters) -> Derivatives {
        match self.tangent(parameters) {
            None => Derivatives::None,
            Some(FlowTangent::Kernel(_)) => Derivatives::Start,
            Some(FlowTangent::ClosedForm) => Derivatives::Inertia,
        }
    }

    /// How its flow is differentiated: that of the free motion in closed form, an approximation by its kernel.
    pub(crate) fn tangent(&self, parameters: &Parameters) -> Option<FlowTangent> {
        if (self.order)(parameters) == RotorOrder::EXACT {
            return Some(FlowTangent::ClosedForm);
        }
        Some(FlowTangent::Kernel(self.lanes?(parameters)))
    }
}

/// How the flow of a rotor is differentiated.
pub(crate) enum FlowTangent {
    /// It is differentiated as the free motion is.
    ClosedForm,
    /// It is differentiated by its kernel over numbers with derivatives.
    Kernel(LaneKernel),
}

/// Orders of a rotor: some are exact in the momentum and approximate in the attitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RotorOrder {
    /// The order of the error in the momentum.
    pub momentum: Order,
    /// The order of the error in the attitude.
    pub attitude: Order,
}

impl RotorOrder {
    /// No error but rounding.
    pub const EXACT: Self = Self { momentum: Order::Exact, attitude: Order::Exact };

    /// The same order for both.
    pub const fn of(order: u32) -> Self {
        Self { momentum: Order::Of(order), attitude: Order::Of(order) }
    }
}

/// The table of rotors: entries of all, and the kernels of those that have one ([`unit_step::RotorKernel`]), from
/// which ensembles and derivatives take it.
macro_rules! rotors {
    ($($module:ident $(=> $Kernel:ident)?,)*) => {
        /// All rotors of the library, in the order in which they are listed.
        pub static ROTORS: &[&RotorEntry] = &[$(&$module::ENTRY,)*];

        /// A kernel that runs in lanes, with its parameters.
        #[derive(Clone, Copy, Debug)]
        #[allow(clippy::enum_variant_names, reason = "named as their types are")]
        pub(crate) enum LaneKernel {
            $($($Kernel($module::$Kernel),)?)*
        }

        $($(
            impl From<$module::$Kernel> for LaneKernel {
                fn from(kernel: $module::$Kernel) -> Self {
                    Self::$Kernel(kernel)
                }
            }
        )?)*

        /// A function of any kernel.
        macro_rules! each_kernel {
            ($kernel:expr, $one:ident => $does:expr) => {
                match $kernel {
                    $($($crate::rotor::LaneKernel::$Kernel($one) => $does,)?)*
                }
            };
        }
    };
}

rotors! {
    exact => ExactKernel,
    frb_matrix,
    frb_quaternion,
    frb_vanzon,
    semi_exact,
    jacobi_standard,
    jacobi_vilmart,
    midpoint_attitude,
    lie_midpoint,
    three_rotations => ThreeRotationsKernel,
    dmv => DmvKernel,
}

pub(crate) use each_kernel;

/// Why a rotor could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No rotor of that name.
    #[error("no rotor '{id}'{}", suggestion(&ids(), .id))]
    Unknown {
        /// The name that was given.
        id: String,
    },
    /// The parameters do not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

fn ids() -> Vec<&'static str> {
    ROTORS.iter().map(|r| r.id).collect()
}

/// The entry of that name and the parameters of a specification like `dmv:order=4`.
///
/// # Errors
/// [`BuildError`] if there is no such rotor, or a parameter does not fit.
pub fn find(spec: &str) -> Result<(&'static RotorEntry, Parameters), BuildError> {
    let (id, given) = split(spec);
    let entry = ROTORS.iter().find(|r| r.id == id);
    let entry = entry.ok_or_else(|| BuildError::Unknown { id: id.into() })?;
    Ok((entry, Parameters::new(entry.id, entry.parameters, given)?))
}

/// The rotor of that specification for that body.
///
/// # Errors
/// As [`find`].
pub fn build(spec: &str, inertia: &Inertia) -> Result<Box<dyn Rotor>, BuildError> {
    let (entry, parameters) = find(spec)?;
    Ok((entry.build)(inertia, &parameters))
}
