//! Every output says how it was made, errors among JSON are JSON, and a table may go to standard output.

use serde_json::Value;

use crate::support::Folder;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn a_table_has_beside_it_how_it_was_made() {
    let folder = Folder::with_top();
    folder.good(
        "run top.toml --out a.csv --out b.jsonl --out c.npz --attitude-as euler-zxz --degrees",
    );
    for file in ["a.csv", "b.jsonl"] {
        let meta = String::from_utf8(folder.read(&format!("{file}.meta.json"))).unwrap();
        let meta = json(&meta);
        assert_eq!((&meta["schema"], &meta["step"]), (&1.into(), &0.001.into()));
        assert_eq!(meta["method"], "strang:compensated+exact");
        assert_eq!(meta["polhode"], env!("CARGO_PKG_VERSION"));
        assert_eq!(meta["inertia"]["principal_moments"], serde_json::json!([1.0, 5.0, 6.0]));
        assert_eq!(meta["inertia"]["tensor"][1], serde_json::json!([0.0, 5.0, 0.0]));
        assert_eq!((&meta["torque"][0], &meta["tolerance"]), (&"heavy-top".into(), &Value::Null));
        assert_eq!(meta["units"]["angle"], "degree");
        assert_eq!(meta["attitude"]["columns"], serde_json::json!(["e1_deg", "e2_deg", "e3_deg"]));
        assert_eq!(meta["scenario"], "top.toml");
    }
    let header = String::from_utf8(folder.read("a.csv")).unwrap();
    assert!(header.starts_with("t,m1,m2,m3,w1_deg,w2_deg,w3_deg,e1_deg,e2_deg,e3_deg,energy,"));
    // An archive holds it itself, and the same bytes come out of the same run.
    let archive = folder.read("c.npz");
    let text = String::from_utf8_lossy(&archive);
    assert!(text.contains("meta.npy") && text.contains("\"form\":\"euler-zxz\""));
    folder.good("run top.toml --out c.npz --attitude-as euler-zxz --degrees --force");
    assert!(folder.read("c.npz") == archive);
    folder.good("run top.toml --tolerance 1e-7 --out d.csv");
    let meta = json(&String::from_utf8(folder.read("d.csv.meta.json")).unwrap());
    assert_eq!((&meta["step"], &meta["tolerance"]), (&Value::Null, &1e-7.into()));
}

#[test]
fn pictures_pages_and_ephemerides_say_how_they_were_made() {
    let folder = Folder::with_top();
    folder.good("run top.toml --every 100 --out a.csv --out a.svg --out a.html --out a.aem");
    let meta = json(&String::from_utf8(folder.read("a.csv.meta.json")).unwrap());
    let between = |file: &str, from: &str, to: &str| {
        let text = String::from_utf8(folder.read(file)).unwrap();
        let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{file}: no {from}"));
        rest.split_once(to).unwrap().0.to_owned()
    };
    assert_eq!(json(&between("a.svg", "<metadata>", "</metadata>")), meta);
    let script = "<script type=\"application/json\" id=\"meta\">";
    assert_eq!(json(&between("a.html", script, "</script>")), meta);
    let ephemeris = String::from_utf8(folder.read("a.aem")).unwrap();
    for line in [
        "COMMENT polhode: 0.1.0",
        "COMMENT scenario: top.toml",
        "COMMENT method: strang:compensated+exact",
        "COMMENT step: 0.001",
        "COMMENT torque: [\"heavy-top\"]",
        "COMMENT inertia principal_moments: [1.0,5.0,6.0]",
    ] {
        let line = line.replace("0.1.0", env!("CARGO_PKG_VERSION"));
        assert!(ephemeris.lines().any(|l| l == line), "{line}: {ephemeris}");
    }
    // The standard allows 254 characters.
    assert!(ephemeris.lines().all(|line| line.len() <= 254), "{ephemeris}");
    folder.write("b.csv", "i1,i2,i3,m1,m2,m3\n1,2,2.5,1,2,3\n");
    folder.write("e.toml", crate::support::TABLE);
    folder.good("ensemble e.toml --out e.csv --out e.svg");
    let meta = json(&String::from_utf8(folder.read("e.csv.meta.json")).unwrap());
    assert_eq!(json(&between("e.svg", "<metadata>", "</metadata>")), meta);
    assert_eq!(meta["method"], "closed-form");
}

#[test]
fn documents_have_a_schema() {
    let folder = Folder::with_top();
    folder.good("run top.toml --out a.csv");
    for line in [
        "free --inertia 1,2,2.5 --momentum 1,2,3 --at 0,1",
        "run top.toml --out b.csv",
        "check a.csv --scenario top.toml",
        "inertia box=[1,2,3],mass=1",
        "compare top.toml --methods rk4 --steps 0.1,0.05",
    ] {
        let ended = folder.run(&format!("{line} --json"));
        assert_eq!(json(&ended.stdout)["schema"], 1, "{line}");
    }
}

