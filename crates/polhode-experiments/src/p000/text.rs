//! What the text says beside the figures.

use polhode::State;
use polhode::method::Method;

use super::small_top;
use crate::claim::{Claims, number};
use crate::measure::{largest, matrix_distance};
use crate::{Context, ExperimentError, Product};

pub(super) fn text(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("000-text", 1);
    let mut claims = Claims::of("000-text");
    let problem = small_top()?;
    let there_and_back = |method: &str| -> Result<f64, ExperimentError> {
        let mut stepper = Method::parse(method)?.stepper(&problem)?;
        let mut state: State = problem.start;
        for h in [0.05, -0.05] {
            stepper.reset();
            stepper.step(&problem, 0.0, h, &mut state)?;
        }
        let m = (state.m - problem.start.m).length() / problem.start.m.length();
        Ok(m.max(matrix_distance(&state, &problem.start)))
    };
    for (name, method) in [("SEJ", "sej"), ("MR", "mr")] {
        let gap = there_and_back(method)?;
        claims.check(
            &format!("the splitting {name} is symmetric"),
            "a step back undoes a step",
            number(gap),
            gap < 1e-14,
            "relative, after h = 0.05 and −0.05",
        );
    }
    // c_(n+1) = (a - b)/2 from a = 1, b = sqrt(1 - k^2).
    let steps = |k2: f64| {
        let (mut a, mut b, mut n) = (1.0_f64, (1.0 - k2).sqrt(), 0);
        while 0.5 * (a - b) > f64::EPSILON {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
            n += 1;
        }
        f64::from(n)
    };
    let count = largest([0.1, 0.5, 0.9, 0.99, 0.9999, 1.0 - 1e-12].map(steps));
    claims.check(
        "the arithmetic-geometric mean needs few recursion steps for machine accuracy",
        "few",
        format!("at most {count}, for k² up to 1 − 10⁻¹²"),
        count <= 8.0,
        "until c_N is less than the machine epsilon",
    );
    context.progress.advance();
    Ok(Product::new(None, claims.into_list()))
}
