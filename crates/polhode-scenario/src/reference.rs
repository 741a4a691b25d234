//! Every section and key of a scenario and of an ensemble, as data: what `polhode scenario-reference` prints.

use core::fmt::Write;

use polhode::torque::TORQUES;

/// A key of a section.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyReference {
    /// Its name.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// What its value is.
    pub kind: &'static str,
    /// The unit of its numbers; a dash for none.
    pub unit: &'static str,
    /// What holds if it is not given; "needed" where it must be.
    pub default: &'static str,
    /// A value, as TOML.
    pub example: &'static str,
}

/// A section.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SectionReference {
    /// Its name, `output.aem`.
    pub name: &'static str,
    /// What it says, and whether it must be there.
    pub doc: &'static str,
    /// Its keys, in the order in which they are told.
    pub keys: &'static [KeyReference],
}

const fn key(
    name: &'static str,
    kind: &'static str,
    unit: &'static str,
    default: &'static str,
    example: &'static str,
    doc: &'static str,
) -> KeyReference {
    KeyReference { name, doc, kind, unit, default, example }
}

const FLAG: &str = "true or false";
const NUMBER: &str = "a number";
const TEXT: &str = "a text";

/// The sections of a scenario.
pub const SCENARIO: &[SectionReference] = &[
    SectionReference {
        name: "body",
        doc: "The body. Needed.",
        keys: &[
            key(
                "inertia",
                "three principal moments, a tensor as three rows, or a shape; or, to vary with time, three \
                 expressions of t or rows [t, I1, I2, I3]",
                "mass times length squared",
                "needed",
                "{ box = [1, 2, 3], mass = 12 }",
                "Off the diagonal of a tensor stand minus the integrals of xy, yz, zx over the mass. Shapes: see below.",
            ),
            key(
                "allow_unphysical",
                FLAG,
                "-",
                "false",
                "true",
                "Accept moments that no body can have: the largest exceeds the sum of the others.",
            ),
        ],
    },
    SectionReference {
        name: "start",
        doc: "The state at t = 0. Needed, with one of omega, momentum and periods.",
        keys: &[
            key(
                "omega",
                "three numbers, or the same with a unit",
                "radians per unit of time",
                "needed, or momentum or periods",
                "{ deg_per_s = [5, 3, 0] }",
                "Angular velocity in the body frame. With deg_per_s, rpm or rad_per_s the unit of time is a second.",
            ),
            key(
                "momentum",
                "three numbers",
                "inertia per unit of time",
                "needed, or omega or periods",
                "[0.1, 2, 0]",
                "Angular momentum in the body frame.",
            ),
            key(
                "periods",
                "{ rotation = .., precession = .., mode = \"long-axis\" or \"short-axis\" }",
                "time",
                "needed, or omega or momentum",
                "{ rotation = 5.41, precession = 7.35, mode = \"long-axis\" }",
                "Two observed periods: of the turn about the long axis (or the short one), and of that axis about the \
                 momentum. The mode is needed where both are possible.",
            ),
            key(
                "attitude",
                "four numbers w, x, y, z, or another form",
                "-",
                "[1, 0, 0, 0]",
                "{ euler_deg = [30, 10, 0], sequence = \"zyx\" }",
                "From body to space. Forms: see below.",
            ),
        ],
    },
    SectionReference {
        name: "torque",
        doc: "What acts on the body; nothing unless given. [[torque]], several times, for a sum. Other keys are those \
              of the kind: see below.",
        keys: &[key(
            "kind",
            "the name of a torque",
            "-",
            "needed",
            "\"heavy-top\"",
            "Which torque.",
        )],
    },
    SectionReference {
        name: "orbit",
        doc: "An orbit that torques share: `gravity-gradient`, and `dipole` with field = \"orbit\". What such a torque says \
              itself comes first. Nothing unless given.",
        keys: &[
            key(
                "rate",
                NUMBER,
                "radians per time",
                "needed",
                "1.1e-3",
                "Angular velocity about the normal; its mean on an eccentric orbit.",
            ),
            key(
                "normal",
                "three numbers, not all zero",
                "-",
                "[0, 0, 1]",
                "[0, -0.99, 0.14]",
                "Normal of the orbit; space frame, any length.",
            ),
            key(
                "towards",
                "three numbers, not all zero",
                "-",
                "[1, 0, 0]",
                "[1, 0, 0]",
                "Direction of the body seen from the planet at t = 0; space frame, not parallel to the normal.",
            ),
            key(
                "eccentricity",
                "a number from 0 to below 1",
                "-",
                "0",
                "0.2056",
                "Of Kepler's ellipse; 0 is a circle.",
            ),
            key(
                "anomaly",
                NUMBER,
                "radians",
                "0",
                "1.5",
                "True anomaly at t = 0, about the normal: the angle from periapsis.",
            ),
            key(
                "strength",
                NUMBER,
                "magnetic field",
                "0",
                "2.6e-5",
                "The planet's field on its magnetic equator, at the distance of the semi-major axis.",
            ),
            key(
                "axis",
                "three numbers, not all zero",
                "-",
                "[0, 0, -1]",
                "[0.17, 0, -0.98]",
                "Direction of the planet's magnetic moment at t = 0 (the Earth's points south); space frame.",
            ),
            key(
                "pole",
                "three numbers, not all zero",
                "-",
                "[0, 0, 1]",
                "[0, 0, 1]",
                "The axis that the planet turns about; space frame.",
            ),
            key(
                "spin",
                NUMBER,
                "radians per time",
                "0",
                "7.292e-5",
                "Angular velocity of the planet about its pole.",
            ),
        ],
    },
    SectionReference {
        name: "wheel",
        doc: "A wheel in the body; [[wheel]] several times, 8 at most. The inertia of the body is that with all wheels \
              locked, its momentum the total one. A wheel keeps its speed relative to the body unless it is driven, \
              which any key after that says too; the speeds of driven wheels are columns of every table. Needs a \
              method with a step.",
        keys: &[
            key(
                "axis",
                "three numbers, not all zero",
                "-",
                "needed",
                "[0, 0, 1]",
                "Body frame, any length.",
            ),
            key(
                "inertia",
                "a positive number",
                "mass times length squared",
                "needed",
                "1e-4",
                "Moment of inertia about the axis.",
            ),
            key(
                "speed",
                NUMBER,
                "radians per time",
                "0",
                "300",
                "At the start, relative to the body.",
            ),
            key("driven", FLAG, "-", "false", "true", "Its speed can change."),
            key("torque", NUMBER, "torque", "0", "1e-4", "Of its motor, unless a controller says."),
            key(
                "torque_limit",
                "a positive number",
                "torque",
                "none",
                "1e-3",
                "The most of its motor.",
            ),
            key(
                "speed_limit",
                "a positive number",
                "radians per time",
                "none",
                "600",
                "The motor does not drive it faster.",
            ),
            key(
                "viscous_friction",
                NUMBER,
                "torque times time",
                "0",
                "1e-7",
                "Torque for a relative speed.",
            ),
            key("coulomb_friction", NUMBER, "torque", "0", "1e-6", "Torque against the motion."),
        ],
    },
    SectionReference {
        name: "dissipation",
        doc: "Energy lost inside the body at constant momentum in space, by flexing for instance. Needs a method made of \
              Strang steps, strang+exact for instance.",
        keys: &[
            key(
                "rate",
                NUMBER,
                "1/(momentum times inertia)",
                "needed, or quality_factor",
                "1e-3",
                "kappa: the energy falls by kappa |M x omega|^2 in a unit of time.",
            ),
            key(
                "quality_factor",
                "a positive number",
                "-",
                "needed, or rate",
                "100",
                "Q: a small wobble loses the part 2 pi/Q of its energy in each of its periods.",
            ),
        ],
    },
    SectionReference {
        name: "damper",
        doc: "A ball in a spherical cavity full of a viscous fluid; it starts turning with the body.",
        keys: &[
            key(
                "inertia",
                "a positive number",
                "mass times length squared",
                "needed",
                "0.01",
                "Of the ball.",
            ),
            key(
                "coefficient",
                NUMBER,
                "torque times time",
                "needed",
                "0.1",
                "Torque for a relative angular velocity.",
            ),
        ],
    },
    SectionReference {
        name: "controller",
        doc: "A controller, called at its own rate, its command held in between; [[controller]] several times. `b-dot` and \
              `momentum-dump` command a magnetic dipole in the field of [orbit] or of a torque `dipole`; \
              `pd-quaternion` points the body. Needs a method with a step, which ends where a command changes.",
        keys: &[
            key(
                "kind",
                "b-dot, pd-quaternion or momentum-dump",
                "-",
                "needed",
                "\"b-dot\"",
                "Which law.",
            ),
            key("period", "a positive number", "time", "needed", "1", "From one call to the next."),
            key("delay", NUMBER, "time", "0", "0.2", "From a call until its command acts."),
            key(
                "gain",
                NUMBER,
                "of b-dot dipole times time per field, of momentum-dump 1/time",
                "needed for these",
                "2e4",
                "b-dot: dipole = -gain dB/dt. momentum-dump: dipole = gain (h x B)/B^2, h the momentum of the wheels.",
            ),
            key(
                "dipole_limit",
                "a positive number",
                "dipole",
                "none",
                "0.2",
                "The most along each axis.",
            ),
            key(
                "target",
                "\"nadir\", or an attitude as in [start]",
                "-",
                "needed for pd-quaternion",
                "\"nadir\"",
                "nadir: the third axis to the planet, the second against the normal of the orbit.",
            ),
            key(
                "stiffness",
                NUMBER,
                "torque",
                "needed for pd-quaternion",
                "2e-5",
                "Torque for a small angle.",
            ),
            key(
                "damping",
                NUMBER,
                "torque times time",
                "needed for pd-quaternion",
                "1e-3",
                "Torque for an angular velocity.",
            ),
            key(
                "actuator",
                "wheels, thrusters or torque",
                "-",
                "needed for pd-quaternion",
                "\"torque\"",
                "What makes the torque: motors of driven wheels, thrusters, or nothing in particular.",
            ),
            key(
                "thrust",
                "three positive numbers",
                "torque",
                "needed for thrusters",
                "[0.1, 0.1, 0.1]",
                "The torque of thrusters that are on, about each body axis.",
            ),
            key(
                "shortest_pulse",
                NUMBER,
                "time",
                "0",
                "0.02",
                "Thrusters are on for so long at least, or not at all.",
            ),
        ],
    },
    SectionReference {
        name: "method",
        doc: "How the motion is stepped through. Without it the motion is solved to [run] tolerance. Parameters of the \
              method may stand here as keys, or in the id: see `polhode methods`.",
        keys: &[
            key(
                "id",
                TEXT,
                "-",
                "needed, or a method of one's own",
                "\"rkn6-14+exact\"",
                "A scheme with a rotor, a rotor alone for a free body, another method, or a way to solve: \
                 extrapolation, dop853, closed-form.",
            ),
            key(
                "step",
                NUMBER,
                "time",
                "needed with fixed steps",
                "\"1/60\"",
                "The step; negative to go back.",
            ),
            key(
                "stages",
                "a list of [\"kick\", b], [\"drift\", a], [\"gradient\", b, c]",
                "-",
                "none",
                "[[\"kick\", 0.5], [\"drift\", 1], [\"kick\", 0.5]]",
                "A splitting of one's own, with order and rotor; id is then its name.",
            ),
            key(
                "coefficients",
                "the name of a file beside the scenario",
                "-",
                "none",
                "\"mine.csv\"",
                "The same from a file with lines like kick,0.5.",
            ),
            key(
                "tableau",
                "{ a = [[..], ..], b = [..], c = [..] }",
                "-",
                "none",
                "{ a = [[0, 0], [1, 0]], b = [0.5, 0.5], c = [0, 1] }",
                "A Runge-Kutta method of one's own, with order.",
            ),
            key(
                "order",
                "a whole number",
                "-",
                "needed with one's own",
                "2",
                "The order of a method of one's own.",
            ),
            key(
                "rotor",
                TEXT,
                "-",
                "needed with stages",
                "\"exact\"",
                "The rotor of a splitting of one's own.",
            ),
            key(
                "accepts",
                "\"attitude\" or \"momentum\"",
                "-",
                "\"momentum\"",
                "\"attitude\"",
                "What a torque may depend on, for a splitting of one's own.",
            ),
        ],
    },
    SectionReference {
        name: "run",
        doc: "The span, and which rows are kept. Needed.",
        keys: &[
            key("until", NUMBER, "time", "needed, or times", "100", "The end; the start is at 0."),
            key(
                "every",
                "a whole number",
                "steps",
                "1",
                "10",
                "Keep every so many-th of fixed steps.",
            ),
            key(
                "tolerance",
                "a number from 1e-14 to 0.1",
                "of the momentum relative to its length, of the attitude radians",
                "1e-10",
                "1e-8",
                "The error wanted at the end, without fixed steps.",
            ),
            key(
                "interval",
                NUMBER,
                "time",
                "a thousandth of the span",
                "0.5",
                "The time from row to row.",
            ),
            key(
                "times",
                "a list of times, or the name of a file beside the scenario",
                "time",
                "none",
                "[1, 2.5, 10]",
                "Rows at these times alone.",
            ),
            key(
                "stops",
                "a list of times",
                "time",
                "none",
                "[3]",
                "Where the torque jumps: a step of the solver ends there.",
            ),
            key(
                "stop_when",
                "a comparison, as a text",
                "-",
                "none",
                "\"norm(omega) > 3\"",
                "The run ends when this becomes true.",
            ),
        ],
    },
    SectionReference {
        name: "watch",
        doc: "What to watch, by names of your own: a formula is a column of every table, a comparison a list of intervals in \
              the summary. Formulas know time and state, directions (x, y, z of the body, X, Y, Z of space, momentum, omega, \
              nadir, velocity, field, those of [directions]), angle, norm, deg, wheel_speed, area_box, area_ellipsoid and the functions of `formula`.",
        keys: &[key(
            "NAME",
            "a formula, or a comparison of two, as a text",
            "as it says; deg() makes degrees",
            "none",
            "\"deg(angle(z, Z))\"",
            "A column, or intervals.",
        )],
    },
    SectionReference {
        name: "directions",
        doc: "Vectors of space by names of your own, for [watch] and stop_when.",
        keys: &[key(
            "NAME",
            "three numbers, three expressions of t, rows [t, x, y, z], or a file beside the scenario that has them",
            "-",
            "none",
            "[0.2, 0.9, 0.4]",
            "A direction; its length does not matter.",
        )],
    },
    SectionReference {
        name: "output",
        doc: "What is written, under out/; nothing unless given.",
        keys: &[
            key(
                "files",
                "a list of file names",
                "-",
                "none",
                "[\"top.csv\", \"top.svg\"]",
                "The extension says the format: .csv, .npz, .jsonl, .aem, .svg, .html.",
            ),
            key(
                "plot",
                "a list of panels",
                "-",
                "those that suit the problem",
                "[\"momentum\", \"polhode\"]",
                "What an .svg shows: momentum, omega, attitude, euler, axis, axis1 to axis3, pointing, polhode, \
                 herpolhode, energy, or a name of [watch].",
            ),
            key(
                "shape",
                "box, ellipsoid, cylinder, t-handle, book, top, satellite, or an .stl or .obj file beside the scenario",
                "-",
                "the shape of the inertia, or what suits the torque",
                "\"t-handle\"",
                "What the body looks like in an .html page.",
            ),
            key(
                "time_unit",
                TEXT,
                "-",
                "none",
                "\"s\"",
                "The name of your unit of time, for the axes of plots and pages.",
            ),
            key(
                "inertia_unit",
                TEXT,
                "-",
                "none",
                "\"kg m²\"",
                "The name of your unit of inertia, likewise: momentum and energy follow from both.",
            ),
            key("aem", "a section", "-", "needed for .aem", "", "See [output.aem]."),
        ],
    },
    SectionReference {
        name: "output.aem",
        doc: "What an attitude ephemeris (CCSDS AEM) is told. The unit of time is a second then.",
        keys: &[
            key("object_name", TEXT, "-", "needed", "\"TOP\"", "OBJECT_NAME."),
            key(
                "object_id",
                TEXT,
                "-",
                "needed",
                "\"2026-001A\"",
                "OBJECT_ID, the international designator.",
            ),
            key(
                "start_epoch",
                "a time",
                "-",
                "needed",
                "\"2026-01-01T00:00:00\"",
                "The time of t = 0.",
            ),
            key(
                "ref_frame_a",
                TEXT,
                "-",
                "\"EME2000\"",
                "\"EME2000\"",
                "What space coordinates are.",
            ),
            key(
                "ref_frame_b",
                TEXT,
                "-",
                "\"SC_BODY_1\"",
                "\"SC_BODY_1\"",
                "What body coordinates are.",
            ),
            key("time_system", TEXT, "-", "\"UTC\"", "\"TAI\"", "The time system."),
            key("rates", FLAG, "-", "false", "true", "Write angular rates, in degrees per second."),
        ],
    },
];

