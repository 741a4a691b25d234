//! What was measured, as one document.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::targets::{TARGETS, Verdict};

/// Everything that a run has found out.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    /// The cost of one thing over that of another; of threads, the gain.
    pub(crate) ratios: BTreeMap<String, f64>,
    /// Least times, of a step or a call.
    pub(crate) nanoseconds: BTreeMap<String, f64>,
    pub(crate) work_precision: Vec<Point>,
    /// Errors of the functions that are timed.
    pub(crate) errors: BTreeMap<String, f64>,
    /// Steps of bodies per second, bytes, operations: what is no time.
    pub(crate) quantities: BTreeMap<String, f64>,
    /// For each target what came of it.
    pub(crate) targets: BTreeMap<&'static str, Verdict>,
    /// What could not be measured here, and why.
    pub(crate) skipped: Vec<String>,
}

/// What the numbers were measured on.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Machine {
    pub(crate) architecture: &'static str,
    pub(crate) features: Vec<&'static str>,
    pub(crate) cores: usize,
    pub(crate) lanes: usize,
    /// Programs that wanted to run in the minute before, where the system says so: with more of them
    /// than cores, what needs several cores at once comes out too slow.
    pub(crate) load: Option<f64>,
}

/// A method that reaches an error, at its least cost.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) problem: &'static str,
    pub(crate) method: String,
    /// Not more than this was asked for.
    pub(crate) wanted: f64,
    pub(crate) error: f64,
    /// How many steps, or which tolerance.
    pub(crate) setting: String,
    pub(crate) nanoseconds: f64,
}

impl Machine {
    pub(crate) fn here() -> Self {
        let mut features = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let known = [
                ("avx2", has!("avx2")),
                ("fma", has!("fma")),
                ("avx512f", has!("avx512f")),
                ("avx512dq", has!("avx512dq")),
            ];
            features.extend(known.into_iter().filter(|f| f.1).map(|f| f.0));
        }
        let widths = polhode::ensemble::Width::available();
        Self {
            architecture: std::env::consts::ARCH,
            features,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            lanes: widths.last().map_or(1, |w| w.lanes()),
            load: std::fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|text| text.split_whitespace().next()?.parse().ok()),
        }
    }
}

impl Report {
    /// Remembers the times of a race, under their names.
    pub(crate) fn times(&mut self, times: &[(String, Option<f64>)]) {
        for (name, time) in times {
            if let Some(time) = time {
                self.nanoseconds.insert(name.clone(), *time);
            }
        }
    }

    /// The ratio of two times, if both are known.
    pub(crate) fn ratio(&mut self, key: impl Into<String>, of: &str, to: &str) {
        self.ratio_of(key.into(), [of, to], |[of, to]| of / to);
    }

    /// The ratio of what one time is more than another to a third, if all are known.
    pub(crate) fn ratio_more(&mut self, key: impl Into<String>, of: [&str; 2], to: &str) {
        self.ratio_of(key.into(), [of[0], of[1], to], |[more, less, to]| (more - less) / to);
    }

    fn ratio_of<const N: usize>(
        &mut self,
        key: String,
        names: [&str; N],
        ratio: impl FnOnce([f64; N]) -> f64,
    ) {
        let mut times = [0.0; N];
        for (time, name) in times.iter_mut().zip(names) {
            let Some(&known) = self.nanoseconds.get(name) else {
                self.skipped.push(format!("{key}: {name} could not be done"));
                return;
            };
            *time = known;
        }
        self.ratios.insert(key, ratio(times));
    }

    /// Compares with the targets.
    pub(crate) fn judge(&mut self) {
        for target in TARGETS {
            if let Some(&ratio) = self.ratios.get(target.key) {
                self.targets.insert(target.key, target.verdict(ratio, &self.machine));
            }
        }
    }
}
