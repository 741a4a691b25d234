//! One free step of many bodies: what a loop of the user's own calls.

use polhode_number::{AvailableWidth, Kernel, PackedNumber};

use super::EnsembleError;
use super::advance::{InLanes, load, store};
use super::block::constants;
use super::rotors::{KernelUser, LaneRotor};
use super::sink::{CELL, Cell, CellColumn};
use crate::columns::Columns;
use crate::inertia::AxesKind;
use crate::method::{FreeFlow, Method, MethodError, StepError};
use crate::rotor::LaneKernel;
use crate::rotor::unit_step::UnitKernel;
use crate::rotor::{ROTORS, Rotor};
use crate::{Inertia, InertiaOver, IntoMethod, State};

/// One free step of many bodies, each of its own length: a rotor over bodies, in SIMD lanes if it has them.
///
/// Each body has the bits that [`Rotor::step`] of a new rotor would give it.
///
/// ```
/// use polhode::ensemble::FreeStep;
/// use polhode::{Inertia, State};
/// let inertia = Inertia::principal([1.0, 2.0, 2.5])?;
/// let mut states = [State::aligned([0.1, 1.0, 0.2])?, State::aligned([0.3, 0.0, 2.0])?];
/// FreeStep::new("exact")?.step(&[inertia], &[0.01, 0.02], &mut states)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FreeStep {
    rotor: Method,
    width: AvailableWidth,
}

impl FreeStep {
    /// With that rotor, a text or a value: `exact`, `dmv:order=6`, `frb-matrix`.
    ///
    /// # Errors
    /// [`MethodError`] if there is no such rotor.
    pub fn new(rotor: impl IntoMethod) -> Result<Self, MethodError> {
        let unknown = |id: String| MethodError::Unknown {
            what: "rotor",
            id,
            known: ROTORS.iter().map(|entry| entry.id).collect(),
        };
        let rotor = rotor.into_method().map_err(|error| match error {
            MethodError::Unknown { id, .. } | MethodError::SchemeAlone { id } => unknown(id),
            other => other,
        })?;
        if rotor.as_splitting().is_none_or(|parts| parts.scheme.is_some()) {
            return Err(unknown(rotor.to_string()));
        }
        Ok(Self { rotor, width: AvailableWidth::widest() })
    }

    /// Advances every state by a step. `inertia` and `h` are those of each body, or one for all.
    ///
    /// # Errors
    /// [`EnsembleError`] if there are more or fewer of these, or naming the first body that could not be
    /// moved; those that could not are left where they were, the others have moved.
    pub fn step(
        &self,
        inertia: &[Inertia],
        h: &[f64],
        states: &mut [State],
    ) -> Result<(), EnsembleError> {
        let bodies = states.len();
        for (field, given) in [("inertia", inertia.len()), ("h", h.len())] {
            if given != 1 && given != bodies {
                let needed = format!("1 or {bodies}");
                return Err(EnsembleError::Length { field, given, bodies, needed });
            }
        }
        let mut left: Vec<usize> = Vec::new();
        match LaneKernel::of(&self.rotor) {
            Some((kernel, _)) => {
                self.width.run(OneStep { kernel, inertia, h, states, left: &mut left });
            }
            None => left.extend(0..bodies),
        }
        self.one_by_one(inertia, h, states, &left)
    }

    /// The bodies that are left, by the rotor as it is for one body.
    fn one_by_one(
        &self,
        inertia: &[Inertia],
        h: &[f64],
        states: &mut [State],
        left: &[usize],
    ) -> Result<(), EnsembleError> {
        let Some(parts) = self.rotor.as_splitting() else { return Ok(()) };
        let mut built: Option<(&Inertia, Box<dyn Rotor>)> = None;
        let mut first = None;
        for &body in left {
            let (of, h) = (one_of(inertia, body), *one_of(h, body));
            let rotor = match &mut built {
                Some((known, rotor)) if *known == of => rotor,
                other => {
                    let rotor = (parts.rotor.entry.build)(of, &parts.rotor.parameters);
                    &mut other.insert((of, rotor)).1
                }
            };
            rotor.reset();
            let mut next = states[body];
            let stepped = rotor.step(h, &mut next);
            let stepped = stepped.and_then(|()| {
                let fine = next.is_finite();
                let momentum = states[body].m.to_array();
                if fine { Ok(()) } else { Err(StepError::OutOfRange { h, momentum }) }
            });
            match stepped {
                Ok(()) => states[body] = next,
                Err(source) => {
                    first.get_or_insert(EnsembleError::OneStep { body: body as u64, source });
                }
            }
        }
        first.map_or(Ok(()), Err)
    }
}

