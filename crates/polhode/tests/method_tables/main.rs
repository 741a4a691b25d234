//! Keeps `docs/methods.md` true: writes it from the tables again and compares.
//!
//! After a change of a table: `cargo xtask docs`.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]

use std::fmt::Write;
use std::path::Path;

use polhode::cite::Citation;
use polhode::composition::SCHEMES;
use polhode::method::{Keeps, Order};
use polhode::method::{METHODS, PRESETS};
use polhode::parameters::{Parameter, ParameterKind, Parameters};
use polhode::rotor::{self, ROTORS};
use polhode::torque::TORQUES;
use polhode::{Inertia, State, so3};
use polhode_testkit::compare::{Distribution, attitude_error, momentum_error};
use polhode_testkit::oracle::free_cases;

#[test]
fn the_table_of_methods_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/methods.md");
    let text = document();
    if std::env::var_os("POLHODE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
        return;
    }
    let written = std::fs::read_to_string(&path).unwrap();
    for (line, (is, was)) in text.lines().zip(written.lines()).enumerate() {
        assert_eq!(is, was, "docs/methods.md, line {}: run `cargo xtask docs`", line + 1);
    }
    assert_eq!(text, written, "docs/methods.md: run `cargo xtask docs`");
}

fn document() -> String {
    let mut text = String::from(INTRODUCTION);
    schemes(&mut text);
    rotors(&mut text);
    others(&mut text);
    torques(&mut text);
    text
}

const INTRODUCTION: &str = "\
# Methods

Generated from the tables of the library by `cargo xtask docs`; a test compares. Every claim here is
measured by the conformance suite, and so is the absence of a claim.

A method is a pair `scheme+rotor` (`rkn6-14+exact`), a rotor alone for a free body (`dmv:order=6`),
a preset, or one of the other methods. Parameters follow the id: `dmv:order=10:compensated`.

*Keeps* is about a free body: **n** the length of the momentum, **s** the momentum in space, **e** the
energy; **t** time symmetry (a step back undoes a step), **p** the Poisson structure (symplectic).

";

fn keeps(k: Keeps) -> String {
    let flags = [
        (k.momentum_norm, 'n'),
        (k.spatial_momentum, 's'),
        (k.energy, 'e'),
        (k.symmetric, 't'),
        (k.symplectic, 'p'),
    ];
    let kept: String = flags.iter().filter(|(on, _)| *on).map(|(_, c)| c).collect();
    if kept.is_empty() { "–".into() } else { kept }
}

fn order(o: Order) -> String {
    match o {
        Order::Of(n) => n.to_string(),
        Order::Exact => "exact".into(),
    }
}

fn cites(all: &[Citation]) -> String {
    let one = |c: &Citation| format!("{}, {}", c.key, c.at);
    if all.is_empty() { "–".into() } else { all.iter().map(one).collect::<Vec<_>>().join("; ") }
}

fn parameters(all: &[Parameter]) -> String {
    let one = |p: &Parameter| match p.kind {
        ParameterKind::Flag => format!("`{}`", p.name),
        ParameterKind::Integer { default, .. } => {
            format!("`{}` ({}; {default})", p.name, p.kind.allowed())
        }
        _ => format!("`{}` ({})", p.name, p.kind.allowed()),
    };
    if all.is_empty() { "–".into() } else { all.iter().map(one).collect::<Vec<_>>().join(", ") }
}

