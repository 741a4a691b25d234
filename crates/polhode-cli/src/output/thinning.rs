//! Few points for many rows: what of a run is drawn.

use polhode::glam::{DQuat, DVec3};
use polhode::so3;

use super::{Row, Units};
use crate::attitude::AttitudeFormat;

/// Rows of a picture: more than there are pixels across a panel help nobody.
const MOST_POINTS: u64 = 4000;

/// The attitude is drawn from the first row on, for so many rows or radians, whichever is less:
/// hundreds of turns side by side are one blot.
const MOST_ATTITUDES: u64 = 1000;
const MOST_TURNING: f64 = 12.0 * std::f64::consts::TAU;

/// Points on the sphere farther apart than this, in radii, are drawn as points: a line would cut
/// through where the body has never been.
const FAR: f64 = 0.4;

/// The direction of a vector; of none, there is none.
pub(super) fn direction(m: DVec3) -> [f64; 3] {
    m.try_normalize().unwrap_or(DVec3::NAN).to_array()
}

/// Directions of the momentum, with gaps where they are far apart.
pub(super) struct Momenta {
    /// One of so many rows is kept.
    stride: u64,
    pub(super) points: Vec<[f64; 3]>,
}

impl Momenta {
    /// For so many rows.
    pub(super) fn new(count: u64) -> Self {
        Self { stride: count.div_ceil(MOST_POINTS).max(1), points: Vec::new() }
    }

    pub(super) fn take(&mut self, n: u64, m: DVec3) {
        if !n.is_multiple_of(self.stride) {
            return;
        }
        let point = direction(m);
        let before = self.points.last().map(|&p| DVec3::from_array(p));
        if before.is_some_and(|p| p.distance(point.into()) > FAR) {
            self.points.push([f64::NAN; 3]);
        }
        self.points.push(point);
    }
}

/// A curve over many rows as the least and the greatest value in each of a number of bins: what
/// stands out is seen, however short it was.
pub(super) struct Envelope {
    /// Rows, and how many bins there are for them.
    count: u64,
    bins: u64,
    bin: Option<Bin>,
    points: Vec<[f64; 2]>,
}

struct Bin {
    number: u64,
    /// Row and point.
    low: (u64, [f64; 2]),
    high: (u64, [f64; 2]),
}

impl Envelope {
    pub(super) fn new(count: u64) -> Self {
        let bins = if count <= MOST_POINTS { count } else { MOST_POINTS / 2 };
        Self { count, bins, bin: None, points: Vec::new() }
    }

    pub(super) fn take(&mut self, n: u64, t: f64, x: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "less than the bins")]
        let number = (u128::from(n) * u128::from(self.bins) / u128::from(self.count)) as u64;
        match &mut self.bin {
            Some(bin) if bin.number == number => {
                if x < bin.low.1[1] {
                    bin.low = (n, [t, x]);
                }
                if x > bin.high.1[1] {
                    bin.high = (n, [t, x]);
                }
            }
            _ => {
                self.close();
                self.bin = Some(Bin { number, low: (n, [t, x]), high: (n, [t, x]) });
            }
        }
    }

    fn close(&mut self) {
        let Some(Bin { low, high, .. }) = self.bin.take() else { return };
        let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
        self.points.push(first.1);
        if second.0 != first.0 {
            self.points.push(second.1);
        }
    }

    pub(super) fn points(mut self) -> Vec<[f64; 2]> {
        self.close();
        self.points
    }
}

/// Components of the attitude, as long as they can be told apart.
pub(super) struct AttitudeThinning {
    units: Units,
    pub(super) components: Vec<Vec<[f64; 2]>>,
    pub(super) rows: u64,
    /// The last attitude, and the angle turned through up to it.
    last: Option<DQuat>,
    turned: f64,
}

impl AttitudeThinning {
    pub(super) fn new(units: Units) -> Self {
        let components = vec![Vec::new(); units.attitude.columns().len()];
        Self { units, components, rows: 0, last: None, turned: 0.0 }
    }

