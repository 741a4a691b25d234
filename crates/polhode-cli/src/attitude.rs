//! How attitudes are written: the form and the unit of angles.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use polhode::glam::{DQuat, DVec3};
use polhode::so3::{self, EulerSequence};

/// The options for it, of every command that writes attitudes.
#[derive(Args, Clone, Copy)]
pub(crate) struct AttitudeOptions {
    /// How attitudes are written: quaternion (w,x,y,z), scalar-last (x,y,z,w), matrix (row by row,
    /// body to space), or Euler angles of turns about the body's axes, one after the other: euler is
    /// euler-zyx, that is yaw, pitch, roll
    #[arg(
        long,
        value_name = "FORM",
        default_value_t = AttitudeFormat::Quaternion,
        value_parser = PossibleValuesParser::new(AttitudeFormat::NAMES)
            .try_map(|name| name.parse::<AttitudeFormat>()),
    )]
    attitude_as: AttitudeFormat,

    /// Euler angles and angular velocity in degrees instead of radians; their columns then end in _deg
    #[arg(long)]
    degrees: bool,
}

impl AttitudeOptions {
    pub(crate) fn format(self) -> AttitudeFormat {
        self.attitude_as
    }

    pub(crate) fn degrees(self) -> bool {
        self.degrees
    }
}

/// How an attitude is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttitudeFormat {
    /// w, x, y, z.
    Quaternion,
    /// x, y, z, w.
    ScalarLast,
    /// Row by row.
    Matrix,
    /// In the order of the turns.
    Euler(EulerSequence),
}

impl AttitudeFormat {
    /// All of them, and `euler` for the commonest Euler angles.
    const NAMES: [&str; 16] = [
        "quaternion",
        "scalar-last",
        "matrix",
        "euler",
        "euler-xyz",
        "euler-xzy",
        "euler-yxz",
        "euler-yzx",
        "euler-zxy",
        "euler-zyx",
        "euler-xyx",
        "euler-xzx",
        "euler-yxy",
        "euler-yzy",
        "euler-zxz",
        "euler-zyz",
    ];

    /// Names of its numbers. The same quantity has the same name in every form.
    pub(crate) fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Quaternion => &["q0", "q1", "q2", "q3"],
            Self::ScalarLast => &["q1", "q2", "q3", "q0"],
            Self::Matrix => &["q11", "q12", "q13", "q21", "q22", "q23", "q31", "q32", "q33"],
            Self::Euler(_) => &["e1", "e2", "e3"],
        }
    }

    /// The columns of a file: angles in degrees say so.
    pub(crate) fn header(self, degrees: bool) -> Vec<String> {
        let degrees = degrees && matches!(self, Self::Euler(_));
        self.columns().iter().map(|name| in_unit(name, degrees)).collect()
    }

    /// The columns on a screen: Euler angles have their names, or those of their axes.
    pub(crate) fn screen(self, degrees: bool) -> Vec<String> {
        let Self::Euler(sequence) = self else { return self.header(degrees) };
        let names = match sequence.name() {
            "zyx" => ["yaw", "pitch", "roll"].map(str::to_owned),
            "zxz" => ["precession", "nutation", "spin"].map(str::to_owned),
            axes => {
                let mut axes = axes.chars();
                [1, 2, 3].map(|i| format!("turn{i}_{}", axes.next().unwrap_or_default()))
            }
        };
        names.map(|name| in_unit(&name, degrees)).into()
    }

    /// The shape of one attitude as an array.
    pub(crate) fn shape(self) -> &'static [usize] {
        match self {
            Self::Quaternion | Self::ScalarLast => &[4],
            Self::Matrix => &[3, 3],
            Self::Euler(_) => &[3],
        }
    }

    /// Its numbers, in the order of [`AttitudeFormat::columns`].
    pub(crate) fn numbers(self, q: DQuat, degrees: bool) -> Vec<f64> {
        match self {
            Self::Quaternion => so3::to_wxyz(q).into(),
            Self::ScalarLast => q.to_array().into(),
            Self::Matrix => so3::to_rows(q).into(),
            Self::Euler(sequence) => {
                let angles = DVec3::from_array(so3::euler_angles(q, sequence));
                angle_unit(angles, degrees).to_array().into()
            }
        }
    }
}

/// The columns of the angular velocity.
pub(crate) fn omega_header(degrees: bool) -> [String; 3] {
    ["w1", "w2", "w3"].map(|name| in_unit(name, degrees))
}

fn in_unit(name: &str, degrees: bool) -> String {
    if degrees { format!("{name}_deg") } else { name.to_owned() }
}

/// Angles, or rates of them, in the unit wanted.
pub(crate) fn angle_unit(radians: DVec3, degrees: bool) -> DVec3 {
    if degrees { radians.map(f64::to_degrees) } else { radians }
}

impl fmt::Display for AttitudeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quaternion => f.write_str("quaternion"),
            Self::ScalarLast => f.write_str("scalar-last"),
            Self::Matrix => f.write_str("matrix"),
            Self::Euler(sequence) => write!(f, "euler-{}", sequence.name()),
        }
    }
}

impl FromStr for AttitudeFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let euler = match name {
            "quaternion" => return Ok(Self::Quaternion),
            "scalar-last" => return Ok(Self::ScalarLast),
            "matrix" => return Ok(Self::Matrix),
            "euler" => Some(EulerSequence::ZYX),
            _ => name.strip_prefix("euler-").and_then(EulerSequence::named),
        };
        euler
            .map(Self::Euler)
            .ok_or_else(|| format!("no form of attitudes; one of {}", Self::NAMES.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for name in AttitudeFormat::NAMES {
            let form: AttitudeFormat = name.parse().unwrap();
            let want = if name == "euler" { "euler-zyx" } else { name };
            assert_eq!(form.to_string(), want);
            let numbers = form.numbers(DQuat::from_xyzw(0.0, 0.6, 0.0, 0.8), false);
            assert_eq!(numbers.len(), form.columns().len());
            assert_eq!(numbers.len(), form.shape().iter().product::<usize>());
        }
        for sequence in EulerSequence::ALL {
            let name = AttitudeFormat::Euler(sequence).to_string();
            assert!(AttitudeFormat::NAMES.contains(&name.as_str()), "{name}");
        }
        for name in ["", "Matrix", "euler-", "euler-xxy", "euler-zyxz"] {
            assert!(name.parse::<AttitudeFormat>().unwrap_err().contains("euler-zxz"), "{name}");
        }
    }

    #[test]
    fn forms_of_a_quarter_turn_about_the_third_axis() {
        let (half, q) = (0.5f64.sqrt(), so3::exp(DVec3::Z * std::f64::consts::FRAC_PI_2));
        for (name, want) in [
            ("quaternion", &[half, 0.0, 0.0, half][..]),
            ("scalar-last", &[0.0, 0.0, half, half]),
            ("matrix", &[0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
            ("euler", &[90.0, 0.0, 0.0]),
            ("euler-xyz", &[0.0, 0.0, 90.0]),
        ] {
            let got = name.parse::<AttitudeFormat>().unwrap().numbers(q, true);
            for (x, y) in got.iter().zip(want) {
                assert!((x - y).abs() < 1e-13, "{name}: {got:?}");
            }
        }
        let radians = AttitudeFormat::Euler(EulerSequence::ZYX).numbers(q, false);
        assert!((radians[0] - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    }
}
