//! The records that both binaries write.
