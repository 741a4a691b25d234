//! Derivatives of motions against reference data, identities and differences.

use polhode::rotor::{Exact, Rotor};
use polhode::tangent::{InertiaTangent, Tangent};
use polhode::{FreeMotion, Inertia, State};
use polhode_testkit::tangents::{TangentCase, free_tangents};

/// The rounding of a number: half an ulp of one.
const EPS: f64 = f64::EPSILON / 2.0;

fn inertia(case: &TangentCase) -> Inertia {
    if let Some(moments) = case.inertia {
        return Inertia::principal_unphysical(moments).unwrap();
    }
    let [a, b, c, ab, ac, bc] = case.tensor.unwrap();
    Inertia::tensor_unphysical([[a, ab, ac], [ab, b, bc], [ac, bc, c]]).unwrap()
}

fn start(case: &TangentCase) -> State {
    State::new(case.momentum0, polhode::so3::from_wxyz(case.quaternion0)).unwrap()
}

/// The diagonal of the inertia, as the case gives it.
fn diagonal(case: &TangentCase) -> [f64; 3] {
    case.inertia.unwrap_or_else(|| {
        let [a, b, c, ..] = case.tensor.unwrap();
        [a, b, c]
    })
}

/// The errors of all blocks in units of what is allowed, with their names.
fn errors(
    case: &TangentCase,
    tangent: &Tangent,
    by_inertia: &InertiaTangent,
) -> Vec<(&'static str, f64)> {
    let g = State::aligned(case.momentum0).unwrap().m.length();
    let g = if g == 0.0 { 1.0 } else { g };
    let moments = diagonal(case);
    let mut made = Vec::new();
    let mut add = |name: &'static str, pairs: Vec<(f64, f64)>| {
        let (norm, ulp) = case.norm_and_ulp(name);
        let allowed = (40.0 * EPS * norm.max(1.0)).max(4.0 * ulp);
        let mut worst: f64 = 0.0;
        for (got, want) in pairs {
            assert!(got.is_finite(), "{}: {name}", case.name);
            worst = worst.max((got - want).abs());
        }
        made.push((name, worst / allowed));
    };
    let phi = |row: usize, column: usize, unit: f64| {
        let mut pairs = Vec::new();
        for i in 0..3 {
            for j in 0..3 {
                let (got, want) =
                    (tangent.state_transition[row + i][column + j], case.phi[row + i][column + j]);
                pairs.push((got * unit, want * unit));
            }
        }
        pairs
    };
    add("A", phi(0, 0, 1.0));
    add("B", phi(3, 0, g));
    add("R", phi(3, 3, 1.0));
    let columns =
        |got: &[[f64; 3]; 6], want: &[[f64; 3]; 6], row: usize, unit: f64, scale: [f64; 3]| {
            let mut pairs = Vec::new();
            for i in row..row + 3 {
                for j in 0..3 {
                    pairs.push((got[i][j] * unit * scale[j], want[i][j] * unit * scale[j]));
                }
            }
            pairs
        };
    let [a, b, c] = moments;
    let mixed = [(a * b).sqrt(), (a * c).sqrt(), (b * c).sqrt()];
    add("dI_m", columns(&by_inertia.inertia, &case.inertia_columns, 0, 1.0 / g, moments));
    add("dI_del", columns(&by_inertia.inertia, &case.inertia_columns, 3, 1.0, moments));
    add("dI_off_m", columns(&by_inertia.inertia_off, &case.inertia_off_columns, 0, 1.0 / g, mixed));
    add("dI_off_del", columns(&by_inertia.inertia_off, &case.inertia_off_columns, 3, 1.0, mixed));
    made.push(("dt", time_error(case, tangent)));
    made
}

/// The error of the derivative by time, (m x omega, omega), in units of what is allowed. Angular velocities are as
/// uncertain as momenta over the moment that belongs to them.
fn time_error(case: &TangentCase, tangent: &Tangent) -> f64 {
    let least = inertia(case).moments().min_element();
    let g = State::aligned(case.momentum0).unwrap().m.length();
    if g == 0.0 {
        return if tangent.time == [0.0; 6] { 0.0 } else { f64::INFINITY };
    }
    let mut worst: f64 = 0.0;
    for (i, (got, want)) in tangent.time.into_iter().zip(case.time).enumerate() {
        assert!(got.is_finite(), "{}: dt", case.name);
        let moment = match case.inertia {
            Some(moments) if i >= 3 => moments[i - 3],
            _ => least,
        };
        let unit = if i < 3 { g / least * g } else { g / moment };
        worst = worst.max((got - want).abs() / unit);
    }
    worst / (10.0 * EPS)
}

#[test]
fn a_step_has_the_derivatives_of_the_reference_and_the_state_of_a_plain_one() {
    let (mut failed, mut long) = (Vec::new(), 0);
    for case in free_tangents() {
        let (body, before) = (inertia(case), start(case));
        let (mut state, mut plain) = (before, before);
        let mut exact = Exact::new(&body);
        let Ok((tangent, by_inertia)) = exact.inertia_tangent_step(case.t, &mut state) else {
            // A step farther than a phase of 1e13, or of a body that no step is made for.
            assert!(exact.step(case.t, &mut plain).is_err(), "{}", case.name);
            continue;
        };
        exact.step(case.t, &mut plain).unwrap();
        assert_eq!((state, tangent.state), (plain, plain), "{}", case.name);
        let angle = before.m.length() * case.t.abs() / body.moments().min_element();
        long += u32::from((1.0..32.0).contains(&angle));
        for (block, error) in errors(case, &tangent, &by_inertia) {
            if error.is_nan() || error > 1.0 {
                failed.push(format!("{} {block}: {error:.3e} of what is allowed", case.name));
            }
        }
    }
    assert!(long > 15, "only {long} steps that a plain step would halve");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn free_motions_have_the_derivatives_of_the_reference() {
    let mut failed = Vec::new();
    for case in free_tangents() {
        let motion = FreeMotion::new(&inertia(case), start(case)).unwrap();
        let (tangent, by_inertia) = motion.inertia_tangent_at(case.t).unwrap();
        for (block, error) in errors(case, &tangent, &by_inertia) {
            if error.is_nan() || error > 1.0 {
                failed.push(format!("{} {block}: {error:.3e} of what is allowed", case.name));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
