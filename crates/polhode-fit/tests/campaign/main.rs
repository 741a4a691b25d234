//! The campaign of `docs/fit-campaign.md`: random bodies, measured by a simulated gyro, fitted without a guess.
//!
//! `cargo xtask campaign` writes the document. In every run of the tests a small part of it is done.

#![allow(clippy::unwrap_used)]

mod bound;

use core::f64::consts::TAU;
use core::fmt::Write;
use std::time::Instant;

use glam::{DMat3, DQuat, DVec3};
use polhode::{FreeMotion, Inertia, so3};
use polhode_fit::{Data, FitOptions, Indeterminacy, fit};
use polhode_testkit::bodies::{BodyClass, Rng, body};

const NOISE: [f64; 4] = [1e-4, 1e-3, 1e-2, 1e-1];
const SAMPLES: [usize; 3] = [5, 20, 100];
const PERIODS: [usize; 3] = [2, 20, 200];

/// Half of them tumble about either extreme axis; near symmetric, near an axis and near the separatrix the rest.
fn class(k: usize, rng: &mut Rng) -> BodyClass {
    let d = rng.log_uniform(0.01, 0.3);
    match k % 10 {
        0..=3 => BodyClass::Generic,
        4 => BodyClass::NearSymmetricOblate(d.min(0.15)),
        5 => BodyClass::NearSymmetricProlate(d.min(0.15)),
        6 => BodyClass::NearAxis { axis: 0, d },
        7 => BodyClass::NearAxis { axis: 2, d },
        8 => BodyClass::NearSeparatrix(d),
        _ => BodyClass::NearSeparatrix(-d),
    }
}

struct Case {
    moments: [f64; 3],
    motion: FreeMotion,
    rate: f64,
}

/// A body whose sensor is aligned with its axes, or turned.
fn case(class: BodyClass, turned: bool, rng: &mut Rng) -> Case {
    let random = body(class, rng);
    let turn = if turned {
        so3::exp(3.0 * rng.uniform(0.0, 1.0) * DVec3::from_array(rng.direction()))
    } else {
        DQuat::IDENTITY
    };
    let axes = DMat3::from_quat(turn);
    let tensor = axes * DMat3::from_diagonal(random.inertia.into()) * axes.transpose();
    let mut rows = tensor.to_cols_array_2d();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        rows[j][i] = rows[i][j];
    }
    let inertia = Inertia::tensor_unphysical(rows).unwrap();
    let omega = DVec3::from_array(random.momentum) / DVec3::from_array(random.inertia);
    let motion = FreeMotion::from_omega(&inertia, turn * omega, DQuat::IDENTITY).unwrap();
    let mut moments = random.inertia;
    moments.sort_by(f64::total_cmp);
    Case { moments, motion, rate: omega.length() }
}

