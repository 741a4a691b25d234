//! Samples beside what they are measured against.

use glam::{DQuat, DVec3};

use super::deviation::finite;
use super::reading::ColumnConvention;
use super::samples::Samples;
use super::{CheckError, CheckOptions};
use crate::{Errors, Reference};
use polhode::torque::VectorFrame;
use polhode::{Control, FreeMotion, Inertia, Problem, State, so3};

/// The samples and their reference.
pub(super) struct Case<'a> {
    pub(super) samples: &'a Samples,
    pub(super) inertia: &'a Inertia,
    pub(super) source: ReferenceSource<'a>,
    /// The attitudes as given, of unit length.
    rotations: Option<Vec<DQuat>>,
    pub(super) control: &'a Control,
}

/// Where the reference comes from.
pub(super) enum ReferenceSource<'a> {
    /// The free motion from the first sample.
    FirstSample,
    /// The solution of a problem at the times of the samples.
    Problem { problem: &'a Problem, reference: Reference },
}

/// What a sample says of the state, in the body frame.
#[derive(Clone, Copy)]
pub(super) struct SampleState {
    pub(super) m: Option<DVec3>,
    pub(super) q: Option<DQuat>,
}

/// Errors against the reference: of the momentum relative to its length, of the attitude in rad.
pub(super) struct ErrorSeries {
    pub(super) reference: Vec<State>,
    /// The length of the momentum that errors are relative to.
    pub(super) size: f64,
    pub(super) momentum: Option<Vec<f64>>,
    pub(super) attitude: Option<Vec<f64>>,
}

impl ErrorSeries {
    /// The largest of all.
    pub(super) fn worst(&self) -> f64 {
        let all = [&self.momentum, &self.attitude].into_iter().flatten().flatten();
        all.fold(0.0, |max: f64, x| max.max(*x))
    }

    /// The farthest the reference gets from its first state, in what is given of the samples.
    pub(super) fn moved(&self) -> f64 {
        let first = self.reference[0];
        self.reference.iter().fold(0.0, |max: f64, s| {
            let Errors { momentum, attitude, .. } = Errors::new(s, &first, self.size);
            let m = self.momentum.as_ref().map_or(0.0, |_| momentum);
            let q = self.attitude.as_ref().map_or(0.0, |_| attitude);
            max.max(m).max(q)
        })
    }
}

impl<'a> Case<'a> {
    pub(super) fn free(
        samples: &'a Samples,
        inertia: &'a Inertia,
        control: &'a Control,
    ) -> Result<Self, CheckError> {
        samples.validate(false)?;
        let rotations = samples.rotations(control)?;
        Ok(Self { samples, inertia, source: ReferenceSource::FirstSample, rotations, control })
    }

    pub(super) fn problem(
        samples: &'a Samples,
        problem: &'a Problem,
        control: &'a Control,
    ) -> Result<Self, CheckError> {
        samples.validate(true)?;
        if problem.needs_steps() && samples.momentum.is_none() {
            return Err(CheckError::NeedsMomentum);
        }
        let rotations = samples.rotations(control)?;
        let reference = Reference::at_times(problem, &samples.times, &control.silent())?;
        let source = ReferenceSource::Problem { problem, reference };
        Ok(Self { samples, inertia: problem.inertia(), source, rotations, control })
    }

    /// Whether nothing acts on the body.
    pub(super) fn is_free(&self) -> bool {
        match &self.source {
            ReferenceSource::FirstSample => true,
            ReferenceSource::Problem { problem, .. } => problem.is_free(),
        }
    }

    /// Sample k, read in a certain way.
    pub(super) fn row(&self, reading: ColumnConvention, k: usize) -> SampleState {
        let q = self.rotations.as_ref().map(|q| reading.attitude(q[k]));
        let to_body = |frame: VectorFrame, v: [f64; 3]| match (reading.frame(frame), q) {
            (VectorFrame::Space, Some(q)) => q.conjugate() * DVec3::from_array(v),
            _ => DVec3::from_array(v),
        };
        let m = match (&self.samples.momentum, &self.samples.omega) {
            (Some(m), _) => Some(to_body(self.samples.momentum_frame, m[k])),
            (None, Some(w)) => {
                let omega = to_body(self.samples.omega_frame, w[k]) * reading.omega_unit();
                Some(self.inertia.momentum(omega))
            }
            (None, None) => None,
        };
        SampleState { m, q }
    }

    /// The angular velocity of sample k as it is given, in the body frame.
    pub(super) fn omega(&self, k: usize) -> Option<DVec3> {
        let omega = DVec3::from_array(self.samples.omega.as_ref()?[k]);
        match (self.samples.omega_frame, &self.rotations) {
            (VectorFrame::Space, Some(q)) => Some(q[k].conjugate() * omega),
            _ => Some(omega),
        }
    }

