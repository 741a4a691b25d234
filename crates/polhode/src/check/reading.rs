//! Other ways to read the same columns.

use core::f64::consts::PI;

use glam::DQuat;

use super::Mistake;
use super::samples::{Attitudes, Frame, Samples};

/// How columns are read: as they are meant by default, or with a misunderstanding undone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    transposed: bool,
    scalar: Scalar,
    other_frame: bool,
    degrees: bool,
}

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

impl Reading {
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

    pub(super) fn frame(self, given: Frame) -> Frame {
        match (self.other_frame, given) {
            (false, frame) => frame,
            (true, Frame::Body) => Frame::Space,
            (true, Frame::Space) => Frame::Body,
        }
    }

    pub(super) fn omega_unit(self) -> f64 {
        if self.degrees { PI / 180.0 } else { 1.0 }
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
                        let reading = Self { transposed, scalar, other_frame, degrees };
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
            (self.scalar != Scalar::AsGiven, Mistake::ScalarPlace),
            (self.other_frame, Mistake::VectorFrame),
            (self.degrees, Mistake::Degrees),
        ];
        all.into_iter().filter(|(made, _)| *made).map(|(_, mistake)| mistake).collect()
    }

    /// What is done to the columns, and what that means, as two texts.
    pub(super) fn words(self, samples: &Samples) -> (String, String) {
        let quaternion = matches!(samples.attitude, Some(Attitudes::Quaternions(_)));
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
                (Some(_), Frame::Body) => {
                    done.push("the momentum turned from space to the body frame");
                    meant.push("the momentum is given in space, not in the body frame");
                }
                (Some(_), Frame::Space) => {
                    done.push("the momentum taken in the body frame");
                    meant.push("the momentum is given in the body frame, not in space");
                }
                (None, _) => {
                    done.push("the angular velocity turned from space to the body frame");
                    meant.push("the angular velocity is given in space, not in the body frame");
                }
            }
        }
        if self.degrees {
            done.push("the angular velocity divided by 180/pi");
            meant.push("the angular velocity is in degrees, not in radians");
        }
        (done.join(" and "), meant.join("; "))
    }
}
