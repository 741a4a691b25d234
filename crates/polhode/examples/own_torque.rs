//! A torque of one's own: a motor that holds a spin rate, with friction in the bearings.
//!
//! `cargo run -p polhode --example own_torque`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::glam::DVec3;
use polhode::solve::Event;
use polhode::torque::{Damping, Dependence, Function, Torque};
use polhode::{Inertia, Problem, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let inertia = Inertia::principal([1.0, 1.5, 2.0])?;
    let start = State::aligned([0.02, 0.0, 0.1])?;

    // Body frame; the closure is called with the body, the time and the state.
    let motor = Function::new(Dependence::Momentum, |body: &Inertia, _t, state: &State| {
        let spin = state.omega(body).z;
        DVec3::new(0.0, 0.0, (0.8 * (1.0 - spin)).clamp(-0.4, 0.4))
    });
    let torque = Torque::from(motor.independent_of_time()) + Torque::from(Damping::new([0.05; 3])?);
    let problem = Problem::new(inertia, start).torque(torque);

    // When does it reach nine tenths of the rate?
    let body = inertia;
    let up_to_speed = Event::new(move |_t, state: &State| state.omega(&body).z - 0.9).rising();
    let solution = problem.solver().tolerance(1e-9).event(up_to_speed).until(60.0)?;
    let reached = solution.events()[0].first().ok_or("it never gets there")?;
    println!("nine tenths of the rate at t = {:.6}", reached.t);
    let end = solution.end().1.omega(&inertia);
    println!("after a minute it turns at {end:.6}");
    // Where motor and friction balance: 0.8 (1 - w) = 0.05 w.
    assert!((end.z - 0.8 / 0.85).abs() < 1e-3, "{end}");
    Ok(())
}
