//! Torques as the lanes of the extrapolation see them: compiled into the step.
//!
//! A step computes with X = h omega along principal axes, h the substep of a lane, and with a quaternion in a
//! frame in which the torque is simplest. What it asks of a torque is 2 h² I^-1 torque.

use polhode_number::vector::{Quaternion, Vector, add, multiply};
use polhode_number::{Lift, PackedNumber, Splat};

use crate::inertia::AxesKind;
use crate::torque::{Acts, Body, Record};
use crate::{Inertia, InertiaOver, Point, so3};

/// Numbers that a field works out once for each length of substep.
pub(super) type Gains<L> = [L; 8];

/// A torque on one body, in the form that a step is compiled for.
pub(super) trait Field: Send + Sync {
    /// It may call functions of the user's: then the fewest calls take least time.
    const CALLS: bool = false;

    /// The same in lanes.
    type Over<'a, L: PackedNumber>: Push<L>
    where
        Self: 'a;

    /// The same in lanes, given what is to become of its numbers: copied into all lanes, or replaced by those of
    /// several bodies under the same torque, one in each lane.
    fn over<L: PackedNumber>(&self, lift: &mut impl Lift<f64, L>) -> Self::Over<'_, L>;

    /// Fields of which this is the same run side by side: how many numbers they have depends on it. None for one that
    /// calls functions of the user's.
    fn side_by_side(&self) -> Option<AxesKind> {
        Some(AxesKind::Sorted)
    }

    /// The frame that attitudes are seen from.
    fn frame(&self) -> FieldFrame {
        FieldFrame { turn: None, spin: 0.0 }
    }
}

/// A field in lanes.
pub(super) trait Push<L: PackedNumber> {
    /// Whether the frame turns.
    const SPINS: bool = false;

    /// Whether one text of machine code does all leaps. It is called a little more slowly, and of the many torques it
    /// takes the compiler half the time.
    const SHARED: bool = true;

    /// What [`Push::push`] needs for substeps of this length.
    fn gains(&self, h: L) -> Gains<L>;

    /// 2 h² I^-1 torque along the principal axes, and what it is added to.
    fn push(&self, gains: &Gains<L>, at: &Instant<L>, onto: Vector<L>) -> Vector<L>;
}

/// Where a body is, and when.
pub(super) struct Instant<L> {
    pub(super) t: L,
    /// X = h omega.
    pub(super) x: Vector<L>,
    pub(super) q: Quaternion<L>,
}

/// A frame in space: turned, and turning about its third axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldFrame {
    /// Takes space coordinates to those of the frame at t = 0; none if they are the same.
    pub(super) turn: Option<Quaternion<f64>>,
    /// Radians per time about the third axis.
    pub(super) spin: f64,
}

/// A pull on a point of the body along a direction of space: the heavy top.
///
/// torque = u x centre, u = Q^T up. Seen from a frame whose third axis is `up` that is
/// u = 2 |up| (x z - w y, y z + w x, w² + z² - 1/2).
///
/// Where the point lies on the third principal axis, as that of most tops, two of its numbers are enough.
pub(super) struct Pull<const AXIAL: bool> {
    /// |up| times centre over the moments of inertia: (c3/I1, c2/I1, c1/I2, c3/I2, c2/I3, c1/I3).
    strength: [f64; 6],
    turn: Option<Quaternion<f64>>,
}

impl Pull<false> {
    /// The field of torque = (Q^T up) x centre, both as the user gives them.
    pub(super) fn new(inertia: &Inertia, centre: Vector<f64>, up: Vector<f64>) -> Self {
        let [i1, i2, i3] = inertia.moments().to_array();
        let length = so3::quick_length(up.into());
        let [c1, c2, c3] = inertia.enter_principal(centre.into());
        // Most centres have zeros, and a quotient takes long.
        let over = |c: f64, moment: f64| if c == 0.0 { 0.0 } else { (c / moment) * length };
        let strength =
            [over(c3, i1), over(c2, i1), over(c1, i2), over(c3, i2), over(c2, i3), over(c1, i3)];
        Self { strength, turn: to_third_axis(up) }
    }

