//! Reference solutions of the free rigid body, better than double and without elliptic functions.
//!
//! Plain arrays are the interface: vectors `[x, y, z]`, quaternions `[w, x, y, z]` taking body to
//! space coordinates. It shares no formula with the library that it tests.
//!
//! For tests and experiments of this project: what cannot be computed is a panic, because a test that
//! cannot run must not pass.

pub use polhode_elliptic::dd_math;
mod equations;
mod error;
mod recurrence;
mod sensitivity;
mod series;

pub use error::{momentum_error, quaternion_distance};
pub use sensitivity::ulp_sensitivity;

use std::sync::OnceLock;

use polhode_elliptic::Dd;

use dd_math::{norm, quaternion_product, turn};
use equations::{VectorField, ascending, coupling};
use recurrence::Recurrence;
use series::{FULL_ORDER, TaylorState, march};

/// The motion of a free rigid body, by Taylor series in double-double.
///
/// ```
/// use polhode_verify::taylor::FreeReference;
/// let motion = FreeReference::new([1.0, 2.0, 3.0], [0.4, 0.5, 0.6], [1.0, 0.0, 0.0, 0.0]);
/// let (momentum, attitude) = motion.at(10.0);
/// let squares: f64 = momentum.iter().map(|m| m.hi() * m.hi()).sum();
/// assert!((squares - 0.77).abs() < 1e-15);
/// assert_eq!(attitude.len(), 4);
/// ```
///
/// # Accuracy
/// Of the momentum (over its length) and of the attitude, as measured; a phase is an angle turned.
///
/// | check | error |
/// |---|---|
/// | the 227 cases of `oracle/free_A`, phases to 2000, separatrix included: [`at`](Self::at) | 2e-28 |
/// | the same: [`at_long`](Self::at_long) | 3e-29 |
/// | the 30 cases of `oracle/long_A`, phases 1e4 to 1e9: `at_long` | 1e-31 times the phase, 5e-23 at most |
/// | random bodies of every class, phase 1000: `at` against `at_long` | 4e-28 |
/// | the same, phase 100: invariants; half the step; forth and back | 3e-31; 1e-29; 4e-30 |
///
/// Where inputs that are doubles lie at a relative distance d from the separatrix, d is formed with
/// an error of 1e-32: the solution after the first turn-over has an error of 1e-32/d (seen: 2e-19
/// at d = 1e-13), far below what a rounding of the inputs does. On the separatrix itself, and
/// within any distance of the intermediate axis, nothing is lost.
///
/// A step takes 60 microseconds, a radian 1 to 5 steps, a period (`at_long`) 2 to 30 milliseconds.
#[derive(Clone, Debug)]
pub struct FreeReference {
    field: VectorField,
    start: TaylorState,
    /// Index of the intermediate moment.
    middle: usize,
    /// The momentum does not move: a sphere, a principal axis, rest.
    steady: bool,
    /// The momentum was divided by two to this power.
    momentum_exponent: i32,
    /// Times are multiplied by two to this power.
    time_exponent: i32,
    recurrence: OnceLock<Recurrence>,
}

impl FreeReference {
    /// The motion that starts at time 0 with the given momentum (body frame) and attitude
    /// (normalised here), for principal moments in any order.
    ///
    /// # Panics
    /// If a moment is not positive, an entry not finite, or the attitude zero.
    pub fn new(inertia: [f64; 3], momentum: [f64; 3], attitude: [f64; 4]) -> Self {
        Self::from_dd(
            inertia.map(Dd::from),
            momentum.map(Dd::from),
            attitude.map(Dd::from),
            FULL_ORDER,
        )
    }

    /// The same from inputs that are no doubles, with series of the given order.
    pub(crate) fn from_dd(
        inertia: [Dd; 3],
        momentum: [Dd; 3],
        attitude: [Dd; 4],
        order: usize,
    ) -> Self {
        let finite = inertia.iter().chain(&momentum).chain(&attitude);
        assert!(
            finite.into_iter().all(|x| x.is_finite()) && inertia.iter().all(|i| i.hi() > 0.0),
            "a reference needs positive moments and finite input: \
             {inertia:?}, {momentum:?}, {attitude:?}"
        );
        let attitude_exponent = exponent(largest(&attitude));
        let q = attitude.map(|x| scale(x, -attitude_exponent));
        let length = norm(&q);
        assert!(length.hi() > 0.0, "the attitude quaternion is zero");

        let momentum_exponent = exponent(largest(&momentum));
        let m = momentum.map(|x| scale(x, -momentum_exponent));
        let moment_exponent = exponent(inertia.iter().map(|i| i.hi()).fold(0.0, f64::max));
        let unit = inertia.map(|x| scale(x, -moment_exponent));
        // A unit of time in which the motion is neither fast nor slow, so that no coefficient of
        // a high order over- or underflows.
        let pace = exponent(fastest(&unit.map(Dd::hi), &m.map(Dd::hi)));
        let scaled = unit.map(|x| scale(x, pace));

        let c = coupling(&scaled);
        let (field, y) = VectorField::new(scaled, m, order);
        let q = q.map(|x| x / length);
        Self {
            field,
            start: TaylorState { y, q },
            middle: ascending(&inertia)[1],
            steady: (0..3).all(|i| c[i] * m[(i + 1) % 3] * m[(i + 2) % 3] == Dd::ZERO),
            momentum_exponent,
            time_exponent: momentum_exponent - moment_exponent + pace,
            recurrence: OnceLock::new(),
        }
    }

