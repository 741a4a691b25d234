//! `polhode free`: the motion without torque, exactly, at any times.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use polhode::periods::{Mode, PeriodsError, from_periods};
use polhode::{FreeMotion, FreeMotionError, State, StateError};
use polhode_view::{Film, Page, PageRun, ViewError};

use crate::attitude::AttitudeOptions;
use crate::body;
use crate::failure::Failure;
use crate::numbers::{OptionText, shortest};
use crate::output::{Document, Provenance};
use crate::shown;
use crate::times::Times;

mod rows;
mod summary;

pub(crate) use summary::MotionSummary;

use rows::{MotionRow, TangentRow, gradients, write_json, write_table};

/// Where a body that turns freely points at any time: exact, however far away that time is.
#[derive(Args)]
#[command(
    after_help = EXAMPLES,
    group(ArgGroup::new("rotation").required(true).args(["momentum", "omega", "periods"])),
    group(ArgGroup::new("times").required(true).multiple(true).args(["at", "until", "periods"])),
)]
#[allow(clippy::struct_excessive_bools, reason = "flags")]
// Every number option takes a leading minus sign, which otherwise begins an option.
pub(crate) struct FreeCommand {
    /// Principal moments of inertia, or all nine entries of the tensor, row by row (off its diagonal
    /// stand minus the integrals of xy, yz, zx over the mass), or a shape as in a scenario:
    /// 'box=[1,2,3], mass=12' (see `polhode inertia --help`)
    #[arg(long, value_name = "I1,I2,I3", allow_hyphen_values = true)]
    inertia: String,

    /// Angular momentum at time 0, body frame
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    momentum: Option<String>,

    /// Angular velocity at time 0, body frame, instead of the momentum; with a unit 'rpm=[0,0,30]' or
    /// 'deg_per_s=[5,3,0]'
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    omega: Option<String>,

    /// Find the motion that has these periods: of the rotation about the long axis (or the short one), and of
    /// the precession of that axis about the momentum
    #[arg(long, value_name = "ROTATION,PRECESSION", allow_hyphen_values = true)]
    periods: Option<String>,

    /// About which axis the body with these periods rotates, where both are possible
    #[arg(
        long,
        value_name = "MODE",
        requires = "periods",
        value_parser = clap::builder::PossibleValuesParser::new(Mode::ALL.map(Mode::name)),
    )]
    mode: Option<String>,

    /// Attitude at time 0, a quaternion of any length, scalar first, body to space; or 'xyzw=[..]',
    /// 'matrix=[[..],[..],[..]]', 'axis=[0,0,1], angle_deg=90', 'euler_deg=[30,10,0], sequence="zyx"'
    #[arg(long, value_name = "W,X,Y,Z", default_value = "1,0,0,0", allow_hyphen_values = true)]
    attitude: String,

    /// Times wanted, in any order, also before 0 (with --periods the start alone, unless given)
    #[arg(long, value_name = "T1,T2,..", conflicts_with = "until", allow_hyphen_values = true)]
    at: Option<String>,

    /// Last time of an even table that begins at 0 (needs --every); may be negative
    #[arg(long, value_name = "T", requires = "every", allow_hyphen_values = true)]
    until: Option<String>,

    /// Spacing of the times up to --until
    #[arg(
        long,
        value_name = "DT",
        requires = "until",
        conflicts_with = "at",
        allow_hyphen_values = true
    )]
    every: Option<String>,

    /// Accept moments that no body can have (the largest exceeds the sum of the others)
    #[arg(long)]
    allow_unphysical: bool,

    #[command(flatten)]
    form: AttitudeOptions,

    /// Also write a page in which the body turns, from time 0 to the farthest time wanted: an .html file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[arg(long, value_name = "SHAPE", requires = "out", default_value = "box", help = format!(
        "What the body looks like there: {}", shown::shapes()
    ))]
    shape: String,

    /// Replace the file if it is there already
    #[arg(long, requires = "out")]
    force: bool,

    /// Write one JSON document instead of a table
    #[arg(long)]
    json: bool,

    /// Add the derivatives: of every state by the state at time 0, the inertia and time, and of period and precession
    #[arg(long, requires = "json")]
    tangent: bool,
}

