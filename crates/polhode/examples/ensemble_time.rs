//! Times a million states of an ensemble, once for every line of its input: what bindings of other
//! languages are measured against, turn by turn.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an aid for tests")]

use std::io::BufRead;
use std::time::Instant;

use polhode::ensemble::{Body, FreeEnsemble, Samples};
use polhode::{Inertia, State, glam::DQuat};

const BODIES: usize = 1000;

fn main() {
    let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
    let start = State::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY).unwrap();
    let times: Vec<f64> = (0..1000).map(|n| f64::from(n) * 10.0).collect();
    let size = BODIES * times.len();
    for _ in std::io::stdin().lock().lines() {
        let clock = Instant::now();
        let (mut momenta, mut attitudes) = (vec![0.0; 3 * size], vec![0.0; 4 * size]);
        let mut omegas = vec![0.0; 3 * size];
        let mut keep = |samples: &Samples<'_>| {
            let step = usize::try_from(samples.step)?;
            samples.copy_momenta(&mut momenta[3 * BODIES * step..]);
            samples.copy_attitudes(&mut attitudes[4 * BODIES * step..]);
            for i in 0..samples.len() {
                let omega = samples.state(i).omega(&inertia).to_array();
                omegas[3 * (BODIES * step + i)..][..3].copy_from_slice(&omega);
            }
            Ok(())
        };
        let bodies = (0..BODIES).map(|_| Body { inertia, start });
        FreeEnsemble::new().run(bodies, &times, &mut keep).unwrap();
        let seconds = clock.elapsed().as_secs_f64();
        std::hint::black_box((momenta, omegas, attitudes));
        println!("{seconds}");
    }
}