fn schemes(text: &mut String) {
    *text += "## Schemes\n\n\
        Kicks: evaluations of the torque a step in a long run. An order (8,6,4) means an error of \
        e h^8 + e² h^6 + e³ h^4 for a torque of relative size e. Schemes marked * are for torques \
        that do not depend on the momentum and refuse others. For a torque that is not linear in the \
        momentum (a closure) a kick is of order 4, and so is every scheme at best.\n\n\
        | id | what | order | kicks | source |\n|---|---|---:|---:|---|\n";
    for s in SCHEMES {
        let star = if s.torques_of_attitude_only { " *" } else { "" };
        let row = (&*s.id, &*s.title, s.order, s.kicks(), cites(s.cites));
        writeln!(text, "| `{}`{star} | {} | {} | {} | {} |", row.0, row.1, row.2, row.3, row.4)
            .unwrap();
    }
    *text += "\nPresets: ";
    let presets: Vec<String> = PRESETS.iter().map(|(n, p)| format!("`{n}` = `{p}`")).collect();
    *text += &presets.join(", ");
    *text += ".\n\n";
}

/// Median and largest error of a step as long as the case, relative to 1 + |m| t/I1, in eps.
fn accuracy(spec: &str) -> [String; 2] {
    let mut errors = Vec::new();
    for case in free_cases() {
        let inertia = Inertia::principal_unphysical(case.inertia).unwrap();
        let mut state = State::new(case.momentum0, so3::from_wxyz(case.quaternion0)).unwrap();
        let angle = (state.m * case.t).length() / inertia.moments().min_element();
        if rotor::build(spec, &inertia).unwrap().step(case.t, &mut state).is_err() {
            continue;
        }
        let error = momentum_error(state.m.to_array(), case.momentum)
            .max(attitude_error(state.attitude(), case.quaternion));
        errors.push(error / (1.0 + angle) / f64::EPSILON);
    }
    let d = Distribution::of(&errors);
    [
        format!("{:.1}", d.p50),
        if d.max < 1e3 { format!("{:.0}", d.max) } else { format!("{:.0e}", d.max) },
    ]
}

fn rotors(text: &mut String) {
    *text += "## Rotors\n\n\
        Order of momentum / attitude for the default parameters. For those that are exact: error of \
        one step of the length of each case of `oracle/free_A.json` (up to 1000 rad, with all its \
        degenerate bodies), of momentum or signed quaternion, in eps (1 + |m| t/I1).\n\n\
        | id | what | order | keeps | error: median | max | parameters | source |\n\
        |---|---|---:|---|---:|---:|---|---|\n";
    for r in ROTORS {
        let defaults = Parameters::new(r.id, r.parameters, []).unwrap();
        let o = (r.order)(&defaults);
        let exact = o.momentum == Order::Exact && o.attitude == Order::Exact;
        let [median, max] = if exact { accuracy(r.id) } else { ["–".into(), "–".into()] };
        let orders = format!("{} / {}", order(o.momentum), order(o.attitude));
        writeln!(
            text,
            "| `{}` | {} | {orders} | {} | {median} | {max} | {} | {} |",
            r.id,
            r.title,
            keeps(r.keeps),
            parameters(r.parameters),
            cites(r.cites)
        )
        .unwrap();
    }
    text.push('\n');
}

fn others(text: &mut String) {
    *text += "## Other methods\n\n\
        | id | what | order | keeps | parameters | source |\n|---|---|---:|---|---|---|\n";
    for m in METHODS {
        let defaults = Parameters::new(m.id, m.parameters, []).unwrap();
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            m.id,
            m.title,
            order((m.order)(&defaults)),
            keeps(m.keeps),
            parameters(m.parameters),
            cites(m.cites)
        )
        .unwrap();
    }
    text.push('\n');
}

fn torques(text: &mut String) {
    *text += "## Torques\n\n| kind | what | keys |\n|---|---|---|\n";
    for t in TORQUES {
        let key = |k: &polhode::torque::Key| {
            let default = k.kind.default().map_or("required".into(), |d| d.to_string());
            format!("`{}` ({}; {default})", k.name, k.kind.allowed())
        };
        let keys: Vec<String> = t.keys.iter().map(key).collect();
        let keys = if keys.is_empty() { "–".into() } else { keys.join(", ") };
        writeln!(text, "| `{}` | {} | {keys} |", t.kind, t.title).unwrap();
    }
}
