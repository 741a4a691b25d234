//! The list of reference files with their hashes: a missing, altered or unlisted file is an error.
//!
//! One line a file in `MANIFEST`, as `sha256sum` prints it, then how many entries it holds:
//!
//! ```text
//! f42b97...d330  free_A.json  227 cases
//! ```

use core::fmt;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Name of the list inside the folder it describes.
pub const FILE_NAME: &str = "MANIFEST";

/// Why a folder of reference data cannot be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ManifestError {
    /// The list or a file on it cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: String,
    },
    /// A line that is not `<sha256>  <file>  <count> <cases|rows>`.
    Malformed {
        /// Line number, from 1.
        line: usize,
        /// The line.
        text: String,
    },
    /// The list names no file at all.
    Empty,
    /// The bytes of a file are not the ones that were listed.
    Altered {
        /// The file.
        file: String,
        /// Hash in the list.
        listed: String,
        /// Hash of the bytes found.
        found: String,
    },
    /// A file in the folder that is not on the list.
    Unlisted {
        /// The file.
        file: String,
    },
    /// A file is not JSON, or lacks the array it should hold.
    NotData {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file holds another number of entries than listed.
    Count {
        /// The file.
        file: String,
        /// Number in the list.
        listed: usize,
        /// Number of entries found.
        found: usize,
    },
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, reason } => write!(
                f,
                "cannot read {}: {reason}; restore it with `git checkout oracle`",
                path.display()
            ),
            Self::Malformed { line, text } => write!(
                f,
                "{FILE_NAME} line {line}: expected `<sha256>  <file>  <count> <cases|rows>`, got {text:?}"
            ),
            Self::Empty => write!(f, "{FILE_NAME} lists no file"),
            Self::Altered { file, listed, found } => write!(
                f,
                "{file} was altered: its hash is {found}, {FILE_NAME} says {listed}; \
                 restore it with `git checkout oracle`, or list the new hash if the change is meant"
            ),
            Self::Unlisted { file } => write!(
                f,
                "{file} is not in {FILE_NAME}: remove it, or add its line so that it is checked"
            ),
            Self::NotData { file, reason } => write!(f, "{file} is not reference data: {reason}"),
            Self::Count { file, listed, found } => {
                write!(f, "{file} holds {found} entries, {FILE_NAME} says {listed}")
            }
        }
    }
}

impl std::error::Error for ManifestError {}

/// One line of the list.
struct Entry {
    hash: String,
    file: String,
    count: usize,
    key: String,
}

/// Checks every file of the folder `dir` against the list in it.
///
/// # Errors
/// A [`ManifestError`] for the first fault found.
pub fn verify(dir: &Path) -> Result<(), ManifestError> {
    let entries = entries(dir)?;
    for entry in &entries {
        checked_document(dir, entry)?;
    }
    let listed: BTreeSet<&str> = entries.iter().map(|entry| entry.file.as_str()).collect();
    let folder = fs::read_dir(dir).map_err(|error| unreadable(dir, &error))?;
    for item in folder {
        let item = item.map_err(|error| unreadable(dir, &error))?;
        let file = item.file_name().to_string_lossy().into_owned();
        if file != FILE_NAME && !listed.contains(file.as_str()) {
            return Err(ManifestError::Unlisted { file });
        }
    }
    Ok(())
}

/// The entries of the listed file `name`, with the whole folder checked first.
pub(crate) fn load(dir: &Path, name: &str) -> Result<Vec<Value>, ManifestError> {
    verify(dir)?;
    let entry = entries(dir)?
        .into_iter()
        .find(|entry| entry.file == name)
        .ok_or_else(|| ManifestError::Unlisted { file: name.to_owned() })?;
    checked_document(dir, &entry)
}

fn entries(dir: &Path) -> Result<Vec<Entry>, ManifestError> {
    let path = dir.join(FILE_NAME);
    let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let entries = text
        .lines()
        .enumerate()
        .map(|(index, line)| {
            parse_line(line)
                .ok_or_else(|| ManifestError::Malformed { line: index + 1, text: line.to_owned() })
        })
        .collect::<Result<Vec<_>, _>>()?;
    if entries.is_empty() {
        return Err(ManifestError::Empty);
    }
    Ok(entries)
}

fn parse_line(line: &str) -> Option<Entry> {
    let [hash, file, count, key] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        return None;
    };
    let is_hash = hash.len() == 64 && hash.bytes().all(|b| b.is_ascii_hexdigit());
    // A file without entries would make every loop over it pass.
    let count = count.parse().ok().filter(|&count| count > 0)?;
    (is_hash && matches!(key, "cases" | "rows")).then(|| Entry {
        hash: hash.to_owned(),
        file: file.to_owned(),
        count,
        key: key.to_owned(),
    })
}

