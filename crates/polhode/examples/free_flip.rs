//! A T-handle that flips: when, how often, and where it points after a day.
//!
//! `cargo run -p polhode --example free_flip`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::glam::{DQuat, DVec3};
use polhode::{FreeMotion, Inertia};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Spun about the axis of the middle moment, with a disturbance of a thousandth.
    let inertia = Inertia::principal([3.0, 8.0, 11.0])?;
    let motion = FreeMotion::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY)?;

    let mut t = 0.0;
    for _ in 0..4 {
        let Some(flip) = motion.next_flip(t)? else { break };
        println!("turns over at t = {flip:.4} s");
        t = flip;
    }

    // No steps: a day away costs as much as a second, and is as accurate.
    let state = motion.at(86_400.0)?;
    println!("after a day its stem points to {:.3}", state.q * DVec3::Y);
    let exact = motion.start().spatial_momentum();
    assert!(state.spatial_momentum().distance(exact) < 1e-10 * exact.length());
    Ok(())
}
