//! Compositions: how a step is split into free motion and kicks, as data.
//!
//! A scheme is a list of stages, applied in order: free motion for a part of the step (*drift*),
//! torque for a part of it with the attitude standing still (*kick*), or a kick whose torque also
//! contains the gradient of its own square. With a [`crate::rotor`] for the drifts it makes a method:
//! `rkn6-14+exact`.
//!
//! # Orders
//! A scheme of order p has an error of h^p in everything. For a torque of size e beside the free
//! motion, an order (8,6,4) means e h^8 + e² h^6 + e³ h^4: far better than its order 4 where e is
//! small. Schemes for *torques of the attitude* use that three kicks commute with one drift, which is
//! lost if the torque depends on the momentum; they would quietly drop to order 4 or less, so they
//! refuse such torques.

mod schemes;

pub use schemes::SCHEMES;

use std::borrow::Cow;

use crate::cite::Citation;
use crate::parameters::{MethodParameter, ParameterKind};
use crate::torque::Dependence;

/// A part of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Stage {
    /// Free motion over this part of the step.
    Drift(f64),
    /// The torque's impulse over this part of the step.
    Kick(f64),
    /// The impulse of the potential b V - c h² W with W = torque . I^-1 torque; (b, c). For torques that
    /// do not depend on the momentum.
    Gradient(f64, f64),
}

/// A composition of free motion and kicks: one of the library's, or the user's own.
///
/// ```
/// use polhode::composition::{Scheme, Stage};
/// use polhode::method::Method;
/// let stages = [Stage::Kick(0.5), Stage::Drift(1.0), Stage::Kick(0.5)];
/// let mine = Method::splitting(Scheme::new("mine", 2, stages)?, "exact")?;
/// assert_eq!(mine.to_string(), "mine+exact");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Scheme {
    /// Its name on the command line, in scenarios, Python and C.
    pub id: Cow<'static, str>,
    /// One line on what it is.
    pub title: Cow<'static, str>,
    /// The order for a torque of any size.
    pub order: u32,
    /// Its order conditions hold for torques that do not depend on the momentum only.
    pub torques_of_attitude_only: bool,
    /// It is a sequence of Strang steps: with any symmetric rotor it has its full order, also where the
    /// rotor's own is less.
    pub of_strang_steps: bool,
    /// The stages of a step.
    pub stages: Cow<'static, [Stage]>,
    /// The publications to cite for it.
    pub cites: &'static [Citation],
}

/// What can be wrong with a scheme.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemeError {
    /// A name that is empty, or could not be told from that of a scheme with a rotor.
    #[error("scheme id {id:?}: must be a word without spaces, '+', ':' and '='")]
    Id {
        /// The name that was given.
        id: String,
    },
    /// A coefficient is infinite or NaN.
    #[error("scheme {id}: stage {stage} has the coefficient {value:?}; it must be finite")]
    NotFinite {
        /// The name of the scheme.
        id: String,
        /// Which stage, counted from 1.
        stage: usize,
        /// The coefficient that is infinite or NaN.
        value: f64,
    },
    /// There is no stage.
    #[error("scheme {id}: no stages given; it must have drifts and kicks")]
    NoStages {
        /// The name of the scheme.
        id: String,
    },
    /// Drifts or kicks that are not those of a whole step.
    #[error("scheme {id}: its {part} add up to {sum:?}; they must add up to 1")]
    Sum {
        /// The name of the scheme.
        id: String,
        /// `drifts` or `kicks`.
        part: &'static str,
        /// What they add up to.
        sum: f64,
    },
    /// An order of zero.
    #[error("scheme {id}: order 0; it must be at least 1")]
    Order {
        /// The name of the scheme.
        id: String,
    },
}

/// How far the sum of a scheme's coefficients may be from one, relative to the sum of their sizes: a
/// coefficient may come from a table of twelve digits.
const SUM_TOLERANCE: f64 = 1e-12;

/// What may follow the id of a scheme.
pub const PARAMETERS: &[MethodParameter] = &[MethodParameter {
    name: "compensated",
    doc: "Carry the digits that adding a kick to the momentum drops.",
    kind: ParameterKind::Flag,
}];

