//! Writes the page: `polhode-playground LIBRARY.wasm PAGE.html`. `cargo xtask playground` calls it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, page] = arguments.as_slice() else {
        eprintln!("usage: polhode-playground LIBRARY.wasm PAGE.html");
        return ExitCode::from(2);
    };
    match write(library, page) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(library: &str, page: &str) -> Result<(), String> {
    let library = std::fs::read(library).map_err(|e| format!("{library}: {e}"))?;
    let html = polhode_playground::page(&library)?;
    std::fs::write(page, html).map_err(|e| format!("{page}: {e}"))
}
