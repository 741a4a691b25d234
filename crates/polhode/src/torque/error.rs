//! What can be wrong with a torque.

use super::kinds;
use crate::parameters::suggestion;

/// Why a torque could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TorqueError {
    /// No torque of that kind.
    #[error("no torque '{kind}'{}", suggestion(&kinds(), .kind))]
    UnknownKind {
        /// As given.
        kind: String,
    },
    /// No such key.
    #[error("{kind}: no key '{key}'{}", suggestion(.known, .key))]
    UnknownKey {
        /// The torque.
        kind: &'static str,
        /// As given.
        key: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// A key without a default is not given.
    #[error("{kind}: '{key}' is missing; it must be {allowed}")]
    Missing {
        /// The torque.
        kind: &'static str,
        /// The key.
        key: &'static str,
        /// What it may be.
        allowed: String,
    },
    /// A value of the wrong type, count or range, or one that is not finite.
    #[error("{kind}: {key} = {given} is not allowed; allowed is {allowed}")]
    Value {
        /// The torque.
        kind: &'static str,
        /// The key.
        key: &'static str,
        /// As given.
        given: String,
        /// What would have been accepted.
        allowed: String,
    },
    /// Two directions that must span a plane do not.
    #[error("{kind}: {key} = {given} is parallel to {other} = {reference}; it must not be")]
    Parallel {
        /// The torque.
        kind: &'static str,
        /// The key.
        key: &'static str,
        /// As given.
        given: String,
        /// The key of the direction it is parallel to.
        other: &'static str,
        /// That direction.
        reference: String,
    },
    /// A product of numbers that are allowed each by itself overflows.
    #[error("{kind}: {key} = {given} times {factor} is beyond the range of a double")]
    TooLarge {
        /// The torque.
        kind: &'static str,
        /// The key.
        key: &'static str,
        /// As given.
        given: String,
        /// What it is multiplied by.
        factor: &'static str,
    },
}
