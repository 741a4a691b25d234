//! Markdown that is written by programs.

/// Lines of prose are at most this long, in characters.
pub const LONGEST_LINE: usize = 120;

/// What lines are broken at, so that a correction of a word or two leaves the others as they are.
const WRAPPED: usize = 112;

/// The text with its long lines of prose broken: paragraphs and items of lists, but neither tables,
/// headings and pictures nor what stands between fences. Lines that are short enough stay as they are.
pub fn wrap(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len() + text.len() / 50);
    let mut fenced = false;
    for line in text.split_inclusive('\n') {
        fenced ^= line.starts_with("```");
        if fenced
            || line.starts_with(['|', '#', '!', '<'])
            || line.trim().chars().count() <= WRAPPED
        {
            wrapped.push_str(line);
        } else {
            wrap_line(line, &mut wrapped);
        }
    }
    wrapped
}

fn wrap_line(line: &str, wrapped: &mut String) {
    let rest = line.trim_start();
    let indent = line.len() - rest.len();
    // What goes on with an item stands below its text.
    let indent = if rest.starts_with("- ") { indent + 2 } else { indent };
    wrapped.push_str(&line[..line.len() - rest.len()]);
    let mut length = line.len() - rest.len();
    for (i, piece) in pieces(rest.trim_end()).iter().enumerate() {
        let more = piece.chars().count();
        if i == 0 {
            length += more;
        } else if length + 1 + more > WRAPPED && !is_marker(piece) {
            wrapped.push('\n');
            wrapped.push_str(&" ".repeat(indent));
            length = indent + more;
        } else {
            wrapped.push(' ');
            length += 1 + more;
        }
        wrapped.push_str(piece);
    }
    wrapped.push('\n');
}

/// Words, with what stands between backticks in one piece.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut quoted = false;
    for word in text.split(' ') {
        match pieces.last_mut() {
            Some(last) if quoted => {
                last.push(' ');
                last.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
        quoted ^= word.matches('`').count() % 2 == 1;
    }
    pieces
}

/// Would begin an item, a heading or a quotation, if it began a line.
fn is_marker(word: &str) -> bool {
    let number =
        word.strip_suffix(['.', ')']).is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    number || ["-", "+", "*", "=", ">", "|"].contains(&word) || word.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped_and_nothing_else() {
        let long = "word ".repeat(60);
        let kept = format!("| {long}|\n\n```\n{long}\n```\n\n# {long}\n");
        assert_eq!(wrap(&kept), kept);
        let text = format!("- {long}end\n{long}end\n");
        let wrapped = wrap(&text);
        assert!(wrapped.lines().all(|l| l.chars().count() <= WRAPPED));
        assert!(wrapped.lines().nth(1).unwrap().starts_with("  word"), "{wrapped}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&wrapped), words(&text));
        assert_eq!(wrap(&wrapped), wrapped);
    }

    #[test]
    fn no_line_begins_like_an_item_and_code_stays_whole() {
        for i in 0..40 {
            let text = format!("{}x - y 12. `a b c` + z {}", "w".repeat(80 + i), "w ".repeat(40));
            let wrapped = wrap(&text);
            assert!(wrapped.lines().all(|l| !is_marker(l.split(' ').next().unwrap())), "{wrapped}");
            assert!(wrapped.contains("`a b c`"), "{wrapped}");
        }
    }
}
