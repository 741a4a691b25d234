//! Panels as they are drawn.
//!
//! Curves come from the film of a run, not from its rows; they end where so many waves stand side by side that they
//! could not be told apart, and the title then says so.

use polhode::Problem;
use polhode::glam::DVec3;
use polhode::observe::Observable;
use polhode_plot::{Axis, Chart, Curve, LineStyle, Mark, Panel, Series, Sphere};
use polhode_view::{Film, FilmMoment};

use super::RowUnits;
use super::curves::{MOST_LOOPS, path, polhode, readable, round, view};
use super::panels::PanelKind;
use super::thinning::{Envelope, direction};
use crate::attitude::AttitudeFormat;
use crate::numbers::time;
use crate::shown;
use crate::unit_names::{UnitNames, or_of_the_run};

/// What panels are drawn from.
pub(super) struct Scene<'a> {
    pub(super) film: &'a Film,
    pub(super) problem: &'a Problem,
    pub(super) units: RowUnits,
    pub(super) names: &'a UnitNames,
    pub(super) columns: &'a [(String, Observable)],
    /// Points of the energy, by row, and whether it should stay.
    pub(super) energy: Vec<[f64; 2]>,
    pub(super) conserves_energy: bool,
}

/// More waves than this side by side are one blot; of the three components of a vector fewer are, and of those of an
/// attitude, which are more and cross each other, fewer still.
const MOST_WAVES: usize = 40;
const MOST_WAVES_OF_THREE: usize = 20;
const MOST_TURNS: usize = 12;

/// Characters of a formula that fit above a panel.
const MOST_OF_A_FORMULA: usize = 32;

