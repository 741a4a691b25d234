//! The same bits as one body at a time.

use polhode::ensemble::{
    BodySamples, Ensemble, FinalStates, FreeEnsemble, MAX_THREADS, Member, Width,
};
use polhode::method::Method;
use polhode::{FreeMotion, Plan, Problem, State, Torque, composition, run};

use glam::{DMat3, DVec3};
use polhode::so3;
use polhode::torque::{Dependence, Function, TORQUES, TorqueJacobian};

use super::{mixed, values};

/// The last state by the scalar path, or the last good one.
fn scalar(method: &str, torque: &Torque, body: &Member, t0: f64, plan: &Plan) -> State {
    let problem = Problem::new(body.inertia, body.start).torque(torque.clone()).starting_at(t0);
    let mut stepper = Method::parse(method).unwrap().stepper(&problem).unwrap();
    match run(&problem, stepper.as_mut(), plan, &mut []) {
        Ok(summary) => summary.state,
        Err(polhode::RunError::Step { state, .. }) => state,
        Err(other) => panic!("{other}"),
    }
}

fn bits(state: &State) -> [u64; 7] {
    let [x, y, z] = state.m.to_array();
    let [a, b, c, d] = state.attitude();
    [x, y, z, a, b, c, d].map(f64::to_bits)
}

fn torques() -> [Torque; 4] {
    let top = values(&[("centre", [0.1, -0.2, 0.3].into()), ("up", [0.2, 0.1, 1.0].into())]);
    let orbit = values(&[("rate", 0.7.into()), ("normal", [0.1, 0.2, 1.0].into())]);
    [
        Torque::none(),
        Torque::build("heavy-top", &top).unwrap(),
        Torque::build("gravity-gradient", &orbit).unwrap(),
        // Every model at once, and a function of the user's.
        every_model()
            + Function::new(Dependence::Attitude, |body, t, s| {
                body.momentum(s.q.conjugate() * DVec3::new(0.1, 0.2, 0.3)) * (0.1 + 0.01 * t)
            })
            .with_jacobian(|body, t, s| {
                // The derivative of a vector that stands still in space.
                let u = so3::hat(s.q.conjugate() * DVec3::new(0.1, 0.2, 0.3));
                let column = |v| body.momentum(u * v) * (0.1 + 0.01 * t);
                let rotation =
                    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
                TorqueJacobian::of_attitude(rotation)
            }),
    ]
}

/// The sum of all models that do not depend on the momentum.
fn every_model() -> Torque {
    let models = TORQUES.iter().map(|entry| entry.build(&entry.example()).unwrap());
    models.filter(|torque| torque.dependence() != Dependence::Momentum).sum()
}

/// Final states for every width, compared with the scalar path.
fn same_bits(method: &str, torque: &Torque, bodies: &[Member], plan: &Plan) {
    let want: Vec<_> = bodies.iter().map(|b| bits(&scalar(method, torque, b, 0.3, plan))).collect();
    for width in Width::available() {
        let mut end = FinalStates::default();
        let ensemble =
            Ensemble::new(method).unwrap().torque(torque.clone()).from_time(0.3).width(width);
        ensemble.run(bodies.iter().copied(), plan, u64::MAX, &mut end).unwrap();
        let got: Vec<_> = end.states.iter().map(bits).collect();
        assert_eq!(got.len(), want.len());
        for i in 0..want.len() {
            assert_eq!(
                got[i], want[i],
                "{method}, {width:?}, {torque:?}, body {i}: {:?}",
                bodies[i]
            );
        }
    }
}

#[test]
fn rotors_alone() {
    let bodies = mixed(99, 1);
    let rotors =
        ["exact", "dmv", "dmv:order=2", "dmv:order=20:solver=fixed-point", "three-rotations"];
    for rotor in rotors {
        // From increments below rounding to steps that only the free motion can do.
        for h in [1e-9, 0.01, -0.1, 0.7, 3.0, 50.0] {
            same_bits(rotor, &Torque::none(), &bodies, &Plan { step: h, steps: 7 });
        }
    }
}

