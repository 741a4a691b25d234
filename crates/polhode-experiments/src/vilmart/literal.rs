//! Algorithm 3.1 once more, literally and with the system's functions: a second number for what the
//! library's version gives.

use std::f64::consts::TAU;

use polhode::glam::DVec3;

use super::trajectories::STEP;

/// The mean and its differences until these vanish.
struct Mean {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Mean {
    fn of(k2: f64) -> Self {
        let mut mean = Self { a: vec![1.0], b: vec![(1.0 - k2).sqrt()], c: vec![k2.sqrt()] };
        while let (Some(&a), Some(&b), Some(&c)) = (mean.a.last(), mean.b.last(), mean.c.last()) {
            if c <= f64::EPSILON * a || mean.a.len() > 20 {
                break;
            }
            mean.a.push(0.5 * (a + b));
            mean.b.push((a * b).sqrt());
            mean.c.push(0.5 * (a - b));
        }
        mean
    }

    /// 2^N a_N.
    fn scale(&self) -> f64 {
        self.a.last().map_or(1.0, |a| a * f64::exp2((self.a.len() - 1) as f64))
    }

    /// The amplitude after the phase has grown by so much.
    fn advance(&self, phi: f64, by: f64) -> f64 {
        let levels = self.a.len() - 1;
        let mut phi = phi;
        for n in 0..levels {
            let (s, c) = phi.sin_cos();
            let turns = TAU * ((phi - s.atan2(c)) / TAU).round();
            phi += (self.b[n] * s).atan2(self.a[n] * c) + turns;
        }
        phi += by * self.scale();
        for n in (1..=levels).rev() {
            phi = 0.5 * (phi + (self.c[n] / self.a[n] * phi.sin()).asin());
        }
        phi
    }
}

/// One step of the length of the experiments.
fn step([i1, i2, i3]: [f64; 3], y: DVec3) -> DVec3 {
    let casimir = y.x * y.x + y.y * y.y + y.z * y.z;
    let energy = y.x * y.x / i1 + y.y * y.y / i2 + y.z * y.z / i3;
    let (a1, a3) = ((energy * i3 - casimir).sqrt(), (casimir - energy * i1).sqrt());
    let (b1, b3) = ((i1 / (i3 - i1)).sqrt(), (i3 / (i3 - i1)).sqrt());
    let inner = (i2 - i1) * a1 * a1 <= (i3 - i2) * a3 * a3;
    // What circles, what does not, and the axis that is circled.
    let (gap, rest, [across, along], [start, sign]) = if inner {
        (i3 - i2, i2 - i1, [a1, a3], [y.x / (b1 * a1), y.z.signum()])
    } else {
        (i2 - i1, i3 - i2, [a3, a1], [y.z / (b3 * a3), y.x.signum()])
    };
    let b2 = (i2 / gap).sqrt();
    let k2 = rest / gap * (across * across) / (along * along);
    let rate = sign * (gap / (i1 * i2 * i3)).sqrt() * along;
    let phi = Mean::of(k2).advance((y.y / (b2 * across)).atan2(start), STEP * rate);
    let (sn, cn) = phi.sin_cos();
    let dn = (1.0 - k2 * sn * sn).sqrt();
    if inner {
        DVec3::new(b1 * a1 * cn, b2 * a1 * sn, b3 * a3 * sign * dn)
    } else {
        DVec3::new(b1 * a1 * sign * dn, b2 * a3 * sn, b3 * a3 * cn)
    }
}

/// The Hamiltonian as the paper writes it.
pub(super) fn hamiltonian([i1, i2, i3]: [f64; 3], y: DVec3) -> f64 {
    0.5 * (y.x * y.x / i1 + y.y * y.y / i2 + y.z * y.z / i3)
}

/// The drift of the Hamiltonian in a step, with its sign, as the mean over so many: the paper's number, no maximum.
pub(super) fn drift(moments: [f64; 3], start: DVec3, steps: u32) -> f64 {
    let mut y = start;
    for _ in 0..steps {
        y = step(moments, y);
    }
    (hamiltonian(moments, y) - hamiltonian(moments, start)) / f64::from(steps)
}

#[cfg(test)]
mod tests {
    use polhode::{FreeMotion, Inertia, State};

    use super::*;

    #[test]
    fn it_is_the_motion_on_both_sides_of_the_separatrix() {
        let moments = [0.6, 0.9, 1.3];
        for momentum in [[0.5, 0.2, 0.8], [0.9, 0.3, 0.2], [-0.9, 0.3, -0.2], [0.3, 0.1, -0.9]] {
            let (inertia, start) =
                (Inertia::principal(moments).unwrap(), State::aligned(momentum).unwrap());
            let want = FreeMotion::new(&inertia, start).unwrap().at(1000.0 * STEP).unwrap().m;
            let found = (0..1000).fold(start.m, |y, _| step(moments, y));
            assert!((found - want).length() < 1e-12, "{momentum:?}: {found} {want}");
        }
    }
}
