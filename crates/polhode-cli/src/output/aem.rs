//! `.aem`: an attitude ephemeris message, version 2.0 in keyword-value notation (CCSDS 504.0-B-2).
//!
//! # Direction
//! The quaternion of a message is the transformation of coordinates from frame A to frame B: with
//! (Q1, Q2, Q3, QC) = (e sin(φ/2), cos(φ/2)), frame B is frame A turned by φ about e. A is space
//! and B the body here, and turning space's axes into the body's by q is what takes body to space
//! coordinates, `v_A = q v_B q*`. So the components are those of q, scalar last, not conjugated. The
//! sign is the continuous branch of the motion, so that neighbouring rows can be interpolated.
//!
//! # Rates
//! With `rates`, the angular velocity of B with respect to A, in B, in degrees per second.
//!
//! # Times
//! A unit of time is a second, and t = 0 the start epoch. No leap seconds are inserted in UTC: the
//! file says so. `CREATION_DATE` repeats the start epoch, because the clock would make two files
//! of one run differ; the file says that, too.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use polhode_scenario::{AEM_EXTENSION, Aem, Epoch};

use super::file::Writer;
use super::format::Format;
use super::spool::{Assembly, SpoolRows};
use super::{Row, RunSetting, meta, refuse};
use crate::attitude::angle_unit;
use crate::failure::Failure;
use crate::numbers::shortest;

pub(super) const FORMAT: Format = Format {
    extension: AEM_EXTENSION,
    about: "is an attitude ephemeris (CCSDS 504.0-B-2), with the scalar last, seconds for the unit of time, \
            rates in deg/s if the scenario asks for them, no leap seconds, and the start epoch for its \
            creation date; its comments say how it was made",
    made_beside: false,
    run: |path, setting| Ok(Writer::Spool(Box::new(Ephemeris::new(path, setting)?))),
    bodies: None,
    comparison: None,
};

struct Ephemeris {
    aem: Aem,
    /// How it was made, as lines of comments.
    made: Vec<String>,
}

impl Ephemeris {
    /// Refuses what a message cannot say before it has been computed.
    fn new(path: &Path, setting: &RunSetting<'_>) -> Result<Self, Failure> {
        let Some(aem) = setting.aem else {
            return Err(refuse(
                path,
                "an attitude ephemeris needs to be told whose it is: the scenario lacks \
                 [output.aem] with object_name, object_id and start_epoch",
            ));
        };
        let RunSetting { rows, spacing, end, .. } = *setting;
        if rows > 1 && spacing <= 0.0 {
            return Err(refuse(
                path,
                "the times of an attitude ephemeris must increase, and the step is negative; \
                 choose another format",
            ));
        }
        let start = aem.start_epoch;
        let (Some(_), Some(last)) = (start.after(setting.problem.t0()), start.after(end)) else {
            return Err(refuse(
                path,
                format_args!(
                    "{} seconds after {start} the calendar, years 1 to 9999, is at its end",
                    shortest(end)
                ),
            ));
        };
        // Doubles are sparsest at the end.
        if rows > 1 && start.after(end - spacing).is_none_or(|before| before >= last) {
            return Err(refuse(
                path,
                format_args!(
                    "rows {} s apart cannot be told from each other at {} s: epochs are written \
                     to the picosecond",
                    shortest(spacing),
                    shortest(end)
                ),
            ));
        }
        Ok(Self { aem: aem.clone(), made: meta::lines(setting.meta) })
    }

    fn epoch(&self, t: f64) -> io::Result<Epoch> {
        self.aem
            .start_epoch
            .after(t)
            .ok_or_else(|| io::Error::other(format!("t = {} is beyond the calendar", shortest(t))))
    }

    fn write_heading(&self, first: &Epoch, last: &Epoch, out: &mut impl Write) -> io::Result<()> {
        let Aem { object_name, object_id, ref_frame_a, ref_frame_b, time_system, .. } = &self.aem;
        writeln!(out, "CCSDS_AEM_VERS = 2.0")?;
        for line in &self.made {
            writeln!(out, "COMMENT {line}")?;
        }
        writeln!(
            out,
            "COMMENT CREATION_DATE is the epoch of t = 0: a run gives the same file always."
        )?;
        writeln!(out, "CREATION_DATE = {}", self.aem.start_epoch)?;
        writeln!(out, "ORIGINATOR = POLHODE")?;
        writeln!(out, "\nMETA_START")?;
        if time_system == "UTC" {
            writeln!(out, "COMMENT Every day has 86400 seconds: no leap seconds are inserted.")?;
        }
        writeln!(out, "OBJECT_NAME = {object_name}")?;
        writeln!(out, "OBJECT_ID = {object_id}")?;
        writeln!(out, "REF_FRAME_A = {ref_frame_a}")?;
        writeln!(out, "REF_FRAME_B = {ref_frame_b}")?;
        writeln!(out, "TIME_SYSTEM = {time_system}")?;
        writeln!(out, "START_TIME = {first}")?;
        writeln!(out, "STOP_TIME = {last}")?;
        if self.aem.rates {
            writeln!(out, "ATTITUDE_TYPE = QUATERNION/ANGVEL")?;
            writeln!(out, "ANGVEL_FRAME = {ref_frame_b}")?;
        } else {
            writeln!(out, "ATTITUDE_TYPE = QUATERNION")?;
        }
        writeln!(out, "META_STOP\n")
    }

    fn numbers(&self, row: &Row) -> Vec<f64> {
        let mut numbers = row.state.q.to_array().to_vec();
        if self.aem.rates {
            numbers.extend(angle_unit(row.omega, true).to_array());
        }
        numbers
    }
}

impl Assembly<Row> for Ephemeris {
    fn assemble(&self, rows: &mut SpoolRows<Row>, out: &mut BufWriter<File>) -> io::Result<()> {
        let (Some(first), Some(last)) = (rows.first()?, rows.last()?) else {
            return Err(io::Error::other("an attitude ephemeris needs at least one row"));
        };
        self.write_heading(&self.epoch(first.t)?, &self.epoch(last.t)?, out)?;
        writeln!(out, "DATA_START")?;
        let mut before = None;
        for row in rows.all()? {
            let row = row?;
            let epoch = self.epoch(row.t)?;
            if before.is_some_and(|before| before >= epoch) {
                return Err(io::Error::other(format!("two rows have the epoch {epoch}")));
            }
            write!(out, "{epoch}")?;
            for x in self.numbers(&row) {
                write!(out, " {}", decimal(x))?;
            }
            writeln!(out)?;
            before = Some(epoch);
        }
        writeln!(out, "DATA_STOP")
    }
}

/// A number as the standard wants it: at most 16 digits, the point after the first. A double may
/// need 17, so that the last bit can differ.
fn decimal(x: f64) -> String {
    format!("{:.15e}", x + 0.0)
}

#[cfg(test)]
mod tests {
    use super::decimal;

    #[test]
    fn numbers_have_sixteen_digits_and_a_point() {
        assert_eq!(decimal(0.1 + 0.2), "3.000000000000000e-1");
        assert_eq!(decimal(-0.0), "0.000000000000000e0");
        assert_eq!(decimal(-1.0 / 3.0), "-3.333333333333333e-1");
        assert_eq!(decimal(9.9999999999999999e99), "1.000000000000000e100");
    }
}
