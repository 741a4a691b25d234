//! Figures 4 and 5: the energy in long runs with large steps.

use polhode::glam::DVec3;
use polhode::method::Method;
use polhode::torque::CoulombWall;
use polhode::{Inertia, Problem, State, so3};
use polhode_plot::{Axis, Chart, Figure, Panel, Series};

use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product};

const STEP: f64 = 0.5;
const STEPS: u32 = 40_000;
/// Half the height of figure 4; that of figure 5 is a fifth.
const HEIGHT: f64 = 0.1;

fn problem() -> Result<Problem, ExperimentError> {
    let inertia = Inertia::principal([2.0, 3.0, 4.5])?;
    Ok(Problem::new(inertia, State::aligned([2.0; 3])?).torque(CoulombWall::printed()))
}

/// One run: H/H0 at every step until the end or the failure.
struct WallRun {
    name: &'static str,
    energy: Vec<f64>,
    /// The largest turn of a step, in degrees.
    turn: f64,
    /// The lowest R33.
    lowest: f64,
    failure: Option<String>,
}

impl WallRun {
    fn of(id: &str, name: &'static str) -> Result<Self, ExperimentError> {
        let problem = problem()?;
        let start = problem.start();
        let mut stepper = Method::parse(id)?.stepper(&problem)?;
        let initial = problem.energy(0.0, &start);
        let (mut state, mut turn, mut energy) = (start, 0.0_f64, vec![1.0]);
        let mut lowest = 1.0_f64;
        let mut failure = None;
        for n in 0..STEPS {
            let before = state.q;
            if let Err(e) = stepper.step(&problem, f64::from(n) * STEP, STEP, &mut state) {
                failure = Some(format!("step {}: {e}", n + 1));
                break;
            }
            turn = turn.max(so3::angle_between(before, state.q).to_degrees());
            lowest = lowest.min((state.q * DVec3::Z).z);
            // The paper draws this quotient; the changes that the library measures are differences.
            energy.push(problem.energy(f64::from(n + 1) * STEP, &state) / initial);
        }
        Ok(Self { name, energy, turn, lowest, failure })
    }

    fn range(&self) -> [f64; 2] {
        ends(&self.energy)
    }

    /// The largest |H/H0 - 1|.
    fn error(&self) -> f64 {
        let [low, high] = self.range();
        (1.0 - low).max(high - 1.0)
    }

    /// Within the picture to the end.
    fn stays(&self) -> bool {
        self.failure.is_none() && self.error() < HEIGHT
    }

    fn means(&self, steps: usize) -> Vec<f64> {
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        self.energy.chunks_exact(steps).map(mean).collect()
    }

    /// Means over eighths of the run: what is left of a clean oscillation is a constant.
    fn wander(&self) -> f64 {
        let means = self.means(self.energy.len() / 8);
        let [low, high] = self.range();
        (ends(&means)[1] - ends(&means)[0]) / (high - low)
    }

    /// The part of the curve that is slow: the deviation of means over blocks, relative to that of
    /// the curve.
    fn slow_part(&self) -> f64 {
        deviation(&self.means(BLOCK)) / deviation(&self.energy)
    }

    fn describe(&self) -> String {
        let [low, high] = self.range();
        let end = match &self.failure {
            Some(_) => format!(", Newton fails at step {}", self.energy.len()),
            None => String::new(),
        };
        format!(
            "{} [{low:.4}, {}]{end}",
            self.name,
            if high < 100.0 { format!("{high:.4}") } else { number(high) }
        )
    }

    fn panel(&self, height: f64) -> Chart {
        let points = self.energy.iter().enumerate().map(|(n, &e)| [n as f64 * STEP, e]);
        Chart::new(
            Axis::linear("time").range(0.0, f64::from(STEPS) * STEP),
            Axis::linear("H / H₀").range(1.0 - height, 1.0 + height),
        )
        .title(self.name)
        .series(Series::new("", points).width(0.8))
    }
}

/// The least and the greatest.
fn ends(values: &[f64]) -> [f64; 2] {
    let fold = |f: fn(f64, f64) -> f64, from| values.iter().copied().fold(from, f);
    [fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY)]
}

