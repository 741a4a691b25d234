//! Preprocessed discrete Moser-Veselov: an implicit midpoint-like step with modified moments.
//!
//! With the Cayley vector c = tan(θ/2) n of the step's rotation as the unknown, κ = (h/2) m,
//! α = 1 + |c|², F1 = Ĩ2 - Ĩ3 and so on round,
//!
//! Ĩ1 c1 = α κ1 + F1 c2 c3 (and round), m <- m + (4/(h α)) (F1 c2 c3, F2 c3 c1, F3 c1 c2),
//! q <- q (1, c)/√α, 1/Ĩ_j = S/I_j + D,
//!
//! where S and D are the truncated series in h², C = |m|²/2 and H = m·ω/2 that make the step one of
//! order 2, 4, .., 20 (`dmv_coefficients`). Ĩ is rebuilt from C and H in every step, as kicks change
//! them.
//!
//! Keeps energy, |m| and the momentum in space to rounding, at every order; symmetric. The map of the
//! momentum is Poisson at every order; together with the attitude only order 2 is symplectic, the
//! others up to their order. No case splits: sphere, symmetric bodies, axes and separatrix are steps
//! like others, and moments may stand in any order.
//!
//! Cost: about that of `exact`. Limits: the equation knows the sine of the step's angle, so a step
//! must turn the body by less than a quarter turn, h |ω| < π/2, towards which order 10 loses its
//! digits (errors of a step: 1e-12 at half a radian, 1e-8 at one, 1e-5 at one and a half). Beyond,
//! [`StepError::NoConvergence`]. For a needle (I1 << I3) the series converge for shorter steps only,
//! and the higher their order the shorter: there errors grow without a sign (1e-3 : 1 : 1 at
//! h |ω| = 0.5: 4e-11 with order 10, 8e-6 with order 20); take `exact` for such bodies.
//!
//! # Solver
//! Newton's method by default, with one sweep at the end. On a body (0.6, 0.8, 1) with |m| = 1 a
//! step of order 10 takes 114, 131 and 172 ns for h = 0.01, 0.1 and 1 with Newton and 192, 270 and
//! 1700 ns with the fixed-point sweeps of the papers: 2, 3 and 6 Newton steps against 5, 9 and 135
//! sweeps, to rounding either way.
//!
//! # Compensated summation
//! The sums m + δ and q + q (0, c) keep what they drop, q is not normalised but halved exactly
//! whenever |q|² > 4, and errors of the invariants grow by h eps √N instead of eps √N. The rotor
//! carries that longer quaternion and hands out a normalised one. A state that comes back as it was
//! handed out goes on from what is carried. One with the same attitude and another momentum was
//! kicked: the kick is added to the carried momentum, and both sums keep their digits. One with
//! another attitude, or kicked by more than half its momentum, is taken as new, and nothing is kept.
//!
//! # References
//! HairerVilmart2006 for the method; Vilmart, section 5, for the stopping rule (changes until they are
//! zero or stop shrinking), the compensated sums, and that nothing but Ĩ be a constant. Errata
//! corrected: Vilmart, eq. (2), has Q' = Q hat(ω) with the sign reversed, with which Q m would not be
//! kept; and its stopping rule could cycle for ever, so an equal change ends it too.

use glam::{DQuat, DVec3};
use polhode_elliptic::Dd;
use polhode_number::add_compensated;

use super::dmv_coefficients::{MOST, SERIES, SeriesTerm};
use super::dmv_kernel::{DmvBody, DmvIncrement, positions};
use super::unit_step::{RotorKernel, UnitBody, UnitFailure, restored};
use super::{Keeps, Rotor, RotorEntry, RotorOrder, StepError};
use crate::cite::Citation;
use crate::method::EquationSolver;
use crate::method::RestoreError;
use crate::parameters::{MethodParameter, ParameterKind, Parameters};
use crate::{Inertia, State, so3};

const ID: &str = "dmv";

