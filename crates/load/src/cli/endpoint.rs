//! The server's endpoint according to the options: in the clear or encrypted.

use std::net::SocketAddr;

use base::error::Error;

use crate::cli::HandshakeMode;
use crate::cli::server::Server;
use crate::connection::peer::Peer;
use crate::connection::tls;
use crate::connection::transport::Endpoint;

/// The endpoint of a server.
///
/// # Errors
/// Words for https are there without it, no certificate is trusted, or the URL has a name and no address is given.
pub fn endpoint(server: &Server, handshake: Option<HandshakeMode>) -> Result<Endpoint, Error> {
    let (url, version) = (&server.url, server.version);
    let Some(ip) = server.connect.or(url.address) else {
        let why = "this program has no name service";
        let remedy = "Name its address with --connect.";
        return Err(Error::usage(format!("the host {}", url.host), why, remedy));
    };
    let peer = SocketAddr::new(ip, url.port);
    let tls = match (&url.secure, server.ca.as_deref()) {
        (Some(name), ca) => {
            let resumes = handshake == Some(HandshakeMode::Resumed);
            Some(tls::Client::new(ca, name, resumes, version)?)
        }
        (None, ca) if ca.is_some() || handshake.is_some() => {
            let why = "they are for https, and the URL is http";
            return Err(Error::usage("--ca and --handshake", why, "Leave them out."));
        }
        _ if version == tls::Version::Http2 => {
            let why = "it is spoken over TLS only, as browsers do, and the URL is http";
            return Err(Error::usage("HTTP/2", why, "Write an https:// URL."));
        }
        _ => None,
    };
    Ok(Endpoint {
        peer: Peer::Tcp(peer),
        tls,
    })
}
