//! Other ways to read the same columns.

use core::f64::consts::PI;

use glam::DQuat;

use super::mistake::Mistake;
use super::samples::{Attitudes, Samples};
use polhode::torque::VectorFrame;

/// How columns are read: as they are meant by default, or with a misunderstanding undone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ColumnConvention {
    transposed: bool,
    scalar: Scalar,
    other_frame: bool,
    degrees: bool,
    time: TimeUnit,
}

/// Another unit of time than that of the angular velocities, and how many of those it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum TimeUnit {
    #[default]
    AsGiven,
    /// So many go into one.
    Smaller(f64),
    /// It is so many.
    Larger(f64),
}

/// The quotients of units of time: powers of a thousand; minutes, hours and days in seconds.
const QUOTIENTS: [f64; 6] = [1e3, 1e6, 1e9, 60.0, 3600.0, 86400.0];

/// Where the scalar part of a quaternion stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Scalar {
    #[default]
    AsGiven,
    /// It was taken to be first, and is last.
    Last,
    /// It was taken to be last, and is first.
    First,
}

impl ColumnConvention {
    pub(super) fn is_default(self) -> bool {
        self == Self::default()
    }

    pub(super) fn attitude(self, q: DQuat) -> DQuat {
        let q = match self.scalar {
            Scalar::AsGiven => q,
            Scalar::Last => DQuat::from_xyzw(q.w, q.x, q.y, q.z),
            Scalar::First => DQuat::from_xyzw(q.y, q.z, q.w, q.x),
        };
        if self.transposed { q.conjugate() } else { q }
    }

    pub(super) fn frame(self, given: VectorFrame) -> VectorFrame {
        match (self.other_frame, given) {
            (false, frame) => frame,
            (true, VectorFrame::Body) => VectorFrame::Space,
            (true, VectorFrame::Space) => VectorFrame::Body,
        }
    }

    pub(super) fn omega_unit(self) -> f64 {
        if self.degrees { PI / 180.0 } else { 1.0 }
    }

    /// What the times are multiplied by.
    pub(super) fn time_unit(self) -> f64 {
        match self.time {
            TimeUnit::AsGiven => 1.0,
            TimeUnit::Smaller(count) => 1.0 / count,
            TimeUnit::Larger(count) => count,
        }
    }

    /// The columns as given, but for their times in other units.
    pub(super) fn other_times() -> impl Iterator<Item = Self> {
        let units = QUOTIENTS.into_iter().flat_map(|q| [TimeUnit::Smaller(q), TimeUnit::Larger(q)]);
        units.map(|time| Self { time, ..Self::default() })
    }

    /// Every way but the default that makes a difference for these samples.
    pub(super) fn others(samples: &Samples) -> Vec<Self> {
        let both = [false, true];
        let attitude = samples.attitude.is_some();
        let quaternion = matches!(samples.attitude, Some(Attitudes::Quaternions(_)));
        let vectors = samples.momentum.is_some() || samples.omega.is_some();
        let omega_only = samples.momentum.is_none() && samples.omega.is_some();
        let mut others = Vec::new();
        for scalar in [Scalar::AsGiven, Scalar::Last, Scalar::First] {
            for transposed in both {
                for other_frame in both {
                    for degrees in both {
                        let reading =
                            Self { transposed, scalar, other_frame, degrees, ..Self::default() };
                        let possible = (attitude || !(transposed || other_frame))
                            && (quaternion || scalar == Scalar::AsGiven)
                            && (vectors || !other_frame)
                            && (omega_only || !degrees);
                        if possible && !reading.is_default() {
                            others.push(reading);
                        }
                    }
                }
            }
        }
        others
    }

    /// The misunderstandings it undoes.
    pub(super) fn mistakes(self) -> Vec<Mistake> {
        let all = [
            (self.transposed, Mistake::TransposedAttitude),
            (self.scalar == Scalar::Last, Mistake::ScalarLast),
            (self.scalar == Scalar::First, Mistake::ScalarFirst),
            (self.other_frame, Mistake::VectorFrame),
            (self.degrees, Mistake::Degrees),
            (self.time != TimeUnit::AsGiven, Mistake::TimeUnit),
        ];
        all.into_iter().filter(|(made, _)| *made).map(|(_, mistake)| mistake).collect()
    }

    /// What is done to the columns, and what that means, as two texts.
    pub(super) fn words(self, samples: &Samples) -> (String, String) {
        let quaternion = matches!(samples.attitude, Some(Attitudes::Quaternions(_)));
        if let Some(words) = self.time_words() {
            return words;
        }
        let (mut done, mut meant) = (Vec::new(), Vec::new());
        match self.scalar {
            Scalar::AsGiven => {}
            Scalar::Last => {
                done.push("the quaternion's scalar taken from the last place");
                meant.push("the quaternion's scalar part stands last, not first");
            }
            Scalar::First => {
                done.push("the quaternion's components moved on by one place");
                meant.push("the quaternion's scalar part stands first and was taken to be last");
            }
        }
        if self.transposed {
            let how =
                if quaternion { "the quaternion conjugated" } else { "the matrix transposed" };
            done.push(how);
            meant.push("the attitude is the inverse one: it takes space to body coordinates");
        }
        if self.other_frame {
            match (&samples.momentum, samples.momentum_frame) {
                (Some(_), VectorFrame::Body) => {
                    done.push("the momentum turned from space to the body frame");
                    meant.push("the momentum is given in space, not in the body frame");
                }
                (Some(_), VectorFrame::Space) => {
                    done.push("the momentum taken in the body frame");
                    meant.push("the momentum is given in the body frame, not in space");
                }
                (None, _) if samples.omega_frame == VectorFrame::Body => {
                    done.push("the angular velocity turned from space to the body frame");
                    meant.push("the angular velocity is given in space, not in the body frame");
                }
                (None, _) => {
                    done.push("the angular velocity taken in the body frame");
                    meant.push("the angular velocity is given in the body frame, not in space");
                }
            }
        }
        if self.degrees {
            done.push("the angular velocity divided by 180/pi");
            meant.push("the angular velocity is in degrees, not in radians");
        }
        (done.join(" and "), meant.join("; "))
    }

    /// The same for the unit of time, which is tried alone.
    fn time_words(self) -> Option<(String, String)> {
        let (done, count, which) = match self.time {
            TimeUnit::AsGiven => return None,
            TimeUnit::Smaller(count) => ("divided", count, "shorter"),
            TimeUnit::Larger(count) => ("multiplied", count, "longer"),
        };
        let example = match self.time {
            TimeUnit::Smaller(1e3) => " (milliseconds beside radians per second, say)",
            TimeUnit::Smaller(1e6) => " (microseconds beside radians per second, say)",
            TimeUnit::Larger(60.0) => " (minutes beside radians per second, say)",
            _ => "",
        };
        Some((
            format!("the times {done} by {count}"),
            format!(
                "the unit of the times is {count} times {which} than that of the angular \
                 velocities{example}"
            ),
        ))
    }
}
