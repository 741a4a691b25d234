//! What a user asks of a tumbling body, each against its definition.

use glam::DVec3;
use polhode::{FreeMotion, FreeMotionError, Inertia, Regime, State, so3};
use polhode_testkit::bodies::{BodyClass, Rng, body};

fn motion(inertia: [f64; 3], momentum: [f64; 3]) -> FreeMotion {
    let inertia = Inertia::principal_unphysical(inertia).unwrap();
    FreeMotion::new(&inertia, State::aligned(momentum).unwrap()).unwrap()
}

fn random(class: BodyClass, seed: u64) -> FreeMotion {
    let body = body(class, &mut Rng::new(seed));
    let inertia = Inertia::principal(body.inertia).unwrap();
    let start = State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap();
    FreeMotion::new(&inertia, start).unwrap()
}

const TUMBLING: [BodyClass; 9] = [
    BodyClass::Generic,
    BodyClass::NearSeparatrix(1e-4),
    BodyClass::NearSeparatrix(-1e-9),
    BodyClass::NearSymmetricOblate(1e-6),
    BodyClass::NearSymmetricProlate(1e-6),
    BodyClass::SymmetricOblate,
    BodyClass::SymmetricProlate,
    BodyClass::NearAxis { axis: 0, d: 1e-3 },
    BodyClass::NearAxis { axis: 2, d: 1e-3 },
];

#[test]
fn regimes() {
    let regime = |inertia, momentum| motion(inertia, momentum).regime();
    assert_eq!(regime([1.0, 2.0, 3.0], [0.0; 3]), Regime::Rest);
    assert_eq!(regime([2.0, 2.0, 2.0], [1.0, 2.0, 3.0]), Regime::Steady);
    for axis in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]] {
        assert_eq!(regime([1.0, 2.0, 3.0], axis), Regime::Steady);
        assert_eq!(regime([1.0, 1.0, 1.5], axis), Regime::Steady);
    }
    // In the plane of the two equal moments omega is along m.
    assert_eq!(regime([1.0, 1.0, 1.5], [1.0, 2.0, 0.0]), Regime::Steady);
    assert_eq!(regime([1.5, 1.0, 1.0], [0.0, 2.0, 1.0]), Regime::Steady);
    assert_eq!(regime([1.0, 1.5, 1.0], [1.0, 2.0, 1.0]), Regime::SymmetricTop);
    assert_eq!(regime([1.0, 2.0, 3.0], [1.0, 0.1, 0.1]), Regime::AboutMinor);
    assert_eq!(regime([3.0, 2.0, 1.0], [1.0, 0.1, 0.1]), Regime::AboutMajor);
    assert_eq!(regime([4.0, 5.0, 9.0], [4.0, 7.0, -3.0]), Regime::Separatrix);
    assert_eq!(regime([4.0, 5.0, 9.0], [4.0, 7.0, -3.0000000000000004]), Regime::AboutMajor);
}

#[test]
fn the_momentum_returns_after_a_period_and_not_before() {
    for (seed, class) in TUMBLING.into_iter().enumerate() {
        let motion = random(class, seed as u64);
        let period = motion.period().expect("tumbling motions are periodic");
        for t in [0.1 * period, 0.77 * period] {
            let here = motion.momentum_at(t).unwrap();
            let distance = |s: f64| {
                (motion.momentum_at(t + s * period).unwrap() - here).length() / here.length()
            };
            // Rounding of t + period moves the phase by 1e-16 of a period.
            assert!(distance(1.0) < 3e-14, "{class:?}: {:e}", distance(1.0));
            // Not earlier: a half, a third and a quarter of it would show a shorter period.
            for part in [0.5, 1.0 / 3.0, 0.25] {
                assert!(distance(part) > 1e-6, "{class:?}: back after {part} period");
            }
        }
    }
    for steady in [BodyClass::Sphere, BodyClass::OnAxis(1), BodyClass::Separatrix] {
        assert_eq!(random(steady, 1).period(), None);
    }
}

/// The angle by which the axis turns about the spatial momentum over `periods`, counted.
fn turned(motion: &FreeMotion, axis: DVec3, span: f64, steps: u32) -> f64 {
    let pole = motion.start().spatial_momentum().normalize();
    let azimuth = |t: f64| {
        let v = motion.at(t).unwrap().q * axis;
        v - pole * v.dot(pole)
    };
    let mut total = 0.0;
    let mut before = azimuth(0.0);
    for i in 1..=steps {
        let now = azimuth(span * f64::from(i) / f64::from(steps));
        total += before.cross(now).dot(pole).atan2(before.dot(now));
        before = now;
    }
    total
}

