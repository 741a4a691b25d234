//! Random bodies of every kind, from a seed.

pub use crate::rng::Rng;

/// A kind of body and motion. Axes are counted by moment: 0 smallest, 1 intermediate, 2 largest.
///
/// `d` is a relative distance from the degenerate case; rounding of the inputs leaves it uncertain
/// by about 1e-16. A negative distance from the separatrix is a motion about the smallest moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyClass {
    /// Three different moments, a momentum away from axes and separatrix.
    Generic,
    /// `I32 I1 m3^2 = I21 I3 m1^2 (1 + d)`.
    NearSeparatrix(f64),
    /// On the separatrix, exactly in the doubles given.
    Separatrix,
    /// The two smaller moments differ by a relative `d`.
    NearSymmetricOblate(f64),
    /// The two larger moments differ by a relative `d`.
    NearSymmetricProlate(f64),
    /// The two smaller moments are equal.
    SymmetricOblate,
    /// The two larger moments are equal.
    SymmetricProlate,
    /// Three equal moments.
    Sphere,
    /// Three moments that differ by about a relative `d`.
    NearSphere(f64),
    /// A momentum at the angle `d` (radians) from an axis, of either sign.
    NearAxis {
        /// The axis, 0 to 2.
        axis: usize,
        /// The angle between momentum and axis, in radians.
        d: f64,
    },
    /// A momentum along an axis, of either sign.
    OnAxis(usize),
    /// One moment a million times smaller than the others: a needle.
    Extreme,
    /// `I1 + I2 = I3` exactly: a plate.
    Flat,
}

/// A free body: moments and momentum in the same (random) order of axes, attitude of length 1 to
/// rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Principal moments; the triangle inequality holds.
    pub inertia: [f64; 3],
    /// Momentum in the body frame.
    pub momentum: [f64; 3],
    /// Attitude (w, x, y, z).
    pub attitude: [f64; 4],
}

impl Body {
    /// The same body in other units; powers of two keep every degeneracy exact.
    #[must_use]
    pub fn scaled(self, inertia_factor: f64, momentum_factor: f64) -> Self {
        Self {
            inertia: self.inertia.map(|x| x * inertia_factor),
            momentum: self.momentum.map(|x| x * momentum_factor),
            ..self
        }
    }

    /// The time in which the body turns by about `angle` radians.
    pub fn time_for(&self, angle: f64) -> f64 {
        // The sum of magnitudes, not of squares, which leave the range of doubles.
        angle / (0..3).map(|i| (self.momentum[i] / self.inertia[i]).abs()).sum::<f64>()
    }
}

/// A random body of the given class.
///
/// # Panics
/// If the class names an axis other than 0, 1, 2.
pub fn body(class: BodyClass, rng: &mut Rng) -> Body {
    let (inertia, momentum) = if class == BodyClass::Separatrix {
        on_separatrix(rng)
    } else {
        let inertia = moments(class, rng);
        (inertia, momentum(class, &inertia, rng))
    };
    let order = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][rng.below(6)];
    Body {
        inertia: order.map(|i| inertia[i]),
        momentum: order.map(|i| momentum[i]),
        attitude: rng.direction(),
    }
}

/// Moments in ascending order.
fn moments(class: BodyClass, rng: &mut Rng) -> [f64; 3] {
    let size = rng.log_uniform(0.1, 10.0);
    match class {
        BodyClass::NearSymmetricOblate(d) => [size, size * (1.0 + d), size * rng.uniform(1.2, 1.9)],
        BodyClass::NearSymmetricProlate(d) => {
            [size * rng.uniform(0.1, 0.8), size, size * (1.0 + d)]
        }
        BodyClass::SymmetricOblate => [size, size, size * rng.uniform(1.2, 1.9)],
        BodyClass::SymmetricProlate => [size * rng.uniform(0.1, 0.8), size, size],
        BodyClass::Sphere => [size; 3],
        BodyClass::NearSphere(d) => {
            let middle = rng.uniform(0.2, 0.8);
            [size, size * (1.0 + middle * d), size * (1.0 + d)]
        }
        BodyClass::Extreme => {
            let small = size * 1e-6;
            [small, size, size + small * rng.uniform(0.1, 0.9)]
        }
        BodyClass::Flat => {
            // Few bits, so that the sum is exact.
            let mut short =
                |low: f64, high: f64| (rng.uniform(low, high) * 1024.0).round() / 1024.0;
            let (a, b) = (short(0.2, 1.0), short(1.1, 3.0));
            [a, b, a + b]
        }
        _ => distinct(rng),
    }
}

