//! Evaluates elliptic functions for another program: lines of a name and arguments on standard input, one
//! line of results each on standard output, in the shortest form that reads back to the same double.
//!
//! A parameter is written `m=0.3` or `mc=0.7`, a characteristic likewise. What is refused is `nan`.
//!
//! ```sh
//! printf 'complete_k m=0.5\njacobi 1.5 mc=1e-9\n' | cargo run --release --example evaluate
//! ```
#![allow(clippy::print_stdout, reason = "its results")]

use std::io::{self, BufRead, BufWriter, Write};

use polhode_testkit::evaluate;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(values) = evaluate(&line) else {
            return Err(io::Error::other(format!("what is {line:?}?")));
        };
        let words: Vec<String> = values.iter().map(|x| format!("{x:?}")).collect();
        writeln!(out, "{}", words.join(" "))?;
    }
    out.flush()
}
