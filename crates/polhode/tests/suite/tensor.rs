//! Full tensors: the same motion as along the principal axes, seen from another frame.

use glam::{DMat3, DQuat, DVec3};
use polhode::{FreeMotion, Inertia, InertiaError, State, so3};

/// Three times an orthogonal matrix with determinant one, of integers: with moments divisible by
/// nine and momenta by three nothing is rounded on the way into the other frame.
const THRICE: [[f64; 3]; 3] = [[1.0, -2.0, 2.0], [2.0, -1.0, -2.0], [2.0, 2.0, 1.0]];

fn turned_tensor(moments: [f64; 3]) -> [[f64; 3]; 3] {
    let entry = |r: usize, c: usize| {
        (0..3).map(|k| THRICE[r][k] * THRICE[c][k] * moments[k]).sum::<f64>() / 9.0
    };
    core::array::from_fn(|r| core::array::from_fn(|c| entry(r, c)))
}

fn matrix() -> DMat3 {
    let rows = THRICE.map(|r| DVec3::from_array(r) / 3.0);
    DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
}

#[test]
fn a_tensor_moves_as_its_principal_body_does() {
    for (moments, momentum) in [
        ([9.0, 18.0, 27.0], [3.0, 6.0, -9.0]),
        ([27.0, 9.0, 18.0], [3.0, 30.0, 6.0]),
        ([18.0, 18.0, 27.0], [3.0, 6.0, -9.0]),
        ([18.0, 18.0, 18.0], [3.0, 6.0, -9.0]),
        ([9.0, 18.0, 27.0], [0.0, 3.0, 0.0]),
    ] {
        let r = matrix();
        let turn = DQuat::from_mat3(&r);
        let principal = Inertia::principal(moments).unwrap();
        let tensor = Inertia::tensor(turned_tensor(moments)).unwrap();
        let q0 = so3::from_wxyz([0.5, -0.5, 0.5, 0.5]);
        let start = State::new(momentum, q0 * turn).unwrap();
        let turned = State::new(r * DVec3::from_array(momentum), q0).unwrap();
        let (a, b) = (
            FreeMotion::new(&principal, start).unwrap(),
            FreeMotion::new(&tensor, turned).unwrap(),
        );
        for t in [0.0, 1.0, 30.0, -5e3, 1e8] {
            let (a, b) = (a.at(t).unwrap(), b.at(t).unwrap());
            let m = (r * a.m - b.m).length() / a.m.length();
            // Two more roundings than without a tensor; none that grows with t.
            assert!(m < 2e-15, "{moments:?} t = {t}: momentum {m:e}");
            let q = (a.q * turn.conjugate() - b.q).length();
            assert!(q < 3e-15, "{moments:?} t = {t}: attitude {q:e}");
        }
        let omega = principal.omega(start.m);
        assert!((r * omega - tensor.omega(turned.m)).length() < 1e-15);
        let back = tensor.momentum(tensor.omega(turned.m)) - turned.m;
        assert!(back.length() < 1e-15 * turned.m.length());
    }
}

#[test]
fn a_diagonal_tensor_is_its_moments() {
    let tensor = Inertia::tensor([[3.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.5]]).unwrap();
    assert_eq!(tensor, Inertia::principal([3.0, 1.0, 2.5]).unwrap());
}

#[test]
fn any_units() {
    for scale in [1e-46, 1e-3, 1e30] {
        let rows = turned_tensor([9.0, 18.0, 27.0]).map(|r| r.map(|x| x * scale));
        let mut moments = Inertia::tensor(rows).unwrap().moments().to_array();
        moments.sort_by(f64::total_cmp);
        for (got, want) in moments.into_iter().zip([9.0, 18.0, 27.0]) {
            assert!((got / (want * scale) - 1.0).abs() < 1e-15, "{got:e} {want}");
        }
    }
}

#[test]
fn bad_inertia_is_named() {
    let error = |numbers: &[f64]| Inertia::from_slice(numbers, false).unwrap_err();
    assert!(matches!(error(&[1.0, 2.0]), InertiaError::WrongCount { count: 2 }));
    assert!(matches!(error(&[1.0, 0.0, 2.0]), InertiaError::NotPositive { .. }));
    assert!(matches!(error(&[1.0, -2.0, 2.0]), InertiaError::NotPositive { .. }));
    assert!(matches!(error(&[1.0, f64::NAN, 2.0]), InertiaError::NotFinite { position: 2, .. }));
    assert!(matches!(
        error(&[1.0, 2.0, f64::INFINITY]),
        InertiaError::NotFinite { position: 3, .. }
    ));
    assert!(matches!(error(&[1.0, 1.0, 3.0]), InertiaError::Impossible { .. }));
    assert!(Inertia::from_slice(&[1.0, 1.0, 3.0], true).is_ok_and(|i| !i.is_physical()));
    assert!(Inertia::from_slice(&[1.0, 1.0, 2.0 + 4.0 * f64::EPSILON], false).is_ok());
    let lopsided = [1.0, 0.1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0];
    let text = error(&lopsided).to_string();
    assert!(text.contains("(1,2) = 0.1") && text.contains("(2,1) = 0.2"), "{text}");
    let indefinite = [1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    assert!(matches!(error(&indefinite), InertiaError::NotPositive { .. }));
    let nan = [1.0, 0.0, 0.0, 0.0, 1.0, f64::NAN, 0.0, 0.0, 1.0];
    assert!(matches!(error(&nan), InertiaError::NotFinite { position: 6, .. }));
    assert!(matches!(error(&[0.0; 9]), InertiaError::NotPositive { .. }));
}

#[test]
fn tolerances_are_what_they_are_said_to_be() {
    // Symmetric to 1e-12 of the largest entry.
    let with =
        |gap: f64| Inertia::tensor([[2.0, 0.1 + gap, 0.0], [0.1, 2.0, 0.0], [0.0, 0.0, 3.0]]);
    assert!(with(2.9e-12).is_ok() && with(3.1e-12).is_err());
    // The triangle inequality to 8 ulp of the largest moment.
    let mut moment = 3.0f64;
    for ulps in 1..=9 {
        moment = moment.next_up();
        let physical = Inertia::principal([1.0, 2.0, moment]).is_ok();
        assert_eq!(physical, ulps <= 8, "{ulps} ulp");
    }
    // Entries that are finite, a moment that is not.
    let huge = [[1.7e308, 1.7e308, 0.0], [1.7e308, 1.7e308, 0.0], [0.0, 0.0, 1e308]];
    assert!(Inertia::tensor_unphysical(huge).is_err());
}
