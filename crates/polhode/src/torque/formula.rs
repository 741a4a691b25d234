//! `formula`: a torque whose three components are written as expressions.
//!
//! They may name what [`crate::formula`] knows: time, angular velocity, momentum, attitude, and constants. The torque
//! is in the body frame or in space. It has no potential, and its derivatives are exact.
//!
//! Keys: `torque` are the three expressions; `frame` is "body" (default) or "space"; `constants` names numbers.

use super::given::{GivenVector, VectorFrame};
use super::{Key, KeyKind, Torque, TorqueEntry};
use crate::formula::{Constants, Formula};

const TORQUE: Key = Key {
    name: "torque",
    doc: "Its three components, as expressions in t, w1..w3, m1..m3, q0..q3, r11..r33, pi and constants.",
    kind: KeyKind::Expressions,
};

const FRAME: Key = Key {
    name: "frame",
    doc: "The frame of these components.",
    kind: KeyKind::Choice(VectorFrame::NAMES),
};

pub(super) const CONSTANTS: Key = Key {
    name: "constants",
    doc: "Numbers that the expressions may name.",
    kind: KeyKind::Constants,
};

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: "formula",
    title: "a torque written as three expressions of time and state",
    keys: &[TORQUE, FRAME, CONSTANTS],
    cites: &[],
    example: || {
        let torque = ["0.2*r31 + a*sin(t)", "q1*q2 - a*w1", "exp(-t^2/9)*r12"];
        let constants = Constants::from([("a".to_owned(), 0.3)]);
        vec![("torque", torque.into()), ("frame", "space".into()), ("constants", constants.into())]
    },
    make: |given| {
        let formulas = given.formulas(&TORQUE, &given.constants(&CONSTANTS)?)?;
        let frame = if given.is(&FRAME, "space")? { VectorFrame::Space } else { VectorFrame::Body };
        Ok(of(formulas, frame))
    },
};

fn of(formulas: [Formula; 3], frame: VectorFrame) -> Torque {
    GivenVector { source: formulas.into(), frame, dipole: None }.into_torque(&ENTRY)
}

impl Torque {
    /// The torque whose components, in that frame, are these formulas.
    ///
    /// ```
    /// use polhode::Torque;
    /// use polhode::formula::Formula;
    /// use polhode::torque::VectorFrame;
    /// let constants = [("k".to_owned(), 0.3)].into();
    /// let [x, y, z] = ["-k*w1", "-k*w2", "sin(t)"].map(|text| Formula::new(text, &constants));
    /// let torque = Torque::formula([x?, y?, z?], VectorFrame::Body);
    /// assert!(torque.depends_on_time() && torque.has_jacobian());
    /// # Ok::<(), polhode::formula::FormulaError>(())
    /// ```
    pub fn formula(components: [Formula; 3], frame: VectorFrame) -> Self {
        of(components, frame)
    }
}
