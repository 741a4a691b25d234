//! What can be wrong with a torque.

use super::kinds;
use crate::formula::FormulaError;
use crate::parameters::suggestion;
use crate::table::TableError;

/// Why a torque could not be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TorqueError {
    /// No torque of that kind.
    #[error("no torque '{kind}'{}", suggestion(&kinds(), .kind))]
    UnknownKind {
        /// The kind that was given.
        kind: String,
    },
    /// This torque has no key of that name.
    #[error("{kind}: no key '{key}'{}", suggestion(.known, .key))]
    UnknownKey {
        /// The kind of torque.
        kind: &'static str,
        /// The key that was given.
        key: String,
        /// The keys that this torque has.
        known: Vec<&'static str>,
    },
    /// A key without a default is not given.
    #[error("{kind}: '{key}' is missing; it must be {allowed}")]
    Missing {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// What it may be.
        allowed: String,
    },
    /// A value of the wrong type, count or range, or one that is not finite.
    #[error("{kind}: {key} = {given} is not allowed; allowed is {allowed}")]
    Value {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// The value that was given, as text.
        given: String,
        /// What would have been accepted.
        allowed: String,
    },
    /// Two directions that must span a plane do not.
    #[error("{kind}: {key} = {given} is parallel to {other} = {reference}; it must not be")]
    Parallel {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// The value that was given, as text.
        given: String,
        /// The key of the direction it is parallel to.
        other: &'static str,
        /// The value of that other key, as text.
        reference: String,
    },
    /// A product of numbers that are allowed each by itself overflows.
    #[error("{kind}: {key} = {given} times {factor} is beyond the range of a double")]
    TooLarge {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// The value that was given, as text.
        given: String,
        /// What it is multiplied by.
        factor: &'static str,
    },
    /// A text that is no formula.
    #[error("{kind}: {key}, component {component}: {error}")]
    Formula {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// Which of the three components, from 1.
        component: usize,
        /// What is wrong, and where.
        error: FormulaError,
    },
    /// Rows that are no table.
    #[error("{kind}: {key}: {error}")]
    Table {
        /// The kind of torque.
        kind: &'static str,
        /// The key whose value it is.
        key: &'static str,
        /// What is wrong, and where.
        error: TableError,
    },
    /// A run goes where a table says nothing.
    #[error(
        "{kind}: the table goes from t = {first:?} to {last:?}, and t = {t:?} is wanted; say what is beyond it: \
         beyond = \"hold\" or \"zero\""
    )]
    BeyondTable {
        /// The kind of torque.
        kind: &'static str,
        /// The time of the first row.
        first: f64,
        /// The time of the last row.
        last: f64,
        /// The time that is wanted.
        t: f64,
    },
}

#[cfg(test)]
mod tests {
    use crate::Inertia;
    use crate::torque::*;

    fn refused(kind: &str, given: &[(&str, KeyValue)]) -> String {
        let values = given.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
        let built = Torque::build(kind, &values.collect()).and_then(|t| t.check(&inertia));
        built.err().unwrap_or_else(|| panic!("{kind} {given:?} was accepted")).to_string()
    }

    /// A key that is not allowed to be that; a value, and how it is written.
    fn value(kind: &str, key: &str, given: impl Into<KeyValue>, text: &str, allowed: &str) {
        let required = match kind {
            "magnetic-dipole" if key == "dipole" => vec![("field", [1.0; 3].into())],
            "gravity-gradient" if key != "rate" => vec![("rate", 1.0.into())],
            "constant" | "formula" if key != "torque" => vec![("torque", [1.0; 3].into())],
            "table" if key != "rows" => vec![("rows", vec![vec![0.0; 4], vec![1.0; 4]].into())],
            _ => vec![],
        };
        let given: Vec<_> = required.into_iter().chain([(key, given.into())]).collect();
        let want = format!("{kind}: {key} = {text} is not allowed; allowed is {allowed}");
        assert_eq!(refused(kind, &given), want);
    }