impl Scene<'_> {
    pub(super) fn panel(&self, kind: PanelKind) -> Panel {
        match kind {
            PanelKind::Momentum => self
                .chart(
                    "Angular momentum in the body",
                    &format!("momentum ({})", or_of_the_run(self.names.momentum())),
                    ["m1", "m2", "m3"].map(String::from).to_vec(),
                    |_, m| m.state.m.to_array().to_vec(),
                )
                .into(),
            PanelKind::Omega => {
                let unit = if self.units.degrees { "degrees" } else { "rad" };
                let label = format!("angular velocity ({})", self.names.rate(unit));
                let turn = if self.units.degrees { 1f64.to_degrees() } else { 1.0 };
                self.chart(
                    "Angular velocity in the body",
                    &label,
                    ["ω1", "ω2", "ω3"].map(String::from).to_vec(),
                    |i, _| (self.film.omega(i) * turn).to_array().to_vec(),
                )
                .into()
            }
            PanelKind::Attitude => self.attitude(self.units.attitude),
            PanelKind::Euler => match self.units.attitude {
                AttitudeFormat::Euler(_) => self.attitude(self.units.attitude),
                _ => self.attitude("euler".parse().unwrap_or(AttitudeFormat::Quaternion)),
            },
            PanelKind::Axis(k) => self.axis(k),
            PanelKind::Pointing => self.pointing(),
            PanelKind::Polhode => self.polhode(),
            PanelKind::Herpolhode => self.herpolhode(),
            PanelKind::Energy => self.energy(),
            PanelKind::Watched(which) => {
                let (name, observable) = &self.columns[which];
                let value = |i: usize, _: &FilmMoment| {
                    vec![shown::value(self.film, self.problem, observable, i)]
                };
                let formula = observable.text();
                // A long formula is for the scenario to tell.
                let title = if formula.len() > MOST_OF_A_FORMULA {
                    name.clone()
                } else {
                    format!("{name} = {formula}")
                };
                let label = self.names.watched(name, observable);
                self.chart(&title, &label, vec![String::new()], value).into()
            }
        }
    }

    /// Until when the motion is drawn, if not to its end: "until 14 of 100".
    fn part(&self, count: usize) -> Option<String> {
        let until = self.film.cut().unwrap_or(self.film.span().1);
        let last = self.film.moments()[count - 1].t;
        (last < until).then(|| format!("until {} of {}", time(round(last)), time(round(until))))
    }

    /// The axis of time: what part of it is drawn, and whether dots stand for what cannot be connected.
    fn time_axis(&self, count: usize) -> Axis {
        let part = self.part(count).map_or_else(String::new, |part| format!(", {part}"));
        let dots = if self.film.coarse().is_some() { "; each dot is a step" } else { "" };
        Axis::linear(format!("{}{part}{dots}", self.names.t()))
    }

    /// The name of a curve that is not drawn to the end of the motion.
    fn name(&self, name: &str, count: usize) -> String {
        self.part(count).map_or_else(|| name.to_owned(), |part| format!("{name}, {part}"))
    }

    /// Curves over time.
    fn chart(
        &self,
        title: &str,
        label: &str,
        names: Vec<String>,
        values: impl Fn(usize, &FilmMoment) -> Vec<f64>,
    ) -> Chart {
        let most = if names.len() == 1 { MOST_WAVES } else { MOST_WAVES_OF_THREE };
        self.chart_of(title, label, names, most, values)
    }

    /// The same with so many waves at most.
    fn chart_of(
        &self,
        title: &str,
        label: &str,
        names: Vec<String>,
        most: usize,
        values: impl Fn(usize, &FilmMoment) -> Vec<f64>,
    ) -> Chart {
        let moments = self.film.moments().iter().enumerate();
        let rows: Vec<Vec<f64>> = moments.map(|(i, m)| values(i, m)).collect();
        let curves: Vec<Vec<f64>> =
            (0..names.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect();
        let count = readable(&curves, most, 0.0);
        let mut chart = Chart::new(self.time_axis(count), Axis::linear(label)).title(title);
        for (name, curve) in names.into_iter().zip(&curves) {
            let mut thin = Envelope::new(count as u64);
            for (n, (moment, value)) in (0..).zip(self.film.moments().iter().zip(curve).take(count))
            {
                thin.take(n, moment.t, *value);
            }
            chart = chart.series(self.connected(Series::new(name, thin.points())));
        }
        chart
    }

    /// Moments that are far apart are dots: a line would say what happened between them.
    fn connected(&self, series: Series) -> Series {
        match self.film.coarse() {
            Some(_) => series.line(LineStyle::None).mark(Mark::Dot),
            None => series,
        }
    }

    fn attitude(&self, form: AttitudeFormat) -> Panel {
        let degrees = self.units.degrees;
        let (what, label) = match form {
            AttitudeFormat::Quaternion | AttitudeFormat::ScalarLast => {
                (String::new(), "quaternion, body to space")
            }
            AttitudeFormat::Matrix => (String::new(), "matrix, body to space"),
            AttitudeFormat::Euler(s) => (
                format!(", Euler angles {}", s.name()),
                if degrees { "degrees" } else { "radians" },
            ),
        };
        let names = form.screen(degrees);
        let title = format!("Attitude{what}");
        let numbers = |_: usize, m: &FilmMoment| form.numbers(m.state.q, degrees);
        let chart = self.chart_of(&title, label, names, MOST_TURNS, numbers);
        // Angles that differ by more than half a turn have been brought back by a turn in between.
        let half = match (form, degrees) {
            (AttitudeFormat::Euler(_), true) => 180.0,
            (AttitudeFormat::Euler(_), false) => std::f64::consts::PI,
            _ => f64::INFINITY,
        };
        let mut chart = chart;
        for series in &mut chart.series {
            let mut points: Vec<[f64; 2]> = Vec::with_capacity(series.points.len());
            for &point in &series.points {
                if points.last().is_some_and(|p| (p[1] - point[1]).abs() > half) {
                    points.push([point[0], f64::NAN]);
                }
                points.push(point);
            }
            series.points = points;
        }
        chart.into()
    }

    fn axis(&self, k: usize) -> Panel {
        let axis = self.problem.inertia().axes() * DVec3::AXES[k];
        let tips: Vec<DVec3> = self.film.moments().iter().map(|m| m.state.q * axis).collect();
        let (points, count) = path(&tips);
        let view = [view(&points)[0], if tips[0].z < -0.3 { -40.0 } else { 40.0 }];
        let name = self.name(&format!("tip of axis {}", k + 1), count);
        let mut curve = Curve::new(name, points).colour(0);
        curve.style.width = 1.2;
        let mut start = Curve::new("start", [tips[0].to_array()]).colour(1);
        (start.style.line, start.style.mark) = (LineStyle::None, Some(Mark::Circle));
        let mut sphere = Sphere::new(["X", "Y", "Z"])
            .title(format!("Path of axis {} in space", k + 1))
            .curve(curve)
            .curve(start);
        (sphere.radius, sphere.view) = (Some(1.0), view);
        sphere.into()
    }

    /// How far the axis of the smallest moment is from the line to the planet.
    fn pointing(&self) -> Panel {
        let inertia = self.problem.inertia();
        let moments = inertia.moments();
        let least = (0..3).min_by(|&a, &b| moments[a].total_cmp(&moments[b])).unwrap_or(0);
        let d = inertia.axes() * DVec3::AXES[least];
        let text = format!("abs(cos(angle(body({:?}, {:?}, {:?}), nadir)))", d.x, d.y, d.z);
        let values = shown::formula(self.film, self.problem, &text).unwrap_or_default();
        let mut values = values.into_iter().map(|c| c.min(1.0).acos().to_degrees());
        // Called once for each moment, in their order.
        let values = std::cell::RefCell::new(&mut values);
        let title = format!("Pointing: axis {} from the line to the planet", least + 1);
        self.chart(&title, "angle (degrees)", vec![String::new()], |_, _| {
            vec![values.borrow_mut().next().unwrap_or(f64::NAN)]
        })
        .into()
    }

    fn polhode(&self) -> Panel {
        let momenta: Vec<DVec3> =
            self.film.moments().iter().map(|m| DVec3::from(direction(m.state.m))).collect();
        let (momenta, count) = path(&momenta);
        let polhode = polhode(self.problem.inertia(), self.problem.start());
        let view = view(&polhode);
        let mut polhode = Curve::new("polhode through the start", polhode).colour(1);
        // Seen on both sides of a trajectory that follows it.
        polhode.style.width = 4.0;
        let mut momenta = Curve::new(self.name("momentum", count), momenta).colour(0);
        momenta.style.width = 1.2;
        let mut sphere =
            Sphere::new(["1", "2", "3"]).title("Direction of the momentum in the body");
        // With wheels the momentum follows other curves.
        if !self.film.is_gyrostat() {
            sphere = sphere.curve(polhode);
        }
        let mut sphere = sphere.curve(momenta);
        (sphere.radius, sphere.view) = (Some(1.0), view);
        sphere.into()
    }

    /// The tip of the angular velocity across the momentum it starts with.
    fn herpolhode(&self) -> Panel {
        let start = self.problem.start();
        let normal = start.spatial_momentum().try_normalize().unwrap_or(DVec3::Z);
        let (first, second) = normal.any_orthonormal_pair();
        let tips: Vec<DVec3> =
            (0..).zip(self.film.moments()).map(|(i, m)| m.state.q * self.film.omega(i)).collect();
        let curve = |axis: DVec3| tips.iter().map(|w| w.dot(axis)).collect::<Vec<f64>>();
        let curves = [curve(first), curve(second)];
        let count = readable(&curves, MOST_LOOPS, 0.0);
        let [x, y] = curves;
        let reach = x[..count].iter().chain(&y[..count]).fold(0.0, |a: f64, b| a.max(b.abs()));
        let mut points: Vec<[f64; 2]> = Vec::new();
        for (&x, &y) in x.iter().zip(&y).take(count) {
            if points.last().is_none_or(|p| (p[0] - x).hypot(p[1] - y) > 0.004 * reach) {
                points.push([x, y]);
            }
        }
        let unit = self.names.rate("rad");
        let room = if reach > 0.0 { 1.08 * reach } else { 1.0 };
        let axis = |name: &str| Axis::linear(format!("{name} ({unit})")).range(-room, room);
        Chart::new(axis("angular velocity across the momentum"), axis("and at right angles"))
            .title("Herpolhode: the tip of the angular velocity")
            .series(
                self.connected(
                    Series::new(self.part(count).unwrap_or_default(), points).width(1.2),
                ),
            )
            .into()
    }

    fn energy(&self) -> Panel {
        let (title, label) = if self.conserves_energy {
            ("Error of the energy, at the rows", "E - E(0)")
        } else {
            ("Energy, which the torque does not keep, at the rows", "E")
        };
        Chart::new(
            Axis::linear(self.names.t()),
            Axis::linear(format!("{label} ({})", or_of_the_run(self.names.energy()))),
        )
        .title(title)
        .series(Series::new("", self.energy.iter().copied()))
        .into()
    }
}
