//! Exact limits, the whole real line, and loops that end.

use core::f64::consts::{FRAC_PI_2, PI};

use crate::support::close;
use polhode_elliptic::{
    Dd, DomainError, Parameter, Shift, Theta, agm, cel, complete_b, complete_d, complete_e,
    complete_k, complete_pi, incomplete_b, incomplete_d, incomplete_e, incomplete_f, incomplete_pi,
    inverse_cn, inverse_dn, inverse_nome, inverse_sn, jacobi, jacobi_zeta, nome, rc, rd, rf, rg,
    rj, sn_cn_dn, theta1, theta3,
};
use proptest::prelude::*;

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

/// (u, mc, \[sn, cn, dn\]), by mpmath: k next to one, and many periods.
const VALUES: [(f64, f64, [f64; 3]); 16] = [
    (0.75, 1e-12, [0.6351489523873343, 0.7723896738572259, 0.772389673857487]),
    (3.5, 1e-4, [0.9982024494811236, 0.05993221045385216, 0.06075780330870955]),
    (9.25, 1e-8, [0.9999999839405258, 0.00017921760021891067, 0.00020522901331691826]),
    (14.0, 1e-12, [0.9999999999988558, 1.5127319026919449e-6, 1.8133829737316118e-6]),
    (20.0, 1e-16, [1.0, -1.942257697745258e-9, 1.0186872187499494e-8]),
    (2.5, 0.0625, [0.9970850537614159, 0.07629807052340513, 0.26068670534330063]),
    (7.75, 0.03125, [-0.9059082465631804, -0.4234740237710265, 0.4527429497336741]),
    (-33.0, 1e-6, [0.17440458013254417, 0.9846740792916157, 0.9846740947368061]),
    (200.0, 0.25, [0.9586239836313349, 0.2846753554609007, 0.55747649592166]),
    (250.0, 0.75, [0.4827091265885699, 0.8757807368902903, 0.9704370019620155]),
    (255.0, 1e-200, [1.0, -6.950289559659594e-91, 6.950289559659594e-91]),
    (1000.0, 1e-100, [1.0, 6.653160846196023e-30, 6.653160846196023e-30]),
    (1e6, 1e-3, [-0.999028077413098, 0.04407834548039574, 0.054230596896483026]),
    (-1e9, 0.9, [-0.6094110296400477, 0.7928544613944333, 0.9812552265824145]),
    (340.0, 1e-300, [1.0, 4.374269949163495e-148, 4.374281379627379e-148]),
    (0.5, 0.9999999999999999, [0.479425538604203, 0.8775825618903728, 1.0]),
];

#[test]
fn next_to_k_1_and_far_out_no_digit_is_lost() {
    for (u, mc, [sn, cn, dn]) in VALUES {
        let j = sn_cn_dn(u, mc).unwrap();
        let absolute = |got: f64, want: f64| (got - want).abs() / f64::EPSILON;
        let errors = [absolute(j.sn, sn), absolute(j.cn, cn), absolute(j.dn, dn) / dn];
        assert!(errors.iter().all(|e| *e <= 2.0), "u = {u}, mc = {mc:e}: {errors:?} eps");
    }
}

#[test]
fn jacobi_at_zero_and_at_its_smallest_arguments() {
    for mc in [5e-324, 1e-308, 1e-300, 1e-16, 0.3, 0.5, 0.7, 1.0 - f64::EPSILON / 2.0] {
        let j = sn_cn_dn(0.0, mc).unwrap();
        assert_eq!((j.sn, j.cn, j.dn), (0.0, 1.0, 1.0), "{mc:e}");
        for u in [1e-300, -1e-160, 1e-9] {
            let j = sn_cn_dn(u, mc).unwrap();
            close(j.sn, u, 2.0);
            assert_eq!((j.cn, j.dn), (1.0, 1.0), "{u:e} {mc:e}");
        }
    }
    // A subnormal mc: K = 373.6, where sn = 1, cn = 0 and dn = kc. The nome is zero to a double, so
    // cn and dn are right to the size of kc.
    let (mc, u) = (5e-324, complete_k(5e-324).unwrap());
    let j = jacobi(u, mc).unwrap();
    assert_eq!(j.sn, 1.0);
    assert!(j.cn.abs() < mc.sqrt() && (j.dn / mc.sqrt() - 1.0).abs() < 0.5, "{j:?}");
    close(j.am, FRAC_PI_2, 1.0);
}

