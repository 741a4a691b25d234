//! A formula as a list of operations on a stack, evaluated over any number without asking for memory.

use polhode_number::{Number, Smooth};

/// So many numbers wait at most.
pub(super) const STACK: usize = 24;

/// Powers up to this are products.
const LARGEST_PRODUCT: f64 = 64.0;

/// One operation: takes its arguments from the top of the stack and puts its result there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    /// A number that has a name: its place among those that do.
    Named(usize, f64),
    Variable(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    /// A power whose exponent is a whole number.
    Whole(i32),
    Sqrt,
    Abs,
    Sign,
    Min,
    Max,
    Of(Elementary),
    Arc,
    /// A product with this number.
    Scale(f64),
}

/// The names of all functions.
pub const FUNCTIONS: &[&str] = &[
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "ln", "sqrt", "abs",
    "sign", "min", "max", "deg", "rad",
];

/// The function of that name, and how many arguments it takes.
pub(super) fn function(name: &str) -> Option<(Op, usize)> {
    Some(match name {
        "sin" => (Op::Of(Elementary::Sin), 1),
        "cos" => (Op::Of(Elementary::Cos), 1),
        "tan" => (Op::Of(Elementary::Tan), 1),
        "asin" => (Op::Of(Elementary::Asin), 1),
        "acos" => (Op::Of(Elementary::Acos), 1),
        "atan" => (Op::Of(Elementary::Atan), 1),
        "exp" => (Op::Of(Elementary::Exp), 1),
        "log" | "ln" => (Op::Of(Elementary::Log), 1),
        "sqrt" => (Op::Sqrt, 1),
        "abs" => (Op::Abs, 1),
        "sign" => (Op::Sign, 1),
        "atan2" => (Op::Arc, 2),
        "deg" => (Op::Scale(180.0 / core::f64::consts::PI), 1),
        "rad" => (Op::Scale(core::f64::consts::PI / 180.0), 1),
        "min" => (Op::Min, 2),
        "max" => (Op::Max, 2),
        _ => return None,
    })
}

/// Functions of one number that come from `libm`, so that they have the same bits everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Elementary {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Exp,
    Log,
}

impl Smooth<1> for Elementary {
    fn value(self, [x]: [f64; 1]) -> f64 {
        match self {
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Asin => libm::asin(x),
            Self::Acos => libm::acos(x),
            Self::Atan => libm::atan(x),
            Self::Exp => libm::exp(x),
            Self::Log => libm::log(x),
        }
    }

    #[inline(always)]
    fn slopes<N: Number>(self, [x]: [N; 1]) -> [N; 1] {
        let one = N::splat(1.0);
        [match self {
            Self::Sin => N::smooth([x], Self::Cos),
            Self::Cos => -N::smooth([x], Self::Sin),
            Self::Tan => {
                let tan = N::smooth([x], Self::Tan);
                one + tan * tan
            }
            Self::Asin => one / ((one - x) * (one + x)).sqrt(),
            Self::Acos => -one / ((one - x) * (one + x)).sqrt(),
            Self::Atan => one / (one + x * x),
            Self::Exp => N::smooth([x], Self::Exp),
            Self::Log => one / x,
        }]
    }
}

/// x^y.
#[derive(Clone, Copy)]
struct PowerFunction;

impl Smooth<2> for PowerFunction {
    fn value(self, [x, y]: [f64; 2]) -> f64 {
        libm::pow(x, y)
    }

    #[inline(always)]
    fn slopes<N: Number>(self, [x, y]: [N; 2]) -> [N; 2] {
        let log = N::smooth([x], Elementary::Log);
        [y * N::smooth([x, y - N::splat(1.0)], Self), N::smooth([x, y], Self) * log]
    }
}

/// The angle of the point (x, y), arguments in the order (y, x).
#[derive(Clone, Copy)]
struct AngleOfPoint;

impl Smooth<2> for AngleOfPoint {
    fn value(self, [y, x]: [f64; 2]) -> f64 {
        libm::atan2(y, x)
    }

    #[inline(always)]
    fn slopes<N: Number>(self, [y, x]: [N; 2]) -> [N; 2] {
        let square = x * x + y * y;
        [x / square, -(y / square)]
    }
}

/// Operations, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Program {
    code: Vec<Op>,
    /// How many numbers are on the stack at the end.
    height: usize,
}

impl Program {
    /// Adds an operation; says how many numbers are on the stack then. What has constants alone as its arguments
    /// is computed here, once.
    pub(super) fn push(&mut self, op: Op) -> usize {
        let arguments = op.arguments();
        let constants = self.code.iter().rev().take(arguments);
        let whole = match self.code.last() {
            Some(Op::Number(n) | Op::Named(_, n)) if op == Op::Power => whole(*n),
            _ => None,
        };
        if arguments > 0 && constants.filter(|op| matches!(op, Op::Number(_))).count() == arguments
        {
            let from = self.code.len() - arguments;
            let part = Self { code: self.code.drain(from..).chain([op]).collect(), height: 1 };
            self.code.push(Op::Number(part.run(&[], |_, x| x)));
        } else if let Some(n) = whole {
            self.code.pop();
            self.code.push(Op::Whole(n));
        } else {
            self.code.push(op);
        }
        self.height = self.height + 1 - arguments;
        self.height
    }

