//! Steps in the units of a body: what leads from a momentum and a step to a rotor's kernel and back.
//!
//! A kernel computes in units in which body and momentum are of order one, or near enough. They are powers
//! of two: products are what `ldexp` would give, and every operation of a kernel has the same digits in any
//! such unit. So there is no other unit of momentum where it is within the kernels' range anyway.

use polhode_elliptic::Dd;
use polhode_number::vector::{Quaternion, Vector, add, largest, scale, select, turn};
use polhode_number::{Lift, Number};

use crate::inertia::{AxesOver, PrincipalFrame};
use crate::scale::{exponent, ldexp, ldexp_dd};
use crate::tangent::TangentRotor;
use crate::{Inertia, Point, State};

/// Momenta of these sizes need no unit of their own: twelfth powers of them are in range.
const LEAST: f64 = 1e-20;
const MOST: f64 = 1e20;

/// The kernel of a rotor over numbers of one kind, with its constants of a body.
pub(crate) trait UnitStep<N: Number> {
    /// What a step does to a body.
    type Effect;

    /// Whether [`UnitStep::change`] gives what is added to the momentum, not the momentum.
    const ADDS: bool;

    /// The step of length h from the momentum m along the sorted axes, and where this is it: elsewhere it
    /// is too long, or an equation was not solved. The size of m is at least its largest component.
    fn step(&self, m: Vector<N>, h: N, size: N) -> (Self::Effect, N::Mask);

    /// The momentum after the step, or what is added to it, and the rotation minus one.
    fn change(increment: &Self::Effect) -> (Vector<N>, Quaternion<N>);
}

/// The constants of a kernel for one body: a record of numbers that exists over any number.
pub(crate) trait UnitKernel: UnitStep<f64> {
    /// The same over other numbers.
    type Over<N: Number>: UnitStep<N>;

    /// The constants with every number lifted, in the order of the fields.
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> Self::Over<N>;
}

/// The kernel of a rotor with its parameters, before it knows a body.
pub(crate) trait RotorKernel: Copy {
    /// Its constants of a body.
    type BodyKernel: UnitKernel + Send + Sync + 'static;

    /// Nothing but the layout of these, for [`UnitKernel::over`].
    fn layout(self) -> Self::BodyKernel;

    /// What it needs of a body.
    fn unit_body(self, inertia: &Inertia) -> UnitBody<Self::BodyKernel>;

    /// How its steps are differentiated: by the kernel over numbers with derivatives, if there is no better way.
    fn tangent_rotor(self, inertia: &Inertia) -> TangentRotor {
        TangentRotor::Kernel(Box::new(self.unit_body(inertia)))
    }
}

/// A kernel that knows beforehand how far it goes.
pub(super) trait Reaches {
    /// Whether it can do a step of this length from a momentum of this size.
    fn reaches(&self, h: f64, size: f64) -> bool;
}

/// A momentum and a step in units of the kernel.
pub(crate) struct ScaledStep<N: Number> {
    pub(crate) m: Vector<N>,
    pub(crate) h: N,
    /// The sum of its components' magnitudes, at least the largest of them.
    pub(crate) size: N,
    /// The unit of momentum; none if that is the caller's in all lanes.
    power: Option<N>,
    /// The lanes whose body is at rest.
    pub(crate) rest: N::Mask,
    /// Where all this holds: elsewhere numbers are near the ends of the range, or not finite.
    pub(crate) usable: N::Mask,
}

