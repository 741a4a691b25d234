//! The algorithms once more, literally: rotation matrices, Rodrigues' formula, iteration to a fixed point.
//! A second number for what the library's versions give.

use polhode::Problem;
use polhode::glam::{DMat3, DVec3};

/// A body and its torque in the body frame, which depends on the attitude.
#[derive(Clone, Copy)]
pub(super) struct Rigid {
    moments: DVec3,
    torque: fn(DMat3) -> DVec3,
}

/// Momentum in the body frame and attitude.
#[derive(Clone, Copy)]
pub(super) struct Literal {
    m: DVec3,
    r: DMat3,
}

/// Which algorithm.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Algorithm {
    Imid,
    Trap,
    Imidm,
    Trapm,
    Swc1,
}

fn skew(v: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, v.z, -v.y),
        DVec3::new(-v.z, 0.0, v.x),
        DVec3::new(v.y, -v.x, 0.0),
    )
}

/// Rodrigues' formula.
fn exp(v: DVec3) -> DMat3 {
    let angle = v.length();
    if angle == 0.0 {
        return DMat3::IDENTITY;
    }
    let k = skew(v / angle);
    DMat3::IDENTITY + k * angle.sin() + k * k * (2.0 * (0.5 * angle).sin().powi(2))
}

/// Iterates until the changes no longer become smaller.
fn settle(start: DVec3, mut next: impl FnMut(DVec3) -> (DVec3, Literal)) -> Literal {
    let (mut x, mut last) = (start, f64::INFINITY);
    loop {
        let (new, state) = next(x);
        let change = (new - x).length();
        x = new;
        // Not a number ends it, too.
        if change.is_nan() || (change >= last && change < 1e-9) || change == 0.0 {
            return state;
        }
        last = change;
    }
}

impl Rigid {
    fn step(&self, algorithm: Algorithm, h: f64, Literal { m, r }: Literal) -> Literal {
        let omega = |p: DVec3| p / self.moments;
        let rate = |p: DVec3| p.cross(omega(p));
        let first = (self.torque)(r);
        match algorithm {
            Algorithm::Imid => settle(m, |p| {
                let middle = (self.torque)(r * exp(omega(p) * (0.5 * h)));
                let whole = (rate(p) + middle) * h;
                (m + whole * 0.5, Literal { m: m + whole, r: r * exp(omega(p) * h) })
            }),
            Algorithm::Trap => settle(m, |p| {
                let r = r * exp(omega(m) * (0.5 * h)) * exp(omega(p) * (0.5 * h));
                let m = m + (rate(m) + first + rate(p) + (self.torque)(r)) * (0.5 * h);
                (m, Literal { m, r })
            }),
            Algorithm::Trapm => settle(m, |p| {
                let end = r * exp(omega(m) * (0.5 * h)) * exp(omega(p) * (0.5 * h));
                let kicked = m + first * (0.5 * h);
                let m = end.transpose() * (r * kicked) + (self.torque)(end) * (0.5 * h);
                (m, Literal { m, r: end })
            }),
            Algorithm::Imidm => settle(m, |p| {
                let psi = omega(p) * h;
                let middle = (self.torque)(r * exp(psi * 0.5)) * h;
                let half = exp(psi * -0.5);
                let m1 = exp(-psi) * m + half * middle;
                (half * m + middle * 0.5, Literal { m: m1, r: r * exp(psi) })
            }),
            Algorithm::Swc1 => settle(m, |p| {
                let psi = (omega(m) + omega(p)) * (0.5 * h);
                let middle = (self.torque)(r * exp(psi * 0.5)) * h;
                let m = exp(-psi) * m + exp(psi * -0.5) * middle;
                (m, Literal { m, r: r * exp(psi) })
            }),
        }
    }

    /// The state after so many steps.
    fn run(&self, algorithm: Algorithm, h: f64, steps: u32, start: Literal) -> Literal {
        (0..steps).fold(start, |state, _| self.step(algorithm, h, state))
    }
}

impl Literal {
    /// The errors of momentum and attitude, 2-norms.
    fn errors(&self, exact: &Self) -> [f64; 2] {
        // The 2-norm of the difference of two rotations is their Frobenius norm over √2.
        let off = (self.r - exact.r).to_cols_array();
        let norm = off.iter().map(|x| x * x).sum::<f64>().sqrt();
        [(self.m - exact.m).length(), norm / std::f64::consts::SQRT_2]
    }
}

/// No torque at all.
pub(super) fn free(_attitude: DMat3) -> DVec3 {
    DVec3::ZERO
}

/// The torque of the tops: -20 R e3 x e3 in space.
pub(super) fn top(attitude: DMat3) -> DVec3 {
    attitude.transpose() * (attitude * DVec3::Z).cross(DVec3::Z) * -20.0
}

/// Errors of momentum and attitude after so many steps, against IMID with so many times as many steps: the
/// paper's kind of reference.
pub(super) fn errors<const N: usize>(
    problem: &Problem,
    torque: fn(DMat3) -> DVec3,
    algorithms: [Algorithm; N],
    (h, steps): (f64, u32),
    finer: u32,
) -> [[f64; 2]; N] {
    let rigid = Rigid { moments: problem.inertia().moments(), torque };
    let start = problem.start();
    let start = Literal { m: start.m, r: DMat3::from_quat(start.q) };
    let exact = rigid.run(Algorithm::Imid, h / f64::from(finer), steps * finer, start);
    algorithms.map(|algorithm| rigid.run(algorithm, h, steps, start).errors(&exact))
}

#[cfg(test)]
mod tests {
    use super::super::convergence;
    use super::*;
    use crate::measure::end;

    #[test]
    fn they_are_the_librarys_algorithms() {
        for (problem, torque) in [
            (convergence::body().unwrap(), free as fn(DMat3) -> DVec3),
            (convergence::top(0.3, 5.0).unwrap(), top),
        ] {
            let moments = problem.inertia().moments();
            let start = problem.start();
            let literal = Literal { m: start.m, r: DMat3::from_quat(start.q) };
            for (algorithm, id) in [
                (Algorithm::Imid, "imid"),
                (Algorithm::Trap, "trap"),
                (Algorithm::Imidm, "imidm"),
                (Algorithm::Trapm, "trapm"),
                (Algorithm::Swc1, "swc1"),
            ] {
                let found = Rigid { moments, torque }.run(algorithm, 0.01, 100, literal);
                let want = end(&problem, id, 0.01, 1.0).unwrap();
                let exact = Literal { m: want.m, r: DMat3::from_quat(want.q) };
                let [m, r] = found.errors(&exact);
                assert!(m < 1e-11 && r < 1e-11, "{id}: {m:e} {r:e}");
            }
        }
    }
}
