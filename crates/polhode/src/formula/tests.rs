use polhode_number::{Dual, Pack, Splat};

use super::*;
use crate::{Inertia, InertiaOver, State, so3};

fn value(text: &str) -> f64 {
    at(text, 0.0)
}

/// The value at a time, on some body in some state.
fn at(text: &str, t: f64) -> f64 {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let state = State::new([0.5, -0.25, 1.25], so3::exp([0.3, -0.4, 0.5].into())).unwrap();
    let constants = [("a".to_owned(), 3.0), ("mu_0".to_owned(), 0.25)].into();
    let formula = Formula::new(text, &constants).unwrap();
    let over = InertiaOver::new(&inertia);
    formula.evaluate(&Body::one(&inertia, &over), t, &Point::from(&state))
}

#[test]
fn arithmetic_is_that_of_the_textbook() {
    for (text, want) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2 - 3 - 4", -5.0),
        ("16/4/2", 2.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("2**3", 8.0),
        ("2 * 3 ** 2", 18.0),
        ("--3", 3.0),
        ("+3 - -2", 5.0),
        ("1.5e1 + .5 + 2.", 17.5),
        ("1E-2*100", 1.0),
        ("a^2 + mu_0", 9.25),
        ("min(2, a) + max(2, a)", 5.0),
        ("abs(-2) + sign(-3) + sign(0) + sign(0.1)", 2.0),
        ("sqrt(16) + log(exp(2)) + ln(1)", 6.0),
        ("9^0.5", 3.0),
    ] {
        assert_eq!(value(text), want, "{text}");
    }
}

#[test]
fn functions_are_those_of_libm() {
    for (text, want) in [
        ("sin(t)", libm::sin(0.7)),
        ("cos(t)", libm::cos(0.7)),
        ("tan(t)", libm::tan(0.7)),
        ("asin(t)", libm::asin(0.7)),
        ("acos(t)", libm::acos(0.7)),
        ("atan(t)", libm::atan(0.7)),
        ("atan2(t, -1)", libm::atan2(0.7, -1.0)),
        ("exp(t)", libm::exp(0.7)),
        ("log(t)", libm::log(0.7)),
        ("t^1.3", libm::pow(0.7, 1.3)),
        ("t^5", (0.7 * 0.7) * (0.7 * 0.7) * 0.7),
        ("t^-2", 1.0 / (0.7 * 0.7)),
        ("t^0", 1.0),
        ("pi*t", core::f64::consts::PI * 0.7),
    ] {
        assert!((at(text, 0.7) - want).abs() <= 2e-16 * want.abs(), "{text}");
    }
}

#[test]
fn variables_are_those_of_the_state() {
    let q = so3::exp([0.3, -0.4, 0.5].into());
    let [w, x, y, z] = so3::to_wxyz(q);
    let names =
        [("m1", 0.5), ("m2", -0.25), ("m3", 1.25), ("w1", 0.5), ("w2", -0.125), ("w3", 0.5)];
    for (name, want) in names.into_iter().chain([("q0", w), ("q1", x), ("q2", y), ("q3", z)]) {
        assert_eq!(value(name), want, "{name}");
    }
    for (name, want) in VARIABLES[MATRIX..].iter().zip(so3::to_rows(q)) {
        assert!((value(name) - want).abs() < 4e-16, "{name}");
    }
}

#[test]
fn what_a_formula_depends_on() {
    let says = |text: &str| {
        let formula = Formula::new(text, &Constants::new()).unwrap();
        let depends = [formula.depends_on_time(), formula.depends_on_attitude()];
        (depends, formula.depends_on_momentum())
    };
    assert_eq!(says("1 + pi"), ([false, false], false));
    assert_eq!(says("sin(t)"), ([true, false], false));
    assert_eq!(says("r13*w2"), ([false, true], true));
    assert_eq!(says("q0 + m3"), ([false, true], true));
}

