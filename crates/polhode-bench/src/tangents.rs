//! What derivatives cost, in plain results.

use std::hint::black_box;

use polhode::rotor::{Exact, Rotor};
use polhode::{FreeMotion, Inertia, State};

use crate::Failure;
use crate::bodies;
use crate::effort::Effort;
use crate::report::Report;
use crate::timing::{Entrant, race};

const STEPS: u32 = 1000;

/// Steps and evaluations with their derivatives beside plain ones.
pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let inertia = Inertia::principal(bodies::GENERIC.moments)?;
    let start = State::aligned(bodies::GENERIC.momentum)?;
    let exact = Exact::new(&inertia);
    for h in ["0.01", "0.1", "1"] {
        let step: f64 = h.parse()?;
        let plain = Entrant::new(format!("step@{h}"), STEPS, || {
            let (mut rotor, mut state) = (exact, start);
            let done = (0..STEPS).all(|_| rotor.step(black_box(step), &mut state).is_ok());
            black_box(state);
            done
        });
        let tangent = Entrant::new(format!("step-tangent@{h}"), STEPS, || {
            let mut state = start;
            (0..STEPS).all(|_| black_box(&exact.tangent_step(black_box(step), &mut state)).is_ok())
        });
        let moments = Entrant::new(format!("step-moments@{h}"), STEPS, || {
            let mut state = start;
            (0..STEPS)
                .all(|_| black_box(&exact.moment_tangent_step(black_box(step), &mut state)).is_ok())
        });
        let inertia = Entrant::new(format!("step-inertia@{h}"), STEPS, || {
            let mut state = start;
            (0..STEPS).all(|_| {
                black_box(&exact.inertia_tangent_step(black_box(step), &mut state)).is_ok()
            })
        });
        report.times(&race(effort.rounds(400), vec![plain, tangent, moments, inertia]));
        let name = |what: &str| format!("{what}@{h}");
        report.ratio(name("step-tangent/step"), &name("step-tangent"), &name("step"));
        let (of, less, to) = (name("step-moments"), name("step-tangent"), name("step"));
        report.ratio_more(name("step-moments-more/step"), [&of, &less], &to);
        report.ratio(name("step-inertia/step"), &name("step-inertia"), &name("step"));
    }
    let motion = FreeMotion::new(&inertia, start)?;
    let times: Vec<f64> =
        (0..STEPS).map(|i| (f64::from(i) * 0.618_033_988_749_894_9).fract() * 400.0).collect();
    let entrants = vec![
        Entrant::new("plain-at", STEPS, || {
            times.iter().all(|&t| black_box(&motion.at(black_box(t))).is_ok())
        }),
        Entrant::new("tangent-at", STEPS, || {
            times.iter().all(|&t| black_box(&motion.tangent_at(black_box(t))).is_ok())
        }),
        Entrant::new("moments-at", STEPS, || {
            times.iter().all(|&t| black_box(&motion.moment_tangent_at(black_box(t))).is_ok())
        }),
        Entrant::new("tangents-at", STEPS, || {
            black_box(&motion.tangents_at(black_box(&times))).is_ok()
        }),
        Entrant::new("inertia-at", STEPS, || {
            times.iter().all(|&t| black_box(&motion.inertia_tangent_at(black_box(t))).is_ok())
        }),
    ];
    report.times(&race(effort.rounds(400), entrants));
    report.ratio("tangent-at/at", "tangent-at", "plain-at");
    report.ratio_more("moments-at-more/at", ["moments-at", "tangent-at"], "plain-at");
    report.ratio("tangents-at/tangent-at", "tangents-at", "tangent-at");
    report.ratio("inertia-at/at", "inertia-at", "plain-at");
    Ok(())
}
