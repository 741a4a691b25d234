//! What a release consists of: the checksums of everything, after a look at all of it together.

use std::process::Command;

use super::{PartResult, Place, archive, privacy};
use crate::machine::{output, root};
use crate::metadata::{VERSION, root_file};

/// The name of the list; `sha256sum --check` reads it.
const CHECKSUMS: &str = "SHA256SUMS";

/// The documents that tell users which file to take.
const DOCUMENTS: [&str; 3] =
    ["README.md", "crates/polhode-python/README.md", "docs/c-and-fortran.md"];

pub(super) fn make(place: &Place) -> Result<PartResult, String> {
    let mut files = archive::files(&place.dist)?;
    // A release is one folder: whoever has downloaded a file checks it beside the list.
    files.retain(|file| file.parent() == Some(&place.dist) && archive::name(file) != CHECKSUMS);
    let folders = privacy::check(place, &files)?;
    let made: Vec<String> = files.iter().map(|file| archive::name(file)).collect();
    let mut notes = Vec::new();
    for document in DOCUMENTS {
        notes.extend(compare(document, &named(&root_file(document)?), &made)?);
    }
    let tag = tag();
    notes.extend(release(&root_file("CHANGELOG.md")?, &root_file("CITATION.cff")?, &tag)?);
    // Git refuses the sources of another user, which are no worse for that.
    notes.extend(match changes() {
        Ok(changes) => committed(&changes, &tag)?,
        Err(error) => Some(format!("whether all sources are committed is not known: {error}")),
    });

    let mut list = String::new();
    for file in &files {
        list.extend([&archive::checksum(file)?, "  ", &archive::name(file), "\n"]);
    }
    archive::write(&place.dist.join(CHECKSUMS), &list)?;
    notes.push(format!("{CHECKSUMS}: {} files; none names {}", files.len(), folders.join(", ")));
    Ok(PartResult { count: 1, notes })
}

/// The archives and wheels that a text names.
fn named(text: &str) -> Vec<String> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let words = text.split(|c: char| !is_of_name(c)).filter(|word| kind(word).is_some());
    let mut names: Vec<String> = words.map(str::to_owned).collect();
    names.sort();
    names.dedup();
    names
}

