//! Libraries of Python, in a process of their own: their times are from the same run, not from the
//! same race.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::Failure;
use crate::document::is_peer;
use crate::report::{Point, Report};

/// What `peers.py` prints.
#[derive(Deserialize)]
struct Found {
    tops: Vec<Top>,
    errors: std::collections::BTreeMap<String, f64>,
    nanoseconds: std::collections::BTreeMap<String, f64>,
    skipped: Vec<String>,
}

#[derive(Deserialize)]
struct Top {
    problem: String,
    method: String,
    wanted: f64,
    error: f64,
    setting: String,
    nanoseconds: f64,
}

pub(crate) fn measure(program: &Path, report: &mut Report) -> Result<(), Failure> {
    eprintln!("measuring: SciPy and heyoka");
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
    let found: Found = serde_json::from_slice(&output)?;
    report.errors.extend(found.errors);
    report.nanoseconds.extend(found.nanoseconds);
    report.skipped.extend(found.skipped);
    for top in found.tops {
        let problem = if top.problem == "top156" { "top156" } else { "top1000" };
        let ours = report
            .work_precision
            .iter()
            .filter(|p| p.problem == problem && p.wanted == top.wanted && !is_peer(&p.method))
            .map(|p| p.nanoseconds)
            .fold(f64::INFINITY, f64::min);
        report.ratios.insert(format!("{problem}/{}", top.method), ours / top.nanoseconds);
        report.work_precision.push(Point {
            problem,
            method: top.method,
            wanted: top.wanted,
            error: top.error,
            setting: top.setting,
            nanoseconds: top.nanoseconds,
        });
    }
    for name in ["scipy", "heyoka"] {
        let key = format!("{name}: free400");
        if report.nanoseconds.contains_key(&key) && report.nanoseconds.contains_key("free400") {
            report.ratio(format!("free400/{name}"), "free400", &key);
        }
    }
    Ok(())
}
