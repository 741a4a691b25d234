//! Integrals of the third kind at the ends of the range of doubles, and past a pole.

use crate::support::close;
use polhode_elliptic::{Parameter, cel, complete_pi, incomplete_pi};

/// (nc, mc, Pi) by mpmath: one over nc is beyond all doubles, or next to that.
const NEAR_THE_POLE: [(f64, f64, f64); 7] = [
    (1e-308, 0.5, 2.2214414690791832e154),
    (1e-310, 0.5, 2.2214414690791865e155),
    (5e-324, 0.5, 9.99407366901064e161),
    (5e-324, 1e-30, 7.066877263035343e176),
    (2e-320, 7.0, 4.198153139607811e159),
    (5e-324, 1e300, 706_687_726_303.534_3),
    (3e-315, 1e-250, 2.867868604588378e282),
];

#[test]
fn the_smallest_complement_of_n() {
    for (nc, mc, want) in NEAR_THE_POLE {
        close(complete_pi(nc, mc).unwrap(), want, 5.0);
    }
    for (phi, nc, mc, want) in [
        (2.0, 1e-310, 1e-30, 3.141592653589798e170),
        (2.0, 5e-324, 0.5, 1.998814733802128e162),
        (3.0, 1e-309, 2.0, 7.02481473104072e154),
    ] {
        close(incomplete_pi(phi, nc, mc).unwrap(), want, 6.0);
        close(incomplete_pi(-phi, nc, mc).unwrap(), -want, 6.0);
    }
    // Beyond all doubles: 1/nc, and its negative on the other side of the pole.
    assert_eq!(complete_pi(5e-324, 5e-324).unwrap(), f64::INFINITY);
    assert_eq!(complete_pi(-5e-324, 5e-324).unwrap(), f64::NEG_INFINITY);
}

#[test]
fn bulirsch_where_quotients_leave_the_range() {
    for ([kc, p, a, b], want) in [
        ([0.5, 1e-310, 1.0, 1.0], 3.141592653589798e155),
        ([2.0, 1e-310, 1.0, 1.0], 7.853981633974495e154),
        ([1e120, 1e-310, 1.0, 1.0], 1.570796326794899e35),
        ([1e120, 5e-324, 3.0, 1e-170], 8.33089516568283e-118),
        ([0.5, 1e-310, 1e300, -1e-20], 2.1565156474996433e300),
        ([1e-200, 1e-315, 1e-250, 1e-250], 9.855301378168237e66),
        (
            [1.434493028662273e75, 3.725e-320, 4.782140907290318e-49, 6.332513687224354e-172],
            3.5929268233820936e-87,
        ),
        (
            [
                2.103814304410844e239,
                5.1952576488885233e297,
                1.6958882960240887e-14,
                7.931943024485633e-161,
            ],
            1.6847281934010357e-251,
        ),
        (
            [
                7.878058717665668e268,
                1.3447679314054304e302,
                4.92830335103439e-12,
                1.4512749815963937e178,
            ],
            1.7016318346569814e-278,
        ),
        (
            [
                5.340657300511624e29,
                2.1923975203679046e299,
                1.012325391945446e-60,
                3.356329505340844e-163,
            ],
            3.396099111928362e-210,
        ),
        (
            [43236327480561.02, 3.68e-321, 8.08289294479442e-166, 2.2224601172589166e-58],
            1.330866798583971e89,
        ),
        ([1e200, 1e305, 1e100, 1.0], 1.1006593909777712e-98),
        ([1e-300, 1e-320, 1e-100, -1e-200], -3.23058651186233e122),
    ] {
        close(cel(kc, p, a, b).unwrap(), want, 8.0);
    }
    let error = cel(0.5, 5e-324, 1e308, 1e308).unwrap_err();
    assert!(error.to_string().contains("within the range of doubles"), "{error}");
    assert_eq!(cel(1e200, -1.0, 1.0, 1.0).unwrap_err().argument, "kc");
    assert_eq!(cel(26.0, 2.0, -5e-324, -5e-324).unwrap(), 0.0);
    assert_eq!(cel(1e308, 1e308, 0.0, 0.0).unwrap(), 0.0);
}

/// (phi, n, m, Pi, condition) by mpmath's R_J, the ordinary ones also by a quadrature around the pole. The
/// condition is |Pi| and the sum of |x dPi/dx| over the arguments.
const PAST_A_POLE: [[f64; 5]; 9] = [
    [0.5, 9.0, 1.5, 0.24535763527081623, 1.2404],
    [0.3, 20.0, 10.5, 0.09847781163484057, 2.2528],
    [0.5, 4.5, 4.25, 1.5980919750362682, 150.59],
    [-0.9, 1.7, 1.5, -3.089407566760167, 131.21],
    [0.001, 3e6, 9e5, 0.00015304565738001865, 0.0026013],
    [1e-100, 1e201, 9e199, 3.487844037109867e-102, 5.7936e-101],
    [0.5, 1e10, 1.0000001, 1.563591511495238e-10, 5.8922e-10],
    [0.25, 100.0, 16.0, 0.005124580949806049, 0.51893],
    [0.7, 1e300, 1.5, 5.26057262218346e-301, 4.6835e-300],
];

#[test]
fn principal_values_for_m_beyond_one() {
    for [phi, n, m, want, condition] in PAST_A_POLE {
        let (n, m) = (Parameter::new(n), Parameter::new(m));
        let (plus, minus) = (incomplete_pi(phi, n, m).unwrap(), incomplete_pi(-phi, n, m).unwrap());
        let error = (plus - want).abs() / condition / f64::EPSILON;
        assert!(error <= 2.0 && minus == -plus, "{phi} {n:?} {m:?}: {error} eps");
    }
    // At the pole itself, to a rounding of it.
    let at = incomplete_pi((0.5f64).asin(), Parameter::new(4.0), Parameter::new(1.5)).unwrap();
    assert!(at.abs() > 10.0, "{at}");
}

/// (phi, nc, mc, Pi, condition) by mpmath: n and m next to one and to each other.
const NEXT_TO_ONE: [[f64; 5]; 4] = [
    [
        1.570796200383761,
        -1.4829268127907167e-14,
        -1.5170511816920712e-14,
        196739241692154.2,
        4.7994e+22,
    ],
    [
        1.5707950242944448,
        -1.3918823930267183e-12,
        -1.3863369857305221e-12,
        973214024002.2407,
        9.2588e+18,
    ],
    [
        1.5707960996938513,
        -5.158556946824959e-14,
        -5.1574275534555684e-14,
        290598498644896.9,
        1.8834e+26,
    ],
    [1.5, -0.004, -0.0041, 312.14482222880406, 49330.0],
];

#[test]
fn neither_complement_is_rounded_for_m_beyond_one() {
    for [phi, nc, mc, want, condition] in NEXT_TO_ONE {
        let error = (incomplete_pi(phi, nc, mc).unwrap() - want).abs() / condition / f64::EPSILON;
        assert!(error <= 2.0, "{phi} {nc:e} {mc:e}: {error} eps");
    }
}
