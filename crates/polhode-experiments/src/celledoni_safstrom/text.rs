//! What the text says beside the figures.

use polhode::method::Method;
use polhode::rotor::components::momentum_step;
use polhode::{Inertia, State};

use super::small_top;
use crate::claim::{Claims, number};
use crate::measure::matrix_distance;
use crate::structure::symplectic_defect;
use crate::{Context, ExperimentError, Product};

pub(super) fn text(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("celledoni-safstrom-text", 2);
    let mut claims = Claims::of("celledoni-safstrom-text");
    structure(&mut claims)?;
    context.progress.advance();
    mean(&mut claims)?;
    context.progress.advance();
    Ok(Product::new(None, claims.into_list()))
}

/// Both splittings are symmetric, one of them symplectic.
fn structure(claims: &mut Claims) -> Result<(), ExperimentError> {
    let problem = small_top()?;
    let there_and_back = |method: &str| -> Result<f64, ExperimentError> {
        let mut stepper = Method::parse(method)?.stepper(&problem)?;
        let mut state: State = problem.start();
        for h in [0.05, -0.05] {
            stepper.reset();
            stepper.step(&problem, 0.0, h, &mut state)?;
        }
        let m = (state.m - problem.start().m).length() / problem.start().m.length();
        Ok(m.max(matrix_distance(&state, &problem.start())))
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
    let defects = ["mr", "sej", "strang+exact"].map(|m| symplectic_defect(&problem, m, 0.05));
    let [mr, sej, exact] = defects;
    let (mr, sej, exact) = (mr?, sej?, exact?);
    let note = "largest change of the canonical two-form in a step of 0.05, over |m|; derivatives \
                by differences, whose own error is about 1e-9";
    claims.check("the splitting MR is symplectic", "0", number(mr), mr < 1e-7, note);
    claims.check(
        "the overall splitting of the paper is not symplectic",
        "not 0",
        format!(
            "{} (with the attitude moved exactly, strang+exact: {})",
            number(sej),
            number(exact)
        ),
        sej > 1e-4 && exact < 1e-7,
        note,
    );
    Ok(())
}

/// Steps of the arithmetic-geometric mean in the library's own step.
fn mean(claims: &mut Claims) -> Result<(), ExperimentError> {
    let (i1, i2, i3) = (1.0_f64, 2.0_f64, 3.0_f64);
    let inertia = Inertia::principal([i1, i2, i3])?;
    // On the separatrix m3 = ratio m1; beside it the modulus is near 1.
    let ratio = ((1.0 / i1 - 1.0 / i2) / (1.0 / i2 - 1.0 / i3)).sqrt();
    let (mut most, mut least) = (0, f64::INFINITY);
    for n in 0..=60 {
        let beside = 10f64.powf(-0.2 * f64::from(n));
        for side in [1.0, -0.9] {
            let step =
                momentum_step(&inertia, [0.3, 0.8, 0.3 * ratio * (1.0 + side * beside)], 0.1)?;
            most = most.max(step.mean_steps);
            least = least.min(step.complementary_modulus);
        }
    }
    claims.check(
        "the arithmetic-geometric mean needs few recursion steps for machine accuracy",
        "few: not more than 9",
        format!("at most {most}, for √(1 − k²) down to {}", number(least)),
        (1..=9).contains(&most) && least < 1e-5,
        "counted in the library's step, until c_N is less than the machine epsilon; as it converges \
         quadratically, each step doubles the digits",
    );
    Ok(())
}
