//! Where a scenario comes from, and the places in it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::MAX_BYTES;
use super::document::{self, TomlTable};
use super::error::{ScenarioError, TextPlace};
use super::fault::ScenarioFault;
use super::overrides;
use polhode::parameters::suggestion;

/// Longer texts are cut in messages.
const LONGEST_QUOTE: usize = 72;

/// A text and what changes it.
pub(super) struct ScenarioText {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) overrides: Vec<String>,
}

/// A place in the text (no override) or in an override.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) over: Option<usize>,
    pub(super) bytes: Range<usize>,
}

/// What is wrong, before its place is looked up.
pub(super) struct Trouble {
    pub(super) span: Span,
    /// The field, `[method] step`, or nothing for the text as such.
    pub(super) field: String,
    pub(super) fault: ScenarioFault,
}

/// Puts what a file says, looked for in this folder, in the place of its name.
pub(super) type Inline = fn(&mut ScenarioText, &Path) -> Result<(), ScenarioError>;

/// The methods that read a file. The type has the constant `INLINE` and reads a text by `read`.
macro_rules! file_methods {
    ($what:literal) => {
        #[doc = concat!("Reads ", $what, " from a file. Other files that it names are looked for beside it.")]
        ///
        /// # Errors
        /// [`ScenarioError`] if the file cannot be read or what it says cannot be run.
        pub fn load(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
            Self::load_with(path, &[] as &[&str])
        }

        #[doc = concat!("Reads ", $what, " from a file and changes it by overrides `key=value`.")]
        ///
        /// # Errors
        /// As [`Self::load`]; also for overrides that cannot be used.
        pub fn load_with(
            path: impl AsRef<Path>,
            overrides: &[impl AsRef<str>],
        ) -> Result<Self, ScenarioError> {
            let path = path.as_ref();
            Self::parse_at(&$crate::source::read(path)?, path, overrides)
        }

        #[doc = concat!("Reads ", $what, " from a text that stands for the file at this path, changed by overrides.")]
        /// The file itself need not be there.
        ///
        /// # Errors
        /// As [`Self::load_with`].
        pub fn parse_at(
            text: &str,
            path: impl AsRef<Path>,
            overrides: &[impl AsRef<str>],
        ) -> Result<Self, ScenarioError> {
            let (path, inline) = (path.as_ref(), Self::INLINE);
            Self::read(&$crate::source::ScenarioText::whole(text, path, overrides, inline)?)
        }
    };
}
pub(super) use file_methods;

/// What a part of the reader gives back.
pub(super) type ReadResult<T> = Result<T, Box<Trouble>>;

impl ScenarioText {
    /// The text of a file, and what changes it.
    fn new(text: &str, path: &Path, overrides: &[impl AsRef<str>]) -> Self {
        Self {
            name: path.display().to_string(),
            text: text.to_owned(),
            overrides: overrides.iter().map(|o| o.as_ref().to_owned()).collect(),
        }
    }

    /// The text that stands for the file at this path, with what other files say in the place of their names.
    pub(super) fn whole(
        text: &str,
        path: &Path,
        overrides: &[impl AsRef<str>],
        inline: &[Inline],
    ) -> Result<Self, ScenarioError> {
        let mut source = Self::new(text, path, overrides);
        let folder = path.parent().unwrap_or(Path::new(""));
        for put in inline {
            put(&mut source, folder)?;
        }
        Ok(source)
    }

    /// What it says, with its overrides.
    pub(super) fn tree(&self) -> ReadResult<TomlTable> {
        let mut document = document::parse(&self.text, None)?;
        overrides::apply(self, &mut document)?;
        Ok(document)
    }

    /// The text a span belongs to.
    pub(super) fn text_of(&self, span: &Span) -> &str {
        span.over.and_then(|i| self.overrides.get(i)).unwrap_or(&self.text)
    }

    /// The error with line, column and the text at fault.
    pub(super) fn locate(&self, trouble: Trouble) -> ScenarioError {
        let Trouble { span, field, fault } = trouble;
        let text = self.text_of(&span);
        let (line, column) = position(text.as_bytes(), span.bytes.start);
        let shown = match fault {
            ScenarioFault::Syntax { .. } => line_around(text, span.bytes.start),
            _ => span.bytes,
        };
        let given = text.get(shown).map(quote).unwrap_or_default();
        let over = span.over.and_then(|i| self.overrides.get(i)).map(|o| quote(o));
        let line = over.is_none().then_some(line);
        let place = TextPlace { over, line, column: Some(column), field, given };
        ScenarioError::new(&self.name, place, fault)
    }
}

/// Line and column of a byte, counted from 1.
fn position(text: &[u8], byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let line = before.split(|b| *b == b'\n').count();
    let in_line = String::from_utf8_lossy(&before[start..]);
    (line, in_line.chars().filter(|c| *c != '\u{feff}').count() + 1)
}

/// The line that holds a byte, without its end.
pub(super) fn line_around(text: &str, byte: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let byte = byte.min(bytes.len());
    let start = bytes[..byte].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    let end = bytes[byte..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |i| byte + i);
    start..end
}

/// The text on one line, not too long and without control characters.
pub(super) fn quote(text: &str) -> String {
    // A whole megabyte need not be taken apart for the 72 characters that are shown.
    let head: String = text.chars().take(8 * LONGEST_QUOTE).collect();
    let words: Vec<&str> = head.split_whitespace().collect();
    let line: String =
        words.join(" ").chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.chars().count() <= LONGEST_QUOTE && head.len() == text.len() {
        return line;
    }
    line.chars().take(LONGEST_QUOTE).chain("...".chars()).collect()
}

/// The text of a file of scenario's size.
pub(super) fn read(path: &Path) -> Result<String, ScenarioError> {
    read_at_most(path, MAX_BYTES)
}

/// The text of a file of so many bytes at most.
pub(super) fn read_at_most(path: &Path, most: usize) -> Result<String, ScenarioError> {
    let name = path.display().to_string();
    let fail = |fault| ScenarioError::new(&name, TextPlace::default(), fault);
    let unreadable = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => fail(ScenarioFault::NoFile { near: near(path) }),
        kind => fail(ScenarioFault::Unreadable { kind, reason: e.to_string() }),
    };
    if fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Err(fail(ScenarioFault::Directory));
    }
    let mut bytes = Vec::new();
    let limit = most as u64 + 1;
    File::open(path)
        .and_then(|file| file.take(limit).read_to_end(&mut bytes))
        .map_err(unreadable)?;
    if bytes.len() > most {
        return Err(fail(match most {
            MAX_BYTES => ScenarioFault::TooLarge,
            limit => ScenarioFault::TableTooLarge { limit },
        }));
    }
    String::from_utf8(bytes).map_err(|e| {
        let (line, column) = position(e.as_bytes(), e.utf8_error().valid_up_to());
        let place = TextPlace { line: Some(line), column: Some(column), ..TextPlace::default() };
        ScenarioError::new(&name, place, ScenarioFault::NotUtf8)
    })
}

/// The text without the mark of byte order that some programs write before it.
pub(super) fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A file beside the one that is not there, with nearly its name.
pub(super) fn near(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = path.file_name()?.to_str()?;
    let entries = fs::read_dir(folder).ok()?;
    let mut names: Vec<String> =
        entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names.into_iter().find(|n| suggestion(&[n], wanted).starts_with("; did you mean"))
}
