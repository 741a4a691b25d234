//! The progress bar: on a terminal, and nowhere else.

use std::fmt::Write;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

const STEPS: &str = "{bar:20} {percent:>3}%  {human_pos} of {human_len} steps, {rate}, {eta} left";
const SPAN: &str = "{bar:20} {percent:>3}% of the time, {eta} left";

/// A bar on stderr that begins at the step already reached; hidden where stderr is no terminal.
pub(super) fn of_steps(reached: u64, steps: u64) -> ProgressBar {
    bar(STEPS, reached, steps)
}

/// A bar for thousandths of a span of time.
pub(super) fn of_span(reached: u64) -> ProgressBar {
    bar(SPAN, reached, 1000)
}

fn bar(template: &str, reached: u64, length: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    // A template that cannot be read leaves the default one.
    if let Ok(style) = ProgressStyle::with_template(template) {
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
