//! The nome, its inverse, and Jacobi's four theta functions.
//!
//! Up to q = exp(-pi) the series in q converge in four terms; beyond, Jacobi's imaginary transformation
//! makes them sums of Gaussians, of which four are enough too.
//!
//! # References
//! DLMF 20.2 (series), 20.7.30-33 (imaginary transformation), 22.2.1-2 (nome and modulus).

use core::f64::consts::PI;

use crate::nome::Nome;
use crate::{DomainError, Parameter, float, trig};

/// exp(-pi).
const LARGEST_NOME: f64 = 0.043_213_918_263_772_25;

/// The nome q = exp(-π K(1-m)/K(m)): 0 at m = 0, 1 at m = 1, negative for m < 0.
///
/// Relative error within 4 eps.
///
/// # Errors
/// [`DomainError`] unless m <= 1 (beyond, the nome is complex).
///
/// ```
/// let q = polhode_elliptic::nome(0.5)?;
/// assert!((q - (-core::f64::consts::PI).exp()).abs() < 1e-17);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn nome(parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = parameter.into();
    p.up_to_one("nome")?;
    if p.mc.hi().is_infinite() {
        return Ok(-1.0);
    }
    Ok(if p.m.hi() < 0.0 { -positive_nome(&p.imaginary()) } else { positive_nome(&p) })
}

fn positive_nome(p: &Parameter) -> f64 {
    if p.mc.hi() == 0.0 {
        return 1.0;
    }
    let nome = Nome::new(p);
    if nome.circular {
        return nome.q_ratio() * nome.m;
    }
    let (length, tail) = nome.ln_inverse();
    trig::exp(-PI * PI / (length + tail))
}

/// The parameter that has this nome: m = θ₂⁴/θ₃⁴, 1 - m = θ₄⁴/θ₃⁴.
///
/// # Errors
/// [`DomainError`] unless -1 <= q <= 1.
///
/// ```
/// use polhode_elliptic::{inverse_nome, nome};
/// assert!((nome(inverse_nome(0.3)?)? - 0.3).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn inverse_nome(q: f64) -> Result<Parameter, DomainError> {
    let size = q.abs();
    if size.is_nan() || size > 1.0 {
        return Err(DomainError::new("inverse_nome", "q", q, "-1 to 1"));
    }
    let p = if size <= LARGEST_NOME {
        Parameter::new(16.0 * size * parameter_ratio(size))
    } else {
        // 1 - m is to the complementary nome what m is to the nome. That one may have no digits left
        // where 16 times it has; at q = 1 it is zero.
        let root = if size == 1.0 { 0.0 } else { trig::exp(0.5 * PI * PI / log(size)) };
        Parameter::complementary((4.0 * root) * (4.0 * root) * parameter_ratio(root * root))
    };
    if q >= 0.0 {
        return Ok(p);
    }
    if p.complement() == 0.0 {
        return Ok(Parameter::new(f64::NEG_INFINITY));
    }
    // -m/mc and 1/mc; the greater one follows from the other.
    let p = p.imaginary();
    Ok(Parameter { m: p.m, mc: p.mc, direct: true })
}

/// m/(16 q) for a nome up to exp(-pi).
fn parameter_ratio(q: f64) -> f64 {
    let q2 = q * q;
    let q4 = q2 * q2;
    let theta2 = 1.0 + q2 * (1.0 + q4 * (1.0 + q2 * q4));
    let theta3 = 1.0 + 2.0 * (q4 + q * (1.0 + q4 * q4));
    let ratio = theta2 / theta3;
    let square = ratio * ratio;
    square * square
}

/// ln q, which near q = 1 is that of one plus a little.
fn log(q: f64) -> f64 {
    if q > 0.5 { libm::log1p(q - 1.0) } else { trig::log(q) }
}

/// θ₁(z, q) = 2 q^(1/4) Σ (-1)^n q^(n(n+1)) sin((2n+1)z).
///
/// # Errors
/// [`DomainError`] unless z is finite (at q = 0 any number) and 0 <= q < 1.
///
/// ```
/// use polhode_elliptic::{theta1, theta2};
/// let z = 0.3;
/// assert!((theta1(z, 0.7)? - theta2(core::f64::consts::FRAC_PI_2 - z, 0.7)?).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn theta1(z: f64, q: f64) -> Result<f64, DomainError> {
    let z = checked("theta1", z, q, 0.0, "0 <= q < 1")?;
    Ok(odd(trig::sin(z), trig::cos(z), q))
}

/// θ₂(z, q) = 2 q^(1/4) Σ q^(n(n+1)) cos((2n+1)z).
///
/// # Errors
/// As [`theta1`].
///
/// ```
/// assert_eq!(polhode_elliptic::theta2(0.3, 0.0)?, 0.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn theta2(z: f64, q: f64) -> Result<f64, DomainError> {
    let z = checked("theta2", z, q, 0.0, "0 <= q < 1")?;
    Ok(odd(trig::cos(z), trig::sin(z), q))
}

