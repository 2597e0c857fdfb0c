//! Where free threads wait for requests to arrive. One of them, the leader, sleeps until the next arrival, takes it,
//! and leaves the lead to another; no thread is spent on dispatching. Arrivals without a free thread stay in the
//! schedule: they are not taken yet, and the next free thread takes the first.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use base::clock::{now_ns, sleep_until};

use crate::distribution::arrivals::Arrivals;

/// A request that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When it was meant to.
    pub intended_ns: u64,
    /// When a thread took it.
    pub taken_ns: u64,
    /// Whether no thread was free at its instant.
    pub queued: bool,
}

/// The line of free threads.
#[derive(Debug)]
pub struct ArrivalQueue {
    state: Mutex<State>,
    /// Each wakes one thread.
    wakes: Vec<Condvar>,
    /// Nothing arrives from here on.
    until_ns: u64,
    /// Nothing is taken from here on.
    closes_ns: u64,
}

#[derive(Debug)]
struct State {
    arrivals: Arrivals,
    leader: Option<usize>,
    /// Which other threads are free, and since when; the one free for the shortest time is last and leads next, its
    /// caches warm.
    free: Vec<(usize, u64)>,
}

impl ArrivalQueue {
    /// A queue for this many threads. Requests arrive until `until_ns`; what is then in the queue is taken if it
    /// `drains`.
    pub fn new(arrivals: Arrivals, threads: usize, until_ns: u64, drains: bool) -> Self {
        Self {
            state: Mutex::new(State {
                arrivals,
                leader: None,
                free: Vec::with_capacity(threads),
            }),
            wakes: (0..threads).map(|_| Condvar::new()).collect(),
            until_ns,
            closes_ns: if drains { u64::MAX } else { until_ns },
        }
    }

    /// Waits for a request to arrive that no other thread takes; `None` if none will. The thread of this number is free
    /// since `since_ns`.
    pub fn take(&self, thread: usize, since_ns: u64) -> Option<Arrival> {
        let mut state = self.lead(thread, since_ns);
        loop {
            let intended_ns = state.arrivals.next_ns();
            let taken_ns = now_ns();
            if intended_ns >= self.until_ns || taken_ns >= self.closes_ns {
                self.leave(&mut state);
                return None;
            }
            if taken_ns >= intended_ns {
                state.arrivals.advance();
                let longest_ns = state
                    .free
                    .first()
                    .map_or(since_ns, |&(_, since_ns)| since_ns);
                self.leave(&mut state);
                return Some(Arrival {
                    intended_ns,
                    taken_ns,
                    queued: intended_ns < since_ns.min(longest_ns),
                });
            }
            drop(state);
            sleep_until(intended_ns);
            state = self.lock();
        }
    }

    /// The instants of requests that arrived and were never taken.
    pub fn left(&self) -> Vec<u64> {
        let mut state = self.lock();
        let mut left = Vec::new();
        while state.arrivals.next_ns() < self.until_ns {
            left.push(state.arrivals.next_ns());
            state.arrivals.advance();
        }
        left
    }

    /// Waits until this thread leads.
    fn lead(&self, thread: usize, since_ns: u64) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        if state.leader.is_none() {
            state.leader = Some(thread);
            return state;
        }
        state.free.push((thread, since_ns));
        while state.leader != Some(thread) {
            let woken = self.wakes[thread].wait(state);
            state = woken.unwrap_or_else(PoisonError::into_inner);
        }
        state
    }

    /// Leaves the lead to the next, if anybody is free.
    fn leave(&self, state: &mut State) {
        state.leader = state.free.pop().map(|(thread, _)| thread);
        if let Some(next) = state.leader {
            self.wakes[next].notify_one();
        }
    }

    /// A thread that panics ends the process, so that no thread sees a state left half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::{Arrival, ArrivalQueue, now_ns, sleep_until};
    use crate::distribution::arrivals::{Arrivals, Rate, Spacing};
    use base::random::Random;

    const MS: u64 = 1_000_000;

    /// A line of requests every 2 ms for 100 ms, and when it begins: once all threads are there.
    fn line(threads: usize, drains: bool) -> (ArrivalQueue, u64) {
        let rate = Rate {
            per_s: 500.0,
            spacing: Spacing::Uniform,
        };
        let began_ns = now_ns() + 100 * MS;
        let arrivals = Arrivals::new(rate, began_ns, 0, 1, Random::new(1));
        (
            ArrivalQueue::new(arrivals, threads, began_ns + 101 * MS, drains),
            began_ns,
        )
    }

    /// What each of the threads takes, which is busy with it for this long.
    fn taken(line: &ArrivalQueue, threads: usize, busy_ns: u64) -> Vec<Vec<Arrival>> {
        thread::scope(|scope| {
            let all: Vec<_> = (0..threads)
                .map(|thread| {
                    scope.spawn(move || {
                        let mut since_ns = now_ns();
                        let mut own = Vec::new();
                        while let Some(arrival) = line.take(thread, since_ns) {
                            own.push(arrival);
                            sleep_until(arrival.taken_ns + busy_ns);
                            since_ns = now_ns();
                        }
                        own
                    })
                })
                .collect();
            all.into_iter()
                .map(|thread| thread.join().expect("it ends"))
                .collect()
        })
    }

    #[test]
    fn every_arrival_is_taken_once_and_by_one_thread() {
        let (line, began_ns) = line(4, true);
        let taken = taken(&line, 4, 3 * MS);
        let mut all: Vec<u64> = taken
            .iter()
            .flatten()
            .map(|each| each.intended_ns)
            .collect();
        all.sort_unstable();
        let due: Vec<u64> = (1..=50).map(|number| began_ns + 2 * number * MS).collect();
        assert_eq!(all, due);
        assert!(
            taken
                .iter()
                .flatten()
                .all(|each| each.taken_ns >= each.intended_ns)
        );
        assert!(line.left().is_empty());
    }

    #[test]
    fn what_arrives_while_all_are_busy_is_queued_and_taken_in_its_order() {
        // The thread may get its CPU only after the first arrival, which has then waited too: one attempt of several counts.
        let first_not_queued = |_| {
            let (line, _) = line(1, true);
            let taken = taken(&line, 1, 5 * MS).concat();
            let instants: Vec<u64> = taken.iter().map(|each| each.intended_ns).collect();
            assert!(instants.is_sorted() && instants.len() == 50);
            let queued = taken.iter().filter(|each| each.queued).count();
            assert!(queued >= 48, "{queued} of 50 waited");
            !taken[0].queued
        };
        assert!((0..10).any(first_not_queued));
    }

    #[test]
    fn nothing_is_queued_while_a_thread_is_free() {
        // Other programs may keep all threads from their CPUs, which are then not free: one attempt of several counts.
        let none_queued = |_| {
            let (line, _) = line(30, true);
            let taken = taken(&line, 30, MS);
            taken.iter().flatten().all(|each| !each.queued)
        };
        assert!((0..10).any(none_queued));
    }

    #[test]
    fn without_draining_what_is_in_the_queue_at_the_end_is_left() {
        let (line, began_ns) = line(1, false);
        let taken = taken(&line, 1, 40 * MS).concat();
        let left = line.left();
        assert_eq!(taken.len() + left.len(), 50);
        assert!((1..=3).contains(&taken.len()), "{} were taken", taken.len());
        assert!(left.iter().all(|&at_ns| at_ns < began_ns + 101 * MS));
    }
}
