//! Formulas: expressions of time and state, read from a text and evaluated over any number.
//!
//! Numbers, names, `+ - * /`, `^` (or `**`) for powers, parentheses, the functions of [`FUNCTIONS`], `pi`, the
//! variables of [`VARIABLES`] and constants that the caller names. `^` binds to the right and more tightly than a
//! minus sign before it: `-2^2` is -4. Angles are in radians.
//!
//! ```
//! use polhode::formula::Formula;
//! let wave = Formula::new("A*sin(2*pi*t) + r33", &[("A".to_owned(), 0.5)].into())?;
//! assert!(wave.depends_on_time());
//!
//! let error = Formula::new("A*sine(t)", &[("A".to_owned(), 0.5)].into()).unwrap_err();
//! assert_eq!(error.column(), 3);
//! assert_eq!(
//!     error.to_string(),
//!     "at column 3: no function 'sine'; did you mean 'sin'?\n    A*sine(t)\n      ^"
//! );
//! # Ok::<(), polhode::formula::FormulaError>(())
//! ```

mod parse;
mod program;
mod scope;

use core::fmt;
use std::collections::BTreeMap;

use polhode_number::vector::Quaternion;
use polhode_number::{KernelPart, Number};

use crate::Point;
use crate::torque::Body;
use program::Program;

pub(crate) use parse::{ParseMistake, ParseResult, Parser};
pub use program::FUNCTIONS;
pub(crate) use scope::{PlainScope, Scope};

/// What a formula may name: time, angular velocity and momentum in the body frame, the attitude (body to space,
/// scalar first), and its matrix, r12 in the first row and second column.
pub const VARIABLES: &[&str] = &[
    "t", "w1", "w2", "w3", "m1", "m2", "m3", "q0", "q1", "q2", "q3", "r11", "r12", "r13", "r21",
    "r22", "r23", "r31", "r32", "r33",
];

/// How many variables there are.
const COUNT: usize = 20;
/// Where each kind of them begins.
const OMEGA: usize = 1;
const MOMENTUM: usize = 4;
const ATTITUDE: usize = 7;
const MATRIX: usize = 11;

/// Numbers that a formula may use by their names.
pub type Constants = BTreeMap<String, f64>;

/// Why a text is no formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    text: String,
    column: usize,
    reason: String,
}

impl FormulaError {
    /// A mistake at a byte of this text.
    fn new(text: &str, (byte, reason): ParseMistake) -> Self {
        let column = text[..byte.min(text.len())].chars().count() + 1;
        Self { text: text.to_owned(), column, reason }
    }

    /// The column of the mistake, from 1, in characters.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong there, and what is allowed.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The formula as given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Of a longer formula only so much is shown, in characters.
const SHOWN: usize = 100;

/// Of these, so many may stand before the mistake.
const BEFORE: usize = 60;

/// The column and the reason; below it the formula, or what is around the mistake, with a caret.
impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, column, reason } = self;
        let long = text.chars().nth(SHOWN).is_some();
        let from = if long { column.saturating_sub(BEFORE) } else { 0 };
        let part = text.chars().skip(from).take(SHOWN);
        // A tab or the end of a line would put the caret elsewhere.
        let line: String = part.map(|c| if c.is_control() { ' ' } else { c }).collect();
        let caret = column - from;
        write!(f, "at column {column}: {reason}\n    {line}\n    {:>caret$}", '^')
    }
}

impl core::error::Error for FormulaError {}

/// An expression of time and state.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    program: Program,
    /// Which variables it reads.
    reads: [bool; COUNT],
    /// The constants that it may name, in their order.
    constants: Vec<(String, f64)>,
}

impl Formula {
    /// The formula of a text, with these constants.
    ///
    /// # Errors
    /// [`FormulaError`] with the place of the mistake.
    pub fn new(text: &str, constants: &Constants) -> Result<Self, FormulaError> {
        Self::of(text, constants, parse::parse(text, constants, &mut PlainScope))
    }

    /// The same with further names; a comparison if that is asked for, which is positive where it holds.
    pub(crate) fn in_scope(
        text: &str,
        comparison: bool,
        scope: &mut dyn Scope,
    ) -> Result<Self, FormulaError> {
        let parse = if comparison { parse::parse_comparison } else { parse::parse };
        let none = Constants::new();
        Self::of(text, &none, parse(text, &none, scope))
    }

