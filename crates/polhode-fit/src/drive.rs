//! What acts on a body, with numbers that may be unknown.

use core::fmt;
use std::sync::Arc;

use polhode::Torque;
use polhode::torque::{KeyValue, KeyValues, TorqueError};

use crate::error::FitError;
use crate::sensor::FitParameter;

type TorqueMaker = Arc<dyn Fn(&[f64]) -> Result<Torque, TorqueError> + Send + Sync>;

/// A torque on the body, and which of its numbers are to be found.
///
/// ```
/// use polhode::torque::Damping;
/// use polhode_fit::{Drive, FitParameter};
/// // Known; or with a coefficient that is to be found, about 0.1.
/// let drag = Drive::from(polhode::Torque::from(Damping::new([0.1, 0.1, 0.1])?));
/// let unknown = Drive::new([("drag", FitParameter::free(0.1))], |[c]| Ok(Damping::new([c; 3])?.into()));
/// assert_eq!((drag.unknown().len(), unknown.unknown().len()), (0, 1));
/// # Ok::<(), polhode::torque::TorqueError>(())
/// ```
#[derive(Clone)]
pub struct Drive {
    unknown: Vec<(String, FitParameter)>,
    build: TorqueMaker,
}

impl From<Torque> for Drive {
    fn from(torque: Torque) -> Self {
        Self { unknown: Vec::new(), build: Arc::new(move |_| Ok(torque.clone())) }
    }
}

impl fmt::Debug for Drive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drive").field("unknown", &self.unknown).finish_non_exhaustive()
    }
}

/// Equal if they are copies of each other.
impl PartialEq for Drive {
    fn eq(&self, other: &Self) -> bool {
        self.unknown == other.unknown && Arc::ptr_eq(&self.build, &other.build)
    }
}

/// Where a number stands among the keys of a model.
#[derive(Clone)]
struct Leaf {
    name: String,
    part: usize,
    key: String,
    /// The position in a list.
    position: usize,
    /// The name of a constant of a formula.
    constant: Option<String>,
    value: f64,
}

impl Drive {
    /// A torque built from numbers with names, each of them a [`FitParameter`]: fixed, free, or known to a deviation.
    ///
    /// The derivatives are those by [`Torque::parameters`], through how these change with the numbers: a number that
    /// changes none of them (of a function of the user's, say) cannot be found.
    pub fn new<const N: usize>(
        unknown: [(&str, FitParameter); N],
        build: impl Fn([f64; N]) -> Result<Torque, TorqueError> + Send + Sync + 'static,
    ) -> Self {
        let unknown = unknown.map(|(name, p)| (name.to_owned(), p)).to_vec();
        let build = move |values: &[f64]| build(core::array::from_fn(|i| values[i]));
        Self { unknown, build: Arc::new(build) }
    }

    /// Models by their kinds and keys, as a scenario has them, and other torques that are known. Unknown are the
    /// numbers named: `damping.coefficient`, `constant.torque.x`, `heavy-top.centre` for all three, the constant `k`
    /// of a formula as `formula.k`; `damping#2.coefficient` of the second of a kind. None of the parameters' values
    /// counts, only what is known of them: a fit begins with the values of the keys.
    ///
    /// # Errors
    /// [`FitError`] for keys that cannot be, and for a number that is not among them.
    pub fn of_keys(
        others: Torque,
        parts: Vec<(String, KeyValues)>,
        unknown: &[(String, FitParameter)],
    ) -> Result<Self, FitError> {
        let leaves = leaves(&parts);
        let mut found: Vec<(Leaf, FitParameter)> = Vec::new();
        for (name, parameter) in unknown {
            let within = |leaf: &&Leaf| {
                leaf.name == *name
                    || leaf
                        .name
                        .strip_prefix(name.as_str())
                        .is_some_and(|rest| rest.starts_with('.'))
            };
            let before = found.len();
            for leaf in leaves.iter().filter(within) {
                let parameter = FitParameter { value: leaf.value, ..*parameter };
                let parameter = leaf.allowed(&parts, parameter);
                if found.iter().all(|(other, _)| other.name != leaf.name) {
                    found.push((leaf.clone(), parameter));
                }
            }
            if found.len() == before {
                let known = leaves.iter().map(|leaf| leaf.name.clone()).collect();
                return Err(FitError::NoSuchNumber { name: name.clone(), known });
            }
        }
        let names = found.iter().map(|(leaf, p)| (leaf.name.clone(), *p)).collect();
        let build = move |values: &[f64]| {
            let mut parts = parts.clone();
            for ((leaf, _), &value) in found.iter().zip(values) {
                leaf.set(&mut parts[leaf.part].1, value);
            }
            let built = parts.iter().map(|(kind, keys)| Torque::build(kind, keys));
            Ok(others.clone() + built.sum::<Result<Torque, _>>()?)
        };
        let drive = Self { unknown: names, build: Arc::new(build) };
        drive.torque(&drive.values())?;
        Ok(drive)
    }

