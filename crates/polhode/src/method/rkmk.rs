//! Munthe-Kaas Runge-Kutta methods: any Butcher tableau, explicit or implicit.
//!
//! A step is written in the coordinates psi, p with Q = Q0 exp(psi) and m = exp(-psi) p, in which
//!
//! psi' = dexp(-psi)^-1 I^-1 m, p' = exp(psi) torque, psi(0) = 0, p(0) = m0,
//!
//! is an ordinary differential equation in R^6; the tableau a, b, c is applied to that:
//!
//! psi_k = h sum_j a_kj dexp(-psi_j)^-1 I^-1 m_j, m_k = exp(-psi_k) (m0 + h sum_j a_kj exp(psi_j) T_j),
//! and likewise with b for the step.
//!
//! The order is the tableau's. Keeps the length of the momentum and the momentum in space of a free
//! body with every tableau; with `midpoint` the method is symmetric too (it is `imidm`), while the
//! trapezoidal and Gauss tableaux are not: the coordinates start at one end of the step. One
//! evaluation of the torque for each stage (and iteration), which may depend on anything. Implicit
//! stages are solved to round-off, together or one by one as the tableau allows; no warm start. The
//! turn of a step must stay below 2 pi, that of a solve by `fixed-point` well below a radian.
//!
//! # References
//! Krysl, eq. (17) and algorithm MKRK in section 3.7. Erratum corrected: T_(j) inside the sum, printed
//! T_(k) (erratum 6).

use core::ops::Range;

use glam::DVec3;

use super::newton::{EquationSolver, Factors, SOLVER, relative};
use super::rkmk_chart::{Pair, slope, slope_and_derivative, sum};
use super::start::Start;
use super::tableaux::{MAX_STAGES, NAMED, Tableau};
use super::turn::Turn;
use super::update::{COMPENSATED, StateIncrement, Update};
use super::{Keeps, Order};
use super::{MethodEntry, RestoreError, StepReport, Stepper};
use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind, Parameters};
use crate::problem::Problem;
use crate::torque::Dependence;
use crate::{State, StepError};

const ID: &str = "rkmk";

pub(super) static ENTRY: MethodEntry = MethodEntry {
    id: ID,
    title: "Munthe-Kaas Runge-Kutta method with any Butcher tableau",
    order: |p| Order::Of(named(p).0),
    keeps: Keeps { energy: false, symmetric: false, symplectic: false, ..Keeps::ALL },
    accepts: Dependence::Momentum,
    parameters: &[
        MethodParameter {
            name: "tableau",
            doc: "The Butcher tableau.",
            kind: ParameterKind::Choice(&TABLEAUX),
        },
        SOLVER,
        COMPENSATED,
    ],
    cites: &[
        Citation { key: "Krysl2006", at: "eq. (17), algorithm MKRK" },
        Citation { key: "MuntheKaas1998", at: "as given by Krysl2006" },
    ],
    build: |_, p| {
        let method = Rkmk::new(named(p).1).solver(EquationSolver::new(p));
        Box::new(method.compensated(p.flag(COMPENSATED.name)))
    },
};

const TABLEAUX: [&str; NAMED.len()] = {
    let mut names = [""; NAMED.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = NAMED[i].0;
        i += 1;
    }
    names
};

/// The order and the tableau that the parameters name.
fn named(parameters: &Parameters) -> (u32, Tableau) {
    let name = parameters.choice("tableau");
    let (_, order, tableau) = NAMED.into_iter().find(|n| n.0 == name).unwrap_or(NAMED[0]);
    (order, tableau)
}

/// A Munthe-Kaas Runge-Kutta method with a tableau of the caller's.
///
/// ```
/// use polhode::method::{Rkmk, Stepper, Tableau};
/// use polhode::torque::{Dependence, Function};
/// use polhode::{Inertia, Problem, State, glam::DVec3};
///
/// let heun = Tableau::new(&[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.5], &[0.0, 1.0])?;
/// let start = State::aligned([0.3, -0.2, 0.9])?;
/// let nothing = Function::new(Dependence::None, |_, _, _: &State| DVec3::ZERO);
/// let problem = Problem::new(Inertia::principal([1.0, 2.0, 2.5])?, start).torque(nothing);
/// let (mut method, mut state) = (Rkmk::new(heun), start);
/// for n in 0..100 {
///     method.step(&problem, 0.01 * f64::from(n), 0.01, &mut state)?;
/// }
/// assert!((state.spatial_momentum() - start.spatial_momentum()).length() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rkmk {
    tableau: Tableau,
    solver: EquationSolver,
    update: Update,
}

impl Rkmk {
    /// The method with that tableau; stages that are implicit are solved by Newton's iteration.
    pub fn new(tableau: Tableau) -> Self {
        Self { tableau, solver: EquationSolver::Newton, update: Update::new(false) }
    }

    /// Takes this solver for implicit stages.
    #[must_use]
    pub fn solver(self, solver: EquationSolver) -> Self {
        Self { solver, ..self }
    }

    /// With or without compensated summation of the increments.
    #[must_use]
    pub fn compensated(self, on: bool) -> Self {
        Self { update: Update::new(on), ..self }
    }

