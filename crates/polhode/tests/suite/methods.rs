//! The methods that are not splittings: their orders, what they keep and what they do not. How they
//! conduct themselves otherwise is in `method_conduct.rs`, Krysl's identities in `krysl.rs`.

use polhode::glam::DVec3;
use polhode::method::Order;
use polhode::method::{EquationSolver, METHODS, Method, Rkmk, Tableau};
use polhode::torque::{CoulombWall, Dependence, HeavyTop, Torque};
use polhode::{FreeMotion, Inertia, Problem, State, so3};
use polhode_elliptic::Dd;
use polhode_testkit::compare::slope;
use polhode_testkit::oracle::{Potential, torqued_cases};
use polhode_verify::taylor::{momentum_error, quaternion_distance};

use crate::problems::{forced, free, run, specs, stepper};

fn order(spec: &str) -> u32 {
    match Method::parse(spec).unwrap().order() {
        Order::Of(n) => n,
        Order::Exact => panic!("{spec} is not exact"),
    }
}

#[test]
fn entries_are_as_they_should_be() {
    let ids: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
    let want = "rk4 rkmk4 cf4 rkmk trap imid trapm imidm akw swc1 bbtrap bbtrapwd fe be fem bem";
    assert_eq!(ids.join(" "), want);
    for entry in METHODS {
        assert!(!entry.cites.is_empty(), "{}", entry.id);
        assert!(entry.cites.iter().all(|c| c.bibtex().is_some()), "{}", entry.id);
        assert_eq!(entry.accepts, Dependence::Momentum, "{}", entry.id);
    }
    let orders: Vec<u32> = specs().iter().map(|spec| order(spec)).collect();
    let want = [4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 3, 5, 4, 6];
    assert_eq!(orders, want);
}

/// Measures the order of momentum and attitude over `duration` with four steps h, h/2, h/4, h/8.
fn check_order(
    name: &str,
    nominal: u32,
    duration: f64,
    first_steps: u32,
    run: impl Fn(f64, u32) -> [f64; 2],
) {
    let steps: Vec<u32> = (0..4).map(|k| first_steps << k).collect();
    let h: Vec<f64> = steps.iter().map(|&n| duration / f64::from(n)).collect();
    let errors: Vec<[f64; 2]> = h.iter().zip(&steps).map(|(&h, &n)| run(h, n)).collect();
    for (i, what) in ["momentum", "attitude"].into_iter().enumerate() {
        let errors: Vec<f64> = errors.iter().map(|e| e[i]).collect();
        // Some tens of roundings: the sums are compensated.
        let found = slope(&h, &errors, 1e-14);
        let off = (found - f64::from(nominal)).abs();
        assert!(off < 0.25, "{name}, {what}: order {found:.2}, errors {errors:?}");
    }
}

/// A number of steps for a radian or two, with which a method of that order is in its asymptotic
/// regime, and not at round-off when there are eight times as many.
fn first_steps(order: u32) -> u32 {
    match order {
        1 => 1000,
        2 => 40,
        3 | 4 => 32,
        5 => 16,
        _ => 8,
    }
}

#[test]
fn orders_for_a_free_body() {
    let problem = free();
    let duration = 3.0;
    let want = FreeMotion::new(problem.inertia(), problem.start()).unwrap().at(duration).unwrap();
    for spec in specs() {
        let order = order(&spec);
        check_order(&spec, order, duration, 3 * first_steps(order), |h, n| {
            let found =
                run(&mut *stepper(&format!("{spec}:compensated"), &problem), &problem, h, n);
            [(found.m - want.m).length() / want.m.length(), (found.q - want.q).length()]
        });
    }
}

#[test]
fn orders_with_a_torque_against_the_oracle() {
    for name in ["p000_fig8_alpha1_t10", "p003_coulomb_asprinted_t20"] {
        let case = torqued_cases().iter().find(|c| c.name == name).unwrap();
        let torque: Torque = match case.potential {
            Potential::Linear(c) => HeavyTop::new([0.0, 0.0, c], case.u_space).unwrap().into(),
            _ => CoulombWall::printed().into(),
        };
        let start =
            State::new(case.momentum0.map(Dd::hi), so3::from_wxyz(case.quaternion0.map(Dd::hi)));
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let problem = Problem::new(inertia, start.unwrap()).torque(torque);
        for spec in specs() {
            let order = order(&spec);
            let label = format!("{spec} on {name}");
            check_order(&label, order, case.t.hi(), 10 * first_steps(order), |h, n| {
                let found =
                    run(&mut *stepper(&format!("{spec}:compensated"), &problem), &problem, h, n);
                [
                    momentum_error(found.m.to_array(), case.momentum),
                    quaternion_distance(found.attitude(), case.quaternion),
                ]
            });
        }
    }
}

