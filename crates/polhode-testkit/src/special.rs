//! Rows of `oracle/special_A.json`.

use polhode_elliptic::Dd;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

use crate::parse_dd;

/// Values of special functions at exact doubles; `k` is the modulus.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the fields carry the names of the functions")]
#[non_exhaustive]
pub enum SpecialRow {
    /// Jacobi functions; `am` is continuous in u.
    Jacobi { u: f64, k: f64, one_minus_k2: Dd, am: Dd, sn: Dd, cn: Dd, dn: Dd },
    /// Incomplete integrals of the first and second kind, quasi-periodic in phi.
    FE { phi: f64, k: f64, f: Dd, e: Dd },
    /// Incomplete integral of the third kind, quasi-periodic in phi.
    Pi { phi: f64, n: f64, k: f64, pi: Dd },
    /// Carlson's RF(x,y,z), RD(x,y,z), RC(x,y), RJ(x,y,z,p).
    Carlson { x: f64, y: f64, z: f64, p: f64, rf: Dd, rd: Dd, rc_xy: Dd, rj: Dd },
}

impl<'de> Deserialize<'de> for SpecialRow {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let row = Value::deserialize(from)?;
        let argument = |name: &str| {
            row["args"][name]
                .as_f64()
                .ok_or_else(|| D::Error::custom(format!("no argument {name:?}")))
        };
        let value = |name: &str| {
            row[name]
                .as_str()
                .map(parse_dd)
                .ok_or_else(|| D::Error::custom(format!("no value {name:?}")))
        };
        Ok(match row["f"].as_str() {
            Some("jacobi") => Self::Jacobi {
                u: argument("u")?,
                k: argument("k")?,
                one_minus_k2: value("one_minus_k2")?,
                am: value("am")?,
                sn: value("sn")?,
                cn: value("cn")?,
                dn: value("dn")?,
            },
            Some("FE") => Self::FE {
                phi: argument("phi")?,
                k: argument("k")?,
                f: value("F")?,
                e: value("E")?,
            },
            Some("Pi") => Self::Pi {
                phi: argument("phi")?,
                n: argument("n")?,
                k: argument("k")?,
                pi: value("Pi")?,
            },
            Some("Carlson") => Self::Carlson {
                x: argument("x")?,
                y: argument("y")?,
                z: argument("z")?,
                p: argument("p")?,
                rf: value("RF")?,
                rd: value("RD")?,
                rc_xy: value("RC_xy")?,
                rj: value("RJ")?,
            },
            other => return Err(D::Error::custom(format!("unknown function {other:?}"))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::special_rows;
    use polhode_verify::taylor::dd_math::sin_cos;

    fn small(x: Dd, limit: f64) -> bool {
        x.hi().abs() <= limit
    }

    /// Identities that tie each field to another one, so that a mix-up of names shows.
    #[test]
    fn rows_satisfy_the_identities_of_their_functions() {
        let mut counts = [0; 4];
        for row in special_rows() {
            match *row {
                SpecialRow::Jacobi { k, one_minus_k2, am, sn, cn, dn, .. } => {
                    counts[0] += 1;
                    let k2 = Dd::product(k, k);
                    assert!(small(one_minus_k2 + k2 - Dd::ONE, 1e-31), "{row:?}");
                    let (sin, cos) = sin_cos(am);
                    let limit = 1e-31 * (1.0 + am.hi().abs());
                    assert!(small(sin - sn, limit) && small(cos - cn, limit), "{row:?}");
                    let left = dn.square() + k2 * sn.square() - Dd::ONE;
                    assert!(small(left, 1e-31), "{row:?}");
                }
                SpecialRow::FE { phi, f, e, .. } => {
                    counts[1] += 1;
                    let (f, e) = (f.hi() / phi, e.hi() / phi);
                    assert!(e <= 1.0 && 1.0 <= f, "{row:?}");
                }
                SpecialRow::Pi { phi, n, pi, .. } => {
                    counts[2] += 1;
                    assert!(n < 1.0 && pi.hi() / phi > 0.0, "{row:?}");
                }
                SpecialRow::Carlson { x, y, z, p, rf, rd, .. } => {
                    counts[3] += 1;
                    // Means of degree -1/2 and -3/2.
                    let (low, high) = (x.min(y).min(z), x.max(y).max(z));
                    let rf = rf.hi();
                    assert!(rf >= high.powf(-0.5) * 0.999 && low.powf(-0.5) >= rf * 0.999);
                    assert!(p != 0.0 && rd.hi() >= high.powf(-1.5) * 0.999, "{row:?}");
                }
            }
        }
        assert_eq!(counts, [99, 90, 96, 25]);
    }
}