fn normal(rng: &mut Rng) -> f64 {
    let (u, v) = (rng.uniform(1e-300, 1.0), rng.uniform(0.0, 1.0));
    (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
}

fn measured(case: &Case, times: &[f64], noise: f64, rng: &mut Rng) -> Data {
    let each = |t: &f64| {
        let error = DVec3::new(normal(rng), normal(rng), normal(rng));
        (case.motion.omega_at(*t).unwrap() + noise * error).to_array()
    };
    Data::gyro(times, &times.iter().map(each).collect::<Vec<_>>())
}

#[derive(Default)]
struct Cell {
    bodies: usize,
    judged: usize,
    right: usize,
    within: [usize; 2],
    seconds: Vec<f64>,
}

/// One cell of the grid: so many bodies of all classes.
fn cell(noise: f64, samples: usize, periods: usize, bodies: usize) -> Cell {
    let mut cell = Cell::default();
    for k in 0..bodies {
        let seed = (k * 1000 + samples * 7 + periods) as u64;
        let mut rng = Rng::new(seed ^ noise.to_bits());
        let case = case(class(k, &mut rng), k / 10 % 2 == k % 2, &mut rng);
        // The fastest of the periods: that of the rotation, unless the momentum is faster.
        let period = (TAU / case.rate).min(case.motion.period().unwrap_or(f64::INFINITY));
        let step = period / samples as f64;
        let times: Vec<f64> = (0..samples * periods).map(|i| step * i as f64).collect();
        let sigma = noise * case.rate;
        let data = measured(&case, &times, sigma, &mut rng);
        cell.bodies += 1;
        let bound = bound::ratios(&case.motion, &times, sigma);
        if !bound.iter().zip(case.moments).all(|(s, i)| *s < 0.1 * i / case.moments[2]) {
            continue;
        }
        let options = FitOptions::default().with(|o| o.gyro_noise = Some([sigma; 3]));
        let clock = Instant::now();
        let found = fit(&data, &options).unwrap();
        cell.seconds.push(clock.elapsed().as_secs_f64());
        if found.rivals.iter().any(|r| r.less < 10.0) {
            continue;
        }
        cell.judged += 1;
        let pulls = [0, 1].map(|i| {
            let error = found.estimates[i].value - case.moments[i] / case.moments[2];
            (error / bound[i]).abs().min((error / found.estimates[i].deviation).abs())
        });
        let spread = (2.0 / found.degrees as f64).sqrt();
        let near_one = (found.reduced_chi_square() - 1.0).abs() < 5.0 * spread;
        cell.right += usize::from(near_one && pulls.iter().all(|x| *x < 5.0));
        for i in 0..2 {
            let error = found.estimates[i].value - case.moments[i] / case.moments[2];
            let pull = (error / found.estimates[i].deviation).abs();
            cell.within[0] += usize::from(pull < 1.0);
            cell.within[1] += usize::from(pull < 1.96);
        }
    }
    cell
}

const OPEN: [&str; 3] =
    ["a spin about one axis", "two equal moments, the smaller", "two equal moments, the larger"];

/// Bodies made to have something that cannot be determined, and how many were said to.
fn open(bodies: usize) -> [(&'static str, usize, usize); 3] {
    let mut found = OPEN.map(|name| (name, 0, 0));
    for k in 0..bodies {
        for (which, row) in found.iter_mut().enumerate() {
            let mut rng = Rng::new((7_000_000 + 10 * k + which) as u64);
            let class = match which {
                0 => BodyClass::OnAxis([0, 2][k % 2]),
                1 => BodyClass::SymmetricOblate,
                _ => BodyClass::SymmetricProlate,
            };
            let case = case(class, k % 2 == 1, &mut rng);
            let noise = NOISE[k % 4] * case.rate;
            let times: Vec<f64> = (0..200).map(|i| TAU / case.rate / 15.0 * f64::from(i)).collect();
            let data = measured(&case, &times, noise, &mut rng);
            let fit = fit(&data, &FitOptions::default()).unwrap();
            let said = fit.undetermined.iter().any(|u| {
                matches!(
                    (which, u),
                    (_, Indeterminacy::SteadySpin)
                        | (1, Indeterminacy::Axes(1, 2))
                        | (2, Indeterminacy::Axes(2, 3))
                )
            });
            row.1 += 1;
            row.2 += usize::from(said);
        }
    }
    found
}

fn document(bodies: usize) -> String {
    let mut text = String::new();
    let mut all = [Cell::default(), Cell::default()];
    let mut rows = String::new();
    for noise in NOISE {
        for samples in SAMPLES {
            for periods in PERIODS {
                let cell = cell(noise, samples, periods, bodies);
                let mut seconds = cell.seconds.clone();
                seconds.sort_by(f64::total_cmp);
                let median = seconds.get(seconds.len() / 2).copied().unwrap_or(f64::NAN);
                let share = |n: usize| {
                    if cell.judged == 0 {
                        "-".into()
                    } else {
                        format!("{:.0} %", 50.0 * n as f64 / cell.judged as f64)
                    }
                };
                writeln!(
                    rows,
                    "| {noise:e} | {samples} | {periods} | {} | {} | {} | {} | {} | {median:.2} |",
                    cell.bodies,
                    cell.judged,
                    cell.right,
                    share(cell.within[0]),
                    share(cell.within[1]),
                )
                .unwrap();
                eprint!("{}", rows.lines().last().unwrap_or_default());
                eprintln!();
                let sum = &mut all[usize::from(noise > 0.05)];
                sum.bodies += cell.bodies;
                sum.judged += cell.judged;
                sum.right += cell.right;
                sum.within[0] += cell.within[0];
                sum.within[1] += cell.within[1];
            }
        }
    }
    let total: usize = all.iter().map(|c| c.bodies).sum();
    writeln!(text, "# Fits of simulated bodies\n").unwrap();
    writeln!(
        text,
        "Written by `cargo xtask campaign`. {total} random bodies ({bodies} in each cell): four in ten of any kind, the\n\
         others near symmetric (two moments 1 to 15 % apart), near an axis or near the separatrix; the sensor aligned with\n\
         the principal axes or turned. A gyro with white noise, relative to the rate at the start; so many samples in the\n\
         fastest period, over so many of these periods. No guess is given.\n\n\
         Judged are the fits for which the bound of Cramér and Rao on both ratios is under 10 % and no rival lies within 10\n\
         units of log-likelihood. Right is a fit within 5 standard deviations whose chi-square per degree of freedom is\n\
         within 5 of its own from one. The intervals of one and of 1.96 standard deviations should hold 68 % and 95 % of\n\
         the true ratios. Seconds are the median on one core of the machine this was written on, in a release build.\n"
    )
    .unwrap();
    writeln!(text, "| noise | samples | periods | bodies | judged | right | 68 % | 95 % | s |")
        .unwrap();
    writeln!(text, "|---|---|---|---|---|---|---|---|---|").unwrap();
    text.push_str(&rows);
    writeln!(text, "\n## All together\n").unwrap();
    writeln!(text, "| noise | judged | right | 68 % | 95 % |\n|---|---|---|---|---|").unwrap();
    for (name, c) in ["up to 1e-2", "1e-1"].into_iter().zip(&all) {
        let share = |n: usize| 50.0 * n as f64 / c.judged.max(1) as f64;
        let right = 100.0 * c.right as f64 / c.judged.max(1) as f64;
        writeln!(
            text,
            "| {name} | {} | {} ({right:.1} %) | {:.1} % | {:.1} % |",
            c.judged,
            c.right,
            share(c.within[0]),
            share(c.within[1]),
        )
        .unwrap();
    }
    writeln!(text, "\n## What cannot be determined\n").unwrap();
    writeln!(text, "| made to have | bodies | said so |\n|---|---|---|").unwrap();
    for (name, bodies, said) in open(4 * bodies) {
        writeln!(text, "| {name} | {bodies} | {said} |").unwrap();
    }
    text
}

/// Writes the document: minutes to hours, by the number of bodies.
#[test]
#[ignore = "cargo xtask campaign"]
fn campaign() {
    let bodies =
        std::env::var("POLHODE_CAMPAIGN_BODIES").ok().and_then(|x| x.parse().ok()).unwrap_or(28);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fit-campaign.md");
    std::fs::write(path, document(bodies)).unwrap();
}

#[test]
fn a_few_cells_come_out_right() {
    for (noise, samples, periods) in [(1e-3, 5, 2), (1e-2, 20, 2), (1e-4, 5, 20)] {
        let cell = cell(noise, samples, periods, 10);
        assert!(cell.judged >= 6, "{noise} {samples} {periods}: {}", cell.judged);
        assert_eq!(cell.right, cell.judged, "{noise} {samples} {periods}");
    }
    for (name, bodies, said) in open(4) {
        assert_eq!(bodies, said, "{name}");
    }
}

/// The numbers of a row of the committed document that begins so.
fn row(text: &str, begin: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.starts_with(begin)).unwrap();
    let words = line[begin.len()..].split(|c: char| c == '|' || c == '(' || c.is_whitespace());
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_committed_campaign_reaches_its_goals() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fit-campaign.md");
    let text = std::fs::read_to_string(path).unwrap();
    let cells = text.lines().filter(|line| line.starts_with("| 1e-")).count();
    assert_eq!(cells, NOISE.len() * SAMPLES.len() * PERIODS.len() + 1);
    let bodies: usize = text
        .lines()
        .find_map(|line| line.split_once(". ")?.1.split(' ').next()?.parse().ok())
        .unwrap();
    assert!(bodies >= 1000, "{bodies}");
    let (_, together) = text.split_once("## All together").unwrap();
    let (together, open) = together.split_once("## What cannot be determined").unwrap();
    for (begin, goal) in [("| up to 1e-2 |", 99.0), ("| 1e-1 |", 95.0)] {
        let [judged, right, share, one, two] = row(together, begin)[..] else { panic!("{begin}") };
        assert!(share >= goal && right <= judged, "{begin} {share} %");
        // Both ratios of a body may err together: as many draws as there are bodies, and four deviations.
        let off = |p: f64| 400.0 * (p * (1.0 - p) / judged).sqrt();
        assert!((one - 68.27).abs() < off(0.6827), "{begin} {one} %");
        assert!((two - 95.0).abs() < off(0.95), "{begin} {two} %");
    }
    for name in OPEN {
        let [made, said] = row(open, &format!("| {name} |"))[..] else { panic!("{name}") };
        assert!(made >= 100.0 && said >= made, "{name}: {said} of {made}");
    }
}
