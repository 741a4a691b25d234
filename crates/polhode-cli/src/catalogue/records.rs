//! The library's tables as records to write.

use std::io::{self, Write};

use polhode::cite::Citation;
use polhode::composition::{self, SCHEMES};
use polhode::method::{Keeps, METHODS, Method, Order, PRESETS};
use polhode::parameters::{Parameter, ParameterKind, Parameters};
use polhode::rotor::ROTORS;
use polhode::torque::Dependence;
use serde::Serialize;

use super::{Record, columns};

/// What the letters of [`KeepsRecord::text`] stand for.
const KEEPS: &str = "\
Keeps, of the motion of a free body: m the length of the momentum, s the momentum in space,
e the energy, r reversibility (a step back undoes a step), p the Poisson structure";

/// Everything that can stand in the id of a method.
#[derive(Serialize)]
pub(super) struct Methods {
    pub(super) schemes: Vec<SchemeRecord>,
    pub(super) rotors: Vec<RotorRecord>,
    #[serde(rename = "methods")]
    pub(super) others: Vec<MethodRecord>,
    pub(super) presets: Vec<PresetRecord>,
}

#[derive(Serialize)]
pub(super) struct SchemeRecord {
    id: &'static str,
    title: &'static str,
    order: OrderText,
    accepts: &'static str,
    kicks_per_step: usize,
    symmetric: bool,
    needs_gradient: bool,
    of_strang_steps: bool,
    parameters: Vec<ParameterRecord>,
    citations: Vec<CitationRecord>,
}

#[derive(Serialize)]
pub(super) struct RotorRecord {
    id: &'static str,
    title: &'static str,
    momentum_order: OrderText,
    attitude_order: OrderText,
    keeps: KeepsRecord,
    /// Alone; in a pair it takes whatever the scheme takes.
    accepts: &'static str,
    parameters: Vec<ParameterRecord>,
    citations: Vec<CitationRecord>,
}

#[derive(Serialize)]
pub(super) struct MethodRecord {
    id: &'static str,
    title: &'static str,
    order: OrderText,
    keeps: KeepsRecord,
    accepts: &'static str,
    parameters: Vec<ParameterRecord>,
    citations: Vec<CitationRecord>,
}

#[derive(Serialize)]
pub(super) struct PresetRecord {
    id: &'static str,
    stands_for: &'static str,
    order: OrderText,
    keeps: KeepsRecord,
    citations: Vec<CitationRecord>,
}

