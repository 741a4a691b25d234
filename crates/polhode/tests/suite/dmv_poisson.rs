//! What `dmv` keeps of the Poisson structure, order by order, from the derivative of a step.

use glam::{DMat3, DVec3};
use polhode::{Inertia, State, rotor, so3};

/// A change of state: a turn of the body, in its frame, and a change of its momentum.
type Tangent = [DVec3; 2];

/// The canonical two-form, in the body frame.
fn form(m: DVec3, [turn_a, m_a]: Tangent, [turn_b, m_b]: Tangent) -> f64 {
    m_b.dot(turn_a) - m_a.dot(turn_b) + m.dot(turn_a.cross(turn_b))
}

fn basis() -> [Tangent; 6] {
    let unit = [DVec3::X, DVec3::Y, DVec3::Z];
    core::array::from_fn(
        |i| {
            if i < 3 { [unit[i], DVec3::ZERO] } else { [DVec3::ZERO, unit[i - 3]] }
        },
    )
}

/// By how much a step fails to keep the two-form, and the Poisson bracket of the momentum alone.
fn defects(spec: &str, h: f64) -> [f64; 2] {
    let inertia = Inertia::principal([0.5, 0.65, 1.0]).unwrap();
    let start = State::new([0.5, -0.3, 0.6], so3::exp(DVec3::new(0.3, 0.1, -0.7))).unwrap();
    let step = |mut state: State| {
        rotor::build(spec, &inertia).unwrap().step(h, &mut state).unwrap();
        state
    };
    let end = step(start);
    // Fourth-order differences: truncation and rounding both below 1e-10.
    let width = 2e-3;
    let images = basis().map(|[turn, change]| {
        let image = |t: f64| {
            let after = step(State { m: start.m + change * t, q: start.q * so3::exp(turn * t) });
            [so3::log(end.q.conjugate() * after.q), after.m - end.m]
        };
        let [far, near] = [2.0, 1.0].map(|n| [image(n * width), image(-n * width)]);
        [0, 1].map(|i| (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * width))
    });
    let mut defect: f64 = 0.0;
    for (a, image_a) in basis().into_iter().zip(images) {
        for (b, image_b) in basis().into_iter().zip(images) {
            let change = form(end.m, image_a, image_b) - form(start.m, a, b);
            defect = defect.max(change.abs());
        }
    }
    let jacobian = DMat3::from_cols(images[3][1], images[4][1], images[5][1]);
    let bracket = jacobian * so3::hat(start.m) * jacobian.transpose() - so3::hat(end.m);
    let largest = bracket.to_cols_array().iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    [defect, largest]
}

const KEPT: f64 = 2e-9;

#[test]
fn order_2_is_symplectic() {
    for h in [0.3, -0.6] {
        let [whole, momentum] = defects("dmv:order=2", h);
        assert!(whole < KEPT && momentum < KEPT, "{whole:e}, {momentum:e}");
    }
}

#[test]
fn higher_orders_are_for_the_momentum_only() {
    // Modified moments depend on the motion: a step keeps the whole to its order, h^(p+1).
    let (coarse, fine) = (defects("dmv:order=4", 0.6), defects("dmv:order=4", 0.3));
    assert!(coarse[0] > 1e-3 && fine[0] > 1e-4, "{coarse:?}, {fine:?}");
    let order = (coarse[0] / fine[0]).log2();
    assert!((order - 5.0).abs() < 0.5, "{order}");
    assert!(coarse[1] < KEPT && fine[1] < KEPT, "{coarse:?}, {fine:?}");
    let [whole, momentum] = defects("dmv", 0.8);
    assert!(whole > 10.0 * KEPT && momentum < KEPT, "{whole:e}, {momentum:e}");
}
