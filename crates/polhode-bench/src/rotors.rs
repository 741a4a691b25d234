//! The cost of a step: of every rotor, and of every method.

use std::hint::black_box;

use polhode::glam::{DQuat, DVec3};
use polhode::method::{METHODS, Method, PRESETS};
use polhode::rotor::{self, Rotor};
use polhode::torque::HeavyTop;
use polhode::{FreeMotion, Inertia, Problem, State, StepError};

use crate::effort::Effort;
use crate::report::Report;
use crate::timing::{Entrant, race};
use crate::{Failure, bodies};

/// Steps of a round: long against what it costs to begin one with another's instructions in the cache.
const STEPS: u32 = 400;

/// Name in the report, and specification.
const ROTORS: [(&str, &str); 15] = [
    ("dmv10", "dmv:order=10:solver=fixed-point"),
    ("dmv10-newton", "dmv:order=10"),
    ("dmv10-compensated", "dmv:order=10:compensated"),
    ("dmv20", "dmv:order=20"),
    ("exact", "exact"),
    ("three-rotations", "three-rotations"),
    ("midpoint-attitude", "midpoint-attitude"),
    ("semi-exact3", "semi-exact:nodes=3"),
    ("semi-exact5", "semi-exact:nodes=5"),
    ("semi-exact-hermite", "semi-exact:rule=hermite"),
    ("frb-matrix", "frb-matrix"),
    ("frb-quaternion", "frb-quaternion"),
    ("frb-vanzon", "frb-vanzon"),
    ("jacobi-standard", "jacobi-standard"),
    ("jacobi-vilmart", "jacobi-vilmart"),
];

/// Those that are compared on every body of the papers.
const COMPARED: [&str; 4] = ["dmv10", "dmv10-newton", "exact", "frb-quaternion"];

/// The classical Runge-Kutta method on (m, q) for free bodies and nothing else: the cheapest step
/// that others are held against. The library's own `rk4` also keeps the quaternion's length.
pub(crate) struct Rk4 {
    inverse: DVec3,
}

impl Rk4 {
    pub(crate) fn new(inertia: &Inertia) -> Self {
        Self { inverse: inertia.moments().recip() }
    }

    fn slope(&self, m: DVec3, q: DQuat) -> (DVec3, DQuat) {
        let omega = m * self.inverse;
        (m.cross(omega), q * DQuat::from_xyzw(omega.x, omega.y, omega.z, 0.0) * 0.5)
    }
}

impl Rotor for Rk4 {
    fn step(&mut self, h: f64, s: &mut State) -> Result<(), StepError> {
        let (m1, q1) = self.slope(s.m, s.q);
        let (m2, q2) = self.slope(s.m + m1 * (0.5 * h), s.q + q1 * (0.5 * h));
        let (m3, q3) = self.slope(s.m + m2 * (0.5 * h), s.q + q2 * (0.5 * h));
        let (m4, q4) = self.slope(s.m + m3 * h, s.q + q3 * h);
        s.m += (m1 + (m2 + m3) * 2.0 + m4) * (h / 6.0);
        s.q += (q1 + (q2 + q3) * 2.0 + q4) * (h / 6.0);
        Ok(())
    }
}

/// A rotor as an entrant.
pub(crate) fn stepping<'a>(
    name: String,
    rotor: Box<dyn Rotor>,
    start: State,
    h: f64,
) -> Entrant<'a> {
    stepping_for(STEPS, name, rotor, start, h)
}

/// The same in rounds of so many steps.
pub(crate) fn stepping_for<'a>(
    steps: u32,
    name: String,
    mut rotor: Box<dyn Rotor>,
    start: State,
    h: f64,
) -> Entrant<'a> {
    Entrant::new(name, steps, move || {
        rotor.reset();
        let mut state = start;
        let done = (0..steps).all(|_| rotor.step(black_box(h), &mut state).is_ok());
        black_box(state);
        done
    })
}

/// Evaluations of the free motion, one by one.
pub(crate) fn evaluating<'a>(name: &str, motion: FreeMotion, span: f64) -> Entrant<'a> {
    let times = scattered(span);
    Entrant::new(name, STEPS, move || {
        times.iter().all(|&t| black_box(motion.at(black_box(t))).is_ok())
    })
}

