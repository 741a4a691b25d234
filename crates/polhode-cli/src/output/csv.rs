//! `.csv`: one line of names, one line a row.

use std::io;

use ::csv as tables;

use super::bodies::BodyRow;
use super::file::{Lines, Writer};
use super::format::{ComparisonWriter, Format};
use super::{ExtraColumns, Row, RowUnits};
use crate::attitude::omega_header;
use crate::compare::ComparisonView;
use crate::failure::Failure;
use crate::numbers::shortest;

pub(super) const FORMAT: Format = Format {
    extension: "csv",
    about: "has the columns t; m1 m2 m3, the angular momentum; w1 w2 w3, the angular velocity; the \
            attitude, q0 q1 q2 q3 or what --attitude-as says: q1 q2 q3 q0, q11 to q33, or e1 e2 e3, the Euler angles \
            in the order of the turns (columns in degrees end in _deg); energy, and how far energy, length of the \
            momentum and momentum in space are from the start; then what the [watch] of the scenario names",
    made_beside: true,
    run: |_, setting| {
        Ok(Writer::Text(Box::new(Csv(RowUnits::of(setting), ExtraColumns::of(setting)))))
    },
    bodies: Some(|_, setting| {
        Writer::Text(Box::new(BodiesCsv { watched: setting.watched.to_vec() }))
    }),
    comparison: Some(ComparisonWriter {
        shows: "the numbers",
        contents: |view, _| comparison(view),
    }),
};

struct Csv(RowUnits, ExtraColumns);

const BEFORE: [&str; 4] = ["t", "m1", "m2", "m3"];
const AFTER: [&str; 4] = ["energy", "energy_error", "momentum_error", "spatial_momentum_error"];

impl Lines<Row> for Csv {
    fn heading(&self) -> String {
        let RowUnits { attitude, degrees } = self.0;
        let mut names = BEFORE.map(str::to_owned).to_vec();
        names.extend(omega_header(degrees));
        names.extend(attitude.header(degrees));
        names.extend(AFTER.map(str::to_owned));
        names.extend(self.1.names().map(str::to_owned));
        names.join(",") + "\n"
    }

    fn line(&self, row: &Row) -> io::Result<String> {
        let (m, omega, attitude) =
            (row.state.m.to_array(), self.0.omega(row), self.0.attitude(row));
        let after = [row.energy, row.energy_error, row.momentum_error, row.spatial_momentum_error];
        let numbers = [&[row.t][..], &m, &omega, &attitude, &after].concat();
        let texts: Vec<_> = numbers.into_iter().chain(self.1.values(row)).map(shortest).collect();
        Ok(texts.join(",") + "\n")
    }
}

struct BodiesCsv {
    /// The names of what is watched.
    watched: Vec<String>,
}

const BODY_COLUMNS: &str =
    "body,step,t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3,energy,i1,i2,i3,period,precession_period,regime";

impl Lines<BodyRow> for BodiesCsv {
    fn heading(&self) -> String {
        let mut names = vec![BODY_COLUMNS];
        names.extend(self.watched.iter().map(String::as_str));
        names.join(",") + "\n"
    }

    fn line(&self, row: &BodyRow) -> io::Result<String> {
        let mut fields = vec![row.body.to_string(), row.step.to_string()];
        fields.extend(row.numbers().map(shortest));
        fields.extend(row.moments.to_array().map(shortest));
        // An empty field where there is no such number.
        let number = |x: f64| if x.is_nan() { String::new() } else { shortest(x) };
        fields.extend([row.motion.period, row.motion.precession_period].map(number));
        fields.push(row.motion.name().to_owned());
        fields.extend(row.watched.iter().copied().map(number));
        Ok(fields.join(",") + "\n")
    }
}

const COLUMNS: [&str; 12] = [
    "method",
    "step",
    "steps",
    "momentum_error",
    "attitude_error",
    "momentum_error_at_end",
    "attitude_error_at_end",
    "seconds",
    "torque_evaluations",
    "iterations",
    "failure",
    "tolerance",
];

/// Every trial in a row; one that failed has its reason instead of numbers. Solutions have a tolerance and no
/// step.
fn comparison(view: &ComparisonView<'_>) -> Result<Vec<u8>, Failure> {
    let mut table = tables::Writer::from_writer(Vec::new());
    let broken = |e: tables::Error| Failure::Running(format!("the table cannot be written: {e}"));
    table.write_record(COLUMNS).map_err(broken)?;
    let trials = view.comparison.trials().iter().map(|trial| {
        let result = trial.result.as_ref().map_err(ToString::to_string);
        ([view.id(trial.contender).to_owned(), shortest(trial.step)], result, String::new())
    });
    let solutions = view.comparison.solutions().iter().map(|solution| {
        let result = solution.result.as_ref().map_err(ToString::to_string);
        ([solution.method.to_string(), String::new()], result, shortest(solution.tolerance))
    });
    for (first, result, tolerance) in trials.chain(solutions) {
        let mut record = first.to_vec();
        match result {
            Ok(m) => {
                record.push(m.steps.to_string());
                let [all, end] = [m.error, m.error_at_end];
                let numbers =
                    [all.momentum, all.attitude, end.momentum, end.attitude, m.cost.seconds];
                record.extend(numbers.map(shortest));
                record
                    .extend([m.cost.torque_evaluations, m.cost.iterations].map(|n| n.to_string()));
                record.push(String::new());
            }
            Err(e) => {
                record.resize(COLUMNS.len() - 2, String::new());
                record.push(e);
            }
        }
        record.push(tolerance);
        table.write_record(record).map_err(broken)?;
    }
    table.into_inner().map_err(|e| broken(e.into_error().into()))
}
