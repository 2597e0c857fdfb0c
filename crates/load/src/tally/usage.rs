//! What the driver itself used, and how long it was kept from its CPU.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use base::clock::{process_cpu_ns, thread_cpu_ns};
use base::durations::seconds;
use rustix::io::Errno;

/// Cumulative counters of one thread, read at one instant.
// The unit rides in the name.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    cpu_ns: u64,
    empty_polls_ns: u64,
    delay_ns: Option<u64>,
}

impl Usage {
    /// Reads the counters of this thread, whose polls have found nothing for `empty_polls_ns`; the delay is `None` if the
    /// kernel keeps no scheduler statistics.
    pub fn read(empty_polls_ns: u64) -> Self {
        let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok();
        Self {
            cpu_ns: thread_cpu_ns(),
            empty_polls_ns,
            delay_ns: statistics.as_deref().and_then(delay_ns),
        }
    }

    /// CPU time used since `before`, user and system, in seconds.
    pub fn cpu_s_since(&self, before: &Self) -> f64 {
        seconds(self.cpu_ns.saturating_sub(before.cpu_ns))
    }

    /// Time since `before` of polls that found nothing, in seconds.
    pub fn empty_polls_s_since(&self, before: &Self) -> f64 {
        seconds(self.empty_polls_ns.saturating_sub(before.empty_polls_ns))
    }

    /// CPU time used since `before` but for polls that found nothing, in seconds.
    pub fn work_s_since(&self, before: &Self) -> f64 {
        (self.cpu_s_since(before) - self.empty_polls_s_since(before)).max(0.0)
    }

    /// Time since `before` in which the thread could have run and was kept waiting, in seconds.
    pub fn delay_s_since(&self, before: &Self) -> Option<f64> {
        Some(seconds(self.delay_ns?.saturating_sub(before.delay_ns?)))
    }
}

/// Cumulative counters of all threads of this process, read at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessUsage {
    cpu_ns: u64,
    delays_ns: Option<Delays>,
}

/// The delay of each living thread, by its number.
type Delays = BTreeMap<u32, u64>;

impl ProcessUsage {
    /// Reads the counters; the delays are `None` if the kernel keeps no scheduler statistics.
    ///
    /// The kernel drops a thread's delay when the thread ends, so delays are kept for each thread.
    pub fn read() -> Self {
        Self {
            cpu_ns: process_cpu_ns(),
            delays_ns: delays_ns(Path::new("/proc/self/task")),
        }
    }

    /// CPU time used since `before` by all threads, ended ones included, in seconds.
    pub fn cpu_s_since(&self, before: &Self) -> f64 {
        seconds(self.cpu_ns.saturating_sub(before.cpu_ns))
    }

    /// Time since `before` in which threads could have run and were kept waiting, in seconds: the sum over all that
    /// live now. `None` if a thread of `before` has ended, as its delay ended with it.
    pub fn delay_s_since(&self, before: &Self) -> Option<f64> {
        let (after, before) = (self.delays_ns.as_ref()?, before.delays_ns.as_ref()?);
        if before.keys().any(|thread| !after.contains_key(thread)) {
            return None;
        }
        let grown = after.iter().map(|(thread, delay_ns)| {
            // Less than before is a new thread that was given the number of an ended one.
            delay_ns.checked_sub(before.get(thread).copied().unwrap_or(0))
        });
        grown.sum::<Option<u64>>().map(seconds)
    }
}

/// The delay of each thread in this folder of `/proc`; a thread that ends meanwhile is left out.
fn delays_ns(threads: &Path) -> Option<Delays> {
    let mut delays = Delays::new();
    for thread in fs::read_dir(threads).ok()? {
        let thread = thread.ok()?;
        let number = thread.file_name().to_str()?.parse().ok()?;
        match fs::read_to_string(thread.path().join("schedstat")) {
            Ok(text) => drop(delays.insert(number, delay_ns(&text)?)),
            Err(error) if is_gone(&error) => {}
            Err(_) => return None,
        }
    }
    // This thread is among them, unless the kernel keeps no statistics.
    (!delays.is_empty()).then_some(delays)
}

/// Whether a file of `/proc` cannot be opened or read because its thread has ended.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || Errno::from_io_error(error) == Some(Errno::SRCH)
}

/// The most memory that this process has held at once, in bytes; `None` if `/proc` does not show it.
pub fn memory_peak_bytes() -> Option<u64> {
    peak_bytes(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Field 2 of schedstat: time spent waiting on a run queue, in ns.
fn delay_ns(schedstat: &str) -> Option<u64> {
    schedstat.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn peak_bytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::{ProcessUsage, Usage, delay_ns, peak_bytes};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    #[test]
    fn the_kernel_s_texts_are_read() {
        assert_eq!(delay_ns("123 456 7\n"), Some(456));
        assert_eq!(delay_ns(""), None);
        assert_eq!(
            peak_bytes("VmPeak:\t  9 kB\nVmHWM:\t   2048 kB\n"),
            Some(2_097_152)
        );
        assert_eq!(peak_bytes("Name:\tx\n"), None);
    }

    #[test]
    fn the_process_has_used_at_least_what_a_thread_has() {
        let (thread, process) = (Usage::read(0), ProcessUsage::read());
        assert!(process.cpu_ns >= thread.cpu_ns);
        let all_ns = process.delays_ns.map(|delays| delays.values().sum::<u64>());
        assert!(all_ns >= thread.delay_ns);
    }

    #[test]
    fn threads_that_end_meanwhile_do_not_hide_the_delay_of_the_others() {
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 {
                let _ = scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        thread::spawn(|| {}).join().expect("it ends");
                    }
                });
            }
            let read = (0..500).all(|_| ProcessUsage::read().delays_ns.is_some());
            over.store(true, Ordering::Relaxed);
            assert!(read);
        });
    }

    fn process(delays_ns: &[(u32, u64)]) -> ProcessUsage {
        ProcessUsage {
            cpu_ns: 0,
            delays_ns: Some(delays_ns.iter().copied().collect()),
        }
    }

    #[test]
    fn delays_are_added_up_thread_by_thread() {
        let before = process(&[(1, 3_000_000_000), (2, 1_000_000_000)]);
        let after = process(&[(1, 4_000_000_000), (2, 1_000_000_000), (3, 500_000_000)]);
        assert_eq!(after.delay_s_since(&before), Some(1.5));
        let unknown = ProcessUsage {
            cpu_ns: 0,
            delays_ns: None,
        };
        assert_eq!(after.delay_s_since(&unknown), None);
    }

    #[test]
    fn the_delay_of_a_thread_that_has_ended_is_not_left_out_silently() {
        let before = process(&[(1, 3_000_000_000), (2, 1_000_000_000)]);
        let ended = process(&[(1, 9_000_000_000)]);
        assert_eq!(ended.delay_s_since(&before), None);
        let number_given_again = process(&[(1, 9_000_000_000), (2, 7)]);
        assert_eq!(number_given_again.delay_s_since(&before), None);
    }

    #[test]
    fn cpu_time_grows() {
        let before = Usage::read(1_000_000);
        let sum = (0..2_000_000_u64).fold(0, |sum: u64, each| {
            std::hint::black_box(sum.wrapping_add(each))
        });
        let after = Usage::read(1_000_000);
        assert!(after.cpu_s_since(&before) > 0.0, "after adding up to {sum}");
        let (work_s, cpu_s) = (after.work_s_since(&before), after.cpu_s_since(&before));
        assert!(work_s.total_cmp(&cpu_s).is_eq(), "{work_s} of {cpu_s} s");
    }
}
