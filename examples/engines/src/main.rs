//! An hour of a game at 60 steps a second: a handle that floats and a top on the ground, turned by Rapier and by
//! `polhode-step`; and the handle turned by the gyroscopic steps of other engines.
//!
//! `cargo run --release` prints what came of it and fails if that is not what docs/engines.md says;
//! `-- --figures DIRECTORY` also draws it.

mod figures;
mod world;

use std::process::ExitCode;

use polhode_step::Inertia;
use polhode_testkit::engines::ENGINE_STEPS;
use world::{RATE, Scene, Sight, Who, handle, top};

const HOUR: u32 = 216_000;

/// A value now and then: the energy over that at the start, by the second.
type Course = Vec<[f64; 2]>;

/// What came of an hour.
struct Hour {
    name: String,
    /// The energy over that at the start, once a second.
    energy: Course,
    /// How often the middle axis has turned from along the momentum to against it, or back.
    flips: u32,
}

impl Hour {
    fn last(&self) -> f64 {
        self.energy.last().map_or(f64::NAN, |point| point[1])
    }
}

/// The middle axis is along the momentum, or against it, where this part of the momentum is: a wobble is no flip.
const ALONG: f64 = 0.5;

/// Runs for an hour; what is seen after each step is the energy, and which part of the momentum is along the middle
/// axis.
fn hour(name: &str, mut step: impl FnMut() -> (f64, f64), start: (f64, f64)) -> Hour {
    let mut hour = Hour { name: name.to_owned(), energy: vec![[0.0, 1.0]], flips: 0 };
    let mut before = start.1;
    for i in 1..=HOUR {
        let (energy, along) = step();
        if along.abs() > ALONG {
            hour.flips += u32::from(along * before < 0.0);
            before = along;
        }
        if i % 60 == 0 {
            hour.energy.push([f64::from(i) / f64::from(RATE), energy / start.0]);
        }
    }
    hour
}

