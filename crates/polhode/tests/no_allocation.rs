//! No rotor, no method and no solver allocates in a step.
#![allow(clippy::unwrap_used, reason = "a test that cannot run must fail")]
#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use polhode::control::{
    BDot, Command, ControlLoop, ControllerInput, MomentumDump, PdQuaternion, Target, Thrusters,
};
use polhode::formula::{Constants, Formula};
use polhode::glam::DVec3;
use polhode::inside::{BallDamper, Dissipation, Inside, VaryingInertia, Wheel};
use polhode::method::{METHODS, Method};
use polhode::rotor::{self, ROTORS};
use polhode::solve::{Event, SolveMethod};
use polhode::torque::{HeavyTop, MagneticDipole};
use polhode::{Inertia, Problem, State, so3};
use polhode_testkit::bodies::{BodyClass, Rng, body};

/// The system's allocator, counting the calls of each thread.
struct CountingAllocator;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|c| c.set(c.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn the_counter_counts() {
    let before = CALLS.with(Cell::get);
    let boxed = std::hint::black_box(Box::new(7));
    assert_eq!(CALLS.with(Cell::get), before + 1, "{boxed}");
}

#[test]
fn steps_of_methods_do_not_allocate() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.3, 0.4, 0.5]).unwrap();
    let torque = HeavyTop::new([0.1, 0.2, 1.0], [0.0, 0.0, 1.0]).unwrap();
    let problem = Problem::new(inertia, start).torque(torque);
    let compensated = "rkn6-14:compensated+exact:compensated";
    let pairs = ["strang+exact", compensated, "suzuki-chin4+dmv", "frb", "sej", "mr"];
    let others = METHODS.iter().flat_map(|m| [m.id.to_string(), format!("{}:compensated", m.id)]);
    let tableaux = ["dopri5", "gauss3", "midpoint"].map(|t| format!("rkmk:tableau={t}"));
    for spec in pairs.map(String::from).into_iter().chain(others).chain(tableaux) {
        let mut stepper = Method::parse(&spec).unwrap().stepper(&problem).unwrap();
        let mut state = start;
        let before = CALLS.with(Cell::get);
        for n in 0..10 {
            stepper.step(&problem, f64::from(n) * 0.1, 0.1, &mut state).unwrap();
        }
        assert_eq!(CALLS.with(Cell::get), before, "{spec}");
    }
}

#[test]
fn steps_of_rotors_do_not_allocate() {
    let mut rng = Rng::new(11);
    let variants = ["semi-exact:rule=hermite", "frb-matrix:form=quaternion", "dmv:compensated"];
    let specs = ROTORS.iter().map(|r| r.id).chain(variants);
    for spec in specs {
        // A body next to the separatrix takes the exact path of its side; one on it, another.
        for class in [
            BodyClass::Generic,
            BodyClass::NearSeparatrix(1e-12),
            BodyClass::Separatrix,
            BodyClass::Sphere,
            BodyClass::OnAxis(2),
        ] {
            let body = body(class, &mut rng);
            let inertia = Inertia::principal(body.inertia).unwrap();
            let mut state = State::new(body.momentum, so3::from_wxyz(body.attitude)).unwrap();
            let mut rotor = rotor::build(spec, &inertia).unwrap();
            let h = body.time_for(0.1);
            let before = CALLS.with(Cell::get);
            for _ in 0..10 {
                rotor.step(h, &mut state).unwrap();
            }
            assert_eq!(CALLS.with(Cell::get), before, "{spec}, {class:?}");
        }
    }
}

#[test]
fn steps_of_solvers_do_not_allocate() {
    let inertia = Inertia::principal([1.0, 2.0, 2.5]).unwrap();
    let start = State::aligned([0.3, 1.4, 0.5]).unwrap();
    let torque = HeavyTop::new([0.001, 0.002, 0.01], [0.0, 0.0, 1.0]).unwrap();
    let problem = Problem::new(inertia, start).torque(torque);
    for method in [SolveMethod::Extrapolation, SolveMethod::Dop853] {
        let calls = |until: f64| {
            let height = |_: f64, s: &State| (s.q * DVec3::Z).z - 2.0;
            let solver = problem.solver().method(method).tolerance(1e-8).times(&[0.1, 0.2]);
            let before = CALLS.with(Cell::get);
            let solution = solver.event(Event::new(height)).until(until).unwrap();
            (CALLS.with(Cell::get) - before, solution.statistics().steps)
        };
        let ((few, short), (many, long)) = (calls(10.0), calls(200.0));
        assert!(long > 10 * short, "{method}: {long} and {short} steps");
        assert_eq!(few, many, "{method}");
    }
}

/// Neither do steps in which wheels turn, commands change and moments vary.
#[test]
fn steps_with_wheels_and_controllers_do_not_allocate() {
    let inertia = Inertia::principal([1.0, 1.6, 2.1]).unwrap();
    let start = State::aligned([0.5, -0.4, 0.9]).unwrap();
    let wheel = |axis: DVec3| Wheel::new(axis, 0.02, 1.0).unwrap().friction(0.01, 0.001).unwrap();
    let wheels = DVec3::AXES.map(wheel);
    let inside = wheels.into_iter().fold(Inside::default(), Inside::wheel);
    let inside = inside.damper(BallDamper::new(0.1, 0.2).unwrap());
    let formulas = ["1 + 0.1*sin(t)", "1.6", "2.1"];
    let formulas = formulas.map(|text| Formula::new(text, &Constants::new()).unwrap());
    let vary = inside.clone().varying(VaryingInertia::moments(formulas).unwrap());
    let pointing = PdQuaternion::new(Target::Fixed(start.q), 0.05, 0.5).unwrap();
    let pointing = pointing.by_wheels(&wheels).unwrap();
    let magnets = BDot::new(3.0).unwrap();
    let slow_down = || |at: &ControllerInput<'_>| Command::torque(at.omega * -0.1);
    let push = ControlLoop::new(0.11, slow_down).unwrap();
    let push = push.thrusters(Thrusters::new([0.3; 3], 0.01).unwrap()).delayed(0.4).unwrap();
    let lossy = inside.clone().dissipation(Dissipation::rate(0.01).unwrap());
    let dump = MomentumDump::new(0.1).unwrap();
    for inside in [inside, vary, lossy] {
        let problem = Problem::new(inertia, start)
            .torque(MagneticDipole::new([0.1, 0.0, 0.2], [0.0, 0.0, 1.0]).unwrap())
            .inside(inside)
            .unwrap()
            .controlled(ControlLoop::new(0.07, move || pointing).unwrap())
            .controlled(ControlLoop::new(0.05, move || magnets).unwrap())
            .controlled(ControlLoop::new(0.13, move || dump).unwrap().delayed(1.0).unwrap())
            .controlled(push.clone());
        let mut stepper = Method::parse("kahanli6+exact").unwrap().stepper(&problem).unwrap();
        let mut state = start;
        let mut step = |n: u32| {
            stepper.step(&problem, f64::from(n) * 0.1, 0.1, &mut state).unwrap();
        };
        // Until all that is ever under way has been: the longest delay is ten steps.
        for n in 0..12 {
            step(n);
        }
        let before = CALLS.with(Cell::get);
        for n in 12..120 {
            step(n);
        }
        assert_eq!(CALLS.with(Cell::get), before);
    }
}
