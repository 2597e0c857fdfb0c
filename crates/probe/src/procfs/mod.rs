//! Reading the kernel's text files without allocating: each parser takes the bytes of one file.

pub mod open_file;
pub mod process;
pub mod system;
pub mod text;

/// One tick of the CPU times in `/proc`, in ns: `USER_HZ` is 100 on every architecture that Debian supports.
pub const TICK_NS: u64 = 10_000_000;
