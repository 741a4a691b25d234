//! `.jsonl`: one JSON object a line.

use std::io;

use serde::Serialize;

use super::bodies::BodyRow;
use super::file::{Lines, Writer};
use super::format::Format;
use super::{ExtraColumns, Row, RowUnits};

pub(super) const FORMAT: Format = Format {
    extension: "jsonl",
    about: "has the same as .csv, one JSON object a row",
    made_beside: true,
    run: |_, setting| {
        Ok(Writer::Text(Box::new(Jsonl(RowUnits::of(setting), ExtraColumns::of(setting)))))
    },
    bodies: Some(|_, setting| {
        Writer::Text(Box::new(BodiesJsonl { watched: setting.watched.to_vec() }))
    }),
    comparison: None,
};

struct Jsonl(RowUnits, ExtraColumns);

#[derive(Serialize)]
struct RowLine {
    step: u64,
    t: f64,
    momentum: [f64; 3],
    omega: [f64; 3],
    /// As it stands in the columns of a table, in that order.
    attitude: Vec<f64>,
    energy: f64,
    energy_error: f64,
    momentum_error: f64,
    spatial_momentum_error: f64,
    /// What is watched, by its name.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    watch: serde_json::Map<String, serde_json::Value>,
}

impl Lines<Row> for Jsonl {
    fn heading(&self) -> String {
        String::new()
    }

    fn line(&self, row: &Row) -> io::Result<String> {
        let line = RowLine {
            step: row.step,
            t: row.t,
            momentum: row.state.m.to_array(),
            omega: self.0.omega(row),
            attitude: self.0.attitude(row),
            energy: row.energy,
            energy_error: row.energy_error,
            momentum_error: row.momentum_error,
            spatial_momentum_error: row.spatial_momentum_error,
            watch: self
                .1
                .names()
                .map(str::to_owned)
                .zip(self.1.values(row).map(Into::into))
                .collect(),
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }
}

struct BodiesJsonl {
    /// The names of what is watched.
    watched: Vec<String>,
}

#[derive(Serialize)]
struct BodyLine {
    body: u64,
    step: u64,
    t: f64,
    momentum: [f64; 3],
    omega: [f64; 3],
    attitude: [f64; 4],
    energy: f64,
    inertia: [f64; 3],
    regime: &'static str,
    /// Null where there is none.
    period: Option<f64>,
    precession_period: Option<f64>,
    /// What is watched, by its name.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    watch: serde_json::Map<String, serde_json::Value>,
}

impl Lines<BodyRow> for BodiesJsonl {
    fn heading(&self) -> String {
        String::new()
    }

    fn line(&self, row: &BodyRow) -> io::Result<String> {
        let line = BodyLine {
            body: row.body,
            step: row.step,
            t: row.t,
            momentum: row.state.m.to_array(),
            omega: row.omega.to_array(),
            attitude: row.state.attitude(),
            energy: row.energy,
            inertia: row.moments.to_array(),
            regime: row.motion.name(),
            period: Some(row.motion.period).filter(|x| !x.is_nan()),
            precession_period: Some(row.motion.precession_period).filter(|x| !x.is_nan()),
            watch: {
                let values = row.watched.iter().map(|&x| x.into());
                self.watched.iter().cloned().zip(values).collect()
            },
        };
        Ok(serde_json::to_string(&line)? + "\n")
    }
}