/// The same times in one call.
fn evaluating_many<'a>(name: &str, motion: FreeMotion, span: f64) -> Entrant<'a> {
    let times = scattered(span);
    let mut states = vec![*motion.start(); times.len()];
    Entrant::new(name, STEPS, move || {
        let done = motion.at_many(black_box(&times), &mut states).is_ok();
        black_box(&states);
        done
    })
}

/// Times that neither rise nor repeat.
fn scattered(span: f64) -> Vec<f64> {
    (0..STEPS).map(|i| (f64::from(i) * 0.618_033_988_749_894_9).fract() * span).collect()
}

/// Steps of all rotors, at steps short and long.
pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let inertia = Inertia::principal(bodies::GENERIC.moments)?;
    let start = State::aligned(bodies::GENERIC.momentum)?;
    for h in ["0.01", "0.1", "1", "10"] {
        let step: f64 = h.parse()?;
        let mut entrants = Vec::new();
        for (name, spec) in ROTORS {
            entrants.push(stepping(
                format!("{name}@{h}"),
                rotor::build(spec, &inertia)?,
                start,
                step,
            ));
        }
        entrants.push(stepping(format!("rk4@{h}"), Box::new(Rk4::new(&inertia)), start, step));
        if h == "0.01" {
            let motion = FreeMotion::new(&inertia, start)?;
            entrants.push(evaluating("at", motion, 400.0));
            entrants.push(evaluating_many("at_many", motion, 400.0));
            entrants.push(Entrant::new("FreeMotion::new", STEPS, || {
                (0..STEPS).all(|_| FreeMotion::new(black_box(&inertia), black_box(start)).is_ok())
            }));
        }
        report.times(&race(effort.rounds(400), entrants));
        for (of, to) in [
            ("exact", "dmv10"),
            ("exact", "dmv10-newton"),
            ("exact", "rk4"),
            ("frb-quaternion", "dmv10"),
            ("frb-quaternion", "dmv10-newton"),
            ("exact", "frb-quaternion"),
        ] {
            report.ratio(format!("{of}/{to}@{h}"), &format!("{of}@{h}"), &format!("{to}@{h}"));
        }
    }
    report.ratio("at/exact", "at", "exact@0.01");
    report.ratio("at-many/exact", "at_many", "exact@0.01");
    papers(effort, report)?;
    methods(effort, report)
}

/// The bodies of the papers.
fn papers(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    for body in bodies::PAPERS {
        let inertia = Inertia::principal_unphysical(body.moments)?;
        let start = State::aligned(body.momentum)?;
        let mut entrants = Vec::new();
        for (name, spec) in ROTORS.into_iter().filter(|(name, _)| COMPARED.contains(name)) {
            let rotor = rotor::build(spec, &inertia)?;
            entrants.push(stepping(format!("{}: {name}", body.name), rotor, start, body.step));
        }
        entrants.push(stepping(
            format!("{}: rk4", body.name),
            Box::new(Rk4::new(&inertia)),
            start,
            body.step,
        ));
        report.times(&race(effort.rounds(400), entrants));
        for (of, to) in [("exact", "dmv10"), ("exact", "rk4"), ("frb-quaternion", "dmv10")] {
            let of_name = format!("{}: {of}", body.name);
            let to_name = format!("{}: {to}", body.name);
            report.ratio(format!("{}: {of}/{to}", body.name), &of_name, &to_name);
        }
    }
    Ok(())
}

/// Methods that are not splittings, the presets, and some splittings, on the heavy top of
/// Celledoni & Säfström.
fn methods(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let pairs = ["strang+exact", "strang+dmv", "s4-6+exact", "rkn6-14+exact", "kahanli8+exact"];
    let names = METHODS.iter().map(|m| m.id).chain(PRESETS.iter().map(|p| p.0)).chain(pairs);
    let problem =
        Problem::new(Inertia::principal([1.0, 5.0, 6.0])?, State::aligned([10.0, 50.0, 60.0])?)
            .torque(HeavyTop::new([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])?);
    let problem = &problem;
    let mut entrants = Vec::new();
    for name in names {
        let mut stepper = Method::parse(name)?.stepper(problem)?;
        entrants.push(Entrant::new(format!("top: {name}"), STEPS, move || {
            stepper.reset();
            let mut state = problem.start();
            let done = (0..STEPS).all(|n| {
                let t = f64::from(n) * 0.01;
                stepper.step(problem, t, black_box(0.01), &mut state).is_ok()
            });
            black_box(state);
            done
        }));
    }
    report.times(&race(effort.rounds(100), entrants));
    Ok(())
}
