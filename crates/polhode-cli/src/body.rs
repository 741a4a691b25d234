//! The body, as options give it.

use polhode::{Inertia, InertiaError};

use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};

/// What was typed for `--inertia`.
pub(crate) fn given_inertia(text: &str) -> OptionText<'_> {
    OptionText::new("--inertia", text, "3 principal moments or 9 entries")
}

/// The inertia it means.
pub(crate) fn inertia(given: &OptionText, allow_unphysical: bool) -> Result<Inertia, Failure> {
    Inertia::from_slice(&given.list()?, allow_unphysical).map_err(|e| refuse_inertia(given, &e))
}

fn refuse_inertia(given: &OptionText, e: &InertiaError) -> Failure {
    match e {
        InertiaError::Impossible { moments } => given.refuse(format_args!(
            "no body has the principal moments {}: the largest exceeds the sum of the other two \
             (--allow-unphysical computes with them all the same)",
            moments.map(shortest).join(", ")
        )),
        e => {
            // The option says so already.
            let why = e.to_string();
            given.refuse(why.strip_prefix("inertia: ").unwrap_or(&why))
        }
    }
}
