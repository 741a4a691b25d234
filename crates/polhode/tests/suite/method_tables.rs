//! Keeps `docs/methods.md` true: writes it from the tables again and compares.
//!
//! After a change of a table: `cargo xtask docs`.

use std::fmt::Write;
use std::path::Path;

use polhode::cite::Citation;
use polhode::method::{Derivatives, Keeps, Order};
use polhode::parameters::{MethodParameter, ParameterKind};
use polhode::rotor;
use polhode::torque::Dependence;
use polhode::{Catalog, EntryKind, Inertia, State, catalog, so3};
use polhode_testkit::compare::Distribution;
use polhode_testkit::oracle::free_cases;
use polhode_verify::taylor::{momentum_error, quaternion_distance};

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

#[test]
fn the_readme_counts_the_methods() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let readme: Vec<&str> = readme.split_whitespace().collect();
    let all = catalog();
    let count = |kind| all.of(kind).count();
    assert_eq!(count(EntryKind::Rotor), 11, "README.md says eleven");
    for words in [
        format!("any of {} splitting schemes", count(EntryKind::Scheme)),
        "any of eleven solvers of the free body".to_owned(),
        format!("one of {} other integrators", count(EntryKind::Method)),
    ] {
        assert!(readme.join(" ").contains(&words), "README.md does not say: {words}");
    }
}

fn document() -> String {
    let all = catalog();
    let mut text = String::from(INTRODUCTION);
    words(&mut text, &all);
    schemes(&mut text, &all);
    rotors(&mut text, &all);
    others(&mut text, &all);
    solvers(&mut text, &all);
    torques(&mut text, &all);
    polhode_testkit::markdown::wrap(&text)
}

const INTRODUCTION: &str = "\
# Methods

Generated from the tables of the library by `cargo xtask docs`; a test compares. Every claim here is
measured by the conformance suite, and so is the absence of a claim.

A method is a pair `scheme+rotor` (`rkn6-14+exact`), a rotor alone for a free body (`dmv:order=6`),
a preset, or one of the other methods. Parameters follow the id: `dmv:order=10:compensated`.

*Keeps* is about the motion of a free body, in these words:

";

/// What follows the introduction: the words, which methods run in lanes, and which have derivatives.
fn words(text: &mut String, all: &Catalog) {
    for (word, meaning) in Keeps::WORDS {
        writeln!(text, "- {}: {meaning}", in_words(&word)).unwrap();
    }
    let rotors: Vec<String> =
        all.of(EntryKind::Rotor).filter(|r| r.in_lanes).map(|r| format!("`{}`", r.id)).collect();
    *text += "\nIn ensembles these rotors, alone or with any scheme, run in SIMD lanes, several bodies at once:\n";
    *text += &rotors.join(", ");
    *text += ".\nWith `compensated` they run body by body, as all other methods do.\n\n";
    let with = |derivatives| {
        let quoted = |id: &str| format!("`{id}`");
        all.rotors_with(derivatives).into_iter().map(quoted).collect::<Vec<_>>().join(", ")
    };
    writeln!(
        text,
        "Runs with these rotors, alone or with any scheme, have derivatives:\n{}.",
        with(Derivatives::Start)
    )
    .unwrap();
    writeln!(text, "By the inertia those with these:\n{}.\n", with(Derivatives::Inertia)).unwrap();
}

