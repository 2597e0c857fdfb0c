//! Whole passes by threads that begin together, each on a CPU of its own.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use crate::bandwidth::arrays::Arrays;
use crate::clock::now_ns;
use crate::complaint::Complaint;
use crate::gate::Gate;
use crate::machine::cpus;
use crate::vector::{Operation, Width};

/// The fewest passes that count, behind one that does not.
const LEAST: usize = 10;

/// Every so many passes one goes over arrays of twice the size.
const DOUBLED_EACH: usize = 4;

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

/// What the passes came to.
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

/// What the threads tell each other.
struct Board {
    job: Job,
    gate: Gate,
    /// How many parts the next pass goes over; 0 ends it.
    parts: AtomicUsize,
    began_ns: Vec<AtomicU64>,
    ended_ns: Vec<AtomicU64>,
}

/// The arrays of threads on these CPUs, each touched by its own.
///
/// # Errors
/// A CPU or the memory cannot be had.
pub fn touched(
    cpus: &[usize],
    share: usize,
    parts: usize,
    node: Option<u32>,
) -> Result<Vec<Arrays>, Complaint> {
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
/// A CPU cannot be had any more.
pub fn copies(arrays: &mut [Arrays], cpus: &[usize], job: &Job) -> Result<Vec<Passes>, Complaint> {
    let company = Company {
        gate: Gate::new(arrays.len()),
        waited_for: AtomicUsize::new(arrays.len()),
    };
    thread::scope(|scope| {
        let company = &company;
        let threads: Vec<_> = (arrays.chunks_mut(1).zip(cpus.chunks(1)))
            .map(|(own, cpu)| scope.spawn(move || among(own, cpu, job, Some(company))))
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
/// A CPU cannot be had any more.
pub fn run(arrays: &mut [Arrays], cpus: &[usize], job: &Job) -> Result<Passes, Complaint> {
    among(arrays, cpus, job, None)
}

fn among(
    arrays: &mut [Arrays],
    cpus: &[usize],
    job: &Job,
    company: Option<&Company>,
) -> Result<Passes, Complaint> {
    let stamps = || arrays.iter().map(|_| AtomicU64::new(0)).collect();
    let board = Board {
        job: *job,
        gate: Gate::new(arrays.len()),
        parts: AtomicUsize::new(1),
        began_ns: stamps(),
        ended_ns: stamps(),
    };
    let doubles = arrays.first().is_some_and(|first| first.parts() > 1);
    let mut lead = Lead::new(job.lasting_ns, doubles, company);
    let wrong: usize = thread::scope(|scope| {
        let (board, mut lead) = (&board, Some(&mut lead));
        let threads: Vec<_> = (arrays.iter_mut().zip(cpus).enumerate())
            .map(|(number, (own, &cpu))| {
                let lead = lead.take();
                scope.spawn(move || worker(own, (number, cpu), board, lead))
            })
            .collect();
        let ended = threads
            .into_iter()
            .map(|each| each.join().unwrap_or_else(|_| Err(lost())));
        ended.sum::<Result<usize, Complaint>>()
    })?;
    let mut passes = lead.passes;
    if wrong > 0 {
        passes
            .wrong
            .push(format!("{wrong} numbers are not what so many passes leave"));
    }
    Ok(passes)
}

fn lost() -> Complaint {
    Complaint::failure(
        "A thread of the measurement",
        "it ended early",
        "Report this: it should not happen.",
    )
}

/// One thread: passes until the first one, who leads, says that it is enough. Returns how many of its numbers are wrong.
fn worker(
    own: &mut Arrays,
    (number, cpu): (usize, usize),
    board: &Board,
    mut lead: Option<&mut Lead<'_>>,
) -> Result<usize, Complaint> {
    // Whoever lost its CPU goes through the gates all the same: the others wait there.
    let pinned = cpus::pin(cpu);
    let job = board.job;
    own.begin();
    if let Some(company) = lead.as_ref().and_then(|lead| lead.company) {
        company.gate.wait();
    }
    loop {
        board.gate.wait();
        let parts = board.parts.load(Ordering::Relaxed);
        if parts == 0 {
            break;
        }
        board.began_ns[number].store(now_ns(), Ordering::Relaxed);
        own.pass(parts, job.operation, job.streams, job.width);
        board.ended_ns[number].store(now_ns(), Ordering::Relaxed);
        board.gate.wait();
        if let Some(lead) = &mut lead {
            let (began_ns, ended_ns) = board.pass_ns();
            board
                .parts
                .store(lead.next(parts, began_ns, ended_ns), Ordering::Relaxed);
        }
    }
    pinned.map(|()| own.wrong(job.operation))
}

impl Board {
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

/// The other copies: none ends before all have enough, as those that are left would have the memory for themselves.
struct Company {
    gate: Gate,
    waited_for: AtomicUsize,
}

/// Who says what is done next, and keeps what was done.
struct Lead<'a> {
    lasting_ns: u64,
    doubles: bool,
    made: usize,
    passes: Passes,
    company: Option<&'a Company>,
    has_enough: bool,
}

impl<'a> Lead<'a> {
    fn new(lasting_ns: u64, doubles: bool, company: Option<&'a Company>) -> Self {
        Self {
            lasting_ns,
            doubles,
            made: 0,
            company,
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
    fn next(&mut self, parts: usize, began_ns: u64, ended_ns: u64) -> usize {
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
            if let Some(company) = self.company {
                let _ = company.waited_for.fetch_sub(1, Ordering::Relaxed);
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
        let waits = |company: &Company| company.waited_for.load(Ordering::Relaxed) > 0;
        usize::from(self.company.is_some_and(waits))
    }
}

#[cfg(test)]
mod tests {
    use super::{Company, Job, Lead, copies, run, touched};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::gate::Gate;
    use crate::machine::cpus;
    use crate::vector::{BLOCK, Operation, Width};

    #[test]
    fn the_first_pass_does_not_count_and_every_fourth_is_over_twice_the_size() {
        let mut lead = Lead::new(0, true, None);
        let (mut parts, mut order, mut now) = (1, Vec::new(), 1000);
        while parts > 0 {
            order.push(parts);
            parts = lead.next(
                parts,
                now,
                now + 10 * u64::try_from(parts).expect("a number"),
            );
            now += 100;
        }
        assert_eq!(order, [1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2, 1]);
        assert_eq!(lead.passes.single_ns, vec![10; 10]);
        assert_eq!(lead.passes.double_ns, vec![20; 3]);
        assert_eq!(lead.passes.window_ns, (1010, 2310));
    }

    #[test]
    fn passes_go_on_until_the_time_is_over() {
        let mut lead = Lead::new(10_000, false, None);
        let (mut made, mut now) = (0, 0);
        while lead.next(1, now, now + 100) > 0 {
            now += 100;
            made += 1;
        }
        assert_eq!(made, 100);
    }

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
    fn a_copy_that_has_enough_goes_on_uncounted_until_the_others_have() {
        let company = Company {
            gate: Gate::new(1),
            waited_for: AtomicUsize::new(2),
        };
        let mut lead = Lead::new(0, false, Some(&company));
        for pass in 0..20 {
            assert_eq!(lead.next(1, 100 * pass, 100 * pass + 50), 1);
        }
        assert_eq!(lead.passes.single_ns.len(), 10);
        assert_eq!(company.waited_for.load(Ordering::Relaxed), 1);
        company.waited_for.store(0, Ordering::Relaxed);
        assert_eq!(lead.next(1, 9000, 9050), 0);
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