#[test]
fn the_furthest_argument_still_has_a_phase() {
    for mc in [0.3, 0.8] {
        let furthest = 2f64.powi(50) * 2.0 * complete_k(mc).unwrap() * (1.0 - 1e-15);
        let (j, minus) = (jacobi(furthest, mc).unwrap(), jacobi(-furthest, mc).unwrap());
        assert!((j.sn * j.sn + j.cn * j.cn - 1.0).abs() < 1e-15);
        // The amplitude is a multiple of one eighth there: its sine is not quite that of it.
        assert!((libm::sin(j.am) - j.sn).abs() < 0.3 && (libm::cos(j.am) - j.cn).abs() < 0.3);
        assert_eq!((minus.am, minus.sn, minus.cn), (-j.am, -j.sn, j.cn));
        assert_eq!(jacobi(1.01 * furthest, mc).unwrap_err().argument, "u");
        assert_eq!(sn_cn_dn(1.01 * furthest, mc).unwrap_err().function, "sn_cn_dn");
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
    assert_eq!((incomplete_f(0.0, 0.3).unwrap(), incomplete_e(0.0, 0.3).unwrap()), (0.0, 0.0));
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
fn extreme_arguments_of_carlson() {
    // mpmath. Squares of the small roots are below all normal doubles.
    let far = [1.4270420706369151e-235, 1.6361200087102244e-252, 7.712481134912909e266];
    let p = 2.8108613222234695e-235;
    close(rj(far[0], far[1], far[2], p).unwrap(), 4.768_197_510_767_879e101, 4.0);
    close(rj(far[2], far[0], far[1], p).unwrap(), 4.768_197_510_767_879e101, 4.0);
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
    // Double-doubles have no room for their second half there.
    let tiny = [0.0, 1e-310, 1.0].map(Dd::from);
    assert!(rf(tiny[0], tiny[1], tiny[2]).is_err());
    assert!(rj(Dd::ONE, Dd::ONE, Dd::ONE, Dd::from(1e101)).is_err());
    // The roots of this one have a product below all doubles; by mpmath.
    let far = rj(
        8.799581169833387e-237,
        2.934053770326004e192,
        3.64456661104216e-256,
        1.408153763145141e-242,
    );
    close(far.unwrap(), 2.4694569977660276e143, 6.0);
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

    /// The theta series of [`Theta`] are summed in another way, and give all three.
    #[test]
    fn one_argument_and_many_agree(
        u in -1e3..1e3f64,
        mc in prop_oneof![
            0.001..0.999f64,
            (0.0..300.0f64).prop_map(|exponent| 10f64.powf(-exponent)),
            (0.0..15.0f64).prop_map(|exponent| 1.0 - 0.9 * 10f64.powf(-exponent)),
        ],
    ) {
        let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt()).unwrap();
        let (whole, rest) = (Dd::from(u) / quarter.scale(2.0)).split_integer();
        let many = Theta::new((1.0 - mc).sqrt(), mc.sqrt(), quarter.hi()).at(rest, &Shift::NONE);
        let sign = if whole.rem_euclid(2.0) == 1.0 { -1.0 } else { 1.0 };
        let one = sn_cn_dn(u, mc).unwrap();
        for (a, b) in [(one.sn, sign * many.sn), (one.cn, sign * many.cn), (one.dn, many.dn)] {
            prop_assert!((a - b).abs() < 5.0 * f64::EPSILON, "{} {}", a, b);
        }
    }

    #[test]
    fn with_and_without_the_amplitude_the_bits_are_the_same(
        (size, exponent, below_one) in (-3.0..9.0f64, 0.0..308.0f64, any::<bool>()),
    ) {
        let small = 10f64.powf(-exponent);
        let (u, mc) = (10f64.powf(size), if below_one { 1.0 - small } else { small });
        let bits = |values: [f64; 3]| values.map(f64::to_bits);
        let (j, e) = (jacobi(u, mc).unwrap(), sn_cn_dn(u, mc).unwrap());
        prop_assert_eq!(bits([j.sn, j.cn, j.dn]), bits([e.sn, e.cn, e.dn]));
    }

    /// Any bits at all: no loop without an end, no panic, and no NaN that is not an error.
    #[test]
    fn every_argument_ends(bits in prop::array::uniform4(any::<u64>())) {
        let [a, b, c, d] = bits.map(f64::from_bits);
        let finite = |x: Result<f64, DomainError>| x.is_err() || x.is_ok_and(|x| !x.is_nan());
        prop_assert!(finite(rf(a.abs(), b.abs(), c.abs())));
        prop_assert!(finite(rd(a.abs(), b.abs(), c.abs())));
        prop_assert!(finite(rg(a.abs(), b.abs(), c.abs())));
        prop_assert!(finite(rc(a.abs(), b)));
        prop_assert!(finite(rj(a.abs(), b.abs(), c.abs(), d)));
        prop_assert!(finite(cel(a, b, c, d)));
        let unit = d.abs().fract();
        for m in [Parameter::new(d), Parameter::complementary(d), Parameter::new(unit), Parameter::complementary(unit)] {
            prop_assert!(jacobi(a, m).is_err() || jacobi(a, m).is_ok_and(|j| {
                j.sn.abs() <= 1.0 && j.cn.abs() <= 1.0 && j.dn.is_finite() && j.am.is_finite()
            }), "{} {:?} {:?}", a, m, jacobi(a, m));
            for x in [a, a.fract()] {
                prop_assert!(finite(incomplete_f(x, m)));
                prop_assert!(finite(incomplete_e(x, m)));
                prop_assert!(finite(incomplete_d(x, m)));
                prop_assert!(finite(incomplete_b(x, m)));
                prop_assert!(finite(incomplete_pi(x, b, m)), "{} {} {:?}", x, b, m);
                prop_assert!(finite(incomplete_pi(x, b.fract(), m)));
                prop_assert!(finite(jacobi_zeta(x, m)));
                prop_assert!(finite(inverse_sn(x, m)));
                prop_assert!(finite(inverse_cn(x, m)));
                prop_assert!(finite(inverse_dn(x, m)));
            }
            for result in [complete_k(m), complete_e(m), complete_d(m), complete_b(m), complete_pi(b, m), nome(m)] {
                prop_assert!(finite(result), "{:?}", m);
            }
        }
        prop_assert!(finite(theta1(a, unit)) && finite(theta3(a, b.fract())));
        prop_assert!(inverse_nome(b.fract()).is_ok_and(|p| !p.value().is_nan()) || b.is_nan() || b.is_infinite());
    }
}