pub(super) static ENTRY: RotorEntry = RotorEntry {
    id: ID,
    title: "discrete Moser-Veselov with modified moments of inertia, of order 2 to 20",
    order: |parameters| RotorOrder::of(parameters.integer("order")),
    keeps: Keeps { symplectic: false, ..Keeps::ALL },
    lanes: Some(|parameters| DmvKernel::new(parameters).into()),
    parameters: &[
        MethodParameter {
            name: "order",
            doc: "The order of momentum and attitude.",
            kind: ParameterKind::Integer { min: 2, max: 20, step: 2, default: 10 },
        },
        MethodParameter {
            name: "compensated",
            doc: "Compensated summation: round-off smaller by about the angle of a step.",
            kind: ParameterKind::Flag,
        },
        MethodParameter {
            name: "solver",
            doc: "How the implicit equation is solved, to rounding either way.",
            kind: ParameterKind::Choice(&["newton", "fixed-point"]),
        },
    ],
    cites: &[
        Citation { key: "HairerVilmart2006", at: "the method and its coefficients to order 10" },
        Citation { key: "Vilmart2008", at: "section 5" },
    ],
    build: |inertia, parameters| Box::new(Dmv::new(inertia, parameters)),
};

/// The step of one body.
#[derive(Clone, Copy, Debug)]
struct Dmv {
    body: UnitBody<DmvBody<f64>>,
    compensated: bool,
    carried: Option<DmvMemory>,
}

/// The kernel of some order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DmvKernel {
    order: u32,
    solver: EquationSolver,
}

impl DmvKernel {
    fn new(parameters: &Parameters) -> Self {
        let solver = match parameters.choice("solver") {
            "fixed-point" => EquationSolver::FixedPoint,
            _ => EquationSolver::Newton,
        };
        Self { order: parameters.integer("order"), solver }
    }
}

impl RotorKernel for DmvKernel {
    type BodyKernel = DmvBody<f64>;

    #[inline(always)]
    fn layout(self) -> DmvBody<f64> {
        DmvBody::layout(self.order, self.solver)
    }

    fn unit_body(self, inertia: &Inertia) -> UnitBody<DmvBody<f64>> {
        UnitBody::new(inertia, 0, |moments| body(moments, self.order, self.solver, Dd::hi))
    }
}

/// What compensated summation carries from one step to the next.
#[derive(Clone, Copy, Debug)]
struct DmvMemory {
    /// The state as it was handed out.
    handed: State,
    /// The momentum along the principal axes, and what did not fit in.
    m: [f64; 3],
    m_rest: [f64; 3],
    /// The attitude, of length 1 to 2, and what did not fit in.
    q: [f64; 4],
    q_rest: [f64; 4],
}

impl Dmv {
    fn new(inertia: &Inertia, parameters: &Parameters) -> Self {
        Self {
            body: DmvKernel::new(parameters).unit_body(inertia),
            compensated: parameters.flag("compensated"),
            carried: None,
        }
    }
}

/// Why there is no step of length h.
#[cold]
fn error(h: f64, momentum: DVec3, failure: &UnitFailure<DmvIncrement<f64>>) -> StepError {
    match *failure {
        UnitFailure::Kernel { increment: DmvIncrement { iterations, residual, .. }, .. } => {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
            let iterations = iterations as u32;
            StepError::NoConvergence { rotor: ID, h, iterations, residual }
        }
        UnitFailure::OutOfRange => StepError::OutOfRange { h, momentum: momentum.to_array() },
    }
}

/// The constants of the kernel: the polynomials in e1, e2, e3 as numbers, before any rounding.
pub(super) fn body<L: Copy>(
    moments: [Dd; 3],
    order: u32,
    solver: EquationSolver,
    round: impl Fn(Dd) -> L,
) -> DmvBody<L> {
    let inverse = moments.map(|i| Dd::ONE / i);
    let [a, b, c] = inverse;
    let powers = [a + b + c, a * b + b * c + c * a, a * b * c].map(|e| {
        let mut powers = [Dd::ONE; 2 * MOST + 2];
        for i in 1..powers.len() {
            powers[i] = powers[i - 1] * e;
        }
        powers
    });
    let value = |terms: &[SeriesTerm]| {
        terms.iter().fold(Dd::ZERO, |sum, &(i, j, l, n, d)| {
            let [e1, e2, e3] = [(0, i), (1, j), (2, l)].map(|(e, i)| powers[e][usize::from(i)]);
            sum + Dd::from(n) / Dd::from(d) * e1 * e2 * e3
        })
    };
    let terms = order as usize / 2 - 1;
    let mut series = [[round(Dd::ZERO); 2]; _];
    for (place, (k, j)) in series.iter_mut().zip(positions(terms)) {
        *place = SERIES[k - 1].map(|of_h| round(value(of_h[j])));
    }
    DmvBody { moments: moments.map(&round), inverse: inverse.map(&round), terms, series, solver }
}

