//! Prints the cases of `oracle/` as computed here, to the bit: what the bindings of other languages and other
//! processors have to give.
//!
//! A line is a function, a name, and two lists of doubles (as 16 hexadecimal digits each), the
//! arguments and the results, with `->` between them. Where the first list is empty, the name tells the case.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "an aid for tests")]

use polhode::method::Method;
use polhode::tangent::{InertiaTangent, Tangent};
use polhode::torque::{HeavyTop, KeyValues, Torque};
use polhode::{FreeMotion, Inertia, Plan, Problem, State, run, so3};
use polhode_elliptic as elliptic;
use polhode_elliptic::Dd;
use polhode_testkit::oracle::{self, Potential, SpecialRow};
use polhode_testkit::tangents::{TangentCase, free_tangents, torqued_tangents};
use polhode_testkit::{elliptic_rows, evaluate};

/// One of every kind: exact and approximate rotors, with and without memory, explicit and implicit.
const METHODS: [&str; 5] = [
    "rkn6-14+exact",
    "strang:compensated+dmv:order=6:compensated",
    "s4-6+three-rotations",
    "rk4",
    "rkmk:tableau=gauss2",
];
const STEPS: u64 = 100;

fn main() {
    for case in oracle::free_cases().iter().chain(oracle::long_cases()) {
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let start = State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap();
        let motion = FreeMotion::new(&inertia, start).unwrap();
        let given = [&case.inertia[..], &case.momentum0, &case.quaternion0, &[case.t]].concat();
        let mut found = numbers(&motion.at(case.t).unwrap(), &inertia);
        found.extend([motion.period().unwrap_or(f64::NAN), motion.precession_rate()]);
        found.push(motion.next_flip(case.t).unwrap().unwrap_or(f64::NAN));
        line("free", &case.name, &given, &found);
    }
    for case in oracle::torqued_cases() {
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let (kind, keys) = match case.potential {
            Potential::Linear(c) => {
                let keys = [("centre", [0.0, 0.0, c].into()), ("up", case.u_space.into())];
                ("heavy-top", keys.map(|(k, v)| (k.to_owned(), v)).to_vec())
            }
            Potential::CoulombWall { sign } => {
                let sign = if sign > 0.0 { "printed" } else { "physical" };
                ("coulomb-wall", vec![("sign".to_owned(), sign.into())])
            }
            _ => panic!("{}: a potential unknown here", case.name),
        };
        let scale = match case.potential {
            Potential::Linear(c) => c,
            Potential::CoulombWall { sign } => sign,
            _ => f64::NAN,
        };
        let (m, q) = (case.momentum0.map(Dd::hi), case.quaternion0.map(Dd::hi));
        let step = case.t.hi() / STEPS as f64;
        let given =
            [&case.inertia[..], &m, &q, &case.u_space, &[scale, step, STEPS as f64]].concat();
        for id in METHODS {
            let torque = Torque::build(kind, &KeyValues::from_iter(keys.clone())).unwrap();
            let start = State::new(m, so3::from_wxyz(q)).unwrap();
            let problem = Problem::new(inertia, start).torque(torque);
            let mut stepper = Method::parse(id).unwrap().stepper(&problem).unwrap();
            let plan = Plan { step, steps: STEPS };
            // Some methods fail with steps as long as these: then the other language fails as well.
            let found = run(&problem, &mut *stepper, &plan, &mut [])
                .map_or_else(|_| Vec::new(), |end| numbers(&end.state, &inertia));
            line(kind, id, &given, &found);
        }
    }
    oracle::special_rows().iter().for_each(special);
    for row in elliptic_rows() {
        let words = format!("{} {}", row.function, row.arguments.join(" "));
        line("elliptic", &words.replace(' ', ":"), &[], &evaluate(&words).unwrap());
    }
    free_tangents().iter().for_each(free_tangent);
    torqued_tangents().iter().for_each(torqued_tangent);
}

