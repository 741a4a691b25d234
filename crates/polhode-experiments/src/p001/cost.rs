//! Figure 6: what exact routines cost.

use polhode::torque::NoTorque;
use polhode::{Inertia, Problem, State};
use polhode_plot::{Axis, Chart, Figure, Line, Mark, Series};

use crate::claim::{Claims, number};
use crate::measure::timed_end;
use crate::{Context, ExperimentError, Product};

const ROUTINES: [(&str, &str); 8] = [
    ("frb-matrix", "exact, matrices"),
    ("frb-quaternion", "exact, quaternions"),
    ("semi-exact:frame=1", "semi-exact, matrices"),
    ("semi-exact:frame=2", "semi-exact, quaternions"),
    ("exact", "library: exact"),
    ("dmv:order=6", "DMV 6"),
    ("dmv:order=8", "DMV 8"),
    ("dmv:order=10", "DMV 10"),
];
/// Index of the first DMV.
const DMV: usize = 5;
const BODIES: [[f64; 3]; 3] = [[0.7, 1.0, 1.4], [0.5, 0.8, 1.0], [0.9, 0.95, 1.0]];
const STEPS: [f64; 6] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

pub(super) fn cost(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("001-6", STEPS.len() as u64);
    let runs = context.pick(10, 100);
    let mut ratios: Vec<Vec<[f64; 2]>> = vec![Vec::new(); ROUTINES.len()];
    for h in STEPS {
        let mut sums = [0.0; ROUTINES.len()];
        for moments in BODIES {
            let inertia = Inertia::principal(moments)?;
            let start = State::aligned([0.5, 0.4, 0.768])?;
            let problem = Problem { inertia, torque: Box::new(NoTorque), t0: 0.0, start };
            let mut times = [0.0; ROUTINES.len()];
            for (time, (id, _)) in times.iter_mut().zip(ROUTINES) {
                *time = timed_end(&problem, id, h, 10.0, runs)?.1;
            }
            let cheapest = times[DMV..].iter().copied().fold(f64::INFINITY, f64::min);
            for (sum, time) in sums.iter_mut().zip(times) {
                *sum += time / cheapest / BODIES.len() as f64;
            }
        }
        for (line, ratio) in ratios.iter_mut().zip(sums) {
            line.push([h, ratio]);
        }
        context.progress.advance();
    }
    let range = |which: usize| {
        let values = || ratios[which].iter().map(|p| p[1]);
        (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max))
    };
    let said = |which: usize| format!("{:.1} to {:.1}", range(which).0, range(which).1);
    let mut claims = Claims::of("001-6");
    for (which, what) in [(0, "matrices"), (1, "quaternions")] {
        let (low, high) = range(which);
        claims.check(
            &format!("the exact algorithms cost 8 to 20 times the dmv algorithms: {what}"),
            "8 to 20",
            said(which),
            low > 4.0 && high < 40.0,
            "steps from 0.01 to 0.5, on this machine; within a factor of two of the paper's range",
        );
        let third = ratios[which + 2].iter().zip(&ratios[which]).map(|(s, e)| s[1] / e[1]);
        let third = third.sum::<f64>() / STEPS.len() as f64;
        claims.check(
            &format!("the semi-exact variants cost about a third of the exact ones: {what}"),
            "0.33",
            number(third),
            (0.2..0.5).contains(&third),
            "mean over the steps. Here most of the time of an exact step goes into other things \
             than integrals of the third kind",
        );
    }
    let (_, high) = range(4);
    claims.check(
        "not the paper's: the library's exact step costs about as much as the cheapest DMV",
        "about 1",
        said(4),
        high < 2.0,
        "ratio to the cheapest of orders 6, 8, 10",
    );
    let chart = Chart::new(Axis::log("step h"), Axis::log("time relative to the cheapest DMV"));
    let marks = [Mark::Diamond, Mark::Cross, Mark::Square, Mark::Circle, Mark::Circle]
        .into_iter()
        .chain([Mark::Triangle; 3]);
    let chart = ratios.into_iter().zip(ROUTINES).zip(marks).enumerate().fold(
        chart,
        |chart, (index, ((points, (_, name)), mark))| {
            let line =
                if (2..4).contains(&index) || index > DMV { Line::Dashed } else { Line::Solid };
            chart.series(Series::new(name, points).mark(mark).line(line).colour(index))
        },
    );
    let figure = Figure::new([chart.into()]).panel_size(660.0, 420.0);
    Ok(Product::new(figure, claims.into_list()))
}
