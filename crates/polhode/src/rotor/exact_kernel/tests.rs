use super::short::{TINY, TINY_TURN, polynomial};
use super::*;
use crate::lanes::Pack;

/// Body, momentum, step.
type Case = (Body<f64>, [f64; 3], f64);

/// Bodies from nearly spherical to needles, momenta in all directions, steps of every tier.
fn mixed(i: usize) -> Case {
    let x = |a: f64| (a * (i as f64 + 1.0)).sin();
    let moments = [0.2 + 0.3 * x(1.3).abs(), 0.7 + 0.1 * x(0.7), 1.2 + 0.5 * x(2.1).abs()];
    let body = crate::rotor::exact::body(moments.map(polhode_elliptic::Dd::from));
    let h = [1e-3, 0.05, -0.4, 3.0, -40.0, 0.2, 700.0][i % 7];
    (body, [x(3.1), x(4.7), x(5.9)], h)
}

fn lanes<const N: usize>(from: usize) {
    let all: [_; N] = core::array::from_fn(|i| mixed(from + i));
    let pack = |f: &dyn Fn(&Case) -> f64| Pack::<N>(core::array::from_fn(|i| f(&all[i])));
    let body = Body {
        a: core::array::from_fn(|j| pack(&|b| b.0.a[j])),
        b1: (pack(&|b| b.0.b1.0), pack(&|b| b.0.b1.1)),
        b3: (pack(&|b| b.0.b3.0), pack(&|b| b.0.b3.1)),
        beta: pack(&|b| b.0.beta),
        stiffness: pack(&|b| b.0.stiffness),
        a12: (pack(&|b| b.0.a12.0), pack(&|b| b.0.a12.1)),
        a23: (pack(&|b| b.0.a23.0), pack(&|b| b.0.a23.1)),
    };
    let m = core::array::from_fn(|j| pack(&|b| b.1[j]));
    let got = step(&body, m, pack(&|b| b.2));
    for (i, (body, m, h)) in all.iter().enumerate() {
        let want = step(body, *m, *h);
        assert_eq!(got.m.map(|x| x.0[i].to_bits()), want.m.map(f64::to_bits), "lane {i}");
        assert_eq!(got.r.map(|x| x.0[i].to_bits()), want.r.map(f64::to_bits), "lane {i}");
    }
}

#[test]
fn a_lane_has_the_bits_of_a_scalar_whatever_its_neighbours() {
    for from in 0..200 {
        lanes::<8>(from);
        lanes::<4>(from);
        lanes::<2>(from);
    }
}

/// The longest steps below two limits, of V and of the square of the angle, and the widest gap there
/// between two ways to compute them, in eps of the momentum's length and of one.
fn gap(
    [bend, turn]: [f64; 2],
    ways: [fn(&Body<f64>, [f64; 3], f64) -> Increment<f64>; 2],
) -> (f64, f64) {
    let (mut of_m, mut of_r) = (0.0_f64, 0.0_f64);
    for i in 0..5000 {
        let (mut body, m, _) = mixed(i);
        if i % 2 == 0 {
            // Nearly a sphere: the angle is what limits its steps.
            let moments = [1.0, 1.001, 1.002].map(polhode_elliptic::Dd::from);
            body = crate::rotor::exact::body(moments);
        }
        let g2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
        let square = (bend / body.stiffness).min(turn / (body.b1.0 * body.b1.0));
        let [a, b] = ways.map(|way| way(&body, m, 0.9999 * (square / g2).sqrt()));
        let apart = |a: f64, b: f64| (a - b).abs() / f64::EPSILON;
        of_m = (0..3).fold(of_m, |most, j| most.max(apart(a.m[j], b.m[j]) / g2.sqrt()));
        of_r = (0..4).fold(of_r, |most, j| most.max(apart(a.r[j], b.r[j])));
    }
    (of_m, of_r)
}

#[test]
fn tiers_agree_where_they_meet() {
    let tiny = |body: &_, m, h| polynomial::<f64, true>(body, m, h, &Constants::new(body, m));
    let short = |body: &_, m, h| polynomial::<f64, false>(body, m, h, &Constants::new(body, m));
    let long = |body: &_, m, h| general(body, m, h, &Constants::new(body, m));
    // Both round: half an ulp of the largest component, and of a rotation what its angle is.
    let (m, r) = gap([TINY, TINY_TURN], [tiny, short]);
    assert!(m <= 1.0 && r <= 0.05, "tiny and short: {m}, {r}");
    let (m, r) = gap([SHORT, SMALL_TURN], [short, long]);
    assert!(m <= 1.0 && r <= 0.5, "short and general: {m}, {r}");
}
