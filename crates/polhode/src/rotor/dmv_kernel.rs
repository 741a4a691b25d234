//! The preprocessed discrete Moser-Veselov step, over any number.
//!
//! Notation: η = h/2; w = tan(θ/2) n/η, the Cayley vector of the step's rotation over half the
//! step, which is the angular velocity as h -> 0; T_j the modified moments; F1 = T2 - T3 and so on
//! round. The usual unknown is the Cayley vector c = η w itself, and the increment of the momentum
//! is then divided by h; in w nothing is, and h = 0 is a step like any other.

use super::dmv_coefficients::MOST;
use super::unit_step::{UnitKernel, UnitStep};
use crate::method::EquationSolver;
use polhode_number::vector::{
    Quaternion, Vector, add, divide, dot, multiply, scale, select, subtract,
};
use polhode_number::{Lift, Number};

/// Coefficients of a series of [`MOST`] terms: k + 1 of degree k.
const MOST_COEFFICIENTS: usize = MOST * (MOST + 3) / 2;

/// A change of w below this, relative to it, that no longer shrinks is rounding; a larger one that
/// does not is a sweep on its way.
const CONVERGED: f64 = 1.0 / (1_u64 << 40) as f64;
/// A square of the momentum that changes by more than this, relative to it, belongs to the root of
/// another equation: the series have diverged.
const LOST: f64 = 1e-9;
/// A Newton step of relative size r leaves an error of about r² |η w|: below rounding from here on.
const NEWTON_ENOUGH: f64 = 1.0 / (1_u64 << 30) as f64;
/// Sweeps at most: their rate goes to one towards a quarter turn.
const MOST_SWEEPS: u32 = 500;
/// Newton steps at most: what has not converged by then does not.
const MOST_NEWTON: u32 = 25;

/// (π/4)²: the square of η |ω| where the step is a quarter turn.
const QUARTER_TURN: f64 = core::f64::consts::FRAC_PI_4 * core::f64::consts::FRAC_PI_4;

/// Constants of a body, in units in which the smallest moment is of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DmvBody<L> {
    /// Moments and their inverses, axes in any order.
    pub(crate) moments: [L; 3],
    pub(crate) inverse: [L; 3],
    /// How many terms the series keep: order/2 - 1.
    pub(crate) terms: usize,
    /// Coefficients of S and D in the order in which [`series`] takes them.
    pub(crate) series: [[L; 2]; MOST_COEFFICIENTS],
    pub(crate) solver: EquationSolver,
}

impl DmvBody<f64> {
    /// Nothing but the layout of a body of that order, for [`UnitKernel::over`].
    pub(crate) fn layout(order: u32, solver: EquationSolver) -> Self {
        let (zero, terms) = ([0.0; 3], order as usize / 2 - 1);
        Self { moments: zero, inverse: zero, terms, series: [[0.0; 2]; _], solver }
    }
}

impl UnitKernel for DmvBody<f64> {
    type Over<N: Number> = DmvBody<N>;

    #[inline(always)]
    fn over<N: Number>(&self, lift: &mut impl Lift<f64, N>) -> DmvBody<N> {
        let mut body = DmvBody {
            moments: lift.vector(self.moments),
            inverse: lift.vector(self.inverse),
            terms: self.terms,
            series: [[N::splat(0.0); 2]; _],
            solver: self.solver,
        };
        // k + 1 coefficients of degree k.
        for i in 0..self.terms * (self.terms + 3) / 2 {
            body.series[i] = [lift.lift(self.series[i][0]), lift.lift(self.series[i][1])];
        }
        body
    }
}

impl<N: Number> UnitStep<N> for DmvBody<N> {
    type Effect = DmvIncrement<N>;
    const ADDS: bool = true;

    #[inline(always)]
    fn step(&self, m: Vector<N>, h: N, _size: N) -> (DmvIncrement<N>, N::Mask) {
        let mut increment = step(self, m, h);
        let after = add(m, increment.delta);
        let lost = (dot(after, after) / dot(m, m) - N::splat(1.0)).abs();
        let kept = lost.less(N::splat(LOST));
        let solved = increment.residual.less(N::splat(CONVERGED)) & kept;
        increment.residual = N::select(kept, increment.residual, increment.residual.max(lost));
        (increment, solved)
    }

