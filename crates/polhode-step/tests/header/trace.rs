//! A number that writes down what is done with it: the formula, run once over such numbers, is the body of a C
//! function.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

use polhode_step::Arithmetic;

/// An operation and the numbers of its operands.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Input(String),
    Constant(u64),
    Binary(char, usize, usize),
    Negative(usize),
    Root(usize),
    Less(usize, usize),
    Select(usize, usize, usize),
}

thread_local! {
    static TAPE: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// The same operation of the same numbers is written once.
fn record(node: Node) -> usize {
    TAPE.with_borrow_mut(|tape| {
        tape.iter().position(|known| *known == node).unwrap_or_else(|| {
            tape.push(node);
            tape.len() - 1
        })
    })
}

/// A number on the tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace(usize);

/// A truth value on the tape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TraceMask(usize);

macro_rules! binary {
    ($trait:ident, $method:ident, $sign:literal) => {
        impl $trait for Trace {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self(record(Node::Binary($sign, self.0, other.0)))
            }
        }
    };
}
binary!(Add, add, '+');
binary!(Sub, sub, '-');
binary!(Mul, mul, '*');
binary!(Div, div, '/');

impl Neg for Trace {
    type Output = Self;
    fn neg(self) -> Self {
        Self(record(Node::Negative(self.0)))
    }
}

impl BitAnd for TraceMask {
    type Output = Self;
    fn bitand(self, _: Self) -> Self {
        unreachable!("the formula of a short step has no such choice")
    }
}

impl BitOr for TraceMask {
    type Output = Self;
    fn bitor(self, _: Self) -> Self {
        unreachable!("the formula of a short step has no such choice")
    }
}

impl Arithmetic for Trace {
    type Mask = TraceMask;

    fn splat(x: f64) -> Self {
        Self(record(Node::Constant(x.to_bits())))
    }
    fn sqrt(self) -> Self {
        Self(record(Node::Root(self.0)))
    }
    fn less(self, other: Self) -> TraceMask {
        TraceMask(record(Node::Less(self.0, other.0)))
    }
    fn select(mask: TraceMask, yes: Self, no: Self) -> Self {
        Self(record(Node::Select(mask.0, yes.0, no.0)))
    }
}

impl Trace {
    pub(crate) fn input(name: &str) -> Self {
        Self(record(Node::Input(name.to_owned())))
    }

    pub(crate) fn inputs<const N: usize>(name: &str) -> [Self; N] {
        core::array::from_fn(|i| Self::input(&format!("{name}[{i}]")))
    }
}

/// The statements of a function that assigns to each name what was computed for it. Multiplications by one, which
/// are exact, and what nobody needs are left out.
pub(crate) fn statements(outputs: &[(String, Trace)]) -> String {
    let tape = TAPE.take();
    let one = Node::Constant(1.0_f64.to_bits());
    let mut same: Vec<usize> = (0..tape.len()).collect();
    for (i, node) in tape.iter().enumerate() {
        if let Node::Binary('*', a, b) = *node {
            if tape[same[b]] == one {
                same[i] = same[a];
            } else if tape[same[a]] == one {
                same[i] = same[b];
            }
        }
    }
    let operands = |node: &Node| match *node {
        Node::Input(_) | Node::Constant(_) => vec![],
        Node::Negative(a) | Node::Root(a) => vec![same[a]],
        Node::Binary(_, a, b) | Node::Less(a, b) => vec![same[a], same[b]],
        Node::Select(a, b, c) => vec![same[a], same[b], same[c]],
    };
    let mut needed = vec![false; tape.len()];
    for (_, Trace(i)) in outputs {
        needed[same[*i]] = true;
    }
    for i in (0..tape.len()).rev() {
        if needed[i] {
            for j in operands(&tape[i]) {
                needed[j] = true;
            }
        }
    }
    let name = |i: usize| match &tape[same[i]] {
        Node::Input(name) => name.clone(),
        Node::Constant(bits) => constant(f64::from_bits(*bits)),
        _ => format!("t{}", same[i]),
    };
    let mut text = String::new();
    for (i, node) in tape.iter().enumerate().filter(|(i, _)| needed[*i] && same[*i] == *i) {
        let value = match node {
            Node::Input(_) | Node::Constant(_) => continue,
            Node::Binary(sign, a, b) => format!("{} {sign} {}", name(*a), name(*b)),
            Node::Negative(a) => format!("-{}", name(*a)),
            Node::Root(a) => format!("sqrt({})", name(*a)),
            Node::Less(a, b) => format!("{} < {}", name(*a), name(*b)),
            Node::Select(mask, a, b) => format!("{} ? {} : {}", name(*mask), name(*a), name(*b)),
        };
        let kind = if matches!(node, Node::Less(..)) { "int" } else { "double" };
        writeln!(text, "    const {kind} t{i} = {value};").expect("a string takes everything");
    }
    for (output, value) in outputs {
        writeln!(text, "    {output} = {};", name(value.0)).expect("a string takes everything");
    }
    text
}

/// A constant as C reads it: with all its digits, and in brackets if it is negative.
fn constant(x: f64) -> String {
    if x < 0.0 { format!("({x:?})") } else { format!("{x:?}") }
}
