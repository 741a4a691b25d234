//! The page.

use serde_json::{Value, json};

use crate::still::{self, escaped};
use crate::{PageRun, ViewError};

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
    story: Vec<String>,
    metadata: String,
    runs: Vec<PageRun>,
    more: PageExtras,
}

/// What a page has beside the motion.
#[derive(Clone, Debug, Default)]
struct PageExtras {
    html: String,
    style: String,
    script: String,
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

    /// With an explanation below the plots, paragraph by paragraph: what there is to see, and where it comes from.
    #[must_use]
    pub fn story(mut self, paragraphs: impl IntoIterator<Item = String>) -> Self {
        self.story = paragraphs.into_iter().collect();
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
    pub fn run(mut self, run: PageRun) -> Self {
        self.runs.push(run);
        self
    }

    /// With more on the page: HTML above the pictures, a style sheet, and a script that runs after the page's own and
    /// sees all that it defines. They are put in as they are.
    ///
    /// `window.polhode.replace([motion])` in such a script shows other motions in the place of those of the page.
    #[must_use]
    pub fn with(
        mut self,
        html: impl Into<String>,
        style: impl Into<String>,
        script: impl Into<String>,
    ) -> Self {
        self.more = PageExtras { html: html.into(), style: style.into(), script: script.into() };
        self
    }

    /// The runs as a page takes them: a text in JSON, `{ "runs": [..] }`.
    ///
    /// # Errors
    /// As [`Page::to_html`].
    pub fn to_json(&self) -> Result<String, ViewError> {
        if self.runs.is_empty() {
            return Err(ViewError::NoRuns);
        }
        let runs = self.runs.iter().map(PageRun::to_json).collect::<Result<Vec<Value>, _>>()?;
        Ok(json!({ "runs": runs }).to_string())
    }

    /// The page as the text of an HTML file. The same runs make the same bytes.
    ///
    /// # Errors
    /// [`ViewError`] if there is no run, or what is watched does not belong to the moments of its film.
    pub fn to_html(&self) -> Result<String, ViewError> {
        // In a script nothing ends it but its end tag, and nothing else is escaped.
        let film = self.to_json()?.replace('<', "\\u003c");
        let PageExtras { html, style, script } = &self.more;
        let script = format!("(() => {{\n'use strict';\n{}{script}}})();", SCRIPTS.concat());
        let parts = [
            ("%TITLE%", escaped(&self.title)),
            ("%ABOUT%", escaped(&self.about)),
            ("%META%", self.metadata_element()),
            ("%STYLE%", format!("{STYLE}{style}").trim_end().to_owned()),
            ("%MORE%\n", html.clone()),
            ("%STILL%", still::draw(&self.runs)),
            ("%CAPTION%", self.caption()),
            ("%STORY%", self.story_element()),
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

    /// What programs may read of the page: an element `script` with data, which no browser runs.
    fn metadata_element(&self) -> String {
        if self.metadata.is_empty() {
            return String::new();
        }
        let text = self.metadata.replace('<', "\\u003c");
        format!("<script type=\"application/json\" id=\"meta\">{text}</script>\n")
    }

    fn story_element(&self) -> String {
        if self.story.is_empty() {
            return String::new();
        }
        let paragraphs: Vec<String> =
            self.story.iter().map(|text| format!("<p>{}</p>\n", escaped(text))).collect();
        format!(
            "<details id=\"story\" open><summary>About this motion</summary>\n{}</details>\n",
            paragraphs.concat()
        )
    }

    fn caption(&self) -> String {
        let said = "The body at a few times; L is the direction of its momentum, ω that of its angular velocity. With \
                    a browser that has WebGL2 and scripts, the body turns here.";
        let alts = self.runs.iter().map(PageRun::alt);
        escaped(&alts.chain([said.to_owned()]).collect::<Vec<_>>().join(" "))
    }
}
