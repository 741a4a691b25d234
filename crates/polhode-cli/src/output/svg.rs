//! `.svg`: a run as a picture, in panels.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use polhode::Problem;
use polhode::observe::Observable;
use polhode_plot::{Figure, Panel};
use polhode_scenario::Scenario;

use super::bodies::BodyRow;
use super::file::Writer;
use super::format::{ComparisonWriter, Format};
use super::html::film;
use super::panels::PanelKind;
use super::scene::Scene;
use super::spool::{Assembly, SpoolRows};
use super::thinning::Envelope;
use super::{Row, RowUnits, cloud, efficiency, refuse};
use crate::shown;
use crate::unit_names::UnitNames;

pub(super) const FORMAT: Format = Format {
    extension: "svg",
    about: "is a picture, in the panels that --plot says, and how it was made in its metadata",
    made_beside: false,
    run: |path, setting| {
        let chosen = setting.scenario.map_or(&[][..], |s| &s.output().plot);
        let panels = PanelKind::chosen(chosen, setting.problem, setting.columns)
            .map_err(|why| refuse(path, why))?;
        Ok(Writer::Spool(Box::new(Picture {
            panels,
            units: RowUnits::of(setting),
            title: setting.title.to_owned(),
            scenario: setting.scenario.cloned(),
            problem: setting.problem.clone(),
            columns: setting.columns.to_vec(),
            conserves_energy: setting.conserves_energy,
            meta: setting.meta.to_owned(),
        })))
    },
    bodies: Some(|path, setting| {
        let title = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (watched, meta) = (setting.watched.to_vec(), setting.meta.to_owned());
        Writer::Spool(Box::new(BodiesPicture { title, watched, meta }))
    }),
    comparison: Some(ComparisonWriter {
        shows: "the plots",
        contents: |view, meta| Ok(efficiency::draw(view, meta)?.into_bytes()),
    }),
};

/// Some hundred turns: more cannot be told apart in a panel, though what is watched may change more slowly than that.
const MOMENTS: usize = 24_000;

struct Picture {
    panels: Vec<PanelKind>,
    units: RowUnits,
    title: String,
    /// None: there are rows and nothing else.
    scenario: Option<Scenario>,
    problem: Problem,
    columns: Vec<(String, Observable)>,
    conserves_energy: bool,
    /// How it was made.
    meta: String,
}

impl Assembly<Row> for Picture {
    fn assemble(&self, rows: &mut SpoolRows<Row>, out: &mut BufWriter<File>) -> io::Result<()> {
        let mut energy = Envelope::new(rows.count());
        if self.panels.contains(&PanelKind::Energy) {
            for (n, row) in (0..).zip(rows.all()?) {
                let row = row?;
                let value = if self.conserves_energy { row.energy_error } else { row.energy };
                energy.take(n, row.t, value);
            }
        }
        let film = film(self.scenario.as_ref(), self.problem.inertia(), rows, MOMENTS)?;
        let scene = Scene {
            film: &film,
            problem: &self.problem,
            units: self.units,
            names: &self.scenario.as_ref().map(UnitNames::of).unwrap_or_default(),
            columns: &self.columns,
            energy: energy.points(),
            conserves_energy: self.conserves_energy,
        };
        let panels: Vec<Panel> = self.panels.iter().map(|&kind| scene.panel(kind)).collect();
        let titles: Vec<String> = panels.iter().map(title).collect();
        let about = self.scenario.as_ref().map(|s| format!("{}: ", shown::computed(s)));
        let described = format!("{}{}.", about.unwrap_or_default(), titles.join("; "));
        let figure = Figure::new(panels).title(&self.title).described(&self.title, described);
        let figure = figure.metadata(&self.meta);
        out.write_all(figure.to_svg().map_err(io::Error::other)?.as_bytes())
    }
}

fn title(panel: &Panel) -> String {
    match panel {
        Panel::Chart(chart) => chart.title.clone(),
        Panel::Sphere(sphere) => sphere.title.clone(),
        Panel::HeatMap(map) => map.title.clone(),
    }
}

struct BodiesPicture {
    title: String,
    /// The names of what is watched.
    watched: Vec<String>,
    /// How it was made.
    meta: String,
}

impl Assembly<BodyRow> for BodiesPicture {
    fn assemble(&self, rows: &mut SpoolRows<BodyRow>, out: &mut BufWriter<File>) -> io::Result<()> {
        let picture = cloud::draw(&self.title, &self.watched, &self.meta, rows)?;
        out.write_all(picture.as_bytes())
    }
}
