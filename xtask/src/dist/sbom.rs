//! The components of a compiled file, as a CycloneDX document.

use serde_json::{Value, json};

use super::archive;
use crate::metadata::{Package, PackageContents};

/// Whether what was compiled is a program or a library.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Program,
    Library,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Program => "application",
            Self::Library => "library",
        }
    }
}

/// The document of what was compiled, the same bytes for the same components.
pub(super) fn document(compiled: &PackageContents, kind: Kind) -> Result<String, String> {
    let root = compiled.root()?;
    let components = compiled.components();
    let mut document = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(compiled, root, kind.name()) },
        "components": components
            .iter()
            .map(|package| component(compiled, *package, "library"))
            .collect::<Vec<_>>(),
        "dependencies": components
            .iter()
            .chain([&root])
            .map(|package| {
                let needed = compiled.needed_by(*package).into_iter().map(url);
                json!({ "ref": url(*package), "dependsOn": needed.collect::<Vec<_>>() })
            })
            .collect::<Vec<_>>(),
    });
    document["serialNumber"] = json!(serial_number(&document.to_string()));
    let text = serde_json::to_string_pretty(&document).map_err(|e| e.to_string())?;
    Ok(text + "\n")
}

/// A UUID of version 8, which is made of what one likes: here of the content, so that equal documents have equal ones.
fn serial_number(content: &str) -> String {
    let mut digits: Vec<char> = archive::sha256(content.as_bytes()).chars().take(32).collect();
    digits[12] = '8';
    digits[16] = 'a';
    let part = |from: usize, to: usize| digits[from..to].iter().collect::<String>();
    let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
    format!("urn:uuid:{}", parts.join("-"))
}

fn component(compiled: &PackageContents, package: Package<'_>, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": url(package),
        "name": package.text("name"),
        "version": package.text("version"),
        "purl": url(package),
    });
    if !package.license().is_empty() {
        component["licenses"] = json!([{ "expression": package.license() }]);
    }
    if let Some(checksum) = compiled.checksum(package) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    let description: Vec<_> = package.text("description").split_whitespace().collect();
    if !description.is_empty() {
        component["description"] = json!(description.join(" "));
    }
    component
}

fn url(package: Package<'_>) -> String {
    // A version may have a plus, which package URLs do not have as such.
    let version = package.text("version").replace('+', "%2B");
    format!("pkg:cargo/{}@{version}", package.text("name"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::{Kind, document, serial_number};
    use crate::metadata::PackageContents;

    #[test]
    fn every_component_is_named_once_and_every_dependency_is_a_component() {
        let compiled =
            PackageContents::into_package("polhode-c", "x86_64-unknown-linux-gnu").unwrap();
        let text = document(&compiled, Kind::Library).unwrap();
        assert_eq!(text, document(&compiled, Kind::Library).unwrap());
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["metadata"]["component"]["type"], "library");
        let components = document["components"].as_array().unwrap();
        let mut known: BTreeSet<_> =
            components.iter().map(|c| c["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(known.len(), components.len());
        known.insert(document["metadata"]["component"]["bom-ref"].as_str().unwrap());
        let mut edges = 0;
        for node in document["dependencies"].as_array().unwrap() {
            for on in node["dependsOn"].as_array().unwrap() {
                assert!(known.contains(on.as_str().unwrap()), "{on}");
                edges += 1;
            }
        }
        assert!(edges >= components.len(), "each of them is needed by some other");
        assert!(known.iter().any(|url| url.starts_with("pkg:cargo/libm@")));
        // Only its tests need that.
        assert!(!known.iter().any(|url| url.starts_with("pkg:cargo/cbindgen@")));
        assert!(components.iter().all(|c| c["licenses"][0]["expression"].is_string()));
        assert!(components.iter().any(|c| c["hashes"][0]["alg"] == "SHA-256"));
    }

    #[test]
    fn urls_have_no_plus() {
        let compiled =
            PackageContents::into_package("polhode-cli", "x86_64-unknown-linux-musl").unwrap();
        let urls: Vec<_> = compiled.components().into_iter().map(super::url).collect();
        assert!(urls.iter().any(|url| url.starts_with("pkg:cargo/toml@") && url.contains("%2B")));
        assert!(urls.iter().all(|url| !url.contains('+')));
    }

    #[test]
    fn the_serial_number_is_a_uuid_of_the_content() {
        let number = serial_number("some");
        let parts: Vec<_> = number.strip_prefix("urn:uuid:").unwrap().split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12]);
        assert!(parts[2].starts_with('8') && parts[3].starts_with('a'));
        assert_ne!(number, serial_number("other"));
    }
}
