//! Chores of this repository, in Rust so that cargo is the only tool they need: `cargo xtask test`
//! runs every test suite, `cargo xtask docs` writes the generated documentation, `cargo xtask bench`
//! measures, `cargo xtask install` installs the C and Fortran library, `cargo xtask dist` makes a release.

#![allow(clippy::print_stdout, reason = "a command-line program: its report belongs on stdout")]

mod bench;
mod dist;
mod docs;
mod install;
mod machine;
mod metadata;
mod playground;
mod report;
mod run;
mod suites;

use std::path::PathBuf;
use std::process::ExitCode;

use bench::Bench;
use docs::Docs;
use install::Profile;
use run::MissingToolRule;

const HELP: &str = "\
Chores of this repository.

Usage: cargo xtask <COMMAND>

Commands:
  test [--quick]         run every test suite this machine has the tools for
  docs [--check | --site]
                         write the generated documentation, and build the site in target/site: links and
                         the commands of its tutorials are tested
  install --prefix DIR [--debug]
                         build the C and Fortran library and install it under DIR:
                         lib, include, lib/pkgconfig, share/polhode/fortran
  dist [PART..]          make everything that a release uploads, in target/dist, and try it where no Rust is
                         on the PATH; with names, these parts alone (some, which take long, only so):
                         PARTS
  bench [--elliptic] [--json] [--quick | --full] [--python] [--write]
                         measure speed against other methods and other libraries
  bench --update-counts  count instructions anew; `dist bench` compares with these counts
  playground             compile the library to WebAssembly and make one page of it, with sliders, in
                         target/playground.html
  engines                build the example with a physics engine, run it, and draw its figures; not part
                         of `test`, because building the engine takes minutes
  campaign               fit simulated bodies and write docs/fit-campaign.md; POLHODE_CAMPAIGN_BODIES says how
                         many in each of its 36 cells, 28 unless told

Options:
  --quick        only the steps that fit between two edits; of `bench`, a minute's worth
  --check        write nothing, fail if a generated document is out of date
  --site         build the site alone
  --prefix DIR   where to install, e.g. $HOME/.local
  --debug        the library as the tests have it, which compiles faster
  --json         one JSON document on stdout
  --full         the largest problems at their full size
  --python       SciPy, heyoka and the Python package too, installed below target/
  --elliptic     elliptic functions only
  --write        write docs/performance.md, with --elliptic docs/elliptic-speed.md
  -h, --help     print this help

With CI=true, `test` and `dist` install the tools that are missing, and fail where they would skip otherwise
(but for targets and linters that not every registry has).
Exit codes: 0 done, 1 failed, 2 wrong usage.
";

const COMMANDS: &str =
    "`test`, `docs`, `bench`, `dist`, `playground`, `engines`, `campaign` or `install`";

#[derive(Debug, PartialEq, Eq)]
enum Task {
    Help,
    Test { quick: bool },
    Docs(Docs),
    Install { prefix: PathBuf, profile: Profile },
    Bench(Bench),
    Dist { parts: Vec<String> },
    Playground,
    Engines,
    Campaign,
}

/// The example with a physics engine, which checks what docs/engines.md says of it.
const ENGINES: suites::Line = &[
    "cargo",
    "run",
    "--release",
    "--manifest-path",
    "examples/engines/Cargo.toml",
    "--",
    "--figures",
    "docs/figures",
];

