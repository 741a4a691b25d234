//! Sections 3 and 4: adjoints, conjugate pairs, conserved quantities.

use polhode::glam::{DMat3, DVec3};
use polhode::method::Method;
use polhode::{Problem, State, so3};

use super::convergence::{body, top};
use crate::claim::{Claims, number};
use crate::measure::{apart, end, invariants, order, trace, trace_changes};
use crate::structure::symplectic_defect;
use crate::{Context, ExperimentError, Product};

const STEP: f64 = 0.25;
/// Newton iterations stop at a few units of rounding.
const ROUNDING: f64 = 1e-13;

/// One step of a method from a state.
fn step(problem: &Problem, method: &str, h: f64, from: State) -> Result<State, ExperimentError> {
    let mut state = from;
    Method::parse(method)?.stepper(problem)?.step(problem, 0.0, h, &mut state)?;
    Ok(state)
}

/// The largest drifts of energy and spatial momentum.
fn drifts(problem: &Problem, method: &str, until: f64) -> Result<[f64; 2], ExperimentError> {
    let invariants = invariants(problem, method, STEP, until)?;
    let of = |drift: Option<f64>| drift.unwrap_or(f64::NAN);
    Ok([
        of(invariants.energy().map(|d| d.max_error)),
        of(invariants.spatial_momentum().map(|d| d.max_error)),
    ])
}

pub(super) fn properties(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("krysl-text", 4);
    let mut claims = Claims::of("krysl-text");
    let problem = body()?;
    compositions(&mut claims, &problem)?;
    context.progress.advance();
    conservation(&mut claims, &problem, context.pick(1000.0, 100_000.0))?;
    context.progress.advance();
    equal_methods(&mut claims, &problem)?;
    context.progress.advance();
    poisson(&mut claims, &problem)?;
    let slow = top(0.05, 5.0)?;
    newmark(&mut claims, &slow)?;
    let drift = invariants(&slow, "akw", 0.01, 20.0)?.energy();
    let drift = drift.map_or(f64::NAN, |d| d.max_error / d.start.abs());
    claims.check(
        "AKW conserves the Hamiltonian even for the heavy top",
        "0, relative",
        number(drift),
        drift < 1e-11,
        "slow top, 2000 steps of 0.01",
    );
    context.progress.advance();
    Ok(Product::new(None, claims.into_list()))
}

/// Adjoint Euler methods, and the pairs made of them.
fn compositions(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    for (forward, backward, of) in
        [("fe", "be", "eqs. (11), (12)"), ("fem", "bem", "eqs. (18), (19)")]
    {
        let there = step(problem, forward, STEP, problem.start())?;
        let back = apart(&step(problem, backward, -STEP, there)?, &problem.start());
        let there = step(problem, backward, STEP, problem.start())?;
        let other = apart(&step(problem, forward, -STEP, there)?, &problem.start());
        claims.check(
            &format!("forward and backward Euler are mutual adjoints, {of}"),
            "a step with −h undoes a step with h of the other",
            number(back.max(other)),
            back.max(other) < ROUNDING,
            "",
        );
    }
    for (method, first, second) in [
        ("trap", "fe", "be"),
        ("imid", "be", "fe"),
        ("trapm", "fem", "bem"),
        ("imidm", "bem", "fem"),
    ] {
        let half = step(problem, first, 0.5 * STEP, problem.start())?;
        let composed = step(problem, second, 0.5 * STEP, half)?;
        let gap = apart(&composed, &step(problem, method, STEP, problem.start())?);
        claims.check(
            &format!("{} is {first} followed by {second} with half steps", method.to_uppercase()),
            "equal",
            number(gap),
            gap < ROUNDING,
            "so that the midpoint and the trapezoidal rule of a pair are conjugate",
        );
        let there = step(problem, method, STEP, problem.start())?;
        let back = apart(&step(problem, method, -STEP, there)?, &problem.start());
        claims.check(
            &format!("{} is symmetric (self-adjoint)", method.to_uppercase()),
            "a step back undoes a step",
            number(back),
            back < ROUNDING,
            "",
        );
    }
    Ok(())
}

