//! Files that are no scenarios.

use std::fs;
use std::path::PathBuf;

use polhode_scenario::{MAX_BYTES, Scenario, read_times};

use crate::BASE;

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("polhode-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file for the test");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_file_is_its_text() {
    let folder = Folder::new("good");
    let path = folder.file("good.toml", BASE);
    let scenario = Scenario::load(&path).unwrap();
    assert_eq!((scenario.text(), scenario.name()), (BASE, path.to_str().unwrap()));
    assert_eq!(
        Scenario::load_with(&path, &["run.until=2"]).unwrap().steps().unwrap().plan.steps,
        200
    );
}

#[test]
fn times_may_stand_in_a_file_beside_it() {
    let folder = Folder::new("times");
    let text = "body.inertia=[1,2,3]\nstart.omega=[1,2,3]\nrun.times='t.txt'\n";
    let path = folder.file("timed.toml", text);
    folder.file("t.txt", "t\n0, 0.5 # the start\n\n1.5\n2\t4\n");
    let scenario = Scenario::load(&path).unwrap();
    let rows = &scenario.solving().unwrap().rows;
    assert_eq!((0..5).map(|k| rows.time(k)).collect::<Vec<_>>(), [0.0, 0.5, 1.5, 2.0, 4.0]);
    assert_eq!(scenario.until(), 4.0);
    // As other programs write it.
    folder.file("t.txt", "\u{feff}0;0.5\r\n1.5;2;4\r\n");
    assert_eq!(Scenario::load(&path).unwrap().solving(), scenario.solving());
    // Text and overrides are all of it.
    fs::remove_file(folder.0.join("t.txt")).unwrap();
    let again = Scenario::parse_with(scenario.text(), "x", scenario.overrides()).unwrap();
    assert_eq!(again.solving(), scenario.solving());
    let error = Scenario::load(&path).unwrap_err();
    assert_eq!(error.line(), Some(3), "{error}");
    assert!(error.to_string().contains("no such file"), "{error}");
    folder.file("t.txt", "0\n1x\n");
    let error = Scenario::load(&path).unwrap_err().to_string();
    assert!(error.contains("t.txt:2: 1x: '1x' is not a number"), "{error}");
    folder.file("t.txt", "0\n2\n1\n");
    let error = Scenario::load(&path).unwrap_err().to_string();
    assert!(error.contains("1.0 at position 3 is not allowed"), "{error}");
    folder.file("t.txt", "# none\n");
    assert!(
        Scenario::load(&path).unwrap_err().to_string().contains("a file without a time is not")
    );
    let both = folder.file("both.toml", format!("{text}run.interval=1\n"));
    assert!(Scenario::load(&both).unwrap_err().to_string().contains("exclude each other"));
}

#[test]
fn files_of_times_may_be_larger_than_scenarios() {
    let folder = Folder::new("many_times");
    let lines: Vec<_> = (0..120_000).map(|k| format!("{:.6}\n", 0.1 * f64::from(k))).collect();
    let text = lines.concat();
    assert!(text.len() > MAX_BYTES);
    assert_eq!(read_times(&folder.file("t.txt", &text)).unwrap().len(), 120_000);
    let path = folder.file("large.txt", text.repeat(16));
    let error = read_times(&path).unwrap_err().to_string();
    assert!(error.contains("more than 16000000 bytes; leave out rows, or cut the file"), "{error}");
}

