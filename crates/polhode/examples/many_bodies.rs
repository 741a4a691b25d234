//! A hundred thousand bodies that tumble: which part of them has turned over?
//!
//! `cargo run --release -p polhode --example many_bodies`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::ensemble::{Ensemble, FinalStates, Member};
use polhode::{Inertia, Plan, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
    // Spun about the middle axis, each with a slightly larger disturbance than the one before.
    let count = 100_000_u32;
    let bodies = (1..=count).map(|i| {
        let disturbance = 0.2 * f64::from(i) / f64::from(count);
        let start =
            State::from_omega(&inertia, [disturbance, 2.0, 0.0], polhode::glam::DQuat::IDENTITY);
        start.map(|start| Member { inertia, start })
    });
    let bodies = bodies.collect::<Result<Vec<_>, _>>()?;

    // In SIMD lanes on all cores, with the bits that each body would have alone.
    let mut end = FinalStates::default();
    let plan = Plan::until(0.0, 0.05, 5.0)?;
    let summary = Ensemble::new("exact")?.run(bodies.into_iter(), &plan, u64::MAX, &mut end)?;
    let over = end.states.iter().filter(|state| state.m.y < 0.0).count();
    println!("{over} of {} bodies have turned over, {} failed", summary.bodies, summary.failed);
    assert!(over > 0 && over < end.states.len());
    Ok(())
}
