//! Starts from attitudes: angular velocities from their differences, attitudes from directions.

use glam::{DQuat, DVec3};

use crate::error::FitError;
use crate::guess::Guess;
use crate::linear::Symmetric;
use crate::model::{Observations, error_angle};

/// Angular velocities halfway between neighbouring attitudes, body frame: enough to begin with.
pub(crate) fn rates(observations: &Observations) -> Result<Vec<(f64, DVec3)>, FitError> {
    let attitudes = attitudes(observations)?;
    let each = |w: &[(f64, DQuat)]| {
        let time = w[1].0 - w[0].0;
        (0.5 * (w[0].0 + w[1].0), error_angle(w[0].1, w[1].1) / time)
    };
    Ok(attitudes.windows(2).map(each).collect())
}

/// The attitudes that were measured, or those that directions at the same time tell.
pub(crate) fn attitudes(observations: &Observations) -> Result<Vec<(f64, DQuat)>, FitError> {
    if !observations.attitude.is_empty() {
        return Ok(observations.attitude.clone());
    }
    let mut all = Vec::new();
    for group in observations.directions.chunk_by(|a, b| a.0 == b.0) {
        let open = group.iter().all(|(_, known, _)| {
            group.iter().all(|(_, other, _)| known.cross(*other).length() < 1e-3)
        });
        if !open {
            all.push((group[0].0, from_directions(group)));
        }
    }
    if all.is_empty() { Err(FitError::OneDirection) } else { Ok(all) }
}

/// Davenport's solution of Wahba's problem: the quaternion is the eigenvector of the largest eigenvalue.
fn from_directions(group: &[(f64, DVec3, DVec3)]) -> DQuat {
    let mut k = Symmetric::zero(4);
    for (_, known, seen) in group {
        let (s, b) = (known.to_array(), seen.to_array());
        let trace = known.dot(*seen);
        let z = seen.cross(*known);
        for i in 0..3 {
            for j in 0..3 {
                *k.at_mut(i, j) += s[i] * b[j] + s[j] * b[i] - if i == j { trace } else { 0.0 };
            }
            *k.at_mut(i, 3) += z[i];
            *k.at_mut(3, i) += z[i];
        }
        *k.at_mut(3, 3) += trace;
    }
    let pairs = k.eigen();
    let v = &pairs[3].1;
    DQuat::from_xyzw(v[0], v[1], v[2], v[3]).normalize()
}

/// A guess with the attitude at the epoch that fits the attitude nearest to it, or the directions about it.
pub(crate) fn oriented(observations: &Observations, guess: &Guess) -> Result<Guess, FitError> {
    let level = Guess { attitude: DQuat::IDENTITY, ..*guess }.motion()?;
    let nearest = observations.attitude.iter().min_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    if let Some(&(t, q)) = nearest {
        let turned = level.at(t)?.q;
        return Ok(Guess { attitude: (q * turned.conjugate()).normalize(), ..*guess });
    }
    // Seen from the body as it stands at the epoch; of one vector, any attitude that shows it there will do.
    let mut near = observations.directions.clone();
    near.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
    let most = near.iter().take_while(|d| d.0.abs() < ABOUT).count().max(ENOUGH);
    let mut group = Vec::new();
    for (t, known, seen) in near.into_iter().take(most) {
        group.push((t, known, level.at(t)?.q * seen));
    }
    Ok(Guess { attitude: from_directions(&group), ..*guess })
}

/// Directions within so many radians of turning of the epoch tell the attitude there, and so many of them in any case.
const ABOUT: f64 = 1.0;
const ENOUGH: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use polhode::so3;

    #[test]
    fn two_directions_tell_the_attitude() {
        let q = so3::exp(DVec3::new(0.4, -1.3, 0.8));
        let group: Vec<_> = [DVec3::X, DVec3::new(0.3, 0.8, -0.2).normalize()]
            .into_iter()
            .map(|known| (0.0, known, q.conjugate() * known))
            .collect();
        assert!(so3::angle_between(from_directions(&group), q) < 1e-12);
    }
}
