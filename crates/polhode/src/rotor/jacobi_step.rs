//! A momentum by one of Vilmart's algorithms, an attitude by the quaternion frame.

use glam::{DQuat, DVec3};
use polhode_elliptic::Dd;

use super::frame_rotor::steady_flow;
use super::frames::{FrameForm, MomentumFrame, ThirdKind, separatrix_flow};
use super::jacobi_orbit::JacobiPath;
use super::landen::Landen;
use super::sorted_body::{Flow, SortedBody};
use super::{Rotor, StepError, jacobi_standard, jacobi_vilmart};
use crate::{Inertia, State};

/// An algorithm for the momentum after h, not normalised: moments, momentum, step.
pub(super) type Algorithm = fn([Dd; 3], [f64; 3], f64) -> Momentum;

/// Jacobi's functions at the end of a step, and the momentum made of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Momentum {
    pub(super) sn: f64,
    pub(super) cn: f64,
    pub(super) dn: f64,
    y: [f64; 3],
}

impl Momentum {
    /// sn, cn and dn after the phase has grown by `advance`, from those at the start.
    ///
    /// As in the paper the modulus comes as k², and its complement is 1 - k².
    pub(super) fn functions(k2: f64, [sn0, cn0]: [f64; 2], advance: f64) -> Self {
        let k2 = if k2.is_nan() { 0.0 } else { k2.min(1.0) };
        // Exactly on the separatrix the mean never converges; such motions do not come here.
        let kc = (1.0 - k2).sqrt().max(f64::EPSILON);
        let landen = Landen::new(k2.sqrt(), kc);
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        let phi0 = libm::atan2(finite(sn0), finite(cn0));
        let phi = landen.amplitude(landen.phase(phi0) + advance);
        let (sn, cn) = (libm::sin(phi), libm::cos(phi));
        Self { sn, cn, dn: (1.0 - k2 * sn * sn).sqrt(), y: [0.0; 3] }
    }

    pub(super) fn with(self, y: [f64; 3]) -> Self {
        Self { y, ..self }
    }
}

/// The rotors of Vilmart that use elliptic functions.
pub(super) struct JacobiStep {
    body: SortedBody,
    algorithm: Algorithm,
}

impl JacobiStep {
    pub(super) fn new(inertia: &Inertia, algorithm: Algorithm) -> Self {
        Self { body: SortedBody::new(inertia), algorithm }
    }
}

impl Rotor for JacobiStep {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let Self { body, algorithm } = self;
        body.advance(h, state, |m, h| {
            let path = JacobiPath::new(body.moments, m);
            let mut flow = match &path {
                JacobiPath::Steady => return Some(steady_flow(body.rounded(), m, h)),
                JacobiPath::Separatrix(path) => return Some(separatrix_flow(path, h)),
                JacobiPath::Periodic(orbit) => MomentumFrame::Kosenko.flow(
                    orbit,
                    FrameForm::Quaternion,
                    ThirdKind::Exact,
                    h,
                )?,
            };
            let y = algorithm(body.moments, m, h).y;
            // The rotation must take the momentum where the algorithm puts it, or the momentum in
            // space would drift by the difference of the two: turn by what little they differ.
            flow.r *= arc(DVec3::from_array(y), DVec3::from_array(flow.m));
            flow.m = y;
            Some(flow)
        })
    }
}

/// The Euler equations alone, as Vilmart treats them: the momentum by his Algorithms 3.1 and 4.1,
/// without an attitude.
///
/// For long runs that ask for energy and Casimir only, at less than half the cost: the momentum has the
/// bits of the rotors `jacobi-standard` and `jacobi-vilmart`, except on the separatrix and where it
/// stands still, which the algorithms do not treat.
pub struct EulerStep {
    body: SortedBody,
    algorithm: Algorithm,
}

impl EulerStep {
    /// Algorithm 3.1, constants in double.
    pub fn standard(inertia: &Inertia) -> Self {
        Self::new(inertia, jacobi_standard::momentum)
    }

    /// Algorithm 3.1, constants and products with them in double-double.
    pub fn standard_double_double(inertia: &Inertia) -> Self {
        Self::new(inertia, jacobi_standard::momentum_dd)
    }

    /// Algorithm 4.1.
    pub fn vilmart(inertia: &Inertia) -> Self {
        Self::new(inertia, jacobi_vilmart::momentum)
    }

    /// The constants c1 and c2 of Algorithm 4.1, eq. (5): their sum is exactly 1.
    pub fn vilmart_constants(inertia: &Inertia) -> [f64; 2] {
        jacobi_vilmart::constants(SortedBody::new(inertia).moments.map(Dd::hi))
    }

    fn new(inertia: &Inertia, algorithm: Algorithm) -> Self {
        Self { body: SortedBody::new(inertia), algorithm }
    }

    /// The momentum after h, which may be negative.
    ///
    /// # Errors
    /// [`StepError`] if a number is not finite, or the step too long.
    pub fn step(&self, h: f64, m: DVec3) -> Result<DVec3, StepError> {
        let mut state = State { m, q: DQuat::IDENTITY };
        self.body.advance(h, &mut state, |m, h| {
            let y = (self.algorithm)(self.body.moments, m, h).y;
            Some(Flow { m: y, r: DQuat::IDENTITY })
        })?;
        Ok(state.m)
    }
}

/// The rotation by the small angle from one direction to another.
fn arc(from: DVec3, to: DVec3) -> DQuat {
    let (from, to) = (from.normalize(), to.normalize());
    let axis = from.cross(to);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + from.dot(to)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotor::build;

    #[test]
    fn the_momentum_alone_has_the_bits_of_the_rotor() {
        let inertia = Inertia::principal([0.7, 0.4, 0.5]).unwrap();
        let alone = [
            EulerStep::standard(&inertia),
            EulerStep::standard_double_double(&inertia),
            EulerStep::vilmart(&inertia),
        ];
        let ids = ["jacobi-standard", "jacobi-standard:constants=double-double", "jacobi-vilmart"];
        for (step, id) in alone.iter().zip(ids) {
            for start in [[0.5, 0.2, 0.8], [-0.1, 0.9, 0.3]] {
                let mut rotor = build(id, &inertia).unwrap();
                let mut state = State::aligned(start).unwrap();
                let mut m = state.m;
                for n in 0..500 {
                    rotor.step(0.01, &mut state).unwrap();
                    m = step.step(0.01, m).unwrap();
                    assert_eq!(m.to_array(), state.m.to_array(), "{id}, step {n}");
                }
            }
        }
        assert!(alone[0].step(f64::NAN, DVec3::X).is_err());
    }
}
