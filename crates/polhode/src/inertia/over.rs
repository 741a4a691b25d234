//! The inertia of bodies as kernels see it: over any number.

use glam::DMat3;
use polhode_elliptic::Dd;
use polhode_number::vector::{
    Matrix, Quaternion, Vector, add, divide, scale, select, subtract, transform, transpose,
};
use polhode_number::{KernelPart, Lift, Number, Splat};

use super::Inertia;

/// What the principal axes of some bodies have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AxesKind {
    /// The moments of all stand in increasing order.
    Sorted,
    /// Those of some are to be sorted.
    Permuted,
    /// Some have tensors.
    Turned,
}

/// How the principal axes stand in the body frame: of one body, of one in each lane, or of one with
/// derivatives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxesOver<N> {
    kind: AxesKind,
    /// Which axis stands first, second and third along the sorted ones, and the other way round.
    order: Vector<N>,
    place: Vector<N>,
    /// -1 where that order is odd: all three axes change sign with it.
    sign: N,
    /// 1 where the body has a tensor, with the matrix from its principal axes to the body frame.
    turned: N,
    matrix: Matrix<N>,
}

impl AxesOver<f64> {
    /// Those of one body.
    pub(super) fn new(order: [usize; 3], sign: f64, matrix: Option<DMat3>) -> Self {
        let place = [0, 1, 2].map(|axis| order.iter().position(|&i| i == axis).unwrap_or(0));
        let kind = match (order, matrix) {
            (_, Some(_)) => AxesKind::Turned,
            ([0, 1, 2], None) => AxesKind::Sorted,
            _ => AxesKind::Permuted,
        };
        Self {
            kind,
            order: order.map(|i| i as f64),
            place: place.map(|i| i as f64),
            sign,
            turned: if matrix.is_some() { 1.0 } else { 0.0 },
            matrix: matrix.unwrap_or_default().to_cols_array_2d(),
        }
    }
}

impl<N: Number> AxesOver<N> {
    /// The same over numbers of another kind. What these bodies do not need is left as it is made of
    /// zero, without asking for it.
    #[inline(always)]
    pub(super) fn map<M: Number>(&self, lift: &mut impl Lift<N, M>) -> AxesOver<M> {
        let zero = [M::splat(0.0); 3];
        let (permuted, turned) = (self.kind > AxesKind::Sorted, self.kind == AxesKind::Turned);
        AxesOver {
            kind: self.kind,
            order: if permuted { lift.vector(self.order) } else { zero },
            place: if permuted { lift.vector(self.place) } else { zero },
            sign: if permuted { lift.lift(self.sign) } else { M::splat(1.0) },
            turned: if turned { lift.lift(self.turned) } else { M::splat(0.0) },
            matrix: if turned { lift.matrix(self.matrix) } else { [zero; 3] },
        }
    }

    /// A vector of the body frame, along the sorted axes.
    #[inline(always)]
    pub(crate) fn enter(&self, v: Vector<N>) -> Vector<N> {
        if self.kind == AxesKind::Sorted {
            return v;
        }
        let mut principal = v;
        if self.kind == AxesKind::Turned {
            principal = select(self.is_turned(), transform(&transpose(&self.matrix), v), v);
        }
        scale(permute(principal, self.order), self.sign)
    }

    /// A vector along the sorted axes, in the body frame.
    #[inline(always)]
    pub(crate) fn leave(&self, v: Vector<N>) -> Vector<N> {
        if self.kind == AxesKind::Sorted {
            return v;
        }
        let principal = permute(scale(v, self.sign), self.place);
        if self.kind == AxesKind::Turned {
            return select(self.is_turned(), transform(&self.matrix, principal), principal);
        }
        principal
    }

    /// A rotation, or a rotation minus one, about an axis among the sorted ones, in the body frame.
    #[inline(always)]
    pub(crate) fn leave_rotation(&self, [w, x, y, z]: Quaternion<N>) -> Quaternion<N> {
        let [x, y, z] = self.leave([x, y, z]);
        [w, x, y, z]
    }

    /// The momentum in the body frame after a step which took it from `before`, in the body frame, to `after`, along
    /// the sorted axes.
    ///
    /// Of a body with a tensor it is the change that is turned back. The rounded matrix is not quite a rotation:
    /// turning the momentum there and back would make it longer, or shorter, by the same 1e-16 in every step.
    #[inline(always)]
    pub(crate) fn leave_after(&self, before: Vector<N>, after: Vector<N>) -> Vector<N> {
        if self.kind < AxesKind::Turned {
            return self.leave(after);
        }
        // Not rare where it happens, but the others are not to save their registers for it.
        core::hint::cold_path();
        N::outline(WayBack { axes: self, before, after })
    }

    /// Where the body has a tensor.
    #[inline(always)]
    fn is_turned(&self) -> N::Mask {
        N::splat(0.5).less(self.turned)
    }
}

/// The momentum of bodies of which some have tensors, after a step: out of line, where it costs the others nothing.
struct WayBack<'a, N> {
    axes: &'a AxesOver<N>,
    before: Vector<N>,
    after: Vector<N>,
}

impl<N: Number> KernelPart for WayBack<'_, N> {
    type Output = Vector<N>;

    #[inline(always)]
    fn run(self) -> Vector<N> {
        let Self { axes, before, after } = self;
        let changed = add(before, axes.leave(subtract(after, axes.enter(before))));
        select(axes.is_turned(), changed, axes.leave(after))
    }
}

/// The component with that number.
#[inline(always)]
fn pick<N: Number>(v: Vector<N>, index: N) -> N {
    let second = N::select(index.less(N::splat(1.5)), v[1], v[2]);
    N::select(index.less(N::splat(0.5)), v[0], second)
}

