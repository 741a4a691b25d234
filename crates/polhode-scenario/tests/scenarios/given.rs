//! Quantities as people have them: units, forms of attitude, inertia from shapes and meshes.

// Helpers of tests are not in a `#[test]` function, where unwrapping is allowed.
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation)]

use std::f64::consts::PI;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use polhode::glam::{DMat3, DVec3};
use polhode::shape::{MassProperties, Mesh, ShapeError};
use polhode_scenario::{EnsembleScenario, Scenario, ScenarioError, read_mesh};

use crate::with_line;

fn read(line: usize, new: &str) -> Scenario {
    let text = with_line(line, new);
    Scenario::parse(&text, "given.toml").unwrap_or_else(|e| panic!("{e}"))
}

fn refused(line: usize, new: &str) -> String {
    Scenario::parse(&with_line(line, new), "given.toml").expect_err(new).to_string()
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(0.0, |s: f64, x| s.max(x.abs()));
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() <= tolerance * scale, "{a:?} {b:?}");
    }
}

#[test]
fn an_angular_velocity_may_have_its_unit() {
    for (given, want) in [
        ("{ deg_per_s = [180, 0, -90] }", [PI, 0.0, -PI / 2.0]),
        ("{ rpm = [60, 30, 0] }", [2.0 * PI, PI, 0.0]),
        ("{ rad_per_s = [1, 2, 3] }", [1.0, 2.0, 3.0]),
    ] {
        let scenario = read(4, &format!("omega = {given}"));
        close(&scenario.start().omega(scenario.inertia()).to_array(), &want, 1e-15);
    }
    for (given, parts) in [
        (
            "{ deg = [1, 2, 3] }",
            &["given.toml:4: ", "no key 'deg'", "rad_per_s, deg_per_s, rpm"][..],
        ),
        ("{ rpm = [1, 2] }", &["rpm: a list of 2", "three numbers"]),
        ("{ rpm = [1, 2, 3], deg_per_s = [1, 2, 3] }", &["exclude each other"]),
        ("{ rpm = [1, 2, 'x'] }", &["rpm: a text at position 3"]),
        ("{ rpm = [1, 2, nan] }", &["rpm, position 3, is not a number"]),
        ("{ rpm = [1, 2, 3], sigma = 1 }", &["no key 'sigma'"]),
    ] {
        let message = refused(4, &format!("omega = {given}"));
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn every_form_of_an_attitude_is_the_same_one() {
    // A turn of 120 degrees about (1, 1, 1) takes x to y, y to z, z to x.
    for given in [
        "[0.5, 0.5, 0.5, 0.5]",
        "{ wxyz = [1, 1, 1, 1] }",
        "{ xyzw = [2, 2, 2, 2] }",
        "{ matrix = [[0, 0, 1], [1, 0, 0], [0, 1, 0]] }",
        "{ axis = [1, 1, 1], angle_deg = 120 }",
        "{ axis = [2, 2, 2], angle_rad = 2.0943951023931953 }",
        "{ euler_deg = [90, 0, 90], sequence = 'zyx' }",
        "{ euler_rad = [1.5707963267948966, 1.5707963267948966, 0], sequence = 'xyz' }",
    ] {
        let q = read(5, &format!("attitude = {given}")).start().q;
        for (from, to) in [(DVec3::X, DVec3::Y), (DVec3::Y, DVec3::Z), (DVec3::Z, DVec3::X)] {
            assert!((q * from - to).length() < 1e-15, "{given}: {q:?}");
        }
    }
    // Of angles that differ, the order counts: first the one about z, as matrices of the textbook.
    let [z, y, x] = [30f64, 10.0, -20.0].map(f64::to_radians);
    let turned = DMat3::from_rotation_z(z) * DMat3::from_rotation_y(y) * DMat3::from_rotation_x(x);
    let rows = turned.transpose().to_cols_array_2d();
    for (given, want) in [
        ("{ wxyz = [1, 1, 0, 0] }".to_owned(), DMat3::from_rotation_x(0.5 * PI)),
        ("{ xyzw = [1, 0, 0, 1] }".into(), DMat3::from_rotation_x(0.5 * PI)),
        ("{ xyzw = [0, 0, 1, 1] }".into(), DMat3::from_rotation_z(0.5 * PI)),
        ("{ euler_deg = [30, 10, -20], sequence = 'zyx' }".into(), turned),
        ("{ euler_deg = [-20, 10, 30], sequence = 'xyz' }".into(), {
            DMat3::from_rotation_x(x) * DMat3::from_rotation_y(y) * DMat3::from_rotation_z(z)
        }),
        (format!("{{ matrix = {rows:?} }}"), turned),
    ] {
        let q = read(5, &format!("attitude = {given}")).start().q;
        close(&DMat3::from_quat(q).to_cols_array(), &want.to_cols_array(), 1e-15);
    }
    for (given, parts) in [
        ("{ xyzw = [0, 0, 0, 0] }", &["given.toml:5: ", "of length zero"][..]),
        ("{ quaternion = [1, 0, 0, 0] }", &["no key 'quaternion'", "wxyz, xyzw, matrix"]),
        ("{ euler_deg = [1, 2, 3] }", &["'sequence' is missing", "zyx"]),
        ("{ euler_deg = [1, 2, 3], sequence = 'zzy' }", &["sequence = ", "xyz, xzy"]),
        ("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }", &["no rotation", "right-handed"]),
        ("{ matrix = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]] }", &["no rotation"]),
        ("{ matrix = [[1, 0, 0], [0, 1, 0]] }", &["three rows of three"]),
        ("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0]] }", &["a list of 2 in row 3"]),
        ("{ axis = [0, 0, 0], angle_deg = 3 }", &["of length zero"]),
        ("{ axis = [0, 0, 1] }", &["no key 'axis'"]),
    ] {
        let message = refused(5, &format!("attitude = {given}"));
        assert!(parts.iter().all(|part| message.contains(part)), "{given}: {message}");
    }
}

#[test]
fn fractions_are_numbers() {
    assert_eq!(read(12, "step = \"1/64\"").steps().unwrap().plan.step, 1.0 / 64.0);
    let over = Scenario::parse_with(crate::BASE, "given.toml", &["method.step=1/60"]).unwrap();
    assert_eq!(over.steps().unwrap().plan.step, 1.0 / 60.0);
    let message = refused(12, "step = \"1/0\"");
    assert!(message.contains("[method] step") && message.contains("divides by zero"), "{message}");
}

/// The tensor of a cloud of eight points that has the second moments of a box: Gauss's points.
fn gauss_points([a, b, c]: [f64; 3], mass: f64) -> String {
    let third = 1.0 / 12.0f64.sqrt();
    let mut points = String::new();
    for corner in 0..8 {
        let sign = |bit: u32| if corner >> bit & 1 == 0 { third } else { -third };
        let (x, y, z) = (7.0 + a * sign(0), b * sign(1), c * sign(2) - 3.0);
        write!(points, "[{:?}, {x:?}, {y:?}, {z:?}], ", mass / 8.0).unwrap();
    }
    points
}

#[test]
fn shapes_have_their_inertia() {
    let brick = read(2, "inertia = { box = [1, 2, 3], mass = 12 }");
    close(&brick.inertia().moments().to_array(), &[13.0, 10.0, 5.0], 1e-15);
    let egg = read(2, "inertia = { ellipsoid = [1, 2, 3], mass = 5 }");
    close(&egg.inertia().moments().to_array(), &[13.0, 10.0, 5.0], 1e-15);
    let drum = read(2, "inertia = { cylinder = [2, 5], mass = 3 }");
    close(&drum.inertia().moments().to_array(), &[9.25, 9.25, 6.0], 1e-15);
    let points = gauss_points([1.0, 2.0, 3.0], 12.0);
    let cloud = read(2, &format!("inertia = {{ points = [{points}] }}"));
    let found = cloud.mass_properties().unwrap();
    close(&found.tensor.concat(), &[13.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 5.0], 1e-14);
    close(&found.centre, &[7.0, 0.0, -3.0], 1e-15);
    assert_eq!(found.mass, 12.0);
    // A rod of points off the axes: minus the products of the coordinates stand off the diagonal.
    let rod = MassProperties::points(&[(2.0, [1.0, 1.0, 0.5]), (2.0, [-1.0, -1.0, -0.5])]).unwrap();
    assert_eq!(rod.tensor, [[5.0, -4.0, -2.0], [-4.0, 5.0, -2.0], [-2.0, -2.0, 8.0]]);
    // Flat molecules are physical in every attitude.
    let water = "[16, 0.1, 0.2, 0.3], [1, 0.86, 0.79, 0.11], [1, -0.66, 0.79, 0.11]";
    read(2, &format!("inertia = {{ points = [{water}] }}"));
    for (given, parts) in [
        (
            "{ box = [1, 2, -3], mass = 1 }",
            &["given.toml:2: ", "size = -3.0: must be positive"][..],
        ),
        ("{ box = [1, 2, 3] }", &["'mass' is missing"]),
        ("{ box = [1, 2, 3], mass = 0 }", &["mass = 0.0: must be positive"]),
        ("{ box = [1, 2, 3], density = 1 }", &["no key 'density'"]),
        ("{ sphere = 1, mass = 1 }", &["no key 'sphere'", "ellipsoid"]),
        ("{ points = [] }", &["no points"]),
        ("{ points = [[1, 0, 0]] }", &["a list of 3 in row 1", "[mass, x, y, z]"]),
        ("{ points = [[1, 0, 0, 0], [1, 1, 0, 0]] }", &["each must be positive"]),
        ("{ mesh = 'a.stl', density = 1 }", &["only a scenario that is read from a file"]),
        ("{ box = [1e200, 1, 1], mass = 1e100 }", &["beyond the range"]),
    ] {
        let message = refused(2, &format!("inertia = {given}"));
        assert!(parts.iter().all(|part| message.contains(part)), "{given}: {message}");
    }
}

/// The corners of a grid on the unit sphere, mapped; and its triangles, outwards.
fn globe(n: usize, map: impl Fn(DVec3) -> DVec3) -> Mesh {
    let mut mesh = Mesh::default();
    let mut push = |v: DVec3| {
        mesh.vertices.push(map(v).to_array());
        mesh.vertices.len() - 1
    };
    let (north, south) = (push(DVec3::Z), push(-DVec3::Z));
    let mut rings = Vec::new();
    for i in 1..n {
        let polar = PI * i as f64 / n as f64;
        let corner = |j: usize| {
            let around = 2.0 * PI * j as f64 / (2 * n) as f64;
            DVec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos())
        };
        rings.push((0..2 * n).map(|j| push(corner(j))).collect::<Vec<_>>());
    }
    for j in 0..2 * n {
        let k = (j + 1) % (2 * n);
        mesh.triangles.push([north, rings[0][j], rings[0][k]]);
        mesh.triangles.push([south, rings[n - 2][k], rings[n - 2][j]]);
        for pair in rings.windows(2) {
            mesh.triangles.push([pair[0][j], pair[1][j], pair[1][k]]);
            mesh.triangles.push([pair[0][j], pair[1][k], pair[0][k]]);
        }
    }
    mesh
}

#[test]
fn meshes_converge_to_the_formulas() {
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.7);
    let at = DVec3::new(30.0, -20.0, 10.0);
    let want = MassProperties::ellipsoid(5.0, [1.0, 2.0, 3.0]).unwrap();
    let tensor = turn * DMat3::from_cols_array_2d(&want.tensor) * turn.transpose();
    let error = |n: usize| {
        let mesh = globe(n, |v| turn * (v * DVec3::new(1.0, 2.0, 3.0)) + at);
        let found = MassProperties::mesh(&mesh, 1.0).unwrap().with_mass(5.0).unwrap();
        close(&found.centre, &at.to_array(), 1e-13);
        let difference = DMat3::from_cols_array_2d(&found.tensor) - tensor;
        difference.to_cols_array().into_iter().fold(0.0, |a: f64, x| a.max(x.abs()))
    };
    let (coarse, fine) = (error(12), error(24));
    // Chords miss the surface by the square of their length.
    assert!((3.6..4.4).contains(&(coarse / fine)), "{coarse} {fine}");
    let cylinder = MassProperties::cylinder(3.0, 2.0, 5.0).unwrap();
    close(&cylinder.tensor.concat(), &[9.25, 0.0, 0.0, 0.0, 9.25, 0.0, 0.0, 0.0, 6.0], 1e-15);
}

