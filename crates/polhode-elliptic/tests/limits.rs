//! Exact limits, the whole real line, domains, and loops that end.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

use core::f64::consts::{FRAC_PI_2, PI};

use polhode_elliptic::{
    Dd, DomainError, agm, cel, complete_e, complete_k, complete_pi, incomplete_e, incomplete_f,
    incomplete_pi, jacobi, rc, rd, rf, rj,
};
use proptest::prelude::*;

fn close(got: f64, want: f64, eps: f64) {
    assert!((got - want).abs() <= eps * f64::EPSILON * want.abs(), "{got:e} for {want:e}");
}

#[test]
fn jacobi_at_the_ends() {
    for u in [-800.0, -3.0, -1e-9, 0.0, 0.5, 1.0, 20.0, 710.0, 1e9] {
        let j = jacobi(u, 0.0).unwrap();
        close(j.sn, u.tanh(), 1.0);
        close(j.cn, if u.abs() > 700.0 { 2.0 * (-u.abs()).exp() } else { 1.0 / u.cosh() }, 2.0);
        assert_eq!(j.cn, j.dn);
        close(j.am, 2.0 * (0.5 * u).tanh().atan(), 2.0);
        let j = jacobi(u, 1.0).unwrap();
        assert_eq!((j.am, j.sn, j.cn, j.dn), (u, libm::sin(u), libm::cos(u), 1.0));
    }
}

#[test]
fn jacobi_beside_the_ends_is_continuous() {
    for u in [-2.0, 0.3, 1.0, 5.0] {
        let (at, near) = (jacobi(u, 0.0).unwrap(), jacobi(u, 1e-300).unwrap());
        for (a, b) in [(at.am, near.am), (at.sn, near.sn), (at.cn, near.cn), (at.dn, near.dn)] {
            close(b, a, 8.0);
        }
        let (at, near) = (jacobi(u, 1.0).unwrap(), jacobi(u, 1.0 - f64::EPSILON / 2.0).unwrap());
        for (a, b) in [(at.am, near.am), (at.sn, near.sn), (at.cn, near.cn), (at.dn, near.dn)] {
            assert!((a - b).abs() < 4.0 * f64::EPSILON, "{u}");
        }
    }
}

#[test]
fn where_scipy_fails() {
    // ellipj(100, 1 - 1e-10) gives 1.000000000025 and ellipj(1000, 1 - 1e-10) NaN;
    // the values are mpmath's, for mc = 1e-10 exactly.
    for (u, sn) in [(100.0, -0.9966407954137612), (1000.0, 0.9999906968087773)] {
        let j = jacobi(u, 1e-10).unwrap();
        assert!((j.sn - sn).abs() < 3e-16, "u = {u}: {}", j.sn);
    }
}

#[test]
fn huge_arguments_keep_their_phase() {
    // 1e9 periods of sn, of an argument that is a whole number of quarter periods to its rounding.
    for mc in [0.3, 1e-5, 0.999] {
        let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt()).unwrap();
        for periods in [1.0, 1e3, 1e6, 2.5e8] {
            let exact = quarter * (4.0 * periods + 1.0);
            let j = jacobi(exact.hi(), mc).unwrap();
            // cn is kc times what the rounding of u leaves; sn = 1 to second order in that.
            let want = mc.sqrt() * exact.lo();
            assert!((j.sn - 1.0).abs() < 4e-16 + want * want);
            assert!(
                (j.cn - want).abs() <= 1e-15 * (1.0 + want.abs()),
                "{mc} {periods}: {} {want}",
                j.cn
            );
            close(j.am, (2.0 * periods + 0.5) * PI, 1.0);
        }
    }
}

#[test]
fn complete_integrals_at_the_ends() {
    assert_eq!(complete_k(1.0).unwrap(), FRAC_PI_2);
    assert_eq!(complete_e(1.0).unwrap(), FRAC_PI_2);
    assert_eq!(complete_k(0.0).unwrap(), f64::INFINITY);
    assert_eq!(complete_e(0.0).unwrap(), 1.0);
    assert_eq!(complete_pi(0.0, 0.5).unwrap(), f64::INFINITY);
    assert_eq!(complete_pi(0.5, 0.0).unwrap(), f64::INFINITY);
    // n = 0 is the first kind; mc = 1 is elementary: pi/(2 sqrt(nc)).
    close(complete_pi(1.0, 0.19).unwrap(), complete_k(0.19).unwrap(), 4.0);
    close(complete_pi(0.25, 1.0).unwrap(), PI, 4.0);
    close(complete_pi(1e12, 1.0).unwrap(), FRAC_PI_2 * 1e-6, 4.0);
    // K ~ ln(4/kc) as kc -> 0.
    close(complete_k(1e-300).unwrap(), 4f64.ln() + 150.0 * 10f64.ln(), 2.0);
}

