//! What cargo tells of the packages here: `cargo metadata`, `cargo tree`, `Cargo.lock`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::machine::{command, output, root};

/// The version of everything that is released.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The oldest Rust that is supported, as `1.95`.
pub(crate) const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Where cargo puts what it builds.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    let folder = &metadata(&["--no-deps"])?["target_directory"];
    folder
        .as_str()
        .map(PathBuf::from)
        .ok_or_else(|| "cargo metadata: no target_directory".to_owned())
}

/// The packages of the workspace.
pub(crate) struct Workspace(Value);

impl Workspace {
    pub(crate) fn read() -> Result<Self, String> {
        metadata(&["--no-deps"]).map(Self)
    }

    /// Those that are published; the others have an empty list of registries.
    pub(crate) fn published(&self) -> impl Iterator<Item = Package<'_>> {
        packages(&self.0).filter(|package| package.is_published())
    }

    #[cfg(test)]
    fn all(&self) -> impl Iterator<Item = Package<'_>> {
        packages(&self.0)
    }
}

/// A package as `cargo metadata` describes it.
#[derive(Clone, Copy)]
pub(crate) struct Package<'a>(&'a Value);

impl<'a> Package<'a> {
    /// A text of it, empty if it has none.
    pub(crate) fn text(self, key: &str) -> &'a str {
        self.0[key].as_str().unwrap_or_default()
    }

    /// Name and version.
    pub(crate) fn key(self) -> Key {
        (self.text("name").to_owned(), self.text("version").to_owned())
    }

    /// The licence that it names. Before there was a standard, choices were written with a slash.
    pub(crate) fn license(self) -> String {
        self.text("license").replace('/', " OR ")
    }

    /// Whether it is one of this repository.
    pub(crate) fn is_ours(self) -> bool {
        self.0["source"].is_null()
    }

    fn is_published(self) -> bool {
        self.0["publish"].is_null()
    }

    /// Where its sources are.
    pub(crate) fn folder(self) -> PathBuf {
        PathBuf::from(self.text("manifest_path")).parent().map(PathBuf::from).unwrap_or_default()
    }

    /// The names of its features, those that only name an optional dependency among them.
    #[cfg(test)]
    pub(crate) fn features(self) -> Vec<&'a str> {
        let features = self.0["features"].as_object();
        features.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
    }
}

type Key = (String, String);

/// What is compiled into one package of the workspace for one target.
pub(crate) struct PackageContents {
    metadata: Value,
    /// Of the package itself.
    root: Key,
    /// Of the package and of all that is compiled into it.
    keys: BTreeSet<Key>,
    checksums: BTreeMap<Key, String>,
}

impl PackageContents {
    /// What cargo compiles into this package, for this target. Tests, build scripts and what runs in the compiler are
    /// not in it.
    pub(crate) fn into_package(package: &str, target: &str) -> Result<Self, String> {
        let metadata = metadata(&["--locked", "--filter-platform", target])?;
        let mut tree = command(&["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro"]);
        tree.args([
            "--prefix",
            "none",
            "--format",
            "{p}",
            "--package",
            package,
            "--target",
            target,
        ]);
        let tree = output(&mut tree)?;
        let keys: Vec<Key> = tree.lines().filter_map(key_of_line).collect();
        let root = keys.first().cloned().ok_or(format!("cargo tree says nothing of {package}"))?;
        let lock = root_file("Cargo.lock")?;
        Ok(Self { metadata, root, keys: keys.into_iter().collect(), checksums: checksums(&lock) })
    }

    pub(crate) fn root(&self) -> Result<Package<'_>, String> {
        let root = self.all().find(|package| package.key() == self.root);
        root.ok_or_else(|| format!("cargo metadata: no {}", self.root.0))
    }

    /// The packages that are compiled into it, in the order of their names.
    pub(crate) fn components(&self) -> Vec<Package<'_>> {
        let mut found: Vec<_> = self.all().filter(|package| package.key() != self.root).collect();
        found.sort_by_key(|package| package.key());
        found
    }

    /// Those of them that this one names as its dependencies.
    pub(crate) fn needed_by(&self, package: Package<'_>) -> Vec<Package<'_>> {
        let nodes = self.metadata["resolve"]["nodes"].as_array().into_iter().flatten();
        let node = nodes.into_iter().find(|node| node["id"] == package.0["id"]);
        let needed: BTreeSet<&str> = node
            .and_then(|node| node["dependencies"].as_array())
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let mut found = self.components();
        found.retain(|component| needed.contains(component.text("id")));
        found
    }

    /// SHA-256 of the file that the registry has of it, if it comes from there.
    pub(crate) fn checksum(&self, package: Package<'_>) -> Option<&str> {
        self.checksums.get(&package.key()).map(String::as_str)
    }

    fn all(&self) -> impl Iterator<Item = Package<'_>> {
        packages(&self.metadata).filter(|package| self.keys.contains(&package.key()))
    }
}

