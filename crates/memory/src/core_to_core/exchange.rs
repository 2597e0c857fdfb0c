//! One cache line that two CPUs write in turn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use base::clock::now_ns;
use base::durations::MS_NS;
use base::error::Error;

use crate::access::spin_barrier::until;
use crate::machine::cpus;
use crate::numbers::{count, float};

/// Exchanges of one slice; the figure is the median over slices.
const SLICE: u64 = 1000;

/// The fewest slices that count, after one that does not.
const SLICES: usize = 5;

/// The value that ends the other side.
const ENOUGH: u64 = u64::MAX;

/// A line that two CPUs write in turn, alone in what processors fetch together.
#[repr(align(256))]
struct Line(AtomicU64);

/// The result of a pair's exchanges.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The two CPUs.
    pub pair: (usize, usize),
    /// How many exchanges there were.
    pub exchanges: u64,
    /// How long they took.
    pub elapsed_ns: u64,
    /// When they began and ended.
    pub window_ns: (u64, u64),
    /// The time of one way, for each slice.
    pub one_way_ns: Vec<f64>,
    /// What the two sides counted, and what they left in the line.
    pub counted: [u64; 3],
}

/// Makes two CPUs write one line in turn, for this long.
pub fn exchange(pair: (usize, usize), lasting_ns: u64) -> Result<Exchange, Error> {
    let line = Line(AtomicU64::new(0));
    thread::scope(|scope| {
        let answering = scope.spawn(|| {
            cpus::pin(pair.1)?;
            Ok::<u64, Error>(answer(&line.0))
        });
        // A thread of its own: this one must not stay on the CPU of the last pair.
        let asking = scope.spawn(|| {
            let pinned = cpus::pin(pair.0);
            let exchanged = if pinned.is_ok() {
                ask(&line.0, pair, lasting_ns)
            } else {
                None
            };
            line.0.store(ENOUGH, Ordering::Release);
            pinned.map(|()| exchanged)
        });
        let exchanged = asking.join().unwrap_or(Ok(None));
        let answered = answering.join().unwrap_or(Ok(0))?;
        let mut exchanged = exchanged?.ok_or_else(lost)?;
        exchanged.counted[1] = answered;
        Ok(exchanged)
    })
}

fn lost() -> Error {
    Error::failure(
        "The exchange between two CPUs",
        "the other side did not respond for 10 s",
        "Find out what keeps a CPU of the pair busy.",
    )
}

/// Writes odd numbers and waits for the even ones after them. `None` if the other side does not respond.
fn ask(line: &AtomicU64, pair: (usize, usize), lasting_ns: u64) -> Option<Exchange> {
    let (mut written, mut one_way_ns) = (0, Vec::new());
    await_answerer(line)?;
    let mut slice = || {
        for _ in 0..SLICE {
            line.store(written + 1, Ordering::Release);
            until(|| line.load(Ordering::Acquire) == written + 2);
            written += 2;
        }
        now_ns()
    };
    let from_ns = slice();
    let mut now = from_ns;
    while now - from_ns < lasting_ns || one_way_ns.len() < SLICES {
        let before = now;
        now = slice();
        one_way_ns.push(float(now - before) / float(2 * SLICE));
    }
    let exchanges = count(one_way_ns.len()) * SLICE;
    Some(Exchange {
        pair,
        exchanges,
        elapsed_ns: now - from_ns,
        window_ns: (from_ns, now),
        one_way_ns,
        counted: [exchanges + SLICE, 0, line.load(Ordering::Acquire)],
    })
}

/// Waits until the other side is ready, which it shows by a number that no exchange uses.
fn await_answerer(line: &AtomicU64) -> Option<()> {
    let began_ns = now_ns();
    until(|| line.load(Ordering::Acquire) == READY || now_ns() - began_ns > 10_000 * MS_NS);
    (line.load(Ordering::Acquire) == READY).then_some(())
}

/// What the answering side writes once it is there.
const READY: u64 = u64::MAX - 1;

/// Waits for odd numbers, and writes the even ones after them; returns how often.
fn answer(line: &AtomicU64) -> u64 {
    let mut answered = 0;
    // If the first side has given up before, its value stays.
    let _ = line.compare_exchange(0, READY, Ordering::AcqRel, Ordering::Acquire);
    loop {
        let expected = 2 * answered + 1;
        let mut seen = 0;
        while seen != expected && seen != ENOUGH {
            seen = look(line, expected);
        }
        if seen == ENOUGH {
            return answered;
        }
        line.store(expected + 1, Ordering::Release);
        answered += 1;
    }
}

/// Checks until the line has this number, or the number that ends the exchange.
fn look(line: &AtomicU64, expected: u64) -> u64 {
    until(|| {
        let seen = line.load(Ordering::Acquire);
        seen == expected || seen == ENOUGH
    });
    line.load(Ordering::Acquire)
}

/// What is wrong if the two sides did not count the same, or the line does not have twice that number.
pub fn miscounted(each: &Exchange) -> Option<String> {
    let [asked, answered, line] = each.counted;
    (asked != answered || line != 2 * asked).then(|| {
        let (from, to) = each.pair;
        format!("CPU {from} asked {asked} times, CPU {to} answered {answered} times, the line holds {line}")
    })
}

#[cfg(test)]
pub mod tests {
    use super::{Exchange, exchange, miscounted};
    use crate::machine::cpus;

    /// An exchange between CPUs 0 and 1 that took as long each time.
    pub fn exchanged(one_way_ns: f64, counted: [u64; 3]) -> Exchange {
        Exchange {
            pair: (0, 1),
            exchanges: 5000,
            elapsed_ns: 1000,
            window_ns: (0, 1000),
            one_way_ns: vec![one_way_ns; 5],
            counted,
        }
    }

    #[test]
    fn exchanges_are_right_where_both_sides_and_the_line_agree() {
        assert_eq!(miscounted(&exchanged(50.0, [6000, 6000, 12_000])), None);
        assert!(miscounted(&exchanged(50.0, [6000, 5999, 12_000])).is_some());
        assert!(miscounted(&exchanged(50.0, [6000, 6000, 11_998])).is_some());
    }

    #[test]
    fn two_cpus_count_the_same() {
        let cpus = cpus::allowed().expect("CPUs");
        if let [one, other, ..] = cpus[..] {
            let exchanged = exchange((one, other), 1).expect("an exchange");
            assert_eq!(miscounted(&exchanged), None);
            assert!(exchanged.one_way_ns.iter().all(|&ns| ns > 0.0));
        }
    }
}