    #[inline(always)]
    fn change(increment: &DmvIncrement<N>) -> (Vector<N>, Quaternion<N>) {
        (increment.delta, increment.rotation())
    }
}

/// What a step does to a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DmvIncrement<L> {
    /// What is added to the momentum.
    pub(crate) delta: [L; 3],
    /// The rotation as a Cayley vector, tan(θ/2) n.
    pub(crate) cayley: [L; 3],
    /// 1 + |cayley|².
    pub(crate) alpha: L,
    /// Sweeps or Newton steps done.
    pub(crate) iterations: L,
    /// What the last change of the unknown lets expect of the next, relative to it: the equation is
    /// solved where this is less than [`CONVERGED`]. Infinite or NaN where the step is too long.
    pub(crate) residual: L,
}

/// The positions of C^(k-j) H^j h^(2k), as (k, j), in the order of [`DmvBody::series`].
pub(crate) fn positions(terms: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..=terms).rev().flat_map(move |j| (j.max(1)..=terms).rev().map(move |k| (k, j)))
}

/// S - 1 and D from x = h² C and z = h² H: Horner's scheme in z, with coefficients that are
/// Horner's schemes in x and do not wait for one another.
#[inline(always)]
fn series<L: Number, const K: usize>(
    coefficients: &[[L; 2]; MOST_COEFFICIENTS],
    x: L,
    z: L,
) -> [L; 2] {
    let mut sum = [L::splat(0.0); 2];
    let mut next = 0;
    for j in (0..=K).rev() {
        let mut inner = coefficients[next];
        next += 1;
        for _ in j.max(1)..K {
            let c = coefficients[next];
            next += 1;
            inner = [inner[0] * x + c[0], inner[1] * x + c[1]];
        }
        if j == 0 {
            inner = [inner[0] * x, inner[1] * x];
        }
        sum = if j == K { inner } else { [sum[0] * z + inner[0], sum[1] * z + inner[1]] };
    }
    sum
}

/// The equation T w = α m + η F (w x w), α = 1 + η² |w|², with F (w x w) = (F1 w2 w3, ...).
struct Equation<L: Number> {
    m: [L; 3],
    /// Modified moments, and approximate inverses for the start.
    t: [L; 3],
    b: [L; 3],
    /// η F.
    f: [L; 3],
    /// η².
    eta2: L,
    /// Where it has the solution that is looked for.
    solvable: L::Mask,
}

#[inline(always)]
fn sum_of_squares<L: Number>([x, y, z]: [L; 3]) -> L {
    x * x + y * y + z * z
}

#[inline(always)]
fn size<L: Number>([x, y, z]: [L; 3]) -> L {
    x.abs() + y.abs() + z.abs()
}

impl<L: Number> Equation<L> {
    #[inline(always)]
    fn new(body: &DmvBody<L>, m: [L; 3], h: L) -> Self {
        let half = L::splat(0.5);
        let squares = multiply(m, m);
        let c = (squares[0] + squares[1] + squares[2]) * half;
        let energy = (squares[0] * body.inverse[0]
            + squares[1] * body.inverse[1]
            + squares[2] * body.inverse[2])
            * half;
        let h2 = h * h;
        let (x, z) = (h2 * c, h2 * energy);
        let coefficients = &body.series;
        let [s, d] = match body.terms {
            0 => [L::splat(0.0); 2],
            1 => series::<L, 1>(coefficients, x, z),
            2 => series::<L, 2>(coefficients, x, z),
            3 => series::<L, 3>(coefficients, x, z),
            4 => series::<L, 4>(coefficients, x, z),
            5 => series::<L, 5>(coefficients, x, z),
            6 => series::<L, 6>(coefficients, x, z),
            7 => series::<L, 7>(coefficients, x, z),
            8 => series::<L, 8>(coefficients, x, z),
            _ => series::<L, MOST>(coefficients, x, z),
        };
        let s = s + L::splat(1.0);
        let [i1, i2, i3] = scale(body.moments, d);
        let factor = [s + i1, s + i2, s + i3];
        let t = divide(body.moments, factor);
        let b = multiply(body.inverse, factor);
        let eta = h * half;
        let eta2 = eta * eta;
        // A moment that is not positive is a series far beyond its radius. The equation knows sin θ,
        // so beyond a quarter turn it is solved by π - θ.
        let zero = L::splat(0.0);
        let omega = multiply(m, body.inverse);
        let quarter_turn = (eta2 * sum_of_squares(omega)).less(L::splat(QUARTER_TURN));
        let solvable = zero.less(b[0]) & zero.less(b[1]) & zero.less(b[2]) & quarter_turn;
        let f = [eta * (t[1] - t[2]), eta * (t[2] - t[0]), eta * (t[0] - t[1])];
        Self { m, t, b, f, eta2, solvable }
    }

