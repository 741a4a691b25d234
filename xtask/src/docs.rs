//! Documentation that a program writes, so that it cannot drift from the code.

use std::fs;
use std::path::Path;

use crate::machine::{command, root, run};
use crate::suites::Line;

struct Document {
    name: &'static str,
    /// Where it is kept, from the root of the repository.
    path: &'static str,
    /// Writes it to the path that is appended as last argument.
    line: Line,
}

static DOCUMENTS: &[Document] = &[Document {
    name: "accuracy",
    path: "docs/accuracy.md",
    line: &[
        "cargo",
        "run",
        "--release",
        "-p",
        "polhode",
        "--example",
        "accuracy",
        "--",
    ],
}];

/// Writes every document; with `check` beside the kept ones, to compare. True if all is well.
pub(crate) fn generate(check: bool) -> bool {
    let scratch = std::env::temp_dir().join(format!("polhode-docs-{}", std::process::id()));
    let mut well = true;
    for document in DOCUMENTS {
        let kept = root().join(document.path);
        let target = if check {
            scratch.join(document.path)
        } else {
            kept.clone()
        };
        let problem = match write(document, &target) {
            Err(problem) => Some(problem),
            Ok(()) if check => stale(&kept, &target),
            Ok(()) => None,
        };
        match problem {
            Some(problem) => {
                well = false;
                println!("{}: {problem}", document.name);
            }
            None if check => println!("{}: up to date", document.name),
            None => println!("{}: wrote {}", document.name, document.path),
        }
    }
    if check {
        // A leftover only costs room; the verdict stands without it.
        let _ = fs::remove_dir_all(&scratch);
    }
    well
}

fn write(document: &Document, target: &Path) -> Result<(), String> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    if run(command(document.line).arg(target)) {
        Ok(())
    } else {
        Err(format!("`{}` failed", document.line.join(" ")))
    }
}

/// How the kept document differs from the one just written, if it does.
fn stale(kept: &Path, fresh: &Path) -> Option<String> {
    let read =
        |path: &Path| fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    match (read(kept), read(fresh)) {
        (Ok(kept), Ok(fresh)) => difference(&kept, &fresh),
        (Err(problem), _) | (_, Err(problem)) => Some(problem),
    }
}

fn difference(kept: &str, fresh: &str) -> Option<String> {
    // A checkout may have turned line ends into CR LF: `lines` takes both.
    let (mut old, mut new) = (kept.lines(), fresh.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (old.next(), new.next()) {
            (None, None) => return None,
            (old, new) if old == new => {}
            (old, new) => {
                let show = |line: Option<&str>| line.unwrap_or("(end of file)").to_owned();
                return Some(format!(
                    "out of date at line {number}; `cargo xtask docs` writes it anew\n  kept:  {}\n  fresh: {}",
                    show(old),
                    show(new)
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_differing_line_is_shown() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\r\nb\r\n", "a\nb\n"), None);
        let changed = difference("a\nb\nc\n", "a\nx\nc\n").unwrap_or_default();
        assert!(changed.contains("line 2") && changed.contains("fresh: x"));
        let longer = difference("a\n", "a\nb\n").unwrap_or_default();
        assert!(longer.contains("line 2") && longer.contains("(end of file)"));
    }
}
