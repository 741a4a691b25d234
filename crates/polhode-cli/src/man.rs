//! Pages of the manual: those of `clap_mangen`, but with the values of options in the synopsis, and with examples in
//! the lines in which they are typed.

use std::io;

use clap::Command;

/// The page of a command in roff; `source` is what it belongs to.
pub(crate) fn page(mut command: Command, source: &str) -> io::Result<String> {
    let usage = command.render_usage().to_string();
    let help = command.get_after_long_help().or_else(|| command.get_after_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let mut rendered = Vec::new();
    clap_mangen::Man::new(command).source(source).render(&mut rendered)?;
    let rendered = String::from_utf8_lossy(&rendered);
    let mut sections = rendered.split("\n.SH ");
    let mut page = sections.next().unwrap_or_default().to_owned() + "\n";
    for section in sections {
        let (name, body) = section.split_once('\n').unwrap_or((section, ""));
        match name {
            "SYNOPSIS" => page += &synopsis(&usage),
            "EXTRA" => page += &explanations(&help),
            _ => page.extend([".SH ", name, "\n", body.trim_end(), "\n"]),
        }
    }
    Ok(page)
}

/// The usage as it stands in the help, without its heading.
fn synopsis(usage: &str) -> String {
    let usage = usage.trim_start_matches("Usage:");
    let lines = usage.lines().map(|line| escaped(line.trim()));
    format!(".SH SYNOPSIS\n.nf\n{}\n.fi\n", lines.collect::<Vec<_>>().join("\n"))
}

/// What follows the options in the help: examples as they are, all else as paragraphs.
fn explanations(help: &str) -> String {
    let mut page = String::new();
    let mut section = "";
    for paragraph in help.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let (heading, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let begins_examples = ["Example:", "Examples:"].contains(&heading.trim());
        let text = if begins_examples { rest } else { paragraph };
        let as_it_is = begins_examples || text.lines().any(|line| line.starts_with("  "));
        let name = if begins_examples || (as_it_is && section == "EXAMPLES") {
            "EXAMPLES"
        } else {
            "NOTES"
        };
        if name == section {
            page += ".PP\n";
        } else {
            page.extend([".SH ", name, "\n"]);
            section = name;
        }
        let lines = text.lines().map(escaped).collect::<Vec<_>>().join("\n");
        if as_it_is {
            page.extend([".nf\n", &lines, "\n.fi\n"]);
        } else {
            page.extend([&lines, "\n"]);
        }
    }
    page
}

/// A line whose characters mean themselves in roff.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    // Otherwise it would be a request.
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, Command};

    use super::page;

    #[test]
    fn values_examples_and_notes_are_in_the_page() {
        let help = "Examples:\n  At three times:\n    polhode free --at 1,2,3\n\n  'And':\n    .x\n\n\
                    Units are\nyours.\n\nMore.";
        let command = Command::new("free")
            .about("Where it is")
            .arg(Arg::new("at").long("at").value_name("T1,T2,..").required(true).help("Times"))
            .after_help(help);
        let page = page(command, "polhode 1.2.3").unwrap();
        assert!(page.contains(".SH SYNOPSIS\n.nf\nfree \\-\\-at <T1,T2,..>\n.fi\n"), "{page}");
        let examples = ".SH EXAMPLES\n.nf\n  At three times:\n    polhode free \\-\\-at 1,2,3\n.fi\n.PP\n.nf\n  \
                        \\(aqAnd\\(aq:\n    .x\n.fi\n";
        assert!(page.contains(examples), "{page}");
        assert!(page.contains(".SH NOTES\nUnits are\nyours.\n.PP\nMore.\n"), "{page}");
        assert!(page.contains("\"polhode 1.2.3\"") && page.contains(".SH OPTIONS\n"), "{page}");
        assert!(!page.contains("EXTRA"), "{page}");
    }
}