const EXAMPLES: &str = "\
Examples:
  A T-handle spun about its middle axis, with a slight wobble, for ten units of time:
    polhode free --inertia 1,2,2.8 --omega 0.01,5,0 --until 10 --every 0.1
  A full tensor, at three times, as JSON:
    polhode free --inertia 2,0.1,0,0.1,3,0.2,0,0.2,4 --momentum 1,-2,3 --at -1,0,1e6 --json
  An asteroid, Toutatis, from its two periods in days (Hudson & Ostro 1995):
    polhode free --inertia 1,3.09,3.22 --periods 5.41,7.35
  Yaw, pitch and roll in degrees:
    polhode free --inertia 1,2,3 --omega 0.1,0,1 --until 10 --every 1 --attitude-as euler --degrees

The table has the columns t; m1 m2 m3, the angular momentum; w1 w2 w3, the angular velocity; \
the attitude, q0 q1 q2 q3 or what --attitude-as says: q1 q2 q3 q0, q11 to q33, or the angles in the order \
of the turns, yaw pitch roll for euler. Lines that begin with # describe the motion.

To see the body turn, add --out flip.html and, say, --shape t-handle: a page for any browser, in one file.

With --tangent every state has state_transition, 6 rows of d(m, del)(t)/d(m, del)(0), inertia and inertia_off, the \
derivatives by I11, I22, I33 and by I12, I13, I23 (held says what of the start stays the same), and time. del \
is a small \
rotation vector in the body frame, q -> q exp(del). gradients has the derivatives of the period, of the rate of \
precession and of the time of the next flip; of what has none, gradients.missing says why.

With --periods the momentum lies, at time 0, in the plane of the least and the greatest moment. Where the \
precession of the long axis was observed in the short-axis mode, with period P, give 1/(1/P + 1/ROTATION).

The document has the attitude as a quaternion (scalar first) and as a matrix, and everything in \
radians; another form that is asked for comes on top, in a list attitude_as, --degrees applied, and with \
--degrees the angular velocity, in a list omega_deg.

A motion given by --omega starts from that angular velocity; `polhode run` starts from the momentum that follows \
from it, rounded. Where a motion enlarges small differences, as next to the middle axis, the last digits of the two \
differ.

Units are yours, as long as they agree with each other; angles are in radians. Angular momentum \
and velocity are in the body frame, the attitude is a unit quaternion w,x,y,z (scalar first) that \
takes body to space coordinates.";

const THREE: &str = "three numbers x,y,z";

impl FreeCommand {
    pub(crate) fn run(&self, out: &mut impl Write) -> Result<(), Failure> {
        let motion = self.motion()?;
        let times = self.times(&motion)?;
        self.show(&motion, times.farthest())?;
        let summary = MotionSummary::new(&motion);
        let rows = times.iter().map(|t| self.row(&motion, t).map_err(|e| self.refuse_times(e)));
        if self.json {
            let gradients = self.tangent.then(|| gradients(&motion));
            write_json(out, (&summary, gradients), self.form, rows)
        } else {
            summary.write_lines("# ", self.form.degrees(), out)?;
            write_table(out, self.form, rows)
        }
    }

