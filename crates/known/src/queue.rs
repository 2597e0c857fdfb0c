//! The queue of requests, and when its head is due. Instants come in from outside, so the rules can be tested without a
//! clock.

use std::collections::VecDeque;

/// When requests get their response. All times are in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Two responses are at least this far apart.
    Spaced {
        gap_ns: u64,
        /// Whether a request whose client has gone takes its turn all the same.
        wasteful: bool,
    },
    /// At once, except in the last `lasts_ns` of each period.
    Stalls {
        began_ns: u64,
        lasts_ns: u64,
        every_ns: u64,
    },
}

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting<C> {
    /// The client.
    pub client: C,
    /// When it was read.
    pub since_ns: u64,
}

/// First come, first served.
#[derive(Debug)]
pub struct Queue<C> {
    rule: Rule,
    /// So many may wait.
    most: usize,
    waiting: VecDeque<Waiting<C>>,
    /// When the next response may be sent, to any client.
    free_ns: u64,
}

impl<C: Copy> Queue<C> {
    /// An empty queue with room for `most` requests.
    pub fn new(rule: Rule, most: usize) -> Self {
        Self {
            rule,
            most,
            waiting: VecDeque::new(),
            free_ns: 0,
        }
    }

    /// A request has come; false when the line is full, and it is not taken.
    pub fn join(&mut self, client: C, now_ns: u64) -> bool {
        if self.waiting.len() >= self.most {
            return false;
        }
        self.waiting.push_back(Waiting {
            client,
            since_ns: now_ns,
        });
        true
    }

    /// When the head's turn comes, or `None` if the queue is empty. Heads that are `gone` are dropped first, unless the
    /// server is wasteful: the turns of those it works through.
    pub fn due_ns(&mut self, gone: impl Fn(C) -> bool) -> Option<u64> {
        if !matches!(self.rule, Rule::Spaced { wasteful: true, .. }) {
            while self.waiting.front().is_some_and(|head| gone(head.client)) {
                let _ = self.waiting.pop_front();
            }
        }
        let head = self.waiting.front()?;
        Some(match self.rule {
            Rule::Spaced { .. } => head.since_ns.max(self.free_ns),
            Rule::Stalls { .. } => self.rule.open_ns(head.since_ns.max(self.free_ns)),
        })
    }

    /// Takes the head, whose turn was at `due_ns`. The next turn counts from that instant, however late we are: no
    /// drift.
    pub fn take(&mut self, due_ns: u64) -> Option<C> {
        self.free_ns = match self.rule {
            Rule::Spaced { gap_ns, .. } => due_ns + gap_ns,
            Rule::Stalls { .. } => due_ns,
        };
        self.waiting.pop_front().map(|head| head.client)
    }
}

impl Rule {
    /// The first instant at or after `at_ns` that is in no stall.
    fn open_ns(self, at_ns: u64) -> u64 {
        let Self::Stalls {
            began_ns,
            lasts_ns,
            every_ns,
        } = self
        else {
            return at_ns;
        };
        let into_ns = at_ns.saturating_sub(began_ns) % every_ns;
        if into_ns >= every_ns - lasts_ns {
            at_ns + (every_ns - into_ns)
        } else {
            at_ns
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Queue, Rule};

    const BUCKET: Rule = Rule::Spaced {
        gap_ns: 100,
        wasteful: false,
    };
    const WASTEFUL: Rule = Rule::Spaced {
        gap_ns: 100,
        wasteful: true,
    };

    /// Takes everything, each when it is due: who and when.
    fn turns(line: &mut Queue<u32>, gone: &[u32]) -> Vec<(u32, u64)> {
        let mut turns = Vec::new();
        while let Some(due_ns) = line.due_ns(|client| gone.contains(&client)) {
            turns.push((line.take(due_ns).expect("a head"), due_ns));
        }
        turns
    }

    #[test]
    fn answers_are_a_gap_apart_in_the_order_of_the_requests() {
        let mut line = Queue::new(BUCKET, 9);
        for client in 0..3 {
            assert!(line.join(client, 50));
        }
        assert_eq!(turns(&mut line, &[]), [(0, 50), (1, 150), (2, 250)]);
    }

    #[test]
    fn an_idle_server_saves_nothing_up() {
        let mut line = Queue::new(BUCKET, 9);
        assert!(line.join(0, 50));
        assert_eq!(turns(&mut line, &[]), [(0, 50)]);
        for client in 1..4 {
            assert!(line.join(client, 1000));
        }
        assert_eq!(turns(&mut line, &[]), [(1, 1000), (2, 1100), (3, 1200)]);
    }

    #[test]
    fn whoever_has_gone_costs_the_bucket_nothing_and_the_wasteful_one_a_turn() {
        for (rule, expected) in [
            (BUCKET, vec![(1, 50), (3, 150)]),
            (WASTEFUL, vec![(0, 50), (1, 150), (2, 250), (3, 350)]),
        ] {
            let mut line = Queue::new(rule, 9);
            for client in 0..4 {
                assert!(line.join(client, 50));
            }
            assert_eq!(turns(&mut line, &[0, 2]), expected);
        }
    }

    #[test]
    fn whoever_finds_the_line_full_is_not_taken() {
        let mut line = Queue::new(BUCKET, 2);
        assert_eq!(
            [1, 2, 3].map(|client| line.join(client, 50)),
            [true, true, false]
        );
        assert_eq!(turns(&mut line, &[]), [(1, 50), (2, 150)]);
        assert!(line.join(4, 300));
    }

    #[test]
    fn a_period_ends_with_its_stall() {
        let mut line = Queue::new(
            Rule::Stalls {
                began_ns: 1000,
                lasts_ns: 20,
                every_ns: 100,
            },
            9,
        );
        for (client, at_ns) in [
            (0, 1000),
            (1, 1079),
            (2, 1080),
            (3, 1099),
            (4, 1100),
            (5, 1185),
        ] {
            assert!(line.join(client, at_ns));
        }
        let dues: Vec<u64> = turns(&mut line, &[])
            .into_iter()
            .map(|(_, due_ns)| due_ns)
            .collect();
        assert_eq!(dues, [1000, 1079, 1100, 1100, 1100, 1200]);
    }
}
