//! `polhode scenario-reference`: every section and key of a scenario.

use std::io::Write;

use clap::Args;
use polhode_scenario::reference;

use crate::failure::Failure;

/// Prints every section and key of scenario files: type, default, unit, example.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ScenarioReference {
    /// Only the section of this name, such as start or output.aem
    #[arg(value_name = "SECTION")]
    section: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  polhode scenario-reference
  polhode scenario-reference start

The text is Markdown, the same as docs/scenario.md.";

impl ScenarioReference {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let text = reference::reference();
        let Some(wanted) = &self.section else {
            out.write_all(text.as_bytes())?;
            return Ok(());
        };
        let wanted = wanted.trim_matches(['[', ']']);
        let mut found = false;
        for part in text.split("\n## ").skip(1) {
            let (heading, body) = part.split_once('\n').unwrap_or((part, ""));
            if heading == format!("`[{wanted}]`") {
                found = true;
                write!(out, "[{wanted}]\n{}\n", body.trim_end())?;
            }
        }
        if found {
            return Ok(());
        }
        let names: Vec<&str> = reference::SCENARIO
            .iter()
            .chain(reference::ENSEMBLE.iter().take(1))
            .map(|section| section.name)
            .collect();
        let near = polhode::parameters::suggestion(&names, wanted);
        Err(Failure::Input(format!("SECTION: no section '{wanted}'{near}")))
    }
}
