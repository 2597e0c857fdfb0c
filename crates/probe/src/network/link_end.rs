//! One end of the link: a namespace, its device, and what `ip` and `tc` do and print there.

use std::fs;
use std::io;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::error::Error;

use super::iproute2;
use super::namespace::Namespace;

/// What both ends are called, each in its own namespace.
pub const DEVICE: &str = "h2h0";

/// The two addresses and no other.
const NETWORK: &str = "192.0.2.0/30";
const PREFIX_BITS: u32 = 30;

/// The same on every machine, whatever its own default is. It is the route's: the namespace's own default may only be
/// what the host allows everybody (`tcp_allowed_congestion_control`), and the host stays as it is.
pub const CONGESTION: &str = "cubic";

/// The token bucket's depth and the longest wait in it (`man 8 tc-tbf`).
const BUCKET: [&str; 4] = ["burst", "256kb", "latency", "20ms"];

/// The folders of iproute2, also for a PATH without sbin.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// How long a new pair may take until packets pass.
const UP_WITHIN: Duration = Duration::from_secs(2);

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Of devices that are still to come: the loopback keeps its `::1`, the link carries nothing but what programs send.
const NO_IPV6_PATH: &str = "/proc/sys/net/ipv6/conf/default/disable_ipv6";

/// The remedy if no cause is known.
const DMESG: &str = "See the kernel's log (dmesg).";

/// One end: its group, and its place.
#[derive(Debug)]
pub struct LinkEnd {
    /// The group whose programs are there.
    pub group: &'static str,
    /// Its address.
    pub address: &'static str,
    /// Its namespace.
    pub namespace: Arc<Namespace>,
}

/// The properties of an end, as the kernel shows them.
#[derive(Debug, PartialEq, Eq)]
pub struct LinkEndState {
    /// The largest packet, in bytes.
    pub mtu: u64,
    /// How TCP decides how fast it sends.
    pub congestion: String,
    /// The rate at which it sends; `None` if none is set.
    pub rate_mbit: Option<u64>,
}

impl LinkEnd {
    /// A namespace that has a loopback of its own and no link yet.
    ///
    /// # Errors
    /// The kernel's, if it makes none.
    pub fn make((group, address): (&'static str, &'static str)) -> Result<Self, Error> {
        let namespace = Namespace::make().map_err(|error| {
            let remedy = "Use a kernel with network namespaces (CONFIG_NET_NS), with the right to make them.";
            cannot(format!("{error}."), remedy)
        })?;
        let end = Self {
            group,
            address,
            namespace: Arc::new(namespace),
        };
        end.inside(switch_off_ipv6)?
            .map_err(|error| cannot(format!("{NO_IPV6_PATH}: {error}."), DMESG))?;
        let _ = end.run("ip", &["link", "set", "lo", "up"], DMESG)?;
        Ok(end)
    }

    /// Give its device the address, the rate and the route.
    ///
    /// # Errors
    /// A kernel that has no tbf, or no cubic.
    pub fn set_up(&self, rate_mbit: Option<u64>) -> Result<(), Error> {
        let address = format!("{}/{PREFIX_BITS}", self.address);
        let arguments = ["addr", "add", &address, "dev", DEVICE, "noprefixroute"];
        let _ = self.run("ip", &arguments, DMESG)?;
        if let Some(rate) = rate_mbit {
            let rate = format!("{rate}mbit");
            let arguments = ["qdisc", "add", "dev", DEVICE, "root", "tbf", "rate", &rate];
            let remedy = "Use a kernel with tbf (CONFIG_NET_SCH_TBF), or leave the link unshaped.";
            let _ = self.run("tc", &[&arguments[..], &BUCKET[..]].concat(), remedy)?;
        }
        let _ = self.run("ip", &["link", "set", DEVICE, "up"], DMESG)?;
        let route = ["route", "add", NETWORK, "dev", DEVICE, "src", self.address];
        let remedy = "Use a kernel with TCP CUBIC (CONFIG_TCP_CONG_CUBIC).";
        let arguments = [&route[..], &["congctl", CONGESTION]].concat();
        let _ = self.run("ip", &arguments, remedy)?;
        Ok(())
    }

