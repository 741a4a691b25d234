//! Tangents of runs with torques: the derivative of the discrete map, and its convergence.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use glam::{DMat3, DVec3};
use polhode::method::{Derivatives, MethodError};
use polhode::tangent::{MotionTangent, TangentRun};
use polhode::torque::{
    Damping, Dependence, Function, GravityGradient, HeavyTop, TORQUES, TorqueJacobian,
};
use polhode::{Inertia, Problem, SimulateError, State, Torque, glam, so3};
use polhode_testkit::tangents::{TangentCase, torqued_tangents};

use super::schemes::defect;

/// The rounding of a number: half an ulp of one.
const EPS: f64 = f64::EPSILON / 2.0;

fn problem(case: &TangentCase) -> Problem {
    let inertia = Inertia::principal_unphysical(case.inertia.unwrap()).unwrap();
    let start = State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap();
    let top = HeavyTop::new(case.arm.unwrap(), [0.0, 0.0, 1.0]).unwrap();
    Problem::new(inertia, start).torque(top)
}

fn run(problem: &Problem, method: &str, steps: u32, until: f64) -> MotionTangent {
    let mut run = TangentRun::new(problem, method).unwrap();
    for _ in 0..steps {
        run.step(until / f64::from(steps)).unwrap();
    }
    run.tangent()
}

