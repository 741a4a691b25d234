//! Elliptic functions by name, and their errors on the rows of `oracle/elliptic_A.json`.

use std::sync::OnceLock;

use polhode_elliptic as elliptic;
use polhode_elliptic::{Dd, DomainError, Parameter};
use serde::Deserialize;

use crate::{oracle, parse_dd};

use Argument::{Number as N, Parameter as P};

pub(crate) enum Argument {
    Number(f64),
    /// As the library takes it, and m without a rounding.
    Parameter(Parameter, Dd),
}

impl Argument {
    pub(crate) fn read(word: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<f64>().ok();
        Some(match word.split_once('=') {
            Some(("m", value)) => {
                let m = number(value)?;
                Self::Parameter(Parameter::new(m), Dd::from(m))
            }
            Some(("mc", value)) => {
                let mc = number(value)?;
                Self::Parameter(Parameter::complementary(mc), Dd::ONE - Dd::from(mc))
            }
            Some(_) => return None,
            None => Self::Number(number(word)?),
        })
    }

    /// The number, or the parameter m, without a rounding.
    pub(crate) fn exact(&self) -> Dd {
        match self {
            N(x) => Dd::from(*x),
            P(_, m) => *m,
        }
    }
}

fn value(result: Result<f64, DomainError>) -> Vec<f64> {
    vec![result.unwrap_or(f64::NAN)]
}

/// The results of one line, a name and arguments: numbers, and parameters as `m=0.3` or `mc=0.7`. NaN for
/// what is refused; nothing for a line that cannot be read.
pub fn evaluate(line: &str) -> Option<Vec<f64>> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let arguments: Vec<Argument> = words.map(Argument::read).collect::<Option<_>>()?;
    Some(match (name, arguments.as_slice()) {
        ("jacobi", &[N(u), P(m, _)]) => elliptic::jacobi(u, m)
            .map_or_else(|_| vec![f64::NAN; 4], |j| vec![j.sn, j.cn, j.dn, j.am]),
        ("complete_k", &[P(m, _)]) => value(elliptic::complete_k(m)),
        ("complete_e", &[P(m, _)]) => value(elliptic::complete_e(m)),
        ("complete_d", &[P(m, _)]) => value(elliptic::complete_d(m)),
        ("complete_b", &[P(m, _)]) => value(elliptic::complete_b(m)),
        ("complete_pi", &[P(n, _), P(m, _)]) => value(elliptic::complete_pi(n, m)),
        ("incomplete_f", &[N(phi), P(m, _)]) => value(elliptic::incomplete_f(phi, m)),
        ("incomplete_e", &[N(phi), P(m, _)]) => value(elliptic::incomplete_e(phi, m)),
        ("incomplete_d", &[N(phi), P(m, _)]) => value(elliptic::incomplete_d(phi, m)),
        ("incomplete_b", &[N(phi), P(m, _)]) => value(elliptic::incomplete_b(phi, m)),
        ("incomplete_pi", &[N(phi), P(n, _), P(m, _)]) => value(elliptic::incomplete_pi(phi, n, m)),
        ("jacobi_zeta", &[N(phi), P(m, _)]) => value(elliptic::jacobi_zeta(phi, m)),
        ("inverse_sn", &[N(x), P(m, _)]) => value(elliptic::inverse_sn(x, m)),
        ("inverse_cn", &[N(x), P(m, _)]) => value(elliptic::inverse_cn(x, m)),
        ("inverse_dn", &[N(x), P(m, _)]) => value(elliptic::inverse_dn(x, m)),
        ("nome", &[P(m, _)]) => value(elliptic::nome(m)),
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

/// A function at exact doubles, by mpmath.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct EllipticRow {
    /// Name in the library.
    pub function: String,
    /// Where the arguments lie.
    pub region: String,
    /// As [`evaluate`] reads them.
    pub arguments: Vec<String>,
    /// The results, to 40 digits.
    pub values: Vec<String>,
    /// The sum of |x df/dx| over the arguments, for each result.
    pub condition: Vec<f64>,
}

/// All rows of the reference data.
pub fn elliptic_rows() -> &'static [EllipticRow] {
    static ROWS: OnceLock<Vec<EllipticRow>> = OnceLock::new();
    ROWS.get_or_init(|| oracle::load("elliptic_A.json"))
}

impl EllipticRow {
    /// The errors of the library's results in eps of the conditioned size, |f| + the sum of |x df/dx|.
    ///
    /// # Panics
    /// If the row cannot be read.
    pub fn errors(&self) -> Vec<f64> {
        let line = format!("{} {}", self.function, self.arguments.join(" "));
        let got = evaluate(&line).unwrap_or_else(|| panic!("what is {line:?}?"));
        let wanted = self.values.iter().map(|text| parse_dd(text)).zip(&self.condition);
        got.into_iter()
            .zip(wanted)
            .map(|(got, (want, condition))| {
                let off = (Dd::from(got) - want).hi().abs();
                let size = want.hi().abs() + condition;
                // A refusal must not pass for the smallest of errors.
                if off.is_nan() {
                    f64::INFINITY
                } else {
                    off / size.max(f64::MIN_POSITIVE) / f64::EPSILON
                }
            })
            .collect()
    }
}

/// What is promised for each function, in eps of the conditioned size: held on samples of 1e5 points, of which
/// the rows here are a few.
pub const ELLIPTIC_BOUNDS: [(&str, f64); 27] = [
    ("jacobi", 2.0),
    ("complete_k", 2.0),
    ("complete_e", 2.0),
    ("complete_d", 3.0),
    ("complete_b", 3.0),
    ("complete_pi", 5.0),
    ("incomplete_f", 3.0),
    ("incomplete_e", 3.0),
    ("incomplete_d", 4.0),
    ("incomplete_b", 4.0),
    ("incomplete_pi", 6.0),
    ("jacobi_zeta", 4.0),
    ("inverse_sn", 3.0),
    ("inverse_cn", 3.0),
    ("inverse_dn", 3.0),
    ("nome", 2.5),
    ("inverse_nome", 6.0),
    ("theta1", 2.0),
    ("theta2", 2.0),
    ("theta3", 3.0),
    ("theta4", 3.0),
    ("cel", 8.0),
    ("rf", 2.0),
    ("rc", 2.0),
    ("rd", 2.0),
    ("rg", 4.0),
    ("rj", 4.0),
];