#[test]
fn every_scheme_in_every_field() {
    let bodies = mixed(37, 2);
    for scheme in composition::SCHEMES {
        for rotor in ["exact", "dmv:order=6", "three-rotations"] {
            // The rotor is the same for all: a few schemes with each.
            if rotor != "exact"
                && !["strang", "rkn6-14", "takahashi-imada", "ti4", "sbabg4"].contains(&&*scheme.id)
            {
                continue;
            }
            for torque in torques() {
                let method = format!("{}+{rotor}", scheme.id);
                same_bits(&method, &torque, &bodies, &Plan { step: 0.07, steps: 3 });
            }
        }
    }
}

#[test]
fn torques_of_the_momentum() {
    let bodies = mixed(37, 9);
    let damping = Torque::build("damping", &values(&[("coefficient", [0.1, 0.4, 0.2].into())]));
    let cubic = Function::new(Dependence::Momentum, |_, _, s| s.m * (-0.1 * s.m.length_squared()));
    let damped = damping.unwrap() + every_model();
    for torque in [damped.clone(), damped + cubic] {
        for method in ["strang+exact", "s4-6+dmv", "kahanli8+three-rotations"] {
            same_bits(method, &torque, &bodies, &Plan { step: 0.07, steps: 3 });
        }
    }
}

#[test]
fn methods_without_lanes_run_body_by_body() {
    let bodies = mixed(37, 10);
    let top = torques()[1].clone();
    for method in [
        "rk4",
        "rkmk4",
        "imid",
        "rkmk:tableau=gauss2:compensated",
        "sej",
        "frb",
        "strang:compensated+exact:compensated",
        "rkn6-14+dmv:compensated",
    ] {
        assert!(!Method::parse(method).unwrap().runs_in_lanes(), "{method}");
        same_bits(method, &top, &bodies, &Plan { step: 0.07, steps: 5 });
    }
    for rotor in ["frb-quaternion", "exact:compensated", "jacobi-vilmart"] {
        same_bits(rotor, &Torque::none(), &bodies, &Plan { step: 0.07, steps: 5 });
    }
}

#[test]
fn what_is_shown_changes_nothing() {
    // Compensated sums and warm starts go on where the last sample was taken.
    let bodies = mixed(20, 11);
    let plan = Plan { step: 0.05, steps: 12 };
    for method in ["strang:compensated+exact:compensated", "imid", "strang+exact"] {
        let ensemble = Ensemble::new(method).unwrap().torque(torques()[1].clone());
        let last = |every: u64| -> Vec<_> {
            let all = seen(&ensemble, &bodies, &plan, every);
            all.into_iter().filter(|s| s.1 == 12).collect()
        };
        assert_eq!(last(1), last(12), "{method}");
        assert_eq!(last(5), last(12), "{method}");
    }
}

#[test]
fn shared_inertia_sorted_and_not() {
    for moments in [[0.6, 0.8, 1.0], [1.0, 0.6, 0.8], [0.8, 0.6, 1.0]] {
        let inertia = polhode::Inertia::principal(moments).unwrap();
        let bodies: Vec<_> = mixed(21, 3).into_iter().map(|b| Member { inertia, ..b }).collect();
        for torque in torques() {
            same_bits("strang+exact", &torque, &bodies, &Plan { step: 0.1, steps: 5 });
        }
    }
}

/// Everything the sink sees, as bits.
fn seen(
    ensemble: &Ensemble,
    bodies: &[Member],
    plan: &Plan,
    every: u64,
) -> Vec<(u64, u64, [u64; 7])> {
    let mut all = Vec::new();
    let mut sink = |samples: &BodySamples<'_>| {
        let mut momenta = vec![0.0; 3 * samples.len()];
        let mut attitudes = vec![0.0; 4 * samples.len()];
        samples.copy_momenta(&mut momenta);
        samples.copy_attitudes(&mut attitudes);
        for i in 0..samples.len() {
            let state = samples.state(i);
            assert_eq!(state.m.to_array(), momenta[3 * i..3 * i + 3]);
            assert_eq!(state.attitude(), attitudes[4 * i..4 * i + 4]);
            all.push((samples.first + i as u64, samples.step, bits(&state)));
        }
        Ok(())
    };
    ensemble.run(bodies.iter().copied(), plan, every, &mut sink).unwrap();
    all
}

