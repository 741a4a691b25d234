//! Tangents of every scheme, with every rotor that has one: derivatives of the step, symplectic where the method is,
//! and convergent with its order.

use glam::DVec3;
use polhode::composition::SCHEMES;
use polhode::method::{Method, Order};
use polhode::rotor::ROTORS;
use polhode::tangent::TangentRun;
use polhode::torque::{Damping, HeavyTop};
use polhode::{Inertia, Problem, State, Torque, glam, so3};

/// Six by six, by rows.
type Matrix = [[f64; 6]; 6];

/// Every scheme with every rotor that has a tangent of its own, and every other rotor that has one with `strang`.
fn methods() -> Vec<String> {
    let mut made = Vec::new();
    for scheme in SCHEMES {
        for rotor in ["exact", "dmv:order=2", "dmv:order=6", "three-rotations"] {
            made.push(format!("{}+{rotor}", scheme.id));
        }
    }
    made.extend(ROTORS.iter().map(|rotor| format!("strang+{}", rotor.id)));
    made
}

fn top() -> Torque {
    HeavyTop::new([0.3, -0.2, 0.9], [0.1, 0.5, -0.8]).unwrap().into()
}

/// A body with a full tensor.
fn problem(torque: Torque) -> Problem {
    let inertia = Inertia::tensor([[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]]).unwrap();
    let start = State::new([0.9, -0.8, 1.2], so3::exp([0.5, -1.2, 0.8].into())).unwrap();
    Problem::new(inertia, start).torque(torque)
}

/// One step from a start that is moved along one of the six variables.
fn stepped(problem: &Problem, method: &Method, h: f64, k: usize, by: f64) -> State {
    let mut start = problem.start();
    let moved = DVec3::AXES[k % 3] * by;
    if k < 3 {
        start.m += moved;
    } else {
        start.q *= so3::exp(moved);
    }
    let moved = problem.clone().starting_from(start);
    let points = moved.simulate(method, h, h).unwrap().points;
    points[points.len() - 1].state
}

/// The derivatives of a step by differences of order 4.
fn differences(problem: &Problem, method: &Method, h: f64) -> Matrix {
    const BY: f64 = 2e-3;
    let mut rows = [[0.0; 6]; 6];
    for k in 0..6 {
        let there = stepped(problem, method, h, k, 0.0);
        let at = |by: f64| {
            let state = stepped(problem, method, h, k, by);
            (state.m - there.m, so3::log(there.q.conjugate() * state.q))
        };
        let (one, two) = ((at(BY), at(-BY)), (at(2.0 * BY), at(-2.0 * BY)));
        let slope = |one: DVec3, two: DVec3| (one * 8.0 - two) / (12.0 * BY);
        let dm = slope(one.0.0 - one.1.0, two.0.0 - two.1.0);
        let del = slope(one.0.1 - one.1.1, two.0.1 - two.1.1);
        for (row, x) in dm.to_array().into_iter().chain(del.to_array()).enumerate() {
            rows[row][k] = x;
        }
    }
    rows
}

fn largest(numbers: impl IntoIterator<Item = f64>) -> f64 {
    numbers.into_iter().fold(0.0, |largest: f64, x| {
        assert!(x.is_finite());
        largest.max(x.abs())
    })
}

fn distance(a: &Matrix, b: &Matrix) -> f64 {
    largest(a.as_flattened().iter().zip(b.as_flattened()).map(|(x, y)| x - y))
}

#[test]
fn they_are_the_derivatives_of_the_step() {
    let damped = top() + Damping::new([0.1, 0.2, 0.05]).unwrap();
    for (torque, at_least) in [(top(), 4 * SCHEMES.len()), (damped, 4 * 15)] {
        let problem = problem(torque);
        let mut seen = 0;
        for id in methods() {
            let method: Method = id.parse().unwrap();
            // Some are for torques of the attitude alone, some rotors have no tangent.
            let Ok(mut run) = TangentRun::new(&problem, &method) else { continue };
            seen += 1;
            run.step(0.3).unwrap();
            let want = differences(&problem, &method, 0.3);
            let off = distance(&run.state_transition(), &want);
            // Fifth derivatives times 2e-3 to the fourth, and some roundings over 2e-3.
            assert!(off < 1e-11, "{id}: {off:e}");
        }
        assert!(seen >= at_least, "{seen}");
    }
}

