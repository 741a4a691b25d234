//! Solving to a tolerance: what a true error of so much costs, with the solver and with Dop853, ours and that of
//! `ode_solvers`.

use std::hint::black_box;

use polhode::ensemble::{EnsembleSolver, FinalStates, Member};
#[cfg(feature = "peers")]
use polhode::glam::DVec3;
use polhode::solve::SolveMethod;
#[cfg(feature = "peers")]
use polhode::torque::{Dependence, Function};
use polhode::torque::{GravityGradient, HeavyTop};
use polhode::{Errors, Inertia, Problem, State, so3};
use polhode_testkit::bodies::Rng;
use polhode_testkit::oracle::torqued_cases;

use crate::Failure;
use crate::effort::Effort;
use crate::report::{Point, Report};
use crate::timing::{Entrant, SOLUTIONS, race};

/// Errors that are wanted.
const WANTED: [f64; 5] = [1e-8, 1e-4, 1e-6, 1e-10, 1e-12];

/// Some problems, each with its end.
struct Case {
    key: &'static str,
    problems: Vec<(Problem, f64, State)>,
    wanted: &'static [f64],
    #[cfg_attr(not(feature = "peers"), expect(dead_code, reason = "others are not built in"))]
    torque: PeerTorque,
}

/// What acts, as solvers of others are told.
#[cfg_attr(not(feature = "peers"), expect(dead_code, reason = "others are not built in"))]
enum PeerTorque {
    /// The strength of V = weight u3 for each problem.
    Weights(Vec<f64>),
    /// The gradient of gravity on an orbit of this rate.
    Orbit(f64),
}

/// The top of the reference solution with that name.
fn top(key: &'static str, name: &str) -> Result<Case, Failure> {
    let case = torqued_cases().iter().find(|case| case.name == name);
    let case = case.ok_or_else(|| format!("no reference solution {name}"))?;
    let state = |m: [polhode_elliptic::Dd; 3], q: [polhode_elliptic::Dd; 4]| {
        State::new(m.map(polhode_elliptic::Dd::hi), so3::from_wxyz(q.map(polhode_elliptic::Dd::hi)))
    };
    let problem =
        Problem::new(Inertia::principal(case.inertia)?, state(case.momentum0, case.quaternion0)?)
            .torque(HeavyTop::new([0.0, 0.0, 1.0], case.u_space)?);
    let end = state(case.momentum, case.quaternion)?;
    let problems = vec![(problem, case.t.hi(), end)];
    Ok(Case { key, problems, wanted: &WANTED, torque: PeerTorque::Weights(vec![1.0]) })
}

/// With its end, by a method of order 6 in compensated steps of a hundredth of a radian.
fn with_end(problem: Problem, until: f64) -> Result<(Problem, f64, State), Failure> {
    let speed = problem.inertia().omega(problem.start().m).length();
    let steps = (until * speed * 128.0).ceil();
    let method = "rkn6-14:compensated+exact:compensated";
    let end = problem.observe(method, until / steps, until, &mut [])?.state;
    Ok((problem, until, end))
}

/// A satellite that tumbles through a hundred radians; the torque is a thousandth of the gyroscopic one.
fn satellite() -> Result<Case, Failure> {
    let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
    let start = State::new([1.0, 0.6, 1.2], so3::exp([0.3, -0.8, 0.4].into()))?;
    let rate = 0.03;
    let gradient = GravityGradient::new(rate, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])?;
    let until = 100.0 / inertia.omega(start.m).length();
    let problems = vec![with_end(Problem::new(inertia, start).torque(gradient), until)?];
    Ok(Case { key: "satellite", problems, wanted: &WANTED, torque: PeerTorque::Orbit(rate) })
}

/// The weight of the tops: about a thousandth of the gyroscopic torque.
const WEIGHT: f64 = 2e-3;

