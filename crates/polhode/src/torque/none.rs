//! `none`: no torque, a free body.

use super::{Torque, TorqueEntry};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "none",
    title: "no torque, a free body",
    keys: &[],
    cites: &[],
    example: || vec![],
    make: |_| Ok(Torque::none()),
};
