//! Figures 1 to 3, which are listings: drivers, rescaling, permutation.

use polhode::glam::{DMat3, DVec3};
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Problem, State, rotor};

use super::compiler;
use crate::claim::{Claims, number};
use crate::drivers::{Driver, Init};
use crate::measure::{largest, matrix_distance, trace};
use crate::{Context, ExperimentError, Product, files};

pub(super) fn drivers(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-1", 3);
    let mut claims = Claims::of("frb-fortran-1");
    let mut product = Product::new(None, Vec::new());
    for (driver, t_end, routine) in [
        (Driver::Example0, 10.0, "frb_step"),
        (Driver::Example1, context.pick(500.0, 5e4), "frb_step and a splitting of order 6"),
        (Driver::Example2, 10.0, "quat_step"),
    ] {
        let number_of = driver.number();
        let init = Init::published(driver, t_end);
        let names = ["init", "out"].map(|n| format!("{n}_example{number_of}.dat"));
        let [init_path, out_path] = [0, 1].map(|i| context.out.join(&names[i]));
        files::write(&init_path, &init.text(driver))?;
        let states = driver.run(&init_path, &out_path)?;
        let inertia = Inertia::principal_unphysical(init.inertia)?;
        let start = State::aligned(init.momentum)?;
        let step = init.splitting.as_ref().map_or(t_end, |s| s.step);
        let (expected, times, note) = if let Some(splitting) = &init.splitting {
            let torque = HeavyTop::new([0.0, 0.0, 1.0], splitting.u0)?;
            let problem = Problem::new(inertia, start).torque(torque);
            let (times, mut expected) = (vec![50.0, t_end], Vec::new());
            trace(&problem, "rkn6-14+exact", splitting.step, t_end, |t, s| {
                if times.contains(&t) {
                    expected.push((t, *s));
                }
            })?;
            let note = "against the library's rkn6-14+exact; the limit is eps n √n after n steps. The \
                        driver carries matrices, the library quaternions: their energies walk apart \
                        at random, like √n, and every step turns what they differ by into a phase";
            (expected, times, note)
        } else {
            let exact = FreeMotion::new(&inertia, start)?.at(t_end)?;
            (vec![(t_end, exact)], vec![t_end], "against the exact motion")
        };
        // One step alone is a long one, with a phase of its own.
        let limit = |t: f64| if step < t { f64::EPSILON * (t / step).powf(1.5) } else { 1e-13 };
        let gap = |at: f64| {
            let of = |all: &[(f64, State)]| all.iter().find(|(t, _)| *t == at).map(|s| s.1);
            of(&states).zip(of(&expected)).map_or(f64::NAN, |(found, expected)| {
                ((found.m - expected.m).length() / expected.m.length())
                    .max(matrix_distance(&found, &expected))
            })
        };
        let list = |value: &dyn Fn(f64) -> f64| {
            let all = times.iter().map(|&t| format!("{} at t = {t}", number(value(t))));
            all.collect::<Vec<_>>().join(", ")
        };
        claims.check(
            &format!("driver_example{number_of} computes the motion with {routine}"),
            &format!("equal to rounding: below {}", list(&limit)),
            list(&gap),
            times.iter().all(|&t| gap(t) < limit(t)),
            note,
        );
        for (name, path) in names.into_iter().zip([init_path, out_path]) {
            product.files.push((name, files::read(&path)?));
        }
        context.progress.advance();
    }
    compiler::claim(&mut claims, context)?;
    product.claims = claims.into_list();
    Ok(product)
}

const MOMENTS: [f64; 3] = [0.7, 1.0, 1.4];
const MOMENTUM: [f64; 3] = [1.1, -2.3, 3.7];

