//! Whole passes by threads that begin together, each on a CPU of its own.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use base::clock::now_ns;
use base::error::Error;

use crate::access::spin_barrier::SpinBarrier;
use crate::access::vector::{Operation, Width};
use crate::bandwidth::arrays::Arrays;
use crate::bandwidth::pass_leader::{OtherCopies, PassLeader, Passes};
use crate::machine::cpus;

/// What is done, how, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// What is done.
    pub operation: Operation,
    /// Whether its stores are non-temporal.
    pub streams: bool,
    /// How wide its vectors are.
    pub width: Width,
    /// How long passes are repeated.
    pub lasting_ns: u64,
}

/// The state that the threads share.
struct PassControl {
    job: Job,
    barrier: SpinBarrier,
    /// How many parts the next pass covers; 0 ends the passes.
    parts: AtomicUsize,
    began_ns: Vec<AtomicU64>,
    ended_ns: Vec<AtomicU64>,
}

/// The arrays of threads on these CPUs, each touched by its own.
///
/// # Errors
/// A CPU or the memory is not available.
pub fn touched(
    cpus: &[usize],
    share: usize,
    parts: usize,
    node: Option<u32>,
) -> Result<Vec<Arrays>, Error> {
    let lost = |_| Err(lost());
    thread::scope(|scope| {
        let touch = |cpu: usize| {
            scope.spawn(move || {
                cpus::pin(cpu)?;
                Arrays::touch(share, parts, node)
            })
        };
        let threads: Vec<_> = cpus.iter().map(|&cpu| touch(cpu)).collect();
        let joined = threads
            .into_iter()
            .map(|each| each.join().unwrap_or_else(lost));
        joined.collect()
    })
}

/// Does a job on each of these arrays by itself: copies that begin together, and go on until each has enough.
///
/// # Errors
/// A CPU is no longer available.
pub fn copies(arrays: &mut [Arrays], cpus: &[usize], job: &Job) -> Result<Vec<Passes>, Error> {
    let others = OtherCopies {
        barrier: SpinBarrier::new(arrays.len()),
        waited_for: AtomicUsize::new(arrays.len()),
    };
    thread::scope(|scope| {
        let others = &others;
        let threads: Vec<_> = (arrays.chunks_mut(1).zip(cpus.chunks(1)))
            .map(|(own, cpu)| scope.spawn(move || among(own, cpu, job, Some(others))))
            .collect();
        let joined = threads
            .into_iter()
            .map(|each| each.join().unwrap_or_else(|_| Err(lost())));
        joined.collect()
    })
}

/// Does a job on these arrays, a thread each, all of them together in every pass.
///
/// # Errors
/// A CPU is no longer available.
pub fn run(arrays: &mut [Arrays], cpus: &[usize], job: &Job) -> Result<Passes, Error> {
    among(arrays, cpus, job, None)
}

fn among(
    arrays: &mut [Arrays],
    cpus: &[usize],
    job: &Job,
    others: Option<&OtherCopies>,
) -> Result<Passes, Error> {
    let stamps = || arrays.iter().map(|_| AtomicU64::new(0)).collect();
    let board = PassControl {
        job: *job,
        barrier: SpinBarrier::new(arrays.len()),
        parts: AtomicUsize::new(1),
        began_ns: stamps(),
        ended_ns: stamps(),
    };
    let doubles = arrays.first().is_some_and(|first| first.parts() > 1);
    let mut leader = PassLeader::new(job.lasting_ns, doubles, others);
    let wrong: usize = thread::scope(|scope| {
        let (board, mut leader) = (&board, Some(&mut leader));
        let threads: Vec<_> = (arrays.iter_mut().zip(cpus).enumerate())
            .map(|(number, (own, &cpu))| {
                let leader = leader.take();
                scope.spawn(move || worker(own, (number, cpu), board, leader))
            })
            .collect();
        let ended = threads
            .into_iter()
            .map(|each| each.join().unwrap_or_else(|_| Err(lost())));
        ended.sum::<Result<usize, Error>>()
    })?;
    let mut passes = leader.passes;
    if wrong > 0 {
        passes.wrong.push(format!(
            "{wrong} numbers are not what this many passes leave"
        ));
    }
    Ok(passes)
}

fn lost() -> Error {
    Error::failure(
        "A thread of the measurement",
        "it ended early",
        "Report this: it should not happen.",
    )
}

/// One thread: passes until the first one, the leader, ends them. Returns how many of its numbers are wrong.
fn worker(
    own: &mut Arrays,
    (number, cpu): (usize, usize),
    board: &PassControl,
    mut leader: Option<&mut PassLeader<'_>>,
) -> Result<usize, Error> {
    // Whoever lost its CPU goes through the gates all the same: the others wait there.
    let pinned = cpus::pin(cpu);
    let job = board.job;
    own.begin();
    if let Some(others) = leader.as_ref().and_then(|leader| leader.others) {
        others.barrier.wait();
    }
    loop {
        board.barrier.wait();
        let parts = board.parts.load(Ordering::Relaxed);
        if parts == 0 {
            break;
        }
        board.began_ns[number].store(now_ns(), Ordering::Relaxed);
        own.pass(parts, job.operation, job.streams, job.width);
        board.ended_ns[number].store(now_ns(), Ordering::Relaxed);
        board.barrier.wait();
        if let Some(leader) = &mut leader {
            let (began_ns, ended_ns) = board.pass_ns();
            board
                .parts
                .store(leader.next(parts, began_ns, ended_ns), Ordering::Relaxed);
        }
    }
    pinned.map(|()| own.wrong(job.operation))
}

impl PassControl {
    /// When the pass that all have ended began, and when it ended.
    fn pass_ns(&self) -> (u64, u64) {
        let read = |stamps: &[AtomicU64]| -> Vec<u64> {
            stamps
                .iter()
                .map(|each| each.load(Ordering::Relaxed))
                .collect()
        };
        let began_ns = read(&self.began_ns).into_iter().min().unwrap_or(0);
        let ended_ns = read(&self.ended_ns).into_iter().max().unwrap_or(0);
        (began_ns, ended_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::{Job, copies, run, touched};

    use crate::access::vector::{BLOCK, Operation, Width};
    use crate::machine::cpus;

    #[test]
    fn threads_do_their_passes_together_and_leave_the_right_values() {
        let cpus = cpus::allowed().expect("CPUs");
        let mut arrays = touched(&cpus, 8 * BLOCK, 2, None).expect("arrays");
        let job = Job {
            operation: Operation::Add,
            streams: false,
            width: Width::widest(),
            lasting_ns: 100_000,
        };
        let passes = run(&mut arrays, &cpus, &job).expect("passes");
        assert_eq!(passes.wrong, Vec::<String>::new());
        assert!(passes.single_ns.len() >= 10 && passes.double_ns.len() >= 3);
    }

    #[test]
    fn copies_do_their_passes_by_themselves_and_leave_the_right_values() {
        let cpus = cpus::allowed().expect("CPUs");
        let mut arrays = touched(&cpus, 8 * BLOCK, 1, None).expect("arrays");
        let job = Job {
            operation: Operation::Triad,
            streams: false,
            width: Width::widest(),
            lasting_ns: 100_000,
        };
        let made = copies(&mut arrays, &cpus, &job).expect("passes");
        assert_eq!(made.len(), cpus.len());
        for passes in made {
            assert_eq!(passes.wrong, Vec::<String>::new());
            assert!(passes.single_ns.len() >= 10);
        }
    }
}
