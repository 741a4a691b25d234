//! What the library promises, as bounds on ratios.

use serde::Serialize;

use crate::report::Machine;

/// A bound on a ratio.
pub(crate) struct Target {
    pub(crate) key: &'static str,
    /// What is measured, in words.
    pub(crate) what: &'static str,
    pub(crate) bound: Bound,
    /// Hoped for, not promised.
    pub(crate) stretch: Option<f64>,
}

pub(crate) enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// At most the first with lanes of eight, the second with lanes of four.
    ByLanes(f64, f64),
    /// Only hoped for: there is a stretch.
    None,
}

/// How a ratio compares with what was promised.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Verdict {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bound: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) met: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stretch: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stretch_met: Option<bool>,
}

impl Target {
    pub(crate) fn verdict(&self, ratio: f64, machine: &Machine) -> Verdict {
        let bound = match self.bound {
            Bound::AtMost(bound) | Bound::AtLeast(bound) => Some(bound),
            Bound::ByLanes(eight, four) => Some(if machine.lanes >= 8 { eight } else { four }),
            Bound::None => None,
        };
        let at_least = matches!(self.bound, Bound::AtLeast(_));
        let reaches = |bound: f64| if at_least { ratio >= bound } else { ratio <= bound };
        Verdict {
            bound,
            met: bound.map(reaches),
            stretch: self.stretch,
            stretch_met: self.stretch.map(reaches),
        }
    }
}

const fn at_most(
    key: &'static str,
    bound: f64,
    stretch: Option<f64>,
    what: &'static str,
) -> Target {
    Target { key, what, bound: Bound::AtMost(bound), stretch }
}

