//! `cargo xtask playground`: the library compiled to WebAssembly, in one page.

use std::path::PathBuf;

use crate::machine::{command, run};
use crate::metadata::target_folder;
use crate::run::{MissingToolRule, Verdict, prepare};
use crate::suites::{Line, WASM};

/// The library that the playground carries.
pub(crate) const LIBRARY_FOR_THE_WEB: Line = &[
    "cargo",
    "build",
    "--package",
    "polhode-playground",
    "--lib",
    "--profile",
    "web",
    "--target",
    "wasm32-unknown-unknown",
];

/// Makes the page in `target/playground.html`. None: it says what went wrong.
pub(crate) fn make() -> Option<PathBuf> {
    if let Verdict::LeaveOut(reason) | Verdict::Fail(reason) =
        prepare(&[&WASM], MissingToolRule::on_this_machine())
    {
        eprintln!("error: {reason}");
        return None;
    }
    let target = match target_folder() {
        Ok(target) => target,
        Err(error) => {
            eprintln!("error: {error}");
            return None;
        }
    };
    let library = target.join("wasm32-unknown-unknown/web/polhode_playground.wasm");
    let page = target.join("playground.html");
    let mut write = command(&["cargo", "run", "--package", "polhode-playground", "--"]);
    let made = run(&mut command(LIBRARY_FOR_THE_WEB)) && run(write.arg(&library).arg(&page));
    if made {
        println!("{}", page.display());
    }
    made.then_some(page)
}
