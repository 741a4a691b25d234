//! Libraries of Python, our own among them, in a process of their own: their times are from the same
//! run, not from the same race.

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

use polhode::glam::DQuat;
use polhode::{FreeMotion, Inertia};
use serde::Deserialize;

use crate::Failure;
use crate::document::is_peer;
use crate::report::{Point, Report};
use crate::timing::{Entrant, race};

/// What `peers.py` prints.
#[derive(Deserialize)]
struct PythonReport {
    tops: Vec<PythonTop>,
    /// The same problems as the solver has them.
    solved: Vec<PythonTop>,
    ratios: std::collections::BTreeMap<String, f64>,
    errors: std::collections::BTreeMap<String, f64>,
    nanoseconds: std::collections::BTreeMap<String, f64>,
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct PythonTop {
    problem: String,
    method: String,
    wanted: f64,
    error: f64,
    setting: String,
    nanoseconds: f64,
}

impl PythonTop {
    fn on(self, problem: &'static str) -> Point {
        let Self { method, wanted, error, setting, nanoseconds, .. } = self;
        Point { problem, method, wanted, error, setting, nanoseconds }
    }
}

pub(crate) fn measure(program: &Path, report: &mut Report) -> Result<(), Failure> {
    eprintln!("measuring: SciPy, heyoka and polhode in Python");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(program)
        .arg(folder.join("python/peers.py"))
        .arg(polhode_testkit::oracle::folder())
        .output();
    let output = match output {
        Ok(output) if output.status.success() => output.stdout,
        Ok(output) => return Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
        Err(error) => {
            report.skipped.push(format!("scipy and heyoka: {}: {error}", program.display()));
            return Ok(());
        }
    };
    let found: PythonReport = serde_json::from_slice(&output)?;
    report.errors.extend(found.errors);
    report.nanoseconds.extend(found.nanoseconds);
    report.skipped.extend(found.skipped);
    report.ratios.extend(found.ratios);
    for top in found.solved {
        let problem = if top.problem == "solve156" { "solve156" } else { "solve1000" };
        let ours = report.work_precision.iter().find(|point| {
            (point.problem, point.wanted, &*point.method) == (problem, top.wanted, "solve")
        });
        let key = format!("{problem}/{}@{:.0e}", top.method, top.wanted);
        match ours {
            Some(ours) => drop(report.ratios.insert(key, ours.nanoseconds / top.nanoseconds)),
            None => report.skipped.push(format!("{key}: the solver was not measured")),
        }
        report.work_precision.push(top.on(problem));
    }
    for top in found.tops {
        let problem = if top.problem == "top156" { "top156" } else { "top1000" };
        let ours = report
            .work_precision
            .iter()
            .filter(|p| p.problem == problem && p.wanted == top.wanted && !is_peer(&p.method))
            .map(|p| p.nanoseconds)
            .fold(f64::INFINITY, f64::min);
        report.ratios.insert(format!("{problem}/{}", top.method), ours / top.nanoseconds);
        report.work_precision.push(top.on(problem));
    }
    let (ours, theirs) = ("at, one of 1e6 times", "python: at, one of 1e6 times");
    if report.nanoseconds.contains_key(theirs) {
        report.nanoseconds.insert(ours.to_owned(), a_million_times()?);
        report.ratio("python-at/rust".to_owned(), theirs, ours);
    }
    for name in ["scipy", "heyoka"] {
        let key = format!("{name}: free400");
        if report.nanoseconds.contains_key(&key) && report.nanoseconds.contains_key("free400") {
            report.ratio(format!("free400/{name}"), "free400", &key);
        }
    }
    Ok(())
}

/// Elliptic functions against SciPy's, element by element of arrays and call by call.
pub(crate) fn elliptic(program: &Path, report: &mut Report) -> Result<(), Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/elliptic.py");
    let output = Command::new(program).arg(script).output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).into_owned();
        report.skipped.push(format!("elliptic functions in Python: {why}"));
        return Ok(());
    }
    let found: std::collections::BTreeMap<String, f64> = serde_json::from_slice(&output.stdout)?;
    report.nanoseconds.extend(found);
    Ok(())
}

/// Nanoseconds a time of what `FreeMotion.at` of Python does for a million of them: states and angular
/// velocities into arrays, on all cores.
fn a_million_times() -> Result<f64, Failure> {
    const BLOCK: usize = 4096;
    let inertia = Inertia::principal([3.0, 8.0, 11.0])?;
    let motion = FreeMotion::from_omega(&inertia, [0.01, 12.0, 0.0], DQuat::IDENTITY)?;
    let times: Vec<f64> = (0..1_000_000).map(|n| f64::from(n) * 0.01).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let round = || {
        let mut rows = vec![([0.0; 3], [0.0; 3], [0.0; 4]); times.len()];
        let blocks = Mutex::new(times.chunks(BLOCK).zip(rows.chunks_mut(BLOCK)));
        let work = || {
            let mut states = vec![*motion.start(); BLOCK];
            loop {
                let next = blocks.lock().ok().and_then(|mut blocks| blocks.next());
                let Some((times, rows)) = next else { return true };
                if motion.at_many(times, &mut states).is_err() {
                    return false;
                }
                for (row, s) in rows.iter_mut().zip(&states) {
                    *row = (s.m.to_array(), s.omega(&inertia).to_array(), s.attitude());
                }
            }
        };
        let done = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().all(|worker| worker.join().unwrap_or(false))
        });
        black_box(rows);
        done
    };
    let times = race(15, vec![Entrant::new("at", 1_000_000, round)]);
    times[0].1.ok_or_else(|| "a million times could not be computed".into())
}
