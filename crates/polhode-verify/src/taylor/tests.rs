//! Limits are about ten times what was measured over these and 280 more random bodies.

use polhode_elliptic::Dd;

use super::FreeReference;
use super::dd_math::{dot, norm, rotate};
use polhode_testkit::bodies::{Body, BodyClass, Rng, body};
use polhode_testkit::oracle::{FreeCase, free_cases, long_cases};

const CLASSES: [BodyClass; 19] = [
    BodyClass::Generic,
    BodyClass::NearSeparatrix(1e-3),
    BodyClass::NearSeparatrix(-1e-9),
    BodyClass::Separatrix,
    BodyClass::NearSymmetricOblate(1e-3),
    BodyClass::NearSymmetricOblate(1e-12),
    BodyClass::NearSymmetricProlate(1e-3),
    BodyClass::NearSymmetricProlate(1e-12),
    BodyClass::SymmetricOblate,
    BodyClass::SymmetricProlate,
    BodyClass::Sphere,
    BodyClass::NearSphere(1e-2),
    BodyClass::NearSphere(1e-10),
    BodyClass::NearAxis { axis: 0, d: 1e-9 },
    BodyClass::NearAxis { axis: 1, d: 1e-9 },
    BodyClass::NearAxis { axis: 2, d: 1e-9 },
    BodyClass::OnAxis(1),
    BodyClass::Extreme,
    BodyClass::Flat,
];

type Solution = ([Dd; 3], [Dd; 4]);

fn reference(body: &Body) -> FreeReference {
    FreeReference::new(body.inertia, body.momentum, body.attitude)
}

fn of_case(case: &FreeCase) -> FreeReference {
    FreeReference::new(case.inertia, case.momentum0, case.quaternion0)
}

/// The larger of the differences of momentum (over its length) and attitude.
fn distance(a: &Solution, b: &Solution) -> f64 {
    let unit = a.0.iter().map(|x| x.hi().abs()).fold(f64::MIN_POSITIVE, f64::max);
    let m: [Dd; 3] = core::array::from_fn(|i| Dd::from((a.0[i] - b.0[i]).hi() / unit));
    let q: [Dd; 4] = core::array::from_fn(|i| a.1[i] - b.1[i]);
    let (m, q) = (norm(&m).hi(), norm(&q).hi());
    if m.is_nan() || q.is_nan() { f64::INFINITY } else { m.max(q) }
}

#[test]
fn every_free_case_of_the_oracle_is_reached() {
    for case in free_cases() {
        let want = (case.momentum, case.quaternion);
        let motion = of_case(case);
        let error = distance(&motion.at_long(case.t), &want);
        assert!(error < 3e-28, "{}, at_long: {error:e}", case.name);
        // The longest ones take a third of a second each.
        if case.lambda_t.is_none_or(|phase| phase.abs() < 250.0) {
            let error = distance(&motion.at(case.t), &want);
            assert!(error < 1e-27, "{}, at: {error:e}", case.name);
        }
    }
}

#[test]
fn every_long_case_of_the_oracle_is_reached() {
    for case in long_cases() {
        let error = distance(&of_case(case).at_long(case.t), &(case.momentum, case.quaternion));
        let phase = case.lambda_t.unwrap().abs();
        assert!(error < 4e-31 * phase, "{}: {error:e}", case.name);
    }
}

#[test]
fn long_and_stepped_solutions_agree_for_every_class() {
    let mut rng = Rng::new(20);
    let mut recurring = 0;
    for class in CLASSES {
        for sign in [1.0, -1.0] {
            let body = body(class, &mut rng);
            let t = sign * body.time_for(1000.0);
            let motion = reference(&body);
            let error = distance(&motion.at(t), &motion.at_long(t));
            assert!(error < 4e-27, "{class:?} {body:?}: {error:e}");
            let periods = motion.period().map_or(0.0, |period| t.abs() / period.hi());
            recurring += u32::from(periods > 2.0);
        }
    }
    assert!(recurring > 20, "only {recurring} bodies came back: nothing was compared");
}