    /// Its value, if it is the same always.
    pub(super) fn constant(&self) -> Option<f64> {
        match self.code[..] {
            [Op::Number(x)] => Some(x),
            _ => None,
        }
    }

    /// The variables it reads.
    pub(super) fn variables(&self) -> impl Iterator<Item = usize> {
        self.code.iter().filter_map(|op| match op {
            Op::Variable(index) => Some(*index),
            _ => None,
        })
    }

    /// Whether something in it jumps or bends somewhere: `sign`, `abs`, `min`, `max`, an angle that comes round,
    /// and what is vertical at the end of its range, a root or an inverse sine.
    pub(super) fn is_rough(&self) -> bool {
        let mut stack: Vec<StackNumber> = Vec::new();
        for op in &self.code {
            let arguments = stack.split_off(stack.len().saturating_sub(op.arguments()));
            if op.is_rough(&arguments) {
                return true;
            }
            stack.push(StackNumber {
                varies: matches!(op, Op::Variable(_)) || arguments.iter().any(|a| a.varies),
                has_poles: op.has_poles(&arguments) || arguments.iter().any(|a| a.has_poles),
            });
        }
        false
    }

    /// The value of the formula, given its variables and what its named constants are.
    #[inline(always)]
    pub(super) fn run<N: Number>(&self, variables: &[N], named: impl Fn(usize, f64) -> N) -> N {
        let (zero, one) = (N::splat(0.0), N::splat(1.0));
        let mut stack = [zero; STACK];
        // One past the number on top.
        let mut top = 0;
        for op in &self.code {
            let arguments = op.arguments();
            top -= arguments;
            // Of operations with fewer arguments the second is not looked at.
            let (a, b) = (stack[top], stack[(top + 1).min(STACK - 1)]);
            stack[top] = match *op {
                Op::Number(x) => N::splat(x),
                Op::Named(place, x) => named(place, x),
                Op::Variable(index) => variables[index],
                Op::Negate => -a,
                Op::Add => a + b,
                Op::Subtract => a - b,
                Op::Multiply => a * b,
                Op::Divide => a / b,
                Op::Power => N::smooth([a, b], PowerFunction),
                Op::Whole(n) => {
                    let power = positive_power(a, n.unsigned_abs());
                    if n < 0 { one / power } else { power }
                }
                Op::Sqrt => a.sqrt(),
                Op::Abs => a.abs(),
                Op::Sign => N::select(zero.less(a), one, N::select(a.less(zero), -one, zero)),
                Op::Min => N::select(b.less(a), b, a),
                Op::Max => N::select(a.less(b), b, a),
                Op::Of(function) => N::smooth([a], function),
                Op::Arc => N::smooth([a, b], AngleOfPoint),
                Op::Scale(factor) => a * N::splat(factor),
            };
            top += 1;
        }
        stack[0]
    }
}

/// What is known of a number on the stack.
#[derive(Clone, Copy)]
struct StackNumber {
    /// It changes with time or state.
    varies: bool,
    /// It may pass from one infinity to the other.
    has_poles: bool,
}

impl Op {
    /// Whether it jumps or bends where its arguments may come.
    fn is_rough(&self, arguments: &[StackNumber]) -> bool {
        match self {
            Self::Abs
            | Self::Sign
            | Self::Min
            | Self::Max
            | Self::Arc
            | Self::Sqrt
            | Self::Power
            | Self::Of(Elementary::Asin | Elementary::Acos) => arguments.iter().any(|a| a.varies),
            // Where its argument passes through infinity it jumps by pi.
            Self::Of(Elementary::Atan) => arguments.iter().any(|a| a.has_poles),
            _ => false,
        }
    }

    /// Whether it makes poles of its arguments.
    fn has_poles(&self, arguments: &[StackNumber]) -> bool {
        match self {
            Self::Divide | Self::Of(Elementary::Tan) => arguments.last().is_some_and(|a| a.varies),
            Self::Whole(n) => *n < 0,
            _ => false,
        }
    }

    fn arguments(&self) -> usize {
        match self {
            Self::Number(_) | Self::Named(..) | Self::Variable(_) => 0,
            Self::Negate
            | Self::Whole(_)
            | Self::Sqrt
            | Self::Abs
            | Self::Sign
            | Self::Of(_)
            | Self::Scale(_) => 1,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Power
            | Self::Min
            | Self::Max
            | Self::Arc => 2,
        }
    }
}

/// The exponent as a whole number, if powers are products for it.
fn whole(n: f64) -> Option<i32> {
    let small = n.fract() == 0.0 && n.abs() <= LARGEST_PRODUCT;
    #[allow(clippy::cast_possible_truncation, reason = "whole, and small")]
    small.then_some(n as i32)
}

/// x^n by squaring.
#[inline(always)]
fn positive_power<N: Number>(x: N, mut n: u32) -> N {
    let (mut power, mut square) = (N::splat(1.0), x);
    while n > 0 {
        if n & 1 == 1 {
            power = power * square;
        }
        square = square * square;
        n >>= 1;
    }
    power
}