/// Everything that has a derivative, at one place where all is smooth.
const SMOOTH: &str = "sin(w1)*cos(m2) + tan(r11)/(2 + atan(m1)) - asin(0.5*r12) + acos(0.4*r23)*exp(-m3^2) \
    + log(2 + q1)*sqrt(1 + w3^2) + atan2(m1, m2)*(1.5 + m1)^m3 + abs(m2)*max(m1, m3) - min(q2, q3)^-3";

#[test]
fn derivatives_are_those_of_the_values() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let formula = Formula::new(SMOOTH, &Constants::new()).unwrap();
    let over = InertiaOver::new(&inertia);
    let (m, q) = ([0.5, -0.25, 1.25], [0.5, -0.7, 0.4, 0.3]);
    let lifted = over.map(&mut Splat);
    let body = Body::new(&lifted, core::slice::from_ref(&inertia));
    let point = Point {
        m: [0, 1, 2].map(|i| Dual::<f64, 7>::variable(m[i], i)),
        q: [0, 1, 2, 3].map(|i| Dual::variable(q[i], 3 + i)),
    };
    let got = formula.evaluate(&body, Dual::constant(0.0), &point);
    let plain = |point: Point<f64>| formula.evaluate(&Body::one(&inertia, &over), 0.0, &point);
    assert_eq!(got.value, plain(Point { m, q }));
    for k in 0..7 {
        let moved = |step: f64| {
            let (mut m, mut q) = (m, q);
            if k < 3 {
                m[k] += step;
            } else {
                q[k - 3] += step;
            }
            plain(Point { m, q })
        };
        let h = 1e-4;
        let fine = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
        // h^4/30 times fifth derivatives of 1e5 (the inverse cube near 0.3), rounding of 40 over 1e-4.
        assert!((got.slopes[k] - fine).abs() < 1e-9, "{k}: {} {fine}", got.slopes[k]);
    }
}

#[test]
fn a_lane_has_the_bits_of_one_number() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let formula = Formula::new(SMOOTH, &Constants::new()).unwrap();
    let over = InertiaOver::new(&inertia);
    let lane = |i: usize, x: f64| x + 0.03 * i as f64;
    let lanes = |x: f64| Pack::<4>(core::array::from_fn(|i| lane(i, x)));
    let lifted = over.map(&mut Splat);
    let body = Body::new(&lifted, core::slice::from_ref(&inertia));
    let (m, q) = ([0.5, -0.25, 1.25], [0.5, -0.7, 0.4, 0.3]);
    let got = formula.evaluate(&body, lanes(0.0), &Point { m: m.map(lanes), q: q.map(lanes) });
    for i in 0..4 {
        let point = Point { m: m.map(|x| lane(i, x)), q: q.map(|x| lane(i, x)) };
        assert_eq!(got.0[i], formula.evaluate(&Body::one(&inertia, &over), 0.0, &point));
    }
}

