//! Infinite arguments, domains, and what an error says.

use core::f64::consts::FRAC_PI_2;

use polhode_elliptic::{
    DomainError, Parameter, agm, amplitude, cel, complete_b, complete_d, complete_e, complete_k,
    complete_pi, incomplete_b, incomplete_d, incomplete_e, incomplete_f, incomplete_pi, inverse_cn,
    inverse_dn, inverse_nome, inverse_sn, jacobi, jacobi_zeta, nome, rc, rd, rf, rg, rj, sn_cn_dn,
    theta1, theta2, theta3, theta4,
};

#[test]
fn infinities_where_the_limit_exists() {
    let inf = f64::INFINITY;
    let m = Parameter::new;
    // m = -infinity: the root in the denominator, or in the numerator.
    assert_eq!((complete_k(inf).unwrap(), complete_e(m(-inf)).unwrap()), (0.0, inf));
    assert_eq!((complete_d(inf).unwrap(), complete_b(inf).unwrap()), (0.0, 0.0));
    assert_eq!((incomplete_f(1.0, inf).unwrap(), incomplete_e(-1.0, inf).unwrap()), (0.0, -inf));
    assert_eq!((complete_pi(inf, 0.5).unwrap(), complete_pi(m(inf), m(0.5)).unwrap()), (0.0, 0.0));
    assert_eq!(incomplete_pi(1.0, m(-inf), m(0.5)).unwrap(), 0.0);
    // Amplitudes without end.
    assert_eq!((incomplete_f(inf, 0.5).unwrap(), incomplete_e(-inf, 0.0).unwrap()), (inf, -inf));
    assert_eq!(incomplete_pi(inf, m(2.0), m(0.5)).unwrap(), -inf);
    assert_eq!((amplitude(-inf, 0.5).unwrap(), amplitude(inf, 0.0).unwrap()), (-inf, FRAC_PI_2));
    let j = jacobi(-inf, 0.0).unwrap();
    assert_eq!((j.sn, j.cn, j.dn), (-1.0, 0.0, 0.0));
    // n = 1: no principal value past pi/2.
    assert_eq!(incomplete_pi(2.0, m(1.0), m(0.5)).unwrap(), inf);
    assert_eq!(incomplete_pi(-2.0, m(1.0), m(0.5)).unwrap(), -inf);
    assert_eq!(complete_pi(m(2.0), m(1.0)).unwrap(), -inf);
    // Carlson's.
    assert_eq!((rf(0.0, 0.0, 1.0).unwrap(), rf(inf, 1.0, 0.0).unwrap()), (inf, 0.0));
    assert_eq!(
        (rc(1.0, 0.0).unwrap(), rc(inf, 1.0).unwrap(), rc(1.0, -inf).unwrap()),
        (inf, 0.0, 0.0)
    );
    assert_eq!((rd(1.0, 1.0, 0.0).unwrap(), rd(1.0, 1.0, inf).unwrap()), (inf, 0.0));
    assert_eq!((rj(1.0, 2.0, 3.0, 0.0).unwrap(), rj(1.0, 2.0, 3.0, -inf).unwrap()), (inf, 0.0));
    assert_eq!((rg(0.0, 0.0, 0.0).unwrap(), rg(0.0, 1.0, inf).unwrap()), (0.0, inf));
    // Bulirsch's.
    assert_eq!(cel(inf, 1.0, 1.0, 1.0).unwrap(), 0.0);
    assert_eq!(cel(-inf, -2.0, 1.0, 1.0).unwrap(), 0.0);
    assert_eq!((cel(0.5, inf, 1.0, 1.0).unwrap(), cel(0.5, -inf, 1.0, 1.0).unwrap()), (0.0, 0.0));
    assert_eq!((cel(inf, 0.0, 1.0, 0.0).unwrap(), cel(0.0, inf, 1.0, 0.0).unwrap()), (0.0, 0.0));
    assert_eq!((cel(0.5, 2.0, inf, 1.0).unwrap(), cel(0.5, 2.0, 1.0, -inf).unwrap()), (inf, -inf));
    // At p < 0 the weight of sin² is negative.
    assert_eq!(cel(0.5, -2.0, 1.0, inf).unwrap(), -inf);
    assert_eq!(cel(inf, 0.0, 1.0, 1.0).unwrap_err().argument, "kc");
    assert_eq!(cel(0.0, inf, 1.0, 1.0).unwrap_err().argument, "p");
    assert_eq!(cel(0.5, inf, 1.0, inf).unwrap_err().argument, "p");
    assert_eq!(cel(0.5, 1.0, inf, -inf).unwrap_err().argument, "a");
    // An infinity against a divergence.
    assert_eq!(rf(0.0, 0.0, inf).unwrap_err().argument, "z");
    assert_eq!(rd(inf, 1.0, 0.0).unwrap_err().argument, "x");
    assert_eq!((nome(m(1.0)).unwrap(), nome(inf).unwrap()), (1.0, -1.0));
    assert_eq!((theta1(inf, 0.0).unwrap(), theta3(-inf, 0.0).unwrap()), (0.0, 1.0));
    assert_eq!((theta2(inf, 0.0).unwrap(), theta4(inf, 0.0).unwrap()), (0.0, 1.0));
    let (one, far) = (inverse_nome(1.0).unwrap(), inverse_nome(-1.0).unwrap());
    assert_eq!((one.value(), one.complement(), far.value()), (1.0, 0.0, -inf));
}

