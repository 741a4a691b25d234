//! The cost of a step of every rotor, as a ratio to `dmv` of order 10 (by Newton, its faster
//! solver) and to classical RK4.
//!
//! All are measured interleaved in one process, the least of many repeats: machines are noisy, and
//! an absolute time means nothing. `cargo bench -p polhode --bench rotors`.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and must run")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use glam::{DQuat, DVec3};
use polhode::rotor::{self, Rotor, StepError};
use polhode::{FreeMotion, Inertia, State};

const INERTIA: [f64; 3] = [0.6, 0.8, 1.0];
const MOMENTUM: [f64; 3] = [0.5, 0.4, 0.768_114_574_786_860_8];
const STEPS: u32 = 200;
const REPEATS: usize = 60;

/// Classical Runge-Kutta on (m, q), as a yardstick.
struct Rk4 {
    inverse: DVec3,
}

impl Rk4 {
    fn slope(&self, m: DVec3, q: DQuat) -> (DVec3, DQuat) {
        let omega = m * self.inverse;
        (m.cross(omega), q * DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * 0.5)
    }
}

impl Rotor for Rk4 {
    fn step(&mut self, h: f64, s: &mut State) -> Result<(), StepError> {
        let (m1, q1) = self.slope(s.m, s.q);
        let (m2, q2) = self.slope(s.m + m1 * (0.5 * h), s.q + q1 * (0.5 * h));
        let (m3, q3) = self.slope(s.m + m2 * (0.5 * h), s.q + q2 * (0.5 * h));
        let (m4, q4) = self.slope(s.m + m3 * h, s.q + q3 * h);
        s.m += (m1 + (m2 + m3) * 2.0 + m4) * (h / 6.0);
        s.q += (q1 + (q2 + q3) * 2.0 + q4) * (h / 6.0);
        Ok(())
    }
}

/// The random-access engine as if it were a rotor: one evaluation a step.
struct At {
    motion: FreeMotion,
    t: f64,
}

impl Rotor for At {
    fn step(&mut self, h: f64, s: &mut State) -> Result<(), StepError> {
        self.t += h;
        *s = self.motion.at(self.t).unwrap();
        Ok(())
    }
}

const SPECS: [&str; 15] = [
    "dmv:order=10",
    "dmv:order=10:solver=fixed-point",
    "dmv:order=10:compensated",
    "dmv:order=20",
    "exact",
    "three-rotations",
    "midpoint-attitude",
    "semi-exact:nodes=3",
    "semi-exact:nodes=5",
    "semi-exact:rule=hermite",
    "frb-matrix",
    "frb-quaternion",
    "frb-vanzon",
    "jacobi-standard",
    "jacobi-vilmart",
];

fn main() {
    let inertia = Inertia::principal(INERTIA).unwrap();
    let start = State::aligned(MOMENTUM).unwrap();
    println!(
        "| rotor | h = 0.01: ns | / dmv | / rk4 | 0.1: ns | / dmv | / rk4 | 1: ns | / dmv | / rk4 | 10: ns | / dmv | / rk4 |"
    );
    println!("|---|{}", "---:|".repeat(12));
    let mut names: Vec<String> = SPECS.iter().map(ToString::to_string).collect();
    names.extend(["rk4".to_string(), "FreeMotion::at".to_string()]);
    let mut rows = vec![String::new(); names.len()];
    for h in [0.01, 0.1, 1.0, 10.0] {
        let mut rotors: Vec<Box<dyn Rotor>> =
            SPECS.iter().map(|s| rotor::build(s, &inertia).unwrap()).collect();
        rotors.push(Box::new(Rk4 { inverse: inertia.moments().recip() }));
        let motion = FreeMotion::new(&inertia, start).unwrap();
        rotors.push(Box::new(At { motion, t: 0.0 }));
        let mut best = vec![f64::INFINITY; rotors.len()];
        for _ in 0..REPEATS {
            for (rotor, best) in rotors.iter_mut().zip(&mut best) {
                rotor.reset();
                let mut state = start;
                let begin = Instant::now();
                // A step that does not converge (dmv at h = 10) has no cost worth telling.
                let done = (0..STEPS).all(|_| rotor.step(black_box(h), &mut state).is_ok());
                let time = begin.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS);
                black_box(state);
                if done {
                    *best = best.min(time);
                }
            }
        }
        let (dmv, rk4) = (best[0], best[SPECS.len()]);
        for (row, time) in rows.iter_mut().zip(&best) {
            let cell = |x: f64| if x.is_finite() { format!("{x:.2}") } else { "–".into() };
            // No ratio to what did not converge.
            let ratio = |to: f64| if to.is_finite() { time / to } else { f64::INFINITY };
            let [time, dmv, rk4] = [time.round(), ratio(dmv), ratio(rk4)].map(cell);
            write!(row, " {time} | {dmv} | {rk4} |").unwrap();
        }
    }
    for (name, row) in names.iter().zip(rows) {
        println!("| {name} |{row}");
    }
}
