//! The times of rows, and files that hold times.

use std::path::Path;

use super::document::TomlValue;
use super::error::{ScenarioError, TextPlace};
use super::fault::ScenarioFault;
use super::field::{Section, SectionField};
use super::source::{self, ReadResult, ScenarioText, quote};
use super::tables::MAX_TABLE_BYTES;

/// More rows than this are taken for a slip of the pen.
const MOST_ROWS: f64 = 1e8;

/// Into so many equal intervals a span is divided where nothing else is said.
const INTERVALS: u64 = 1000;

const TIMES: &str =
    "a list of times, one at least, or the name of a file beside the scenario that holds them";

const STOPS: &str = "a list of times, from the start to the end";

/// The times at which rows of a solution are wanted, from a start at 0; those of a grid are not stored.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowTimes {
    /// These, in the order in which they are passed.
    List(Vec<f64>),
    /// 0, interval, 2 interval, ... and the end.
    Spaced {
        /// From one row to the next, with the sign of the end.
        interval: f64,
        /// The time of the last row.
        until: f64,
        /// How many rows there are.
        rows: u64,
    },
    /// The start, the end, and equal parts of what is between.
    Parts {
        /// How many parts.
        parts: u64,
        /// The time of the last row.
        until: f64,
    },
}

impl RowTimes {
    /// One every interval and one at the end; none if they are too many.
    pub(super) fn spaced(interval: f64, until: f64) -> Option<Self> {
        let ratio = until.abs() / interval;
        let near = ratio.round();
        // Half an ulp each for the two numbers and their quotient: 0.3 is three times 0.1.
        let whole = (ratio - near).abs() <= 1.5 * f64::EPSILON * ratio;
        let rows = if whole { near + 1.0 } else { ratio.floor() + 2.0 };
        if rows > MOST_ROWS {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 1e8")]
        let rows = rows as u64;
        Some(Self::Spaced { interval: interval.copysign(until), until, rows })
    }

    /// A thousand equal intervals.
    pub(super) fn thousand(until: f64) -> Self {
        Self::Parts { parts: if until == 0.0 { 0 } else { INTERVALS }, until }
    }

    /// How many there are, one at least.
    #[allow(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> u64 {
        match self {
            Self::List(times) => times.len() as u64,
            Self::Spaced { rows, .. } => *rows,
            Self::Parts { parts, .. } => parts + 1,
        }
    }

    /// The time of row k, counted from 0: computed, never accumulated. Beyond the last it is that of the last.
    pub fn time(&self, k: u64) -> f64 {
        let last = self.len() - 1;
        match self {
            Self::List(times) => times[usize::try_from(k.min(last)).unwrap_or(0)],
            Self::Spaced { until, .. } | Self::Parts { until, .. } if k >= last => *until,
            // Adding zero makes the start of a grid that goes down 0 instead of -0.
            Self::Spaced { interval, .. } => k as f64 * interval + 0.0,
            Self::Parts { parts, until } => {
                let whole = until * k as f64;
                let time = if whole.is_finite() {
                    whole / *parts as f64
                } else {
                    until * (k as f64 / *parts as f64)
                };
                time + 0.0
            }
        }
    }

    /// The least time from one row to the next; negative where time runs backwards, zero if there is one row.
    pub fn spacing(&self) -> f64 {
        match self {
            Self::List(times) => {
                let gaps = times.windows(2).map(|w| w[1] - w[0]);
                gaps.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
            }
            Self::Spaced { rows: 1, .. } | Self::Parts { parts: 0, .. } => 0.0,
            Self::Spaced { interval, until, rows } => {
                let last = until - self.time(rows - 2);
                if last.abs() < interval.abs() { last } else { *interval }
            }
            Self::Parts { parts, until } => until / *parts as f64,
        }
    }
}

/// A list of times that follow each other from the start at 0 on; until the end, if that is known.
pub(super) fn list(field: SectionField<'_>, until: Option<f64>) -> ReadResult<Vec<f64>> {
    let list = match field.value() {
        TomlValue::List(list) if !list.is_empty() => list,
        TomlValue::Text(_) => {
            return Err(field.fail(ScenarioFault::NoFolder { instead: "the times themselves" }));
        }
        _ => return Err(field.refuse(TIMES)),
    };
    let times = field.numbers(list, 1, TIMES)?;
    in_order(field, &times, until)?;
    Ok(times)
}

/// Times at which the torque jumps, between the start at 0 and the end, in that order; there may be none.
pub(super) fn stops(field: SectionField<'_>, until: f64) -> ReadResult<Vec<f64>> {
    let TomlValue::List(list) = field.value() else { return Err(field.refuse(STOPS)) };
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let stops = field.numbers(list, 1, STOPS)?;
    in_order(field, &stops, Some(until))?;
    Ok(stops)
}

