//! `polhode fit`: what is this body, and how does it tumble?

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use polhode::{Control, Torque, so3};
use polhode_fit::{Data, DirectionMeasurements, Drive, FitError, FitOptions, FitParameter, Loss};
use polhode_scenario::read_torque;

use crate::check::{ColumnArgs, ColumnNames, TrajectoryTable, names, readable};
use crate::failure::{Failure, concluded};
use crate::numbers::OptionText;

mod document;
mod pictures;
mod text;

/// What is this body, and how does it tumble? Inertia and motion from measurements, without a guess.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FitCommand {
    #[arg(help = format!(
        "A CSV file with a header (commas, semicolons or tabs), or an {} file of `polhode run`", readable()
    ))]
    file: PathBuf,

    #[command(flatten)]
    named: ColumnArgs,

    /// A vector known in space, and the three columns with its direction in the body: 0,0,1=bx,by,bz. Several times
    /// for several vectors
    #[arg(long, value_name = "X,Y,Z=NAMES", allow_hyphen_values = true)]
    direction: Vec<String>,

    /// Use the angular velocity only, or the attitude only, where the file has both
    #[arg(long, value_name = "WHICH")]
    only: Option<MeasurementChoice>,

    /// Standard deviation of the angular velocity: one number, or one for each axis [default: from the residuals]
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    noise: Option<String>,

    /// Standard deviation of the attitude, radians [default: from the residuals]
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    attitude_noise: Option<String>,

    /// Standard deviation of each component of a direction [default: from the residuals]
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    direction_noise: Option<String>,

    /// How much outliers count
    #[arg(long, value_name = "LOSS", value_enum, default_value_t = LossOption::Squares)]
    loss: LossOption,

    /// From how many standard deviations on a residual counts as an outlier [default: 3]
    #[arg(long, value_name = "C", allow_hyphen_values = true)]
    loss_scale: Option<String>,

    /// Bias of the gyro: `free`, or the standard deviation with which it is known to be zero
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    bias: Option<String>,

    /// Error of the scale of the gyro, relative: `free`, or a standard deviation
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    scale: Option<String>,

    /// Turn of the gyro in the body, radians: `free`, or a standard deviation; needs attitudes
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    misalignment: Option<String>,

    /// How much later the gyro measured than its times say: `free`, or a standard deviation; needs attitudes
    #[arg(long, value_name = "SIGMA", allow_hyphen_values = true)]
    time_offset: Option<String>,

    /// What acts on the body, as in a scenario: kind="damping", coefficient=0.1. Several times for several torques. Its
    /// times and units are those of the file; a known torque tells the scale of the inertia
    #[arg(long, value_name = "KEY=VALUE,..")]
    torque: Vec<String>,

    /// A number of the torque that is to be found: damping.coefficient, constant.torque.x, the constant k of a formula
    /// as formula.k. NAME=SIGMA if it is known to that standard deviation. The fit begins with the value of --torque
    #[arg(long, value_name = "NAME", requires = "torque")]
    unknown: Vec<String>,

    /// The largest moment of inertia, if it is known: for torques that tell ratios only
    #[arg(long, value_name = "I3", allow_hyphen_values = true, requires = "torque")]
    largest_moment: Option<String>,

    /// Leave out rows in which a number is missing (empty or NaN) instead of refusing the file
    #[arg(long)]
    skip_missing: bool,

    /// Also tell the motion, with its uncertainty, at these times
    #[arg(long, value_name = "T1,T2,..", allow_hyphen_values = true)]
    predict: Option<String>,

    /// Draw data, fit, residuals and likelihood as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the report with these pictures as one HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write one JSON document
    #[arg(long)]
    json: bool,
}

/// Which measurements are used.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MeasurementChoice {
    Gyro,
    Attitude,
}

/// [`Loss`] as the command line has it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LossOption {
    Squares,
    Huber,
    #[value(name = "soft-l1")]
    SoftL1,
    Cauchy,
}

const EXAMPLES: &str = "\
Examples:
  A gyro log with columns t, wx, wy, wz in radians:
    polhode fit gyro.csv
  A phone that was tossed: degrees, a bias of about 0.02, dropped samples, a picture:
    polhode fit toss.csv --omega gx,gy,gz --degrees --bias 0.02 --skip-missing --html toss.html
  A star tracker, scalar last, and where the body will be:
    polhode fit stars.csv --attitude qx,qy,qz,qw --scalar-last --predict 3600,7200
  Sun and magnetic field as the body sees them, some readings far off:
    polhode fit sensors.csv --direction 1,0,0=sx,sy,sz --direction 0,0.6,-0.8=bx,by,bz --loss huber
  A thruster of known torque and a drag that is to be found:
    polhode fit gyro.csv --torque 'kind=\"constant\", torque=[0.1,0,0]' \\
      --torque 'kind=\"damping\", coefficient=0.01' --unknown damping.coefficient