/// The sections of an ensemble that are not those of a scenario.
pub const ENSEMBLE: &[SectionReference] = &[
    SectionReference {
        name: "bodies",
        doc: "Where the bodies come from. Needed, with count or file.",
        keys: &[
            key(
                "count",
                "a whole number from 1 to 1e15",
                "-",
                "needed, or file",
                "10000",
                "How many are drawn.",
            ),
            key(
                "seed",
                "a whole number from 0 to 2^53",
                "-",
                "0",
                "7",
                "Another seed, other bodies.",
            ),
            key(
                "file",
                "the name of a .csv file beside the ensemble",
                "-",
                "needed, or count",
                "\"bodies.csv\"",
                "A table of bodies: i1 i2 i3, m1 m2 m3 or w1 w2 w3, q0 q1 q2 q3.",
            ),
        ],
    },
    SectionReference {
        name: "body",
        doc: "As in a scenario; inertia may be a law.",
        keys: &[
            key(
                "inertia",
                "as in a scenario, or { law = \"any\", largest = .. }, or { law = \"log-normal\", about = [..], sigma = .. }",
                "mass times length squared",
                "needed, unless in the table",
                "{ law = \"log-normal\", about = [1, 2, 2.5], sigma = 0.1 }",
                "any: every body is equally likely, up to a largest moment. log-normal: each second moment of the mass \
                 is taken times e^(sigma x) with x normal.",
            ),
            key("allow_unphysical", FLAG, "-", "false", "true", "As in a scenario."),
        ],
    },
    SectionReference {
        name: "start",
        doc: "As in a scenario, without periods; each may be a law.",
        keys: &[
            key(
                "omega",
                "as in a scenario, or { law = \"isotropic\", length = .. }, or { law = \"gaussian\", mean = [..], sigma = .. }",
                "radians per unit of time",
                "needed, or momentum",
                "{ law = \"gaussian\", mean = [0, 30, 0], sigma = 0.5, unit = \"deg_per_s\" }",
                "sigma is one number or three. unit may be deg_per_s, rpm or rad_per_s.",
            ),
            key(
                "momentum",
                "the same, without unit",
                "inertia per unit of time",
                "needed, or omega",
                "{ law = \"isotropic\", length = 1 }",
                "Angular momentum in the body frame.",
            ),
            key(
                "attitude",
                "as in a scenario, or { law = \"uniform\" }",
                "-",
                "[1, 0, 0, 0]",
                "{ law = \"uniform\" }",
                "uniform: every attitude is equally likely.",
            ),
        ],
    },
    SectionReference {
        name: "run",
        doc: "With until and [method], steps; with times, free bodies in closed form, or torqued ones solved.",
        keys: &[
            key("until", NUMBER, "time", "needed, or times", "10", "The end of fixed steps."),
            key(
                "every",
                "a whole number",
                "steps",
                "1",
                "100",
                "Keep every so many-th of fixed steps.",
            ),
            key(
                "times",
                "a list of times",
                "time",
                "needed, or until",
                "[1, 10, 1e6]",
                "When states are wanted.",
            ),
            key(
                "tolerance",
                NUMBER,
                "as in a scenario",
                "1e-10",
                "1e-8",
                "Of torqued bodies at times.",
            ),
        ],
    },
];

