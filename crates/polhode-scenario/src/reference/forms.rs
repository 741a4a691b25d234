//! What may stand in the place of plain numbers.

/// What may stand in the place of plain numbers, by quantity.
pub(super) const FORMS: &[(&str, &[(&str, &str)])] = &[
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
                "turns about axes of the body, each as the turns before have left it; zyx is yaw, pitch, roll; also \
                 euler_rad",
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
