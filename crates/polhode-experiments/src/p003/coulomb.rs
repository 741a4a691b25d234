//! Figures 4 and 5: the energy in long runs with large steps.

use polhode::method::Method;
use polhode::torque::CoulombWall;
use polhode::{Inertia, Problem, State, so3};
use polhode_plot::{Axis, Chart, Figure, Series};

use crate::claim::{Claims, number};
use crate::{Context, ExperimentError, Product};

const STEP: f64 = 0.5;
const STEPS: u32 = 40_000;
/// Half the height of figure 4; that of figure 5 is a fifth.
const HEIGHT: f64 = 0.1;

/// One run: H/H0 at every step until the end or the failure.
struct Run {
    name: &'static str,
    energy: Vec<f64>,
    /// The largest turn of a step, in degrees.
    turn: f64,
    failure: Option<String>,
}

impl Run {
    fn of(id: &str, name: &'static str) -> Result<Self, ExperimentError> {
        let inertia = Inertia::principal([2.0, 3.0, 4.5])?;
        let start = State::aligned([2.0, 2.0, 2.0])?;
        let torque = Box::new(CoulombWall::printed());
        let problem = Problem { inertia, torque, t0: 0.0, start };
        let mut stepper = Method::parse(id)?.stepper(&problem)?;
        let initial = problem.energy(0.0, &start);
        let (mut state, mut turn, mut energy) = (start, 0.0_f64, vec![1.0]);
        let mut failure = None;
        for n in 0..STEPS {
            let before = state.q;
            if let Err(e) = stepper.step(&problem, f64::from(n) * STEP, STEP, &mut state) {
                failure = Some(format!("step {}: {e}", n + 1));
                break;
            }
            turn = turn.max(so3::angle_between(before, state.q).to_degrees());
            energy.push(problem.energy(f64::from(n + 1) * STEP, &state) / initial);
        }
        Ok(Self { name, energy, turn, failure })
    }

    fn range(&self) -> [f64; 2] {
        let fold = |f: fn(f64, f64) -> f64, from| self.energy.iter().copied().fold(from, f);
        [fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY)]
    }

    /// The largest |H/H0 - 1|.
    fn error(&self) -> f64 {
        let [low, high] = self.range();
        (1.0 - low).max(high - 1.0)
    }

    fn blew_up(&self) -> bool {
        self.failure.is_some() || self.error() > 1.0
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

fn runs(
    context: &Context<'_>,
    id: &'static str,
    methods: &[(&'static str, &'static str)],
) -> Result<Vec<Run>, ExperimentError> {
    context.progress.begin(id, methods.len() as u64);
    methods
        .iter()
        .map(|(method, name)| {
            let run = Run::of(method, name);
            context.progress.advance();
            run
        })
        .collect()
}

fn describe(runs: &[Run]) -> String {
    runs.iter().map(Run::describe).collect::<Vec<_>>().join("; ")
}

const REFERENCE: [(&str, &str); 4] =
    [("akw", "AKW"), ("bbtrap", "BBTRAP"), ("swc1", "SWC1"), ("bbtrapwd", "BBTRAPWD")];
const PRESENT: [(&str, &str); 4] =
    [("trap", "TRAP"), ("imid", "IMID"), ("trapm", "TRAPM"), ("imidm", "IMIDM")];

pub(super) fn reference(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let runs = runs(context, "003-4", &REFERENCE)?;
    let plotted = &runs[..3];
    let mut claims = Claims::of("003-4");
    for run in plotted {
        claims.check(
            &format!("the solution of {} does not blow up in 40 000 steps", run.name),
            "H/H₀ stays near 1",
            run.describe(),
            !run.blew_up(),
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
    let exact = runs.iter().map(Run::error).fold(f64::INFINITY, f64::min);
    claims.check(
        "none of the algorithms conserves the Hamiltonian exactly",
        "errors far above rounding",
        format!("at least {}", number(exact)),
        exact > 1e-6,
        "",
    );
    let swings = crossings(&runs[2]);
    claims.check(
        "the long-term behaviour shows an irregular pattern",
        "not periodic",
        format!("the time between maxima of SWC1 varies by a factor of {}", number(swings)),
        swings > 1.5,
        "times between successive crossings of the mean, upwards, averaged over ten",
    );
    let panels = runs.iter().map(|r| r.panel(HEIGHT).into());
    Ok(Product::new(Figure::new(panels), claims.into_list()))
}

/// How much the pace of a curve varies: longest over shortest time of ten upward crossings of its
/// mean.
fn crossings(run: &Run) -> f64 {
    let mean = run.energy.iter().sum::<f64>() / run.energy.len() as f64;
    let up: Vec<usize> = (1..run.energy.len())
        .filter(|&n| run.energy[n - 1] < mean && run.energy[n] >= mean)
        .collect();
    let spans: Vec<f64> = up.windows(11).map(|w| (w[10] - w[0]) as f64).collect();
    let low = spans.iter().copied().fold(f64::INFINITY, f64::min);
    spans.iter().copied().fold(0.0, f64::max) / low
}

pub(super) fn present(context: &Context<'_>) -> Result<Product, ExperimentError> {
    let runs = runs(context, "003-5", &PRESENT)?;
    let swc1 = Run::of("swc1", "SWC1")?;
    let mut claims = Claims::of("003-5");
    for run in &runs {
        claims.check(
            &format!("{} fits a vertical scale of 1/5 of figure 4: much smaller errors", run.name),
            "within ±0.02 of 1, if figure 4 spans ±0.1",
            run.describe(),
            run.failure.is_none() && run.error() < HEIGHT / 5.0,
            "the scale of figure 4 is not printed: ±0.1 shows SWC1 whole",
        );
    }
    let worst = runs.iter().map(Run::error).fold(0.0, f64::max);
    claims.check(
        "all present algorithms are superior to the reference algorithms",
        "smaller errors of H",
        format!("at most {} against {} of SWC1", number(worst), number(swc1.error())),
        worst < swc1.error(),
        "SWC1 is the best of the three",
    );
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
