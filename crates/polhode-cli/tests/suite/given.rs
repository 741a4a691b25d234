//! Quantities as people have them, on the command line.

use crate::support::Folder;

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

/// The stdout of a command whose arguments may have blanks in them.
fn good(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.polhode(arguments).output().unwrap();
    let (out, err) = (output.stdout, output.stderr);
    assert!(output.status.success() && err.is_empty(), "{}", String::from_utf8_lossy(&err));
    String::from_utf8(out).unwrap()
}

fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.polhode(arguments).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn units_and_forms_are_options_too() {
    let folder = Folder::new();
    let plain = "free --inertia 13,10,5 --omega 0.5235987755982988,0,3.141592653589793 \
                 --attitude 0,0,0,1 --at 1 --json";
    let plain = folder.good(plain);
    let given = good(
        &folder,
        &[
            "free",
            "--inertia",
            "box=[1,2,3], mass=12",
            "--omega",
            "rpm=[5,0,30]",
            "--attitude",
            "axis=[0,0,1], angle_deg=180",
            "--at",
            "60/60",
            "--json",
        ],
    );
    let [a, b] = [&plain, &given].map(|text| json(text)["states"][0].clone());
    for key in ["momentum", "attitude"] {
        for (x, y) in a[key].as_array().unwrap().iter().zip(b[key].as_array().unwrap()) {
            assert!((x.as_f64().unwrap() - y.as_f64().unwrap()).abs() < 1e-12, "{key}: {a} {b}");
        }
    }
    let base = ["free", "--at", "0"];
    for (options, parts) in [
        (
            &["--inertia", "1,2,2.5", "--omega", "rpms=[1,2,3]"][..],
            &["--omega: 'rpms", "did you mean 'rpm'?"][..],
        ),
        (&["--inertia", "1,2,2.5", "--omega", "rpm=[1,2"], &["--omega: ", "key=value"]),
        (
            &["--inertia", "box=[1,2,3]", "--omega", "1,2,3"],
            &["--inertia: 'box", "'mass' is missing"],
        ),
        (
            &["--inertia", "mesh='no.stl', density=1", "--omega", "1,2,3"],
            &["--inertia: ", "no such file"],
        ),
        (
            &["--inertia", "1,2,2.5", "--omega", "1,2,3", "--attitude", "xyzw=[1,2,3]"],
            &["--attitude: ", "a list of 3"],
        ),
        (
            &["--inertia", "1,2,1/0", "--omega", "1,2,3"],
            &["--inertia: ", "number 3", "divides by zero"],
        ),
    ] {
        let message = refused(&folder, &[&base[..], options].concat());
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

#[test]
fn a_step_may_be_a_fraction() {
    let folder = Folder::with_top();
    let ended = folder.run("run top.toml --step 1/60 --json --out a.csv");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(json(&ended.stdout)["steps"], 60);
    let message = folder.refused("run top.toml --step 1/0 --out b.csv");
    assert!(message.contains("method.step=1/0"), "{message}");
}

#[test]
fn a_shape_tells_its_inertia() {
    let folder = Folder::new();
    let water = "points=[[16,0,0,0],[1,0.75,0.5,0],[1,-0.75,0.5,0]]";
    let text = good(&folder, &["inertia", water]);
    assert!(text.contains("mass: 18\n") && text.contains("minus the integrals of xy"), "{text}");
    let document = json(&good(&folder, &["inertia", water, "--json"]));
    let centre = document["centre"][1].as_f64().unwrap();
    assert!((centre - 1.0 / 18.0).abs() < 1e-16);
    let moment = document["principal_moments"][1].as_f64().unwrap();
    assert!((moment - 1.125).abs() < 1e-15, "{document}");
    // Two triangles of a tetrahedron, in another order.
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    let message = refused(&folder, &["inertia", "mesh=\"open.obj\", density=1"]);
    assert!(message.contains("the mesh is open") && message.contains("triangle "), "{message}");
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 x\n");
    let message = refused(&folder, &["inertia", "mesh=\"open.obj\", density=1"]);
    assert!(message.contains("open.obj:4: 'x' is not a number"), "{message}");
    assert!(refused(&folder, &["inertia", "1,2,3"]).contains("a shape, such as"));
}

#[test]
fn an_open_mesh_is_told_once_and_with_the_edge() {
    let folder = Folder::new();
    folder.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n");
    let told = folder.refused("inertia mesh=\"open.obj\",density=1");
    assert!(told.contains("density=1': the mesh is open: the edge from"), "{told}");
}
