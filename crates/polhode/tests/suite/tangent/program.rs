//! The tangent of a run is the derivative of its arithmetic: the same steps over numbers that carry derivatives,
//! and differences of the same steps in double-double.

use polhode::tangent::TangentRun;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Problem, State, so3};
use polhode_elliptic::Dd;
use polhode_number::{Arithmetic, Dual};
use polhode_step::formula::{BodyConstants, MomentumConstants, SHORT};
use polhode_testkit::Wide;

const MOMENTS: [f64; 3] = [1.0, 1.4, 1.9];
const CENTRE: [f64; 3] = [0.2, -0.3, 0.8];
const STEP: f64 = 0.05;
const STEPS: usize = 40;

/// Momentum and quaternion, scalar first.
type Seven<N> = ([N; 3], [N; 4]);

fn product<N: Arithmetic>([a, b, c, d]: [N; 4], [w, x, y, z]: [N; 4]) -> [N; 4] {
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}

/// Half a kick of a heavy top: the third direction of space, in the body, times the centre of mass.
fn kick<N: Arithmetic>((m, q): Seven<N>) -> Seven<N> {
    let [w, x, y, z] = q;
    let two = N::splat(2.0);
    let up = [two * (x * z - w * y), two * (y * z + w * x), w * w - x * x - y * y + z * z];
    let [a, b, c] = CENTRE.map(N::splat);
    let torque = [up[1] * c - up[2] * b, up[2] * a - up[0] * c, up[0] * b - up[1] * a];
    let half = N::splat(STEP / 2.0);
    (core::array::from_fn(|i| m[i] + half * torque[i]), q)
}

/// Steps of `strang+exact`, which are short.
fn run<N: Arithmetic>(mut state: Seven<N>) -> Seven<N> {
    let [i1, i2, i3] = MOMENTS.map(N::splat);
    let [b1, b2, b3] = [i1, i2, i3].map(|i| N::splat(1.0) / i);
    let a = [(i2 - i3) * (b2 * b3), (i3 - i1) * (b3 * b1), (i1 - i2) * (b1 * b2)];
    let body = BodyConstants { a, b1, b3 };
    for _ in 0..STEPS {
        let (m, q) = kick(state);
        let constants = MomentumConstants::new(&body, m, m[0] * m[0] - m[2] * m[2]);
        let step = constants.short_step::<SHORT>(N::splat(STEP), N::splat(1.0));
        let [w, x, y, z] = step.r;
        state = kick((step.m, product(q, [N::splat(1.0) + w, x, y, z])));
    }
    state
}

fn start() -> Seven<f64> {
    let q = so3::exp([0.5, -1.2, 0.8].into());
    ([0.4, -0.3, 0.9], [q.w, q.x, q.y, q.z])
}

/// What the library says, and that it makes the same steps.
fn tangent() -> [[f64; 6]; 6] {
    let (m, q) = start();
    let state = State::new(m, so3::from_wxyz(q)).unwrap();
    let top = HeavyTop::new(CENTRE, [0.0, 0.0, 1.0]).unwrap();
    let problem = Problem::new(Inertia::principal(MOMENTS).unwrap(), state).torque(top);
    let mut tangents = TangentRun::new(&problem, "strang+exact").unwrap();
    for _ in 0..STEPS {
        tangents.step(STEP).unwrap();
    }
    let found = tangents.tangent().tangent;
    let (m, [w, x, y, z]) = run(start());
    let (end, turn) = (found.state, found.state.q);
    let off = [turn.w - w, turn.x - x, turn.y - y, turn.z - z];
    assert!((end.m - polhode::glam::DVec3::from(m)).length() < 1e-14, "{:?} {m:?}", end.m);
    assert!(off.iter().all(|x| x.abs() < 1e-14), "{off:?}");
    found.state_transition
}

/// The turn of the body, as a vector in it, that takes a quaternion to the one beside it.
fn turn<N: Arithmetic>([w, x, y, z]: [N; 4], change: [N; 4]) -> [N; 3] {
    let [_, a, b, c] = product([w, -x, -y, -z], change);
    [a + a, b + b, c + c]
}

fn compare(found: &[[f64; 6]; 6], bound: f64) {
    let wanted = tangent();
    for row in 0..6 {
        for column in 0..6 {
            let (got, want) = (wanted[row][column], found[row][column]);
            assert!((got - want).abs() < bound, "({row},{column}): {got:e} {want:e}");
        }
    }
}

#[test]
fn it_is_what_numbers_with_derivatives_give() {
    let (m, q) = start();
    let m = core::array::from_fn(|i| Dual::<f64, 6>::variable(m[i], i));
    let mut quaternion = q.map(Dual::<f64, 6>::constant);
    for k in 0..3 {
        let mut axis = [0.0; 4];
        axis[1 + k] = 0.5;
        for (component, slope) in quaternion.iter_mut().zip(product(q, axis)) {
            component.slopes[3 + k] = slope;
        }
    }
    let (m, q) = run((m, quaternion));
    let values = q.map(|x| x.value);
    let mut rows = [[0.0; 6]; 6];
    for column in 0..6 {
        let turned = turn(values, q.map(|x| x.slopes[column]));
        for i in 0..3 {
            rows[i][column] = m[i].slopes[column];
            rows[3 + i][column] = turned[i];
        }
    }
    compare(&rows, 2e-14);
}

#[test]
fn it_is_the_difference_of_the_steps_in_double_double() {
    // Third derivatives times 1e-18; rounding 1e-30 over 1e-9.
    let by = 1e-9;
    let (m, q) = start();
    let end = |k: usize, sign: f64| {
        let mut m = m.map(|x| Wide(Dd::from(x)));
        let mut q = q.map(|x| Wide(Dd::from(x)));
        if k < 3 {
            m[k] = m[k] + Wide::splat(sign * by);
        } else {
            // A turn by so little, but for the fourth power of it.
            let half = Wide::splat(sign * by) * Wide::splat(0.5);
            let square = half * half;
            let mut turn = [Wide::splat(0.0); 4];
            turn[0] = Wide::splat(1.0) - square * Wide::splat(0.5);
            turn[k - 2] = half - half * square / Wide::splat(6.0);
            q = product(q, turn);
        }
        run((m, q))
    };
    let mut rows = [[0.0; 6]; 6];
    for column in 0..6 {
        let ((m1, q1), (m0, q0)) = (end(column, 1.0), end(column, -1.0));
        let over = Wide::splat(2.0 * by);
        let turned = turn(q0, core::array::from_fn(|i| (q1[i] - q0[i]) / over));
        for i in 0..3 {
            rows[i][column] = ((m1[i] - m0[i]) / over).0.hi();
            rows[3 + i][column] = turned[i].0.hi();
        }
    }
    compare(&rows, 2e-14);
}
