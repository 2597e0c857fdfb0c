//! When each request is meant to be sent.

/// Gives every request its intended instant; all times are ns of `CLOCK_MONOTONIC`.
pub trait Schedule {
    /// When the user who is ready at `ready_ns` is meant to send its next request, or `None` once the load is over.
    fn intended_ns(&mut self, ready_ns: u64) -> Option<u64>;
}

/// The closed loop without think time: a user who is ready sends at once. The window's end ends the load.
#[derive(Debug)]
pub struct Closed;

impl Schedule for Closed {
    fn intended_ns(&mut self, ready_ns: u64) -> Option<u64> {
        Some(ready_ns)
    }
}
