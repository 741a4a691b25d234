//! What a free motion is like, in numbers and in words.

use std::io::{self, Write};

use polhode::glam::DVec3;
use polhode::{FreeMotion, Regime, so3};
use serde::Serialize;

use crate::numbers::shortest;

/// The constants of a motion, as the `motion` object of the JSON document has them.
///
/// None where there is no such number.
#[derive(Serialize)]
pub(crate) struct MotionSummary {
    regime: &'static str,
    period: Option<f64>,
    precession_rate: f64,
    /// The time of one turn at that rate.
    precession_period: Option<f64>,
    separatrix_distance: Option<f64>,
    next_flip: Option<f64>,
    /// From one flip to the next.
    flip_period: Option<f64>,
    /// Whether the body is near its middle axis most of the time, so that a flip is a turn-over.
    turns_over: bool,
    /// In the order of the principal axes; those are a quaternion from principal to body frame.
    principal_moments: [f64; 3],
    principal_axes: [f64; 4],
    #[serde(skip)]
    words: Words,
}

/// What the heading of the table says about a kind of motion.
struct Words {
    regime: &'static str,
    precession: &'static str,
    /// Whether flips and the distance from the separatrix say anything about this motion.
    has_separatrix: bool,
}

/// The axes of a body whose frame is the principal one.
const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

impl MotionSummary {
    pub(crate) fn new(motion: &FreeMotion) -> Self {
        let next_flip = motion.next_flip(0.0).ok().flatten();
        Self {
            regime: motion.regime().name(),
            period: motion.period(),
            precession_rate: motion.precession_rate(),
            precession_period: precession_period(motion),
            separatrix_distance: motion.separatrix_distance(),
            next_flip,
            flip_period: next_flip.and(motion.period()).map(|period| 0.5 * period),
            turns_over: turns_over(motion),
            principal_moments: motion.inertia().moments().to_array(),
            principal_axes: so3::to_wxyz(motion.inertia().axes()),
            words: Words::new(motion),
        }
    }

    /// The motion for a reader, every line after `begin`, the rate in degrees if they are wanted. Numbers it does not
    /// have are left out.
    pub(crate) fn write_lines(
        &self,
        begin: &str,
        degrees: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        writeln!(out, "{begin}regime: {} ({})", self.regime, self.words.regime)?;
        // For principal moments, the reader has just typed them.
        if self.principal_axes != IDENTITY {
            let list = |numbers: &[f64]| numbers.iter().map(|&x| shortest(x)).collect::<Vec<_>>();
            let moments = list(&self.principal_moments).join(" ");
            let axes = list(&self.principal_axes).join(" ");
            writeln!(out, "{begin}principal moments: {moments} (axes as a quaternion: {axes})")?;
        }
        let mut line = |name: &str, value: Option<f64>, words: &str| match value {
            Some(x) => writeln!(out, "{begin}{name}: {} ({words})", shortest(x)),
            None => Ok(()),
        };
        line(
            "period",
            self.period,
            "of the motion seen from the body; the attitude need not repeat",
        )?;
        let rate = self.precession_rate;
        let (rate, unit) = if degrees { (rate.to_degrees(), "degrees") } else { (rate, "rad") };
        let words = format!("{}, in {unit} per unit of time", self.words.precession);
        line("precession rate", Some(rate), &words)?;
        line("precession period", self.precession_period, "the time of one such turn")?;
        if !self.words.has_separatrix {
            return Ok(());
        }
        if self.turns_over {
            let words = if self.period.is_some() {
                "the body turns over: the momentum along the middle axis changes sign"
            } else {
                "the momentum along the middle axis changes sign, only then"
            };
            line("next flip", self.next_flip, words)?;
            line("flip period", self.flip_period, "from one flip to the next, half of the period")?;
        } else {
            let words =
                "the momentum along the middle axis changes sign so often; nothing turns over";
            line("half period", self.flip_period, words)?;
        }
        let words =
            "< 0 about the least axis, > 0 about the greatest, longer waits for flips near 0";
        line("separatrix distance", self.separatrix_distance, words)
    }
}

impl Words {
    fn new(motion: &FreeMotion) -> Self {
        let tumbling = |regime| Self {
            regime,
            precession: "of that axis about the momentum in space, mean",
            has_separatrix: true,
        };
        let turning = |regime| Self {
            regime,
            precession: "of the body about its momentum",
            has_separatrix: false,
        };
        match motion.regime() {
            Regime::Rest => turning("no momentum, no motion"),
            Regime::Steady if is_about_middle_axis(motion) => turning(
                "uniform rotation about the axis of the middle moment; unstable, the slightest \
                 disturbance makes the body tumble",
            ),
            Regime::Steady => turning("uniform rotation about an axis fixed in body and space"),
            Regime::SymmetricTop => Self {
                regime: "two moments are equal and the momentum circles the axis of the third, evenly",
                precession: "of that axis about the momentum in space",
                has_separatrix: false,
            },
            Regime::AboutMinor => {
                tumbling("the momentum circles the body axis of the least moment")
            }
            Regime::AboutMajor => {
                tumbling("the momentum circles the body axis of the greatest moment")
            }
            Regime::Separatrix => Self {
                regime: "turns over once, then settles ever closer to rotation about the middle axis",
                precession: "of the body about its momentum in the end",
                has_separatrix: true,
            },
            // A regime newer than this program still has a name.
            _ => tumbling("a kind of motion this program has no words for"),
        }
    }
}

/// The time in which the axis that the momentum circles goes once about the momentum; none at rest, nor on the
/// separatrix, where the rate is a limit that no turn has.
fn precession_period(motion: &FreeMotion) -> Option<f64> {
    let period = std::f64::consts::TAU / motion.precession_rate();
    (period.is_finite() && motion.regime() != Regime::Separatrix).then_some(period)
}

/// Whether the momentum is within 45 degrees of the middle axis, to one side or the other, for most of the time: what
/// is thrown about that axis stays near it and then turns over. Where the momentum only passes there, it circles
/// another axis, and nothing turns over.
fn turns_over(motion: &FreeMotion) -> bool {
    const MOMENTS: u32 = 64;
    if motion.regime() == Regime::Separatrix {
        return true;
    }
    let (inertia, Some(period)) = (motion.inertia(), motion.period()) else { return false };
    let moments = inertia.moments().to_array();
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
    let [least, middle, greatest] = order.map(|i| moments[i]);
    if least == middle || middle == greatest {
        return false;
    }
    let axis = inertia.axes() * DVec3::AXES[order[1]];
    let is_near = |n: u32| {
        let t = (f64::from(n) + 0.5) / f64::from(MOMENTS) * period;
        motion
            .momentum_at(t)
            .is_ok_and(|m| m.normalize_or_zero().dot(axis).abs() > std::f64::consts::FRAC_1_SQRT_2)
    };
    2 * (0..MOMENTS).filter(|n| is_near(*n)).count() > MOMENTS as usize
}

/// Whether a steady motion is the unstable one: on the separatrix, in a body that has one.
fn is_about_middle_axis(motion: &FreeMotion) -> bool {
    let [a, b, c] = motion.inertia().moments().to_array();
    let distinct = a != b && b != c && c != a;
    distinct && motion.separatrix_distance() == Some(0.0)
}
