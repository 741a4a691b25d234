//! Bodies drawn at random: each from its own stream of random numbers.
//!
//! The numbers of a body depend on the seed and on the number of the body, on nothing else: not on how
//! many bodies there are, nor on how they are divided among blocks and threads. The generator is
//! ChaCha with eight rounds, a stream for each body; what is made of its numbers uses `libm` only, so
//! that a seed means the same bodies everywhere.

use glam::{DQuat, DVec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::error::EnsembleError;
use super::member::{Member, Members};
use crate::observe::ObserveError;
use crate::{Inertia, State, so3};

/// How inertia is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum InertiaLaw {
    /// Every body has this inertia.
    Fixed(Inertia),
    /// Any shape: I1/I3 and I2/I3 uniform over the triangle of those that a body can have
    /// (I1 <= I2 <= I3 <= I1 + I2), with this largest moment I3.
    Any {
        /// The largest moment, I3.
        largest: f64,
    },
    /// Scattered about these principal moments: the three second moments of the mass,
    /// (I2 + I3 - I1)/2 and so on round, each times e^(sigma x) with x normal. Every body is possible
    /// if these moments are; if they are not, none is: a second moment below zero remains so.
    LogNormal {
        /// The moments at x = 0.
        about: [f64; 3],
        /// The standard deviation of the logarithm of a second moment.
        sigma: f64,
    },
}

/// How momentum or angular velocity is drawn, in the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpinLaw {
    /// Every body has this momentum, or angular velocity.
    Fixed([f64; 3]),
    /// Vectors of this length, in any direction.
    Isotropic {
        /// The length of momentum or angular velocity, in its own unit.
        length: f64,
    },
    /// Normal in each component.
    Gaussian {
        /// The mean of each component.
        mean: [f64; 3],
        /// The standard deviation of each component.
        sigma: [f64; 3],
    },
}

/// How the attitude is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum AttitudeLaw {
    /// Every body has this attitude.
    Fixed(DQuat),
    /// All attitudes alike: uniform with respect to the Haar measure of rotations.
    Uniform,
}

/// A number of bodies drawn at random.
///
/// ```
/// use polhode::ensemble::{Draw, InertiaLaw, SpinLaw};
/// let (inertia, spin) = (InertiaLaw::Any { largest: 1.0 }, SpinLaw::Isotropic { length: 0.5 });
/// let draw = Draw::new(7, 1000, inertia, spin);
/// let body = draw.body(123)?;
/// assert!((body.start.m.length() - 0.5).abs() < 1e-15 && body.inertia.is_physical());
/// assert_eq!(draw.with(|draw| draw.count = 124).body(123)?, body);
/// # Ok::<(), polhode::ensemble::EnsembleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Draw {
    /// The seed of the random numbers: another one draws other bodies.
    pub seed: u64,
    /// The number of bodies.
    pub count: u64,
    /// The law that draws the inertia.
    pub inertia: InertiaLaw,
    /// The law that draws the momentum, or the angular velocity.
    pub spin: SpinLaw,
    /// Whether `spin` draws the angular velocity instead of the momentum.
    pub spin_is_omega: bool,
    /// The law that draws the attitude at the start.
    pub attitude: AttitudeLaw,
}

impl Draw {
    /// So many bodies by these laws; `spin` draws the momentum, and attitudes are uniform.
    pub const fn new(seed: u64, count: u64, inertia: InertiaLaw, spin: SpinLaw) -> Self {
        Self { seed, count, inertia, spin, spin_is_omega: false, attitude: AttitudeLaw::Uniform }
    }