    pub(super) fn take(&mut self, row: &Row) {
        if self.rows >= MOST_ATTITUDES || self.turned > MOST_TURNING {
            return;
        }
        self.rows += 1;
        let q = row.state.q;
        self.turned += self.last.replace(q).map_or(0.0, |last| so3::angle_between(last, q));
        let jump = self.half_turn();
        for (points, x) in self.components.iter_mut().zip(self.units.attitude(row)) {
            if points.last().is_some_and(|p: &[f64; 2]| (p[1] - x).abs() > jump) {
                points.push([row.t, f64::NAN]);
            }
            points.push([row.t, x]);
        }
    }

    /// Angles that differ by more than this have been brought back by a turn in between.
    fn half_turn(&self) -> f64 {
        match (self.units.attitude, self.units.degrees) {
            (AttitudeFormat::Euler(_), true) => 180.0,
            (AttitudeFormat::Euler(_), false) => std::f64::consts::PI,
            _ => f64::INFINITY,
        }
    }
}

#[cfg(test)]
mod tests {
    use polhode::State;

    use super::super::InsideNumbers;
    use super::*;

    fn envelope(count: u32, x: impl Fn(u32) -> f64, sign: f64) -> Vec<[f64; 2]> {
        let mut envelope = Envelope::new(u64::from(count));
        for n in 0..count {
            envelope.take(u64::from(n), sign * f64::from(n), x(n));
        }
        envelope.points()
    }

    #[test]
    fn few_rows_are_all_drawn() {
        let points = envelope(4000, f64::from, 1.0);
        assert!(points.into_iter().eq((0..4000).map(|n| [f64::from(n), f64::from(n)])));
    }

    #[test]
    fn many_rows_keep_their_peaks_in_the_order_of_time() {
        for sign in [1.0, -1.0] {
            let peaks = |n| match n {
                123_456 => 7.0,
                654_321 => -7.0,
                n => f64::from(n % 10) * 0.1,
            };
            let points = envelope(1_000_000, peaks, sign);
            assert!(points.len() as u64 <= MOST_POINTS, "{}", points.len());
            assert!(points.contains(&[sign * 123_456.0, 7.0]));
            assert!(points.contains(&[sign * 654_321.0, -7.0]));
            assert!(points.windows(2).all(|p| sign * p[0][0] < sign * p[1][0]), "{sign}");
        }
    }

    fn attitudes(form: &str, turn: f64) -> AttitudeThinning {
        let form = form.parse().unwrap();
        let mut attitudes = AttitudeThinning::new(Units { attitude: form, degrees: true });
        for n in 0..2000u32 {
            attitudes.take(&Row {
                step: n.into(),
                t: n.into(),
                state: State { m: DVec3::Z, q: so3::exp(DVec3::Z * (f64::from(n) * turn)) },
                omega: DVec3::Z,
                energy: 0.5,
                energy_error: 0.0,
                momentum_error: 0.0,
                spatial_momentum_error: 0.0,
                inside: InsideNumbers::NONE,
            });
        }
        attitudes
    }

    #[test]
    fn attitudes_end_where_they_would_blot() {
        assert_eq!(attitudes("matrix", 1e-3).rows, MOST_ATTITUDES);
        // The 151st turn of 0.5 rad is the first beyond 75.4 rad.
        assert_eq!(attitudes("matrix", 0.5).rows, 152);
    }

    #[test]
    fn angles_have_a_gap_where_they_are_brought_back() {
        let yaw = &attitudes("euler", 0.5).components[0];
        let gaps = yaw.iter().filter(|p| p[1].is_nan()).count();
        assert_eq!(gaps, 12, "one a turn");
        let w = &attitudes("quaternion", 0.5).components[0];
        assert!(w.iter().all(|p| p[1].is_finite()));
    }

    #[test]
    fn directions_far_apart_are_not_connected() {
        let mut momenta = Momenta { stride: 2, points: Vec::new() };
        for (n, m) in
            (0..).zip([DVec3::X, DVec3::Y, DVec3::X * 3.0, DVec3::Z, DVec3::Y, DVec3::ZERO])
        {
            momenta.take(n, m);
        }
        let finite: Vec<bool> = momenta.points.iter().map(|p| p[0].is_finite()).collect();
        assert_eq!(finite, [true, true, false, true]);
    }
}
