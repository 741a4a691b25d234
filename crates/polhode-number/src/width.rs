//! How many lanes at a time: what the processor has, found out while running.
#![allow(unsafe_code)]

use super::PackedNumber;
#[cfg(target_arch = "x86_64")]
use super::{Twice, Xmm, Ymm, Zmm};

/// Two lanes, four, and eight, on any processor of this kind.
#[cfg(target_arch = "x86_64")]
type PortableTwo = Xmm;
#[cfg(target_arch = "x86_64")]
type PortableFour = Twice<Xmm>;
#[cfg(target_arch = "x86_64")]
type PortableEight = Twice<PortableFour>;
#[cfg(not(target_arch = "x86_64"))]
type PortableTwo = super::Pack<2>;
#[cfg(not(target_arch = "x86_64"))]
type PortableFour = super::Pack<4>;
#[cfg(not(target_arch = "x86_64"))]
type PortableEight = super::Pack<8>;

/// How many doubles at a time. All give the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
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
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, reason = "there are no others"))]
        let mut widths = vec![Self::Two];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                widths.push(Self::Four);
            }
            if has_avx512() {
                widths.push(Self::Eight);
            }
        }
        widths
    }

    /// The number of lanes.
    pub fn lanes(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    /// This width, if the processor has it.
    #[doc(hidden)]
    pub fn checked(self) -> Option<AvailableWidth> {
        Self::available().contains(&self).then_some(AvailableWidth(self))
    }
}

/// A computation in lanes of whatever width.
pub trait Kernel {
    /// The type of its result.
    type Output;

    /// Runs it; to be inlined, so that it is compiled for the processor that has these lanes.
    fn run<L: PackedNumber>(self) -> Self::Output;
}

/// A width that the processor was seen to have.
#[derive(Clone, Copy, Debug)]
pub struct AvailableWidth(Width);

impl AvailableWidth {
    /// The widest that the processor has.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return Self(Width::Eight);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                return Self(Width::Four);
            }
        }
        Self(Width::Two)
    }

    /// Runs a computation in lanes of this width.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            // SAFETY: the processor has AVX-512 F and DQ, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            Width::Eight => unsafe { avx512(kernel) },
            // SAFETY: the processor has AVX2, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            Width::Four => unsafe { avx2(kernel) },
            _ => kernel.run::<PortableTwo>(),
        }
    }
}

/// Runs a computation for one lane, with the three-operand instructions of wider registers where the
/// processor has them: a fifth fewer, for the same bits.
#[inline]
pub fn alone<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was just seen to have AVX2.
        return unsafe { avx2_alone(kernel) };
    }
    kernel.run::<f64>()
}

/// Lanes of a given number, on any processor: for computations of which there are four or eight to be done side by
/// side, and not as many as one likes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers(RegisterKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RegisterKind {
    Portable,
    /// AVX2: sixteen registers of four.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512: thirty-two of four or eight.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Registers {
    /// Those of the processor, where it has them.
    #[inline]
    pub fn fastest() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() && std::arch::is_x86_feature_detected!("avx512vl") {
                return Self(RegisterKind::Avx512);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                return Self(RegisterKind::Avx2);
            }
        }
        Self::portable()
    }

    /// As the compiler makes them for any processor; the bits are the same.
    pub fn portable() -> Self {
        Self(RegisterKind::Portable)
    }

    /// All that run on this processor, the portable ones first: for tests that the bits are the same.
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut, reason = "there are no others"))]
        let mut all = vec![Self::portable()];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                all.push(Self(RegisterKind::Avx2));
            }
            if Self::fastest().0 == RegisterKind::Avx512 {
                all.push(Self::fastest());
            }
        }
        all
    }

    /// Runs a computation in four lanes.
    #[inline]
    pub fn four<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            RegisterKind::Portable => kernel.run::<PortableFour>(),
            // SAFETY: the processor has AVX2, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx2 => unsafe { avx2_four(kernel) },
            // SAFETY: the processor has AVX-512 with short registers, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx512 => unsafe { avx512_four(kernel) },
        }
    }

    /// Runs a computation in eight lanes where they are one register, and in four elsewhere: for one that repeats
    /// itself until it has done eight things.
    #[inline]
    pub fn up_to_eight<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            // SAFETY: the processor has AVX-512, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx512 => unsafe { avx512_eight(kernel) },
            _ => self.four(kernel),
        }
    }

    /// Runs a computation in eight lanes.
    #[inline]
    pub fn eight<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            RegisterKind::Portable => kernel.run::<PortableEight>(),
            // SAFETY: the processor has AVX2, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx2 => unsafe { avx2(kernel) },
            // SAFETY: the processor has AVX-512, or there would be no such value.
            #[cfg(target_arch = "x86_64")]
            RegisterKind::Avx512 => unsafe { avx512_eight(kernel) },
        }
    }
}

/// Aligns the frame of the function that calls it to lines of the cache.
///
/// Where registers do not suffice, a kernel keeps numbers in its frame. The compiler aligns a frame for variables, not
/// for these: they would lie across lines, and one of them across pages, where storing it takes ten times as long.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn align_frame() {
    #[repr(align(64))]
    struct Line(#[allow(dead_code, reason = "it is there to have an address")] u8);
    let line = Line(0);
    std::hint::black_box(&line);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512dq,avx512vl")]
fn avx512_four<K: Kernel>(kernel: K) -> K::Output {
    align_frame();
    kernel.run::<Ymm>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512_eight<K: Kernel>(kernel: K) -> K::Output {
    align_frame();
    kernel.run::<Zmm>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_four<K: Kernel>(kernel: K) -> K::Output {
    align_frame();
    kernel.run::<Ymm>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2_alone<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<f64>()
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512dq")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq")]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    align_frame();
    kernel.run::<Twice<Zmm>>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    align_frame();
    kernel.run::<Twice<Ymm>>()
}
