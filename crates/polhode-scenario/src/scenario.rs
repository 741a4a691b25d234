//! A scenario for one body.

use std::path::Path;

use polhode::cite::Citation;
use polhode::shape::MassProperties;
use polhode::torque::Torque;
use polhode::{Inertia, Problem, State};

use super::source::{Inline, ScenarioText, file_methods};
use super::{Computation, Output, ScenarioError, SolutionPlan, Steps, WatchList};
use super::{given, output, own, read, rows, said, tables};

/// A scenario, read and checked: its problem can be built, and its method accepts it.
///
/// ```
/// use polhode::run;
/// use polhode_scenario::Scenario;
/// let text = "
/// body.inertia = [1, 5, 6]
/// start.omega = [10, 10, 10]
/// torque.kind = 'heavy-top'
/// method = { id = 'rkn6-14+exact', step = 0.01 }
/// run.until = 1
/// ";
/// let scenario = Scenario::parse(text, "top.toml")?;
/// let problem = scenario.problem();
/// let steps = scenario.steps().expect("a method and a step");
/// let mut stepper = steps.method.stepper(&problem)?;
/// let summary = run(&problem, &mut *stepper, &steps.plan, &mut [])?;
/// assert_eq!(summary.step, 100);
///
/// // Without the method it is solved to a tolerance.
/// let text_without = text.replace("method =", "# method =");
/// let scenario = Scenario::parse(&text_without, "top.toml")?;
/// assert_eq!(scenario.solving().expect("a tolerance").tolerance, 1e-10);
///
/// let error = Scenario::parse(&text.replace("rkn6-14", "rkn6-14b"), "top.toml").unwrap_err();
/// assert_eq!(error.line(), Some(5));
/// assert_eq!(
///     error.to_string(),
///     "top.toml:5: [method] id = 'rkn6-14b+exact': no scheme 'rkn6-14b'; did you mean 'rkn6-14'?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) overrides: Vec<String>,
    pub(crate) mass_properties: Option<MassProperties>,
    pub(crate) start: State,
    pub(crate) problem: Problem,
    pub(crate) computation: Computation,
    pub(crate) until: f64,
    pub(crate) output: Output,
    pub(crate) watching: WatchList,
}

impl Scenario {
    const INLINE: &[Inline] = &[own::inline, rows::inline, tables::inline, given::inline];

    file_methods!("a scenario");

    fn read(source: &ScenarioText) -> Result<Self, ScenarioError> {
        read::scenario(source).map_err(|trouble| source.locate(*trouble))
    }

    /// The scenario of a text; the name is for messages.
    ///
    /// # Errors
    /// [`ScenarioError`] if what it says cannot be run.
    pub fn parse(text: &str, name: &str) -> Result<Self, ScenarioError> {
        Self::parse_with(text, name, &[] as &[&str])
    }

    /// The scenario of a text, changed by overrides `key=value`.
    ///
    /// # Errors
    /// [`ScenarioError`] if an override cannot be used, or what comes out cannot be run.
    ///
    /// ```
    /// use polhode_scenario::Scenario;
    /// let text = "
    /// body.inertia = [1, 2, 2.5]
    /// start.momentum = [0.01, 2, 0]
    /// method = { id = 'exact', step = 0.1 }
    /// run.until = 10
    /// ";
    /// let changes = ["body.inertia=[[2, 1, 0], [1, 2, 0], [0, 0, 3]]", "method.id=strang+exact"];
    /// let scenario = Scenario::parse_with(text, "free.toml", &changes)?;
    /// assert_eq!(scenario.method_id(), "strang+exact");
    ///
    /// let error = Scenario::parse_with(text, "free.toml", &["method.step=0"]).unwrap_err();
    /// assert_eq!(error.to_string(), "free.toml with method.step=0: must be finite and not zero");
    /// # Ok::<(), polhode_scenario::ScenarioError>(())
    /// ```
    pub fn parse_with(
        text: &str,
        name: &str,
        overrides: &[impl AsRef<str>],
    ) -> Result<Self, ScenarioError> {
        let overrides = overrides.iter().map(|o| o.as_ref().to_owned()).collect();
        Self::read(&ScenarioText { name: name.to_owned(), text: text.to_owned(), overrides })
    }

