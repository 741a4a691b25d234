//! The entries of the catalogue as records to write.

use std::io::{self, Write};

use polhode::cite::Citation;
use polhode::method::{Keeps, Order};
use polhode::parameters::{MethodParameter, ParameterKind};
use polhode::torque::Dependence;
use polhode::{CatalogEntry, EntryKind, catalog};
use serde::{Serialize, Serializer};

use super::{CatalogueRecord, columns, derivatives, lanes};

/// Everything that can stand in the id of a method.
#[derive(Serialize)]
pub(super) struct Methods {
    pub(super) schemes: Vec<MethodRecord>,
    pub(super) rotors: Vec<MethodRecord>,
    #[serde(rename = "methods")]
    pub(super) others: Vec<MethodRecord>,
    pub(super) presets: Vec<MethodRecord>,
    pub(super) solvers: Vec<MethodRecord>,
}

/// An entry; what its kind does not have is left out.
#[derive(Serialize)]
pub(super) struct MethodRecord {
    id: &'static str,
    title: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    stands_for: Option<&'static str>,
    order: OrderText,
    #[serde(flatten)]
    orders: Option<Orders>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keeps: Option<KeepsRecord>,
    /// Of a rotor, alone; in a pair it takes whatever the scheme takes.
    accepts: &'static str,
    in_lanes: bool,
    /// `none`, `start`, or `inertia` for these too.
    derivatives: &'static str,
    #[serde(flatten)]
    stages: Option<StageRecord>,
    parameters: Vec<ParameterRecord>,
    citations: Vec<CitationRecord>,
}

/// What only a rotor has.
#[derive(Clone, Copy, Serialize)]
struct Orders {
    momentum_order: OrderText,
    attitude_order: OrderText,
}

/// What only a scheme has.
#[derive(Serialize)]
struct StageRecord {
    kicks_per_step: usize,
    symmetric: bool,
    needs_gradient: bool,
    of_strang_steps: bool,
}

/// A number, or "exact".
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum OrderText {
    Of(u32),
    Exact(&'static str),
}

/// True or false for each of the words.
#[derive(Clone, Copy)]
struct KeepsRecord(Keeps);

#[derive(Serialize)]
struct ParameterRecord {
    name: &'static str,
    doc: &'static str,
    allowed: String,
    #[serde(flatten)]
    range: Range,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Range {
    Flag { default: bool },
    Integer { min: u32, max: u32, step: u32, default: u32 },
    Choice { choices: Vec<&'static str>, default: Option<&'static str> },
    Other,
}

#[derive(Serialize)]
pub(super) struct CitationRecord {
    key: &'static str,
    at: &'static str,
}

impl From<&CatalogEntry> for MethodRecord {
    fn from(entry: &CatalogEntry) -> Self {
        Self {
            id: entry.id,
            title: entry.title,
            stands_for: (entry.kind == EntryKind::Preset).then_some(entry.title),
            order: entry.order.into(),
            orders: entry.orders.map(|orders| Orders {
                momentum_order: orders.momentum.into(),
                attitude_order: orders.attitude.into(),
            }),
            keeps: entry.keeps.map(KeepsRecord),
            accepts: match entry.accepts {
                Dependence::None => "free bodies",
                Dependence::Attitude => "torques of the attitude",
                Dependence::Momentum => "any torque",
            },
            in_lanes: entry.in_lanes,
            derivatives: entry.derivatives.name(),
            stages: entry.scheme.map(|scheme| StageRecord {
                kicks_per_step: scheme.kicks(),
                symmetric: scheme.is_symmetric(),
                needs_gradient: scheme.needs_gradient(),
                of_strang_steps: scheme.of_strang_steps,
            }),
            parameters: entry.parameters.iter().map(ParameterRecord::from).collect(),
            citations: CitationRecord::list(&entry.cites),
        }
    }
}

impl From<Order> for OrderText {
    fn from(order: Order) -> Self {
        match order {
            Order::Of(order) => Self::Of(order),
            Order::Exact => Self::Exact("exact"),
        }
    }
}

impl OrderText {
    fn text(self) -> String {
        match self {
            Self::Of(order) => order.to_string(),
            Self::Exact(word) => word.into(),
        }
    }
}

impl Serialize for KeepsRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.claims())
    }
}

impl From<&MethodParameter> for ParameterRecord {
    fn from(p: &MethodParameter) -> Self {
        let range = match p.kind {
            ParameterKind::Flag => Range::Flag { default: false },
            ParameterKind::Integer { min, max, step, default } => {
                Range::Integer { min, max, step, default }
            }
            ParameterKind::Choice(words) => {
                Range::Choice { choices: words.to_vec(), default: words.first().copied() }
            }
            // A kind newer than this program still says what it allows.
            _ => Range::Other,
        };
        Self { name: p.name, doc: p.doc, allowed: p.kind.allowed(), range }
    }
}

impl ParameterRecord {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let default = match &self.range {
            Range::Integer { default, .. } => format!("; {default} by default"),
            Range::Choice { default: Some(default), .. } => format!("; {default} by default"),
            _ => String::new(),
        };
        writeln!(out, "    {}: {} ({}{default})", self.name, self.doc, self.allowed)
    }
}