impl<N: Number> ScaledStep<N> {
    /// The step of length h, for a body whose moments were multiplied by that power of two.
    #[inline(always)]
    pub(crate) fn new(m: Vector<N>, h: N, inertia_scale: N) -> Self {
        // A sum, which also knows of a NaN.
        let sum = m[0].abs() + m[1].abs() + m[2].abs();
        let h = h * inertia_scale;
        let sound = N::splat(1e-300).less(h.abs()) & h.abs().less(N::splat(1e300));
        let moderate = sound & N::splat(LEAST).less(sum) & sum.less(N::splat(MOST));
        if N::all(moderate) {
            let rest = sum.less(N::splat(0.0));
            return Self { m, h, size: sum, power: None, rest, usable: moderate };
        }
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        let sound = sound & sum.less(N::splat(1e290));
        let usable = sound & N::splat(1e-290).less(sum);
        let (power, inverse) = largest(m).power_of_two();
        Self {
            m: select(usable, scale(m, inverse), [one, zero, zero]),
            h: N::select(usable, h * power, zero),
            size: sum * inverse,
            power: Some(power),
            // Zero alone: a thread that takes subnormals for zero has no number between the two to compare with.
            rest: sound & (sum * N::splat(1e300)).less(N::splat(f64::MIN_POSITIVE)),
            usable,
        }
    }

    /// Where a step from this point ends, and in which lanes the kernel could do it.
    #[inline(always)]
    pub(crate) fn end<K: UnitStep<N>>(
        &self,
        kernel: &K,
        axes: &AxesOver<N>,
        at: &Point<N>,
    ) -> (Point<N>, N::Mask) {
        let (increment, done) = kernel.step(self.m, self.h, self.size);
        let (m, r) = K::change(&increment);
        (arrive::<N, K>(axes, at, self.restore(m), r), done)
    }

    /// Back in the caller's unit.
    #[inline(always)]
    pub(crate) fn restore(&self, v: Vector<N>) -> Vector<N> {
        match self.power {
            None => v,
            Some(power) => scale(v, power),
        }
    }
}

/// Where a step ends that was begun there: with a momentum, or what is added to it, and a rotation minus one along the
/// sorted axes.
#[inline(always)]
fn arrive<N: Number, K: UnitStep<N>>(
    axes: &AxesOver<N>,
    at: &Point<N>,
    m: Vector<N>,
    r: Quaternion<N>,
) -> Point<N> {
    let m = if K::ADDS { add(at.m, axes.leave(m)) } else { axes.leave_after(at.m, m) };
    Point { m, q: turn(at.q, axes.leave_rotation(r)) }
}

/// What a kernel needs of one body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitBody<K> {
    pub(crate) kernel: K,
    /// The moments in the kernel's unit are the true ones times this; zero for a body for which only
    /// [`UnitBody::rare`] can tell.
    pub(crate) inertia_scale: f64,
    inertia_exponent: i32,
    in_range: bool,
    frame: PrincipalFrame,
}

/// Why a step of one body is not done.
pub(super) enum UnitFailure<I> {
    /// The kernel could not do a step of that length in its own unit.
    Kernel { increment: I, h: f64 },
    /// Numbers are not finite, or the body is too slender.
    OutOfRange,
}

/// What a step does, and the power of two that is the unit of its momentum; none if nothing moves.
type UnitChange<I> = Result<Option<(I, i32)>, UnitFailure<I>>;

impl<K: UnitKernel> UnitBody<K> {
    /// The constants of a body, from its sorted moments in units in which the given one of them is in [1, 2).
    pub(super) fn new(inertia: &Inertia, unit: usize, kernel: impl FnOnce([Dd; 3]) -> K) -> Self {
        let (moments, frame) = inertia.sorted_frame();
        let inertia_exponent = exponent(moments[unit].hi());
        let in_range = inertia.can_be_stepped();
        let inertia_scale = ldexp(1.0, -inertia_exponent);
        let ordinary = in_range && (1e-280..1e280).contains(&inertia_scale);
        Self {
            kernel: kernel(moments.map(|i| ldexp_dd(i, -inertia_exponent))),
            inertia_scale: if ordinary { inertia_scale } else { 0.0 },
            inertia_exponent,
            in_range,
            frame,
        }
    }

    /// A vector of the body frame, along the sorted axes.
    #[inline(always)]
    pub(super) fn enter(&self, v: glam::DVec3) -> [f64; 3] {
        self.frame.enter_rounded(v)
    }

    /// A vector along the sorted axes, in the body frame.
    #[inline(always)]
    pub(super) fn leave(&self, v: [f64; 3]) -> glam::DVec3 {
        self.frame.leave_rounded(v)
    }

