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