#[test]
fn precession_is_the_mean_turn_of_the_circled_axis() {
    for (seed, class) in TUMBLING.into_iter().enumerate() {
        let motion = random(class, 100 + seed as u64);
        let moments = motion.inertia().moments();
        let axes_of = |moment: f64| {
            DVec3::from_array(moments.to_array().map(|i| f64::from(u8::from(i == moment))))
        };
        let (least, greatest) = (axes_of(moments.min_element()), axes_of(moments.max_element()));
        let axis = match motion.regime() {
            Regime::AboutMinor => least,
            Regime::AboutMajor => greatest,
            // A symmetric top: the axis whose moment no other axis has.
            _ if least.element_sum() == 1.0 => least,
            _ => greatest,
        };
        let period = motion.period().unwrap();
        let rate = motion.precession_rate();
        // Twenty a radian; a period of these classes is at most 1e7 rad long.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let steps = 1000 + (rate * period * 20.0) as u32;
        let measured = turned(&motion, axis, period, steps) / period;
        assert!((measured / rate - 1.0).abs() < 1e-9, "{class:?}: {measured} {rate}");
    }
}

#[test]
fn precession_of_known_motions() {
    // Regular precession: |m|/J.
    let top = motion([2.0, 2.0, 3.0], [0.3, 0.4, 1.2]);
    assert!((top.precession_rate() - 1.3 / 2.0).abs() < 1e-15);
    let needle = motion([0.5, 2.0, 2.0], [1.2, 0.4, 0.3]);
    assert!((needle.precession_rate() - 1.3 / 2.0).abs() < 1e-15);
    // Steady: |omega|.
    assert_eq!(motion([2.0, 2.0, 2.0], [0.0, 3.0, 4.0]).precession_rate(), 2.5);
    assert_eq!(motion([1.0, 2.0, 3.0], [0.0, 3.0, 0.0]).precession_rate(), 1.5);
    assert_eq!(motion([1.0, 2.0, 3.0], [0.0; 3]).precession_rate(), 0.0);
    // Separatrix: |m|/I2, also as the limit from both sides.
    let on = motion([4.0, 5.0, 9.0], [4.0, 0.0, 3.0]).precession_rate();
    assert!((on - 1.0).abs() < 1e-15);
}

#[test]
fn separatrix_distance_has_all_its_digits() {
    let distance = |inertia, momentum| motion(inertia, momentum).separatrix_distance();
    assert_eq!(distance([1.0, 2.0, 3.0], [0.0; 3]), None);
    assert_eq!(distance([4.0, 5.0, 9.0], [4.0, 7.0, -3.0]), Some(0.0));
    // 1 - 2 T I2/|m|² for m = (1, 0, 0) and (0, 0, 1): 1 - I2/I1, 1 - I2/I3.
    assert!((distance([1.0, 2.0, 3.0], [5.0, 0.0, 0.0]).unwrap() + 1.0).abs() < 1e-15);
    assert!((distance([3.0, 2.0, 1.0], [5.0, 0.0, 0.0]).unwrap() - 1.0 / 3.0).abs() < 1e-15);
    // One ulp off the separatrix: m1 = 4 (1 + e), so E2 = -2 e I21 m1²/(I1 |m|²) to first order.
    let e = f64::EPSILON;
    let got = distance([4.0, 5.0, 9.0], [4.0 * (1.0 + e), 0.0, 3.0]).unwrap();
    let want = -2.0 * e * 16.0 / (4.0 * 25.0);
    assert!((got / want - 1.0).abs() < 1e-14, "{got:e} {want:e}");
}