impl CitationRecord {
    pub(super) fn list(cites: &[Citation]) -> Vec<Self> {
        cites.iter().map(|c| Self { key: c.key, at: c.at }).collect()
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "    cites {}: {}", self.key, self.at)
    }
}

impl CatalogueRecord for MethodRecord {
    fn id(&self) -> &str {
        self.id
    }

    fn title(&self) -> &str {
        self.title
    }
}

/// A column of a table: its heading, and what stands in it.
type MethodColumn = (&'static str, fn(&MethodRecord) -> String);

const ID: MethodColumn = ("id", |r| r.id.into());
const ORDER: MethodColumn = ("order", |r| r.order.text());
const MOMENTUM: MethodColumn =
    ("momentum", |r| r.orders.map_or_else(String::new, |o| o.momentum_order.text()));
const ATTITUDE: MethodColumn =
    ("attitude", |r| r.orders.map_or_else(String::new, |o| o.attitude_order.text()));
const KICKS: MethodColumn =
    ("kicks", |r| r.stages.as_ref().map_or_else(String::new, |s| s.kicks_per_step.to_string()));
const KEEPS: MethodColumn =
    ("keeps", |r| r.keeps.map_or_else(String::new, |k| in_words(&k.0.to_string())));
const ACCEPTS: MethodColumn = ("accepts", |r| r.accepts.into());
const TITLE: MethodColumn = ("", |r| r.title.into());
const PAIR: MethodColumn = ("pair", |r| r.title.into());

/// What a method keeps, as it is said on a screen; identifiers are for programs.
fn in_words(keeps: &str) -> String {
    keeps.replace('_', " ")
}

impl Methods {
    pub(super) fn all() -> Self {
        let all = catalog();
        let of = |kind| all.of(kind).map(MethodRecord::from).collect();
        Self {
            schemes: of(EntryKind::Scheme),
            rotors: of(EntryKind::Rotor),
            others: of(EntryKind::Method),
            presets: of(EntryKind::Preset),
            solvers: of(EntryKind::Solver),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self { schemes, rotors, others, presets, solvers } = self;
        [schemes, rotors, others, presets, solvers].into_iter().all(Vec::is_empty)
    }

    /// Tables; with what is known in detail, too.
    pub(super) fn write(&self, out: &mut impl Write, detail: bool) -> io::Result<()> {
        let tables: [(&str, &[MethodColumn], &[MethodRecord]); 5] = [
            (
                "Schemes, for a pair SCHEME+ROTOR",
                &[ID, ORDER, KICKS, ACCEPTS, TITLE],
                &self.schemes,
            ),
            (
                "Rotors, for a pair SCHEME+ROTOR, or alone for a free body",
                &[ID, MOMENTUM, ATTITUDE, KEEPS, TITLE],
                &self.rotors,
            ),
            ("Other methods", &[ID, ORDER, KEEPS, ACCEPTS, TITLE], &self.others),
            ("Presets, names for pairs", &[ID, ORDER, KEEPS, PAIR], &self.presets),
            (
                "Solvers, for a tolerance instead of a step; chosen by the torque unless one is named",
                &[ID, ORDER, KEEPS, ACCEPTS, TITLE],
                &self.solvers,
            ),
        ];
        for (heading, columns, records) in tables {
            if !records.is_empty() {
                writeln!(out, "{heading}")?;
                table(out, columns, records, detail)?;
                writeln!(out)?;
            }
        }
        if tables[1..].iter().any(|(_, _, records)| !records.is_empty()) {
            writeln!(out, "Keeps, of the motion of a free body:")?;
            for (word, meaning) in Keeps::WORDS {
                writeln!(out, "  {:<18}{meaning}", in_words(word))?;
            }
            writeln!(out)?;
        }
        writeln!(out, "{}", lanes())?;
        writeln!(out, "{}", derivatives())
    }
}

fn table(
    out: &mut impl Write,
    shown: &[MethodColumn],
    records: &[MethodRecord],
    detail: bool,
) -> io::Result<()> {
    let row = |cell: &dyn Fn(&MethodColumn) -> String| -> Vec<String> {
        let mut row: Vec<String> = shown.iter().map(cell).collect();
        row[0].insert_str(0, "  ");
        row
    };
    let heading = row(&|column| column.0.into());
    let rows = records.iter().map(|record| row(&|column| (column.1)(record)));
    let rows: Vec<Vec<String>> = std::iter::once(heading).chain(rows).collect();
    let mut text = Vec::new();
    columns(&mut text, &rows)?;
    let text = String::from_utf8_lossy(&text);
    for (i, line) in text.lines().enumerate() {
        writeln!(out, "{line}")?;
        if !detail || i == 0 {
            continue;
        }
        for parameter in &records[i - 1].parameters {
            parameter.write(out)?;
        }
        for cite in &records[i - 1].citations {
            cite.write(out)?;
        }
    }
    Ok(())
}
