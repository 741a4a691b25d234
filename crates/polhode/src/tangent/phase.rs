//! The phase of a free motion: S, its cosines C1 and C3, and how they change with A1 and A3 (see `momentum`).

use polhode_number::Number;

/// How A1, A3 and d = A1 - A3 change. The last is given, for next to the separatrix the difference has no digits.
#[derive(Clone, Copy)]
pub(crate) struct CoefficientChange<N> {
    pub(crate) a1: N,
    pub(crate) a3: N,
    pub(crate) d: N,
}

/// How S and its cosines change: `along` is a shift of time, which moves all three along their own motion,
/// and the rest is what is left.
#[derive(Clone, Copy)]
pub(crate) struct PhaseChange<N> {
    pub(crate) along: N,
    /// None for a small phase: its change is a shift of time, and the cosines' own.
    pub(crate) s: Option<N>,
    pub(crate) c1: N,
    pub(crate) c3: N,
}

/// S, its cosines, and how they change.
#[derive(Clone, Copy)]
pub(crate) struct Phase<N> {
    pub(crate) h: N,
    pub(crate) s: N,
    pub(crate) c1: N,
    pub(crate) c3: N,
    /// 1 - C1 and 1 - C3 with all their digits.
    pub(crate) x1: N,
    pub(crate) x3: N,
    /// The integral of S² from 0 to h.
    pub(crate) y: N,
    pub(crate) slopes: Slopes<N>,
}

/// The derivatives of the phase, in one of two forms.
#[derive(Clone, Copy)]
pub(crate) enum Slopes<N> {
    /// Of a small phase, A h² below 0.1 or so: half the integrals of S²/C1² and S²/C3², and half of S²/C1 and
    /// S²/C3. No division by A.
    Small { x1: N, x3: N, c1: N, c3: N },
    /// Of any other, in P = max(A1, A3) and delta = |d|: written with A1 and A3 the same formula subtracts two
    /// terms of size P/delta next to the separatrix.
    Whole {
        /// Where P is A1, whose cosine is then the cn; else it is A3.
        minor: bool,
        /// 1/(2 P), and delta/P.
        per_p: N,
        complement: N,
        /// Half the integral of (S/C-)² and half of S²/C-, the integral of (C+/C-)²: C+ is the cosine of P,
        /// C- the other.
        x: N,
        rest: N,
        h: N,
    },
}

impl<N: Number> Phase<N> {
    /// A phase that is not small, from S and its cosines; `minor` says that P is A1. The pair is 1/P and delta/P; `x`
    /// and `along` are the integrals of (S/C-)² and (C+/C-)².
    #[inline(always)]
    pub(crate) fn whole(
        h: N,
        [s, c1, c3]: [N; 3],
        minor: bool,
        [per_p, complement]: [N; 2],
        x: N,
        along: N,
    ) -> Self {
        let (one, half) = (N::splat(1.0), N::splat(0.5));
        let (moving, still) = if minor { (c1, c3) } else { (c3, c1) };
        let sigma = s / still;
        let slopes = Slopes::Whole {
            minor,
            per_p: half * per_p,
            complement,
            x: half * x,
            rest: half * s * sigma,
            h: along,
        };
        Self {
            h,
            s,
            c1,
            c3,
            x1: one - c1,
            x3: one - c3,
            y: (along - moving * sigma) * per_p,
            slopes,
        }
    }

    /// A small phase, from S, C1, C3, 1 - C1, 1 - C3, and the integrals of S²/C1², S²/C3² and S².
    #[inline(always)]
    pub(crate) fn small(h: N, [s, c1, c3, x1, x3]: [N; 5], [of1, of3, y]: [N; 3]) -> Self {
        let half = N::splat(0.5);
        let square = half * s * s;
        let slopes =
            Slopes::Small { x1: half * of1, x3: half * of3, c1: square / c1, c3: square / c3 };
        Self { h, s, c1, c3, x1, x3, y, slopes }
    }

    /// How it changes with A1 and A3.
    #[inline(always)]
    pub(super) fn change(&self, change: CoefficientChange<N>) -> PhaseChange<N> {
        match self.slopes {
            Slopes::Small { x1, x3, c1, c3 } => PhaseChange {
                along: -(x1 * change.a1 + x3 * change.a3),
                s: None,
                c1: -(c1 * change.a1),
                c3: -(c3 * change.a3),
            },
            Slopes::Whole { minor, per_p, complement, x, rest, h } => {
                let (of_p, of_delta) =
                    if minor { (change.a1, change.d) } else { (change.a3, -change.d) };
                let relative = of_p * per_p;
                let rest = rest * (of_delta - complement * of_p);
                let zero = N::splat(0.0);
                let (c1, c3) = if minor { (zero, rest) } else { (rest, zero) };
                let s = Some(-(self.s * relative));
                PhaseChange { along: h * relative + x * of_delta, s, c1, c3 }
            }
        }
    }
}
