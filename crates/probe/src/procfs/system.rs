//! The machine as a whole, as `/proc` shows it.

use super::TICK_NS;
use super::text::{after, lines, number, words};

/// The sector of `/proc/diskstats` is 512 bytes whatever the disk's own is (`Documentation/block/stat.rst`).
const SECTOR_BYTES: u64 = 512;

const NS_PER_MS: u64 = 1_000_000;

/// One CPU line of `/proc/stat` (or all CPUs together), in ns to 10 ms.
#[allow(clippy::struct_field_names, reason = "the unit rides in the name")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuTimes {
    /// User, nice, system, interrupts: everything but idling and what the hypervisor took.
    pub busy_ns: u64,
    /// Idle, waiting for a disk included.
    pub idle_ns: u64,
    /// Taken by the hypervisor.
    pub steal_ns: u64,
    /// Interrupts, hard and soft; part of busy.
    pub irq_ns: u64,
}

/// Which CPU a line of `/proc/stat` is about: `None` for all together.
pub fn cpu_lines(stat: &[u8]) -> impl Iterator<Item = (Option<usize>, CpuTimes)> {
    lines(stat)
        .take_while(|line| line.starts_with(b"cpu"))
        .filter_map(cpu_line)
}

fn cpu_line(line: &[u8]) -> Option<(Option<usize>, CpuTimes)> {
    let mut fields = words(line);
    let name = fields.next()?.strip_prefix(b"cpu")?;
    let cpu = if name.is_empty() {
        None
    } else {
        Some(usize::try_from(number(name)?).ok()?)
    };
    let mut ticks = [0_u64; 8];
    for place in &mut ticks {
        *place = number(fields.next()?)?.saturating_mul(TICK_NS);
    }
    let [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
    let times = CpuTimes {
        busy_ns: user + nice + system + irq + softirq,
        idle_ns: idle + iowait,
        steal_ns: steal,
        irq_ns: irq + softirq,
    };
    Some((cpu, times))
}

/// Memory available without swapping, from `/proc/meminfo`, in bytes.
#[must_use]
pub fn memory_available_bytes(meminfo: &[u8]) -> Option<u64> {
    Some(after(meminfo, b"MemAvailable:")? * 1024)
}

/// What disks did, from `/proc/diskstats`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskUse {
    /// Bytes read from them.
    pub read_bytes: u64,
    /// Bytes written to them.
    pub written_bytes: u64,
    /// What all reads and writes took that are done, one by one: divided by time, how many were under way on average.
    pub requests_ns: u64,
}

/// What the named disks did so far.
#[must_use]
pub fn disk_use(diskstats: &[u8], disks: &[String]) -> DiskUse {
    let mut sums = DiskUse::default();
    for line in lines(diskstats) {
        let mut fields = words(line).skip(2);
        let named = fields.next();
        if !disks.iter().any(|disk| Some(disk.as_bytes()) == named) {
            continue;
        }
        // Of reads, then of writes: how many, how many merged, sectors, ms (`Documentation/admin-guide/iostats.rst`).
        let mut counted = || {
            let sectors = fields.nth(2).and_then(number).unwrap_or(0);
            let took_ms = fields.next().and_then(number).unwrap_or(0);
            sums.requests_ns += took_ms * NS_PER_MS;
            sectors * SECTOR_BYTES
        };
        let (read, written) = (counted(), counted());
        sums.read_bytes += read;
        sums.written_bytes += written;
    }
    sums
}

/// What went over the network, from `/proc/net/dev`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkBytes {
    /// Sent over all interfaces but loopback.
    pub sent: u64,
    /// Received over all interfaces but loopback.
    pub received: u64,
    /// Sent over loopback, where everything sent is received.
    pub loopback: u64,
}

/// What every interface has carried so far.
#[must_use]
pub fn network_bytes(dev: &[u8]) -> NetworkBytes {
    let mut sums = NetworkBytes::default();
    for line in lines(dev).skip(2) {
        // The name may touch its first number: "eth0:123".
        let Some(colon) = line.iter().position(|&byte| byte == b':') else {
            continue;
        };
        let mut fields = words(&line[colon + 1..]).map(|word| number(word).unwrap_or(0));
        let received = fields.next().unwrap_or(0);
        let sent = fields.nth(7).unwrap_or(0);
        if line[..colon].trim_ascii() == b"lo" {
            sums.loopback += sent;
        } else {
            sums.sent += sent;
            sums.received += received;
        }
    }
    sums
}

