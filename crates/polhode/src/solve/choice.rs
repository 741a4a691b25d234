//! Which engine solves a problem.

use std::sync::Arc;

use glam::DVec3;
use polhode_number::Registers;
use polhode_number::vector::Vector;

use super::closed_form::ClosedForm;
use super::dop853::Dop853;
use super::engine::Engine;
use super::extrapolation::Extrapolation;
use super::field::{OrbitField, PlainField, Pull};
use super::general_field::{ByRecord, General};
use super::gyrostat::{Gyrostat, own, with_wheels};
use super::nudge::NudgeEngine;
use super::solver::Solver;
use super::{SolveError, SolveMethod};
use crate::torque::{Body, Record};
use crate::{Inertia, InertiaOver, Point, Problem, State, Torque};

/// A torque (Q^T up) x centre.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PullForm {
    pub(crate) centre: Vector<f64>,
    pub(crate) up: Vector<f64>,
}

/// A gravity gradient: the rate of the orbit, the line to the planet at t = 0 and a quarter of an orbit later.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OrbitForm {
    pub(crate) rate: f64,
    pub(crate) line: [Vector<f64>; 2],
}

/// What to do with a torque in the form in which it is compiled into steps.
pub(crate) trait ChooseField {
    /// What comes of it.
    type Output;

    /// A model as it is.
    fn plain<R: Record + Send + Sync + 'static>(self, record: &R) -> Self::Output;
    /// A pull along a direction of space on a point of the body.
    fn pull(self, form: PullForm) -> Self::Output;
    /// A torque in a frame that turns.
    fn orbit(self, form: OrbitForm) -> Self::Output;
    /// Anything else: a sum of models.
    fn general(self) -> Self::Output;
}

/// What an engine of the extrapolation is made for.
#[derive(Clone, Copy)]
pub(super) struct EngineSpec<'a> {
    pub(super) inertia: &'a Inertia,
    /// The error that a step is allowed.
    pub(super) tolerance: f64,
    pub(super) registers: Registers,
}

impl EngineSpec<'_> {
    /// With a record of parameters that is compiled in.
    pub(super) fn of_record<R: Record + Send + Sync + 'static>(
        self,
        record: &R,
    ) -> Arc<dyn Engine> {
        let Self { inertia, tolerance, registers } = self;
        if inertia.inverse_matrix().is_some() {
            let field = General::new(inertia, ByRecord(*record));
            return Arc::new(Extrapolation::new(inertia, field, tolerance, registers));
        }
        self.plain(record)
    }

    /// The same on a body whose frame is principal.
    fn plain<R: Record + Send + Sync + 'static>(self, record: &R) -> Arc<dyn Engine> {
        let Self { inertia, tolerance, registers } = self;
        let field =
            PlainField { record: *record, inertia: *inertia, over: InertiaOver::new(inertia) };
        Arc::new(Extrapolation::new(inertia, field, tolerance, registers))
    }
}

/// The extrapolation with a torque.
struct WithTorque<'a>(EngineSpec<'a>, &'a Torque);

impl ChooseField for WithTorque<'_> {
    type Output = Arc<dyn Engine>;

    fn plain<R: Record + Send + Sync + 'static>(self, record: &R) -> Arc<dyn Engine> {
        if self.0.inertia.inverse_matrix().is_some() {
            return self.general();
        }
        self.0.plain(record)
    }

    fn pull(self, PullForm { centre, up }: PullForm) -> Arc<dyn Engine> {
        let EngineSpec { inertia, tolerance, registers } = self.0;
        let pull = Pull::new(inertia, centre, up);
        match pull.axial() {
            Some(axial) => Arc::new(Extrapolation::new(inertia, axial, tolerance, registers)),
            None => Arc::new(Extrapolation::new(inertia, pull, tolerance, registers)),
        }
    }

    fn orbit(self, OrbitForm { rate, line }: OrbitForm) -> Arc<dyn Engine> {
        let EngineSpec { inertia, tolerance, registers } = self.0;
        Arc::new(Extrapolation::new(
            inertia,
            OrbitField::new(inertia, rate, line),
            tolerance,
            registers,
        ))
    }

    fn general(self) -> Arc<dyn Engine> {
        let EngineSpec { inertia, tolerance, registers } = self.0;
        let field = General::new(inertia, self.1.clone());
        Arc::new(Extrapolation::new(inertia, field, tolerance, registers))
    }
}

