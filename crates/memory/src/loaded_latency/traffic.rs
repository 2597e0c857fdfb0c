//! Traffic: threads that read and write memory, as fast as they can or with pauses, until they are stopped.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use base::error::Error;

use crate::access::mapping::{Mapping, Pages};
use crate::access::vector::{Width, bump, sum};
use crate::machine::cpus;
use crate::numbers::float;

/// Numbers that are handled between two pauses: a KiB.
const CHUNK: usize = 128;
const CHUNK_BYTES: u64 = 1024;

/// Moved bytes are reported once in this many chunks.
const TOLD_EACH: usize = 64;

/// What the numbers that are only read hold.
const READ: f64 = 1.0;

/// How many lines are read, and how many of them are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// One is read, none is written.
    Reads,
    /// Two are read, one of them is written: one is summed, the other changed in place.
    TwoReadsOneWrite,
    /// Each that is read is written.
    ReadsAndWrites,
}

/// The settings that the threads read, and the counts that they write.
#[derive(Debug)]
pub struct Signals {
    mix: Mix,
    width: Width,
    /// Turns of the pause between two chunks.
    pub pause: AtomicU64,
    /// Whether the traffic ends.
    pub ended: AtomicBool,
    moved_bytes: Vec<MovedBytes>,
}

/// One thread's count, alone in its line: threads that write to one line would wait for each other.
#[derive(Debug, Default)]
#[repr(align(256))]
struct MovedBytes(AtomicU64);

impl Signals {
    /// Signals for this many threads that do this.
    pub fn new(threads: usize, mix: Mix, width: Width) -> Self {
        Self {
            mix,
            width,
            pause: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            moved_bytes: (0..threads).map(|_| MovedBytes::default()).collect(),
        }
    }

    /// Bytes that all threads have moved so far.
    pub fn moved_bytes(&self) -> u64 {
        let each = self.moved_bytes.iter();
        each.map(|moved| moved.0.load(Ordering::Relaxed)).sum()
    }
}

/// One thread's memory: half of it to be read, half to be changed.
#[derive(Debug)]
pub struct ThreadMemory {
    map: Mapping,
    half: usize,
    /// How often the changed half was gone over, and how far beyond that.
    passes: u64,
    chunks: usize,
}

impl ThreadMemory {
    /// A chunk in each half.
    pub const LEAST_BYTES: usize = 2 * CHUNK * size_of::<f64>();

    /// Asks for the memory and touches all of it.
    ///
    /// # Errors
    /// The kernel does not give it.
    pub fn touch(bytes: usize) -> Result<Self, Error> {
        let half = (bytes / size_of::<f64>() / 2 / CHUNK).max(1) * CHUNK;
        let mut map = Mapping::new(2 * half * size_of::<f64>(), Pages::Huge)?;
        let (reads, changes) = map.floats()[..2 * half].split_at_mut(half);
        reads.fill(READ);
        changes.fill(0.0);
        Ok(Self {
            map,
            half,
            passes: 0,
            chunks: 0,
        })
    }

    /// Goes over one chunk of the half that the mix names, or of both; returns the bytes moved and whether what was
    /// read was right.
    fn chunk(&mut self, at: usize, mix: Mix, width: Width) -> (u64, bool) {
        let (reads, changes) = self.map.floats()[..2 * self.half].split_at_mut(self.half);
        let place = at * CHUNK..(at + 1) * CHUNK;
        let mut right = true;
        if mix != Mix::ReadsAndWrites {
            let found = black_box(sum(&reads[place.clone()], width));
            right = found.to_bits() == READ_SUM.to_bits();
        }
        if mix != Mix::Reads {
            bump(&mut changes[place], width);
            self.chunks = at + 1;
        }
        let lines = match mix {
            Mix::Reads => 1,
            Mix::ReadsAndWrites => 2,
            Mix::TwoReadsOneWrite => 3,
        };
        (lines * CHUNK_BYTES, right)
    }

