//! The differential equations of the free rigid body, in variables that keep their digits.

use polhode_elliptic::Dd;

use super::dd_math::dot;

/// Relative distance from the separatrix below which [`MomentumForm::Split`] is used.
const SPLIT_BELOW: f64 = 0.05;

/// The equations of one body.
#[derive(Clone, Debug)]
pub(crate) struct VectorField {
    pub(crate) form: MomentumForm,
    /// `1/(2 I_i)`.
    pub(crate) half_inverse: [Dd; 3],
    /// Order of the Taylor series.
    pub(crate) order: usize,
}

/// The variables y of the momentum.
///
/// Count axes by ascending moments; `m1' = c1 m2 m3` and `m3' = c3 m1 m2`, where c1 and c3 have the
/// same sign s. With p = sqrt |c3| and r = sqrt |c1|, the combinations u = r m3 - p m1 and
/// v = r m3 + p m1 satisfy `u' = -s p r m2 u` and `v' = s p r m2 v`.
///
/// Their product is the distance from the separatrix, which decides when the body turns over. From
/// m1 and m3 it comes by cancellation; as variables, u and v keep their digits however small they
/// are. Near a symmetric body, where p or r is small, m1 and m3 do.
#[derive(Clone, Debug)]
pub(crate) enum MomentumForm {
    /// y = m: `m_i' = coupling_i m_j m_k`, (i,j,k) cyclic.
    Plain { coupling: [Dd; 3] },
    /// u at the place of the smallest moment, v at that of the largest.
    Split {
        axes: [usize; 3],
        /// `v' = rate m2 v`, `u' = -rate m2 u`.
        rate: Dd,
        /// `m2' = gain (v^2 - u^2)`.
        gain: Dd,
        /// 1/(2p) and 1/(2r).
        unsplit: [Dd; 2],
    },
}

impl VectorField {
    /// The equations of a body with the given moments, and the variables of the momentum `m`.
    pub(crate) fn new(inertia: [Dd; 3], m: [Dd; 3], order: usize) -> (Self, [Dd; 3]) {
        let half_inverse = inertia.map(|moment| Dd::from(0.5) / moment);
        let coupling = coupling(&inertia);
        let (form, y) = MomentumForm::split(&inertia, &m, &coupling)
            .unwrap_or((MomentumForm::Plain { coupling }, m));
        let field = Self { form, half_inverse, order };
        (field, y)
    }

    /// The momentum that belongs to the variables `y`; linear.
    #[inline]
    pub(crate) fn momentum(&self, y: [Dd; 3]) -> [Dd; 3] {
        match &self.form {
            MomentumForm::Plain { .. } => y,
            MomentumForm::Split { axes, unsplit, .. } => {
                let [first, middle, last] = *axes;
                let mut m = [Dd::ZERO; 3];
                m[first] = (y[last] - y[first]) * unsplit[0];
                m[middle] = y[middle];
                m[last] = (y[last] + y[first]) * unsplit[1];
                m
            }
        }
    }
}

impl MomentumForm {
    /// The split form, for a momentum near the separatrix.
    fn split(inertia: &[Dd; 3], m: &[Dd; 3], coupling: &[Dd; 3]) -> Option<(Self, [Dd; 3])> {
        let axes @ [first, middle, last] = ascending(inertia);
        let (p2, r2) = (coupling[last].abs(), coupling[first].abs());
        // Not as a difference of squares of rounded roots: this is exact where the products are,
        // and a body on the separatrix stays there.
        let [i1, i2, i3] = axes.map(|axis| inertia[axis]);
        let product = ((i3 - i2) * i1 * m[last].square() - (i2 - i1) * i3 * m[first].square())
            / (i1 * i2 * i3);
        // Also for a symmetric body, where p or r vanishes.
        let near = (product.abs() * (p2 + r2)).hi() < SPLIT_BELOW * (p2 * r2 * dot(m, m)).hi();
        if !near {
            return None;
        }
        let (p, r) = (p2.sqrt(), r2.sqrt());
        let (x, z) = (p * m[first], r * m[last]);
        let (u, v) = if (x.hi() > 0.0) == (z.hi() > 0.0) {
            let v = x + z;
            (ratio(product, v), v)
        } else {
            let u = z - x;
            (u, ratio(product, u))
        };
        let mut y = *m;
        y[first] = u;
        y[last] = v;
        let rate = p * r;
        let form = Self::Split {
            axes,
            rate: if coupling[first].hi() < 0.0 { -rate } else { rate },
            gain: coupling[middle] / (rate * 4.0),
            unsplit: [p, r].map(|root| Dd::from(0.5) / root),
        };
        Some((form, y))
    }
}

/// `a/b`, or zero on the axis, where both are.
fn ratio(a: Dd, b: Dd) -> Dd {
    if b == Dd::ZERO { Dd::ZERO } else { a / b }
}

/// The axes in the order of ascending moments.
pub(crate) fn ascending(inertia: &[Dd; 3]) -> [usize; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| {
        let order = inertia[a].partial_cmp(&inertia[b]);
        order.expect("moments are numbers")
    });
    axes
}

/// The factors `c_i` of `m_i' = c_i m_j m_k`.
pub(crate) fn coupling(inertia: &[Dd; 3]) -> [Dd; 3] {
    core::array::from_fn(|i| {
        let (second, third) = (inertia[(i + 1) % 3], inertia[(i + 2) % 3]);
        // Not 1/third - 1/second, which cancels for nearly equal moments.
        (second - third) / (second * third)
    })
}
