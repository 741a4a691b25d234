//! The C header: made from the formula, compared with the committed one.
//!
//! What is straight arithmetic is the Rust text itself, run over numbers that write down their operations; what is
//! around it (`template.h`) is written in C, and `tests/native.rs` compares its bits with those of Rust.

mod trace;

use std::path::Path;

use polhode_step::formula::{BodyConstants, MomentumConstants, circular, short_step};
use polhode_step::{Arithmetic, Real};
use trace::{Trace, statements};

/// A body whose constants are names.
fn named() -> BodyConstants<Trace> {
    BodyConstants {
        a: Trace::inputs("a"),
        b1: Trace::input("b1"),
        b3: Trace::input("b3"),
        beta: Trace::splat(0.0),
    }
}

fn constants() -> String {
    let found = MomentumConstants::new(&named(), Trace::inputs("m"));
    let outputs = [("*t1", found.t1), ("*t3", found.t3), ("*g2", found.g2)];
    statements(&outputs.map(|(name, value)| (name.to_owned(), value)))
}

fn step<const ALL_TINY: bool>() -> String {
    let (m, h) = (Trace::inputs("m"), Trace::input("h"));
    let found = MomentumConstants::new(&named(), m);
    let more = Trace::splat(if ALL_TINY { 0.0 } else { 1.0 });
    let increment = short_step::<Trace, ALL_TINY>(&named(), m, h, &found, more);
    let d = increment.d.iter().enumerate().map(|(i, value)| (format!("d[{i}]"), *value));
    let r = increment.r.iter().enumerate().map(|(i, value)| (format!("r[{i}]"), *value));
    statements(&d.chain(r).collect::<Vec<_>>())
}

fn series<const ALL_TINY: bool>() -> String {
    let more = Trace::splat(if ALL_TINY { 0.0 } else { 1.0 });
    let (sine, cosine) = circular::<Trace, ALL_TINY>(Trace::input("y"), more);
    statements(&[("*sine".to_owned(), sine), ("*cosine".to_owned(), cosine)])
}

/// The steps that a user calls.
fn steps() -> String {
    let mut text = String::new();
    let kinds = [
        ("f32", "float", "FLT_MAX", f32::LIMITS.to_array()),
        ("f64", "double", "DBL_MAX", f64::LIMITS.to_array()),
    ];
    let frames = [("", 1, "in the coordinates of the world"), ("body_", 0, "in those of the body")];
    for (name, real, most, [a, b, c, d]) in kinds {
        for (frame, world, says) in frames {
            let step = format!(
                "
/* Moves a free body on by the time dt: its angular velocity, {says}, and its rotation. */
static inline void polhode_step_{frame}{name}(const polhode_inertia *inertia, {real} omega[3], {real} rotation[4],
                                        {real} dt) {{
    const polhode_limits limits = {{{a:?}, {b:?}, {c:?}, {d:?}, {most}}};
    if (omega[0] == 0 && omega[1] == 0 && omega[2] == 0) return;
    polhode_motion s;
    for (int i = 0; i < 3; i++) s.omega[i] = omega[i];
    for (int i = 0; i < 4; i++) s.q[i] = rotation[i];
    polhode_run(&s, inertia, {world}, dt, &limits);
    for (int i = 0; i < 3; i++) omega[i] = ({real})polhode_within(s.omega[i], {most});
    for (int i = 0; i < 4; i++) rotation[i] = ({real})s.q[i];
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
        .replace("@tiny@", &step::<true>())
        .replace("@short@", &step::<false>())
        .replace("@circular_tiny@", &series::<true>())
        .replace("@circular@", &series::<false>())
        .replace("@steps@", &steps());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/polhode_step.h");
    if std::env::var_os("POLHODE_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &made).expect("a file that can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(made == committed, "include/polhode_step.h is out of date: run `cargo xtask docs`");
}