#[test]
fn incomplete_integrals_at_the_ends() {
    for phi in [-1.5, -0.2, 1e-12, 0.7, 1.5] {
        let gudermann = (0.5 * phi + 0.25 * PI).tan().ln();
        let f = incomplete_f(phi, 0.0).unwrap();
        assert!((f - gudermann).abs() < 1e-14, "{phi}");
        assert_eq!(incomplete_e(phi, 0.0).unwrap(), libm::sin(phi));
        close(incomplete_f(phi, 1.0).unwrap(), phi, 2.0);
        close(incomplete_e(phi, 1.0).unwrap(), phi, 3.0);
        // mc = 1: atan(sqrt(nc) tan phi)/sqrt(nc).
        for nc in [0.25, 4.0] {
            let root = f64::sqrt(nc);
            close(incomplete_pi(phi, nc, 1.0).unwrap(), (root * phi.tan()).atan() / root, 6.0);
        }
    }
    assert_eq!(incomplete_f(2.0, 0.0).unwrap(), f64::INFINITY);
    assert_eq!(incomplete_f(-2.0, 0.0).unwrap(), f64::NEG_INFINITY);
    close(incomplete_e(-2.0, 0.0).unwrap(), -2.0 + libm::sin(2.0), 2.0);
    for f in [incomplete_f, incomplete_e] {
        assert_eq!(f(0.0, 0.3).unwrap(), 0.0);
    }
}

#[test]
fn amplitude_and_first_kind_are_inverse() {
    for mc in [1e-20, 1e-3, 0.4, 0.99] {
        for u in [-7.0, -0.1, 0.4, 3.0, 12.0] {
            let j = jacobi(u, mc).unwrap();
            let back = incomplete_f(j.am, mc).unwrap();
            // F amplifies the rounding of am by 1/dn.
            let allowed = 8.0 * f64::EPSILON * (u.abs() + j.am.abs() / j.dn);
            assert!((back - u).abs() <= allowed, "{mc} {u}: {back}");
        }
    }
}

#[test]
fn n_above_one_up_to_the_pole_only() {
    // n = 2: the pole is at phi = pi/4.
    assert!(incomplete_pi(0.7, -1.0, 0.5).is_ok());
    let error = incomplete_pi(0.8, -1.0, 0.5).unwrap_err();
    assert_eq!((error.function, error.argument, error.value), ("incomplete_pi", "nc", -1.0));
    assert!(incomplete_pi(PI, -1.0, 0.5).is_err());
    assert!(incomplete_pi(1.0, 0.0, 0.5).is_ok());
}

#[test]
fn domains_are_typed_errors() {
    fn refused<T: core::fmt::Debug>(result: Result<T, DomainError>, argument: &str) {
        assert_eq!(result.unwrap_err().argument, argument);
    }
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    for bad in [nan, -0.1, 1.1, inf] {
        refused(jacobi(1.0, bad), "mc");
        refused(complete_k(bad), "mc");
        refused(complete_e(bad), "mc");
        refused(complete_pi(0.5, bad), "mc");
        refused(incomplete_f(1.0, bad), "mc");
        refused(incomplete_e(1.0, bad), "mc");
        refused(incomplete_pi(1.0, 0.5, bad), "mc");
    }
    for bad in [nan, inf, -inf] {
        refused(jacobi(bad, 0.5), "u");
        refused(incomplete_f(bad, 0.5), "phi");
        refused(incomplete_e(bad, 0.5), "phi");
        refused(incomplete_pi(bad, 0.5, 0.5), "phi");
        refused(incomplete_pi(1.0, bad, 0.5), "nc");
        refused(complete_pi(bad, 0.5), "nc");
    }
    refused(jacobi(1e300, 0.5), "u");
    for bad in [nan, inf, -1.0] {
        refused(rf(bad, 1.0, 2.0), "x");
        refused(rf(1.0, bad, 2.0), "y");
        refused(rf(1.0, 2.0, bad), "z");
        refused(rd(bad, 1.0, 2.0), "x");
        refused(rd(1.0, 2.0, bad), "z");
        refused(rc(bad, 1.0), "x");
        refused(rc(1.0, bad), "y");
        refused(rj(1.0, 2.0, 3.0, bad), "p");
        refused(cel(bad, 1.0, 1.0, 1.0), "kc");
        refused(agm(1.0, bad), "b");
    }
    refused(rf(0.0, 0.0, 1.0), "y");
    refused(rd(1.0, 1.0, 0.0), "z");
    refused(rc(1.0, 0.0), "y");
    refused(rj(1.0, 2.0, 3.0, 0.0), "p");
}

