//! The discrete Moser-Veselov algorithm of orders 6, 8 and 10 as Hairer and Vilmart published it: modified
//! moments from a series anew in every step, the iteration until its change is below 1e-15 h, the
//! quaternion normalised.

use polhode::glam::{DQuat, DVec3};

/// Coefficients of a series: of h²ᵏ Cᵏ⁻ʲ Hʲ in row k - 1, column j.
type DmvSeries = [[f64; 5]; 4];

/// A body.
pub(super) struct Dmv {
    moments: DVec3,
    terms: usize,
    scale: DmvSeries,
    shift: DmvSeries,
}

/// The factor of 1/I and what is added to it.
fn series([a, b, c]: [f64; 3]) -> [DmvSeries; 2] {
    let (e1, e2, e3) = (a + b + c, a * b + b * c + c * a, a * b * c);
    let scale = [
        [e2 / 6.0, -e1 / 3.0, 0.0, 0.0, 0.0],
        [
            -e1 * e3 / 10.0 + e2.powi(2) / 30.0,
            -e1 * e2 / 30.0 + 2.0 * e3 / 15.0,
            e1.powi(2) / 30.0 - e2 / 60.0,
            0.0,
            0.0,
        ],
        [
            -11.0 * e1 * e2 * e3 / 420.0 + 17.0 * e2.powi(3) / 2520.0 + 5.0 * e3.powi(2) / 126.0,
            11.0 * e1.powi(2) * e3 / 210.0 - e1 * e2.powi(2) / 70.0 - e2 * e3 / 84.0,
            e1.powi(2) * e2 / 420.0 - 53.0 * e1 * e3 / 630.0 + 41.0 * e2.powi(2) / 2520.0,
            -e1.powi(3) / 630.0 + e1 * e2 / 630.0 + e3 / 35.0,
            0.0,
        ],
        [
            e1.powi(2) * e3.powi(2) / 120.0 - 19.0 * e1 * e2.powi(2) * e3 / 2520.0
                + 31.0 * e2.powi(4) / 22680.0
                + 97.0 * e2 * e3.powi(2) / 15120.0,
            17.0 * e1.powi(2) * e2 * e3 / 1260.0
                - 11.0 * e1 * e2.powi(3) / 3240.0
                - 47.0 * e1 * e3.powi(2) / 945.0
                + 47.0 * e2.powi(2) * e3 / 7560.0,
            -17.0 * e1.powi(3) * e3 / 1260.0
                + 13.0 * e1.powi(2) * e2.powi(2) / 3780.0
                + e1 * e2 * e3 / 252.0
                + e2.powi(3) / 2520.0
                + 53.0 * e3.powi(2) / 1260.0,
            -e1.powi(3) * e2 / 11340.0 + 23.0 * e1.powi(2) * e3 / 945.0
                - 11.0 * e1 * e2.powi(2) / 1890.0
                - 23.0 * e2 * e3 / 1260.0,
            e1.powi(4) / 22680.0 - e1.powi(2) * e2 / 15120.0 - 3.0 * e1 * e3 / 280.0
                + 17.0 * e2.powi(2) / 5040.0,
        ],
    ];
    let shift = [
        [-e3 / 3.0, e2 / 6.0, 0.0, 0.0, 0.0],
        [
            -e2 * e3 / 60.0,
            2.0 * e1 * e3 / 15.0 - e2.powi(2) / 60.0,
            -e1 * e2 / 60.0 - e3 / 10.0,
            0.0,
            0.0,
        ],
        [
            e1 * e3.powi(2) / 35.0 - 19.0 * e2.powi(2) * e3 / 2520.0,
            -e1 * e2 * e3 / 1260.0 + e2.powi(3) / 1260.0 - 22.0 * e3.powi(2) / 315.0,
            -8.0 * e1.powi(2) * e3 / 315.0
                + 13.0 * e1 * e2.powi(2) / 2520.0
                + 11.0 * e2 * e3 / 252.0,
            e1.powi(2) * e2 / 1260.0 + e1 * e3 / 42.0 - 13.0 * e2.powi(2) / 1260.0,
            0.0,
        ],
        [
            3.0 * e1 * e2 * e3.powi(2) / 560.0
                - 61.0 * e2.powi(3) * e3 / 45360.0
                - 61.0 * e3.powi(3) / 4536.0,
            -2.0 * e1.powi(2) * e3.powi(2) / 105.0 + 37.0 * e1 * e2.powi(2) * e3 / 7560.0
                - e2.powi(4) / 45360.0
                + 19.0 * e2 * e3.powi(2) / 1260.0,
            19.0 * e1.powi(2) * e2 * e3 / 7560.0 - e1 * e2.powi(3) / 1512.0
                + 89.0 * e1 * e3.powi(2) / 1890.0
                - 19.0 * e2.powi(2) * e3 / 1080.0,
            8.0 * e1.powi(3) * e3 / 2835.0
                - e1.powi(2) * e2.powi(2) / 1512.0
                - 23.0 * e1 * e2 * e3 / 1890.0
                + 97.0 * e2.powi(3) / 22680.0
                - e3.powi(2) / 35.0,
            -e1.powi(3) * e2 / 45360.0 - e1.powi(2) * e3 / 360.0 - e1 * e2.powi(2) / 7560.0
                + 17.0 * e2 * e3 / 1680.0,
        ],
    ];
    [scale, shift]
}

