//! Many bodies: the cost of a step by width, bodies, steps and threads; memory.

use std::hint::black_box;
use std::time::Instant;

use polhode::ensemble::{BodySamples, Ensemble, FreeEnsemble, Member, Width};
use polhode::torque::KeyValues;
use polhode::{Inertia, Plan, State, Torque};
use polhode_testkit::bodies::Rng;

use crate::Failure;
use crate::bodies::{FreeBody, GENERIC, WATER};
use crate::effort::Effort;
use crate::report::Report;
use crate::rotors::{Rk4, stepping_for};
use crate::timing::{Entrant, race};

/// Bodies that turn like this one, each a little differently; own moments of inertia if asked for.
pub(crate) fn crowd(like: &FreeBody, count: usize, own: bool) -> Result<Vec<Member>, Failure> {
    let mut rng = Rng::new(1);
    let shared = Inertia::principal_unphysical(like.moments)?;
    let mut bodies = Vec::with_capacity(count);
    for _ in 0..count {
        let m = like.momentum.map(|m| m + rng.uniform(-0.01, 0.01));
        let inertia = if own {
            Inertia::principal_unphysical(like.moments.map(|i| i * rng.uniform(0.99, 1.01)))?
        } else {
            shared
        };
        bodies.push(Member { inertia, start: State::aligned(m)? });
    }
    Ok(bodies)
}

/// Runs them; true if all came through.
fn runs(ensemble: &Ensemble, bodies: &[Member], h: f64, steps: u64) -> bool {
    let mut sink = |samples: &BodySamples<'_>| {
        black_box(samples.state(0));
        Ok(())
    };
    let plan = Plan { step: h, steps };
    let bodies = bodies.iter().copied();
    let summary = ensemble.run(bodies, &plan, u64::MAX, &mut sink);
    summary.is_ok_and(|summary| summary.failed == 0)
}

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    widths(effort, report)?;
    threads(effort, report)?;
    scaling(effort, report)?;
    uses(effort, report)
}

/// All cores: what ensembles are used for, each body with moments of its own.
fn uses(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    const COUNT: u32 = 10_000;
    let bodies = crowd(&GENERIC, COUNT as usize, true)?;
    let bodies = &bodies;
    let mut entrants = Vec::new();
    for (method, kind) in [
        ("exact", "none"),
        ("strang+exact", "heavy-top"),
        ("strang+exact", "gravity-gradient"),
        ("rkn6-14+exact", "gravity-gradient"),
    ] {
        const STEPS: u32 = 200;
        let values = match kind {
            "gravity-gradient" => KeyValues::from([("rate".to_owned(), 0.1.into())]),
            _ => KeyValues::default(),
        };
        let torque = Torque::build(kind, &values)?;
        let ensemble = Ensemble::new(method)?.torque(torque);
        entrants.push(Entrant::new(
            format!("ensemble: a step of {method}, {kind}"),
            COUNT * STEPS,
            move || runs(&ensemble, bodies, 0.01, u64::from(STEPS)),
        ));
    }
    for count in [1_u32, 100] {
        let times: Vec<f64> = (0..count).map(|i| 100.0 * f64::from(i + 1)).collect();
        let plural = if count == 1 { "time" } else { "times" };
        let name = format!("ensemble: free motion at one of {count} {plural}");
        entrants.push(Entrant::new(name, COUNT * count, move || {
            let mut sink = |samples: &BodySamples<'_>| {
                black_box(samples.state(0));
                Ok(())
            };
            let summary = FreeEnsemble::new().run(bodies.iter().copied(), &times, &mut sink);
            summary.is_ok_and(|summary| summary.failed == 0)
        }));
    }
    report.times(&race(effort.rounds(10), entrants));
    Ok(())
}

