//! The reference derivatives of `oracle/`, rounded to doubles.

use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

use crate::oracle::load;

/// A motion with its derivatives: states are varied by (dm, del), del a rotation vector in the body frame.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct TangentCase {
    /// Name, unique in its file.
    pub name: String,
    /// Principal moments, if the body has no tensor.
    pub inertia: Option<[f64; 3]>,
    /// I11, I22, I33, I12, I13, I23.
    pub tensor: Option<[f64; 6]>,
    /// Body-frame momentum at time 0.
    pub momentum0: [f64; 3],
    /// Attitude at time 0, to be normalised.
    pub quaternion0: [f64; 4],
    /// The arm of a heavy top, potential energy arm . Q^T e3; none for a free body.
    pub arm: Option<[f64; 3]>,
    /// Time of the solution.
    pub t: f64,
    /// Body-frame momentum at `t`.
    #[serde(deserialize_with = "row")]
    pub momentum: [f64; 3],
    /// Attitude at `t`, on the continuous branch.
    #[serde(deserialize_with = "row")]
    pub quaternion: [f64; 4],
    /// State transition matrix, by rows.
    #[serde(rename = "Phi", deserialize_with = "rows")]
    pub phi: [[f64; 6]; 6],
    /// By I11, I22, I33.
    #[serde(rename = "dI", deserialize_with = "rows")]
    pub inertia_columns: [[f64; 3]; 6],
    /// By I12, I13, I23.
    #[serde(rename = "dI_off", deserialize_with = "rows")]
    pub inertia_off_columns: [[f64; 3]; 6],
    /// By the arm.
    #[serde(rename = "d_arm", default, deserialize_with = "maybe_rows")]
    pub arm_columns: Option<[[f64; 3]; 6]>,
    /// By time.
    #[serde(rename = "dt", deserialize_with = "row")]
    pub time: [f64; 6],
    /// What makes momenta of a torqued motion numbers without units.
    #[serde(default, deserialize_with = "maybe_double")]
    pub scale_m: Option<f64>,
    /// Largest entry of each block, without units.
    norm: Value,
    /// Its largest change by one ulp of one input.
    ulp: Value,
}

impl TangentCase {
    /// Largest entry of the block of that name, without units, and its largest change by one ulp of one input.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn norm_and_ulp(&self, block: &str) -> (f64, f64) {
        let read = |table: &Value| {
            let text = table[block].as_str().unwrap_or_else(|| panic!("{}: {block}", self.name));
            text.parse().unwrap_or_else(|_| panic!("{}: {block} {text}", self.name))
        };
        (read(&self.norm), read(&self.ulp))
    }
}

/// The 95 free motions.
pub fn free_tangents() -> &'static [TangentCase] {
    static CASES: OnceLock<Vec<TangentCase>> = OnceLock::new();
    CASES.get_or_init(|| load("tangent_A.json"))
}

/// The 8 heavy tops.
pub fn torqued_tangents() -> &'static [TangentCase] {
    static CASES: OnceLock<Vec<TangentCase>> = OnceLock::new();
    CASES.get_or_init(|| load("tangent_torqued_A.json"))
}

fn numbers<E: serde::de::Error, const N: usize>(value: &Value) -> Result<[f64; N], E> {
    let items = value.as_array().ok_or_else(|| E::custom("no array"))?;
    let read = |item: &Value| item.as_str().and_then(|text| text.parse().ok());
    let numbers: Option<Vec<f64>> = items.iter().map(read).collect();
    let numbers = numbers.ok_or_else(|| E::custom("not all are numbers"))?;
    <[f64; N]>::try_from(numbers).map_err(|_| E::custom(format!("not {N} numbers")))
}

fn row<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[f64; N], D::Error> {
    numbers(&Value::deserialize(from)?)
}

fn rows<'de, D: Deserializer<'de>, const N: usize>(from: D) -> Result<[[f64; N]; 6], D::Error> {
    let rows = Vec::<Value>::deserialize(from)?;
    let rows: Result<Vec<[f64; N]>, D::Error> = rows.iter().map(numbers).collect();
    <[[f64; N]; 6]>::try_from(rows?).map_err(|_| D::Error::custom("not six rows"))
}

fn maybe_rows<'de, D: Deserializer<'de>, const N: usize>(
    from: D,
) -> Result<Option<[[f64; N]; 6]>, D::Error> {
    rows(from).map(Some)
}

fn maybe_double<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let text = Value::deserialize(from)?;
    let read = text.as_f64().or_else(|| text.as_str().and_then(|text| text.parse().ok()));
    read.map(Some).ok_or_else(|| D::Error::custom("no number"))
}
