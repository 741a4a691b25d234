//! `.html`: a run as a page in which the body turns.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use polhode_scenario::Scenario;
use polhode_view::{Film, FilmMoment, Look, Page, PageRun, Solid, ViewError};

use super::Row;
use super::file::Writer;
use super::format::Format;
use super::spool::{Assembly, SpoolRows};
use crate::shown;

pub(super) const FORMAT: Format = Format {
    extension: "html",
    about: "is a page in which the body turns, for any browser, in one file",
    made_beside: false,
    run: |_, setting| {
        let body = match setting.scenario {
            Some(scenario) => shown::scenario_body(scenario)?,
            None => Solid::new(Look::Box, setting.problem.inertia()),
        };
        let (scenario, title) = (setting.scenario.cloned(), setting.title.to_owned());
        let inertia = *setting.problem.inertia();
        let meta = setting.meta.to_owned();
        Ok(Writer::Spool(Box::new(MovingPicture { scenario, title, body, inertia, meta })))
    },
    bodies: None,
    comparison: None,
};

struct MovingPicture {
    /// None: there are rows and nothing else.
    scenario: Option<Scenario>,
    title: String,
    body: Solid,
    inertia: polhode::Inertia,
    /// How it was made.
    meta: String,
}

/// The film of a run, in so many moments at most: as it was computed, or of its rows where nothing else is known.
pub(super) fn film(
    scenario: Option<&Scenario>,
    inertia: &polhode::Inertia,
    rows: &mut SpoolRows<Row>,
    most: usize,
) -> io::Result<Film> {
    let film = if let Some(scenario) = scenario {
        // The last row is where the run ended, which may be sooner than the scenario says.
        let end = rows.last()?.map_or(scenario.until(), |row| row.t);
        shown::film(scenario, end, most)
    } else {
        let moments = rows.all()?.map(|row| row.map(|row| FilmMoment::new(row.t, row.state)));
        Film::new(inertia, moments.collect::<io::Result<Vec<_>>>()?)
    };
    film.map_err(broken)
}

fn broken(e: ViewError) -> io::Error {
    io::Error::other(e)
}

impl Assembly<Row> for MovingPicture {
    fn assemble(&self, rows: &mut SpoolRows<Row>, out: &mut BufWriter<File>) -> io::Result<()> {
        let film = film(self.scenario.as_ref(), &self.inertia, rows, Film::MOST)?;
        let page = Page::new(&self.title).metadata(&self.meta);
        let page = match &self.scenario {
            Some(scenario) => {
                let about = [shown::described(scenario), shown::computed(scenario)];
                let about: Vec<_> = about.into_iter().filter(|text| !text.is_empty()).collect();
                let run = shown::run(scenario, &self.title, film, self.body.clone());
                let page = page.story(shown::explained(scenario));
                page.about(about.join(" Computed by ")).run(run)
            }
            None => page.run(PageRun::new(&self.title, film).body(self.body.clone())),
        };
        out.write_all(page.to_html().map_err(broken)?.as_bytes())
    }
}
