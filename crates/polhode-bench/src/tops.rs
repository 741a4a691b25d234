//! Heavy tops: what an error of so much costs, with every scheme here and with the solvers of others.

use std::hint::black_box;

use polhode::composition::SCHEMES;
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{Inertia, Plan, Problem, State, run, so3};
use polhode_testkit::oracle::{TorquedCase, torqued_cases};
use polhode_verify::taylor::{momentum_error, quaternion_distance};

use crate::Failure;
use crate::document::is_peer;
use crate::effort::Effort;
use crate::report::{Point, Report};
use crate::timing::{Entrant, SOLUTIONS, race};

/// The two tops of Celledoni & Säfström: key, and name of the solution in the reference data, both at
/// t = 1.
const TOPS: [(&str, &str); 2] = [("top156", "p000_exp5_t1"), ("top1000", "p000_exp3_t1")];

/// Errors that are wanted; the ratios are those at the last of `--quick`.
const WANTED: [f64; 4] = [1e-10, 1e-4, 1e-7, 1e-12];

/// Beside every scheme with the exact rotor.
const OTHERS: [&str; 5] = ["rk4", "rkmk4", "cf4", "rkmk:tableau=gauss3", "s4-6+dmv:order=10"];

/// A method that takes more steps than this has no chance.
const MOST_STEPS: u64 = 1 << 14;

struct Top {
    key: &'static str,
    problem: Problem,
    case: &'static TorquedCase,
}

impl Top {
    fn new(key: &'static str, name: &str) -> Result<Self, Failure> {
        let case = torqued_cases().iter().find(|case| case.name == name);
        let case = case.ok_or_else(|| format!("no reference solution {name}"))?;
        let problem = Problem::new(
            Inertia::principal(case.inertia)?,
            State::new(
                case.momentum0.map(polhode_elliptic::Dd::hi),
                so3::from_wxyz(case.quaternion0.map(polhode_elliptic::Dd::hi)),
            )?,
        )
        .torque(HeavyTop::new([0.0, 0.0, 1.0], case.u_space)?);
        Ok(Self { key, problem, case })
    }

    /// Of the momentum, relative to its length, or of the quaternion, whichever is larger.
    fn error(&self, end: &State) -> f64 {
        let momentum = momentum_error(end.m.to_array(), self.case.momentum);
        momentum.max(quaternion_distance(end.attitude(), self.case.quaternion))
    }

    /// Our methods in n equal steps.
    fn ours(&self, method: &Method, steps: u64) -> Option<State> {
        let mut stepper = method.stepper(&self.problem).ok()?;
        let plan = Plan { step: 1.0 / steps as f64, steps };
        Some(run(&self.problem, &mut *stepper, &plan, &mut []).ok()?.state)
    }
}

/// Something that comes as close as was wanted: how, how close, and a solution to be timed.
struct Finding<'a> {
    method: String,
    setting: String,
    error: f64,
    solve: Box<dyn Fn() -> Option<State> + 'a>,
}

impl Finding<'_> {
    /// So many solutions a round.
    fn entrant(&self, solutions: u32) -> Entrant<'_> {
        Entrant::solving(self.method.clone(), solutions, || black_box((self.solve)()).is_some())
    }
}

/// The least number of steps, to about a twentieth, with which a method reaches an error.
fn fewest_steps<'a>(top: &'a Top, name: &str, wanted: f64) -> Option<Finding<'a>> {
    let method = Method::parse(name).ok()?;
    let error = |steps| top.ours(&method, steps).map_or(f64::INFINITY, |end| top.error(&end));
    let mut steps = 4;
    while error(steps) > wanted {
        steps += (steps / 20).max(1);
        if steps > MOST_STEPS {
            return None;
        }
    }
    let error = error(steps);
    let solve = Box::new(move || top.ours(&method, black_box(steps)));
    Some(Finding { method: name.to_owned(), setting: format!("{steps} steps"), error, solve })
}