fn metadata(options: &[&str]) -> Result<Value, String> {
    let mut metadata = command(&["cargo", "metadata", "--format-version", "1"]);
    let text = output(metadata.args(options))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

fn packages(metadata: &Value) -> impl Iterator<Item = Package<'_>> {
    metadata["packages"].as_array().into_iter().flatten().map(Package)
}

/// Name and version of a line of `cargo tree`, like `glam v0.34.2`, with more behind.
fn key_of_line(line: &str) -> Option<Key> {
    let mut words = line.split_whitespace();
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

/// The checksums in a `Cargo.lock`.
fn checksums(lock: &str) -> BTreeMap<Key, String> {
    let value = |block: &str, key: &str| {
        let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \""))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks
        .filter_map(|block| {
            let key = (value(block, "name")?, value(block, "version")?);
            Some((key, value(block, "checksum")?))
        })
        .collect()
}

/// The text of a file of the repository.
pub(crate) fn root_file(name: &str) -> Result<String, String> {
    fs::read_to_string(root().join(name)).map_err(|e| format!("{name}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::{PackageContents, VERSION, Workspace, checksums, key_of_line, root_file};

    #[test]
    fn what_is_compiled_into_a_package_is_of_its_target() {
        let found =
            PackageContents::into_package("polhode-cli", "x86_64-unknown-linux-musl").unwrap();
        assert_eq!(found.root().unwrap().text("name"), "polhode-cli");
        let names: Vec<_> = found.components().iter().map(|p| p.text("name").to_owned()).collect();
        assert!(["polhode", "clap", "libm"].iter().all(|name| names.iter().any(|n| n == name)));
        // Of another system, of tests, of the compiler, of the benchmarks.
        for name in ["windows-sys", "tempfile", "serde_derive", "ode_solvers"] {
            assert!(!names.iter().any(|n| n == name), "{name} is not compiled into the program");
        }
        let of_registry = found.components().into_iter().filter(|package| !package.is_ours());
        for package in of_registry {
            assert_eq!(found.checksum(package).map(str::len), Some(64), "{}", package.text("name"));
        }
        assert!(PackageContents::into_package("xyzzy", "x86_64-unknown-linux-musl").is_err());
    }

    #[test]
    fn lines_of_a_tree_and_checksums_of_a_lock_are_read() {
        let key = ("glam".to_owned(), "0.34.2".to_owned());
        assert_eq!(key_of_line("glam v0.34.2 (*)"), Some(key.clone()));
        assert_eq!(key_of_line(""), None);
        let lock = "version = 4\n\n[[package]]\nname = \"glam\"\nversion = \"0.34.2\"\nchecksum = \"ab\"\n\n\
                    [[package]]\nname = \"polhode\"\nversion = \"0.1.0\"\n";
        let found = checksums(lock);
        assert_eq!(found.len(), 1);
        assert_eq!(found.get(&key).map(String::as_str), Some("ab"));
    }

    #[test]
    fn our_packages_need_each_other_in_this_version() {
        // Of an older one cargo takes whatever is compatible, and a package would be published that does not compile.
        let workspace = Workspace::read().unwrap();
        let mut named = 0;
        for package in workspace.all() {
            let name = package.text("name");
            assert_eq!(package.text("version"), VERSION, "{name}");
            for on in package.0["dependencies"].as_array().unwrap() {
                if on["path"].is_null() {
                    continue;
                }
                let (other, kind) = (on["name"].as_str().unwrap(), on["kind"].as_str());
                let asked = on["req"].as_str().unwrap();
                if asked == "*" {
                    // Cargo leaves tests' dependencies without a version out of what it publishes, and takes no others.
                    let free = kind == Some("dev") || !package.is_published();
                    assert!(free, "{name} does not say which {other} it needs");
                } else {
                    assert_eq!(asked, format!("^{VERSION}"), "{name} needs {other}");
                    named += 1;
                }
            }
        }
        assert!(named > 30, "{named}");
    }

    #[test]
    fn the_workspace_names_its_packages_in_this_version() {
        // Also those that no package needs, of which `cargo metadata` does not tell.
        let manifest = root_file("Cargo.toml").unwrap();
        let paths: Vec<_> =
            manifest.lines().filter(|line| line.contains("path = \"crates/")).collect();
        assert!(paths.len() > 5);
        for line in paths {
            let version = line.split("version = \"").nth(1).and_then(|rest| rest.split('"').next());
            assert!(version.is_none_or(|version| version == VERSION), "{line}");
        }
    }
}
