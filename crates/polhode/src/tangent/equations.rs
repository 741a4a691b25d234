//! The equations of motion with their derivatives, and steps of them by Dormand and Prince.

use polhode_number::vector::{add, cross, turned_by};
use polhode_number::{Splat, fast_two_sum};

use super::run::Variables;
use super::variation::Variation;
use crate::solve::dop853_coefficients as table;
use crate::torque::Body;
use crate::{InertiaOver, Point, Problem};

/// The numbers of a pass: momentum and quaternion, each with its six derivatives.
pub(super) const NUMBERS: usize = 49;

/// The equations of motion of all passes.
pub(super) struct Equations<'a> {
    pub(super) problem: &'a Problem,
    variables: &'a [Variables],
    constant: InertiaOver<Variation>,
    varying: InertiaOver<Variation>,
    /// The size of what is varied, for each number of a pass; one for its values.
    units: Vec<[f64; 7]>,
}

pub(super) fn pack(at: &Point<Variation>, into: &mut [f64]) {
    for (x, numbers) in at.m.iter().chain(&at.q).zip(into.chunks_exact_mut(7)) {
        numbers[0] = x.value();
        numbers[1..].copy_from_slice(&x.0.slopes);
    }
}

pub(super) fn unpack(from: &[f64]) -> Point<Variation> {
    let number = |i: usize| {
        let mut x = Variation::constant(from[7 * i]);
        x.0.slopes.copy_from_slice(&from[7 * i + 1..7 * i + 7]);
        x
    };
    Point { m: [0, 1, 2].map(number), q: [3, 4, 5, 6].map(number) }
}

impl<'a> Equations<'a> {
    pub(super) fn new(problem: &'a Problem, variables: &'a [Variables]) -> Self {
        let over = InertiaOver::new(problem.inertia());
        let units = variables.iter().map(|variables| variables.units(problem)).collect();
        let (constant, varying) = (over.map(&mut Splat), over.varying());
        Self { problem, variables, constant, varying, units }
    }

    pub(super) fn slope(&self, t: f64, y: &[f64], into: &mut [f64]) {
        let t = Variation::constant(t);
        let lanes = core::slice::from_ref(self.problem.inertia());
        let pairs = y.chunks_exact(NUMBERS).zip(into.chunks_exact_mut(NUMBERS));
        for (variables, (y, into)) in self.variables.iter().zip(pairs) {
            let inertia = variables.inertia(&self.constant, &self.varying);
            let mut body = Body::new(inertia, lanes);
            body.first_parameter = variables.first_parameter();
            let at = unpack(y);
            let omega = inertia.omega(at.m);
            let mut m = cross(at.m, omega);
            if !self.problem.torques().is_none() {
                m = add(m, self.problem.torques().torque(&body, t, &at));
            }
            pack(&Point { m, q: turned_by(at.q, omega) }, into);
        }
    }
}

/// Dop853 at work: stages, and where they are evaluated.
pub(super) struct Dop853Stages<'a> {
    pub(super) equations: &'a Equations<'a>,
    pub(super) stages: Vec<Vec<f64>>,
    point: Vec<f64>,
    pub(super) next: Vec<f64>,
    /// What adding steps has dropped, before this one and with it.
    rest: Vec<f64>,
    next_rest: Vec<f64>,
    fifth: Vec<f64>,
    third: Vec<f64>,
    zero: Vec<f64>,
}

/// Adds `h (a k + b k' + ..)`.
fn combine(y: &[f64], h: f64, k: &[Vec<f64>], terms: &[(usize, f64)], into: &mut [f64]) {
    for (i, x) in into.iter_mut().enumerate() {
        let slope = terms.iter().fold(0.0, |sum, &(stage, weight)| sum + weight * k[stage][i]);
        *x = y[i] + h * slope;
    }
}

impl<'a> Dop853Stages<'a> {
    pub(super) fn new(equations: &'a Equations<'a>) -> Self {
        let size = NUMBERS * equations.variables.len();
        let zero = vec![0.0; size];
        Self {
            equations,
            stages: vec![zero.clone(); 12],
            point: zero.clone(),
            next: zero.clone(),
            rest: zero.clone(),
            next_rest: zero.clone(),
            fifth: zero.clone(),
            third: zero.clone(),
            zero,
        }
    }

