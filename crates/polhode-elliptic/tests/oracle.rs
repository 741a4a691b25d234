//! Every special-function row of `oracle/` within the promised bound.

use polhode_testkit::compare::Distribution;
use polhode_testkit::special_function_errors;

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