/// A number, or "exact".
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
enum OrderText {
    Of(u32),
    Exact(&'static str),
}

#[derive(Clone, Copy, Serialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent claims, each with a name")]
struct KeepsRecord {
    momentum_norm: bool,
    spatial_momentum: bool,
    energy: bool,
    symmetric: bool,
    symplectic: bool,
}

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

impl From<Keeps> for KeepsRecord {
    fn from(k: Keeps) -> Self {
        let Keeps { momentum_norm, spatial_momentum, energy, symmetric, symplectic } = k;
        Self { momentum_norm, spatial_momentum, energy, symmetric, symplectic }
    }
}

impl KeepsRecord {
    /// The letters of what is kept, dots for what is not.
    fn text(self) -> String {
        let claims = [
            ('m', self.momentum_norm),
            ('s', self.spatial_momentum),
            ('e', self.energy),
            ('r', self.symmetric),
            ('p', self.symplectic),
        ];
        claims.into_iter().map(|(letter, kept)| if kept { letter } else { '.' }).collect()
    }
}

impl From<&Parameter> for ParameterRecord {
    fn from(p: &Parameter) -> Self {
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
    fn list(parameters: &[Parameter]) -> Vec<Self> {
        parameters.iter().map(Self::from).collect()
    }

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

fn accepts(dependence: Dependence) -> &'static str {
    match dependence {
        Dependence::None => "free bodies",
        Dependence::Attitude => "torques of the attitude",
        Dependence::Momentum => "any torque",
    }
}

impl Methods {
    pub(super) fn all() -> Self {
        let schemes = SCHEMES.iter().map(|s| SchemeRecord {
            id: &s.id,
            title: &s.title,
            order: OrderText::Of(s.order),
            accepts: accepts(if s.torques_of_attitude_only {
                Dependence::Attitude
            } else {
                Dependence::Momentum
            }),
            kicks_per_step: s.kicks(),
            symmetric: s.is_symmetric(),
            needs_gradient: s.needs_gradient(),
            of_strang_steps: s.of_strang_steps,
            parameters: ParameterRecord::list(composition::PARAMETERS),
            citations: CitationRecord::list(&s.cites),
        });
        let rotors = ROTORS.iter().filter_map(|r| {
            let order = (r.order)(&defaults(r.id, r.parameters)?);
            Some(RotorRecord {
                id: r.id,
                title: r.title,
                momentum_order: order.momentum.into(),
                attitude_order: order.attitude.into(),
                keeps: r.keeps.into(),
                accepts: accepts(Dependence::None),
                parameters: ParameterRecord::list(r.parameters),
                citations: CitationRecord::list(r.cites),
            })
        });
        let others = METHODS.iter().filter_map(|m| {
            Some(MethodRecord {
                id: m.id,
                title: m.title,
                order: (m.order)(&defaults(m.id, m.parameters)?).into(),
                keeps: m.keeps.into(),
                accepts: accepts(m.accepts),
                parameters: ParameterRecord::list(m.parameters),
                citations: CitationRecord::list(m.cites),
            })
        });
        let presets = PRESETS.iter().filter_map(|(id, pair)| {
            let method = Method::parse(pair).ok()?;
            Some(PresetRecord {
                id,
                stands_for: pair,
                order: method.order().into(),
                keeps: method.keeps().into(),
                citations: CitationRecord::list(&method.cites()),
            })
        });
        Self {
            schemes: schemes.collect(),
            rotors: rotors.collect(),
            others: others.collect(),
            presets: presets.collect(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self { schemes, rotors, others, presets } = self;
        schemes.is_empty() && rotors.is_empty() && others.is_empty() && presets.is_empty()
    }

    /// Tables; with what is known in detail, too.
    pub(super) fn write(&self, out: &mut impl Write, detail: bool) -> io::Result<()> {
        let mut sections = 0;
        let mut section = |out: &mut dyn Write, heading: &str| {
            sections += 1;
            writeln!(out, "{}{heading}", if sections > 1 { "\n" } else { "" })
        };
        if !self.schemes.is_empty() {
            section(out, "Schemes, for a pair SCHEME+ROTOR")?;
            table(out, &["id", "order", "kicks", "accepts", ""], &self.schemes, detail)?;
        }
        if !self.rotors.is_empty() {
            section(out, "Rotors, for a pair SCHEME+ROTOR, or alone for a free body")?;
            table(out, &["id", "momentum", "attitude", "keeps", ""], &self.rotors, detail)?;
        }
        if !self.others.is_empty() {
            section(out, "Other methods")?;
            table(out, &["id", "order", "keeps", "accepts", ""], &self.others, detail)?;
        }
        if !self.presets.is_empty() {
            section(out, "Presets, names for pairs")?;
            table(out, &["id", "order", "keeps", "pair"], &self.presets, detail)?;
        }
        if self.rotors.is_empty() && self.others.is_empty() && self.presets.is_empty() {
            return Ok(());
        }
        section(out, KEEPS)
    }
}

fn defaults(id: &'static str, parameters: &'static [Parameter]) -> Option<Parameters> {
    Parameters::new(id, parameters, []).ok()
}

/// A record with a line of its own, and more below it.
trait Line: Record {
    fn cells(&self) -> Vec<String>;
    fn parameters(&self) -> &[ParameterRecord];
    fn citations(&self) -> &[CitationRecord];
}

fn table(
    out: &mut impl Write,
    heading: &[&str],
    records: &[impl Line],
    detail: bool,
) -> io::Result<()> {
    let heading = heading.iter().map(ToString::to_string).collect();
    let rows = std::iter::once(heading).chain(records.iter().map(Line::cells));
    let rows: Vec<Vec<String>> = rows
        .map(|mut row: Vec<String>| {
            row[0].insert_str(0, "  ");
            row
        })
        .collect();
    let mut text = Vec::new();
    columns(&mut text, &rows)?;
    let text = String::from_utf8_lossy(&text);
    for (i, line) in text.lines().enumerate() {
        writeln!(out, "{line}")?;
        if !detail || i == 0 {
            continue;
        }
        for parameter in records[i - 1].parameters() {
            parameter.write(out)?;
        }
        for cite in records[i - 1].citations() {
            cite.write(out)?;
        }
    }
    Ok(())
}

macro_rules! line {
    ($record:ty, $name:ident, $title:ident, $parameters:expr, $cells:expr) => {
        impl Record for $record {
            fn id(&self) -> &str {
                self.$name
            }

            fn title(&self) -> &str {
                self.$title
            }
        }

        impl Line for $record {
            fn cells(&self) -> Vec<String> {
                let cells: fn(&Self) -> Vec<String> = $cells;
                cells(self)
            }

            fn parameters(&self) -> &[ParameterRecord] {
                let parameters: fn(&Self) -> &[ParameterRecord] = $parameters;
                parameters(self)
            }

            fn citations(&self) -> &[CitationRecord] {
                &self.citations
            }
        }
    };
}

line!(SchemeRecord, id, title, |r| &r.parameters, |r| {
    let kicks = r.kicks_per_step.to_string();
    vec![r.id.into(), r.order.text(), kicks, r.accepts.into(), r.title.into()]
});
line!(RotorRecord, id, title, |r| &r.parameters, |r| {
    let [momentum, attitude] = [r.momentum_order, r.attitude_order].map(OrderText::text);
    vec![r.id.into(), momentum, attitude, r.keeps.text(), r.title.into()]
});
line!(MethodRecord, id, title, |r| &r.parameters, |r| {
    vec![r.id.into(), r.order.text(), r.keeps.text(), r.accepts.into(), r.title.into()]
});
line!(PresetRecord, id, stands_for, |_| &[], |r| {
    vec![r.id.into(), r.order.text(), r.keeps.text(), r.stands_for.into()]
});