    /// What holds here, once packets pass.
    ///
    /// # Errors
    /// A device that does not come up, or whose iproute2 text is not understood.
    pub fn read_back(&self) -> Result<LinkEndState, Error> {
        let device = self.comes_up()?;
        let arguments = ["-j", "qdisc", "show", "dev", DEVICE];
        let text = self.run("tc", &arguments, DMESG)?;
        let rate_mbit = iproute2::rate_mbit(&text).map_err(|_| not_understood("tc", &text))?;
        let arguments = ["-j", "route", "show", "dev", DEVICE];
        let text = self.run("ip", &arguments, DMESG)?;
        Ok(LinkEndState {
            mtu: device.mtu,
            congestion: iproute2::congestion(&text).ok_or_else(|| not_understood("ip", &text))?,
            rate_mbit,
        })
    }

    /// Wait until packets pass.
    fn comes_up(&self) -> Result<iproute2::Device, Error> {
        let began = Instant::now();
        loop {
            let arguments = ["-j", "addr", "show", "dev", DEVICE];
            let text = self.run("ip", &arguments, DMESG)?;
            let device = iproute2::device(&text).ok_or_else(|| not_understood("ip", &text))?;
            if device.operstate == "UP" && device.has(self.address) {
                return Ok(device);
            }
            if began.elapsed() >= UP_WITHIN {
                return Err(otherwise(&format!("{device:?}")));
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Run a program of iproute2 inside; what it printed.
    ///
    /// # Errors
    /// A program that is not there, or that the kernel refused; `remedy` is for the latter.
    pub fn run(&self, program: &str, arguments: &[&str], remedy: &str) -> Result<Vec<u8>, Error> {
        let mut command = Command::new(program);
        let _ = command.args(arguments).env_clear().env("PATH", PATH);
        let outcome = self.inside(|| command.output())?;
        let Output {
            status,
            stdout,
            stderr,
        } = outcome.map_err(|error| not_started(program, &error))?;
        if status.success() {
            return Ok(stdout);
        }
        let said = String::from_utf8_lossy(&stderr);
        let said = said.lines().next().unwrap_or("nothing");
        let why = format!("`{program} {}` printed: {said}", arguments.join(" "));
        Err(cannot(why, remedy))
    }

    fn inside<T: Send>(&self, act: impl FnOnce() -> T + Send) -> Result<T, Error> {
        let outcome = self.namespace.inside(act);
        outcome.map_err(|error| cannot(format!("{error}."), "See the limits on threads."))
    }
}

fn switch_off_ipv6() -> io::Result<()> {
    match fs::write(NO_IPV6_PATH, "1") {
        // A kernel without IPv6 has none to switch off.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// That there is no link, and why.
pub fn cannot(why: impl Into<String>, remedy: &str) -> Error {
    Error::failure(
        "the link between subject and driver cannot be made",
        why,
        remedy,
    )
}

fn not_started(program: &str, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        let why = format!("There is no program {program} in {PATH}.");
        return cannot(why, "Install iproute2.");
    }
    cannot(
        format!("{program} did not start: {error}."),
        "See whether the machine lacks memory, processes or files.",
    )
}

fn not_understood(program: &str, text: &[u8]) -> Error {
    let text = String::from_utf8_lossy(text);
    let why = format!(
        "the output of {program} about {DEVICE} is not understood: {}",
        text.trim()
    );
    cannot(why, "Use iproute2 5.0 or later.")
}

/// That the kernel shows something else than was requested.
pub fn otherwise(found: &str) -> Error {
    let why = format!("It differs from the request: {found}.");
    cannot(
        why,
        "Run the study again; if this comes back, see the kernel's log (dmesg).",
    )
}
