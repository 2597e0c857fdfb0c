//! What the words of the command line ask for, checked against each other.

use std::num::NonZeroU32;

use crate::cli::Http;
use crate::complaint::Complaint;
use crate::drive::{Asked, Drive};
use crate::schedule::Rate;
use crate::secure;

/// The most connections at once where arrivals make them and nothing is said.
const MOST_CONNECTIONS: u32 = 1000;

/// The load that is asked for.
///
/// # Errors
/// Words are missing or contradict each other.
pub fn drive(words: &Http) -> Result<Drive, Complaint> {
    let asked = asked(words)?;
    let connections = match (words.connections, words.rate) {
        (Some(connections), _) => connections,
        (None, Some(_)) => MOST_CONNECTIONS.max(words.threads),
        (None, None) => {
            return Err(Complaint::words(
                "the load",
                "neither users nor a rate is given",
                "Write --connections 10 for a closed loop, --rate 2000 for an open one.",
            ));
        }
    };
    if words.threads > connections {
        return Err(Complaint::words(
            format!("{} threads", words.threads),
            format!("there is nothing to do for more threads than connections ({connections})"),
            "Give at most as many with --threads.",
        ));
    }
    Ok(Drive {
        endpoint: secure::endpoint(&words.url, words.ca.as_deref(), words.handshake)?,
        asked,
        connections,
        calls: calls(words),
        think_ns: words.think,
        threads: words.threads,
        at_ns: words.at,
        warm_up_ns: words.warm_up,
        duration_ns: words.duration,
        timeout_ns: words.timeout,
        late_after_ns: words.late_after,
        drains: !words.no_drain,
        keeps_seconds: words.intervals.is_some(),
        keeps_instants: false,
        seed: words.seed,
    })
}

/// The case that is named where nobody named one.
pub fn case(drive: &Drive) -> wire::Case {
    let field = match drive.asked {
        Asked::Closed { .. } => ("connections".to_owned(), drive.connections.into()),
        Asked::Open(rate) | Asked::Sessions(rate) => ("rate_per_s".to_owned(), rate.per_s.into()),
    };
    wire::Case::from_iter([field])
}

/// Calls on a connection, where there is a limit.
fn calls(words: &Http) -> Option<NonZeroU32> {
    words.calls.or_else(|| words.handshake?.calls())
}

fn asked(words: &Http) -> Result<Asked, Complaint> {
    let Some(per_s) = words.rate else {
        let requests = words.requests;
        if requests.is_some_and(|requests| requests < u64::from(words.threads)) {
            return Err(Complaint::words(
                format!("{} threads", words.threads),
                "there are fewer requests than threads",
                "Give at most as many with --threads.",
            ));
        }
        return Ok(Asked::Closed { requests });
    };
    let rate = Rate {
        per_s,
        spacing: words.arrivals,
    };
    match calls(words) {
        Some(_) => Ok(Asked::Sessions(rate)),
        None if words.think > 0 => Err(Complaint::words(
            "think time in an open loop",
            "requests that arrive by themselves belong to no user who could think",
            "Leave --think out, or write --calls for sessions.",
        )),
        None => Ok(Asked::Open(rate)),
    }
}
