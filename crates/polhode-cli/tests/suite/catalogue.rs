//! `polhode methods`, `torques`, `cite`, `completions` and `man` through the built program.

use std::process::{Command, Stdio};

use crate::support::Folder;
use polhode::cite::entries;
use polhode::composition::SCHEMES;
use polhode::method::{Keeps, METHODS, PRESETS};
use polhode::rotor::ROTORS;
use polhode::solve::SolveMethod;
use polhode::torque::TORQUES;
use serde_json::Value;

fn json(line: &str) -> Value {
    serde_json::from_str(&Folder::new().good(line)).unwrap()
}

#[test]
fn every_entry_of_the_tables_is_listed() {
    let text = Folder::new().good("methods");
    let document = json("methods --json");
    let listed = |part: &str, name: &str| -> Vec<String> {
        let list = document[part].as_array().unwrap().iter();
        list.map(|r| r[name].as_str().unwrap().to_owned()).collect()
    };
    for (word, meaning) in Keeps::WORDS {
        let line = format!("\n  {:<18}{meaning}\n", word.replace('_', " "));
        assert!(text.contains(&line), "{word}: {text}");
    }
    let schemes: Vec<&str> = SCHEMES.iter().map(|s| &*s.id).collect();
    let rotors: Vec<&str> = ROTORS.iter().map(|r| r.id).collect();
    let methods: Vec<&str> = METHODS.iter().map(|m| m.id).collect();
    let presets: Vec<&str> = PRESETS.iter().map(|p| p.0).collect();
    assert_eq!(listed("schemes", "id"), schemes);
    assert_eq!(listed("rotors", "id"), rotors);
    assert_eq!(listed("methods", "id"), methods);
    let solvers: Vec<&str> = SolveMethod::ALL.iter().map(|method| method.id()).collect();
    assert_eq!(listed("presets", "id"), presets);
    assert_eq!(listed("solvers", "id"), solvers);
    for id in schemes.iter().chain(&rotors).chain(&methods).chain(&presets).chain(&solvers) {
        let rows = text.lines().filter(|l| l.starts_with(&format!("  {id} ")));
        assert_eq!(rows.count(), 1, "{id}");
    }
    let torques = json("torques --json");
    let kinds: Vec<&str> = TORQUES.iter().map(|t| t.kind).collect();
    let text = Folder::new().good("torques");
    for (torque, kind) in torques["torques"].as_array().unwrap().iter().zip(&kinds) {
        assert_eq!(torque["kind"], *kind);
        assert!(text.contains(&format!("{kind}: ")), "{kind}");
    }
    assert_eq!(torques["torques"].as_array().unwrap().len(), kinds.len());
}

#[test]
fn records_are_whole() {
    let document = json("methods --json");
    let dmv = document["rotors"].as_array().unwrap().iter().find(|r| r["id"] == "dmv").unwrap();
    assert_eq!(dmv["momentum_order"], 10);
    assert_eq!(dmv["keeps"]["symplectic"], false);
    assert_eq!(dmv["keeps"]["energy"], true);
    let words: Vec<&str> = dmv["keeps"].as_object().unwrap().keys().map(String::as_str).collect();
    assert!(Keeps::WORDS.iter().all(|(word, _)| words.contains(word)) && words.len() == 5);
    assert_eq!(
        (&dmv["in_lanes"], &document["methods"][0]["in_lanes"]),
        (&true.into(), &false.into())
    );
    let derivatives = [&dmv["derivatives"], &document["methods"][0]["derivatives"]];
    assert_eq!(derivatives, ["start", "none"]);
    assert_eq!(document["presets"][0]["stands_for"], "strang+midpoint-attitude");
    let text = Folder::new().good("methods dmv");
    assert!(text.contains("all but symplectic"), "{text}");
    // Identifiers are for programs.
    assert!(text.contains("spatial momentum") && !text.contains("spatial_momentum"), "{text}");
    assert!(dmv["keeps"]["spatial_momentum"].is_boolean(), "{dmv}");
    let order = &dmv["parameters"][0];
    assert_eq!((&order["name"], &order["type"]), (&"order".into(), &"integer".into()));
    assert_eq!([&order["min"], &order["max"], &order["step"], &order["default"]], [2, 20, 2, 10]);
    assert_eq!(dmv["citations"][0]["key"], "HairerVilmart2006");
    assert_eq!(document["rotors"][0]["attitude_order"], "exact");
    let rkn =
        document["schemes"].as_array().unwrap().iter().find(|s| s["id"] == "rkn6-14").unwrap();
    assert_eq!((&rkn["accepts"], &rkn["order"]), (&"torques of the attitude".into(), &6.into()));
    assert_eq!(rkn["kicks_per_step"], 14);
    let torques = json("torques --json");
    let gradient =
        torques["torques"].as_array().unwrap().iter().find(|t| t["kind"] == "gravity-gradient");
    let keys = &gradient.unwrap()["keys"];
    assert_eq!((&keys[0]["name"], &keys[0]["required"]), (&"rate".into(), &true.into()));
    assert_eq!(keys[1]["default"], serde_json::json!([0.0, 0.0, 1.0]));
}

