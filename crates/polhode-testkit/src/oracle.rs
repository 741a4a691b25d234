//! The reference solutions of `oracle/`, to 32 digits and more.
//!
//! Every function checks its file against the hash in `oracle/MANIFEST` when first called and panics
//! if it is another.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use polhode_elliptic::Dd;
use serde::{Deserialize, Deserializer, de::DeserializeOwned, de::Error as _};
use serde_json::Value;

pub use crate::special::SpecialRow;
use crate::{manifest, parse_dd};

/// The folder with the reference data of this source tree.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracle")
}

/// A torque-free motion: state at 0 (exact doubles) and state at `t`.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct FreeCase {
    /// Name, unique in its file.
    pub name: String,
    /// Principal moments, in any order.
    pub inertia: [f64; 3],
    /// Body-frame momentum at time 0.
    pub momentum0: [f64; 3],
    /// Attitude at time 0, to be normalised.
    pub quaternion0: [f64; 4],
    /// Time of the solution.
    pub t: f64,
    /// Body-frame momentum at `t`.
    #[serde(deserialize_with = "numbers")]
    pub momentum: [Dd; 3],
    /// Attitude at `t`, on the continuous branch.
    #[serde(deserialize_with = "numbers")]
    pub quaternion: [Dd; 4],
    /// Rotation matrix at `t`, row by row, body to space.
    #[serde(deserialize_with = "numbers")]
    pub attitude: [Dd; 9],
    /// m . omega; only in the free cases.
    #[serde(default, deserialize_with = "maybe_number")]
    pub twice_kinetic_energy: Option<Dd>,
    /// Largest change of (m/|m|, attitude) for a relative change 2^-53 of one input; absent in the
    /// degenerate cases (symmetric, spherical, on an axis, on the separatrix) and in the long ones.
    #[serde(default, deserialize_with = "maybe_double")]
    pub ulp_sensitivity: Option<f64>,
    /// 1 for rotation about the axis of the smallest moment, 2 about the largest.
    pub regime: Option<u8>,
    /// Elliptic parameter.
    #[serde(default, deserialize_with = "maybe_number")]
    pub k2: Option<Dd>,
    /// Complementary elliptic parameter.
    #[serde(default, deserialize_with = "maybe_number")]
    pub one_minus_k2: Option<Dd>,
    /// Phase of the elliptic functions run through from 0 to `t`.
    #[serde(default, deserialize_with = "maybe_double")]
    pub lambda_t: Option<f64>,
    /// How the solution was found.
    pub source: String,
}

/// The potential of a [`TorquedCase`], a function of the third component of u.
///
/// The torque in the body frame is `slope(u3) * (u x e3)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Potential {
    /// `V = c u3`.
    Linear(f64),
    /// `V = sign (1/s - 0.001/s^10)` with s = 1.1 + u3 (Krysl, section 5.4): sign +1 is the
    /// torque as printed there, which gives its figures, -1 an attracting charge.
    CoulombWall {
        /// +1 or -1.
        sign: f64,
    },
}

impl Potential {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "H=T+u3" | "H=T+u3, u=Q^T u0" => Self::Linear(1.0),
            "H=T+20*u3" => Self::Linear(20.0),
            "H=T+1/(p+u3)-(g/10)/(p+u3)^10" => Self::CoulombWall { sign: 1.0 },
            "H=T-1/(p+u3)+(g/10)/(p+u3)^10, p=double(1.1), g=double(0.01)" => {
                Self::CoulombWall { sign: -1.0 }
            }
            _ => return None,
        })
    }

    /// V at `u3`.
    pub fn value(self, u3: f64) -> f64 {
        match self {
            Self::Linear(c) => c * u3,
            Self::CoulombWall { sign } => {
                let s = 1.1 + u3;
                sign * (1.0 / s - 0.01 / 10.0 * s.powi(-10))
            }
        }
    }

    /// dV/du3 at `u3`.
    pub fn slope(self, u3: f64) -> f64 {
        match self {
            Self::Linear(c) => c,
            Self::CoulombWall { sign } => {
                let s = 1.1 + u3;
                sign * (0.01 * s.powi(-11) - s.powi(-2))
            }
        }
    }
}

