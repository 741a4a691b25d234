//! States as rows of a table or of a JSON document.

use std::io::Write;

use polhode::{FreeMotion, FreeMotionError};
use serde::Serialize;

use super::MotionSummary;
use crate::attitude::{AttitudeFormat, AttitudeOptions, angle_unit, omega_header};
use crate::failure::Failure;
use crate::moment::Moment;
use crate::numbers::{WIDEST, shortest};
use crate::output::Origin;

/// A state as the JSON document has it.
#[derive(Serialize)]
pub(super) struct MotionRow {
    #[serde(flatten)]
    pub(super) moment: Moment,
    /// The derivative of omega; null where it is beyond the range of doubles.
    pub(super) angular_acceleration: Option<[f64; 3]>,
    /// In the form asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) attitude_as: Option<Vec<f64>>,
    /// The angular velocity in degrees per unit of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) omega_deg: Option<[f64; 3]>,
    #[serde(flatten)]
    pub(super) tangent: Option<TangentRow>,
}

/// The derivatives of a state.
#[derive(Serialize)]
pub(super) struct TangentRow {
    state_transition: [[f64; 6]; 6],
    inertia: [[f64; 3]; 6],
    inertia_off: [[f64; 3]; 6],
    held: &'static str,
    time: [f64; 6],
}

impl TangentRow {
    pub(super) fn new(motion: &FreeMotion, t: f64) -> Result<Self, FreeMotionError> {
        let (tangent, by_inertia) = motion.inertia_tangent_at(t)?;
        Ok(Self {
            state_transition: tangent.state_transition,
            inertia: by_inertia.inertia,
            inertia_off: by_inertia.inertia_off,
            held: by_inertia.held.name(),
            time: tangent.time,
        })
    }
}

impl MotionRow {
    pub(super) fn new(
        motion: &FreeMotion,
        t: f64,
        form: AttitudeOptions,
    ) -> Result<Self, FreeMotionError> {
        let state = motion.at(t)?;
        let another = form.format() != AttitudeFormat::Quaternion;
        let moment = Moment::new(motion.inertia(), t, &state);
        let omega = moment.omega;
        Ok(Self {
            moment,
            // Nothing else is wrong with this t.
            angular_acceleration: motion.angular_acceleration_at(t).ok().map(|a| a.to_array()),
            attitude_as: another.then(|| form.format().numbers(state.q, form.degrees())),
            omega_deg: form.degrees().then(|| angle_unit(omega.into(), true).to_array()),
            tangent: None,
        })
    }
}

/// The derivatives of period, precession and next flip; null where there are none, with the reasons in `missing`.
pub(super) fn gradients(motion: &FreeMotion) -> serde_json::Value {
    let mut made = serde_json::Map::new();
    let mut missing = serde_json::Map::new();
    for (name, found) in [
        ("period", motion.period_gradient()),
        ("precession_rate", motion.precession_rate_gradient()),
        ("next_flip", motion.next_flip_gradient(0.0).map(|(_, gradient)| gradient)),
    ] {
        let gradient = found.map_or_else(
            |reason| {
                missing.insert(name.to_owned(), reason.to_string().into());
                serde_json::Value::Null
            },
            |g| {
                serde_json::json!({
                    "momentum": g.momentum, "inertia": g.inertia, "inertia_off": g.inertia_off,
                    "held": g.held.name(),
                })
            },
        );
        made.insert(name.to_owned(), gradient);
    }
    if !missing.is_empty() {
        made.insert("missing".to_owned(), missing.into());
    }
    made.into()
}

/// One document, `{"states": [..], "motion": {..}}`, a state to a line.
pub(super) fn write_json(
    out: &mut impl Write,
    (summary, gradients): (&MotionSummary, Option<serde_json::Value>),
    form: AttitudeOptions,
    rows: impl Iterator<Item = Result<MotionRow, Failure>>,
) -> Result<(), Failure> {
    // By hand around the rows: the whole document need not fit into memory.
    let origin = serde_json::to_string(&Origin::THIS)?;
    let mut before = format!("{},\"states\":[\n", origin.trim_end_matches('}'));
    for row in rows {
        let row = row?;
        out.write_all(before.as_bytes())?;
        serde_json::to_writer(&mut *out, &row)?;
        before = ",\n".into();
    }
    out.write_all(b"\n],\"motion\":")?;
    serde_json::to_writer(&mut *out, summary)?;
    if let Some(gradients) = gradients {
        write!(out, ",\"gradients\":{gradients}")?;
    }
    if form.format() != AttitudeFormat::Quaternion {
        let columns = form.format().screen(form.degrees());
        let form = serde_json::json!({ "form": form.format().to_string(), "columns": columns });
        write!(out, ",\"attitude_as\":{form}")?;
    }
    out.write_all(b"}\n")?;
    Ok(())
}

/// The columns, their names after a # as plotting programs like it.
pub(super) fn write_table(
    out: &mut impl Write,
    form: AttitudeOptions,
    rows: impl Iterator<Item = Result<MotionRow, Failure>>,
) -> Result<(), Failure> {
    let mut names = ["t", "m1", "m2", "m3"].map(str::to_owned).to_vec();
    names.extend(omega_header(form.degrees()));
    names.extend(form.format().screen(form.degrees()));
    let names: Vec<_> = names.into_iter().map(|name| format!("{name:>WIDEST$}")).collect();
    // The # takes the place of a blank.
    writeln!(out, "#{}", &names.join(" ")[1..])?;
    for row in rows {
        let MotionRow { moment, attitude_as, .. } = row?;
        write!(out, "{:>WIDEST$}", shortest(moment.t))?;
        let omega = angle_unit(moment.omega.into(), form.degrees()).to_array();
        let attitude = attitude_as.unwrap_or(moment.attitude.into());
        for x in moment.momentum.into_iter().chain(omega).chain(attitude) {
            write!(out, " {:>WIDEST$}", shortest(x))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
