//! A heavy top in two ways: to a tolerance, and in fixed steps that keep the energy for ever.
//!
//! `cargo run -p polhode --example heavy_top`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::glam::DVec3;
use polhode::observe::Invariants;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inertia = Inertia::principal([1.0, 5.0, 6.0])?;
    let start = State::aligned([10.0, 50.0, 60.0])?;
    // Weight times distance along the third axis of the body, and what is up in space.
    let weight = HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])?;
    let top = Problem::new(inertia, start).torque(weight);

    // The error wanted at the end; the steps are the solver's, and every time in between can be asked for.
    let solution = top.solve(10.0, 1e-10)?;
    for t in [0.0, 2.5, 5.0, 7.5, 10.0] {
        let tilt = (solution.at(t)?.q * DVec3::Z).z.acos();
        println!("t = {t:>4}: the axis leans by {:.6} degrees", tilt.to_degrees());
    }
    println!(
        "{} steps, {} evaluations",
        solution.statistics().steps,
        solution.statistics().evaluations
    );

    // Fixed steps of a splitting: the error of the energy stays where it is.
    let mut invariants = Invariants::default();
    let end = top.observe("rkn6-14+exact", 0.01, 1000.0, &mut [&mut invariants])?;
    let energy = invariants.energy().ok_or("a step was done")?;
    println!("after {} steps the energy is off by at most {:.1e}", end.step, energy.max_error);
    assert!(energy.max_error < 1e-9 * energy.start);
    Ok(())
}
