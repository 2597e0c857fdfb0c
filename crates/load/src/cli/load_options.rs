//! The options of the command line, checked against each other and turned into a load.

use std::num::NonZeroU32;

use base::error::Error;

use crate::cli::{HandshakeMode, Http, Load};
use crate::connection::tls::Version;
use crate::distribution::arrivals::Rate;
use crate::drive::{Drive, LoadModel};

/// The most connections at once if arrivals open them and no number is given.
const MOST_CONNECTIONS: u32 = 1000;

/// The users if neither a number nor a rate is given.
const USERS: u32 = 10;

/// Return the requested load. `calls` is the limit of calls on a connection, if there is one.
///
/// # Errors
/// Words are missing or contradict each other.
pub fn drive(options: &Load, calls: Option<NonZeroU32>) -> Result<Drive, Error> {
    let asked = asked(options, calls)?;
    let connections = match (options.connections, options.rate) {
        (Some(connections), _) => connections,
        (None, Some(_)) => MOST_CONNECTIONS.max(options.threads),
        (None, None) => USERS.max(options.threads),
    };
    if options.threads > connections {
        return Err(Error::usage(
            format!("{} threads", options.threads),
            format!("more threads than connections ({connections}) would have nothing to do"),
            "Lower --threads.",
        ));
    }
    Ok(Drive {
        asked,
        connections,
        streams: None,
        calls,
        think_ns: options.think,
        threads: options.threads,
        poll: options.poll,
        at_ns: options.at,
        warm_up_ns: options.warm_up,
        duration_ns: options.duration,
        timeout_ns: options.timeout,
        late_after_ns: options.late_after,
        drains: !options.no_drain,
        keeps_seconds: false,
        keeps_instants: false,
        seed: options.seed,
    })
}

/// Return the limit of calls on a connection; `steps` is the number of steps of the session, if there is one.
///
/// # Errors
/// An option contradicts the session.
pub fn calls(options: &Http, steps: Option<NonZeroU32>) -> Result<Option<NonZeroU32>, Error> {
    let Some(steps) = steps else {
        return Ok(options.calls.or_else(|| options.handshake?.calls()));
    };
    let wrong = |option: &str, why: &str| {
        Err(Error::usage(
            format!("{option} with a session"),
            why,
            format!("Leave {option} out."),
        ))
    };
    if options.calls.is_some() {
        return wrong("--calls", "its steps are the calls on a connection");
    }
    if options.gzip {
        return wrong(
            "--gzip",
            "values are looked for in bodies, which are not inflated",
        );
    }
    Ok(Some(steps))
}

/// Return how many users share a connection, if they speak HTTP/2. `is_session` is whether there is a session.
///
/// # Errors
/// An option goes with HTTP/1.1 only.
pub fn streams(options: &Http, is_session: bool) -> Result<Option<u32>, Error> {
    let without = |option: &str, why: &str| {
        Err(Error::usage(
            format!("{option} with HTTP/2"),
            why,
            format!("Leave {option} out, or --http 2."),
        ))
    };
    let handshakes = [HandshakeMode::Full, HandshakeMode::Resumed];
    match options.server.version {
        Version::Http1 if options.streams.is_some() => Err(Error::usage(
            "--streams with HTTP/1.1",
            "a connection carries one request at a time",
            "Write --http 2 too, or raise --connections.",
        )),
        Version::Http1 => Ok(None),
        Version::Http2 if is_session => without(
            "a session",
            "each session has a connection of its own, which the server closes after the last step",
        ),
        Version::Http2 if options.calls.is_some() => {
            without("--calls", "users share connections, which are kept")
        }
        Version::Http2
            if options
                .handshake
                .is_some_and(|how| handshakes.contains(&how)) =>
        {
            without("--handshake full and resumed", "connections are kept")
        }
        Version::Http2 => Ok(Some(options.streams.unwrap_or(1))),
    }
}

/// Return the case's name if none is given.
pub fn case(drive: &Drive) -> wire::Case {
    let field = match drive.asked {
        LoadModel::Closed { .. } => ("connections".to_owned(), drive.connections.into()),
        LoadModel::Open(rate) | LoadModel::Sessions(rate) => {
            ("rate_per_s".to_owned(), rate.per_s.into())
        }
    };
    wire::Case::from_iter([field])
}

fn asked(options: &Load, calls: Option<NonZeroU32>) -> Result<LoadModel, Error> {
    let Some(per_s) = options.rate else {
        let requests = options.requests;
        if requests.is_some_and(|requests| requests < u64::from(options.threads)) {
            return Err(Error::usage(
                format!("{} threads", options.threads),
                "there are fewer requests than threads",
                "Lower --threads.",
            ));
        }
        return Ok(LoadModel::Closed { requests });
    };
    let rate = Rate {
        per_s,
        spacing: options.arrivals,
    };
    match calls {
        Some(_) => Ok(LoadModel::Sessions(rate)),
        None if options.think > 0 => Err(Error::usage(
            "think time in an open loop",
            "arriving requests belong to no user, so there is no pause",
            "Leave --think out; the sessions of `h2h-load http --calls` have users who think.",
        )),
        None => Ok(LoadModel::Open(rate)),
    }
}