    /// Checks that the files of `[output]` have extensions that the caller can write, given without the
    /// dot: reading a scenario accepts any.
    ///
    /// # Errors
    /// [`ScenarioError`], with the place in the text, for a file with another extension.
    ///
    /// ```
    /// # use polhode_scenario::Scenario;
    /// let text = "
    /// body.inertia = [1, 2, 2.5]
    /// start.momentum = [0.01, 2, 0]
    /// method = { id = 'exact', step = 0.1 }
    /// run.until = 10
    /// output.files = ['a.csv', 'b.xls']
    /// ";
    /// let scenario = Scenario::parse(text, "free.toml")?;
    /// assert!(scenario.check_formats(&["csv", "xls"]).is_ok());
    /// let error = scenario.check_formats(&["csv", "npz"]).unwrap_err();
    /// assert_eq!((error.line(), error.field()), (Some(6), "[output] files"));
    /// assert!(error.to_string().ends_with("one of .csv, .npz"));
    /// # Ok::<(), polhode_scenario::ScenarioError>(())
    /// ```
    pub fn check_formats(&self, extensions: &[&str]) -> Result<(), ScenarioError> {
        let source = self.source();
        let checked = source.tree().and_then(|tree| output::check_formats(&tree, extensions));
        checked.map_err(|trouble| source.locate(*trouble))
    }

    fn source(&self) -> ScenarioText {
        ScenarioText {
            name: self.name.clone(),
            text: self.text.clone(),
            overrides: self.overrides.clone(),
        }
    }

    /// What it says of what moves inside the body and controls it, to tell how results were made: `wheels`,
    /// `dissipation`, `damper`, `controllers` and `varying_inertia`, those that there are, each as a JSON text.
    pub fn inside_as_json(&self) -> Vec<(&'static str, String)> {
        said::inside(&self.source())
    }

    /// The name it was read under: the path of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text it was read from, with the stages of a coefficients file in the place of its name:
    /// together with the overrides, the whole scenario.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What changed it, as given; then the times and tables of files that it names, and what a mesh has become.
    pub fn overrides(&self) -> &[String] {
        &self.overrides
    }

    /// The inertia of the body.
    pub fn inertia(&self) -> &Inertia {
        self.problem.inertia()
    }

    /// Mass, centre of mass and tensor, where the inertia is given as a shape.
    pub fn mass_properties(&self) -> Option<&MassProperties> {
        self.mass_properties.as_ref()
    }

    /// The state at t = 0.
    pub fn start(&self) -> &State {
        &self.start
    }

    /// What acts on the body; nothing on a free one.
    pub fn torque(&self) -> &Torque {
        self.problem.torques()
    }

    /// What is to be integrated, from t = 0.
    pub fn problem(&self) -> Problem {
        self.problem.clone()
    }

    /// How the motion is computed: in steps of one length, or to a tolerance.
    pub fn computation(&self) -> &Computation {
        &self.computation
    }

    /// The steps, if it is computed in steps of one length.
    pub fn steps(&self) -> Option<&Steps> {
        match &self.computation {
            Computation::Steps(steps) => Some(steps),
            Computation::Solution(_) => None,
        }
    }

    /// The solution that is wanted, if it is computed to a tolerance.
    pub fn solving(&self) -> Option<&SolutionPlan> {
        match &self.computation {
            Computation::Steps(_) => None,
            Computation::Solution(solving) => Some(solving),
        }
    }

    /// The method with all parameters given, as a text
    /// [`Method::parse`](polhode::method::Method::parse) reads; of a method of the user's own, its name;
    /// of a solution to a tolerance, the way it is solved.
    pub fn method_id(&self) -> &str {
        match &self.computation {
            Computation::Steps(steps) => &steps.method_id,
            Computation::Solution(solving) => solving.method.id(),
        }
    }

    /// The publications to cite for the method.
    pub fn cites(&self) -> Vec<Citation> {
        match &self.computation {
            Computation::Steps(steps) => steps.method.cites(),
            Computation::Solution(solving) => solving.method.cites(),
        }
    }

    /// The end as given. Of steps of one length the last may go beyond it.
    pub fn until(&self) -> f64 {
        self.until
    }

    /// What is watched: columns, conditions, and when to stop.
    pub fn watching(&self) -> &WatchList {
        &self.watching
    }

    /// What is to be written.
    pub fn output(&self) -> &Output {
        &self.output
    }
}
