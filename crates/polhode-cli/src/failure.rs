//! What can go wrong in a command, and the exit code it has.

use std::io;
use std::process::ExitCode;

/// Why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What the user gave cannot be used. The message begins with the option, `--inertia: ...`.
    Input(String),
    /// The answer is no, and has been written.
    Verdict,
    /// The results could not be written.
    Output(io::Error),
}

impl Failure {
    /// Says on stderr what happened and gives the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::Input(message) => {
                eprintln!("error: {message}");
                ExitCode::from(2)
            }
            Self::Verdict => ExitCode::FAILURE,
            // `| head` has read what it wanted.
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Self::Output(e) => {
                eprintln!("error: cannot write the results: {e}");
                ExitCode::FAILURE
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(e: io::Error) -> Self {
        Self::Output(e)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(e: serde_json::Error) -> Self {
        Self::Output(e.into())
    }
}
