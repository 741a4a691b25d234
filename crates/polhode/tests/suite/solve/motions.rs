//! Random problems: bodies, torques of every kind, spans, directions of time.

use polhode::formula::{Constants, Formula};
use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::table::{Beyond, Interpolation, VectorTable};
use polhode::torque::{
    ConstantTorque, CoulombWall, Damping, Dependence, Function, GravityGradient, HeavyTop,
    MagneticDipole, Torque, VectorFrame,
};
use polhode::{Inertia, Problem, State, so3};
use polhode_testkit::bodies::Rng;

/// A random problem, and until when it is to be solved.
pub(crate) struct Motion {
    pub(crate) problem: Problem,
    pub(crate) until: f64,
    pub(crate) tolerance: f64,
    /// What acts, and how strongly.
    pub(crate) name: String,
}

fn direction(rng: &mut Rng) -> DVec3 {
    rng.direction().into()
}

fn rotation(rng: &mut Rng) -> polhode::glam::DQuat {
    so3::exp(direction(rng) * rng.uniform(0.0, 3.0))
}

/// Moments that a body can have, along axes of its own or of a random frame.
fn inertia(rng: &mut Rng, factor: f64) -> Inertia {
    let (a, b) = (rng.log_uniform(0.05, 1.0), rng.log_uniform(0.05, 1.0));
    let c = rng.uniform((a - b).abs() + 1e-3, a + b);
    let moments = [a * factor, b * factor, c * factor];
    if rng.uniform(0.0, 1.0) > 0.2 {
        return Inertia::principal(moments).unwrap();
    }
    let turn = DMat3::from_quat(rotation(rng));
    let rows = (turn * DMat3::from_diagonal(moments.into()) * turn.transpose()).to_cols_array_2d();
    let entry = |i: usize, j: usize| 0.5 * (rows[i][j] + rows[j][i]);
    Inertia::tensor([0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)))).unwrap()
}

const KINDS: usize = 8;

/// A torque of about that strength on a body of momentum one that turns so fast.
fn model(kind: usize, strength: f64, speed: f64, rng: &mut Rng) -> (Torque, &'static str) {
    let (v, w) = (direction(rng), direction(rng));
    match kind {
        0 => (HeavyTop::new(v * strength, w).unwrap().into(), "heavy-top"),
        1 => (HeavyTop::lagrange(strength).unwrap().into(), "lagrange-top"),
        2 => (CoulombWall::physical().into(), "coulomb-wall"),
        3 => {
            let rate = (strength * speed).sqrt().min(speed);
            (GravityGradient::new(rate, v, w).unwrap().into(), "gravity-gradient")
        }
        4 => (MagneticDipole::new(v * strength, w).unwrap().into(), "magnetic-dipole"),
        5 => (ConstantTorque::body(v * strength).unwrap().into(), "constant in the body"),
        6 => (ConstantTorque::space(v * strength).unwrap().into(), "constant in space"),
        _ => (Damping::new((v * strength / speed).abs()).unwrap().into(), "damping"),
    }
}

/// A torque that depends on everything.
fn function(strength: f64, speed: f64, rng: &mut Rng) -> Torque {
    let (v, w, rate) = (direction(rng), direction(rng), speed * rng.uniform(0.1, 2.0));
    let torque = move |_: &Inertia, t: f64, s: &State| {
        let swing = v * (rate * t).cos() + s.q.conjugate() * w;
        (swing + s.m.cross(w) * 0.5 - s.m * 0.02) * strength
    };
    Function::new(Dependence::Momentum, torque).into()
}

