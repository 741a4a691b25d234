//! `polhode completions` and `polhode man`: what shells and manuals need to know of the commands.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;
use polhode::EntryKind;
use serde_json::{Value, json};

use crate::carried;
use crate::failure::Failure;
use crate::man;
use crate::numbers::OptionText;

/// Writes the completions of a shell: what it offers when you press the tab key.
#[derive(Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,

    /// Write one JSON document with the script in it
    #[arg(long)]
    json: bool,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  bash: polhode completions bash > ~/.local/share/bash-completion/completions/polhode
  zsh:  polhode completions zsh > ~/.zfunc/_polhode     (with ~/.zfunc in fpath)
  fish: polhode completions fish > ~/.config/fish/completions/polhode.fish

The output is a script for that shell.";

/// Writes a page of the manual, of the program or of one command, in roff.
#[derive(Args)]
#[command(after_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// The command; without it, the page of the program
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write one JSON document with the page in it
    #[arg(long)]
    json: bool,
}

const MAN_EXAMPLES: &str = "\
Examples:
  Read the page of a command:
    polhode man compare | man -l -
  Install the program's page:
    polhode man > ~/.local/share/man/man1/polhode.1

The output is in roff, which `man` and `groff -man` read.";

impl Completions {
    pub(crate) fn run(&self, program: Command, out: &mut impl Write) -> Result<(), Failure> {
        // Written in one piece: the generator does not return errors of its writer.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut with_values(program), "polhode", &mut script);
        let script = beside_files(self.shell, &String::from_utf8_lossy(&script));
        let script = after_commas(self.shell, &script);
        if self.json {
            return write_json(out, &json!({"shell": self.shell.to_string(), "script": script}));
        }
        Ok(out.write_all(script.as_bytes())?)
    }
}

/// Scenarios that a command takes.
#[derive(Clone, Copy)]
enum Scenarios {
    OneBody,
    Ensembles,
    All,
}

impl Scenarios {
    /// Each kind, and what the zsh function that offers it is called.
    const FUNCTIONS: [(Self, &str); 3] = [
        (Self::OneBody, "_polhode_scenarios"),
        (Self::Ensembles, "_polhode_ensembles"),
        (Self::All, "_polhode_all_scenarios"),
    ];

    fn names(self) -> Vec<&'static str> {
        match self {
            Self::OneBody => carried::of_one_body().collect(),
            Self::Ensembles => carried::ensembles().collect(),
            Self::All => carried::names().collect(),
        }
    }
}

/// What takes the name of a scenario: the command and its argument.
const TAKE_SCENARIOS: [(&str, &str, Scenarios); 8] = [
    ("run", "scenario", Scenarios::OneBody),
    ("check", "scenario", Scenarios::OneBody),
    ("compare", "scenario", Scenarios::OneBody),
    ("chaos", "scenario", Scenarios::OneBody),
    ("cite", "scenario", Scenarios::OneBody),
    ("view", "scenarios", Scenarios::OneBody),
    ("ensemble", "ensemble", Scenarios::Ensembles),
    ("new", "name", Scenarios::All),
];

/// What takes the id of a method, or a list of them: the command and its option.
const TAKE_METHODS: [(&str, &str); 4] =
    [("run", "method"), ("compare", "methods"), ("chaos", "method"), ("cite", "method")];

/// The methods that can be named without parameters: for `run` and `compare` also the solvers.
fn methods(command: &str) -> Vec<&'static str> {
    let all = polhode::catalog();
    let ids = |kind| all.of(kind).map(|entry| entry.id);
    // Made once in a program that writes its script and ends.
    let pair = |scheme: &str, rotor: &str| -> &'static str { format!("{scheme}+{rotor}").leak() };
    let pairs = ids(EntryKind::Scheme)
        .flat_map(|scheme| ids(EntryKind::Rotor).map(move |rotor| pair(scheme, rotor)));
    let alone = [EntryKind::Preset, EntryKind::Method, EntryKind::Rotor].into_iter().flat_map(ids);
    let solvers = ids(EntryKind::Solver).filter(|_| ["run", "compare"].contains(&command));
    alone.chain(solvers).chain(pairs).collect()
}