    /// The step from y, with its slope in stage 0 already; the result is in `next`.
    pub(super) fn attempt(&mut self, t: f64, h: f64, y: &[f64]) {
        for (stage, terms) in table::STAGES.iter().enumerate() {
            combine(y, h, &self.stages, terms, &mut self.point);
            let at = t + table::TIMES[stage + 1] * h;
            self.equations.slope(at, &self.point, &mut self.stages[stage + 1]);
        }
        combine(&self.rest, h, &self.stages, &table::RESULT, &mut self.next_rest);
        for (i, rest) in self.next_rest.iter_mut().enumerate() {
            (self.next[i], *rest) = fast_two_sum(y[i], *rest);
        }
    }

    /// The next step begins where this one ended.
    pub(super) fn accept(&mut self, y: &mut [f64]) {
        y.copy_from_slice(&self.next);
        self.rest.copy_from_slice(&self.next_rest);
    }

    /// The error of the step over what it may be: of momentum and quaternion of every column, relative to it.
    /// A column that is nothing but rounding is measured by the others, brought to common units by the size
    /// of what is varied.
    pub(super) fn ratio(&mut self, h: f64, y: &[f64], tolerance: f64) -> f64 {
        let k = &self.stages;
        combine(&self.zero, h, k, &table::ERROR_FIFTH, &mut self.fifth);
        combine(&self.zero, h, k, &table::ERROR_THIRD, &mut self.third);
        let passes = self.equations.units.iter().enumerate();
        let ratios = passes.map(|(pass, units)| {
            let of = |numbers: &[f64], column: usize, part: StateHalf| {
                part.norm(&numbers[NUMBERS * pass..NUMBERS * (pass + 1)], column)
            };
            let size = |column: usize, part: StateHalf| {
                of(y, column, part).max(of(&self.next, column, part))
            };
            let momentum = size(0, StateHalf::Momentum);
            let unit = |column: usize, part: StateHalf| match part {
                StateHalf::Momentum => units[column] / momentum,
                StateHalf::Attitude => units[column],
            };
            let all = || (0..7).flat_map(|column| StateHalf::BOTH.map(|part| (column, part)));
            let scaled = |(column, part)| size(column, part) * unit(column, part);
            let largest = all().filter(|(column, _)| *column > 0).map(scaled);
            let largest = largest.fold(0.0, |a: f64, b| if b <= a { a } else { b });
            let ratio = |(column, part)| {
                let (e5, e3) = (of(&self.fifth, column, part), of(&self.third, column, part));
                if e5 == 0.0 {
                    return 0.0;
                }
                let error = e5 * (e5 / (e5 * e5 + 0.01 * e3 * e3).sqrt());
                let floor = if column == 0 { 1.0 } else { NEGLIGIBLE * largest };
                error * unit(column, part) / (tolerance * scaled((column, part)).max(floor))
            };
            // A maximum would lose a NaN.
            all().map(ratio).fold(0.0, |a: f64, b| if b <= a { a } else { b })
        });
        ratios.fold(0.0, |a: f64, b| if b <= a { a } else { b })
    }
}

/// Below this part of the largest column of its kind a column need not be accurate by itself.
const NEGLIGIBLE: f64 = 1e-4;

/// A half of a state.
#[derive(Clone, Copy)]
pub(super) enum StateHalf {
    Momentum,
    Attitude,
}

impl StateHalf {
    const BOTH: [Self; 2] = [Self::Momentum, Self::Attitude];

    /// The length of this part of a column: 0 are the values, 1 to 6 the derivatives.
    pub(super) fn norm(self, numbers: &[f64], column: usize) -> f64 {
        let range = match self {
            Self::Momentum => 0..3,
            Self::Attitude => 3..7,
        };
        range.map(|i| numbers[7 * i + column]).fold(0.0, |sum, x| sum + x * x).sqrt()
    }
}
