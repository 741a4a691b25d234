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

use polhode_elliptic as elliptic;
use polhode_elliptic::{DomainError, Parameter};

use Argument::{Number as N, Parameter as P};

enum Argument {
    Number(f64),
    Parameter(Parameter),
}

impl Argument {
    fn read(word: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<f64>().ok();
        Some(match word.split_once('=') {
            Some(("m", value)) => Self::Parameter(Parameter::new(number(value)?)),
            Some(("mc", value)) => Self::Parameter(Parameter::complementary(number(value)?)),
            Some(_) => return None,
            None => Self::Number(number(word)?),
        })
    }
}

fn value(result: Result<f64, DomainError>) -> Vec<f64> {
    vec![result.unwrap_or(f64::NAN)]
}

fn evaluate(line: &str) -> Option<Vec<f64>> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let arguments: Vec<Argument> = words.map(Argument::read).collect::<Option<_>>()?;
    Some(match (name, arguments.as_slice()) {
        ("jacobi", &[N(u), P(m)]) => elliptic::jacobi(u, m)
            .map_or_else(|_| vec![f64::NAN; 4], |j| vec![j.sn, j.cn, j.dn, j.am]),
        ("complete_k", &[P(m)]) => value(elliptic::complete_k(m)),
        ("complete_e", &[P(m)]) => value(elliptic::complete_e(m)),
        ("complete_d", &[P(m)]) => value(elliptic::complete_d(m)),
        ("complete_b", &[P(m)]) => value(elliptic::complete_b(m)),
        ("complete_pi", &[P(n), P(m)]) => value(elliptic::complete_pi(n, m)),
        ("incomplete_f", &[N(phi), P(m)]) => value(elliptic::incomplete_f(phi, m)),
        ("incomplete_e", &[N(phi), P(m)]) => value(elliptic::incomplete_e(phi, m)),
        ("incomplete_d", &[N(phi), P(m)]) => value(elliptic::incomplete_d(phi, m)),
        ("incomplete_b", &[N(phi), P(m)]) => value(elliptic::incomplete_b(phi, m)),
        ("incomplete_pi", &[N(phi), P(n), P(m)]) => value(elliptic::incomplete_pi(phi, n, m)),
        ("jacobi_zeta", &[N(phi), P(m)]) => value(elliptic::jacobi_zeta(phi, m)),
        ("inverse_sn", &[N(x), P(m)]) => value(elliptic::inverse_sn(x, m)),
        ("inverse_cn", &[N(x), P(m)]) => value(elliptic::inverse_cn(x, m)),
        ("inverse_dn", &[N(x), P(m)]) => value(elliptic::inverse_dn(x, m)),
        ("nome", &[P(m)]) => value(elliptic::nome(m)),
        ("inverse_nome", &[N(q)]) => elliptic::inverse_nome(q)
            .map_or_else(|_| vec![f64::NAN; 2], |p| vec![p.value(), p.complement()]),
        ("theta1", &[N(z), N(q)]) => value(elliptic::theta1(z, q)),
        ("theta2", &[N(z), N(q)]) => value(elliptic::theta2(z, q)),
        ("theta3", &[N(z), N(q)]) => value(elliptic::theta3(z, q)),
        ("theta4", &[N(z), N(q)]) => value(elliptic::theta4(z, q)),
        ("cel", &[N(kc), N(p), N(a), N(b)]) => value(elliptic::cel(kc, p, a, b)),
        ("rf", &[N(x), N(y), N(z)]) => value(elliptic::rf(x, y, z)),
        ("rc", &[N(x), N(y)]) => value(elliptic::rc(x, y)),
        ("rd", &[N(x), N(y), N(z)]) => value(elliptic::rd(x, y, z)),
        ("rg", &[N(x), N(y), N(z)]) => value(elliptic::rg(x, y, z)),
        ("rj", &[N(x), N(y), N(z), N(p)]) => value(elliptic::rj(x, y, z, p)),
        _ => return None,
    })
}

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