/// θ₃(z, q) = 1 + 2 Σ q^(n²) cos(2nz).
///
/// # Errors
/// [`DomainError`] unless z is finite (at q = 0 any number) and -1 < q < 1.
///
/// ```
/// assert_eq!(polhode_elliptic::theta3(0.3, 0.0)?, 1.0);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn theta3(z: f64, q: f64) -> Result<f64, DomainError> {
    let z = checked("theta3", z, q, -1.0, "-1 < q < 1")?;
    let (s, c) = (trig::sin(z), trig::cos(z));
    Ok(if q < 0.0 { even(c, s, -q) } else { even(s, c, q) })
}

/// θ₄(z, q) = 1 + 2 Σ (-1)^n q^(n²) cos(2nz).
///
/// # Errors
/// As [`theta3`].
///
/// ```
/// use polhode_elliptic::{theta3, theta4};
/// assert_eq!(theta4(0.3, 0.2)?, theta3(0.3, -0.2)?);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn theta4(z: f64, q: f64) -> Result<f64, DomainError> {
    let z = checked("theta4", z, q, -1.0, "-1 < q < 1")?;
    let (s, c) = (trig::sin(z), trig::cos(z));
    Ok(if q < 0.0 { even(s, c, -q) } else { even(c, s, q) })
}

/// The argument to take; at q = 0 nothing depends on it, and it may be infinite.
fn checked(
    function: &'static str,
    z: f64,
    q: f64,
    least: f64,
    allowed: &'static str,
) -> Result<f64, DomainError> {
    if z.is_infinite() && q == 0.0 {
        return Ok(0.0);
    }
    if !z.is_finite() {
        return Err(DomainError::new(function, "z", z, "finite"));
    }
    if q < 1.0 && (q > least || q == 0.0) {
        return Ok(z);
    }
    Err(DomainError::new(function, "q", q, allowed))
}

/// θ₁ at the angle with this sine and cosine.
fn odd(s: f64, c: f64, q: f64) -> f64 {
    if q <= LARGEST_NOME {
        let (q2, y) = (q * q, s * s);
        let q4 = q2 * q2;
        // sin 3z = sin z (3 - 4y), sin 5z = sin z (5 - 20 y + 16 y²), sin 7z likewise.
        let (three, five) = (3.0 - 4.0 * y, 5.0 - y * (20.0 - 16.0 * y));
        let seven = 7.0 - y * (56.0 - y * (112.0 - 64.0 * y));
        let series = 1.0 - q2 * (three - q4 * (five - q2 * q4 * seven));
        return 2.0 * float::sqrt(float::sqrt(q)) * s * series;
    }
    // Gaussians about the odd multiples of pi/2, the nearest first, in pairs of opposite sign.
    let length = -log(q);
    let r = trig::atan2(s.abs(), c.abs());
    let x = PI * r / length;
    let half = trig::atan2(c.abs(), s.abs());
    let mut sum = -libm::expm1(-2.0 * x);
    let mut sign = -1.0;
    for k in [1.0, 2.0, 3.0] {
        let weight = trig::exp(2.0 * k * x - k * (k + 1.0) * (PI * PI) / length);
        sum -= sign * weight * libm::expm1(-2.0 * (2.0 * k + 1.0) * x);
        sign = -sign;
    }
    libm::copysign(gaussian(half, length) * sum, s)
}

/// θ₃ at the angle with this sine and cosine.
fn even(s: f64, c: f64, q: f64) -> f64 {
    if q <= LARGEST_NOME {
        let c2 = (c - s) * (c + s);
        let c4 = 2.0 * c2 * c2 - 1.0;
        let q4 = (q * q) * (q * q);
        return 1.0 + 2.0 * (q * c2 + q4 * (c4 + q4 * q * (c2 * (2.0 * c4 - 1.0))));
    }
    // Gaussians about the multiples of pi, the nearest first.
    let length = -log(q);
    let r = trig::atan2(s.abs(), c.abs());
    let x = 2.0 * PI * r / length;
    let mut sum = 0.0;
    for k in [3.0, 2.0, 1.0] {
        let image = k * x - k * k * (PI * PI) / length;
        sum += trig::exp(image) * (1.0 + trig::exp(-2.0 * k * x));
    }
    gaussian(r, length) * (1.0 + sum)
}

/// sqrt(pi/l) exp(-r²/l), by the root of the exponential: that one may be below all normal doubles.
fn gaussian(r: f64, length: f64) -> f64 {
    let root = trig::exp(-0.5 * (r * r / length));
    float::sqrt(PI / length) * root * root
}
