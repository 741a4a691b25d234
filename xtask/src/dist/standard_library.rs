//! The holders of copyrights in the standard library of Rust, part of everything that is compiled: what the compiler's
//! own documents say of them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::archive;
use crate::machine::{command, output};

/// The page that names them; `licenses` beside it has texts to which it refers.
const PAGE: &str = "COPYRIGHT-library.html";

/// Where Rust's documents are in an installation of it.
const FOLDER: &str = "share/doc/rust";

/// The copyrights and licences, or where they are to be found if this installation of Rust has no documents.
pub(super) fn notices() -> Result<String, String> {
    let folder = folder()?;
    let page = folder.join(PAGE);
    if !page.is_file() {
        let version = output(&mut command(&["rustc", "--version"]))?;
        return Ok(format!(
            "Other holders of copyrights in it, and their licences, are named in\n{FOLDER}/{PAGE} of every \
             installation from https://rustup.rs\nof {}, with which this was compiled.",
            version.trim()
        ));
    }
    let mut text = plain(&read(&page)?);
    for (name, licence) in texts(&folder.join("licenses"), &text)? {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{name}:\n\n{}\n", licence.trim_matches('\n').trim_end());
    }
    Ok(text)
}

fn folder() -> Result<PathBuf, String> {
    let sysroot = output(&mut command(&["rustc", "--print", "sysroot"]))?;
    Ok(Path::new(sysroot.trim()).join(FOLDER))
}

fn read(file: &Path) -> Result<String, String> {
    let bytes = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// The licences in a folder that the page names by these names, and the exceptions to them.
fn texts(folder: &Path, page: &str) -> Result<Vec<(String, String)>, String> {
    let named = page.lines().filter_map(|line| line.strip_prefix("License:"));
    let words: Vec<&str> = named
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || "()/".contains(c)))
        .collect();
    let files = if folder.is_dir() { archive::files(folder)? } else { Vec::new() };
    let named = files.into_iter().filter_map(|file| {
        let name = archive::name(&file).strip_suffix(".txt")?.to_owned();
        words.contains(&name.as_str()).then_some((name, file))
    });
    named.map(|(name, file)| Ok((name, read(&file)?))).collect()
}

/// The words of the page. The notices in it, which keep their lines, are many times the same: each is there once.
fn plain(html: &str) -> String {
    // Before that is a table of contents.
    let start = html.find("<h2 id=").unwrap_or(0);
    let mut known: Vec<String> = Vec::new();
    let mut text = String::new();
    for (i, piece) in html[start..].split("<pre>").enumerate() {
        let (notice, rest) =
            if i == 0 { ("", piece) } else { piece.split_once("</pre>").unwrap_or((piece, "")) };
        let notice = words(notice.trim_matches('\n').trim_end());
        // Writing to a string does not fail.
        if let Some(at) = known.iter().position(|other| *other == notice) {
            let _ = writeln!(text, "    as notice {}", at + 1);
        } else if !notice.is_empty() {
            known.push(notice.clone());
            let _ = writeln!(text, "    notice {}:\n\n{notice}\n", known.len());
        }
        for line in rest.lines().map(str::trim) {
            if ["<h", "<div"].iter().any(|begin| line.starts_with(begin)) {
                text.push('\n');
            }
            let line = words(line);
            let line = line.trim();
            if !line.is_empty() {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text.trim_start().to_owned()
}

/// A text of HTML without its tags, with the characters that its entities stand for.
fn words(html: &str) -> String {
    let mut pieces = html.split('<');
    let first = pieces.next().unwrap_or_default().to_owned();
    let text = pieces.fold(first, |text, piece| text + piece.split_once('>').map_or("", |p| p.1));
    let mut pieces = text.split('&');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        let entity = piece.split_once(';').and_then(|(name, rest)| Some((character(name)?, rest)));
        match entity {
            Some((character, rest)) => format!("{text}{character}{rest}"),
            None => format!("{text}&{piece}"),
        }
    })
}

/// What an entity stands for.
fn character(entity: &str) -> Option<char> {
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => char::from_u32(entity.strip_prefix('#')?.parse().ok()?),
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGE, folder, notices, plain, words};

    #[test]
    fn pages_are_read_as_text() {
        assert_eq!(
            words("<b>A &#38; B</b> &#60;c@d&#62; &lt;&unknown; R&D"),
            "A & B <c@d> <&unknown; R&D"
        );
        let html = "<title>t</title><h2 id=\"x\">X</h2>\n<p>\n  one </p>\n\
                    <h3>a</h3><pre>\n  The\n\n licence\n</pre>\n<h3>b</h3>\n<pre>\n  The\n\n licence</pre>\n";
        let text = "X\none\n\na\n    notice 1:\n\n  The\n\n licence\n\n\nb\n    as notice 1\n";
        assert_eq!(plain(html), text);
    }

    #[test]
    fn the_holders_in_the_standard_library_are_named() {
        let text = notices().unwrap();
        if !folder().unwrap().join(PAGE).is_file() {
            assert!(text.contains(PAGE) && text.contains("rustc 1."), "{text}");
            return;
        }
        for holder in ["Unicode, Inc", "Crossbeam", "gimli", "rustc-demangle", "hashbrown"] {
            assert!(text.contains(holder), "{holder}");
        }
        // The text itself, which the page does not have.
        assert!(text.contains("License: Unicode-3.0\n") && text.contains("UNICODE LICENSE V3"));
        assert!(!text.contains("<p>") && !text.contains("&#"));
    }
}
