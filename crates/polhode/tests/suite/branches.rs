//! The sign of the quaternion, and starts on the planes where a half period begins or ends.

use polhode::{FreeMotion, Inertia, State, so3};
use polhode_testkit::bodies::{BodyClass, Rng, body};
use polhode_verify::taylor::{FreeReference, momentum_error, quaternion_distance};

fn check(inertia: [f64; 3], momentum: [f64; 3], attitude: [f64; 4], times: &[f64]) {
    let body = Inertia::principal_unphysical(inertia).unwrap();
    let start = State::new(momentum, so3::from_wxyz(attitude)).unwrap();
    let motion = FreeMotion::new(&body, start).unwrap();
    let reference = FreeReference::new(inertia, momentum, attitude);
    for &t in times {
        let (m, q) = reference.at(t);
        let state = motion.at(t).unwrap();
        let error =
            momentum_error(state.m.to_array(), m).max(quaternion_distance(state.attitude(), q));
        assert!(error <= 1e-15, "{inertia:?} {momentum:?} t = {t:e}: {error:e}");
    }
}

const TIMES: [f64; 6] = [1e-300, 1e-6, -1e-6, 0.5, -3.0, 20.0];
const ALIGNED: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

#[test]
fn momenta_in_a_coordinate_plane() {
    for (inertia, momentum) in [
        ([1.0, 2.0, 3.0], [0.01, 10.0, 0.0]),
        ([1.0, 2.0, 2.8], [0.02, 8.0, 0.0]),
        ([3.0, 1.0, 4.0], [-5.0, 1.0, 0.0]),
        ([4.0, 5.0, 8.0], [0.0, -4.0, 1.0]),
        ([5.0, 6.0, 11.0], [0.0, -5.0, 2.0]),
        ([3.0, 1.0, 4.0], [-5.0, 1.0, 6.123233995736766e-17]),
        ([1.0, 2.0, 2.8], [1e-150, 10.0, 0.0]),
    ] {
        check(inertia, momentum, ALIGNED, &TIMES);
    }
    let mut rng = Rng::new(21);
    for class in [BodyClass::Generic, BodyClass::Flat, BodyClass::NearSymmetricOblate(1e-3)] {
        for zero in 0..3 {
            for _ in 0..30 {
                let mut body = body(class, &mut rng);
                body.momentum[zero] = 0.0;
                let unit = body.time_for(1.0);
                check(body.inertia, body.momentum, body.attitude, &TIMES.map(|t| t * unit));
            }
        }
    }
}

#[test]
fn times_at_the_ends_of_half_periods() {
    // The doubles next to the moments at which the momentum passes a coordinate plane.
    let mut rng = Rng::new(22);
    for _ in 0..60 {
        let body = body(BodyClass::Generic, &mut rng);
        let inertia = Inertia::principal(body.inertia).unwrap();
        let start = State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap();
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let quarter = 0.25 * motion.period().unwrap();
        let flip = motion.next_flip(0.0).unwrap().unwrap();
        for n in -6..6 {
            let mut t = flip + f64::from(n) * quarter;
            for _ in 0..20 {
                t = t.next_down();
            }
            let mut before = motion.at(t).unwrap();
            for _ in 0..40 {
                t = t.next_up();
                let now = motion.at(t).unwrap();
                assert!(before.q.dot(now.q) > 0.99, "the sign jumps at t = {t:e}");
                before = now;
            }
        }
    }
}

#[test]
fn a_tiny_spin_about_the_axis_of_a_symmetric_top() {
    // Its square underflows: not a motion on the separatrix.
    for tiny in [1e-140, 9.1e-163, 1e-200] {
        let (inertia, momentum) = ([0.95, 1.9, 0.95], [-0.57, tiny, -3.6e-6]);
        let body = Inertia::principal(inertia).unwrap();
        let motion = FreeMotion::new(&body, State::aligned(momentum).unwrap()).unwrap();
        let state = motion.at(336015.5).unwrap();
        let drift = state.spatial_momentum() - motion.start().spatial_momentum();
        assert!(drift.length() < 1e-15, "{tiny:e}: {:e}", drift.length());
    }
}

#[test]
fn an_angular_velocity_is_not_rounded() {
    let inertia = Inertia::principal([1.0, 2.0, 2.8]).unwrap();
    let aligned = so3::from_wxyz(ALIGNED);
    // 3 * 2.8 / 2.8 is not 3; the rotation by 3e9 rad is known all the same.
    let motion = FreeMotion::from_omega(&inertia, [0.0, 0.0, 3.0], aligned).unwrap();
    assert!((motion.at(1e9).unwrap().q.w - libm::cos(1.5e9)).abs() < 3e-16);
    assert_eq!(motion.precession_rate(), 3.0);
    // Exactly about the middle axis of a full tensor: it stays there.
    let tensor = [[2.5, 0.5, 0.0], [0.5, 2.5, 0.0], [0.0, 0.0, 4.0]];
    let tensor = Inertia::tensor(tensor).unwrap();
    let motion = FreeMotion::from_omega(&tensor, [1.0, 1.0, 0.0], aligned).unwrap();
    assert_eq!(motion.start().m.to_array(), [3.0, 3.0, 0.0]);
    assert_eq!(motion.regime().name(), "steady");
    // Ill-conditioned, and still the digits of what was given.
    let flat = [[0.500005, -0.499995, 0.0], [-0.499995, 0.500005, 0.0], [0.0, 0.0, 1.0]];
    let flat = Inertia::tensor_unphysical(flat).unwrap();
    let m = flat.momentum([1.0, 2.0, 3.0]);
    let back = flat.omega(m) - glam::DVec3::new(1.0, 2.0, 3.0);
    // The momentum is rounded, and its inverse is 1e5 times as sensitive.
    assert!(back.length() < 1e5 * 4e-16, "{back:?}");
    let (m1, m2) = (flat.momentum([1.0, 1.0, 0.0]).x, flat.momentum([1.0, 1.0, 0.0]).y);
    assert_eq!(m1, m2);
}

