//! The options of `h2h-load request`.

use std::net::IpAddr;
use std::path::PathBuf;

use base::durations::parse_above_0_ns;
use clap::Args;

use super::arguments;
use crate::connection::tls::Version;
use crate::connection::url::{self, Url};

/// Options of `h2h-load request`.
#[derive(Args, Debug)]
pub struct Request {
    /// The server's URL; the path is the request's own
    #[arg(value_parser = url::parse)]
    pub url: Url,
    /// Connect to this address; the certificate must still be for the URL's host
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::host)]
    pub connect: Option<IpAddr>,
    /// PEM file with the server's certificate or the one that signed it, for https (default: those that the system trusts)
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// The version of HTTP. HTTP/2 is spoken over TLS only, and the server must agree to it
    #[arg(
        long = "http",
        value_name = "1.1|2",
        default_value = "1.1",
        value_enum,
        hide_possible_values = true
    )]
    pub version: Version,
    /// How long the request may take
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub timeout: u64,
}
