//! Estimates and their covariance, and what is not determined.

use crate::fit::{Estimate, Fit};
use crate::guess::at;
use crate::sensor::FitParameter;
use crate::shape::{MassShape, SHAPE};
use crate::words::Indeterminacy;

/// The names of the unknowns of the sensor, by their places from the bias on.
pub(crate) const SENSOR: [&str; at::SIZE - at::BIAS] = [
    "bias.x",
    "bias.y",
    "bias.z",
    "scale.x",
    "scale.y",
    "scale.z",
    "misalignment.x",
    "misalignment.y",
    "misalignment.z",
    "time_offset",
];

impl Fit {
    /// The estimates and their covariance from the information.
    pub(crate) fn estimate(&mut self) {
        let shape = self.guess.shape;
        let mut rows: Vec<(Estimate, Vec<f64>)> = Vec::new();
        let named =
            |name: &str, value: f64| Estimate { name: name.to_owned(), value, deviation: 0.0 };
        for (i, name) in ["I1/I3", "I2/I3"].into_iter().enumerate() {
            rows.push((named(name, self.moments[i]), ratio_gradient(&shape, i)));
        }
        for (name, pair, place) in
            [("axis1", (1, 2), 4), ("axis2", (0, 2), 3), ("axis3", (0, 1), 2)]
        {
            let gap = shape.p[pair.0] - shape.p[pair.1];
            let mut row = vec![0.0; at::ALL];
            let open = self.axes_open(pair.0, pair.1);
            row[place] = if open { f64::INFINITY } else { core::f64::consts::FRAC_1_SQRT_2 / gap };
            rows.push((named(&format!("turn about {name}"), 0.0), row));
        }
        let rate = self.units.rate;
        for (i, axis) in ["x", "y", "z"].into_iter().enumerate() {
            let mut row = vec![0.0; at::ALL];
            row[at::OMEGA + i] = rate;
            rows.push((named(&format!("omega.{axis}"), self.omega[i]), row));
        }
        let told = self.information.active.iter().copied();
        for place in told.filter(|a| (at::ATTITUDE..at::SIZE).contains(a)) {
            let mut row = vec![0.0; at::ALL];
            let unit = match place {
                at::BIAS..at::SCALE => rate,
                at::OFFSET => 1.0 / rate,
                _ => 1.0,
            };
            row[place] = unit;
            let estimate = if place < at::BIAS {
                let axis = ["x", "y", "z"][place - at::ATTITUDE];
                named(&format!("attitude.{axis}"), 0.0)
            } else {
                named(SENSOR[place - at::BIAS], self.guess.told_value(place) * unit)
            };
            rows.push((estimate, row));
        }
        self.estimate_torque(&mut rows);
        let n = rows.len();
        let mut covariance = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                let x = self.information.covariance(&rows[i].1, &rows[j].1);
                let x = if i == j || x.is_finite() { x } else { 0.0 };
                (covariance[i][j], covariance[j][i]) = (x, x);
            }
        }
        self.estimates = rows.into_iter().map(|(estimate, _)| estimate).collect();
        for (i, estimate) in self.estimates.iter_mut().enumerate() {
            estimate.deviation = covariance[i][i].sqrt();
        }
        self.covariance = covariance;
    }

    /// Moments in the unit that the torque gives them, and its unknown numbers.
    fn estimate_torque(&self, rows: &mut Vec<(Estimate, Vec<f64>)>) {
        let Some(driving) = &self.observations.driving else { return };
        let largest = libm::exp(self.guess.size);
        for (i, name) in ["I1", "I2", "I3"].into_iter().enumerate() {
            let ratio = self.moments[i];
            let gradient = ratio_gradient(&self.guess.shape, i);
            let mut row: Vec<f64> = gradient.iter().map(|x| x * largest).collect();
            row[at::SIZE] = ratio * largest;
            let name = name.to_owned();
            rows.push((Estimate { name, value: ratio * largest, deviation: 0.0 }, row));
        }
        let values = driving.values(&self.guess);
        let mut size = vec![0.0; at::ALL];
        size[at::SIZE] = 1.0;
        // Of a body of unknown size a torque shows relative to the inertia only, be it zero; unless it grows with it.
        let any = self.information.covariance(&size, &size).is_infinite()
            && !driving.grows_with_inertia(&self.guess);
        for (k, ((name, p), value)) in driving.drive.unknown().iter().zip(values).enumerate() {
            let mut row = vec![0.0; at::ALL];
            row[at::TORQUE + k] = match p {
                FitParameter { fixed: true, .. } => 0.0,
                FitParameter { prior: None, .. } if any => f64::INFINITY,
                _ => driving.sizes[k],
            };
            rows.push((Estimate { name: name.clone(), value, deviation: 0.0 }, row));
        }
    }

    /// Whether two moments are equal as far as one can tell, so that their axes have no directions.
    fn axes_open(&self, i: usize, j: usize) -> bool {
        let mut row = vec![0.0; at::ALL];
        for (k, x) in row[..2].iter_mut().enumerate() {
            *x = MassShape::EIGENVALUES[i][k] - MassShape::EIGENVALUES[j][k];
        }
        let deviation = self.information.covariance(&row, &row).sqrt();
        let mut turn = vec![0.0; at::ALL];
        turn[[2, 3, 4][i + j - 1]] = core::f64::consts::SQRT_2;
        let across = self.information.covariance(&turn, &turn).sqrt();
        // Of equal moments the difference is as large as its noise in the worse of two directions.
        let gap = self.guess.shape.p[i] - self.guess.shape.p[j];
        let least = 4.0 * deviation.max(across);
        gap <= least || least.is_nan() || across.is_infinite()
    }

    pub(crate) fn name_undetermined(&mut self, steady: bool) {
        if steady {
            self.undetermined.push(Indeterminacy::SteadySpin);
            return;
        }
        let open = |name: &str| self.get(name).is_some_and(|e| e.deviation.is_infinite());
        let mut found = Vec::new();
        for name in ["I1/I3", "I2/I3"] {
            if open(name) {
                found.push(Indeterminacy::Ratio(name));
            }
        }
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            if self.axes_open(i, j) {
                found.push(Indeterminacy::Axes(i + 1, j + 1));
            }
        }
        for name in SENSOR {
            if open(name) {
                found.push(Indeterminacy::Sensor(name.to_owned()));
            }
        }
        if let Some(driving) = &self.observations.driving {
            if open("I3") {
                found.insert(0, Indeterminacy::Size);
            }
            let unknown = driving.drive.unknown().iter().filter(|(name, _)| open(name));
            found.extend(unknown.map(|(name, _)| Indeterminacy::Torque(name.clone())));
        }
        let one_vector = self.observations.sees_one_vector();
        if one_vector && ["attitude.x", "attitude.y", "attitude.z"].into_iter().any(open) {
            found.push(Indeterminacy::Turn);
        }
        self.undetermined.extend(found);
    }
}

/// The derivatives of I1/I3 or I2/I3 by all unknowns.
pub(crate) fn ratio_gradient(shape: &MassShape, i: usize) -> Vec<f64> {
    let moments = shape.moments();
    let mut row = vec![0.0; at::ALL];
    for (k, x) in row[..2].iter_mut().enumerate() {
        // I = 1 - P.
        let (own, largest) = (-MassShape::EIGENVALUES[i][k], -MassShape::EIGENVALUES[2][k]);
        *x = (own - moments[i] / moments[2] * largest) / moments[2];
    }
    debug_assert!(row[SHAPE..].iter().all(|x| *x == 0.0));
    row
}
