//! What this program can do on this machine: its ceiling against its own responder, and whether it sends on time.

mod cpus;
mod fidelity;
mod report;

use std::net::Ipv4Addr;
use std::thread;

use base::error::Error;

use crate::cli::Selftest;
use crate::connection::peer::Peer;
use crate::connection::transport::Endpoint;
use crate::connection::url::Url;
use crate::distribution::arrivals::{Rate, Spacing};
use crate::drive::poll::Poll;
use crate::drive::{self, Drive, LoadModel};
use crate::http::dialogue::HttpDialogue;
use crate::http::mix::Mix;
use crate::output::measured::{CaseContext, Measured};
use crate::output::print;
use crate::output::record;
use crate::serve::{Pages, Port};
use cpus::{Cpus, keep_on};
use fidelity::{Fidelity, fidelity};
use report::{Ceiling, Findings, HalfRate};

/// As long as the article's page, which most studies request.
const BODY_BYTES: usize = 19_251;

/// The closed loops that look for the ceiling.
const CONNECTIONS: [u32; 3] = [1, 10, 100];

/// The open loop's connections at most.
const MOST_CONNECTIONS: u32 = 1000;

/// Arrivals are timed at this rate, or a tenth of the ceiling: gaps are then long compared with a wake-up.
const TIMED_PER_S: f64 = 1000.0;

const TIMEOUT_NS: u64 = 5_000_000_000;

/// Measures, prints the findings, and fails if this machine misses the limits.
///
/// # Errors
/// The machine does not hold them, the responder cannot be started, or the findings cannot be written.
pub fn selftest(options: &Selftest) -> Result<(), Error> {
    let bench = TestSetup::open(options)?;
    let findings = bench.findings()?;
    match &options.json {
        Some(to) => print::json(&findings, to)?,
        None => print::people(&findings.text())?,
    }
    if findings.holds {
        return Ok(());
    }
    Err(Error::failure(
        "this machine",
        findings.missed.join("; "),
        "Give the driver its own CPU and stop other programs, or use lower rates.",
    ))
}

/// The driver on its CPU, and the responder on another one for as long as the process lives.
struct TestSetup<'a> {
    options: &'a Selftest,
    cpus: Option<Cpus>,
    endpoint: Endpoint,
    mix: Mix,
}

impl<'a> TestSetup<'a> {
    fn open(options: &'a Selftest) -> Result<Self, Error> {
        let body: Vec<u8> = (b'!'..=b'~').cycle().take(BODY_BYTES).collect();
        let port = Port::open(Ipv4Addr::LOCALHOST, 0)?;
        let url = Url {
            address: Some(port.address.ip()),
            port: port.address.port(),
            host: port.address.to_string(),
            secure: None,
            path: "/page".to_owned(),
        };
        let port_address = port.address;
        let pages = Pages::one(&url.path, &body);
        let cpus = Cpus::choose();
        let _ = thread::spawn(move || {
            keep_on(cpus.and_then(|cpus| cpus.responder));
            // If it ends too early, the driver reports it: its connections are refused.
            port.serve(&pages)
        });
        keep_on(cpus.map(|cpus| cpus.driver));
        Ok(Self {
            options,
            cpus,
            endpoint: Endpoint {
                peer: Peer::Tcp(port_address),
                tls: None,
            },
            mix: Mix::page(&url, body),
        })
    }

    fn findings(&self) -> Result<Findings, Error> {
        let mut ceiling = Vec::new();
        for connections in CONNECTIONS {
            let asked = LoadModel::Closed { requests: None };
            let (_, record) = self.measure(asked, connections)?;
            ceiling.push(Ceiling::of(connections, &record));
        }
        let most = ceiling
            .iter()
            .map(|ceiling| ceiling.response_rate_per_s)
            .fold(0.0, f64::max);
        let (_, record) = self.measure(poisson(most / 2.0), MOST_CONNECTIONS)?;
        let half = HalfRate::of(most / 2.0, &record);
        let timed_per_s = TIMED_PER_S.min(most / 10.0);
        let arrivals = [Spacing::Poisson, Spacing::Uniform]
            .map(|spacing| self.time(spacing, timed_per_s))
            .into_iter()
            .collect::<Result<_, _>>()?;
        Ok(Findings::new(self.cpus, ceiling, half, arrivals))
    }

    /// The instants at which requests that arrive like this really leave.
    fn time(&self, spacing: Spacing, per_s: f64) -> Result<Fidelity, Error> {
        let (measured, _) =
            self.measure(LoadModel::Open(Rate { per_s, spacing }), MOST_CONNECTIONS)?;
        let window_ns = (measured.from_ns, measured.to_ns);
        fidelity(spacing, per_s, measured.tally.sent_at_ns, window_ns).ok_or_else(|| {
            let why = format!("fewer than two requests left at {per_s} a second");
            Error::failure("the arrivals", why, "Raise --duration.")
        })
    }

    /// The driver polls on a core of its own; elsewhere it would slow the responder.
    fn poll(&self) -> Poll {
        if self.cpus.is_some_and(|cpus| cpus.apart) {
            Poll::Busy
        } else {
            Poll::Sleep
        }
    }

    fn measure(
        &self,
        asked: LoadModel,
        connections: u32,
    ) -> Result<(Measured, wire::LoadRecord), Error> {
        let drive = Drive {
            asked,
            connections,
            streams: None,
            calls: None,
            think_ns: 0,
            threads: 1,
            poll: self.poll(),
            at_ns: None,
            warm_up_ns: self.options.duration / 10,
            duration_ns: self.options.duration,
            timeout_ns: TIMEOUT_NS,
            late_after_ns: None,
            drains: true,
            keeps_seconds: false,
            keeps_instants: matches!(asked, LoadModel::Open(_)),
            seed: self.options.seed,
        };
        let outcome = drive::run(&drive, &self.endpoint, &|context| {
            HttpDialogue::new(&self.mix, context)
        })?;
        let context = CaseContext {
            driver: "local".to_owned(),
            case: None,
            zero_ns: 0,
        };
        let measured = Measured::new(context, &drive, outcome);
        let record = record::record(&measured);
        Ok((measured, record))
    }
}

fn poisson(per_s: f64) -> LoadModel {
    LoadModel::Open(Rate {
        per_s,
        spacing: Spacing::Poisson,
    })
}