/// The program as shells see it: with the values to choose from where any text is taken.
fn with_values(program: Command) -> Command {
    let named = |program: Command, (command, argument, kind): (_, &'static str, Scenarios)| {
        let values = PossibleValuesParser::new(kind.names());
        program.mut_subcommand(command, |c| c.mut_arg(argument, |a| a.value_parser(values)))
    };
    let program = TAKE_SCENARIOS.into_iter().fold(program, named);
    TAKE_METHODS.into_iter().fold(program, |program, (command, option)| {
        let values = PossibleValuesParser::new(methods(command));
        program.mut_subcommand(command, |c| c.mut_arg(option, |a| a.value_parser(values)))
    })
}

/// The script, with files offered beside the names of scenarios. Bash does that where no name fits; zsh takes names
/// alone; the generator for fish knows options only.
fn beside_files(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Zsh => {
            let mut script = script.to_owned();
            let mut functions = String::new();
            for (kind, name) in Scenarios::FUNCTIONS {
                let names = kind.names().join(" ");
                script = script.replace(&format!(":({names})"), &format!(":{name}"));
                let choices = format!("'scenarios:scenario:({names})' 'files:file:_files'");
                functions.extend([name, "() {\n    _alternative ", &choices, "\n}\n\n"]);
            }
            // Before the functions of the commands, of which one is called at the end.
            script.replacen("_polhode() {", &format!("{functions}_polhode() {{"), 1)
        }
        Shell::Fish => {
            let line = |(command, _, kind): (&str, &str, Scenarios)| {
                let names = kind.names().join(" ");
                let when = format!("__fish_polhode_using_subcommand {command}");
                format!("complete -c polhode -n \"{when}\" -a \"{names}\"\n")
            };
            // Of `check` it is an option.
            let positional = TAKE_SCENARIOS.into_iter().filter(|(command, ..)| *command != "check");
            let lines: String = positional.map(line).collect();
            format!("{script}{lines}")
        }
        _ => script.to_owned(),
    }
}

/// The script, with the methods of `compare` offered after each comma: the generators know lists of words alone.
fn after_commas(shell: Shell, script: &str) -> String {
    let ids = methods("compare");
    let names = ids.join(" ");
    match shell {
        Shell::Bash => {
            let option = "--methods)";
            let Some((before, after)) = script.split_once(option) else { return script.into() };
            let prefix = r#"compgen -P "${cur%"${cur##*,}"}" -W"#;
            let after = after.replacen("compgen -W", prefix, 1);
            let after = after.replacen(r#"-- "${cur}""#, r#"-- "${cur##*,}""#, 1);
            [before, option, &after].concat()
        }
        Shell::Zsh => {
            // With the name of the value: other options have these methods, too.
            let words = |action: &str| format!(":A,B,..:{action}'");
            let list = words(&format!("_sequence compadd - {names}"));
            script.replacen(&words(&format!("({names})")), &list, 1)
        }
        Shell::Fish => {
            let option = "-l methods ";
            let Some((before, after)) = script.split_once(option) else { return script.into() };
            let words: Vec<_> = ids.iter().map(|id| format!("{id}\\t''")).collect();
            // Each with an empty description, or fish shows that of the option with each.
            let list = format!(r"(__fish_complete_list , 'printf %s\\t\\n {names}')");
            [before, option, &after.replacen(&words.join("\n"), &list, 1)].concat()
        }
        _ => script.to_owned(),
    }
}

impl Man {
    pub(crate) fn run(&self, program: Command, out: &mut impl Write) -> Result<(), Failure> {
        // The page of the program names the pages of its commands, of which `help` has none that helps.
        let mut program = program.disable_help_subcommand(true);
        // Gives the commands their full names, with which their pages begin.
        program.build();
        let page = match &self.command {
            None => program,
            Some(name) => {
                let known: Vec<&str> = program.get_subcommands().map(Command::get_name).collect();
                let Some(command) = program.find_subcommand(name) else {
                    return Err(OptionText::new("COMMAND", name, "")
                        .refuse(format_args!("no such command; there are {}", known.join(", "))));
                };
                command.clone()
            }
        };
        // Commands have no version of their own.
        let page = man::page(page, concat!("polhode ", env!("CARGO_PKG_VERSION")))?;
        if self.json {
            return write_json(out, &json!({"command": self.command, "page": page}));
        }
        Ok(out.write_all(page.as_bytes())?)
    }
}

fn write_json(out: &mut impl Write, document: &Value) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, document)?;
    Ok(writeln!(out)?)
}