/// Columns without units: by momentum, attitude, moments, mixed entries of the inertia, and arm at the start.
type Columns = [(&'static str, Vec<[f64; 6]>); 5];

/// A matrix of six rows, by its columns, without units.
fn unitless<const K: usize>(rows: &[[f64; K]; 6], m: f64, units: [f64; K]) -> Vec<[f64; 6]> {
    let column = |c: usize| {
        let entry = |r: usize| rows[r][c] * units[c] / if r < 3 { m } else { 1.0 };
        core::array::from_fn(entry)
    };
    (0..K).map(column).collect()
}

fn columns(
    case: &TangentCase,
    phi: &[[f64; 6]; 6],
    [inertia, mixed, arm]: [&[[f64; 3]; 6]; 3],
) -> Columns {
    let (m, moments) = (case.scale_m.unwrap(), case.inertia.unwrap());
    let state = unitless(phi, m, [m, m, m, 1.0, 1.0, 1.0]);
    let length = DVec3::from(case.arm.unwrap()).length();
    [
        ("momentum", state[..3].to_vec()),
        ("attitude", state[3..].to_vec()),
        ("moments", unitless(inertia, m, moments)),
        ("mixed entries", unitless(mixed, m, moments)),
        ("arm", unitless(arm, m, [length; 3])),
    ]
}

fn of_run(case: &TangentCase, made: &MotionTangent) -> Columns {
    let by = made.by_inertia.unwrap();
    let arm = core::array::from_fn(|row| core::array::from_fn(|c| made.by_parameters[c][row]));
    columns(case, &made.tangent.state_transition, [&by.inertia, &by.inertia_off, &arm])
}

/// The largest of the rows of the momentum, and of those of the attitude.
fn sizes<'a>(columns: impl IntoIterator<Item = &'a [f64; 6]>) -> [f64; 2] {
    columns.into_iter().fold([0.0; 2], |largest: [f64; 2], column| {
        let of = |rows: &[f64]| {
            rows.iter().fold(0.0, |largest: f64, x| {
                assert!(x.is_finite());
                largest.max(x.abs())
            })
        };
        [largest[0].max(of(&column[..3])), largest[1].max(of(&column[3..]))]
    })
}

/// The errors of a block are within 40 eps sqrt(steps) times its size, and four times its change by an ulp of an input.
///
/// Two of them, `lagrange_slow` and `p000_exp5_t10`, have a tangent that is larger on the way than at the end, by 75
/// and by 4; what a step rounds grows by that until the end. So sums have to be compensated, which leaves the
/// roundings of what steps add: the less the more steps there are, while the bound grows with them.
#[test]
fn heavy_tops_have_the_derivatives_of_the_reference() {
    for case in torqued_tangents() {
        let problem = problem(case);
        let omega = problem.inertia().omega(problem.start().m).length();
        // Short enough that rounding is what is left: a twelfth of a radian, by a scheme of order 6.
        let wanted = (case.t * omega.max(3.0)).abs() * 12.0;
        let steps = (2400u32..60_000).find(|n| f64::from(*n) >= wanted).unwrap();
        let end = run(&problem, "rkn6-14+exact", steps, case.t);
        let m = case.scale_m.unwrap();
        let rounding = 40.0 * EPS * f64::from(steps).sqrt();
        let arm = case.arm_columns.unwrap();
        let others = [&case.inertia_columns, &case.inertia_off_columns, &arm];
        let want = columns(case, &case.phi, others);
        let ulps = [["mm", "dm"], ["md", "dd"], ["dI_m", "dI_del"]]
            .map(|names| names.map(|name| case.norm_and_ulp(name).1));
        for (k, ((name, got), (_, want))) in of_run(case, &end).iter().zip(&want).enumerate() {
            let off: Vec<[f64; 6]> = got
                .iter()
                .zip(want)
                .map(|(got, want)| core::array::from_fn(|i| got[i] - want[i]))
                .collect();
            let (off, size) = (sizes(&off), sizes(want));
            for part in 0..2 {
                // Of the last two the reference tells none: that of the moments.
                let allowed = rounding * size[part] + 4.0 * ulps[k.min(2)][part];
                assert!(
                    off[part] <= allowed,
                    "{} by {name}, {part}: {:e} > {allowed:e} in {steps} steps",
                    case.name,
                    off[part]
                );
            }
        }
        let off = unitless(&end.tangent.time.map(|x| [x]), m, [1.0])[0];
        let want = unitless(&case.time.map(|x| [x]), m, [1.0])[0];
        let size = sizes([&want]);
        let off = sizes([&core::array::from_fn(|i| off[i] - want[i])]);
        for part in 0..2 {
            let allowed = rounding * size[0].max(size[1]);
            assert!(off[part] <= allowed, "{} by time: {:e} > {allowed:e}", case.name, off[part]);
        }
    }
}

/// Differences of a run by the start, of order 4.
fn differences(problem: &Problem, method: &str, steps: u32, until: f64) -> [[f64; 6]; 6] {
    let h = 3e-5;
    let end = |k: usize, by: f64| {
        let mut start = problem.start();
        let mut axis = [0.0; 3];
        axis[k % 3] = by;
        if k < 3 {
            start.m += polhode::glam::DVec3::from(axis);
        } else {
            start.q *= so3::exp(axis.into());
        }
        let moved = problem.clone().starting_from(start);
        let points = moved.simulate(method, until / f64::from(steps), until).unwrap().points;
        points[points.len() - 1].state
    };
    let central = |k: usize, h: f64| {
        let (plus, minus) = (end(k, h), end(k, -h));
        let dm = (plus.m - minus.m) / (2.0 * h);
        let turn = minus.q.conjugate() * plus.q;
        let del = turn.xyz() * (2.0 / (2.0 * h)) * turn.w.signum();
        [dm.x, dm.y, dm.z, del.x, del.y, del.z]
    };
    let mut rows = [[0.0; 6]; 6];
    for k in 0..6 {
        let (near, far) = (central(k, h), central(k, 2.0 * h));
        for row in 0..6 {
            rows[row][k] = (4.0 * near[row] - far[row]) / 3.0;
        }
    }
    rows
}

/// The example of every model, a sum, and a function.
fn torques() -> Vec<(&'static str, Torque)> {
    let sine = |_: &Inertia, t: f64, s: &State| {
        polhode::glam::DVec3::new(0.3 * t.sin(), -0.2 * s.m.x, 0.1 * s.q.x)
    };
    let models = TORQUES.iter().map(|entry| (entry.kind, entry.build(&entry.example()).unwrap()));
    let mut torques: Vec<_> = models.collect();
    let damped =
        Torque::from(HeavyTop::lagrange(0.7).unwrap()) + Damping::new([0.1, 0.2, 0.05]).unwrap();
    torques.push(("top, damped", damped));
    torques.push(("function", Function::new(Dependence::Momentum, sine).into()));
    torques
}

#[test]
fn the_tangent_is_the_derivative_of_the_run() {
    let tensor = [[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]];
    for inertia in [Inertia::principal([1.9, 1.0, 1.4]), Inertia::tensor(tensor)] {
        let start = State::new([0.4, -0.3, 0.9], so3::exp([0.5, -1.2, 0.8].into())).unwrap();
        for (name, torque) in torques() {
            let problem = Problem::new(inertia.clone().unwrap(), start).torque(torque);
            for method in [
                "strang+exact",
                "strang+dmv:order=6",
                "strang+three-rotations",
                "strang+frb-matrix",
            ] {
                let got = run(&problem, method, 20, 4.0).tangent;
                let want = differences(&problem, method, 20, 4.0);
                for row in 0..6 {
                    for c in 0..6 {
                        let (got, want) = (got.state_transition[row][c], want[row][c]);
                        // Rounding over 3e-5 after twenty steps; fifth derivatives, of the wall 2e8, times 1e-19.
                        assert!(
                            (got - want).abs() < 2e-9,
                            "{name} {method} ({row},{c}): {got} {want}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn columns_by_inertia_and_parameters_are_those_of_other_bodies_and_torques() {
    let start = State::new([0.4, -0.3, 0.9], so3::exp([0.5, -1.2, 0.8].into())).unwrap();
    let end = |inertia: Inertia, torque: Torque| {
        let points = Problem::new(inertia, start).torque(torque);
        let points = points.simulate("strang+exact", 0.2, 4.0).unwrap().points;
        points[points.len() - 1].state
    };
    let difference = |plus: State, minus: State, h: f64| {
        let dm = (plus.m - minus.m) / (2.0 * h);
        let del = (minus.q.conjugate() * plus.q).xyz() / h;
        [dm.x, dm.y, dm.z, del.x, del.y, del.z]
    };
    let h = 3e-6;
    let build = |values: &[f64]| -> Torque {
        let [a, b, c, u, v, w, x, y, z, rate, p, q, r, strength] = *values else { panic!() };
        let constants = [("E".to_owned(), strength)].into();
        let field = ["E*cos(2*t)", "E*sin(2*t)", "0.3*E"]
            .map(|text| polhode::formula::Formula::new(text, &constants).unwrap());
        Torque::from(HeavyTop::new([a, b, c], [u, v, w]).unwrap())
            + Damping::new([x, y, z]).unwrap()
            + GravityGradient::new(rate, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]).unwrap()
            + Torque::dipole([p, q, r], field).unwrap()
    };
    let values = [0.2, -0.3, 0.8, 0.1, 0.2, 1.0, 0.1, 0.05, 0.2, 0.7, 0.3, -0.1, 0.2, 0.5];
    // A symmetric body: principal axes have no derivative there, the motion has.
    for tensor in [
        [[2.0, 0.3, -0.2], [0.3, 1.7, 0.4], [-0.2, 0.4, 2.5]],
        [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
    ] {
        let inertia = Inertia::tensor(tensor).unwrap();
        let problem = Problem::new(inertia, start).torque(build(&values));
        let got = run(&problem, "strang+exact", 20, 4.0);
        let names: Vec<String> =
            problem.torques().parameters().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names[0], "heavy-top.centre.x");
        assert_eq!(names[9], "gravity-gradient.rate");
        assert!(names.len() == 14 && names[13].split('.').next_back() == Some("E"), "{names:?}");
        for (k, column) in got.by_parameters.iter().enumerate() {
            let moved = |by: f64| {
                let mut values = values;
                values[k] += by;
                end(inertia, build(&values))
            };
            let want = difference(moved(h), moved(-h), h);
            for row in 0..6 {
                assert!(
                    (column[row] - want[row]).abs() < 4e-8,
                    "{} {row}: {} {}",
                    names[k],
                    column[row],
                    want[row]
                );
            }
        }
        let by = got.by_inertia.unwrap();
        for (c, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].into_iter().enumerate()
        {
            let moved = |by: f64| {
                let mut rows = tensor;
                rows[i][j] += by;
                if i != j {
                    rows[j][i] += by;
                }
                end(Inertia::tensor(rows).unwrap(), build(&values))
            };
            let want = difference(moved(h), moved(-h), h);
            for row in 0..6 {
                let got = if c < 3 { by.inertia[row][c] } else { by.inertia_off[row][c - 3] };
                assert!((got - want[row]).abs() < 6e-8, "inertia {c} {row}: {got} {}", want[row]);
            }
        }
    }
}

#[test]
fn the_tangent_of_a_splitting_is_symplectic_whatever_the_step() {
    let case = torqued_tangents().iter().find(|c| c.name == "asymmetric_chaotic").unwrap();
    let problem = problem(case);
    for h in [0.01, 0.3] {
        let got = run(&problem, "rkn6-14+exact", 300, 300.0 * h).tangent;
        let (phi, m) = (got.state_transition, got.state.m);
        let largest = phi.as_flattened().iter().fold(1.0f64, |l, x| l.max(x.abs()));
        let off = defect(&phi, problem.start().m, m);
        let allowed = 1e-13 * largest * largest * m.length().max(1.0);
        assert!(off < allowed, "h = {h}: {off:e} of {largest:e}");
    }
}

#[test]
fn the_catalogue_says_what_has_derivatives() {
    let (inertia, start) = ([1.0, 1.4, 1.9], [1.0, 0.0, 0.2]);
    let problem =
        Problem::new(Inertia::principal(inertia).unwrap(), State::aligned(start).unwrap());
    let mut seen = Vec::new();
    for entry in polhode::catalog().methods {
        let scheme = entry.kind == polhode::EntryKind::Scheme;
        let id = if scheme { format!("{}+exact", entry.id) } else { entry.id.to_owned() };
        let found = TangentRun::new(&problem, id.as_str()).map(|run| run.tangent());
        let has = match found {
            Err(MethodError::NoTangent { .. }) => Derivatives::None,
            Err(error) => panic!("{id}: {error}"),
            Ok(tangent) if tangent.by_inertia.is_none() => Derivatives::Start,
            Ok(_) => Derivatives::Inertia,
        };
        assert_eq!(entry.derivatives, has, "{id}");
        seen.push(has);
    }
    let all = [Derivatives::None, Derivatives::Start, Derivatives::Inertia];
    assert!(all.iter().all(|derivatives| seen.contains(derivatives)));
}

#[test]
fn methods_without_a_tangent_say_so() {
    let problem = Problem::new(
        Inertia::principal([1.0, 1.4, 1.9]).unwrap(),
        State::aligned([1.0, 0.0, 0.2]).unwrap(),
    );
    for method in ["rk4", "strang+midpoint-attitude"] {
        let error = problem.simulate_tangent(method, 0.1, 1.0, 1).unwrap_err();
        assert!(matches!(error, SimulateError::Method(MethodError::NoTangent { .. })), "{error}");
        let text = error.to_string();
        let rotors = polhode::catalog().rotors_with(Derivatives::Start).join(", ");
        assert!(text.contains("rkn6-14+exact") && text.ends_with(&rotors), "{text}");
    }
    let samples = problem.simulate_tangent("strang+dmv", 0.1, 1.0, 5).unwrap();
    assert_eq!(samples.iter().map(|(t, _)| *t).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
    assert!(samples[1].1.by_inertia.is_none());
}

/// A damped pendulum as a user writes it: torque m-dependent and attitude-dependent, with its derivatives.
fn written_out(jacobian: bool, wrong: f64, calls: &Arc<[AtomicUsize; 2]>) -> Torque {
    const PULL: f64 = 0.7;
    const RATE: f64 = 0.2;
    let counted = calls.clone();
    let torque = Function::new(Dependence::Momentum, move |_, _, s: &State| {
        counted[0].fetch_add(1, Ordering::Relaxed);
        // The centre is on the third axis.
        let up = s.q.conjugate() * DVec3::Z;
        DVec3::Z.cross(up * -PULL) - s.m * RATE
    });
    if !jacobian {
        return torque.into();
    }
    let counted = calls.clone();
    let derivatives = move |_: &Inertia, _: f64, s: &State| {
        counted[1].fetch_add(1, Ordering::Relaxed);
        let up = s.q.conjugate() * DVec3::Z;
        // A turn by del changes a space vector seen from the body by up x del.
        let columns = DVec3::AXES.map(|axis| DVec3::Z.cross(up.cross(axis) * -PULL) * wrong);
        let rotation = DMat3::from_cols(columns[0], columns[1], columns[2]);
        TorqueJacobian { rotation, momentum: DMat3::IDENTITY * -RATE }
    };
    torque.with_jacobian(derivatives).into()
}

#[test]
fn differences_do_not_depend_on_units() {
    let tangent = |mass: f64| {
        let start =
            State::new([0.3, 1.0, 2.0].map(|x| x * mass), so3::exp(DVec3::Y * 0.4)).unwrap();
        let inertia = Inertia::principal([1.0, 1.5, 2.0].map(|x| x * mass)).unwrap();
        let pull = move |_: &Inertia, _: f64, s: &State| {
            let up = s.q.conjugate() * DVec3::Z;
            (up.cross(DVec3::X) * 0.7 - s.m / mass * (s.m.length() / mass * 0.02)) * mass
        };
        let problem =
            Problem::new(inertia, start).torque(Function::new(Dependence::Momentum, pull));
        run(&problem, "strang+exact", 40, 4.0).tangent.state_transition
    };
    let want = tangent(1.0);
    for exponent in [-66, -40, 40, 66] {
        let mass = 2.0_f64.powi(exponent);
        let got = tangent(mass);
        for (i, j) in (0..36).map(|k| (k / 6, k % 6)) {
            // Of a momentum by an angle it has the unit of the momentum, and the other way round.
            let unit = [mass, 1.0, 1.0 / mass][1 + i / 3 - j / 3];
            let off = (got[i][j] / unit - want[i][j]).abs();
            // Beyond 1e20 a step is made another way, and differences leave some 1e-12 of its rounding.
            assert!(off < 1e-11, "{exponent}: {off:e} at ({i}, {j})");
        }
    }
}

#[test]
fn known_derivatives_are_taken_instead_of_differences() {
    let start = State::new([0.3, 1.0, 2.0], so3::exp(DVec3::new(0.4, -0.2, 0.1))).unwrap();
    let inertia = Inertia::principal([1.0, 1.5, 2.0]).unwrap();
    let tangent = |jacobian: bool, wrong: f64| {
        let calls = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
        let problem = Problem::new(inertia, start).torque(written_out(jacobian, wrong, &calls));
        let made = run(&problem, "strang+exact", 40, 4.0).tangent.state_transition;
        (made, [0, 1].map(|i| calls[i].load(Ordering::Relaxed)))
    };
    let off = |a: &[[f64; 6]; 6], b: &[[f64; 6]; 6]| {
        let pairs = a.as_flattened().iter().zip(b.as_flattened());
        pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
    };
    let (known, called) = tangent(true, 1.0);
    let (differences, without) = tangent(false, 1.0);
    assert!(off(&known, &differences) < 1e-8, "{:e}", off(&known, &differences));
    assert!(called[1] > 0 && called[0] * 4 < without[0], "{called:?} and {without:?}");
    // It is theirs that count.
    let (wrong, _) = tangent(true, 0.9);
    assert!(off(&wrong, &differences) > 1e-3);
}
