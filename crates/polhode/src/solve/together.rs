//! Many bodies under the same torque: their steps are made side by side, each as long as its body wants it.

use std::sync::Arc;

use super::SolveError;
use super::course::Course;
use super::drive::{Run, finite_rate};
use super::engine::{Attempt, BODIES, BodyLanes, Engine, FEW, Node};
use super::solver::Solver;
use crate::State;

/// A body on its way.
struct Traveller<'s, 'a> {
    /// Which one it is.
    index: usize,
    run: Run<'s, 'a>,
    engine: Arc<dyn Engine>,
    stops: Vec<f64>,
    course: Course,
    /// Where the next step starts, and where one that is tried leads to: taken by turns.
    nodes: [Node; 2],
    turn: usize,
}

/// The states of a body at the times asked for.
type BodyResult = Result<Vec<State>, SolveError>;

/// Solves for each until this time; all have the same torque, and no events. The bits are those of each alone. Whenever
/// one is done, that is told.
pub(crate) fn solve_all(
    solvers: &mut [Solver<'_>],
    until: f64,
    tell: &dyn Fn(),
) -> Vec<BodyResult> {
    let mut solved: Vec<BodyResult> = Vec::new();
    solved.resize_with(solvers.len(), || Ok(Vec::new()));
    let mut travellers = Vec::with_capacity(solvers.len());
    for (index, solver) in solvers.iter_mut().enumerate() {
        match Traveller::new(index, solver, until) {
            Ok(traveller) => travellers.push(traveller),
            Err(error) => note(&mut solved[index], Err(error), tell),
        }
    }
    let mut kinds: Vec<_> = travellers.iter().map(|it| it.engine.kind()).map(Some).collect();
    while let Some(first) = kinds.iter().position(Option::is_some) {
        let kind = kinds[first];
        let lanes = Arc::clone(&travellers[first].engine).lanes();
        let mut queue = Vec::new();
        for (i, other) in kinds.iter_mut().enumerate().filter(|(_, other)| **other == kind) {
            *other = None;
            queue.push(i);
        }
        Group { travellers: &mut travellers, solved: &mut solved, queue, tell }.solve(lanes);
    }
    solved
}

/// Notes what became of a body. One that was stopped on its way is not done.
fn note(place: &mut BodyResult, solved: BodyResult, tell: &dyn Fn()) {
    if !matches!(solved, Err(SolveError::Stopped(_))) {
        tell();
    }
    *place = solved;
}

impl<'s, 'a> Traveller<'s, 'a> {
    #[inline(always)]
    fn new(index: usize, solver: &'s mut Solver<'a>, until: f64) -> Result<Self, SolveError> {
        solver.check(until)?;
        let speed = solver.speed(&solver.problem.start());
        let aim = solver.aim(until, speed).map_err(|error| solver.reason(error))?;
        let mut run = Run::new(solver, &mut [], until, (aim, speed));
        let at = run.begin()?;
        let engine = run.engine(at)?;
        let node = engine.enter(at.0, &at.1, &mut run.scratch);
        let rate = finite_rate(&*engine, at.0, &node)?;
        let stops = run.stops(at.0);
        let course = run.course(&engine, at.0, (&node, rate), &stops)?;
        Ok(Self { index, run, engine, stops, course, nodes: [node; 2], turn: 0 })
    }

    /// Whether there is a step to be made.
    fn goes_on(&mut self) -> bool {
        let Self { run, engine, stops, course, nodes, turn, .. } = self;
        course.has_next(&**engine, stops, &mut nodes[*turn], &mut run.scratch)
    }

    /// The step to be tried next.
    fn attempt(&self) -> Attempt<'_> {
        self.course.attempt(&self.nodes[self.turn])
    }

    /// What became of the step in that lane.
    fn look(&mut self, lane: usize, lanes: &dyn BodyLanes) -> Result<(), SolveError> {
        let Self { run, engine, course, nodes, turn, .. } = self;
        let [node, next] = if *turn == 0 { nodes.each_mut() } else { reversed(nodes) };
        let outcome = lanes.outcome(lane, &course.attempt(node), &mut run.scratch);
        if outcome.ratio <= 1.0 {
            lanes.end(lane, next);
            run.accept(engine, course, outcome, [node, next])?;
            *turn = 1 - *turn;
            return Ok(());
        }
        run.reject(engine, course, outcome, node)
    }

    /// Makes all steps that are left.
    fn go_alone(&mut self) -> Result<(), SolveError> {
        let Self { run, engine, stops, course, nodes, turn, .. } = self;
        run.steps(engine, stops, course, &mut nodes[*turn]).map(drop)
    }
}

fn reversed(nodes: &mut [Node; 2]) -> [&mut Node; 2] {
    let [first, second] = nodes;
    [second, first]
}

/// Bodies of one kind, among others.
struct Group<'g, 's, 'a> {
    travellers: &'g mut [Traveller<'s, 'a>],
    solved: &'g mut [BodyResult],
    /// Those that have not started.
    queue: Vec<usize>,
    tell: &'g dyn Fn(),
}

impl Group<'_, '_, '_> {
    fn solve(mut self, lanes: Option<Box<dyn BodyLanes>>) {
        if let Some(mut lanes) = lanes.filter(|_| self.queue.len() > FEW) {
            self.side_by_side(&mut *lanes);
        }
        while let Some(i) = self.queue.pop() {
            let went = self.travellers[i].go_alone();
            self.end(i, went);
        }
    }

    /// Until few are left, which are in the queue again.
    fn side_by_side(&mut self, lanes: &mut dyn BodyLanes) {
        let mut places = [None; BODIES];
        loop {
            for (lane, place) in places.iter_mut().enumerate() {
                *place = self.next_step(lane, *place, lanes);
            }
            if places.iter().flatten().count() <= FEW {
                self.queue = places.into_iter().flatten().collect();
                return;
            }
            lanes.run();
            for (lane, place) in places.iter_mut().enumerate() {
                let Some(i) = *place else { continue };
                if let Err(error) = self.travellers[i].look(lane, lanes) {
                    self.end(i, Err(error));
                    *place = None;
                }
            }
        }
    }

    /// Prepares the next step in a lane: of the body there, or if it is at its end, of the next that waits.
    fn next_step(
        &mut self,
        lane: usize,
        mut place: Option<usize>,
        lanes: &mut dyn BodyLanes,
    ) -> Option<usize> {
        loop {
            let i = if let Some(i) = place {
                i
            } else {
                let next = self.queue.pop()?;
                lanes.place(lane, &self.travellers[next].engine);
                next
            };
            let traveller = &mut self.travellers[i];
            if traveller.goes_on() {
                let Attempt { t, h, from, .. } = traveller.attempt();
                lanes.set(lane, t, h, from);
                return Some(i);
            }
            self.end(i, Ok(()));
            place = None;
        }
    }

    /// A body has come to its end, or to where it could not go on.
    fn end(&mut self, i: usize, went: Result<(), SolveError>) {
        let Traveller { index, run, .. } = &mut self.travellers[i];
        let solved = match went {
            Ok(()) => Ok(run.take_states()),
            Err(error) => Err(run.solver.reason(error)),
        };
        note(&mut self.solved[*index], solved, self.tell);
    }
}
