//! The one place that starts processes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::suites::{Line, Step, Tool};

/// What running a suite asks of the machine; a trait so that the logic is tested without one.
pub(crate) trait Machine {
    fn has(&self, tool: &Tool) -> bool;
    /// Tries; [`Machine::has`] tells whether it worked.
    fn install(&mut self, tool: &Tool);
    fn run(&mut self, step: &Step) -> bool;
}

/// This machine.
pub(crate) struct Host;

impl Machine for Host {
    fn has(&self, tool: &Tool) -> bool {
        command(tool.probe)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    fn install(&mut self, tool: &Tool) {
        for line in tool.install {
            if !run(command(line).stdin(Stdio::null())) {
                return;
            }
        }
    }

    fn run(&mut self, step: &Step) -> bool {
        run(command(step.line).envs(step.env.iter().copied()))
    }
}

/// The repository, whatever directory cargo was called from.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// `line`, to be run in the repository; `cargo` means the cargo that started us.
pub(crate) fn command(line: Line) -> Command {
    let cargo = std::env::var_os("CARGO");
    let program = match (line[0], &cargo) {
        ("cargo", Some(cargo)) => cargo.as_os_str(),
        (other, _) => OsStr::new(other),
    };
    let mut command = Command::new(program);
    command.args(&line[1..]).current_dir(root());
    command
}

/// Runs to the end with this program's stdout and stderr. A command that does not even start has
/// failed.
pub(crate) fn run(command: &mut Command) -> bool {
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("cannot run {}: {error}", command.get_program().display());
            false
        }
    }
}