#[test]
fn orders_with_a_torque_that_depends_on_everything() {
    let problem = forced();
    let duration = 3.0;
    let reference = |tableau: &str, n: u32| {
        let spec = format!("rkmk:tableau={tableau}:compensated");
        run(&mut *stepper(&spec, &problem), &problem, duration / f64::from(n), n)
    };
    let (want, check) = (reference("gauss3", 512), reference("dopri5", 2048));
    assert!((want.m - check.m).length() + (want.q - check.q).length() < 3e-15);
    for spec in specs() {
        let order = order(&spec);
        check_order(&spec, order, duration, 3 * first_steps(order), |h, n| {
            let found =
                run(&mut *stepper(&format!("{spec}:compensated"), &problem), &problem, h, n);
            [(found.m - want.m).length() / want.m.length(), (found.q - want.q).length()]
        });
    }
}

/// The Poisson condition D B(m0) D^T = B(m1) for the derivative D of a step, by differences of
/// fourth order, in the coordinates (m, turn of the body): the largest entry of the defect.
fn poisson_defect(spec: &str, problem: &Problem, h: f64) -> f64 {
    let State { m, q } = problem.start();
    let after = |x: [f64; 6]| {
        let (dm, turn) = (DVec3::from_slice(&x[..3]), DVec3::from_slice(&x[3..]));
        let mut state = State { m: m + dm, q: q * so3::exp(turn) };
        stepper(spec, problem).step(problem, problem.t0(), h, &mut state).unwrap();
        state
    };
    let end = after([0.0; 6]);
    let column = |j: usize| {
        let at = |e: f64| {
            let mut x = [0.0; 6];
            x[j] = e;
            let State { m, q } = after(x);
            let (m, turn) = (m - end.m, so3::log(end.q.conjugate() * q));
            [m.x, m.y, m.z, turn.x, turn.y, turn.z]
        };
        let e = 2e-3;
        let (a, b, c, d) = (at(e), at(-e), at(2.0 * e), at(-2.0 * e));
        core::array::from_fn(|i| (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * e))
    };
    let d: [[f64; 6]; 6] = core::array::from_fn(column);
    // m' = m x dH/dm - dH/dq, turn' = dH/dm.
    let structure = |m: DVec3, i: usize, j: usize| match (i < 3, j < 3) {
        (true, true) => so3::hat(m).col(j)[i],
        (true, false) => -f64::from(i + 3 == j),
        (false, true) => f64::from(i == j + 3),
        (false, false) => 0.0,
    };
    let mut worst: f64 = 0.0;
    for i in 0..6 {
        for j in 0..6 {
            let terms = (0..36).map(|n| d[n / 6][i] * structure(m, n / 6, n % 6) * d[n % 6][j]);
            worst = worst.max((terms.sum::<f64>() - structure(end.m, i, j)).abs());
        }
    }
    worst
}