/// One thread, every width that the processor has, against a scalar `rk4` in the same race.
fn widths(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    const COUNT: u32 = 1024;
    // So many that setting up, which is done once for all steps, hardly counts.
    const STEPS: u32 = 200;
    let shared = crowd(&GENERIC, COUNT as usize, false)?;
    let own = crowd(&GENERIC, COUNT as usize, true)?;
    let inertia = Inertia::principal(GENERIC.moments)?;
    let rk4 = Box::new(Rk4::new(&inertia));
    let start = State::aligned(GENERIC.momentum)?;
    // As long a round as those beside it: a short one is slowed by what they leave in the caches.
    let mut entrants = vec![stepping_for(20_000, "rk4 beside batches".into(), rk4, start, 0.01)];
    let mut enter = |name: String, method, width, bodies| -> Result<(), Failure> {
        let ensemble = Ensemble::new(method)?.width(width).threads(1);
        entrants.push(Entrant::new(name, COUNT * STEPS, move || {
            runs(&ensemble, bodies, 0.01, u64::from(STEPS))
        }));
        Ok(())
    };
    let widths = Width::available();
    for &width in &widths {
        enter(format!("batch{}", width.lanes()), "exact", width, &shared)?;
    }
    let widest = *widths.last().ok_or("no lanes at all")?;
    enter("batch-own".into(), "exact", widest, &own)?;
    enter("batch-dmv10".into(), "dmv:order=10", widest, &shared)?;
    enter("batch-three-rotations".into(), "three-rotations", widest, &shared)?;
    report.times(&race(effort.rounds(120), entrants));
    for width in widths {
        let name = format!("batch{}", width.lanes());
        report.ratio(format!("{name}/rk4@0.01"), &name, "rk4 beside batches");
        if width == widest {
            report.ratio("batch/rk4@0.01", &name, "rk4 beside batches");
        }
    }
    for name in ["batch-own", "batch-dmv10", "batch-three-rotations"] {
        report.ratio(format!("{name}/rk4@0.01"), name, "rk4 beside batches");
    }
    Ok(())
}

/// Two threads against one, each at its best: how much more is done.
fn threads(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    const COUNT: u32 = 1 << 14;
    const STEPS: u32 = 40;
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        report.skipped.push("threads2/threads1: there is only one core".into());
        return Ok(());
    }
    let bodies = crowd(&GENERIC, COUNT as usize, false)?;
    let bodies = &bodies;
    let mut entrants = Vec::new();
    for threads in [1, 2] {
        let ensemble = Ensemble::new("exact")?.threads(threads);
        entrants.push(Entrant::new(format!("threads{threads}"), COUNT * STEPS, move || {
            runs(&ensemble, bodies, 0.01, u64::from(STEPS))
        }));
    }
    report.times(&race(effort.size(5, 60, 60), entrants));
    report.ratio("threads2/threads1", "threads1", "threads2");
    Ok(())
}

/// All cores: what a step of one body costs in ensembles of many sizes and in runs of many lengths.
fn scaling(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let work = effort.size(1e6, 4e6, 4e6);
    let ensemble = Ensemble::new("exact")?;
    let mut enter = |name: String, count: usize, steps: u64| -> Result<(), Failure> {
        let bodies = crowd(&GENERIC, count, false)?;
        let units = u32::try_from(count as u64 * steps)?;
        let entrant = Entrant::new(name, units, || runs(&ensemble, &bodies, 0.01, steps));
        report.times(&race(5, vec![entrant]));
        Ok(())
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    for exponent in 2..=6_u32 {
        let count = 10_usize.pow(exponent);
        let steps = (work / count as f64).max(1.0) as u64;
        enter(format!("bodies 1e{exponent} x {steps} steps"), count, steps)?;
    }
    for exponent in 0..=4_u32 {
        enter(format!("steps 1e{exponent} of 1000 bodies"), 1000, 10_u64.pow(exponent))?;
    }
    Ok(())
}

/// Figure 1 of Vilmart: a thousand water molecules through a million steps. All steps are alike, so
/// short rounds tell the rate; with `--full` the whole is run, on all cores.
pub(crate) fn figure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    const COUNT: u32 = 1000;
    const STEPS: u32 = 1000;
    let bodies = crowd(&WATER, COUNT as usize, false)?;
    let key = |method: &str, cores| {
        let name = method.split(':').next().unwrap_or(method);
        format!("figure 1: {name}, steps per second, {cores}")
    };
    for method in ["exact", "dmv:order=10"] {
        for (cores, threads) in [("one core", 1), ("all cores", 0)] {
            let ensemble = Ensemble::new(method)?.threads(threads);
            let entrant = Entrant::new(key(method, cores), COUNT * STEPS, || {
                runs(&ensemble, &bodies, WATER.step, u64::from(STEPS))
            });
            for (name, time) in race(effort.rounds(40), vec![entrant]) {
                let time = time.ok_or("a body of figure 1 failed")?;
                report.quantities.insert(name, 1e9 / time);
            }
        }
        if effort == Effort::Full {
            let begin = Instant::now();
            if !runs(&Ensemble::new(method)?, &bodies, WATER.step, 1_000_000) {
                return Err("a body of figure 1 failed".into());
            }
            let seconds = begin.elapsed().as_secs_f64();
            report.quantities.insert(key(method, "the whole figure"), 1e9 / seconds);
        }
    }
    Ok(())
}