/// How long tasks were stalled so far, from a file of `/proc/pressure`; `kind` is `some` or `full`.
#[must_use]
pub fn stalled_ns(pressure: &[u8], kind: &[u8]) -> Option<u64> {
    let line = lines(pressure).find(|line| line.starts_with(kind))?;
    let total = words(line).find_map(|word| word.strip_prefix(b"total="))?;
    Some(number(total)? * 1000)
}

/// A counter of `/proc/net/snmp` or `/proc/net/netstat`: a line of names, then a line of numbers.
#[must_use]
pub fn counter(text: &[u8], protocol: &[u8], name: &[u8]) -> Option<u64> {
    let mut of_protocol = lines(text).filter(|line| words(line).next() == Some(protocol));
    let place = words(of_protocol.next()?).position(|word| word == name)?;
    number(words(of_protocol.next()?).nth(place)?)
}

#[cfg(test)]
mod tests {
    use super::{
        DiskUse, counter, cpu_lines, disk_use, memory_available_bytes, network_bytes, stalled_ns,
    };

    const STAT: &[u8] =
        b"cpu  12653 10 1823 183715 426 1 93 28 5 0\ncpu0 8108 0 1014 89935 268 0 22 9 0 0\n\
        cpu11 4544 0 809 93779 157 0 70 18 0 0\nintr 234065 0 0\nctxt 309982\n";

    #[test]
    fn busy_is_all_but_idle_and_steal() {
        let read: Vec<_> = cpu_lines(STAT).collect();
        assert_eq!(
            read.iter().map(|line| line.0).collect::<Vec<_>>(),
            vec![None, Some(0), Some(11)]
        );
        let total = read[0].1;
        assert_eq!(total.busy_ns, (12653 + 10 + 1823 + 1 + 93) * 10_000_000);
        assert_eq!(total.idle_ns, (183_715 + 426) * 10_000_000);
        assert_eq!((total.steal_ns, total.irq_ns), (280_000_000, 940_000_000));
    }

    #[test]
    fn only_the_disks_named_are_counted() {
        let text = b"   7       0 loop0 9 0 9 0 9 0 9 0 0 0 0\n 254       0 vda 30 1 2400 9 8 7 160 5 0 3 14 0 0 0 0\n\
            254       1 vda1 30 1 2400 9 8 7 160 5 0 3 14 0 0 0 0\n";
        let vda = DiskUse {
            read_bytes: 2400 * 512,
            written_bytes: 160 * 512,
            requests_ns: (9 + 5) * 1_000_000,
        };
        assert_eq!(disk_use(text, &["vda".to_owned()]), vda);
        assert_eq!(disk_use(text, &[]), DiskUse::default());
    }

    #[test]
    fn loopback_is_kept_apart_and_a_name_may_touch_its_number() {
        let text = b"Inter-|   Receive  |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes\n\
                lo:    3193      29    0    0    0     0          0         0     3193      29    0    0    0     0       0          0\n  eth0:100 1 0 0 0 0 0 0 70 1 0 0 0 0 0 0\n";
        let read = network_bytes(text);
        assert_eq!((read.sent, read.received, read.loopback), (70, 100, 3193));
    }

    #[test]
    fn pressure_is_microseconds_in_all() {
        let text = b"some avg10=1.07 avg60=0.34 avg300=0.15 total=2973647\nfull avg10=0.92 avg60=0 avg300=0 total=28\n";
        assert_eq!(stalled_ns(text, b"some"), Some(2_973_647_000));
        assert_eq!(stalled_ns(text, b"full"), Some(28_000));
        assert_eq!(stalled_ns(b"", b"full"), None);
    }

    #[test]
    fn a_counter_is_found_by_its_name() {
        let text = b"TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 1 2 3\nIpExt: InNoRoutes\nIpExt: 9\n";
        assert_eq!(counter(text, b"TcpExt:", b"ListenOverflows"), Some(2));
        assert_eq!(counter(text, b"IpExt:", b"InNoRoutes"), Some(9));
        assert_eq!(counter(text, b"Tcp:", b"RetransSegs"), None);
    }

    #[test]
    fn memory_is_in_bytes() {
        assert_eq!(
            memory_available_bytes(b"MemTotal: 9 kB\nMemAvailable:   20 kB\n"),
            Some(20_480)
        );
    }
}
