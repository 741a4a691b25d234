//! Instructions per step, as a guard: a count does not depend on the clock, the load or the cache.
//!
//! Valgrind counts the instructions of this program doing a piece of work, and then twice as much of
//! it; the difference is the work and nothing else. `counts.json` holds what is expected, for one
//! version of the compiler.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use polhode::ensemble::{BodySamples, Ensemble, Width};
use polhode::method::Method;
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Plan, Problem, State, rotor, run};
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::bodies::{GENERIC, WATER};
use crate::engines;
use crate::ensembles::crowd;

/// More than this part above what is expected fails.
const TOLERANCE: f64 = 0.02;

/// With another compiler the same source has other instructions: only what is grossly more fails.
const OTHER_COMPILER: f64 = 0.25;

/// Steps of the shorter run.
const STEPS: u32 = 1000;

const ENSEMBLE: usize = 64;

/// Rotors with their steps, then the others.
const ROTORS: [(&str, &str, f64); 9] = [
    ("exact@0.01", "exact", 0.01),
    ("exact@0.1", "exact", 0.1),
    ("exact@1", "exact", 1.0),
    ("exact@10", "exact", 10.0),
    ("dmv10@0.01", "dmv:order=10", 0.01),
    ("dmv10@0.1", "dmv:order=10", 0.1),
    ("three-rotations@0.01", "three-rotations", 0.01),
    ("frb-quaternion@0.01", "frb-quaternion", 0.01),
    ("jacobi-vilmart@0.01", "jacobi-vilmart", 0.01),
];
const AT: &str = "at";
const SETUP: &str = "FreeMotion::new";
const TOP: &str = "rkn6-14+exact on a top@0.01";
const BATCH: &str = "exact in four lanes@0.01, per body";

/// Compiled for AVX2, which valgrind knows but not every processor below it does.
const FOR_AVX2: [(&str, f64); 2] = [(AT, 1.0), (BATCH, ENSEMBLE as f64)];

/// What is expected.
#[derive(Debug, Deserialize, Serialize)]
struct ExpectedCounts {
    /// The compiler that it was found with.
    compiler: String,
    architecture: String,
    instructions: BTreeMap<String, f64>,
}

/// What is counted, and how many units one of its steps is.
fn names() -> Vec<(&'static str, f64)> {
    let mut names: Vec<_> = ROTORS.iter().map(|r| (r.0, 1.0)).collect();
    names.extend([(SETUP, 1.0), (TOP, 1.0)]);
    names.extend(engines::COUNTED.map(|name| (name, 1.0)));
    if Width::available().contains(&Width::Four) {
        names.extend(FOR_AVX2);
    }
    names
}

/// Does a piece of work; its output is of no interest.
pub(crate) fn work(name: &str, steps: u32) -> Result<(), Failure> {
    let inertia = Inertia::principal(GENERIC.moments)?;
    let start = State::aligned(GENERIC.momentum)?;
    if let Some((_, spec, h)) = ROTORS.iter().find(|r| r.0 == name) {
        let mut rotor = rotor::build(spec, &inertia)?;
        let mut state = start;
        for _ in 0..steps {
            rotor.step(black_box(*h), &mut state)?;
        }
        black_box(state);
    } else if name == AT {
        let motion = FreeMotion::new(&inertia, start)?;
        for i in 0..steps {
            black_box(motion.at(black_box(0.37 * f64::from(i)))?);
        }
    } else if name == SETUP {
        for _ in 0..steps {
            black_box(FreeMotion::new(black_box(&inertia), black_box(start))?);
        }
    } else if name == TOP {
        let torque = HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])?;
        let problem = Problem::new(inertia, start).torque(torque);
        let mut stepper = Method::parse("rkn6-14+exact")?.stepper(&problem)?;
        let plan = Plan { step: 0.01, steps: u64::from(steps) };
        black_box(run(&problem, &mut *stepper, &plan, &mut [])?);
    } else if name == BATCH {
        let bodies = crowd(&WATER, ENSEMBLE, false)?;
        let ensemble = Ensemble::new("exact")?.width(Width::Four).threads(1);
        let plan = Plan { step: 0.01, steps: u64::from(steps) };
        let mut sink = |samples: &BodySamples<'_>| {
            black_box(samples.state(0));
            Ok(())
        };
        ensemble.run(bodies.into_iter(), &plan, u64::MAX, &mut sink)?;
    } else if !engines::work(name, steps) {
        return Err(format!("no work '{name}'").into());
    }
    Ok(())
}

