//! What all threads count. There are as many tallies as CPUs, and a thread takes the one of its turn for the moment
//! that counting needs: one a thread would hold 3 MB each, and the work of closing their histograms every second would
//! grow with the connections, at the cost of what is measured.

use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::tally::{Rules, Tally};

/// The counts of all threads.
#[derive(Debug)]
pub struct Counts {
    /// What is counted, and how.
    pub rules: Rules,
    names: Vec<String>,
    tallies: Vec<Mutex<Tally>>,
}

impl Counts {
    /// Counts of this many threads, of queries with these names; all are 0.
    pub fn new(rules: Rules, names: Vec<String>, threads: usize) -> Self {
        let tallies = (0..tallies(threads)).map(|_| Tally::new(rules, names.clone(), None));
        Self {
            rules,
            tallies: tallies.map(Mutex::new).collect(),
            names,
        }
    }

    /// Lets the thread of this number count.
    pub fn count(&self, thread: usize, what: impl FnOnce(&mut Tally)) {
        let tally = &self.tallies[thread % self.tallies.len()];
        // A thread that panics ends the process, so that no thread sees counts left half done.
        what(&mut tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// All counts together, once no thread counts any longer and the window has closed at `to_ns`.
    pub fn together(&self, to_ns: u64) -> Tally {
        let mut all = Tally::new(self.rules, self.names.clone(), None);
        for tally in &self.tallies {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.close(to_ns);
            all.add(&tally);
        }
        all
    }
}

/// How many tallies this many threads have.
pub fn tallies(threads: usize) -> usize {
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    threads.clamp(1, cpus)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::Counts;
    use crate::dialogue::CheckedResponse;
    use crate::tally::window::Window;
    use crate::tally::{RequestTimes, Rules};

    const RULES: Rules = Rules {
        window: Window {
            from_ns: 0,
            until_ns: 2_000_000_000,
        },
        scheduled: false,
        timeout_ns: 1_000_000,
        late_after_ns: None,
        keeps_seconds: false,
        keeps_instants: false,
    };

    #[test]
    fn what_many_threads_count_is_all_there() {
        let names = ["a", "b"].map(str::to_owned).into();
        let counts = Counts::new(RULES, names, 8);
        thread::scope(|scope| {
            for number in 0..8_usize {
                let counts = &counts;
                let _ = scope.spawn(move || {
                    for done_ns in (1..=1000).map(|step| step * 1_500_000) {
                        let times = RequestTimes {
                            kind: Some(number % 2),
                            done_ns,
                            ..RequestTimes::default()
                        };
                        counts.count(number, |tally| {
                            tally.began(0, 0);
                            tally.answered(&times, &CheckedResponse::default());
                        });
                    }
                });
            }
        });
        let all = counts.together(RULES.window.until_ns);
        assert_eq!((all.sent, all.right), (8000, 8000));
        assert_eq!(
            all.kinds.iter().map(|kind| kind.sent).collect::<Vec<_>>(),
            [4000, 4000]
        );
        let intervals: Vec<u64> = all.response.intervals().map(|each| each.len()).collect();
        assert_eq!((intervals.len(), intervals.iter().sum::<u64>()), (2, 8000));
    }
}
