//! `polhode view`: scenarios side by side, as one page in which the bodies turn.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use polhode_scenario::{Computation, Scenario};
use polhode_view::{Film, Page};

use crate::carried;
use crate::failure::Failure;
use crate::output::{Document, Provenance};
use crate::shown;

/// Shows scenarios side by side: one web page, one file, in which their bodies turn.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ViewCommand {
    /// The scenarios, TOML files or names of `polhode scenarios`
    #[arg(required = true, value_name = "SCENARIO")]
    scenarios: Vec<PathBuf>,

    /// Change any key of all the scenarios: start.omega=[1,2,3], method.id=rk4
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The page to write, an .html file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Replace the file if it is there already
    #[arg(long)]
    force: bool,
}

/// The browser draws each run for itself, and has memory for so many.
const MOST: usize = 8;

const EXAMPLES: &str = "\
Examples:
  Three throws of a book:
    polhode view book-axis-1 book-axis-2 book-axis-3 --out books.html
  A satellite with its plots:
    polhode view pointing-windows --out pointing.html

The page needs no network and no server. It shows each body with its momentum and angular velocity, polhode, \
herpolhode and cones, the paths of its axes, and plots of what the scenario watches; where a browser cannot draw in \
three dimensions there is a still picture. What a body looks like stands in the scenario, [output] shape. \
`polhode run SCENARIO --out motion.html` makes the same page of a single run, `polhode free` and `polhode check` have \
--out, too.";

impl ViewCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let document = Document::page(&self.out, self.force)?;
        if self.scenarios.len() > MOST {
            let given = self.scenarios.len();
            return Err(Failure::Input(format!(
                "{given} scenarios given; a page shows {MOST} at most"
            )));
        }
        let load = |path: &PathBuf| carried::scenario(path, &self.set);
        let scenarios = self.scenarios.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let mut page = Page::new(scenarios.iter().map(title).collect::<Vec<_>>().join(" · "));
        let made: Vec<_> =
            scenarios.iter().map(|scenario| Provenance::of(scenario).document()).collect();
        page = match &made[..] {
            [alone] => page.metadata(alone),
            several => page.metadata(format!("[{}]", several.join(","))),
        };
        if let [scenario] = &scenarios[..] {
            page = page.story(shown::explained(scenario)).about(format!(
                "{} Computed by {}",
                shown::described(scenario),
                shown::computed(scenario)
            ));
        }
        for scenario in &scenarios {
            let body = shown::scenario_body(scenario)?;
            let film = shown::film(scenario, end(scenario), Film::MOST)
                .map_err(|e| Failure::Running(format!("{}: {e}", scenario.name())))?;
            let run = shown::run(scenario, &title(scenario), film, body);
            let alone = scenarios.len() == 1;
            page = page.run(if alone { run } else { run.note(shown::described(scenario)) });
        }
        let html = page.to_html().map_err(|e| Failure::Running(e.to_string()))?;
        document.write(html.as_bytes())?;
        writeln!(out, "wrote {}", self.out.display())?;
        Ok(())
    }
}

/// The name of a scenario without its folder.
fn title(scenario: &Scenario) -> String {
    Path::new(scenario.name()).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Where a run of it ends.
fn end(scenario: &Scenario) -> f64 {
    match scenario.computation() {
        Computation::Steps(steps) => steps.plan.time(0.0, steps.plan.steps),
        _ => scenario.until(),
    }
}