#[test]
fn tables_may_stand_in_files_beside_it() {
    let folder = Folder::new("tables");
    let head = "body.inertia=[1,2,2.5]\nstart.omega=[1,2,3]\nrun.until=2\n";
    let text = format!(
        "{head}[[torque]]\nkind='damping'\ncoefficient=0.1\n[[torque]]\nkind='table'\nrows='push.csv'\n"
    );
    let path = folder.file("pushed.toml", text);
    folder.file("push.csv", "time;Tx;Ty;Tz\n# another tool\n0; 0.1; 0; 0\n1\t0.2 0 0\n\n2,0,0,0\n");
    let scenario = Scenario::load(&path).unwrap();
    assert_eq!(scenario.torque().knots(), [0.0, 1.0, 2.0]);
    folder.file("push.csv", "\u{feff}time;Tx;Ty;Tz\r\n0;0.1;0;0\r\n1;0.2;0;0\r\n2;0;0;0\r\n");
    assert_eq!(Scenario::load(&path).unwrap().torque(), scenario.torque());
    // Text and overrides are all of it.
    fs::remove_file(folder.0.join("push.csv")).unwrap();
    let again = Scenario::parse_with(scenario.text(), "x", scenario.overrides()).unwrap();
    assert_eq!(again.torque(), scenario.torque());
    let error = Scenario::load(&path).unwrap_err();
    assert_eq!(error.line(), Some(9), "{error}");
    assert!(error.to_string().contains("no such file"), "{error}");
    for (table, want) in [
        ("t,x,y,z\n0,1,2,3\n1,2,3\n", "push.csv:3: 1,2,3: a line of 3 cells is not allowed"),
        ("0,1,2,3\n1,2,3,x\n", "push.csv:2: 1,2,3,x: 'x' is not a number"),
        (
            "0,0,0,0\n2,0,0,0\n1,0,0,0\n",
            "push.csv:3: 1,0,0,0: row 3 is at t = 1.0, not later than t = 2.0",
        ),
        ("0,0,0,0\n", "push.csv:1: 1 row; a table has two at least"),
        ("t,x,y,z\nt,x,y,z\n", "push.csv:2: t,x,y,z: 't' is not a number"),
        ("t,x,y,z\n0,1,2,3\n1,,2,3,4\n", "push.csv:3: 1,,2,3,4: an empty cell is not allowed"),
        (",0,1,2,3\n", "push.csv:1: ,0,1,2,3: an empty cell is not allowed"),
        (
            "Tx,Ty,Tz,Time_s\n0,1,2,3\n1,2,3,4\n",
            "push.csv:1: Tx,Ty,Tz,Time_s: the time in column 4 is not allowed; allowed is the time in the first",
        ),
    ] {
        folder.file("push.csv", table);
        let error = Scenario::load(&path).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
    // As programs write them that call every torque t, end lines with a comma, or fill the sheet with empty lines.
    folder.file("push.csv", "time,t1,t2,t3\n0,1,2,3,\n2,2,3,4,\n,,,,\n");
    assert_eq!(Scenario::load(&path).unwrap().torque().knots(), [0.0, 2.0]);
    // More rows than a scenario has room for.
    let row = |k: i32| format!("{k}.0625,0.1234567890123,0,0");
    let rows = (0..40_000).map(row).collect::<Vec<_>>().join("\n");
    folder.file("push.csv", format!("0,0,0,0\n{rows}"));
    assert_eq!(Scenario::load(&path).unwrap().torque().knots().len(), 40_001);
}

#[test]
fn each_says_what_it_is_instead() {
    let folder = Folder::new("bad");
    let just = format!("{BASE}#{}", "x".repeat(MAX_BYTES - BASE.len() - 1));
    assert!(Scenario::load(folder.file("just.toml", &just)).is_ok());
    let latin: Vec<u8> = [b"[body]\n# caf", &b"\xe9\n"[..], BASE.as_bytes()].concat();
    let utf16: Vec<u8> =
        format!("\u{feff}{BASE}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    folder.file("dzhanibekov.toml", BASE);
    for (path, line, parts) in [
        (
            folder.0.join("dzanibekov.toml"),
            None,
            &["no such file; did you mean 'dzhanibekov.toml'?"][..],
        ),
        (folder.0.join("nothing/at/all.toml"), None, &["no such file; check the path"]),
        (folder.0.clone(), None, &["is a directory; name a scenario file in it"]),
        (folder.file("empty.toml", ""), Some(1), &["nothing in it; a scenario needs [body]"]),
        (folder.file("latin.toml", latin), Some(2), &["not UTF-8", "save it as a UTF-8 text"]),
        (folder.file("utf16.toml", utf16), Some(1), &["not UTF-8"]),
        (folder.file("nul.toml", "\0\0\0"), Some(1), &[]),
        (folder.file("large.toml", format!("{just}x")), None, &["more than 1000000 bytes"]),
        (folder.file("file.toml", "").join("x.toml"), None, &["cannot be read: "]),
    ] {
        let error = Scenario::load(&path).expect_err("accepted");
        let message = error.to_string();
        assert_eq!(error.line(), line, "{message}");
        assert!(message.starts_with(path.to_str().unwrap()), "{message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        assert!(!message.contains(char::is_control), "{message}");
    }
    let error = Scenario::load(folder.0.join("latin.toml")).unwrap_err();
    assert_eq!(error.column(), Some(6));
    assert!(Scenario::parse(&format!("{just}x"), "x").unwrap_err().to_string().contains("bytes"));
}

#[test]
fn large_and_strange_texts_are_refused_in_no_time() {
    let key = "k".repeat(900_000);
    for text in [
        format!("{key} = 1"),
        format!("method.id = '{key}'"),
        format!("[{key}]"),
        "a.".repeat(400_000) + "b = 1",
        format!("a = {}", "[".repeat(900_000)),
        "[[torque]]\n".repeat(80_000),
        "a = 1\n".repeat(100_000),
        (0..60_000).fold(String::new(), |text, i| text + "k" + &i.to_string() + " = 1\n"),
        format!("{BASE}\n[[run]]{}", "\n".repeat(900_000)),
    ] {
        let start = std::time::Instant::now();
        let error = Scenario::parse(&text, "x").expect_err("accepted");
        assert!(error.to_string().len() < 1000, "{}", error.to_string().len());
        // Thousands of times what it takes: only a hang lasts so long.
        assert!(start.elapsed().as_secs() < 120, "{error}");
    }
    for text in [format!("{key}=1"), format!("method.id={key}"), "a.".repeat(400_000) + "b=1"] {
        let error = Scenario::parse_with(BASE, "x", &[text]).expect_err("accepted");
        assert!(error.to_string().len() < 1000);
    }
    let files: Vec<String> = (0..50_000).map(|i| format!("'{i}.csv'")).collect();
    let text = BASE.replace("\"a.csv\"", &files.join(","));
    assert_eq!(Scenario::parse(&text, "x").unwrap().output().files.len(), 50_001);
    let torque = "[[torque]]\nkind = \"heavy-top\"\n".repeat(20_000);
    let text = BASE.replace("[torque]\nkind = \"heavy-top\"\nup = [0, 0, 1]\n", &torque);
    assert_eq!(Scenario::parse(&text, "x").unwrap().torque().entries().count(), 20_000);
}

#[test]
fn moments_of_inertia_may_stand_in_a_file_beside_it() {
    let folder = Folder::new("moments");
    let text = "body.inertia={ rows='moments.csv', interpolation='linear', beyond='hold' }\n\
                start.momentum=[0.1,0.2,0.3]\nmethod={ id='strang+exact', step=0.1 }\nrun.until=4\n";
    let path = folder.file("vary.toml", text);
    folder
        .file("moments.csv", "t,I1,I2,I3\n0, 1, 1.6, 2.1\n1; 1.2; 1.6; 2.1 # more\n2 1 1.6 2.5\n");
    let read = Scenario::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let omega = |scenario: &Scenario, t: f64| {
        scenario.problem().omega_inside(t, scenario.start(), &[]).to_array()
    };
    assert_eq!(omega(&read, 0.0), [0.1, 0.2 / 1.6, 0.3 / 2.1]);
    let close = |scenario: &Scenario, t: f64, moments: [f64; 3]| {
        let want = [0.1 / moments[0], 0.2 / moments[1], 0.3 / moments[2]];
        for (got, want) in omega(scenario, t).into_iter().zip(want) {
            assert!((got - want).abs() < 1e-15, "{t}: {got} {want}");
        }
    };
    close(&read, 0.5, [1.1, 1.6, 2.1]);
    close(&read, 3.0, [1.0, 1.6, 2.5]);
    close(
        &Scenario::load_with(&path, &["body.inertia.interpolation=hold"]).unwrap(),
        0.5,
        [1.0, 1.6, 2.1],
    );
    let spline = Scenario::load_with(&path, &["body.inertia.interpolation=spline"]).unwrap();
    // The parabola through three rows.
    close(&spline, 0.5, [1.15, 1.6, 2.05]);
    // Text and overrides are all of it.
    fs::remove_file(folder.0.join("moments.csv")).unwrap();
    let again = Scenario::parse_with(read.text(), "x", read.overrides()).unwrap();
    close(&again, 0.5, [1.1, 1.6, 2.1]);
    assert!(Scenario::load(&path).unwrap_err().to_string().contains("moments.csv"));
    folder.file("moments.csv", "0, 1, 1.6, 2.1\n0, 1, 1.6, 2.1\n");
    let error = Scenario::load(&path).unwrap_err();
    assert_eq!(error.line(), Some(2), "{error}");
    let ends = Scenario::parse_with(
        read.text(),
        "x",
        &[read.overrides(), &["body.inertia.beyond=error".into()]].concat(),
    );
    assert!(ends.is_ok_and(|s| {
        polhode::run(
            &s.problem(),
            &mut *s.steps().unwrap().method.stepper(&s.problem()).unwrap(),
            &s.steps().unwrap().plan,
            &mut [],
        )
        .is_err()
    }));
}
