//! Runs a selection and writes what it gives.

use std::path::Path;

use crate::{Claim, Context, Experiment, ExperimentError, Size, files, page, product};

/// What one experiment gave, as it was written.
#[derive(Debug)]
#[non_exhaustive]
pub struct ExperimentOutcome {
    /// The name of the experiment.
    pub id: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// What is drawn and what to look at, in a few sentences.
    pub caption: &'static str,
    /// The SVG, unless the paper's figure is a listing.
    pub svg: Option<String>,
    /// Names of the files written, SVG and CSV first.
    pub files: Vec<String>,
    /// What the paper says about it, each with whether it was found to hold.
    pub claims: Vec<Claim>,
    /// How long it took, in seconds of wall-clock time.
    pub seconds: f64,
}

/// Seconds a selection takes at full size on so many cores, roughly.
pub fn estimate(selection: &[&Experiment], cores: usize) -> f64 {
    let cores = cores.max(1) as f64;
    selection.iter().map(|e| e.seconds / if e.parallel { cores } else { 1.0 }).sum()
}

/// Runs the experiments one after the other and writes `ID.svg`, `ID.csv`, other files of theirs,
/// and at last `claims.json` and `index.html` with what this call gave.
///
/// # Errors
/// [`ExperimentError`] if an experiment cannot be run or a file not be written. What was finished
/// before stays.
pub fn reproduce(
    selection: &[&'static Experiment],
    context: &Context<'_>,
) -> Result<Vec<ExperimentOutcome>, ExperimentError> {
    polhode::start_shared_threads();
    // Before hours of computation, not after.
    files::make_folder(context.out)?;
    let mut outcomes = Vec::new();
    for experiment in selection {
        outcomes.push(run(experiment, context)?);
    }
    let claims: Vec<&Claim> = outcomes.iter().flat_map(|o| &o.claims).collect();
    let mut json = serde_json::to_string_pretty(&claims)?;
    json.push('\n');
    files::write(&context.out.join("claims.json"), &json)?;
    let page = page::page(&outcomes, context.size == Size::Quick);
    files::write(&context.out.join("index.html"), &page)?;
    Ok(outcomes)
}

fn run(
    experiment: &Experiment,
    context: &Context<'_>,
) -> Result<ExperimentOutcome, ExperimentError> {
    let clock = std::time::Instant::now();
    let made = (experiment.run)(context);
    context.progress.end();
    let made = made?;
    let mut files = Vec::new();
    let mut keep = |name: String, text: &str| -> Result<(), ExperimentError> {
        files::write(&Path::new(context.out).join(&name), text)?;
        files.push(name);
        Ok(())
    };
    let mut svg = None;
    if let Some(figure) = &made.figure {
        let figure = &figure.clone().described(experiment.title, experiment.caption);
        let text = figure.to_svg()?;
        keep(format!("{}.svg", experiment.id), &text)?;
        keep(format!("{}.csv", experiment.id), &product::csv(figure)?)?;
        svg = Some(text);
    }
    for (name, text) in &made.files {
        keep(name.clone(), text)?;
    }
    Ok(ExperimentOutcome {
        id: experiment.id,
        title: experiment.title,
        caption: experiment.caption,
        svg,
        files,
        claims: made.claims,
        seconds: clock.elapsed().as_secs_f64(),
    })
}
