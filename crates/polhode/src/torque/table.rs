//! `table`: a torque that is tabulated over time, from another program or a measurement.
//!
//! The solver's steps end at the rows; fixed steps should, too, as a step over a kink or a jump is of order 1 or 2.
//!
//! Keys: `rows` are lists of four numbers t, x, y, z (in a scenario also the name of a CSV file); `frame` is "body"
//! (default) or "space"; `interpolation` and `beyond` say what is between the rows and outside of them.

use super::given::{GivenVector, VectorFrame};
use super::{Key, KeyKind, Torque, TorqueEntry};
use crate::table::{Beyond, Interpolation, VectorTable};

const ROWS: Key = Key {
    name: "rows",
    doc: "Time and the three components, [t, x, y, z], in the order of time; in a scenario also the name of a file \
          beside it with such lines.",
    kind: KeyKind::Rows,
};

const FRAME: Key = Key {
    name: "frame",
    doc: "The frame of these components.",
    kind: KeyKind::Choice(VectorFrame::NAMES),
};

pub(super) const INTERPOLATION: Key = Key {
    name: "interpolation",
    doc: "Between the rows: straight lines, the row before, or a cubic spline.",
    kind: KeyKind::Choice(Interpolation::NAMES),
};

pub(super) const BEYOND: Key = Key {
    name: "beyond",
    doc: "Before the first row and after the last: nothing (a run there is refused), the nearest row, or zero.",
    kind: KeyKind::Choice(Beyond::NAMES),
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "table",
    title: "a torque tabulated over time",
    keys: &[ROWS, FRAME, INTERPOLATION, BEYOND],
    cites: &[],
    example: || {
        let rows = [[-10.0, 0.1, 0.0, 0.7], [10.0, -0.2, 0.5, 0.3]].map(Vec::from);
        vec![("rows", rows.to_vec().into()), ("frame", "space".into())]
    },
    make: |given| {
        let table = given.table(&ROWS, &INTERPOLATION, &BEYOND)?;
        let frame = if given.is(&FRAME, "space")? { VectorFrame::Space } else { VectorFrame::Body };
        Ok(of(table, frame))
    },
};

fn of(table: VectorTable, frame: VectorFrame) -> Torque {
    GivenVector { source: table.into(), frame, dipole: None }.into_torque(&ENTRY)
}

impl Torque {
    /// The torque whose components, in that frame, stand in this table.
    ///
    /// ```
    /// use polhode::Torque;
    /// use polhode::table::{Beyond, Interpolation, VectorTable};
    /// use polhode::torque::VectorFrame;
    /// let burn = [[0.0, 0.1, 0.0, 0.0], [2.5, 0.0, 0.0, 0.0]];
    /// let table = VectorTable::new(&burn, Interpolation::Hold, Beyond::Hold)?;
    /// assert_eq!(Torque::table(table, VectorFrame::Body).knots(), [0.0, 2.5]);
    /// # Ok::<(), polhode::table::TableError>(())
    /// ```
    pub fn table(components: VectorTable, frame: VectorFrame) -> Self {
        of(components, frame)
    }
}
