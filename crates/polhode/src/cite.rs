//! What is cited, by the keys of `docs/references.bib`.

/// A place in the literature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Citation {
    /// The key of an entry of `docs/references.bib`.
    pub key: &'static str,
    /// The place in it: equation, algorithm or section.
    pub at: &'static str,
}

/// All entries, as BibTeX.
pub const REFERENCES: &str = include_str!("../../../docs/references.bib");

impl Citation {
    /// The BibTeX entry, if there is one.
    pub fn bibtex(&self) -> Option<&'static str> {
        REFERENCES.split("\n@").find_map(|entry| {
            let entry = entry.strip_prefix('@').unwrap_or(entry);
            let (_, rest) = entry.split_once('{')?;
            (rest.split_once(',')?.0.trim() == self.key).then(|| entry.trim_end())
        })
    }
}
