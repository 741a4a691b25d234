//! Lines of prose in the repository can be read without turning the head, and a table of theirs is true.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use polhode_testkit::markdown::LONGEST_LINE;

/// What is not read line by line, or is not ours: what the compiler makes, figures, reference data.
const SKIPPED_FOLDERS: [&str; 4] = ["target", "figures", "oracle", "node_modules"];

/// What a line of comment begins with, by the extension of its file.
const COMMENTS: [(&str, &str); 9] = [
    ("rs", "//"),
    ("c", "//"),
    ("cpp", "//"),
    ("h", "*"),
    ("f90", "!"),
    ("py", "#"),
    ("pyi", "#"),
    ("toml", "#"),
    ("cff", ""),
];

/// The lines (from 1) of a file with that extension that are prose and too long. Tables, addresses and
/// code have a right to their length.
fn long_lines(extension: &str, text: &str) -> Vec<usize> {
    let comment = match extension {
        // Values of an entry may go on in the next line.
        "md" | "bib" => "",
        other => match COMMENTS.iter().find(|(known, _)| *known == other) {
            Some((_, comment)) => comment,
            None => return Vec::new(),
        },
    };
    // Within a docstring of Python, and within code that a document shows.
    let (mut quoted, mut fenced) = (false, false);
    let mut long = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let docstring = quoted || extension == "py" && line.trim_start().starts_with("\"\"\"");
        quoted ^= extension == "py" && line.matches("\"\"\"").count() % 2 == 1;
        let line_comment = if docstring { "" } else { comment };
        let Some(words) = line.trim_start().strip_prefix(line_comment) else { continue };
        let words = words.trim_start_matches(['/', '!', '<', ' ']);
        fenced ^= words.starts_with("```");
        let example = docstring && (words.starts_with(">>>") || words.starts_with("..."));
        let excused = fenced || example || words.starts_with('|') || words.contains("://");
        if line.chars().count() > LONGEST_LINE && !excused {
            long.push(number);
        }
    }
    long
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or(".");
        if path.is_symlink() || name.starts_with('.') || SKIPPED_FOLDERS.contains(&name) {
            continue;
        }
        if path.is_dir() { files(&path, found) } else { found.push(path) }
    }
}

#[test]
fn lines_of_prose_are_short() {
    let root = root();
    let mut found = Vec::new();
    files(&root, &mut found);
    let (mut read, mut long) = (0, Vec::new());
    for path in found {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        read += 1;
        let name = path.strip_prefix(&root).unwrap().display();
        long.extend(long_lines(extension, &text).iter().map(|n| format!("{name}:{n}")));
    }
    assert!(read > 300, "only {read} files: the wrong folder?");
    assert!(long.is_empty(), "longer than {LONGEST_LINE} characters: {}", long.join(", "));
}

/// Whole comments of an item that tell no more than its name does.
const FILLERS: [&str; 35] = [
    "A section.",
    "All of them.",
    "As given.",
    "Both.",
    "How many.",
    "In words.",
    "Its name everywhere.",
    "Its name.",
    "Its number.",
    "Its numbers.",
    "Its time.",
    "Relative.",
    "Runs the command.",
    "Tells nobody.",
    "The body.",
    "The controllers.",
    "The corners.",
    "The document.",
    "The function.",
    "The mass.",
    "The method.",
    "The moments.",
    "The number.",
    "The one of that name.",
    "The problem.",
    "The row.",
    "The state.",
    "The time.",
    "The times.",
    "The value.",
    "What it took.",
    "When.",
    "Which driver.",
    "Why not.",
    "Why.",
];

/// The lines (from 1) of a source that are the whole comment of an item and say nothing.
fn fillers(text: &str) -> Vec<usize> {
    let says_nothing = |line: &str| {
        line.trim_start().strip_prefix("/// ").is_some_and(|words| FILLERS.contains(&words))
    };
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| says_nothing(line))
        .map(|(number, _)| number)
        .collect()
}

#[test]
fn comments_that_say_nothing_are_found() {
    let text = "/// The time.\npub t: f64,\n    /// The time of the row.\n    /// What it took.\n// Why.\n";
    assert_eq!(fillers(text), [1, 4]);
    assert!(FILLERS.is_sorted());
}

/// The lines of the crates' sources that a search finds, with their files.
fn places(find: fn(&str) -> Vec<usize>) -> String {
    let root = root();
    let mut sources = Vec::new();
    files(&root.join("crates"), &mut sources);
    let mut found = Vec::new();
    for path in sources.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.strip_prefix(&root).unwrap().display();
        found.extend(find(&text).iter().map(|number| format!("{name}:{number}")));
    }
    assert!(sources.len() > 300, "only {} files: the wrong folder?", sources.len());
    found.join(", ")
}

#[test]
fn comments_of_items_say_something() {
    assert_eq!(places(fillers), "", "these comments say nothing");
}

