//! The derivatives of exact steps of any length against differences, in double-double, of a Taylor series that shares
//! no formula with them.

use polhode::rotor::Exact;
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::bodies::Rng;
use polhode_verify::taylor::FreeReference;

const EPS: f64 = f64::EPSILON / 2.0;

/// What the inputs are changed by. They are multiples of 2^-30, so that nothing is rounded in this.
const CHANGE: f64 = 1.0 / 131_072.0;

/// The weights of a difference of order 6, for the changes by one, two and three times that.
const WEIGHTS: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];

fn coarse(x: f64) -> f64 {
    (x * f64::from(1 << 30)).round() / f64::from(1 << 30)
}

/// The derivative of (momentum, rotation vector) at a time by a component of the momentum or by a moment.
fn slopes(moments: [f64; 3], m: [f64; 3], q: [f64; 4], t: f64, k: usize) -> [f64; 6] {
    let at = |by: f64| {
        let (mut moments, mut m) = (moments, m);
        if k < 3 {
            m[k] += by;
        } else {
            moments[k - 3] += by;
        }
        FreeReference::new(moments, m, q).at(t)
    };
    let (_, here) = at(0.0);
    let mut of_m = [Dd::ZERO; 3];
    let mut of_q = [Dd::ZERO; 4];
    for (n, weight) in (1..).zip(WEIGHTS) {
        let by = CHANGE * f64::from(n);
        let ((m1, q1), (m0, q0)) = (at(by), at(-by));
        for i in 0..3 {
            of_m[i] += (m1[i] - m0[i]) * (weight / CHANGE);
        }
        for i in 0..4 {
            of_q[i] += (q1[i] - q0[i]) * (weight / CHANGE);
        }
    }
    // Twice the vector part of q* dq.
    let [w, x, y, z] = here;
    let [a, b, c, d] = of_q;
    let turned = [
        w * b - x * a - y * d + z * c,
        w * c - y * a - z * b + x * d,
        w * d - z * a - x * c + y * b,
    ];
    let [i, j, k] = turned.map(|x| 2.0 * x.hi());
    let [l, m, n] = of_m.map(Dd::hi);
    [l, m, n, i, j, k]
}

/// Steps of all kinds: tiny, short, in one piece, halved up to ten times, and those of a free motion.
#[test]
fn they_are_the_differences_in_double_double_of_a_taylor_series() {
    let mut rng = Rng::new(0x0053_7465_7073);
    for n in 0..40 {
        let moments = [(); 3].map(|()| coarse(rng.uniform(0.6, 2.0)));
        let m = rng.direction::<3>().map(|x| coarse(x * 1.3));
        let q = rng.direction::<4>();
        let inertia = Inertia::principal_unphysical(moments).unwrap();
        let start = State::new(m, so3::from_wxyz(q)).unwrap();
        let g = start.m.length();
        let least = inertia.moments().min_element();
        let t = rng.sign() * rng.log_uniform(0.005, 40.0) * least / g;
        let exact = Exact::new(&inertia);
        let (mut state, mut same) = (start, start);
        let (tangent, by) = exact.inertia_tangent_step(t, &mut state).unwrap();
        let (_, by_moments) = exact.moment_tangent_step(t, &mut same).unwrap();
        assert_eq!(state, same);
        let (mut off, mut largest) = ([0.0f64; 4], [1.0f64; 4]);
        for k in 0..6 {
            let want = slopes(moments, m, start.attitude(), t, k);
            let unit = if k < 3 { g } else { moments[k - 3] };
            for (row, want) in want.into_iter().enumerate() {
                let unit = unit / if row < 3 { g } else { 1.0 };
                let block = row / 3 + k / 3 * 2;
                let both = if k < 3 {
                    [tangent.state_transition[row][k]; 2]
                } else {
                    [by.inertia[row][k - 3], by_moments[row][k - 3]]
                };
                for got in both {
                    assert!(got.is_finite());
                    off[block] = off[block].max((got - want).abs() * unit);
                }
                largest[block] = largest[block].max(want.abs() * unit);
            }
        }
        for block in 0..4 {
            let error = off[block] / largest[block];
            let turn = g * t / least;
            assert!(
                error < 40.0 * EPS,
                "{n}, {turn:.2} rad, block {block}: {error:e} {moments:?} {m:?}"
            );
        }
    }
}

/// Halved, they would not be: 40 eps is exceeded from some six radians on.
#[test]
fn they_are_those_of_the_free_motion() {
    let mut rng = Rng::new(99);
    for n in 0..2000 {
        let moments = [(); 3].map(|()| rng.uniform(0.6, 2.0));
        let inertia = Inertia::principal_unphysical(moments).unwrap();
        let start = State::aligned(rng.direction()).unwrap();
        let turn = rng.uniform(1.0, 32.0);
        let t = turn * inertia.moments().min_element();
        let mut state = start;
        let got = Exact::new(&inertia).tangent_step(t, &mut state).unwrap().state_transition;
        let want = FreeMotion::new(&inertia, start).unwrap().tangent_at(t).unwrap();
        for (i, j) in [(0, 0), (3, 0), (3, 3)] {
            let (mut off, mut size) = (0.0f64, 1.0f64);
            for k in 0..9 {
                let (i, j) = (i + k / 3, j + k % 3);
                off = off.max((got[i][j] - want.state_transition[i][j]).abs());
                size = size.max(got[i][j].abs());
            }
            assert!(off <= 40.0 * EPS * size, "{n}, {turn:.2} rad: {:.0} eps", off / EPS / size);
        }
    }
}
