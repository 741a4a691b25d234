//! Every special-function row of `oracle/` within the promised bound.

use polhode_testkit::compare::Distribution;
use polhode_testkit::{ELLIPTIC_BOUNDS, elliptic_rows, special_function_errors};

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
