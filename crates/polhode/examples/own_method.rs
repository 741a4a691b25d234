//! A splitting with coefficients of one's own: does it have the order it should have?
//!
//! `cargo run -p polhode --example own_method`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::composition::{Scheme, Stage};
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Kick, drift, kick, drift, kick: second order, with the coefficient of McLachlan (1995).
    let l = 0.193_183_327_503_783_6;
    let stages = [
        Stage::Kick(l),
        Stage::Drift(0.5),
        Stage::Kick(1.0 - 2.0 * l),
        Stage::Drift(0.5),
        Stage::Kick(l),
    ];
    let method = Method::splitting(Scheme::new("mine", 2, stages)?, "exact")?;

    let inertia = Inertia::principal([1.0, 5.0, 6.0])?;
    let weight = HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])?;
    let top = Problem::new(inertia, State::aligned([10.0, 50.0, 60.0])?).torque(weight);
    let truth = top.solve(2.0, 1e-12)?.end().1;

    let mut errors = Vec::new();
    for step in [0.04, 0.02, 0.01, 0.005] {
        let end = top.simulate(method.clone(), step, 2.0)?;
        let end = end.last().ok_or("there is a last step")?.state;
        let error = end.m.distance(truth.m) / truth.m.length();
        println!("step {step}: error {error:.2e}");
        errors.push(error);
    }
    let order = (errors[2] / errors[3]).log2();
    println!("order {order:.2}");
    assert!((order - 2.0).abs() < 0.05);
    Ok(())
}