/// What a name is before its version, whether it is for one system, and how it ends: those of one kind differ by
/// version and system.
fn kind(name: &str) -> Option<(&str, bool, &str)> {
    let end = [".tar.gz", ".whl"].into_iter().find(|end| name.ends_with(end))?;
    let (begin, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
    begin.contains("polhode").then_some((begin, rest.contains('-'), end))
}

/// Whether the files that a document names are made. Of a kind that was not made at all, for want of a tool, only the
/// version is looked at; those come back to be told.
fn compare(document: &str, named: &[String], made: &[String]) -> Result<Vec<String>, String> {
    if named.is_empty() {
        return Err(format!("{document} names no file to install"));
    }
    let mut unmade = Vec::new();
    for name in named.iter().filter(|name| !made.contains(name)) {
        let of_its_kind: Vec<_> = made.iter().filter(|other| kind(other) == kind(name)).collect();
        let is_of_version = ["-", "."].iter().any(|end| name.contains(&format!("-{VERSION}{end}")));
        if !of_its_kind.is_empty() || !is_of_version {
            return Err(format!("{document} names {name}, but made were {of_its_kind:?}"));
        }
        unmade.push(format!("{document} names {name}, which was not made here"));
    }
    Ok(unmade)
}

/// The tag of what is released, if the sources are those of one; other tags are no business of a release.
fn tag() -> String {
    let mut describe = Command::new("git");
    describe.args(["describe", "--tags", "--exact-match", "--match", "v[0-9]*"]);
    describe.current_dir(root());
    output(&mut describe).unwrap_or_default().trim().to_owned()
}

/// What `git status` tells of the sources.
fn changes() -> Result<String, String> {
    let mut status = Command::new("git");
    // Without this, git may write into its folder, and whoever makes a release need not own that.
    status.args(["--no-optional-locks", "status", "--porcelain"]).current_dir(root());
    // Unpacked sources are those of no commit.
    if root().join(".git").exists() { output(&mut status) } else { Ok(String::new()) }
}

/// Whether the sources are those of a commit, as those of a tag must be: packages are made of whatever is there.
fn committed(changes: &str, tag: &str) -> Result<Option<String>, String> {
    let files: Vec<&str> = changes.lines().map(str::trim).collect();
    if files.is_empty() {
        return Ok(None);
    }
    let words = format!("made of sources that are not committed: {}", files.join(", "));
    if tag.is_empty() { Ok(Some(words)) } else { Err(format!("at {tag}, {words}")) }
}

/// Whether the tag and the citation file have this version, and the changelog its date, which a release must have, and
/// the citation file the same one.
fn release(changelog: &str, citation: &str, tag: &str) -> Result<Option<String>, String> {
    if !tag.is_empty() && tag != format!("v{VERSION}") {
        return Err(format!("the version is {VERSION} in Cargo.toml, and the tag {tag}"));
    }
    let heading = rest_of_line(changelog, &format!("## [{VERSION}] - "));
    let heading = heading.ok_or(format!("CHANGELOG.md has no section of {VERSION}"))?;
    let cited = rest_of_line(citation, "version: ").unwrap_or("none");
    if cited != VERSION {
        return Err(format!("the version is {VERSION} in Cargo.toml and {cited} in CITATION.cff"));
    }
    if heading.starts_with(|c: char| c.is_ascii_digit()) {
        let cited = rest_of_line(citation, "date-released: ").unwrap_or("none");
        let words = format!("the date is {heading} in CHANGELOG.md and {cited} in CITATION.cff");
        return if cited == heading { Ok(None) } else { Err(words) };
    }
    let words = format!("CHANGELOG.md, which goes along, says of {VERSION}: {heading}");
    if tag.is_empty() { Ok(Some(words)) } else { Err(words) }
}

/// What follows in the first line that begins so.
fn rest_of_line<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(begin))
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENTS, VERSION, committed, compare, named, release, root_file};

    #[test]
    fn documents_name_files_of_this_version() {
        for document in DOCUMENTS {
            let named = named(&root_file(document).unwrap());
            assert!(compare(document, &named, &[]).is_ok(), "{document}: {named:?}");
        }
        assert!(compare("x", &[], &[]).is_err());
    }

    #[test]
    fn a_name_that_is_not_made_is_told() {
        let text = "take `libpolhode-0.0.7-x86_64-unknown-linux-gnu.tar.gz`, or (polhode-0.0.7-cp310-abi3-a.whl).";
        let old = named(text);
        assert_eq!(old.len(), 2);
        assert!(compare("x", &old, &[]).is_err_and(|e| e.contains("0.0.7")));
        let name = format!("polhode-{VERSION}-cp310-abi3-manylinux.whl");
        let other = format!("polhode-{VERSION}-cp310-abi3-musllinux.whl");
        let archive = format!("libpolhode-{VERSION}-a.tar.gz");
        let name = [name];
        assert_eq!(compare("x", &name, &name), Ok(vec![]));
        assert!(compare("x", &name, &[other]).is_err());
        assert!(compare("x", &name, &[archive]).is_ok_and(|notes| notes.len() == 1));
        // Sources are for every system: those of Python do not stand for a program.
        let program = [format!("polhode-{VERSION}-x86_64-unknown-linux-musl.tar.gz")];
        let sources = [format!("polhode-{VERSION}.tar.gz")];
        assert!(compare("x", &program, &sources).is_ok_and(|notes| notes.len() == 1));
    }

    #[test]
    fn a_release_has_a_date() {
        let (open, tag) =
            (format!("# C\n\n## [{VERSION}] - not yet released\n"), format!("v{VERSION}"));
        let cited = &format!("cff-version: 1.2.0\nversion: {VERSION}\ndate-released: 2030-01-02\n");
        assert!(release(&open, cited, "").is_ok_and(|note| note.is_some()));
        assert!(release(&open, cited, &tag).is_err());
        let dated = open.replace("not yet released", "2030-01-02");
        assert_eq!(release(&dated, cited, &tag), Ok(None));
        assert!(release(&dated, cited, "v0.0.7").is_err_and(|e| e.ends_with("the tag v0.0.7")));
        let other = cited.replace("2030-01-02", "2029-12-31");
        assert!(release(&dated, &other, "").is_err_and(|e| e.contains("2029-12-31")));
        let other = cited.replace(VERSION, "0.0.7");
        assert!(release(&dated, &other, "").is_err_and(|e| e.contains("0.0.7")));
        assert!(release(&dated, "", "").is_err());
        assert!(release("", cited, "").is_err());
        let ours = ["CHANGELOG.md", "CITATION.cff"].map(|file| root_file(file).unwrap());
        assert!(release(&ours[0], &ours[1], "").is_ok());
    }

    #[test]
    fn a_tag_is_of_what_is_committed() {
        assert_eq!(committed("", "v1"), Ok(None));
        let changed = " M Cargo.toml\n?? new.rs\n";
        assert!(committed(changed, "").is_ok_and(|note| note.unwrap().contains("?? new.rs")));
        assert!(committed(changed, "v1").is_err_and(|e| e.contains("M Cargo.toml, ?? new.rs")));
    }
}
