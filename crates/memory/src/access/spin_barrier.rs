//! Threads wait for each other here without going to sleep.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of checks before the CPU is yielded: some 50 us.
const LOOKS: u32 = 20_000;

/// A barrier that opens when all of its threads have come to it, again and again.
#[derive(Debug)]
pub struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    opened: AtomicUsize,
}

impl SpinBarrier {
    /// A barrier for this many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            opened: AtomicUsize::new(0),
        }
    }

    /// Waits until all have come. What each did before is seen by all of them afterwards.
    pub fn wait(&self) {
        let opened = self.opened.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.opened.store(opened.wrapping_add(1), Ordering::Release);
            return;
        }
        until(|| self.opened.load(Ordering::Acquire) != opened);
    }
}

/// Waits until it holds, checking all the time; yields the CPU after a while, as the other thread may need it.
pub fn until(holds: impl Fn() -> bool) {
    let mut looks = 0;
    while !holds() {
        looks += 1;
        if looks == LOOKS {
            looks = 0;
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::SpinBarrier;

    #[test]
    fn nobody_passes_before_all_have_come() {
        let (barrier, count) = (SpinBarrier::new(3), AtomicUsize::new(0));
        let early = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let _ = scope.spawn(|| {
                    for round in 1..=100 {
                        let _ = count.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        if count.load(Ordering::Relaxed) < 3 * round {
                            let _ = early.fetch_add(1, Ordering::Relaxed);
                        }
                        barrier.wait();
                    }
                });
            }
        });
        assert_eq!(early.into_inner(), 0);
    }
}
