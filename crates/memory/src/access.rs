//! How memory is accessed: mapped, walked by loads that wait for each other, and passed over by vectors.

pub mod mapping;
pub mod pointer_chase;
pub mod spin_barrier;
pub mod vector;
pub mod working_sets;