#[test]
fn errors_among_json_are_json() {
    let folder = Folder::with_top();
    for (line, code, kind, part) in [
        ("free --inertia 1,2,9 --momentum 1,2,3 --at 0 --json", 2, "input", "--inertia"),
        ("free --inertia 1,2,2.5 --json", 2, "usage", "--momentum"),
        ("run none.toml --json", 2, "input", "no such file"),
        ("run top.toml --step 0 --json", 2, "input", "not zero"),
        ("check none.csv --inertia 1,2,3 --json", 2, "input", "no such file"),
        ("run top.toml --out no-folder/a.csv --json", 2, "input", "no folder"),
    ] {
        let ended = folder.run(line);
        assert_eq!(ended.code, Some(code), "{line}");
        let error = &json(&ended.stdout)["error"];
        assert_eq!((&error["kind"], &error["exit_code"]), (&kind.into(), &code.into()), "{line}");
        assert!(error["message"].as_str().unwrap().contains(part), "{line}: {error}");
        assert!(ended.stderr.starts_with("error: ") && ended.stderr.contains(part), "{line}");
    }
}

#[test]
fn rows_go_to_standard_output() {
    let folder = Folder::with_top();
    folder.good("run top.toml --every 100 --out a.csv");
    let ended = folder.run("run top.toml --every 100 --out -");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.stdout.as_bytes(), folder.read("a.csv"));
    assert!(ended.stderr.contains("at t = 1"), "{}", ended.stderr);
    assert_eq!(folder.names(), ["a.csv", "top.toml"]);
    for (line, part) in [
        ("--json", "--out -: not with --json"),
        ("--checkpoint x", "--out -: not with --checkpoint"),
    ] {
        let ended = folder.run(&format!("run top.toml --out - {line}"));
        assert!(ended.code == Some(2) && ended.stderr.contains(part), "{}", ended.stderr);
    }
    folder.write("b.csv", "i1,i2,i3,m1,m2,m3\n1,2,2.5,1,2,3\n");
    folder.write("e.toml", crate::support::TABLE);
    let ended = folder.run("ensemble e.toml --out -");
    assert!(ended.stdout.starts_with("body,step,t,m1"), "{}", ended.stdout);
    assert_eq!((ended.code, ended.stdout.lines().count()), (Some(0), 2), "{}", ended.stderr);
}

#[test]
fn forms_and_degrees_reach_the_summary() {
    let folder = Folder::with_top();
    let text = folder.good("run top.toml --out a.csv --attitude-as euler --degrees");
    assert!(text.contains("(yaw_deg pitch_deg roll_deg, body to space)"), "{text}");
    assert!(text.contains("(degrees per unit of time)"), "{text}");
    let document =
        json(&folder.good("run top.toml --out b.csv --attitude-as euler --degrees --json"));
    let (shown, state) = (&document["shown"], &document["state"]);
    assert_eq!(shown["attitude_columns"], serde_json::json!(["yaw_deg", "pitch_deg", "roll_deg"]));
    let turned = |value: &Value, i: usize| value["omega"][i].as_f64().unwrap();
    assert!((turned(shown, 1) - turned(state, 1).to_degrees()).abs() < 1e-12);
    assert_eq!(json(&folder.good("run top.toml --out c.csv --json"))["shown"], Value::Null);
    let free = "free --inertia 1,2,2.5 --momentum 1,2,3 --at 0 --json --attitude-as euler-xyz";
    let columns = &json(&folder.good(free))["attitude_as"]["columns"];
    assert_eq!(*columns, serde_json::json!(["turn1_x", "turn2_y", "turn3_z"]));
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = Folder::with_top();
    folder.write("b.csv", format!("i1,i2,i3,m1,m2,m3\n{}", "1,2,2.5,1,2,3\n".repeat(20000)));
    folder.write("e.toml", crate::support::TABLE);
    for line in ["run top.toml --until 20 --out -", "ensemble e.toml --out -"] {
        let mut command = folder.polhode(line.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!((ended.status.code(), told.as_str()), (Some(0), ""), "{line}");
        assert!(first.contains("m1,m2,m3"), "{line}: {first}");
    }
}

#[test]
fn comparisons_and_pages_say_it_too() {
    let folder = Folder::with_top();
    folder.good("compare top.toml --methods rk4 --steps 0.1,0.05 --out c.csv --out c.svg");
    let meta = json(&String::from_utf8(folder.read("c.csv.meta.json")).unwrap());
    assert_eq!((&meta["method"], &meta["step"]), (&"compared".into(), &Value::Null));
    assert_eq!(meta["torque"], serde_json::json!(["heavy-top"]));
    folder.good("free --inertia 1,2,2.5 --momentum 1,2,3 --at 1 --out f.html");
    folder.good("view top.toml top.toml --out v.html");
    folder.good("run top.toml --every 100 --out t.csv");
    folder.run("check t.csv --scenario top.toml --out k.html");
    let between = |file: &str, from: &str, to: &str| {
        let text = String::from_utf8(folder.read(file)).unwrap();
        let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{file}: no {from}"));
        json(rest.split_once(to).unwrap().0)
    };
    assert_eq!(between("c.svg", "<metadata>", "</metadata>"), meta);
    let page = |file| between(file, "id=\"meta\">", "</script>");
    assert_eq!(page("f.html")["method"], "closed-form");
    assert_eq!(page("v.html")[1]["step"], 0.001);
    assert_eq!(page("k.html")["scenario"], "top.toml");
}
