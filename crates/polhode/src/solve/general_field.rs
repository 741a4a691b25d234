//! Any torque on any body, as the lanes of the extrapolation see it: called out of line.

use polhode_number::vector::{
    Matrix, Quaternion, Vector, add, multiply, product, transform, transpose,
};
use polhode_number::{KernelPart, Lift, PackedNumber, Splat};

use super::field::{Field, Gains, Instant, Push, of_moments};
use crate::inertia::AxesKind;
use crate::torque::{Acts, Body, Record};
use crate::{Inertia, InertiaOver, Point, Torque, so3};

/// What acts, called at every evaluation.
pub(super) trait AnyTorque: Send + Sync {
    /// It may call functions of the user's.
    const CALLS: bool;

    /// Whether this one calls any.
    fn calls_functions(&self) -> bool {
        Self::CALLS
    }

    /// The torque in the body frame.
    fn torque<L: PackedNumber>(&self, body: &Body<'_, L>, t: L, at: &Point<L>) -> Vector<L>;
}

impl AnyTorque for Torque {
    const CALLS: bool = true;

    fn calls_functions(&self) -> bool {
        Torque::calls_functions(self)
    }

    #[inline(always)]
    fn torque<L: PackedNumber>(&self, body: &Body<'_, L>, t: L, at: &Point<L>) -> Vector<L> {
        Torque::torque(self, body, t, at)
    }
}

/// One model alone.
pub(super) struct ByRecord<R>(pub(super) R);

impl<R: Record + Send + Sync> AnyTorque for ByRecord<R> {
    const CALLS: bool = false;

    #[inline(always)]
    fn torque<L: PackedNumber>(&self, body: &Body<'_, L>, t: L, at: &Point<L>) -> Vector<L> {
        self.0.over(&mut Splat).torque(body, t, at)
    }
}

/// Any torque on any body: called out of line at every evaluation.
pub(super) struct General<A> {
    acting: A,
    inertia: Inertia,
    over: InertiaOver<f64>,
    /// From principal axes to the body frame, as a quaternion and as a matrix, where they differ.
    axes: Option<(Quaternion<f64>, Matrix<f64>)>,
}

impl<A> General<A> {
    pub(super) fn new(inertia: &Inertia, acting: A) -> Self {
        let matrix = inertia.axes_matrix();
        let axes = matrix.map(|m| (so3::to_wxyz(inertia.axes()), m.to_cols_array_2d()));
        Self { acting, inertia: *inertia, over: InertiaOver::new(inertia), axes }
    }
}

impl<A: AnyTorque> Field for General<A> {
    const CALLS: bool = A::CALLS;

    type Over<'a, L: PackedNumber>
        = GeneralOver<'a, A, L>
    where
        A: 'a;

    #[inline(always)]
    fn over<L: PackedNumber>(&self, lift: &mut impl Lift<f64, L>) -> GeneralOver<'_, A, L> {
        let axes = |(turn, matrix): (Quaternion<f64>, Matrix<f64>)| {
            let [w, x, y, z] = turn;
            let ([x, y, z], w) = (lift.vector([-x, -y, -z]), lift.lift(w));
            ([w, x, y, z], lift.matrix(matrix))
        };
        GeneralOver {
            field: self,
            axes: self.axes.map(axes),
            inertia: self.over.map(lift),
            moments: lift.vector(self.inertia.moments().to_array()),
        }
    }

    fn side_by_side(&self) -> Option<AxesKind> {
        (!self.acting.calls_functions()).then(|| self.over.kind_of_axes())
    }
}

/// [`General`] in lanes.
pub(super) struct GeneralOver<'a, A, L> {
    field: &'a General<A>,
    /// From the body frame to principal axes, and the matrix back.
    axes: Option<(Quaternion<L>, Matrix<L>)>,
    inertia: InertiaOver<L>,
    moments: Vector<L>,
}

impl<A: AnyTorque, L: PackedNumber> Push<L> for GeneralOver<'_, A, L> {
    #[inline(always)]
    fn gains(&self, h: L) -> Gains<L> {
        of_moments(&self.moments, h)
    }

    #[inline(always)]
    fn push(&self, g: &Gains<L>, at: &Instant<L>, onto: Vector<L>) -> Vector<L> {
        let m = multiply(at.x, [g[3], g[4], g[5]]);
        let torque = L::outline(TorqueEvaluation { of: self, t: at.t, m, q: at.q });
        add(onto, multiply(torque, [g[0], g[1], g[2]]))
    }
}

/// The torque along the principal axes; run out of line.
struct TorqueEvaluation<'a, A, L> {
    of: &'a GeneralOver<'a, A, L>,
    t: L,
    m: Vector<L>,
    q: Quaternion<L>,
}

impl<A: AnyTorque, L: PackedNumber> KernelPart for TorqueEvaluation<'_, A, L> {
    type Output = Vector<L>;

    #[inline(always)]
    fn run(self) -> Vector<L> {
        let Self { of: GeneralOver { field, axes, inertia, .. }, t, m, q } = self;
        let body = Body::new(inertia, core::slice::from_ref(&field.inertia));
        let Some((back, matrix)) = axes else {
            return field.acting.torque(&body, t, &Point { m, q });
        };
        let at = Point { m: transform(matrix, m), q: product(q, *back) };
        transform(&transpose(matrix), field.acting.torque(&body, t, &at))
    }
}
