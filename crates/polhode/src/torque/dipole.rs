//! `dipole`: a dipole fixed in the body, in a uniform field of space that may change with time.
//!
//! torque = dipole x Q^T field: a charge dipole in an electric field, a magnet in a magnetic one. As long as the
//! field does not name the state, V = -dipole . Q^T field.
//!
//! Keys: `dipole` in the body frame; `field` in space: three numbers, three expressions, or rows of a table (in a
//! scenario also the name of a CSV file); `constants`, `interpolation` and `beyond` as for `formula` and `table`.
//! `field = "orbit"` is that of a planet along an orbit ([`DipoleField`]): `strength`, `axis`, `pole`, `spin`, and the
//! keys of the orbit as for `gravity-gradient`.

use glam::DVec3;

use super::dipole_field::{AXIS, POLE, SPIN, STRENGTH};
use super::formula::CONSTANTS;
use super::given::{GivenVector, VectorFrame, VectorSource};
use super::orbit::{ANOMALY, ECCENTRICITY, NORMAL, RATE, TOWARDS};
use super::table::{BEYOND, INTERPOLATION};
use super::{DipoleField, Key, KeyKind, Torque, TorqueEntry, TorqueError};

const KIND: &str = "dipole";

const DIPOLE: Key = Key {
    name: "dipole",
    doc: "Dipole moment; body frame.",
    kind: KeyKind::Vector { default: None },
};

const FIELD: Key = Key {
    name: "field",
    doc: "The field: constant, three expressions, rows [t, x, y, z] (in a scenario also the name of a file beside it \
          with such lines), or \"orbit\" for a planet's along an orbit; space frame.",
    kind: KeyKind::Field,
};

/// The word for a planet's field along an orbit.
const ORBIT: &str = "orbit";

/// Needed with a field along an orbit alone.
const OPTIONAL_RATE: Key = Key { kind: KeyKind::Number { default: Some(0.0) }, ..RATE };

pub(super) static ENTRY: TorqueEntry = TorqueEntry {
    kind: KIND,
    title: "a dipole in the body in a field that may change with time, V = -dipole . Q^T field",
    keys: &[
        DIPOLE,
        FIELD,
        CONSTANTS,
        INTERPOLATION,
        BEYOND,
        STRENGTH,
        AXIS,
        POLE,
        SPIN,
        OPTIONAL_RATE,
        NORMAL,
        TOWARDS,
        ECCENTRICITY,
        ANOMALY,
    ],
    cites: &[],
    example: || {
        let field = ["cos(2*t)", "sin(2*t)", "0.4"];
        vec![("dipole", [0.3, -0.5, 0.2].into()), ("field", field.into())]
    },
    make: |given| {
        let field = if given.says(&FIELD, ORBIT) {
            DipoleField::read(KIND, given)?.into()
        } else {
            given.source(&FIELD, &CONSTANTS, &INTERPOLATION, &BEYOND)?
        };
        Torque::dipole(given.vector(&DIPOLE)?, field)
    },
};

impl Torque {
    /// The torque of a dipole (body frame) in this field (space frame).
    ///
    /// ```
    /// use polhode::Torque;
    /// let magnet = Torque::dipole([0.0, 0.0, 0.1], [2.0, 0.0, 0.0])?;
    /// assert!(magnet.conserves_energy());
    /// # Ok::<(), polhode::torque::TorqueError>(())
    /// ```
    ///
    /// # Errors
    /// [`TorqueError`] if a number of the dipole is not finite, or its product with a constant field overflows.
    pub fn dipole(
        dipole: impl Into<DVec3>,
        field: impl Into<VectorSource>,
    ) -> Result<Self, TorqueError> {
        let (dipole, source) = (DIPOLE.admit(KIND, dipole)?, field.into());
        if let VectorSource::Constant(field) = source {
            let field = FIELD.admit(KIND, field)?;
            let size = dipole.abs().max_element() * field.abs().max_element();
            DIPOLE.in_range(KIND, dipole, "field", size)?;
        }
        let given = GivenVector { source, frame: VectorFrame::Space, dipole: Some(dipole) };
        Ok(given.into_torque(&ENTRY))
    }
}
