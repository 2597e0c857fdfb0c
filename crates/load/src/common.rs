//! What all users of one thread share.

use std::os::fd::OwnedFd;

use crate::mix::{Draws, Mix};
use crate::schedule::Schedule;
use crate::tally::Tally;
use crate::transport::Endpoint;

/// What all users share.
pub struct Common<'a> {
    /// Where all connections are registered; the number of the user is an event's data.
    pub epoll: OwnedFd,
    /// Where the server is.
    pub endpoint: Endpoint,
    /// What is asked.
    pub mix: &'a Mix,
    /// Which of it, and what is sampled.
    pub draws: Draws,
    /// When.
    pub schedule: &'a mut dyn Schedule,
    /// How long a request may take, from the intended instant.
    pub timeout_ns: u64,
    /// The counts.
    pub tally: Tally,
    /// Where answers are read into; its content means nothing between two reads.
    pub buffer: Box<[u8]>,
    /// No user needs [`crate::user::User::tick`] before this instant.
    pub tick_ns: u64,
}
