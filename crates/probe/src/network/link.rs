//! The link: a veth pair between the namespaces of subject and driver, limited to a rate if one is requested.

use base::error::Error;
use rustix::process::geteuid;

use super::link_end::{CONGESTION, DEVICE, LinkEnd, LinkEndState, cannot, otherwise};
use crate::procfs::open_file::OpenFile;
use crate::watch::network::TcpFiles;

/// Two addresses reserved for documentation (RFC 5737); the network has no room for a third.
const ENDS: [(&str, &str); 2] = [("subject", "192.0.2.1"), ("driver", "192.0.2.2")];

/// The highest rate that is taken: far above what one pair carries.
const MOST_MBIT: u64 = 100_000;

/// A link that is set up.
#[derive(Debug)]
pub struct Link {
    /// The subject's end and the driver's.
    pub ends: [LinkEnd; 2],
    /// What holds for both.
    pub seen: LinkEndState,
}

/// The kernel's counters of a link; each stays that of its namespace once it is open.
#[derive(Debug)]
pub struct LinkFiles {
    /// What the devices of the subject's end have carried.
    pub device: OpenFile,
    /// TCP's mishaps at both ends.
    pub tcp: TcpFiles,
}

impl Link {
    /// Make both namespaces and the pair between them, and read back the result.
    ///
    /// # Errors
    /// Who is not root; iproute2 that is not there; a kernel without veth or tbf; what is read back otherwise.
    pub fn make(rate_mbit: Option<u64>) -> Result<Self, Error> {
        check(rate_mbit)?;
        let [subject, driver] = ENDS;
        let ends = [LinkEnd::make(subject)?, LinkEnd::make(driver)?];
        let far = ends[1].namespace.path();
        let pair = [
            "link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns", &far,
        ];
        let _ = ends[0].run("ip", &pair, "Use a kernel with veth (CONFIG_VETH).")?;
        for end in &ends {
            end.set_up(rate_mbit)?;
        }
        let [seen, other] = [ends[0].read_back()?, ends[1].read_back()?];
        let as_asked = seen.congestion == CONGESTION && seen.rate_mbit == rate_mbit;
        if !as_asked || seen != other {
            return Err(otherwise(&format!("{seen:?}, {other:?}")));
        }
        Ok(Self { ends, seen })
    }

    /// The files that count what passes.
    #[must_use]
    pub fn files(&self) -> Option<LinkFiles> {
        let [subject, driver] = self.ends.each_ref().map(|end| &end.namespace);
        let device = || OpenFile::open("/proc/thread-self/net/dev");
        let tcp = subject.inside(TcpFiles::open).ok()?;
        Some(LinkFiles {
            device: subject.inside(device).ok()??,
            tcp: tcp.and(driver.inside(TcpFiles::open).ok()?),
        })
    }
}

fn check(rate_mbit: Option<u64>) -> Result<(), Error> {
    if let Some(rate) = rate_mbit.filter(|rate| !(1..=MOST_MBIT).contains(rate)) {
        return Err(Error::failure(
            format!("a link of {rate} Mbit/s cannot be made"),
            format!("A rate is a whole number of Mbit/s from 1 to {MOST_MBIT}."),
            "Give such a rate, or null for a link without a limit.",
        ));
    }
    if geteuid().is_root() {
        return Ok(());
    }
    let why = "Only root can make network namespaces and devices.";
    Err(cannot(why, "Run as root, or leave out what needs a link."))
}

#[cfg(test)]
mod tests {
    use super::{ENDS, LinkEnd, check};
    use rustix::process::geteuid;
    use rustix::thread::set_thread_res_uid;

    /// A real end; `None`, with a message, if only root could make one.
    fn end() -> Option<LinkEnd> {
        if geteuid().is_root() {
            return Some(LinkEnd::make(ENDS[0]).expect("root can"));
        }
        eprintln!("skipped: only root can make a network namespace");
        None
    }

    #[test]
    fn who_is_not_root_is_told() {
        let tried = std::thread::spawn(|| {
            let nobody = rustix::fs::Uid::from_raw(65_534);
            // Of this thread alone, as the kernel counts users by thread.
            if geteuid().is_root() {
                set_thread_res_uid(nobody, nobody, nobody).expect("root can");
            }
            check(None).expect_err("no root").to_string()
        });
        insta::assert_snapshot!(tried.join().expect("a thread that ends"));
    }

    #[test]
    fn what_the_kernel_or_the_machine_lacks_is_told() {
        let Some(end) = end() else { return };
        let tried: [(&str, &[&str]); 3] = [
            ("ip", &["link", "add", "h2h0", "type", "no-such-type"]),
            ("tc", &["qdisc", "add", "dev", "lo", "root", "no-such-kind"]),
            ("no-such-program", &[]),
        ];
        let [pair, bucket, program] = tried.map(|(program, arguments)| {
            let refused = end.run(program, arguments, "Use another kernel.");
            refused.expect_err("none has it")
        });
        // The text between is from iproute2 and the kernel, of any version.
        for (problem, command) in [(pair, "`ip link add"), (bucket, "`tc qdisc add")] {
            assert!(
                problem.why.starts_with(command) && problem.why.len() > 60,
                "{problem}"
            );
            assert_eq!(problem.remedy, "Use another kernel.");
        }
        assert!(
            program
                .why
                .starts_with("There is no program no-such-program in /")
        );
        assert_eq!(program.remedy, "Install iproute2.");
    }
}