#[test]
fn jacobi_functions_of_infinities() {
    let (inf, m) = (f64::INFINITY, Parameter::new);
    // m to infinity: the amplitude swings within asin(1/sqrt(m)), and dn is any number from -1 to 1.
    for u in [0.5, -3.0, 1e300, inf, -inf] {
        let (j, am) = (sn_cn_dn(u, m(inf)).unwrap(), amplitude(u, m(inf)).unwrap());
        assert_eq!((j.sn, j.cn, am, j.nc(), j.sc()), (0.0, 1.0, 0.0, 1.0, 0.0), "{u}");
        assert_eq!(j.sn.is_sign_negative(), u < 0.0);
        for none in [j.dn, j.ns(), j.nd(), j.sd(), j.cd(), j.cs(), j.ds(), j.dc()] {
            assert!(none.is_nan(), "{u}: {none}");
        }
    }
    // m to minus infinity: it turns ever faster.
    assert_eq!((amplitude(0.5, inf).unwrap(), amplitude(-1e-300, inf).unwrap()), (inf, -inf));
    assert_eq!(jacobi(0.5, inf).unwrap_err().argument, "mc");
    // u without end: dn is constant at m = 0, and cn/dn at m = 1.
    let j = sn_cn_dn(inf, m(0.0)).unwrap();
    assert!(j.sn.is_nan() && j.cn.is_nan() && j.ds().is_nan());
    assert_eq!((j.dn, j.nd(), amplitude(-inf, m(0.0)).unwrap()), (1.0, 1.0, -inf));
    for u in [1.0, 800.0, -800.0, inf, -inf] {
        let j = sn_cn_dn(u, m(1.0)).unwrap();
        assert_eq!((j.cd(), j.dc()), (1.0, 1.0), "{u}");
    }
    assert_eq!(amplitude(inf, m(2.0)).unwrap_err().argument, "u");
    // u = 0 is zero whatever m.
    for m in [m(inf), m(-inf)] {
        let j = jacobi(0.0, m).unwrap();
        assert_eq!((j.am, j.sn, j.cn, j.dn), (0.0, 0.0, 1.0, 1.0));
    }
}

#[test]
fn inverse_functions_and_zeta_of_infinities() {
    let (inf, m) = (f64::INFINITY, Parameter::new);
    assert_eq!((inverse_sn(0.5, m(-inf)).unwrap(), inverse_sn(-1.0, m(-inf)).unwrap()), (0.0, 0.0));
    assert_eq!((inverse_cn(0.5, m(-inf)).unwrap(), inverse_cn(-1.0, m(-inf)).unwrap()), (0.0, 0.0));
    assert_eq!((inverse_dn(1.0, m(-inf)).unwrap(), inverse_dn(7.0, m(-inf)).unwrap()), (0.0, 0.0));
    assert_eq!((inverse_sn(0.0, m(inf)).unwrap(), inverse_cn(1.0, m(inf)).unwrap()), (0.0, 0.0));
    assert_eq!((inverse_dn(0.3, m(inf)).unwrap(), inverse_dn(-1.0, m(inf)).unwrap()), (0.0, 0.0));
    for refused in [
        inverse_sn(0.5, m(inf)),
        inverse_sn(1.5, m(-inf)),
        inverse_cn(0.5, m(inf)),
        inverse_cn(-2.0, m(-inf)),
        inverse_dn(0.5, m(-inf)),
        inverse_dn(inf, m(-inf)),
        inverse_dn(1.5, m(inf)),
    ] {
        assert_eq!(refused.unwrap_err().argument, "x");
    }
    // Z goes as -sqrt(-m) cos phi.
    assert_eq!((jacobi_zeta(1.0, inf).unwrap(), jacobi_zeta(2.0, inf).unwrap()), (-inf, inf));
    assert_eq!((jacobi_zeta(0.0, inf).unwrap(), jacobi_zeta(inf, m(0.0)).unwrap()), (0.0, 0.0));
}

#[test]
fn integrals_of_two_infinities() {
    let (inf, m) = (f64::INFINITY, Parameter::new);
    // Zero times infinity has no limit, the other products have.
    assert_eq!(incomplete_f(inf, m(-inf)).unwrap_err().argument, "phi");
    assert_eq!(incomplete_e(-inf, m(-inf)).unwrap(), -inf);
    // Short of the pole at pi/2 the root is all that counts.
    assert_eq!(incomplete_pi(0.5, m(1.0), m(-inf)).unwrap(), 0.0);
    assert_eq!(incomplete_pi(2.0, m(1.0), m(-inf)).unwrap(), inf);
}

