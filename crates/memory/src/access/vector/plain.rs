//! Vectors for every processor: plain code, of which the compiler makes what it can.

use super::loops::Vector;

/// Four numbers.
#[derive(Clone, Copy)]
pub struct Plain([f64; 4]);

impl Vector for Plain {
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller has four numbers there.
        unsafe { Self(from.cast::<[f64; 4]>().read()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller has room for four numbers there.
        unsafe { to.cast::<[f64; 4]>().write(self.0) }
    }

    /// Never used: see `Width::need_streams`.
    #[inline(always)]
    unsafe fn stream(self, to: *mut f64) {
        // SAFETY: as of `store`.
        unsafe { self.store(to) }
    }

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Self([value; 4])
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    unsafe fn multiply(self, other: Self) -> Self {
        Self(std::array::from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    #[inline(always)]
    unsafe fn settle() {}
}
