//! The reference as one page of Markdown.

use core::fmt::Write;

use polhode::parameters::{MethodParameter, ParameterKind};
use polhode::{Catalog, EntryKind, catalog};

use super::forms::FORMS;
use super::{ENSEMBLE, KeyReference, SCENARIO, SectionReference};

/// The whole reference, as Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# Scenario files\n\n\
         A scenario is a TOML file: a body, its start, what acts on it, how its motion is computed, what is written.\n\
         `polhode run` takes it, and `polhode ensemble` one for many bodies. Any key can be changed from the command\n\
         line by `--set section.key=value`. Keys that are not here are errors. Units are yours as long as they agree\n\
         with each other; a number may be a fraction as a text, `\"1/60\"`. This page is what\n\
         `polhode scenario-reference` prints.\n\n",
    );
    sections(&mut text, SCENARIO);
    text.push_str("## In the place of plain numbers\n\n");
    for (quantity, forms) in FORMS {
        let _ = writeln!(text, "`{quantity}` may also be\n");
        for (form, doc) in *forms {
            let item = wrapped(&format!("- `{form}`: {doc};")).replace('\n', "\n  ");
            let _ = writeln!(text, "{item}");
        }
        text.push('\n');
    }
    text.push_str(
        "The inertia of a shape is about its centre of mass; `polhode inertia` prints it, with the centre.\n\n",
    );
    let all = catalog();
    torques(&mut text, &all);
    methods(&mut text, &all);
    text.push_str(
        "## Ensembles\n\nAn ensemble is a scenario for many bodies, with `[bodies]` and laws in the place of numbers. \
         `[torque]`,\n`[method]`, `[orbit]`, `[wheel]`, `[dissipation]`, `[damper]`, `[controller]`, `[watch]` and \
         `[directions]` are\nas above, the same for all bodies, but a comparison of `[watch]` is a column too, of 1 \
         where it holds and 0\nelsewhere; there is no `[output]` and no `stop_when`, and no `[watch]` where something \
         moves inside the bodies.\n\n",
    );
    sections(&mut text, ENSEMBLE);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn torques(text: &mut String, all: &Catalog) {
    text.push_str("## Kinds of torque\n\n");
    for torque in all.torques {
        let _ = writeln!(text, "### `kind = \"{}\"`\n\n{}\n", torque.kind, sentence(torque.title));
        if torque.keys.is_empty() {
            continue;
        }
        text.push_str("| key | value | default | |\n|---|---|---|---|\n");
        for key in torque.keys {
            let default = key.kind.default().map_or("needed".into(), |value| format!("`{value}`"));
            let _ = writeln!(
                text,
                "| `{}` | {} | {default} | {} |",
                key.name,
                cell(&key.kind.allowed()),
                cell(key.doc)
            );
        }
        let example = torque.example();
        let keys = example.iter().map(|(key, value)| format!("{key} = {value}\n"));
        let keys: String = keys.collect();
        let _ = writeln!(text, "\n```toml\n[torque]\nkind = \"{}\"\n{keys}```\n", torque.kind);
    }
}

fn methods(text: &mut String, all: &Catalog) {
    text.push_str(
        "## Parameters of methods\n\n\
         These may stand in `[method]` as keys, or in the id after a colon: `dmv:order=10`, \
         `strang:compensated+exact`.\n\
         Where scheme and rotor both have one of a name, it stands in the id. Schemes, rotors and methods that are \
         not\n\
         here have none; `polhode methods` lists all of them.\n\n\
         | method | key | value | default | |\n|---|---|---|---|---|\n",
    );
    // All schemes have the same ones.
    let schemes = all.of(EntryKind::Scheme).take(1);
    for entry in schemes.chain(all.of(EntryKind::Rotor)).chain(all.of(EntryKind::Method)) {
        let id = match entry.kind {
            EntryKind::Scheme => "every scheme".to_owned(),
            _ => format!("`{}`", entry.id),
        };
        for MethodParameter { name, doc, kind, .. } in entry.parameters {
            let (allowed, default) = match kind {
                ParameterKind::Flag => ("true or false".to_owned(), "`false`".to_owned()),
                ParameterKind::Integer { default, .. } => (kind.allowed(), format!("`{default}`")),
                ParameterKind::Choice(words) => (
                    kind.allowed(),
                    words.first().map_or(String::new(), |word| format!("`{word}`")),
                ),
                _ => (kind.allowed(), String::new()),
            };
            let _ = writeln!(
                text,
                "| {id} | `{name}` | {} | {default} | {} |",
                cell(&allowed),
                cell(doc)
            );
        }
    }
    text.push('\n');
}

fn sections(text: &mut String, all: &[SectionReference]) {
    for section in all {
        let _ = writeln!(text, "## `[{}]`\n\n{}\n", section.name, wrapped(section.doc));
        text.push_str("| key | value | unit | default | example | |\n|---|---|---|---|---|---|\n");
        for KeyReference { name, doc, kind, unit, default, example } in section.keys {
            let example =
                if example.is_empty() { String::new() } else { format!("`{}`", cell(example)) };
            let _ = writeln!(
                text,
                "| `{name}` | {} | {} | {} | {example} | {} |",
                cell(kind),
                cell(unit),
                cell(default),
                cell(doc)
            );
        }
        text.push('\n');
    }
}

/// A text that stands in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    wrapped(&format!("{first}{}.", letters.as_str()))
}

/// In lines that are not too long.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if length + word.len() > 110 {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        length += word.len() + 1;
    }
    lines
}
