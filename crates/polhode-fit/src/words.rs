//! What the data cannot tell, and reasons not to trust a fit, in words.

use core::fmt;

/// Something the data cannot tell.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Indeterminacy {
    /// The scale of the inertia: always, for a free body.
    Scale,
    /// The arc spins about one axis: no ratio of moments shows.
    SteadySpin,
    /// A ratio of moments, `I1/I3` or `I2/I3`.
    Ratio(&'static str),
    /// Two moments are equal as far as one can tell, so the directions of their axes are open. Counted from 1.
    Axes(usize, usize),
    /// A parameter of the sensor.
    Sensor(String),
    /// The scale of the inertia, although a torque acts.
    Size,
    /// A number of the torque.
    Torque(String),
    /// The turn about the one vector whose directions were seen.
    Turn,
}

impl fmt::Display for Indeterminacy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scale => write!(
                f,
                "free motion gives ratios of moments only: the scale of the inertia is not determined"
            ),
            Self::SteadySpin => write!(
                f,
                "as far as the noise lets one tell, this arc spins about one axis: neither I1/I3 nor I2/I3 is \
                 determined, only that the axis is a principal one"
            ),
            Self::Ratio(name) => {
                write!(f, "this arc shows too little of it: {name} is not determined")
            }
            Self::Axes(i, j) => write!(
                f,
                "I{i} and I{j} are equal as far as one can tell: the directions of their axes, within their \
                 plane, are not determined"
            ),
            Self::Size => write!(
                f,
                "this torque does not tell the scale of the inertia, only ratios of moments: it is too weak here or \
                 does not act, or grows with the inertia or with a number that is unknown itself; give the largest \
                 moment"
            ),
            Self::Torque(name) => write!(
                f,
                "{name} of the torque is not determined: it shows too little, or only relative to the inertia"
            ),
            Self::Turn => write!(
                f,
                "directions of one vector leave the attitude open by a turn about it; a second vector tells"
            ),
            Self::Sensor(name) => {
                write!(f, "{name} of the sensor is not determined: the motion can stand in for it")
            }
        }
    }
}

/// A reason not to trust a fit.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// Read otherwise, the data fit much better.
    Reading {
        /// What the misunderstanding is.
        words: &'static str,
        /// How much smaller the residuals are then.
        gain: f64,
    },
    /// The residuals are more than noise.
    Structure,
    /// A bias of the gyro, which is fixed, would explain the data better.
    Bias {
        /// By which share chi-square would be less.
        less: f64,
    },
    /// Single windows of the data show a torque of the opposite sign.
    Reversed,
    /// The residuals are larger than the noise that was given.
    TooLarge {
        /// Chi-square per degree of freedom.
        reduced: f64,
    },
    /// The residuals are nearly as large as the data.
    Poor {
        /// Their share.
        share: f64,
    },
    /// Another solution is nearly as likely.
    Rival {
        /// By how much less, in units of log-likelihood.
        less: f64,
    },
    /// Few numbers, from which the noise has to be found, too.
    Few {
        /// How many there are beyond those needed for the unknowns.
        degrees: usize,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reading { words, gain } => {
                write!(f, "the residuals would be {gain:.1} times smaller if {words}; is that so?")
            }
            Self::Structure => write!(
                f,
                "the residuals are more than noise: the body is not free or not rigid, the sensor has errors that \
                 are fixed at zero here, or the columns do not mean what they were taken for"
            ),
            Self::Bias { less } => write!(
                f,
                "a bias of the gyro, fixed here, would make chi-square {:.1} % less, which is more than chance: leave \
                 the bias free, or say to which deviation it is known",
                100.0 * less
            ),
            Self::Reversed => write!(
                f,
                "single windows of the data show a torque of the opposite sign: is it that on the body, and in its \
                 frame?"
            ),
            Self::TooLarge { reduced } => write!(
                f,
                "chi-square per degree of freedom is {reduced:.2}: the noise is larger than given, or the model wrong"
            ),
            Self::Poor { share } => {
                write!(
                    f,
                    "the residuals are {:.0} % of the data: this explains little",
                    100.0 * share
                )
            }
            Self::Rival { less } => write!(
                f,
                "another solution is only {less:.1} units of log-likelihood less likely; see the rivals"
            ),
            Self::Few { degrees } => write!(
                f,
                "the noise is estimated from {degrees} numbers beyond those the unknowns take: deviations are rough"
            ),
        }
    }
}
