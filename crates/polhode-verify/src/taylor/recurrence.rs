//! Long times: the momentum of a free body is periodic, and over one period the attitude turns
//! by a fixed angle about the momentum in space.

use polhode_elliptic::Dd;

use super::dd_math::{atan2, dot, norm, quaternion_product, rotate, turn};
use super::equations::VectorField;
use super::series::{TaylorState, march};

/// What happens over one period of the momentum.
#[derive(Clone, Debug)]
pub(crate) struct Recurrence {
    pub(crate) period: Dd,
    /// Half the angle turned about `axis`; its quaternion has the sign of the motion, so adding
    /// multiples of 2 pi changes nothing.
    half_angle: Dd,
    /// Direction of the momentum in space.
    axis: [Dd; 3],
}

/// A passage through the plane `m_axis = 0`.
struct Passage {
    time: Dd,
    state: TaylorState,
}

impl Recurrence {
    /// Follows the motion until the momentum has come back; if it has not after `limit`, the state
    /// there is the error.
    ///
    /// `middle` is the axis of the intermediate moment. Its component of the momentum is the one
    /// that vanishes twice a period in every motion with a period; it does so at full speed, which
    /// fixes the instant well, and on either side of the separatrix.
    pub(crate) fn find(
        field: &VectorField,
        start: TaylorState,
        middle: usize,
        limit: Dd,
    ) -> Result<Self, TaylorState> {
        let mut passages = Vec::new();
        let last = march(field, start, limit, 1.0, |step| {
            let (a, b) = (step.from.y[middle].hi(), step.to.y[middle].hi());
            // Zero counts as positive: a zero between two steps, or at the start, is met once.
            if (a < 0.0) != (b < 0.0) {
                let guess = step.length.hi() * a / (a - b);
                let root = step.series.zero_of(middle, guess);
                passages.push(Passage { time: step.begin + root, state: step.series.at(root) });
            }
            passages.len() < 3
        });
        // The second passage is half a period on: there another component has changed its sign.
        match &passages[..] {
            [first, _, again] => Ok(Self::between(field, first, again)),
            _ => Err(last),
        }
    }

    fn between(field: &VectorField, first: &Passage, again: &Passage) -> Self {
        let (m, q) = (&field.momentum(first.state.y), &first.state.q);
        let back = field.momentum(again.state.y);
        let change: [Dd; 3] = core::array::from_fn(|i| back[i] - m[i]);
        assert!(
            norm(&change).hi() < 1e-20 * norm(m).hi(),
            "the momentum did not come back, or the series lost its digits: {m:?}, {back:?}"
        );
        let inverse = [q[0], -q[1], -q[2], -q[3]];
        let [w, x, y, z] = quaternion_product(&again.state.q, &inverse);
        let space = rotate(q, m);
        let length = norm(&space);
        let axis = space.map(|component| component / length);
        Self { period: again.time - first.time, half_angle: atan2(dot(&[x, y, z], &axis), w), axis }
    }

    /// How many periods `t` is nearest to, and what is left.
    pub(crate) fn split(&self, t: Dd) -> (f64, Dd) {
        let (periods, _) = (t / self.period).split_integer();
        (periods, t - self.period * periods)
    }

    /// The state `periods` periods after `state`.
    pub(crate) fn advance(&self, state: &TaylorState, periods: f64) -> TaylorState {
        let turned = turn(self.half_angle * periods, &self.axis);
        TaylorState { y: state.y, q: quaternion_product(&turned, &state.q) }
    }
}
