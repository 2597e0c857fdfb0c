//! Which pass comes next, and when there are enough.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::access::spin_barrier::SpinBarrier;

/// The fewest passes that count, after one that does not.
const LEAST: usize = 10;

/// One pass in this many goes over arrays of twice the size.
const DOUBLED_EACH: usize = 4;

/// The result of the passes.
#[derive(Clone, Debug)]
pub struct Passes {
    /// How long each took, from the first thread's start to the last one's end.
    pub single_ns: Vec<u64>,
    /// The same of those over arrays of twice the size.
    pub double_ns: Vec<u64>,
    /// When those that count began and ended.
    pub window_ns: (u64, u64),
    /// What was wrong with the values in the end.
    pub wrong: Vec<String>,
}

/// The other copies: none ends before all have enough, as those that are left would have the memory for themselves.
pub struct OtherCopies {
    /// Where the copies begin together.
    pub barrier: SpinBarrier,
    /// How many copies need more passes.
    pub waited_for: AtomicUsize,
}

/// Decides what is done next, and keeps what was done.
pub struct PassLeader<'a> {
    lasting_ns: u64,
    doubles: bool,
    made: usize,
    /// The passes that were made.
    pub passes: Passes,
    /// The other copies, if there are any.
    pub others: Option<&'a OtherCopies>,
    has_enough: bool,
}

impl<'a> PassLeader<'a> {
    /// Return the leader of passes that are repeated for `lasting_ns`.
    pub fn new(lasting_ns: u64, doubles: bool, others: Option<&'a OtherCopies>) -> Self {
        Self {
            lasting_ns,
            doubles,
            made: 0,
            others,
            has_enough: false,
            passes: Passes {
                single_ns: Vec::new(),
                double_ns: Vec::new(),
                window_ns: (0, 0),
                wrong: Vec::new(),
            },
        }
    }

    /// Takes note of a pass, the first of all aside; returns over how many parts the next one goes, 0 for none.
    pub fn next(&mut self, parts: usize, began_ns: u64, ended_ns: u64) -> usize {
        if self.has_enough {
            return self.while_others_go_on();
        }
        let took_ns = (ended_ns - began_ns).max(1);
        if self.made == 0 {
            self.passes.window_ns.0 = ended_ns;
        } else if parts == 1 {
            self.passes.single_ns.push(took_ns);
        } else {
            self.passes.double_ns.push(took_ns);
        }
        self.passes.window_ns.1 = ended_ns;
        self.made += 1;
        let over = ended_ns - self.passes.window_ns.0 >= self.lasting_ns;
        if over && self.passes.single_ns.len() >= LEAST {
            self.has_enough = true;
            if let Some(others) = self.others {
                let _ = others.waited_for.fetch_sub(1, Ordering::Relaxed);
            }
            self.while_others_go_on()
        } else if self.doubles && self.made.is_multiple_of(DOUBLED_EACH) {
            2
        } else {
            1
        }
    }

    /// 1 while a copy needs more passes, which then do not count here; 0 once none does.
    fn while_others_go_on(&self) -> usize {
        let waits = |others: &OtherCopies| others.waited_for.load(Ordering::Relaxed) > 0;
        usize::from(self.others.is_some_and(waits))
    }
}

#[cfg(test)]
mod tests {
    use super::{OtherCopies, PassLeader};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::access::spin_barrier::SpinBarrier;

    #[test]
    fn the_first_pass_does_not_count_and_every_fourth_is_over_twice_the_size() {
        let mut leader = PassLeader::new(0, true, None);
        let (mut parts, mut order, mut now) = (1, Vec::new(), 1000);
        while parts > 0 {
            order.push(parts);
            parts = leader.next(
                parts,
                now,
                now + 10 * u64::try_from(parts).expect("a number"),
            );
            now += 100;
        }
        assert_eq!(order, [1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1]);
        assert_eq!(leader.passes.single_ns, vec![10; 10]);
        assert_eq!(leader.passes.double_ns, vec![20; 3]);
        assert_eq!(leader.passes.window_ns, (1010, 2310));
    }

    #[test]
    fn passes_go_on_until_the_time_is_over() {
        let mut leader = PassLeader::new(10_000, false, None);
        let (mut made, mut now) = (0, 0);
        while leader.next(1, now, now + 100) > 0 {
            now += 100;
            made += 1;
        }
        assert_eq!(made, 100);
    }

    #[test]
    fn a_copy_that_has_enough_goes_on_uncounted_until_the_others_have() {
        let others = OtherCopies {
            barrier: SpinBarrier::new(1),
            waited_for: AtomicUsize::new(2),
        };
        let mut leader = PassLeader::new(0, false, Some(&others));
        for pass in 0..20 {
            assert_eq!(leader.next(1, 100 * pass, 100 * pass + 50), 1);
        }
        assert_eq!(leader.passes.single_ns.len(), 10);
        assert_eq!(others.waited_for.load(Ordering::Relaxed), 1);
        others.waited_for.store(0, Ordering::Relaxed);
        assert_eq!(leader.next(1, 9000, 9050), 0);
    }
}