/// The value of a body, or the one value that all bodies share.
#[inline(always)]
fn one_of<T>(values: &[T], body: usize) -> &T {
    if values.len() == 1 { &values[0] } else { &values[body] }
}

/// The step in lanes; who is left by it for the rotor of one body.
struct OneStep<'a> {
    kernel: LaneKernel,
    inertia: &'a [Inertia],
    h: &'a [f64],
    states: &'a mut [State],
    left: &'a mut Vec<usize>,
}

impl Kernel for OneStep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: PackedNumber>(self) {
        self.kernel.with::<L>(self);
    }
}

impl KernelUser for OneStep<'_> {
    #[inline(always)]
    fn with<L: PackedNumber, K: UnitKernel>(self, layout: &K) {
        let Self { kernel, inertia, h, states, left } = self;
        let mut body = CellConstants::default();
        for (index, states) in states.chunks_mut(CELL).enumerate() {
            let first = index * CELL;
            body.update(kernel, inertia, (first, states.len()));
            let (mut cell, mut steps): (Cell, CellColumn) = (Cell::EMPTY, [0.0; CELL]);
            for (lane, step) in steps.iter_mut().enumerate() {
                // The last cell is filled up with copies of the last body.
                let place = lane.min(states.len() - 1);
                cell.set(lane, &states[place]);
                *step = *one_of(h, first + place);
            }
            let axes = InertiaOver::new(one_of(inertia, first)).among(body.axes);
            let (mut at, mut done) = (0, 0);
            while at < CELL {
                let mut columns = Columns::new(&body.columns, at);
                let inertia: InertiaOver<L> = axes.map(&mut columns);
                let mut drift = InLanes { inertia, rotor: LaneRotor::read(layout, &mut columns) };
                let mut point = load::<L>(&cell, at);
                // Lanes never fail as a whole.
                if let Ok(moved) = drift.drift(L::load(&steps[at..]), &mut point, &mut None) {
                    done |= L::bits(moved) << at;
                }
                store(&point, &mut cell, at);
                at += L::WIDTH;
            }
            for (lane, state) in states.iter_mut().enumerate() {
                if done & (1 << lane) != 0 {
                    *state = cell.state(lane);
                } else {
                    left.push(first + lane);
                }
            }
        }
    }
}

/// The constants of a cell, made anew only for other bodies.
struct CellConstants<'a> {
    columns: Vec<CellColumn>,
    axes: AxesKind,
    /// The inertia of all bodies of the cell, if it is one.
    of_all: Option<&'a Inertia>,
}

impl Default for CellConstants<'_> {
    fn default() -> Self {
        Self { columns: Vec::new(), axes: AxesKind::Sorted, of_all: None }
    }
}

impl<'a> CellConstants<'a> {
    #[inline(never)]
    fn update(
        &mut self,
        kernel: LaneKernel,
        inertia: &'a [Inertia],
        (first, count): (usize, usize),
    ) {
        let of = |lane: usize| one_of(inertia, first + lane.min(count - 1));
        let shared = inertia.len() == 1 || (1..count).all(|lane| of(lane) == of(0));
        if shared && self.of_all == Some(of(0)) {
            return;
        }
        let axes = (0..count).map(|lane| of(lane).kind_of_axes()).max();
        self.axes = axes.unwrap_or(AxesKind::Sorted);
        self.columns = constants(kernel, self.axes, of);
        self.of_all = shared.then(|| of(0));
    }
}