/// What may follow "The same" where it refers to the item before.
const REFERRING: [&str; 15] = [
    "and", "as", "at", "by", "for", "from", "in", "of", "on", "over", "to", "under", "where",
    "with", "without",
];

/// The lines (from 1) where the comment of a public item begins with "The same" and refers to the item before it: in an
/// index of items, and beside the cursor of an editor, it stands alone.
fn referring(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let refers = |line: &str| {
        line.strip_prefix("/// The same").is_some_and(|rest| {
            let word = rest.trim_start().split(' ').next().unwrap_or_default();
            rest.starts_with([',', '.', ':']) || REFERRING.contains(&word)
        })
    };
    let is_public = |from: usize| {
        let item =
            lines[from..].iter().find(|line| !line.starts_with("///") && !line.starts_with('#'));
        item.is_some_and(|item| item.starts_with("pub "))
    };
    let begins = |at: usize| at == 0 || !lines[at - 1].starts_with("///");
    (0..lines.len())
        .filter(|&at| refers(lines[at]) && begins(at) && is_public(at))
        .map(|at| at + 1)
        .collect()
}

#[test]
fn comments_that_refer_to_the_item_before_are_found() {
    let text = "/// The same, later.\n#[must_use]\npub fn a() {}\n/// The same body.\npub fn b() {}\n\
                /// The same with c.\nfn c() {}\n    /// The same for d.\n    ///\n    /// More.\n    pub d: f64,\n\
                /// Of e.\n/// The same of f.\npub fn f() {}\n";
    assert_eq!(referring(text), [1, 8]);
    assert!(REFERRING.is_sorted());
}

#[test]
fn comments_of_public_items_can_be_read_alone() {
    assert_eq!(places(referring), "", "the same as what?");
}

/// The packages that a manifest depends on, tests apart.
fn dependencies(manifest: &str) -> BTreeSet<&str> {
    let mut wanted = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            wanted = section.trim_end_matches(']').rsplit('.').next() == Some("dependencies");
            wanted &= !section.starts_with("workspace");
        } else if wanted && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let renamed = line.split("package = \"").nth(1).and_then(|rest| rest.split('"').next());
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            found.insert(renamed.unwrap_or(name));
        }
    }
    found
}

#[test]
fn the_table_of_crates_names_what_they_depend_on() {
    let root = root();
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let mut seen = 0;
    for row in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let path = cells[0].trim_matches(['|', '`', ' ']);
        let Ok(manifest) = std::fs::read_to_string(root.join(path).join("Cargo.toml")) else {
            continue;
        };
        // What is measured against others has too many to name.
        if path == "crates/polhode-bench" || cells.len() < 3 {
            continue;
        }
        let named = cells[2].split('`').skip(1).step_by(2).filter(|name| *name != "std");
        assert_eq!(named.collect::<BTreeSet<_>>(), dependencies(&manifest), "{path}");
        seen += 1;
    }
    assert!(seen > 15, "{seen} crates");
}

/// A table without rows: a report that measured nothing of what it shows, or no longer finds it by its name.
#[test]
fn tables_of_documents_have_rows() {
    let root = root();
    let mut found = Vec::new();
    files(&root, &mut found);
    let (mut tables, mut empty) = (0, Vec::new());
    for path in found.iter().filter(|path| path.extension().is_some_and(|e| e == "md")) {
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in (1..).zip(&lines) {
            if line.starts_with("|--") {
                tables += 1;
                if !lines.get(number).is_some_and(|row| row.starts_with('|')) {
                    empty.push(format!("{}:{number}", path.strip_prefix(&root).unwrap().display()));
                }
            }
        }
    }
    assert!(tables > 100, "only {tables} tables: the wrong folder?");
    assert!(empty.is_empty(), "without rows: {}", empty.join(", "));
}

#[test]
fn long_lines_are_found_and_tables_are_not() {
    let long = "word ".repeat(30);
    for (extension, text, want) in [
        ("md", format!("short\n{long}\n| {long} |\n```\n{long}\n```\n{long}\n"), vec![2, 7]),
        ("md", format!("{long} https://example.org\n"), vec![]),
        (
            "rs",
            format!("//! {long}\n//! | {long}\nlet a = \"{long}\";\n    // {long}\n"),
            vec![1, 4],
        ),
        (
            "py",
            format!("\"\"\"{long}\n{long}\n>>> {long}\n\"\"\"\na = \"{long}\"\n# {long}\n"),
            vec![1, 2, 6],
        ),
        ("toml", format!("description = \"{long}\"\n# {long}\n"), vec![2]),
        ("bib", format!("  note = {{{long}}},\n"), vec![1]),
        ("json", format!("{long}\n"), vec![]),
    ] {
        assert_eq!(long_lines(extension, &text), want, "{extension}");
    }
}
