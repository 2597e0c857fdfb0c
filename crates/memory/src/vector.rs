//! Passes over arrays, at the width of vector that the processor has.
//!
//! Each loop ends in a compiler fence, which is no instruction: it keeps the compiler from making a copy of memory a call
//! of `memcpy`, which would choose its stores itself.
#![allow(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "what uses vectors must end up inside the function that has them enabled"
)]

mod plain;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::atomic::{Ordering, compiler_fence};

use crate::complaint::Complaint;

/// Passes work on whole blocks of so many numbers: 512 bytes.
pub const BLOCK: usize = 64;

/// Vectors that a loop handles before it turns.
const AT_ONCE: usize = 4;

/// Arrays begin at borders of so many bytes, as non-temporal stores of the widest vectors need it.
const ALIGNED: usize = 64;

/// What a pass does: to = one, to = s one, to = one + two, to = one + s two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// To = one.
    Copy,
    /// To = s one.
    Scale,
    /// To = one + two.
    Add,
    /// To = one + s two.
    Triad,
}

impl Operation {
    /// Bytes that each place of the arrays counts for, as STREAM counts them: what is read and what is written, not what
    /// an ordinary store reads before it writes.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Copy | Self::Scale => 16,
            Self::Add | Self::Triad => 24,
        }
    }
}

/// How wide the processor's vectors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 128 bits.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// What the compiler makes of plain code.
    #[cfg_attr(
        target_arch = "x86_64",
        allow(dead_code, reason = "x86-64 has SSE2 at least")
    )]
    Plain,
}

impl Width {
    /// The widest that this processor has.
    pub fn widest() -> Self {
        #[cfg(target_arch = "x86_64")]
        return x86::widest();
        #[cfg(not(target_arch = "x86_64"))]
        Self::Plain
    }

    /// The widest that this processor has, and at most so many bits wide where that is named.
    pub fn within(most_bits: Option<u32>) -> Self {
        let widest = Self::widest();
        #[cfg(target_arch = "x86_64")]
        return match (widest, most_bits) {
            (_, Some(..256)) => Self::Sse2,
            (Self::Avx512, Some(..512)) => Self::Avx2,
            _ => widest,
        };
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = most_bits;
            widest
        }
    }

    /// In bits; `None` where the compiler chose.
    pub fn bits(self) -> Option<f64> {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Some(512.0),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => Some(256.0),
            #[cfg(target_arch = "x86_64")]
            Self::Sse2 => Some(128.0),
            Self::Plain => None,
        }
    }

    /// Refuses non-temporal stores where there are none.
    ///
    /// # Errors
    /// This program has none for this processor.
    pub fn need_streams(self) -> Result<(), Complaint> {
        if self == Self::Plain {
            return Err(Complaint::words(
                "Non-temporal stores",
                "this program has them for x86-64 alone, and this is another processor",
                "Ask for stores=ordinary.",
            ));
        }
        Ok(())
    }
}

/// One pass. All slices have the same whole number of blocks; `streams` makes its stores non-temporal.
#[derive(Debug)]
pub struct Pass<'a> {
    /// What is done.
    pub operation: Operation,
    /// Whether the stores are non-temporal.
    pub streams: bool,
    /// What is written.
    pub to: &'a mut [f64],
    /// What is read.
    pub one: &'a [f64],
    /// What is read besides, where the operation does.
    pub two: &'a [f64],
    /// The operation's s.
    pub scalar: f64,
}

impl Pass<'_> {
    /// Does it at this width.
    pub fn run(mut self, width: Width) {
        let count = self.to.len();
        assert!(
            self.one.len() == count && self.two.len() == count && count.is_multiple_of(BLOCK),
            "arrays of one length, in whole blocks"
        );
        assert!(
            self.to.as_ptr().addr().is_multiple_of(ALIGNED),
            "an array at a border of {ALIGNED} bytes"
        );
        // SAFETY: the slices are as long as was just checked, and `Width` is only ever what the processor has.
        match width {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { x86::pass_avx512(&mut self) },
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { x86::pass_avx2(&mut self) },
            #[cfg(target_arch = "x86_64")]
            Width::Sse2 => unsafe { x86::pass_sse2(&mut self) },
            Width::Plain => unsafe { pass::<plain::Plain>(&mut self) },
        }
    }
}

/// The sum of whole blocks.
pub fn sum(of: &[f64], width: Width) -> f64 {
    assert!(of.len().is_multiple_of(BLOCK), "whole blocks");
    // SAFETY: as of `Pass::run`.
    match width {
        #[cfg(target_arch = "x86_64")]
        Width::Avx512 => unsafe { x86::sum_avx512(of) },
        #[cfg(target_arch = "x86_64")]
        Width::Avx2 => unsafe { x86::sum_avx2(of) },
        #[cfg(target_arch = "x86_64")]
        Width::Sse2 => unsafe { x86::sum_sse2(of) },
        Width::Plain => unsafe { total::<plain::Plain>(of) },
    }
}

