//! Errors of the elliptic functions on the rows of `oracle/special_A.json`.

use polhode_elliptic::{
    Dd, DomainError, incomplete_e, incomplete_f, incomplete_pi, jacobi, rc, rd, rf, rj,
};

use crate::oracle::special_rows;
use crate::special::SpecialRow;

/// The errors of one function, and the bound that is promised for it.
#[derive(Clone, Debug)]
pub struct FunctionErrors {
    /// Name as in the literature.
    pub name: &'static str,
    /// Promised, in eps of the conditioned size (see [`special_function_errors`]).
    pub bound: f64,
    /// In eps of the value.
    pub relative: Vec<f64>,
    /// In eps of the conditioned size.
    pub conditioned: Vec<f64>,
}

const BOUNDS: [(&str, f64); 11] = [
    ("am", 2.0),
    ("sn", 1.5),
    ("cn", 1.5),
    ("dn", 1.5),
    ("F", 3.0),
    ("E", 3.0),
    ("Pi", 3.0),
    ("RF", 2.0),
    ("RC", 2.0),
    ("RD", 2.0),
    ("RJ", 2.0),
];

/// The errors of every elliptic function on every row of the oracle, in eps = 2^-52.
///
/// The oracle gives the modulus k, the functions take mc = (1 - k)(1 + k), rounded, and nc = 1 - n,
/// rounded: part of an error is that of the argument. So each is given twice: relative to the value
/// f, and relative to the conditioned size |f| + sum of |x df/dx| over the arguments x, which is
/// what a rounding of value and arguments amounts to.
///
/// # Panics
/// If a function refuses a row.
pub fn special_function_errors() -> Vec<FunctionErrors> {
    let mut all: Vec<FunctionErrors> = BOUNDS
        .iter()
        .map(|&(name, bound)| FunctionErrors {
            name,
            bound,
            relative: Vec::new(),
            conditioned: Vec::new(),
        })
        .collect();
    let mut record = |name: &str, args: &[f64], want: Dd, f: &dyn Fn(&[f64]) -> f64| {
        let entry = all.iter_mut().find(|e| e.name == name).expect("every function has a bound");
        let difference = (Dd::from(f(args)) - want).hi().abs();
        let size = want.hi().abs();
        // A NaN must not pass for the smallest of errors.
        let in_eps = |scale: f64| match difference {
            0.0 => 0.0,
            d if d.is_finite() => d / scale / f64::EPSILON,
            _ => f64::INFINITY,
        };
        entry.relative.push(in_eps(size));
        entry.conditioned.push(in_eps(size + condition(args, f)));
    };
    for row in special_rows() {
        match *row {
            SpecialRow::Jacobi { u, k, am, sn, cn, dn, .. } => {
                let args = [u, complement(k)];
                let j = |x: &[f64]| jacobi(x[0], x[1]).expect("in the domain");
                record("am", &args, am, &|x| j(x).am);
                record("sn", &args, sn, &|x| j(x).sn);
                record("cn", &args, cn, &|x| j(x).cn);
                record("dn", &args, dn, &|x| j(x).dn);
            }
            SpecialRow::FE { phi, k, f, e } => {
                let args = [phi, complement(k)];
                record("F", &args, f, &|x| ok(incomplete_f(x[0], x[1])));
                record("E", &args, e, &|x| ok(incomplete_e(x[0], x[1])));
            }
            SpecialRow::Pi { phi, n, k, pi } => {
                let args = [phi, 1.0 - n, complement(k)];
                record("Pi", &args, pi, &|x| ok(incomplete_pi(x[0], x[1], x[2])));
            }
            SpecialRow::Carlson { x, y, z, p, rf: f, rd: d, rc_xy, rj: j } => {
                let args = [x, y, z, p];
                record("RF", &args, f, &|a| ok(rf(a[0], a[1], a[2])));
                record("RD", &args, d, &|a| ok(rd(a[0], a[1], a[2])));
                record("RC", &args, rc_xy, &|a| ok(rc(a[0], a[1])));
                record("RJ", &args, j, &|a| ok(rj(a[0], a[1], a[2], a[3])));
            }
        }
    }
    all
}

fn complement(k: f64) -> f64 {
    (1.0 - k) * (1.0 + k)
}

fn ok(value: Result<f64, DomainError>) -> f64 {
    value.expect("in the domain")
}

/// Sum of |x df/dx|, by differences within the domain (1e-6 inwards from mc = 1).
fn condition(args: &[f64], f: &dyn Fn(&[f64]) -> f64) -> f64 {
    let here = f(args);
    let change = |i: usize| {
        let mut moved = args.to_vec();
        moved[i] *= 1.0 - 1e-6;
        (f(&moved) - here).abs() / 1e-6
    };
    (0..args.len()).map(change).sum()
}