    /// The slopes of all stages, and how many iterations they took.
    fn stages(&self, start: &Start) -> Result<([Pair; MAX_STAGES], u32), StepError> {
        let tableau = &self.tableau;
        let mut slopes = [Pair::ZERO; MAX_STAGES];
        let mut iterations = 0;
        if tableau.is_triangular() {
            for k in 0..tableau.stages() {
                if tableau.a[k][k] == 0.0 {
                    let y = sum(&tableau.a[k], &slopes, 0..k);
                    slopes[k] = slope(start, tableau.c[k], y);
                } else {
                    iterations += self.solve::<6>(start, k..k + 1, &mut slopes)?;
                }
            }
        } else {
            let all = 0..tableau.stages();
            iterations += match all.len() {
                2 => self.solve::<12>(start, all, &mut slopes)?,
                3 => self.solve::<18>(start, all, &mut slopes)?,
                _ => self.solve::<{ 6 * MAX_STAGES }>(start, all, &mut slopes)?,
            };
        }
        Ok((slopes, iterations))
    }

    /// Solves the equations y_k = known_k + sum a_kj slope(y_j) of these stages, which need each other
    /// and those before them; they have at most N unknowns.
    fn solve<const N: usize>(
        &self,
        start: &Start,
        stages: Range<usize>,
        slopes: &mut [Pair; MAX_STAGES],
    ) -> Result<u32, StepError> {
        let Tableau { a, c, .. } = &self.tableau;
        let (mut known, mut y) = ([Pair::ZERO; MAX_STAGES], [Pair::ZERO; MAX_STAGES]);
        for k in stages.clone() {
            known[k] = sum(&a[k], slopes, 0..stages.start);
            y[k] = Pair { psi: start.psi * c[k], g: known[k].g };
        }
        let unit = unit_of_momentum(start);
        let place_of = |k: usize| 6 * (k - stages.start);
        let mut factors = Factors::<N>::identity();
        self.solver.settle(ID, start.h, |derivatives| {
            let mut matrix = [[0.0; N]; N];
            for j in stages.clone() {
                if !derivatives {
                    slopes[j] = slope(start, c[j], y[j]);
                    continue;
                }
                let derivative;
                (slopes[j], derivative) = slope_and_derivative(start, c[j], y[j], unit);
                for k in stages.clone() {
                    let at = (place_of(k), place_of(j));
                    place(&mut matrix, at, &derivative, -a[k][j], k == j);
                }
            }
            if derivatives {
                factors = Factors::new(6 * stages.len(), matrix);
            }
            let mut x = [0.0; N];
            for k in stages.clone() {
                let update = known[k] + sum(&a[k], slopes, stages.clone()) - y[k];
                x[place_of(k)..][..6].copy_from_slice(&update.scaled(1.0 / unit));
            }
            factors.solve(&mut x);
            let (mut change, mut size) = (Pair::ZERO, Pair { psi: DVec3::ZERO, g: start.m.abs() });
            for k in stages.clone() {
                let update = Pair::from_scaled(&x[place_of(k)..], unit);
                if !update.is_finite() {
                    return f64::NAN;
                }
                y[k] += update;
                change = change.larger(update);
                size = size.larger(y[k]);
            }
            let turn = relative(change.psi.max_element(), size.psi.max_element());
            turn.max(relative(change.g.max_element(), size.g.max_element()))
        })
    }
}

impl Stepper for Rkmk {
    fn step(
        &mut self,
        problem: &Problem,
        t: f64,
        h: f64,
        state: &mut State,
    ) -> Result<StepReport, StepError> {
        let start = Start::new(problem, t, h, state)?;
        if h == 0.0 {
            return Ok(start.report(0));
        }
        let (slopes, iterations) = self.stages(&start)?;
        let Pair { psi, g } = sum(&self.tableau.b, &slopes, 0..self.tableau.stages());
        let turn = Turn::exp(psi.into());
        let dm = g + turn.into_body((start.m + g).into()).value();
        self.update.add(h, state, StateIncrement::new(&start, dm, turn))?;
        Ok(start.report(iterations))
    }

    fn reset(&mut self) {
        self.update.reset();
    }

    fn carried(&self) -> Vec<f64> {
        self.update.carried()
    }

    fn restore(&mut self, carried: &[f64]) -> Result<(), RestoreError> {
        RestoreError::unless_empty(self.update.restore(carried)?)
    }
}

/// A momentum that makes the equations free of units.
fn unit_of_momentum(start: &Start) -> f64 {
    let size = start.m.abs().max_element();
    let radian = start.problem.inertia().moments().max_element() / start.h.abs();
    if size == 0.0 { radian } else { size }
}

/// Writes factor times a block, given by columns, at (row, column), plus one on its diagonal if asked.
fn place<const N: usize>(
    matrix: &mut [[f64; N]; N],
    (row, column): (usize, usize),
    columns: &[[f64; 6]; 6],
    factor: f64,
    diagonal: bool,
) {
    for i in 0..6 {
        let entries = &mut matrix[row + i][column..][..6];
        for (j, entry) in entries.iter_mut().enumerate() {
            let one = if diagonal && i == j { 1.0 } else { 0.0 };
            *entry = one + factor * columns[j][i];
        }
    }
}