/// Adds 1 to each number of whole blocks, where it stands.
pub fn bump(each: &mut [f64], width: Width) {
    assert!(each.len().is_multiple_of(BLOCK), "whole blocks");
    // SAFETY: as of `Pass::run`.
    match width {
        #[cfg(target_arch = "x86_64")]
        Width::Avx512 => unsafe { x86::bump_avx512(each) },
        #[cfg(target_arch = "x86_64")]
        Width::Avx2 => unsafe { x86::bump_avx2(each) },
        #[cfg(target_arch = "x86_64")]
        Width::Sse2 => unsafe { x86::bump_sse2(each) },
        Width::Plain => unsafe { grow::<plain::Plain>(each) },
    }
}

/// Some numbers that the processor handles at once. Every method is unsafe as it may be compiled to instructions that only
/// some processors have.
trait Vector: Copy {
    /// How many numbers it holds; a block is a multiple of `AT_ONCE` times that.
    const LANES: usize;
    unsafe fn load(from: *const f64) -> Self;
    unsafe fn store(self, to: *mut f64);
    unsafe fn stream(self, to: *mut f64);
    unsafe fn splat(value: f64) -> Self;
    unsafe fn add(self, other: Self) -> Self;
    unsafe fn multiply(self, other: Self) -> Self;
    /// What must follow after the last non-temporal store, so that others see them.
    unsafe fn settle();
}

const COPY: u8 = 0;
const SCALE: u8 = 1;
const ADD: u8 = 2;
const TRIAD: u8 = 3;

#[inline(always)]
unsafe fn pass<V: Vector>(pass: &mut Pass<'_>) {
    // SAFETY: handed on from the caller.
    unsafe {
        match (pass.operation, pass.streams) {
            (Operation::Copy, false) => sweep::<V, COPY, false>(pass),
            (Operation::Copy, true) => sweep::<V, COPY, true>(pass),
            (Operation::Scale, false) => sweep::<V, SCALE, false>(pass),
            (Operation::Scale, true) => sweep::<V, SCALE, true>(pass),
            (Operation::Add, false) => sweep::<V, ADD, false>(pass),
            (Operation::Add, true) => sweep::<V, ADD, true>(pass),
            (Operation::Triad, false) => sweep::<V, TRIAD, false>(pass),
            (Operation::Triad, true) => sweep::<V, TRIAD, true>(pass),
        }
    }
}

#[inline(always)]
unsafe fn sweep<V: Vector, const OPERATION: u8, const STREAMS: bool>(pass: &mut Pass<'_>) {
    let (to, one, two) = (pass.to.as_mut_ptr(), pass.one.as_ptr(), pass.two.as_ptr());
    let mut at = 0;
    // SAFETY: the arrays are equally long, in whole blocks, and a block is a whole number of turns.
    unsafe {
        let scalar = V::splat(pass.scalar);
        while at < pass.to.len() {
            for part in 0..AT_ONCE {
                let place = at + part * V::LANES;
                let first = V::load(one.add(place));
                let made = match OPERATION {
                    COPY => first,
                    SCALE => first.multiply(scalar),
                    ADD => first.add(V::load(two.add(place))),
                    _ => first.add(V::load(two.add(place)).multiply(scalar)),
                };
                if STREAMS {
                    made.stream(to.add(place));
                } else {
                    made.store(to.add(place));
                }
            }
            compiler_fence(Ordering::SeqCst);
            at += AT_ONCE * V::LANES;
        }
        if STREAMS {
            V::settle();
        }
    }
}

#[inline(always)]
unsafe fn total<V: Vector>(of: &[f64]) -> f64 {
    let mut sums = [0.0; BLOCK];
    let mut at = 0;
    // SAFETY: whole blocks, which are whole numbers of turns; `sums` holds a turn of the widest vectors.
    unsafe {
        let mut parts = [V::splat(0.0); AT_ONCE];
        while at < of.len() {
            for (number, part) in parts.iter_mut().enumerate() {
                *part = part.add(V::load(of.as_ptr().add(at + number * V::LANES)));
            }
            at += AT_ONCE * V::LANES;
        }
        for (number, part) in parts.iter().enumerate() {
            part.store(sums.as_mut_ptr().add(number * V::LANES));
        }
    }
    sums.iter().sum()
}

#[inline(always)]
unsafe fn grow<V: Vector>(each: &mut [f64]) {
    let start = each.as_mut_ptr();
    let mut at = 0;
    // SAFETY: whole blocks, which are whole numbers of turns.
    unsafe {
        let one = V::splat(1.0);
        while at < each.len() {
            for part in 0..AT_ONCE {
                let place = start.add(at + part * V::LANES);
                V::load(place).add(one).store(place);
            }
            compiler_fence(Ordering::SeqCst);
            at += AT_ONCE * V::LANES;
        }
    }
}

#[cfg(test)]
mod tests;