    /// The solution to first order in h.
    #[inline(always)]
    fn start(&self) -> [L; 3] {
        let [w1, w2, w3] = multiply(self.m, self.b);
        [
            w1 + self.f[0] * w2 * w3 * self.b[0],
            w2 + self.f[1] * w3 * w1 * self.b[1],
            w3 + self.f[2] * w1 * w2 * self.b[2],
        ]
    }

    #[inline(always)]
    fn alpha(&self, w: [L; 3]) -> L {
        L::splat(1.0) + self.eta2 * sum_of_squares(w)
    }

    /// One Gauss-Seidel sweep.
    ///
    /// Divided by T, not multiplied by a rounded inverse, so that T_j are the only constants (Vilmart,
    /// section 5): with inverses in the last two sweeps, energies drift by 5 eps in 10^6 compensated
    /// steps instead of walking.
    #[inline(always)]
    fn sweep(&self, [_, w2, w3]: [L; 3], alpha: L) -> [L; 3] {
        let Self { m, t, f, .. } = self;
        let w1 = (alpha * m[0] + f[0] * (w2 * w3)) / t[0];
        let w2 = (alpha * m[1] + f[1] * (w3 * w1)) / t[1];
        let w3 = (alpha * m[2] + f[2] * (w1 * w2)) / t[2];
        [w1, w2, w3]
    }

    /// The right-hand side divided by T: one sweep, all components from the old ones.
    #[inline(always)]
    fn right_side(&self, [w1, w2, w3]: [L; 3], alpha: L) -> [L; 3] {
        let Self { m, t, f, .. } = self;
        [
            (alpha * m[0] + f[0] * (w2 * w3)) / t[0],
            (alpha * m[1] + f[1] * (w3 * w1)) / t[1],
            (alpha * m[2] + f[2] * (w1 * w2)) / t[2],
        ]
    }

    /// One Newton step, the Jacobian inverted by its adjugate.
    #[inline(always)]
    fn newton(&self, w: [L; 3]) -> [L; 3] {
        let Self { m, t, f, eta2, .. } = self;
        let [w1, w2, w3] = w;
        let alpha = self.alpha(w);
        let g1 = t[0] * w1 - f[0] * (w2 * w3) - alpha * m[0];
        let g2 = t[1] * w2 - f[1] * (w3 * w1) - alpha * m[1];
        let g3 = t[2] * w3 - f[2] * (w1 * w2) - alpha * m[2];
        let e = *eta2 + *eta2;
        let [p1, p2, p3] = scale(*m, e);
        let (a11, a12, a13) = (t[0] - p1 * w1, f[0] * w3 + p1 * w2, f[0] * w2 + p1 * w3);
        let (a21, a22, a23) = (f[1] * w3 + p2 * w1, t[1] - p2 * w2, f[1] * w1 + p2 * w3);
        let (a31, a32, a33) = (f[2] * w2 + p3 * w1, f[2] * w1 + p3 * w2, t[2] - p3 * w3);
        // Off the diagonal the Jacobian is the negative of these.
        let c11 = a22 * a33 - a23 * a32;
        let c21 = a12 * a33 + a13 * a32;
        let c31 = a12 * a23 + a13 * a22;
        let c12 = a21 * a33 + a23 * a31;
        let c22 = a11 * a33 - a13 * a31;
        let c32 = a11 * a23 + a13 * a21;
        let c13 = a21 * a32 + a22 * a31;
        let c23 = a11 * a32 + a12 * a31;
        let c33 = a11 * a22 - a12 * a21;
        let inverse = L::splat(1.0) / (a11 * c11 - a12 * c12 - a13 * c13);
        [
            w1 - (c11 * g1 + c21 * g2 + c31 * g3) * inverse,
            w2 - (c12 * g1 + c22 * g2 + c32 * g3) * inverse,
            w3 - (c13 * g1 + c23 * g2 + c33 * g3) * inverse,
        ]
    }