/// Checks that times follow each other from the start at 0 on; until the end, if that is known.
fn in_order(field: SectionField<'_>, times: &[f64], until: Option<f64>) -> ReadResult<()> {
    // Without an end the last of them is it, and says the direction.
    let backwards = until.or(times.last().copied()).unwrap_or(0.0) < 0.0;
    let along = |t: f64| if backwards { -t } else { t };
    let mut before = f64::NEG_INFINITY;
    for (k, &t) in (1..).zip(times) {
        let beyond = until.is_some_and(|end| along(t) > along(end));
        if !(along(t) >= 0.0 && along(t) > before) || beyond {
            let found = format!("{t:?} at position {k}");
            let end = until.map_or_else(|| "on".into(), |end| format!("to {end:?}"));
            let allowed = format!("times from 0.0 {end} that follow each other in that direction");
            return Err(field.refuse_part(found, &allowed));
        }
        before = along(t);
    }
    Ok(())
}

/// Overrides the name of a file of times, looked for in this folder, by what it holds: the scenario is whole
/// then, and a run of it can be resumed whatever becomes of the file.
pub(super) fn inline(source: &mut ScenarioText, folder: &Path) -> Result<(), ScenarioError> {
    // What cannot be read here is told by the reader of the scenario.
    let Ok(document) = source.tree() else { return Ok(()) };
    let Some(run) = document.get("run").and_then(|e| Section::new("run", &e.item).ok()) else {
        return Ok(());
    };
    let Some(field) = run.get("times").filter(|f| matches!(f.value(), TomlValue::Text(_))) else {
        return Ok(());
    };
    // An override would hide that they exclude each other.
    if ["every", "interval"].iter().any(|key| run.get(key).is_some()) {
        return Ok(());
    }
    let file = field.text(TIMES).map_err(|trouble| source.locate(*trouble))?;
    let times = read_times(&folder.join(file)).map_err(|error| match error.line() {
        Some(_) => error,
        // It is not in the file that something is wrong.
        None => source.locate(*field.fail(error.fault().clone())),
    })?;
    source.overrides.push(format!("run.times={times:?}"));
    Ok(())
}

/// The times in a file: numbers separated by commas, semicolons, blanks or lines. What follows a `#` is no number, nor
/// is a first line `t`.
///
/// # Errors
/// [`ScenarioError`] if the file cannot be read or holds something else.
pub fn read_times(path: &Path) -> Result<Vec<f64>, ScenarioError> {
    let text = source::read_at_most(path, MAX_TABLE_BYTES)?;
    let mut times = Vec::new();
    for (number, line) in (1..).zip(source::without_mark(&text).lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if times.is_empty() && line == "t" {
            continue;
        }
        let between = |c: char| c == ',' || c == ';' || c.is_whitespace();
        let cells = line.split(between).filter(|cell| !cell.is_empty());
        for cell in cells {
            let time = polhode_number::read(cell).map_err(|why| {
                let place =
                    TextPlace { line: Some(number), given: quote(line), ..TextPlace::default() };
                let fault = ScenarioFault::Number { which: format!("'{}'", quote(cell)), why };
                ScenarioError::new(&path.display().to_string(), place, fault)
            })?;
            times.push(time);
        }
    }
    if times.is_empty() {
        let fault =
            ScenarioFault::Value { found: "a file without a time".into(), allowed: TIMES.into() };
        return Err(ScenarioError::new(&path.display().to_string(), TextPlace::default(), fault));
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(rows: &RowTimes) -> Vec<f64> {
        (0..rows.len()).map(|k| rows.time(k)).collect()
    }

    #[test]
    fn a_grid_ends_at_its_end() {
        let spaced = |interval, until| all(&RowTimes::spaced(interval, until).unwrap());
        assert_eq!(spaced(0.1, 0.3), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(spaced(0.4, -1.0), [0.0, -0.4, -0.8, -1.0]);
        assert!(spaced(0.4, -1.0)[0].is_sign_positive());
        assert_eq!(spaced(5.0, 0.0), [0.0]);
        assert_eq!(spaced(5.0, 1.0), [0.0, 1.0]);
        assert!(RowTimes::spaced(1e-9, 1.0).is_none());
        assert!(RowTimes::spaced(1e-300, 1e300).is_none());
    }

    #[test]
    fn a_thousand_equal_intervals() {
        let times = all(&RowTimes::thousand(60.0));
        assert_eq!((times.len(), times[0], times[7], times[1000]), (1001, 0.0, 0.42, 60.0));
        assert_eq!(all(&RowTimes::thousand(0.0)), [0.0]);
        let wide = all(&RowTimes::thousand(-1e308));
        assert!(wide.iter().all(|t| t.is_finite()) && wide[0].is_sign_positive());
        assert!(wide.windows(2).all(|w| w[0] > w[1]));
    }

    #[test]
    fn the_spacing_of_a_list_is_the_least() {
        assert_eq!(RowTimes::List(vec![0.0, 1.0, 1.5, 4.0]).spacing(), 0.5);
        assert_eq!(RowTimes::List(vec![0.0, -1.0, -1.5]).spacing(), -0.5);
        assert_eq!(RowTimes::List(vec![2.0]).spacing(), 0.0);
        assert_eq!(RowTimes::thousand(-10.0).spacing(), -0.01);
        assert_eq!(RowTimes::spaced(0.75, 1.0).unwrap().spacing(), 0.25);
        assert_eq!(RowTimes::spaced(0.75, 0.0).unwrap().spacing(), 0.0);
    }
}
