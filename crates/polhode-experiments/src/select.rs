//! Which experiments there are, and how they are named.

use std::borrow::Cow;

use polhode::parameters::suggestion;

use crate::{Experiment, ExperimentError, celledoni_safstrom, frb_fortran, krysl, thread, vilmart};

/// A paper whose figures and claims are reproduced.
#[non_exhaustive]
pub struct Paper {
    /// Its name, after its authors or its software, e.g. "vilmart": what its figures begin with.
    pub id: &'static str,
    /// "000" to "004": its name in the field `paper` of claims.json, and accepted wherever its name is.
    pub number: &'static str,
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
        id: "celledoni-safstrom",
        number: "000",
        key: "CelledoniSafstrom",
        title: "Celledoni, Säfström: A symmetric splitting method for rigid body dynamics",
        experiments: celledoni_safstrom::EXPERIMENTS,
    },
    Paper {
        id: "frb-fortran",
        number: "001",
        key: "CelledoniZanna2008",
        title: "Celledoni, Zanna: FRB-FORTRAN routines for the exact computation of free rigid body \
                motions",
        experiments: frb_fortran::EXPERIMENTS,
    },
    Paper {
        id: "thread",
        number: "002",
        key: "Thread2021",
        title: "THREAD network: Geometric integration and Lie group methods, fourth assignment",
        experiments: thread::EXPERIMENTS,
    },
    Paper {
        id: "krysl",
        number: "003",
        key: "Krysl2006",
        title: "Krysl: Dynamically equivalent implicit algorithms for the integration of rigid body \
                rotations",
        experiments: krysl::EXPERIMENTS,
    },
    Paper {
        id: "vilmart",
        number: "004",
        key: "Vilmart2008",
        title: "Vilmart: Reducing round-off errors in rigid body dynamics",
        experiments: vilmart::EXPERIMENTS,
    },
];

/// All experiments, paper by paper.
pub fn experiments() -> impl Iterator<Item = &'static Experiment> {
    PAPERS.iter().flat_map(|paper| paper.experiments)
}

/// The paper of an experiment, from the experiment's id.
pub(crate) fn paper_of(figure: &str) -> Option<&'static Paper> {
    let (paper, _) = figure.rsplit_once('-')?;
    PAPERS.iter().find(|p| p.id == paper)
}

/// The experiments of a selection, in the order of the papers and each once: `all`, papers (`vilmart`)
/// and figures (`vilmart-1`). A paper's number stands for its name: `004` and `004-1` are the same two.
/// No name at all is `all`.
///
/// # Errors
/// [`ExperimentError::Unknown`] for a name that is none of these.
///
/// ```
/// let chosen = polhode_experiments::select(&["vilmart", "000-1"])?;
/// assert_eq!(chosen[0].id, "celledoni-safstrom-1");
/// # Ok::<(), polhode_experiments::ExperimentError>(())
/// ```
pub fn select(names: &[impl AsRef<str>]) -> Result<Vec<&'static Experiment>, ExperimentError> {
    let mut wanted: Vec<&str> = Vec::new();
    for given in names.iter().map(AsRef::as_ref) {
        let name = named(given);
        let found = experiments().filter(|e| {
            name == "all" || name == e.id || paper_of(e.id).is_some_and(|p| p.id == name)
        });
        let before = wanted.len();
        wanted.extend(found.map(|e| e.id));
        if wanted.len() == before {
            return Err(unknown(given, &name));
        }
    }
    Ok(experiments().filter(|e| names.is_empty() || wanted.contains(&e.id)).collect())
}

/// The name of a paper or figure that may have been given by number.
fn named(given: &str) -> Cow<'_, str> {
    let (number, figure) = given.split_at(given.find('-').unwrap_or(given.len()));
    match PAPERS.iter().find(|p| p.number == number) {
        Some(paper) => format!("{}{figure}", paper.id).into(),
        None => given.into(),
    }
}

fn unknown(given: &str, name: &str) -> ExperimentError {
    let known = if let Some(paper) = PAPERS.iter().find(|p| name.starts_with(p.id)) {
        let figures: Vec<&str> = paper.experiments.iter().map(|e| e.id).collect();
        format!("{} has {}", paper.id, figures.join(", "))
    } else {
        let papers: Vec<&str> = PAPERS.iter().map(|p| p.id).collect();
        let names: Vec<&str> = papers.iter().copied().chain(experiments().map(|e| e.id)).collect();
        let near = suggestion(&names, name);
        if let Some(near) = near.strip_prefix("; ").filter(|near| near.starts_with("did you mean"))
        {
            return ExperimentError::Unknown { given: given.into(), known: near.into() };
        }
        format!("it is all, a paper ({}) or one of its figures, e.g. vilmart-1", papers.join(", "))
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
            assert_eq!(PAPERS.iter().filter(|p| p.id == paper.id).count(), 1);
            for experiment in paper.experiments {
                assert_eq!(paper_of(experiment.id).map(|p| p.number), Some(paper.number));
                assert_eq!(experiments().filter(|e| e.id == experiment.id).count(), 1);
                assert!(experiment.seconds > 0.0);
            }
        }
        assert!(paper_of("vilmart").is_none() && paper_of("004-1").is_none());
    }

    #[test]
    fn selections() {
        let all = experiments().count();
        assert_eq!(select(&[] as &[&str]).unwrap().len(), all);
        assert_eq!(select(&["all", "vilmart-1"]).unwrap().len(), all);
        assert_eq!(select(&["thread"]).unwrap().len(), PAPERS[2].experiments.len());
        for (given, known) in [
            ("000-99", "celledoni-safstrom has celledoni-safstrom-text, celledoni-safstrom-1"),
            ("krysl-99", "krysl has krysl-text, krysl-1"),
            ("5", "(celledoni-safstrom, frb-fortran, thread, krysl, vilmart)"),
            ("krisl", "did you mean 'krysl'?"),
            ("vilmrt-1", "did you mean 'vilmart-1'?"),
            ("0041", "e.g. vilmart-1"),
            ("", "e.g. vilmart-1"),
        ] {
            let error = select(&[given]).err().unwrap().to_string();
            assert!(error.contains(&format!("'{given}'")) && error.contains(known), "{error}");
        }
    }

    #[test]
    fn a_number_stands_for_the_name() {
        let ids =
            |name: &str| -> Vec<&str> { select(&[name]).unwrap().iter().map(|e| e.id).collect() };
        for paper in PAPERS {
            assert_eq!(ids(paper.number), ids(paper.id));
            for experiment in paper.experiments {
                let (_, figure) = experiment.id.rsplit_once('-').unwrap();
                assert_eq!(ids(&format!("{}-{figure}", paper.number)), [experiment.id]);
            }
        }
    }
}
