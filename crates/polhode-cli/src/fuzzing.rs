//! Readers of this program, for fuzz targets and mutation tests: a refusal is a message, anything
//! else is sound, or it panics.

use crate::check::{ColumnNames, TrajectoryTable};

/// Reads bytes as the CSV file `mutant.csv` and checks what comes out.
///
/// # Errors
/// The message of a refusal.
///
/// # Panics
/// If what was read is not sound: columns of different lengths, a number that is not finite.
pub fn csv(bytes: &[u8]) -> Result<polhode_verify::check::Samples, String> {
    let table = TrajectoryTable::read(bytes, "mutant.csv", &ColumnNames::default())?;
    let samples = table.samples;
    let count = samples.times.len();
    assert!(count >= 2);
    let finite = |numbers: &[f64]| assert!(numbers.iter().all(|x| x.is_finite()));
    finite(&samples.times);
    for column in [&samples.momentum, &samples.omega].into_iter().flatten() {
        assert_eq!(column.len(), count);
        finite(column.as_flattened());
    }
    match &samples.attitude {
        None => {}
        Some(polhode_verify::check::Attitudes::Quaternions(q)) => {
            assert_eq!(q.len(), count);
            finite(q.as_flattened());
        }
        Some(polhode_verify::check::Attitudes::Matrices(rows)) => {
            assert_eq!(rows.len(), count);
            finite(rows.as_flattened());
        }
    }
    Ok(samples)
}
