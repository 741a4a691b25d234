//! What is cited, by the keys of `references.bib`.

/// A place in the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Citation {
    /// The key of an entry of `references.bib`.
    pub key: &'static str,
    /// The place in it: equation, algorithm or section.
    pub at: &'static str,
}

/// All entries, as BibTeX.
pub const REFERENCES: &str = include_str!("../references.bib");

/// How to cite this library itself, as BibTeX.
pub const OWN: &str = concat!(
    "@software{polhode,\n",
    "  author  = {{The polhode developers}},\n",
    "  title   = {polhode: rotation of rigid bodies, computed exactly},\n",
    "  version = {",
    env!("CARGO_PKG_VERSION"),
    "},\n",
    "  year    = {2026},\n",
    "}"
);

/// Every entry of [`REFERENCES`], its key and its whole text from the @ to the last brace.
pub fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let starts = REFERENCES.match_indices("\n@").map(|(newline, _)| newline + 1);
    starts.filter_map(|start| {
        let text = &REFERENCES[start..];
        // Entries end with a brace at the beginning of a line.
        let entry = &text[..text.find("\n}")? + 2];
        let (_, rest) = entry.split_once('{')?;
        Some((rest.split_once(',')?.0.trim(), entry))
    })
}

impl Citation {
    /// The BibTeX entry, if there is one.
    pub fn bibtex(&self) -> Option<&'static str> {
        entries().find_map(|(key, entry)| (key == self.key).then_some(entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_whole_and_nothing_else() {
        assert_eq!(entries().count(), REFERENCES.matches("\n@").count());
        for (key, entry) in entries().chain([("polhode", OWN)]) {
            assert!(entry.starts_with('@') && entry.ends_with("\n}"), "{key}: {entry}");
            let braces = |c: char| entry.matches(c).count();
            assert_eq!(braces('{'), braces('}'), "{key}");
            assert_eq!(entry.matches("\n@").count() + entry.matches("\n%").count(), 0, "{key}");
            for doi in entry.lines().filter_map(|line| line.trim().strip_prefix("doi")) {
                let doi = doi.trim_start_matches([' ', '=']).trim_end_matches(',');
                assert!(
                    doi.starts_with("{10.") && doi.contains('/') && doi.ends_with('}'),
                    "{key}"
                );
            }
        }
        // Every article can be looked up.
        for (key, entry) in entries().filter(|(_, entry)| entry.starts_with("@article{")) {
            let has_doi = entry.lines().any(|line| line.trim().starts_with("doi"));
            assert!(has_doi, "{key}");
        }
        let year = OWN.lines().find_map(|line| line.trim().strip_prefix("year    = {"));
        assert!(
            year.is_some_and(|y| y.trim_end_matches("},").parse::<u16>().is_ok_and(|y| y >= 2026)),
            "{OWN}"
        );
        let known = Citation { key: "Vilmart2008", at: "" }.bibtex();
        assert!(known.is_some_and(|e| e.starts_with("@article{Vilmart2008,")));
        assert_eq!(Citation { key: "Vilmart", at: "" }.bibtex(), None);
    }
}
