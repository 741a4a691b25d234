//! Many bodies: SIMD lanes over bodies, all cores, constant memory.
//!
//! An [`Ensemble`] steps every body of a [`Members`] with the same method, under the same torque, through
//! the same times, and shows their states to a [`Sink`], block by block. A [`FreeEnsemble`] evaluates
//! free motions at requested times. Each body has the bits that [`run`](crate::run) and
//! [`FreeMotion`](crate::FreeMotion) would give it, whatever the width of the lanes, the number of
//! threads, and its neighbours.
//!
//! ```
//! use polhode::{Inertia, Plan, State};
//! use polhode::ensemble::{Member, Ensemble, FinalStates};
//! let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
//! let bodies = (0..1000).map(|i| {
//!     let start = State::aligned([0.1, 1.0, f64::from(i) * 1e-3]).unwrap();
//!     Member { inertia, start }
//! });
//! let mut end = FinalStates::default();
//! let plan = Plan::until(0.0, 0.01, 1.0)?;
//! let summary = Ensemble::new("exact")?.run(bodies, &plan, u64::MAX, &mut end)?;
//! assert_eq!((summary.bodies, summary.failed, end.states.len()), (1000, 0, 1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What runs in lanes
//! The rotors `exact`, `dmv` and `three-rotations` alone for free bodies, and every scheme with one of
//! these, none of them compensated; with any torque. A function of the user's is called for one lane
//! after the other: that costs its calls, one for each body and kick, beside a step of some 15 ns a body.
//! Every other method runs body by body, on all cores: [`Method::runs_in_lanes`] tells.
//!
//! # Bodies that fail
//! A step that cannot be done (out of range, or an equation that is not solved) ends the motion of
//! that body alone. The sink hears of it, the body stays at its last good state, and the others go on.

mod advance;
mod block;
mod draw;
mod error;
mod free;
mod member;
mod motions;
mod moving;
mod one_step;
mod rescue;
mod rotors;
mod sink;
mod solver;
mod workers;

#[doc(hidden)]
pub use draw::Stream;
pub use draw::{AttitudeLaw, Draw, InertiaLaw, SpinLaw};
pub use error::{BodyFailure, Cause, EnsembleError};
pub use free::FreeEnsemble;
pub use member::{Arrays, Member, Members};
pub use motions::{MotionConstants, motion_constants};
pub use one_step::FreeStep;
pub use sink::{BodySamples, EnsembleSummary, FinalStates, Sink};
pub use solver::EnsembleSolver;

pub use crate::MAX_THREADS;
use crate::control::ControlLoop;
use crate::inside::Inside;
use crate::method::Method;
use crate::problem::Problem;
use crate::rotor::LaneKernel;
use crate::{IntoMethod, Plan, Torque};
use advance::Job;
use block::Block;
use moving::MovingParts;
use polhode_number::AvailableWidth;
pub use polhode_number::Width;
use workers::{EnsembleProgress, Portion, Workers, worker_methods};

/// A method and a torque for many bodies.
#[derive(Clone, Debug)]
pub struct Ensemble {
    method: Method,
    torque: Torque,
    moving: MovingParts,
    t0: f64,
    width: Option<Width>,
    workers: Workers,
}

impl Ensemble {
    /// Free bodies, or bodies to be given a torque, with a method or its text: `exact`, `dmv:order=8`,
    /// `rkn6-14+exact`, `rk4`.
    ///
    /// # Errors
    /// [`EnsembleError`] if there is no such method.
    pub fn new(method: impl IntoMethod) -> Result<Self, EnsembleError> {
        Ok(Self::with(method.into_method()?))
    }

    /// Free bodies, or bodies to be given a torque, with a method as a value, which may be one's own.
    pub fn with(method: Method) -> Self {
        let (torque, moving, workers) =
            (Torque::none(), MovingParts::default(), Workers::default());
        Self { method, torque, moving, t0: 0.0, width: None, workers }
    }

    /// Lets this torque act on every body.
    #[must_use]
    pub fn torque(self, torque: impl Into<Torque>) -> Self {
        Self { torque: torque.into(), ..self }
    }

    /// With this moving inside every body: see [`Problem::inside`]. The bodies are stepped one by one.
    #[must_use]
    pub fn inside(mut self, inside: Inside) -> Self {
        self.moving.inside = inside;
        self
    }

    /// With one more controller in every body, each with a memory of its own. The bodies are stepped one by one.
    #[must_use]
    pub fn controlled(mut self, control: ControlLoop) -> Self {
        self.moving.control.push(control);
        self
    }

    /// The momenta of the bodies are those without their wheels, I omega, as a law of angular velocities gives them:
    /// the momentum of the wheels is added.
    #[must_use]
    pub fn adding_wheels(mut self) -> Self {
        self.moving.adds_spins = true;
        self
    }

    /// The energy of each body, as its samples tell it, stays what it is.
    pub fn conserves_energy(&self) -> bool {
        self.example().is_none_or(|problem| problem.conserves_energy())
    }

    /// The momentum in space of each body stays what it is.
    pub fn conserves_momentum(&self) -> bool {
        self.example().is_none_or(|problem| problem.conserves_momentum())
    }

