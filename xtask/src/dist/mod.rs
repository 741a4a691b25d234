//! `cargo xtask dist`: everything that a release uploads, made in `target/dist` and tried where no Rust is on the PATH.
//!
//! A part is either a suite of commands, as data, or a function that makes files and tries them.

mod archive;
mod bits;
mod c_library;
mod crates;
mod features;
mod glibc;
mod licenses;
mod lists;
mod privacy;
mod program;
mod python;
mod sbom;
mod site;
mod standard_library;
mod suites;
mod tools;
mod trial;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use crate::machine::{installing_time, processor_time};
use crate::metadata::target_folder;
use crate::report::Report;
use crate::run::{MissingToolRule, Outcome, Verdict, prepare, suite};
use crate::suites::{Suite, Tool};

/// What a part does.
enum Work {
    /// Runs commands.
    Suite(&'static Suite),
    /// Makes files and tries them.
    Make { needs: &'static [&'static Tool], make: fn(&Place) -> Result<PartResult, String> },
}

struct Part {
    name: &'static str,
    when: When,
    work: Work,
}

/// Whether a part is made.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Always,
    /// It may be left out on CI, too, for what it needs cannot be had everywhere.
    Possible,
    /// Only if it is named, for it takes long: a release names it.
    Named,
}

/// In the order in which they run: what is quick, and what others need, first.
static PARTS: &[Part] = &[
    Part { name: "lint", when: When::Always, work: Work::Suite(&suites::LINT) },
    Part { name: "workflows", when: When::Possible, work: Work::Suite(&suites::WORKFLOWS) },
    Part {
        name: "features",
        when: When::Always,
        work: Work::Make { needs: &[], make: features::make },
    },
    Part { name: "bench", when: When::Always, work: Work::Suite(&suites::BENCH) },
    Part {
        name: "crates",
        when: When::Always,
        work: Work::Make { needs: &[], make: crates::make },
    },
    Part {
        name: "program",
        when: When::Always,
        work: Work::Make { needs: program::NEEDS, make: program::make },
    },
    Part {
        name: "aarch64",
        when: When::Possible,
        work: Work::Make { needs: bits::NEEDS, make: bits::make },
    },
    Part {
        name: "python",
        when: When::Always,
        work: Work::Make { needs: python::NEEDS, make: python::make },
    },
    Part {
        name: "python-aarch64",
        when: When::Named,
        work: Work::Make { needs: python::AARCH64_NEEDS, make: python::make_for_aarch64 },
    },
    Part {
        name: "c-library",
        when: When::Always,
        work: Work::Make { needs: c_library::NEEDS, make: c_library::make },
    },
    Part { name: "playground", when: When::Always, work: Work::Suite(&suites::PLAYGROUND) },
    Part {
        name: "site",
        when: When::Named,
        work: Work::Make { needs: site::NEEDS, make: site::make },
    },
    Part { name: "targets", when: When::Possible, work: Work::Suite(&suites::TARGETS) },
    Part { name: "lists", when: When::Always, work: Work::Make { needs: &[], make: lists::make } },
];

/// Where things are made.
struct Place {
    /// What is uploaded.
    dist: PathBuf,
    /// Empty places to install into, and whatever is put together for an archive.
    scratch: PathBuf,
    /// What cargo builds.
    target: PathBuf,
}

impl Place {
    /// The folders; what is uploaded begins empty if all of it is made.
    fn new(all: bool) -> Result<Self, String> {
        let target = target_folder()?;
        let place =
            Self { dist: target.join("dist"), scratch: target.join("dist-scratch"), target };
        if all && place.dist.exists() {
            fs::remove_dir_all(&place.dist)
                .map_err(|e| format!("{}: {e}", place.dist.display()))?;
        }
        for folder in [&place.dist, &place.scratch] {
            fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        Ok(place)
    }

    /// The files that are there to be uploaded, and when they were written.
    fn uploaded(&self) -> Result<BTreeMap<PathBuf, Option<SystemTime>>, String> {
        let files = archive::files(&self.dist)?.into_iter();
        let written = |file: &PathBuf| fs::metadata(file).and_then(|m| m.modified()).ok();
        Ok(files.map(|file| (file.clone(), written(&file))).collect())
    }

    /// An empty folder of this name, whatever was there before.
    fn empty(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.scratch.join(name);
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(failed)?;
        }
        fs::create_dir_all(&folder).map_err(failed)?;
        Ok(folder)
    }
}

