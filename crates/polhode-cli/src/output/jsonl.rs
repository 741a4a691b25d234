//! `.jsonl`: one JSON object a line.

use std::io;

use serde::Serialize;

use super::{Columns, Format, Lines, Row, Units, Writer};

pub(super) const FORMAT: Format = Format {
    extension: "jsonl",
    about: "has the same as .csv, one JSON object a row",
    make: |_, setting| Ok(Writer::Text(Box::new(Jsonl(Units::of(setting), Columns::of(setting))))),
};

struct Jsonl(Units, Columns);

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

impl Lines for Jsonl {
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
