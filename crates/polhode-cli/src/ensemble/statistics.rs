//! What an ensemble comes to: moments of quantities over its bodies.

use std::collections::BTreeMap;

use polhode::ensemble::{BodySamples, Member};
use polhode::glam::DVec3;
use polhode::observe::ConservedQuantities;
use polhode::{State, Torque, so3};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use super::sketch::{Histogram, QUANTILES, Sketch};

/// Mean, deviation, extremes and distribution of a quantity.
#[derive(Clone, Debug)]
pub(super) struct Moments {
    count: u64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// Sum of squares about the mean.
    squares: f64,
    sketch: Sketch,
}

impl Serialize for Moments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Moments", 6)?;
        record.serialize_field("mean", &self.mean)?;
        record.serialize_field("deviation", &self.deviation)?;
        record.serialize_field("min", &self.min)?;
        record.serialize_field("max", &self.max)?;
        let quantiles: BTreeMap<String, f64> =
            QUANTILES.iter().map(|(_, part)| (part.to_string(), self.quantile(*part))).collect();
        record.serialize_field("quantiles", &quantiles)?;
        record.serialize_field("histogram", &self.histogram())?;
        record.end()
    }
}

/// The same in a checkpoint: numbers as their bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MomentsWords {
    count: u64,
    numbers: [u64; 5],
    sketch: Vec<(i32, u64)>,
}

impl Moments {
    /// Of no values: nothing is a number, which JSON has as null.
    fn none() -> Self {
        let [mean, deviation, min, max] = [f64::NAN; 4];
        Self { count: 0, mean, deviation, min, max, squares: 0.0, sketch: Sketch::default() }
    }

    /// Whether there are values and all of them are numbers.
    fn is_known(&self) -> bool {
        self.count > 0 && !self.max.is_nan()
    }

    /// The value that this part of the bodies does not exceed; NaN where a value is.
    pub(super) fn quantile(&self, part: f64) -> f64 {
        if self.is_known() { self.sketch.quantile(part, self.min, self.max) } else { f64::NAN }
    }

    /// None if there are no values or one is NaN.
    pub(super) fn histogram(&self) -> Option<Histogram> {
        self.is_known().then(|| self.sketch.histogram(self.min, self.max))
    }

    fn words(&self) -> MomentsWords {
        let numbers = [self.mean, self.deviation, self.min, self.max, self.squares];
        MomentsWords {
            count: self.count,
            numbers: numbers.map(f64::to_bits),
            sketch: self.sketch.words(),
        }
    }

    fn from_words(words: &MomentsWords) -> Self {
        let [mean, deviation, min, max, squares] = words.numbers.map(f64::from_bits);
        let sketch = Sketch::from_words(&words.sketch);
        Self { count: words.count, mean, deviation, min, max, squares, sketch }
    }

    /// One more value (Welford): neither a sum that grows nor a difference of large ones.
    fn add(&mut self, x: f64) {
        if self.count == 0 {
            (self.mean, self.min, self.max) = (0.0, x, x);
        }
        self.count += 1;
        let count = self.count as f64;
        let before = x - self.mean;
        self.mean += before / count;
        self.squares += before * (x - self.mean);
        self.deviation = if self.count > 1 { (self.squares / (count - 1.0)).sqrt() } else { 0.0 };
        // A least or greatest value must not hide a NaN.
        let undefined = self.max.is_nan() || x.is_nan();
        let (min, max) = (self.min.min(x), self.max.max(x));
        (self.min, self.max) = if undefined { (f64::NAN, f64::NAN) } else { (min, max) };
        if x.is_finite() {
            self.sketch.add(x);
        }
    }
}

/// The quantities of an ensemble; those that the true motion keeps have errors.
#[derive(Clone, Debug, Serialize)]
pub(super) struct EnsembleStatistics {
    pub(super) energy: Moments,
    pub(super) momentum_norm: Moments,
    pub(super) omega_norm: Moments,
    pub(super) turn: Moments,
    pub(super) energy_error: Option<Moments>,
    pub(super) momentum_error: Option<Moments>,
    pub(super) spatial_momentum_error: Option<Moments>,
    /// What the scenario watches, by name.
    #[serde(serialize_with = "by_name", skip_serializing_if = "Vec::is_empty")]
    watch: Vec<(String, Moments)>,
    /// The largest errors so far of each body of the block.
    #[serde(skip)]
    largest: Vec<[f64; 3]>,
    /// Of each body of the block at the start, where something moves inside the bodies.
    #[serde(skip)]
    before: Vec<ConservedQuantities>,
    /// What acts on the bodies; none where something moves inside them.
    #[serde(skip)]
    torque: Option<Torque>,
}

/// What the true motion keeps.
#[derive(Clone, Copy)]
pub(super) struct InvariantStatistics {
    pub(super) energy: bool,
    pub(super) momentum: bool,
}

