//! Which experiments there are, and how they are named.

use crate::{Experiment, ExperimentError, p000, p001, p002, p003, p004};

/// A paper.
pub struct Paper {
    /// "000" to "004".
    pub id: &'static str,
    /// Its key in `crates/polhode/references.bib`.
    pub key: &'static str,
    /// Who wrote it, and how it is called.
    pub title: &'static str,
    /// In the order of the paper.
    pub experiments: &'static [Experiment],
}

/// The five papers.
pub static PAPERS: &[Paper] = &[
    Paper {
        id: "000",
        key: "CelledoniSafstrom",
        title: "Celledoni, Säfström: A symmetric splitting method for rigid body dynamics",
        experiments: p000::EXPERIMENTS,
    },
    Paper {
        id: "001",
        key: "CelledoniZanna2008",
        title: "Celledoni, Zanna: FRB-FORTRAN routines for the exact computation of free rigid body \
                motions",
        experiments: p001::EXPERIMENTS,
    },
    Paper {
        id: "002",
        key: "Thread2021",
        title: "THREAD network: Geometric integration and Lie group methods, fourth assignment",
        experiments: p002::EXPERIMENTS,
    },
    Paper {
        id: "003",
        key: "Krysl2006",
        title: "Krysl: Dynamically equivalent implicit algorithms for the integration of rigid body \
                rotations",
        experiments: p003::EXPERIMENTS,
    },
    Paper {
        id: "004",
        key: "Vilmart2008",
        title: "Vilmart: Reducing round-off errors in rigid body dynamics",
        experiments: p004::EXPERIMENTS,
    },
];

/// All experiments, paper by paper.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    PAPERS.iter().flat_map(|paper| paper.experiments)
}

/// The experiments of a selection: `all`, papers (`000`) and figures (`000-1`), in the order of the
/// papers and each once. No name at all is `all`.
///
/// # Errors
/// [`ExperimentError::Unknown`] for a name that is none of these.
///
/// ```
/// let chosen = polhode_experiments::select(&["003", "000-1"])?;
/// assert_eq!(chosen[0].id, "000-1");
/// # Ok::<(), polhode_experiments::ExperimentError>(())
/// ```
pub fn select(names: &[impl AsRef<str>]) -> Result<Vec<&'static Experiment>, ExperimentError> {
    for name in names.iter().map(AsRef::as_ref) {
        let known = name == "all"
            || PAPERS.iter().any(|p| p.id == name)
            || experiments().any(|e| e.id == name);
        if !known {
            return Err(unknown(name));
        }
    }
    let wanted = |e: &Experiment| {
        names.is_empty()
            || names
                .iter()
                .map(AsRef::as_ref)
                .any(|name| name == "all" || name == e.id || e.id.split('-').next() == Some(name))
    };
    Ok(experiments().filter(|e| wanted(e)).collect())
}

fn unknown(given: &str) -> ExperimentError {
    let paper = PAPERS.iter().find(|p| given.starts_with(p.id));
    let known = match paper {
        Some(paper) => {
            let figures: Vec<&str> = paper.experiments.iter().map(|e| e.id).collect();
            format!("{} has {}", paper.id, figures.join(", "))
        }
        None => "it is all, a paper (000, 001, 002, 003, 004) or one of its figures, e.g. 000-1"
            .to_owned(),
    };
    ExperimentError::Unknown { given: given.into(), known }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_belong_to_their_paper() {
        for paper in PAPERS {
            assert!(!paper.experiments.is_empty());
            for experiment in paper.experiments {
                assert!(experiment.id.starts_with(paper.id), "{}", experiment.id);
                assert_eq!(experiments().filter(|e| e.id == experiment.id).count(), 1);
                assert!(experiment.seconds > 0.0);
            }
        }
    }

    #[test]
    fn selections() {
        let all = experiments().count();
        assert_eq!(select(&[] as &[&str]).unwrap().len(), all);
        assert_eq!(select(&["all", "000-1"]).unwrap().len(), all);
        assert_eq!(select(&["002"]).unwrap().len(), PAPERS[2].experiments.len());
        let error = select(&["000-99"]).err().unwrap().to_string();
        assert!(error.contains("'000-99'") && error.contains("000-1, 000-2"), "{error}");
        let error = select(&["5"]).err().unwrap().to_string();
        assert!(error.contains("e.g. 000-1"), "{error}");
    }
}
