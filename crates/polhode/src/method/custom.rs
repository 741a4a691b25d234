//! Methods of the user's own.

use core::fmt;

use super::{Keeps, Method, Order, Rkmk, Stepper, Tableau};
use crate::cite::Citation;
use crate::problem::Problem;

type StepperMaker = Box<dyn Fn(&Problem) -> Box<dyn Stepper> + Send + Sync>;

/// A method that is not in the tables: a name, what is claimed for it, and how to build it.
///
/// ```
/// use polhode::cite::Citation;
/// use polhode::method::{Custom, Method, Order, Rkmk, Tableau};
/// let heun = Tableau::new(&[&[0.0, 0.0], &[1.0, 0.0]], &[0.5, 0.5], &[0.0, 1.0])?;
/// let mine = Custom::new("heun", Order::Of(2), move |_| Box::new(Rkmk::new(heun)));
/// let mine: Method = mine.citing(&[Citation { key: "MuntheKaas1998", at: "" }]).into();
/// assert_eq!(mine.to_string(), "heun");
/// assert!(mine.cites()[0].bibtex().is_some());
/// # Ok::<(), polhode::method::TableauError>(())
/// ```
pub struct Custom {
    pub(super) id: String,
    pub(super) order: Order,
    pub(super) keeps: Keeps,
    pub(super) cites: Vec<Citation>,
    pub(super) build: StepperMaker,
}

impl Custom {
    /// The method of that name and order; it claims to keep nothing, and takes any torque.
    pub fn new(
        id: impl Into<String>,
        order: Order,
        build: impl Fn(&Problem) -> Box<dyn Stepper> + Send + Sync + 'static,
    ) -> Self {
        let keeps = Keeps::NOTHING;
        Self { id: id.into(), order, keeps, cites: Vec::new(), build: Box::new(build) }
    }

    /// The Munthe-Kaas Runge-Kutta method of a tableau, said to have that order.
    pub fn tableau(id: impl Into<String>, order: u32, tableau: Tableau) -> Self {
        let new = Self::new(id, Order::Of(order), move |_| Box::new(Rkmk::new(tableau)));
        new.keeping(super::rkmk::ENTRY.keeps).citing(super::rkmk::ENTRY.cites)
    }

    /// Says what the method keeps.
    #[must_use]
    pub fn keeping(self, keeps: Keeps) -> Self {
        Self { keeps, ..self }
    }

    /// Says which publications to cite for it, out of the library's [`REFERENCES`](crate::cite::REFERENCES).
    #[must_use]
    pub fn citing(self, cites: &[Citation]) -> Self {
        Self { cites: cites.to_vec(), ..self }
    }
}

impl From<Custom> for Method {
    fn from(custom: Custom) -> Self {
        Self::custom(custom)
    }
}

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Custom")
            .field("id", &self.id)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}
