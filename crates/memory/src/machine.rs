//! The machine as the kernel describes it: CPUs, caches, available memory.

pub mod available_memory;
pub mod caches;
pub mod cpus;
pub mod nodes;
