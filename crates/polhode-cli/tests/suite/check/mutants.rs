//! Mutants of good CSV files: refused with a message, or read and sound; never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use polhode::Control;
use polhode_cli::fuzzing;
use polhode_testkit::bodies::Rng;
use polhode_verify::check::{CheckOptions, check_free};

use super::{csv, exact, inertia};

/// How many: 20000, or as many as the variable `POLHODE_MUTANTS` says (other ones, then).
fn mutants() -> (usize, Rng) {
    match std::env::var("POLHODE_MUTANTS") {
        Ok(count) => (count.parse().expect("POLHODE_MUTANTS is a number"), Rng::new(1)),
        Err(_) => (20_000, Rng::new(20260102)),
    }
}

/// Pieces of the language, numbers at the edge, and characters that do not belong there.
const PIECES: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "5e-324",
    "1e-310",
    "1e155",
    "1e999",
    "1e-999",
    "0",
    "-0.0",
    "-1",
    "1",
    "0x7f",
    "1_000",
    "99999999999999999999",
    "2.5",
    ",",
    ",,",
    ";",
    "\"",
    "\"\"",
    "'",
    "#",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "\\",
    "\u{feff}",
    "\u{0}",
    "\u{1b}",
    "ä",
    "\u{202e}",
    "t",
    "m1",
    "m2",
    "m3",
    "w1",
    "q0",
    "q3",
    "q11",
    "q33",
    "x",
    "e",
    ".",
    "+",
    "-",
    "# note\n",
];

/// Numbers a file may hold, some of them with squares that are none.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2.5",
    "0.3",
    "1e-7",
    "1e7",
    "-1e155",
    "1e200",
    "1.7976931348623157e308",
    "5e-324",
    "1e-310",
    "1e-160",
    "99999999999999999999",
    ".5",
    "1.",
];

fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let at = rng.below(bytes.len() + 1);
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    match rng.below(9) {
        0 => {
            let piece = PIECES[rng.below(PIECES.len())];
            bytes.splice(at..at, piece.bytes());
        }
        // A whole field in place of another.
        1..=3 => {
            let is_edge = |b: &u8| matches!(b, b',' | b'\n' | b'\r');
            let start = bytes[..at].iter().rposition(&is_edge).map_or(0, |i| i + 1);
            let end = bytes[at..].iter().position(is_edge).map_or(bytes.len(), |i| at + i);
            let pieces = if rng.below(4) == 0 { PIECES } else { NUMBERS };
            bytes.splice(start..end, pieces[rng.below(pieces.len())].bytes());
        }
        4 => {
            let end = (at + rng.below(20)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 if at < bytes.len() => bytes[at] = u8::try_from(rng.below(256)).unwrap(),
        6 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
        7 if !lines.is_empty() => {
            let (from, to) = (rng.below(lines.len()), rng.below(lines.len() + 1));
            let mut lines = lines.clone();
            lines.insert(to, lines[from]);
            *bytes = lines.concat();
        }
        8 if lines.len() > 1 => {
            let mut lines = lines.clone();
            lines.remove(rng.below(lines.len()));
            *bytes = lines.concat();
        }
        _ => bytes.truncate(at),
    }
}

/// Reads it, and checks the trajectory if there is one: neither may panic, nor report NaN.
fn sound(bytes: &[u8]) -> bool {
    match fuzzing::csv(bytes) {
        Err(message) => {
            assert!(message.starts_with("mutant.csv"), "{message}");
            assert!(!message.contains(char::is_control) && message.len() < 1500, "{message}");
            false
        }
        Ok(samples) => {
            let (options, control) = (CheckOptions::default(), Control::default());
            if let Ok(report) = check_free(&samples, &inertia(), &options, &control) {
                let all = [report.energy, report.momentum_norm, report.spatial_momentum];
                let more = [report.momentum, report.attitude, report.orthogonality];
                for d in all.into_iter().chain(more).chain([report.consistency]).flatten() {
                    assert!([d.max, d.at, d.end, d.slope].iter().all(|x| x.is_finite()), "{d:?}");
                }
                assert!(report.allowance.is_finite());
            }
            true
        }
    }
}

#[test]
fn mutants_never_break_the_reader() {
    let plain = csv(&exact(6, 0.3));
    let seeds = [
        plain.clone(),
        format!("\u{feff}# made for a test\r\n{}", plain.replace('\n', "\r\n")),
        "t,q11,q12,q13,q21,q22,q23,q31,q32,q33,m1,m2,m3\n0,1,0,0,0,1,0,0,0,1,1,2,3\n\
         0.5,0,-1,0,1,0,0,0,0,1,1,2,3\n1,1,0,0,0,1,0,0,0,1,1,2,3\n"
            .to_owned(),
        "\"t\",\"w1\",w2,w3\n1,\"0.5\",2,3\n\n0.5,1,2,3\n".to_owned(),
    ];
    let (count, mut rng) = mutants();
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..count {
        let mut bytes = seeds[i % seeds.len()].clone().into_bytes();
        for _ in 0..=rng.below(3) {
            mutate(&mut rng, &mut bytes);
        }
        match catch_unwind(AssertUnwindSafe(|| sound(&bytes))) {
            Ok(true) => accepted += 1,
            Ok(false) => refused += 1,
            Err(panic) => panic!("mutant {i}: {panic:?}\n{}", String::from_utf8_lossy(&bytes)),
        }
    }
    // Neither kind may be so rare that nothing is tested.
    assert!(accepted > count / 10 && refused > count / 4, "{accepted} {refused}");
}