/// The centre of mass of a pyramid is not the middle of its corners.
#[test]
fn a_pyramid_has_the_inertia_of_the_textbook() {
    let (a, h) = (2.0, 3.0);
    let base = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let vertices = base.into_iter().chain([[0.0, 0.0, h]]).map(|[x, y, z]| [x + 7.0, y, z - 4.0]);
    let triangles = vec![[0, 2, 1], [0, 3, 2], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let mesh = Mesh { vertices: vertices.collect(), triangles };
    let found = MassProperties::mesh(&mesh, 2.5).unwrap();
    let mass = 2.5 * a * a * h / 3.0;
    close(&[found.mass], &[mass], 1e-14);
    close(&found.centre, &[7.0, 0.0, h / 4.0 - 4.0], 1e-14);
    let (across, along) = (mass * (a * a / 20.0 + 3.0 * h * h / 80.0), mass * a * a / 10.0);
    let want = [across, 0.0, 0.0, 0.0, across, 0.0, 0.0, 0.0, along];
    close(&found.tensor.concat(), &want, 1e-14);
}

/// A cube from 0 to 2, as twelve triangles.
fn cube() -> Mesh {
    let vertices = (0..8).map(|i| [0, 1, 2].map(|bit| f64::from(i >> bit & 1) * 2.0)).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh { vertices, triangles }
}

fn text_stl(mesh: &Mesh) -> String {
    let mut text = String::from("solid cube\n");
    for triangle in &mesh.triangles {
        text.push_str("facet normal 0 0 0\nouter loop\n");
        for &corner in triangle {
            let [x, y, z] = mesh.vertices[corner];
            writeln!(text, "vertex {x:e} {y} {z}").unwrap();
        }
        text.push_str("endloop\nendfacet\n");
    }
    text + "endsolid cube\n"
}

fn binary_stl(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = b"solid in spite of its name".to_vec();
    bytes.resize(80, 0);
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for triangle in &mesh.triangles {
        bytes.extend([0; 12]);
        for &corner in triangle {
            bytes.extend(mesh.vertices[corner].iter().flat_map(|&x| (x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

const CUBE_OBJ: &str = "# a cube\no cube\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2 1\n\
     vn 0 0 1\nf 1//1 3//1 4//1 2//1\nf 5 6 8 7\nf -8 -7 -3 -4\nf 3/1 7/2 8/3 4/4\nf 1 5 7 3\nf 2 4 8 6\n";

fn load(folder: &Path, inertia: &str) -> Result<Scenario, ScenarioError> {
    let text = with_line(2, &format!("inertia = {inertia}"));
    fs::write(folder.join("given.toml"), text).unwrap();
    Scenario::load(folder.join("given.toml"))
}

#[test]
fn meshes_are_read_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("text.stl"), text_stl(&cube())).unwrap();
    fs::write(folder.join("binary.stl"), binary_stl(&cube())).unwrap();
    fs::write(folder.join("cube.obj"), CUBE_OBJ).unwrap();
    for file in ["text.stl", "binary.stl", "cube.obj"] {
        let given = format!("{{ mesh = '{file}', density = 3, scale = 0.5 }}");
        let scenario = load(folder, &given).unwrap_or_else(|e| panic!("{e}"));
        let found = scenario.mass_properties().unwrap();
        assert_eq!((found.mass, found.centre), (3.0, [0.5; 3]), "{file}");
        close(&found.tensor.concat(), &[0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5], 1e-15);
        // What was read is part of the scenario: it needs the file no more.
        let again = Scenario::parse_with(scenario.text(), "x", scenario.overrides()).unwrap();
        assert_eq!(again.inertia(), scenario.inertia());
        let heavy = load(folder, &format!("{{ mesh = '{file}', mass = 6 }}")).unwrap();
        close(&heavy.inertia().moments().to_array(), &[4.0; 3], 1e-15);
    }
    assert_eq!(read_mesh(folder.join("binary.stl"), 1.0).unwrap().vertices.len(), 8);
    fs::write(
        folder.join("many.toml"),
        "bodies.count = 2\nbody.inertia = { mesh = 'cube.obj', mass = 6 }\n\
         start.omega = { law = 'isotropic', length = 30, unit = 'rpm' }\nrun.times = [1]",
    )
    .unwrap();
    EnsembleScenario::load(folder.join("many.toml")).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn bad_meshes_say_where_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let write = |name: &str, mesh: &Mesh| fs::write(folder.join(name), text_stl(mesh)).unwrap();
    let mut open = cube();
    open.triangles.pop();
    write("open.stl", &open);
    let mut twisted = cube();
    twisted.triangles[4].swap(0, 1);
    write("twisted.stl", &twisted);
    let mut inside_out = cube();
    inside_out.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    write("inside-out.stl", &inside_out);
    fs::write(folder.join("cut.stl"), &binary_stl(&cube())[..200]).unwrap();
    fs::write(folder.join("bad.stl"), "solid\nfacet\nvertex 1 2\nendfacet\n").unwrap();
    fs::write(folder.join("bad.obj"), "v 0 0 0\nv 1 x 0\n").unwrap();
    fs::write(folder.join("far.obj"), "v 0 0 0\nf 1 2 3\n").unwrap();
    fs::write(folder.join("empty.obj"), "# nothing\n").unwrap();
    fs::write(folder.join("cube.ply"), "ply").unwrap();
    for (file, parts) in [
        (
            "open.stl",
            &["given.toml:2: [body] inertia", "the mesh is open", "triangle 3 ", "close the"][..],
        ),
        ("twisted.stl", &["not oriented", "triangle 2 ", "turn one of them over"]),
        ("inside-out.stl", &["inside out", "turn all triangles over"]),
        ("cut.stl", &["no STL", "cut off"]),
        ("bad.stl", &["bad.stl:3: ", "three coordinates, not 2"]),
        ("bad.obj", &["bad.obj:2: ", "'x' is not a number"]),
        ("far.obj", &["far.obj:2: ", "'2' is none of the 1 corners"]),
        ("empty.obj", &["no triangles"]),
        ("cube.ply", &["neither .stl nor .obj"]),
        ("gone.stl", &["given.toml:2: ", "no such file"]),
    ] {
        let message = load(folder, &format!("{{ mesh = '{file}', density = 1 }}")).unwrap_err();
        let message = message.to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{file}: {message}");
    }
    let flat = Mesh {
        vertices: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
    };
    assert_eq!(MassProperties::mesh(&flat, 1.0), Err(ShapeError::NoVolume));
}

#[test]
fn two_periods_are_a_start() {
    let periods = |rest: &str| format!("periods = {{ rotation = 5.41, precession = 7.35{rest} }}");
    let text = with_line(2, "inertia = [1.0, 3.09, 3.22]");
    let read = |periods: &str| {
        Scenario::parse(&text.replace("omega = [10.0, 10.0, 10.0]", periods), "given.toml")
    };
    let scenario = read(&periods("")).unwrap();
    // What the momentum was found to be by other means, to its five digits.
    assert!((scenario.start().m.length() - 2.695454).abs() < 1e-5, "{:?}", scenario.start());
    assert_eq!(read(&periods(", mode = 'long-axis'")).unwrap().start(), scenario.start());
    for (given, parts) in [
        (
            periods(", mode = 'short-axis'"),
            &["given.toml:4: ", "more than 4.2", "short-axis mode"][..],
        ),
        (periods(", mode = 'sideways'"), &["mode = ", "\"long-axis\""]),
        ("periods = { rotation = 1 }".into(), &["'precession' is missing"]),
        ("periods = [1, 2]".into(), &["a list is not allowed", "rotation = .."]),
        (periods("") + "\nomega = [1, 2, 3]", &["exclude each other"]),
    ] {
        let message = read(&given).unwrap_err().to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{given}: {message}");
    }
}

#[test]
fn two_periods_are_a_start_of_a_tilted_body_too() {
    use polhode::periods::from_periods;
    use polhode::{FreeMotion, Inertia};
    let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, -2.0) / 3.0, 0.7);
    let moments = DVec3::new(1.0, 3.09, 3.22);
    let tensor = (turn * DMat3::from_diagonal(moments) * turn.transpose()).transpose();
    let tilted = Inertia::tensor(tensor.to_cols_array_2d()).unwrap();
    let found = from_periods(&tilted, 5.41, 7.35, None).unwrap().start;
    let straight = from_periods(&Inertia::principal(moments).unwrap(), 5.41, 7.35, None).unwrap();
    // The same motion seen from other axes, whose signs are free.
    let seen = (turn.transpose() * found.m).abs().to_array();
    close(&seen, &straight.start.m.abs().to_array(), 1e-12);
    let motion = FreeMotion::new(&tilted, found).unwrap();
    close(&[motion.period().unwrap()], &[5.41], 1e-12);
    close(&[2.0 * PI / motion.precession_rate()], &[7.35], 1e-12);
}

#[test]
fn periods_are_found_again_all_over_both_modes() {
    use polhode::periods::{Mode, from_periods};
    use polhode::{FreeMotion, Inertia, State};
    for moments in
        [[1.0, 2.0, 2.8], [3.22, 1.0, 3.09], [2.0, 2.0, 1.0], [1.0, 2.0, 2.0], [1.0, 1.0, 1.9]]
    {
        let inertia = Inertia::principal(moments).unwrap();
        for part in 1..40 {
            let tilt = 0.5 * PI * f64::from(part) / 40.0;
            for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
                let mut m = [0.0; 3];
                m[axes[0]] = 3.0 * tilt.cos();
                m[axes[1]] = 3.0 * tilt.sin();
                let motion = FreeMotion::new(&inertia, State::aligned(m).unwrap()).unwrap();
                let Some(rotation) = motion.period() else { continue };
                let precession = 2.0 * PI / motion.precession_rate();
                let least = motion.regime() == polhode::Regime::AboutMinor
                    || (motion.regime() == polhode::Regime::SymmetricTop
                        && from_periods(&inertia, rotation, precession, Some(Mode::LongAxis))
                            .is_ok());
                let mode = if least { Mode::LongAxis } else { Mode::ShortAxis };
                let found = from_periods(&inertia, rotation, precession, Some(mode))
                    .unwrap_or_else(|e| panic!("{moments:?} {m:?}: {e}"));
                let again = FreeMotion::new(&inertia, found.start).unwrap();
                close(&[again.period().unwrap()], &[rotation], 1e-13);
                close(&[2.0 * PI / again.precession_rate()], &[precession], 1e-13);
                close(&[found.start.m.length()], &[3.0], 1e-9);
            }
        }
    }
}
