//! The one place that starts processes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::suites::{Line, Tool};

pub(crate) fn has(tool: &Tool) -> bool {
    command(tool.probe)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Tries; [`has`] tells whether it worked.
pub(crate) fn install(tool: &Tool) {
    let before = processor_time();
    for line in tool.install {
        if !run(command(line).stdin(Stdio::null())) {
            break;
        }
    }
    if let (Some(before), Some(after)) = (before, processor_time()) {
        let used = after.saturating_sub(before).as_millis();
        INSTALLING.fetch_add(u64::try_from(used).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Milliseconds of processor time for [`install`].
static INSTALLING: AtomicU64 = AtomicU64::new(0);

/// The part of [`processor_time`] that went into installing tools.
pub(crate) fn installing_time() -> Duration {
    Duration::from_millis(INSTALLING.load(Ordering::Relaxed))
}

/// What this process and all that it has waited for have used of the processors so far, the build of
/// this program included: cargo turns into it. Only Linux tells without a library.
pub(crate) fn processor_time() -> Option<Duration> {
    // The name in parentheses may hold anything; the state follows, then numbers.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    // Fields 14 to 17 of proc(5): of this process and of its children, user and system.
    let ticks = fields.split_whitespace().skip(11).take(4).map(str::parse);
    let ticks: Vec<u64> = ticks.collect::<Result<_, _>>().ok()?;
    // The kernel counts for programs in hundredths of a second, whatever its own clock does.
    (ticks.len() == 4).then(|| Duration::from_millis(10 * ticks.iter().sum::<u64>()))
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

/// Runs to the end as [`run`] does; the line of a command that failed is the error.
pub(crate) fn succeed(command: &mut Command) -> Result<(), String> {
    if run(command) { Ok(()) } else { Err(format!("{} failed", line(command))) }
}

/// What a command writes to stdout; what it writes to stderr is the error, if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|e| format!("{}: {e}", line(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} failed: {}", line(command), complaint.trim()))
}

/// A command as one would type it.
fn line(command: &Command) -> String {
    let words = command.get_args().map(|a| a.display().to_string());
    let program = command.get_program().display().to_string();
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::{command, processor_time, run};

    #[test]
    #[cfg(target_os = "linux")]
    fn children_count_once_they_have_ended() {
        let before = processor_time().unwrap();
        // Some tenths of a second in another process.
        assert!(run(&mut command(&[
            "sh",
            "-c",
            "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done"
        ])));
        assert!(processor_time().unwrap() > before);
    }
}
