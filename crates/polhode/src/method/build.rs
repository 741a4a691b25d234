//! From a text to a method, and back.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use super::custom::Custom;
use super::splitting::{FreeStepper, Mover, Splitting};
use super::{Derivatives, Keeps, METHODS, MethodEntry, MethodError, Order, Stepper};
use crate::cite::Citation;
use crate::composition::{self, SCHEMES, Scheme};
use crate::control::ControlledStepper;
use crate::inside::{InsideRotor, Interior, inner_steps};
use crate::parameters::{ParameterError, Parameters, split};
use crate::problem::Problem;
use crate::rotor::{ROTORS, RotorEntry};
use crate::torque::{ConstantTorque, Dependence};

/// Names for pairs that the literature has a name for.
pub const PRESETS: &[(&str, &str)] = &[
    ("sej", "strang+midpoint-attitude"),
    ("mr", "strang+three-rotations"),
    ("frb", "rkn6-14+frb-matrix"),
];

/// A method with its parameters: one of the library's by name, or the user's own.
///
/// It is written as it is read, with those parameters that are not the default:
///
/// ```
/// use polhode::method::Method;
/// let method: Method = "strang+dmv:order=6:solver=newton".parse()?;
/// assert_eq!(method.to_string(), "strang+dmv:order=6");
/// # Ok::<(), polhode::method::MethodError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Method {
    kind: MethodKind,
}

#[derive(Clone, Debug)]
enum MethodKind {
    Splitting { scheme: Scheme, of_scheme: Parameters, rotor: ChosenRotor },
    Rotor(ChosenRotor),
    Entry { entry: &'static MethodEntry, parameters: Parameters },
    Custom(Arc<Custom>),
}

/// A rotor of the table, with its parameters.
#[derive(Clone, Debug)]
pub(crate) struct ChosenRotor {
    pub(crate) entry: &'static RotorEntry,
    pub(crate) parameters: Parameters,
}

/// Scheme, if there is one, and rotor.
pub(crate) struct SplittingParts<'a> {
    pub(crate) scheme: Option<&'a Scheme>,
    pub(crate) rotor: &'a ChosenRotor,
    /// Whether scheme or rotor sum with compensation.
    pub(crate) compensated: bool,
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        Self::parse(text)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            MethodKind::Splitting { scheme, of_scheme, rotor } => {
                write!(f, "{}{of_scheme}+{rotor}", scheme.id)
            }
            MethodKind::Rotor(rotor) => write!(f, "{rotor}"),
            MethodKind::Entry { entry, parameters } => write!(f, "{}{parameters}", entry.id),
            MethodKind::Custom(custom) => f.write_str(&custom.id),
        }
    }
}

