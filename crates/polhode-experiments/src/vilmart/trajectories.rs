//! Many trajectories of many steps, in parts that are kept.

use polhode::rotor::{self, EulerStep};
use polhode::{Inertia, State, StepError};

use super::rounded::RoundedOnce;
use crate::chunks::Chunks;
use crate::{Context, ExperimentError, spread};

pub(super) const STEP: f64 = 0.01;
/// The water molecule. The printed moments exceed what a body can have by 0.002.
pub(super) const WATER: [f64; 3] = [0.345, 0.653, 1.0];
/// Trajectories that are drawn.
pub(super) const DRAWN: usize = 200;

/// What makes the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    /// Algorithm 3.1: momentum alone.
    Standard,
    /// Algorithm 3.1 with constants in double-double.
    DoubleDouble,
    /// Algorithm 4.1.
    Vilmart,
    /// DMV of order 10, with fixed-point iteration until convergence; momentum and attitude.
    Dmv,
    /// The same with compensated summation.
    Compensated,
    /// The library's exact step; momentum and attitude.
    Exact,
    /// The same with compensated summation.
    ExactCompensated,
    /// The true step, rounded once: momentum alone.
    RoundedOnce,
}

impl Algorithm {
    /// How many invariants are watched: without an attitude there is no momentum in space.
    fn watched(self) -> usize {
        match self {
            Self::Standard | Self::DoubleDouble | Self::Vilmart | Self::RoundedOnce => 2,
            Self::Dmv | Self::Compensated | Self::Exact | Self::ExactCompensated => 3,
        }
    }

    /// A function that makes a step.
    fn stepper(self, moments: [f64; 3], inertia: &Inertia) -> Result<Step, ExperimentError> {
        let alone = |step: EulerStep| -> Step {
            Box::new(move |state| {
                state.m = step.step(STEP, state.m)?;
                Ok(())
            })
        };
        let rotor = |spec: &str| -> Result<Step, ExperimentError> {
            let mut rotor = rotor::build(spec, inertia)?;
            Ok(Box::new(move |state| rotor.step(STEP, state)))
        };
        match self {
            Self::Standard => Ok(alone(EulerStep::standard(inertia))),
            Self::DoubleDouble => Ok(alone(EulerStep::standard_double_double(inertia))),
            Self::Vilmart => Ok(alone(EulerStep::vilmart(inertia))),
            Self::Dmv => rotor("dmv:order=10:solver=fixed-point"),
            Self::Compensated => rotor("dmv:order=10:compensated:solver=fixed-point"),
            Self::Exact => rotor("exact"),
            Self::ExactCompensated => rotor("exact:compensated"),
            Self::RoundedOnce => {
                let step = RoundedOnce::new(moments);
                Ok(Box::new(move |state| {
                    state.m = step.step(STEP, state.m);
                    Ok(())
                }))
            }
        }
    }
}

type Step = Box<dyn FnMut(&mut State) -> Result<(), StepError>>;

/// Which of the watched invariants.
#[derive(Clone, Copy)]
pub(super) enum Invariant {
    Hamiltonian = 0,
    Casimir = 1,
    SpatialMomentum = 2,
}

/// How many, how far, how often looked at.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) trajectories: usize,
    pub(super) steps: u32,
    pub(super) samples: u32,
    pub(super) in_a_part: usize,
}

impl Extent {
    pub(super) fn of(context: &Context<'_>) -> Self {
        context.pick(
            Self { trajectories: 16, steps: 200_000, samples: 100, in_a_part: 2 },
            Self { trajectories: DRAWN, steps: 1_000_000, samples: 200, in_a_part: 10 },
        )
    }

    /// For the deviation of a walk, over the root of its steps, which does not depend on their number.
    pub(super) const SHORT: Self =
        Self { trajectories: DRAWN, steps: 10_000, samples: 100, in_a_part: 10 };

    pub(super) fn parts(&self) -> usize {
        self.trajectories.div_ceil(self.in_a_part)
    }
}

/// The first two components of the initial value of the paper.
pub(super) const PRINTED: [f64; 2] = [0.5, 0.2];

/// How near its neighbours are. The paper says 'close'; what other radii give is in figure 2.
pub(super) const NEAR: f64 = 0.001;

/// An initial value, and its neighbours: unit momenta whose first two components are within `radius`
/// of its.
pub(super) fn start([y1, y2]: [f64; 2], radius: f64, n: usize) -> Result<State, ExperimentError> {
    let [a, b] = if n == 0 { [0.5, 0.5] } else { spread::square(n) };
    let (y1, y2) = (y1 + radius * (2.0 * a - 1.0), y2 + radius * (2.0 * b - 1.0));
    Ok(State::aligned([y1, y2, (1.0 - y1 * y1 - y2 * y2).sqrt()])?)
}

/// Errors of all trajectories: `errors[trajectory][sample][invariant]`.
pub(super) struct InvariantErrors {
    extent: Extent,
    watched: usize,
    numbers: Vec<f64>,
}