/// The method for a torque, if none is asked for; and whether events are looked for with it.
///
/// Of a function it is calls that cost. One that takes a state at a time is called 72 to 208 times in a step of the
/// extrapolation and 12 times in one of Dop853. One that takes all lanes at once is called 18 to 26 times, and as
/// steps are longer that makes 0.5 to 0.6 of the calls of Dop853 at 1e-6 and 0.3 at 1e-10, of two tops. But a state
/// within a step costs as many calls again, where Dop853 interpolates: too many for events, which look at dozens.
///
/// A formula that jumps or bends needs a method that looks at the end of its steps, as Dop853 does. The sequences of
/// the extrapolation end before it: a step that fails is shortened until the jump lies in its last part, which none of
/// them sees, and is then taken with an error of any size.
fn method(torque: &Torque, has_events: bool) -> SolveMethod {
    let by_calls = torque.calls_functions() && (has_events || !torque.calls_vectorized_functions());
    if torque.is_none() {
        SolveMethod::ClosedForm
    } else if by_calls || torque.is_rough() {
        SolveMethod::Dop853
    } else {
        SolveMethod::Extrapolation
    }
}

impl SolveMethod {
    /// The one that a problem is solved by if none is asked for; with events, see [`Solver::method`].
    pub fn suited_to(problem: &Problem) -> Self {
        // The torque of wheels is a function.
        if problem.needs_steps() { Self::Dop853 } else { method(problem.torques(), false) }
    }
}

/// Whether the body rests where nothing acts on it, and never will. Along principal axes, in which steps are made, the
/// torque may be zero but for rounding, and a top that stands upright would fall.
fn rests(inertia: &Inertia, torque: &Torque, (t, state): (f64, State)) -> bool {
    let acts = || {
        let over = InertiaOver::new(inertia);
        torque.torque(&Body::one(inertia, &over), t, &Point::from(&state)) != [0.0; 3]
    };
    state.m == DVec3::ZERO && !torque.calls_functions() && !torque.depends_on_time() && !acts()
}

/// The engine of that method, for the motion from this state at t0 until a time.
fn engine(
    method: SolveMethod,
    making: EngineSpec<'_>,
    torque: &Torque,
    start: (f64, State),
    until: f64,
) -> Result<Arc<dyn Engine>, SolveError> {
    Ok(match method {
        SolveMethod::Extrapolation if rests(making.inertia, torque, start) => {
            Arc::new(ClosedForm::new(making.inertia, start, until)?)
        }
        SolveMethod::Extrapolation => torque.choose_field(WithTorque(making, torque)),
        SolveMethod::Dop853 => Arc::new(Dop853::new(making.inertia, torque, making.registers)),
        SolveMethod::ClosedForm if torque.is_none() => {
            Arc::new(ClosedForm::new(making.inertia, start, until)?)
        }
        SolveMethod::ClosedForm => {
            return Err(SolveError::Method {
                method: method.id().to_owned(),
                reason: "a torque acts, and only a free motion is known in closed form".into(),
            });
        }
    })
}

impl Solver<'_> {
    /// The method for a torque, which may be that of a change.
    pub(super) fn method_for(&self, torque: &Torque, changed: bool) -> SolveMethod {
        if self.is_compiled() && !changed {
            return SolveMethod::Extrapolation;
        }
        self.method.unwrap_or_else(|| match self.held() {
            // Their torque is a function.
            Some(_) => SolveMethod::Dop853,
            None => method(torque, self.has_events),
        })
    }

    /// The engine for the motion from a state on.
    pub(super) fn engine(
        &self,
        torque: &Torque,
        changed: bool,
        tolerance: f64,
        start: (f64, State),
        until: f64,
    ) -> Result<Arc<dyn Engine>, SolveError> {
        let inertia = self.problem.inertia();
        let making = EngineSpec { inertia, tolerance, registers: self.registers };
        let method = self.method_for(torque, changed);
        let engine = if let Some(compiled) = self.compiled.as_ref().filter(|_| !changed) {
            (compiled.make)(making)
        } else if let Some(held) = self.held() {
            let (torque, start) = (with_wheels(torque, held), (start.0, own(&start.1, held)));
            let engine = engine(method, making, &torque, start, until)?;
            Arc::new(Gyrostat { engine, held, nodding: self.nodding() })
        } else {
            engine(method, making, torque, start, until)?
        };
        Ok(match self.nudge {
            Some(nudge) => Arc::new(NudgeEngine { engine, nudge }),
            None => engine,
        })
    }
}