    /// A rotation minus one, along the sorted axes, in the body frame.
    #[inline(always)]
    pub(super) fn leave_rotation(&self, [w, x, y, z]: [f64; 4]) -> glam::DQuat {
        let v = self.leave([x, y, z]);
        glam::DQuat::from_xyzw(v.x, v.y, v.z, w)
    }

    /// Where a step ends that did this, in the caller's units.
    #[inline(always)]
    pub(super) fn end(&self, state: &State, (m, r): (Vector<f64>, Quaternion<f64>)) -> State {
        arrive::<f64, K>(&self.frame.rounded, &Point::from(state), m, r).into()
    }

    /// The frame of the sorted axes.
    pub(crate) fn frame(&self) -> &PrincipalFrame {
        &self.frame
    }

    /// The step in units of the kernel, if those of the momentum are the caller's and it is not a long one.
    #[inline(always)]
    pub(super) fn ordinary(&self, h: f64, m: [f64; 3]) -> Option<f64>
    where
        K: Reaches,
    {
        let scaled = ScaledStep::new(m, h, self.inertia_scale);
        let usable = scaled.usable && scaled.power.is_none();
        (usable && self.kernel.reaches(scaled.h, scaled.size)).then_some(scaled.h)
    }

    /// Advances a state by h.
    #[inline(always)]
    pub(super) fn advance(&self, h: f64, state: &mut State) -> Result<(), UnitFailure<K::Effect>> {
        let (axes, at) = (&self.frame.rounded, Point::from(&*state));
        let scaled = ScaledStep::new(axes.enter(at.m), h, self.inertia_scale);
        if scaled.usable && scaled.power.is_none() {
            let (end, done) = scaled.end(&self.kernel, axes, &at);
            if done {
                *state = end.into();
                return Ok(());
            }
        }
        self.advance_rarely(h, state)
    }

    /// The same by [`UnitBody::rare`]; with it in one function the common way has more to keep in registers.
    #[cold]
    #[inline(never)]
    fn advance_rarely(&self, h: f64, state: &mut State) -> Result<(), UnitFailure<K::Effect>> {
        if let Some((increment, exponent)) = self.rare(h, self.enter(state.m))? {
            let (m, r) = K::change(&increment);
            *state = self.end(state, (restored(m, exponent), r));
        }
        Ok(())
    }

    /// What a step from a momentum along the sorted axes does.
    #[inline(always)]
    pub(super) fn step(&self, h: f64, m: [f64; 3]) -> UnitChange<K::Effect> {
        let scaled = ScaledStep::new(m, h, self.inertia_scale);
        if scaled.usable && scaled.power.is_none() {
            let (increment, done) = self.kernel.step(m, scaled.h, scaled.size);
            if done {
                return Ok(Some((increment, 0)));
            }
        }
        self.rare(h, m)
    }

    /// The same for numbers near the ends of the range, rest, what is not finite, or what was not done: at
    /// the limit itself the size in powers of two decides.
    #[cold]
    #[inline(never)]
    fn rare(&self, h: f64, m: [f64; 3]) -> UnitChange<K::Effect> {
        if !(self.in_range && h.is_finite() && m.iter().all(|x| x.is_finite())) {
            return Err(UnitFailure::OutOfRange);
        }
        let largest = m[0].abs().max(m[1].abs()).max(m[2].abs());
        if largest == 0.0 {
            return Ok(None);
        }
        let exponent = exponent(largest);
        let h = ldexp(h, exponent - self.inertia_exponent);
        let (increment, done) = self.kernel.step(m.map(|x| ldexp(x, -exponent)), h, 1.0);
        if done {
            Ok(Some((increment, exponent)))
        } else {
            Err(UnitFailure::Kernel { increment, h })
        }
    }
}

/// A momentum in the caller's units.
#[inline(always)]
pub(super) fn restored(v: [f64; 3], exponent: i32) -> [f64; 3] {
    if exponent == 0 { v } else { v.map(|x| ldexp(x, exponent)) }
}
