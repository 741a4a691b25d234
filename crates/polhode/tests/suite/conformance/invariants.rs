//! What methods keep of a free body's motion.

use polhode::State;

use super::{Claims, after, free, methods};

/// What is kept, over a hundred steps of a tenth, is kept to rounding; what is not shows in ten long
/// ones.
const SHORT: (f64, u32) = (0.1, 100);
const LONG: (f64, u32) = (0.5, 10);
const KEPT: f64 = 2e-13;
const LOST: f64 = 1e-9;

#[test]
fn invariants_are_kept_where_claimed_and_lost_where_not() {
    let problem = free();
    let mut claims = Claims::default();
    for (spec, method) in methods() {
        let changes = |(h, steps): (f64, u32)| {
            let (start, end) = (problem.start(), after(&method, &problem, h, steps));
            let energy = |s: &State| s.kinetic_energy(problem.inertia());
            [
                (end.m.length() - start.m.length()).abs(),
                (energy(&end) - energy(&start)).abs(),
                (end.spatial_momentum() - start.spatial_momentum()).length(),
            ]
        };
        let (short, long) = (changes(SHORT), changes(LONG));
        let keeps = method.keeps();
        for (i, what, claimed) in [
            (0, "length of the momentum", keeps.momentum_norm),
            (1, "energy", keeps.energy),
            (2, "momentum in space", keeps.spatial_momentum),
        ] {
            let defect = if claimed { short[i] } else { long[i] };
            claims.see(&spec, what, claimed, KEPT, defect);
        }
    }
    claims.check(LOST);
}