    /// Momentum and attitude at time `t`, by steps from 0 to `t`; the quaternion is on the
    /// continuous branch.
    ///
    /// # Panics
    /// If `t` is so long that this takes half a minute or more; see [`Self::at_long`].
    pub fn at(&self, t: f64) -> ([Dd; 3], [Dd; 4]) {
        self.caller(&self.stepped(self.inner_time(Dd::from(t)), 1.0))
    }

    /// Momentum and attitude at time `t`, also after 1e9 radians.
    ///
    /// Finds the period of the momentum and the angle turned over it, and steps only over the part
    /// of a period that is left. A motion without a period (on the separatrix), or one that has not
    /// come back by `t`, is followed by steps as in [`Self::at`].
    ///
    /// # Panics
    /// As [`Self::at`], if one period or the whole of a motion without one is too long.
    pub fn at_long(&self, t: f64) -> ([Dd; 3], [Dd; 4]) {
        self.at_long_dd(Dd::from(t))
    }

    pub(crate) fn at_long_dd(&self, t: Dd) -> ([Dd; 3], [Dd; 4]) {
        let t = self.inner_time(t);
        if self.steady {
            return self.caller(&self.turned(t));
        }
        if self.recurrence.get().is_none() {
            match Recurrence::find(&self.field, self.start, self.middle, t.abs()) {
                // Another thread that was quicker has set the same.
                Ok(found) => drop(self.recurrence.set(found)),
                Err(state) if t.hi() >= 0.0 => return self.caller(&state),
                Err(_) => {}
            }
        }
        let state = match self.recurrence.get() {
            Some(recurrence) => {
                let (periods, rest) = recurrence.split(t);
                recurrence.advance(&self.stepped(rest, 1.0), periods)
            }
            None => self.stepped(t, 1.0),
        };
        self.caller(&state)
    }

    /// The period of the momentum, once [`Self::at_long`] has found it.
    pub fn period(&self) -> Option<Dd> {
        let found = self.recurrence.get()?;
        Some(scale(found.period, -self.time_exponent))
    }

    fn stepped(&self, t: Dd, shrink: f64) -> TaylorState {
        march(&self.field, self.start, t, shrink, |_| true)
    }

    /// The state at `t` where the momentum is constant: a turn about it at a constant rate.
    fn turned(&self, t: Dd) -> TaylorState {
        let m = self.field.momentum(self.start.y);
        let half_omega: [Dd; 3] = core::array::from_fn(|i| m[i] * self.field.half_inverse[i]);
        let rate = norm(&half_omega);
        if rate == Dd::ZERO {
            return self.start;
        }
        let axis = half_omega.map(|x| x / rate);
        TaylorState {
            y: self.start.y,
            q: quaternion_product(&self.start.q, &turn(rate * t, &axis)),
        }
    }

    fn inner_time(&self, t: Dd) -> Dd {
        let inner = scale(t, self.time_exponent);
        assert!(inner.is_finite(), "a reference needs a finite time and phase, got {t:?}");
        inner
    }

    fn caller(&self, state: &TaylorState) -> ([Dd; 3], [Dd; 4]) {
        // Nothing here normalises: where the series have failed (a needle a billion times slimmer than
        // long, say) the length of the quaternion has gone first.
        let length = state.q.iter().fold(Dd::ZERO, |sum, x| sum + x.square()) - Dd::ONE;
        assert!(
            length.hi().abs() < 1e-18,
            "the reference has failed: |q|² - 1 = {:e}",
            length.hi()
        );
        let m = self.field.momentum(state.y).map(|x| scale(x, self.momentum_exponent));
        (m, state.q)
    }
}

/// About the highest rate at which momentum and attitude can change.
fn fastest(inertia: &[f64; 3], m: &[f64; 3]) -> f64 {
    let turning = (0..3).map(|i| m[i].abs() / inertia[i]);
    let coupling: [f64; 3] = core::array::from_fn(|i| {
        let (second, third) = (inertia[(i + 1) % 3], inertia[(i + 2) % 3]);
        (1.0 / third - 1.0 / second).abs()
    });
    let length = m.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    let exchange = (0..3).map(|i| length * (coupling[i] * coupling[(i + 1) % 3]).sqrt());
    turning.chain(exchange).fold(0.0, f64::max)
}

fn largest<const N: usize>(values: &[Dd; N]) -> f64 {
    values.iter().map(|x| x.hi().abs()).fold(0.0, f64::max)
}

/// The e with `2^e <= x < 2^(e+1)`; 0 for 0.
fn exponent(x: f64) -> i32 {
    if x == 0.0 {
        return 0;
    }
    assert!(x.is_normal(), "{x:e} is out of the range of the reference");
    i32::try_from(x.to_bits() >> 52).expect("eleven bits fit") - 1023
}

fn scale(x: Dd, power: i32) -> Dd {
    x.scale(2.0_f64.powi(power))
}

#[cfg(test)]
mod tests;