/// The next random problem: spans of 1 to 100 rad, tolerances of 1e-11 to 1e-3.
pub(crate) fn motion(rng: &mut Rng) -> Motion {
    let kind = rng.below(KINDS + 2);
    // The wall has a strength of its own: that of Krysl's example, to which the body must be heavy.
    let walled = kind == 2;
    let inertia = inertia(rng, if walled { 10.0 } else { 1.0 });
    let at_rest = !walled && rng.uniform(0.0, 1.0) < 0.05;
    let size = if at_rest {
        0.0
    } else if walled {
        4.0
    } else {
        1.0
    };
    // Most users start aligned, where many a torque is zero.
    let attitude = if rng.uniform(0.0, 1.0) < 0.3 { DQuat::IDENTITY } else { rotation(rng) };
    let start = State::new(direction(rng) * size, attitude).unwrap();
    let speed = inertia.omega(direction(rng)).length() * size.max(1.0);
    let relative = if at_rest { 1.0 } else { rng.log_uniform(1e-6, 1.0) };
    let strength = relative * speed;
    let (torque, name) = match kind {
        8 => {
            // A sum, of all but the wall.
            let [a, b] =
                [0; 2].map(|_| model((rng.below(KINDS - 1) + 3) % KINDS, strength, speed, rng));
            (a.0 + b.0, format!("{} and {}", a.1, b.1))
        }
        9 => (function(strength, speed, rng), "function".to_owned()),
        kind => {
            let (torque, name) = model(kind, strength, speed, rng);
            (torque, name.to_owned())
        }
    };
    let mut span = rng.log_uniform(1.0, if at_rest { 30.0 } else { 100.0 }) / speed;
    let backwards = rng.uniform(0.0, 1.0) < 0.3;
    if backwards && name.contains("damping") {
        // What decays grows backwards: no more than by a factor of twenty.
        span = span.min(3.0 * inertia.moments().min_element() * speed / strength);
    }
    let t0 = if rng.uniform(0.0, 1.0) < 0.3 { rng.uniform(-10.0, 10.0) } else { 0.0 };
    let until = if backwards { t0 - span } else { t0 + span };
    let problem = Problem::new(inertia, start).torque(torque).starting_at(t0);
    let tolerance = rng.log_uniform(1e-11, 1e-3);
    Motion { problem, until, tolerance, name: format!("{name}, strength {relative:.1e}") }
}

/// A table that jumps, bends or is smooth at its rows, and may end in the middle of the motion.
fn table(strength: f64, speed: f64, rng: &mut Rng) -> Torque {
    let (count, apart) = (2 + rng.below(12), rng.log_uniform(0.3, 10.0) / speed);
    let mut t = rng.uniform(-20.0, 10.0) / speed;
    let mut rows = Vec::new();
    for _ in 0..count {
        let [x, y, z] = (direction(rng) * strength).to_array();
        rows.push([t, x, y, z]);
        t += apart * rng.uniform(0.2, 1.8);
    }
    let interpolation =
        [Interpolation::Hold, Interpolation::Linear, Interpolation::Spline][rng.below(3)];
    let beyond = [Beyond::Hold, Beyond::Zero][rng.below(2)];
    let frame = [VectorFrame::Body, VectorFrame::Space][rng.below(2)];
    Torque::table(VectorTable::new(&rows, interpolation, beyond).unwrap(), frame)
}

/// A body under such a table, alone or with another torque.
pub(crate) fn tabled(rng: &mut Rng) -> Motion {
    let Motion { problem, until, tolerance, name } = loop {
        let case = motion(rng);
        if case.problem.start().m != DVec3::ZERO && !case.name.contains("wall") {
            break case;
        }
    };
    let speed = problem.inertia().omega(problem.start().m).length();
    let strength = speed * rng.log_uniform(1e-3, 1.0);
    let table = table(strength, speed, rng);
    let (torque, name) = match rng.below(2) {
        0 => (table, "a table".to_owned()),
        _ => (problem.torques().clone() + table, format!("a table and {name}")),
    };
    Motion { problem: problem.torque(torque), until, tolerance, name }
}

fn formula(text: &str) -> Formula {
    Formula::new(text, &Constants::default()).unwrap()
}

/// A body that next to nothing acts on, until a strong field is switched on.
pub(crate) fn late(rng: &mut Rng) -> Motion {
    let inertia = inertia(rng, 1.0);
    let start = State::new(direction(rng), rotation(rng)).unwrap();
    let speed = inertia.omega(start.m).length();
    let (strength, rate) = (rng.log_uniform(0.05, 2.0) * speed, speed * rng.uniform(0.3, 2.0));
    let until = rng.log_uniform(1.0, 100.0) / speed;
    let on = until * rng.uniform(0.1, 0.5);
    let switch = format!("{strength}*(0.5 + atan({rate}*(t - {on}))/pi)");
    let components = [format!("{switch}*r32"), format!("-{switch}*r31"), "0".to_owned()];
    let torque = Torque::formula(components.map(|text| formula(&text)), VectorFrame::Body);
    let problem = Problem::new(inertia, start).torque(torque);
    let name = format!("late field, strength {strength:.1e}");
    Motion { problem, until, tolerance: rng.log_uniform(1e-11, 1e-3), name }
}

