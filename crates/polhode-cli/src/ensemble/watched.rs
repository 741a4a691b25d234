//! What the scenario watches of every body.

use polhode::ensemble::{BodySamples, Member};
use polhode::{Problem, Torque};
use polhode_scenario::WatchList;

/// Observables, and conditions as 1 where they hold and 0 elsewhere.
pub(super) struct WatchColumns<'a> {
    watching: &'a WatchList,
    torque: Torque,
}

impl<'a> WatchColumns<'a> {
    pub(super) fn new(watching: &'a WatchList, torque: Torque) -> Self {
        Self { watching, torque }
    }

    /// How many columns there are.
    pub(super) fn len(&self) -> usize {
        self.watching.columns.len() + self.watching.conditions.len()
    }

    /// The names of the columns: of the observables, then of the conditions.
    pub(super) fn names(&self) -> Vec<String> {
        let columns = self.watching.columns.iter().map(|(name, _)| name);
        columns.chain(self.watching.conditions.iter().map(|(name, _)| name)).cloned().collect()
    }

    /// The numbers of all bodies, one body after the other.
    pub(super) fn values(&self, samples: &BodySamples<'_>) -> Vec<f64> {
        let mut values = Vec::with_capacity(samples.len() * self.len());
        let Some(first) = samples.bodies().first() else { return values };
        let mut problem = Problem::new(first.inertia, first.start).torque(self.torque.clone());
        for (i, Member { inertia, .. }) in samples.bodies().iter().enumerate() {
            let (t, state) = (samples.t, samples.state(i));
            let moving = samples.inside(i);
            let (of, inside) = if let Some((of, inside)) = &moving {
                (of, &inside[..])
            } else {
                problem = problem.of_body(*inertia);
                (&problem, &[][..])
            };
            let columns = self.watching.columns.iter();
            values.extend(columns.map(|(_, o)| o.value_inside(of, t, &state, inside)));
            let conditions = self.watching.conditions.iter();
            let holds = |margin: f64| if margin > 0.0 { 1.0 } else { 0.0 };
            values.extend(conditions.map(|(_, c)| holds(c.margin_inside(of, t, &state, inside))));
        }
        values
    }
}