/// Moments of three pairs of masses on the axes, at least 5% apart.
fn distinct(rng: &mut Rng) -> [f64; 3] {
    loop {
        let [a, b, c]: [f64; 3] = core::array::from_fn(|_| rng.log_uniform(0.1, 10.0));
        let mut moments = [a + b, b + c, c + a];
        moments.sort_by(f64::total_cmp);
        let [first, second, third] = moments;
        if second > 1.05 * first && third > 1.05 * second {
            return moments;
        }
    }
}

/// Whole moments and the whole m1, m3 that put them on the separatrix.
const SEPARATRIX: [([f64; 3], [f64; 2]); 12] = [
    ([3.0, 4.0, 6.0], [1.0, 1.0]),
    ([2.0, 5.0, 6.0], [1.0, 3.0]),
    ([3.0, 5.0, 6.0], [1.0, 2.0]),
    ([3.0, 5.0, 8.0], [3.0, 4.0]),
    ([4.0, 5.0, 9.0], [4.0, 3.0]),
    ([4.0, 8.0, 9.0], [1.0, 3.0]),
    ([10.0, 13.0, 15.0], [2.0, 3.0]),
    ([12.0, 13.0, 16.0], [3.0, 2.0]),
    ([9.0, 10.0, 18.0], [2.0, 1.0]),
    ([5.0, 13.0, 18.0], [5.0, 12.0]),
    ([12.0, 17.0, 20.0], [3.0, 5.0]),
    ([14.0, 15.0, 21.0], [2.0, 1.0]),
];

/// A body on the separatrix, in the order of ascending moments; the factors have few bits, so that
/// every product is exact.
fn on_separatrix(rng: &mut Rng) -> ([f64; 3], [f64; 3]) {
    let (moments, [m1, m3]) = SEPARATRIX[rng.below(SEPARATRIX.len())];
    let size = rng.uniform(4.0, 400.0).round() / 128.0;
    let length = rng.uniform(10.0, 1000.0).round() / 256.0;
    let m2 = rng.uniform(-4.0, 4.0) * length;
    (moments.map(|x| x * size), [m1 * length * rng.sign(), m2, m3 * length * rng.sign()])
}

