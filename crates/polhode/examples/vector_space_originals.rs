//! Where Krysl's algorithms come from: trapezoidal and midpoint rule in a vector space, as compositions
//! of forward and backward Euler steps (Krysl, section 2).
//!
//! The problem is p' = f(u, t), u' = M^-1 p with two coordinates, a spring that is not linear and a
//! force that depends on time. Shown, and checked:
//!
//! 1. eq. (4), the trapezoidal rule, is a half step of eq. (2) and then one of eq. (3);
//! 2. eq. (5), the midpoint rule, is the same in the other order: with Δt in its second line. Printed
//!    is Δt/2 (erratum 1 of Krysl), with which it does not converge at all;
//! 3. both have order 2, and they are conjugate: a half step of eq. (2) after n steps of one is n
//!    steps of the other after it;
//! 4. the midpoint rule keeps quadratic invariants, such as the angular momentum in a central force;
//!    the trapezoidal rule keeps them at its midpoints only.
//!
//! Rotations have no such sums: what becomes of all this for them are the methods `fe`, `be`, `trap`,
//! `imid` of this library, and `fem`, `bem`, `trapm`, `imidm` from the integral form, eq. (6).
//!
//! `cargo run -p polhode --example vector_space_originals`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use polhode::glam::{DVec2, DVec4};

const MASS: DVec2 = DVec2::new(1.0, 2.5);

/// A force f(u, t).
type Force = fn(DVec2, f64) -> DVec2;

fn spring(u: DVec2, t: f64) -> DVec2 {
    let stretch = u.length_squared();
    -u * (1.0 + 0.5 * stretch) - DVec2::new(u.y, u.x) * 0.3 + DVec2::new(0.4 * t.cos(), 0.0)
}

/// A spring that pulls towards the centre.
fn central(u: DVec2, _t: f64) -> DVec2 {
    -MASS * u * (1.0 + u.length_squared())
}

/// The angular momentum, which a central spring keeps: a quadratic form.
fn angular_momentum(y: DVec4) -> f64 {
    let (p, u) = split(y);
    MASS.x * u.x * p.y - MASS.y * u.y * p.x
}

fn split(y: DVec4) -> (DVec2, DVec2) {
    (DVec2::new(y.x, y.y), DVec2::new(y.z, y.w))
}

/// (p', u') at a state (p, u).
fn rate(force: Force, y: DVec4, t: f64) -> DVec4 {
    let (p, u) = split(y);
    let (dp, du) = (force(u, t), p / MASS);
    DVec4::new(dp.x, dp.y, du.x, du.y)
}

/// Solves y = g(y): until the updates no longer become smaller.
fn solve(start: DVec4, g: impl Fn(DVec4) -> DVec4) -> DVec4 {
    let (mut y, mut last) = (start, f64::INFINITY);
    loop {
        let next = g(y);
        let change = (next - y).length();
        y = next;
        if change == 0.0 || (change >= last && last < 1e-14) {
            return y;
        }
        last = change;
    }
}

/// Eq. (2).
fn forward_euler(force: Force, y: DVec4, t: f64, h: f64) -> DVec4 {
    y + h * rate(force, y, t)
}

/// Eq. (3).
fn backward_euler(force: Force, y: DVec4, t: f64, h: f64) -> DVec4 {
    solve(y, |end| y + h * rate(force, end, t + h))
}

/// Eq. (4).
fn trapezoid(force: Force, y: DVec4, t: f64, dt: f64) -> DVec4 {
    solve(y, |end| y + 0.5 * dt * (rate(force, y, t) + rate(force, end, t + dt)))
}

/// Eq. (5), where the state in the middle is the mean of both ends; `second_line` is what its second
/// line is multiplied with.
fn midpoint_with(second_line: f64, force: Force, y: DVec4, t: f64, dt: f64) -> DVec4 {
    let factor = DVec4::new(dt, dt, second_line, second_line);
    solve(y, |end| y + factor * rate(force, 0.5 * (y + end), t + 0.5 * dt))
}

