//! `.svg`: a run as a picture. Momentum on the sphere, error of the energy, attitude.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use polhode::glam::DVec3;
use polhode::{FreeMotion, Inertia, Regime, State};
use polhode_plot::{Axis, Chart, Curve, Figure, Series, Sphere};

use super::spool::{Assembly, Rows};
use super::{Setting, Units};
use crate::attitude::AttitudeFormat;

pub(super) struct Picture {
    units: Units,
    title: String,
    inertia: Inertia,
    start: State,
    conserves_energy: bool,
}

/// Rows of a picture: more than there are pixels across a panel help nobody.
const MOST_POINTS: u64 = 4000;

/// Rows whose attitude is drawn, from the first: thousands of turns side by side are one blot.
const ATTITUDES: u64 = 1000;

/// Points on the sphere farther apart than this, in radii, are drawn as points: a line would cut
/// through where the body has never been.
const FAR: f64 = 0.4;

impl Picture {
    pub(super) fn new(setting: &Setting<'_>) -> Self {
        Self {
            units: Units::of(setting),
            title: setting.title.to_owned(),
            inertia: setting.problem.inertia,
            start: setting.problem.start,
            conserves_energy: setting.conserves_energy,
        }
    }

    fn sphere(&self, momenta: Vec<[f64; 3]>) -> Sphere {
        let polhode = self.polhode();
        let view = view(&polhode);
        let mut polhode = Curve::new("polhode through the start", polhode).colour(1);
        // Seen on both sides of a trajectory that follows it.
        polhode.style.width = 4.0;
        let mut momenta = Curve::new("momentum", momenta).colour(0);
        momenta.style.width = 1.2;
        let mut sphere = Sphere::new(["1", "2", "3"])
            .title("Direction of the momentum in the body")
            .curve(polhode)
            .curve(momenta);
        (sphere.radius, sphere.view) = (Some(1.0), view);
        sphere
    }

    /// Where the momentum of a free body with this start would go.
    fn polhode(&self) -> Vec<[f64; 3]> {
        const POINTS: u32 = 720;
        let Ok(motion) = FreeMotion::new(&self.inertia, self.start) else { return Vec::new() };
        // From one end of the window to the other.
        let window = match (motion.regime(), motion.period()) {
            (Regime::Separatrix, _) => 32.0 / self.escape_rate(),
            (_, Some(period)) => period,
            (_, None) => 0.0,
        };
        let time = |n| window * (f64::from(n) / f64::from(POINTS) - 0.5);
        let momenta = (0..=POINTS).map_while(|n| motion.momentum_at(time(n)).ok());
        momenta.map(direction).collect()
    }

    /// How fast rotation about the middle axis is left: next to it disturbances grow like
    /// exp(rate t).
    fn escape_rate(&self) -> f64 {
        let mut moments = self.inertia.moments().to_array();
        moments.sort_by(f64::total_cmp);
        let [a, b, c] = moments;
        self.start.m.length() / b * ((1.0 - a / b) * (c / b - 1.0) * (b / a) * (b / c)).sqrt()
    }

    fn energy(&self, points: Vec<[f64; 2]>) -> Chart {
        let (title, label) = if self.conserves_energy {
            ("Error of the energy", "E - E(0)")
        } else {
            ("Energy, which the torque does not keep", "E")
        };
        Chart::new(Axis::linear("t"), Axis::linear(label))
            .title(title)
            .series(Series::new("", points))
    }

