//! The free motion against an integration of it.

use std::hint::black_box;

use polhode::{FreeMotion, Inertia, State};

use crate::Failure;
use crate::bodies::GENERIC;
use crate::effort::Effort;
use crate::peers::{Body, SOLVERS};
use crate::report::Report;
use crate::timing::{Entrant, race};

const TOLERANCE: f64 = 1e-12;
const CALLS: u32 = 20;

/// `FreeMotion::new` and one `at` against a solution to 1e-12.
pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let inertia = Inertia::principal(GENERIC.moments)?;
    let start = State::aligned(GENERIC.momentum)?;
    let motion = FreeMotion::new(&inertia, start)?;
    let period = motion.period().ok_or("a motion without a period")?;
    let peer = Body::new(inertia.moments(), 0.0, start);
    for (span, t) in [("free-period", period), ("free400", 400.0)] {
        let mut entrants = vec![Entrant::new(span, CALLS, || {
            (0..CALLS).all(|_| {
                let motion = FreeMotion::new(black_box(&inertia), black_box(start));
                motion.and_then(|motion| motion.at(black_box(t))).map(black_box).is_ok()
            })
        })];
        for (name, solver) in SOLVERS {
            let peer = &peer;
            entrants.push(Entrant::new(format!("{span}: {name}"), 1, move || {
                black_box(solver(black_box(peer), t, TOLERANCE)).is_some()
            }));
        }
        report.times(&race(effort.rounds(200), entrants));
        for (name, solver) in SOLVERS {
            report.ratio(format!("{span}/{name}"), span, &format!("{span}: {name}"));
            if let Some(end) = solver(&peer, t, TOLERANCE) {
                let exact = motion.at(t)?;
                let error = (end.m - exact.m).length().max((end.q - exact.q).length());
                report.errors.insert(format!("{span}: {name}"), error);
            }
        }
    }
    Ok(())
}
