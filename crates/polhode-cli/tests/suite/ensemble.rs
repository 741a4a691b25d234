//! `polhode ensemble` through the built program.

use std::process::Stdio;

use crate::support::Folder;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

const MANY: &str = "\
[bodies]
count = 300
seed = 5
[body]
inertia = { law = \"any\", largest = 1.0 }
[start]
momentum = { law = \"isotropic\", length = 2.0 }
attitude = { law = \"uniform\" }
[method]
id = \"exact\"
step = 0.1
[run]
until = 2.0
every = 8
";

fn with(text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("many.toml", text);
    folder
}

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.good(&format!("{line} --json"))).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// What is said about bad input, with exit code 2 and nothing on stdout.
fn refused(text: &str) -> String {
    let ended = with(text).run("ensemble many.toml");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    ended.stderr
}

#[test]
fn the_summary_has_statistics_of_what_is_kept() {
    let document = json(&with(MANY), "ensemble many.toml");
    assert_eq!((&document["bodies"], &document["failed"]), (&300.into(), &0.into()));
    assert_eq!((&document["steps"], &document["t"]), (&20.into(), &2.0.into()));
    let statistics = &document["statistics"];
    let norm = &statistics["momentum_norm"];
    // What the exact step promises: 8 eps (1 + angle) a step, of up to 32 rad for the needles.
    let allowed = 2.0 * 20.0 * 8.0 * f64::EPSILON * 33.0;
    for moment in ["mean", "min", "max"] {
        assert!((number(&norm[moment]) - 2.0).abs() < allowed, "{moment}: {norm}");
    }
    assert!(number(&norm["deviation"]) < allowed);
    // |m|²/2 <= T = m²/(2I), of all shapes with I3 = 1.
    assert!(number(&statistics["energy"]["min"]) >= 2.0 * (1.0 - 1e-15));
    for error in ["energy_error", "momentum_error", "spatial_momentum_error"] {
        let largest = number(&statistics[error]["max"]);
        // Needles have energies of a hundred and more.
        assert!(largest > 0.0 && largest < 1e-11, "{error}: {largest:e}");
    }
    let text = with(MANY).good("ensemble many.toml");
    assert!(text.starts_with("many.toml: 300 bodies, exact, 20 steps to t = 2\n"), "{text}");
    assert!(text.contains("spatial momentum error"), "{text}");
}

#[test]
fn files_do_not_depend_on_threads_and_hold_every_row() {
    let folder = with(MANY);
    for threads in [1, 2, 3] {
        folder.good(&format!(
            "ensemble many.toml --threads {threads} --out a{threads}.csv --out a{threads}.jsonl \
             --out a{threads}.npz --out a{threads}.svg"
        ));
    }
    for extension in ["csv", "jsonl", "npz"] {
        let one = folder.read(&format!("a1.{extension}"));
        assert!(one == folder.read(&format!("a2.{extension}")), "{extension}");
        assert!(one == folder.read(&format!("a3.{extension}")), "{extension}");
    }
    // Its title is the name of the file.
    let picture = |n: u32| {
        String::from_utf8(folder.read(&format!("a{n}.svg"))).unwrap().replace(&format!("a{n}:"), "")
    };
    assert!(picture(1) == picture(2) && picture(1) == picture(3));
    for words in [
        "Direction of the momentum",
        "density (1: even)",
        "Energy",
        "Period of the free motion",
        "<desc>",
    ] {
        assert!(picture(1).contains(words), "{words}");
    }
    let text = String::from_utf8(folder.read("a1.csv")).unwrap();
    let mut lines = text.lines();
    let heading =
        "body,step,t,m1,m2,m3,w1,w2,w3,q0,q1,q2,q3,energy,i1,i2,i3,period,precession_period,regime";
    assert_eq!(lines.next(), Some(heading));
    // Steps 0, 8, 16, 20 of 300 bodies.
    let rows: Vec<Vec<&str>> = lines.map(|l| l.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 20 && row[19].starts_with("about-")));
    let rows: Vec<Vec<f64>> =
        rows.iter().map(|row| row[..19].iter().map(|x| x.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 1200);
    // Each row has the motion of its body.
    for row in [&rows[0], &rows[301], &rows[1199]] {
        let inertia = polhode::Inertia::principal([row[14], row[15], row[16]]).unwrap();
        let start = rows.iter().find(|r| r[0] == row[0] && r[1] == 0.0).unwrap();
        let start = polhode::State::aligned([start[3], start[4], start[5]]).unwrap();
        let motion = polhode::FreeMotion::new(&inertia, start).unwrap();
        assert_eq!(
            (Some(row[17]), row[18]),
            (motion.period(), std::f64::consts::TAU / motion.precession_rate())
        );
    }
    assert_eq!(rows[301][..3], [1.0, 8.0, 0.8]);
    let objects = String::from_utf8(folder.read("a1.jsonl")).unwrap();
    let last: Value = serde_json::from_str(objects.lines().last().unwrap()).unwrap();
    assert_eq!(last["body"], 299);
    assert_eq!(number(&last["momentum"][1]), rows[1199][4]);
    assert_eq!(number(&last["attitude"][3]), rows[1199][12]);
    assert_eq!(number(&last["energy"]), rows[1199][13]);
    assert_eq!(number(&last["inertia"][2]), rows[1199][16]);
    assert_eq!(number(&last["period"]), rows[1199][17]);
}

#[test]
fn files_are_not_replaced_and_nothing_is_left_behind() {
    let folder = with(MANY);
    folder.write("a.csv", "mine");
    let ended = folder.run("ensemble many.toml --out a.csv");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("exists already; --force replaces it"), "{}", ended.stderr);
    folder.good("ensemble many.toml --out a.csv --force");
    assert!(folder.read("a.csv").len() > 1000);
    let ended = folder.run("ensemble many.toml --out a.xlsx");
    assert!(ended.stderr.contains(".csv, .npz, .jsonl"), "{}", ended.stderr);
    assert_eq!(folder.names(), ["a.csv", "many.toml"]);
}

#[test]
fn a_start_that_is_refused_leaves_nothing() {
    let folder = with(MANY);
    let refused = |line: &str, want: &str| {
        let before = folder.names();
        let ended = folder.run(&format!("ensemble many.toml {line}"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(want), "{line}: {}", ended.stderr);
        assert_eq!(folder.names(), before, "{line}");
        ended.stderr
    };
    refused("--out a.npz --out a.npz", "a.npz: the same file as a.npz");
    refused("--out a.csv --out ./a.csv --force", "./a.csv: the same file as a.csv");
    folder.write("there.npz", "mine");
    refused("--out a.csv --out b.jsonl --out there.npz", "there.npz: exists already");
    refused("--out a.csv --out a.xlsx", ".csv, .npz, .jsonl");
    // What somebody has killed: with a checkpoint it could be resumed.
    folder.write("a.csv.part", "body,step\n");
    let text = refused("--out b.csv --out a.csv", "a.csv.part: left by a run that was interrupted");
    assert!(text.contains("--force begins anew") && text.contains("`polhode resume`"), "{text}");
    folder.good("ensemble many.toml --out a.csv --force");
    assert_eq!(folder.names(), ["a.csv", "many.toml", "there.npz"]);
}

#[test]
fn a_file_that_cannot_be_completed_leaves_all_rows() {
    let folder = with(MANY);
    // Where an archive is put together.
    std::fs::create_dir(folder.path("a.npz.whole.part")).unwrap();
    let ended = folder.run("ensemble many.toml --out a.npz --out b.csv");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("a.npz: cannot write it"), "{}", ended.stderr);
    let told = "\nThe rows so far are in a.npz.part, b.csv.part\n";
    assert!(ended.stderr.ends_with(told), "{}", ended.stderr);
    // Names of the columns, and four rows a body.
    let rows = String::from_utf8(folder.read("b.csv.part")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 4 * 300);
}

#[test]
fn threads_have_a_bound() {
    let folder = with(MANY);
    for threads in ["0", "257", "65535"] {
        let ended = folder.run(&format!("ensemble many.toml --threads {threads}"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        let want = format!("{threads} is not in 1..=256");
        assert!(ended.stderr.contains(&want), "{}", ended.stderr);
    }
    folder.good("ensemble many.toml --threads 256");
    assert!(folder.good("ensemble --help").contains("threads, 1 to 256,"));
}

/// The first line of the summary.
fn heading(folder: &Folder) -> String {
    let text = folder.good("ensemble many.toml");
    text.lines().next().unwrap().to_owned()
}

#[test]
fn one_is_singular_and_times_are_times() {
    let one = MANY.replace("count = 300", "count = 1").replace("until = 2.0", "until = 0.1");
    assert_eq!(heading(&with(&one)), "many.toml: 1 body, exact, 1 step to t = 0.1");
    let folder = with(TABLE);
    folder.write("bodies.csv", "i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1,0\n1,2,2.5,0.1,1,0\n");
    assert_eq!(heading(&folder), "many.toml: 2 bodies, free motion, 2 times to t = 2.5");
    assert!(folder.good("ensemble many.toml").contains(" body times/s"));
    folder.write("many.toml", TABLE.replace("1.0, 2.5", "2.5"));
    assert_eq!(heading(&folder), "many.toml: 2 bodies, free motion, 1 time to t = 2.5");
}

const TABLE: &str = "\
[bodies]
file = \"bodies.csv\"
[run]
times = [1.0, 2.5]
";

#[test]
fn bodies_under_a_torque_are_solved_like_one_alone() {
    let torque = "[torque]\nkind = \"lagrange-top\"\nstrength = 0.5\n";
    let solved = TABLE.replace("[run]", &format!("{torque}[run]\ntolerance = 1e-9"));
    let folder = with(&solved);
    folder.write("bodies.csv", "i1,i2,i3,m1,m2,m3\n1,2,2.5,0.1,1,0\n3,1,2.5,0,0.5,1\n");
    let text = folder.good("ensemble many.toml --out a.csv");
    assert!(text.starts_with("many.toml: 2 bodies, solved, 2 times to t = 2.5\n"), "{text}");
    let alone = format!(
        "[body]\ninertia = [3.0, 1.0, 2.5]\n[start]\nmomentum = [0.0, 0.5, 1.0]\n{torque}\
         [run]\nuntil = 2.5\ntolerance = 1e-9\ntimes = [1.0, 2.5]\n"
    );
    folder.write("alone.toml", alone);
    folder.good("run alone.toml --out b.csv");
    let file = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let rows = file("a.csv");
    let last = rows.lines().find(|l| l.starts_with("1,1,2.5,")).unwrap();
    let state: Vec<&str> = last.split(',').skip(2).take(11).collect();
    assert!(file("b.csv").lines().last().unwrap().contains(&state.join(",")), "{state:?}");
    for (from, to, want) in [
        ("times = [1.0, 2.5]", "times = [2.5, 1.0]", "times[1] = 1.0: times must be finite"),
        ("1e-9", "1e-30", "[run] tolerance = 1e-30: not allowed"),
    ] {
        folder.write("many.toml", solved.replace(from, to));
        let ended = folder.run("ensemble many.toml");
        assert!(ended.stderr.contains(want), "{}", ended.stderr);
        assert_eq!(ended.code, Some(2));
    }
}

#[test]
fn bodies_from_a_table_move_like_one_alone() {
    let folder = with(TABLE);
    folder
        .write("bodies.csv", "i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1,0\n# a comment\n3,1,2.5,0,0.5,1\n");
    folder.good("ensemble many.toml --out a.csv");
    let text = String::from_utf8(folder.read("a.csv")).unwrap();
    let line = text.lines().find(|l| l.starts_with("1,1,2.5,")).unwrap();
    let alone = json(&folder, "free --inertia 3,1,2.5 --omega 0,0.5,1 --at 2.5");
    let q: Vec<f64> = line.split(',').skip(9).take(4).map(|x| x.parse().unwrap()).collect();
    for i in 0..4 {
        // The program's free motion counts omega as exact, the ensemble its rounded momentum.
        assert!((q[i] - number(&alone["states"][0]["attitude"][i])).abs() < 1e-15, "{line}");
    }
}

#[test]
fn a_bad_table_is_told_with_its_line() {
    let refused = |table: &str| {
        let folder = with(TABLE);
        folder.write("bodies.csv", table);
        let ended = folder.run("ensemble many.toml --out a.csv");
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert_eq!(folder.names(), ["bodies.csv", "many.toml"]);
        ended.stderr
    };
    for (table, want) in [
        (
            "i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1,0\n1,2,x,0,0,0\n",
            "bodies.csv:3: i3 (column 3): 'x' is not a number",
        ),
        ("i1,i2,i3,w1,w2,w3\n1,2,2.5,0.1,1\n", "bodies.csv:2: the number of fields is 5"),
        (
            "i1,i2,i3,w1,w2,w3\n1,2,9,0.1,1,0\n",
            "bodies.csv:2: inertia: principal moments [1.0, 2.0, 9.0]",
        ),
        (
            "i1,i2,i3,w1,w2,w3\n1,2,2,nan,1,0\n",
            "bodies.csv:2: w1 (column 4): 'nan' is not a number",
        ),
        ("i1,i2,i3,w1,w2\n", "column 'w3' is missing"),
        ("i1,i2,i3,w1,w2,w3,w3\n", "column 'w3' is there twice"),
        ("w1,w2,w3\n", "no columns i1, i2, i3; or give [body] inertia"),
        ("i1,i2,i3,w1,w2,w3\n", "bodies.csv: no bodies in it; needed: at least one line"),
        ("i1,i2,i3\n", "no columns m1, m2, m3 (momentum) or w1, w2, w3"),
    ] {
        let text = refused(table);
        assert!(text.contains(want), "{want}: {text}");
    }
    let ended = with(TABLE).run("ensemble many.toml");
    assert!(ended.code == Some(2) && ended.stderr.contains("bodies.csv: no such file"));
}

#[test]
fn bad_ensembles_are_told_with_their_line() {
    for (from, to, want) in [
        ("count = 300", "count = 0", "many.toml:2: [bodies] count = 0: not allowed"),
        ("count = 300", "number = 3", "no key 'number'; known: count, seed, file"),
        ("seed = 5", "seed = 1.5", "many.toml:3: [bodies] seed = 1.5: not allowed"),
        ("law = \"any\"", "law = \"all\"", "many.toml:5: [body] inertia"),
        ("largest = 1.0", "biggest = 1.0", "no key 'biggest'; known: largest"),
        ("largest = 1.0", "largest = -1.0", "largest = a number from 1e-290 to 1e290"),
        ("length = 2.0", "length = \"2\"", "length: a text is not allowed"),
        ("\"exact\"", "\"exakt\"", "did you mean 'exact'?"),
        ("[method]", "[torque]\nkind = \"damping\"\n[method]", "'coefficient' is missing"),
        (
            "[method]",
            "[torque]\nkind = \"heavy-top\"\n[method]",
            "a rotor alone is for free bodies",
        ),
        ("[run]", "[walk]", "no section 'walk'"),
        ("until = 2.0", "times = [1.0]", "'every'"),
        ("until = 2.0\nevery = 8", "times = [1.0]", "[method]: not wanted here"),
        ("every = 8", "tolerance = 1e-9", "a method of fixed steps has none"),
    ] {
        assert!(MANY.contains(from), "{from}");
        let text = refused(&MANY.replace(from, to));
        assert!(text.contains(want), "{to}: {text}");
    }
    assert!(
        refused("")
            .contains("nothing in it; an ensemble needs [bodies], [body], [start] and [run]")
    );
}

#[test]
fn bodies_that_fail_are_told_and_the_others_counted() {
    let text = MANY.replace("\"exact\"", "\"dmv\"").replace("length = 2.0", "length = 6.0");
    let ended = with(&text).run("ensemble many.toml --json");
    assert_eq!(ended.code, Some(0));
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    let failed = number(&document["failed"]);
    assert!(failed > 0.0 && failed < 300.0, "{failed}");
    let first = document["first_failure"].as_str().unwrap();
    assert!(
        first.contains("dmv: no convergence: the body turns too far in a step of 0.1"),
        "{first}"
    );
    let warning = format!("warning: {failed} of 300 bodies could not go on; the first: {first}\n");
    assert_eq!(ended.stderr, warning);
    // Nobody gets through: that is a failure of the whole.
    let text = MANY.replace("\"exact\"", "\"dmv\"").replace("length = 2.0", "length = 1e6");
    let ended = with(&text).run("ensemble many.toml");
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("no body came to the end"), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("warning: 300 of 300 bodies"), "{}", ended.stderr);
    // Of no values there is no mean.
    let rows: Vec<&str> = ended.stdout.lines().filter(|l| l.starts_with("energy")).collect();
    // Means, and quantiles.
    assert_eq!(rows.len(), 4, "{}", ended.stdout);
    for (row, count) in rows.into_iter().zip([4, 4, 5, 5]) {
        let numbers = row.trim_start_matches(|c: char| c != '-');
        assert_eq!(numbers.split_whitespace().collect::<Vec<_>>(), vec!["-"; count], "{row}");
    }
    let ended = with(&text).run("ensemble many.toml --json");
    let document: Value = serde_json::from_str(&ended.stdout).unwrap();
    for moment in ["mean", "deviation", "min", "max"] {
        assert_eq!(document["statistics"]["turn"][moment], Value::Null, "{moment}");
    }
}

/// The ensembles of the project: documented, and they run.
#[test]
fn shipped_ensembles_run() {
    let folder = Folder::new();
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/ensembles");
    let mut count = 0;
    for entry in std::fs::read_dir(shipped).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        count += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let comments = text.lines().take_while(|l| l.starts_with('#')).count();
        assert!(comments >= 5 && text.contains("polhode ensemble"), "{}", path.display());
        let document = json(&folder, &format!("ensemble {}", path.display()));
        assert_eq!(document["failed"], 0, "{}", path.display());
        let turn = number(&document["statistics"]["turn"]["max"]);
        assert!(turn > 0.1, "{}: {turn}", path.display());
    }
    assert_eq!(count, 4);
}

#[test]
fn an_interrupt_ends_it_at_once_and_leaves_its_rows() {
    let folder = with(&MANY.replace("until = 2.0", "until = 1e9"));
    let line = "ensemble many.toml --out x.csv --out x.npz";
    let mut command = folder.polhode(line.split_whitespace());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("x.npz.part").exists() {}
    std::thread::sleep(std::time::Duration::from_millis(100));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(told.contains("interrupted; the first block of bodies was not done"), "{told}");
    assert!(told.ends_with("\nThe rows so far are in x.csv.part, x.npz.part\n"), "{told}");
    // At least those of the start.
    let rows = String::from_utf8(folder.read("x.csv.part")).unwrap();
    assert!(rows.lines().count() > 100 && rows.ends_with('\n'), "{rows}");
    assert!(!folder.path("x.csv").exists() && !folder.path("x.npz").exists());
}
