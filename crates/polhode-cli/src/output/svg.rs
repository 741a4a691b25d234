//! `.svg`: a run as a picture. Momentum on the sphere, error of the energy, attitude.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use polhode::glam::DVec3;
use polhode::{FreeMotion, Inertia, Regime, State};
use polhode_plot::{Axis, Chart, Curve, Figure, Series, Sphere};

use super::spool::{Assembly, Rows};
use super::thinning::{AttitudeThinning, Envelope, Momenta, direction};
use super::{Format, Setting, Units, Writer};
use crate::attitude::AttitudeFormat;

pub(super) const FORMAT: Format = Format {
    extension: "svg",
    about: "is a picture: the momentum on its sphere, the error of the energy, the attitude",
    make: |_, setting| Ok(Writer::Spool(Box::new(Picture::new(setting)))),
};

struct Picture {
    units: Units,
    title: String,
    inertia: Inertia,
    start: State,
    conserves_energy: bool,
}

impl Picture {
    fn new(setting: &Setting<'_>) -> Self {
        Self {
            units: Units::of(setting),
            title: setting.title.to_owned(),
            inertia: *setting.problem.inertia(),
            start: setting.problem.start(),
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

    fn attitude(&self, attitude: AttitudeThinning, count: u64) -> Chart {
        let Units { attitude: form, degrees } = self.units;
        let (what, label) = match form {
            AttitudeFormat::Quaternion | AttitudeFormat::ScalarLast => {
                (String::new(), "quaternion")
            }
            AttitudeFormat::Matrix => (String::new(), "matrix"),
            AttitudeFormat::Euler(s) => (
                format!(", Euler angles {}", s.name()),
                if degrees { "degrees" } else { "radians" },
            ),
        };
        let part = if attitude.rows < count {
            format!(", first {} of {count} rows", attitude.rows)
        } else {
            String::new()
        };
        let mut chart = Chart::new(Axis::linear("t"), Axis::linear(label))
            .title(format!("Attitude{what}{part}"));
        for (name, points) in form.columns().iter().zip(attitude.components) {
            chart = chart.series(Series::new(*name, points));
        }
        chart
    }
}

impl Assembly for Picture {
    fn assemble(&self, rows: &mut Rows, out: &mut BufWriter<File>) -> io::Result<()> {
        let count = rows.count();
        let mut momenta = Momenta::new(count);
        let mut energy = Envelope::new(count);
        let mut attitude = AttitudeThinning::new(self.units);
        for (n, row) in (0..).zip(rows.all()?) {
            let row = row?;
            momenta.take(n, row.state.m);
            energy.take(
                n,
                row.t,
                if self.conserves_energy { row.energy_error } else { row.energy },
            );
            attitude.take(&row);
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

#[cfg(test)]
mod tests {
    use super::*;

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
