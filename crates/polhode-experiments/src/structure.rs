//! What a step keeps of the structure of phase space.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::{Problem, State, so3};

use crate::ExperimentError;

/// A change of state: a turn of the body, in its frame, and a change of its momentum.
type StateChange = [DVec3; 2];

/// The canonical two-form of body and attitude, in the body frame.
fn form(m: DVec3, [turn_a, m_a]: StateChange, [turn_b, m_b]: StateChange) -> f64 {
    m_b.dot(turn_a) - m_a.dot(turn_b) + m.dot(turn_a.cross(turn_b))
}

/// By how much a step fails to be symplectic: the largest change of the two-form between two unit
/// changes of state, over the length of the momentum. Derivatives are differences of fourth order.
pub(crate) fn symplectic_defect(
    problem: &Problem,
    method: &str,
    h: f64,
) -> Result<f64, ExperimentError> {
    const WIDTH: f64 = 1e-3;
    let start = problem.start();
    let method = Method::parse(method)?;
    let step = |mut state: State| -> Result<State, ExperimentError> {
        method.stepper(problem)?.step(problem, problem.t0(), h, &mut state)?;
        Ok(state)
    };
    let end = step(start)?;
    let length = start.m.length();
    let unit = [DVec3::X, DVec3::Y, DVec3::Z];
    let turns = unit.map(|e| [e, DVec3::ZERO]);
    let kicks = unit.map(|e| [DVec3::ZERO, e * length]);
    let basis: Vec<StateChange> = turns.into_iter().chain(kicks).collect();
    let mut images = Vec::new();
    for [turn, kick] in &basis {
        let image = |t: f64| -> Result<StateChange, ExperimentError> {
            let moved = State { m: start.m + *kick * t, q: start.q * so3::exp(*turn * t) };
            let after = step(moved)?;
            Ok([so3::log(end.q.conjugate() * after.q), after.m - end.m])
        };
        let near = [image(WIDTH)?, image(-WIDTH)?];
        let far = [image(2.0 * WIDTH)?, image(-2.0 * WIDTH)?];
        images.push(
            [0, 1].map(|i| {
                (8.0 * (near[0][i] - near[1][i]) - (far[0][i] - far[1][i])) / (12.0 * WIDTH)
            }),
        );
    }
    let mut defect = 0.0_f64;
    for (a, image_a) in basis.iter().zip(&images) {
        for (b, image_b) in basis.iter().zip(&images) {
            let change = form(end.m, *image_a, *image_b) - form(start.m, *a, *b);
            defect = defect.max(change.abs() / length);
        }
    }
    Ok(defect)
}
