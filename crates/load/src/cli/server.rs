//! The options of an HTTP server: where it is, and how it is spoken to.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::arguments;
use crate::connection::tls::Version;
use crate::connection::url::{self, Url};

/// Options for the server, the same for a load and for one request.
#[derive(Args, Debug)]
pub struct Server {
    /// The server's URL, as in `http://127.0.0.1:8080/path`
    #[arg(value_parser = url::parse)]
    pub url: Url,
    /// Connect to this address; the certificate must still be for the URL's host. Required if that is a name other than
    /// localhost
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::host)]
    pub connect: Option<IpAddr>,
    /// PEM file with the server's certificate or the one that signed it, for https (default: those that the system trusts)
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// The version of HTTP. HTTP/2 is spoken over TLS only, and the server must agree to it
    #[arg(
        id = "http_version",
        long = "http",
        value_name = "1.1|2",
        default_value = "1.1",
        value_enum,
        hide_possible_values = true
    )]
    pub version: Version,
}
