//! Connections to the server: where it listens, the socket, and TLS. Nothing here waits.

pub mod peer;
pub mod socket;
pub mod tls;
pub mod transport;
pub mod url;