#[test]
fn the_parameters_of_nomes_next_to_minus_one() {
    // mpmath. One over the complement is next to the greatest double, or beyond it.
    for (q, m) in [
        (-0.98587, -9.912189848722071e299),
        (-0.98602, -1.7825286060460948e303),
        (-0.9862, -1.7794088333241411e307),
    ] {
        let p = inverse_nome(q).unwrap();
        assert!((p.value() / m - 1.0).abs() < 1e-12, "{q}: {}", p.value());
        assert_eq!(p.complement(), -p.value());
    }
    for q in [-0.9863, -0.99, -1.0 + f64::EPSILON] {
        let p = inverse_nome(q).unwrap();
        assert_eq!((p.value(), p.complement()), (f64::NEG_INFINITY, f64::INFINITY), "{q}");
    }
}

#[test]
fn errors_name_what_was_given() {
    let error = complete_k(Parameter::new(2.0)).unwrap_err();
    assert_eq!((error.argument, error.value), ("m", 2.0));
    let error = complete_k(-1.0).unwrap_err();
    assert_eq!((error.argument, error.value), ("mc", -1.0));
    let error = incomplete_pi(1.0, Parameter::new(f64::NAN), 0.5).unwrap_err();
    assert_eq!(error.argument, "n");
    let text = incomplete_f(1.0, Parameter::new(2.0)).unwrap_err().to_string();
    assert!(text.contains("incomplete_f: m = 2.0") && text.contains("complex"), "{text}");
}

#[test]
fn domains_are_typed_errors() {
    fn refused<T: core::fmt::Debug>(result: Result<T, DomainError>, argument: &str) {
        assert_eq!(result.unwrap_err().argument, argument);
    }
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for bad in [nan, -0.1] {
        // m > 1, which is complex here.
        refused(complete_k(bad), "mc");
        refused(complete_e(bad), "mc");
        refused(complete_d(bad), "mc");
        refused(complete_b(bad), "mc");
        refused(complete_pi(0.5, bad), "mc");
        refused(incomplete_f(1.5, bad), "mc");
        refused(incomplete_e(1.5, bad), "mc");
        refused(incomplete_d(2.0, bad), "mc");
        refused(incomplete_b(inf, bad), "mc");
        refused(incomplete_pi(1.5, 0.5, bad), "mc");
        refused(jacobi_zeta(1.0, bad), "mc");
        refused(nome(bad), "mc");
    }
    for bad in [nan, inf] {
        refused(jacobi(1.0, bad), "mc");
        refused(sn_cn_dn(1.0, bad), "mc");
    }
    for bad in [nan, inf, -inf] {
        refused(jacobi(bad, 0.5), "u");
        refused(sn_cn_dn(bad, 0.5), "u");
        refused(jacobi_zeta(bad, 0.5), "phi");
        refused(theta1(bad, 0.5), "z");
        refused(theta4(0.5, bad), "q");
    }
    refused(inverse_sn(0.5, nan), "mc");
    refused(cel(1.0, nan, 1.0, 1.0), "p");
    refused(jacobi(nan, 0.0), "u");
    refused(incomplete_f(nan, 0.5), "phi");
    refused(incomplete_e(nan, 0.5), "phi");
    refused(incomplete_pi(nan, 0.5, 0.5), "phi");
    refused(incomplete_pi(1.0, nan, 0.5), "nc");
    refused(complete_pi(nan, 0.5), "nc");
    refused(jacobi(1e300, 0.5), "u");
    refused(theta1(0.5, -0.1), "q");
    refused(theta3(0.5, -1.0), "q");
    refused(inverse_nome(1.1), "q");
    // Beyond the range of the function that is inverted.
    refused(inverse_sn(1.1, 0.5), "x");
    refused(inverse_sn(0.9, -1.0), "x");
    refused(inverse_cn(-1.1, 0.5), "x");
    refused(inverse_cn(-0.5, -1.0), "x");
    refused(inverse_dn(0.5, 0.5), "x");
    refused(inverse_dn(0.9, 2.0), "x");
    refused(inverse_dn(0.9, 1.0), "x");
    for bad in [nan, -1.0] {
        refused(rf(bad, 1.0, 2.0), "x");
        refused(rf(1.0, bad, 2.0), "y");
        refused(rf(1.0, 2.0, bad), "z");
        refused(rd(bad, 1.0, 2.0), "x");
        refused(rd(1.0, 2.0, bad), "z");
        refused(rg(1.0, 2.0, bad), "z");
        refused(rc(bad, 1.0), "x");
        refused(rj(1.0, bad, 3.0, 1.0), "y");
        refused(agm(1.0, bad), "b");
    }
    refused(rc(1.0, nan), "y");
    refused(rj(1.0, 2.0, 3.0, nan), "p");
    refused(cel(nan, 1.0, 1.0, 1.0), "kc");
}
