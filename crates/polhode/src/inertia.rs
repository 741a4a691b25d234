//! Moments of inertia: validation, principal axes, signed permutations.

use glam::{DMat3, DQuat, DVec3};
use polhode_elliptic::Dd;

use crate::scale;

mod frame;
mod over;
mod principal_axes;

pub(crate) use frame::PrincipalFrame;
pub use over::InertiaOver;
pub(crate) use over::{AxesKind, AxesOver};

/// How far a tensor may be from symmetric, relative to its largest entry.
const SYMMETRY: f64 = 1e-12;
/// How many ulps of the largest moment the triangle inequality may be missed by.
const TRIANGLE_ULPS: f64 = 8.0;

/// Largest ratio of moments that rotors take: their kernels form its fourth power.
const MAX_ROTOR_RATIO: f64 = 1e60;

/// The inertia of a rigid body about its centre of mass (or fixed point).
///
/// # Conventions
/// Principal moments in any order, with the body frame along the principal axes; or a full
/// symmetric tensor, which is diagonalised while momenta and attitudes stay in the caller's frame.
/// Units are the caller's: nothing here has an absolute threshold. Moments and axes are held in
/// double-double, so that a long motion does not see the rounding of the diagonalisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    moments: [Dd; 3],
    axes: Option<Axes>,
    physical: bool,
}

/// Principal axes that are not those of the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axes {
    /// Takes principal to body coordinates; (w, x, y, z).
    rotation: [Dd; 4],
    /// The same, rounded.
    matrix: DMat3,
    /// The tensor as given (symmetrised) and its inverse, rounded once: a product with them is more
    /// accurate, and cheaper, than one with moments and rounded axes.
    tensor: DMat3,
    inverse: DMat3,
}

/// What can be wrong with an inertia.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InertiaError {
    /// A moment or entry is infinite or NaN.
    #[error("inertia: {value:?} at position {position} is not finite")]
    NotFinite {
        /// Where, counted from 1 (row by row in a tensor).
        position: usize,
        /// The number that is infinite or NaN.
        value: f64,
    },
    /// A principal moment is zero or negative.
    #[error("inertia: principal moments {moments:?}: each must be positive")]
    NotPositive {
        /// The moments, as given or as diagonalised.
        moments: [f64; 3],
    },
    /// A tensor is not symmetric.
    #[error(
        "inertia: the tensor is not symmetric: entry ({row},{column}) = {upper:?} but \
         ({column},{row}) = {lower:?} (allowed difference: 1e-12 of the largest entry)"
    )]
    NotSymmetric {
        /// Row, counted from 1.
        row: usize,
        /// Column, counted from 1.
        column: usize,
        /// The entry above the diagonal.
        upper: f64,
        /// The entry at the mirrored place below the diagonal.
        lower: f64,
    },
    /// No distribution of mass has these moments.
    #[error(
        "inertia: principal moments {moments:?}: no body has these, the largest exceeds the sum of \
         the other two (allow unphysical inertia to compute with them all the same)"
    )]
    Impossible {
        /// The moments, as given or as diagonalised.
        moments: [f64; 3],
    },
    /// Neither three moments nor nine entries.
    #[error(
        "inertia: {count} numbers given; needed: 3 principal moments, or all 9 entries of a tensor \
         row by row (each product of inertia twice)"
    )]
    WrongCount {
        /// How many there were.
        count: usize,
    },
}

impl Inertia {
    /// The inertia with these principal moments, in any order, along the axes of the body frame.
    ///
    /// # Errors
    /// [`InertiaError`] unless all are positive and finite and a body can have them (triangle
    /// inequality, with 8 ulp to spare; equality, a flat body, is fine).
    ///
    /// ```
    /// use polhode::Inertia;
    /// assert!(Inertia::principal([1.0, 2.0, 3.0]).is_ok()); // a flat body
    /// let error = Inertia::principal([1.0, 5.0, -6.0]).unwrap_err();
    /// assert!(error.to_string().contains("must be positive"));
    /// ```
    pub fn principal(moments: impl Into<DVec3>) -> Result<Self, InertiaError> {
        Self::principal_unphysical(moments)?.require_physical()
    }

    /// As [`Inertia::principal`], also for moments that no body can have.
    ///
    /// The equations do not mind, and the literature uses such moments.
    ///
    /// # Errors
    /// [`InertiaError`] unless all are positive and finite.
    pub fn principal_unphysical(moments: impl Into<DVec3>) -> Result<Self, InertiaError> {
        let moments = moments.into().to_array();
        check_finite(&moments)?;
        Self::from_parts(moments.map(Dd::from), None)
    }