    /// Writes the page, if one is wanted.
    fn show(&self, motion: &FreeMotion, until: f64) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        let document = Document::page(path, self.force)?;
        let body = shown::body(&self.shape, motion.inertia(), Path::new(""))?;
        let broken = |e: ViewError| Failure::Running(format!("--out: {e}"));
        let film = Film::free(motion, until, Film::MOST).map_err(broken)?;
        let about = format!(
            "Moments of inertia {}, closed form",
            motion.inertia().moments().to_array().map(shortest).join(", ")
        );
        let made = Provenance::free(motion.inertia());
        let page = Page::new("A free body").about(about).metadata(made.document());
        let page = page.run(PageRun::new("free body", film).body(body));
        document.write(page.to_html().map_err(broken)?.as_bytes())
    }

    fn motion(&self) -> Result<FreeMotion, Failure> {
        let tensor = body::given_inertia(&self.inertia);
        let inertia = body::inertia(&tensor, self.allow_unphysical)?;
        let attitude = OptionText::new("--attitude", &self.attitude, "four numbers w,x,y,z");
        let q = body::attitude(&attitude)?;
        let (rotation, motion) = match (&self.momentum, &self.omega) {
            (None, None) => {
                let text = self.periods.as_deref().unwrap_or_default();
                let rotation =
                    OptionText::new("--periods", text, "two numbers, rotation,precession");
                let [turn, precession] = rotation.array()?;
                let mode = self.mode.as_deref().and_then(Mode::named);
                let found =
                    from_periods(&inertia, turn, precession, mode).map_err(|e| match e {
                        PeriodsError::Ambiguous => {
                            rotation.refuse(format_args!("{e}, with --mode"))
                        }
                        e => rotation.refuse(e),
                    })?;
                let start = State::new(found.start.m, q);
                (rotation, start.map_err(Into::into).and_then(|s| FreeMotion::new(&inertia, s)))
            }
            (Some(momentum), _) => {
                let rotation = OptionText::new("--momentum", momentum, THREE);
                let start = State::new(rotation.array::<3>()?, q);
                (rotation, start.map_err(Into::into).and_then(|s| FreeMotion::new(&inertia, s)))
            }
            (None, omega) => {
                // Clap sees to it that there is one.
                let omega = omega.as_deref().unwrap_or_default();
                let rotation = OptionText::new("--omega", omega, THREE);
                (rotation, FreeMotion::from_omega(&inertia, body::omega(&rotation)?, q))
            }
        };
        motion.map_err(|e| match e {
            FreeMotionError::State(StateError::ZeroAttitude) => {
                attitude.refuse("a quaternion of length zero is no attitude")
            }
            FreeMotionError::OutOfRange { field: "inertia ratio", .. } => tensor.refuse(e),
            e => rotation.refuse(e),
        })
    }

    /// The times wanted: those given, or the start.
    ///
    /// All of them within reach of the motion.
    fn times(&self, motion: &FreeMotion) -> Result<Times, Failure> {
        let times = match (&self.at, &self.until, &self.every) {
            (Some(at), ..) => Times::List(OptionText::new("--at", at, "times t1,t2,..").list()?),
            (None, None, _) => Times::List(vec![0.0]),
            (None, until, every) => {
                let [until, every] = [until, every].map(|x| x.as_deref().unwrap_or_default());
                let until = OptionText::new("--until", until, "one number, the last time");
                let every = OptionText::new("--every", every, "one positive number");
                Times::grid(&until, &every)?
            }
        };
        // Only the size of a time can be wrong, so no row fails once this one has not: rows can be
        // written as they are computed, and after an error there is no output.
        motion.at(times.farthest()).map_err(|e| self.refuse_times(e))?;
        if self.tangent {
            // Derivatives may grow beyond doubles on the way.
            motion.inertia_tangent_at(times.farthest()).map_err(|e| self.refuse_times(e))?;
        }
        Ok(times)
    }

    fn row(&self, motion: &FreeMotion, t: f64) -> Result<MotionRow, FreeMotionError> {
        let mut row = MotionRow::new(motion, t, self.form)?;
        if self.tangent {
            row.tangent = Some(TangentRow::new(motion, t)?);
        }
        Ok(row)
    }

    fn refuse_times(&self, e: FreeMotionError) -> Failure {
        let (option, text) = match (&self.at, &self.until) {
            (Some(at), _) => ("--at", at.as_str()),
            (None, until) => ("--until", until.as_deref().unwrap_or_default()),
        };
        OptionText::new(option, text, "").refuse(e)
    }
}