/// The explicit algorithm of section 6: the midpoint rule with the impulse of the torque at the start of its first
/// half and at the end of its second.
fn newmark(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    const METHOD: &str = "strang+lie-midpoint";
    let h = 0.01;
    let free = Problem::new(*problem.inertia(), problem.start());
    let kicked = |t: f64, state: State| State {
        m: state.m + problem.torque_at(t, &state) * (0.5 * h),
        ..state
    };
    let first = step(&free, "imidm", 0.5 * h, kicked(0.0, problem.start()))?;
    let second = kicked(h, step(&free, "imidm", 0.5 * h, first)?);
    let gap = apart(&second, &step(problem, METHOD, h, problem.start())?);
    let exact = end(problem, "kahanli8+exact", 1e-3, 2.0)?;
    let mut points = Vec::new();
    for h in [0.02, 0.01, 0.005] {
        points.push([h, apart(&end(problem, METHOD, h, 2.0)?, &exact)]);
    }
    let p = order(&points, 0.0, 1.0);
    claims.check(
        "first-order algorithms, the explicit midpoint rule and its adjoint, compose to an explicit Newmark algorithm",
        "equal to strang+lie-midpoint, which is of order 2",
        format!("{} after a step, order {}", number(gap), number(p)),
        gap < ROUNDING && (p - 2.0).abs() < 0.1,
        "section 6, LIEMID[EA] of references 8 and 9: explicit in the torque. Slow top; the free half steps are \
         those of IMIDM; order in momentum and attitude at t = 2, steps 0.02 to 0.005",
    );
    Ok(())
}

fn conservation(claims: &mut Claims, problem: &Problem, until: f64) -> Result<(), ExperimentError> {
    let steps = until / STEP;
    // A random walk of a unit in the last place a step; the energy and the momentum are about 1.
    let rounding = f64::EPSILON * steps.sqrt();
    let keeps = [
        ("imid", "IMID conserves the kinetic energy", 0, true),
        ("imid", "IMID does not conserve the spatial momentum", 1, false),
        ("trap", "TRAP does not conserve the energy at the time stations", 0, false),
        ("trap", "TRAP does not conserve the spatial momentum", 1, false),
        ("trapm", "TRAPM conserves the spatial momentum", 1, true),
        ("trapm", "TRAPM does not conserve the kinetic energy", 0, false),
        ("imidm", "IMIDM conserves the spatial momentum", 1, true),
        ("imidm", "IMIDM does not conserve the kinetic energy", 0, false),
        ("swc1", "SWC1 conserves the energy", 0, true),
        ("swc1", "SWC1 conserves the momentum", 1, true),
        ("akw", "AKW conserves the energy", 0, true),
        ("akw", "AKW conserves the spatial momentum", 1, true),
        ("bbtrap", "leaving out the derivative of exp makes BBTRAP conserve the energy", 0, true),
        ("bbtrapwd", "with it BBTRAPWD does not", 0, false),
    ];
    for (method, claim, which, kept) in keeps {
        let drift = drifts(problem, method, until)?[which];
        claims.check(
            claim,
            &if kept {
                format!("0 but rounding: below eps √n, {}", number(rounding))
            } else {
                "far above rounding: above 1e-6".to_owned()
            },
            number(drift),
            if kept { drift < rounding } else { drift > 1e-6 },
            &format!("largest change in {steps} steps of {STEP}"),
        );
    }
    let mut states = Vec::new();
    trace(problem, "trap", STEP, 100.0, |_, s| states.push(*s))?;
    // It is kept halfway between the states of the run, where no observer looks.
    let mut middle = Vec::new();
    for state in states {
        middle.push(step(problem, "fe", 0.5 * STEP, state)?.kinetic_energy(problem.inertia()));
    }
    let drift = middle.iter().map(|e| (e - middle[0]).abs()).fold(0.0, f64::max);
    claims.check(
        "TRAP conserves the midpoint energy: that after half a step of forward Euler",
        "0 but rounding",
        number(drift),
        drift < ROUNDING,
        "400 steps",
    );
    long_term(claims, problem, until)
}