    fn of(
        text: &str,
        constants: &Constants,
        program: ParseResult<Program>,
    ) -> Result<Self, FormulaError> {
        let program = program.map_err(|mistake| FormulaError::new(text, mistake))?;
        let mut reads = [false; COUNT];
        program.variables().filter(|index| *index < COUNT).for_each(|index| reads[index] = true);
        let constants = constants.iter().map(|(name, value)| (name.clone(), *value)).collect();
        Ok(Self { text: text.to_owned(), program, reads, constants })
    }

    /// Its value for this state, with the values of the further names; and with this angular velocity, where it is
    /// not that of the momentum.
    pub(crate) fn evaluate_with(
        &self,
        body: &Body<'_, f64>,
        t: f64,
        at: &Point<f64>,
        omega: Option<[f64; 3]>,
        more: impl Iterator<Item = f64>,
    ) -> f64 {
        let mut variables = variables([self], body, t, at).to_vec();
        if let Some(omega) = omega {
            variables[OMEGA..MOMENTUM].copy_from_slice(&omega);
        }
        variables.extend(more);
        self.program.run(&variables, |_, x| x)
    }

    /// The text it was read from, as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The constants that it may name, with their values, in the order of their names.
    pub fn constants(&self) -> &[(String, f64)] {
        &self.constants
    }

    /// Whether it names the time.
    pub fn depends_on_time(&self) -> bool {
        self.reads[0]
    }

    /// Whether it names momentum or angular velocity.
    pub fn depends_on_momentum(&self) -> bool {
        self.reads[OMEGA..ATTITUDE].contains(&true)
    }

    /// Whether it names the attitude or its matrix.
    pub fn depends_on_attitude(&self) -> bool {
        self.reads[ATTITUDE..].contains(&true)
    }

    /// Whether it jumps or bends somewhere, as far as its functions tell: `sign(w1)` and `abs(t - 1)` do,
    /// `sin(t)` does not.
    pub fn is_rough(&self) -> bool {
        self.program.is_rough()
    }

    /// Its value for this body, time and state.
    #[inline(always)]
    pub fn evaluate<N: Number>(&self, body: &Body<'_, N>, t: N, at: &Point<N>) -> N {
        let [value] = evaluate([self], body, t, at);
        value
    }
}

/// The values of several formulas, which share what they read.
#[inline(always)]
pub(crate) fn evaluate<N: Number, const F: usize>(
    formulas: [&Formula; F],
    body: &Body<'_, N>,
    t: N,
    at: &Point<N>,
) -> [N; F] {
    let variables = variables(formulas, body, t, at);
    let mut values = [t; F];
    for (value, formula) in values.iter_mut().zip(formulas) {
        let program = &formula.program;
        *value = N::outline(FormulaEvaluation { program, variables: &variables, body });
    }
    values
}

/// A formula with all that it may read; run out of line, for it is long, and the same in every torque.
struct FormulaEvaluation<'a, N> {
    program: &'a Program,
    variables: &'a [N; COUNT],
    body: &'a Body<'a, N>,
}

impl<N: Number> KernelPart for FormulaEvaluation<'_, N> {
    type Output = N;

    #[inline(always)]
    fn run(self) -> N {
        self.program.run(self.variables, |place, x| self.body.parameter(place, x))
    }
}

/// What some formulas read; the others have no meaning.
#[inline(always)]
fn variables<N: Number, const F: usize>(
    formulas: [&Formula; F],
    body: &Body<'_, N>,
    t: N,
    at: &Point<N>,
) -> [N; COUNT] {
    let mut variables = [t; COUNT];
    if formulas.iter().any(|f| f.depends_on_momentum()) {
        variables[OMEGA..MOMENTUM].copy_from_slice(&body.inertia.omega(at.m));
        variables[MOMENTUM..ATTITUDE].copy_from_slice(&at.m);
    }
    if formulas.iter().any(|f| f.depends_on_attitude()) {
        variables[ATTITUDE..MATRIX].copy_from_slice(&at.q);
        variables[MATRIX..].copy_from_slice(&rows(at.q));
    }
    variables
}

/// The matrix of a quaternion, row by row.
#[inline(always)]
fn rows<N: Number>([w, x, y, z]: Quaternion<N>) -> [N; 9] {
    let twice = |a: N| a + a;
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    [
        (ww + xx) - (yy + zz),
        twice(x * y - w * z),
        twice(x * z + w * y),
        twice(x * y + w * z),
        (ww + yy) - (xx + zz),
        twice(y * z - w * x),
        twice(x * z - w * y),
        twice(y * z + w * x),
        (ww + zz) - (xx + yy),
    ]
}

#[cfg(test)]
mod tests;
