//! The body and its start, as options give them.

use polhode::glam::DQuat;
use polhode::shape::MassProperties;
use polhode::{Inertia, InertiaError, so3};
use polhode_scenario::{read_attitude, read_omega, read_shape};

use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};

/// What was typed for `--inertia`.
pub(crate) fn given_inertia(text: &str) -> OptionText<'_> {
    OptionText::new("--inertia", text, "3 principal moments or 9 entries")
}

/// The inertia it means.
pub(crate) fn inertia(given: &OptionText, allow_unphysical: bool) -> Result<Inertia, Failure> {
    let inertia = match shape(given)? {
        Some(shape) => shape.inertia(),
        None => Inertia::from_slice(&given.list()?, allow_unphysical),
    };
    inertia.map_err(|e| refuse_inertia(given, &e))
}

/// The shape it means, if it is one: `box=[1,2,3], mass=12`.
pub(crate) fn shape(given: &OptionText) -> Result<Option<MassProperties>, Failure> {
    given.form().map(|text| read_shape(text).map_err(|e| given.refuse(e))).transpose()
}

/// An angular velocity: three numbers, or `rpm=[0,0,30]`.
pub(crate) fn omega(given: &OptionText) -> Result<[f64; 3], Failure> {
    match given.form() {
        Some(text) => read_omega(text).map_err(|e| given.refuse(e)),
        None => given.array(),
    }
}

/// An attitude: four numbers w,x,y,z, or `axis=[0,0,1], angle_deg=90`.
pub(crate) fn attitude(given: &OptionText) -> Result<DQuat, Failure> {
    match given.form() {
        Some(text) => read_attitude(text).map_err(|e| given.refuse(e)),
        None => given.array().map(so3::from_wxyz),
    }
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