#[test]
fn a_text_selects_and_tells_more() {
    let folder = Folder::new();
    let text = folder.good("methods dmv");
    assert!(text.contains("order: ") && text.contains("cites HairerVilmart2006"), "{text}");
    assert!(!text.contains("rk4"), "{text}");
    let rkn = json("methods RKN --json");
    assert!(
        rkn["schemes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|s| s["id"].as_str().unwrap().starts_with("rkn"))
    );
    assert_eq!(rkn["schemes"].as_array().unwrap().len(), 3);
    let tops = json("torques top --json");
    assert_eq!(tops["torques"].as_array().unwrap().len(), 2);
    for (line, part) in [("methods quark", "polhode methods"), ("torques quark", "polhode torques")]
    {
        let ended = folder.run(line);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(ended.stderr.contains("'quark'") && ended.stderr.contains(part), "{ended:?}");
    }
}

/// The keys of the entries in a BibTeX file.
fn keys(bibtex: &str) -> Vec<&str> {
    let entries = bibtex.lines().filter_map(|l| l.strip_prefix('@'));
    entries.map(|l| l.split_once('{').unwrap().1.trim_end_matches(',')).collect()
}

#[test]
fn citations_are_those_of_method_and_torque() {
    let folder = Folder::with_top();
    let text = folder.good("cite top.toml");
    // strang+exact on a heavy top.
    assert_eq!(keys(&text)[0], "polhode");
    for key in ["CelledoniSafstrom", "CelledoniZanna2008"] {
        assert!(keys(&text).contains(&key), "{text}");
    }
    assert!(text.contains("% heavy-top: section 2\n"), "{text}");
    let other = folder.good("cite top.toml --method strang+dmv");
    assert!(
        keys(&other).contains(&"HairerVilmart2006") && keys(&other).contains(&"CelledoniSafstrom")
    );
    assert!(!keys(&folder.good("cite --method dmv")).contains(&"CelledoniSafstrom"));
    let all = folder.good("cite");
    let known: Vec<&str> = ["polhode"].into_iter().chain(entries().map(|e| e.0)).collect();
    assert_eq!(keys(&all), known);
    for (key, entry) in entries() {
        assert!(all.contains(entry), "{key}");
    }
    let document = json("cite --method dmv --json");
    assert_eq!(document[0]["key"], "polhode");
    assert_eq!(document[1]["cited_for"][0]["what"], "dmv");
    assert!(document[1]["bibtex"].as_str().unwrap().starts_with('@'));
    // No entry twice, however many methods need it.
    let twice = folder.good("cite --method dmv --method dmv:order=4");
    assert_eq!(twice.matches("@article{HairerVilmart2006,").count(), 1, "{twice}");
}

#[test]
fn solvers_are_cited_like_methods() {
    let folder = Folder::with_top();
    let extrapolation = ["polhode", "Gragg1965", "HairerNorsettWanner1993"];
    assert_eq!(keys(&folder.good("cite --method extrapolation")), extrapolation);
    let dop853 = folder.good("cite --method dop853");
    assert_eq!(keys(&dop853), ["polhode", "PrinceDormand1981", "HairerNorsettWanner1993"]);
    assert!(keys(&folder.good("cite --method closed-form")).contains(&"DLMF"));
    let without = crate::support::TOP
        .replace("[method]\nid = \"strang:compensated+exact\"\nstep = 0.001\n", "");
    folder.write("solved.toml", &without);
    let solved = folder.good("cite solved.toml");
    assert!(keys(&solved).starts_with(&extrapolation), "{solved}");
    assert!(solved.contains("% extrapolation: section II.9"), "{solved}");
    // A text selects them too, and tells more.
    let text = folder.good("methods extrapolated");
    assert!(
        text.contains("Solvers, for a tolerance") && text.contains("cites Gragg1965"),
        "{text}"
    );
}

#[test]
fn citations_of_nothing_are_refused() {
    let folder = Folder::with_top();
    for (line, parts) in [
        ("cite missing.toml", &["missing.toml", "no such file"]),
        ("cite --method dmw", &["--method: 'dmw'", "did you mean 'dmv'"]),
    ] {
        let ended = folder.run(line);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{line}");
        assert!(parts.iter().all(|p| ended.stderr.contains(p)), "{ended:?}");
    }
}

#[test]
fn the_program_cites_itself_as_its_citation_file_says() {
    let cff = include_str!("../../../../CITATION.cff");
    assert!(cff.contains("title: polhode\n") && cff.contains("name: \"The polhode developers\""));
    assert!(cff.contains(&format!("version: {}\n", env!("CARGO_PKG_VERSION"))));
    let text = Folder::new().good("cite --method rk4");
    assert!(text.starts_with("@software{polhode,\n  author  = {{The polhode developers}},\n"));
    assert!(text.contains(&format!("version = {{{}}},\n", env!("CARGO_PKG_VERSION"))), "{text}");
}

const COMMANDS: [&str; 12] = [
    "free",
    "run",
    "resume",
    "check",
    "compare",
    "methods",
    "torques",
    "scenarios",
    "new",
    "cite",
    "completions",
    "man",
];

#[test]
fn every_shell_gets_its_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.good(&format!("completions {shell}"));
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
        assert!(script.contains("--methods") || script.contains("methods"), "{shell}");
        // To the others, clap gives no values of options.
        if ["bash", "zsh", "fish"].contains(&shell) {
            for name in ["dzhanibekov", "ensembles/satellites", "rkn6-14+exact", "dop853"] {
                assert!(script.contains(name), "{shell}: {name}");
            }
        }
    }
    let ended = folder.run("completions tcsh");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("[possible values: bash, elvish, fish, powershell, zsh]"));
}

