//! Mutants of good scenarios: refused with a message, or accepted and sound; never a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use polhode_scenario::{Computation, Scenario, Steps};
use polhode_testkit::bodies::Rng;

use crate::{BASE, shipped_files, with_line};

/// How many: 20000, or as many as the variable `POLHODE_MUTANTS` says (other ones, then).
fn mutants() -> (usize, Rng) {
    match std::env::var("POLHODE_MUTANTS") {
        Ok(count) => (count.parse().expect("POLHODE_MUTANTS is a number"), Rng::new(1)),
        Err(_) => (20_000, Rng::new(20260101)),
    }
}

const NUMBERS: &[&str] = &[
    "nan",
    "-inf",
    "inf",
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "5e-324",
    "1e-310",
    "1e-160",
    "1e155",
    "1e300",
    "0",
    "-0.0",
    "-1",
    "1",
    "0x7f",
    "1_000",
    "99999999999999999999",
    "1e15",
    "2.5",
];

/// Pieces of the language, and characters that do not belong there.
const PIECES: &[&str] = &[
    "nan",
    "-inf",
    "inf",
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "5e-324",
    "1e-310",
    "1e-160",
    "1e155",
    "1e300",
    "0",
    "-0.0",
    "-1",
    "1",
    "0x7f",
    "0b1",
    "1_000",
    "99999999999999999999",
    "1e15",
    "true",
    "false",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "=",
    ".",
    ",",
    "#",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\n",
    "\r",
    "\r\n",
    "\t",
    " ",
    "\\",
    "\\u0000",
    "\u{feff}",
    "\u{0}",
    "\u{1b}",
    "ä",
    "\u{202e}",
    "2026-01-01T00:00:00Z",
    "1979-05-27",
    ":",
    "+",
    "-",
    "exact",
    "strang+",
    "strang",
    "+exact",
    "compensated",
    ":compensated",
    "dmv",
    "order",
    "'gradient'",
    "stages = [['kick', 1]]\n",
    "coefficients = 'a.csv'\n",
    "tableau = { a = [[0]], b = [1] }\n",
    "nodes = 3\n",
    "compensated = true\n",
    "damping",
    "coefficient",
    "kind",
    "none",
    "heavy-top",
    "gravity-gradient",
    "[torque]\n",
    "[[torque]]\n",
    "body.",
    "start.",
    "momentum",
    "omega",
    "allow_unphysical = true\n",
    "step = 1e-12\n",
    "every",
    "..",
    "/",
    "a.csv",
    ".aem",
];

