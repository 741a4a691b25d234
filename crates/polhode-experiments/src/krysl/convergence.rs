//! Figures 1 to 3: errors against the step.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Problem, State, so3};
use polhode_plot::{Axis, Chart, Figure, LineStyle, Mark, Series};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::METHODS;
use super::literal::{self, Algorithm};
use crate::claim::{Claims, number};
use crate::measure::{apart, end, matrix_distance, order};
use crate::{Context, ExperimentError, Product};

/// The body of section 5.1.
pub(super) fn body() -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal([0.9144, 1.098, 1.66])?;
    let omega = [0.45549, 0.82623, 0.03476];
    let start = State::from_omega(&inertia, omega, polhode::glam::DQuat::IDENTITY)?;
    Ok(Problem::new(inertia, start))
}

/// The tops of sections 5.2 and 5.3: inclination about the first axis, and spin.
pub(super) fn top(inclination: f64, spin: f64) -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal([5.0, 5.0, 1.0])?;
    let attitude = so3::exp(DVec3::new(inclination, 0.0, 0.0));
    let start = State::from_omega(&inertia, [0.0, 0.0, spin], attitude)?;
    Ok(Problem::new(inertia, start).torque(HeavyTop::lagrange(20.0)?))
}

/// Errors of one method: step, momentum, attitude; a step that could not be done is NaN.
struct ErrorCurves {
    name: &'static str,
    momentum: Vec<[f64; 2]>,
    attitude: Vec<[f64; 2]>,
}

impl ErrorCurves {
    /// At a step that all have, the errors of momentum and attitude.
    fn at(&self, step: f64) -> [f64; 2] {
        let find =
            |points: &[[f64; 2]]| points.iter().find(|p| p[0] == step).map_or(f64::NAN, |p| p[1]);
        [find(&self.momentum), find(&self.attitude)]
    }
}

fn errors(
    context: &Context<'_>,
    problem: &Problem,
    exact: &State,
    steps: &[f64],
    until: f64,
) -> Result<Vec<ErrorCurves>, ExperimentError> {
    METHODS
        .par_iter()
        .map(|&(id, name)| {
            let mut errors = ErrorCurves { name, momentum: Vec::new(), attitude: Vec::new() };
            for &h in steps {
                let (m, q) = match end(problem, id, h, until) {
                    Ok(s) => ((s.m - exact.m).length(), matrix_distance(&s, exact)),
                    Err(ExperimentError::Run(_)) => (f64::NAN, f64::NAN),
                    Err(other) => return Err(other),
                };
                errors.momentum.push([h, m]);
                errors.attitude.push([h, q]);
            }
            context.progress.advance();
            Ok(errors)
        })
        .collect()
}

fn figure(all: &[ErrorCurves]) -> Figure {
    let panel = |title: &str, pick: fn(&ErrorCurves) -> &Vec<[f64; 2]>| {
        let chart = Chart::new(Axis::log("step Δt"), Axis::log("norm of the error")).title(title);
        let marks = Mark::DISTINCT.into_iter().cycle();
        let drawn = all.iter().zip(marks).enumerate().fold(chart, |chart, (i, (e, mark))| {
            let line = if i < 5 { LineStyle::Solid } else { LineStyle::Dashed };
            chart.series(Series::new(e.name, pick(e).clone()).mark(mark).line(line).colour(i))
        });
        drawn.slope(2.0).into()
    };
    Figure::new([
        panel("body-frame momentum", |e| &e.momentum),
        panel("attitude matrix", |e| &e.attitude),
    ])
}

/// All methods have order 2 in both.
fn second_order(claims: &mut Claims, all: &[ErrorCurves]) {
    for errors in all {
        let asymptotic = |points: &[[f64; 2]]| {
            // The smallest three steps: where the order shows.
            let last = &points[points.len().saturating_sub(3)..];
            order(last, 1e-11, 1.0)
        };
        let (m, q) = (asymptotic(&errors.momentum), asymptotic(&errors.attitude));
        claims.check(
            &format!("{} converges quadratically in momentum and attitude", errors.name),
            "2 and 2",
            format!("{} and {}", number(m), number(q)),
            (m - 2.0).abs() < 0.25 && (q - 2.0).abs() < 0.25,
            "fitted to the three smallest steps",
        );
    }
}