pub(crate) static TARGETS: &[Target] = &[
    at_most(
        "step-tangent/step@0.01",
        2.5,
        None,
        "the exact step with its 6 x 6 tangent against the plain one",
    ),
    at_most("step-tangent/step@0.1", 2.5, None, "the same, h = 0.1"),
    at_most("step-tangent/step@1", 3.0, None, "the same, h = 1"),
    at_most(
        "step-moments-more/step@0.01",
        0.7,
        None,
        "what the columns by the principal moments add to it",
    ),
    at_most("step-moments-more/step@0.1", 0.7, None, "the same, h = 0.1"),
    at_most("step-moments-more/step@1", 0.7, None, "the same, h = 1"),
    at_most(
        "tangent-at/at",
        3.0,
        None,
        "the free motion at a time with its tangent against without",
    ),
    at_most("moments-at-more/at", 1.0, None, "what the columns by the principal moments add to it"),
    at_most(
        "tangents-at/tangent-at",
        0.7,
        None,
        "tangents at a thousand times, in lanes, against one by one",
    ),
    at_most("exact/dmv10@0.01", 1.1, None, "the exact step against `dmv`, published iteration"),
    at_most("exact/dmv10@0.1", 0.9, None, "the same, h = 0.1"),
    at_most("exact/dmv10@1", 0.3, None, "the same, h = 1"),
    at_most("exact/dmv10-newton@0.01", 1.1, None, "against `dmv` by Newton's method"),
    at_most("exact/dmv10-newton@0.1", 0.9, None, "the same, h = 0.1"),
    at_most("exact/dmv10-newton@1", 0.3, None, "the same, h = 1"),
    Target {
        key: "exact/rk4@0.01",
        what: "the exact step against classical RK4",
        bound: Bound::None,
        stretch: Some(1.0),
    },
    Target {
        key: "batch/rk4@0.01",
        what: "a body of a batch against scalar RK4",
        bound: Bound::ByLanes(0.25, 0.45),
        stretch: None,
    },
    Target {
        key: "threads2/threads1",
        what: "what two threads do more than one",
        bound: Bound::AtLeast(1.7),
        stretch: None,
    },
    at_most("at/exact", 1.25, Some(0.75), "`FreeMotion::at` against an exact step"),
    at_most("free-period/ode_solvers", 1.0, None, "free motion of one period against Dop853"),
    at_most("free400/ode_solvers", 0.005, Some(0.002), "free motion to t = 400 against Dop853"),
    at_most("jacobi/gsl", 1.1, None, "sn, cn and dn against GSL's"),
    at_most("pi/ellip", 1.2, None, "complete Pi against `ellip`'s"),
    at_most("pi-incomplete/ellip", 1.2, None, "incomplete Pi against `ellip`'s"),
    at_most("top156/ode_solvers", 0.8, Some(0.5), "heavy top to 1e-10 against Dop853"),
    at_most("top1000/ode_solvers", 1.0 / 3.0, Some(0.2), "fast, nearly free top, the same"),
    at_most(
        "solve156/dop853@1e-4",
        0.25,
        None,
        "a heavy top solved to 1e-4 against our own Dop853",
    ),
    at_most("solve156/dop853@1e-6", 0.2, None, "the same to 1e-6"),
    at_most("solve156/dop853@1e-8", 0.2, None, "the same to 1e-8"),
    at_most("solve156/dop853@1e-10", 0.2, None, "the same to 1e-10"),
    at_most("solve156/dop853@1e-12", 0.2, None, "the same to 1e-12"),
    at_most(
        "solve156/ode_solvers@1e-4",
        0.25,
        None,
        "a heavy top to 1e-4 against ode_solvers' Dop853",
    ),
    at_most(
        "solve156/ode_solvers@1e-6",
        0.2,
        None,
        "a heavy top to 1e-6 against ode_solvers' Dop853",
    ),
    at_most(
        "solve156/ode_solvers@1e-8",
        0.125,
        None,
        "a heavy top to 1e-8 against ode_solvers' Dop853",
    ),
    at_most(
        "solve156/ode_solvers@1e-10",
        0.125,
        None,
        "a heavy top to 1e-10 against ode_solvers' Dop853",
    ),
    at_most(
        "solve156/ode_solvers@1e-12",
        0.125,
        None,
        "a heavy top to 1e-12 against ode_solvers' Dop853",
    ),
    at_most(
        "solve1000/dop853@1e-4",
        0.25,
        None,
        "a fast top solved to 1e-4 against our own Dop853",
    ),
    at_most("solve1000/dop853@1e-6", 0.2, None, "the same to 1e-6"),
    at_most("solve1000/dop853@1e-8", 0.2, None, "the same to 1e-8"),
    at_most("solve1000/dop853@1e-10", 0.2, None, "the same to 1e-10"),
    at_most("solve1000/dop853@1e-12", 0.2, None, "the same to 1e-12"),
    at_most(
        "solve1000/ode_solvers@1e-4",
        0.25,
        None,
        "a fast top to 1e-4 against ode_solvers' Dop853",
    ),
    at_most(
        "solve1000/ode_solvers@1e-6",
        0.2,
        None,
        "a fast top to 1e-6 against ode_solvers' Dop853",
    ),
    at_most(
        "solve1000/ode_solvers@1e-8",
        0.125,
        None,
        "a fast top to 1e-8 against ode_solvers' Dop853",
    ),
    at_most(
        "solve1000/ode_solvers@1e-10",
        0.125,
        None,
        "a fast top to 1e-10 against ode_solvers' Dop853",
    ),
    at_most(
        "solve1000/ode_solvers@1e-12",
        0.125,
        None,
        "a fast top to 1e-12 against ode_solvers' Dop853",
    ),
    at_most(
        "satellite/dop853@1e-8",
        0.2,
        None,
        "a satellite solved to 1e-8 against our own Dop853",
    ),
    at_most("satellite/ode_solvers@1e-8", 0.125, None, "the same against ode_solvers' Dop853"),
    at_most(
        "tops/dop853@1e-8",
        0.2,
        None,
        "a hundred tops, an ensemble, to 1e-8 against our own Dop853",
    ),
    at_most("tops/ode_solvers@1e-8", 0.125, None, "the same against ode_solvers' Dop853"),
    at_most("tops-alone/ode_solvers@1e-8", 0.125, None, "the same tops, one by one"),
    at_most("tops10/ode_solvers@1e-8", 0.125, None, "a hundred tops over a third of the time"),
    at_most("tops10-alone/ode_solvers@1e-8", 0.125, None, "the same tops, one by one"),
    at_most(
        "solve156/heyoka@1e-8",
        0.125,
        None,
        "a heavy top to 1e-8 against heyoka's Taylor series",
    ),
    at_most(
        "solve156/heyoka@1e-10",
        0.125,
        None,
        "a heavy top to 1e-10 against heyoka's Taylor series",
    ),
    at_most(
        "solve1000/heyoka@1e-8",
        0.125,
        None,
        "a fast top to 1e-8 against heyoka's Taylor series",
    ),
    at_most(
        "solve1000/heyoka@1e-10",
        0.125,
        None,
        "a fast top to 1e-10 against heyoka's Taylor series",
    ),
    at_most(
        "solve156-called/ode_solvers@1e-4",
        1.0,
        None,
        "a heavy top to 1e-4, its torque called through a pointer, against ode_solvers",
    ),
    at_most(
        "solve156-called/ode_solvers@1e-6",
        1.0,
        None,
        "a heavy top to 1e-6, its torque called through a pointer, against ode_solvers",
    ),
    at_most(
        "solve156-called/ode_solvers@1e-8",
        1.0,
        None,
        "a heavy top to 1e-8, its torque called through a pointer, against ode_solvers",
    ),
    at_most(
        "solve156-called/ode_solvers@1e-10",
        1.0,
        None,
        "a heavy top to 1e-10, its torque called through a pointer, against ode_solvers",
    ),
    at_most(
        "solve156-called/ode_solvers@1e-12",
        1.0,
        None,
        "a heavy top to 1e-12, its torque called through a pointer, against ode_solvers",
    ),
    at_most("tops-called/ode_solvers@1e-8", 1.0, None, "a hundred tops to 1e-8, likewise"),
    at_most(
        "python-solve-model/scipy",
        0.01,
        None,
        "Python: a top to 1e-8 at t = 10, torque of the library, against `solve_ivp` (DOP853)",
    ),
    at_most("python-solve-callable/scipy", 1.0, None, "the same with a torque in Python"),
    at_most(
        "python-solve-callable-calls/scipy",
        1.0,
        None,
        "its calls against those of `solve_ivp`",
    ),
    at_most(
        "python-solve-vectorized/scipy",
        1.0,
        None,
        "the same with a vectorized torque in Python",
    ),
    at_most(
        "python-solve-vectorized-calls/scipy",
        1.0,
        None,
        "its calls against those of `solve_ivp`",
    ),
];

#[cfg(test)]
mod tests {
    use super::{Bound, Target};
    use crate::report::Machine;

    #[test]
    fn bounds_have_a_direction() {
        let machine = Machine { lanes: 4, ..Machine::default() };
        let judge = |bound, ratio| {
            Target { key: "x", what: "", bound, stretch: Some(0.5) }.verdict(ratio, &machine)
        };
        assert_eq!(judge(Bound::AtMost(1.1), 1.0).met, Some(true));
        assert_eq!(judge(Bound::AtMost(1.1), 1.2).met, Some(false));
        assert_eq!(judge(Bound::AtLeast(1.7), 1.6).met, Some(false));
        assert_eq!(judge(Bound::ByLanes(0.25, 0.45), 0.4).met, Some(true));
        assert_eq!(judge(Bound::None, 0.4).met, None);
        assert_eq!(judge(Bound::AtMost(1.1), 0.4).stretch_met, Some(true));
        assert_eq!(judge(Bound::AtLeast(1.7), 0.4).stretch_met, Some(false));
    }
}
