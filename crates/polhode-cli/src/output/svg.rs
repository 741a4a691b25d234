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
        let mut sphere = Sphere::new(["1", "2", "3"])
            .title("Direction of the momentum in the body")
            .curve(Curve::new("polhode through the start", self.polhode()).colour(1))
            .curve(Curve::new("momentum", momenta).colour(0));
        sphere.radius = Some(1.0);
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

    fn attitude(&self, components: Vec<Vec<[f64; 2]>>) -> Chart {
        let Units { attitude, degrees } = self.units;
        let (title, label) = match (attitude, degrees) {
            (AttitudeFormat::Quaternion | AttitudeFormat::ScalarLast, _) => {
                ("Attitude, body to space".to_owned(), "quaternion")
            }
            (AttitudeFormat::Matrix, _) => ("Attitude, body to space".to_owned(), "matrix"),
            (AttitudeFormat::Euler(s), degrees) => {
                let unit = if degrees { "degrees" } else { "radians" };
                (format!("Attitude, Euler angles {}", s.name()), unit)
            }
        };
        let mut chart = Chart::new(Axis::linear("t"), Axis::linear(label)).title(title);
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
        let mut energy = Envelope::new(count, f64::INFINITY);
        let columns = self.units.attitude.columns().len();
        let mut attitude: Vec<_> =
            (0..columns).map(|_| Envelope::new(count, self.half_turn())).collect();
        for (n, row) in (0..).zip(rows.iter()?) {
            let row = row?;
            momenta.take(n, row.state.m);
            energy.take(
                n,
                row.t,
                if self.conserves_energy { row.energy_error } else { row.energy },
            );
            for (envelope, x) in attitude.iter_mut().zip(self.units.attitude(&row)) {
                envelope.take(n, row.t, x);
            }
        }
        let attitude = attitude.into_iter().map(Envelope::points).collect();
        let figure = Figure::new([
            self.sphere(momenta.points).into(),
            self.energy(energy.points()).into(),
            self.attitude(attitude).into(),
        ]);
        let svg = figure.title(&self.title).to_svg().map_err(io::Error::other)?;
        out.write_all(svg.as_bytes())
    }
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
        if n % self.stride != 0 {
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
    /// A jump beyond this is a gap.
    jump: f64,
    bin: Option<Bin>,
    points: Vec<[f64; 2]>,
}

struct Bin {
    number: u64,
    low: [f64; 2],
    high: [f64; 2],
}

impl Envelope {
    fn new(count: u64, jump: f64) -> Self {
        let bins = if count <= MOST_POINTS { count } else { MOST_POINTS / 2 };
        Self { count, bins, jump, bin: None, points: Vec::new() }
    }

    fn take(&mut self, n: u64, t: f64, x: f64) {
        #[allow(clippy::cast_possible_truncation, reason = "less than the bins")]
        let number = (u128::from(n) * u128::from(self.bins) / u128::from(self.count)) as u64;
        match &mut self.bin {
            Some(bin) if bin.number == number => {
                if x < bin.low[1] {
                    bin.low = [t, x];
                }
                if x > bin.high[1] {
                    bin.high = [t, x];
                }
            }
            _ => {
                self.close();
                self.bin = Some(Bin { number, low: [t, x], high: [t, x] });
            }
        }
    }

    fn close(&mut self) {
        let Some(Bin { low, high, .. }) = self.bin.take() else { return };
        // In the order of the run, which may go backwards in time.
        let backwards = self.points.last().is_some_and(|p| p[0] > low[0].max(high[0]));
        let (first, second) =
            if (low[0] <= high[0]) == backwards { (high, low) } else { (low, high) };
        self.push(first);
        if second != first {
            self.push(second);
        }
    }

    fn push(&mut self, point: [f64; 2]) {
        if self.points.last().is_some_and(|p| (p[1] - point[1]).abs() > self.jump) {
            self.points.push([point[0], f64::NAN]);
        }
        self.points.push(point);
    }

    fn points(mut self) -> Vec<[f64; 2]> {
        self.close();
        self.points
    }
}