/// The root of the mean square distance from the mean.
fn deviation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / values.len() as f64).sqrt()
}

fn runs(
    context: &Context<'_>,
    id: &'static str,
    methods: &[(&'static str, &'static str)],
) -> Result<Vec<WallRun>, ExperimentError> {
    context.progress.begin(id, methods.len() as u64);
    methods
        .iter()
        .map(|(method, name)| {
            let run = WallRun::of(method, name);
            context.progress.advance();
            run
        })
        .collect()
}

fn describe(runs: &[WallRun]) -> String {
    runs.iter().map(WallRun::describe).collect::<Vec<_>>().join("; ")
}

/// Steps of a block that averages out every turn of the body, and little of a slow oscillation.
const BLOCK: usize = 80;

const REFERENCE: [(&str, &str); 4] =
    [("akw", "AKW"), ("bbtrap", "BBTRAP"), ("swc1", "SWC1"), ("bbtrapwd", "BBTRAPWD")];
const PRESENT: [(&str, &str); 4] =
    [("trap", "TRAP"), ("imid", "IMID"), ("trapm", "TRAPM"), ("imidm", "IMIDM")];

pub(super) fn reference(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let runs = runs(context, "krysl-4", &REFERENCE)?;
    let plotted = &runs[..3];
    let mut claims = Claims::of("krysl-4");
    for run in plotted {
        claims.check(
            &format!("the solution of {} does not blow up in 40 000 steps", run.name),
            "H/H₀ stays near 1: within ±0.1",
            run.describe(),
            run.stays(),
            run.failure.as_deref().unwrap_or(
                "the printed torque has a well without bottom at the wall: with a plain Newton solver \
                 AKW and BBTRAP fall into it, with the library's they do not",
            ),
        );
    }
    let turn = runs[2].turn;
    claims.check(
        "the body turns by well over 30° in a step",
        "> 30°",
        format!("{}°", number(turn)),
        turn > 30.0,
        "largest turn of a step, SWC1",
    );
    let exact = runs.iter().map(WallRun::error).fold(f64::INFINITY, f64::min);
    claims.check(
        "none of the algorithms conserves the Hamiltonian exactly",
        "errors far above rounding",
        format!("at least {}", number(exact)),
        exact > 1e-6,
        "",
    );
    wall(&mut claims, &runs)?;
    for run in plotted {
        claims.check(
            &format!("the long-term behaviour of {} shows an irregular pattern", run.name),
            "its mean wanders",
            format!("by {} of its height", number(run.wander())),
            run.wander() > WANDERING,
            WANDER,
        );
    }
    let mut panels: Vec<Panel> = plotted.iter().map(|r| r.panel(HEIGHT).into()).collect();
    // It leaves the others' picture within a few steps.
    let mut last = runs[3].panel(HEIGHT);
    last.y.range = None;
    last.title = format!("{} (not in the paper; scale of its own)", runs[3].name);
    panels.push(last.into());
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}

/// Beyond this the mean of a run wanders; that of a clean oscillation stays below a quarter of it.
const WANDERING: f64 = 0.2;
const WANDER: &str = "means over eighths of the run, from the least to the greatest, over the \
                      height of the curve: the same measure for figures 4 and 5";

/// Where the repulsion of the printed torque begins: s^-2 = 0.01 s^-11, s = 1.1 + R33.
fn wall(claims: &mut Claims, runs: &[WallRun]) -> Result<(), ExperimentError> {
    let wall = 0.01_f64.powf(1.0 / 9.0) - 1.1;
    let lowest = runs.iter().map(|r| r.lowest).fold(f64::INFINITY, f64::min);
    claims.check(
        "the body is repeatedly repelled by the soft wall",
        &format!("R₃₃ comes below {}, where the second term exceeds the first", number(wall)),
        format!("lowest R₃₃ {} (SWC1), {} of all", number(runs[2].lowest), number(lowest)),
        runs[2].lowest < wall,
        &format!(
            "the torque as printed repels first and attracts at the wall: the signs are exchanged, and \
             the body turns back before it. With the signs exchanged back every algorithm fails with \
             steps of 0.5, so that the figures were made with the printed ones. The second number is that of \
             the accurate motion, solved to a tolerance of 1e-9: lowest R₃₃ {} to t = {SOLVED}",
            number(lowest_of_the_motion()?)
        ),
    );
    Ok(())
}

