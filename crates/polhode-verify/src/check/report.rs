//! The report on a trajectory.

use glam::{DQuat, DVec3};

use super::case::{Case, ErrorSeries, ReferenceSource, SampleState};
use super::deviation::{Deviation, ROUNDING, finite, relative};
use super::diagnosis;
use super::mistake::Diagnosis;
use super::reading::ColumnConvention;
use super::rounding;
use super::samples::Attitudes;
use super::{CheckError, CheckOptions};
use polhode::observe::ConservedQuantities;
use polhode::{Problem, State, so3};

/// What a trajectory was measured against.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// The exact motion of a free body from the first sample.
    FirstSample,
    /// The exact motion of a free body from a given start.
    Exact,
    /// A solution refined until it no longer changes.
    #[non_exhaustive]
    Converged {
        /// The method that gave it.
        method: &'static str,
        /// The estimated error of the solution: relative, or radians.
        error: f64,
    },
}

impl ReferenceKind {
    /// `first-sample`, `exact`, or the method of a converged solution.
    pub fn id(self) -> &'static str {
        match self {
            Self::FirstSample => "first-sample",
            Self::Exact => "exact",
            Self::Converged { method, .. } => method,
        }
    }

    /// Its estimated error; none of an exact motion.
    pub fn error(self) -> Option<f64> {
        if let Self::Converged { error, .. } = self { Some(error) } else { None }
    }
}

/// Whether a trajectory is right. Verdicts are ordered: a better one is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckVerdict {
    /// As right as the rounding of its numbers can tell.
    Exact,
    /// Right within the tolerance.
    Accurate,
    /// Some error is beyond the tolerance and what rounding allows.
    Wrong,
}

impl CheckVerdict {
    /// `exact`, `accurate` or `wrong`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Accurate => "accurate",
            Self::Wrong => "wrong",
        }
    }
}

/// What was found out about a trajectory.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CheckReport {
    /// Whether the trajectory is right.
    pub verdict: CheckVerdict,
    /// The mistakes that explain what is wrong; none for a right trajectory.
    pub diagnoses: Vec<Diagnosis>,
    /// What it was measured against.
    pub reference: ReferenceKind,
    /// The tolerance it was given.
    pub tolerance: f64,
    /// The most that was added to the tolerance at any time for the rounding of the numbers.
    pub allowance: f64,
    /// The energy, relative. None where it is not kept, or cannot be computed.
    pub energy: Option<Deviation>,
    /// By how much the energy has changed at the end, relative: positive if it was gained. None where `energy` is.
    pub energy_change: Option<f64>,
    /// The length of the momentum, relative. None where a torque changes it.
    pub momentum_norm: Option<Deviation>,
    /// The momentum in space, relative to its length. None where a torque changes it, or without
    /// attitudes.
    pub spatial_momentum: Option<Deviation>,
    /// How far the attitude is from a rotation: the length of the quaternion from one, or the largest
    /// entry of Q^T Q - 1.
    pub orthogonality: Option<Deviation>,
    /// How far omega is from I^-1 m, relative to the largest omega; where both are given.
    pub consistency: Option<Deviation>,
    /// The error of the momentum, relative to its largest length.
    pub momentum: Option<Deviation>,
    /// The error of the attitude, the angle to the right one.
    pub attitude: Option<Deviation>,
    /// How often the quaternion changes its sign against that of the continuous motion, which is no
    /// error. Zero where the attitude is too far off to tell.
    pub sign_changes: usize,
    /// Where errors are beyond the tolerance, and are rounding that has added up: the largest distance of a
    /// sample from the exact motion that starts from the sample before. For free bodies only.
    pub between_samples: Option<f64>,
    /// Whether the samples are numbers of single precision, which was then allowed for.
    pub single_precision: bool,
    /// Where the times are rounded, and right only as those of equal steps: that step.
    pub equal_steps: Option<f64>,
    /// The times of the samples.
    pub times: Vec<f64>,
    /// The error of the momentum at each of them.
    pub momentum_errors: Option<Vec<f64>>,
    /// The error of the attitude at each of them.
    pub attitude_errors: Option<Vec<f64>>,
}

