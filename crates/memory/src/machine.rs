//! What the machine is, as the kernel tells it: CPUs, caches, memory that can be had.

pub mod available_memory;
pub mod caches;
pub mod cpus;
pub mod nodes;
