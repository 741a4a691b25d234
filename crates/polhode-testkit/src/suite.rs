//! Suites: test programs of many files.

use std::path::Path;

/// Fails if a file or folder beside a suite's `main.rs` is not one of its modules: its tests would
/// never run.
///
/// # Panics
/// If so, or if the folder cannot be read.
pub fn every_file_is_a_module(main: &str, folder: &Path) {
    let mut count = 0;
    for entry in folder.read_dir().expect("the folder of the suite") {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        if name != "main" {
            let line = format!("mod {name};");
            assert!(main.lines().any(|l| l == line), "main.rs has no `{line}`");
            count += 1;
        }
    }
    assert!(count > 0, "no files in {}", folder.display());
}
