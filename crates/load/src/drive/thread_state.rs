//! What all users of one thread share.

use std::os::fd::OwnedFd;

use crate::connection::transport::Endpoint;
use crate::drive::deadline_queue::DeadlineQueue;
use crate::drive::lingering::Lingering;
use crate::drive::wake_threshold::WakeThreshold;
use crate::tally::Tally;

/// What all users of one thread share.
pub struct ThreadState<D> {
    /// Where all connections are registered; an event's data tells which connection it belongs to.
    pub epoll: OwnedFd,
    /// Where connections lead to.
    pub endpoint: Endpoint,
    /// What is talked over them.
    pub talk: D,
    /// How long a request may take, from the intended instant.
    pub timeout_ns: u64,
    /// Who waits for an answer, since the intended instant.
    pub timeouts: DeadlineQueue,
    /// Who is woken by a whole answer only, since the request was sent.
    pub looks: DeadlineQueue,
    /// How much of an answer wakes a user.
    pub wake_threshold: WakeThreshold,
    /// Connections that the server is expected to close.
    pub lingering: Lingering,
    /// The counts.
    pub tally: Tally,
    /// Where answers are read into; its content means nothing between two reads.
    pub buffer: Box<[u8]>,
    /// Where a request is put together that is not as the mix has it.
    pub scratch: Vec<u8>,
    /// The last reading of the clock.
    pub now_ns: u64,
}
