use super::short::{TINY, TINY_TURN};
use super::*;
use crate::{Inertia, State};
use polhode_elliptic::Dd;
use polhode_number::Pack;
use polhode_step::formula;

/// Body, momentum, step.
type Case = (ExactBody<f64>, [f64; 3], f64);

/// Bodies from nearly spherical to needles, momenta in all directions, steps of every tier.
fn mixed(i: usize) -> Case {
    let x = |a: f64| (a * (i as f64 + 1.0)).sin();
    let moments = [0.2 + 0.3 * x(1.3).abs(), 0.7 + 0.1 * x(0.7), 1.2 + 0.5 * x(2.1).abs()];
    let body = crate::rotor::exact::body(moments.map(Dd::from));
    let h = [1e-3, 0.05, -0.4, 3.0, -40.0, 0.2, 700.0][i % 7];
    (body, [x(3.1), x(4.7), x(5.9)], h)
}

/// Two cases in lanes, which is enough to be unlike a neighbour; more of them compile for a minute.
fn lanes(cases: [usize; 2]) {
    const N: usize = 2;
    let all: [_; N] = cases.map(mixed);
    let pack = |f: &dyn Fn(&Case) -> f64| Pack::<N>(core::array::from_fn(|i| f(&all[i])));
    let body = ExactBody {
        a: core::array::from_fn(|j| pack(&|b| b.0.a[j])),
        b1: (pack(&|b| b.0.b1.0), pack(&|b| b.0.b1.1)),
        b3: (pack(&|b| b.0.b3.0), pack(&|b| b.0.b3.1)),
        beta: pack(&|b| b.0.beta),
        stiffness: pack(&|b| b.0.stiffness),
        side3: (pack(&|b| b.0.side3.0), pack(&|b| b.0.side3.1)),
        side1: (pack(&|b| b.0.side1.0), pack(&|b| b.0.side1.1)),
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
    // Steps of all tiers beside those of all others: they come in turns of seven.
    for from in 0..200 {
        (0..7).for_each(|shift| lanes([from, from + shift]));
    }
}

/// A way to compute a step.
type Way = fn(&ExactBody<f64>, [f64; 3], f64) -> ExactIncrement<f64>;

/// The longest steps below two limits, of V and of the square of the angle, and the widest gap there
/// between two ways to compute them, in eps: of the increment of the momentum over its length, and of the
/// rotation.
fn gap([bend, turn]: [f64; 2], ways: [Way; 2]) -> (f64, f64) {
    let (mut of_m, mut of_r) = (0.0_f64, 0.0_f64);
    for i in 0..5000 {
        let (mut body, m, _) = mixed(i);
        if i % 2 == 0 {
            // Nearly a sphere: the angle is what limits its steps.
            let moments = [1.0, 1.001, 1.002].map(Dd::from);
            body = crate::rotor::exact::body(moments);
        }
        let g2 = m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
        let square = (bend / body.stiffness).min(turn / (body.b1.0 * body.b1.0));
        let [a, b] = ways.map(|way| way(&body, m, 0.9999 * (square / g2).sqrt()));
        let apart = |a: f64, b: f64| (a - b).abs() / f64::EPSILON;
        of_m = (0..3).fold(of_m, |most, j| most.max(apart(a.d[j], b.d[j]) / g2.sqrt()));
        of_r = (0..4).fold(of_r, |most, j| most.max(apart(a.r[j], b.r[j])));
    }
    (of_m, of_r)
}

#[test]
fn tiers_agree_where_they_meet() {
    let tiny =
        |body: &ExactBody<f64>, m, h| constants(body, m).short_step::<{ formula::TINY }>(h, 0.0);
    let short =
        |body: &ExactBody<f64>, m, h| constants(body, m).short_step::<{ formula::SHORT }>(h, 1.0);
    let long = |body: &ExactBody<f64>, m, h| general(body, m, h, &constants(body, m));
    // Both round, but not by more than parts of what they add: a step of 0.02 rad, one of 0.17.
    let (d, r) = gap([TINY, TINY_TURN], [tiny, short]);
    assert!(d <= 0.02 && r <= 0.02, "tiny and short: {d}, {r}");
    let (d, r) = gap([SHORT, SMALL_TURN], [short, long]);
    assert!(d <= 0.2 && r <= 0.5, "short and general: {d}, {r}");
}

#[test]
fn no_tier_lets_the_energy_drift() {
    // What a root leaves out, or how its constants are rounded (by V/2 eps or less), is the same in every
    // step and adds up; with compensated sums there is little else.
    const STEPS: u32 = 200_000;
    let bodies = [[0.4, 0.9, 1.0], [0.5, 0.8, 1.0], [0.6, 0.8, 1.0], [0.345, 0.653, 1.0]];
    let momenta = [[0.3, 0.2, 0.9], [0.9, 0.3, -0.2], [0.1, 0.99, 0.1]];
    for limit in [TINY, SHORT] {
        for (moments, m) in bodies.iter().flat_map(|b| momenta.iter().map(move |m| (b, m))) {
            let inertia = Inertia::principal_unphysical(*moments).unwrap();
            let mut state = State::aligned(*m).unwrap();
            let stiffness = crate::rotor::exact::body(moments.map(Dd::from)).stiffness;
            let h = (0.99 * limit / stiffness).sqrt() / state.m.length();
            let [energy, norm] = [state.kinetic_energy(&inertia), state.m.length()];
            let mut rotor = crate::rotor::build("exact:compensated", &inertia).unwrap();
            for _ in 0..STEPS {
                rotor.step(h, &mut state).unwrap();
            }
            let drift = [
                state.kinetic_energy(&inertia) / energy - 1.0,
                state.m.length() / norm - 1.0,
                state.q.length() - 1.0,
            ];
            let drift = drift.map(|x| x / f64::EPSILON);
            let allowed = 6.0 + 0.5 * limit * f64::from(STEPS);
            let well = drift.iter().all(|x| x.abs() < allowed);
            assert!(well, "{moments:?}, {m:?}, {h}: {drift:?}, allowed {allowed}");
        }
    }
}

/// Numbers in (0, 1), the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A body and a momentum in any direction. A needle's moments need not be those of a real body.
    fn throw(&mut self, needle: bool) -> (Inertia, State) {
        loop {
            let mut moments = [0.1; 3].map(|least| least + self.next());
            if needle {
                moments[0] *= 1e-4;
            }
            let m = [0.0; 3].map(|_: f64| 2.0 * self.next() - 1.0);
            let real = Inertia::principal(moments).is_ok();
            if real || needle {
                return (
                    Inertia::principal_unphysical(moments).unwrap(),
                    State::aligned(m).unwrap(),
                );
            }
        }
    }
}

