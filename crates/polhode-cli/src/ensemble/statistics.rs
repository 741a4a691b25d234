//! What an ensemble comes to: moments of quantities over its bodies.

use polhode::ensemble::{BodySamples, Member};
use polhode::observe::ConservedQuantities;
use polhode::{State, Torque, so3};
use serde::Serialize;

/// Mean, deviation and extremes of a quantity.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Moments {
    #[serde(skip)]
    count: u64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// Sum of squares about the mean.
    #[serde(skip)]
    squares: f64,
}

impl Moments {
    /// Of no values: nothing is a number, which JSON has as null.
    const NONE: Self = Self {
        count: 0,
        mean: f64::NAN,
        deviation: f64::NAN,
        min: f64::NAN,
        max: f64::NAN,
        squares: 0.0,
    };

    /// One more value (Welford): neither a sum that grows nor a difference of large ones.
    fn add(&mut self, x: f64) {
        if self.count == 0 {
            self.mean = 0.0;
        }
        self.count += 1;
        let count = self.count as f64;
        let before = x - self.mean;
        self.mean += before / count;
        self.squares += before * (x - self.mean);
        self.deviation = if self.count > 1 { (self.squares / (count - 1.0)).sqrt() } else { 0.0 };
        self.min = self.min.min(x);
        self.max = self.max.max(x);
    }
}

/// The quantities of an ensemble; those that the true motion keeps have errors.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Statistics {
    pub(super) energy: Moments,
    pub(super) momentum_norm: Moments,
    pub(super) omega_norm: Moments,
    pub(super) turn: Moments,
    pub(super) energy_error: Option<Moments>,
    pub(super) momentum_error: Option<Moments>,
    pub(super) spatial_momentum_error: Option<Moments>,
    /// The largest errors so far of each body of the block.
    #[serde(skip)]
    largest: Vec<[f64; 3]>,
    #[serde(skip)]
    torque: Torque,
}

impl Statistics {
    pub(super) fn new(torque: Torque) -> Self {
        let free = torque.is_none().then_some(Moments::NONE);
        Self {
            energy: Moments::NONE,
            momentum_norm: Moments::NONE,
            omega_norm: Moments::NONE,
            turn: Moments::NONE,
            energy_error: torque.conserves_energy().then_some(Moments::NONE),
            momentum_error: free,
            spatial_momentum_error: free,
            largest: Vec::new(),
            torque,
        }
    }

    /// Sees a block of bodies at one time.
    pub(super) fn samples(&mut self, samples: &BodySamples<'_>) {
        if samples.step == 0 {
            self.largest.clear();
        }
        self.largest.resize(samples.len(), [0.0; 3]);
        for (i, body) in samples.bodies().iter().enumerate() {
            if !samples.is_running(i) {
                continue;
            }
            let state = samples.state(i);
            let energy = samples.energy(i);
            let errors = self.errors(body, &state, energy);
            for (largest, error) in self.largest[i].iter_mut().zip(errors) {
                *largest = largest.max(error);
            }
            if samples.last {
                self.finish(i, body, &state, energy);
            }
        }
    }

    /// |E - E0|, ||m| - |m0|| and |Qm - Q0 m0|.
    fn errors(&self, Member { inertia, start }: &Member, state: &State, energy: f64) -> [f64; 3] {
        let before = ConservedQuantities::new(self.torque.energy(inertia, 0.0, start), start);
        ConservedQuantities::new(energy, state).departures(&before)
    }

    fn finish(&mut self, i: usize, body: &Member, state: &State, energy: f64) {
        self.energy.add(energy);
        self.momentum_norm.add(state.m.length());
        self.omega_norm.add(state.omega(&body.inertia).length());
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
    pub(super) fn rows(&self) -> Vec<(&'static str, Moments)> {
        let mut rows = vec![
            ("energy", self.energy),
            ("|momentum|", self.momentum_norm),
            ("|omega|", self.omega_norm),
            ("turn (rad)", self.turn),
        ];
        let errors = [
            ("energy error", self.energy_error),
            ("|momentum| error", self.momentum_error),
            ("spatial momentum error", self.spatial_momentum_error),
        ];
        rows.extend(errors.into_iter().filter_map(|(name, error)| Some((name, error?))));
        rows
    }
}