/// What bash offers for the last word of a line.
fn offered(folder: &Folder, line: &str) -> Option<Vec<String>> {
    folder.write("polhode.bash", folder.good("completions bash"));
    let last = line.split(' ').count() - 1;
    let script = format!(
        "source polhode.bash; COMP_WORDS=({line}); COMP_CWORD={last}; w=(\"${{COMP_WORDS[@]}}\" ''); \
         _polhode polhode \"${{w[{last}]}}\" \"${{w[{last} - 1]}}\"; echo ${{COMPREPLY[@]}}"
    );
    // Systems without bash have nothing to check here.
    let bash = Command::new("bash").args(["-c", &script]).current_dir(folder.path("")).output();
    let words = String::from_utf8(bash.ok()?.stdout).unwrap();
    let mut words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
    words.sort();
    Some(words)
}

#[test]
fn bash_offers_commands_methods_and_scenarios() {
    let folder = Folder::new();
    for (line, expected) in [
        ("polhode comp", &["compare", "completions"][..]),
        ("polhode run dzh", &["dzhanibekov", "dzhanibekov-week"]),
        ("polhode ensemble sat", &["satellites"]),
        ("polhode new ensembles/sat", &["ensembles/satellites"]),
        ("polhode check a.csv --scenario heavy-top-", &["heavy-top-large", "heavy-top-small"]),
        ("polhode run dzhanibekov --method rkn6-14+ex", &["rkn6-14+exact"]),
        ("polhode cite --method dm", &["dmv"]),
        ("polhode run dzhanibekov --method extr", &["extrapolation"]),
        ("polhode compare dzhanibekov --methods rkn6-14+ex", &["rkn6-14+exact"]),
        ("polhode compare dzhanibekov --methods rk4,dop8", &["rk4,dop853"]),
        ("polhode compare dzhanibekov --methods rk4,dop853,dm", &["rk4,dop853,dmv"]),
        ("polhode view a.toml book-axis-1 dz", &["dzhanibekov", "dzhanibekov-week"]),
    ] {
        let Some(words) = offered(&folder, line) else { return };
        assert_eq!(words, expected, "{line}");
    }
}