/// The entries of one file whose hash and count are as listed.
fn checked_document(dir: &Path, entry: &Entry) -> Result<Vec<Value>, ManifestError> {
    let path = dir.join(&entry.file);
    let bytes = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
    let found = hex(&Sha256::digest(&bytes));
    if found != entry.hash {
        return Err(ManifestError::Altered {
            file: entry.file.clone(),
            listed: entry.hash.clone(),
            found,
        });
    }
    let not_data = |reason: String| ManifestError::NotData { file: entry.file.clone(), reason };
    let mut document: Value =
        serde_json::from_slice(&bytes).map_err(|error| not_data(error.to_string()))?;
    let Some(Value::Array(items)) = document.get_mut(&entry.key).map(Value::take) else {
        return Err(not_data(format!("no array {:?}", entry.key)));
    };
    if items.len() != entry.count {
        return Err(ManifestError::Count {
            file: entry.file.clone(),
            listed: entry.count,
            found: items.len(),
        });
    }
    Ok(items)
}

fn unreadable(path: &Path, error: &std::io::Error) -> ManifestError {
    ManifestError::Unreadable { path: path.to_owned(), reason: error.to_string() }
}

fn hex(bytes: &[u8]) -> String {
    use fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle;

    /// A copy of the reference data, removed at the end of the test.
    struct Copy(PathBuf);

    impl Copy {
        fn new(name: &str) -> Self {
            let dir =
                std::env::temp_dir().join(format!("polhode-testkit-{}-{name}", std::process::id()));
            fs::create_dir_all(&dir).unwrap();
            for item in fs::read_dir(oracle::folder()).unwrap() {
                let item = item.unwrap();
                // `fs::copy` would keep the read-only mode of the originals.
                let bytes = fs::read(item.path()).unwrap();
                fs::write(dir.join(item.file_name()), bytes).unwrap();
            }
            Self(dir)
        }

        fn edit(&self, file: &str, change: impl FnOnce(&mut Vec<u8>)) {
            let path = self.0.join(file);
            let mut bytes = fs::read(&path).unwrap();
            change(&mut bytes);
            fs::write(path, bytes).unwrap();
        }

        /// Makes the list agree with the file's present bytes.
        fn relist(&self, file: &str, count: usize) {
            let hash = hex(&Sha256::digest(fs::read(self.0.join(file)).unwrap()));
            self.edit(FILE_NAME, |list| {
                let text = String::from_utf8(list.clone()).unwrap();
                let lines = text.lines().map(|line| {
                    if line.contains(file) {
                        format!("{hash}  {file}  {count} cases\n")
                    } else {
                        format!("{line}\n")
                    }
                });
                *list = lines.collect::<String>().into_bytes();
            });
        }
    }

    impl Drop for Copy {
        fn drop(&mut self) {
            // Nothing to do about a temporary folder that stays.
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_data_as_committed_is_whole() {
        assert_eq!(verify(&oracle::folder()), Ok(()));
        assert_eq!(verify(&Copy::new("whole").0), Ok(()));
    }

    #[test]
    fn one_changed_byte_is_found() {
        let copy = Copy::new("byte");
        copy.edit("long_A.json", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        });
        let error = verify(&copy.0).unwrap_err();
        assert!(matches!(&error, ManifestError::Altered { file, .. } if file == "long_A.json"));
        assert!(error.to_string().contains("git checkout"), "{error}");
        // Also when another file of the folder is asked for.
        assert!(load(&copy.0, "free_A.json").is_err());
    }

    #[test]
    fn a_missing_file_is_found() {
        for file in ["torqued_A.json", FILE_NAME] {
            let copy = Copy::new(&format!("missing-{file}"));
            fs::remove_file(copy.0.join(file)).unwrap();
            let error = verify(&copy.0).unwrap_err();
            assert!(
                matches!(&error, ManifestError::Unreadable { path, .. } if path.ends_with(file))
            );
        }
    }

    #[test]
    fn a_file_not_listed_is_found() {
        let copy = Copy::new("unlisted");
        fs::write(copy.0.join("free_B.json"), "{}").unwrap();
        let file = "free_B.json".to_owned();
        assert_eq!(verify(&copy.0), Err(ManifestError::Unlisted { file }));
    }

    #[test]
    fn an_empty_file_and_an_empty_list_are_found() {
        let copy = Copy::new("empty");
        copy.edit("long_A.json", Vec::clear);
        assert!(matches!(verify(&copy.0), Err(ManifestError::Altered { .. })));
        copy.relist("long_A.json", 30);
        assert!(matches!(verify(&copy.0), Err(ManifestError::NotData { .. })));
        copy.edit(FILE_NAME, Vec::clear);
        assert_eq!(verify(&copy.0), Err(ManifestError::Empty));
    }

    #[test]
    fn a_wrong_count_is_found() {
        let copy = Copy::new("count");
        copy.relist("long_A.json", 31);
        let (file, listed, found) = ("long_A.json".to_owned(), 31, 30);
        assert_eq!(verify(&copy.0), Err(ManifestError::Count { file, listed, found }));
        copy.relist("long_A.json", 0);
        assert!(matches!(verify(&copy.0), Err(ManifestError::Malformed { line: 2, .. })));
    }
}
