//! The step for engines beside the gyroscopic steps that engines have, all in single precision.

use std::hint::black_box;

use polhode_step::Inertia;
use polhode_testkit::engines::{ENGINE_STEPS, EngineStep};

use crate::Failure;
use crate::effort::Effort;
use crate::report::Report;
use crate::timing::{Entrant, race};

/// Steps of a round: short enough for the explicit one not to explode.
const STEPS: u32 = 400;

/// A body that tumbles at some four radians a second, sixty steps to the second.
const MOMENTS: [f32; 3] = [1.0, 2.0, 2.6];
const OMEGA: [f32; 3] = [1.0, 2.0, 3.0];
const UPRIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
const FRAME: f32 = 1.0 / 60.0;

/// In which it turns by a radian.
const A_RADIAN: f32 = 0.267;

/// What is counted in instructions, too.
pub(crate) const COUNTED: [&str; 8] = [
    "step-f32",
    "step-body-f32",
    "step-f64",
    "step-f32, a radian",
    "step-f64, a radian",
    "step-f32, sphere",
    "step-f64, sphere",
    "step-f32, rest",
];

/// Does steps of one of those.
pub(crate) fn work(name: &str, steps: u32) -> bool {
    let (function, what) = name.split_once(", ").unwrap_or((name, ""));
    let inertia = Inertia::principal(if what == "sphere" { [1.0; 3] } else { MOMENTS });
    let (mut omega, mut q) = (if what == "rest" { [0.0; 3] } else { OMEGA }, UPRIGHT);
    let time = if what == "a radian" { A_RADIAN } else { FRAME };
    match function {
        "step-f32" => {
            for _ in 0..steps {
                polhode_step::step(&inertia, &mut omega, &mut q, black_box(time));
            }
        }
        "step-body-f32" => {
            for _ in 0..steps {
                polhode_step::step_body(&inertia, &mut omega, &mut q, black_box(time));
            }
        }
        "step-f64" => {
            let (mut omega, mut q) = (OMEGA.map(f64::from), UPRIGHT.map(f64::from));
            for _ in 0..steps {
                polhode_step::step(&inertia, &mut omega, &mut q, black_box(f64::from(time)));
            }
            black_box((omega, q));
        }
        _ => return false,
    }
    black_box((omega, q));
    true
}

fn of_engine(step: EngineStep) {
    let (mut omega, mut q) = (OMEGA, UPRIGHT);
    for _ in 0..STEPS {
        step(black_box(MOMENTS), &mut omega, &mut q, black_box(FRAME));
    }
    black_box((omega, q));
}

#[allow(clippy::unnecessary_wraps, reason = "one of several parts, of which others may fail")]
pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let mut entrants: Vec<Entrant> = ENGINE_STEPS
        .into_iter()
        .map(|(name, step)| {
            Entrant::new(format!("engine: {name}"), STEPS, move || {
                of_engine(black_box(step));
                true
            })
        })
        .collect();
    entrants.extend(COUNTED.map(|name| Entrant::new(name, STEPS, move || work(name, STEPS))));
    report.times(&race(effort.rounds(400), entrants));
    for name in COUNTED {
        for (engine, _) in ENGINE_STEPS {
            report.ratio(format!("{name}/{engine}"), name, &format!("engine: {engine}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{COUNTED, work};

    #[test]
    fn all_of_it_can_be_done() {
        assert!(COUNTED.iter().all(|name| work(name, 3)));
        assert!(!work("step", 3));
    }
}