/// Instructions of this program at its work.
fn instructions(name: &str, steps: u32) -> Result<f64, Failure> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["work", name, &steps.to_string()])
        .output()
        .map_err(|error| format!("valgrind: {error}; to install: apt-get install valgrind"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split_once("Collected :"));
    match collected {
        Some((_, count)) if output.status.success() => Ok(count.trim().parse()?),
        _ => Err(format!("valgrind failed on '{name}':\n{text}").into()),
    }
}

/// Instructions of one unit, all else taken off.
pub(crate) fn per_unit(name: &str, units: f64) -> Result<f64, Failure> {
    let more = instructions(name, 2 * STEPS)? - instructions(name, STEPS)?;
    Ok(more / (f64::from(STEPS) * units))
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("counts.json")
}

/// The version of the compiler, without its date.
fn compiler() -> Result<String, Failure> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let text = String::from_utf8(Command::new(rustc).arg("--version").output()?.stdout)?;
    Ok(text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
}

/// Compares with what is expected, or writes it. True if nothing costs more.
pub(crate) fn guard(update: bool) -> Result<bool, Failure> {
    let mut found = BTreeMap::new();
    for (name, units) in names() {
        found.insert(name.to_owned(), (per_unit(name, units)? * 10.0).round() / 10.0);
    }
    let compiler = compiler()?;
    let architecture = std::env::consts::ARCH.to_owned();
    if update {
        let expected = ExpectedCounts { compiler, architecture, instructions: found };
        std::fs::write(file(), serde_json::to_string_pretty(&expected)? + "\n")?;
        println!("{} written", file().display());
        return Ok(true);
    }
    let expected: ExpectedCounts = serde_json::from_str(&std::fs::read_to_string(file())?)?;
    if expected.architecture != architecture {
        println!("expected counts are for {}, this is {architecture}", expected.architecture);
        return Ok(true);
    }
    let same = expected.compiler == compiler;
    if !same {
        println!("expected counts are from {}, this is {compiler}", expected.compiler);
    }
    let lines =
        compare(&expected.instructions, &found, if same { TOLERANCE } else { OTHER_COMPILER });
    for line in &lines {
        println!("{}", line.1);
    }
    let well = lines.iter().all(|line| line.0);
    if !well {
        println!("If this is as it should be: cargo xtask bench --update-counts");
    }
    Ok(well)
}

/// A line for each count, and whether it is well.
fn compare(
    expected: &BTreeMap<String, f64>,
    found: &BTreeMap<String, f64>,
    tolerance: f64,
) -> Vec<(bool, String)> {
    let mut lines = Vec::new();
    for (name, &found) in found {
        let Some(&expected) = expected.get(name) else {
            lines.push((false, format!("{name}: {found}, not expected at all")));
            continue;
        };
        let change = found / expected - 1.0;
        // Written so that a count that is no number fails.
        let well = change <= tolerance;
        let word = match (well, change < -tolerance) {
            (false, _) => "MORE THAN EXPECTED",
            (true, true) => "less than expected: update the counts",
            (true, false) => "as expected",
        };
        lines.push((well, format!("{name}: {found} ({:+.1} %), {word}", 100.0 * change)));
    }
    // What is not counted is not guarded, except where the processor cannot do it.
    for name in expected.keys().filter(|name| !found.contains_key(*name)) {
        let cannot = FOR_AVX2.iter().any(|(vector, _)| vector == name);
        lines.push((cannot, format!("{name}: not counted")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{TOLERANCE, compare, names, work};
    use std::collections::BTreeMap;

    fn counts(pairs: &[(&str, f64)]) -> BTreeMap<String, f64> {
        pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn more_fails_and_less_does_not() {
        let expected = counts(&[("a", 100.0)]);
        let well = |found| compare(&expected, &counts(&[("a", found)]), TOLERANCE)[0].0;
        assert!(well(101.9) && well(50.0));
        assert!(!well(102.1) && !well(f64::NAN));
    }

    #[test]
    fn a_count_on_one_side_only_fails() {
        let (a, b) = (counts(&[("a", 1.0)]), counts(&[("b", 1.0)]));
        assert!(compare(&a, &b, TOLERANCE).iter().all(|line| !line.0));
    }

    #[test]
    fn all_work_can_be_done() {
        for (name, _) in names() {
            work(name, 3).expect(name);
        }
        assert!(work("sleep", 3).is_err());
    }
}