impl Rotor for Dmv {
    fn step(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        if self.compensated {
            return self.step_compensated(h, state);
        }
        self.body.advance(h, state).map_err(|failure| error(h, state.m, &failure))
    }

    fn reset(&mut self) {
        self.carried = None;
    }

    fn carried(&self) -> Vec<f64> {
        self.carried.map_or_else(Vec::new, |c| {
            let (m, q) = (c.handed.m.to_array(), c.handed.attitude());
            [&m[..], &q, &c.m, &c.m_rest, &c.q, &c.q_rest].concat()
        })
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        self.carried = DmvMemory::from_numbers(carried);
        if self.carried.is_none() && !carried.is_empty() {
            return Err(RestoreError { found: carried.len(), needed: "21 or none" });
        }
        Ok(())
    }
}

impl DmvMemory {
    fn from_numbers(numbers: &[f64]) -> Option<Self> {
        let (&m, numbers) = numbers.split_first_chunk::<3>()?;
        let (&q, numbers) = numbers.split_first_chunk::<4>()?;
        let handed = State { m: DVec3::from_array(m), q: so3::from_wxyz(q) };
        let (&m, numbers) = numbers.split_first_chunk()?;
        let (&m_rest, numbers) = numbers.split_first_chunk()?;
        let (&q, numbers) = numbers.split_first_chunk()?;
        let &q_rest = numbers.first_chunk()?;
        Some(Self { handed, m, m_rest, q, q_rest })
    }
}

impl Dmv {
    fn step_compensated(&mut self, h: f64, state: &mut State) -> Result<(), StepError> {
        let mut carried = self.taken_up(state);
        let change = self.body.step(h, carried.m);
        let change = change.map_err(|failure| error(h, state.m, &failure))?;
        let Some((increment, exponent)) = change else { return Ok(()) };
        for (i, delta) in restored(increment.delta, exponent).into_iter().enumerate() {
            add_compensated(&mut carried.m[i], &mut carried.m_rest[i], delta);
        }
        // q <- q (1, c): a division by its length would round all of it anew.
        let c = self.body.leave(increment.cayley);
        let change = so3::from_wxyz(carried.q) * DQuat::from_xyzw(c.x, c.y, c.z, 0.0);
        for (i, change) in so3::to_wxyz(change).into_iter().enumerate() {
            add_compensated(&mut carried.q[i], &mut carried.q_rest[i], change);
        }
        let mut square = carried.q.iter().map(|x| x * x).sum::<f64>();
        while square > 4.0 && square.is_finite() {
            carried.q = carried.q.map(|x| 0.5 * x);
            carried.q_rest = carried.q_rest.map(|x| 0.5 * x);
            square *= 0.25;
        }
        let length = square.sqrt();
        let q = so3::from_wxyz(carried.q.map(|x| x / length));
        carried.handed = State { m: self.body.leave(carried.m), q };
        *state = carried.handed;
        self.carried = Some(carried);
        Ok(())
    }

    /// What was carried, as far as the state is still the one handed out.
    fn taken_up(&self, state: &State) -> DmvMemory {
        let fresh = DmvMemory {
            handed: *state,
            m: self.body.enter(state.m),
            m_rest: [0.0; 3],
            q: state.attitude(),
            q_rest: [0.0; 4],
        };
        let Some(mut carried) = self.carried.filter(|carried| carried.handed.q == state.q) else {
            return fresh;
        };
        let kick = state.m - carried.handed.m;
        if kick.abs().max_element() > 0.5 * state.m.abs().max_element() {
            return fresh;
        }
        if kick != DVec3::ZERO {
            for (i, kick) in self.body.enter(kick).into_iter().enumerate() {
                add_compensated(&mut carried.m[i], &mut carried.m_rest[i], kick);
            }
        }
        carried
    }
}
