//! The table of torques as records to write.

use std::io::{self, Write};

use polhode::catalog;
use polhode::torque::{KeyValue, TorqueEntry};
use serde::Serialize;

use super::CatalogueRecord;
use super::records::CitationRecord;

#[derive(Serialize)]
pub(super) struct TorqueRecord {
    kind: &'static str,
    title: &'static str,
    keys: Vec<KeyRecord>,
    citations: Vec<CitationRecord>,
}

#[derive(Serialize)]
struct KeyRecord {
    name: &'static str,
    doc: &'static str,
    allowed: String,
    required: bool,
    default: Option<serde_json::Value>,
}

impl CatalogueRecord for TorqueRecord {
    fn id(&self) -> &str {
        self.kind
    }

    fn title(&self) -> &str {
        self.title
    }
}

/// Every torque.
pub(super) fn torques() -> Vec<TorqueRecord> {
    let record = |kind: &&'static TorqueEntry| TorqueRecord {
        kind: kind.kind,
        title: kind.title,
        keys: kind
            .keys
            .iter()
            .map(|key| KeyRecord {
                name: key.name,
                doc: key.doc,
                allowed: key.kind.allowed(),
                required: key.kind.default().is_none(),
                default: key.kind.default().map(|value| match value {
                    KeyValue::Number(x) => x.into(),
                    KeyValue::Numbers(list) => list.into(),
                    other => other.to_string().trim_matches('"').into(),
                }),
            })
            .collect(),
        citations: CitationRecord::list(kind.cites),
    };
    catalog().torques.iter().map(record).collect()
}

impl TorqueRecord {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.kind, self.title)?;
        for KeyRecord { name, doc, allowed, default, .. } in &self.keys {
            let default = match default {
                Some(serde_json::Value::String(word)) => format!("; {word} by default"),
                Some(value) => format!("; {value} by default"),
                None => "; required".into(),
            };
            writeln!(out, "    {name}: {doc} ({allowed}{default})")?;
        }
        for cite in &self.citations {
            cite.write(out)?;
        }
        Ok(())
    }
}
