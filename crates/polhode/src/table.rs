//! A vector tabulated over time.

mod spline;

use glam::DVec3;
use polhode_number::Number;
use polhode_number::vector::{Vector, add, scale};

use spline::{bends, spline};

/// What is between the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interpolation {
    /// The values of the row before.
    Hold,
    /// Straight lines.
    Linear,
    /// The cubic spline whose third derivative does not jump at the second row nor at the last but one
    /// (not-a-knot); a parabola through three rows, a line through two.
    Spline,
}

impl Interpolation {
    /// Their names in scenarios, the default first.
    pub const NAMES: &'static [&'static str] = &["linear", "hold", "spline"];

    /// The interpolation of that name in scenarios.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "hold" => Self::Hold,
            "linear" => Self::Linear,
            "spline" => Self::Spline,
            _ => return None,
        })
    }
}

/// What holds before the first row of a table and after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Beyond {
    /// Nothing is known: a run that goes there is refused.
    Error,
    /// The values of the nearest row.
    Hold,
    /// The vector zero.
    Zero,
}

impl Beyond {
    /// Their names in scenarios, the default first.
    pub const NAMES: &'static [&'static str] = &["error", "hold", "zero"];

    /// The continuation of that name in scenarios.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "error" => Self::Error,
            "hold" => Self::Hold,
            "zero" => Self::Zero,
            _ => return None,
        })
    }
}

/// What is wrong with a table; rows are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// There is nothing between fewer than two rows.
    #[error("{rows} row{}; a table has two at least", if *.rows == 1 { "" } else { "s" })]
    TooFew {
        /// How many rows there are.
        rows: usize,
    },
    /// A row with more or fewer numbers than four.
    #[error("row {row} has {numbers} number{}; each row has four: t, x, y, z", if *.numbers == 1 { "" } else { "s" })]
    Ragged {
        /// The number of the row, from 1.
        row: usize,
        /// How many numbers it has.
        numbers: usize,
    },
    /// A number that is not finite.
    #[error("row {row} has a number that is not finite")]
    NotFinite {
        /// The number of the row, from 1.
        row: usize,
    },
    /// A time that is not later than the one before.
    #[error(
        "row {row} is at t = {t:?}, not later than t = {before:?} in the row before; sort the rows by time"
    )]
    Order {
        /// The number of the row, from 1.
        row: usize,
        /// The time of the row.
        t: f64,
        /// The time of the row before.
        before: f64,
    },
    /// Slopes beyond the range of a double.
    #[error(
        "from row {row} to the next the values change faster than a double can say; take other units"
    )]
    TooSteep {
        /// The number of the first of the two rows, from 1.
        row: usize,
    },
}

impl TableError {
    /// The row at fault, from 1; none if it is the whole.
    pub fn row(&self) -> Option<usize> {
        match *self {
            Self::TooFew { .. } => None,
            Self::Ragged { row, .. }
            | Self::NotFinite { row }
            | Self::Order { row, .. }
            | Self::TooSteep { row } => Some(row),
        }
    }
}

/// So much of its span a table may be left by, where nothing is known beyond it: times are rounded.
const ROUNDING: f64 = 1e-12;

/// A vector tabulated over time.
///
/// ```
/// use polhode::table::{Beyond, Interpolation, VectorTable};
/// let rows = [[0.0, 1.0, 0.0, 0.0], [2.0, 3.0, 0.0, 0.0]];
/// let table = VectorTable::new(&rows, Interpolation::Linear, Beyond::Hold)?;
/// assert_eq!(table.at(0.5), [1.5, 0.0, 0.0]);
/// assert_eq!(table.at(9.0), [3.0, 0.0, 0.0]);
/// # Ok::<(), polhode::table::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VectorTable {
    times: Vec<f64>,
    /// Of each interval the polynomial in the time since its start, lowest power first; then one for what
    /// follows the last row.
    pieces: Vec<[DVec3; 4]>,
    beyond: Beyond,
}