impl Scheme {
    /// A scheme of the user's own: its name, its order, and the stages of a step in the order in which they
    /// are applied. It is taken to hold for torques of any kind, unless a stage needs the derivative of
    /// the torque; the order is believed, not measured ([`compare`] and the like measure).
    ///
    /// [`compare`]: https://docs.rs/polhode-verify
    ///
    /// # Errors
    /// [`SchemeError`] if the name is empty or has spaces, '+', ':' or '=', the order is zero, there are no stages, a
    /// coefficient is not finite, or drifts or kicks do not add up to one.
    pub fn new(
        id: impl Into<String>,
        order: u32,
        stages: impl Into<Vec<Stage>>,
    ) -> Result<Self, SchemeError> {
        let (id, stages) = (id.into(), stages.into());
        if id.is_empty() || id.contains(|c: char| c.is_whitespace() || "+:=".contains(c)) {
            return Err(SchemeError::Id { id });
        }
        if order == 0 {
            return Err(SchemeError::Order { id });
        }
        if stages.is_empty() {
            return Err(SchemeError::NoStages { id });
        }
        let (mut drifts, mut kicks) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (i, stage) in stages.iter().enumerate() {
            let (sums, coefficient, further) = match *stage {
                Stage::Drift(a) => (&mut drifts, a, 0.0),
                Stage::Kick(b) => (&mut kicks, b, 0.0),
                Stage::Gradient(b, c) => (&mut kicks, b, c),
            };
            if let Some(value) = [coefficient, further].into_iter().find(|x| !x.is_finite()) {
                return Err(SchemeError::NotFinite { id, stage: i + 1, value });
            }
            sums[0] += coefficient;
            sums[1] += coefficient.abs();
        }
        for (part, [sum, size]) in [("drifts", drifts), ("kicks", kicks)] {
            if !sum.is_finite() || (sum - 1.0).abs() > SUM_TOLERANCE * size.max(1.0) {
                return Err(SchemeError::Sum { id, part, sum });
            }
        }
        Ok(Self {
            id: id.into(),
            title: "a scheme of the user's own".into(),
            order,
            torques_of_attitude_only: false,
            of_strang_steps: false,
            stages: stages.into(),
            cites: &[],
        })
    }

    /// Refuses torques that depend on the momentum.
    #[must_use]
    pub fn for_torques_of_attitude(self) -> Self {
        Self { torques_of_attitude_only: true, ..self }
    }

    /// The most general torque for which the order conditions hold.
    pub fn accepts(&self) -> Dependence {
        // W = torque . I^-1 torque of a gradient is no potential if it changes with the momentum.
        let attitude_only = self.torques_of_attitude_only || self.needs_gradient();
        if attitude_only { Dependence::Attitude } else { Dependence::Momentum }
    }

    /// True if some stage needs the derivative of the torque.
    pub fn needs_gradient(&self) -> bool {
        self.stages.iter().any(|s| matches!(s, Stage::Gradient(..)))
    }

    /// True if the stages read the same backwards: then a step back undoes a step.
    pub fn is_symmetric(&self) -> bool {
        let n = self.stages.len();
        (0..n / 2).all(|i| self.stages[i] == self.stages[n - 1 - i])
    }

