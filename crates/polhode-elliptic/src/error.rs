//! What can be wrong with an argument.

/// An argument outside the domain of an elliptic function.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{function}: {argument} = {value:?} is outside its domain ({allowed})")]
#[non_exhaustive]
pub struct DomainError {
    /// The function that was called.
    pub function: &'static str,
    /// The argument at fault.
    pub argument: &'static str,
    /// Its value, rounded to a double.
    pub value: f64,
    /// What would have been accepted.
    pub allowed: &'static str,
}

impl DomainError {
    /// The error of a function for a value of an argument, with what would have been accepted.
    pub fn new(
        function: &'static str,
        argument: &'static str,
        value: f64,
        allowed: &'static str,
    ) -> Self {
        Self { function, argument, value, allowed }
    }
}
