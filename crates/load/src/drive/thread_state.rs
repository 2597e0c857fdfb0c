//! What all users of one thread share.

use std::os::fd::OwnedFd;

use crate::connection::transport::Endpoint;
use crate::drive::deadline_queue::DeadlineQueue;
use crate::drive::lingering::Lingering;
use crate::drive::wake_threshold::WakeThreshold;
use crate::http2::links::Links;
use crate::tally::Tally;

/// What all users of one thread share.
pub struct ThreadState<D> {
    /// Where all connections are registered; an event's data names its connection.
    pub epoll: OwnedFd,
    /// Where connections lead to.
    pub endpoint: Endpoint,
    /// Those that users share, if they speak HTTP/2.
    pub http2: Option<Links>,
    /// The conversation on them.
    pub talk: D,
    /// How long a request may take, from the intended instant.
    pub timeout_ns: u64,
    /// Users who wait for a response, since the intended instant.
    pub timeouts: DeadlineQueue,
    /// Users who are woken by a whole response only, since the request was sent.
    pub looks: DeadlineQueue,
    /// How much of a response wakes a user.
    pub wake_threshold: WakeThreshold,
    /// Connections that the server is expected to close.
    pub lingering: Lingering,
    /// The counts.
    pub tally: Tally,
    /// Where responses are read into; its content has no meaning between two reads.
    pub buffer: Box<[u8]>,
    /// Where a request is put together that the mix does not have in this form.
    pub scratch: Vec<u8>,
    /// The last reading of the clock.
    pub now_ns: u64,
}
