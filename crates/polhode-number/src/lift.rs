//! From numbers of one kind to numbers of another.

use crate::{Dual, Number};

/// Makes numbers of another kind, one after the other.
///
/// Records of numbers (the constants of a body, the parameters of a torque) pass all of theirs through
/// one of these, always in the same order. So one text copies them into every lane, gathers them from
/// memory, or gives them derivatives.
pub trait Lift<From, To> {
    /// The number in its new kind.
    fn lift(&mut self, x: From) -> To;

    /// Three numbers, in order.
    #[inline(always)]
    fn vector(&mut self, [x, y, z]: [From; 3]) -> [To; 3] {
        [self.lift(x), self.lift(y), self.lift(z)]
    }

    /// Nine numbers, column by column.
    #[inline(always)]
    fn matrix(&mut self, [x, y, z]: [[From; 3]; 3]) -> [[To; 3]; 3] {
        [self.vector(x), self.vector(y), self.vector(z)]
    }
}

/// The same double in every lane; of a dual, one that does not depend on the variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Splat;

impl<N: Number> Lift<f64, N> for Splat {
    #[inline(always)]
    fn lift(&mut self, x: f64) -> N {
        N::splat(x)
    }
}

/// Doubles as the variables from that index on, one after the other; those that are no variables are constants.
#[derive(Clone, Copy, Debug)]
pub struct Seed {
    /// The index of the variable that the next number is.
    pub next: isize,
}

impl<N: Number> Lift<f64, N> for Seed {
    #[inline(always)]
    fn lift(&mut self, x: f64) -> N {
        let number = N::seeded(x, self.next);
        self.next += 1;
        number
    }
}

/// A number that does not depend on the variables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Constant;

impl<N: Number, const K: usize> Lift<N, Dual<N, K>> for Constant {
    #[inline(always)]
    fn lift(&mut self, x: N) -> Dual<N, K> {
        Dual::constant(x)
    }
}