    /// The inertia with this tensor (symmetric to 1e-12 of its largest entry), in the body frame.
    ///
    /// It is the matrix of `m = I omega`: off the diagonal stand *minus* the integrals of xy, yz, zx
    /// over the mass. Programs that export "products of inertia" often leave out that sign.
    ///
    /// # Errors
    /// [`InertiaError`] unless it is finite, symmetric, positive definite, and of a possible body.
    ///
    /// ```
    /// use polhode::Inertia;
    /// let i = Inertia::tensor([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 3.0]])?;
    /// let mut moments = i.moments().to_array();
    /// moments.sort_by(f64::total_cmp);
    /// assert_eq!(moments, [1.0, 3.0, 3.0]);
    /// # Ok::<(), polhode::InertiaError>(())
    /// ```
    pub fn tensor(rows: [[f64; 3]; 3]) -> Result<Self, InertiaError> {
        Self::tensor_unphysical(rows)?.require_physical()
    }

    /// As [`Inertia::tensor`], also for tensors that no body can have.
    ///
    /// # Errors
    /// [`InertiaError`] unless it is finite, symmetric and positive definite.
    pub fn tensor_unphysical(rows: [[f64; 3]; 3]) -> Result<Self, InertiaError> {
        check_finite(rows.as_flattened())?;
        let largest = rows.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for (r, c) in [(0, 1), (0, 2), (1, 2)] {
            let (upper, lower) = (rows[r][c], rows[c][r]);
            if (upper - lower).abs() > SYMMETRY * largest {
                return Err(InertiaError::NotSymmetric { row: r + 1, column: c + 1, upper, lower });
            }
        }
        if largest == 0.0 {
            return Err(InertiaError::NotPositive { moments: [0.0; 3] });
        }
        let (moments, rotation) = principal_axes::diagonalise(rows, scale::exponent(largest));
        Self::from_parts(moments, rotation.map(|r| Axes::new(r, moments, rows)))
    }

    /// The inertia from three principal moments or the nine entries of a tensor, row by row.
    ///
    /// # Errors
    /// [`InertiaError`] as for [`Inertia::principal`] and [`Inertia::tensor`], or for another count.
    pub fn from_slice(numbers: &[f64], allow_unphysical: bool) -> Result<Self, InertiaError> {
        let inertia = match *numbers {
            [a, b, c] => Self::principal_unphysical([a, b, c])?,
            [a, b, c, d, e, f, g, h, i] => {
                Self::tensor_unphysical([[a, b, c], [d, e, f], [g, h, i]])?
            }
            _ => {
                return Err(InertiaError::WrongCount { count: numbers.len() });
            }
        };
        if allow_unphysical { Ok(inertia) } else { inertia.require_physical() }
    }

    fn from_parts(moments: [Dd; 3], axes: Option<Axes>) -> Result<Self, InertiaError> {
        let rounded = moments.map(Dd::hi);
        if rounded.iter().any(|&x| x <= 0.0) {
            return Err(InertiaError::NotPositive { moments: rounded });
        }
        if let Some(i) = rounded.iter().position(|x| !x.is_finite()) {
            return Err(InertiaError::NotFinite { position: i + 1, value: rounded[i] });
        }
        let [a, b, c] = sorted(moments);
        // Halved, so that the sum of the two largest doubles is still one.
        let missing = (c.scale(0.5) - a.scale(0.5) - b.scale(0.5)).hi();
        let ulp = c.hi() - c.hi().next_down();
        let physical = missing <= 0.5 * TRIANGLE_ULPS * ulp;
        Ok(Self { moments, axes, physical })
    }

    fn require_physical(self) -> Result<Self, InertiaError> {
        if self.physical {
            return Ok(self);
        }
        Err(InertiaError::Impossible { moments: self.moments.map(Dd::hi) })
    }

    /// The principal moments: in the order given, or in that of [`Inertia::axes`].
    pub fn moments(&self) -> DVec3 {
        DVec3::from_array(self.moments.map(Dd::hi))
    }

    /// The rotation from principal to body coordinates; the identity for principal moments.
    pub fn axes(&self) -> DQuat {
        match &self.axes {
            None => DQuat::IDENTITY,
            Some(axes) => crate::so3::from_wxyz(axes.rotation.map(Dd::hi)),
        }
    }

    /// True if some distribution of mass has these moments.
    pub fn is_physical(&self) -> bool {
        self.physical
    }

    /// The angular velocity `I^-1 m`, in the body frame.
    #[inline]
    pub fn omega(&self, m: impl Into<DVec3>) -> DVec3 {
        match &self.axes {
            None => m.into() / self.moments(),
            Some(axes) => axes.inverse * m.into(),
        }
    }

