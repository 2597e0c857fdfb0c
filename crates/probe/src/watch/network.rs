//! What networks carry, and what goes wrong in them: of the host, and of a link between subject and driver.

use super::monitor::Monitor;
use super::row::Row;
use crate::procfs::open_file::OpenFile;
use crate::procfs::system;

/// `/proc/net/dev` of our network namespace.
#[derive(Debug)]
pub struct Network(OpenFile);

impl Network {
    /// The network, if there is one.
    #[must_use]
    pub fn find() -> Option<Self> {
        OpenFile::open("/proc/net/dev").map(Self)
    }
}

impl Monitor for Network {
    fn columns(&self) -> Vec<String> {
        [
            "network_sent_bytes",
            "network_received_bytes",
            "loopback_bytes",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        let bytes = self.0.read().map(system::network_bytes);
        row.add(bytes.map(|bytes| bytes.sent));
        row.add(bytes.map(|bytes| bytes.received));
        row.add(bytes.map(|bytes| bytes.loopback));
    }
}

/// `/proc/net/dev` of the subject's namespace, whose only device but loopback is its end of the link.
#[derive(Debug)]
pub struct Link(pub OpenFile);

impl Monitor for Link {
    fn columns(&self) -> Vec<String> {
        ["link_sent_bytes", "link_received_bytes"]
            .map(str::to_owned)
            .to_vec()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        let bytes = self.0.read().map(system::network_bytes);
        row.add(bytes.map(|bytes| bytes.sent));
        row.add(bytes.map(|bytes| bytes.received));
    }
}

/// The files that count TCP's mishaps, of one or more namespaces.
#[derive(Debug)]
pub struct TcpFiles {
    snmp: Vec<OpenFile>,
    netstat: Vec<OpenFile>,
}

impl TcpFiles {
    /// Those of the calling thread's namespace.
    #[must_use]
    pub fn open() -> Self {
        let open = |name| OpenFile::open(format!("/proc/thread-self/net/{name}"));
        Self {
            snmp: open("snmp").into_iter().collect(),
            netstat: open("netstat").into_iter().collect(),
        }
    }

    /// These and those of another namespace.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.snmp.extend(other.snmp);
        self.netstat.extend(other.netstat);
        self
    }
}

/// A counter in such files.
#[derive(Debug)]
pub struct Counter {
    files: Vec<OpenFile>,
    column: &'static str,
    protocol: &'static [u8],
    name: &'static [u8],
}

impl Counter {
    /// Those that this kernel keeps.
    #[must_use]
    pub fn find_all(of: TcpFiles) -> Vec<Self> {
        let retransmits = Self {
            files: of.snmp,
            column: "tcp_retransmits",
            protocol: b"Tcp:",
            name: b"RetransSegs",
        };
        let overflows = Self {
            files: of.netstat,
            column: "listen_overflows",
            protocol: b"TcpExt:",
            name: b"ListenOverflows",
        };
        let mut found = vec![retransmits, overflows];
        found.retain_mut(|counter| counter.sum().is_some());
        found
    }

    /// Over all of its files; `None` if one lacks it, or there are none.
    fn sum(&mut self) -> Option<u64> {
        let (protocol, name) = (self.protocol, self.name);
        let told = self.files.iter_mut().map(|file| {
            let text = file.read()?;
            system::counter(text, protocol, name)
        });
        let told: Option<Vec<u64>> = told.collect();
        told.filter(|told| !told.is_empty())
            .map(|told| told.iter().sum())
    }
}

impl Monitor for Counter {
    fn columns(&self) -> Vec<String> {
        vec![self.column.to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.sum());
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Monitor, Row, TcpFiles};
    use crate::fake_folder::Folder;
    use crate::procfs::open_file::OpenFile;

    #[test]
    fn a_counter_is_the_sum_over_both_ends() {
        let root = Folder::new();
        let end = |name: &str, resent: u32| {
            root.file(
                name,
                &format!("Tcp: OutSegs RetransSegs\nTcp: 9 {resent}\n"),
            );
            TcpFiles {
                snmp: OpenFile::open(root.path().join(name)).into_iter().collect(),
                netstat: Vec::new(),
            }
        };
        let mut found = Counter::find_all(end("subject", 3).and(end("driver", 4)));
        assert_eq!(found.len(), 1, "a file that is not there counts nothing");
        assert_eq!(found[0].columns(), ["tcp_retransmits"]);
        let mut row = Row::new(2);
        row.begin(1);
        found[0].read(0, &mut row);
        assert_eq!(row.line(), b"1,7\n");
        root.file("driver", "");
        row.begin(2);
        found[0].read(0, &mut row);
        assert_eq!(row.line(), b"2,\n", "half a sum is none");
    }
}
