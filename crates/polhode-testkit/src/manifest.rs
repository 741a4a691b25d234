//! The list of reference files with their hashes: a missing, altered or unlisted file ends the test.
//!
//! One line a file in `MANIFEST`, as `sha256sum` prints it, then how many entries it holds:
//!
//! ```text
//! f42b97...d330  free_A.json  227 cases
//! ```

use std::fs;
use std::path::Path;

use serde_json::Value;
use sha2::{Digest, Sha256};

const FILE_NAME: &str = "MANIFEST";

/// The entries of the listed file `name` in the folder `dir`.
///
/// # Panics
/// If its bytes are not the ones that were listed.
pub(crate) fn load(dir: &Path, name: &str) -> Vec<Value> {
    let list = String::from_utf8(bytes(dir, FILE_NAME)).expect("MANIFEST is text");
    let line = list.lines().find(|line| line.split_whitespace().nth(1) == Some(name));
    let line = line.unwrap_or_else(|| panic!("{name} is not in {FILE_NAME}"));
    let [hash, _, count, key] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{FILE_NAME}: expected `<sha256>  <file>  <count> <cases|rows>`, got {line:?}");
    };
    let bytes = bytes(dir, name);
    let digest = Sha256::digest(&bytes);
    let found = digest.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    assert_eq!(
        found, hash,
        "{name} was altered: restore it with `git checkout oracle`, or list the new hash if the change is meant"
    );
    let mut document: Value =
        serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Value::Array(items) = document[key].take() else { panic!("{name}: no array {key:?}") };
    // A file without entries would make every loop over it pass.
    assert!(!items.is_empty() && items.len().to_string() == count, "{name}: not {count} {key}");
    items
}

fn bytes(dir: &Path, name: &str) -> Vec<u8> {
    let path = dir.join(name);
    fs::read(&path).unwrap_or_else(|error| {
        panic!("cannot read {}: {error}; restore it with `git checkout oracle`", path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::folder;

    #[test]
    fn every_file_is_listed_and_as_it_was() {
        for file in fs::read_dir(folder()).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            if name != FILE_NAME {
                load(&folder(), &name);
            }
        }
    }

    #[test]
    fn one_changed_byte_is_found() {
        let dir = std::env::temp_dir().join(format!("polhode-testkit-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join(FILE_NAME), bytes(&folder(), FILE_NAME)).unwrap();
        let mut data = bytes(&folder(), "long_A.json");
        fs::write(dir.join("long_A.json"), &data).unwrap();
        assert_eq!(load(&dir, "long_A.json").len(), 30);
        let middle = data.len() / 2;
        data[middle] ^= 1;
        fs::write(dir.join("long_A.json"), &data).unwrap();
        let refused = std::panic::catch_unwind(|| load(&dir, "long_A.json")).unwrap_err();
        let message = refused.downcast_ref::<String>().unwrap();
        assert!(message.contains("long_A.json was altered"), "{message}");
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    #[should_panic(expected = "free_B.json is not in MANIFEST")]
    fn a_file_not_listed_is_refused() {
        load(&folder(), "free_B.json");
    }
}