#[test]
fn extreme_arguments_of_carlson() {
    // Homogeneity, far out on both sides.
    for scale in [1e-279, 1e-100, 1e100, 1e279] {
        close(
            rf(scale, 2.0 * scale, 3.0 * scale).unwrap(),
            rf(1.0, 2.0, 3.0).unwrap() / scale.sqrt(),
            4.0,
        );
        close(rc(scale, 2.0 * scale).unwrap(), rc(1.0, 2.0).unwrap() / scale.sqrt(), 4.0);
    }
    let s = 1e99;
    close(
        rj(s, 2.0 * s, 3.0 * s, 4.0 * s).unwrap(),
        rj(1.0, 2.0, 3.0, 4.0).unwrap() / s / s.sqrt(),
        6.0,
    );
    close(rd(s, 2.0 * s, 3.0 * s).unwrap(), rd(1.0, 2.0, 3.0).unwrap() / s / s.sqrt(), 6.0);
    // RF(0, y, z) = (pi/2)/agm(sqrt y, sqrt z), 600 orders of magnitude apart.
    let agm = agm(1e-140, 1e140).unwrap();
    close(rf(0.0, 1e-280, 1e280).unwrap(), FRAC_PI_2 / agm, 4.0);
    assert!(rf(0.0, 1e-310, 1.0).is_err() && rj(1.0, 1.0, 1.0, 1e101).is_err());
    // In double-double the same numbers, further.
    let dd = |x: f64| Dd::from(x);
    let third = rf(dd(1.0), dd(1.0), dd(1.0)).unwrap() - Dd::ONE;
    assert!(third.hi().abs() < 1e-31);
    // RC(0, y) = pi/(2 sqrt y).
    let half_pi = rc(dd(0.0), dd(1.0)).unwrap() - Dd::FRAC_PI_2;
    assert!(half_pi.hi().abs() < 1e-30, "{half_pi:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn identities_on_the_whole_line(u in -1e4..1e4f64, exponent in 0.0..300.0f64) {
        let mc = 10f64.powf(-exponent);
        let j = jacobi(u, mc).unwrap();
        prop_assert!((j.sn * j.sn + j.cn * j.cn - 1.0).abs() < 2e-15);
        prop_assert!((j.dn * j.dn - (j.cn * j.cn + mc * j.sn * j.sn)).abs() < 2e-15);
        prop_assert!((libm::sin(j.am) - j.sn).abs() < 4e-16 * (1.0 + j.am.abs()));
        prop_assert!(j.dn > 0.0);
        let minus = jacobi(-u, mc).unwrap();
        prop_assert_eq!((minus.am, minus.sn, minus.cn, minus.dn), (-j.am, -j.sn, j.cn, j.dn));
    }

    #[test]
    fn every_finite_argument_ends(bits in prop::array::uniform4(any::<u64>())) {
        let [a, b, c, d] = bits.map(f64::from_bits);
        let finite = |x: Result<f64, DomainError>| x.is_err() || x.is_ok_and(|x| !x.is_nan());
        prop_assert!(finite(rf(a.abs(), b.abs(), c.abs())));
        prop_assert!(finite(rd(a.abs(), b.abs(), c.abs())));
        prop_assert!(finite(rc(a.abs(), b.abs())));
        prop_assert!(finite(rj(a.abs(), b.abs(), c.abs(), d.abs())));
        let mc = (d.abs().fract()).min(1.0);
        prop_assert!(jacobi(a, mc).is_ok_and(|j| j.sn.is_finite() && j.am.is_finite())
            || jacobi(a, mc).is_err());
        prop_assert!(finite(incomplete_f(a, mc)));
        prop_assert!(finite(incomplete_e(a, mc)));
        prop_assert!(finite(incomplete_pi(a, b, mc)));
        prop_assert!(finite(complete_pi(b, mc)));
    }
}
