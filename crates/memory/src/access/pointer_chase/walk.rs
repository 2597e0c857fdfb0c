//! The loop of loads. Holds unsafe code: a load goes to the address that the load before it gave.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::ptr::with_exposed_provenance;

/// Loads of one turn, written out, so that the loop itself costs next to nothing.
pub const LOADS: u64 = 64;

macro_rules! four {
    ($step:expr) => {
        $step;
        $step;
        $step;
        $step;
    };
}

/// Goes on from `at` for `turns` turns; returns where that leads.
///
/// `at` is a place of a cycle that `Cycle::lay` wrote into a mapping that still exists.
pub fn walk(at: usize, turns: u64) -> usize {
    let mut at = at;
    for _ in 0..turns {
        four!({
            four!({
                four!({
                    // SAFETY: every place of the cycle holds the address of another, within the same map.
                    at = unsafe { with_exposed_provenance::<usize>(at).read() };
                });
            });
        });
    }
    black_box(at)
}
