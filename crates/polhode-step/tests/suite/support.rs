//! Numbers that are the same in every run, and a reference in double precision that shares no formula with
//! the step: Euler's equations and those of the quaternion, by the classical Runge-Kutta method.

/// Numbers in (0, 1), the same in every run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    pub(crate) fn symmetric(&mut self) -> f64 {
        2.0 * self.next() - 1.0
    }

    /// Any direction.
    pub(crate) fn direction<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v: [f64; N] = core::array::from_fn(|_| self.symmetric());
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                return v.map(|x| x / length);
            }
        }
    }

    /// The moments of a body that can be made: of three masses on the axes of an ellipsoid.
    pub(crate) fn moments(&mut self) -> [f64; 3] {
        let [a, b, c] = [0; 3].map(|_| (self.next() * 3.0).exp());
        [b + c, c + a, a + b]
    }
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn product([x, y, z, w]: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        w * b[0] + x * b[3] + y * b[2] - z * b[1],
        w * b[1] - x * b[2] + y * b[3] + z * b[0],
        w * b[2] + x * b[1] - y * b[0] + z * b[3],
        w * b[3] - x * b[0] - y * b[1] - z * b[2],
    ]
}

/// A vector of the body, in the world.
pub(crate) fn turned(q: [f64; 4], [a, b, c]: [f64; 3]) -> [f64; 3] {
    let [x, y, z, w] = q;
    let [i, j, k, _] = product(product(q, [a, b, c, 0.0]), [-x, -y, -z, w]);
    [i, j, k]
}

/// A vector of the world, in the body.
pub(crate) fn turned_back([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    turned([-x, -y, -z, w], v)
}

pub(crate) fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.map(|x| x / length)
}

/// Angular velocity in the body, and rotation.
pub(crate) type Free = ([f64; 3], [f64; 4]);

fn slope(moments: [f64; 3], (omega, q): Free) -> Free {
    let m: [f64; 3] = core::array::from_fn(|i| moments[i] * omega[i]);
    let torque = cross(m, omega);
    let [x, y, z] = omega;
    let turning = product(q, [x, y, z, 0.0]).map(|x| 0.5 * x);
    (core::array::from_fn(|i| torque[i] / moments[i]), turning)
}

/// The free motion after the time t, by that many steps.
pub(crate) fn reference(moments: [f64; 3], start: Free, t: f64, steps: u32) -> Free {
    let h = t / f64::from(steps);
    let at = |s: Free, k: Free, h: f64| -> Free {
        (
            core::array::from_fn(|i| s.0[i] + h * k.0[i]),
            core::array::from_fn(|i| s.1[i] + h * k.1[i]),
        )
    };
    (0..steps).fold(start, |s, _| {
        let k1 = slope(moments, s);
        let k2 = slope(moments, at(s, k1, h / 2.0));
        let k3 = slope(moments, at(s, k2, h / 2.0));
        let k4 = slope(moments, at(s, k3, h));
        let s = at(at(s, k1, h / 6.0), k2, h / 3.0);
        at(at(s, k3, h / 3.0), k4, h / 6.0)
    })
}

/// Twice the kinetic energy and the momentum in the world, of an angular velocity in the world.
pub(crate) fn invariants(moments: [f64; 3], omega: [f64; 3], q: [f64; 4]) -> (f64, [f64; 3]) {
    let q = unit(q);
    let inside = turned_back(q, omega);
    let m: [f64; 3] = core::array::from_fn(|i| moments[i] * inside[i]);
    ((0..3).map(|i| m[i] * inside[i]).sum(), turned(q, m))
}
