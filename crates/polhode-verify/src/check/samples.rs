//! What is to be checked: rows of numbers, as somebody's program wrote them.

use glam::{DMat3, DQuat, DVec3};

use super::CheckError;
use super::deviation::relative;
use super::single::single_precision;
use polhode::torque::VectorFrame;
use polhode::{Control, State, so3};

/// Attitudes, body to space.
#[derive(Clone, Debug, PartialEq)]
pub enum Attitudes {
    /// Quaternions, scalar first, of any length but zero.
    Quaternions(Vec<[f64; 4]>),
    /// Matrices, row by row, `v_space = Q v_body`.
    Matrices(Vec<[f64; 9]>),
}

impl Attitudes {
    fn len(&self) -> usize {
        match self {
            Self::Quaternions(q) => q.len(),
            Self::Matrices(rows) => rows.len(),
        }
    }
}

/// A trajectory to be checked: times, and for each of them whatever is known of the state.
///
/// At least the momentum or the angular velocity is needed, unless the start is known otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Samples {
    /// The times, all rising or all falling.
    pub times: Vec<f64>,
    /// The angular momentum of each sample, in `momentum_frame`.
    pub momentum: Option<Vec<[f64; 3]>>,
    /// In which frame the momentum is given. In space it is of use only with attitudes.
    pub momentum_frame: VectorFrame,
    /// The angular velocity of each sample, in `omega_frame`.
    pub omega: Option<Vec<[f64; 3]>>,
    /// In which frame the angular velocity is given. In space it is of use only with attitudes.
    pub omega_frame: VectorFrame,
    /// The attitude of each sample, from body to space.
    pub attitude: Option<Attitudes>,
}

impl Samples {
    /// Samples of states, momentum and attitude.
    pub fn of_states(times: &[f64], states: &[State]) -> Self {
        Self {
            times: times.to_vec(),
            momentum: Some(states.iter().map(|s| s.m.to_array()).collect()),
            attitude: Some(Attitudes::Quaternions(states.iter().map(State::attitude).collect())),
            ..Self::default()
        }
    }

    /// Makes a change: `samples.with(|samples| samples.attitude = None)`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Whether all momenta, angular velocities and attitudes are numbers of single precision (float32), as doubles or
    /// written with as few digits as tell them from their neighbours. Too few of them, or simple ones, are not.
    pub fn is_single_precision(&self) -> bool {
        let vectors = [&self.momentum, &self.omega].into_iter().flatten().flatten().flatten();
        match &self.attitude {
            None => single_precision(vectors),
            Some(Attitudes::Quaternions(q)) => single_precision(vectors.chain(q.iter().flatten())),
            Some(Attitudes::Matrices(rows)) => {
                single_precision(vectors.chain(rows.iter().flatten()))
            }
        }
    }

    /// Refuses what cannot be checked. `start_known`: attitudes alone will do.
    pub(super) fn validate(&self, start_known: bool) -> Result<(), CheckError> {
        let count = self.len();
        if count < 2 {
            return Err(CheckError::TooFew { count });
        }
        let momentum = ("momentum", self.momentum.as_ref());
        for (field, column) in [momentum, ("omega", self.omega.as_ref())] {
            let Some(column) = column else { continue };
            check_length(field, column.len(), count)?;
            check_finite(field, column.iter().map(<[f64; 3]>::as_slice))?;
        }
        if let Some(attitude) = &self.attitude {
            check_length("attitude", attitude.len(), count)?;
            match attitude {
                Attitudes::Quaternions(q) => check_finite("attitude", q.iter().map(|q| &q[..])),
                Attitudes::Matrices(rows) => check_finite("attitude", rows.iter().map(|r| &r[..])),
            }?;
        }
        check_finite("time", self.times.chunks(1))?;
        let rising = self.times[0] < self.times[1];
        let ordered = |w: &[f64]| if rising { w[0] < w[1] } else { w[0] > w[1] };
        if let Some(i) = self.times.windows(2).position(|w| !ordered(w)) {
            let (before, t) = (self.times[i], self.times[i + 1]);
            return Err(CheckError::Times { index: i + 1, before, t });
        }
        if self.momentum.is_none() && self.omega.is_none() && !start_known {
            return Err(CheckError::NoMotion);
        }
        let in_space = [
            ("momentum", self.momentum.is_some() && self.momentum_frame == VectorFrame::Space),
            ("omega", self.omega.is_some() && self.omega_frame == VectorFrame::Space),
        ];
        if let (Some((field, _)), None) = (in_space.iter().find(|(_, is)| *is), &self.attitude) {
            return Err(CheckError::SpaceWithoutAttitude { field });
        }
        if self.momentum.is_none() && self.omega.is_none() && self.attitude.is_none() {
            return Err(CheckError::NoMotion);
        }
        Ok(())
    }

