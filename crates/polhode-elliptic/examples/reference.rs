//! The double-double reference for lines as `evaluate` takes them: two doubles for each result, or `none`
//! where double-doubles have no digits.
#![allow(clippy::print_stdout, reason = "its results")]

use std::io::{self, BufRead, BufWriter, Write};

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        match polhode_testkit::reference(&line?) {
            Some(values) => {
                let words: Vec<String> =
                    values.iter().map(|x| format!("{:?} {:?}", x.hi(), x.lo())).collect();
                writeln!(out, "{}", words.join(" "))?;
            }
            None => writeln!(out, "none")?,
        }
    }
    out.flush()
}
