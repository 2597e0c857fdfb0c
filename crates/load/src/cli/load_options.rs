//! What the words of the command line ask for, checked against each other.

use std::num::NonZeroU32;

use base::error::Error;

use crate::cli::Load;
use crate::drive::{Drive, LoadModel};
use crate::schedule::Rate;

/// The most connections at once where arrivals make them and nothing is said.
const MOST_CONNECTIONS: u32 = 1000;

/// The load that is asked for, with so many calls on a connection where there is a limit.
///
/// # Errors
/// Words are missing or contradict each other.
pub fn drive(words: &Load, calls: Option<NonZeroU32>) -> Result<Drive, Error> {
    let asked = asked(words, calls)?;
    let connections = match (words.connections, words.rate) {
        (Some(connections), _) => connections,
        (None, Some(_)) => MOST_CONNECTIONS.max(words.threads),
        (None, None) => {
            return Err(Error::usage(
                "the load",
                "neither users nor a rate is given",
                "Write --connections 10 for a closed loop, --rate 2000 for an open one.",
            ));
        }
    };
    if words.threads > connections {
        return Err(Error::usage(
            format!("{} threads", words.threads),
            format!("there is nothing to do for more threads than connections ({connections})"),
            "Give at most as many with --threads.",
        ));
    }
    Ok(Drive {
        asked,
        connections,
        calls,
        think_ns: words.think,
        threads: words.threads,
        at_ns: words.at,
        warm_up_ns: words.warm_up,
        duration_ns: words.duration,
        timeout_ns: words.timeout,
        late_after_ns: words.late_after,
        drains: !words.no_drain,
        keeps_seconds: false,
        keeps_instants: false,
        seed: words.seed,
    })
}

/// The case that is named where nobody named one.
pub fn case(drive: &Drive) -> wire::Case {
    let field = match drive.asked {
        LoadModel::Closed { .. } => ("connections".to_owned(), drive.connections.into()),
        LoadModel::Open(rate) | LoadModel::Sessions(rate) => {
            ("rate_per_s".to_owned(), rate.per_s.into())
        }
    };
    wire::Case::from_iter([field])
}

fn asked(words: &Load, calls: Option<NonZeroU32>) -> Result<LoadModel, Error> {
    let Some(per_s) = words.rate else {
        let requests = words.requests;
        if requests.is_some_and(|requests| requests < u64::from(words.threads)) {
            return Err(Error::usage(
                format!("{} threads", words.threads),
                "there are fewer requests than threads",
                "Give at most as many with --threads.",
            ));
        }
        return Ok(LoadModel::Closed { requests });
    };
    let rate = Rate {
        per_s,
        spacing: words.arrivals,
    };
    match calls {
        Some(_) => Ok(LoadModel::Sessions(rate)),
        None if words.think > 0 => Err(Error::usage(
            "think time in an open loop",
            "requests that arrive by themselves belong to no user who could think",
            "Leave --think out; the sessions of `h2h-load http --calls` have users who think.",
        )),
        None => Ok(LoadModel::Open(rate)),
    }
}
