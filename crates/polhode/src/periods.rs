//! The motion that has two observed periods: that of rotation and that of precession.
//!
//! ```
//! use polhode::periods::{Mode, from_periods};
//! use polhode::{FreeMotion, Inertia};
//! // Toutatis, in days: moments and periods after Hudson and Ostro (1995).
//! let inertia = Inertia::principal([1.0, 3.09, 3.22])?;
//! let found = from_periods(&inertia, 5.41, 7.35, None)?;
//! assert_eq!(found.mode, Mode::LongAxis);
//! let motion = FreeMotion::new(&inertia, found.start)?;
//! assert!((motion.period().unwrap() - 5.41).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Conventions
//! In the long-axis mode the momentum circles the axis of the least moment, in the short-axis mode that of the
//! greatest. Rotation is the turn of the body about that axis, so that its period is that of the momentum in the body
//! frame, [`FreeMotion::period`]; precession is the turn of that axis about the momentum in space, and its period the
//! mean one, 2 pi over [`FreeMotion::precession_rate`]. Where the precession of the *long* axis was observed in the
//! short-axis mode, with period P, the period here is 1/(1/P + 1/rotation).

use core::f64::consts::{FRAC_PI_2, TAU};
use core::fmt;

use glam::{DQuat, DVec3};

use crate::{FreeMotion, Inertia, Regime, State};

/// About which axis the body rotates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// The momentum circles the axis of the least moment.
    LongAxis,
    /// The momentum circles the axis of the greatest moment.
    ShortAxis,
}

impl Mode {
    /// Both modes, the long-axis mode first.
    pub const ALL: [Self; 2] = [Self::LongAxis, Self::ShortAxis];

    /// The mode of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// `long-axis` or `short-axis`.
    pub fn name(self) -> &'static str {
        match self {
            Self::LongAxis => "long-axis",
            Self::ShortAxis => "short-axis",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A start whose motion has the periods wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct StartOfPeriods {
    /// The body and space axes are aligned; the momentum lies in the plane of the least and the greatest moment.
    pub start: State,
    /// About which axis it rotates.
    pub mode: Mode,
}

/// Why no motion has the periods.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PeriodsError {
    /// A period is not positive and finite.
    #[error("{what} period = {value:?}: must be positive and finite")]
    NotPositive {
        /// Which of the two.
        what: &'static str,
        /// The period that was given.
        value: f64,
    },
    /// A sphere only spins, and a top with two equal moments has one mode.
    #[error("a body with these moments has no {mode} mode")]
    NoMode {
        /// The mode that was wanted.
        mode: Mode,
    },
    /// Nothing precesses.
    #[error("with three equal moments nothing precesses: there is one period only")]
    Sphere,
    /// The ratio is out of reach.
    #[error(
        "no motion of this body has these periods: rotation over precession is {ratio:?}, and must be {}",
        ranges(.reachable)
    )]
    Unreachable {
        /// The ratio of the periods given.
        ratio: f64,
        /// The least and the largest ratio that doubles resolve, of each mode.
        reachable: Vec<(Mode, f64, f64)>,
    },
    /// Two motions have the periods.
    #[error("both a long-axis and a short-axis mode have these periods; say which is meant")]
    Ambiguous,
    /// The motion is beyond the range of doubles.
    #[error("the motion is beyond the range of doubles; take other units")]
    OutOfRange,
}

fn ranges(reachable: &[(Mode, f64, f64)]) -> String {
    let range = |(mode, least, most): &(Mode, f64, f64)| {
        format!("more than {least:.6} (up to {most:.3} in doubles) in the {mode} mode")
    };
    reachable.iter().map(range).collect::<Vec<_>>().join(", or ")
}

/// The principal axes of a body as seen from the one that the momentum circles.
struct Family {
    mode: Mode,
    /// The numbers of the axis and of the extreme one on the other side of the separatrix.
    axis: usize,
    other: usize,
    /// Tilts of the momentum from the axis, towards the other, are below this.
    separatrix: f64,
    /// Rotation over precession for the smallest tilt.
    least: f64,
}

