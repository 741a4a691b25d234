//! The options that name the columns of a file.

use clap::Args;
use polhode::so3::EulerSequence;

use super::columns::{ColumnNames, names};
use crate::failure::Failure;
use crate::numbers::quote;

/// Which columns hold what, and in which form.
#[derive(Args)]
pub(crate) struct ColumnArgs {
    /// Name of the column of times [default: t or time]
    #[arg(long, value_name = "NAME")]
    time: Option<String>,

    /// Names of the columns of the angular velocity [default: w1,w2,w3 or wx,wy,wz if they are there]
    #[arg(long, value_name = "X,Y,Z")]
    omega: Option<String>,

    /// Names of the columns of the attitude, body to space: a quaternion w,x,y,z or a matrix row by
    /// row, or three Euler angles [default: q0,q1,q2,q3, qw,qx,qy,qz, q11,..,q33 or yaw,pitch,roll if they are
    /// there]
    #[arg(long, value_name = "W,X,Y,Z")]
    attitude: Option<String>,

    /// The turns of Euler angles, in the order of their columns: axes of the body as the turns before have left
    /// them, zyx for yaw, pitch, roll
    #[arg(
        long,
        value_name = "AXES",
        value_parser = clap::builder::PossibleValuesParser::new(EulerSequence::ALL.map(|s| s.name())),
    )]
    euler: Option<String>,

    /// The last of the four columns of the attitude is the scalar part, not the first (qw, qx, qy, qz are told by
    /// their names)
    #[arg(long)]
    scalar_last: bool,

    /// The angular velocity, and Euler angles, are in degrees instead of radians, as columns ending in _deg always are
    #[arg(long)]
    degrees: bool,
}

impl ColumnArgs {
    /// The columns they name; of the momentum nothing.
    pub(crate) fn columns(&self) -> Result<ColumnNames, Failure> {
        let omega = |text: &String| names("--omega", text, &[3], "three names of columns, x,y,z");
        let attitude = |text: &String| {
            let takes = "four names of columns w,x,y,z, nine of a matrix, row by row, or three of Euler angles";
            names("--attitude", text, &[3, 4, 9], takes)
        };
        let attitude = self.attitude.as_ref().map(attitude).transpose()?;
        if self.scalar_last && attitude.as_ref().is_some_and(|names| names.len() != 4) {
            let why = "a matrix and angles have no scalar part; leave it out";
            return Err(Failure::Input(format!("--scalar-last: {why}")));
        }
        let euler = self.euler.as_deref().and_then(EulerSequence::named);
        if euler.is_none() && attitude.as_ref().is_some_and(|names| names.len() == 3) {
            let why = "three columns are Euler angles; --euler zyx, say, tells their turns";
            let given = quote(self.attitude.as_deref().unwrap_or_default());
            return Err(Failure::Input(format!("--attitude: {given}: {why}")));
        }
        Ok(ColumnNames {
            euler,
            time: self.time.clone(),
            omega: self.omega.as_ref().map(omega).transpose()?,
            attitude,
            scalar_last: self.scalar_last,
            degrees: self.degrees,
            ..ColumnNames::default()
        })
    }
}
