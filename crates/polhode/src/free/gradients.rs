//! Derivatives of numbers that belong to a free motion: its period, its precession, its flips.
//!
//! After a period the momentum is back, and the derivative of the momentum block is that of the time alone.
//! The body has turned about its momentum by an angle whose derivative follows from energy and integrals of
//! squares, as in the attitude block.

use super::{FreeMotion, FreeMotionError, MotionKind};
use crate::tangent::{Gradient, HeldQuantity, MomentumBlock, Phase};

fn none(field: &'static str, allowed: &'static str) -> FreeMotionError {
    FreeMotionError::NoDerivative { field, allowed }
}

impl FreeMotion {
    /// The derivatives of the [period](FreeMotion::period) with respect to the momentum at the start and to
    /// the inertia.
    ///
    /// # Errors
    /// [`FreeMotionError::NoDerivative`] where there is no period, so at rest, for steady turns and on the
    /// separatrix.
    pub fn period_gradient(&self) -> Result<Gradient, FreeMotionError> {
        let (block, _) = self.period_block("period")?;
        let period = shifts(&block).map(|x| -x);
        self.gradient(&period, self.units_of_time())
    }

    /// The derivatives of the [precession rate](FreeMotion::precession_rate).
    ///
    /// # Errors
    /// [`FreeMotionError::NoDerivative`] where the motion has no period: on the separatrix the rate has a
    /// limit, but a logarithm beside it; that of a steady turn is not the limit of those close to it.
    pub fn precession_rate_gradient(&self) -> Result<Gradient, FreeMotionError> {
        let (block, period) = self.period_block("precession rate")?;
        let Some(constants) = &self.tangent else { return Err(no_period("precession rate")) };
        let (m, b) = (constants.m, constants.shape.inverse);
        let energy2 = b[0] * m[0] * m[0] + b[1] * m[1] * m[1] + b[2] * m[2] * m[2];
        let length = (m[0] * m[0] + m[1] * m[1] + m[2] * m[2]).sqrt();
        let squares = block.squares();
        let unit = self.units_of_time();
        let rate = self.precession_rate() * unit;
        // The angle about the momentum in a period, by w0.dm T and the integrals of squares; those of
        // products vanish.
        let mut made = shifts(&block);
        for (i, shift) in made.iter_mut().enumerate() {
            let direct = match i {
                0..3 => period * b[i] * m[i],
                3..6 => 0.5 * (period * m[i - 3] * m[i - 3] + squares[i - 3]),
                6 => period * m[0] * m[1],
                7 => period * m[0] * m[2],
                _ => period * m[1] * m[2],
            };
            let of_period = -*shift;
            let angle = (direct + energy2 * of_period) / length;
            *shift = (angle - rate * of_period) / period;
        }
        self.gradient(&made, 1.0 / unit)
    }

    /// The time of the [next flip](FreeMotion::next_flip) after t, with its derivatives.
    ///
    /// # Errors
    /// As [`FreeMotion::next_flip`]; [`FreeMotionError::NoDerivative`] where there is no further flip.
    pub fn next_flip_gradient(&self, t: f64) -> Result<(f64, Gradient), FreeMotionError> {
        let missing = || {
            none(
                "next flip",
                "there is none: the momentum does not cross the plane of the flip again",
            )
        };
        let flip = self.next_flip(t)?.ok_or_else(missing)?;
        let Some(constants) = &self.tangent else { return Err(missing()) };
        let state = self.at(flip)?;
        let scaled = self.clock().scaled(flip)?;
        let (block, _) = constants.any_block(scaled, &self.start, &state);
        let speed = block.motion[1];
        let start = block.start();
        let ([d1, d2, d3], ([d12, d13, d23], _)) = (block.moments(), block.mixed());
        let n = block.end();
        let [a1, _, a3] = constants.body.a;
        // The middle axis itself turns with the entries 12 and 23.
        let across = [
            start[0][1],
            start[1][1] + 1.0,
            start[2][1],
            d1[1],
            d2[1],
            d3[1],
            d12[1] + n[0] / a3,
            d13[1],
            d23[1] - n[2] / a1,
        ];
        let gradient = self.gradient(&across.map(|x| -x / speed), self.units_of_time())?;
        Ok((flip, gradient))
    }

    /// The momentum block after one period, and the period in units of the kernel.
    fn period_block(
        &self,
        field: &'static str,
    ) -> Result<(MomentumBlock<f64>, f64), FreeMotionError> {
        let (Some(constants), MotionKind::Tumbling(tumbling)) = (&self.tangent, &self.kind) else {
            return Err(no_period(field));
        };
        let phase = tumbling.orbit.period().and_then(|period| constants.period_phase(period.hi()));
        let phase: Phase<f64> = phase.ok_or_else(|| no_period(field))?;
        let period = phase.h;
        Ok((constants.block(constants.m, phase), period))
    }

    /// The unit of time of the kernel.
    fn units_of_time(&self) -> f64 {
        self.tangent.as_ref().map_or(1.0, |constants| constants.moment / constants.momentum)
    }

    /// From derivatives along the sorted axes in units of the kernel to those in the body frame.
    fn gradient(&self, of: &[f64; 9], unit: f64) -> Result<Gradient, FreeMotionError> {
        let Some(constants) = &self.tangent else { return Err(no_period("motion")) };
        let [a, b, c, inverse @ ..] = *of;
        let units = constants.units(&self.inertia);
        let mut gradient = units.gradient([a, b, c], inverse, constants.shape.inverse, unit);
        if self.held == HeldQuantity::AngularVelocity {
            gradient = gradient.holding_omega(self.inertia.omega(self.start.m).to_array());
        }
        let finite = gradient.momentum.iter().chain(&gradient.inertia).chain(&gradient.inertia_off);
        if finite.fold(true, |fine, x| fine & x.is_finite()) {
            Ok(gradient)
        } else {
            Err(none("motion", "a derivative is beyond the range of doubles"))
        }
    }
}

fn no_period(field: &'static str) -> FreeMotionError {
    none(field, "the motion must have a period: no rest, no steady turn, not on the separatrix")
}

/// By how much the time is shifted along each column: the columns are multiples of the motion, whose largest
/// component tells.
fn shifts(block: &MomentumBlock<f64>) -> [f64; 9] {
    let motion = block.motion;
    let mut largest = 0;
    for i in 1..3 {
        if motion[i].abs() > motion[largest].abs() {
            largest = i;
        }
    }
    let (start, moments, (mixed, _)) = (block.start(), block.moments(), block.mixed());
    let columns = [start, moments, mixed];
    core::array::from_fn(|i| columns[i / 3][i % 3][largest] / motion[largest])
}
