//! The options of `h2h-load request`.

use base::durations::parse_above_0_ns;
use clap::Args;

use super::server::Server;

/// Options of `h2h-load request`.
#[derive(Args, Debug)]
pub struct Request {
    /// The server; the path of its URL is not used, as the request has its own.
    #[command(flatten)]
    pub server: Server,
    /// How long the request may take
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub timeout: u64,
}