impl CheckReport {
    pub(super) fn new(case: &Case, options: &CheckOptions) -> Result<Self, CheckError> {
        let rows: Vec<usize> = (0..case.samples.len()).collect();
        let against = case.against(ColumnConvention::default(), &rows)?;
        let uncertainty = case.uncertainty(&against, options)?;
        let times = &case.samples.times;
        let deviation = |values: &[f64], allowed: &dyn Fn(usize) -> f64| {
            Deviation::new(times, values, |k| options.tolerance + allowed(k))
        };
        let measure = |values: Option<&Vec<f64>>, part: usize| {
            values.map(|v| deviation(v, &|k| uncertainty[k][part]))
        };
        let momentum = measure(against.momentum.as_ref(), 0);
        let attitude = measure(against.attitude.as_ref(), 1);
        let defects: Option<Vec<f64>> = rows.iter().map(|&k| case.samples.defect(k)).collect();
        let orthogonality = defects.as_ref().map(|d| deviation(d, &|_| 4.0 * options.rounding));
        let gaps = gaps(case);
        let gap_allowance = 4.0 * options.rounding * spread(case);
        let consistency = gaps.as_ref().map(|g| deviation(g, &|_| gap_allowance));
        let (invariants, energy_change) = invariants(case, &against);
        let [energy, momentum_norm, spatial_momentum] =
            invariants.map(|values| values.map(|v| deviation(&v, &|_| MARGIN * options.rounding)));

        let within = |k: usize, limit: f64| {
            let under = |values: Option<&Vec<f64>>, allowed: f64| {
                values.is_none_or(|v| v[k] <= limit + allowed)
            };
            under(against.momentum.as_ref(), uncertainty[k][0])
                && under(against.attitude.as_ref(), uncertainty[k][1])
                && under(defects.as_ref(), 4.0 * options.rounding)
                && under(gaps.as_ref(), gap_allowance)
        };
        let reflection = case.samples.reflection();
        let right = |limit: f64| reflection.is_none() && rows.iter().all(|&k| within(k, limit));
        let verdict = if right(ROUNDING.min(options.tolerance)) {
            CheckVerdict::Exact
        } else if right(options.tolerance) {
            CheckVerdict::Accurate
        } else {
            CheckVerdict::Wrong
        };
        let sign_changes = sign_changes(case, &against);
        let mut report = Self {
            verdict,
            diagnoses: Vec::new(),
            reference: kind(&case.source),
            tolerance: options.tolerance,
            allowance: allowance(&uncertainty, &against),
            energy,
            energy_change,
            momentum_norm,
            spatial_momentum,
            orthogonality,
            consistency,
            momentum,
            attitude,
            sign_changes,
            between_samples: None,
            single_precision: false,
            equal_steps: None,
            times: times.clone(),
            momentum_errors: None,
            attitude_errors: None,
        };
        if verdict == CheckVerdict::Wrong {
            let sound = |d: Option<Deviation>| d.is_none_or(|d| d.beyond.is_none());
            // From another start than the scenario's everything after it is wrong.
            let only_errors = within(0, options.tolerance)
                && reflection.is_none()
                && sound(report.orthogonality)
                && sound(report.consistency);
            if only_errors && case.is_free() {
                report.between_samples = rounding::between_samples(case, options)?;
            }
            if report.between_samples.is_some() {
                report.verdict = CheckVerdict::Accurate;
                report.allowance = report.allowance.max(report.worst());
            } else {
                report.diagnoses = diagnosis::diagnose(case, &against, &report, options)?;
            }
        }
        Ok(Self { momentum_errors: against.momentum, attitude_errors: against.attitude, ..report })
    }

    /// The largest error of all: momentum, attitude, distance from a rotation and of omega from
    /// I^-1 m.
    pub fn worst(&self) -> f64 {
        let all = [self.momentum, self.attitude, self.orthogonality, self.consistency];
        all.iter().flatten().fold(0.0, |max: f64, d| max.max(d.max))
    }
}

/// Roundings that an invariant computed from a sample has.
const MARGIN: f64 = 8.0;

/// The most that is allowed for any error that could be measured.
fn allowance(uncertainty: &[[f64; 2]], against: &ErrorSeries) -> f64 {
    let given = [against.momentum.is_some(), against.attitude.is_some()];
    let parts = uncertainty.iter().flat_map(|parts| parts.iter().zip(given));
    parts.filter(|(_, given)| *given).fold(0.0, |max: f64, (x, _)| max.max(*x))
}

fn kind(source: &ReferenceSource) -> ReferenceKind {
    match source {
        ReferenceSource::FirstSample => ReferenceKind::FirstSample,
        ReferenceSource::Problem { reference, .. } => match reference.converged() {
            None => ReferenceKind::Exact,
            Some(c) => ReferenceKind::Converged { method: c.method, error: reference.error() },
        },
    }
}

