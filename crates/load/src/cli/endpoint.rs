//! The server's endpoint according to the options: in the clear or encrypted.

use std::path::Path;

use base::error::Error;

use crate::cli::HandshakeMode;
use crate::connection::peer::Peer;
use crate::connection::tls;
use crate::connection::transport::Endpoint;
use crate::connection::url::Url;

/// The endpoint of a URL.
///
/// # Errors
/// Words that https needs are missing, or are there without it.
pub fn endpoint(
    url: &Url,
    ca: Option<&Path>,
    handshake: Option<HandshakeMode>,
) -> Result<Endpoint, Error> {
    let tls = match (&url.secure, ca) {
        (Some(name), Some(ca)) => {
            let resumes = handshake == Some(HandshakeMode::Resumed);
            Some(tls::Client::new(ca, name, resumes)?)
        }
        (Some(_), None) => {
            let why = "this program has no built-in certificate authorities";
            let remedy = "Name the certificate to trust with --ca.";
            return Err(Error::usage("https", why, remedy));
        }
        (None, ca) if ca.is_some() || handshake.is_some() => {
            let why = "they are for https, and the URL is http";
            return Err(Error::usage("--ca and --handshake", why, "Leave them out."));
        }
        _ => None,
    };
    Ok(Endpoint {
        peer: Peer::Tcp(url.peer),
        tls,
    })
}