    /// The same, if the point lies on the third principal axis.
    pub(super) fn axial(&self) -> Option<Pull<true>> {
        let [_, c2, c1, ..] = self.strength;
        (c1 == 0.0 && c2 == 0.0).then_some(Pull { strength: self.strength, turn: self.turn })
    }
}

/// The shortest rotation that takes this direction to the third axis; none if it stands there.
///
/// (1 + d3, d2, -d1, 0) for a unit vector d, without the cancellation where it points the other way.
fn to_third_axis(direction: Vector<f64>) -> Option<Quaternion<f64>> {
    let [x, y, z] = direction;
    if x == 0.0 && y == 0.0 && z >= 0.0 {
        return None;
    }
    let length = so3::length(direction.into());
    let [x, y, z] = direction.map(|x| x / length);
    let across = libm::hypot(x, y);
    let w = if z < 0.0 { across * (across / (1.0 - z)) } else { 1.0 + z };
    let norm = libm::hypot(w, across);
    Some(if norm > 0.0 { [w / norm, y / norm, -x / norm, 0.0] } else { [0.0, 1.0, 0.0, 0.0] })
}

impl<const AXIAL: bool> Field for Pull<AXIAL> {
    type Over<'a, L: PackedNumber> = PullOver<L, AXIAL>;

    #[inline(always)]
    fn over<L: PackedNumber>(&self, lift: &mut impl Lift<f64, L>) -> PullOver<L, AXIAL> {
        PullOver(six(self.strength, lift))
    }

    fn frame(&self) -> FieldFrame {
        FieldFrame { turn: self.turn, spin: 0.0 }
    }
}

/// [`Pull`] in lanes: its strength.
pub(super) struct PullOver<L, const AXIAL: bool>([L; 6]);

impl<L: PackedNumber, const AXIAL: bool> Push<L> for PullOver<L, AXIAL> {
    const SHARED: bool = false;

    #[inline(always)]
    fn gains(&self, h: L) -> Gains<L> {
        let mut gains = gains_of(&self.0, h, 4.0);
        gains[6] = gains[1] * L::splat(0.5);
        gains[7] = gains[2] * L::splat(0.5);
        gains
    }

    #[inline(always)]
    fn push(&self, g: &Gains<L>, at: &Instant<L>, onto: Vector<L>) -> Vector<L> {
        let [w, x, y, z] = at.q;
        if AXIAL {
            let u = [x * z - w * y, y * z + w * x];
            return [onto[0] + u[1] * g[0], onto[1] - u[0] * g[3], onto[2]];
        }
        // The third is w² + z² here: its constant is not to be waited for.
        let u = [x * z - w * y, y * z + w * x, w * w + z * z];
        [
            (onto[0] + g[6]) + (u[1] * g[0] - u[2] * g[1]),
            (onto[1] - g[7]) + (u[2] * g[2] - u[0] * g[3]),
            onto[2] + (u[0] * g[4] - u[1] * g[5]),
        ]
    }
}

/// These numbers times h² and a factor.
#[inline(always)]
fn gains_of<L: PackedNumber>(strength: &[L; 6], h: L, factor: f64) -> Gains<L> {
    let mut gains = [h; 8];
    for (gain, strength) in gains.iter_mut().zip(strength) {
        *gain = ((L::splat(factor) * *strength) * h) * h;
    }
    gains
}

#[inline(always)]
fn six<L>([a, b, c, d, e, f]: [f64; 6], lift: &mut impl Lift<f64, L>) -> [L; 6] {
    let ([a, b, c], [d, e, f]) = (lift.vector([a, b, c]), lift.vector([d, e, f]));
    [a, b, c, d, e, f]
}

/// The gravity gradient on a circular orbit, seen from the orbit's own frame, which turns.
///
/// torque = 3 n² c x I c with c = Q^T e1 = (1 - 2 y² - 2 z², 2 (x y - w z), 2 (x z + w y)).
pub(super) struct OrbitField {
    /// 3 n² (I3 - I2)/I1 and so on; the rest is not used.
    strength: [f64; 6],
    frame: FieldFrame,
}