/// Eq. (5), corrected.
fn midpoint(force: Force, y: DVec4, t: f64, dt: f64) -> DVec4 {
    midpoint_with(dt, force, y, t, dt)
}

/// Eq. (5), as printed.
fn midpoint_as_printed(force: Force, y: DVec4, t: f64, dt: f64) -> DVec4 {
    midpoint_with(0.5 * dt, force, y, t, dt)
}

type Method = fn(Force, DVec4, f64, f64) -> DVec4;

fn run(method: Method, force: Force, mut y: DVec4, t0: f64, dt: f64, steps: u32) -> DVec4 {
    for n in 0..steps {
        y = method(force, y, t0 + f64::from(n) * dt, dt);
    }
    y
}

fn main() {
    let start = DVec4::new(0.7, -0.4, 0.5, 1.1);
    let (t, dt) = (0.2, 0.3);
    let half = 0.5 * dt;

    let composed = backward_euler(spring, forward_euler(spring, start, t, half), t + half, half);
    let off = (trapezoid(spring, start, t, dt) - composed).length();
    println!("trapezoidal rule - backward Euler after forward Euler: {off:.1e}");
    assert!(off < 1e-15);

    let composed = forward_euler(spring, backward_euler(spring, start, t, half), t + half, half);
    let off = (midpoint(spring, start, t, dt) - composed).length();
    let printed = (midpoint_as_printed(spring, start, t, dt) - composed).length();
    println!("midpoint rule - forward Euler after backward Euler:    {off:.1e}");
    println!("the same with eq. (5) as printed:                      {printed:.1e}");
    assert!(off < 1e-15 && printed > 1e-2);

    println!("\nerrors at t = 3.2 and their ratios, step halved:");
    let want = run(midpoint, spring, start, t, 3.0 / 32768.0, 32768);
    for (name, method, order) in [
        ("trapezoidal rule", trapezoid as Method, 2),
        ("midpoint rule", midpoint, 2),
        ("eq. (5) as printed", midpoint_as_printed, 0),
    ] {
        let steps = [32, 64, 128, 256];
        let error = |n: u32| (run(method, spring, start, t, 3.0 / f64::from(n), n) - want).length();
        let errors = steps.map(error);
        let ratios = [0, 1, 2].map(|i| errors[i] / errors[i + 1]);
        let shown = errors.map(|e| format!("{e:.1e}")).join(" ");
        println!("  {name:20} {shown}  ratios {ratios:.2?}");
        let nominal = f64::from(1 << order);
        assert!(ratios.iter().all(|r| (r / nominal - 1.0).abs() < 0.1), "{name}");
    }

    let pushed = forward_euler(spring, start, t, half);
    let a = run(midpoint, spring, pushed, t + half, dt, 10);
    let b = forward_euler(spring, run(trapezoid, spring, start, t, dt, 10), t + 10.0 * dt, half);
    let off = (a - b).length();
    println!("\nmidpoint^10 after Euler - Euler after trapezoid^10:     {off:.1e}");
    assert!(off < 1e-13);

    let at_midpoint = |y: DVec4| angular_momentum(forward_euler(central, y, 0.0, half));
    let drift = |invariant: &dyn Fn(DVec4) -> f64, method: Method| {
        let end = run(method, central, start, 0.0, dt, 1000);
        (invariant(end) / invariant(start) - 1.0).abs()
    };
    let (of_midpoint, of_trapezoid, in_between) = (
        drift(&angular_momentum, midpoint),
        drift(&angular_momentum, trapezoid),
        drift(&at_midpoint, trapezoid),
    );
    println!("angular momentum after 1000 steps: midpoint rule {of_midpoint:.1e},");
    println!("  trapezoidal rule {of_trapezoid:.1e}, at its midpoints {in_between:.1e}");
    assert!(of_midpoint < 1e-13 && in_between < 1e-13 && of_trapezoid > 1e-4);
}

#[test]
fn it_is_as_shown() {
    main();
}