#[test]
fn other_shells_offer_files_beside_scenarios() {
    let folder = Folder::new();
    let zsh = folder.good("completions zsh");
    assert!(
        zsh.contains("_polhode_scenarios() {\n    _alternative 'scenarios:scenario:(book-axis-1")
    );
    // run, compare, chaos, cite, view, and the option of check.
    assert_eq!(zsh.matches(":_polhode_scenarios'").count(), 6);
    assert_eq!(zsh.matches(":_polhode_ensembles'").count(), 1);
    assert_eq!(zsh.matches(":_polhode_all_scenarios'").count(), 1);
    assert!(zsh.contains(":A,B,..:_sequence compadd - sej "));
    let fish = folder.good("completions fish");
    let line = "complete -c polhode -n \"__fish_polhode_using_subcommand run\" -a \"book-axis-1 ";
    assert!(fish.contains(line), "{fish}");
    assert!(fish.contains(" -a \"(__fish_complete_list , 'printf %s\\\\t\\\\n sej "), "{fish}");
}

#[test]
fn every_command_has_a_page_and_an_example() {
    let folder = Folder::new();
    let page = folder.good("man");
    assert!(page.contains(".TH polhode 1"), "{page}");
    for command in COMMANDS {
        let page = folder.good(&format!("man {command}"));
        let version = env!("CARGO_PKG_VERSION");
        let heading = format!(".TH polhode-{command} 1  \"polhode {version}\"");
        assert!(page.contains(&heading), "{command}: {page}");
        assert!(page.contains("\n.SH EXAMPLES\n") && !page.contains("EXTRA"), "{command}: {page}");
        let help = folder.good(&format!("{command} --help"));
        assert!(help.contains("Example"), "{command}");
        assert!(help.contains(&format!("polhode {command}")), "{command}");
    }
    // Each page that the program's names can be had.
    let named =
        page.lines().filter_map(|line| line.strip_prefix("polhode\\-")?.strip_suffix("(1)"));
    let named: Vec<_> = named.map(|command| command.replace("\\-", "-")).collect();
    assert!(COMMANDS.iter().all(|command| named.iter().any(|name| name == command)), "{named:?}");
    for command in named {
        assert!(folder.good(&format!("man {command}")).contains("\n.SH EXAMPLES\n"), "{command}");
    }
    let ended = folder.run("man compares");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("'compares'") && ended.stderr.contains("compare, "), "{ended:?}");
}

#[test]
fn scripts_and_pages_as_json() {
    let folder = Folder::new();
    let document = json("completions bash --json");
    assert_eq!(document["shell"], "bash");
    assert_eq!(document["script"], folder.good("completions bash").as_str());
    let document = json("man check --json");
    assert_eq!(document["command"], "check");
    assert_eq!(document["page"], folder.good("man check").as_str());
    assert_eq!(json("man --json")["command"], Value::Null);
}

#[test]
fn groff_reads_the_pages_without_complaint() {
    let folder = Folder::new();
    for command in [""].iter().chain(&COMMANDS) {
        let page = folder.good(&format!("man {command}"));
        folder.write("page.1", page);
        let groff = Command::new("groff")
            .args(["-man", "-Tascii", "-ww", "page.1"])
            .current_dir(folder.path(""))
            .stdin(Stdio::null())
            .output();
        // Systems without groff have nothing to check here.
        let Ok(output) = groff else { return };
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("polhode"), "{command}");
    }
}

#[test]
fn nobody_to_tell_is_no_crash() {
    for (line, code) in [("run nosuch", 2), ("run dzhanibekov --out -", 0)] {
        let folder = Folder::new();
        let mut child = folder.polhode(line.split_whitespace());
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stderr.take());
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{line}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = Folder::new()
        .polhode(["methods", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