#[test]
fn threads_blocks_and_ragged_tails() {
    let plan = Plan { step: 0.05, steps: 10 };
    let torque = torques()[1].clone();
    for count in [1, 7, 8, 9, 300, 601] {
        let bodies = mixed(count, 4);
        let ensemble = Ensemble::new("strang+exact").unwrap().torque(torque.clone());
        let one = seen(&ensemble.clone().threads(1), &bodies, &plan, 4);
        // Steps 0, 4, 8 and the last.
        assert_eq!(one.len(), 4 * count);
        let steps: Vec<u64> = one.iter().filter(|s| s.0 == 0).map(|s| s.1).collect();
        assert_eq!(steps, [0, 4, 8, 10]);
        for threads in [2, 3] {
            let many = seen(&ensemble.clone().threads(threads), &bodies, &plan, 4);
            assert!(one == many, "{threads} threads");
        }
        for block in [1, 5, 64] {
            let mut blocks = seen(&ensemble.clone().threads(2).block(block), &bodies, &plan, 4);
            // Blocks come one after the other; by time, then.
            blocks.sort_by_key(|s| (s.1, s.0));
            assert!(one == blocks, "blocks of {block}");
        }
    }
}

#[test]
fn more_threads_than_are_of_use_count_as_the_most() {
    let bodies = mixed(3, 4);
    for (asked, started) in [(3, 3), (MAX_THREADS, MAX_THREADS), (MAX_THREADS + 9, MAX_THREADS)] {
        let mut seen = Vec::new();
        let mut sink = |_: &BodySamples<'_>| {
            seen.push(rayon::current_num_threads());
            Ok(())
        };
        let free = FreeEnsemble::new().threads(asked);
        free.run(bodies.iter().copied(), &[1.0], &mut sink).unwrap();
        let ensemble = Ensemble::new("exact").unwrap().threads(asked);
        let plan = Plan { step: 0.1, steps: 1 };
        ensemble.run(bodies.iter().copied(), &plan, 1, &mut sink).unwrap();
        assert_eq!(seen, [started; 3], "{asked}");
    }
}

/// Run once more as a process of its own, since the variable is read when the first threads start.
#[test]
fn the_environment_cannot_ask_for_thousands_of_threads() {
    const VARIABLE: &str = "RAYON_NUM_THREADS";
    const THOUSANDS: &str = "2000";
    if std::env::var(VARIABLE).as_deref() != Ok(THOUSANDS) {
        let this = "ensemble::bits::the_environment_cannot_ask_for_thousands_of_threads";
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        let again = again.args([this, "--exact"]).env(VARIABLE, THOUSANDS).output().unwrap();
        let told = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success() && told.contains("1 passed"), "{told}");
        return;
    }
    let mut sink = |_: &BodySamples<'_>| Ok(());
    let ensemble = Ensemble::new("exact").unwrap();
    ensemble.run(mixed(3, 4).into_iter(), &Plan { step: 0.1, steps: 1 }, 1, &mut sink).unwrap();
    assert_eq!(rayon::current_num_threads(), MAX_THREADS);
}

#[test]
fn free_motions_at_requested_times() {
    let bodies = mixed(45, 5);
    let times = [0.0, 2.5, -1.0, 1e6];
    for threads in [1, 2, 3] {
        let mut count = 0;
        let mut sink = |samples: &BodySamples<'_>| {
            assert_eq!(samples.t, times[usize::try_from(samples.step).unwrap()]);
            for (i, body) in samples.bodies().iter().enumerate() {
                let motion = FreeMotion::new(&body.inertia, body.start).unwrap();
                assert_eq!(bits(&samples.state(i)), bits(&motion.at(samples.t).unwrap()));
                count += 1;
            }
            Ok(())
        };
        let ensemble = FreeEnsemble::new().threads(threads).block(20);
        let summary = ensemble.run(bodies.iter().copied(), &times, &mut sink).unwrap();
        assert_eq!((summary.bodies, summary.failed), (45, 0));
        assert_eq!(count, 45 * 4);
    }
}