#[test]
fn a_body_at_rest_turns_with_the_momentum_that_it_is_given() {
    let problem = problem(Torque::none()).starting_from(State::aligned([0.0; 3]).unwrap());
    for rotor in ["exact", "dmv:order=6", "three-rotations"] {
        for method in [rotor.to_owned(), format!("yoshida4+{rotor}")] {
            let mut run = TangentRun::new(&problem, method.as_str()).unwrap();
            for _ in 0..10 {
                run.step(0.4).unwrap();
            }
            let phi = run.state_transition();
            for (k, axis) in DVec3::AXES.into_iter().enumerate() {
                let omega = problem.inertia().omega(axis);
                for i in 0..3 {
                    let off = (phi[3 + i][k] - 4.0 * omega[i]).abs();
                    assert!(off < 1e-14, "{method} ({i}, {k}): {off:e}");
                    assert_eq!(phi[i][k], axis[i], "{method}");
                }
            }
        }
    }
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &Matrix) -> Matrix {
    core::array::from_fn(|i| core::array::from_fn(|j| a[j][i]))
}

/// The matrix of the symplectic form at a momentum: (0, 1; -1, m x).
fn form(m: DVec3) -> Matrix {
    let mut rows = [[0.0; 6]; 6];
    for i in 0..3 {
        rows[i][3 + i] = 1.0;
        rows[3 + i][i] = -1.0;
        for (j, column) in DVec3::AXES.into_iter().enumerate() {
            rows[3 + i][3 + j] = m.cross(column)[i];
        }
    }
    rows
}

/// The largest entry of Phi^T Om(m) Phi - Om(m0).
pub(super) fn defect(phi: &Matrix, m0: DVec3, m: DVec3) -> f64 {
    distance(&product(&transposed(phi), &product(&form(m), phi)), &form(m0))
}

#[test]
fn they_are_symplectic_where_the_method_is() {
    const STEPS: u32 = 50;
    let problem = problem(top());
    let mut seen = 0;
    for id in methods() {
        let method: Method = id.parse().unwrap();
        let Ok(mut run) = TangentRun::new(&problem, &method) else { continue };
        // Of dmv order 2 alone is; the table tells of all orders.
        if !method.keeps().symplectic && !id.ends_with("dmv:order=2") {
            continue;
        }
        seen += 1;
        for _ in 0..STEPS {
            run.step(0.4).unwrap();
        }
        let (phi, m) = (run.state_transition(), run.state().m);
        let size = largest(phi.as_flattened().iter().copied()).max(1.0);
        let off = defect(&phi, problem.start().m, m) / (size * size * m.length().max(1.0));
        assert!(off < 40.0 * f64::EPSILON * f64::from(STEPS).sqrt(), "{id}: {off:e}");
    }
    assert!(seen >= 3 * SCHEMES.len(), "{seen}");
    // What loses energy is not.
    let damped = self::problem(Damping::new([0.1, 0.2, 0.05]).unwrap().into());
    let mut run = TangentRun::new(&damped, "strang+exact").unwrap();
    run.step(0.4).unwrap();
    assert!(defect(&run.state_transition(), damped.start().m, run.state().m) > 1e-2);
}

#[test]
fn they_converge_with_the_order_of_the_method() {
    let problem = problem(top());
    let want = problem.solve_tangent(16.0, 1e-13).unwrap().at(16.0).unwrap();
    let want = want.tangent.state_transition;
    for (id, order, steps) in [
        ("strang+exact", 2, [128, 192, 256, 384]),
        ("strang+dmv:order=2", 2, [128, 192, 256, 384]),
        ("strang+three-rotations", 2, [128, 192, 256, 384]),
        ("yoshida4+exact", 4, [128, 192, 256, 384]),
        ("suzuki4+three-rotations", 4, [64, 96, 128, 192]),
        ("rkn4-6+dmv:order=4", 4, [64, 96, 128, 192]),
        ("rkn6-11+exact", 6, [48, 64, 80, 96]),
        ("chin4b+exact", 4, [64, 96, 128, 192]),
        ("sbabg6+exact", 4, [32, 48, 64, 96]),
        ("kahanli6+dmv:order=6", 6, [64, 96, 128, 192]),
        ("kahanli8+exact", 8, [32, 40, 48, 64]),
        ("ss15+three-rotations", 8, [64, 80, 96, 128]),
    ] {
        let method: Method = id.parse().unwrap();
        assert_eq!(method.order(), Order::Of(order), "{id}");
        let errors = steps.map(|steps| {
            let mut run = TangentRun::new(&problem, &method).unwrap();
            for _ in 0..steps {
                run.step(16.0 / f64::from(steps)).unwrap();
            }
            distance(&run.state_transition(), &want)
        });
        // All above the errors of the reference and of rounding, some 1e-14.
        assert!(errors[3] > 5e-13, "{id}: {errors:?}");
        for i in 0..3 {
            let finer = f64::from(steps[i + 1]) / f64::from(steps[i]);
            let slope = (errors[i] / errors[i + 1]).log2() / finer.log2();
            assert!((slope - f64::from(order)).abs() < 0.1, "{id}: {slope} of {order}, {errors:?}");
        }
    }
}