/// A motion in a potential `V(u3)`, u = Q^T `u_space`.
///
/// Some inputs are no doubles: an attitude given by its angle, a momentum by its direction, and the
/// time 1/10.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct TorquedCase {
    /// Name, unique in the file.
    pub name: String,
    /// Where the problem comes from.
    pub description: String,
    /// Principal moments.
    #[serde(deserialize_with = "doubles")]
    pub inertia: [f64; 3],
    /// Body-frame momentum at time 0.
    #[serde(deserialize_with = "numbers")]
    pub momentum0: [Dd; 3],
    /// Attitude at time 0.
    #[serde(deserialize_with = "numbers")]
    pub quaternion0: [Dd; 4],
    /// The direction the potential depends on, in space.
    #[serde(deserialize_with = "doubles")]
    pub u_space: [f64; 3],
    /// That direction in the body at time 0.
    #[serde(deserialize_with = "numbers")]
    pub u_body0: [Dd; 3],
    /// Time of the solution.
    #[serde(deserialize_with = "number")]
    pub t: Dd,
    /// Body-frame momentum at `t`.
    #[serde(deserialize_with = "numbers")]
    pub momentum: [Dd; 3],
    /// `u_space` in the body at `t`.
    #[serde(deserialize_with = "numbers")]
    pub u_body: [Dd; 3],
    /// Attitude at `t`, on the continuous branch.
    #[serde(deserialize_with = "numbers")]
    pub quaternion: [Dd; 4],
    /// Rotation matrix at `t`, row by row, body to space.
    #[serde(deserialize_with = "numbers")]
    pub attitude: [Dd; 9],
    /// What acts on the body, as a potential of its attitude.
    #[serde(deserialize_with = "potential")]
    pub potential: Potential,
    /// Kinetic plus potential energy at time 0.
    #[serde(deserialize_with = "number")]
    pub energy0: Dd,
    /// Kinetic plus potential energy at `t`.
    #[serde(deserialize_with = "number")]
    pub energy: Dd,
}

/// The 227 free motions.
///
/// # Panics
/// If the data is not as listed in `MANIFEST`; so do the other functions here.
pub fn free_cases() -> &'static [FreeCase] {
    static CASES: OnceLock<Vec<FreeCase>> = OnceLock::new();
    CASES.get_or_init(|| load("free_A.json"))
}

/// The 30 free motions over phases of 1e4 to 1e9 radians.
pub fn long_cases() -> &'static [FreeCase] {
    static CASES: OnceLock<Vec<FreeCase>> = OnceLock::new();
    CASES.get_or_init(|| load("long_A.json"))
}

/// The 18 motions in a potential.
pub fn torqued_cases() -> &'static [TorquedCase] {
    static CASES: OnceLock<Vec<TorquedCase>> = OnceLock::new();
    CASES.get_or_init(|| load("torqued_A.json"))
}

/// The 310 values of special functions.
pub fn special_rows() -> &'static [SpecialRow] {
    static ROWS: OnceLock<Vec<SpecialRow>> = OnceLock::new();
    ROWS.get_or_init(|| load("special_A.json"))
}

pub(crate) fn load<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let items = manifest::load(&folder(), name);
    let read = |(index, item): (usize, Value)| {
        serde_json::from_value(item)
            .unwrap_or_else(|error| panic!("reference data: {name}, entry {index}: {error}"))
    };
    items.into_iter().enumerate().map(read).collect()
}

fn number<'de, D: Deserializer<'de>>(from: D) -> Result<Dd, D::Error> {
    Ok(parse_dd(&String::deserialize(from)?))
}

fn maybe_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Dd>, D::Error> {
    Ok(Some(number(from)?))
}

fn maybe_double<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    Ok(Some(number(from)?.hi()))
}

fn numbers<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[Dd; N], D::Error> {
    let texts = Vec::<String>::deserialize(from)?;
    let found = texts.len();
    <[String; N]>::try_from(texts)
        .map(|texts| texts.map(|text| parse_dd(&text)))
        .map_err(|_| D::Error::custom(format!("{found} numbers where {N} belong")))
}

/// Doubles that were written as text: their shortest names, not 32 digits of them.
fn doubles<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[f64; N], D::Error> {
    Ok(numbers(from)?.map(Dd::hi))
}

