//! Why there is no such method, or it does not go with a problem.

use super::Derivatives;
use crate::catalog;
use crate::control::ControlError;
use crate::parameters::{ParameterError, suggestion};
use crate::solve::SolveMethod;
use crate::torque::TorqueError;

/// Why a method could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No method, scheme or rotor of that name.
    #[error("{}", unknown(what, id, known))]
    Unknown {
        /// The word `method`, `scheme` or `rotor`.
        what: &'static str,
        /// The name as given.
        id: String,
        /// The names of that sort that there are.
        known: Vec<&'static str>,
    },
    /// The parameters do not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The order conditions of the scheme do not hold for this torque.
    #[error(
        "{id}: its order conditions hold only for torques that do not depend on the momentum, and \
         this one does: the order would silently drop. Take another scheme, e.g. s6-10 or kahanli8 (of \
         order 4 at most if the torque is not linear in the momentum), or a method such as \
         rkmk:tableau=gauss3"
    )]
    TorqueOfMomentum {
        /// The scheme or method.
        id: String,
    },
    /// A gradient scheme needs the derivative of the torque.
    #[error("{id}: needs the derivative of the torque, which this torque does not provide")]
    NeedsGradient {
        /// The name of the scheme.
        id: String,
    },
    /// A scheme alone has nothing to move the body with.
    #[error("{id}: a scheme needs a rotor: write a pair, e.g. {id}+exact")]
    SchemeAlone {
        /// The name of the scheme.
        id: String,
    },
    /// A preset is a name for a pair, without parameters of its own.
    #[error("{id}: a preset takes no parameters; write them in the pair it stands for, {pair}")]
    Preset {
        /// The name of the preset.
        id: &'static str,
        /// The pair of scheme and rotor that it stands for.
        pair: &'static str,
    },
    /// A rotor alone moves a free body.
    #[error("{id}: a rotor alone is for free bodies; with a torque write a pair, e.g. strang+{id}")]
    RotorWithTorque {
        /// The name of the rotor.
        id: String,
    },
    /// No derivatives of the method are known.
    #[error(
        "{id}: has no derivatives; take a splitting, e.g. rkn6-14+exact, with one of the rotors {}",
        catalog().rotors_with(Derivatives::Start).join(", ")
    )]
    NoTangent {
        /// The name of the method that was asked for derivatives.
        id: String,
    },
    /// No derivatives of the motion of such a body are known.
    #[error(
        "{id}: has derivatives for rigid bodies alone, and something moves inside this one, or it has a controller; \
         take differences of runs from neighbouring starts"
    )]
    NoTangentInside {
        /// The name of the method that was asked for derivatives.
        id: String,
    },
    /// The torque on this body leaves the range of doubles.
    #[error(transparent)]
    Torque(#[from] TorqueError),
    /// A controller cannot do its work on this body.
    #[error(transparent)]
    Control(#[from] ControlError),
    /// The method does not go with what moves inside the body.
    #[error(
        "{id}: {reason}, and something moves inside this body (wheels, a damper, dissipation, moments of inertia that \
         vary); take a splitting with the rotor exact, e.g. strang+exact, kahanli6+exact or kahanli8+exact"
    )]
    MovesInside {
        /// The name of the method that was asked for.
        id: String,
        /// What the method does that rules it out.
        reason: &'static str,
    },
}

/// What is said of a name that there is none of. It may be that of a solver, which `run` takes as a method.
fn unknown(what: &str, id: &str, known: &[&str]) -> String {
    let near = suggestion(known, id);
    if what == "method" && !near.starts_with("; did") {
        let solvers = SolveMethod::ALL.map(SolveMethod::id);
        if solvers.contains(&id) {
            return format!(
                "'{id}' is no method of fixed steps: it solves to a tolerance, where no method and no step are given"
            );
        }
        let solver = suggestion(&solvers, id);
        if solver.starts_with("; did") {
            return format!("no method '{id}'{solver}");
        }
    }
    format!("no {what} '{id}'{near}")
}
