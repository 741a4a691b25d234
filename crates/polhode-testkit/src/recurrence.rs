//! Long times: the momentum of a free body is periodic, and over one period the attitude turns
//! by a fixed angle about the momentum in space.

use polhode_elliptic::Dd;

use crate::dd_math::{atan2, dot, norm, quaternion_product, rotate, turn};
use crate::taylor::{Field, State, march};

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
    state: State,
    rising: bool,
}

impl Recurrence {
    /// Follows the motion until the momentum has come back, or gives up after `limit`.
    ///
    /// `middle` is the axis of the intermediate moment. Its component of the momentum is the one
    /// that vanishes twice a period in every motion with a period; it does so at full speed, which
    /// fixes the instant well, and on either side of the separatrix.
    pub(crate) fn find(field: &Field, start: State, middle: usize, limit: Dd) -> Option<Self> {
        let mut first: Option<Passage> = None;
        let mut again: Option<Passage> = None;
        let mut meet = |passage: Passage| match &first {
            None => first = Some(passage),
            Some(one) if one.rising == passage.rising => again = Some(passage),
            // Half a period: another component has the opposite sign.
            Some(_) => {}
        };
        let mut done = false;
        if start.m[middle] == Dd::ZERO {
            let (j, k) = ((middle + 1) % 3, (middle + 2) % 3);
            let speed = field.coupling[middle] * start.m[j] * start.m[k];
            meet(Passage {
                time: Dd::ZERO,
                state: start,
                rising: speed.hi() > 0.0,
            });
        }
        march(field, start, limit, 1.0, |step| {
            let (a, b) = (step.from.m[middle].hi(), step.to.m[middle].hi());
            // A zero at the end of a step belongs to that step and not to the next.
            if a * b < 0.0 || (a != 0.0 && b == 0.0) {
                let guess = step.length.hi() * a / (a - b);
                let root = step.series.zero_of(middle, guess);
                let passage = Passage {
                    time: step.begin + root,
                    state: step.series.at(root),
                    rising: a < 0.0,
                };
                done = first.as_ref().is_some_and(|one| one.rising == passage.rising);
                match &first {
                    None => first = Some(passage),
                    Some(one) if one.rising == passage.rising => again = Some(passage),
                    Some(_) => {}
                }
            }
            !done
        });
        let (first, again) = (first?, again?);
        Some(Self::between(&first, &again))
    }

    fn between(first: &Passage, again: &Passage) -> Self {
        let (m, q) = (&first.state.m, &first.state.q);
        let change: [Dd; 3] = core::array::from_fn(|i| again.state.m[i] - m[i]);
        assert!(
            norm(&change).hi() < 1e-18 * norm(m).hi(),
            "the momentum did not come back: the section is wrong for this body"
        );
        let inverse = [q[0], -q[1], -q[2], -q[3]];
        let [w, x, y, z] = quaternion_product(&again.state.q, &inverse);
        let space = rotate(q, m);
        let length = norm(&space);
        let axis = space.map(|component| component / length);
        Self {
            period: again.time - first.time,
            half_angle: atan2(dot(&[x, y, z], &axis), w),
            axis,
        }
    }

    /// How many periods `t` is nearest to, and what is left.
    pub(crate) fn split(&self, t: Dd) -> (f64, Dd) {
        let (periods, _) = (t / self.period).split_integer();
        (periods, t - self.period * periods)
    }

    /// The state `periods` periods after `state`.
    pub(crate) fn advance(&self, state: &State, periods: f64) -> State {
        let turned = turn(self.half_angle * periods, &self.axis);
        State {
            m: state.m,
            q: quaternion_product(&turned, &state.q),
        }
    }
}
