//! `FreeMotion` against the reference solutions of `oracle/`.

use polhode::{FreeMotion, Inertia, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::oracle::{self, FreeCase};
use polhode_verify::taylor::{momentum_error, quaternion_distance};

/// The larger of the errors of momentum (relative) and signed quaternion. The matrix, twice as
/// sensitive as the quaternion, is checked to 2e-15.
fn error(case: &FreeCase) -> f64 {
    let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
    let start = State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap();
    let state = FreeMotion::new(&inertia, start).unwrap().at(case.t).unwrap();
    let matrix = so3::to_rows(state.q);
    let entry = |(got, want): (f64, Dd)| (Dd::from(got) - want).hi().abs();
    let matrix_error = matrix.into_iter().zip(case.attitude).map(entry).fold(0.0, f64::max);
    assert!(matrix.iter().all(|x| x.is_finite()), "{}: {matrix:?}", case.name);
    assert!(matrix_error <= 2e-15, "{}: matrix {matrix_error:e}", case.name);
    momentum_error(state.m.to_array(), case.momentum)
        .max(quaternion_distance(state.attitude(), case.quaternion))
}

#[test]
fn free_cases_are_reached() {
    let cases = oracle::free_cases();
    assert_eq!(cases.len(), 227);
    for case in cases {
        // Promised: max(4e-15, 8 ulp_sensitivity). No case needs the second, nor more than 1e-15.
        let error = error(case);
        assert!(error <= 1e-15, "{}: {error:e}", case.name);
    }
}

#[test]
fn long_cases_are_reached() {
    let cases = oracle::long_cases();
    assert_eq!(cases.len(), 30);
    for case in cases {
        // Promised: 1e-14 at 1e9 rad. The phase is reduced in double-double: no worse than short.
        let error = error(case);
        assert!(error <= 1e-15, "{}: {error:e}", case.name);
    }
}