/// A hundred tops of unit momentum and all kinds of inertia until the same time. Their speeds are 1 to 3.3.
fn tops(key: &'static str, until: f64) -> Result<Case, Failure> {
    let mut rng = Rng::new(100);
    let mut problems = Vec::new();
    for _ in 0..100 {
        let (a, b) = (rng.uniform(0.3, 1.0), rng.uniform(0.3, 1.0));
        let inertia = Inertia::principal([a, b, rng.uniform((a - b).abs() + 0.05, a + b)])?;
        let momentum: [f64; 3] = rng.direction();
        let start = State::new(momentum, so3::from_wxyz(rng.direction()))?;
        let problem = Problem::new(inertia, start).torque(HeavyTop::lagrange(WEIGHT)?);
        problems.push(with_end(problem, until)?);
    }
    let torque = PeerTorque::Weights(vec![WEIGHT; problems.len()]);
    Ok(Case { key, problems, wanted: &WANTED[..1], torque })
}

/// The torque of V = weight u3 at the end of the third axis.
#[cfg(feature = "peers")]
fn pull(weight: f64, state: &State) -> DVec3 {
    let [w, x, y, z] = state.attitude();
    DVec3::new(2.0 * weight * (y * z + w * x), -2.0 * weight * (x * z - w * y), 0.0)
}

/// Solves all problems of a case to a tolerance.
type Solve<'a> = Box<dyn Fn(f64) -> Option<Vec<State>> + 'a>;

impl Case {
    /// With the torque as a function of the user's, that the compiler does not see: called through a pointer.
    #[cfg(feature = "peers")]
    fn called(&self, weights: &[f64]) -> Solve<'_> {
        let problems: Vec<Problem> = self
            .problems
            .iter()
            .zip(weights)
            .map(|((problem, ..), &weight)| {
                let function: fn(f64, &State) -> DVec3 = black_box(pull);
                let torque =
                    Function::new(Dependence::Attitude, move |_, _, at| function(weight, at));
                problem.clone().torque(torque)
            })
            .collect();
        self.each(move |i, tolerance| {
            let solver = problems[i].solver().tolerance(tolerance).times(&[]);
            Some(solver.until(self.problems[i].1).ok()?.end().1)
        })
    }

    /// One problem after the other.
    fn each<'a>(&self, solve: impl Fn(usize, f64) -> Option<State> + 'a) -> Solve<'a> {
        let count = self.problems.len();
        Box::new(move |tolerance| (0..count).map(|i| black_box(solve(i, tolerance))).collect())
    }

    fn ours(&self, method: Option<SolveMethod>) -> Solve<'_> {
        self.each(move |i, tolerance| {
            let (problem, until, _) = &self.problems[i];
            let mut solver = problem.solver().tolerance(tolerance).times(&[]);
            if let Some(method) = method {
                solver = solver.method(method);
            }
            Some(solver.until(*until).ok()?.end().1)
        })
    }

    /// All of them as an ensemble: they have one torque and one end.
    fn ensemble(&self) -> Solve<'_> {
        let of = |(problem, ..): &(Problem, f64, State)| Member {
            inertia: *problem.inertia(),
            start: problem.start(),
        };
        let bodies: Vec<Member> = self.problems.iter().map(of).collect();
        let (problem, until, _) = &self.problems[0];
        Box::new(move |tolerance| {
            let ensemble = EnsembleSolver::new(tolerance).torque(problem.torques().clone());
            let mut end = FinalStates::default();
            let summary = ensemble.run(bodies.iter().copied(), &[*until], &mut end).ok()?;
            (summary.failed == 0).then_some(end.states)
        })
    }

    /// The solver, Dop853, and that of others where they are built in.
    fn solvers(&self) -> Vec<(&'static str, Solve<'_>)> {
        let mut solvers =
            vec![("solve", self.ours(None)), ("dop853", self.ours(Some(SolveMethod::Dop853)))];
        if self.problems.len() > 1 {
            solvers.push(("ensemble", self.ensemble()));
        }
        #[cfg(feature = "peers")]
        match &self.torque {
            PeerTorque::Weights(weights) => {
                solvers.push(("called", self.called(weights)));
                let bodies = self.problems.iter().zip(weights);
                let bodies: Vec<_> = bodies
                    .map(|((problem, ..), weight)| {
                        let moments = problem.inertia().moments();
                        crate::peers::Body::new(moments, *weight, problem.start())
                    })
                    .collect();
                solvers.push((
                    "ode_solvers",
                    self.each(move |i, tolerance| {
                        crate::peers::ode_solvers(&bodies[i], self.problems[i].1, tolerance)
                    }),
                ));
            }
            PeerTorque::Orbit(rate) => solvers.push((
                "ode_solvers",
                self.each(move |i, tolerance| {
                    let (problem, until, _) = &self.problems[i];
                    let moments = problem.inertia().moments();
                    let orbit = crate::peers::Satellite::new(moments, *rate, problem.start());
                    crate::peers::ode_solvers_orbit(&orbit, *until, tolerance)
                }),
            )),
        }
        solvers
    }

    /// The largest error of all problems, of momentum or attitude.
    fn error(&self, solve: &Solve<'_>, tolerance: f64) -> f64 {
        let Some(ends) = solve(tolerance) else { return f64::INFINITY };
        let error = |(got, (.., want)): (&State, &(Problem, f64, State))| {
            Errors::new(got, want, want.m.length()).worst()
        };
        ends.iter().zip(&self.problems).map(error).fold(0.0, f64::max)
    }

    /// The largest tolerance, to a factor of 1.25, with which all errors are within the wanted one.
    fn tolerance(&self, solve: &Solve<'_>, wanted: f64) -> Option<(f64, f64)> {
        let mut tolerance = (1e4 * wanted).min(0.1);
        while tolerance >= 1e-15 {
            let error = self.error(solve, tolerance);
            if error <= wanted {
                return Some((tolerance, error));
            }
            tolerance /= 1.25;
        }
        None
    }
}

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let cases = [
        top("solve156", "p000_exp5_t1")?,
        top("solve1000", "p000_exp3_t1")?,
        satellite()?,
        tops("tops", 30.0)?,
        tops("tops10", 10.0)?,
    ];
    // Ensembles on one thread, as the others.
    let thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    thread.install(|| measure_cases(&cases, effort, report));
    Ok(())
}

