//! Butcher tableaux: the coefficients of Runge-Kutta methods, explicit and implicit.
//!
//! # References
//! The Euler, midpoint and trapezoidal tableaux are those of Krysl, sections 3.7 and 4. The others are
//! the classical ones of Kutta, of Dormand and Prince (`DormandPrince1980`; the part of order 5) and
//! of Gauss.

/// The most stages a tableau may have.
pub(super) const MAX_STAGES: usize = 7;

/// The coefficients of a Runge-Kutta method with up to seven stages.
///
/// ```
/// use polhode::method::Tableau;
/// // Heun's method.
/// let heun = Tableau::new(&[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.5], &[0.0, 1.0])?;
/// assert!(heun.is_explicit());
/// assert!(Tableau::new(&[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.6], &[0.0, 1.0]).is_err());
/// # Ok::<(), polhode::method::TableauError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tableau {
    stages: usize,
    pub(super) a: [[f64; MAX_STAGES]; MAX_STAGES],
    pub(super) b: [f64; MAX_STAGES],
    pub(super) c: [f64; MAX_STAGES],
}

/// What can be wrong with a tableau.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableauError {
    /// Too few or too many stages.
    #[error("tableau with {stages} stages: it must have 1 to 7")]
    Stages {
        /// The length of b.
        stages: usize,
    },
    /// A row of a, or c, is not as long as b, or a has not as many rows.
    #[error("tableau: {part} has {found} entries where b has {stages}")]
    Size {
        /// The part at fault: `a`, `b`, `c` or `row 2 of a`.
        part: String,
        /// The number of its entries.
        found: usize,
        /// The length of b.
        stages: usize,
    },
    /// A coefficient is infinite or NaN.
    #[error("tableau: a coefficient of {part} is not finite")]
    NotFinite {
        /// The part at fault: `a`, `b`, `c` or `row 2 of a`.
        part: String,
    },
    /// The sum of b is not 1: no method of order 1 or more.
    #[error("tableau: b sums to {sum:?}; the sum must be 1")]
    Weights {
        /// What the weights add up to.
        sum: f64,
    },
    /// The sum of a row of a is not its node.
    #[error("tableau: row {row} of a sums to {sum:?}; the sum must be c = {node:?}")]
    Row {
        /// Which row, counted from 1.
        row: usize,
        /// What the entries of that row add up to.
        sum: f64,
        /// The entry of c.
        node: f64,
    },
}

impl Tableau {
    /// The tableau with these stages (rows of a), weights and nodes.
    ///
    /// # Errors
    /// [`TableauError`] if the sizes do not fit, a number is not finite, b does not sum to 1, or a row
    /// of a to its node, to rounding.
    pub fn new(a: &[&[f64]], b: &[f64], c: &[f64]) -> Result<Self, TableauError> {
        let stages = b.len();
        if !(1..=MAX_STAGES).contains(&stages) {
            return Err(TableauError::Stages { stages });
        }
        let part = |i: usize| format!("row {} of a", i + 1);
        let size = |part: String, found: usize| {
            if found == stages {
                return Ok(());
            }
            Err(TableauError::Size { part, found, stages })
        };
        size("a".into(), a.len())?;
        size("c".into(), c.len())?;
        check("b".into(), b)?;
        check("c".into(), c)?;
        for (i, row) in a.iter().enumerate() {
            size(part(i), row.len())?;
            check(part(i), row)?;
        }
        if !sums_to(b, 1.0) {
            return Err(TableauError::Weights { sum: b.iter().sum() });
        }
        if let Some(i) = (0..stages).find(|&i| !sums_to(a[i], c[i])) {
            let sum = a[i].iter().sum();
            return Err(TableauError::Row { row: i + 1, sum, node: c[i] });
        }
        let mut tableau = Self::padded(stages, [], [], []);
        tableau.b[..stages].copy_from_slice(b);
        tableau.c[..stages].copy_from_slice(c);
        for (full, row) in tableau.a.iter_mut().zip(a) {
            full[..stages].copy_from_slice(row);
        }
        Ok(tableau)
    }

    /// A tableau whose numbers are known to be right.
    const fn padded<const S: usize>(
        stages: usize,
        a: [[f64; S]; S],
        b: [f64; S],
        c: [f64; S],
    ) -> Self {
        let mut full = Self {
            stages,
            a: [[0.0; MAX_STAGES]; MAX_STAGES],
            b: [0.0; MAX_STAGES],
            c: [0.0; MAX_STAGES],
        };
        let mut i = 0;
        while i < S {
            let mut j = 0;
            while j < S {
                full.a[i][j] = a[i][j];
                j += 1;
            }
            full.b[i] = b[i];
            full.c[i] = c[i];
            i += 1;
        }
        full
    }

