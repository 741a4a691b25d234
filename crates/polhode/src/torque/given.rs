//! Torques that a text or a table says: a vector, from a constant, a formula or a table, that is the torque
//! itself or the field that a dipole is in.

use glam::DVec3;
use polhode_number::Number;
use polhode_number::vector::{Quaternion, Vector, cross, dot, splat, to_body};

use super::summand::SeparateTorque;
use super::{Body, Dependence, DipoleField, Torque, TorqueEntry};
use crate::Point;
use crate::formula::{Formula, evaluate};
use crate::table::VectorTable;

/// Where a vector comes from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VectorSource {
    /// It stays the same.
    Constant(DVec3),
    /// Its three components as formulas.
    Formula(Box<[Formula; 3]>),
    /// A table over time.
    Table(VectorTable),
    /// The magnetic field of a planet along an orbit.
    Orbit(Box<DipoleField>),
}

impl From<[Formula; 3]> for VectorSource {
    fn from(formulas: [Formula; 3]) -> Self {
        Self::Formula(Box::new(formulas))
    }
}

impl From<VectorTable> for VectorSource {
    fn from(table: VectorTable) -> Self {
        Self::Table(table)
    }
}

impl From<DipoleField> for VectorSource {
    fn from(field: DipoleField) -> Self {
        Self::Orbit(Box::new(field))
    }
}

impl From<DVec3> for VectorSource {
    fn from(vector: DVec3) -> Self {
        Self::Constant(vector)
    }
}

impl From<[f64; 3]> for VectorSource {
    fn from(vector: [f64; 3]) -> Self {
        Self::Constant(vector.into())
    }
}

impl VectorSource {
    #[inline(always)]
    pub(crate) fn vector<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        match self {
            Self::Constant(v) => splat(v.to_array()),
            Self::Formula(formulas) => evaluate(formulas.each_ref(), body, t, at),
            Self::Table(table) => table.at(t),
            Self::Orbit(field) => field.over(t),
        }
    }

    fn any(&self, of: impl Fn(&Formula) -> bool) -> bool {
        matches!(self, Self::Formula(formulas) if formulas.iter().any(of))
    }

    fn depends_on_time(&self) -> bool {
        matches!(self, Self::Table(_) | Self::Orbit(_)) || self.any(Formula::depends_on_time)
    }

    pub(crate) fn depends_on_state(&self) -> bool {
        self.any(|f| f.depends_on_attitude() || f.depends_on_momentum())
    }

    /// The table, if it is one.
    pub fn table(&self) -> Option<&VectorTable> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// A frame that the components of a vector may be in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VectorFrame {
    /// The frame of the body.
    #[default]
    Body,
    /// The frame of space.
    Space,
}

impl VectorFrame {
    /// Their names in scenarios, the default first.
    pub(super) const NAMES: &'static [&'static str] = &["body", "space"];
}

/// A torque from a vector that is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GivenVector {
    pub(super) source: VectorSource,
    pub(super) frame: VectorFrame,
    /// The dipole, in the body frame, that has the vector as its field; without one the vector is the torque.
    pub(super) dipole: Option<DVec3>,
}

impl GivenVector {
    pub(super) fn into_torque(self, entry: &'static TorqueEntry) -> Torque {
        Torque::given(self, entry)
    }

    pub(super) fn dependence(&self) -> Dependence {
        if self.source.any(Formula::depends_on_momentum) {
            Dependence::Momentum
        } else {
            Dependence::Attitude
        }
    }

    pub(super) fn depends_on_time(&self) -> bool {
        self.source.depends_on_time()
    }

    /// Whether a formula jumps or bends somewhere; where a table does is known.
    pub(super) fn is_rough(&self) -> bool {
        self.source.any(Formula::is_rough)
    }

    /// A dipole has a potential in a field of space that does not change with the body.
    pub(super) fn is_conservative(&self) -> bool {
        self.dipole.is_some() && self.frame == VectorFrame::Space && !self.source.depends_on_state()
    }

    /// The dipole, and the constants of the formulas.
    pub(super) fn parameters(&self) -> Vec<(&str, f64)> {
        let dipole = self.dipole.map(|d| [("dipole.x", d.x), ("dipole.y", d.y), ("dipole.z", d.z)]);
        let mut named: Vec<_> = dipole.into_iter().flatten().collect();
        if let VectorSource::Formula(formulas) = &self.source {
            named.extend(
                formulas[0].constants().iter().map(|(name, value)| (name.as_str(), *value)),
            );
        }
        named
    }

    pub(super) fn parameter_count(&self) -> usize {
        self.constants_from()
            + match &self.source {
                VectorSource::Formula(formulas) => formulas[0].constants().len(),
                VectorSource::Constant(_) | VectorSource::Table(_) | VectorSource::Orbit(_) => 0,
            }
    }

    /// The place of the first constant among the parameters.
    #[inline(always)]
    fn constants_from(&self) -> usize {
        if self.dipole.is_some() { 3 } else { 0 }
    }

    /// The vector in the body frame.
    #[inline(always)]
    fn vector<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        let vector = self.source.vector(&body.after(self.constants_from()), t, at);
        match self.frame {
            VectorFrame::Body => vector,
            VectorFrame::Space => to_body(at.q, vector),
        }
    }

    #[inline(always)]
    pub(super) fn potential<N: Number>(&self, body: &Body<'_, N>, t: N, q: Quaternion<N>) -> N {
        let at = Point { m: splat([0.0; 3]), q };
        let dipole = self.dipole.unwrap_or(DVec3::ZERO);
        -dot(splat(dipole.to_array()), self.vector(body, t, &at))
    }
}

impl<N: Number> SeparateTorque<N> for GivenVector {
    #[inline(always)]
    fn act(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> Vector<N> {
        let vector = self.vector(body, t, at);
        match self.dipole {
            None => vector,
            Some(DVec3 { x, y, z }) => {
                let dipole = [body.parameter(0, x), body.parameter(1, y), body.parameter(2, z)];
                cross(dipole, vector)
            }
        }
    }
}
