//! From a text to a method.

use super::splitting::{Free, Splitting};
use super::{METHODS, MethodEntry, Stepper};
use crate::cite::Citation;
use crate::composition::{self, SCHEMES, Scheme};
use crate::parameters::{ParameterError, Parameters, split, suggestion};
use crate::problem::Problem;
use crate::rotor::{Keeps, Order, ROTORS, RotorEntry};
use crate::torque::Dependence;

/// Names for pairs that the literature has a name for.
pub const PRESETS: &[(&str, &str)] = &[
    ("sej", "strang+midpoint-attitude"),
    ("mr", "strang+three-rotations"),
    ("frb", "rkn6-14+frb-matrix"),
];

/// A method as it was named, with its parameters.
#[derive(Clone, Debug)]
pub struct Method {
    kind: Kind,
}

/// Scheme, if there is one, and rotor, with their parameters.
#[cfg(feature = "ensemble")]
pub(crate) type SplittingParts<'a> =
    (Option<(&'static Scheme, &'a Parameters)>, &'static RotorEntry, &'a Parameters);

#[derive(Clone, Debug)]
enum Kind {
    Splitting { scheme: &'static Scheme, of_scheme: Parameters, rotor: Rotor },
    Rotor(Rotor),
    Other { entry: &'static MethodEntry, parameters: Parameters },
}

#[derive(Clone, Debug)]
struct Rotor {
    entry: &'static RotorEntry,
    parameters: Parameters,
}

/// Why a method could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No method, scheme or rotor of that name.
    #[error("no {what} '{id}'{}", suggestion(.known, .id))]
    Unknown {
        /// method, scheme or rotor.
        what: &'static str,
        /// As given.
        id: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The parameters do not fit.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The order conditions of the scheme do not hold for this torque.
    #[error(
        "{id}: its order conditions hold only for torques that do not depend on the momentum, and \
         this one does: the order would silently drop; take another scheme, e.g. s6-10 or kahanli8 \
         (of order 4 at most if the torque is not linear in the momentum), or e.g. rkmk:tableau=gauss3"
    )]
    TorqueOfMomentum {
        /// The scheme or method.
        id: &'static str,
    },
    /// A gradient scheme needs the derivative of the torque.
    #[error("{id}: needs the derivative of the torque, which this torque does not provide")]
    NeedsGradient {
        /// The scheme.
        id: &'static str,
    },
    /// A scheme alone has nothing to move the body with.
    #[error("{id}: a scheme needs a rotor: write a pair, e.g. {id}+exact")]
    SchemeAlone {
        /// The scheme.
        id: &'static str,
    },
    /// A preset is a name for a pair, without parameters of its own.
    #[error("{id}: a preset takes no parameters; write them in the pair it stands for, {pair}")]
    Preset {
        /// The preset.
        id: &'static str,
        /// The pair.
        pair: &'static str,
    },
    /// A rotor alone moves a free body.
    #[error("{id}: a rotor alone is for free bodies; with a torque write a pair, e.g. strang+{id}")]
    RotorWithTorque {
        /// The rotor.
        id: &'static str,
    },
}

impl Method {
    /// The method of that text: `rkn6-14+exact`, `dmv:order=6`, `sej`, `rkmk:tableau=gauss2`.
    ///
    /// # Errors
    /// [`MethodError`] if a name is unknown or a parameter does not fit.
    ///
    /// ```
    /// use polhode::method::Method;
    /// let error = Method::parse("kahanly8+exact").unwrap_err();
    /// assert_eq!(error.to_string(), "no scheme 'kahanly8'; did you mean 'kahanli8'?");
    /// ```
    pub fn parse(text: &str) -> Result<Self, MethodError> {
        let text = text.trim();
        let preset = PRESETS.iter().find(|(name, _)| *name == split(text).0);
        if let Some((id, pair)) = preset
            && text != *id
        {
            return Err(MethodError::Preset { id, pair });
        }
        let text = preset.map_or(text, |(_, pair)| pair);
        if let Some((scheme, rotor)) = text.split_once('+') {
            let (id, given) = split(scheme);
            let scheme = SCHEMES.iter().copied().find(|s| s.id == id).ok_or_else(|| {
                let known = SCHEMES.iter().map(|s| s.id).collect();
                MethodError::Unknown { what: "scheme", id: id.into(), known }
            })?;
            let of_scheme = Parameters::new(scheme.id, composition::PARAMETERS, given)?;
            return Ok(Self {
                kind: Kind::Splitting { scheme, of_scheme, rotor: Rotor::parse(rotor)? },
            });
        }
        let (id, given) = split(text);
        if ROTORS.iter().any(|r| r.id == id) {
            return Ok(Self { kind: Kind::Rotor(Rotor::parse(text)?) });
        }
        if let Some(scheme) = SCHEMES.iter().find(|s| s.id == id) {
            return Err(MethodError::SchemeAlone { id: scheme.id });
        }
        let entry = METHODS.iter().copied().find(|m| m.id == id).ok_or_else(|| {
            let mut known: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
            known.extend(PRESETS.iter().map(|(name, _)| *name));
            known.extend(ROTORS.iter().map(|r| r.id));
            MethodError::Unknown { what: "method", id: id.into(), known }
        })?;
        let parameters = Parameters::new(entry.id, entry.parameters, given)?;
        Ok(Self { kind: Kind::Other { entry, parameters } })
    }

