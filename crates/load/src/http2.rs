//! HTTP/2 over TLS, by the crate `h2`: many requests at once on one connection. `h2` keeps the state of the protocol and
//! waits for nothing; here is what it needs around it: a socket that does not wait, wakers that ring a bell, and requests
//! and responses in the words of HTTP/1.1, in which they are written and checked.

pub mod bells;
pub mod link;
pub mod links;
pub mod message;
mod socket;
#[cfg(test)]
mod spoiled_frames;

/// More requests at once on one connection are not made: servers need not take more (RFC 9113, section 6.5.2).
pub const MOST_STREAMS: u32 = 100;