/// The largest tolerance, to a factor of 1.25, with which a solver reaches an error.
#[cfg(feature = "peers")]
fn largest_tolerance<'a>(
    top: &'a Top,
    body: &'a crate::peers::Body,
    (name, solver): (&str, crate::peers::Solver),
    wanted: f64,
) -> Option<Finding<'a>> {
    let error = |tol| solver(body, 1.0, tol).map_or(f64::INFINITY, |end| top.error(&end));
    let mut tolerance = 100.0 * wanted;
    while error(tolerance) > wanted {
        tolerance /= 1.25;
        if tolerance < 1e-16 {
            return None;
        }
    }
    Some(Finding {
        method: name.to_owned(),
        setting: format!("tolerance {tolerance:.1e}"),
        error: error(tolerance),
        solve: Box::new(move || solver(body, 1.0, black_box(tolerance))),
    })
}

pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    for (key, name) in TOPS {
        let top = Top::new(key, name)?;
        #[cfg(feature = "peers")]
        let peer =
            crate::peers::Body::new(top.problem.inertia().moments(), 1.0, top.problem.start());
        let wanted = effort.size(&WANTED[..1], &WANTED[..], &WANTED[..]);
        for &wanted in wanted {
            let mut found = Vec::new();
            for scheme in SCHEMES {
                found.extend(fewest_steps(&top, &format!("{}+exact", scheme.id), wanted));
            }
            for other in OTHERS {
                found.extend(fewest_steps(&top, other, wanted));
            }
            #[cfg(feature = "peers")]
            for solver in crate::peers::SOLVERS {
                match largest_tolerance(&top, &peer, solver, wanted) {
                    Some(one) => found.push(one),
                    None => report
                        .skipped
                        .push(format!("{key}: {} does not reach {wanted:e}", solver.0)),
                }
            }
            let points = time(effort, &top, wanted, &found);
            if wanted == WANTED[0] {
                ratios(key, &points, report);
            }
            report.work_precision.extend(points);
        }
    }
    Ok(())
}

/// How many of our methods are worth a closer look.
const CONTENDERS: usize = 8;

/// All in one race; then the cheapest and the solvers of others once more, at length.
fn time(effort: Effort, top: &Top, wanted: f64, found: &[Finding<'_>]) -> Vec<Point> {
    let point = |one: &Finding<'_>, nanoseconds| Point {
        problem: top.key,
        method: one.method.clone(),
        wanted,
        error: one.error,
        setting: one.setting.clone(),
        nanoseconds,
    };
    let first = race(effort.rounds(40), found.iter().map(|one| one.entrant(1)).collect());
    let mut timed: Vec<(&Finding<'_>, f64)> =
        found.iter().zip(first).filter_map(|(one, (_, time))| Some((one, time?))).collect();
    timed.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut ours = 0;
    let (close, rest): (Vec<_>, Vec<_>) = timed.into_iter().partition(|(one, _)| {
        let peer = is_peer(&one.method);
        ours += usize::from(!peer);
        peer || ours <= CONTENDERS
    });
    let entrants = close.iter().map(|(one, _)| one.entrant(SOLUTIONS)).collect();
    let second = race(effort.rounds(200), entrants);
    let again = close.iter().zip(second).map(|((one, before), (_, time))| {
        // Neither race is more right than the other: the shortest round counts.
        point(one, time.map_or(*before, |time| time.min(*before)))
    });
    let mut points: Vec<Point> = again.collect();
    points.extend(rest.into_iter().map(|(one, time)| point(one, time)));
    points.sort_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds));
    points
}

/// Our cheapest against each solver. `points` are sorted.
fn ratios(key: &str, points: &[Point], report: &mut Report) {
    const PEERS: [&str; 2] = ["ode_solvers", "differential-equations"];
    let ours = points.iter().find(|point| !is_peer(&point.method));
    for peer in PEERS {
        let theirs = points.iter().find(|point| point.method == peer);
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                let ratio = ours.nanoseconds / theirs.nanoseconds;
                report.ratios.insert(format!("{key}/{peer}"), ratio);
            }
            _ => report.skipped.push(format!("{key}/{peer}: nothing to compare with")),
        }
    }
}
