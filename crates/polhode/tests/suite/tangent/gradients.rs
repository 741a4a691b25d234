//! Derivatives of period, precession and flips against differences of the numbers themselves.

use polhode::tangent::{Gradient, HeldQuantity};
use polhode::{FreeMotion, FreeMotionError, Inertia, State};

const TENSOR: [[f64; 3]; 3] = [[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]];

/// The number of a motion with its momentum and tensor changed, by the nine variables.
fn moved(tensor: [[f64; 3]; 3], m: [f64; 3], k: usize, by: f64) -> (Inertia, State) {
    let (mut tensor, mut m) = (tensor, m);
    if k < 3 {
        m[k] += by;
    } else {
        let (i, j) = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)][k - 3];
        tensor[i][j] += by;
        if i != j {
            tensor[j][i] += by;
        }
    }
    (Inertia::tensor(tensor).unwrap(), State::aligned(m).unwrap())
}

fn compare(
    what: &str,
    tensor: [[f64; 3]; 3],
    m: [f64; 3],
    number: impl Fn(&FreeMotion) -> f64,
    gradient: impl Fn(&FreeMotion) -> Gradient,
) {
    let at = |k: usize, by: f64| {
        let (inertia, state) = moved(tensor, m, k, by);
        number(&FreeMotion::new(&inertia, state).unwrap())
    };
    let (inertia, state) = moved(tensor, m, 0, 0.0);
    let motion = FreeMotion::new(&inertia, state).unwrap();
    let got = gradient(&motion);
    assert_eq!(got.held, HeldQuantity::Momentum);
    let size = number(&motion).abs();
    for k in 0..9 {
        // Of order 4, for the second derivatives grow next to the separatrix.
        let h = 1e-4;
        let want = (8.0 * (at(k, h) - at(k, -h)) - (at(k, 2.0 * h) - at(k, -2.0 * h))) / (12.0 * h);
        let entries = [got.momentum, got.inertia, got.inertia_off];
        let got = entries[k / 3][k % 3];
        assert!((got - want).abs() < 3e-10 * size.max(want.abs()), "{what} {k}: {got} {want}");
    }
}

#[test]
fn they_are_the_derivatives_of_the_numbers() {
    let symmetric = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]];
    for (tensor, m) in [
        (TENSOR, [0.4, -0.3, 0.9]),
        (TENSOR, [0.9, 0.8, -0.1]),
        ([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.5]], [0.3, 1.0, 0.2]),
        ([[2.5, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]], [0.7, 0.2, -1.0]),
    ] {
        compare("period", tensor, m, |f| f.period().unwrap(), |f| f.period_gradient().unwrap());
        compare("precession", tensor, m, FreeMotion::precession_rate, |f| {
            f.precession_rate_gradient().unwrap()
        });
        for t in [0.0, 11.0] {
            compare(
                "flip",
                tensor,
                m,
                |f| f.next_flip(t).unwrap().unwrap(),
                |f| f.next_flip_gradient(t).unwrap().1,
            );
        }
    }
    // A symmetric body: both are smooth there, also across the symmetry.
    let m = [0.4, -0.3, 0.9];
    compare("period", symmetric, m, |f| f.period().unwrap(), |f| f.period_gradient().unwrap());
    compare("precession", symmetric, m, FreeMotion::precession_rate, |f| {
        f.precession_rate_gradient().unwrap()
    });
}

#[test]
fn at_a_fixed_angular_velocity_the_momentum_moves_too() {
    let omega = [0.4, -0.3, 0.9];
    let at = |h: f64| {
        let inertia = Inertia::principal([1.0 + h, 1.4, 1.9]).unwrap();
        FreeMotion::from_omega(&inertia, omega, glam::DQuat::IDENTITY).unwrap()
    };
    let got = at(0.0).period_gradient().unwrap();
    assert_eq!(got.held, HeldQuantity::AngularVelocity);
    let want = (at(1e-5).period().unwrap() - at(-1e-5).period().unwrap()) / 2e-5;
    assert!((got.inertia[0] - want).abs() < 1e-7, "{} {want}", got.inertia[0]);
    let (_, by) = at(0.0).inertia_tangent_at(3.0).unwrap();
    assert_eq!(by.held, HeldQuantity::AngularVelocity);
    let dm = (at(1e-5).at(3.0).unwrap().m - at(-1e-5).at(3.0).unwrap().m) / 2e-5;
    assert!((by.inertia[0][0] - dm.x).abs() < 1e-8, "{} {}", by.inertia[0][0], dm.x);
}

#[test]
fn where_there_is_none_an_error_says_so() {
    let inertia = Inertia::principal([4.0, 5.0, 9.0]).unwrap();
    for m in [[4.0, 1.0, 3.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]] {
        let motion = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap();
        for error in [motion.period_gradient(), motion.precession_rate_gradient()] {
            let error = error.unwrap_err();
            assert!(matches!(error, FreeMotionError::NoDerivative { .. }), "{error}");
            assert!(error.to_string().contains("separatrix"), "{error}");
        }
    }
    // Past its only flip.
    let motion = FreeMotion::new(&inertia, State::aligned([4.0, 1.0, 3.0]).unwrap()).unwrap();
    let after = motion.next_flip(-1e3).unwrap().unwrap() + 1.0;
    assert!(motion.next_flip_gradient(after).is_err());
    assert!(motion.next_flip_gradient(after - 2.0).is_ok());
}

#[test]
fn far_along_the_separatrix_derivatives_end_in_an_error() {
    let inertia = Inertia::principal([4.0, 5.0, 9.0]).unwrap();
    let motion = FreeMotion::new(&inertia, State::aligned([4.0, 1.0, 3.0]).unwrap()).unwrap();
    assert!(motion.tangent_at(100.0).is_ok());
    // Once they are out of range they stay so.
    let mut t = 100.0;
    while motion.tangent_at(t).is_ok() {
        t += 10.0;
    }
    assert!(t < 4000.0);
    while t < 1e6 {
        let error = motion.tangent_at(t).unwrap_err().to_string();
        assert!(error.contains("grow exponentially"), "t = {t}: {error}");
        t *= 1.01;
    }
}