fn potential<'de, D: Deserializer<'de>>(from: D) -> Result<Potential, D::Error> {
    let text = String::deserialize(from)?;
    Potential::parse(&text).ok_or_else(|| D::Error::custom(format!("unknown potential {text:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_verify::taylor::dd_math::{dot, norm, rotate};
    use std::collections::BTreeSet;

    fn distance<const N: usize>(a: [Dd; N], b: [Dd; N]) -> f64 {
        norm(&core::array::from_fn::<_, N, _>(|i| a[i] - b[i])).hi()
    }

    /// The rotation matrix of a unit quaternion, row by row.
    fn matrix(q: &[Dd; 4]) -> [Dd; 9] {
        let column = |i: usize| rotate(q, &core::array::from_fn(|j| Dd::from(f64::from(i == j))));
        let columns = [0, 1, 2].map(column);
        core::array::from_fn(|entry| columns[entry % 3][entry / 3])
    }

    fn unit(q: [f64; 4]) -> [Dd; 4] {
        let q = q.map(Dd::from);
        let length = norm(&q);
        q.map(|x| x / length)
    }

    #[test]
    fn every_file_has_its_number_of_entries_with_names_of_their_own() {
        assert_eq!((free_cases().len(), long_cases().len()), (227, 30));
        assert_eq!(torqued_cases().len(), 18);
        let free = free_cases().iter().chain(long_cases()).map(|case| &case.name);
        let torqued = torqued_cases().iter().map(|case| &case.name);
        let names: BTreeSet<&String> = free.chain(torqued).collect();
        assert_eq!(names.len(), 227 + 30 + 18);
        let with = |f: fn(&FreeCase) -> bool| free_cases().iter().filter(|&case| f(case)).count();
        assert_eq!(with(|case| case.ulp_sensitivity.is_some()), 178);
        assert_eq!(with(|case| case.regime == Some(1)), 85);
        assert_eq!(with(|case| case.one_minus_k2.is_some()), 178);
        assert!(long_cases().iter().all(|case| case.lambda_t.is_some()));
    }

    /// Catches a mixed-up convention (order of the matrix, sign, frame) and lost digits alike.
    #[test]
    fn free_motions_keep_their_invariants_to_thirty_digits() {
        for case in free_cases().iter().chain(long_cases()) {
            let name = &case.name;
            let (m0, q0) = (case.momentum0.map(Dd::from), unit(case.quaternion0));
            let space = rotate(&q0, &m0);
            let drift = distance(rotate(&case.quaternion, &case.momentum), space);
            let limit = 2e-31 * norm(&m0).hi();
            assert!(drift <= limit, "{name}: momentum in space {drift:e}");
            let off = distance(matrix(&case.quaternion), case.attitude);
            assert!(off < 2e-31, "{name}: matrix and quaternion differ by {off:e}");
            let Some(energy) = case.twice_kinetic_energy else {
                continue;
            };
            for m in [m0, case.momentum] {
                let omega = core::array::from_fn(|i| m[i] / Dd::from(case.inertia[i]));
                let off = (dot(&m, &omega) - energy).hi().abs();
                // Below 1e-290 the low half of the energy is subnormal.
                let limit = 2e-31 * energy.hi() + 1e-320;
                assert!(off <= limit, "{name}: energy {off:e} of {:e}", energy.hi());
            }
        }
    }

    #[test]
    fn torqued_motions_keep_energy_and_agree_with_their_attitude() {
        for case in torqued_cases() {
            let name = &case.name;
            let off = (case.energy - case.energy0).hi().abs();
            assert!(off <= 1e-30 * case.energy0.hi().abs(), "{name}: {off:e}");
            let off = distance(matrix(&case.quaternion), case.attitude);
            assert!(off < 2e-31, "{name}: matrix and quaternion differ by {off:e}");
            for (q, u, m) in [
                (case.quaternion0, case.u_body0, case.momentum0),
                (case.quaternion, case.u_body, case.momentum),
            ] {
                let off = distance(rotate(&q, &u), case.u_space.map(Dd::from));
                assert!(off < 1e-31, "{name}: u differs by {off:e}");
                let kinetic = (0..3).map(|i| m[i].hi().powi(2) / case.inertia[i] / 2.0);
                let energy = kinetic.sum::<f64>() + case.potential.value(u[2].hi());
                let off = (energy / case.energy.hi() - 1.0).abs();
                assert!(off < 4e-15, "{name}: potential and energy differ by {off:e}");
            }
        }
    }

    #[test]
    fn slope_is_the_derivative_of_the_potential() {
        for potential in [
            Potential::Linear(20.0),
            Potential::CoulombWall { sign: 1.0 },
            Potential::CoulombWall { sign: -1.0 },
        ] {
            for u3 in [-0.6, 0.0, 0.7] {
                let h = 1e-5;
                let difference = (potential.value(u3 + h) - potential.value(u3 - h)) / (2.0 * h);
                let off = (difference - potential.slope(u3)).abs();
                // Truncation h^2 V'''/6 with V''' up to 1e4 at -0.6.
                assert!(off < 1e-5, "{potential:?} at {u3}: {off:e}");
            }
        }
    }
}