Free motion shows ratios of moments only, never their scale. What the data cannot tell has an infinite deviation and \
is named. The directions of the columns must be right-handed: a gyro alone cannot tell, but the report says \
what the body would be if they were not.

Exit code: 0 if the fit is good, 1 if there are reasons to doubt it (they are told), 2 if the data cannot be used.";

/// What there is to say.
struct FitFindings {
    table: TrajectoryTable,
    fit: polhode_fit::Fit,
    /// What was measured, as it was used.
    data: Data,
    times: Vec<f64>,
    predictions: Vec<polhode_fit::Prediction>,
}

impl FitCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let options = self.options()?;
        let times = match &self.predict {
            Some(text) => {
                OptionText::new("--predict", text, "times, separated by commas").list()?
            }
            None => Vec::new(),
        };
        let (known, columns) = self.columns()?;
        let table =
            TrajectoryTable::load(&self.file, &columns).map_err(|e| self.missing(e, &columns))?;
        let data = self.data(&table, &known)?;
        let fit = polhode_fit::fit(&data, &options).map_err(|e| refuse(&table, &e))?;
        let predictions =
            fit.predict(&times).map_err(|e| Failure::Input(format!("--predict: {e}")))?;
        let findings = FitFindings { table, fit, data, times, predictions };
        if let Some(path) = &self.svg {
            write_file(path, &pictures::svg(&findings)?)?;
        }
        if let Some(path) = &self.html {
            write_file(path, &pictures::html(&findings)?)?;
        }
        let written = if self.json {
            document::write(out, &findings)
        } else {
            text::write(out, &findings).map_err(Failure::from)
        };
        let doubtful = !findings.fit.doubts.is_empty();
        concluded(written, doubtful.then_some(Failure::Verdict))
    }

    /// Why a file cannot be read, with what helps if the numbers that are missing are all that is wrong with it.
    fn missing(&self, why: Failure, columns: &ColumnNames) -> Failure {
        let skipping = ColumnNames { skip_missing: true, ..columns.clone() };
        match why {
            Failure::Input(why)
                if TrajectoryTable::load(&self.file, &skipping).is_ok_and(|t| t.skipped > 0) =>
            {
                Failure::Input(format!("{why}; --skip-missing leaves such rows out"))
            }
            why => why,
        }
    }

    /// The vectors known in space, and the columns to read.
    fn columns(&self) -> Result<(Vec<[f64; 3]>, ColumnNames), Failure> {
        let mut known = Vec::new();
        let mut directions = Vec::new();
        for text in &self.direction {
            let takes = "a vector in space and three names of columns, 0,0,1=bx,by,bz";
            let Some((vector, columns)) = text.split_once('=') else {
                return Err(OptionText::new("--direction", text, takes).refuse("no = in it"));
            };
            known.push(OptionText::new("--direction", vector, takes).array()?);
            directions.push(names("--direction", columns, &[3], takes)?);
        }
        let columns =
            ColumnNames { directions, skip_missing: self.skip_missing, ..self.named.columns()? };
        Ok((known, columns))
    }

    fn data(&self, table: &TrajectoryTable, known: &[[f64; 3]]) -> Result<Data, Failure> {
        let samples = &table.samples;
        let times = &samples.times;
        let mut data = Data::default();
        if self.only != Some(MeasurementChoice::Attitude) {
            data.gyro = samples.omega.as_ref().map(|omega| (times.clone(), omega.clone()));
        }
        if self.only != Some(MeasurementChoice::Gyro) {
            let rotations = samples.rotations(&Control::default()).map_err(|e| table.refuse(&e))?;
            data.attitude =
                rotations.map(|all| (times.clone(), all.into_iter().map(so3::to_wxyz).collect()));
            let seen = known.iter().zip(&table.directions);
            data.directions = seen
                .map(|(known, seen)| {
                    DirectionMeasurements::new(*known, times.clone(), seen.clone())
                })
                .collect();
        }
        if data == Data::default() {
            return Err(Failure::Input(format!(
                "{}: neither angular velocity nor attitude is given: no columns w1, w2, w3 (or wx, wy, wz), q0 to q3 \
                 among {}; --omega, --attitude or --direction says which to take",
                table.name,
                table.header()
            )));
        }
        Ok(data)
    }

    fn options(&self) -> Result<FitOptions, Failure> {
        let number = |name, text: &Option<String>| -> Result<Option<f64>, Failure> {
            let given =
                text.as_deref().map(|text| OptionText::new(name, text, "one positive number"));
            let given = given.map(|given| {
                let x = given.number()?;
                if x > 0.0 { Ok(x) } else { Err(given.refuse("must be positive")) }
            });
            given.transpose()
        };
        let parameter = |name, text: &Option<String>| -> Result<FitParameter, Failure> {
            match text.as_deref() {
                None => Ok(FitParameter::default()),
                Some("free") => Ok(FitParameter::free(0.0)),
                Some(_) => Ok(FitParameter::known(0.0, number(name, text)?.unwrap_or(1.0))),
            }
        };
        let noise = self.noise.as_deref().map(|text| {
            let given = OptionText::new("--noise", text, "one positive number, or three");
            let list = given.list()?;
            let all = match list[..] {
                [x] => [x; 3],
                [x, y, z] => [x, y, z],
                _ => return Err(given.refuse(format_args!("{} numbers given", list.len()))),
            };
            if all.iter().all(|x| *x > 0.0) {
                Ok(all)
            } else {
                Err(given.refuse("must be positive"))
            }
        });
        let scale = number("--loss-scale", &self.loss_scale)?.unwrap_or(3.0);
        let mut options = FitOptions::default().with(|options| {
            options.loss = match self.loss {
                LossOption::Squares => Loss::Squares,
                LossOption::Huber => Loss::Huber(scale),
                LossOption::SoftL1 => Loss::SoftL1(scale),
                LossOption::Cauchy => Loss::Cauchy(scale),
            };
            options.skip_missing = self.skip_missing;
        });
        options.gyro_noise = noise.transpose()?;
        options.attitude_noise = number("--attitude-noise", &self.attitude_noise)?;
        options.direction_noise = number("--direction-noise", &self.direction_noise)?;
        options.sensor.bias = [parameter("--bias", &self.bias)?; 3];
        options.sensor.scale = [parameter("--scale", &self.scale)?; 3];
        options.sensor.misalignment = [parameter("--misalignment", &self.misalignment)?; 3];
        options.sensor.time_offset = parameter("--time-offset", &self.time_offset)?;
        options.torque = self.drive()?;
        options.largest_moment = number("--largest-moment", &self.largest_moment)?;
        Ok(options)
    }

    /// What acts on the body, and which of its numbers are unknown.
    fn drive(&self) -> Result<Option<Drive>, Failure> {
        if self.torque.is_empty() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for text in &self.torque {
            let given = OptionText::new("--torque", text, "a kind and its keys");
            parts.push(read_torque(text).map_err(|e| given.refuse(e))?);
        }
        let mut unknown = Vec::new();
        for text in &self.unknown {
            let parameter = match text.split_once('=') {
                None => (text.clone(), FitParameter::free(0.0)),
                Some((name, sigma)) => {
                    let given = OptionText::new("--unknown", sigma, "a standard deviation");
                    let sigma = given.number()?;
                    if sigma <= 0.0 {
                        return Err(given.refuse("must be positive"));
                    }
                    (name.to_owned(), FitParameter::known(0.0, sigma))
                }
            };
            unknown.push(parameter);
        }
        let drive = Drive::of_keys(Torque::none(), parts, &unknown);
        drive.map(Some).map_err(|e| Failure::Input(format!("--unknown: {e}")))
    }
}

fn write_file(path: &PathBuf, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|e| Failure::file(path, "cannot be written", &e))
}

/// Says where in the file it is.
fn refuse(table: &TrajectoryTable, error: &FitError) -> Failure {
    let why = error.to_string();
    let index = match error {
        FitError::NotFinite { index, .. }
        | FitError::Times { index, .. }
        | FitError::NoDirection { index, .. } => table.line(*index),
        FitError::Option { .. }
        | FitError::NeedsAttitude { .. }
        | FitError::TorqueNeedsAttitude => {
            return Failure::Input(format!("--{}", why.replace('_', "-")));
        }
        FitError::NoDerivative { .. } | FitError::TooManyUnknown { .. } => {
            return Failure::Input(format!("--unknown: {why}"));
        }
        FitError::Torque(_) | FitError::Solve(_) => {
            return Failure::Input(format!("--torque: {why}"));
        }
        _ => None,
    };
    Failure::Input(match index {
        Some(line) => {
            let why = why.split_once(": ").map_or(&*why, |(_, why)| why);
            format!("{}:{line}: {why}", table.name)
        }
        None => format!("{}: {why}", table.name),
    })
}