    /// The numbers that are to be found, with where the fit begins.
    pub fn unknown(&self) -> &[(String, FitParameter)] {
        &self.unknown
    }

    /// Where they begin.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.unknown.iter().map(|(_, p)| p.value).collect()
    }

    /// The torque with these numbers.
    ///
    /// # Errors
    /// [`FitError::Torque`] if there is none.
    pub fn torque(&self, values: &[f64]) -> Result<Torque, FitError> {
        let allowed = "as many values as there are unknown numbers";
        if values.len() != self.unknown.len() {
            return Err(FitError::Option { field: "values", value: values.len() as f64, allowed });
        }
        Ok((self.build)(values)?)
    }
}

impl Leaf {
    /// The same parameter, not below zero if its model takes no negative number there.
    fn allowed(&self, parts: &[(String, KeyValues)], parameter: FitParameter) -> FitParameter {
        let (kind, keys) = &parts[self.part];
        let takes = |value: f64| {
            let mut keys = keys.clone();
            self.set(&mut keys, value);
            Torque::build(kind, &keys).is_ok()
        };
        let size = if self.value == 0.0 { 1.0 } else { self.value.abs() };
        let positive = takes(0.0) && !takes(-size) && !takes(-1e-3 * size);
        FitParameter {
            min: if positive { parameter.min.max(0.0) } else { parameter.min },
            ..parameter
        }
    }

    fn set(&self, keys: &mut KeyValues, value: f64) {
        match keys.get_mut(&self.key) {
            Some(KeyValue::Number(x)) => *x = value,
            Some(KeyValue::Numbers(list)) => list[self.position] = value,
            Some(KeyValue::Constants(named)) => {
                if let Some(x) = self.constant.as_ref().and_then(|name| named.get_mut(name)) {
                    *x = value;
                }
            }
            _ => {}
        }
    }
}

/// Every number among the keys.
fn leaves(parts: &[(String, KeyValues)]) -> Vec<Leaf> {
    let mut all = Vec::new();
    for (part, (kind, keys)) in parts.iter().enumerate() {
        let count = parts[..=part].iter().filter(|(other, _)| other == kind).count();
        let kind = if count > 1 { format!("{kind}#{count}") } else { kind.clone() };
        for (key, value) in keys {
            let leaf = |name: String, value: f64| {
                let name = format!("{kind}.{name}");
                Leaf { name, part, key: key.clone(), position: 0, constant: None, value }
            };
            match value {
                KeyValue::Number(x) => all.push(leaf(key.clone(), *x)),
                KeyValue::Numbers(list) => {
                    for (position, (axis, x)) in ["x", "y", "z"].into_iter().zip(list).enumerate() {
                        all.push(Leaf { position, ..leaf(format!("{key}.{axis}"), *x) });
                    }
                }
                KeyValue::Constants(named) => {
                    for (name, x) in named {
                        all.push(Leaf { constant: Some(name.clone()), ..leaf(name.clone(), *x) });
                    }
                }
                _ => {}
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(key: &str, value: impl Into<KeyValue>) -> KeyValues {
        [(key.to_owned(), value.into())].into()
    }

    #[test]
    fn numbers_of_keys_are_found_and_changed_by_their_names() {
        let parts = vec![
            ("damping".to_owned(), keys("coefficient", 0.1)),
            ("constant".to_owned(), keys("torque", [1.0, 2.0, 3.0])),
            ("damping".to_owned(), keys("coefficient", 0.3)),
        ];
        let free = FitParameter::free(0.0);
        let asked = ["damping#2.coefficient", "constant.torque", "damping.coefficient"];
        let asked = asked.map(|name| (name.to_owned(), free));
        let drive = Drive::of_keys(Torque::none(), parts.clone(), &asked).unwrap();
        assert_eq!(drive.values(), [0.3, 1.0, 2.0, 3.0, 0.1]);
        let built = drive.torque(&[0.5, 1.0, 7.0, 3.0, 0.2]).unwrap();
        let values: Vec<f64> = built.parameters().into_iter().map(|(_, x)| x).collect();
        assert_eq!(values, [0.2, 0.2, 0.2, 1.0, 7.0, 3.0, 0.5, 0.5, 0.5]);
        let wrong = Drive::of_keys(Torque::none(), parts, &[("damping.rate".to_owned(), free)]);
        assert!(wrong.unwrap_err().to_string().contains("constant.torque.y"));
    }
}