    #[test]
    fn unknown_names() {
        assert_eq!(refused("heavytop", &[]), "no torque 'heavytop'; did you mean 'heavy-top'?");
        let text = refused("wind", &[]);
        assert!(text.starts_with("no torque 'wind'; known: none, heavy-top, lagrange"), "{text}");
        let one = KeyValue::Number(1.0);
        for (kind, key, text) in [
            ("heavy-top", "center", "heavy-top: no key 'center'; did you mean 'centre'?"),
            ("heavy-top", "mass", "heavy-top: no key 'mass'; known: centre, up"),
            ("none", "up", "none: no key 'up'; it takes none"),
        ] {
            assert_eq!(refused(kind, &[(key, one.clone())]), text);
        }
    }

    #[test]
    fn wrong_types_and_counts() {
        let three = "three finite numbers";
        value("heavy-top", "centre", 1.0, "1.0", three);
        value("heavy-top", "centre", "up", "\"up\"", three);
        value("heavy-top", "centre", vec![1.0, 2.0], "[1.0, 2.0]", three);
        value("magnetic-dipole", "dipole", vec![1.0; 4], "[1.0, 1.0, 1.0, 1.0]", three);
        value("lagrange-top", "strength", vec![20.0], "[20.0]", "a finite number");
        value("gravity-gradient", "rate", "fast", "\"fast\"", "a finite number");
        let some = "one finite number or three, none negative";
        value("damping", "coefficient", vec![0.1, 0.2], "[0.1, 0.2]", some);
        value("damping", "coefficient", "much", "\"much\"", some);
        value("coulomb-wall", "sign", "correct", "\"correct\"", "printed or physical");
        value("coulomb-wall", "sign", -1.0, "-1.0", "printed or physical");
        value("constant", "frame", "orbit", "\"orbit\"", "body or space");
    }