#[test]
fn mistakes_have_their_column_and_a_remedy() {
    let constants = [("omega".to_owned(), 1.0)].into();
    for (text, column, reason) in [
        ("", 1, "an expression is missing"),
        ("  ", 1, "an expression is missing"),
        ("1 + omga*t", 5, "no name 'omga'; did you mean 'omega'?"),
        ("2 t", 3, "an operator is missing; a product is written with '*'"),
        ("2(t)", 2, "an operator is missing; a product is written with '*'"),
        ("t(2)", 2, "an operator is missing; a product is written with '*'"),
        ("sin t", 1, "'sin' is a function; its argument in parentheses is missing"),
        ("sine(t)", 1, "no function 'sine'; did you mean 'sin'?"),
        ("(1 + t", 1, "this '(' is never closed"),
        ("sin(t", 4, "this '(' is never closed"),
        ("1 + t)", 6, "')' without '('"),
        ("(1 2)", 4, "an operator or ')' is missing; a product is written with '*'"),
        ("1 +", 4, "the formula ends where a number or a name should follow"),
        ("1 * / 2", 5, "a number or a name is missing before '/'"),
        ("()", 2, "something is missing before ')'"),
        ("atan2(1)", 8, "'atan2' takes 2 arguments, after ','"),
        ("sin(1, 2)", 6, "'sin' takes 1 argument"),
        ("min(1, 2, 3)", 9, "'min' takes 2 arguments"),
        ("1, 2", 2, "',' outside of a function"),
        ("t = 2", 3, "'=' has no meaning in a formula"),
        ("2 % 3", 3, "'%' has no meaning in a formula"),
        ("ä + 1", 1, "'ä' has no meaning in a formula"),
        ("1e999", 1, "this number overflows to infinity: the largest double is about 1.8e308"),
        ("1e + 2", 2, "an operator is missing; a product is written with '*'"),
    ] {
        let error = Formula::new(text, &constants).unwrap_err();
        assert_eq!((error.column(), error.reason()), (column, reason), "{text}");
    }
    let error = Formula::new("-k*w1", &constants).unwrap_err();
    assert!(error.reason().starts_with("no name 'k'; known: t, w1, "), "{error}");
    assert!(error.reason().ends_with(", omega; constants = { .. } names numbers"), "{error}");
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    let error = Formula::new(&deep, &constants).unwrap_err();
    assert_eq!((error.column(), error.reason()), (101, "nested more than 100 deep"));
    let wide = format!("{}t{}", "t+(".repeat(30), ")".repeat(30));
    let error = Formula::new(&wide, &constants).unwrap_err();
    assert!(error.reason().starts_with("too much is waiting"), "{error}");
    // In the order advised there is room for any length.
    let long = format!("{}t{}", "(".repeat(60), "+t)".repeat(60));
    assert!(Formula::new(&long, &constants).is_ok());
}

#[test]
fn a_caret_stands_below_the_mistake() {
    let error = Formula::new("cos(2*\tx)", &Constants::new()).unwrap_err();
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    assert_eq!(&lines[1..], ["    cos(2* x)", "           ^"]);
    // Of a long formula the part around it.
    let long = format!("{}x{}", "t + ".repeat(100), " + t".repeat(100));
    let error = Formula::new(&long, &Constants::new()).unwrap_err();
    assert_eq!(error.column(), 401);
    let lines: Vec<String> = error.to_string().lines().map(str::to_owned).collect();
    let place = lines[2].find('^').unwrap();
    assert_eq!((&lines[1][place..=place], lines[1].len()), ("x", 104));
}

#[test]
fn no_text_breaks_the_parser() {
    let pieces = [
        "sin",
        "(",
        ")",
        "+",
        "-",
        "*",
        "/",
        "^",
        "**",
        ",",
        " ",
        "\t",
        "1",
        "2.5e",
        ".",
        "e-3",
        "r11",
        "q",
        "pi",
        "atan2(",
        "min(t,",
        "ä",
        "\u{1F600}",
        "\0",
        "<",
        "=",
        "constant",
        "1e999",
        "_",
    ];
    let (mut seed, mut good) = (20_260_u64, 0);
    for _ in 0..50_000 {
        let mut text = String::new();
        for _ in 0..12 {
            // Knuth's multiplier; the upper bits are the random ones.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text += pieces[(seed >> 33) as usize % pieces.len()];
            match Formula::new(&text, &Constants::new()) {
                Ok(_) => good += 1,
                Err(error) => {
                    assert!(error.column() <= text.chars().count() + 1, "{text:?}");
                    assert_eq!(error.to_string().lines().count(), 3, "{text:?}");
                }
            }
        }
    }
    assert!(good > 1000, "{good}");
}

#[test]
fn constants_must_be_names_of_their_own() {
    for (name, value, reason) in [
        ("pi", 3.0, "has a meaning already"),
        ("w1", 3.0, "has a meaning already"),
        ("sin", 3.0, "is a function"),
        ("2a", 3.0, "is no name"),
        ("", 3.0, "is no name"),
        ("b", f64::NAN, "is not a finite number"),
    ] {
        let error = Formula::new("1", &[(name.to_owned(), value)].into()).unwrap_err();
        let want = format!("constant '{name}' {reason}");
        assert!(error.reason().starts_with(&want), "{error}");
    }
}
