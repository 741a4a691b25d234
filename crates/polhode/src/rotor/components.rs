//! The parts of FRB-FORTRAN's routines that have a name of their own (Celledoni & Zanna, section 3.4):
//! the momentum by elliptic functions, and the integral of the third kind by quadrature.
//!
//! The rotors `frb-matrix`, `frb-quaternion` and `semi-exact` are made of these; as functions they
//! are for programs that call the components themselves. The integrals by Carlson's method are those
//! of [`polhode_elliptic`].

use glam::{DQuat, DVec3};
use polhode_elliptic::DomainError;

use super::frames::gauss_pi;
use super::gauss_legendre::RULES;
use super::jacobi_orbit::JacobiPath;
use super::sorted_body::{Flow, SortedBody};
use crate::method::StepError;
use crate::{Inertia, State};

/// The momentum after a step, and where it is on its orbit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MomentumStep {
    /// The momentum after the step, body frame.
    pub momentum: DVec3,
    /// The amplitude (in radians, not reduced) before the step and after it.
    pub amplitudes: [f64; 2],
    /// The modulus k, at most 1.
    pub modulus: f64,
    /// The complementary modulus, sqrt(1 - k²), with its own digits.
    pub complementary_modulus: f64,
    /// Steps of the arithmetic-geometric mean until its rest is rounding; 0 where none is needed.
    pub mean_steps: usize,
}

/// The momentum of a free body after a step h by the arithmetic-geometric mean and Landen's
/// transformations: the bits of the rotor `frb-matrix`.
///
/// The amplitudes are those of Celledoni & Zanna, eq. (4) and (5), in sorted axes, with the axes 2 and 3
/// turned over if the momentum circles the axis of the greatest moment in the negative sense. Where the
/// momentum stands still they are zero, and so is k; exactly on the separatrix k = 1.
///
/// # Errors
/// [`StepError::OutOfRange`] if a number is not finite, the step is longer than 1e13 rad, or the
/// moments are too far apart.
///
/// ```
/// use polhode::{Inertia, rotor::components};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let step = components::momentum_step(&inertia, [0.3, 0.4, 0.5], 0.1)?;
/// assert!((step.momentum.length() - 0.5_f64.sqrt()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn momentum_step(
    inertia: &Inertia,
    momentum: impl Into<DVec3>,
    h: f64,
) -> Result<MomentumStep, StepError> {
    let body = SortedBody::new(inertia);
    let mut state = State { m: momentum.into(), q: DQuat::IDENTITY };
    let (mut amplitudes, mut modulus, mut complementary_modulus) = ([0.0; 2], 0.0, 1.0);
    let mut mean_steps = 0;
    body.advance(h, &mut state, |m, h| {
        let m = match JacobiPath::new(body.moments, m) {
            JacobiPath::Steady => m,
            JacobiPath::Separatrix(path) => {
                let (end, x) = path.momentum(h * path.length);
                // The amplitude of k = 1 is Gudermann's function.
                amplitudes = [path.x0, x].map(|x| libm::atan(libm::sinh(x)));
                (modulus, complementary_modulus) = (1.0, 0.0);
                end.map(|x| x * path.length)
            }
            JacobiPath::Periodic(orbit) => {
                amplitudes = [orbit.phi0, orbit.amplitude(h * orbit.length)];
                (modulus, complementary_modulus) = (orbit.modulus(), orbit.kc);
                mean_steps = orbit.mean_steps();
                orbit.restore(orbit.momentum(amplitudes[1]), DQuat::IDENTITY).m
            }
        };
        Some(Flow { m, r: DQuat::IDENTITY })
    })?;
    Ok(MomentumStep { momentum: state.m, amplitudes, modulus, complementary_modulus, mean_steps })
}

/// The integral of the third kind from phi0 to phi1 with characteristic n = 1 - nc, at mc = 1 - k²,
/// by the Gauss-Legendre rule with 1 to 10 points: the quadrature of the rotor `semi-exact`.
///
/// # Errors
/// [`DomainError`] if a number is not finite, `mc` is not in [0, 1], there is no rule with that many
/// points, or a pole of the integrand spoils the sum.
///
/// ```
/// use polhode::rotor::components::quadrature_pi;
/// let exact = polhode_elliptic::incomplete_pi(0.3, 0.8, 0.7)?;
/// assert!((quadrature_pi([0.0, 0.3], 0.8, 0.7, 8)? - exact).abs() < 1e-15);
/// # Ok::<(), polhode_elliptic::DomainError>(())
/// ```
pub fn quadrature_pi(
    [phi0, phi1]: [f64; 2],
    nc: f64,
    mc: f64,
    points: u32,
) -> Result<f64, DomainError> {
    let refuse =
        |argument, value, allowed| Err(DomainError::new("quadrature_pi", argument, value, allowed));
    for (name, x) in [("phi0", phi0), ("phi1", phi1), ("nc", nc)] {
        if !x.is_finite() {
            return refuse(name, x, "finite");
        }
    }
    if !(0.0..=1.0).contains(&mc) {
        return refuse("mc", mc, "0 to 1");
    }
    if !(1..=RULES.len()).contains(&(points as usize)) {
        return refuse("points", f64::from(points), "1 to 10");
    }
    let value = gauss_pi([phi0, phi1], nc, mc.sqrt(), points);
    if value.is_finite() {
        return Ok(value);
    }
    refuse("phi1", phi1, "an interval over which the rule meets no pole")
}