fn free_tangent(case: &TangentCase) {
    let motion = FreeMotion::new(&inertia(case), start(case)).unwrap();
    let (tangent, by_inertia) = motion.inertia_tangent_at(case.t).unwrap();
    line("free-tangent", &case.name, &[], &derivatives(&tangent, Some(&by_inertia)));
}

fn torqued_tangent(case: &TangentCase) {
    let top = HeavyTop::new(case.arm.unwrap(), [0.0, 0.0, 1.0]).unwrap();
    let problem = Problem::new(inertia(case), start(case)).torque(top);
    let solution = problem.solve_tangent(case.t, 1e-9).unwrap();
    let end = solution.at(case.t).unwrap();
    let mut found = derivatives(&end.tangent, end.by_inertia.as_ref());
    found.extend(end.by_parameters.iter().flatten());
    line("torqued-tangent", &case.name, &[], &found);
}

fn inertia(case: &TangentCase) -> Inertia {
    match (case.inertia, case.tensor) {
        (Some(moments), _) => Inertia::principal_unphysical(moments).unwrap(),
        (None, Some([a, b, c, d, e, f])) => {
            Inertia::tensor_unphysical([[a, d, e], [d, b, f], [e, f, c]]).unwrap()
        }
        (None, None) => panic!("{}: a body without inertia", case.name),
    }
}

fn start(case: &TangentCase) -> State {
    State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap()
}

/// State, state transition matrix, by time, by the inertia.
fn derivatives(tangent: &Tangent, by_inertia: Option<&InertiaTangent>) -> Vec<f64> {
    let (m, q) = (tangent.state.m.to_array(), tangent.state.attitude());
    let transition = tangent.state_transition.as_flattened();
    let mut found = [&m[..], &q, transition, &tangent.time].concat();
    if let Some(by) = by_inertia {
        found.extend(by.inertia.as_flattened());
        found.extend(by.inertia_off.as_flattened());
    }
    found
}

fn special(row: &SpecialRow) {
    let complement = |k: f64| (1.0 - k) * (1.0 + k);
    match *row {
        SpecialRow::Jacobi { u, k, .. } => {
            let j = elliptic::jacobi(u, complement(k)).unwrap();
            line("special", "jacobi", &[u, complement(k)], &[j.sn, j.cn, j.dn, j.am]);
        }
        SpecialRow::FE { phi, k, .. } => {
            let given = [phi, complement(k)];
            let f = elliptic::incomplete_f(given[0], given[1]).unwrap();
            let e = elliptic::incomplete_e(given[0], given[1]).unwrap();
            line("special", "FE", &given, &[f, e]);
        }
        SpecialRow::Pi { phi, n, k, .. } => {
            let given = [phi, 1.0 - n, complement(k)];
            let pi = elliptic::incomplete_pi(given[0], given[1], given[2]).unwrap();
            line("special", "Pi", &given, &[pi]);
        }
        SpecialRow::Carlson { x, y, z, p, .. } => {
            let found = [
                elliptic::rf(x, y, z).unwrap(),
                elliptic::rd(x, y, z).unwrap(),
                elliptic::rc(x, y).unwrap(),
                elliptic::rj(x, y, z, p).unwrap(),
            ];
            line("special", "Carlson", &[x, y, z, p], &found);
        }
        _ => panic!("{row:?} is unknown here"),
    }
}

/// Momentum, angular velocity, attitude, matrix.
fn numbers(state: &State, inertia: &Inertia) -> Vec<f64> {
    let (m, omega) = (state.m.to_array(), state.omega(inertia).to_array());
    [&m[..], &omega, &state.attitude(), &so3::to_rows(state.q)].concat()
}

fn line(function: &str, name: &str, given: &[f64], found: &[f64]) {
    let hex = |v: &[f64]| v.iter().map(|x| format!("{:016x}", x.to_bits())).collect::<Vec<_>>();
    println!("{function} {name} {} -> {}", hex(given).join(" "), hex(found).join(" "));
}