impl Dmv {
    /// Of an even order from 4 to 10.
    pub(super) fn new(moments: [f64; 3], order: usize) -> Self {
        let [scale, shift] = series(moments.map(|i| 1.0 / i));
        Self { moments: DVec3::from_array(moments), terms: order / 2 - 1, scale, shift }
    }

    pub(super) fn step(&self, h: f64, m: &mut DVec3, q: &mut DQuat) {
        let square = 0.5 * h * h;
        let (casimir, energy) = (square * m.dot(*m), square * m.dot(*m / self.moments));
        let sum = |series: &DmvSeries| {
            let mut total = 0.0;
            for (k, row) in series[..self.terms].iter().enumerate() {
                let mut power = 1.0;
                let mut part = 0.0;
                // Horner's rule in C, powers of H.
                for coefficient in &row[..k + 2] {
                    part = part * casimir + coefficient * power;
                    power *= energy;
                }
                total += part;
            }
            total
        };
        let inverse = (1.0 + sum(&self.scale)) / self.moments + sum(&self.shift);
        let modified = 1.0 / inverse;
        let differences =
            DVec3::new(modified.y - modified.z, modified.z - modified.x, modified.x - modified.y);
        let factors = differences * inverse;
        let kappa = *m * inverse * (0.5 * h);
        let mut c = kappa;
        c.x = kappa.x + factors.x * kappa.y * kappa.z;
        c.y = kappa.y + factors.y * c.x * kappa.z;
        c.z = kappa.z + factors.z * c.x * c.y;
        let mut alpha = 1.0;
        for _ in 0..50 {
            let before = c;
            alpha = 1.0 + c.dot(c);
            c.x = alpha * kappa.x + factors.x * c.y * c.z;
            c.y = alpha * kappa.y + factors.y * c.z * c.x;
            c.z = alpha * kappa.z + factors.z * c.x * c.y;
            if (c - before).abs().element_sum() < 1e-15 * h.abs() {
                break;
            }
        }
        *m += differences * DVec3::new(c.y * c.z, c.z * c.x, c.x * c.y) * (4.0 / (h * alpha));
        *q = (*q * DQuat::from_xyzw(c.x, c.y, c.z, 1.0)).normalize();
    }
}

#[cfg(test)]
mod tests {
    use polhode::{Inertia, State, rotor};

    use super::*;

    #[test]
    fn it_is_the_librarys_algorithm() {
        let moments = [0.7, 1.0, 1.4];
        let inertia = Inertia::principal(moments).unwrap();
        for order in [6, 8, 10] {
            let mut rotor = rotor::build(&format!("dmv:order={order}"), &inertia).unwrap();
            let mut want = State::aligned([0.5, 0.4, 0.768]).unwrap();
            let (mut m, mut q) = (want.m, DQuat::IDENTITY);
            let dmv = Dmv::new(moments, order);
            for _ in 0..50 {
                rotor.step(0.2, &mut want).unwrap();
                dmv.step(0.2, &mut m, &mut q);
            }
            let off = (m - want.m).length().max((q - want.q).length());
            assert!(off < 1e-13, "order {order}: {off:e}");
        }
    }
}
