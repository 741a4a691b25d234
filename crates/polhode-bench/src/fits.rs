//! What a fit to a gyro costs: with the search, without it, and of many samples.

use std::hint::black_box;

use polhode::{FreeMotion, Inertia, State};
use polhode_fit::{Data, FitOptions, fit};

use crate::Failure;
use crate::bodies;
use crate::effort::Effort;
use crate::report::Report;
use crate::timing::{Entrant, race};

/// Twenty samples in a turn, rounded to three digits, which stands for noise.
fn gyro(count: u32) -> Result<Data, Failure> {
    let inertia = Inertia::principal(bodies::GENERIC.moments)?;
    let motion = FreeMotion::new(&inertia, State::aligned(bodies::GENERIC.momentum)?)?;
    let rate = motion.omega_at(0.0)?.length();
    let step = core::f64::consts::TAU / rate / 20.0;
    let times: Vec<f64> = (0..count).map(|i| step * f64::from(i)).collect();
    let digits = 1e3 / rate;
    let rounded =
        |t: &f64| motion.omega_at(*t).map(|w| w.to_array().map(|x| (x * digits).round() / digits));
    Ok(Data::gyro(&times, &times.iter().map(rounded).collect::<Result<Vec<_>, _>>()?))
}

/// 600 samples, and a hundred thousand.
pub(crate) fn measure(effort: Effort, report: &mut Report) -> Result<(), Failure> {
    let options = FitOptions::default();
    let few = gyro(600)?;
    let found = fit(&few, &options)?;
    let entrants = vec![
        Entrant::new("fit@600", 1, || black_box(fit(black_box(&few), &options)).is_ok()),
        Entrant::new("refit@600", 1, || black_box(found.refit(black_box(&few), &options)).is_ok()),
    ];
    report.times(&race(effort.rounds(10), entrants));
    report.ratio("refit/fit@600", "refit@600", "fit@600");
    let many = gyro(100_000)?;
    let whole =
        Entrant::new("fit@100000", 1, || black_box(fit(black_box(&many), &options)).is_ok());
    report.times(&race(effort.rounds(2), vec![whole]));
    Ok(())
}