/// As `polhode methods` says it: identifiers are for programs.
fn in_words(keeps: &impl ToString) -> String {
    keeps.to_string().replace('_', " ")
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

fn parameters(all: &[MethodParameter]) -> String {
    let one = |p: &MethodParameter| match p.kind {
        ParameterKind::Flag => format!("`{}`", p.name),
        ParameterKind::Integer { default, .. } => {
            format!("`{}` ({}; {default})", p.name, p.kind.allowed())
        }
        _ => format!("`{}` ({})", p.name, p.kind.allowed()),
    };
    if all.is_empty() { "–".into() } else { all.iter().map(one).collect::<Vec<_>>().join(", ") }
}

fn schemes(text: &mut String, all: &Catalog) {
    *text += "## Schemes\n\n\
        Kicks: evaluations of the torque a step in a long run. An order (8,6,4) means an error of \
        e h^8 + e^2 h^6 + e^3 h^4 for a torque of relative size e. Schemes marked * are for torques \
        that do not depend on the momentum and refuse others. For a torque that is not linear in the \
        momentum (a closure) a kick is of order 4, and so is every scheme at best.\n\n\
        | id | what | order | kicks | source |\n|---|---|---:|---:|---|\n";
    for s in all.of(EntryKind::Scheme) {
        let star = if s.accepts == Dependence::Attitude { " *" } else { "" };
        let kicks = s.scheme.unwrap().kicks();
        let (id, title, order, cites) = (s.id, s.title, order(s.order), cites(&s.cites));
        writeln!(text, "| `{id}`{star} | {title} | {order} | {kicks} | {cites} |").unwrap();
    }
    *text += "\nPresets: ";
    let presets: Vec<String> =
        all.of(EntryKind::Preset).map(|p| format!("`{}` = `{}`", p.id, p.title)).collect();
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
            .max(quaternion_distance(state.attitude(), case.quaternion));
        errors.push(error / (1.0 + angle) / f64::EPSILON);
    }
    let d = Distribution::of(&errors);
    [
        format!("{:.1}", d.p50),
        if d.max < 1e3 { format!("{:.0}", d.max) } else { format!("{:.0e}", d.max) },
    ]
}

fn rotors(text: &mut String, all: &Catalog) {
    *text += "## Rotors\n\n\
        Order of momentum / attitude for the default parameters. For those that are exact: error of \
        one step of the length of each case of `oracle/free_A.json` (up to 1000 rad, with all its \
        degenerate bodies), of momentum or signed quaternion, in eps (1 + |m| t/I1).\n\n\
        | id | what | order | keeps | error: median | max | parameters | source |\n\
        |---|---|---:|---|---:|---:|---|---|\n";
    for r in all.of(EntryKind::Rotor) {
        let o = r.orders.unwrap();
        let exact = r.order == Order::Exact;
        let [median, max] = if exact { accuracy(r.id) } else { ["–".into(), "–".into()] };
        let orders = format!("{} / {}", order(o.momentum), order(o.attitude));
        writeln!(
            text,
            "| `{}` | {} | {orders} | {} | {median} | {max} | {} | {} |",
            r.id,
            r.title,
            in_words(&r.keeps.unwrap()),
            parameters(r.parameters),
            cites(&r.cites)
        )
        .unwrap();
    }
    text.push('\n');
}

fn others(text: &mut String, all: &Catalog) {
    *text += "## Other methods\n\n\
        | id | what | order | keeps | parameters | source |\n|---|---|---:|---|---|---|\n";
    for m in all.of(EntryKind::Method) {
        writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            m.id,
            m.title,
            order(m.order),
            in_words(&m.keeps.unwrap()),
            parameters(m.parameters),
            cites(&m.cites)
        )
        .unwrap();
    }
    text.push('\n');
}

fn solvers(text: &mut String, all: &Catalog) {
    *text += "## Solvers\n\n\
        For a tolerance instead of a step: `polhode::solve`, `[run] tolerance`, Python's `polhode.solve`, C's \
        `polhode_solve`. The torque chooses one unless it is named.\n\n\
        | id | what | order | keeps | source |\n|---|---|---:|---|---|\n";
    for s in all.of(EntryKind::Solver) {
        let (id, title, order, cites) = (s.id, s.title, order(s.order), cites(&s.cites));
        writeln!(
            text,
            "| `{id}` | {title} | {order} | {} | {cites} |",
            in_words(&s.keeps.unwrap())
        )
        .unwrap();
    }
    text.push('\n');
}

fn torques(text: &mut String, all: &Catalog) {
    *text += "## Torques\n\n| kind | what | keys |\n|---|---|---|\n";
    for t in all.torques {
        let key = |k: &polhode::torque::Key| {
            let default = k.kind.default().map_or("required".into(), |d| d.to_string());
            format!("`{}` ({}; {default})", k.name, k.kind.allowed())
        };
        let keys: Vec<String> = t.keys.iter().map(key).collect();
        let keys = if keys.is_empty() { "–".into() } else { keys.join(", ") };
        writeln!(text, "| `{}` | {} | {keys} |", t.kind, t.title).unwrap();
    }
}