/// Momentum in the order of ascending moments.
fn momentum(class: BodyClass, inertia: &[f64; 3], rng: &mut Rng) -> [f64; 3] {
    let length = rng.log_uniform(0.1, 10.0);
    let [i1, i2, i3] = *inertia;
    match class {
        BodyClass::NearSeparatrix(d) => {
            let m3 = rng.uniform(0.3, 1.0) * length * rng.sign();
            let ratio = ((i3 - i2) * i1 / ((i2 - i1) * i3 * (1.0 + d))).sqrt();
            let m1 = m3 * ratio * rng.sign();
            [m1, rng.uniform(-1.0, 1.0) * length, m3]
        }
        BodyClass::NearAxis { axis, d } => {
            let mut m = [0.0; 3];
            let [x, y] = rng.direction();
            m[axis] = length * libm::cos(d) * rng.sign();
            m[(axis + 1) % 3] = length * libm::sin(d) * x;
            m[(axis + 2) % 3] = length * libm::sin(d) * y;
            m
        }
        BodyClass::OnAxis(axis) => {
            let mut m = [0.0; 3];
            m[axis] = length * rng.sign();
            m
        }
        // The separatrix is at m1/m3 about 1e-6: both sides of it, and the fast spin.
        BodyClass::Extreme => {
            let [x, y] = rng.direction();
            let m1 = rng.log_uniform(1e-7, 1.0) * rng.sign();
            [m1, x, y].map(|m| m * length)
        }
        _ => loop {
            let m: [f64; 3] = rng.direction::<3>().map(|x| x * length);
            let (low, high) = ((i2 - i1) * i3 * m[0] * m[0], (i3 - i2) * i1 * m[2] * m[2]);
            let away = (low - high).abs() >= 0.05 * (low + high);
            if away && m.iter().all(|x| x.abs() > 0.05 * length) {
                return m;
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polhode_elliptic::Dd;

    const CLASSES: [BodyClass; 17] = [
        BodyClass::Generic,
        BodyClass::NearSeparatrix(1e-9),
        BodyClass::NearSeparatrix(-1e-3),
        BodyClass::Separatrix,
        BodyClass::NearSymmetricOblate(1e-8),
        BodyClass::NearSymmetricProlate(1e-8),
        BodyClass::SymmetricOblate,
        BodyClass::SymmetricProlate,
        BodyClass::Sphere,
        BodyClass::NearSphere(1e-6),
        BodyClass::NearAxis { axis: 0, d: 1e-7 },
        BodyClass::NearAxis { axis: 1, d: 1e-7 },
        BodyClass::NearAxis { axis: 2, d: 1e-7 },
        BodyClass::OnAxis(0),
        BodyClass::OnAxis(2),
        BodyClass::Extreme,
        BodyClass::Flat,
    ];

    /// Moments in ascending order and the momentum along.
    fn sorted(body: &Body) -> ([f64; 3], [f64; 3]) {
        let mut order = [0, 1, 2];
        order.sort_by(|&a, &b| body.inertia[a].total_cmp(&body.inertia[b]));
        (order.map(|i| body.inertia[i]), order.map(|i| body.momentum[i]))
    }

    /// I32 I1 m3^2 and I21 I3 m1^2, whose difference decides the side of the separatrix.
    fn sides(body: &Body) -> (Dd, Dd) {
        let ([i1, i2, i3], [m1, _, m3]) = sorted(body);
        let side =
            |a: f64, b: f64, c: f64, m: f64| Dd::sum(a, -b) * Dd::from(c) * Dd::product(m, m);
        (side(i3, i2, i1, m3), side(i2, i1, i3, m1))
    }

    /// What the class promises, for the moments `i` and momentum `m` in ascending order.
    fn keeps_its_promise(class: BodyClass, body: &Body) -> bool {
        let ([i1, i2, i3], m) = sorted(body);
        let length = m.iter().map(|x| x * x).sum::<f64>().sqrt();
        let near = |got: f64, want: f64| (got - want).abs() <= 1e-15 + 1e-6 * want.abs();
        let (high, low) = sides(body);
        match class {
            BodyClass::Generic => i2 > 1.05 * i1 && i3 > 1.05 * i2,
            BodyClass::NearSeparatrix(d) => near(((high - low) / low).hi(), d),
            BodyClass::Separatrix => high == low && high.hi() > 0.0,
            BodyClass::NearSymmetricOblate(d) => near(i2 / i1 - 1.0, d) && i3 > 1.1 * i2,
            BodyClass::NearSymmetricProlate(d) => near(i3 / i2 - 1.0, d) && i2 > 1.1 * i1,
            BodyClass::SymmetricOblate => i1 == i2 && i3 > 1.1 * i2,
            BodyClass::SymmetricProlate => i3 == i2 && i2 > 1.1 * i1,
            BodyClass::Sphere => i1 == i3,
            BodyClass::NearSphere(d) => near(i3 / i1 - 1.0, d) && i1 < i2 && i2 < i3,
            BodyClass::NearAxis { axis, d } => {
                let across = m[(axis + 1) % 3].hypot(m[(axis + 2) % 3]);
                near(across / length, d)
            }
            BodyClass::OnAxis(axis) => m[axis].abs() == length && length > 0.0,
            BodyClass::Extreme => near(i1 / i2, 1e-6) && i3 > i2,
            BodyClass::Flat => i1 + i2 == i3,
        }
    }

    #[test]
    fn bodies_are_what_their_class_says() {
        let mut rng = Rng::new(1);
        for class in CLASSES {
            for _ in 0..200 {
                let body = body(class, &mut rng);
                assert!(keeps_its_promise(class, &body), "{class:?}: {body:?}");
                let ([i1, i2, i3], m) = sorted(&body);
                assert!(i1 > 0.0 && Dd::sum(i1, i2) >= Dd::from(i3), "{class:?}: {body:?}");
                assert!(m.iter().any(|&x| x != 0.0), "{class:?}: {body:?}");
                let length = body.attitude.iter().map(|x| x * x).sum::<f64>();
                assert!((length - 1.0).abs() < 1e-15, "{class:?}: {body:?}");
            }
        }
    }

    #[test]
    fn axes_come_in_every_order_and_both_sides_occur() {
        let mut rng = Rng::new(2);
        let bodies: Vec<Body> = (0..400).map(|_| body(BodyClass::Generic, &mut rng)).collect();
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let ascending = |b: &&Body| order.map(|i| b.inertia[i]).is_sorted();
            assert!(bodies.iter().filter(ascending).count() > 30, "{order:?}");
        }
        let about_largest = |b: &&Body| sides(b).0 > sides(b).1;
        let count = bodies.iter().filter(about_largest).count();
        assert!((80..=320).contains(&count), "{count}");
        let negative = bodies.iter().filter(|b| b.momentum[0] < 0.0).count();
        assert!((150..=250).contains(&negative), "{negative}");
    }

    #[test]
    fn units_and_times_scale() {
        let body = body(BodyClass::Separatrix, &mut Rng::new(3)).scaled(0.25, 1024.0);
        let (high, low) = sides(&body);
        assert_eq!(high, low);
        let spin = Body {
            inertia: [1.0, 2.0, 4.0],
            momentum: [0.0, 0.0, 2.0],
            attitude: [1.0, 0.0, 0.0, 0.0],
        };
        assert_eq!(spin.time_for(10.0), 20.0);
        assert_eq!(spin.scaled(2.0, 1.0).time_for(10.0), 40.0);
    }
}
