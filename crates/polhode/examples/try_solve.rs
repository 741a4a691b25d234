#![allow(missing_docs, clippy::all, clippy::pedantic, clippy::print_stdout)]
use polhode::solve::*;
use polhode::torque::*;
use polhode::*;
use std::time::Instant;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = State::aligned([10.0, 50.0, 60.0])?;
    let top = Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, start).torque(HeavyTop::lagrange(1.0)?);
    let reference = top.simulate("rkn6-14:compensated+exact:compensated", 1.0 / 8192.0, 1.0)?;
    let want = *reference.points.last().map(|p| &p.state).unwrap();
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        for tol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13] {
            let solve = || top.solver().method(method).tolerance(tol).times(&[]).until(1.0);
            let s = solve()?;
            let e = Errors::new(&s.end().1, &want, want.m.length()).worst();
            let portable = top.solver().method(method).tolerance(tol).times(&[]).portable().until(1.0)?;
            assert_eq!(portable.end(), s.end());
            let mut best = f64::INFINITY;
            for _ in 0..200 { let t = Instant::now(); for _ in 0..10 { std::hint::black_box(solve()?); } best = best.min(t.elapsed().as_secs_f64() / 10.0); }
            let st = s.statistics();
            println!("{method} {tol:e}: error {e:.1e}, {} steps {} rejected {} evaluations, {:.2} us, {:.0} ns/step", st.steps, st.rejected, st.evaluations, best * 1e6, best * 1e9 / (st.steps + st.rejected) as f64);
        }
    }
    Ok(())
}