    /// Sample k as it is meant to be read.
    pub(super) fn given(&self, k: usize) -> SampleState {
        self.row(ColumnConvention::default(), k)
    }

    /// The free motion from the first sample; none if the reference is another.
    fn motion(&self, reading: ColumnConvention) -> Result<Option<FreeMotion>, CheckError> {
        let ReferenceSource::FirstSample = self.source else { return Ok(None) };
        let SampleState { m, q } = self.row(reading, 0);
        let q = q.unwrap_or(DQuat::IDENTITY);
        Ok(Some(match (&self.samples.momentum, &self.samples.omega) {
            // An angular velocity counts as exact, which its momentum is not.
            (None, Some(w))
                if reading.is_default() && self.samples.omega_frame == VectorFrame::Body =>
            {
                FreeMotion::from_omega(self.inertia, w[0], q)?
            }
            _ => FreeMotion::new(self.inertia, State::new(m.unwrap_or_default(), q)?)?,
        }))
    }

    /// The errors of the samples `rows`, read in a certain way.
    pub(super) fn against(
        &self,
        reading: ColumnConvention,
        rows: &[usize],
    ) -> Result<ErrorSeries, CheckError> {
        let times = &self.samples.times;
        let reference: Vec<State> = match (&self.source, self.motion(reading)?) {
            (ReferenceSource::Problem { reference, .. }, _) => {
                rows.iter().map(|&k| reference.states()[k]).collect()
            }
            (ReferenceSource::FirstSample, motion) => {
                let motion = motion.ok_or(CheckError::NoMotion)?;
                let at = |k: &usize| {
                    self.control.check()?;
                    Ok(motion.at((times[*k] - times[0]) * reading.time_unit())?)
                };
                rows.iter().map(at).collect::<Result<_, CheckError>>()?
            }
        };
        let given: Vec<SampleState> = rows.iter().map(|&k| self.row(reading, k)).collect();
        let longest =
            |m: &mut dyn Iterator<Item = DVec3>| m.fold(0.0, |max: f64, m| max.max(so3::length(m)));
        let mut size = longest(&mut reference.iter().map(|s| s.m));
        if size == 0.0 {
            // A body that should be at rest: relative to what it has instead.
            size = longest(&mut given.iter().filter_map(|row| row.m));
        }
        let pairs = || given.iter().zip(&reference);
        let momentum =
            pairs().map(|(row, s)| Some(finite(Errors::of_momentum(row.m?, s.m, size)))).collect();
        let attitude = pairs().map(|(row, s)| Some(Errors::of_attitude(row.q?, s.q))).collect();
        Ok(ErrorSeries { reference, size, momentum, attitude })
    }

    /// How far the reference itself may be off at every sample, momentum and attitude: the numbers
    /// it starts from are rounded, and the motion may carry that far.
    pub(super) fn uncertainty(
        &self,
        against: &ErrorSeries,
        options: &CheckOptions,
    ) -> Result<Vec<[f64; 2]>, CheckError> {
        let times = &self.samples.times;
        let rounding = options.rounding;
        let rate = against.reference.iter().fold(0.0, |max: f64, s| {
            let rate = so3::length(s.omega(self.inertia));
            if rate.is_finite() { max.max(rate) } else { max }
        });
        let of_time = |k: usize| rounding * (times[k].abs() + times[0].abs()) * rate;
        let floor = |k: usize| MARGIN * rounding + of_time(k);
        let Some(motion) = self.motion(ColumnConvention::default())? else {
            let ReferenceSource::Problem { reference, .. } = &self.source else {
                return Ok(vec![]);
            };
            let own = 2.0 * reference.error();
            return Ok((0..times.len()).map(|k| [own + floor(k); 2]).collect());
        };
        let start = *motion.start();
        let nudge = MARGIN * rounding * so3::length(start.m);
        let nudged = DVec3::AXES.map(|axis| {
            let near = State { m: start.m + axis * nudge, q: start.q };
            // At the very edge of what can be computed this motion may be out of range; then it is left out.
            FreeMotion::new(self.inertia, near).ok()
        });
        // What is lost stays lost, also where nudged motions happen to meet again.
        let mut lost = [0.0_f64; 2];
        let at = |k: usize| {
            self.control.check()?;
            for near in nudged.iter().flatten() {
                let Ok(near) = near.at(times[k] - times[0]) else { continue };
                let errors = Errors::new(&near, &against.reference[k], against.size);
                lost[0] = lost[0].max(finite(errors.momentum));
                lost[1] = lost[1].max(errors.attitude);
            }
            Ok(lost.map(|lost| lost + floor(k)))
        };
        (0..times.len()).map(at).collect()
    }
}

/// How many roundings of the first sample a right trajectory may be off: a method adds its own at
/// every step, and those of the first few are carried as far as that of the start.
pub(super) const MARGIN: f64 = 8.0;