    /// The solution; how many iterations it took; its last change relative to it.
    #[inline(always)]
    fn solve(&self, solver: EquationSolver) -> ([L; 3], L, L) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let most = match solver {
            EquationSolver::FixedPoint => MOST_SWEEPS,
            EquationSolver::Newton => MOST_NEWTON,
        };
        let mut w = self.start();
        let mut last = L::splat(f64::INFINITY);
        let mut iterations = zero;
        let mut length = zero;
        let mut on = self.solvable;
        for _ in 0..most {
            let next = match solver {
                EquationSolver::FixedPoint => self.sweep(w, self.alpha(w)),
                EquationSolver::Newton => self.newton(w),
            };
            let change = size(subtract(next, w));
            w = select::<L>(on, next, w);
            iterations = iterations + L::select(on, one, zero);
            length = L::select(on, size(next), length);
            // NaN is neither: its lane stops, and its residual says so.
            let goes_on = match solver {
                EquationSolver::FixedPoint => {
                    let shrinks = zero.less(change) & change.less(last);
                    shrinks | (L::splat(CONVERGED) * length).less(change)
                }
                EquationSolver::Newton => (L::splat(NEWTON_ENOUGH) * length).less(change),
            };
            last = L::select(on, change, last);
            on = on & goes_on;
            if !L::any(on) {
                break;
            }
        }
        let relative = last / length.max(L::splat(f64::MIN_POSITIVE));
        let residual = match solver {
            EquationSolver::FixedPoint => relative,
            EquationSolver::Newton => relative * relative,
        };
        (w, iterations, L::select(self.solvable, residual, L::splat(f64::INFINITY)))
    }
}

/// The step of length h from momentum m (principal axes, of order one).
#[inline(always)]
pub(crate) fn step<L: Number>(body: &DmvBody<L>, m: [L; 3], h: L) -> DmvIncrement<L> {
    let equation = Equation::new(body, m, h);
    let (w, iterations, residual) = equation.solve(body.solver);
    let alpha = equation.alpha(w);
    // Newton's own rounding has a bias, -4 eps of the energy in 10^6 compensated steps; that of a
    // last sweep has none. The same α for the sweep and for what follows.
    let w = match body.solver {
        EquationSolver::FixedPoint => w,
        EquationSolver::Newton => equation.right_side(w, alpha),
    };
    let twice = L::splat(2.0) / alpha;
    let [w1, w2, w3] = w;
    let [f1, f2, f3] = equation.f;
    let delta = [f1 * (w2 * w3) * twice, f2 * (w3 * w1) * twice, f3 * (w1 * w2) * twice];
    let eta = h * L::splat(0.5);
    let cayley = scale(w, eta);
    DmvIncrement { delta, cayley, alpha, iterations, residual }
}

impl<L: Number> DmvIncrement<L> {
    /// The rotation minus one, as a unit quaternion, scalar first: q <- q + q r.
    #[inline(always)]
    pub(crate) fn rotation(&self) -> [L; 4] {
        let root = self.alpha.sqrt();
        let [x, y, z] = self.cayley;
        // 1/root - 1 without the subtraction.
        let scalar = -(sum_of_squares(self.cayley) / (self.alpha + root));
        [scalar, x / root, y / root, z / root]
    }
}

#[cfg(test)]
mod tests;