impl fmt::Display for ChosenRotor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.entry.id, self.parameters)
    }
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
            let known = || SCHEMES.iter().map(|s| &*s.id).collect();
            let scheme = SCHEMES.iter().copied().find(|s| s.id == id).ok_or_else(|| {
                MethodError::Unknown { what: "scheme", id: id.into(), known: known() }
            })?;
            let of_scheme = Parameters::new(&scheme.id, composition::PARAMETERS, given)?;
            let (scheme, rotor) = (scheme.clone(), ChosenRotor::parse(rotor)?);
            return Ok(Self { kind: MethodKind::Splitting { scheme, of_scheme, rotor } });
        }
        let (id, given) = split(text);
        if ROTORS.iter().any(|r| r.id == id) {
            return Ok(Self { kind: MethodKind::Rotor(ChosenRotor::parse(text)?) });
        }
        if let Some(scheme) = SCHEMES.iter().find(|s| s.id == id) {
            return Err(MethodError::SchemeAlone { id: scheme.id.to_string() });
        }
        let entry = METHODS.iter().copied().find(|m| m.id == id).ok_or_else(|| {
            let mut known: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
            known.extend(PRESETS.iter().map(|(name, _)| *name));
            known.extend(ROTORS.iter().map(|r| r.id));
            MethodError::Unknown { what: "method", id: id.into(), known }
        })?;
        let parameters = Parameters::new(entry.id, entry.parameters, given)?;
        Ok(Self { kind: MethodKind::Entry { entry, parameters } })
    }

    /// The method of a scheme, one's own or one of the library's, and a rotor.
    ///
    /// # Errors
    /// [`MethodError`] if the rotor is unknown or its parameters do not fit.
    pub fn splitting(scheme: Scheme, rotor: &str) -> Result<Self, MethodError> {
        let of_scheme = Parameters::new(&scheme.id, composition::PARAMETERS, [])?;
        let rotor = ChosenRotor::parse(rotor)?;
        Ok(Self { kind: MethodKind::Splitting { scheme, of_scheme, rotor } })
    }

    /// This method with compensated sums, as `:compensated` behind its name asks for; a scheme of one's own, too.
    ///
    /// # Errors
    /// [`MethodError`] if the method has no such sums.
    pub fn compensated(self) -> Result<Self, MethodError> {
        const NAME: &str = "compensated";
        match self.kind {
            MethodKind::Splitting { scheme, rotor, .. } => {
                let given = [(NAME, None)];
                let of_scheme = Parameters::new(&scheme.id, composition::PARAMETERS, given)?;
                Ok(Self { kind: MethodKind::Splitting { scheme, of_scheme, rotor } })
            }
            MethodKind::Custom(custom) => {
                let id = custom.id.clone();
                Err(ParameterError::Unknown { id, name: NAME.into(), known: Vec::new() }.into())
            }
            MethodKind::Rotor(_) | MethodKind::Entry { .. } => {
                Self::parse(&format!("{self}:{NAME}"))
            }
        }
    }

    /// A method of the user's own, with what is known about it.
    pub fn custom(custom: Custom) -> Self {
        Self { kind: MethodKind::Custom(Arc::new(custom)) }
    }

    /// The method at work on a problem.
    ///
    /// # Errors
    /// [`MethodError`] if the torque is more general than the method accepts, does not provide what it
    /// needs, or leaves the range of doubles on this body, or if a controller misses something.
    pub fn stepper(&self, problem: &Problem) -> Result<Box<dyn Stepper>, MethodError> {
        if problem.control_loops().is_empty() {
            return self.uncontrolled(problem);
        }
        // What is commanded is a torque, if only of the attitude.
        let commanded = problem.torques().clone() + ConstantTorque::body([0.0; 3])?;
        let inner = self.uncontrolled(&problem.uncontrolled().torque(commanded))?;
        Ok(Box::new(ControlledStepper::new(inner, problem)?))
    }

    fn uncontrolled(&self, problem: &Problem) -> Result<Box<dyn Stepper>, MethodError> {
        let torque = problem.torques();
        torque.check(problem.inertia())?;
        if torque.dependence() > self.accepts() {
            let id = self.name();
            return Err(match &self.kind {
                MethodKind::Rotor(_) => MethodError::RotorWithTorque { id },
                _ => MethodError::TorqueOfMomentum { id },
            });
        }
        if problem.interior().is_some() && !matches!(self.kind, MethodKind::Splitting { .. }) {
            return Err(self.not_inside("is no splitting into free motion and kicks"));
        }
        match &self.kind {
            MethodKind::Splitting { scheme, of_scheme, rotor } => {
                if scheme.needs_gradient() && !torque.has_jacobian() {
                    return Err(MethodError::NeedsGradient { id: scheme.id.to_string() });
                }
                let compensated = of_scheme.flag("compensated");
                let mover = match problem.interior() {
                    None => Mover::Rigid(rotor.build(problem)),
                    Some(interior) => Mover::Inside(Box::new(
                        self.inside_rotor(scheme, rotor, problem, interior)?,
                    )),
                };
                Ok(Box::new(Splitting::new(scheme.clone(), mover, compensated)))
            }
            MethodKind::Rotor(rotor) => Ok(Box::new(FreeStepper { rotor: rotor.build(problem) })),
            MethodKind::Entry { entry, parameters } => Ok((entry.build)(problem, parameters)),
            MethodKind::Custom(custom) => Ok((custom.build)(problem)),
        }
    }

    fn not_inside(&self, reason: &'static str) -> MethodError {
        MethodError::MovesInside { id: self.to_string(), reason }
    }

    /// The rotor of a body in which something moves, if the method goes with that.
    fn inside_rotor(
        &self,
        scheme: &Scheme,
        rotor: &ChosenRotor,
        problem: &Problem,
        interior: &Arc<Interior>,
    ) -> Result<InsideRotor, MethodError> {
        let inside = interior.inside();
        // A drift with dissipation is cubic in the momentum: what schemes that count on a quadratic one leave out
        // does not vanish.
        if inside.sink.is_some() && scheme.accepts() < Dependence::Momentum {
            return Err(self.not_inside(
                "has order conditions that hold for energies quadratic in the momentum, and would lose its order with \
                 dissipation",
            ));
        }
        let other = rotor.entry.id != "exact" || rotor.parameters.flag("compensated");
        if inside.varying.is_some() && other {
            return Err(self.not_inside("has a rotor for constant inertia; take the rotor exact"));
        }
        let steps = if rotor.entry.keeps.symmetric { inner_steps(scheme) } else { vec![1.0] };
        let free = inside
            .varying
            .is_none()
            .then(|| (rotor.entry.build)(interior.rest(), &rotor.parameters));
        Ok(InsideRotor::new(interior.clone(), free, steps, (problem.t0(), &problem.start())))
    }

    /// Scheme and rotor of a splitting method, or the rotor alone.
    pub(crate) fn as_splitting(&self) -> Option<SplittingParts<'_>> {
        let flag = |parameters: &Parameters| parameters.flag("compensated");
        match &self.kind {
            MethodKind::Splitting { scheme, of_scheme, rotor } => Some(SplittingParts {
                scheme: Some(scheme),
                rotor,
                compensated: flag(of_scheme) || flag(&rotor.parameters),
            }),
            MethodKind::Rotor(rotor) => {
                Some(SplittingParts { scheme: None, rotor, compensated: flag(&rotor.parameters) })
            }
            MethodKind::Entry { .. } | MethodKind::Custom(_) => None,
        }
    }

    /// The name without parameters, of a pair that of its scheme.
    fn name(&self) -> String {
        match &self.kind {
            MethodKind::Splitting { scheme, .. } => scheme.id.to_string(),
            MethodKind::Rotor(rotor) => rotor.entry.id.into(),
            MethodKind::Entry { entry, .. } => entry.id.into(),
            MethodKind::Custom(custom) => custom.id.clone(),
        }
    }

    /// The order: of a pair the smaller one of scheme and rotor, unless the scheme is a sequence of
    /// Strang steps and the rotor symmetric, which make the order of the scheme.
    pub fn order(&self) -> Order {
        match &self.kind {
            MethodKind::Splitting { scheme, rotor, .. } => {
                let whole = scheme.of_strang_steps && rotor.entry.keeps.symmetric;
                let scheme = Order::Of(scheme.order);
                if whole { scheme } else { scheme.min(rotor.order()) }
            }
            MethodKind::Rotor(rotor) => rotor.order(),
            MethodKind::Entry { entry, parameters } => (entry.order)(parameters),
            MethodKind::Custom(custom) => custom.order,
        }
    }

    /// What it keeps: invariants of a free body, symmetry, and the Poisson structure.
    pub fn keeps(&self) -> Keeps {
        match &self.kind {
            MethodKind::Splitting { scheme, rotor, .. } => Keeps {
                symmetric: rotor.entry.keeps.symmetric && scheme.is_symmetric(),
                ..rotor.entry.keeps
            },
            MethodKind::Rotor(rotor) => rotor.entry.keeps,
            MethodKind::Entry { entry, .. } => entry.keeps,
            MethodKind::Custom(custom) => custom.keeps,
        }
    }

    /// The most general torque it accepts.
    pub fn accepts(&self) -> Dependence {
        match &self.kind {
            MethodKind::Splitting { scheme, .. } => scheme.accepts(),
            MethodKind::Rotor(_) => Dependence::None,
            MethodKind::Entry { entry, .. } => entry.accepts,
            MethodKind::Custom(_) => Dependence::Momentum,
        }
    }

    /// Whether an ensemble runs it in SIMD lanes; others it runs body by body.
    pub fn runs_in_lanes(&self) -> bool {
        self.as_splitting().is_some_and(|parts| parts.rotor.entry.in_lanes() && !parts.compensated)
    }

    /// What its runs have derivatives by.
    pub fn derivatives(&self) -> Derivatives {
        let parts = self.as_splitting();
        parts.map_or(Derivatives::None, |SplittingParts { rotor, .. }| {
            rotor.entry.derivatives(&rotor.parameters)
        })
    }

    /// Whom to cite for it.
    pub fn cites(&self) -> Vec<Citation> {
        match &self.kind {
            MethodKind::Splitting { scheme, rotor, .. } => {
                scheme.cites.iter().chain(rotor.entry.cites).copied().collect()
            }
            MethodKind::Rotor(rotor) => rotor.entry.cites.to_vec(),
            MethodKind::Entry { entry, .. } => entry.cites.to_vec(),
            MethodKind::Custom(custom) => custom.cites.clone(),
        }
    }
}

impl ChosenRotor {
    fn parse(text: &str) -> Result<Self, MethodError> {
        let (id, given) = split(text);
        let entry = ROTORS.iter().copied().find(|r| r.id == id).ok_or_else(|| {
            let known = ROTORS.iter().map(|r| r.id).collect();
            MethodError::Unknown { what: "rotor", id: id.into(), known }
        })?;
        Ok(Self { entry, parameters: Parameters::new(entry.id, entry.parameters, given)? })
    }

    fn build(&self, problem: &Problem) -> Box<dyn crate::rotor::Rotor> {
        (self.entry.build)(problem.inertia(), &self.parameters)
    }

    fn order(&self) -> Order {
        let order = (self.entry.order)(&self.parameters);
        order.momentum.min(order.attitude)
    }
}