#[test]
fn a_symmetric_tensor_is_symmetric() {
    let tensor = [[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    let inertia = Inertia::tensor(tensor).unwrap();
    let regime = |m: [f64; 3]| {
        FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap().regime().name()
    };
    assert_eq!(regime([1.0, 2.0, -3.0]), "symmetric-top");
    assert_eq!(regime([1.0, 1.0, 0.5]), "steady");
}

#[test]
fn a_momentum_that_underflows_is_refused() {
    let inertia = Inertia::principal([1e-300, 2e-300, 2.8e-300]).unwrap();
    let aligned = so3::from_wxyz(ALIGNED);
    let error = State::from_omega(&inertia, [1e-30, 5e-30, 0.0], aligned).unwrap_err();
    assert!(error.to_string().contains("range of doubles"), "{error}");
}

#[test]
fn a_wobble_of_any_size_about_the_middle_axis() {
    // (w, 1, -w/2): the time of the first flip is that of w = 1e-100 plus ln(1e-100/w)/lambda, for
    // the start grows by e^(lambda t) and nothing else changes. And what happens then is the same.
    let inertia = Inertia::principal([1.0, 2.0, 3.0]).unwrap();
    let lambda = (1.0 * 1.0 / (1.0 * 3.0f64)).sqrt() / 2.0;
    let motion =
        |w: f64| FreeMotion::new(&inertia, State::aligned([w, 1.0, -0.5 * w]).unwrap()).unwrap();
    let first = |w: f64| motion(w).next_flip(0.0).unwrap().unwrap();
    let reference = first(2f64.powi(-332));
    for n in [340, 400, 500, 515, 600, 700, 800, 890] {
        let w = 2f64.powi(-n);
        let want = reference + f64::from(n - 332) * core::f64::consts::LN_2 / lambda;
        assert!((first(w) / want - 1.0).abs() < 1e-15, "2^-{n}: {} {want}", first(w));
        let (a, b) =
            (motion(w).at(first(w)).unwrap(), motion(2f64.powi(-332)).at(reference).unwrap());
        // The time of the flip is rounded: an ulp of 1e3.
        assert!((a.m - b.m).length() < 1e-12, "2^-{n}: {:?} {:?}", a.m, b.m);
    }
    // One-sided wobbles.
    for m in [[1e-200, 1.0, 0.0], [0.0, 1.0, 1e-200]] {
        let motion = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap();
        let flip = motion.next_flip(0.0).unwrap().unwrap();
        assert!((flip * lambda - 200.0 * 10f64.ln()).abs() < 3.0, "{flip}");
    }
}

#[test]
fn the_side_of_the_separatrix_needs_more_than_double_double() {
    let inertia = Inertia::principal([1.0491606779558809, 1.5225360967782189, 1.938558069669709]);
    let m = [0.6692545608442798, 0.23291592783854753, -0.9704082073619513];
    let motion = FreeMotion::new(&inertia.unwrap(), State::aligned(m).unwrap()).unwrap();
    // 1 - 2 T I2/|m|² in rational arithmetic; two double-doubles of order one leave ten digits.
    let want = 1.874_268_606_105_032_2e-22;
    let got = motion.separatrix_distance().unwrap();
    assert!((got / want - 1.0).abs() < 1e-15, "{got:e}");
}

#[test]
fn angular_acceleration_of_a_nearly_spherical_body() {
    for d in [1e-4, 1e-8, 1e-12, 1e-15] {
        let moments = [1.0, 1.0 + d, 1.0 + 2.0 * d];
        let inertia = Inertia::principal(moments).unwrap();
        let m = [0.3, -0.5, 0.7];
        let motion = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap();
        let got = motion.angular_acceleration_at(0.0).unwrap();
        // m_j m_k (I_j - I_k)/(I_1 I_2 I_3), the differences of these doubles being exact.
        let product = moments[0] * moments[1] * moments[2];
        let entry = |j: usize, k: usize| m[j] * m[k] * (moments[j] - moments[k]) / product;
        let want = glam::DVec3::new(entry(1, 2), entry(2, 0), entry(0, 1));
        assert!((got - want).length() < 2e-15 * want.length(), "{d:e}: {got:?} {want:?}");
    }
    let sphere = Inertia::principal([1.7; 3]).unwrap();
    let steady = FreeMotion::new(&sphere, State::aligned([0.1, 0.2, 0.3]).unwrap()).unwrap();
    assert_eq!(steady.angular_acceleration_at(3.0).unwrap(), glam::DVec3::ZERO);
}