fn by_name<S: Serializer>(watch: &[(String, Moments)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(watch.iter().map(|(name, moments)| (name, moments)))
}

impl EnsembleStatistics {
    /// `torque` is none where something moves inside the bodies.
    pub(super) fn new(
        InvariantStatistics { energy, momentum }: InvariantStatistics,
        torque: Option<Torque>,
        watched: Vec<String>,
    ) -> Self {
        Self {
            energy: Moments::none(),
            momentum_norm: Moments::none(),
            omega_norm: Moments::none(),
            turn: Moments::none(),
            energy_error: energy.then(Moments::none),
            momentum_error: momentum.then(Moments::none),
            spatial_momentum_error: momentum.then(Moments::none),
            watch: watched.into_iter().map(|name| (name, Moments::none())).collect(),
            largest: Vec::new(),
            before: Vec::new(),
            torque,
        }
    }

    /// Sees a block of bodies at one time, and what is watched of them, one body after the other, at the last one.
    pub(super) fn samples(
        &mut self,
        samples: &BodySamples<'_>,
        watched: &[f64],
        is_body: impl Fn(usize) -> bool,
    ) {
        if samples.step == 0 {
            self.largest.clear();
            let of = |i: usize| ConservedQuantities::new(samples.energy(i), &samples.state(i));
            self.before.clear();
            if self.torque.is_none() {
                self.before.extend((0..samples.len()).map(of));
            }
        }
        self.largest.resize(samples.len(), [0.0; 3]);
        for (i, body) in samples.bodies().iter().enumerate() {
            if !samples.is_running(i) || !is_body(i) {
                continue;
            }
            let state = samples.state(i);
            let energy = samples.energy(i);
            let before = self.before((i, body));
            // |E - E0|, ||m| - |m0|| and |Qm - Q0 m0|.
            ConservedQuantities::new(energy, &state).raise(&before, &mut self.largest[i]);
            if samples.last {
                self.finish(i, body, &state, (energy, samples.omega(i)));
                let width = self.watch.len();
                let values = watched.iter().skip(i * width);
                for ((_, moments), value) in self.watch.iter_mut().zip(values) {
                    // An angle to what has no direction is NaN.
                    if value.is_finite() {
                        moments.add(*value);
                    }
                }
            }
        }
    }

    /// What a body of the block had at the start.
    fn before(&self, (i, Member { inertia, start }): (usize, &Member)) -> ConservedQuantities {
        match &self.torque {
            Some(torque) => ConservedQuantities::new(torque.energy(inertia, 0.0, start), start),
            None => self.before[i],
        }
    }

    fn finish(&mut self, i: usize, body: &Member, state: &State, (energy, omega): (f64, DVec3)) {
        self.energy.add(energy);
        self.momentum_norm.add(state.m.length());
        self.omega_norm.add(omega.length());
        self.turn.add(so3::angle_between(body.start.q, state.q));
        let errors =
            [&mut self.energy_error, &mut self.momentum_error, &mut self.spatial_momentum_error];
        for (moments, error) in errors.into_iter().zip(self.largest[i]) {
            if let Some(moments) = moments {
                moments.add(error);
            }
        }
    }

    /// Name and moments of each quantity.
    pub(super) fn rows(&self) -> Vec<(&str, &Moments)> {
        let mut rows = vec![
            ("energy", &self.energy),
            ("|momentum|", &self.momentum_norm),
            ("|omega|", &self.omega_norm),
            ("turn (rad)", &self.turn),
        ];
        let errors = [
            ("energy error", &self.energy_error),
            ("|momentum| error", &self.momentum_error),
            ("spatial momentum error", &self.spatial_momentum_error),
        ];
        rows.extend(errors.into_iter().filter_map(|(name, error)| Some((name, error.as_ref()?))));
        rows.extend(self.watch.iter().map(|(name, moments)| (name.as_str(), moments)));
        rows
    }

    /// All of them for a checkpoint, which is taken between two blocks.
    pub(super) fn words(&self) -> Vec<MomentsWords> {
        self.rows().into_iter().map(|(_, moments)| moments.words()).collect()
    }

    /// Goes on from a checkpoint; false if it is that of another ensemble.
    pub(super) fn take_up(&mut self, words: &[MomentsWords]) -> bool {
        let Self { energy, momentum_norm, omega_norm, turn, .. } = self;
        let mut all = vec![energy, momentum_norm, omega_norm, turn];
        let errors =
            [&mut self.energy_error, &mut self.momentum_error, &mut self.spatial_momentum_error];
        all.extend(errors.into_iter().flatten());
        all.extend(self.watch.iter_mut().map(|(_, moments)| moments));
        let fits = all.len() == words.len();
        all.into_iter()
            .zip(words)
            .for_each(|(moments, words)| *moments = Moments::from_words(words));
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_do_not_hide_a_nan() {
        let mut moments = Moments::none();
        moments.add(2.0);
        moments.add(1.0);
        assert_eq!((moments.min, moments.max), (1.0, 2.0));
        assert!(moments.histogram().is_some());
        for x in [f64::NAN, 3.0] {
            moments.add(x);
            let Moments { mean, deviation, min, max, .. } = moments;
            let told = [mean, deviation, min, max, moments.quantile(0.5)];
            assert!(told.iter().all(|x| x.is_nan()), "{told:?}");
            assert_eq!(moments.histogram(), None);
        }
        let mut first = Moments::none();
        first.add(f64::NAN);
        first.add(1.0);
        assert!(first.max.is_nan() && first.quantile(0.5).is_nan());
    }
}