/// How far the motion is solved: it is chaotic, and longer ones have no digits.
const SOLVED: f64 = 200.0;

/// The lowest R33 of the motion itself.
fn lowest_of_the_motion() -> Result<f64, ExperimentError> {
    let solution = problem()?.solve(SOLVED, 1e-9)?;
    let mut lowest = 1.0_f64;
    for n in 0..=20_000 {
        let state = solution.at(SOLVED * f64::from(n) / 20_000.0)?;
        lowest = lowest.min((state.q * DVec3::Z).z);
    }
    Ok(lowest)
}

pub(super) fn present(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let runs = runs(context, "krysl-5", &PRESENT)?;
    let mut others = Vec::new();
    for (method, name) in &REFERENCE[..3] {
        others.push(WallRun::of(method, name)?);
    }
    let mut claims = Claims::of("krysl-5");
    for run in &runs {
        claims.check(
            &format!("{} fits a vertical scale of 1/5 of figure 4: much smaller errors", run.name),
            "within ±0.02 of 1, if figure 4 spans ±0.1",
            run.describe(),
            run.failure.is_none() && run.error() < HEIGHT / 5.0,
            "the scale of figure 4 is not printed: ±0.1 shows SWC1 whole",
        );
    }
    let by_error = |a: &&WallRun, b: &&WallRun| a.error().total_cmp(&b.error());
    if let (Some(worst), Some(best)) =
        (runs.iter().max_by(by_error), others.iter().min_by(by_error))
    {
        claims.check(
            "all present algorithms are superior to the reference algorithms",
            "smaller errors of H",
            format!(
                "{} at most ({}), against {} at least ({})",
                number(worst.error()),
                worst.name,
                number(best.error()),
                best.name
            ),
            worst.error() < best.error(),
            "largest |H/H₀ − 1|: the worst of the present ones and the best of the reference ones",
        );
    }
    for run in &runs {
        claims.check(
            &format!("{} yields a very clean and well behaved solution", run.name),
            "its mean does not wander",
            format!("by {} of its height", number(run.wander())),
            run.wander() < 0.25 * WANDERING,
            WANDER,
        );
    }
    for (trapezoid, midpoint) in [(0, 1), (2, 3)] {
        claims.check(
            &format!(
                "the trapezoidal rule {} has a somewhat higher error than the midpoint rule {}",
                runs[trapezoid].name, runs[midpoint].name
            ),
            "a ratio above 1",
            number(runs[trapezoid].error() / runs[midpoint].error()),
            runs[trapezoid].error() > runs[midpoint].error(),
            "",
        );
    }
    for (trapezoid, midpoint) in [(0, 1), (2, 3)] {
        let [t, m] = [trapezoid, midpoint].map(|i| runs[i].slow_part());
        claims.check(
            &format!(
                "{} has a more pronounced periodic pattern of lower frequency than {}",
                runs[trapezoid].name, runs[midpoint].name
            ),
            "a larger slow part",
            format!("{} against {}", number(t), number(m)),
            t > 1.25 * m,
            "deviation of means over 80 steps, a time of 40, relative to that of the curve",
        );
    }
    claims.check(
        "the response stays stable and bounded for large steps and very long times",
        "the second half is no worse than the first",
        describe(&runs),
        runs.iter().all(|r| {
            let (first, second) = r.energy.split_at(r.energy.len() / 2);
            let error = |part: &[f64]| part.iter().map(|e| (e - 1.0).abs()).fold(0.0, f64::max);
            error(second) < 1.2 * error(first)
        }),
        "",
    );
    let panels = runs.iter().map(|r| r.panel(HEIGHT / 5.0).into());
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}