fn measure_cases(cases: &[Case], effort: Effort, report: &mut Report) {
    for case in cases {
        for &wanted in case.wanted {
            let mut found = Vec::new();
            for (name, solve) in case.solvers() {
                match case.tolerance(&solve, wanted) {
                    Some((tolerance, error)) => found.push((name, solve, tolerance, error)),
                    None => report
                        .skipped
                        .push(format!("{}: {name} does not reach {wanted:e}", case.key)),
                }
            }
            let solutions = if case.problems.len() == 1 { SOLUTIONS } else { 1 };
            let entrants = found.iter().map(|(name, solve, tolerance, _)| {
                Entrant::solving(*name, solutions, || solve(black_box(*tolerance)).is_some())
            });
            let times = race(effort.rounds(200), entrants.collect());
            let time = |name: &str| times.iter().find(|t| t.0 == name).and_then(|t| t.1);
            for peer in ["dop853", "ode_solvers"] {
                let mut compare = |key: &str, ours: &str| {
                    let key = format!("{key}/{peer}@{wanted:.0e}");
                    match (time(ours), time(peer)) {
                        (Some(ours), Some(theirs)) => _ = report.ratios.insert(key, ours / theirs),
                        _ => report.skipped.push(format!("{key}: nothing to compare with")),
                    }
                };
                if case.problems.len() > 1 {
                    compare(case.key, "ensemble");
                    compare(&format!("{}-alone", case.key), "solve");
                } else {
                    compare(case.key, "solve");
                }
            }
            if let (Some(ours), Some(theirs)) = (time("called"), time("ode_solvers")) {
                let key = format!("{}-called/ode_solvers@{wanted:.0e}", case.key);
                report.ratios.insert(key, ours / theirs);
            }
            for ((name, _, tolerance, error), (_, time)) in found.iter().zip(&times) {
                report.work_precision.extend(time.map(|nanoseconds| Point {
                    problem: case.key,
                    method: (*name).to_owned(),
                    wanted,
                    error: *error,
                    setting: format!("tolerance {tolerance:.1e}"),
                    nanoseconds,
                }));
            }
        }
    }
}
