//! `polhode check`: is this trajectory right?

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use polhode::{Control, Inertia};
use polhode_scenario::Scenario;
use polhode_verify::check::{
    self, CheckOptions, CheckReport, CheckVerdict, Convergence, Diagnosis, Mistake, OrderVerdict,
    VectorFrame,
};

use crate::body;
use crate::carried;
use crate::failure::{Failure, concluded};
use crate::numbers::OptionText;
use crate::output::Document;

mod column_args;
mod columns;
mod document;
mod fields;
mod page;
mod source;
mod table;
mod text;

pub(crate) use column_args::ColumnArgs;
pub(crate) use columns::{ColumnNames, names};
pub(crate) use source::extensions as readable;
use table::NO_FILE;
pub(crate) use table::TrajectoryTable;

/// Is this trajectory right? Measures a file against the exact motion, and names the mistake.
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "polhode check [OPTIONS] <--inertia <I1,I2,I3>|--scenario <FILE>> <FILE>...",
    group(ArgGroup::new("body").args(["inertia", "scenario"])),
)]
#[allow(clippy::struct_excessive_bools, reason = "flags")]
pub(crate) struct CheckCommand {
    #[arg(required = true, value_name = "FILE", help = format!(
        "CSV files with a header (commas, semicolons or tabs), or {} files of `polhode run`: one trajectory, or the \
         same one in different steps", readable()
    ))]
    files: Vec<PathBuf>,

    /// Principal moments of inertia of a free body, or all nine entries of the tensor, row by row
    #[arg(long, value_name = "I1,I2,I3", allow_hyphen_values = true)]
    inertia: Option<String>,

    /// Take body, torque and start from a scenario, a file or a name of `polhode scenarios`; the reference is then a
    /// converged solution
    #[arg(long, value_name = "FILE", conflicts_with = "allow_unphysical")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    named: ColumnArgs,

    /// Names of the columns of the angular momentum [default: m1,m2,m3 if they are there]
    #[arg(long, value_name = "X,Y,Z")]
    momentum: Option<String>,

    /// In which frame the momentum is given
    #[arg(long, value_name = "FRAME", value_enum, default_value_t = FrameOption::Body)]
    momentum_frame: FrameOption,

    /// In which frame the angular velocity is given: engines mostly keep it in space, the world
    #[arg(long, value_name = "FRAME", value_enum, default_value_t = FrameOption::Body)]
    omega_frame: FrameOption,

    /// The largest error of a right trajectory: momentum relative to its length, attitude in radians
    /// [default: 1e-6]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    tolerance: Option<String>,

    /// The order the method is said to have: is the error of two or more files that of this order?
    /// The tolerance then counts only if it is given
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    order: Option<String>,

    /// The steps the files were computed in [default: the time from row to row]
    #[arg(long, value_name = "H1,H2,..", allow_hyphen_values = true)]
    steps: Option<String>,

    /// Accept moments that no body can have (the largest exceeds the sum of the others)
    #[arg(long)]
    allow_unphysical: bool,

    /// Also write a page that shows the first file beside the motion it should be, both turning: an .html file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace that file if it is there already
    #[arg(long, requires = "out")]
    force: bool,

    /// Write one JSON document, with the error at every time
    #[arg(long)]
    json: bool,
}

/// [`VectorFrame`] as the command line has it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FrameOption {
    Body,
    Space,
}

