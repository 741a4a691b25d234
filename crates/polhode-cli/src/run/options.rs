//! Options that stand for keys of a scenario or an ensemble: how its motion is computed, and when it is looked at.

use std::path::Path;

use clap::Args;
use polhode_scenario::read_times;

use crate::failure::Failure;
use crate::numbers::OptionText;

/// How a motion is computed, until when, and which of its states are kept.
#[derive(Args, Default)]
pub(crate) struct ComputationOptions {
    /// Take another method than the scenario's: see `polhode methods`
    #[arg(long, value_name = "ID")]
    method: Option<String>,

    /// Take steps of this length instead of the scenario's
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    step: Option<String>,

    /// End at this time instead of the scenario's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    until: Option<String>,

    /// Keep every N-th step of a method with a fixed step
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    every: Option<String>,

    /// Solve to this accuracy instead of stepping by the scenario's method: the error at the end, of the
    /// momentum relative to its length, of the attitude in radians
    #[arg(long, value_name = "E", allow_hyphen_values = true)]
    tolerance: Option<String>,

    /// Write a row every DT, and one at the end; with a fixed step DT is a whole number of steps
    #[arg(long, value_name = "DT", allow_hyphen_values = true)]
    interval: Option<String>,

    /// Write rows at these times alone, separated by commas, or in a file
    #[arg(long, value_name = "T1,T2,..|FILE", allow_hyphen_values = true)]
    times: Option<String>,
}

impl ComputationOptions {
    /// The same as overrides of keys.
    pub(crate) fn overrides(&self) -> Result<Vec<String>, Failure> {
        let times = self.times.as_deref().map(times).transpose()?;
        // A method is a text, whatever it looks like: an empty one, or +exact, is told as such.
        let method = self.method.as_deref().map(toml_text);
        let numbers = [&self.step, &self.until, &self.every, &self.tolerance, &self.interval];
        let [step, until, every, tolerance, interval] =
            numbers.map(|given| given.as_deref().map(number));
        let keys = [
            ("method.id", &method),
            ("method.step", &step),
            ("run.until", &until),
            ("run.every", &every),
            ("run.tolerance", &tolerance),
            ("run.interval", &interval),
            ("run.times", &times),
        ];
        Ok(named(&keys).collect())
    }
}

/// Overrides of the keys that have a value.
pub(super) fn named(keys: &[(&str, &Option<String>)]) -> impl Iterator<Item = String> {
    keys.iter().filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)))
}

/// The text as a value of TOML.
pub(super) fn toml_text(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
        c => c.into(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// What stands for one number, as a value of TOML. What cannot be a value, such as nothing or several numbers, is a
/// text: it is refused with what the key allows, and not with how keys are set.
fn number(given: &str) -> String {
    let text = given.trim();
    let several = |c: char| c == ',' || c.is_whitespace();
    if text.is_empty() || text.contains(several) && !text.starts_with(['[', '"', '\'']) {
        return toml_text(given);
    }
    given.to_owned()
}

/// What `--times` says, as a list of a scenario: the times themselves, or those in a file.
fn times(given: &str) -> Result<String, Failure> {
    let option =
        OptionText::new("--times", given, "times t1,t2,.. or the name of a file that holds them");
    let times = match option.list() {
        Ok(times) => times,
        Err(refused) => {
            let path = Path::new(given);
            if !path.exists() {
                return Err(option.refuse_as_file(refused));
            }
            read_times(path).map_err(|e| Failure::Input(format!("--times: {e}")))?
        }
    };
    Ok(format!("{times:?}"))
}