    /// Kicks a step costs in a run, a first one that repeats the last one not counted.
    pub fn kicks(&self) -> usize {
        use Stage::{Drift, Gradient, Kick};
        let kicks = self.stages.iter().filter(|s| !matches!(s, Drift(_))).count();
        let repeats = matches!(
            &*self.stages,
            [Kick(_), .., Kick(_) | Gradient(..)] | [Gradient(..), .., Gradient(..)]
        );
        kicks - usize::from(repeats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_to_a_step() {
        for scheme in SCHEMES {
            let (mut drift, mut kick) = (0.0, 0.0);
            for stage in &*scheme.stages {
                match stage {
                    Stage::Drift(a) => drift += a,
                    Stage::Kick(b) | Stage::Gradient(b, _) => kick += b,
                }
            }
            assert!((drift - 1.0_f64).abs() < 2e-15, "{}: {drift}", scheme.id);
            assert!((kick - 1.0_f64).abs() < 2e-15, "{}: {kick}", scheme.id);
        }
    }

    #[test]
    fn only_processed_schemes_are_not_symmetric() {
        for scheme in SCHEMES {
            let processed = ["ti4", "plf764"].contains(&&*scheme.id);
            assert_eq!(scheme.is_symmetric(), !processed, "{}", scheme.id);
        }
    }

    #[test]
    fn names_are_unique_and_cited() {
        for (i, scheme) in SCHEMES.iter().enumerate() {
            assert!(SCHEMES[..i].iter().all(|s| s.id != scheme.id), "{}", scheme.id);
            for cite in scheme.cites {
                assert!(cite.bibtex().is_some(), "{}: {}", scheme.id, cite.key);
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_scheme_is_named() {
        use Stage::{Drift, Gradient, Kick};
        let text = |id: &str, order, stages: &[Stage]| {
            Scheme::new(id, order, stages).unwrap_err().to_string()
        };
        let strang = [Kick(0.5), Drift(1.0), Kick(0.5)];
        assert!(Scheme::new("mine", 2, strang).is_ok());
        let found = text("a+b", 2, &strang);
        assert_eq!(found, "scheme id \"a+b\": must be a word without spaces, '+', ':' and '='");
        assert_eq!(text("mine", 0, &strang), "scheme mine: order 0; it must be at least 1");
        let found = text("mine", 2, &[Kick(0.5), Drift(1.0)]);
        assert_eq!(found, "scheme mine: its kicks add up to 0.5; they must add up to 1");
        let found = text("mine", 2, &[]);
        assert_eq!(found, "scheme mine: no stages given; it must have drifts and kicks");
        let found = text("mine", 2, &[Drift(1.0), Gradient(1.0, f64::NAN)]);
        assert_eq!(found, "scheme mine: stage 2 has the coefficient NaN; it must be finite");
    }

    /// Times and weights of the kicks, and their gradients.
    fn kicks(scheme: &Scheme) -> Vec<[f64; 3]> {
        let (mut kicks, mut time) = (Vec::new(), 0.0);
        for stage in &*scheme.stages {
            match *stage {
                Stage::Drift(a) => time += a,
                Stage::Kick(b) => kicks.push([time, b, 0.0]),
                Stage::Gradient(b, c) => kicks.push([time, b, c]),
            }
        }
        kicks
    }

    /// What is wrong in e² with the terms [F^k K, F^l K]/(k! l!): double sums over the kicks for double
    /// integrals, and the gradients.
    fn square_defect(kicks: &[[f64; 3]], k: i32, l: i32) -> f64 {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        let (x, y) = (f64::from(k), f64::from(l));
        let mut sum = (x - y) / ((x + 1.0) * (y + 1.0) * (x + y + 2.0));
        for (i, &[t1, b1, c]) in kicks.iter().enumerate() {
            sum += 2.0 * (y - x) * c * t1.powi(k + l - 1);
            for &[t2, b2, _] in &kicks[i + 1..] {
                sum += b1 * b2 * (t1.powi(k) * t2.powi(l) - t1.powi(l) * t2.powi(k));
            }
        }
        sum / (factorial(k) * factorial(l))
    }

    #[test]
    fn generalised_orders_of_gradient_schemes() {
        let cases = [("sabac3", 6), ("sabac4", 8), ("sbabg4", 8), ("sbabg6", 12), ("chin4b", 4)];
        for (id, order) in cases {
            let scheme = SCHEMES.iter().find(|s| s.id == id).unwrap();
            let kicks = kicks(scheme);
            // In e the scheme is a quadrature over the step.
            let defect = |k: i32| {
                let sum: f64 = kicks.iter().map(|[t, b, _]| b * (t - 0.5).powi(k)).sum();
                (sum - 0.5_f64.powi(k) * f64::from((k + 1) % 2) / f64::from(k + 1)).abs()
            };
            assert!((0..order).all(|k| defect(k) < 1e-16 + 3e-16 * 0.5_f64.powi(k)), "{id}");
            assert!(defect(order) > 1e-9, "{id}: {:e}", defect(order));
            // In e² the error of h² is gone.
            let square = square_defect(&kicks, 0, 1);
            assert!(square.abs() < 2e-16, "{id}: {square:e}");
        }
    }

    #[test]
    fn gradients_of_lobatto_schemes_are_the_best() {
        for (id, moments) in [("sbabg4", 1), ("sbabg6", 2)] {
            let scheme = SCHEMES.iter().find(|s| s.id == id).unwrap();
            let kicks = kicks(scheme);
            for j in 1..=moments {
                // Stationary: no gradient lessens the sum of the squares of this degree.
                let terms = |k: i32| {
                    let l = 2 * j + 1 - k;
                    let weight: i32 = (1..=k).product::<i32>() * (1..=l).product::<i32>();
                    (square_defect(&kicks, k, l), f64::from(l - k) / f64::from(weight))
                };
                let slope: f64 = (0..=j).map(|k| terms(k).0 * terms(k).1).sum();
                let size: f64 = (0..=j).map(|k| (terms(k).0 * terms(k).1).abs()).sum();
                assert!(slope.abs() < 1e-9 * size, "{id}: {slope:e} of {size:e}");
            }
        }
    }
}