/// What Krysl says and what he leaves open, measured for a free body: every claim holds, and every
/// absence of one is seen.
///
/// Krysl conjectures that IMIDM is symplectic, from its energy error and an incomplete proof. It is
/// not: the Poisson condition is missed by h³, as by any method of order 2 that has no structure.
#[test]
fn what_is_claimed_is_kept_and_nothing_else() {
    let problem = free();
    let start = problem.start();
    let energy = |s: &State| s.kinetic_energy(problem.inertia());
    for entry in METHODS {
        let (id, keeps) = (entry.id, entry.keeps);
        let verdict = |what: &str, claimed: bool, error: f64, rounding: f64| {
            let kept = error < rounding;
            // A thousand times rounding is no rounding.
            assert!(kept || error > 1e3 * rounding, "{id}, {what}: {error:e} is undecided");
            assert_eq!(kept, claimed, "{id}, {what}: {error:e}");
        };
        let end = run(&mut *stepper(id, &problem), &problem, 0.2, 60);
        let length = (end.m.length() / start.m.length() - 1.0).abs();
        verdict("length of the momentum", keeps.momentum_norm, length, 1e-14);
        let space = (end.spatial_momentum() - start.spatial_momentum()).length();
        verdict("momentum in space", keeps.spatial_momentum, space, 3e-14);
        let change = (energy(&end) / energy(&start) - 1.0).abs();
        verdict("energy", keeps.energy, change, 3e-14);

        let (mut there, h) = (start, 0.2);
        let mut method = stepper(id, &problem);
        method.step(&problem, 0.0, h, &mut there).unwrap();
        method.step(&problem, h, -h, &mut there).unwrap();
        let back = (there.m - start.m).length() + (there.q - start.q).length();
        verdict("symmetry", keeps.symmetric, back, 1e-14);

        // Differences lose three digits, their own error is 1e-12.
        let defect = poisson_defect(id, &problem, 0.2);
        verdict("Poisson structure", keeps.symplectic, defect, 1e-10);
    }
    let imidm: Vec<f64> =
        [0.2, 0.1, 0.05, 0.025].iter().map(|&h| poisson_defect("imidm", &problem, h)).collect();
    let cubic = slope(&[0.2, 0.1, 0.05, 0.025], &imidm, 1e-10);
    assert!((cubic - 3.0).abs() < 0.1, "{cubic}: {imidm:?}");
    // The measurement itself: the exact flow passes it, with a torque too.
    assert!(poisson_defect("exact", &problem, 0.2) < 1e-10);
    let top = HeavyTop::new([0.3, -0.2, 0.7], [0.0, 0.0, 1.0]).unwrap();
    let top = free().torque(top);
    assert!(poisson_defect("strang+exact", &top, 0.2) < 1e-10);
    assert!(poisson_defect("imidm", &top, 0.2) > 1e-5);
}

#[test]
fn rkmk4_with_a_torque_is_rkmk_with_its_tableau() {
    let problem = forced();
    let (a, b) = (stepper("rkmk4", &problem), stepper("rkmk:tableau=rk4", &problem));
    assert_eq!(run(&mut *{ a }, &problem, 0.1, 10), run(&mut *{ b }, &problem, 0.1, 10));
}

/// The collocation method on four Gauss nodes, whose stages are all coupled: order 8.
fn gauss4() -> Tableau {
    let (inner, outer) = (0.3399810435848563, 0.8611363115940526);
    let c = [-outer, -inner, inner, outer].map(|x| 0.5 + 0.5 * x);
    // The integral of the Lagrange polynomial of node j from 0 to x, from its coefficients.
    let integral = |j: usize, x: f64| {
        let mut polynomial = vec![1.0];
        for (k, &node) in c.iter().enumerate().filter(|(k, _)| *k != j) {
            let scale = 1.0 / (c[j] - c[k]);
            let mut next = vec![0.0; polynomial.len() + 1];
            for (power, a) in polynomial.iter().enumerate() {
                next[power] -= a * node * scale;
                next[power + 1] += a * scale;
            }
            polynomial = next;
        }
        let terms = (1..).zip(&polynomial);
        terms.map(|(n, a)| a * x.powi(n) / f64::from(n)).sum::<f64>()
    };
    let row = |x: f64| -> [f64; 4] { core::array::from_fn(|j| integral(j, x)) };
    let a = c.map(row);
    Tableau::new(&[&a[0], &a[1], &a[2], &a[3]], &row(1.0), &c).unwrap()
}

#[test]
fn a_tableau_of_the_callers() {
    let problem = forced();
    let want = run(&mut *stepper("rkmk:tableau=gauss3", &problem), &problem, 2.0 / 256.0, 256);
    for solver in [EquationSolver::Newton, EquationSolver::FixedPoint] {
        check_order("gauss4", 8, 2.0, 3, |h, n| {
            let found = run(&mut Rkmk::new(gauss4()).solver(solver), &problem, h, n);
            [(found.m - want.m).length() / want.m.length(), (found.q - want.q).length()]
        });
    }
    assert!(!gauss4().is_explicit());
}
