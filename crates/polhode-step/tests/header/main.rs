//! The C header: made from the formula, compared with the committed one.
//!
//! What is straight arithmetic is the Rust text itself, run over numbers that write down their operations; what is
//! around it (`template.h`) is written in C, and `tests/native.rs` compares its bits with those of Rust.

mod trace;

use std::path::Path;

use polhode_step::formula::{BodyConstants, ExactIncrement, LONG, MomentumConstants, SHORT, TINY};
use polhode_step::{Arithmetic, Float};
use trace::{Trace, statements};

/// A momentum and a body whose numbers are names.
fn named() -> MomentumConstants<Trace> {
    let body =
        BodyConstants { a: Trace::inputs("a"), b1: Trace::input("b1"), b3: Trace::input("b3") };
    MomentumConstants::new(&body, Trace::inputs("m"), Trace::input("gap"))
}

fn constants() -> String {
    let found = named();
    let outputs = [("*t1", found.t[0]), ("*t3", found.t[1]), ("*g2", found.g2)];
    statements(&outputs.map(|(name, value)| (name.to_owned(), value)))
}

fn increment(increment: &ExactIncrement<Trace>) -> String {
    let d = increment.d.iter().enumerate().map(|(i, value)| (format!("d[{i}]"), *value));
    let r = increment.r.iter().enumerate().map(|(i, value)| (format!("r[{i}]"), *value));
    statements(&d.chain(r).collect::<Vec<_>>())
}

fn step<const TERMS: u8>(more: f64) -> String {
    increment(&named().short_step::<TERMS>(Trace::input("h"), Trace::splat(more)))
}

fn phase((s, half): (Trace, (Trace, Trace))) -> String {
    let outputs = [("*s", s), ("half[0]", half.0), ("half[1]", half.1)];
    statements(&outputs.map(|(name, value)| (name.to_owned(), value)))
}

fn begin() -> String {
    phase(named().begin::<SHORT>(Trace::input("h"), Trace::splat(1.0)))
}

fn twice() -> String {
    let [x, y] = Trace::inputs("half");
    phase(named().twice(Trace::input("*s"), (x, y)))
}

fn finish() -> String {
    let [x, y] = Trace::inputs("half");
    increment(&named().finish::<LONG>(Trace::input("s"), (x, y), Trace::splat(1.0)))
}

/// The steps that a user calls.
fn steps() -> String {
    let mut text = String::new();
    let kinds = [
        (
            "f32",
            "float",
            "FLT_MAX",
            f32::LIMITS,
            ["uint64_t dice = 0;\n        ", "polhode_rounded(", ", &dice)"],
        ),
        ("f64", "double", "DBL_MAX", f64::LIMITS, [""; 3]),
    ];
    let frames = [
        ("", 1, "in the coordinates of the world"),
        ("body_", 0, "in the coordinates of the body"),
    ];
    for (name, real, most, [[a, b], [c, d]], [dice, open, close]) in kinds {
        for (frame, world, says) in frames {
            let step = format!(
                "
/* Moves a free body on by the time dt: its angular velocity, {says}, and its rotation. */
static inline void polhode_step_{frame}{name}(const polhode_inertia *inertia, {real} omega[3], {real} rotation[4],
                                        {real} dt) {{
    const polhode_limits limits = {{{a:?}, {b:?}, {c:?}, {d:?}}};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    if (inertia->steepest == 0.0 && polhode_spin(&s, {world}, dt, limits.short_turn)) {{
        for (int i = 0; i < 4; i++) rotation[i] = ({real})polhode_within(s.q[i], {most});
    }} else if (polhode_run(&s, inertia, {world}, dt, &limits)) {{
        {dice}for (int i = 0; i < 4; i++) rotation[i] = ({real})polhode_within({open}s.q[i]{close}, {most});
        for (int i = 0; i < 3; i++) omega[i] = ({real})polhode_within({open}s.omega[i]{close}, {most});
    }}
}}
"
            );
            text.push_str(&step);
        }
    }
    text
}

#[test]
fn the_header_is_up_to_date() {
    let made = include_str!("template.h")
        .replace("@constants@", &constants())
        .replace("@tiny@", &step::<TINY>(0.0))
        .replace("@short@", &step::<SHORT>(1.0))
        .replace("@begin@", &begin())
        .replace("@twice@", &twice())
        .replace("@finish@", &finish())
        .replace("@steps@", &steps());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/polhode_step.h");
    if std::env::var_os("POLHODE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).expect("a file that can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == committed, "include/polhode_step.h is out of date: run `cargo xtask docs`");
}
