//! Pages in which bodies turn, and the panels of plots.

use serde_json::Value;

use crate::support::Folder;

const HANDLE: &str = "
# A handle.
body.inertia = [3.0, 8.0, 11.0]
start.omega = [0.01, 12.0, 0.0]
method = { id = 'exact', step = 0.01 }
run = { until = 5.0, every = 100 }
output.shape = 't-handle'
[watch]
spin = 'w2'
";

/// What the page shows, as it stands in it.
fn film(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"film\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8(folder.read(name)).unwrap()
}

#[test]
fn a_page_comes_from_the_steps_however_few_rows_there_are() {
    let folder = Folder::new();
    folder.write("handle.toml", HANDLE);
    folder.good("run handle.toml --out a.html");
    let page = text(&folder, "a.html");
    let film = film(&page);
    let run = &film["runs"][0];
    assert_eq!(run["name"], "handle, exact");
    assert_eq!(run["watched"][0]["name"], "spin");
    assert_eq!(run["free"], true);
    // Six rows, but a film of hundreds of moments: eight bytes each, four letters for three of them.
    assert!(run["t"].as_str().unwrap().len() > 100 * 8 * 4 / 3);
    assert!(
        page.contains("A handle. Computed by exact in steps of 0.01, to t = 5"),
        "{page:.2000}"
    );
    // One file: nothing is fetched.
    let links = ["src=", "http://", "https://", "@import", "fetch("];
    let without = page.replace("http://www.w3.org/2000/svg", "");
    assert!(links.iter().all(|link| !without.contains(link)));
    // Without its data it is small.
    assert!(page.len() - film.to_string().len() < 150_000);
    // The rows are none of its business.
    folder.good("run handle.toml --every 1 --out b.html");
    assert!(folder.read("a.html") == folder.read("b.html"));
}

#[test]
fn every_way_to_a_page() {
    let folder = Folder::new();
    folder.write("handle.toml", HANDLE);
    folder.write("top.toml", "body.inertia = [1, 5, 6]\nstart.omega = [10, 10, 10]\ntorque.kind = 'heavy-top'\nrun.until = 2\n");
    let written = folder.good("view handle.toml top.toml --out both.html");
    assert!(written.contains("wrote both.html"), "{written}");
    let both = film(&text(&folder, "both.html"));
    assert_eq!(
        (&both["runs"][0]["name"], &both["runs"][1]["name"]),
        (&"handle".into(), &"top".into())
    );
    assert_eq!(
        (&both["runs"][0]["floor"], &both["runs"][1]["floor"]),
        (&false.into(), &true.into())
    );

    folder.good(
        "free --inertia 1,2,2.8 --omega 0.01,5,0 --until 10 --every 1 --out free.html --shape book",
    );
    assert!(text(&folder, "free.html").contains("A body (book)"));

    folder.good("run handle.toml --out t.csv --every 1");
    folder.good("check t.csv --inertia 3,8,11 --out check.html");
    let check = film(&text(&folder, "check.html"));
    assert_eq!(check["runs"][1]["name"], "the motion it should be");
    assert_eq!(check["runs"][0]["watched"][0]["title"], "Error of the attitude (rad)");
    folder.good("run top.toml --interval 0.01 --out s.csv");
    folder.good("check s.csv --scenario top.toml --out check.html --force");
}

#[test]
fn a_body_is_drawn_as_its_mesh() {
    let folder = Folder::new();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    folder.write("part.obj", tetrahedron);
    let scenario = "body.inertia = { mesh = 'part.obj', density = 1 }\nstart.omega = [1, 2, 3]\nrun.until = 2\n";
    folder.write("part.toml", scenario);
    folder.good("run part.toml --out part.html");
    assert!(text(&folder, "part.html").contains("A body (mesh)"));
    folder.good("run part.toml --shape ellipsoid --out other.html");
    assert!(text(&folder, "other.html").contains("A body (ellipsoid)"));
}

#[test]
fn plots_have_the_panels_that_are_asked_for() {
    let folder = Folder::new();
    folder.write("handle.toml", HANDLE);
    folder.good("run handle.toml --out a.svg");
    let usual = text(&folder, "a.svg");
    assert!(usual.contains("<desc>exact in steps of 0.01, to t = 5: Angular momentum in the body; Direction of the momentum"));
    assert!(usual.contains("spin = w2"));
    let all = "momentum,omega,attitude,euler,axis,axis1,axis2,axis3,polhode,herpolhode,energy,spin";
    folder.good(&format!("run handle.toml --plot {all} --out b.svg"));
    let panels = text(&folder, "b.svg");
    for words in [
        "Angular velocity",
        "Euler angles zyx",
        "Path of axis 2",
        "Herpolhode",
        "Error of the energy",
    ] {
        assert!(panels.contains(words), "{words}");
    }
}