/// What may stand in the place of plain numbers, by quantity.
const FORMS: &[(&str, &[(&str, &str)])] = &[
    (
        "inertia",
        &[
            ("{ box = [a, b, c], mass = m }", "the lengths of its edges, along the body's axes"),
            ("{ ellipsoid = [a, b, c], mass = m }", "its semi-axes"),
            ("{ cylinder = [radius, height], mass = m }", "its axis is the third of the body"),
            ("{ points = [[m, x, y, z], ..] }", "masses at points, measured from anywhere"),
            (
                "{ mesh = \"part.stl\", density = d, scale = s }",
                "a closed surface in an .stl or .obj file beside the scenario, corners counterclockwise as seen from \
                 outside; with mass = m in the place of the density; scale multiplies coordinates, 1 unless given",
            ),
        ],
    ),
    (
        "attitude",
        &[
            ("{ wxyz = [w, x, y, z] }", "a quaternion, the scalar first; of any length"),
            ("{ xyzw = [x, y, z, w] }", "the scalar last"),
            ("{ matrix = [[..], [..], [..]] }", "takes body to space coordinates"),
            (
                "{ euler_deg = [a, b, c], sequence = \"zyx\" }",
                "turns about axes of the body, each as the turns before have left it; zyx is yaw, pitch, roll; also euler_rad",
            ),
            ("{ axis = [x, y, z], angle_deg = a }", "one turn; also angle_rad"),
        ],
    ),
    (
        "omega",
        &[
            ("{ deg_per_s = [..] }", "degrees per second"),
            ("{ rpm = [..] }", "revolutions per minute"),
            ("{ rad_per_s = [..] }", "radians per second"),
        ],
    ),
];

