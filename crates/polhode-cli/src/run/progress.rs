//! The progress bar: on a terminal, and nowhere else.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str =
    "{bar:30} {percent:>3}%  {human_pos} of {human_len} steps, {per_sec}, {eta} left";

/// A bar on stderr that begins at the step already reached; hidden where stderr is no terminal.
pub(super) fn bar(reached: u64, steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
        bar.set_style(style);
    }
    // Rate and remaining time are of this session's steps.
    bar.set_position(reached);
    bar.reset_eta();
    bar
}