impl Family {
    fn new(inertia: &Inertia, mode: Mode) -> Option<Self> {
        let moments = inertia.moments().to_array();
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| moments[a].total_cmp(&moments[b]));
        if mode == Mode::ShortAxis {
            order.reverse();
        }
        let [axis, middle, other] = order;
        let [near, mid, far] = order.map(|i| moments[i] / moments[middle]);
        if near == mid {
            return None;
        }
        let separatrix = if mid == far {
            FRAC_PI_2
        } else {
            libm::atan(libm::sqrt((1.0 / near - 1.0) / (1.0 - 1.0 / far)))
        };
        // Euler's equations next to the axis: how often the momentum circles while the body turns once.
        let wobble = libm::sqrt((1.0 - near) * (far - near) / far);
        let precession = if mode == Mode::LongAxis { 1.0 - wobble } else { 1.0 + wobble };
        Some(Self { mode, axis, other, separatrix, least: precession / wobble })
    }

    /// The momentum of length one with this tilt, in principal axes.
    fn direction(&self, tilt: f64) -> DVec3 {
        let mut m = [0.0; 3];
        m[self.axis] = libm::cos(tilt);
        m[self.other] = libm::sin(tilt);
        m.into()
    }

    /// Rotation over precession, and the period of rotation of a momentum of length one; none on the separatrix.
    fn periods(&self, inertia: &Inertia, tilt: f64) -> Option<(f64, f64)> {
        let start = State::new(inertia.axes() * self.direction(tilt), DQuat::IDENTITY).ok()?;
        let motion = FreeMotion::new(inertia, start).ok()?;
        let here = match (motion.regime(), self.mode) {
            (Regime::SymmetricTop, _) => true,
            (Regime::AboutMinor, mode) => mode == Mode::LongAxis,
            (Regime::AboutMajor, mode) => mode == Mode::ShortAxis,
            _ => false,
        };
        let period = motion.period().filter(|_| here)?;
        Some((period * motion.precession_rate() / TAU, period))
    }

    /// The largest ratio, at the last tilt before the separatrix that is one of this side.
    fn most(&self, inertia: &Inertia) -> f64 {
        let tilts = (1..60).map(|bits| self.separatrix * (1.0 - libm::ldexp(1.0, -bits)));
        let ratios = tilts.filter_map(|tilt| Some(self.periods(inertia, tilt)?.0));
        ratios.fold(self.least, f64::max)
    }

    /// The momentum with these periods, in principal axes. The ratio grows with the tilt.
    fn momentum(&self, inertia: &Inertia, rotation: f64, ratio: f64) -> Option<DVec3> {
        let (mut low, mut high) = (0.0, self.separatrix);
        loop {
            let tilt = 0.5 * (low + high);
            if tilt <= low || tilt >= high {
                break;
            }
            match self.periods(inertia, tilt) {
                Some((found, _)) if found < ratio => low = tilt,
                // A tilt so small has no periods in doubles, and nobody would see it.
                None if tilt < 1e-3 * self.separatrix => low = tilt,
                _ => high = tilt,
            }
        }
        let (_, period) = self.periods(inertia, high).or_else(|| self.periods(inertia, low))?;
        let momentum = self.direction(high) * (period / rotation);
        momentum.is_finite().then_some(momentum)
    }
}

/// The start of the motion that has this period of rotation and this mean period of precession.
///
/// Without a mode, the one that has these periods.
///
/// # Errors
/// [`PeriodsError`] if there is no such motion, with the ratios that can be reached, or if there are two.
pub fn from_periods(
    inertia: &Inertia,
    rotation: f64,
    precession: f64,
    mode: Option<Mode>,
) -> Result<StartOfPeriods, PeriodsError> {
    for (what, value) in [("rotation", rotation), ("precession", precession)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(PeriodsError::NotPositive { what, value });
        }
    }
    let wanted = Mode::ALL.into_iter().filter(|m| mode.is_none_or(|mode| mode == *m));
    let families: Vec<Family> = wanted.filter_map(|mode| Family::new(inertia, mode)).collect();
    if families.is_empty() {
        return Err(mode.map_or(PeriodsError::Sphere, |mode| PeriodsError::NoMode { mode }));
    }
    let ratio = rotation / precession;
    let reaching: Vec<(&Family, f64)> =
        families.iter().map(|family| (family, family.most(inertia))).collect();
    let mut fitting =
        reaching.iter().filter(|(family, most)| ratio > family.least && ratio <= *most);
    let (Some((family, _)), second) = (fitting.next(), fitting.next()) else {
        let reachable =
            reaching.iter().map(|(family, most)| (family.mode, family.least, *most)).collect();
        return Err(PeriodsError::Unreachable { ratio, reachable });
    };
    if second.is_some() {
        return Err(PeriodsError::Ambiguous);
    }
    let momentum = family.momentum(inertia, rotation, ratio).ok_or(PeriodsError::OutOfRange)?;
    let start = State::new(inertia.axes() * momentum, DQuat::IDENTITY);
    Ok(StartOfPeriods { start: start.map_err(|_| PeriodsError::OutOfRange)?, mode: family.mode })
}
