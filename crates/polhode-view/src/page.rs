//! The page.

use serde_json::{Value, json};

use crate::still::{self, escaped};
use crate::{Run, ViewError};

const TEMPLATE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/style.css");

/// In the order in which they need each other.
const SCRIPTS: [&str; 6] = [
    include_str!("../page/math.js"),
    include_str!("../page/motion.js"),
    include_str!("../page/gl.js"),
    include_str!("../page/scene.js"),
    include_str!("../page/charts.js"),
    include_str!("../page/page.js"),
];

/// Runs side by side, on one page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: String,
    about: String,
    metadata: String,
    runs: Vec<Run>,
}

impl Page {
    /// A page with this title.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// With a line below the title: what was run.
    #[must_use]
    pub fn about(mut self, text: impl Into<String>) -> Self {
        self.about = text.into();
        self
    }

    /// With how it was made, a JSON document for programs: the element `meta` of the page, not shown.
    #[must_use]
    pub fn metadata(mut self, document: impl Into<String>) -> Self {
        self.metadata = document.into();
        self
    }

    /// With one run more, beside the others.
    #[must_use]
    pub fn run(mut self, run: Run) -> Self {
        self.runs.push(run);
        self
    }

    /// The page as the text of an HTML file. The same runs make the same bytes.
    ///
    /// # Errors
    /// [`ViewError`] if there is no run, or what is watched does not belong to the moments of its film.
    pub fn to_html(&self) -> Result<String, ViewError> {
        if self.runs.is_empty() {
            return Err(ViewError::NoRuns);
        }
        let runs = self.runs.iter().map(Run::to_json).collect::<Result<Vec<Value>, _>>()?;
        // In a script nothing ends it but its end tag, and nothing else is escaped.
        let film = json!({ "runs": runs }).to_string().replace('<', "\\u003c");
        let script = format!("(() => {{\n'use strict';\n{}}})();", SCRIPTS.concat());
        let parts = [
            ("%TITLE%", escaped(&self.title)),
            ("%ABOUT%", escaped(&self.about)),
            ("%META%", self.metadata_element()),
            ("%STYLE%", STYLE.trim_end().to_owned()),
            ("%STILL%", still::draw(&self.runs)),
            ("%CAPTION%", self.caption()),
            ("%FILM%", film),
            ("%SCRIPT%", script),
        ];
        let mut page = String::with_capacity(
            parts.iter().map(|(_, text)| text.len()).sum::<usize>() + TEMPLATE.len(),
        );
        let mut rest = TEMPLATE;
        // One after the other, so that what is put in is never looked at again.
        while let Some((at, (mark, text))) = parts
            .iter()
            .filter_map(|part| Some((rest.find(part.0)?, part)))
            .min_by_key(|(at, _)| *at)
        {
            page.push_str(&rest[..at]);
            page.push_str(text);
            rest = &rest[at + mark.len()..];
        }
        page.push_str(rest);
        Ok(page)
    }

    /// A script that is none: what programs read of the page.
    fn metadata_element(&self) -> String {
        if self.metadata.is_empty() {
            return String::new();
        }
        let text = self.metadata.replace('<', "\\u003c");
        format!("<script type=\"application/json\" id=\"meta\">{text}</script>\n")
    }

    fn caption(&self) -> String {
        let said = "The body at a few times; L is the direction of its momentum, ω that of its angular velocity. With a \
                    browser that has WebGL2 and scripts, the body turns here.";
        let alts = self.runs.iter().map(Run::alt);
        escaped(&alts.chain([said.to_owned()]).collect::<Vec<_>>().join(" "))
    }
}