impl VectorTable {
    /// The table of these rows (t, x, y, z), in the order of their times.
    ///
    /// # Errors
    /// [`TableError`] if there are fewer than two, a number is not finite, or a time is not later than the one
    /// before.
    pub fn new(
        rows: &[[f64; 4]],
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> Result<Self, TableError> {
        if rows.len() < 2 {
            return Err(TableError::TooFew { rows: rows.len() });
        }
        let mut before = f64::NEG_INFINITY;
        for (row, [t, x, y, z]) in (1..).zip(rows) {
            if ![t, x, y, z].into_iter().all(|x| x.is_finite()) {
                return Err(TableError::NotFinite { row });
            }
            if *t <= before {
                return Err(TableError::Order { row, t: *t, before });
            }
            before = *t;
        }
        let times: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let values: Vec<DVec3> = rows.iter().map(|[_, x, y, z]| [*x, *y, *z].into()).collect();
        let mut pieces = match interpolation {
            Interpolation::Hold => values.iter().map(|v| constant(*v)).collect(),
            Interpolation::Linear => spline(&times, &values, &vec![DVec3::ZERO; rows.len()]),
            Interpolation::Spline => spline(&times, &values, &bends(&times, &values)),
        };
        pieces.truncate(rows.len() - 1);
        let steep = |piece: &[DVec3; 4]| !piece.iter().all(|c| c.is_finite());
        if let Some(piece) = pieces.iter().position(steep) {
            return Err(TableError::TooSteep { row: piece + 1 });
        }
        pieces.push(constant(values[values.len() - 1]));
        Ok(Self { times, pieces, beyond })
    }

    /// A table, as of [`VectorTable::new`], from rows that may have any length.
    ///
    /// # Errors
    /// [`TableError`] as for [`VectorTable::new`], and if a row has not four numbers.
    pub fn from_rows(
        rows: &[Vec<f64>],
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> Result<Self, TableError> {
        let four = |(i, row): (usize, &Vec<f64>)| {
            let ragged = TableError::Ragged { row: i + 1, numbers: row.len() };
            <[f64; 4]>::try_from(row.as_slice()).map_err(|_| ragged)
        };
        let rows = rows.iter().enumerate().map(four).collect::<Result<Vec<_>, _>>()?;
        Self::new(&rows, interpolation, beyond)
    }

    /// The times of its rows: a derivative jumps there, or the value.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// From when to when it is known; none if it is at all times.
    pub fn span(&self) -> Option<(f64, f64)> {
        let last = self.times[self.times.len() - 1];
        (self.beyond == Beyond::Error).then_some((self.times[0], last))
    }

    /// Whether it is known at this time, to rounding.
    pub fn knows(&self, t: f64) -> bool {
        self.span().is_none_or(|(first, last)| {
            let slack = ROUNDING * (last - first);
            (first - slack..=last + slack).contains(&t)
        })
    }

    /// The vector at a time. Where nothing is known it is not a number.
    #[inline(always)]
    pub fn at<N: Number>(&self, t: N) -> Vector<N> {
        let [from, rest @ ..]: [N; 13] = t.look_up(|t| self.piece(t));
        let s = t - from;
        let mut sum = [rest[9], rest[10], rest[11]];
        for k in [6, 3, 0] {
            sum = add(scale(sum, s), [rest[k], rest[k + 1], rest[k + 2]]);
        }
        sum
    }

    /// Where the piece at a time starts, and its coefficients.
    fn piece(&self, t: f64) -> [f64; 13] {
        let started = self.times.partition_point(|start| *start <= t);
        let (from, piece) = match started {
            0 => (t, self.outside(t, self.pieces[0][0])),
            _ if t > self.times[self.times.len() - 1] => {
                (t, self.outside(t, self.pieces[started - 1][0]))
            }
            _ => (self.times[started - 1], self.pieces[started - 1]),
        };
        let mut numbers = [from; 13];
        for (three, c) in numbers[1..].chunks_exact_mut(3).zip(piece) {
            three.copy_from_slice(c.as_ref());
        }
        numbers
    }

    /// What holds outside, given the values of the nearest row.
    fn outside(&self, t: f64, nearest: DVec3) -> [DVec3; 4] {
        constant(match self.beyond {
            Beyond::Zero => DVec3::ZERO,
            Beyond::Error if !self.knows(t) => DVec3::NAN,
            Beyond::Hold | Beyond::Error => nearest,
        })
    }
}

fn constant(value: DVec3) -> [DVec3; 4] {
    [value, DVec3::ZERO, DVec3::ZERO, DVec3::ZERO]
}

#[cfg(test)]
mod tests {
    use polhode_number::{Dual, Pack};

    use super::*;

    const UNEVEN: [f64; 6] = [-1.0, -0.3, 0.4, 0.5, 2.0, 2.75];

    fn table(
        f: impl Fn(f64) -> [f64; 3],
        times: &[f64],
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> VectorTable {
        let row = |t: &f64| {
            let [x, y, z] = f(*t);
            [*t, x, y, z]
        };
        let rows: Vec<_> = times.iter().map(row).collect();
        VectorTable::new(&rows, interpolation, beyond).unwrap()
    }

    #[test]
    fn a_cubic_is_its_own_spline() {
        let f = |t: f64| [1.0 + t - t * t * t, 3.0 * t * t, 2.0 - t];
        for times in [&UNEVEN[..], &UNEVEN[..5], &UNEVEN[1..5]] {
            let spline = table(f, times, Interpolation::Spline, Beyond::Error);
            for k in 0..=100 {
                let t = times[0] + (times[times.len() - 1] - times[0]) * f64::from(k) / 100.0;
                for (got, want) in spline.at(t).into_iter().zip(f(t)) {
                    // Roundings of values up to 40.
                    assert!((got - want).abs() < 1e-13, "{t}: {got} {want}");
                }
            }
        }
        let parabola = |t: f64| [t * t, 1.0 - t, 4.0];
        let three = table(parabola, &UNEVEN[2..5], Interpolation::Spline, Beyond::Error);
        let two =
            table(|t| [2.0 * t, 1.0, 0.0], &UNEVEN[..2], Interpolation::Spline, Beyond::Error);
        assert!((three.at(1.0)[0] - 1.0).abs() < 1e-15);
        assert!((two.at(-0.5)[0] + 1.0).abs() < 1e-15);
    }

    #[test]
    fn rows_are_met_exactly_and_a_hold_changes_there() {
        let f = |t: f64| [libm::sin(t), t, 1.0];
        for (interpolation, before) in [
            (Interpolation::Hold, -0.3),
            (Interpolation::Linear, 0.4),
            (Interpolation::Spline, 0.4),
        ] {
            let table = table(f, &UNEVEN, interpolation, Beyond::Error);
            for t in UNEVEN {
                assert_eq!(table.at(t), f(t));
            }
            let [_, y, _] = table.at(0.4f64.next_down());
            assert!((y - before).abs() < 1e-15, "{y}");
        }
    }

    #[test]
    fn beyond_the_ends() {
        let f = |t: f64| [t, 2.0, 0.0];
        let of = |beyond| table(f, &[0.0, 1.0, 3.0], Interpolation::Linear, beyond);
        assert_eq!((of(Beyond::Hold).at(-1.0), of(Beyond::Hold).at(4.0)), (f(0.0), f(3.0)));
        assert_eq!((of(Beyond::Zero).at(-1.0), of(Beyond::Zero).at(4.0)), ([0.0; 3], [0.0; 3]));
        assert_eq!(of(Beyond::Zero).at(3.0), f(3.0));
        let known = of(Beyond::Error);
        assert_eq!(known.at(3.0 + 1e-12), f(3.0));
        assert!(known.at(3.1)[0].is_nan() && known.at(-0.1)[1].is_nan());
        assert_eq!((known.span(), of(Beyond::Hold).span()), (Some((0.0, 3.0)), None));
        assert!(known.knows(0.0) && !known.knows(3.001) && of(Beyond::Zero).knows(1e9));
    }

    #[test]
    fn lanes_and_slopes() {
        let f = |t: f64| [libm::sin(t), t * t, 1.0];
        let spline = table(f, &UNEVEN, Interpolation::Spline, Beyond::Hold);
        let times = [-2.0, -0.9, 0.45, 2.1];
        let lanes = spline.at(Pack(times));
        for (i, t) in times.into_iter().enumerate() {
            assert_eq!(lanes.map(|x| x.0[i]), spline.at(t));
            let slope = spline.at(Dual::<f64, 1>::variable(t, 0))[1].slopes[0];
            let want = if i == 0 { 0.0 } else { 2.0 * t };
            assert!((slope - want).abs() < 1e-13, "{slope}");
        }
    }

    #[test]
    fn what_is_no_table() {
        let said = |rows: &[&[f64]]| {
            let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
            let made = VectorTable::from_rows(&rows, Interpolation::Linear, Beyond::Hold);
            let error = made.unwrap_err();
            (error.row(), error.to_string())
        };
        let first: &[f64] = &[0.0, 1.0, 2.0, 3.0];
        assert_eq!(said(&[]), (None, "0 rows; a table has two at least".into()));
        assert_eq!(said(&[first]), (None, "1 row; a table has two at least".into()));
        assert_eq!(said(&[first, &[1.0, 2.0]]).0, Some(2));
        assert_eq!(said(&[first, &[0.0, 1.0, 2.0, 3.0]]).0, Some(2));
        let (row, text) = said(&[first, &[2.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0]]);
        assert_eq!(row, Some(3));
        assert!(text.contains("t = 1.0, not later than t = 2.0"), "{text}");
        assert_eq!(said(&[first, &[1.0, f64::NAN, 0.0, 0.0]]).0, Some(2));
        assert_eq!(said(&[first, &[1e-300, 1e300, 0.0, 0.0]]).0, Some(1));
    }
}