#[test]
fn invariants_hold() {
    let mut rng = Rng::new(21);
    for class in CLASSES {
        let body = body(class, &mut rng);
        let motion = reference(&body);
        let (m0, q0) = motion.at(0.0);
        let (m, q) = motion.at(body.time_for(100.0));
        let energy = |m: &[Dd; 3]| {
            let omega = core::array::from_fn(|i| m[i] / Dd::from(body.inertia[i]));
            dot(m, &omega)
        };
        let relative = |got: Dd, want: Dd| ((got - want).hi() / want.hi()).abs();
        assert!(relative(norm(&q), Dd::ONE) < 3e-30, "{class:?}: length of the attitude");
        assert!(relative(norm(&m), norm(&m0)) < 3e-30, "{class:?}: length of the momentum");
        assert!(relative(energy(&m), energy(&m0)) < 3e-30, "{class:?}: energy");
        let (before, after) = (rotate(&q0, &m0), rotate(&q, &m));
        let drift: [Dd; 3] = core::array::from_fn(|i| after[i] - before[i]);
        assert!(norm(&drift).hi() < 3e-30 * norm(&m0).hi(), "{class:?}: momentum in space");
    }
}

#[test]
fn half_the_step_gives_the_same() {
    let mut rng = Rng::new(22);
    for class in CLASSES {
        let body = body(class, &mut rng);
        let motion = reference(&body);
        let t = body.time_for(100.0);
        let halved = motion.caller(&motion.stepped(motion.inner_time(Dd::from(t)), 2.0));
        let error = distance(&motion.at(t), &halved);
        assert!(error < 1e-28, "{class:?} {body:?}: {error:e}");
    }
}

#[test]
fn forth_and_back_is_where_it_began() {
    let mut rng = Rng::new(23);
    for class in CLASSES {
        let body = body(class, &mut rng);
        let mut motion = reference(&body);
        let begin = motion.at(0.0);
        let t = motion.inner_time(Dd::from(body.time_for(100.0)));
        motion.start = motion.stepped(t, 1.0);
        let back = motion.caller(&motion.stepped(-t, 1.0));
        let error = distance(&begin, &back);
        assert!(error < 1e-28, "{class:?} {body:?}: {error:e}");
    }
}

/// A mirror reverses the time; the split variables must know on which side of it they are.
#[test]
fn swapped_axes_run_the_other_way() {
    let mut rng = Rng::new(24);
    for class in [BodyClass::Generic, BodyClass::NearSeparatrix(1e-4), BodyClass::Separatrix] {
        let body = body(class, &mut rng);
        let t = body.time_for(30.0);
        let (m, _) = reference(&body).at(t);
        for (order, direction) in
            [([1, 0, 2], -1.0), ([2, 1, 0], -1.0), ([0, 2, 1], -1.0), ([1, 2, 0], 1.0)]
        {
            let (inertia, momentum) =
                (order.map(|i| body.inertia[i]), order.map(|i| body.momentum[i]));
            let motion = FreeReference::new(inertia, momentum, body.attitude);
            let (swapped, q) = motion.at(direction * t);
            let error = distance(&(order.map(|i| m[i]), q), &(swapped, q));
            assert!(error < 1e-29, "{class:?} {order:?}: {error:e}");
        }
    }
}

#[test]
fn powers_of_two_change_only_the_units() {
    let mut rng = Rng::new(25);
    for class in [BodyClass::Generic, BodyClass::NearSeparatrix(1e-9), BodyClass::Extreme] {
        let body = body(class, &mut rng);
        let t = body.time_for(20.0);
        let (m, q) = reference(&body).at_long(t);
        // Inertia down to 1e-46 and up to 1e30, momentum down to 1e-150 and up to 1e150.
        for (inertia, momentum) in [(-152, 0), (100, 0), (0, -498), (0, 498), (-152, 498)] {
            let factors = [inertia, momentum].map(|power| 2.0_f64.powi(power));
            let scaled = body.scaled(factors[0], factors[1]);
            let (scaled_m, scaled_q) = reference(&scaled).at_long(t * factors[0] / factors[1]);
            assert_eq!(scaled_q, q, "{class:?} 2^{inertia} 2^{momentum}");
            assert_eq!(scaled_m, m.map(|x| x.scale(factors[1])));
        }
    }
}