    /// Makes a change: `draw.with(|draw| draw.attitude = AttitudeLaw::Fixed(attitude))`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// The body of that number.
    ///
    /// # Errors
    /// [`EnsembleError`] if what is drawn is no body: numbers that overflow, or vanish.
    pub fn body(&self, index: u64) -> Result<Member, EnsembleError> {
        let mut stream = Stream::new(self.seed, index);
        let inertia = self.inertia.draw(&mut stream);
        let inertia = inertia.map_err(|source| EnsembleError::Inertia { body: index, source })?;
        let v = self.spin.draw(&mut stream);
        let q = match self.attitude {
            AttitudeLaw::Fixed(q) => q,
            AttitudeLaw::Uniform => so3::from_wxyz([0; 4].map(|_| stream.normal())),
        };
        let start =
            if self.spin_is_omega { State::from_omega(&inertia, v, q) } else { State::new(v, q) };
        let start = start.map_err(|source| EnsembleError::State { body: index, source })?;
        Ok(Member { inertia, start })
    }

    /// The bodies, one block after the other.
    pub fn source(self) -> impl Members + Send {
        DrawnMembers { draw: self, next: 0 }
    }
}

struct DrawnMembers {
    draw: Draw,
    next: u64,
}

impl Members for DrawnMembers {
    fn fill(&mut self, bodies: &mut Vec<Member>, most: usize) -> Result<(), ObserveError> {
        crate::start_shared_threads();
        let end = self.draw.count.min(self.next.saturating_add(most as u64));
        let drawn: Result<Vec<Member>, _> =
            (self.next..end).into_par_iter().map(|i| self.draw.body(i)).collect();
        self.next = end;
        bodies.extend(drawn?);
        Ok(())
    }

    fn left(&self) -> Option<u64> {
        Some(self.draw.count.saturating_sub(self.next))
    }
}

impl InertiaLaw {
    fn draw(&self, stream: &mut Stream) -> Result<Inertia, crate::InertiaError> {
        match *self {
            Self::Fixed(inertia) => Ok(inertia),
            Self::Any { largest } => {
                // The triangle (1/2, 1/2), (0, 1), (1, 1), folded from a parallelogram.
                let (mut a, mut b) = (stream.uniform(), stream.uniform());
                if a + b > 1.0 {
                    (a, b) = (1.0 - a, 1.0 - b);
                }
                let (i1, i2) = (0.5 - 0.5 * a + 0.5 * b, 0.5 + 0.5 * a + 0.5 * b);
                Inertia::principal([i1 * largest, i2 * largest, largest])
            }
            Self::LogNormal { about: about @ [i1, i2, i3], sigma } => {
                let possible = Inertia::principal(about).is_ok();
                // Of a flat body one is zero, or rounded to a little less.
                let least = if possible { 0.0 } else { f64::NEG_INFINITY };
                let second = [i2 + i3 - i1, i3 + i1 - i2, i1 + i2 - i3];
                let [x, y, z] =
                    second.map(|s| 0.5 * s.max(least) * libm::exp(sigma * stream.normal()));
                let moments = [y + z, z + x, x + y];
                if possible {
                    Inertia::principal(moments)
                } else {
                    Inertia::principal_unphysical(moments)
                }
            }
        }
    }
}

impl SpinLaw {
    fn draw(&self, stream: &mut Stream) -> DVec3 {
        match *self {
            Self::Fixed(v) => DVec3::from_array(v),
            Self::Isotropic { length } => {
                // Uniform in height and in longitude (Archimedes).
                let z = 2.0 * stream.uniform() - 1.0;
                let (sin, cos) = libm::sincos(core::f64::consts::TAU * stream.uniform());
                let r = ((1.0 - z) * (1.0 + z)).sqrt();
                DVec3::new(r * cos, r * sin, z) * length
            }
            Self::Gaussian { mean, sigma } => {
                DVec3::from_array([0, 1, 2].map(|i| mean[i] + sigma[i] * stream.normal()))
            }
        }
    }
}

/// Random numbers, the same everywhere: a seed has as many streams of them as there are bodies.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of that number.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index);
        Self(rng)
    }

    /// Between zero and one, never either.
    pub fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        ((self.0.next_u64() >> 11) as f64 + 0.5) * STEP
    }

    /// Normal, of mean zero and deviation one (Box & Muller, one of the two).
    pub fn normal(&mut self) -> f64 {
        let size = (-2.0 * libm::log(self.uniform())).sqrt();
        size * libm::cos(core::f64::consts::TAU * self.uniform())
    }
}
