//! Whether attitudes of another convention would explain what does not fit.
//!
//! Beside a gyro the turns from one attitude to the next decide. Alone, attitudes tell the handedness only: a
//! quaternion whose components were moved on by one place and its inverse differ by a fixed turn of space and one of
//! the body, so that both are motions of the same body.

use glam::{DQuat, DVec3};

use crate::fit::Fit;
use crate::model::{Observations, error_angle};
use crate::words::Doubt;
use crate::{diagnose, start};

/// A way to read the data, and what it means if that is the right one.
struct Convention {
    attitude: fn(DQuat) -> DQuat,
    /// Of an angular velocity and the attitude there.
    omega: fn(DVec3, DQuat) -> DVec3,
    words: &'static str,
}

const fn attitude(attitude: fn(DQuat) -> DQuat, words: &'static str) -> Convention {
    Convention { attitude, omega: |w, _| w, words }
}

const fn omega(omega: fn(DVec3, DQuat) -> DVec3, words: &'static str) -> Convention {
    Convention { attitude: |q| q, omega, words }
}

const EXCHANGED: &str = "two columns of the angular velocity are exchanged";
const WRONG_SIGN: &str = "one column of the angular velocity has the wrong sign";

const CONVENTIONS: [Convention; 13] = [
    attitude(
        DQuat::conjugate,
        "the attitude is the inverse one: it takes space to body coordinates",
    ),
    attitude(last, "the quaternion's scalar part stands last, not first"),
    attitude(
        |q| last(q).conjugate(),
        "the quaternion's scalar part stands last, not first, and it is the inverse one: it takes space to body \
         coordinates",
    ),
    attitude(first, "the quaternion's scalar part stands first and was taken to be last"),
    attitude(
        |q| first(q).conjugate(),
        "the quaternion's scalar part stands first and was taken to be last, and it is the inverse one: it takes \
         space to body coordinates",
    ),
    omega(
        |w, q| q.conjugate() * w,
        "the angular velocity is given in space, not in the body frame",
    ),
    omega(|w, _| -w, "the angular velocity has the opposite sign"),
    omega(|w, _| DVec3::new(w.z, w.y, w.x), EXCHANGED),
    omega(|w, _| DVec3::new(w.y, w.x, w.z), EXCHANGED),
    omega(|w, _| DVec3::new(w.x, w.z, w.y), EXCHANGED),
    omega(|w, _| DVec3::new(-w.x, w.y, w.z), WRONG_SIGN),
    omega(|w, _| DVec3::new(w.x, -w.y, w.z), WRONG_SIGN),
    omega(|w, _| DVec3::new(w.x, w.y, -w.z), WRONG_SIGN),
];

/// What attitudes alone can tell.
const EITHER: &str = "the attitude is the inverse one (it takes space to body coordinates), or the quaternion's scalar \
                      part stands last, not first (attitudes alone cannot tell which of both)";

/// What was read as (w, x, y, z) is (x, y, z, w).
fn last(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.w, q.x, q.y, q.z)
}

/// What was taken from the places of (x, y, z, w) is (w, x, y, z).
fn first(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.y, q.z, q.w, q.x)
}

/// Turns between neighbours beyond this, radians, may go the other way round.
const LARGEST_TURN: f64 = 1.5;

/// So many turns are enough to tell, and fewer are too few.
const ENOUGH: usize = 2000;
const LEAST: usize = 8;

/// Adds the convention that would explain the data, if there is one.
pub(crate) fn explain(fit: &mut Fit) {
    let observations = &fit.observations;
    if observations.attitude.len() < LEAST {
        return;
    }
    let found = if !observations.gyro.is_empty() {
        beside_gyro(observations)
    } else if observations.driving.is_none() {
        alone(observations)
    } else {
        None
    };
    if let Some((words, gain)) = found {
        fit.doubts.insert(0, Doubt::Reading { words, gain });
    }
}

/// Attitudes with the angular velocity halfway to the next, and the time until then.
fn turns(observations: &Observations) -> Vec<(DQuat, DQuat, DVec3, f64)> {
    let Observations { gyro, attitude, .. } = observations;
    let every = attitude.len().div_ceil(ENOUGH).max(1);
    let pair = |w: &[(f64, DQuat)]| {
        let (time, middle) = (w[1].0 - w[0].0, 0.5 * (w[0].0 + w[1].0));
        let after = gyro.partition_point(|x| x.0 < middle);
        let (&(a, from), &(b, to)) = (gyro.get(after.checked_sub(1)?)?, gyro.get(after)?);
        let omega = from.lerp(to, (middle - a) / (b - a));
        let turn = omega.length() * time.max(b - a);
        (turn < LARGEST_TURN).then_some((w[0].1, w[1].1, omega, time))
    };
    attitude.windows(2).step_by(every).filter_map(pair).collect()
}

fn beside_gyro(observations: &Observations) -> Option<(&'static str, f64)> {
    let turns = turns(observations);
    if turns.len() < LEAST {
        return None;
    }
    let middle = |mut all: Vec<f64>| {
        let half = all.len() / 2;
        *all.select_nth_unstable_by(half, f64::total_cmp).1
    };
    let left = |convention: &Convention| {
        let each = turns.iter().map(|&(from, to, omega, time)| {
            let (from, to) = ((convention.attitude)(from), (convention.attitude)(to));
            let turn = error_angle(from, to);
            let there = from * polhode::so3::exp(0.5 * turn);
            (turn / time - (convention.omega)(omega, there)).length()
        });
        middle(each.collect())
    };
    let whole = middle(turns.iter().map(|turn| turn.2.length()).collect());
    let as_given = left(&attitude(|q| q, ""));
    let best = CONVENTIONS.iter().map(|r| (left(r), r.words)).min_by(|a, b| a.0.total_cmp(&b.0));
    let (least, words) = best.filter(|(least, _)| *least < 0.3 * as_given.min(whole))?;
    Some((words, as_given / least.max(f64::MIN_POSITIVE)))
}

fn alone(observations: &Observations) -> Option<(&'static str, f64)> {
    let mut inverse = observations.clone();
    inverse.attitude.iter_mut().for_each(|row| row.1 = row.1.conjugate());
    let left = |observations: &Observations| {
        let gyro = start::rates(observations).ok()?;
        let rates = Observations { gyro, sigma_gyro: DVec3::ONE, ..Observations::default() };
        diagnose::left(&diagnose::part(&rates)?)
    };
    let (as_given, inverse) = (left(observations)?, left(&inverse)?);
    (inverse < diagnose::MUCH_LESS * as_given)
        .then(|| (EITHER, (as_given / inverse.max(f64::MIN_POSITIVE)).sqrt()))
}
