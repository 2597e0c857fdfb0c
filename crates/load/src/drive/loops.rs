//! The three loops: when requests are sent. What a request is and how it ends is up to [`crate::drive::user`].

mod arrival_queue;
mod closed;
mod open;
mod sessions;

use crate::dialogue::Dialogue;
use crate::drive::pool::Pool;
use crate::drive::user::RequestEnd;

pub use closed::Closed;
pub use open::Open;
pub use sessions::Sessions;

/// When requests are sent, on one thread.
pub trait Loop {
    /// The load begins, and should have at `began_ns`; the clock has just been read.
    fn start<D: Dialogue>(&mut self, _pool: &mut Pool<D>, _began_ns: u64) {}

    /// When [`Loop::arrive`] has something to do, in ns of `CLOCK_MONOTONIC`.
    fn due_ns<D: Dialogue>(&self, _pool: &Pool<D>) -> u64 {
        u64::MAX
    }

    /// Sends everything that was meant to be sent by now; the clock has just been read. Called once in a while at
    /// least.
    fn arrive<D: Dialogue>(&mut self, _pool: &mut Pool<D>) {}

    /// A pause of this user's was over at `since_ns`; the clock has been read since.
    fn resume<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, since_ns: u64);

    /// A request of this user's has ended.
    fn after<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, ending: &RequestEnd);
}
