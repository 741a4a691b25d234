//! The scenarios that the program carries, where no repository is.

use std::path::Path;

use serde_json::Value;

use crate::support::Folder;

#[test]
fn names_run_as_their_files_do() {
    let folder = Folder::new();
    let summary = folder.good("run dzhanibekov");
    assert!(summary.contains("flip period: 2.0954"), "{summary}");
    assert_eq!(folder.names(), ["out/dzhanibekov.csv", "out/dzhanibekov.svg"]);
    folder.good("cite slow-lagrange-top");
    folder.good("view book-axis-1 book-axis-2 --out books.html");
    assert_eq!(folder.good("new tumbling-debris"), folder.good("new ensembles/tumbling-debris"));
    let listed = folder.good("scenarios");
    assert!(listed.lines().all(|line| line.len() < 260), "{listed}");
    folder.good("compare heavy-top-small --until 1 --methods strang+exact --steps 0.1,0.05");
    folder.good("ensemble tumbling-debris --set bodies.count=20");
    folder.good("ensemble ensembles/tumbling-debris --set bodies.count=20");
}

#[test]
fn what_new_writes_is_run_alike() {
    for name in ["heavy-top", "thruster-burn", "pointing-windows"] {
        let folder = Folder::new();
        folder.write("mine.toml", folder.good(&format!("new {name}")));
        folder.good(&format!("run {name} --out a.csv"));
        folder.good("run mine.toml --out b.csv");
        assert!(folder.read("a.csv") == folder.read("b.csv"), "{name}");
    }
}

#[test]
fn a_table_of_bodies_is_found_and_can_be_written() {
    let folder = Folder::new();
    folder.good("ensemble satellites --out a.csv");
    let ended = folder.run("new ensembles/satellites");
    let note =
        "note: it reads satellites.csv: polhode new ensembles/satellites.csv > satellites.csv\n";
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), note));
    folder.write("mine.toml", &ended.stdout);
    assert!(folder.refused("ensemble mine.toml --set torque.rate=2").contains("satellites.csv"));
    folder.write("satellites.csv", folder.good("new ensembles/satellites.csv"));
    folder.good("ensemble mine.toml --out b.csv");
    assert!(folder.read("a.csv") == folder.read("b.csv"));
    // Each has its own: the file that of the user, the name that of the program.
    folder.write("satellites.csv", "i1,i2,i3,w1,w2,w3\n1,2,2.5,0,0,0\n");
    assert!(folder.good("ensemble mine.toml").contains("1 body"));
    assert!(folder.good("ensemble satellites").contains("50 bodies"));
}

#[test]
fn the_lines_of_the_readme_run_where_no_repository_is() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    std::fs::create_dir_all(folder.path("examples/trajectories")).unwrap();
    let mut ran = 0;
    for line in readme.split('`').filter_map(|text| text.strip_prefix("polhode ")) {
        // These take long, need a run that was stopped, or are no commands.
        let skipped = ["reproduce", "compare", "resume", "completions", "= {"];
        let line = line.split(" >").next().unwrap().replace('\'', "");
        if skipped.iter().any(|word| line.starts_with(word)) || line.contains("mine.toml") {
            continue;
        }
        for name in line.split(' ').filter(|word| word.starts_with("examples/")) {
            std::fs::copy(root.join(name), folder.path(name)).unwrap();
        }
        let ended = folder.run(&line);
        // A wrong trajectory is what `check` is shown with.
        let expected = i32::from(line.starts_with("check"));
        assert_eq!(ended.code, Some(expected), "{line}: {}", ended.stderr);
        ran += 1;
    }
    assert!(ran > 12, "{ran}");
}

#[test]
fn files_go_before_names_and_folders_do_not() {
    let folder = Folder::with_top();
    std::fs::create_dir(folder.path("water")).unwrap();
    folder.good("cite water");
    std::fs::rename(folder.path("top.toml"), folder.path("dzhanibekov")).unwrap();
    let document = folder.good("run dzhanibekov --out t.csv --json");
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["method"], "strang:compensated+exact");
}

#[test]
fn the_list_can_be_searched() {
    let folder = Folder::new();
    let all = folder.good("scenarios");
    assert!(all.contains("\ndzhanibekov ") && all.contains("\nensembles/satellites "), "{all}");
    let tops = folder.good("scenarios lagrange");
    assert!(tops.lines().count() == 2 && tops.contains("A fast Lagrange top"), "{tops}");
    let document: Value = serde_json::from_str(&folder.good("scenarios molecule --json")).unwrap();
    let names: Vec<_> =
        document["scenarios"].as_array().unwrap().iter().map(|s| &s["name"]).collect();
    assert_eq!(names, ["ensembles/rotating-field", "rotating-field", "water"]);
    let document: Value = serde_json::from_str(&folder.good("new water --json")).unwrap();
    assert_eq!(document["text"], folder.good("new water").as_str());
}

#[test]
fn unknown_names_are_told_with_what_is_near() {
    let folder = Folder::new();
    for (line, parts) in [
        (
            "run dzhanibekow",
            &["no such file", "did you mean 'dzhanibekov'?", "polhode scenarios"][..],
        ),
        (
            "run scenarios/dzhanibekov.toml",
            &["no such file; the program has a scenario of that name: dzhanibekov"],
        ),
        ("run mine", &["mine: no such file, and no scenario of that name (`polhode scenarios`"]),
        ("run mine.toml", &["mine.toml: no such file; check the path\n"]),
        ("ensemble satelites", &["did you mean 'satellites'?"]),
        ("new heavytop", &["no scenario 'heavytop'; did you mean 'heavy-top'?"]),
        ("scenarios xyzzy", &["'xyzzy': no scenario has that"]),
        ("run dzhanibekov --set method.step=0", &["dzhanibekov.toml with method.step=0: must be"]),
    ] {
        let told = folder.refused(line);
        for part in parts {
            assert!(told.contains(part), "{line}: {told}");
        }
    }
}

/// The words of a line of a shell, in which a text in quotes is one.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What `cargo xtask test --quick` leaves out.
mod slow {
    use super::*;

    /// What a scenario says to try can be done: options end where two blanks, a comma or a colon begin the remark.
    #[test]
    fn what_scenarios_say_to_try_can_be_done() {
        let mut tried = 0;
        for file in
            std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios")).unwrap()
        {
            let path = file.unwrap().path();
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let name = path.file_stem().unwrap().to_str().unwrap();
            let from = text.lines().skip_while(|line| !line.starts_with("# Try: "));
            let (mut first, mut refused) = (true, false);
            for line in
                from.take_while(|line| core::mem::take(&mut first) || line.starts_with("#  "))
            {
                refused |= line.contains("refused");
                let line = line.trim_start_matches("# Try: ").trim_start_matches('#').trim_start();
                let options = line.split("  ").next().unwrap();
                let options = options.split(", ").next().unwrap().split(": ").next().unwrap();
                let command = match options.strip_prefix("polhode ") {
                    Some(command) => command.replace(".toml", ""),
                    None if options.starts_with("--") => format!("run {name} {options}"),
                    None => continue,
                };
                let ended = Folder::new().polhode(words(&command)).output().unwrap();
                let told = String::from_utf8_lossy(&ended.stderr);
                let want = if refused { 2 } else { 0 };
                assert_eq!(ended.status.code(), Some(want), "polhode {command}: {told}");
                tried += 1;
            }
        }
        assert!(tried >= 35, "{tried}");
    }
}
