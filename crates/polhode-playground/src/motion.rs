//! The motion that follows from the settings.

use polhode::{Errors, FreeMotion, Problem, Solution, SolveError, State};
use polhode_view::{Film, Page, PageRun, Solid};

use crate::Settings;

/// Fewer moments than a film on paper has: it is made while a slider moves.
const MOST: usize = 6000;

/// What solutions are compared with.
const REFERENCE: f64 = 1e-12;

/// A motion that is known at every time.
pub struct Motion {
    settings: Settings,
    problem: Problem,
    known: MotionForm,
}

enum MotionForm {
    Free(FreeMotion),
    Solved(Solution),
}

impl Motion {
    /// Solves the problem of the settings.
    ///
    /// # Errors
    /// What the library has to say about it.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let problem = settings.problem()?;
        let known = if problem.is_free() {
            MotionForm::Free(
                FreeMotion::new(problem.inertia(), problem.start()).map_err(|e| e.to_string())?,
            )
        } else {
            MotionForm::Solved(solved(&problem, settings.until, settings.tolerance)?)
        };
        Ok(Self { settings: settings.clone(), problem, known })
    }

    /// The state at a time.
    ///
    /// # Errors
    /// The library's message if the time is out of reach.
    pub fn at(&self, t: f64) -> Result<State, String> {
        match &self.known {
            MotionForm::Free(motion) => motion.at(t).map_err(|e| e.to_string()),
            MotionForm::Solved(solution) => solution.at(t).map_err(|e| e.to_string()),
        }
    }

    /// What the page shows of it.
    ///
    /// # Errors
    /// Why there is nothing to show.
    pub fn page(&self) -> Result<Page, String> {
        let inertia = self.problem.inertia();
        let until = self.settings.until;
        let run = match &self.known {
            MotionForm::Free(motion) => {
                let film = Film::free(motion, until, MOST).map_err(|e| e.to_string())?;
                PageRun::new("Your body", film).note(
                    "A free body: the motion is evaluated in closed form, exact at every time. No tolerance is needed.",
                )
            }
            MotionForm::Solved(solution) => {
                let film = Film::solution(inertia, solution, MOST).map_err(|e| e.to_string())?;
                let errors = self.errors(solution, &film);
                let told = solution.statistics();
                let run = PageRun::new("Your body", film).torqued(true).note(format!(
                    "Solved by {} to {:e}: {} steps, the torque evaluated {} times.",
                    solution.method(),
                    self.settings.tolerance,
                    told.steps,
                    told.evaluations
                ));
                match errors {
                    Some(errors) => run.watch_log(
                        "error",
                        format!(
                            "Error of the attitude in radians, against a solution to {REFERENCE:e}"
                        ),
                        errors,
                    ),
                    None => run,
                }
            }
        };
        let run = run.body(Solid::new(self.settings.acting().look, inertia));
        Ok(Page::new("Playground").run(run))
    }

    /// How far the attitude is from that of a better solution, at each moment; none if there is none.
    fn errors(&self, solution: &Solution, film: &Film) -> Option<Vec<f64>> {
        let better = solved(&self.problem, self.settings.until, REFERENCE).ok()?;
        let error =
            |t: f64| Some(Errors::of_attitude(solution.at(t).ok()?.q, better.at(t).ok()?.q));
        film.moments().iter().map(|moment| error(moment.t)).collect()
    }
}

fn solved(problem: &Problem, until: f64, tolerance: f64) -> Result<Solution, String> {
    match problem.solve(until, tolerance) {
        Err(SolveError::Rounding { .. } | SolveError::Sensitive { .. }) => Err(format!(
            "a tolerance of {tolerance:e} is not within reach of doubles over so long a time: choose a larger one, or \
             an earlier end"
        )),
        solved => solved.map_err(|e| e.to_string()),
    }
}