    /// Something moves inside the bodies, or they have controllers.
    pub fn needs_steps(&self) -> bool {
        !self.moving.is_nothing()
    }

    /// A sphere at rest, with all that acts and moves.
    fn example(&self) -> Option<Problem> {
        let inertia = self.moving.sphere().ok()?;
        let start = crate::State::aligned([0.0; 3]).ok()?;
        self.moving.problem(&Member { inertia, start }, &self.torque, self.t0).ok()
    }

    /// Sets the time of the start, which is zero otherwise.
    #[must_use]
    pub fn from_time(self, t0: f64) -> Self {
        Self { t0, ..self }
    }

    /// With lanes of this width, not the widest there are. The bits are the same.
    #[must_use]
    pub fn width(self, width: Width) -> Self {
        Self { width: Some(width), ..self }
    }

    worker_methods!();

    /// Runs every body from its start through the plan. The sink sees the start, every n-th step
    /// (`every`; 0 counts as 1) and the last one.
    ///
    /// # Errors
    /// [`EnsembleError`] if the method does not go with the torque, the end is requested, or source or sink
    /// fail. A body that fails is no error: see [`BodyFailure`].
    pub fn run(
        &self,
        mut source: impl Members + Send,
        plan: &Plan,
        every: u64,
        sink: &mut (dyn Sink + Send),
    ) -> Result<EnsembleSummary, EnsembleError> {
        let Plan { step, .. } = *plan;
        if !(step.is_finite() && step != 0.0) {
            return Err(EnsembleError::Step { step });
        }
        let width = self.checked_width()?;
        self.check()?;
        let span = [self.t0, plan.time(self.t0, plan.steps)];
        self.torque.check_times(span)?;
        if let Some(varying) = &self.moving.inside.varying {
            varying.check_times(span)?;
        }
        let every = every.max(1);
        self.workers.each_block(&mut source, plan.steps, &mut |progress, portion, summary| {
            self.run_block((width, progress), portion, plan, every, sink, summary)
        })
    }

    fn checked_width(&self) -> Result<AvailableWidth, EnsembleError> {
        let Some(width) = self.width else { return Ok(AvailableWidth::widest()) };
        width.checked().ok_or_else(|| EnsembleError::Width {
            given: width.lanes(),
            available: Width::available().into_iter().map(Width::lanes).collect(),
        })
    }

    /// Checks that the method goes with the torque, whatever the body.
    ///
    /// # Errors
    /// [`EnsembleError::Method`] if it does not.
    pub fn check(&self) -> Result<(), EnsembleError> {
        let Some(problem) = self.example() else { return Ok(()) };
        match self.method.stepper(&problem) {
            // That the torque overflows on this body says nothing about others.
            Ok(_) | Err(crate::method::MethodError::Torque(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn run_block(
        &self,
        (width, progress): (AvailableWidth, &EnsembleProgress<'_>),
        Portion { first, bodies }: Portion,
        plan: &Plan,
        every: u64,
        sink: &mut (dyn Sink + Send),
        summary: &mut EnsembleSummary,
    ) -> Result<(), EnsembleError> {
        let moving = (!self.moving.is_nothing()).then_some(&self.moving);
        let bodies = match moving {
            None => bodies,
            Some(moving) => bodies.into_iter().map(|body| moving.complete(body)).collect(),
        };
        let lanes = LaneKernel::of(&self.method).filter(|_| moving.is_none());
        let rotor = lanes.as_ref().map(|(rotor, _)| *rotor);
        let (mut block, failures) =
            Block::new(&self.torque, rotor, Portion { first, bodies }, self.t0);
        report(failures, sink, summary)?;
        let mut job = Job {
            method: &self.method,
            lanes,
            torque: &self.torque,
            moving,
            axes: block.axes,
            t0: self.t0,
            plan: *plan,
            from: 0,
            to: 0,
            progress,
        };
        loop {
            let samples = BodySamples {
                first,
                step: job.to,
                t: plan.time(self.t0, job.to),
                last: job.to == plan.steps,
                bodies: &block.bodies,
                cells: &block.cells,
                torque: &self.torque,
                moving: moving.map(|moving| (moving, self.t0)),
                alone: &block.alone,
            };
            sink.samples(&samples).map_err(EnsembleError::Sink)?;
            if samples.last {
                return Ok(());
            }
            (job.from, job.to) = (job.to, job.to.saturating_add(every).min(plan.steps));
            let failures = block.advance(width, &job);
            progress.reach(first, (block.bodies.len(), job.to))?;
            report(failures, sink, summary)?;
        }
    }
}

/// Checks that times are finite.
fn check_times(times: &[f64]) -> Result<(), EnsembleError> {
    match times.iter().position(|t| !t.is_finite()) {
        Some(i) => Err(EnsembleError::Time { position: i + 1, t: times[i] }),
        None => Ok(()),
    }
}

/// Tells the sink, and counts.
fn report(
    failures: Vec<BodyFailure>,
    sink: &mut (dyn Sink + Send),
    summary: &mut EnsembleSummary,
) -> Result<(), EnsembleError> {
    for failure in failures {
        sink.failure(&failure).map_err(EnsembleError::Sink)?;
        summary.failed += 1;
        summary.first_failure.get_or_insert(failure);
    }
    Ok(())
}
