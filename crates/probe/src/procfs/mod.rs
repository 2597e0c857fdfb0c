//! Reading the kernel's text files without allocating: each parser takes the bytes of one file.

pub mod kept;
pub mod process;
pub mod system;
pub mod words;