/// What a part has made: how many things, and what is to be said of them.
struct PartResult {
    count: usize,
    notes: Vec<String>,
}

pub(crate) fn names() -> Vec<&'static str> {
    PARTS.iter().map(|part| part.name).collect()
}

/// The names of parts that were asked for.
pub(crate) fn parse(options: &[String]) -> Result<Vec<String>, String> {
    match options.iter().find(|option| !names().contains(&option.as_str())) {
        Some(other) => Err(format!(
            "unknown part `{other}` of `dist`: expected some of {}, or none for all",
            names().join(", ")
        )),
        None => Ok(options.to_vec()),
    }
}

/// Makes and tries these parts, all but those for names if none is named. True if all went well.
pub(crate) fn dist(parts: &[String]) -> bool {
    let place = match Place::new(parts.is_empty()) {
        Ok(place) => place,
        Err(error) => {
            eprintln!("error: {error}");
            return false;
        }
    };
    let wanted = PARTS.iter().filter(|part| match parts {
        [] => part.when != When::Named,
        _ => parts.iter().any(|name| name == part.name),
    });
    let outcomes: Vec<_> = wanted.map(|part| (part.name, outcome(part, &place))).collect();
    let (processors, installing) = (processor_time(), installing_time());
    let report = Report { outcomes: &outcomes, processors, installing };
    println!("\n{report}\nin {}", place.dist.display());
    report.succeeded()
}

fn outcome(part: &Part, place: &Place) -> Outcome {
    let mode = MissingToolRule::on_this_machine();
    let mode = if part.when == When::Possible { mode.optional() } else { mode };
    let (needs, make) = match &part.work {
        Work::Suite(commands) => return suite(commands, mode, false),
        Work::Make { needs, make } => (needs, make),
    };
    let (start, used) = (Instant::now(), processor_time());
    let failed = |what| Outcome::Failed { what: vec![what], elapsed: start.elapsed() };
    match prepare(needs, mode) {
        Verdict::Go => {}
        Verdict::LeaveOut(reason) => return Outcome::Skipped(reason),
        Verdict::Fail(reason) => return failed(reason),
    }
    println!("\n== {}", part.name);
    match make_privately(place, *make) {
        Ok(PartResult { count, notes }) => {
            let processors = used.and_then(|used| Some(processor_time()?.saturating_sub(used)));
            Outcome::Passed { steps: count, elapsed: start.elapsed(), processors, notes }
        }
        Err(what) => failed(what),
    }
}

/// Makes files, and looks into those that are new for the folders of this machine: not every machine that makes some
/// runs the part that looks at all of them together.
fn make_privately(
    place: &Place,
    make: fn(&Place) -> Result<PartResult, String>,
) -> Result<PartResult, String> {
    let before = place.uploaded()?;
    let made = make(place)?;
    let mut files = place.uploaded()?;
    files.retain(|file, time| before.get(file) != Some(time));
    privacy::check(place, &files.into_keys().collect::<Vec<_>>())?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{PartResult, Place, archive, make_privately, names, parse, privacy};

    #[test]
    fn every_part_that_makes_files_is_looked_at() {
        let scratch = std::env::temp_dir().join(format!("polhode-dist-{}", std::process::id()));
        let place = Place {
            dist: scratch.join("dist"),
            scratch: scratch.join("scratch"),
            target: scratch.clone(),
        };
        let nothing = |_: &Place| Ok(PartResult { count: 0, notes: Vec::new() });
        // That of another part is not its own, but what it made anew is.
        let Some(folder) = privacy::telling_folders().into_iter().next() else { return };
        archive::write(&place.dist.join("old"), &folder).unwrap();
        assert!(make_privately(&place, nothing).is_ok());
        let telling = |place: &Place| {
            let folder = privacy::telling_folders().concat();
            archive::write(&place.dist.join("new"), folder)?;
            Ok(PartResult { count: 1, notes: Vec::new() })
        };
        let found = make_privately(&place, telling);
        assert!(found.is_err_and(|e| e.starts_with("new: ") && e.contains(&folder)));
        fs::remove_dir_all(scratch).unwrap();
    }

    #[test]
    fn parts_are_known_by_one_name_each() {
        let mut names = names();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(parse(&["python".to_owned(), "c-library".to_owned()]).is_ok());
        assert!(parse(&["everything".to_owned()]).is_err_and(|e| e.contains("`everything`")));
    }
}
