//! A trajectory beside the motion it should be, both turning.

use std::path::Path;

use polhode::glam::{DMat3, DQuat, DVec3};
use polhode::{FreeMotion, Inertia, State, so3};
use polhode_verify::check::{Attitudes, CheckReport, Samples, VectorFrame};
use polhode_view::{Film, FilmMoment, Look, Page, PageRun, Solid, ViewError};

use super::{CheckReference, TrajectoryTable};
use crate::failure::Failure;
use crate::output::{Document, Provenance};
use crate::shown;

/// Writes the page.
///
/// # Errors
/// [`Failure::Input`] if the table does not tell the whole state; [`Failure::Running`] if the page cannot be written.
pub(super) fn write(
    document: Document,
    table: &TrajectoryTable,
    report: &CheckReport,
    against: &CheckReference,
) -> Result<(), Failure> {
    let broken = |e: ViewError| Failure::Running(format!("--out: {e}"));
    let (inertia, body, torqued) = match against {
        CheckReference::Free(inertia) => (*inertia, Solid::new(Look::Box, inertia), false),
        CheckReference::Problem(scenario) => {
            let torqued = !scenario.torque().is_none();
            (*scenario.inertia(), shown::scenario_body(scenario)?, torqued)
        }
    };
    let yours = moments(&table.samples, &inertia).ok_or_else(|| {
        let needs =
            "the page needs the attitude and the momentum, or the angular velocity, of every row";
        Failure::Input(format!("--out: {}: {needs}", table.name))
    })?;
    let span = (yours[0].t, yours[yours.len() - 1].t);
    let exact = match against {
        CheckReference::Free(_) => {
            let motion = FreeMotion::new(&inertia, yours[0].state);
            let motion = motion.map_err(|e| Failure::Running(e.to_string()))?;
            Film::along(&inertia, span, Film::MOST, |t| motion.at(t - span.0))
                .map_err(|e| Failure::Running(e.to_string()))?
        }
        CheckReference::Problem(scenario) => {
            Film::solved(&scenario.problem(), span.1, 1e-10, &[], Film::MOST)
        }
    };
    let film = Film::new(&inertia, yours).map_err(broken)?;
    let name = Path::new(&table.name).file_name().unwrap_or_default().to_string_lossy();
    let mut run = PageRun::new(&*name, film).body(body.clone()).torqued(torqued);
    for (name, title, errors) in [
        ("angle", "Error of the attitude (rad)", &report.attitude_errors),
        ("distance", "Error of the momentum, relative", &report.momentum_errors),
    ] {
        if let Some(errors) = errors {
            // The film goes with time, whichever way the rows go.
            let backwards = span.1 < span.0;
            let errors =
                if backwards { errors.iter().rev().copied().collect() } else { errors.clone() };
            run = run.watch_log(name, title, errors);
        }
    }
    let exact =
        PageRun::new("the motion it should be", exact.map_err(broken)?).body(body).torqued(torqued);
    let about = format!("Verdict: {}.", report.verdict.id());
    let made = match against {
        CheckReference::Problem(scenario) => Provenance::of(scenario),
        CheckReference::Free(inertia) => Provenance::free(inertia),
    };
    let page = Page::new(format!("{name} beside the motion it should be")).about(about);
    let page = page.metadata(made.document());
    document.write(page.run(run).run(exact).to_html().map_err(broken)?.as_bytes())
}

/// The states of all rows; none if a part of them is not told.
fn moments(samples: &Samples, inertia: &Inertia) -> Option<Vec<FilmMoment>> {
    let attitudes: Vec<DQuat> = match samples.attitude.as_ref()? {
        Attitudes::Quaternions(q) => q.iter().map(|&q| so3::from_wxyz(q).normalize()).collect(),
        Attitudes::Matrices(rows) => {
            let matrix = |rows: &[f64; 9]| DMat3::from_cols_array(rows).transpose();
            rows.iter().map(|rows| DQuat::from_mat3(&matrix(rows)).normalize()).collect()
        }
    };
    let momenta: Vec<DVec3> = match (&samples.momentum, &samples.omega) {
        (Some(momenta), _) => momenta.iter().map(|&m| m.into()).collect(),
        (None, omega) => omega.as_ref()?.iter().map(|&w| inertia.momentum(w)).collect(),
    };
    let in_space = samples.momentum.is_some() && samples.momentum_frame == VectorFrame::Space;
    let rows = samples.times.iter().zip(attitudes).zip(momenta);
    let moments = rows.map(|((&t, q), m)| {
        let m = if in_space { q.conjugate() * m } else { m };
        FilmMoment::new(t, State { m, q })
    });
    Some(moments.collect())
}
