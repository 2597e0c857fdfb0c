//! Connections that have carried their last response: the server, which was notified, closes them first. The side that
//! closes first keeps the port for a minute; a driver that did would run out of ports.

use std::collections::VecDeque;

use crate::connection::transport::Connection;

/// A server that has not closed by then will not; the driver closes.
const PATIENCE_NS: u64 = 1_000_000_000;

/// More than this many are not waited for: each costs a descriptor.
pub const MOST: u32 = 64;

/// Connections on their way out.
#[derive(Debug, Default)]
pub struct Lingering {
    connections: VecDeque<LingeringConnection>,
}

#[derive(Debug)]
struct LingeringConnection {
    event: u64,
    since_ns: u64,
    _connection: Connection,
}

impl Lingering {
    /// Waits for the server to close the connection with this event data.
    pub fn wait(&mut self, event: u64, connection: Connection, now_ns: u64) {
        if self.connections.len() >= usize::try_from(MOST).unwrap_or(0) {
            let _ = self.connections.pop_front();
        }
        self.connections.push_back(LingeringConnection {
            event,
            since_ns: now_ns,
            _connection: connection,
        });
    }

    /// The connection with this event data was closed, if it is one of these.
    pub fn closed(&mut self, event: u64) {
        // The oldest are closed first: nearly always the first is meant.
        if let Some(at) = self.connections.iter().position(|last| last.event == event) {
            let _ = self.connections.remove(at);
        }
    }

    /// Closes those that have been waited for too long.
    pub fn tidy(&mut self, now_ns: u64) {
        while let Some(first) = self.connections.front()
            && first.since_ns + PATIENCE_NS < now_ns
        {
            let _ = self.connections.pop_front();
        }
    }
}
