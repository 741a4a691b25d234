//! What there is, in one place: read by command line, Python, C, documents and tests.

use crate::cite::Citation;
use crate::composition::{self, SCHEMES, Scheme};
use crate::method::{Derivatives, Keeps, METHODS, Method, Order, PRESETS};
use crate::parameters::{MethodParameter, Parameters};
use crate::rotor::{ROTORS, RotorOrder};
use crate::solve::SolveMethod;
use crate::torque::{Dependence, TORQUES, TorqueEntry};

/// Which table an entry stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// A composition of free motion and kicks: the first part of a pair like `rkn6-14+exact`.
    Scheme,
    /// A flow of the free body: the second part of a pair, or alone a method for free bodies.
    Rotor,
    /// A method that is not a splitting.
    Method,
    /// A name for a pair.
    Preset,
    /// A way to solve to a tolerance, without a step: [`SolveMethod`].
    Solver,
}

impl EntryKind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Rotor => "rotor",
            Self::Method => "method",
            Self::Preset => "preset",
            Self::Solver => "solver",
        }
    }
}

/// What can stand in the name of a method, with its default parameters; or a solver.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CatalogEntry {
    /// Which table it stands in.
    pub kind: EntryKind,
    /// Its name on the command line, in scenarios, Python and C.
    pub id: &'static str,
    /// One line on what it is; of a preset, the pair it stands for.
    pub title: &'static str,
    /// The order of the method; of a rotor, the lower one of momentum and attitude.
    pub order: Order,
    /// The orders of momentum and attitude, of a rotor.
    pub orders: Option<RotorOrder>,
    /// What it keeps; a scheme keeps what its rotor keeps.
    pub keeps: Option<Keeps>,
    /// The most general torque it accepts.
    pub accepts: Dependence,
    /// Whether ensembles run it in SIMD lanes; of a scheme, whether they do with a rotor that has lanes.
    pub in_lanes: bool,
    /// What its runs have derivatives by; of a scheme, with an exact rotor.
    pub derivatives: Derivatives,
    /// The scheme, for what only schemes have.
    pub scheme: Option<&'static Scheme>,
    /// What may follow the id.
    pub parameters: &'static [MethodParameter],
    /// The publications to cite for it.
    pub cites: Vec<Citation>,
}

/// Everything that has a name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Catalog {
    /// Schemes, rotors, other methods and presets, in this order.
    pub methods: Vec<CatalogEntry>,
    /// The ways to solve to a tolerance.
    pub solvers: Vec<CatalogEntry>,
    /// The models of torque, in the order in which they are listed.
    pub torques: &'static [&'static TorqueEntry],
}

impl Catalog {
    /// The rotors whose runs have derivatives by this at least, alone or with any scheme.
    pub fn rotors_with(&self, derivatives: Derivatives) -> Vec<&'static str> {
        let has = |rotor: &&CatalogEntry| rotor.derivatives >= derivatives;
        self.of(EntryKind::Rotor).filter(has).map(|rotor| rotor.id).collect()
    }

    /// Methods and solvers: whatever has an id.
    pub fn entries(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.methods.iter().chain(&self.solvers)
    }

    /// The entries of one table, in its order.
    pub fn of(&self, kind: EntryKind) -> impl Iterator<Item = &CatalogEntry> {
        self.entries().filter(move |entry| entry.kind == kind)
    }
}

/// Everything that has a name: schemes, rotors, methods, presets, solvers, torques.
///
/// ```
/// let exact = polhode::catalog().methods.into_iter().find(|entry| entry.id == "exact").unwrap();
/// assert!(exact.in_lanes && exact.keeps.unwrap().energy);
/// ```
pub fn catalog() -> Catalog {
    let schemes = SCHEMES.iter().map(|scheme| CatalogEntry {
        kind: EntryKind::Scheme,
        id: &scheme.id,
        title: &scheme.title,
        order: Order::Of(scheme.order),
        orders: None,
        keeps: None,
        accepts: scheme.accepts(),
        in_lanes: true,
        derivatives: Derivatives::Inertia,
        scheme: Some(scheme),
        parameters: composition::PARAMETERS,
        cites: scheme.cites.to_vec(),
    });
    let rotors = ROTORS.iter().map(|rotor| {
        let orders = (rotor.order)(&Parameters::defaults(rotor.parameters));
        CatalogEntry {
            kind: EntryKind::Rotor,
            id: rotor.id,
            title: rotor.title,
            order: orders.momentum.min(orders.attitude),
            orders: Some(orders),
            keeps: Some(rotor.keeps),
            accepts: Dependence::None,
            in_lanes: rotor.in_lanes(),
            derivatives: rotor.derivatives(&Parameters::defaults(rotor.parameters)),
            scheme: None,
            parameters: rotor.parameters,
            cites: rotor.cites.to_vec(),
        }
    });
    let methods = METHODS.iter().map(|method| CatalogEntry {
        kind: EntryKind::Method,
        id: method.id,
        title: method.title,
        order: (method.order)(&Parameters::defaults(method.parameters)),
        orders: None,
        keeps: Some(method.keeps),
        accepts: method.accepts,
        in_lanes: false,
        derivatives: Derivatives::None,
        scheme: None,
        parameters: method.parameters,
        cites: method.cites.to_vec(),
    });
    let presets = PRESETS.iter().filter_map(|&(id, pair)| {
        let method = Method::parse(pair).ok()?;
        Some(CatalogEntry {
            kind: EntryKind::Preset,
            id,
            title: pair,
            order: method.order(),
            orders: None,
            keeps: Some(method.keeps()),
            accepts: method.accepts(),
            in_lanes: method.runs_in_lanes(),
            derivatives: method.derivatives(),
            scheme: None,
            parameters: &[],
            cites: method.cites(),
        })
    });
    Catalog {
        methods: schemes.chain(rotors).chain(methods).chain(presets).collect(),
        solvers: SolveMethod::ALL.map(SolveMethod::entry).to_vec(),
        torques: TORQUES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_there_once_and_can_be_parsed() {
        let all = catalog();
        assert_eq!(all.of(EntryKind::Preset).count(), PRESETS.len());
        for (i, entry) in all.methods.iter().enumerate() {
            assert!(all.methods[..i].iter().all(|other| other.id != entry.id), "{}", entry.id);
            let text = match entry.kind {
                EntryKind::Scheme => format!("{}+exact", entry.id),
                _ => entry.id.to_owned(),
            };
            let method = Method::parse(&text).unwrap();
            assert_eq!(method.runs_in_lanes(), entry.in_lanes, "{text}");
            assert_eq!(method.accepts(), entry.accepts, "{text}");
            assert_eq!(method.derivatives(), entry.derivatives, "{text}");
        }
        for (solver, method) in all.of(EntryKind::Solver).zip(SolveMethod::ALL) {
            assert_eq!(solver.id.parse::<SolveMethod>().unwrap(), method);
            assert!(all.methods.iter().all(|other| other.id != solver.id), "{}", solver.id);
            let known = solver.cites.iter().all(|cite| cite.bibtex().is_some());
            assert!(known && !solver.cites.is_empty(), "{}", solver.id);
        }
        assert_eq!(all.of(EntryKind::Solver).count(), SolveMethod::ALL.len());
    }
}