/// The coefficients of order 38 must not overflow, nor vanish, whatever the moments.
#[test]
fn moments_may_differ_by_any_factor() {
    for (inertia, omega) in [([1e-13, 1.0, 1.5], 1e13), ([1.0, 1e13, 1e14], 1.0)] {
        let momentum = [0.8, 0.5, 0.3];
        let motion = FreeReference::new(inertia, momentum, [1.0, 0.0, 0.0, 0.0]);
        let t = 20.0 / omega;
        let (m, q) = motion.at(t);
        let (before, after) = (momentum.map(Dd::from), rotate(&q, &m));
        let drift: [Dd; 3] = core::array::from_fn(|i| after[i] - before[i]);
        assert!(norm(&drift).hi() < 1e-30, "{inertia:?}: {:e}", norm(&drift).hi());
        // Nearly a turn by 0.8 * 20 radians about the first axis.
        let expected = 8.0_f64.cos();
        assert!((q[0].hi() - expected).abs() < 1e-6, "{inertia:?}: {q:?}");
        let halved = motion.caller(&motion.stepped(motion.inner_time(Dd::from(t)), 2.0));
        assert!(distance(&(m, q), &halved) < 1e-29, "{inertia:?}");
    }
}

#[test]
fn one_period_brings_the_momentum_back() {
    let body = body(BodyClass::Generic, &mut Rng::new(26));
    let motion = reference(&body);
    assert_eq!(motion.period(), None);
    motion.at_long(body.time_for(1e3));
    let period = motion.period().expect("a thousand radians hold a period");
    let (m, _) = motion.caller(&motion.stepped(motion.inner_time(period), 1.0));
    let begin = motion.at(0.0);
    assert!(distance(&begin, &(m, begin.1)) < 1e-29);
}

/// A motion that starts in the plane where the periods are counted, in either direction.
#[test]
fn a_start_without_a_middle_component_is_counted_once() {
    for momentum in [[0.5, 0.0, 0.6], [-0.5, 0.0, 0.6], [0.9, 0.0, 0.2], [-0.9, -0.0, 0.2]] {
        let motion = FreeReference::new([1.0, 1.5, 2.1], momentum, [1.0, 0.0, 0.0, 0.0]);
        let t = 100.0;
        let error = distance(&motion.at(t), &motion.at_long(t));
        assert!(error < 1e-28, "{momentum:?}: {error:e}");
        assert!(motion.period().is_some_and(|period| (5.0..50.0).contains(&period.hi())));
    }
}

/// The factor of a quaternion's length must not matter, nor be lost to underflow.
#[test]
fn attitude_is_normalised() {
    let motion = |factor: f64| {
        let attitude = [0.5, -0.5, 0.5, 0.5].map(|x| x * factor);
        FreeReference::new([1.0, 2.0, 2.5], [0.3, 0.4, 0.5], attitude).at(3.0)
    };
    assert_eq!(motion(1.0), motion(2.0_f64.powi(900)));
    assert_eq!(motion(1.0), motion(2.0_f64.powi(-900)));
    assert!(distance(&motion(1.0), &motion(3.0)) < 1e-31);
}

#[test]
#[should_panic(expected = "positive moments")]
fn a_moment_of_zero_is_refused() {
    FreeReference::new([1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
#[should_panic(expected = "quaternion is zero")]
fn an_attitude_of_zero_is_refused() {
    FreeReference::new([1.0; 3], [1.0, 0.0, 0.0], [0.0; 4]);
}
