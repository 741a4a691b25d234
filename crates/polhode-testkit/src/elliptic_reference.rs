//! Elliptic functions in double-double, by other formulas than the library's: the reference for samples that
//! are too large for mpmath, to whose rows it is compared itself.
//!
//! Carlson's integrals are the library's own, in double-double; everything else is built on them by the
//! textbook's formulas, with their cancellations: thirty digits have room for those.

use polhode_elliptic::{Dd, DomainError, Real, rc, rd, rf, rg, rj};

use crate::elliptic_rows::Argument;
use polhode_elliptic::dd_math::{atan2, sin_cos};

const LN_2: Dd = Dd::new(core::f64::consts::LN_2, 2.319046813846299558e-17);

type ReferenceValues = Result<Vec<Dd>, DomainError>;

fn exp(x: Dd) -> Dd {
    let twos = libm::round(x.hi() / core::f64::consts::LN_2);
    // Small enough for twenty terms.
    let r = (x - LN_2 * twos).scale(1.0 / 256.0);
    let mut sum = Dd::ONE;
    for n in (1..=16).rev() {
        sum = Dd::ONE + sum * r / Dd::from(f64::from(n));
    }
    for _ in 0..8 {
        sum = sum.square();
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 1100")]
    let n = twos as i32;
    // In two steps: either may be beyond all doubles.
    sum.scale(libm::ldexp(1.0, n / 2)).scale(libm::ldexp(1.0, n - n / 2))
}

fn ln(x: Dd) -> Dd {
    let start = Dd::from(libm::log(x.hi()));
    start + (x * exp(-start) - Dd::ONE)
}

/// Whole half turns, and sine and cosine of the rest.
fn reduced(phi: f64) -> (f64, Dd, Dd) {
    let turns = libm::rint(phi / core::f64::consts::PI);
    let (s, c) = sin_cos(Dd::from(phi));
    let sign = if turns % 2.0 == 0.0 { 1.0 } else { -1.0 };
    (turns, s * sign, c * sign)
}

fn third() -> Dd {
    Dd::ratio(1.0, 3.0)
}

fn k(m: Dd) -> Result<Dd, DomainError> {
    rf(Dd::ZERO, Dd::ONE - m, Dd::ONE)
}

fn d(m: Dd) -> Result<Dd, DomainError> {
    Ok(rd(Dd::ZERO, Dd::ONE - m, Dd::ONE)? * third())
}

fn pi(n: Dd, m: Dd) -> Result<Dd, DomainError> {
    let (one, mc) = (Dd::ONE, Dd::ONE - m);
    if n.hi() > 1.0 {
        return Ok(-(m / n) * rj(Dd::ZERO, mc, one, one - m / n)? * third());
    }
    Ok(rf(Dd::ZERO, mc, one)? + n * rj(Dd::ZERO, mc, one, one - n)? * third())
}

/// F and D.
fn first_and_d(phi: f64, m: Dd) -> Result<(Dd, Dd), DomainError> {
    let (turns, s, c) = reduced(phi);
    let delta2 = Dd::ONE - m * s * s;
    let f = s * rf(c * c, delta2, Dd::ONE)?;
    let of_sin2 = s * s * s * rd(c * c, delta2, Dd::ONE)? * third();
    if turns == 0.0 {
        return Ok((f, of_sin2));
    }
    Ok((f + k(m)? * (2.0 * turns), of_sin2 + d(m)? * (2.0 * turns)))
}

fn incomplete_pi(phi: f64, n: Dd, m: Dd) -> Result<Dd, DomainError> {
    let (turns, s, c) = reduced(phi);
    let (one, s2) = (Dd::ONE, s * s);
    let delta2 = one - m * s2;
    let pole = one - n * s2;
    let rest = if pole.hi() > 0.0 {
        s * rf(c * c, delta2, one)? + n * s * s2 * rj(c * c, delta2, one, pole)? * third()
    } else {
        // DLMF 19.7.8.
        let (w, x) = (m / n, one / s2);
        let size = if s.hi() < 0.0 { -one } else { one };
        let regular = rj(c * c, delta2, one, one - w * s2)? * third();
        size * x.sqrt() * rc((x - one) * (x - m), (x - n) * (x - w))? - w * s * s2 * regular
    };
    Ok(if turns == 0.0 { rest } else { rest + pi(n, m)? * (2.0 * turns) })
}

/// sn, cn, dn and am by the descending Landen transformation.
fn jacobi(u: Dd, m: Dd) -> ReferenceValues {
    let one = Dd::ONE;
    if m.hi() < 0.0 {
        let root = (one - m).sqrt();
        let [s, c, d, am] = jacobi(u * root, -m / (one - m))?[..] else { unreachable!() };
        let (sn, cn) = (s / d / root, c / d);
        let turns = libm::rint(am.hi() / core::f64::consts::PI);
        let sign = if turns % 2.0 == 0.0 { 1.0 } else { -1.0 };
        return Ok(vec![sn, cn, one / d, Dd::PI * turns + atan2(sn * sign, cn * sign)]);
    }
    if m.hi() > 1.0 {
        let root = m.sqrt();
        let [s, c, d, _] = jacobi(u * root, one / m)?[..] else { unreachable!() };
        return Ok(vec![s / root, d, c, atan2(s / root, d)]);
    }
    let (mut a, mut b) = (vec![one], (one - m).sqrt());
    let mut c = vec![m.sqrt()];
    while c[c.len() - 1].hi().abs() > 1e-30 && a.len() < 60 {
        let last = a[a.len() - 1];
        c.push((last - b).scale(0.5));
        a.push((last + b).scale(0.5));
        b = (last * b).sqrt();
    }
    let top = a[a.len() - 1];
    let period = Dd::PI.scale(2.0) / top;
    let (turns, rest) = (u / period).split_integer();
    #[expect(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "below 60")]
    let mut phi = rest * period * top * libm::ldexp(1.0, a.len() as i32 - 1);
    for n in (1..a.len()).rev() {
        let (s, _) = sin_cos(phi);
        let x = c[n] / a[n] * s;
        phi = (phi + atan2(x, ((one - x) * (one + x)).sqrt())).scale(0.5);
    }
    let (s, c) = sin_cos(phi);
    let dn = (c * c + (one - m) * s * s).sqrt();
    Ok(vec![s, c, dn, phi + Dd::PI.scale(2.0) * turns])
}

fn inverse_cn(x: Dd, m: Dd) -> Result<Dd, DomainError> {
    let one = Dd::ONE;
    let u = ((one - x) * (one + x)).sqrt() * rf(x * x, one - m + m * x * x, one)?;
    Ok(if x.hi() < 0.0 { k(m)?.scale(2.0) - u } else { u })
}

fn nome(m: Dd) -> Result<Dd, DomainError> {
    if m.hi() < 0.0 {
        return Ok(-nome(-m / (Dd::ONE - m))?);
    }
    Ok(exp(-Dd::PI * k(Dd::ONE - m)? / k(m)?))
}

/// The theta function: Gaussians for q > 1/5, the series otherwise.
fn theta(index: usize, z: f64, q: Dd) -> Dd {
    if q.hi() < 0.0 {
        return theta(7 - index, z, -q);
    }
    let odd = index < 3;
    let shifted = index == 1 || index == 4;
    if q.hi() > 0.2 {
        let (turns, s, c) = reduced(z);
        let r = atan2(s, c);
        let length = -ln(q);
        let mut sum = Dd::ZERO;
        for n in -8..=8 {
            let centre =
                f64::from(n) + if shifted { if index == 1 { -0.5 } else { 0.5 } } else { 0.0 };
            let x = r + Dd::PI * centre;
            let term = exp(-(x * x) / length);
            sum += if odd && n % 2 != 0 { -term } else { term };
        }
        let flip = if odd && turns % 2.0 != 0.0 { -1.0 } else { 1.0 };
        return (Dd::PI / length).sqrt() * sum * flip;
    }
    let mut sum = Dd::ZERO;
    for n in (0..8).rev() {
        let harmonic = f64::from(if odd { 2 * n + 1 } else { 2 * n });
        let (s, c) = sin_cos(Dd::product(z, harmonic));
        let power = if odd { n * (n + 1) } else { n * n };
        let weight = (0..power).fold(Dd::ONE, |w, _| w * q);
        let sign = if n % 2 != 0 && shifted { -1.0 } else { 1.0 };
        let twice = if odd || n > 0 { 2.0 } else { 1.0 };
        sum += weight * (if index == 1 { s } else { c }) * (sign * twice);
    }
    if odd { q.sqrt().sqrt() * sum } else { sum }
}

fn inverse_nome(q: Dd) -> (Dd, Dd) {
    if q.hi() < 0.0 {
        let (m, mc) = inverse_nome(-q);
        return (-m / mc, Dd::ONE / mc);
    }
    if q.hi() > 0.2 {
        let (mc, m) = inverse_nome(exp(Dd::PI * Dd::PI / ln(q)));
        return (m, mc);
    }
    let fourth = |index| {
        let ratio = theta(index, 0.0, q) / theta(3, 0.0, q);
        ratio.square().square()
    };
    (fourth(2), fourth(4))
}

/// The results of a line as [`evaluate`](crate::evaluate) reads it, in double-double; nothing where a number
/// leaves the range that double-doubles have digits in.
pub fn reference(line: &str) -> Option<Vec<Dd>> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let arguments: Vec<Argument> = words.map(Argument::read).collect::<Option<_>>()?;
    let x: Vec<Dd> = arguments.iter().map(Argument::exact).collect();
    let phi = x[0].hi();
    let one = Dd::ONE;
    let found = match name {
        "jacobi" => jacobi(x[0], x[1]),
        "complete_k" => k(x[0]).map(|v| vec![v]),
        "complete_d" => d(x[0]).map(|v| vec![v]),
        "complete_e" => k(x[0]).and_then(|k| Ok(vec![k - x[0] * d(x[0])?])),
        "complete_b" => k(x[0]).and_then(|k| Ok(vec![k - d(x[0])?])),
        "complete_pi" => pi(x[0], x[1]).map(|v| vec![v]),
        "incomplete_f" => first_and_d(phi, x[1]).map(|(f, _)| vec![f]),
        "incomplete_d" => first_and_d(phi, x[1]).map(|(_, d)| vec![d]),
        "incomplete_e" => first_and_d(phi, x[1]).map(|(f, d)| vec![f - x[1] * d]),
        "incomplete_b" => first_and_d(phi, x[1]).map(|(f, d)| vec![f - d]),
        "incomplete_pi" => incomplete_pi(phi, x[1], x[2]).map(|v| vec![v]),
        "jacobi_zeta" => first_and_d(phi, x[1]).and_then(|(f, of_sin2)| {
            let (k, d) = (k(x[1])?, d(x[1])?);
            Ok(vec![f - x[1] * of_sin2 - (k - x[1] * d) / k * f])
        }),
        "inverse_sn" => {
            rf((one - x[0]) * (one + x[0]), one - x[1] * x[0] * x[0], one).map(|r| vec![x[0] * r])
        }
        "inverse_cn" => inverse_cn(x[0], x[1]).map(|v| vec![v]),
        "inverse_dn" if x[1].hi() > 1.0 => {
            inverse_cn(x[0], one / x[1]).map(|u| vec![u / x[1].sqrt()])
        }
        "inverse_dn" => {
            let x2 = x[0] * x[0];
            rf((x2 - one + x[1]) / x[1], x2, one).map(|r| vec![((one - x2) / x[1]).sqrt() * r])
        }
        "nome" => nome(x[0]).map(|v| vec![v]),
        "inverse_nome" => {
            let (m, mc) = inverse_nome(x[0]);
            Ok(vec![m, mc])
        }
        "theta1" | "theta2" | "theta3" | "theta4" => {
            let index = usize::from(name.as_bytes()[5] - b'0');
            Ok(vec![theta(index, phi, x[1])])
        }
        "cel" => {
            let (mc, p) = (x[0] * x[0], x[1]);
            k(one - mc).and_then(|k| {
                let of_sin2 = if p.hi() > 0.0 {
                    rj(Dd::ZERO, mc, one, p)? * third()
                } else {
                    (pi(one - p, one - mc)? - k) / (one - p)
                };
                Ok(vec![x[2] * k + (x[3] - p * x[2]) * of_sin2])
            })
        }
        "rf" => rf(x[0], x[1], x[2]).map(|v| vec![v]),
        "rc" => rc(x[0], x[1]).map(|v| vec![v]),
        "rd" => rd(x[0], x[1], x[2]).map(|v| vec![v]),
        "rg" => rg(x[0], x[1], x[2]).map(|v| vec![v]),
        "rj" => rj(x[0], x[1], x[2], x[3]).map(|v| vec![v]),
        _ => return None,
    };
    found.ok().filter(|values| values.iter().all(|v| v.is_finite()))
}
