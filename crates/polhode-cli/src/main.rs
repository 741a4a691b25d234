//! The `polhode` program; its text is in the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    polhode_cli::main()
}