    #[test]
    fn wrong_numbers() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        value("lagrange-top", "strength", nan, "NaN", "a finite number");
        value("gravity-gradient", "rate", -inf, "-inf", "a finite number");
        value("heavy-top", "centre", [0.0, inf, 1.0], "[0.0, inf, 1.0]", "three finite numbers");
        value("constant", "torque", [nan, 0.0, 1.0], "[NaN, 0.0, 1.0]", "three finite numbers");
        let direction = "three finite numbers, not all zero";
        value("heavy-top", "up", [0.0; 3], "[0.0, 0.0, 0.0]", direction);
        value("gravity-gradient", "normal", [0.0, -0.0, 0.0], "[0.0, -0.0, 0.0]", direction);
        value("gravity-gradient", "towards", [0.0, 0.0, nan], "[0.0, 0.0, NaN]", direction);
        let some = "one finite number or three, none negative";
        value("damping", "coefficient", -0.5, "-0.5", some);
        value("damping", "coefficient", nan, "NaN", some);
        value("damping", "coefficient", [0.1, -0.2, 0.0], "[0.1, -0.2, 0.0]", some);
    }

    #[test]
    fn missing_keys() {
        let dipole = [("dipole", [1.0; 3].into())];
        for (kind, given, want) in [
            ("magnetic-dipole", &dipole[..], "'field' is missing; it must be three finite numbers"),
            ("constant", &[], "'torque' is missing; it must be three finite numbers"),
            ("gravity-gradient", &[], "'rate' is missing; it must be a finite number"),
            (
                "damping",
                &[],
                "'coefficient' is missing; it must be one finite number or three, none negative",
            ),
        ] {
            assert_eq!(refused(kind, given), format!("{kind}: {want}"));
        }
    }

    #[test]
    fn numbers_that_do_not_go_together() {
        let rate = ("rate", KeyValue::Number(1.0));
        let text = refused("gravity-gradient", &[rate.clone(), ("normal", [1.0, 0.0, 0.0].into())]);
        assert!(text.ends_with(
            "towards = [1.0, 0.0, 0.0] is parallel to normal = [1.0, 0.0, 0.0]; it must not be"
        ));
        // Parallel to rounding, which the products do not show.
        let normal = ("normal", [0.1, 0.2, 0.3].into());
        let text =
            refused("gravity-gradient", &[rate, normal, ("towards", [-0.7, -1.4, -2.1].into())]);
        assert!(text.contains("is parallel to"), "{text}");
        let big = || KeyValue::from([1e200, 0.0, 0.0]);
        for (kind, given, want) in [
            (
                "heavy-top",
                vec![("centre", big()), ("up", big())],
                "centre = [1e200, 0.0, 0.0] times up",
            ),
            ("magnetic-dipole", vec![("dipole", big()), ("field", big())], "times field"),
            ("gravity-gradient", vec![("rate", 1e200.into())], "rate = 1e200 times itself and"),
        ] {
            let text = refused(kind, &given);
            assert!(
                text.contains(want) && text.ends_with("beyond the range of a double"),
                "{text}"
            );
        }
        let light = Inertia::principal([1e-300; 3]).unwrap();
        let error = Torque::from(Damping::new([1e200; 3]).unwrap()).check(&light).unwrap_err();
        assert!(matches!(error, TorqueError::TooLarge { key: "coefficient", .. }), "{error}");
    }

    #[test]
    fn constructors_refuse_what_keys_do() {
        assert!(HeavyTop::new([0.0; 3], [0.0; 3]).is_err());
        assert!(HeavyTop::lagrange(f64::NAN).unwrap_err().to_string().starts_with("lagrange-top"));
        assert!(ConstantTorque::space([f64::NAN; 3]).is_err());
        assert!(MagneticDipole::new([0.0; 3], [f64::INFINITY; 3]).is_err());
    }

    #[test]
    fn formulas_and_tables_are_refused_with_their_place() {
        let texts = |texts: [&str; 3]| KeyValue::Texts(texts.map(str::to_owned).to_vec());
        let said = refused("formula", &[("torque", texts(["0", "2*sine(t)", "0"]))]);
        let want =
            "formula: torque, component 2: at column 3: no function 'sine'; did you mean 'sin'?";
        assert_eq!(said, format!("{want}\n    2*sine(t)\n      ^"));
        value("formula", "torque", vec![1.0], "[1.0]", "three expressions");
        value("formula", "torque", "t; t", "\"t; t\"", "three expressions");
        let constants = "names with finite numbers, { a = 1.5, .. }";
        value("formula", "constants", "a 3", "\"a 3\"", constants);
        let rows = KeyValue::Rows(vec![vec![0.0; 4], vec![0.0; 3]]);
        let said = refused("table", &[("rows", rows)]);
        assert_eq!(said, "table: rows: row 2 has 3 numbers; each row has four: t, x, y, z");
        let said = refused("table", &[("rows", vec![0.0; 6].into())]);
        assert!(said.contains("row 2 has 2 numbers"), "{said}");
        value("table", "rows", 1.0, "1.0", "two rows of four numbers [t, x, y, z], or more");
        value("table", "interpolation", "cubic", "\"cubic\"", "linear or hold or spline");
        value("table", "beyond", "stop", "\"stop\"", "error or hold or zero");
        let dipole = ("dipole", KeyValue::from([1.0, 0.0, 0.0]));
        let said = refused("dipole", &[dipole.clone(), ("field", vec![1.0; 5].into())]);
        assert!(said.contains("three finite numbers, three expressions, or rows"), "{said}");
        let said = refused("dipole", &[dipole, ("field", texts(["0", "", "0"]))]);
        assert!(
            said.contains("field, component 2: at column 1: an expression is missing"),
            "{said}"
        );
    }

    #[test]
    fn one_text_and_one_list_say_as_much() {
        let texts = ["k*w1", "sin(t)", "0"].map(str::to_owned).to_vec();
        let constants: crate::formula::Constants = [("k".to_owned(), -0.5)].into();
        let of = |torque: KeyValue, constants: KeyValue| {
            let values = [("torque".to_owned(), torque), ("constants".to_owned(), constants)];
            Torque::build("formula", &values.into()).unwrap()
        };
        assert_eq!(
            of(texts.into(), constants.into()),
            of("k*w1; sin(t); 0".into(), "k = -0.5".into())
        );
        let of = |rows: KeyValue| Torque::build("table", &[("rows".to_owned(), rows)].into());
        let rows = vec![vec![0.0, 1.0, 2.0, 3.0], vec![1.0, 1.0, 2.0, 3.0]];
        assert_eq!(of(rows.concat().into()).unwrap(), of(rows.into()).unwrap());
    }

    #[test]
    fn the_table_is_sound() {
        for entry in TORQUES {
            assert_eq!(find(entry.kind).unwrap().kind, entry.kind);
            assert!(entry.cites.iter().all(|c| c.bibtex().is_some()), "{}", entry.kind);
            assert!(!entry.title.is_empty() && entry.keys.iter().all(|k| k.doc.ends_with('.')));
        }
    }
}
