//! Until when a thread's request may run. SQLite checks now and then, within a statement and while it waits for a lock;
//! it has no clock of its own.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use base::clock::{now_ns, sleep_until};
use rusqlite::Connection;

use super::load::Load;

/// SQLite checks after this many steps of its virtual machine, some 30 us; a check costs 40 ns.
const STEPS: i32 = 1000;

/// How long SQLite's own `sqlite3_busy_timeout` waits before it tries a lock again, in ms, the last again and again.
const WAITS_MS: [u64; 12] = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100];

thread_local! {
    static UNTIL_NS: Cell<u64> = const { Cell::new(u64::MAX) };
    static LOAD: RefCell<Option<Arc<Load>>> = const { RefCell::new(None) };
}

/// Makes SQLite check with this thread, the one that uses the connection.
///
/// # Errors
/// SQLite refuses, which it has no reason to.
pub fn watch(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.progress_handler(STEPS, Some(is_over))?;
    connection.busy_handler(Some(wait))
}

/// This thread's requests end with this load.
pub fn set_load(load: Arc<Load>) {
    LOAD.set(Some(load));
}

/// This thread's next request may run until this instant.
pub fn set_until_ns(until_ns: u64) {
    UNTIL_NS.set(until_ns);
}

/// Whether this thread's request may run no longer.
pub fn is_over() -> bool {
    now_ns() >= until_ns()
}

fn until_ns() -> u64 {
    let stops_ns = LOAD.with_borrow(|load| load.as_ref().map_or(u64::MAX, |load| load.stops_ns()));
    UNTIL_NS.get().min(stops_ns)
}

/// Another connection holds the lock, for the `tries`-th time: waits, but not beyond the limit; false if that has
/// passed.
fn wait(tries: i32) -> bool {
    let number = usize::try_from(tries).unwrap_or(usize::MAX);
    let wait_ms = WAITS_MS[number.min(WAITS_MS.len() - 1)];
    let (now_ns, until_ns) = (now_ns(), until_ns());
    sleep_until(until_ns.min(now_ns + wait_ms * 1_000_000));
    now_ns < until_ns
}
