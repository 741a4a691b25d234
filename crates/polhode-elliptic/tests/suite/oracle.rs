//! Every special-function row of `oracle/` within the promised bound.

use polhode_testkit::compare::Distribution;
use polhode_testkit::{
    ELLIPTIC_BOUNDS, elliptic_rows, parse_dd, reference, special_function_errors,
};

#[test]
fn every_row_within_its_bound() {
    let all = special_function_errors();
    let rows: usize = ["am", "F", "Pi", "RF"]
        .iter()
        .map(|name| all.iter().find(|e| e.name == *name).map_or(0, |e| e.relative.len()))
        .sum();
    assert_eq!(rows, 310, "99 Jacobi, 90 F and E, 96 Pi and 25 Carlson rows");
    for errors in all {
        let d = Distribution::of(&errors.conditioned);
        assert!(
            d.max <= errors.bound,
            "{}: {:.2} eps, promised {}",
            errors.name,
            d.max,
            errors.bound
        );
        // A bound that is far above what is seen guards nothing.
        assert!(
            d.max > 0.2 * errors.bound,
            "{}: {:.2} eps of {}",
            errors.name,
            d.max,
            errors.bound
        );
    }
}

/// The whole domain: negative parameters, m > 1, principal values, the ends of the range of doubles.
#[test]
fn every_region_within_its_bound() {
    let rows = elliptic_rows();
    let mut counted = 0;
    for (function, bound) in ELLIPTIC_BOUNDS {
        let of_function = rows.iter().filter(|row| row.function == function);
        let mut largest = 0.0_f64;
        for row in of_function {
            let errors = row.errors();
            counted += 1;
            assert!(
                errors.iter().all(|e| *e <= bound),
                "{function} {:?} ({}): {errors:?} eps, promised {bound}",
                row.arguments,
                row.region
            );
            largest = errors.iter().fold(largest, |m, e| m.max(*e));
        }
        // A bound that is far above what is seen guards nothing.
        assert!(largest > 0.1 * bound, "{function}: {largest:.2} eps of {bound}");
    }
    assert_eq!(counted, rows.len(), "a function without a bound");
    assert!(counted > 900, "{counted} rows");
}

/// The double-double reference of the large samples, where it has digits.
#[test]
fn the_reference_of_the_study_agrees_with_mpmath() {
    let mut compared = 0;
    for row in elliptic_rows() {
        // Its inverse sines, a difference, and roots of tiny nomes lose digits there.
        let theta = row.function.starts_with("theta") || row.function == "inverse_nome";
        let ends = row.region.contains("next to") && row.function.starts_with("jacobi");
        let far = row.region.starts_with("1 - n from") || row.region.starts_with("kc, p from");
        if theta || ends || far {
            continue;
        }
        let line = format!("{} {}", row.function, row.arguments.join(" "));
        let Some(found) = reference(&line) else { continue };
        compared += 1;
        for ((got, want), condition) in found.iter().zip(&row.values).zip(&row.condition) {
            let want = parse_dd(want);
            let off = (*got - want).hi().abs() / (want.hi().abs() + condition);
            // A thousandth of what is measured with it.
            assert!(off < 1e-3 * f64::EPSILON, "{line}: {off:e}");
        }
    }
    assert!(compared > 700, "{compared} rows");
}