#[test]
fn flips_are_the_zeros_of_the_middle_component() {
    for (seed, class) in TUMBLING.into_iter().enumerate() {
        let motion = random(class, 200 + seed as u64);
        let moments = motion.inertia().moments().to_array();
        let mut sorted = moments;
        sorted.sort_by(f64::total_cmp);
        if motion.regime() == Regime::SymmetricTop {
            assert_eq!(motion.next_flip(0.0).unwrap(), None);
            continue;
        }
        let middle = moments.iter().position(|&i| i == sorted[1]).unwrap();
        let half = 0.5 * motion.period().unwrap();
        let mut t = -3.3 * half;
        let mut last: Option<f64> = None;
        for _ in 0..5 {
            let flip = motion.next_flip(t).unwrap().unwrap();
            assert!(flip > t && flip <= t + half * (1.0 + 1e-12), "{class:?}");
            let (before, after) = (
                motion.momentum_at(flip - 1e-3 * half).unwrap()[middle],
                motion.momentum_at(flip + 1e-3 * half).unwrap()[middle],
            );
            assert!(before * after < 0.0, "{class:?}: no change of sign at {flip}");
            let m = motion.momentum_at(flip).unwrap();
            let slope = m.cross(motion.omega_at(flip).unwrap())[middle].abs();
            // The time is a double: the component there is zero to its rounding.
            assert!(m[middle].abs() <= 4e-16 * (m.length() + slope * flip.abs()), "{class:?}");
            if let Some(last) = last {
                assert!((flip - last - half).abs() < 1e-12 * half, "{class:?}");
            }
            (last, t) = (Some(flip), flip);
        }
    }
}

#[test]
fn the_separatrix_flips_once() {
    // m2 < 0 and going up, or the other way round.
    let (past, future) =
        (motion([4.0, 5.0, 9.0], [4.0, 7.0, 3.0]), motion([4.0, 5.0, 9.0], [4.0, -7.0, 3.0]));
    let flips: Vec<_> = [&past, &future].map(|m| m.next_flip(0.0).unwrap()).to_vec();
    assert_eq!(flips.iter().flatten().count(), 1, "{flips:?}");
    for motion in [past, future] {
        let flip = motion.next_flip(-1e6).unwrap().expect("it flips at some time");
        assert!(motion.momentum_at(flip).unwrap().y.abs() < 1e-14);
        assert_eq!(motion.next_flip(flip).unwrap(), None);
    }
}

#[test]
fn the_separatrix_starts_anywhere() {
    // 1e-210 away from the middle axis, exactly on the separatrix: sinh x = |m|/(5 tiny).
    let tiny = 2f64.powi(-700);
    let motion = motion([4.0, 5.0, 9.0], [4.0 * tiny, -1.0, 3.0 * tiny]);
    assert_eq!(motion.regime(), Regime::Separatrix);
    let lambda = (1.0 * 4.0 / (4.0 * 9.0f64)).sqrt() / 5.0;
    let x = (0.4f64).ln() + 700.0 * core::f64::consts::LN_2;
    let (future, past) = (motion.next_flip(0.0).unwrap(), motion.next_flip(-1e6).unwrap().unwrap());
    assert_eq!(future.is_some(), past > 0.0);
    assert!((past.abs() * lambda / x - 1.0).abs() < 1e-15, "{past}");
    let m = motion.momentum_at(past).unwrap();
    assert!(m.y.abs() < 1e-13 && (m.length() - 1.0).abs() < 1e-15, "{m:?}");
}

#[test]
fn times_and_numbers_out_of_range_are_typed_errors() {
    let fine = motion([1.0, 2.0, 3.0], [0.3, 0.2, 0.1]);
    for t in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(fine.at(t), Err(FreeMotionError::Time { .. })));
        assert!(matches!(fine.next_flip(t), Err(FreeMotionError::Time { .. })));
    }
    for t in [1e15, -1e300, f64::MAX] {
        assert!(matches!(fine.at(t), Err(FreeMotionError::OutOfRange { field: "t", .. })));
    }
    let new = |inertia: [f64; 3], momentum: [f64; 3]| {
        let inertia = Inertia::principal_unphysical(inertia).unwrap();
        FreeMotion::new(&inertia, State::aligned(momentum).unwrap())
    };
    let ratio = new([1e-120, 1.0, 1.0], [1.0; 3]).unwrap_err();
    assert!(ratio.to_string().starts_with("inertia ratio = 1e120"), "{ratio}");
    assert!(new([1.0, 2.0, 3.0], [f64::MAX; 3]).is_err());
    assert!(new([1e-250; 3], [1e100; 3]).is_err());
    assert!(new([1e250; 3], [1e-100; 3]).is_err());
    assert!(new([1.0, 2.0, 3.0], [1e-290, 1.0, 1e-290]).is_err());
    assert!(new([1.0, 2.0, 3.0], [1e-260, 1.0, 1e-260]).is_ok());
    assert!(new([1.0, 2.0, 3.0], [1.0, 1e-320, 1e-320]).is_ok());
}