#[inline(always)]
fn permute<N: Number>(v: Vector<N>, order: Vector<N>) -> Vector<N> {
    [pick(v, order[0]), pick(v, order[1]), pick(v, order[2])]
}

/// The inertia of one body, of one in each lane, or of one with derivatives.
#[derive(Clone, Copy, Debug)]
pub struct InertiaOver<N> {
    axes: AxesOver<N>,
    /// The moments as given, or along the principal axes of a tensor, whose inverse follows.
    moments: Vector<N>,
    inverse: Matrix<N>,
    /// I1 <= I2 <= I3, and I3 - I2, I1 - I3, I2 - I1, rounded once.
    sorted: Vector<N>,
    gaps: Vector<N>,
    /// In a computation with derivatives by the inertia: a tensor of value zero whose slopes say how the
    /// inertia changes. Principal axes have no derivative where moments are equal, so nothing else changes.
    variation: Option<Matrix<N>>,
}

impl InertiaOver<f64> {
    /// The inertia of one body.
    pub fn new(inertia: &Inertia) -> Self {
        let ([i1, i2, i3], frame) = inertia.sorted_frame();
        Self {
            axes: frame.rounded,
            moments: inertia.moments().to_array(),
            inverse: inertia.inverse_matrix().unwrap_or_default().to_cols_array_2d(),
            sorted: [i1, i2, i3].map(Dd::hi),
            gaps: [i3 - i2, i1 - i3, i2 - i1].map(Dd::hi),
            variation: None,
        }
    }

    /// The same with derivatives by I11, I22, I33, I12, I13, I23, as the variables in this order.
    pub(crate) fn varying<N: Number>(&self) -> InertiaOver<N> {
        let seed = |index| N::seeded(0.0, index);
        let [a, b, c, ab, ac, bc] = [0, 1, 2, 3, 4, 5].map(seed);
        let variation = Some([[a, ab, ac], [ab, b, bc], [ac, bc, c]]);
        InertiaOver { variation, ..self.map(&mut Splat) }
    }

    /// The same body, turning with the angular velocity that another inverse gives: that of the part of it which the
    /// momentum belongs to.
    pub(crate) fn with_inverse(mut self, inverse: DMat3) -> Self {
        if self.axes.kind < AxesKind::Turned {
            self.axes.kind = AxesKind::Turned;
            self.axes.matrix = DMat3::IDENTITY.to_cols_array_2d();
            self.axes.turned = 1.0;
        }
        self.inverse = inverse.to_cols_array_2d();
        self
    }

    /// The same, one of several whose axes have this in common.
    pub(crate) fn among(mut self, kind: AxesKind) -> Self {
        self.axes.kind = kind;
        self
    }
}

impl Inertia {
    /// How the principal axes of this body stand in its frame.
    pub(crate) fn kind_of_axes(&self) -> AxesKind {
        self.sorted_frame().1.rounded.kind
    }
}

impl<N: Number> InertiaOver<N> {
    /// How the principal axes of these bodies stand in their frames.
    pub(crate) fn kind_of_axes(&self) -> AxesKind {
        self.axes.kind
    }

    /// These bodies over numbers of another kind, as far as they need them.
    #[inline(always)]
    pub fn map<M: Number>(&self, lift: &mut impl Lift<N, M>) -> InertiaOver<M> {
        let turned = self.axes.kind == AxesKind::Turned;
        InertiaOver {
            axes: self.axes.map(lift),
            moments: lift.vector(self.moments),
            inverse: if turned { lift.matrix(self.inverse) } else { [[M::splat(0.0); 3]; 3] },
            sorted: lift.vector(self.sorted),
            gaps: lift.vector(self.gaps),
            variation: match self.variation {
                Some(variation) if N::VARIES => Some(lift.matrix(variation)),
                _ => None,
            },
        }
    }

    /// The angular velocity `I^-1 m`, in the body frame.
    #[inline(always)]
    pub fn omega(&self, m: Vector<N>) -> Vector<N> {
        let omega = self.divided(m);
        match self.variation {
            Some(variation) if N::VARIES => {
                subtract(omega, self.divided(transform(&variation, omega)))
            }
            _ => omega,
        }
    }

    /// How the inertia changes times a vector of the body frame, in a computation with derivatives by the
    /// inertia: what a kernel adds that takes moments and axes apart. Its value is zero.
    #[inline(always)]
    pub(crate) fn variation(&self, u: Vector<N>) -> Option<Vector<N>> {
        match &self.variation {
            Some(variation) if N::VARIES => Some(transform(variation, u)),
            _ => None,
        }
    }

    #[inline(always)]
    fn divided(&self, m: Vector<N>) -> Vector<N> {
        let divided = divide(m, self.moments);
        if self.axes.kind == AxesKind::Turned {
            return select(self.axes.is_turned(), transform(&self.inverse, m), divided);
        }
        divided
    }

    /// The principal moments in increasing order, I1 <= I2 <= I3.
    #[inline(always)]
    pub fn sorted_moments(&self) -> Vector<N> {
        self.sorted
    }

    /// I3 - I2, I1 - I3 and I2 - I1 of the sorted moments, each as accurate as a double can be.
    #[inline(always)]
    pub fn gaps(&self) -> Vector<N> {
        self.gaps
    }

    /// A vector of the body frame, along the sorted axes.
    #[inline(always)]
    pub fn enter(&self, v: Vector<N>) -> Vector<N> {
        self.axes.enter(v)
    }

    /// A vector along the sorted axes, in the body frame.
    #[inline(always)]
    pub fn leave(&self, v: Vector<N>) -> Vector<N> {
        self.axes.leave(v)
    }

    /// How the principal axes stand in the body frame.
    #[inline(always)]
    pub(crate) fn axes(&self) -> &AxesOver<N> {
        &self.axes
    }
}
