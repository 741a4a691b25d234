//! The progress bar: on a terminal, and nowhere else.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

const TEMPLATE: &str =
    "{bar:20} {percent:>3}%  {human_pos} of {human_len} steps, {rate}, {eta} left";

/// A bar on stderr that begins at the step already reached; hidden where stderr is no terminal.
pub(super) fn bar(reached: u64, steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        let rate = |state: &ProgressState, text: &mut dyn Write| {
            // Writing to a line of the bar does not fail.
            let _ = write!(text, "{:.1e}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    // Rate and remaining time are of this session's steps.
    bar.set_position(reached);
    bar.reset_eta();
    bar
}
