//! Where connections lead to, as the words say it: in the clear or encrypted.

use std::num::NonZeroU32;
use std::path::Path;

use crate::complaint::Complaint;
use crate::peer::Peer;
use crate::tls;
use crate::transport::Endpoint;
use crate::url::Url;

/// How encrypted connections are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// In full, and kept.
    KeepAlive,
    /// Upon the ticket of an earlier one.
    Resumed,
    /// In full, with certificate and signature.
    Full,
}

impl Manner {
    /// Calls on a connection where nothing is said of them; `None` for as many as there are.
    pub fn calls(self) -> Option<NonZeroU32> {
        match self {
            Self::KeepAlive => None,
            Self::Resumed | Self::Full => Some(NonZeroU32::MIN),
        }
    }
}

/// Reads the name of a manner.
///
/// # Errors
/// A sentence that says what is wrong with the text.
pub fn manner(text: &str) -> Result<Manner, String> {
    match text {
        "keep-alive" => Ok(Manner::KeepAlive),
        "resumed" => Ok(Manner::Resumed),
        "full" => Ok(Manner::Full),
        _ => Err("it is none; write keep-alive, resumed or full".to_owned()),
    }
}

/// The endpoint of a URL.
///
/// # Errors
/// Words that https needs are missing, or are there without it.
pub fn endpoint(
    url: &Url,
    ca: Option<&Path>,
    handshake: Option<Manner>,
) -> Result<Endpoint, Complaint> {
    let tls = match (&url.secure, ca) {
        (Some(name), Some(ca)) => {
            let resumes = handshake == Some(Manner::Resumed);
            Some(tls::Client::new(ca, name, resumes)?)
        }
        (Some(_), None) => {
            let why = "this program knows no authorities of its own, so it would trust nobody";
            let remedy = "Name the certificate to trust with --ca.";
            return Err(Complaint::words("https", why, remedy));
        }
        (None, ca) if ca.is_some() || handshake.is_some() => {
            let why = "they are about https, and the URL says http";
            return Err(Complaint::words(
                "--ca and --handshake",
                why,
                "Leave them out.",
            ));
        }
        _ => None,
    };
    Ok(Endpoint {
        peer: Peer::Tcp(url.peer),
        tls,
    })
}