    /// Goes over all chunks once, until the traffic ends; returns how many were read wrongly.
    fn pass(&mut self, signals: &Signals, number: usize) -> usize {
        let (mix, width, moved) = (signals.mix, signals.width, &signals.moved_bytes[number].0);
        let (mut wrong, mut untold) = (0, 0);
        for at in 0..self.half / CHUNK {
            let (bytes, right) = self.chunk(at, mix, width);
            untold += bytes;
            wrong += usize::from(!right);
            if at % TOLD_EACH == 0 {
                let _ = moved.fetch_add(untold, Ordering::Relaxed);
                untold = 0;
                if signals.ended.load(Ordering::Relaxed) {
                    return wrong;
                }
            }
            rest(signals.pause.load(Ordering::Relaxed));
        }
        let _ = moved.fetch_add(untold, Ordering::Relaxed);
        if mix != Mix::Reads {
            self.passes += 1;
            self.chunks = 0;
        }
        wrong
    }

    /// How many chunks of the changed half do not hold the number of times that they were gone over. Then it begins
    /// anew.
    fn wrong(&mut self) -> usize {
        let (passes, chunks) = (self.passes, self.chunks);
        let changes = &mut self.map.floats()[self.half..2 * self.half];
        let mut wrong = 0;
        for (at, chunk) in changes.chunks(CHUNK).enumerate() {
            let right = float(passes + u64::from(at < chunks));
            let differs = |value: &f64| value.to_bits() != right.to_bits();
            wrong += usize::from(chunk.iter().any(differs));
        }
        changes.fill(0.0);
        (self.passes, self.chunks) = (0, 0);
        wrong
    }
}

/// The sum of a chunk of numbers that are only read.
const READ_SUM: f64 = 128.0 * READ;

/// Keeps memory traffic on a CPU up until the signals end it; returns how many chunks were wrong.
///
/// # Errors
/// The CPU is no longer available.
pub fn drive(
    lane: &mut ThreadMemory,
    (number, cpu): (usize, usize),
    signals: &Signals,
) -> Result<usize, Error> {
    cpus::pin(cpu)?;
    let mut wrong = 0;
    while !signals.ended.load(Ordering::Relaxed) {
        wrong += lane.pass(signals, number);
    }
    Ok(wrong + lane.wrong())
}

/// Does nothing for `turns` turns; each waits for the one before it.
fn rest(turns: u64) {
    let mut turned = 0_u64;
    for _ in 0..turns {
        turned = black_box(turned.wrapping_mul(5).wrapping_add(1));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::{CHUNK, Mix, Signals, ThreadMemory};
    use crate::access::vector::Width;

    fn lane() -> ThreadMemory {
        ThreadMemory::touch(40 * 2 * 8 * CHUNK).expect("some pages")
    }

    fn signals(mix: Mix) -> Signals {
        Signals::new(1, mix, Width::widest())
    }

    #[test]
    fn bytes_are_counted_by_lines_read_and_written() {
        for (mix, each) in [
            (Mix::Reads, 1024),
            (Mix::ReadsAndWrites, 2048),
            (Mix::TwoReadsOneWrite, 3072),
        ] {
            let (mut lane, signals) = (lane(), signals(mix));
            let wrong = lane.pass(&signals, 0);
            assert_eq!((wrong, lane.wrong()), (0, 0), "{mix:?}");
            assert_eq!(signals.moved_bytes(), 40 * each, "{mix:?}");
        }
    }

    #[test]
    fn a_pass_that_is_ended_half_way_is_right_as_far_as_it_went() {
        let (mut lane, signals) = (lane(), signals(Mix::ReadsAndWrites));
        let _ = lane.pass(&signals, 0);
        signals.ended.store(true, Ordering::Relaxed);
        let _ = lane.pass(&signals, 0);
        assert_eq!((lane.passes, lane.chunks), (1, 1));
        assert_eq!(lane.wrong(), 0);
    }

    #[test]
    fn what_is_spoiled_is_seen_whether_read_or_changed() {
        let (mut lane, signals) = (lane(), signals(Mix::TwoReadsOneWrite));
        let half = lane.half;
        lane.map.floats()[3] = 2.0;
        lane.map.floats()[half + 5] = 1.0;
        let wrong = lane.pass(&signals, 0);
        assert_eq!((wrong, lane.wrong()), (1, 1));
    }
}