/// Fits of simulated bodies.
const CAMPAIGN: suites::Line = &[
    "cargo",
    "test",
    "--release",
    "--package",
    "polhode-fit",
    "--test",
    "campaign",
    "--",
    "--ignored",
    "--nocapture",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let succeeded = match parse(&arguments) {
        Ok(Task::Help) => {
            print!("{}", help());
            true
        }
        Ok(Task::Test { quick }) => test(quick),
        Ok(Task::Docs(docs)) => docs.run(),
        Ok(Task::Install { prefix, profile }) => install::install(&prefix, profile),
        Ok(Task::Bench(bench)) => bench.run(),
        Ok(Task::Dist { parts }) => dist::dist(&parts),
        Ok(Task::Playground) => playground::make().is_some(),
        Ok(Task::Engines) => machine::run(&mut machine::command(ENGINES)),
        Ok(Task::Campaign) => machine::run(&mut machine::command(CAMPAIGN)),
        Err(message) => {
            eprintln!("error: {message}\n\n{}", help());
            return ExitCode::from(2);
        }
    };
    if succeeded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn help() -> String {
    HELP.replace("PARTS", &dist::names().join(", "))
}

fn parse(arguments: &[String]) -> Result<Task, String> {
    let Some((command, options)) = arguments.split_first() else {
        return Err(format!("no command given: expected {COMMANDS}"));
    };
    if arguments.iter().any(|a| a == "-h" || a == "--help") {
        return Ok(Task::Help);
    }
    match command.as_str() {
        "help" => Ok(Task::Help),
        "test" => Ok(Task::Test { quick: flag("test", "--quick", options)? }),
        "docs" => match options {
            [] => Ok(Task::Docs(Docs::All)),
            [option] if option == "--check" => Ok(Task::Docs(Docs::Check)),
            [option] if option == "--site" => Ok(Task::Docs(Docs::Site)),
            [other, ..] => Err(format!(
                "unknown option `{other}` of `docs`, or one too many: expected `--check` or `--site`"
            )),
        },
        "install" => {
            let (debug, others): (Vec<_>, Vec<_>) =
                options.iter().cloned().partition(|option| option == "--debug");
            let profile = if debug.is_empty() { Profile::Release } else { Profile::Dev };
            Ok(Task::Install { prefix: prefix(&others)?, profile })
        }
        "bench" => Ok(Task::Bench(Bench::parse(options)?)),
        "dist" => Ok(Task::Dist { parts: dist::parse(options)? }),
        "engines" | "campaign" | "playground" => match options {
            [] if command == "engines" => Ok(Task::Engines),
            [] if command == "campaign" => Ok(Task::Campaign),
            [] => Ok(Task::Playground),
            [other, ..] => Err(format!("unknown option `{other}` of `{command}`: it has none")),
        },
        other => Err(format!("unknown command `{other}`: expected {COMMANDS}")),
    }
}

/// The value of the option without which nothing is installed.
fn prefix(options: &[String]) -> Result<PathBuf, String> {
    match options {
        [option, folder] if option == "--prefix" && !folder.is_empty() => Ok(folder.into()),
        [option] if option.starts_with("--prefix=") && option.len() > 9 => Ok(option[9..].into()),
        _ => Err(format!(
            "`install {}`: expected `install --prefix DIR [--debug]`",
            options.join(" ")
        )),
    }
}

/// Whether the one option that `command` knows was given; anything else is an error.
fn flag(command: &str, known: &str, options: &[String]) -> Result<bool, String> {
    match options.iter().find(|o| *o != known) {
        Some(other) => Err(format!("unknown option `{other}` of `{command}`: expected `{known}`")),
        None => Ok(!options.is_empty()),
    }
}

fn test(quick: bool) -> bool {
    let mode = MissingToolRule::on_this_machine();
    let outcomes: Vec<_> =
        suites::SUITES.iter().map(|suite| (suite.name, run::suite(suite, mode, quick))).collect();
    let processors = machine::processor_time();
    let installing = machine::installing_time();
    let report = report::Report { outcomes: &outcomes, processors, installing };
    println!("\n{report}");
    report.succeeded()
}

#[cfg(test)]
mod tests {
    use super::{Bench, Docs, Profile, Task, parse};

    fn parsed(line: &str) -> Result<Task, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&arguments)
    }

    #[test]
    fn commands_and_their_options() {
        assert_eq!(parsed("test"), Ok(Task::Test { quick: false }));
        assert_eq!(parsed("test --quick"), Ok(Task::Test { quick: true }));
        assert_eq!(parsed("docs --check"), Ok(Task::Docs(Docs::Check)));
        assert_eq!(parsed("docs --site"), Ok(Task::Docs(Docs::Site)));
        assert_eq!(parsed("docs"), Ok(Task::Docs(Docs::All)));
        assert_eq!(parsed("engines"), Ok(Task::Engines));
        assert_eq!(parsed("dist"), Ok(Task::Dist { parts: vec![] }));
        assert_eq!(parsed("dist python"), Ok(Task::Dist { parts: vec!["python".to_owned()] }));
        assert!(parsed("dist pithon").is_err_and(|e| e.contains("`pithon`")));
        assert!(parsed("engines --all").is_err());
        assert_eq!(parsed("campaign"), Ok(Task::Campaign));
        assert_eq!(parsed("playground"), Ok(Task::Playground));
        let installed = |profile| Ok(Task::Install { prefix: "a/b".into(), profile });
        assert_eq!(parsed("install --prefix a/b"), installed(Profile::Release));
        assert_eq!(parsed("install --prefix=a/b"), installed(Profile::Release));
        assert_eq!(parsed("install --prefix a/b --debug"), installed(Profile::Dev));
        let options = vec!["--quick".to_owned(), "--json".to_owned()];
        let bench = Bench { options, python: true, ..Bench::default() };
        assert_eq!(parsed("bench --quick --python --json"), Ok(Task::Bench(bench)));
        assert_eq!(parsed("--help"), Ok(Task::Help));
        assert_eq!(parsed("docs -h"), Ok(Task::Help));
    }

    #[test]
    fn errors_quote_what_was_typed() {
        assert!(parsed("").is_err());
        assert!(parsed("tets").is_err_and(|e| e.contains("`tets`")));
        assert!(parsed("test --check").is_err_and(|e| e.contains("`--check`")));
        assert!(parsed("install").is_err_and(|e| e.contains("--prefix DIR")));
        assert!(parsed("install --prefix").is_err_and(|e| e.contains("--prefix DIR")));
        assert!(parsed("install here").is_err_and(|e| e.contains("`install here`")));
        assert!(parsed("bench --jsno").is_err_and(|e| e.contains("`--jsno`")));
        assert!(parsed("bench --update-counts --json").is_err());
        assert!(parsed("docs twice --check").is_err_and(|e| e.contains("`twice`")));
    }
}
