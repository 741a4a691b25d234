//! `polhode completions` and `polhode man`: what shells and manuals need to know of the commands.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::{Value, json};

use crate::failure::Failure;
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
    /// Runs the command for this program.
    pub(crate) fn run(&self, mut program: Command, out: &mut impl Write) -> Result<(), Failure> {
        // Written in one piece: the generator does not return errors of its writer.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "polhode", &mut script);
        if self.json {
            let script = String::from_utf8_lossy(&script);
            return write_json(out, &json!({"shell": self.shell.to_string(), "script": script}));
        }
        Ok(out.write_all(&script)?)
    }
}

impl Man {
    /// Runs the command for this program.
    pub(crate) fn run(&self, mut program: Command, out: &mut impl Write) -> Result<(), Failure> {
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
        let mut roff = Vec::new();
        // Commands have no version of their own.
        let source = concat!("polhode ", env!("CARGO_PKG_VERSION"));
        clap_mangen::Man::new(page).source(source).render(&mut roff)?;
        if self.json {
            let page = String::from_utf8_lossy(&roff);
            return write_json(out, &json!({"command": self.command, "page": page}));
        }
        Ok(out.write_all(&roff)?)
    }
}

fn write_json(out: &mut impl Write, document: &Value) -> Result<(), Failure> {
    serde_json::to_writer(&mut *out, document)?;
    Ok(writeln!(out)?)
}
