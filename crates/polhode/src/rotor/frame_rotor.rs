//! A rotor made of a frame, a form and a rule for the integral of the third kind.

use glam::DVec3;

use super::frames::{FrameForm, MomentumFrame, ThirdKind, separatrix_flow};
use super::jacobi_orbit::JacobiPath;
use super::sorted_body::{Flow, SortedBody};
use super::{Rotor, StepError};
use crate::{Inertia, State, so3};

/// The rotors of Celledoni & Zanna.
pub(super) struct FrameRotor {
    body: SortedBody,
    frame: MomentumFrame,
    form: FrameForm,
    rule: ThirdKind,
}

impl FrameRotor {
    pub(super) fn new(
        inertia: &Inertia,
        frame: MomentumFrame,
        form: FrameForm,
        rule: ThirdKind,
    ) -> Self {
        Self { body: SortedBody::new(inertia), frame, form, rule }
    }
}

impl Rotor for FrameRotor {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let Self { body, frame, form, rule } = self;
        body.advance(h, state, |m, h| match JacobiPath::new(body.moments, m) {
            JacobiPath::Steady => Some(steady_flow(body.rounded(), m, h)),
            JacobiPath::Separatrix(path) => Some(separatrix_flow(&path, h)),
            JacobiPath::Periodic(orbit) => frame.flow(&orbit, *form, *rule, h),
        })
    }
}

/// The flow where omega is along m: a turn about it. (Celledoni & Zanna's "2-dim rotation" for
/// lambda = 0 is right for these motions only, not for symmetric bodies, which the general case covers.)
pub(super) fn steady_flow([i1, i2, i3]: [f64; 3], m: [f64; 3], h: f64) -> Flow {
    Flow { m, r: so3::exp(DVec3::new(m[0] / i1, m[1] / i2, m[2] / i3) * h) }
}