/// The quotient of the greatest and the least moment: how much I^-1 may enlarge a rounding.
fn spread(case: &Case) -> f64 {
    let moments = case.inertia.moments();
    moments.max_element() / moments.min_element()
}

/// How far omega is from I^-1 m at every sample, where both are given.
fn gaps(case: &Case) -> Option<Vec<f64>> {
    if matches!(&case.source, ReferenceSource::Problem { problem, .. } if problem.needs_steps()) {
        // Beside the momentum of the body there is that of its wheels.
        return None;
    }
    case.samples.momentum.as_ref()?;
    let count = case.samples.len();
    let expected = |k: usize| Some(case.inertia.omega(case.given(k).m?));
    let expected: Vec<DVec3> = (0..count).map(expected).collect::<Option<_>>()?;
    let size = expected.iter().fold(0.0, |max: f64, w| max.max(so3::length(*w)));
    let gap = |k: usize| Some(relative(so3::length(case.omega(k)? - expected[k]), size));
    (0..count).map(gap).collect()
}

/// Departures of energy, length of the momentum, and momentum in space from their first values; and that of the
/// energy at the end, with its sign.
fn invariants(case: &Case, against: &ErrorSeries) -> ([Option<Vec<f64>>; 3], Option<f64>) {
    let problem = match &case.source {
        ReferenceSource::FirstSample => None,
        ReferenceSource::Problem { problem, .. } => Some(*problem),
    };
    let problem = problem.filter(|p| !p.is_free());
    let rows: Vec<SampleState> = (0..case.samples.len()).map(|k| case.given(k)).collect();
    // Lengths of order one: the square of a momentum need not be a double.
    let unit = if against.size > 0.0 { against.size } else { 1.0 };
    let kinetic = |m: DVec3| 0.5 * (m / unit).dot(case.inertia.omega(m / unit));
    let energy = |(row, t): (&SampleState, &f64)| {
        let kinetic = kinetic(row.m?);
        match problem {
            None => Some(kinetic),
            Some(problem) if problem.conserves_energy() && !problem.needs_steps() => {
                Some(kinetic + problem.potential(*t, row.q?)? / unit / unit)
            }
            Some(_) => None,
        }
    };
    let energies: Option<Vec<f64>> = rows.iter().zip(&case.samples.times).map(energy).collect();
    let has_momenta = rows.iter().all(|row| row.m.is_some());
    let has_attitudes = rows.iter().all(|row| row.q.is_some());
    // What a sample does not tell is put down as anything, and its change left out.
    let kept = |k: usize| {
        let state = State {
            m: rows[k].m.unwrap_or_default() / unit,
            q: rows[k].q.unwrap_or(DQuat::IDENTITY),
        };
        ConservedQuantities::new(energies.as_ref().map_or(0.0, |e| e[k]), &state)
    };
    let start = kept(0);
    let changes: Vec<[f64; 3]> = (0..rows.len()).map(|k| kept(k).changes(&start)).collect();
    let drift = |which: usize, size: f64| -> Vec<f64> {
        changes.iter().map(|change| relative(change[which].abs(), size)).collect()
    };
    let of_energy = energies.as_ref().map(|_| {
        let largest = against.reference.iter().fold(0.0, |max: f64, s| max.max(kinetic(s.m)));
        let size = start.energy.abs().max(largest);
        let size = if size > 0.0 { size } else { 1.0 };
        (drift(0, size), finite(changes[changes.len() - 1][0] / size))
    });
    let (of_energy, change) = of_energy.unzip();
    // Wheels and dissipation inside a body keep the total momentum in space.
    let keeps_momentum = problem.is_none_or(Problem::conserves_momentum);
    let norms = (keeps_momentum && has_momenta).then(|| drift(1, 1.0));
    let spatial = (keeps_momentum && has_momenta && has_attitudes).then(|| drift(2, 1.0));
    ([of_energy, norms, spatial], change)
}

/// How often the sign against the reference's changes from one sample to the next.
fn sign_changes(case: &Case, against: &ErrorSeries) -> usize {
    // A matrix has no sign.
    let Some(Attitudes::Quaternions(_)) = &case.samples.attitude else { return 0 };
    let close = against.attitude.as_ref().is_some_and(|a| a.iter().all(|x| *x < 1.0));
    if !close {
        return 0;
    }
    let sign = |k: usize| case.given(k).q.map(|q| q.dot(against.reference[k].q) < 0.0);
    (1..case.samples.len()).filter(|&k| sign(k) != sign(k - 1)).count()
}