fn find<'a>(all: &'a [ErrorCurves], name: &str) -> &'a ErrorCurves {
    // Every name is one of METHODS.
    all.iter().find(|e| e.name == name).unwrap_or(&all[0])
}

pub(super) fn free(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("krysl-1", METHODS.len() as u64);
    let problem = body()?;
    let exact = FreeMotion::new(problem.inertia(), problem.start())?.at(100.0)?;
    let steps: Vec<f64> = (-1..=9).map(|k| 0.5_f64.powi(k)).collect();
    let all = errors(context, &problem, &exact, &steps, 100.0)?;
    let at = |name: &str| find(&all, name).at(0.25);
    let plotted = || all.iter().filter(|e| e.name != "BBTRAPWD");

    let mut claims = Claims::of("krysl-1");
    second_order(&mut claims, &all);
    reference_step(&mut claims, &problem, &exact, &all)?;
    for (i, what) in ["body-frame momentum", "attitude"].into_iter().enumerate() {
        // The best of the other plotted methods at a step, with its name.
        let best = |h: f64| {
            let others = plotted().filter(|e| e.name != "IMID").map(|e| (e.at(h)[i], e.name));
            others.filter(|(e, _)| e.is_finite()).min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let ours = |h: f64| find(&all, "IMID").at(h)[i];
        // A tie is one to rounding.
        let beaten: Vec<(f64, f64, &str)> = (steps.iter())
            .filter_map(|&h| best(h).map(|(e, name)| (h, e, name)))
            .filter(|&(h, e, _)| ours(h).is_nan() || ours(h) > e * (1.0 + 1e-6))
            .collect();
        let names: Vec<&str> = beaten.iter().map(|b| b.2).collect();
        let by = METHODS.iter().map(|m| m.1).filter(|n| names.contains(n)).collect::<Vec<_>>();
        let (other, name) = best(0.25).unwrap_or((f64::NAN, ""));
        claims.check(
            &format!("IMID is the most accurate in the {what}"),
            "smallest error of the seven at every step plotted, or equal to it",
            format!(
                "at {} of {} steps{}; at Δt = 0.25 IMID {}, best of the others {} ({name})",
                steps.len() - beaten.len(),
                steps.len(),
                if by.is_empty() { String::new() } else { format!(", beaten by {}", by.join(", ")) },
                number(ours(0.25)),
                number(other)
            ),
            beaten.is_empty(),
            &if i == 0 {
                "AKW has the same momentum, as the paper says".to_owned()
            } else {
                let pair = [Algorithm::Imid, Algorithm::Trap];
                let [imid, trap] = literal::errors(&problem, literal::free, pair, (0.25, 400), 250);
                format!(
                    "the paper reads it from its figure, where the lines of IMID and TRAP touch: TRAP is \
                     about 10 % better at every step that resolves the motion, others where none does. \
                     Second numbers, by literal versions with rotation matrices and a reference with a step of \
                     0.001 as in the paper: IMID {}, TRAP {} at Δt = 0.25",
                    number(imid[1]),
                    number(trap[1])
                )
            },
        );
    }
    let gap = (at("AKW")[0] / at("IMID")[0] - 1.0).abs();
    claims.check(
        "AKW matches IMID in the body-frame momentum",
        "equal errors",
        format!("relative difference {}", number(gap)),
        gap < 1e-6,
        "without torque the two momentum equations are the same",
    );
    let ratio = at("AKW")[1] / at("IMID")[1];
    claims.check(
        "AKW is an order of magnitude less accurate in the attitude",
        "about 10 times",
        format!("{} times", number(ratio)),
        (5.0..50.0).contains(&ratio),
        "",
    );
    let ranked = |h: f64| {
        let behind = ["TRAPM", "IMIDM", "SWC1", "BBTRAP"].map(|n| find(&all, n).at(h)[0]);
        let trap = find(&all, "TRAP").at(h)[0];
        trap > find(&all, "IMID").at(h)[0] && behind.iter().all(|e| trap < *e)
    };
    // Where the motion is resolved.
    let small: Vec<f64> = steps.iter().copied().filter(|h| *h <= 0.25).collect();
    claims.check(
        "TRAP is slightly less accurate than IMID in the body-frame momentum",
        "next after IMID and AKW at every step up to 0.25",
        format!(
            "so at {} of {} steps; at Δt = 0.25 {} times the error of IMID",
            small.iter().filter(|h| ranked(**h)).count(),
            small.len(),
            number(at("TRAP")[0] / at("IMID")[0])
        ),
        small.iter().all(|h| ranked(*h)),
        "",
    );
    half_step(&mut claims, &problem)?;
    let ratio = at("SWC1")[0] / at("IMID")[0];
    claims.check(
        "BBTRAP and SWC1 are rather inaccurate in the body-frame momentum",
        "the least accurate of the seven",
        format!("{} times IMID", number(ratio)),
        plotted().all(|e| e.at(0.25)[0] <= at("SWC1")[0] * (1.0 + 1e-6)),
        "",
    );
    Ok(Product::new(figure(&all), claims.into_list()))
}

/// Why TRAP is less accurate: pushed by half a step of Euler before and after, it is IMID.
fn half_step(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    const H: f64 = 0.25;
    let one = |method: &str, h: f64, from: State| -> Result<State, ExperimentError> {
        let mut state = from;
        Method::parse(method)?.stepper(problem)?.step(problem, 0.0, h, &mut state)?;
        Ok(state)
    };
    // The state that half a step forward takes to the start: backward Euler undoes forward Euler.
    let mut shifted = one("be", -0.5 * H, problem.start())?;
    let mut midpoint = problem.start();
    for _ in 0..400 {
        shifted = one("trap", H, shifted)?;
        midpoint = one("imid", H, midpoint)?;
    }
    let pushed = one("fe", 0.5 * H, shifted)?;
    let gap = apart(&pushed, &midpoint);
    claims.check(
        "TRAP is less accurate than IMID because of the half-step shift",
        "without the shift TRAP gives what IMID gives",
        format!("{} at t = 100", number(gap)),
        gap < 1e-11,
        "TRAP from half a step of forward Euler before the start, pushed by half a step at the end; \
         Δt = 0.25",
    );
    Ok(())
}

/// The paper's reference: a run with a step of 0.001.
fn reference_step(
    claims: &mut Claims,
    problem: &Problem,
    exact: &State,
    all: &[ErrorCurves],
) -> Result<(), ExperimentError> {
    let state = end(problem, "imid", 1e-3, 100.0)?;
    let errors = [(state.m - exact.m).length(), matrix_distance(&state, exact)];
    let smallest = [0, 1].map(|i| {
        let shown = |e: &ErrorCurves| if i == 0 { e.momentum.clone() } else { e.attitude.clone() };
        all.iter().flat_map(shown).map(|p| p[1]).fold(f64::INFINITY, f64::min)
    });
    claims.check(
        "a step of 0.001 gives a converged reference",
        "errors below those shown",
        format!(
            "momentum {} (smallest shown {}), attitude {} ({})",
            number(errors[0]),
            number(smallest[0]),
            number(errors[1]),
            number(smallest[1])
        ),
        errors[0] < smallest[0] && errors[1] < smallest[1],
        "IMID: the paper does not say with which algorithm. The figure here is against the exact \
         motion",
    );
    Ok(())
}

fn tops(
    context: &Context<'_>,
    id: &'static str,
    problem: &Problem,
) -> Result<(Vec<ErrorCurves>, f64), ExperimentError> {
    context.progress.begin(id, METHODS.len() as u64);
    let exact = end(problem, "kahanli8+exact", 1e-3, 20.0)?;
    let coarse = end(problem, "kahanli8+exact", 2e-3, 20.0)?;
    let reference = apart(&exact, &coarse);
    let steps: Vec<f64> = (0..=9).map(|k| 0.1 * 0.5_f64.powi(k)).collect();
    Ok((errors(context, problem, &exact, &steps, 20.0)?, reference))
}

/// The step of the numbers quoted: 0.1/64, in both sizes.
const STEP: f64 = 0.1 * 0.015625;

fn reference_claim(claims: &mut Claims, gap: f64) {
    claims.check(
        "the reference is converged (the paper: an extremely small step of 0.0001)",
        "far below every error shown",
        number(gap),
        gap < 1e-8,
        "difference of kahanli8+exact with steps 1e-3 and 2e-3",
    );
}

pub(super) fn slow(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let problem = top(0.05, 5.0)?;
    let (all, gap) = tops(context, "krysl-2", &problem)?;
    let mut claims = Claims::of("krysl-2");
    reference_claim(&mut claims, gap);
    second_order(&mut claims, &all);
    let table = |i: usize| {
        let entries = all.iter().map(|e| format!("{} {}", e.name, number(e.at(STEP)[i])));
        entries.collect::<Vec<_>>().join(", ")
    };
    let present = ["TRAP", "IMID", "TRAPM", "IMIDM"];
    let least = |names: &[&str], i: usize| {
        names.iter().map(|n| find(&all, n).at(STEP)[i]).fold(f64::INFINITY, f64::min)
    };
    let others = ["SWC1", "AKW", "BBTRAP"];
    // The names of the literal versions, in their order.
    let again = ["TRAP", "IMID", "TRAPM", "IMIDM", "SWC1"];
    let algorithms =
        [Algorithm::Trap, Algorithm::Imid, Algorithm::Trapm, Algorithm::Imidm, Algorithm::Swc1];
    let second = literal::errors(&problem, literal::top, algorithms, (STEP, 12_800), 16);
    for (i, what) in [(1, "attitude"), (0, "momentum")] {
        let list = again.iter().zip(second).map(|(name, e)| format!("{name} {}", number(e[i])));
        claims.check(
            &format!("the absolute accuracy of the present algorithm is outstanding, in the {what}"),
            "the best of the four is better than SWC1, AKW, BBTRAP",
            table(i),
            least(&present, i) < least(&others, i),
            &format!(
                "at Δt = 1.5625e-3. {} Second numbers, by literal versions with rotation matrices and a \
                 reference with a step of 0.0001 as in the paper: {}",
                if i == 1 {
                    "The paper says 'the present algorithm' of four: TRAP and IMID lead, while TRAPM and IMIDM \
                     are behind SWC1."
                } else {
                    "SWC1 is better than all four."
                },
                list.collect::<Vec<_>>().join(", ")
            ),
        );
    }
    Ok(Product::new(figure(&all), claims.into_list()))
}

pub(super) fn fast(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let (all, gap) = tops(context, "krysl-3", &top(0.3, 50.0)?)?;
    let mut claims = Claims::of("krysl-3");
    reference_claim(&mut claims, gap);
    second_order(&mut claims, &all);
    for (i, what) in ["body-frame momentum", "attitude"].into_iter().enumerate() {
        let of = |name: &str| find(&all, name).at(STEP)[i];
        let pair = of("IMIDM").max(of("TRAPM"));
        let next = ["TRAP", "IMID", "SWC1", "AKW", "BBTRAP"]
            .map(of)
            .into_iter()
            .fold(f64::INFINITY, f64::min);
        claims.check(
            &format!("IMIDM and TRAPM are significantly more accurate than the others, {what}"),
            "smallest of the seven by a clear margin",
            format!("{} against {} or more", number(pair), number(next)),
            pair < 0.5 * next,
            &format!(
                "at Δt = 1.5625e-3; BBTRAPWD, not plotted in the paper, has {}",
                number(of("BBTRAPWD"))
            ),
        );
    }
    Ok(Product::new(figure(&all), claims.into_list()))
}
