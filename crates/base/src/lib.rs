//! What all binaries share: one clock, one type of error, one generator of random numbers, one way to write a duration,
//! one end by a panic.

pub mod clock;
pub mod durations;
pub mod error;
pub mod panics;
pub mod random;