/// The relative error of the energy after some steps of x = |m| h/I1, in eps: its root mean square
/// over so many bodies.
fn walk(rotor: &str, x: f64, needle: bool, bodies: u32, steps: u32) -> f64 {
    let mut dice = Dice(22);
    let mut sum = 0.0;
    for _ in 0..bodies {
        let (inertia, mut state) = dice.throw(needle);
        let least = inertia.moments().min_element();
        let h = x * least / state.m.length();
        let energy = state.kinetic_energy(&inertia);
        let mut stepper = crate::rotor::build(rotor, &inertia).unwrap();
        for _ in 0..steps {
            stepper.step(h, &mut state).unwrap();
        }
        sum += (state.kinetic_energy(&inertia) / energy - 1.0).powi(2);
    }
    (sum / f64::from(bodies)).sqrt() / f64::EPSILON
}

#[test]
fn steps_walk_no_further_than_algorithm_4_1() {
    // Over 400 bodies and 20,000 steps of 0.02 to 3 rad it is 44 to 49 eps, and 56 to 62 with Algorithm 4.1.
    for x in [0.05, 0.3, 1.0, 3.0] {
        let of = |rotor| walk(rotor, x, false, 100, 3_000);
        let (ours, published) = (of("exact"), of("jacobi-vilmart"));
        assert!(ours < published, "x = {x}: {ours}, 4.1 has {published}");
    }
    // Brouwer's law: half an ulp of each component, at random, is 41 eps after 20,000 steps. The root
    // mean square of 24 such numbers has a spread of a seventh.
    for x in [0.2, 0.5, 1.0, 3.0, 10.0, 30.0] {
        let ours = walk("exact", x, false, 24, 20_000);
        assert!(ours < 65.0, "x = {x}: {ours}");
    }
    // Algorithm 4.1 has thousands there.
    for x in [0.2, 1.0, 3.0, 10.0] {
        let ours = walk("exact", x, true, 24, 20_000);
        assert!(ours < 100.0, "needles, x = {x}: {ours}");
    }
}
