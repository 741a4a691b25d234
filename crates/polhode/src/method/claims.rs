//! What is claimed for a method or a rotor, and why a step of it may fail.

use core::fmt;

/// What runs of a method have derivatives by: see [`TangentRun`](crate::tangent::TangentRun).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Derivatives {
    /// Nothing: there are none.
    None,
    /// Derivatives by the state at the start, time, and the parameters of the torque.
    Start,
    /// Derivatives by these and by the inertia.
    Inertia,
}

impl Derivatives {
    /// Its name in tables: `none`, `start` or `inertia`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Start => "start",
            Self::Inertia => "inertia",
        }
    }
}

/// Why a step could not be done.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The step is too long for its phase to have digits, a number is not finite, or the moments of
    /// inertia are too far apart.
    #[error(
        "step {h:?} with momentum {momentum:?}: not finite, more than 1e13 rad in a step, or moments \
         of inertia more than a factor of 1e60 apart"
    )]
    OutOfRange {
        /// The length of the step, of either sign.
        h: f64,
        /// The momentum before the step, in the body frame.
        momentum: [f64; 3],
    },
    /// Moments of inertia that vary with time are, at some time, not those of a body.
    #[error(
        "moments of inertia at t = {t:?}: not positive, not finite, or those of no body (the largest exceeds the sum \
         of the other two); a table of them must reach as far as the stages of the method do, which of some schemes is \
         beyond the step"
    )]
    Inertia {
        /// The time at which they were needed.
        t: f64,
    },
    /// A controller cannot go on.
    #[error("at t = {t:?} the controller {reason}")]
    Control {
        /// The time of its call.
        t: f64,
        /// What it does.
        reason: &'static str,
    },
    /// A controller commands a motor that there is not.
    #[error(
        "at t = {t:?} the controller commands a torque of the motor of wheel {wheel}, and the body has no driven wheel \
         of that number; make it one that is driven, or command none"
    )]
    NoMotor {
        /// The time of its call.
        t: f64,
        /// The number of the wheel, from 1.
        wheel: usize,
    },
    /// An implicit equation was not solved.
    #[error("{rotor}: no convergence{}; take a smaller step", attempt(*.h, *.iterations, *.residual))]
    NoConvergence {
        /// Which rotor or method.
        rotor: &'static str,
        /// The length of the step, of either sign.
        h: f64,
        /// How many iterations were done; none where the step is too long for the equation to have
        /// the solution that is looked for.
        iterations: u32,
        /// What was left, relative to the unknown.
        residual: f64,
    },
}

/// Numbers that are not what this method carries from step to step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{found} carried numbers given; {needed} needed: they belong to another method")]
#[non_exhaustive]
pub struct RestoreError {
    /// How many there are.
    pub found: usize,
    /// How many there may be, in words.
    pub needed: &'static str,
}

impl RestoreError {
    /// So many were given; how many are needed, in words.
    pub const fn new(found: usize, needed: &'static str) -> Self {
        Self { found, needed }
    }

    /// Checks that nothing is left of what was carried.
    ///
    /// # Errors
    /// [`RestoreError`] if there is.
    pub fn unless_empty(rest: &[f64]) -> Result<(), Self> {
        if rest.is_empty() { Ok(()) } else { Err(Self { found: rest.len(), needed: "no further" }) }
    }
}

/// What was tried before it was given up.
fn attempt(h: f64, iterations: u32, residual: f64) -> String {
    match iterations {
        0 => format!(": the body turns too far in a step of {h:?} for its equation to be solved"),
        1 => format!(" in 1 iteration (residual {residual:e}) for step {h:?}"),
        n => format!(" in {n} iterations (residual {residual:e}) for step {h:?}"),
    }
}

/// The order of a rotor or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// The error of a step is h^(order+1).
    Of(u32),
    /// No error but rounding.
    Exact,
}

/// What a rotor or method keeps, to rounding. Every claim is tested, and so is its absence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "independent claims, each with a name")]
pub struct Keeps {
    /// The length of the momentum.
    pub momentum_norm: bool,
    /// The momentum in space, as a vector.
    pub spatial_momentum: bool,
    /// The kinetic energy.
    pub energy: bool,
    /// A step back undoes a step.
    pub symmetric: bool,
    /// The Poisson structure.
    pub symplectic: bool,
}

impl Keeps {
    /// A method that claims to keep nothing.
    pub const NOTHING: Self = Self {
        momentum_norm: false,
        spatial_momentum: false,
        energy: false,
        symmetric: false,
        symplectic: false,
    };

    /// Everything: what an exact flow keeps.
    pub const ALL: Self = Self {
        momentum_norm: true,
        spatial_momentum: true,
        energy: true,
        symmetric: true,
        symplectic: true,
    };
    /// The words for what can be kept, everywhere the same, and what they mean.
    pub const WORDS: [(&'static str, &'static str); 5] = [
        ("momentum_norm", "the length of the momentum"),
        ("spatial_momentum", "the momentum in space, as a vector"),
        ("energy", "the kinetic energy"),
        ("symmetric", "a step back undoes a step"),
        ("symplectic", "the Poisson structure"),
    ];

    /// Each of the [`Keeps::WORDS`], and whether it is claimed.
    pub fn claims(self) -> [(&'static str, bool); 5] {
        let Self { momentum_norm, spatial_momentum, energy, symmetric, symplectic } = self;
        let claimed = [momentum_norm, spatial_momentum, energy, symmetric, symplectic];
        core::array::from_fn(|i| (Self::WORDS[i].0, claimed[i]))
    }
}

/// In words: `all`, `all but energy`, `momentum_norm, spatial_momentum`, `nothing`.
impl fmt::Display for Keeps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims = self.claims();
        let words = |kept: bool| -> Vec<&str> {
            claims.iter().filter(|claim| claim.1 == kept).map(|claim| claim.0).collect()
        };
        match (&words(true)[..], &words(false)[..]) {
            ([], _) => f.write_str("nothing"),
            (_, []) => f.write_str("all"),
            (_, [one]) => write!(f, "all but {one}"),
            (kept, _) => f.write_str(&kept.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_said_in_words() {
        let turned = Keeps { energy: false, ..Keeps::ALL };
        let vector = Keeps { momentum_norm: true, spatial_momentum: true, ..Keeps::NOTHING };
        for (keeps, text) in [
            (Keeps::ALL, "all"),
            (turned, "all but energy"),
            (vector, "momentum_norm, spatial_momentum"),
            (Keeps { symmetric: true, ..vector }, "momentum_norm, spatial_momentum, symmetric"),
            (Keeps { symplectic: true, ..Keeps::NOTHING }, "symplectic"),
            (Keeps::NOTHING, "nothing"),
        ] {
            assert_eq!(keeps.to_string(), text);
        }
    }
}
