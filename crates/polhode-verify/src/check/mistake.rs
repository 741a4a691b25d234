//! The mistakes that can be told, by name.

/// A mistake of an integrator, or of how its output is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// The attitude is the inverse of the one meant.
    TransposedAttitude,
    /// The quaternion's scalar part stands last, and was taken to be first.
    ScalarLast,
    /// The quaternion's scalar part stands first, and was taken to be last.
    ScalarFirst,
    /// The momentum, or the angular velocity, is in the other frame.
    VectorFrame,
    /// The angular velocity is in degrees.
    Degrees,
    /// Times and angular velocities are in different units of time.
    TimeUnit,
    /// m x omega is missing from the equation of the momentum.
    MissingGyroscopicTerm,
    /// m x omega has the wrong sign.
    GyroscopicSign,
    /// The gyroscopic torque is that at the start of the step, and so is the angular velocity: explicit Euler.
    ExplicitEuler,
    /// The same with the angular velocity of the end of the step: semi-implicit Euler.
    SemiImplicitEuler,
    /// The gyroscopic torque is that at the end of the step, by one step of Newton's method: implicit Euler.
    ImplicitEuler,
    /// The explicit step with the momentum brought back to its length.
    LengthKept,
    /// The attitude is turned by omega from the left, as if omega were in space.
    AttitudeFromLeft,
    /// The attitude is a reflection.
    Reflection,
    /// The attitude has lost its unit length, or its orthogonality.
    NotARotation,
    /// omega is not I^-1 m.
    InconsistentColumns,
    /// The first sample is not the start of the problem.
    OtherStart,
    /// The order of convergence is lower than claimed.
    OrderTooLow,
    /// None of those known here.
    Unexplained,
}

impl Mistake {
    /// Its name: `transposed-attitude`.
    pub fn id(self) -> &'static str {
        match self {
            Self::TransposedAttitude => "transposed-attitude",
            Self::ScalarLast => "scalar-last",
            Self::ScalarFirst => "scalar-first",
            Self::VectorFrame => "vector-frame",
            Self::Degrees => "degrees",
            Self::TimeUnit => "time-unit",
            Self::MissingGyroscopicTerm => "missing-gyroscopic-term",
            Self::GyroscopicSign => "gyroscopic-sign",
            Self::ExplicitEuler => "explicit-euler",
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::ImplicitEuler => "implicit-euler",
            Self::LengthKept => "length-kept",
            Self::AttitudeFromLeft => "attitude-from-left",
            Self::Reflection => "reflection",
            Self::NotARotation => "not-a-rotation",
            Self::InconsistentColumns => "inconsistent-columns",
            Self::OtherStart => "other-start",
            Self::OrderTooLow => "order-too-low",
            Self::Unexplained => "unexplained",
        }
    }
}

impl Mistake {
    /// Whether it may be nothing but the error of a method, which shrinks with the step: that of Euler's steps, or
    /// one that no mistake known here explains.
    pub fn may_be_the_method(self) -> bool {
        matches!(
            self,
            Self::ExplicitEuler
                | Self::SemiImplicitEuler
                | Self::ImplicitEuler
                | Self::LengthKept
                | Self::Unexplained
        )
    }
}

/// A conclusion, and what it is drawn from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The mistakes that together explain what was seen; mostly one.
    pub mistakes: Vec<Mistake>,
    /// What was seen and why that is concluded, for people.
    pub text: String,
}

impl Diagnosis {
    /// Whether all of it may be nothing but the error of a method.
    pub fn may_be_the_method(&self) -> bool {
        self.mistakes.iter().all(|mistake| mistake.may_be_the_method())
    }

    pub(super) fn new(mistake: Mistake, text: String) -> Self {
        Self { mistakes: vec![mistake], text }
    }
}
