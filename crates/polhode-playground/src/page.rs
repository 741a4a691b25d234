//! The page.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::{KINDS, Motion, Settings};

/// The page with the library in it, compiled to WebAssembly. The motion of [`Settings::default`] is recorded in it, for
/// browsers without WebAssembly.
///
/// # Errors
/// Why there is no motion.
pub fn page(library: &[u8]) -> Result<String, String> {
    let mut kinds = String::new();
    for kind in &KINDS {
        let _ = writeln!(
            kinds,
            "<option value=\"{}\" data-slider=\"{}\" data-most=\"{}\" data-usual=\"{}\">{}</option>",
            kind.name, kind.slider, kind.most, kind.usual, kind.title
        );
    }
    let panel = include_str!("../page/panel.html").replace("%KINDS%\n", &kinds);
    let library = BASE64_STANDARD.encode(library);
    let html =
        format!("{panel}<script type=\"application/wasm\" id=\"library\">{library}</script>\n");
    let page = Motion::new(&Settings::default())?.page()?;
    let about = "Change the body, its spin and what acts on it: the motion is computed anew in this page, by the \
                 library itself.";
    page.about(about)
        .with(html, include_str!("../page/panel.css"), include_str!("../page/playground.js"))
        .to_html()
        .map_err(|e| e.to_string())
}
