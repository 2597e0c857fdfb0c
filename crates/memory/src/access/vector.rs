//! Passes over arrays, at the width of vector that the processor has.
//!
//! The loops are in `loops`, the vectors in `x86` and `plain`.
#![allow(unsafe_code)]
#![allow(
    clippy::inline_always,
    reason = "what uses vectors must end up inside the function that has them enabled"
)]

mod loops;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

use base::error::Error;

/// Passes work on whole blocks of this many numbers: 512 bytes.
pub const BLOCK: usize = 64;

/// Arrays begin at multiples of this many bytes, as non-temporal stores of the widest vectors need it.
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
    /// Bytes that each place of the arrays counts for, as STREAM counts them: what is read and what is written, not
    /// what an ordinary store reads before it writes.
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

    /// The widest that this processor has, and at most this many bits wide if a limit is given.
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

    /// In bits; `None` if the compiler chose.
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

    /// Refuses non-temporal stores on a processor without them.
    ///
    /// # Errors
    /// This program has none for this processor.
    pub fn need_streams(self) -> Result<(), Error> {
        if self == Self::Plain {
            return Err(Error::usage(
                "Non-temporal stores",
                "this program has them for x86-64 only, and this is another processor",
                "Use stores=ordinary.",
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
    /// The second array that is read, if the operation has one.
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
            Width::Plain => unsafe { loops::pass::<plain::Plain>(&mut self) },
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
        Width::Plain => unsafe { loops::total::<plain::Plain>(of) },
    }
}

/// Adds 1 to each number of whole blocks, in place.
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
        Width::Plain => unsafe { loops::grow::<plain::Plain>(each) },
    }
}