impl OrbitField {
    /// The orbit of this rate, with the line to the planet at t = 0 and a quarter of an orbit later.
    pub(super) fn new(inertia: &Inertia, rate: f64, line: [Vector<f64>; 2]) -> Self {
        let kappa = inertia.gap_ratios();
        let mut strength = [0.0; 6];
        for (strength, kappa) in strength.iter_mut().zip(kappa) {
            *strength = -3.0 * ((rate * kappa) * rate);
        }
        let [a, b] = line.map(glam::DVec3::from);
        let space = glam::DQuat::from_mat3(&glam::DMat3::from_cols(a, b, a.cross(b)));
        let turn = Some(so3::to_wxyz(space.normalize().conjugate()));
        Self { strength, frame: FieldFrame { turn, spin: rate } }
    }
}

impl Field for OrbitField {
    type Over<'a, L: PackedNumber> = OrbitOver<L>;

    #[inline(always)]
    fn over<L: PackedNumber>(&self, lift: &mut impl Lift<f64, L>) -> OrbitOver<L> {
        OrbitOver(six(self.strength, lift))
    }

    fn frame(&self) -> FieldFrame {
        self.frame
    }
}

/// [`OrbitField`] in lanes: its strength.
pub(super) struct OrbitOver<L>([L; 6]);

impl<L: PackedNumber> Push<L> for OrbitOver<L> {
    const SPINS: bool = true;
    const SHARED: bool = false;

    #[inline(always)]
    fn gains(&self, h: L) -> Gains<L> {
        gains_of(&self.0, h, 8.0)
    }

    #[inline(always)]
    fn push(&self, g: &Gains<L>, at: &Instant<L>, onto: Vector<L>) -> Vector<L> {
        let [w, x, y, z] = at.q;
        let c = [L::splat(0.5) - (y * y + z * z), x * y - w * z, x * z + w * y];
        [
            onto[0] + (c[1] * g[0]) * c[2],
            onto[1] + (c[2] * g[1]) * c[0],
            onto[2] + (c[1] * g[2]) * c[0],
        ]
    }
}

/// Any model, on a body whose frame is principal.
pub(super) struct PlainField<R> {
    pub(super) record: R,
    pub(super) inertia: Inertia,
    pub(super) over: InertiaOver<f64>,
}

impl<R: Record + Send + Sync + 'static> Field for PlainField<R> {
    type Over<'a, L: PackedNumber> = PlainOver<'a, R::Over<L>, L>;

    #[inline(always)]
    fn over<L: PackedNumber>(&self, lift: &mut impl Lift<f64, L>) -> PlainOver<'_, R::Over<L>, L> {
        PlainOver {
            acts: self.record.over(&mut Splat),
            inertia: self.over.map(lift),
            lanes: core::slice::from_ref(&self.inertia),
            moments: lift.vector(self.inertia.moments().to_array()),
        }
    }

    fn side_by_side(&self) -> Option<AxesKind> {
        Some(self.over.kind_of_axes())
    }
}

/// [`PlainField`] in lanes.
pub(super) struct PlainOver<'a, A, L> {
    acts: A,
    inertia: InertiaOver<L>,
    lanes: &'a [Inertia],
    moments: Vector<L>,
}

/// 2 h²/I and I/h; the rest is not used.
#[inline(always)]
pub(super) fn of_moments<L: PackedNumber>(moments: &Vector<L>, h: L) -> Gains<L> {
    let [i1, i2, i3] = *moments;
    let twice = h + h;
    [(h / i1) * twice, (h / i2) * twice, (h / i3) * twice, i1 / h, i2 / h, i3 / h, h, h]
}

impl<A: Acts<L>, L: PackedNumber> Push<L> for PlainOver<'_, A, L> {
    #[inline(always)]
    fn gains(&self, h: L) -> Gains<L> {
        of_moments(&self.moments, h)
    }

    #[inline(always)]
    fn push(&self, g: &Gains<L>, at: &Instant<L>, onto: Vector<L>) -> Vector<L> {
        let body = Body::new(&self.inertia, self.lanes);
        let point = Point { m: multiply(at.x, [g[3], g[4], g[5]]), q: at.q };
        add(onto, multiply(self.acts.torque(&body, at.t, &point), [g[0], g[1], g[2]]))
    }
}