    /// The method of a scheme of your own and a rotor.
    ///
    /// # Errors
    /// [`MethodError`] if the rotor is unknown or its parameters do not fit.
    pub fn splitting(scheme: &'static Scheme, rotor: &str) -> Result<Self, MethodError> {
        let of_scheme = Parameters::new(scheme.id, composition::PARAMETERS, [])?;
        Ok(Self { kind: Kind::Splitting { scheme, of_scheme, rotor: Rotor::parse(rotor)? } })
    }

    /// The method at work on a problem.
    ///
    /// # Errors
    /// [`MethodError`] if the torque is more general than the method accepts, or does not provide
    /// what it needs.
    pub fn stepper(&self, problem: &Problem) -> Result<Box<dyn Stepper>, MethodError> {
        let dependence = problem.torque.dependence();
        match &self.kind {
            Kind::Splitting { scheme, of_scheme, rotor } => {
                // W = torque . I^-1 torque of a gradient is no potential if it changes with the momentum.
                let attitude_only = scheme.torques_of_attitude_only || scheme.needs_gradient();
                if attitude_only && dependence == Dependence::Momentum {
                    return Err(MethodError::TorqueOfMomentum { id: scheme.id });
                }
                let known = || problem.torque.jacobian(problem.t0, &problem.start).is_some();
                if scheme.needs_gradient() && dependence != Dependence::None && !known() {
                    return Err(MethodError::NeedsGradient { id: scheme.id });
                }
                let compensated = of_scheme.flag("compensated");
                Ok(Box::new(Splitting::new(scheme, rotor.build(problem), compensated)))
            }
            Kind::Rotor(rotor) => match dependence {
                Dependence::None => Ok(Box::new(Free { rotor: rotor.build(problem) })),
                _ => Err(MethodError::RotorWithTorque { id: rotor.entry.id }),
            },
            Kind::Other { entry, .. } if dependence > entry.accepts => {
                Err(MethodError::TorqueOfMomentum { id: entry.id })
            }
            Kind::Other { entry, parameters } => Ok((entry.build)(problem, parameters)),
        }
    }

    /// Scheme and rotor of a splitting method, with their parameters; or the rotor alone.
    #[cfg(feature = "ensemble")]
    pub(crate) fn as_splitting(&self) -> Option<SplittingParts<'_>> {
        match &self.kind {
            Kind::Splitting { scheme, of_scheme, rotor } => {
                Some((Some((scheme, of_scheme)), rotor.entry, &rotor.parameters))
            }
            Kind::Rotor(rotor) => Some((None, rotor.entry, &rotor.parameters)),
            Kind::Other { .. } => None,
        }
    }

    /// The order: of a pair the smaller one of scheme and rotor, unless the scheme is a sequence of
    /// Strang steps and the rotor symmetric, which make the order of the scheme.
    pub fn order(&self) -> Order {
        match &self.kind {
            Kind::Splitting { scheme, rotor, .. } => {
                let whole = scheme.of_strang_steps && rotor.entry.keeps.symmetric;
                let scheme = Order::Of(scheme.order);
                if whole { scheme } else { scheme.min(rotor.order()) }
            }
            Kind::Rotor(rotor) => rotor.order(),
            Kind::Other { entry, parameters } => (entry.order)(parameters),
        }
    }

    /// What it keeps: invariants of a free body, symmetry, and the Poisson structure.
    pub fn keeps(&self) -> Keeps {
        match &self.kind {
            Kind::Splitting { scheme, rotor, .. } => Keeps {
                symmetric: rotor.entry.keeps.symmetric && scheme.is_symmetric(),
                ..rotor.entry.keeps
            },
            Kind::Rotor(rotor) => rotor.entry.keeps,
            Kind::Other { entry, .. } => entry.keeps,
        }
    }

    /// Whom to cite for it.
    pub fn cites(&self) -> Vec<Citation> {
        match &self.kind {
            Kind::Splitting { scheme, rotor, .. } => {
                scheme.cites.iter().chain(rotor.entry.cites).copied().collect()
            }
            Kind::Rotor(rotor) => rotor.entry.cites.to_vec(),
            Kind::Other { entry, .. } => entry.cites.to_vec(),
        }
    }
}

impl Rotor {
    fn parse(text: &str) -> Result<Self, MethodError> {
        let (id, given) = split(text);
        let entry = ROTORS.iter().copied().find(|r| r.id == id).ok_or_else(|| {
            let known = ROTORS.iter().map(|r| r.id).collect();
            MethodError::Unknown { what: "rotor", id: id.into(), known }
        })?;
        Ok(Self { entry, parameters: Parameters::new(entry.id, entry.parameters, given)? })
    }

    fn build(&self, problem: &Problem) -> Box<dyn crate::rotor::Rotor> {
        (self.entry.build)(&problem.inertia, &self.parameters)
    }

    fn order(&self) -> Order {
        let order = (self.entry.order)(&self.parameters);
        order.momentum.min(order.attitude)
    }
}