impl InvariantErrors {
    /// Those of a rotor from the paper's initial value and its neighbours.
    pub(super) fn of(
        context: &Context<'_>,
        algorithm: Algorithm,
        moments: [f64; 3],
        extent: Extent,
    ) -> Result<Self, ExperimentError> {
        Self::about(context, algorithm, moments, (PRINTED, NEAR), extent)
    }

    /// Those of a rotor from an initial value and its neighbours, from disk as far as they are
    /// there. Tells the progress of every part.
    pub(super) fn about(
        context: &Context<'_>,
        algorithm: Algorithm,
        moments: [f64; 3],
        (initial, radius): ([f64; 2], f64),
        extent: Extent,
    ) -> Result<Self, ExperimentError> {
        let about = if initial == PRINTED { String::new() } else { format!("about {initial:?}, ") };
        let folder = context.parts();
        let chunks = Chunks {
            folder: &folder,
            key: format!(
                "{algorithm:?}, moments {moments:?}, {about}within {radius}, {} steps of {STEP}, {} samples, {} \
                 trajectories in a part, invariants H C (Qy)1, bits {:016x}",
                extent.steps,
                extent.samples,
                extent.in_a_part,
                fingerprint(algorithm, moments)?
            ),
            count: extent.parts(),
        };
        let parts = chunks.compute(context.progress, |part| {
            let first = part * extent.in_a_part;
            let last = (first + extent.in_a_part).min(extent.trajectories);
            let mut numbers = Vec::new();
            for n in first..last {
                follow(algorithm, moments, start(initial, radius, n)?, extent, &mut numbers)?;
            }
            Ok(numbers)
        })?;
        Ok(Self { extent, watched: algorithm.watched(), numbers: parts.concat() })
    }

    /// The error of one trajectory at one sample.
    pub(super) fn at(&self, trajectory: usize, sample: usize, invariant: Invariant) -> f64 {
        let samples = self.extent.samples as usize;
        self.numbers[(trajectory * samples + sample) * self.watched + invariant as usize]
    }

    /// The number of steps done at a sample.
    pub(super) fn steps(&self, sample: usize) -> f64 {
        f64::from(self.extent.steps / self.extent.samples) * (sample + 1) as f64
    }

    pub(super) fn samples(&self) -> usize {
        self.extent.samples as usize
    }

    pub(super) fn trajectories(&self) -> usize {
        self.extent.trajectories
    }

    /// One trajectory as time and error.
    pub(super) fn trajectory(&self, n: usize, invariant: Invariant) -> Vec<[f64; 2]> {
        let points = (0..self.samples()).map(|s| [self.steps(s) * STEP, self.at(n, s, invariant)]);
        std::iter::once([0.0, 0.0]).chain(points).collect()
    }

    /// Mean and standard deviation over all trajectories at a sample.
    pub(super) fn moments(&self, sample: usize, invariant: Invariant) -> [f64; 2] {
        let count = self.trajectories() as f64;
        let values = || (0..self.trajectories()).map(|n| self.at(n, sample, invariant));
        let mean = values().sum::<f64>() / count;
        let variance = values().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (count - 1.0);
        [mean, variance.sqrt()]
    }

    /// The first trajectories alone.
    pub(super) fn first(&self, trajectories: usize) -> Self {
        let extent = Extent { trajectories, ..self.extent };
        let count = trajectories * self.samples() * self.watched;
        Self { extent, watched: self.watched, numbers: self.numbers[..count].to_vec() }
    }

    /// Mean and standard deviation at all samples.
    pub(super) fn curves(&self, invariant: Invariant) -> Vec<[f64; 2]> {
        (0..self.samples()).map(|s| self.moments(s, invariant)).collect()
    }
}

fn follow(
    algorithm: Algorithm,
    moments: [f64; 3],
    start: State,
    extent: Extent,
    numbers: &mut Vec<f64>,
) -> Result<(), ExperimentError> {
    let inertia = Inertia::principal_unphysical(moments)?;
    let mut step = algorithm.stepper(moments, &inertia)?;
    // The paper's: half of the square of the momentum, and one component of the momentum in space, with their sign.
    let invariants = |s: &State| {
        [s.kinetic_energy(&inertia), 0.5 * s.m.length_squared(), s.spatial_momentum().x]
    };
    let initial = invariants(&start);
    let mut state = start;
    for _ in 0..extent.samples {
        for _ in 0..extent.steps / extent.samples {
            step(&mut state)?;
        }
        let now = invariants(&state);
        numbers.extend((0..algorithm.watched()).map(|i| now[i] - initial[i]));
    }
    Ok(())
}

/// The bits that a short run ends with, so that parts computed by other arithmetic are not reused.
fn fingerprint(algorithm: Algorithm, moments: [f64; 3]) -> Result<u64, ExperimentError> {
    let inertia = Inertia::principal_unphysical(moments)?;
    let mut step = algorithm.stepper(moments, &inertia)?;
    let mut state = start(PRINTED, NEAR, 0)?;
    for _ in 0..1000 {
        step(&mut state)?;
    }
    let numbers = state.m.to_array().into_iter().chain(state.q.to_array());
    Ok(numbers.fold(0, |bits: u64, x| bits.rotate_left(9) ^ x.to_bits()))
}