pub(super) fn rescaling(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-2", 1);
    let mut claims = Claims::of("frb-fortran-2");
    let inertia = Inertia::principal(MOMENTS)?;
    for id in ["frb-matrix", "frb-quaternion"] {
        let mut routine = rotor::build(id, &inertia)?;
        let mut direct = State::aligned(MOMENTUM)?;
        let length = direct.m.length();
        let mut scaled = State::aligned(direct.m / length)?;
        routine.step(0.3, &mut direct)?;
        routine.step(0.3 * length, &mut scaled)?;
        let gap = ((scaled.m * length - direct.m).length() / length)
            .max(matrix_distance(&scaled, &direct));
        claims.check(
            &format!("scaling m to m/G and h to G h leaves the motion invariant, {id}"),
            "equal to rounding",
            number(gap),
            gap < 1e-14,
            "",
        );
    }
    context.progress.advance();
    Ok(Product::new(None, claims.into_list()))
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2], [0, 2, 1], [2, 1, 0]];

pub(super) fn permutation(context: &Context<'_>) -> Result<Product, ExperimentError> {
    context.progress.begin("frb-fortran-3", 1);
    let mut claims = Claims::of("frb-fortran-3");
    let pick = |v: [f64; 3], order: [usize; 3]| order.map(|i| v[i]);
    let products = ORDERS.map(|order| {
        let (a, b) = (DVec3::new(1.0, 2.0, 3.0), DVec3::new(-2.0, 0.5, 4.0));
        let there = |v: DVec3| DVec3::from_array(pick(v.to_array(), order));
        (there(a.cross(b)) - there(a).cross(there(b))).length() / a.cross(b).length()
    });
    claims.check(
        "P(a × b) = Pa × Pb for every permutation matrix P",
        "0 for all six",
        format!(
            "{} for even, {} for odd ones",
            number(largest(products[..3].to_vec())),
            number(largest(products[3..].to_vec()))
        ),
        largest(products) < 1e-15,
        &format!(
            "an odd permutation turns the sign. The second number is the determinant of P, by which P(a × b) \
             is to be multiplied: {} for the six. The library sorts with a signed permutation",
            ORDERS.map(|order| number(matrix(order).determinant())).join(", ")
        ),
    );
    let inverse = ORDERS.map(|order| {
        let back = pick(pick([1.0, 2.0, 3.0], order), order);
        if back == [1.0, 2.0, 3.0] { 0.0 } else { 1.0 }
    });
    let wrong = inverse.iter().sum::<f64>();
    claims.check(
        "the listing sets the entries back with the same index list",
        "restores them for all six orders",
        format!("not for {wrong} of 6"),
        wrong == 0.0,
        &format!(
            "a cyclic permutation of three is not its own inverse: as matrices, the largest entry of P² − 1 is \
             {} for the six",
            ORDERS
                .map(|order| {
                    let off = matrix(order) * matrix(order) - DMat3::IDENTITY;
                    number(largest(off.to_cols_array().map(f64::abs)))
                })
                .join(", ")
        ),
    );
    for id in ["frb-matrix", "frb-quaternion"] {
        let mut gaps = Vec::new();
        let mut sorted = State::aligned(MOMENTUM)?;
        rotor::build(id, &Inertia::principal(MOMENTS)?)?.step(0.3, &mut sorted)?;
        for order in ORDERS {
            // An odd order mirrors the body: all components of the momentum, an axial vector, turn
            // their sign to make up for it.
            let sign = if products_sign(order) { 1.0 } else { -1.0 };
            let m = DVec3::from_array(pick(MOMENTUM, order)) * sign;
            let mut state = State::aligned(m)?;
            rotor::build(id, &Inertia::principal(pick(MOMENTS, order))?)?.step(0.3, &mut state)?;
            let expected = DVec3::from_array(pick(sorted.m.to_array(), order)) * sign;
            gaps.push((state.m - expected).length() / m.length());
        }
        claims.check(
            &format!("moments of inertia may come in any order, {id}"),
            "the same motion",
            number(largest(gaps.iter().copied())),
            largest(gaps) < 1e-14,
            "",
        );
    }
    context.progress.advance();
    Ok(Product::new(None, claims.into_list()))
}

/// The permutation as a matrix: its rows are those of the identity in that order.
fn matrix(order: [usize; 3]) -> DMat3 {
    let [a, b, c] = order.map(|i| DVec3::AXES[i]);
    DMat3::from_cols(a, b, c).transpose()
}

/// Whether an order is an even permutation.
fn products_sign(order: [usize; 3]) -> bool {
    ORDERS[..3].contains(&order)
}