/// The energy errors of the conjugate pair IMIDM and TRAPM.
fn long_term(claims: &mut Claims, problem: &Problem, until: f64) -> Result<(), ExperimentError> {
    let error = |method: &str, h: f64, [from, to]: [f64; 2]| -> Result<f64, ExperimentError> {
        let mut worst = 0.0_f64;
        trace_changes(problem, method, h, to, |t, _, [energy, ..]| {
            if t >= from {
                worst = worst.max(energy.abs());
            }
        })?;
        Ok(worst)
    };
    for (method, claim) in [
        ("imidm", "the energy error of IMIDM oscillates but is bounded for long times"),
        ("trapm", "TRAPM shares the excellent long-term behaviour with IMIDM"),
    ] {
        let early = error(method, STEP, [0.0, 0.1 * until])?;
        let late = error(method, STEP, [0.9 * until, until])?;
        claims.check(
            claim,
            "an energy error that does not grow",
            format!("{} in the first tenth, {} in the last", number(early), number(late)),
            (0.99..1.01).contains(&(late / early)),
            &format!("to t = {until}, steps of {STEP}"),
        );
    }
    let mut points = Vec::new();
    for h in [0.4, 0.2, 0.1, 0.05] {
        points.push([h, error("imidm", h, [0.0, 200.0])?]);
    }
    let p = order(&points, 0.0, 1.0);
    claims.check(
        "the energy error of IMIDM scales as that of a symplectic method of order 2",
        "with Δt²",
        format!("with Δt^{}, from {} to {}", number(p), number(points[3][1]), number(points[0][1])),
        (p - 2.0).abs() < 0.05,
        "largest error on [0, 200], steps 0.05 to 0.4",
    );
    Ok(())
}

/// Names for one method.
fn equal_methods(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    for (claim, a, b) in [
        ("BBTRAP is identical to SWC1 for torque-free motion", "bbtrap", "swc1"),
        ("IMIDM is the MKRK method with the midpoint tableau", "imidm", "rkmk:tableau=midpoint"),
        (
            "BBTRAPWD is the MKRK method with the trapezoidal tableau",
            "bbtrapwd",
            "rkmk:tableau=trapezoid",
        ),
        (
            "eq. (18) is the MKRK method with the tableau of forward Euler",
            "fem",
            "rkmk:tableau=forward-euler",
        ),
        (
            "eq. (19) is the MKRK method with the tableau of backward Euler",
            "bem",
            "rkmk:tableau=backward-euler",
        ),
    ] {
        let gap = apart(&end(problem, a, STEP, 10.0)?, &end(problem, b, STEP, 10.0)?);
        claims.check(claim, "equal", number(gap), gap < 40.0 * ROUNDING, "after 40 steps");
    }
    let of = |method: &str| end(problem, method, STEP, 10.0);
    for (claim, a, b) in [
        (
            "the MKRK method with the trapezoidal tableau is not TRAPM",
            "trapm",
            "rkmk:tableau=trapezoid",
        ),
        ("BBTRAP differs from TRAPM in subtle, but important, ways", "trapm", "bbtrap"),
    ] {
        let gap = apart(&of(a)?, &of(b)?);
        claims.check(claim, "not equal", number(gap), gap > 1e-6, "after 40 steps");
    }
    Ok(())
}

/// Whether a step m -> m' keeps the Poisson structure: D hat(m) D^T = hat(m').
fn poisson(claims: &mut Claims, problem: &Problem) -> Result<(), ExperimentError> {
    let defect = |method: &str| -> Result<f64, ExperimentError> {
        let (m, d) = (problem.start().m, 1e-5);
        let image = |m: DVec3| step(problem, method, STEP, State { m, ..problem.start() });
        let mut columns = [DVec3::ZERO; 3];
        for (axis, column) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(&mut columns) {
            *column = (image(m + axis * d)?.m - image(m - axis * d)?.m) / (2.0 * d);
        }
        let jacobian = DMat3::from_cols(columns[0], columns[1], columns[2]);
        let gap = jacobian * so3::hat(m) * jacobian.transpose() - so3::hat(image(m)?.m);
        Ok(gap.to_cols_array().iter().map(|v| v.abs()).fold(0.0, f64::max))
    };
    let (imidm, exact) = (defect("imidm")?, defect("exact")?);
    claims.check(
        "IMIDM is symplectic, by numerical evidence and an incomplete proof",
        "0",
        format!("{} (the exact flow: {})", number(imidm), number(exact)),
        imidm < 1e-8,
        &format!(
            "the structure is kept approximately, but not to rounding: defect of D hat(m) Dᵀ = hat(m') for the map \
             of the momentum with Δt = 0.25, D by central differences, whose own error the exact flow shows. \
             Second numbers, by the canonical two-form of momentum and attitude and differences of fourth \
             order: {} with Δt = 0.25, {} with half of it (the exact flow: {}): an error of the third order in \
             the step, as of any method of second order",
            number(symplectic_defect(problem, "imidm", STEP)?),
            number(symplectic_defect(problem, "imidm", 0.5 * STEP)?),
            number(symplectic_defect(problem, "exact", STEP)?)
        ),
    );
    Ok(())
}