/// A body that turns about its middle axis, or nearly so, with a weak torque.
pub(crate) fn tipping(rng: &mut Rng) -> Motion {
    let (a, b) = (rng.uniform(0.05, 0.4), rng.uniform(0.5, 0.9));
    let inertia = Inertia::principal([a, b, rng.uniform(b + 0.01, a + b)]).unwrap();
    let off = rng.log_uniform(1e-10, 1e-2);
    let momentum = (DVec3::Y + direction(rng) * off).normalize();
    let start = State::new(momentum, rotation(rng)).unwrap();
    let speed = inertia.omega(momentum).length();
    let strength = rng.log_uniform(1e-12, 1e-3) * speed;
    let torque = HeavyTop::lagrange(strength).unwrap();
    let until = rng.log_uniform(10.0, 100.0) / speed;
    let problem = Problem::new(inertia, start).torque(torque);
    let name = format!("{off:.1e} off the middle axis, strength {strength:.1e}");
    Motion { problem, until, tolerance: rng.log_uniform(1e-11, 1e-3), name }
}

/// A top that starts nearly upright with too slow a spin to stay there: it falls, swings, and comes back as near as it
/// was, again and again.
pub(crate) fn upright(rng: &mut Rng) -> Motion {
    let a = rng.uniform(0.3, 1.0);
    let b = if rng.uniform(0.0, 1.0) < 0.5 { a } else { rng.uniform(0.3, 1.0) };
    let inertia = Inertia::principal([a, b, rng.uniform((a - b).abs() + 0.05, a + b)]).unwrap();
    let weight = rng.log_uniform(0.1, 10.0);
    let rate = (weight / a.max(b)).sqrt();
    let tilt = rng.log_uniform(1e-6, 0.3);
    let axis = direction(rng).with_z(0.0).normalize();
    let attitude = so3::exp(axis * tilt) * so3::exp(DVec3::Z * rng.uniform(0.0, 6.0));
    // Of the spin at which a symmetric top stays upright.
    let spin = rng.log_uniform(1e-3, 1.0);
    let push = direction(rng) * rng.log_uniform(1e-6, 0.3) * rate * a;
    let start = State::new(push.with_z(spin * 2.0 * (a * weight).sqrt()), attitude).unwrap();
    let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(weight).unwrap());
    let name = format!("{tilt:.1e} from upright, {spin:.1e} of the spin of a sleeping top");
    let until = rng.log_uniform(1.0, 100.0) / rate;
    Motion { problem, until, tolerance: rng.log_uniform(1e-11, 1e-3), name }
}

/// A body whose momentum falls by ten to a thousand, by a torque so weak that nothing else would tell, or a strong one.
pub(crate) fn slowing(rng: &mut Rng) -> Motion {
    let inertia = inertia(rng, 1.0);
    let start = State::new(direction(rng), rotation(rng)).unwrap();
    let speed = inertia.omega(start.m).length();
    let (fall, span) = (rng.log_uniform(10.0, 1000.0), rng.log_uniform(1.0, 100.0) / speed);
    let rate = fall.ln() / span;
    let damping = Damping::new(inertia.moments() * rate).unwrap();
    let (torque, name): (Torque, _) = match rng.below(4) {
        0 => (damping.into(), "damping"),
        1 => {
            let brake = start.q * start.m * ((1.0 / fall - 1.0) / span);
            (ConstantTorque::space(brake).unwrap().into(), "brake")
        }
        2 => {
            let pull =
                HeavyTop::new(direction(rng) * (0.2 * speed / fall), direction(rng)).unwrap();
            (Torque::from(damping) + pull, "damping and a pull")
        }
        _ => {
            let brake = move |_: &Inertia, t: f64, s: &State| {
                -s.m * rate * (1.0 + 0.5 * (3.0 * speed * t).sin())
            };
            (Function::new(Dependence::Momentum, brake).into(), "function")
        }
    };
    let problem = Problem::new(inertia, start).torque(torque);
    let name = format!("{name}, a fall by {fall:.1e}");
    Motion { problem, until: span, tolerance: rng.log_uniform(1e-11, 1e-3), name }
}

/// A body at rest under a strong torque of any kind.
pub(crate) fn resting(rng: &mut Rng) -> Motion {
    loop {
        let case = motion(rng);
        if case.problem.start().m == DVec3::ZERO {
            return case;
        }
    }
}
