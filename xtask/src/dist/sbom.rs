//! The components of a compiled file, as a CycloneDX document: what `cargo metadata` says that it is made of.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::output;
use crate::machine::command;

pub(super) fn metadata() -> Result<Value, String> {
    let text = output(&mut command(&["cargo", "metadata", "--locked", "--format-version", "1"]))?;
    serde_json::from_str(&text).map_err(|e| format!("cargo metadata: {e}"))
}

/// The document of one package of the workspace.
pub(super) fn document(metadata: &Value, root: &str) -> Result<Value, String> {
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let packages: BTreeMap<String, Value> = list(&metadata["packages"])
        .into_iter()
        .filter_map(|package| Some((package["id"].as_str()?.to_owned(), package)))
        .collect();
    let edges: BTreeMap<String, Vec<String>> = list(&metadata["resolve"]["nodes"])
        .into_iter()
        .filter_map(|node| {
            let needed = list(&node["deps"]).into_iter().filter(is_compiled_in);
            let needed = needed.filter_map(|dep| Some(dep["pkg"].as_str()?.to_owned()));
            Some((node["id"].as_str()?.to_owned(), needed.collect()))
        })
        .collect();
    let is_root = |package: &&Value| package["name"] == root && package["source"].is_null();
    let root = packages.values().find(is_root).ok_or(format!("no package {root}"))?;
    let root_id = root["id"].as_str().unwrap_or_default();

    let mut reached = BTreeSet::new();
    let mut ahead = vec![root_id.to_owned()];
    while let Some(id) = ahead.pop() {
        if reached.insert(id.clone()) {
            ahead.extend(edges.get(&id).into_iter().flatten().cloned());
        }
    }
    let found = || reached.iter().filter_map(|id| Some((id, packages.get(id)?)));
    let components: Vec<Value> = found()
        .filter(|(id, _)| *id != root_id)
        .map(|(_, package)| component(package, "library"))
        .collect();
    let dependencies: Vec<Value> = found()
        .map(|(id, package)| {
            let on = edges.get(id).into_iter().flatten().filter_map(|id| packages.get(id));
            let on: BTreeSet<String> = on.map(url).collect();
            json!({ "ref": url(package), "dependsOn": on })
        })
        .collect();
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(root, "application") },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// Whether it is needed by what was compiled, not only by tests and build scripts.
fn is_compiled_in(dependency: &Value) -> bool {
    let kinds = dependency["dep_kinds"].as_array().cloned().unwrap_or_default();
    kinds.iter().any(|kind| kind["kind"].is_null())
}

fn component(package: &Value, kind: &str) -> Value {
    let mut component = json!({
        "type": kind,
        "bom-ref": url(package),
        "name": package["name"],
        "version": package["version"],
        "purl": url(package),
    });
    if let Some(license) = package["license"].as_str() {
        // Before there was a standard, choices were written with a slash.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(description) = package["description"].as_str() {
        component["description"] =
            json!(description.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    component
}

fn url(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{document, metadata};

    #[test]
    fn every_component_is_named_once_and_every_dependency_is_a_component() {
        let metadata = metadata().unwrap();
        let document = document(&metadata, "polhode-c").unwrap();
        let components = document["components"].as_array().unwrap();
        let mut known: BTreeSet<_> =
            components.iter().map(|c| c["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(known.len(), components.len());
        known.insert(document["metadata"]["component"]["bom-ref"].as_str().unwrap());
        for node in document["dependencies"].as_array().unwrap() {
            for on in node["dependsOn"].as_array().unwrap() {
                assert!(known.contains(on.as_str().unwrap()), "{on}");
            }
        }
        assert!(known.iter().any(|url| url.starts_with("pkg:cargo/libm@")));
        // Only its tests need that.
        assert!(!known.iter().any(|url| url.starts_with("pkg:cargo/cbindgen@")));
        assert!(components.iter().all(|c| c["licenses"][0]["expression"].is_string()));
    }

    #[test]
    fn an_unknown_package_is_told() {
        assert!(document(&metadata().unwrap(), "xyzzy").is_err());
    }
}