    const fn of<const S: usize>(a: [[f64; S]; S], b: [f64; S], c: [f64; S]) -> Self {
        Self::padded(S, a, b, c)
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// True if each stage follows from those before it.
    pub fn is_explicit(&self) -> bool {
        (0..self.stages).all(|i| self.a[i][i..].iter().all(|&x| x == 0.0))
    }

    /// True if no stage needs a later one.
    pub(super) fn is_triangular(&self) -> bool {
        (0..self.stages).all(|i| self.a[i][i + 1..].iter().all(|&x| x == 0.0))
    }

    /// Forward Euler, order 1.
    pub const FORWARD_EULER: Self = Self::of([[0.0]], [1.0], [0.0]);
    /// Backward Euler, order 1.
    pub const BACKWARD_EULER: Self = Self::of([[1.0]], [1.0], [1.0]);
    /// The implicit midpoint rule, order 2.
    pub const MIDPOINT: Self = Self::of([[0.5]], [1.0], [0.5]);
    /// The trapezoidal rule, order 2.
    pub const TRAPEZOID: Self = Self::of([[0.0, 0.0], [0.5, 0.5]], [0.5, 0.5], [0.0, 1.0]);
    /// Kutta's method of order 3.
    pub const KUTTA3: Self = Self::of(
        [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 2.0, 0.0]],
        [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0],
        [0.0, 0.5, 1.0],
    );
    /// The classical method of order 4.
    pub const RK4: Self = Self::of(
        [[0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
        [0.0, 0.5, 0.5, 1.0],
    );
    /// Dormand and Prince, the part of order 5.
    pub const DOPRI5: Self = Self::of(
        [
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
            [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
            [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
            [
                9017.0 / 3168.0,
                -355.0 / 33.0,
                46732.0 / 5247.0,
                49.0 / 176.0,
                -5103.0 / 18656.0,
                0.0,
            ],
        ],
        [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
        [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    );
    /// Gauss with two stages, order 4.
    pub const GAUSS2: Self = {
        let r = SQRT_3 / 6.0;
        Self::of([[0.25, 0.25 - r], [0.25 + r, 0.25]], [0.5, 0.5], [0.5 - r, 0.5 + r])
    };
    /// Gauss with three stages, order 6.
    pub const GAUSS3: Self = {
        let s = SQRT_15;
        Self::of(
            [
                [5.0 / 36.0, 2.0 / 9.0 - s / 15.0, 5.0 / 36.0 - s / 30.0],
                [5.0 / 36.0 + s / 24.0, 2.0 / 9.0, 5.0 / 36.0 - s / 24.0],
                [5.0 / 36.0 + s / 30.0, 2.0 / 9.0 + s / 15.0, 5.0 / 36.0],
            ],
            [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0],
            [0.5 - s / 10.0, 0.5, 0.5 + s / 10.0],
        )
    };
}

const SQRT_3: f64 = 1.7320508075688772;
const SQRT_15: f64 = 3.872983346207417;

/// The tableaux with a name, their orders; the first is the default.
pub(super) const NAMED: [(&str, u32, Tableau); 9] = [
    ("rk4", 4, Tableau::RK4),
    ("forward-euler", 1, Tableau::FORWARD_EULER),
    ("backward-euler", 1, Tableau::BACKWARD_EULER),
    ("midpoint", 2, Tableau::MIDPOINT),
    ("trapezoid", 2, Tableau::TRAPEZOID),
    ("kutta3", 3, Tableau::KUTTA3),
    ("dopri5", 5, Tableau::DOPRI5),
    ("gauss2", 4, Tableau::GAUSS2),
    ("gauss3", 6, Tableau::GAUSS3),
];

fn check(part: String, numbers: &[f64]) -> Result<(), TableauError> {
    let fine = numbers.iter().all(|x| x.is_finite());
    if fine { Ok(()) } else { Err(TableauError::NotFinite { part }) }
}

/// True if the sum is that number but for rounding: of the terms, which may come from a
/// computation, and of the sum.
fn sums_to(numbers: &[f64], want: f64) -> bool {
    let sizes: f64 = numbers.iter().map(|x| x.abs()).sum();
    (numbers.iter().sum::<f64>() - want).abs() <= 64.0 * f64::EPSILON * sizes.max(want.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_tableaux_are_valid() {
        for (name, _, t) in NAMED {
            let s = t.stages;
            let rows: Vec<&[f64]> = t.a[..s].iter().map(|row| &row[..s]).collect();
            assert_eq!(Tableau::new(&rows, &t.b[..s], &t.c[..s]), Ok(t), "{name}");
        }
        let explicit = NAMED.iter().filter(|n| n.2.is_explicit()).map(|n| n.0);
        assert!(explicit.eq(["rk4", "forward-euler", "kutta3", "dopri5"]));
        let coupled = NAMED.iter().filter(|n| !n.2.is_triangular()).map(|n| n.0);
        assert!(coupled.eq(["gauss2", "gauss3"]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text =
            |a: &[&[f64]], b: &[f64], c: &[f64]| Tableau::new(a, b, c).unwrap_err().to_string();
        assert_eq!(text(&[], &[], &[]), "tableau with 0 stages: it must have 1 to 7");
        let (long, rows) = ([0.125; 8], [&[0.125; 8][..]; 8]);
        assert_eq!(text(&rows, &long, &[1.0; 8]), "tableau with 8 stages: it must have 1 to 7");
        assert_eq!(text(&[], &[1.0], &[0.0]), "tableau: a has 0 entries where b has 1");
        assert_eq!(text(&[&[0.0]], &[1.0], &[]), "tableau: c has 0 entries where b has 1");
        let found = text(&[&[0.0], &[1.0, 0.0]], &[0.5, 0.5], &[0.0, 1.0]);
        assert_eq!(found, "tableau: row 1 of a has 1 entries where b has 2");
        let found = text(&[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.25], &[0.0, 1.0]);
        assert_eq!(found, "tableau: b sums to 0.75; the sum must be 1");
        let found = text(&[&[0.0, 0.0], &[0.5, 0.0]], &[0.5, 0.5], &[0.0, 1.0]);
        assert_eq!(found, "tableau: row 2 of a sums to 0.5; the sum must be c = 1.0");
        let found = text(&[&[f64::NAN]], &[1.0], &[0.0]);
        assert_eq!(found, "tableau: a coefficient of row 1 of a is not finite");
    }
}