impl From<FrameOption> for VectorFrame {
    fn from(given: FrameOption) -> Self {
        match given {
            FrameOption::Body => Self::Body,
            FrameOption::Space => Self::Space,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  A free body; the columns are t, m1..m3, q0..q3, as `polhode run --out` writes them:
    polhode check trajectory.csv --inertia 1,2,2.8
  Columns of other names, scalar last, momentum in space:
    polhode check mine.csv --inertia 1,2,2.8 --time time --momentum Lx,Ly,Lz \\
      --momentum-frame space --attitude qx,qy,qz,qw --scalar-last
  What an engine keeps: angular velocity in the world, quaternion x, y, z, w:
    polhode check handle.csv --inertia 1,2,2.6 --omega-frame space
  Yaw, pitch and roll in degrees, angular velocity too:
    polhode check mine.csv --inertia 1,2,2.8 --attitude yaw,pitch,roll --euler zyx --degrees
  Is the method of second order?
    polhode check coarse.csv fine.csv --inertia 1,2,2.8 --order 2
  See it beside the exact motion:
    polhode check trajectory.csv --inertia 1,2,2.8 --out beside.html
  A body under torque:
    polhode check trajectory.csv --scenario slow-lagrange-top

A free body is compared with the exact motion from the first row; with --scenario the start is that \
of the scenario. Rows may be any time apart. What the digits of the file cannot tell is added to the \
tolerance. q and -q are the same attitude.

Exit code: 0 if the trajectory is right, 1 if it is wrong, 2 if it cannot be checked.";

/// What there is to say.
struct CheckFindings {
    tables: Vec<TrajectoryTable>,
    /// With the step of each.
    steps: Vec<f64>,
    reports: Vec<CheckReport>,
    convergence: Option<Convergence>,
    right: bool,
    /// How the files were read.
    columns: ColumnNames,
}

enum CheckReference {
    Free(Inertia),
    Problem(Box<Scenario>),
}

impl CheckCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let against = self.against()?;
        let columns = self.columns()?;
        let [tolerance, order] = [("--tolerance", &self.tolerance), ("--order", &self.order)]
            .map(|(option, text)| text.as_deref().map(|text| positive(option, text)).transpose());
        let (tolerance, order) = (tolerance?, order?);
        if order.is_some() && self.files.len() < 2 {
            let why = "an order is seen in two files or more, computed in different steps";
            return Err(Failure::Input(format!("--order: only one file is given; {why}")));
        }
        let given_steps = self.given_steps()?;
        let page = self.page()?;

        let mut findings = CheckFindings {
            tables: Vec::new(),
            steps: Vec::new(),
            reports: Vec::new(),
            convergence: None,
            right: false,
            columns,
        };
        for (index, file) in self.files.iter().enumerate() {
            let table = TrajectoryTable::load(file, &findings.columns)?;
            let options = CheckOptions::default().rounding(table.rounding());
            let options = tolerance.map_or(options, |tolerance| options.tolerance(tolerance));
            let (samples, control) = (&table.samples, Control::default());
            let report = match &against {
                CheckReference::Free(inertia) => {
                    check::check_free(samples, inertia, &options, &control)
                }
                CheckReference::Problem(scenario) => {
                    check::check_problem(samples, &scenario.problem(), &options, &control)
                }
            };
            findings.reports.push(report.map_err(|e| table.refuse(&e))?);
            let step = given_steps.as_ref().map_or_else(|| table.spacing(), |steps| steps[index]);
            findings.steps.push(step);
            findings.tables.push(table);
        }
        if let Some(document) = page {
            page::write(document, &findings.tables[0], &findings.reports[0], &against)?;
        }
        findings.convergence = self.convergence(&findings, order)?;
        findings.right = findings.judge(order.is_some(), tolerance.is_some());
        if order.is_some() {
            // The order says what becomes of an error that no mistake explains, and of a method's own.
            let right = findings.right;
            for report in &mut findings.reports {
                report.diagnoses.retain(|d| {
                    !(right && d.may_be_the_method()) && d.mistakes != [Mistake::Unexplained]
                });
            }
        }
        let written = if self.json {
            document::write(out, &findings)
        } else {
            text::write(out, &findings).map_err(Failure::from)
        };
        concluded(written, (!findings.right).then_some(Failure::Verdict))
    }

    /// The page to be written, if one is wanted.
    fn page(&self) -> Result<Option<Document>, Failure> {
        let Some(path) = &self.out else { return Ok(None) };
        Document::page(path, self.force).map(Some)
    }

    /// What is missing, and how it is said.
    fn no_body(&self) -> Failure {
        let (path, file) = (&self.files[0], self.files[0].display());
        let is_carried = || carried::names().any(|name| Path::new(name) == path);
        let is_scenario = if path.exists() {
            path.extension().is_some_and(|e| e == "toml")
        } else {
            is_carried()
        };
        Failure::Input(if is_scenario {
            format!(
                "{file}: a scenario, not the rows of a motion; name the file of rows, and the scenario beside it: \
                 polhode check rows.csv --scenario {file}"
            )
        } else if !path.exists() {
            format!("{file}: {NO_FILE}")
        } else {
            format!(
                "{file}: of which body? Give the moments of inertia of a free one, as in polhode check {file} \
                 --inertia 1,2,2.8, or the scenario it was computed from, --scenario FILE"
            )
        })
    }

    fn against(&self) -> Result<CheckReference, Failure> {
        if let Some(path) = &self.scenario {
            let scenario = carried::scenario(path, &[] as &[&str])?;
            return Ok(CheckReference::Problem(Box::new(scenario)));
        }
        let Some(inertia) = &self.inertia else { return Err(self.no_body()) };
        let given = body::given_inertia(inertia);
        body::inertia(&given, self.allow_unphysical).map(CheckReference::Free)
    }

    fn columns(&self) -> Result<ColumnNames, Failure> {
        let names = |text: &String| {
            columns::names("--momentum", text, &[3], "three names of columns, x,y,z")
        };
        Ok(ColumnNames {
            momentum: self.momentum.as_ref().map(names).transpose()?,
            momentum_frame: self.momentum_frame.into(),
            omega_frame: self.omega_frame.into(),
            ..self.named.columns()?
        })
    }

    fn given_steps(&self) -> Result<Option<Vec<f64>>, Failure> {
        let Some(text) = &self.steps else { return Ok(None) };
        let given = OptionText::new("--steps", text, "one step for every file, not zero");
        let steps = given.list()?;
        if steps.len() != self.files.len() {
            let (steps, files) = (steps.len(), self.files.len());
            return Err(given.refuse(format_args!(
                "steps given: {steps}, files: {files}; needed: one for every file"
            )));
        }
        if let Some(step) = steps.iter().find(|h| **h == 0.0) {
            return Err(given.refuse(format_args!("{step:?} is no step")));
        }
        Ok(Some(steps))
    }

    fn convergence(
        &self,
        findings: &CheckFindings,
        order: Option<f64>,
    ) -> Result<Option<Convergence>, Failure> {
        if findings.reports.len() < 2 {
            return Ok(None);
        }
        let runs: Vec<(f64, &CheckReport)> =
            findings.steps.iter().copied().zip(&findings.reports).collect();
        match check::convergence(&runs, order) {
            Ok(found) => Ok(Some(found)),
            // Files that need not be of the same motion are checked one by one.
            Err(_) if order.is_none() && self.steps.is_none() => Ok(None),
            Err(e) => {
                let remedy = match self.steps {
                    None => "; rows may be farther apart than steps: --steps says what they are",
                    Some(_) => "",
                };
                Err(Failure::Input(format!("--order: {e}{remedy}")))
            }
        }
    }
}

impl CheckFindings {
    /// Whether the answer is yes.
    fn judge(&self, order: bool, tolerance: bool) -> bool {
        let within = |report: &CheckReport| report.verdict != CheckVerdict::Wrong;
        let Some(convergence) = self.convergence.as_ref().filter(|_| order) else {
            return self.reports.iter().all(within);
        };
        let converges = matches!(convergence.verdict, OrderVerdict::Holds | OrderVerdict::Rounding);
        let steps = self.steps.iter().map(|h| h.abs());
        let finest = steps.zip(&self.reports).min_by(|a, b| a.0.total_cmp(&b.0));
        // An error that shrinks as it should is that of the method; a mistake is not.
        let sound = |r: &CheckReport| {
            r.diagnoses.iter().all(Diagnosis::may_be_the_method) && (!tolerance || within(r))
        };
        converges && finest.is_some_and(|(_, report)| sound(report))
    }
}

fn positive(option: &'static str, text: &str) -> Result<f64, Failure> {
    let given = OptionText::new(option, text, "one positive number");
    let x = given.number()?;
    if x > 0.0 { Ok(x) } else { Err(given.refuse("must be positive")) }
}