    fn attitude(&self, components: Vec<Vec<[f64; 2]>>, count: u64) -> Chart {
        let Units { attitude, degrees } = self.units;
        let (form, label) = match attitude {
            AttitudeFormat::Quaternion | AttitudeFormat::ScalarLast => {
                (String::new(), "quaternion")
            }
            AttitudeFormat::Matrix => (String::new(), "matrix"),
            AttitudeFormat::Euler(s) => (
                format!(", Euler angles {}", s.name()),
                if degrees { "degrees" } else { "radians" },
            ),
        };
        let part = if count > ATTITUDES {
            format!(", first {ATTITUDES} of {count} rows")
        } else {
            String::new()
        };
        let mut chart = Chart::new(Axis::linear("t"), Axis::linear(label))
            .title(format!("Attitude{form}{part}"));
        for (name, points) in attitude.columns().iter().zip(components) {
            chart = chart.series(Series::new(*name, points));
        }
        chart
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

impl Assembly for Picture {
    fn assemble(&self, rows: &mut Rows, out: &mut BufWriter<File>) -> io::Result<()> {
        let count = rows.count();
        let mut momenta =
            Momenta { stride: count.div_ceil(MOST_POINTS).max(1), points: Vec::new() };
        let mut energy = Envelope::new(count);
        let mut attitude = vec![Vec::new(); self.units.attitude.columns().len()];
        let jump = self.half_turn();
        for (n, row) in (0..).zip(rows.all()?) {
            let row = row?;
            momenta.take(n, row.state.m);
            energy.take(
                n,
                row.t,
                if self.conserves_energy { row.energy_error } else { row.energy },
            );
            if n < ATTITUDES {
                for (points, x) in attitude.iter_mut().zip(self.units.attitude(&row)) {
                    connect(points, [row.t, x], jump);
                }
            }
        }
        let figure = Figure::new([
            self.sphere(momenta.points).into(),
            self.energy(energy.points()).into(),
            self.attitude(attitude, count).into(),
        ]);
        let svg = figure.title(&self.title).to_svg().map_err(io::Error::other)?;
        out.write_all(svg.as_bytes())
    }
}

/// Longitude and latitude, in whole degrees, from where the axis that a polhode goes around
/// points at the viewer, more or less.
fn view(polhode: &[[f64; 3]]) -> [f64; 2] {
    let sum: DVec3 = polhode.iter().map(|&p| DVec3::from_array(p)).sum();
    let mean = sum / (polhode.len().max(1) as f64);
    let longitude =
        if mean.x.hypot(mean.y) > 0.1 { mean.y.atan2(mean.x).to_degrees() } else { 10.0 };
    let latitude = if mean.z.abs() > 0.3 { 40f64.copysign(mean.z) } else { 20.0 };
    [(longitude + 25.0).round(), latitude]
}

/// Goes on with a curve, after a gap where it jumps.
fn connect(points: &mut Vec<[f64; 2]>, point: [f64; 2], jump: f64) {
    if points.last().is_some_and(|p| (p[1] - point[1]).abs() > jump) {
        points.push([point[0], f64::NAN]);
    }
    points.push(point);
}

/// The direction of a vector; of none, there is none.
fn direction(m: DVec3) -> [f64; 3] {
    m.try_normalize().unwrap_or(DVec3::NAN).to_array()
}

/// Directions of the momentum, with gaps where they are far apart.
struct Momenta {
    /// One of so many rows is kept.
    stride: u64,
    points: Vec<[f64; 3]>,
}

impl Momenta {
    fn take(&mut self, n: u64, m: DVec3) {
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
struct Envelope {
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
    fn new(count: u64) -> Self {
        let bins = if count <= MOST_POINTS { count } else { MOST_POINTS / 2 };
        Self { count, bins, bin: None, points: Vec::new() }
    }

    fn take(&mut self, n: u64, t: f64, x: f64) {
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

    fn points(mut self) -> Vec<[f64; 2]> {
        self.close();
        self.points
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn polhodes_of_every_kind_of_motion() {
        let picture = |moments: [f64; 3], m: [f64; 3]| Picture {
            units: Units { attitude: AttitudeFormat::Quaternion, degrees: false },
            title: String::new(),
            inertia: Inertia::principal(moments).unwrap(),
            start: State::aligned(m).unwrap(),
            conserves_energy: true,
        };
        for (moments, m, closed) in [
            ([1.0, 2.0, 2.5], [1e-3, 2.0, 0.0], true),
            ([2.5, 1.0, 2.0], [3.0, -1.0, 0.5], true),
            ([2.0, 2.0, 3.0], [1e-150, 0.0, 1e-150], true),
            ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], true),
            ([1.0, 2.0, 2.5], [0.0, 1.0, 0.0], true),
            ([1.0, 2.0, 2.5], [0.0, 0.0, 0.0], false),
            // 16/4 + 1/5 + 9/9 = (16 + 1 + 9)/5: the separatrix.
            ([4.0, 5.0, 9.0], [4.0, 1.0, 3.0], false),
        ] {
            let picture = picture(moments, m);
            let points = picture.polhode();
            let motion = FreeMotion::new(&picture.inertia, picture.start).unwrap();
            let energy = |p: [f64; 3]| {
                let p = DVec3::from_array(p);
                p.dot(picture.inertia.omega(p))
            };
            if motion.regime() == Regime::Rest {
                assert!(points.iter().flatten().all(|x| x.is_nan()));
                continue;
            }
            let want = energy(direction(picture.start.m));
            assert!(points.iter().all(|&p| (energy(p) / want - 1.0).abs() < 1e-12), "{m:?}");
            let (first, last) = (DVec3::from(points[0]), DVec3::from(points[points.len() - 1]));
            assert_eq!(first.distance(last) < 1e-9, closed, "{m:?}");
            if motion.regime() == Regime::Separatrix {
                // From one end of the middle axis to the other.
                assert!(first.distance(-last) < 1e-3, "{first} {last}");
            }
        }
    }
}
