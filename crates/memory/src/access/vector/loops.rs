//! The loops over arrays, for vectors of any width.
//!
//! Each loop ends in a compiler fence, which is no instruction. It keeps the compiler from replacing a copy of memory
//! by a call of `memcpy`, which would choose its stores itself.

use std::sync::atomic::{Ordering, compiler_fence};

use super::{BLOCK, Operation, Pass};

/// Vectors that a loop handles in one turn.
const AT_ONCE: usize = 4;

/// Some numbers that the processor handles at once. Every method is unsafe as it may be compiled to instructions that
/// only some processors have.
pub trait Vector: Copy {
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
pub unsafe fn pass<V: Vector>(pass: &mut Pass<'_>) {
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
pub unsafe fn total<V: Vector>(of: &[f64]) -> f64 {
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
pub unsafe fn grow<V: Vector>(each: &mut [f64]) {
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
