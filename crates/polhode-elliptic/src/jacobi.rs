//! Jacobi's elliptic functions on the whole real line.

use crate::complete::check_parameter;
use crate::{Dd, DomainError, Shift, Theta, agm, trig};

/// am, sn, cn and dn at one argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobi {
    /// The amplitude, continuous and increasing in u (not reduced to a period).
    pub am: f64,
    /// sin(am).
    pub sn: f64,
    /// cos(am).
    pub cn: f64,
    /// sqrt(1 - k² sn²) = sqrt(cn² + mc sn²) > 0.
    pub dn: f64,
}

/// am, sn, cn and dn together, at any real u and complementary parameter mc = 1 - k².
///
/// The period is known in double-double, so an argument of 1e9 loses nothing that u itself has
/// not lost by rounding. mc = 0 gives the hyperbolic and mc = 1 the circular functions exactly.
///
/// # Errors
/// [`DomainError`] unless u is finite and 0 <= mc <= 1, or if u lies so far out (more than 2^50
/// half periods) that it has no phase left.
///
/// # References
/// DLMF 22.2 and 22.16; the method is that of [`Theta`], with one arithmetic-geometric mean.
///
/// ```
/// let j = polhode_elliptic::jacobi(0.5, 0.0)?;
/// assert!((j.sn - 0.5f64.tanh()).abs() < 1e-16);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn jacobi(u: f64, mc: f64) -> Result<Jacobi, DomainError> {
    check_parameter("jacobi", mc)?;
    if !u.is_finite() {
        return Err(DomainError::new("jacobi", "u", u, "finite"));
    }
    if mc == 0.0 {
        return Ok(hyperbolic(u));
    }
    if mc == 1.0 {
        return Ok(Jacobi { am: u, sn: trig::sin(u), cn: trig::cos(u), dn: 1.0 });
    }
    let kc = mc.sqrt();
    let k = (1.0 - mc).sqrt();
    let (whole, f, quarter) = half_periods(u, mc)?;
    let v = Theta::new(k, kc, quarter).at(f, &Shift::NONE);
    // A half period turns the amplitude by pi: sn and cn change sign, dn does not.
    let sign = if whole.rem_euclid(2.0) == 1.0 { -1.0 } else { 1.0 };
    let turned = Dd::PI * whole;
    let am = (turned + Dd::from(trig::atan2(v.sn, v.cn))).hi();
    Ok(Jacobi { am, sn: sign * v.sn, cn: sign * v.cn, dn: v.dn })
}

/// 2^50: beyond, doubles are further apart than a radian.
const MAX_HALF_PERIODS: f64 = 1_125_899_906_842_624.0;

/// u as whole half periods 2K and a rest within half of one; and K.
fn half_periods(u: f64, mc: f64) -> Result<(f64, Dd, f64), DomainError> {
    let quarter = core::f64::consts::FRAC_PI_2 / agm(1.0, mc.sqrt())?;
    if u.abs() < quarter {
        return Ok((0.0, Dd::from(u / (2.0 * quarter)), quarter));
    }
    if u.abs() > MAX_HALF_PERIODS * 2.0 * quarter {
        return Err(DomainError::new("jacobi", "u", u, "at most 2^50 half periods"));
    }
    let quarter = Dd::FRAC_PI_2 / agm(Dd::ONE, Dd::from(mc).sqrt())?;
    let f = Dd::from(u) / quarter.scale(2.0);
    let (whole, rest) = f.split_integer();
    Ok((whole, rest, quarter.hi()))
}

/// k = 1.
fn hyperbolic(u: f64) -> Jacobi {
    // cosh overflows where its inverse is zero to every digit.
    let sech = if u.abs() > 700.0 { 2.0 * trig::exp(-u.abs()) } else { 1.0 / trig::cosh(u) };
    let am = if u.abs() < 1.0 {
        trig::atan(trig::sinh(u))
    } else {
        // gd(u) = pi/2 - 2 atan(e^-u), without the rounding of a large sinh.
        let rest = 2.0 * trig::atan(trig::exp(-u.abs()));
        libm::copysign((Dd::FRAC_PI_2 - Dd::from(rest)).hi(), u)
    };
    Jacobi { am, sn: trig::tanh(u), cn: sech, dn: sech }
}