/// Which part of the momentum is along the middle axis.
fn part_along(momentum: [f64; 3]) -> f64 {
    momentum[1] / momentum.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn seen(sight: &Sight) -> (f64, f64) {
    (sight.energy, part_along(sight.momentum))
}

fn in_rapier(name: &str, mut scene: Scene) -> Hour {
    let start = seen(&scene.sight());
    hour(
        name,
        || {
            scene.step();
            seen(&scene.sight())
        },
        start,
    )
}

const MOMENTS: [f32; 3] = [1.0, 2.0, 2.6];
const OMEGA: [f32; 3] = [0.3, 8.0, 0.3];

/// The energy, and which part of the momentum is along the middle axis.
fn of_state(omega: [f64; 3], [x, y, z, w]: [f64; 4]) -> (f64, f64) {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let axis = [x, y, z];
    let across = cross(axis, omega);
    let further = cross(axis, across);
    let inside: [f64; 3] = core::array::from_fn(|i| omega[i] - 2.0 * (w * across[i] - further[i]));
    let momentum: [f64; 3] = core::array::from_fn(|i| f64::from(MOMENTS[i]) * inside[i]);
    let energy = (0..3).map(|i| 0.5 * momentum[i] * inside[i]).sum();
    (energy, part_along(momentum))
}

/// The handle as the other engines turn it, and exactly.
fn by_engines() -> Vec<Hour> {
    let (wide, upright) = (OMEGA.map(f64::from), [0.0, 0.0, 0.0, 1.0]);
    let start = of_state(wide, upright);
    let mut hours = Vec::new();
    for (name, step) in ENGINE_STEPS {
        let (mut omega, mut q) = (OMEGA, [0.0, 0.0, 0.0, 1.0]);
        let go = || {
            step(MOMENTS, &mut omega, &mut q, 1.0 / RATE);
            of_state(omega.map(f64::from), q.map(f64::from))
        };
        hours.push(hour(name, go, start));
    }
    let inertia = Inertia::principal(MOMENTS);
    let (mut omega, mut q) = (OMEGA, [0.0, 0.0, 0.0, 1.0]);
    let go = || {
        polhode_step::step(&inertia, &mut omega, &mut q, 1.0 / RATE);
        of_state(omega.map(f64::from), q.map(f64::from))
    };
    hours.push(hour("polhode-step, f32", go, start));
    let (mut omega, mut q) = (wide, upright);
    let go = || {
        polhode_step::step(&inertia, &mut omega, &mut q, 1.0 / f64::from(RATE));
        of_state(omega, q)
    };
    hours.push(hour("polhode-step, f64", go, start));
    hours
}

/// What came of a top.
struct Spin {
    name: String,
    /// The angle from the vertical in degrees, by the second.
    tilt: Course,
    /// When it was first farther than 25 degrees from the vertical.
    fell: Option<f64>,
}

fn spin(name: &str, mut scene: Scene) -> Spin {
    let mut spin = Spin { name: name.to_owned(), tilt: Vec::new(), fell: None };
    for i in 0..HOUR {
        let (time, upright) = (f64::from(i) / f64::from(RATE), scene.sight().upright);
        let tilt = upright.clamp(-1.0, 1.0).acos().to_degrees();
        if tilt > 25.0 && spin.fell.is_none() {
            spin.fell = Some(time);
        }
        if time < 60.0 || i % 60 == 0 {
            spin.tilt.push([time, tilt]);
        }
        scene.step();
    }
    spin
}

fn print(hours: &[Hour]) {
    for hour in hours {
        println!("| {} | {:.6} | {} |", hour.name, hour.last(), hour.flips);
    }
}

/// What docs/engines.md says of all this, as far as it does not hold.
fn complaints(worlds: &[Hour; 4], engines: &[Hour], tops: &[Spin; 4]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut claim = |holds: bool, what: &str| {
        if !holds {
            complaints.push(what.to_owned());
        }
    };
    let [off, rapier, _, ours] = worlds;
    claim(off.flips == 0, "without a gyroscopic term the handle never flips");
    claim(rapier.last() > 1.05, "Rapier's handle gains more than a twentieth of its energy");
    // Eight half steps in a frame have eight times the roundings.
    claim((ours.last() - 1.0).abs() < 4e-4, "ours keeps the energy within 4e-4");
    let engine = |name: &str| engines.iter().find(|hour| hour.name == name);
    let exact = engine("polhode-step, f64").map_or(0, |hour| hour.flips);
    claim(exact > 1000, "the exact handle flips more than a thousand times");
    claim(
        ours.flips.abs_diff(exact) <= 20,
        "ours flips as often as the exact handle, but for twenty",
    );
    claim(rapier.flips.abs_diff(exact) > 100, "Rapier's handle does not");
    let last = |name: &str| engine(name).map_or(f64::NAN, Hour::last);
    claim(last("implicit (Catto)") < 0.5, "the implicit step loses more than half of the energy");
    claim(last("explicit").is_nan(), "the explicit step explodes");
    claim((last("polhode-step, f32") - 1.0).abs() < 1e-4, "f32 keeps the energy within 1e-4");
    let [_, rapier, divided, ours] = tops;
    for top in [rapier, divided] {
        claim(top.fell.is_some_and(|time| time < 60.0), "Rapier's top falls within a minute");
    }
    claim(ours.fell.is_none_or(|time| time > 600.0), "ours stands for ten minutes and more");
    complaints
}

const WHO: [(&str, Who); 4] = [
    ("Rapier, off", Who::Without),
    ("Rapier", Who::Rapier),
    ("Rapier, in short steps", Who::Divided),
    ("Rapier, polhode-step", Who::Ours),
];

fn main() -> ExitCode {
    println!("| the handle, after an hour | energy, of that at the start | flips |\n|---|---|---|");
    let worlds = WHO.map(|(name, who)| in_rapier(name, handle(who)));
    print(&worlds);
    let engines = by_engines();
    print(&engines);
    println!("\n| the top | fell after |\n|---|---|");
    let tops = WHO.map(|(name, who)| spin(name, top(who)));
    for top in &tops {
        let fell = top.fell.map_or("stands".to_owned(), |time| format!("{time:.0} s"));
        println!("| {} | {fell} |", top.name);
    }

    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (None, _) => {}
        (Some("--figures"), Some(directory)) => {
            let directory = std::path::Path::new(&directory);
            if let Err(error) = figures::write(directory, &worlds, &engines, &tops) {
                eprintln!("error: {}: {error}", directory.display());
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: polhode-engines [--figures DIRECTORY]");
            return ExitCode::from(2);
        }
    }
    let complaints = complaints(&worlds, &engines, &tops);
    for complaint in &complaints {
        eprintln!("not so: {complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
