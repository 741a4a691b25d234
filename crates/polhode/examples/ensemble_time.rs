//! Times a million states, once for every line of its input, of an ensemble and of one body on as many
//! threads: what bindings of other languages are measured against, turn by turn.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an aid for tests")]

use std::io::BufRead;
use std::time::Instant;

use polhode::ensemble::{FreeEnsemble, Member, Samples};
use polhode::{FreeMotion, Inertia, State, glam::DQuat};

const BODIES: usize = 1000;

fn main() {
    let inertia = Inertia::principal([3.0, 8.0, 11.0]).unwrap();
    let start = State::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY).unwrap();
    let motion = FreeMotion::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY).unwrap();
    for _ in std::io::stdin().lock().lines() {
        println!("{} {}", ensemble(&inertia, start), one_body(&inertia, &motion));
    }
}

fn ensemble(inertia: &Inertia, start: State) -> f64 {
    let times: Vec<f64> = (0..1000).map(|n| f64::from(n) * 10.0).collect();
    let size = BODIES * times.len();
    let clock = Instant::now();
    let (mut momenta, mut attitudes) = (vec![0.0; 3 * size], vec![0.0; 4 * size]);
    let mut omegas = vec![0.0; 3 * size];
    let mut keep = |samples: &Samples<'_>| {
        let step = usize::try_from(samples.step)?;
        samples.copy_momenta(&mut momenta[3 * BODIES * step..]);
        samples.copy_attitudes(&mut attitudes[4 * BODIES * step..]);
        for i in 0..samples.len() {
            let omega = samples.state(i).omega(inertia).to_array();
            omegas[3 * (BODIES * step + i)..][..3].copy_from_slice(&omega);
        }
        Ok(())
    };
    let bodies = (0..BODIES).map(|_| Member { inertia: *inertia, start });
    FreeEnsemble::new().run(bodies, &times, &mut keep).unwrap();
    let seconds = clock.elapsed().as_secs_f64();
    std::hint::black_box((momenta, omegas, attitudes));
    seconds
}

fn one_body(inertia: &Inertia, motion: &FreeMotion) -> f64 {
    const BLOCK: usize = 4096;
    let times: Vec<f64> = (0..1_000_000).map(|n| f64::from(n) * 0.01).collect();
    let clock = Instant::now();
    let (mut momenta, mut attitudes) = (vec![0.0; 3 * times.len()], vec![0.0; 4 * times.len()]);
    let mut omegas = vec![0.0; 3 * times.len()];
    let blocks = times.chunks(BLOCK).zip(momenta.chunks_mut(3 * BLOCK));
    let blocks = blocks.zip(omegas.chunks_mut(3 * BLOCK).zip(attitudes.chunks_mut(4 * BLOCK)));
    let blocks = std::sync::Mutex::new(blocks);
    let work = || {
        let mut states = vec![*motion.start(); BLOCK];
        loop {
            let next = blocks.lock().unwrap().next();
            let Some(((times, momenta), (omegas, attitudes))) = next else { return };
            motion.at_many(times, &mut states).unwrap();
            let rows = momenta.as_chunks_mut().0.iter_mut().zip(omegas.as_chunks_mut().0);
            for (((m, omega), q), s) in rows.zip(attitudes.as_chunks_mut().0).zip(&states) {
                (*m, *omega, *q) = (s.m.to_array(), s.omega(inertia).to_array(), s.attitude());
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let seconds = clock.elapsed().as_secs_f64();
    std::hint::black_box((momenta, omegas, attitudes));
    seconds
}
