//! Samples that cannot be checked.

use polhode::{Control, FreeMotionError, Inertia};
use polhode_verify::check::{
    self, Attitudes, CheckError, CheckOptions, CheckVerdict, Samples, VectorFrame,
};

use super::{exact_samples, report};

fn refused(change: impl Fn(&mut Samples)) -> CheckError {
    let (inertia, mut samples) = exact_samples();
    change(&mut samples);
    check::check_free(&samples, &inertia, &CheckOptions::default(), &Control::default())
        .unwrap_err()
}

#[test]
fn samples_that_make_no_sense() {
    assert_eq!(refused(|s| *s = Samples::default()), CheckError::TooFew { count: 0 });
    let e = refused(|s| s.times.truncate(399));
    assert_eq!(e, CheckError::Length { field: "momentum", given: 401, times: 399 });
    let e = refused(|s| s.momentum.as_mut().unwrap()[7][2] = f64::INFINITY);
    assert_eq!(e.to_string(), "sample 7: momentum holds inf; every number must be finite");
    let e = refused(|s| s.times[5] = s.times[4]);
    assert!(matches!(e, CheckError::Times { index: 5, .. }), "{e:?}");
    let e = refused(|s| s.times[399] = 1e9);
    assert!(matches!(e, CheckError::Times { index: 400, .. }), "{e:?}");
    assert_eq!(refused(|s| s.momentum = None), CheckError::NoMotion);
    let e = refused(|s| {
        s.attitude = None;
        s.momentum_frame = VectorFrame::Space;
    });
    assert_eq!(e, CheckError::SpaceWithoutAttitude { field: "momentum" });
    let e = refused(|s| {
        let Some(Attitudes::Quaternions(q)) = &mut s.attitude else { panic!() };
        q[3] = [0.0; 4];
    });
    assert_eq!(e, CheckError::NoAttitude { index: 3 });
    let singular = vec![[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0]; 401];
    let e = refused(|s| s.attitude = Some(Attitudes::Matrices(singular.clone())));
    assert_eq!(e, CheckError::NoAttitude { index: 0 });
}

#[test]
fn options_that_make_no_sense() {
    let (inertia, samples) = exact_samples();
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = CheckOptions::default().tolerance(tolerance);
        let e = check::check_free(&samples, &inertia, &options, &Control::default()).unwrap_err();
        assert!(matches!(e, CheckError::Option { field: "tolerance", .. }), "{e:?}");
    }
}

#[test]
fn motions_out_of_range_are_refused_and_explosions_are_wrong() {
    let (_, samples) = exact_samples();
    let flat = Inertia::principal_unphysical([1e-200, 1.0, 1.0]).unwrap();
    let e = check::check_free(&samples, &flat, &CheckOptions::default(), &Control::default())
        .unwrap_err();
    assert!(matches!(e, CheckError::Free(FreeMotionError::OutOfRange { .. })), "{e:?}");
    let (inertia, mut samples) = exact_samples();
    for (n, m) in samples.momentum.as_mut().unwrap().iter_mut().enumerate().skip(1) {
        *m = m.map(|x| (x * 10f64.powi(i32::try_from(n).unwrap())).clamp(-f64::MAX, f64::MAX));
    }
    let report = report(&samples, &inertia);
    assert_eq!(report.verdict, CheckVerdict::Wrong);
    let all = [report.energy, report.momentum_norm, report.spatial_momentum, report.momentum];
    assert!(all.iter().all(|d| d.unwrap().max.is_finite() && d.unwrap().slope.is_finite()));
}

#[test]
fn attitudes_whose_squares_overflow_are_wrong() {
    let (inertia, samples) = exact_samples();
    let mut quaternions = samples.clone();
    let Some(Attitudes::Quaternions(q)) = &mut quaternions.attitude else { panic!() };
    q[400][1] = 1e200;
    let mut rows = vec![[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; 401];
    rows[400] = [0.0, -1e200, 0.0, 1e200, 0.0, 0.0, 0.0, 0.0, 1e200];
    let matrices = samples.with(|s| s.attitude = Some(Attitudes::Matrices(rows)));
    for samples in [quaternions, matrices] {
        let report = report(&samples, &inertia);
        let defect = report.orthogonality.unwrap();
        assert_eq!((report.verdict, defect.max), (CheckVerdict::Wrong, f64::MAX));
        assert_eq!(defect.beyond, Some(samples.times[400]));
    }
}