/// Lines of commands, and parts of what they say.
#[rustfmt::skip]
const BAD: &[(&str, &[&str])] = &[
    ("run handle.toml --plot speed --out a.svg", &["'speed': no such panel", "momentum, omega", "energy, spin"]),
    ("run handle.toml --plot pointing --out a.svg", &["'pointing'", "no planet"]),
    ("run handle.toml --plot omega,omega --out a.svg", &["output.plot", "each once"]),
    ("run handle.toml --shape sphere --out a.html", &["output.shape", "t-handle, book"]),
    ("run handle.toml --shape no.stl --out a.html", &["no.stl", "no such file"]),
    ("view handle.toml --out a.csv", &["a.csv", "the format: .html"]),
    ("view nothing.toml --out a.html", &["nothing.toml", "no such file"]),
    ("free --inertia 1,2,3 --omega 1,0,0 --at 1 --out a.svg", &["a.svg", ".html"]),
    ("free --inertia 1,2,3 --omega 1,0,0 --at 1 --out a.html --shape ball", &["'ball': no such shape"]),
    ("check t.csv --inertia 3,8,11 --out a.csv", &["a.csv", ".html"]),
    ("check half.csv --inertia 3,8,11 --out a.html", &["half.csv", "needs the attitude"]),
];

#[test]
fn what_cannot_be_shown_is_told() {
    let folder = Folder::new();
    folder.write("handle.toml", HANDLE);
    folder.good("run handle.toml --out t.csv --every 1");
    folder.write("half.csv", "t,m1,m2,m3\n0,0.03,96,0\n0.1,0.04,96,0\n");
    for (line, parts) in BAD {
        let ended = folder.run(line);
        assert_eq!(ended.code, Some(2), "{line}: {}", ended.stderr);
        for part in *parts {
            assert!(ended.stderr.contains(part), "{line}: {part}: {}", ended.stderr);
        }
        assert!(!folder.names().iter().any(|name| name.starts_with("a.")), "{line}");
    }
    folder.good("view handle.toml --out there.html");
    assert_eq!(folder.run("view handle.toml --out there.html").code, Some(2));
    folder.good("view handle.toml --out there.html --force");
}

#[test]
fn scenarios_know_the_looks_of_the_viewer() {
    let folder = Folder::new();
    folder.write("handle.toml", HANDLE);
    let refused = folder.run("view handle.toml --set output.shape=sausage --out a.html");
    let looks = polhode_view::Look::ALL.map(polhode_view::Look::name).join(", ");
    assert!(refused.stderr.contains(&format!(": {looks}, or the name of")), "{}", refused.stderr);
}

#[test]
fn what_the_playground_exports_can_be_run() {
    use polhode_playground::{KINDS, Settings};
    let folder = Folder::new();
    for (kind, entry) in KINDS.iter().enumerate() {
        let settings = Settings { kind, strength: entry.usual, until: 3.0, ..Settings::default() };
        folder.write("playground.toml", settings.scenario());
        folder.good("run playground.toml --force");
        let table = text(&folder, "out/playground.csv");
        // A thousand rows and a heading, and the last where it should be.
        assert_eq!(table.lines().count(), 1002, "{}", entry.name);
        let motion = polhode_playground::Motion::new(&settings).unwrap();
        let end = motion.at(3.0).unwrap();
        let last: Vec<f64> =
            table.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
        for (ours, theirs) in end.m.to_array().iter().zip(&last[1..4]) {
            assert!((ours - theirs).abs() < 1e-7 * end.m.length(), "{}", entry.name);
        }
    }
}

#[test]
fn scenarios_of_the_program_are_viewed_by_name() {
    let folder = Folder::new();
    folder.good("view book-axis-1 book-axis-2 --out books.html");
    let film = film(&text(&folder, "books.html"));
    assert_eq!(film["runs"][1]["name"], "book-axis-2");
    assert_eq!(film["runs"][1]["units"][0], "s");
}

#[test]
fn a_page_explains_its_motion_and_a_plot_shows_all_that_changes_slowly() {
    let folder = Folder::new();
    folder.good("run mercury --out a.html --out a.svg");
    folder.good("view mercury --out b.html");
    for name in ["a.html", "b.html"] {
        let page = text(&folder, name);
        assert!(page.contains("<p>Units: days, radians; libration in degrees.</p>"), "{name}");
        assert!(page.contains("libration = "), "{name}");
    }
    // Mercury turns 249 times in this, but what is watched has three waves.
    assert!(!text(&folder, "a.svg").contains("until"));
    // Waves of a two-hundredth of the height do not end a plot.
    folder.good("run book-axis-3 --out c.svg");
    assert!(!text(&folder, "c.svg").contains("until"));
}

#[test]
fn a_wheel_is_shown_as_it_turns() {
    let folder = Folder::new();
    folder.good("run spin-up --until 100 --out a.html --out a.csv --out a.svg");
    let table = text(&folder, "a.csv");
    let last: Vec<f64> =
        table.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    let [t, speed] = [last[0], last[last.len() - 1]];
    assert!(t == 100.0 && speed > 1.0, "{speed} at {t}");
    let film = film(&text(&folder, "a.html"));
    let wheel = &film["runs"][0]["watched"][1];
    assert_eq!(
        (wheel["name"].as_str(), wheel["title"].as_str()),
        (Some("wheel1"), Some("wheel1 (rad/s) = wheel_speed(1)"))
    );
    // The scale of a row is its greatest number, and this one grows.
    assert!((wheel["scale"].as_f64().unwrap() / speed - 1.0).abs() < 1e-12);
    assert_eq!(film["runs"][0]["free"], false);
    assert!(film["runs"][0]["w"].is_string());
    let plot = text(&folder, "a.svg");
    assert!(plot.contains("wheel1 (rad/s)") && plot.contains("t (s)") && plot.contains("kg m²/s"));
    assert!(!plot.contains("polhode through the start"));
}
