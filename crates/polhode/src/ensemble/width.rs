//! How many bodies are stepped at a time: what the processor has, found out while running.
#![allow(unsafe_code)]

use super::advance::{Job, Task};
use super::error::EnsembleError;
use crate::lanes::Pack;
#[cfg(target_arch = "x86_64")]
use crate::lanes::{Ymm, Zmm};

/// Lanes of doubles. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One at a time.
    One,
    /// Two: SSE2, NEON, or what else the compiler finds.
    Two,
    /// Four: AVX2.
    Four,
    /// Eight: AVX-512.
    Eight,
}

impl Width {
    /// Those that this processor has, the widest last.
    pub fn available() -> Vec<Self> {
        let mut widths = vec![Self::One, Self::Two];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                widths.push(Self::Four);
            }
            if std::arch::is_x86_feature_detected!("avx512f")
                && std::arch::is_x86_feature_detected!("avx512dq")
            {
                widths.push(Self::Eight);
            }
        }
        widths
    }

    /// The number of lanes.
    pub fn lanes(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// This width, if the processor has it.
    pub(super) fn checked(self) -> Result<Checked, EnsembleError> {
        let available = Self::available();
        if available.contains(&self) {
            return Ok(Checked(self));
        }
        let available = available.into_iter().map(Self::lanes).collect();
        Err(EnsembleError::Width { given: self.lanes(), available })
    }

    /// The widest that the processor has.
    pub(super) fn widest() -> Checked {
        Checked(Self::available().pop().unwrap_or(Self::Two))
    }
}

/// A width that the processor was seen to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked(Width);

impl Checked {
    /// Advances the cells of a task.
    pub(super) fn advance(self, job: &Job<'_>, task: &mut Task<'_>) {
        match self.0 {
            Width::One => task.advance::<f64>(job),
            // SAFETY: the processor has AVX-512 F and DQ, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            Width::Eight => unsafe { avx512(job, task) },
            // SAFETY: the processor has AVX2, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            Width::Four => unsafe { avx2(job, task) },
            _ => task.advance::<Pack<2>>(job),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512(job: &Job<'_>, task: &mut Task<'_>) {
    task.advance::<Zmm>(job);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2(job: &Job<'_>, task: &mut Task<'_>) {
    task.advance::<Ymm>(job);
}
