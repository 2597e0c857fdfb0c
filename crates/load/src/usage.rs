//! What the driver itself used, and how long it was kept from its CPU.

use std::fs;

use crate::clock::{SECOND_NS, process_cpu_ns, thread_cpu_ns};

/// Cumulative counters of a thread or of all, read at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    cpu_ns: u64,
    delay_ns: Option<u64>,
}

impl Usage {
    /// Reads the counters of this thread; the delay is `None` where the kernel keeps no scheduler statistics.
    pub fn read() -> Self {
        let statistics = fs::read_to_string("/proc/thread-self/schedstat").ok();
        Self {
            cpu_ns: thread_cpu_ns(),
            delay_ns: statistics.as_deref().and_then(delay_ns),
        }
    }

    /// Reads those of all threads of this process together. A thread that has ended takes its delay with it.
    pub fn of_process() -> Self {
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten();
        let delays = threads.map(|thread| {
            let path = thread.ok()?.path().join("schedstat");
            delay_ns(&fs::read_to_string(path).ok()?)
        });
        Self {
            cpu_ns: process_cpu_ns(),
            delay_ns: delays.sum(),
        }
    }

    /// CPU time used since `before`, user and system, in seconds.
    pub fn cpu_s_since(&self, before: &Self) -> f64 {
        seconds(self.cpu_ns.saturating_sub(before.cpu_ns))
    }

    /// Time since `before` in which a thread could have run and was kept waiting, in seconds.
    pub fn delay_s_since(&self, before: &Self) -> Option<f64> {
        Some(seconds(self.delay_ns?.saturating_sub(before.delay_ns?)))
    }
}

/// The most memory that this process has held at once, in bytes; `None` where `/proc` does not say.
pub fn memory_peak_bytes() -> Option<u64> {
    peak_bytes(&fs::read_to_string("/proc/self/status").ok()?)
}

/// `duration_ns` in seconds.
pub fn seconds(duration_ns: u64) -> f64 {
    // Exact to a nanosecond for 52 days: both parts are small.
    let whole = u32::try_from(duration_ns / SECOND_NS).unwrap_or(u32::MAX);
    let part = u32::try_from(duration_ns % SECOND_NS).unwrap_or(0);
    f64::from(whole) + f64::from(part) / 1e9
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
    use super::{Usage, delay_ns, peak_bytes, seconds};

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
    fn nanoseconds_become_seconds() {
        assert!((seconds(3_000_123_456) - 3.000_123_456).abs() < 1e-12);
    }

    #[test]
    fn the_process_has_used_at_least_what_a_thread_has() {
        let (thread, process) = (Usage::read(), Usage::of_process());
        assert!(process.cpu_ns >= thread.cpu_ns);
        assert!(process.delay_ns >= thread.delay_ns);
    }

    #[test]
    fn cpu_time_grows() {
        let before = Usage::read();
        let sum = (0..2_000_000_u64).fold(0, |sum: u64, each| {
            std::hint::black_box(sum.wrapping_add(each))
        });
        assert!(
            Usage::read().cpu_s_since(&before) > 0.0,
            "after adding up to {sum}"
        );
    }
}
