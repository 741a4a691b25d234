//! Any bytes as a trajectory: refused with a message of one line, or read and checked to the end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polhode::{Control, Inertia};
use polhode_verify::check::{CheckOptions, check_free};

fuzz_target!(|bytes: &[u8]| {
    match polhode_cli::fuzzing::csv(bytes) {
        Ok(samples) => {
            let inertia = Inertia::principal([1.0, 2.0, 2.5]).expect("a possible body");
            let control = Control::default();
            if let Ok(report) = check_free(&samples, &inertia, &CheckOptions::default(), &control) {
                assert!(report.worst().is_finite() && report.allowance.is_finite());
            }
        }
        Err(message) => {
            assert!(message.starts_with("mutant.csv") && !message.contains(char::is_control));
        }
    }
});