fn mutate(rng: &mut Rng, text: &mut Vec<u8>, other: &str) {
    let at = rng.below(text.len() + 1);
    let lines: Vec<&[u8]> = text.split_inclusive(|b| *b == b'\n').collect();
    let line = rng.below(lines.len().max(1)).min(lines.len().saturating_sub(1));
    match rng.below(10) {
        0 if at < text.len() => text[at] ^= 1 << rng.below(8),
        1 if at < text.len() => {
            text.remove(at);
        }
        2 => text.insert(at, u8::try_from(rng.below(128)).unwrap_or_default()),
        3 | 4 => {
            let piece = PIECES[rng.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
        // A number for a number: this gives most of those that are accepted.
        5 => {
            let digit = |i: usize| text.get(i).is_some_and(|b| b"0123456789.e-+".contains(b));
            if let Some(start) = (at..text.len()).find(|i| digit(*i)) {
                let end = (start..=text.len()).find(|i| !digit(*i)).unwrap_or(text.len());
                text.splice(start..end, NUMBERS[rng.below(NUMBERS.len())].bytes());
            }
        }
        // A number, a word or whatever else stands between spaces, commas and brackets.
        6 => {
            let ends = |b: &u8| b" ,[]=\n\"".contains(b);
            let start = text[..at].iter().rposition(ends).map_or(0, |i| i + 1);
            let end = text[at..].iter().position(ends).map_or(text.len(), |i| at + i);
            text.splice(start..end, PIECES[rng.below(PIECES.len())].bytes());
        }
        7 if !lines.is_empty() => {
            let kept = lines.iter().enumerate().filter(|(i, _)| *i != line);
            *text = kept.flat_map(|(_, l)| l.iter().copied()).collect();
        }
        8 if !lines.is_empty() => {
            let mut lines = lines.clone();
            lines.insert(rng.below(lines.len()), lines[line]);
            *text = lines.concat();
        }
        _ => {
            let others: Vec<&str> = other.split_inclusive('\n').collect();
            let mut lines = lines.clone();
            lines.insert(line, others[rng.below(others.len())].as_bytes());
            *text = lines.concat();
        }
    }
}

/// Fails unless every number of it is finite, and it can be run.
fn check_sound(scenario: &Scenario) {
    let (inertia, start) = (scenario.inertia(), scenario.start());
    assert!(inertia.moments().is_finite() && inertia.axes().is_finite());
    assert!(inertia.moments().min_element() > 0.0);
    assert!(start.m.is_finite() && start.q.is_finite() && start.omega(inertia).is_finite());
    assert!((start.q.length() - 1.0).abs() < 1e-14);
    assert!(scenario.until().is_finite());
    let problem = scenario.problem();
    assert!(problem.energy(0.0, start).is_finite());
    assert!(problem.torque_at(0.0, start).is_finite());
    match scenario.computation() {
        Computation::Steps(Steps { method, plan, every, .. }) => {
            assert!(plan.step.is_finite() && plan.step != 0.0 && *every >= 1);
            assert!(plan.time(0.0, plan.steps).is_finite());
            assert!(method.stepper(&problem).is_ok());
        }
        Computation::Solution(solving) => {
            assert!((1e-14..=0.1).contains(&solving.tolerance));
            let last = solving.rows.len() - 1;
            for k in [0, 1, last / 2, last] {
                assert!(solving.rows.time(k).abs() <= scenario.until().abs());
            }
        }
        other => panic!("{other:?}"),
    }
}

fn check_message(text: &str, message: &str, line: Option<usize>, column: Option<usize>) {
    assert!(!message.contains("no TOML"), "the words of a parser: {message}\n{text}");
    assert!(message.starts_with("mutant.toml"), "{message}");
    // Of a mistake in a formula there are two lines more: the formula and a caret.
    let said: Vec<&str> = message.split('\n').collect();
    assert!(said.len() == 1 || said.len() == 3 && said[2].trim() == "^", "{message}");
    assert!(!said.iter().any(|line| line.contains(char::is_control)), "{message}");
    assert!(message.len() < 1500, "{message}");
    let lines = text.split('\n').count();
    assert!(line.is_some_and(|l| (1..=lines).contains(&l)), "{message}");
    assert!(column.is_some_and(|c| (1..=text.len() + 1).contains(&c)), "{message}");
}

#[test]
fn mutants_never_break_the_reader() {
    let mut seeds: Vec<String> =
        shipped_files().iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    seeds.push(BASE.to_owned());
    let stages = "stages = [['kick', 0.5], ['drift', 1], ['gradient', 0.5, 0.01]]\norder = 2\nrotor = 'exact'";
    let tableau =
        "tableau = { a = [[0, 0], [1, 0]], b = [0.5, 0.5], c = [0, 1] }\norder = 2\nid = 'heun'";
    seeds.extend([stages, tableau].map(|own| with_line(10, own).replace("nodes = 5\n", "")));
    // Without comments, where most mutations would hit.
    for seed in &mut seeds {
        let lines = seed.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
        *seed = lines.fold(String::new(), |text, line| text + line + "\n");
    }
    let (count, mut rng) = mutants();
    let (mut accepted, mut refused) = (0, 0);
    for i in 0..count {
        let mut bytes = seeds[i % seeds.len()].clone().into_bytes();
        for _ in 0..=rng.below(3) {
            let other = rng.below(seeds.len());
            mutate(&mut rng, &mut bytes, &seeds[other]);
        }
        let text = String::from_utf8_lossy(&bytes);
        let outcome =
            catch_unwind(AssertUnwindSafe(|| match Scenario::parse(&text, "mutant.toml") {
                Ok(scenario) => {
                    check_sound(&scenario);
                    true
                }
                Err(error) => {
                    check_message(&text, &error.to_string(), error.line(), error.column());
                    false
                }
            }));
        match outcome {
            Ok(true) => accepted += 1,
            Ok(false) => refused += 1,
            Err(panic) => panic!("mutant {i}: {panic:?}\n{text}"),
        }
    }
    // Neither kind may be so rare that nothing is tested.
    assert!(accepted > count / 25 && refused > count / 4, "{accepted} {refused}");
}

#[test]
fn mutants_of_overrides_never_break_the_reader() {
    let seeds = ["method.step=0.1", "body.inertia=[1,2,3]", "torque={kind='damping'}", "a.b=c"];
    let (count, mut rng) = mutants();
    for i in 0..count / 4 {
        let mut bytes = seeds[i % seeds.len()].as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            mutate(&mut rng, &mut bytes, BASE);
        }
        let text = String::from_utf8_lossy(&bytes);
        match catch_unwind(|| Scenario::parse_with(BASE, "mutant.toml", &[&*text])) {
            Ok(Ok(scenario)) => check_sound(&scenario),
            Ok(Err(error)) => {
                let message = error.to_string();
                assert!(message.starts_with("mutant.toml"), "{message}");
                assert!(!message.contains(char::is_control), "{text}: {message}");
            }
            Err(panic) => panic!("mutant {i}: {panic:?}\n{text}"),
        }
    }
}