/// The whole reference, as Markdown.
pub fn reference() -> String {
    let mut text = String::from(
        "# Scenario files\n\n\
         A scenario is a TOML file: a body, its start, what acts on it, how its motion is computed, what is written.\n\
         `polhode run` takes it, and `polhode ensemble` one for many bodies. Any key can be changed from the command\n\
         line by `--set section.key=value`. Keys that are not here are errors. Units are yours as long as they agree\n\
         with each other; a number may be a fraction as a text, `\"1/60\"`. This page is what\n\
         `polhode scenario-reference` prints.\n\n",
    );
    sections(&mut text, SCENARIO);
    text.push_str("## In the place of plain numbers\n\n");
    for (quantity, forms) in FORMS {
        let _ = writeln!(text, "`{quantity}` may also be\n");
        for (form, doc) in *forms {
            let item = wrapped(&format!("- `{form}`: {doc};")).replace('\n', "\n  ");
            let _ = writeln!(text, "{item}");
        }
        text.push('\n');
    }
    text.push_str(
        "The inertia of a shape is about its centre of mass; `polhode inertia` prints it, with the centre.\n\n\
         ## Kinds of torque\n\n",
    );
    for torque in TORQUES {
        let _ = writeln!(text, "### `kind = \"{}\"`\n\n{}\n", torque.kind, sentence(torque.title));
        if !torque.keys.is_empty() {
            text.push_str("| key | value | default | |\n|---|---|---|---|\n");
        }
        for key in torque.keys {
            let default = key.kind.default().map_or("needed".into(), |value| format!("`{value}`"));
            let _ = writeln!(
                text,
                "| `{}` | {} | {default} | {} |",
                key.name,
                cell(&key.kind.allowed()),
                cell(key.doc)
            );
        }
        if !torque.keys.is_empty() {
            text.push('\n');
        }
    }
    text.push_str(
        "## Ensembles\n\nAn ensemble is a scenario for many bodies, with `[bodies]` and laws in the place of numbers. \
         `[torque]` and\n`[method]` are as above; there is no `[output]`.\n\n",
    );
    sections(&mut text, ENSEMBLE);
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn sections(text: &mut String, all: &[SectionReference]) {
    for section in all {
        let _ = writeln!(text, "## `[{}]`\n\n{}\n", section.name, wrapped(section.doc));
        text.push_str("| key | value | unit | default | example | |\n|---|---|---|---|---|---|\n");
        for KeyReference { name, doc, kind, unit, default, example } in section.keys {
            let example =
                if example.is_empty() { String::new() } else { format!("`{}`", cell(example)) };
            let _ = writeln!(
                text,
                "| `{name}` | {} | {} | {} | {example} | {} |",
                cell(kind),
                cell(unit),
                cell(default),
                cell(doc)
            );
        }
        text.push('\n');
    }
}

/// A text that stands in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    wrapped(&format!("{first}{}.", letters.as_str()))
}

/// In lines that are not too long.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if length + word.len() > 110 {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        length += word.len() + 1;
    }
    lines
}
