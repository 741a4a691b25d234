//! What a formula may name: more than time and state where something is observed.

use super::parse::{ParseResult, Parser};

/// What a text may name beside what every formula may.
pub(crate) trait Scope {
    /// The number of the variable of that name, which stands at that byte, or of a function whose arguments come
    /// next. None if it is neither.
    fn term(
        &mut self,
        name: &str,
        at: usize,
        parser: &mut Parser<'_>,
    ) -> ParseResult<Option<usize>>;

    /// All names, for what is misspelt.
    fn names(&self) -> Vec<String>;
}

/// There is nothing else.
pub(crate) struct PlainScope;

impl Scope for PlainScope {
    fn term(
        &mut self,
        _name: &str,
        _at: usize,
        _parser: &mut Parser<'_>,
    ) -> ParseResult<Option<usize>> {
        Ok(None)
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}