    /// The angular momentum `I omega`, in the body frame.
    #[inline]
    pub fn momentum(&self, omega: impl Into<DVec3>) -> DVec3 {
        match &self.axes {
            None => omega.into() * self.moments(),
            Some(axes) => axes.tensor * omega.into(),
        }
    }

    /// The matrix that [`Inertia::omega`] multiplies by, where it does not divide by the moments.
    pub(crate) fn inverse_matrix(&self) -> Option<DMat3> {
        self.axes.map(|axes| axes.inverse)
    }

    /// The matrix from principal axes to the body frame, where they differ.
    pub(crate) fn axes_matrix(&self) -> Option<DMat3> {
        self.axes.map(|axes| axes.matrix)
    }

    /// `I^-1 (m x I^-1 m)`, along the principal axes by the differences of the moments: of a nearly
    /// spherical body m and omega are nearly parallel, and their product would cancel.
    pub(crate) fn acceleration(&self, m: DVec3) -> DVec3 {
        let frame = self.principal_frame();
        let m = frame.enter_rounded(m);
        let entry = |j: usize, k: usize, i: usize| {
            let gap = (self.moments[j] - self.moments[k]).hi();
            // Quotients first: a product of two momenta may leave the range of doubles.
            let moments = self.moments.map(Dd::hi);
            (m[j] / moments[j]) * (m[k] / moments[k]) * (gap / moments[i])
        };
        frame.leave_rounded([entry(1, 2, 0), entry(2, 0, 1), entry(0, 1, 2)])
    }

    /// The frame of the principal axes, in their own order.
    pub(crate) fn principal_frame(&self) -> PrincipalFrame {
        PrincipalFrame::new([0, 1, 2], self.axes)
    }

    /// A vector of the body frame, along the principal axes in the order of the moments.
    pub(crate) fn enter_principal(&self, v: DVec3) -> [f64; 3] {
        match self.axes {
            None => v.to_array(),
            Some(_) => self.principal_frame().enter_rounded(v),
        }
    }

    /// A vector along the principal axes in the order of the moments, in the body frame.
    pub(crate) fn leave_principal(&self, v: [f64; 3]) -> DVec3 {
        match self.axes {
            None => v.into(),
            Some(_) => self.principal_frame().leave_rounded(v),
        }
    }

    /// (I2 - I3)/I1, (I3 - I1)/I2 and (I1 - I2)/I3, by differences of the exact moments.
    pub(crate) fn gap_ratios(&self) -> [f64; 3] {
        let [a, b, c] = self.moments;
        [(b - c).hi() / a.hi(), (c - a).hi() / b.hi(), (a - b).hi() / c.hi()]
    }

    /// True if a rotor can step this body: powers of the moments' ratio stay within doubles.
    pub(crate) fn can_be_stepped(&self) -> bool {
        let [least, _, greatest] = sorted(self.moments).map(Dd::hi);
        greatest / least <= MAX_ROTOR_RATIO
    }

    /// The moments in increasing order and the frame in which they stand so.
    pub(crate) fn sorted_frame(&self) -> ([Dd; 3], PrincipalFrame) {
        let frame = PrincipalFrame::new(ascending(self.moments), self.axes);
        (frame.order.map(|i| self.moments[i]), frame)
    }
}

impl Axes {
    fn new(rotation: [Dd; 4], moments: [Dd; 3], rows: [[f64; 3]; 3]) -> Self {
        let q = crate::so3::from_wxyz(rotation.map(Dd::hi));
        // Symmetric, so that rows and columns are the same; means exact up to the last rounding.
        let mean = |r: usize, c: usize| 0.5 * rows[r][c] + 0.5 * rows[c][r];
        let column = |c: usize| DVec3::from_array([0, 1, 2].map(|r| mean(r, c)));
        Self {
            rotation,
            matrix: DMat3::from_quat(q),
            tensor: DMat3::from_cols(column(0), column(1), column(2)),
            inverse: principal_axes::turned_diagonal(rotation, moments.map(|i| Dd::ONE / i)),
        }
    }
}

fn check_finite(numbers: &[f64]) -> Result<(), InertiaError> {
    match numbers.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(i) => Err(InertiaError::NotFinite { position: i + 1, value: numbers[i] }),
    }
}

fn ascending(moments: [Dd; 3]) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| {
        moments[i]
            .hi()
            .total_cmp(&moments[j].hi())
            .then(moments[i].lo().total_cmp(&moments[j].lo()))
    });
    order
}

fn sorted(moments: [Dd; 3]) -> [Dd; 3] {
    ascending(moments).map(|i| moments[i])
}