    /// The attitudes as unit quaternions, of a matrix that of the nearest rotation.
    ///
    /// # Errors
    /// [`CheckError::NoAttitude`] for a quaternion of length zero or a singular matrix, [`CheckError::Stopped`].
    pub fn rotations(&self, control: &Control) -> Result<Option<Vec<DQuat>>, CheckError> {
        let Some(attitude) = &self.attitude else { return Ok(None) };
        let each = |index: usize| {
            control.check()?;
            let q = match attitude {
                Attitudes::Quaternions(q) => so3::from_wxyz(q[index]),
                Attitudes::Matrices(rows) => {
                    nearest_rotation(rows[index]).ok_or(CheckError::NoAttitude { index })?
                }
            };
            // Only its length can be wrong by now.
            State::new(DVec3::ZERO, q).map(|s| s.q).map_err(|_| CheckError::NoAttitude { index })
        };
        (0..self.len()).map(each).collect::<Result<_, _>>().map(Some)
    }

    /// How far attitude k is from a rotation: the length of the quaternion from one, or the largest
    /// entry of `Q^T Q - 1`.
    pub(super) fn defect(&self, k: usize) -> Option<f64> {
        let defect = match self.attitude.as_ref()? {
            Attitudes::Quaternions(q) => {
                let length2: f64 = q[k].iter().map(|x| x * x).sum();
                // |q| - 1 without the rounding of the root.
                ((length2 - 1.0) / (length2.sqrt() + 1.0)).abs()
            }
            Attitudes::Matrices(rows) => {
                let q = matrix(rows[k]);
                let excess = q.transpose() * q - DMat3::IDENTITY;
                // Also of what overflowed: a maximum would hide a NaN.
                excess.to_cols_array().iter().map(|x| relative(x.abs(), 1.0)).fold(0.0, f64::max)
            }
        };
        Some(relative(defect, 1.0))
    }

    /// The first attitude that is a reflection rather than a rotation.
    pub(super) fn reflection(&self) -> Option<usize> {
        match self.attitude.as_ref()? {
            Attitudes::Quaternions(_) => None,
            Attitudes::Matrices(rows) => rows.iter().position(|r| matrix(*r).determinant() < 0.0),
        }
    }
}

fn check_length(field: &'static str, given: usize, times: usize) -> Result<(), CheckError> {
    if given == times { Ok(()) } else { Err(CheckError::Length { field, given, times }) }
}

fn check_finite<'a>(
    field: &'static str,
    rows: impl Iterator<Item = &'a [f64]>,
) -> Result<(), CheckError> {
    for (index, row) in rows.enumerate() {
        if let Some(&value) = row.iter().find(|x| !x.is_finite()) {
            return Err(CheckError::NotFinite { field, index, value });
        }
    }
    Ok(())
}

fn matrix(rows: [f64; 9]) -> DMat3 {
    DMat3::from_cols_array(&rows).transpose()
}

/// The rotation nearest to a matrix (to its negative for a reflection), by Newton's iteration for
/// the polar decomposition; none if the matrix is singular.
fn nearest_rotation(rows: [f64; 9]) -> Option<DQuat> {
    let largest = rows.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    if largest == 0.0 {
        return None;
    }
    let mut q = matrix(rows.map(|x| x / largest));
    if q.determinant() < 0.0 {
        q *= -1.0;
    }
    // From an entry of one and no singular value below 1e-12 it takes fewer than 50.
    for _ in 0..60 {
        if q.determinant().abs() < 1e-36 {
            return None;
        }
        let next = (q + q.inverse().transpose()) * 0.5;
        let change = (next - q).abs().to_cols_array().iter().fold(0.0, |m: f64, x| m.max(*x));
        q = next;
        if change < 1e-15 {
            break;
        }
    }
    let q = DQuat::from_mat3(&q);
    q.is_finite().then_some(q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_rotation_is_that_of_the_polar_decomposition() {
        let q = so3::exp(DVec3::new(0.3, -1.2, 0.4));
        // A symmetric stretch on the right changes no rotation.
        let stretch = DMat3::from_cols(
            DVec3::new(1.1, 0.05, 0.0),
            DVec3::new(0.05, 0.9, 0.02),
            DVec3::new(0.0, 0.02, 1.3),
        );
        let stretched = DMat3::from_quat(q) * stretch;
        for scale in [1e-200, 1.0, -1.0, 1e200] {
            let rows = (stretched * scale).transpose().to_cols_array();
            let found = nearest_rotation(rows).unwrap();
            assert!(so3::angle_between(q, found) < 1e-14, "{scale}");
        }
        assert_eq!(nearest_rotation([0.0; 9]), None);
        assert_eq!(nearest_rotation([1.0; 9]), None);
    }
}
