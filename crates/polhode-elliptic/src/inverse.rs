//! The inverses of sn, cn and dn, on their principal branches.

use crate::arc::Arc;
use crate::{Dd, DomainError, Parameter, float, quarter};

const COMPLEX: &str = "within the range of the function for this parameter";

/// The u of least size with sn(u, m) = x: an integral of the first kind at the amplitude asin(x).
///
/// From -K to K for m <= 1, from -K(1/m)/sqrt(m) to K(1/m)/sqrt(m) beyond; zero for an infinite m.
///
/// # Errors
/// [`DomainError`] if an argument is NaN, and unless x² <= 1 and m x² <= 1.
///
/// # References
/// DLMF 22.15.12.
///
/// ```
/// use polhode_elliptic::{Parameter, inverse_sn, sn_cn_dn};
/// let u = inverse_sn(0.5, Parameter::new(0.7))?;
/// assert!((sn_cn_dn(u, Parameter::new(0.7))?.sn - 0.5).abs() < 2e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn inverse_sn(x: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = checked("inverse_sn", x, parameter.into())?;
    if p.mc.hi().is_infinite() {
        let real = if p.mc.hi() > 0.0 { x.abs() <= 1.0 } else { x == 0.0 };
        return at_infinity("inverse_sn", x, real).map(|u| libm::copysign(u, x));
    }
    let cos2 = (1.0 - x) * (1.0 + x);
    let delta2 = cos2 + p.mc.hi() * x * x;
    if !(cos2 >= 0.0 && delta2 >= 0.0) {
        return Err(DomainError::new("inverse_sn", "x", x, COMPLEX));
    }
    Arc { sin: x, cos: float::sqrt(cos2), a: 1.0, b: p.mc.hi(), delta2 }.first()
}

/// The least u >= 0 with cn(u, m) = x: an integral of the first kind at the amplitude acos(x).
///
/// From 0 to 2K for m <= 1; for m > 1 cn does not fall below sqrt(1 - 1/m). Zero for an infinite m.
///
/// # Errors
/// [`DomainError`] if an argument is NaN, and unless x² <= 1 and x is within the range of cn.
///
/// # References
/// DLMF 22.15.13.
///
/// ```
/// use polhode_elliptic::{Parameter, complete_k, inverse_cn};
/// let m = Parameter::new(0.7);
/// assert!((inverse_cn(0.0, m)? - complete_k(m)?).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn inverse_cn(x: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = checked("inverse_cn", x, parameter.into())?;
    if p.mc.hi().is_infinite() {
        let real = if p.mc.hi() > 0.0 { x.abs() <= 1.0 } else { x == 1.0 };
        return at_infinity("inverse_cn", x, real);
    }
    let (sin2, mc) = ((1.0 - x) * (1.0 + x), p.mc.hi());
    // x² + mc (1 - x²), which for m > 1 cancels.
    let delta2 = if mc < 0.0 {
        (Dd::product(x, x) + p.mc * (Dd::ONE - Dd::product(x, x))).hi()
    } else {
        x * x + mc * sin2
    };
    if !(sin2 >= 0.0 && delta2 >= 0.0 && (x >= 0.0 || mc >= 0.0)) {
        return Err(DomainError::new("inverse_cn", "x", x, COMPLEX));
    }
    let sin = float::sqrt(sin2);
    let direct = Arc { sin, cos: x.abs(), a: 1.0, b: mc, delta2 };
    if x >= 0.0 {
        return direct.first();
    }
    if mc == 0.0 {
        return Ok(f64::INFINITY);
    }
    // Past a quarter period: from its end, or from that of the half period.
    if x.abs() < sin {
        let turned = Arc { sin: -x, cos: sin, a: mc, b: 1.0, delta2 };
        return Ok(quarter::k(&p) + turned.first()?);
    }
    Ok(2.0 * quarter::k(&p) - direct.first()?)
}

/// The least u >= 0 with dn(u, m) = x.
///
/// From 0 to K for m <= 1, where dn lies between 1 and kc = sqrt(1 - m); for m > 1 dn is cn of the
/// reciprocal parameter. At m = 0 dn is one, and the inverse of that zero. Zero for an infinite m.
///
/// # Errors
/// [`DomainError`] if an argument is NaN, and unless x is within the range of dn.
///
/// # References
/// DLMF 22.15.14.
///
/// ```
/// use polhode_elliptic::{Parameter, inverse_dn, sn_cn_dn};
/// let m = Parameter::new(0.7);
/// assert!((sn_cn_dn(inverse_dn(0.8, m)?, m)?.dn - 0.8).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn inverse_dn(x: f64, parameter: impl Into<Parameter>) -> Result<f64, DomainError> {
    let p = checked("inverse_dn", x, parameter.into())?;
    let (m, mc) = (p.m.hi(), p.mc.hi());
    if mc.is_infinite() {
        let real = if mc > 0.0 { x >= 1.0 && x.is_finite() } else { x.abs() <= 1.0 };
        return at_infinity("inverse_dn", x, real);
    }
    let refused = || DomainError::new("inverse_dn", "x", x, COMPLEX);
    if mc < 0.0 {
        let u = inverse_cn(x, p.reciprocal()).map_err(|_| refused())?;
        return Ok(u / float::sqrt(m));
    }
    if x == 1.0 {
        return Ok(0.0);
    }
    // m sin² = 1 - x² and m cos² = x² - mc, of which the second is lost where x is near kc.
    let sin2 = (1.0 - x) * (1.0 + x) / m;
    let cos2 = (Dd::product(x, x) - p.mc).hi() / m;
    if !(x >= 0.0 && sin2 >= 0.0 && cos2 >= 0.0) || m == 0.0 {
        return Err(refused());
    }
    if mc == 0.0 && x == 0.0 {
        return Ok(f64::INFINITY);
    }
    let arc = Arc { sin: float::sqrt(sin2), cos: float::sqrt(cos2), a: 1.0, b: mc, delta2: x * x };
    arc.first()
}

fn checked(function: &'static str, x: f64, p: Parameter) -> Result<Parameter, DomainError> {
    if p.mc.hi().is_nan() {
        return Err(p.error(function, "a number"));
    }
    if x.is_nan() {
        return Err(DomainError::new(function, "x", x, COMPLEX));
    }
    Ok(p)
}

/// The inverses for an infinite m, where periods are zero.
fn at_infinity(function: &'static str, x: f64, real: bool) -> Result<f64, DomainError> {
    if real { Ok(0.0) } else { Err(DomainError::new(function, "x", x, COMPLEX)) }
}
