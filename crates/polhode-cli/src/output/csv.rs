//! `.csv`: one line of names, one line a row.

use std::io;

use super::{Columns, Format, Lines, Row, Units, Writer};
use crate::attitude::omega_header;
use crate::numbers::shortest;

pub(super) const FORMAT: Format = Format {
    extension: "csv",
    about: "has the columns t; m1 m2 m3, the angular momentum; w1 w2 w3, the angular velocity; the \
            attitude, q0 q1 q2 q3 or what --attitude-as says: q1 q2 q3 q0, q11 to q33, or e1 e2 e3, the Euler angles \
            in the order of the turns (columns in degrees end in _deg); energy, and how far energy, length of the \
            momentum and momentum in space are from the start; then what the [watch] of the scenario names",
    make: |_, setting| Ok(Writer::Text(Box::new(Csv(Units::of(setting), Columns::of(setting))))),
};

struct Csv(Units, Columns);

const BEFORE: [&str; 4] = ["t", "m1", "m2", "m3"];
const AFTER: [&str; 4] = ["energy", "energy_error", "momentum_error", "spatial_momentum_error"];

impl Lines for Csv {
    fn heading(&self) -> String {
        let Units { attitude, degrees } = self.0;
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
