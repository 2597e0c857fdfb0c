//! What all users of one thread share.

use std::os::fd::OwnedFd;

use crate::lane::Lane;
use crate::leaving::Leaving;
use crate::patience::Patience;
use crate::tally::Tally;
use crate::transport::Endpoint;

/// What all users of one thread share.
pub struct Common<D> {
    /// Where all connections are registered; an event's data tells which connection it belongs to.
    pub epoll: OwnedFd,
    /// Where connections lead to.
    pub endpoint: Endpoint,
    /// What is talked over them.
    pub talk: D,
    /// How long a request may take, from the intended instant.
    pub timeout_ns: u64,
    /// Who waits for an answer, since the intended instant.
    pub timeouts: Lane,
    /// Who is woken by a whole answer only, since the request was sent.
    pub looks: Lane,
    /// How much of an answer wakes a user.
    pub patience: Patience,
    /// Connections that the server is expected to close.
    pub leaving: Leaving,
    /// The counts.
    pub tally: Tally,
    /// Where answers are read into; its content means nothing between two reads.
    pub buffer: Box<[u8]>,
    /// Where a request is put together that is not as the mix has it.
    pub scratch: Vec<u8>,
    /// The last reading of the clock.
    pub now_ns: u64,
}
