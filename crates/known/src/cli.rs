//! The command line.

use std::net::Ipv4Addr;

use base::durations::parse_above_0_ns;
use clap::{Args, Parser, Subcommand};

/// Servers of exactly known behavior, to check a load generator against.
#[derive(Debug, Parser)]
#[command(name = "h2h-known", version, propagate_version = true)]
pub struct Cli {
    /// How the server behaves.
    #[command(subcommand)]
    pub behavior: Behavior,
}

/// How the server behaves.
#[derive(Debug, Subcommand)]
pub enum Behavior {
    /// First come, first served, at most R responses a second; a request whose client has left costs nothing
    Bucket(RateOptions),
    /// The same, but a request whose client has left still takes its turn
    Wasteful(RateOptions),
    /// Respond at once, except that each period ends with a stall without responses
    Stall(Stall),
}

/// Options of the servers that have a rate.
#[derive(Args, Debug)]
pub struct RateOptions {
    /// Responses a second, at most; any number from 0.01 to 1000000
    #[arg(long = "rate", value_name = "R", value_parser = gap_ns)]
    pub gap_ns: u64,
    /// At most N requests wait; a request that finds the queue full gets status 503 at once, at no cost
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub line: Option<u32>,
    /// What all servers have.
    #[command(flatten)]
    pub common: ServerOptions,
}

/// Options of the server that stalls.
#[derive(Args, Debug)]
pub struct Stall {
    /// How long a stall lasts: 200ms, 1s
    #[arg(long = "for", value_name = "TIME", value_parser = parse_above_0_ns)]
    pub lasts: u64,
    /// How long a period is, its stall included: 5s
    #[arg(long, value_name = "TIME", value_parser = parse_above_0_ns)]
    pub every: u64,
    /// What all servers have.
    #[command(flatten)]
    pub common: ServerOptions,
}

/// Options of all servers.
#[derive(Args, Clone, Copy, Debug)]
pub struct ServerOptions {
    /// The IPv4 address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST)]
    pub address: Ipv4Addr,
    /// The port to listen on; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// Length of a response's body
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=16_777_216))]
    pub body_bytes: u32,
}

/// A rate in responses a second as the distance of two responses in ns, rounded: exact to 10 ppm at 20,000 a second.
fn gap_ns(text: &str) -> Result<u64, String> {
    let rate: f64 = text
        .parse()
        .map_err(|_| "it is not a number; write 2000 or 733.5".to_owned())?;
    if !(0.01..=1e6).contains(&rate) {
        return Err("it is not from 0.01 to 1000000".to_owned());
    }
    Ok(rounded(1e9 / rate))
}

// From 1e3 to 1e11: it fits, and is above 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rounded(value: f64) -> u64 {
    value.round() as u64
}

#[cfg(test)]
mod tests {
    use super::gap_ns;

    #[test]
    fn a_rate_becomes_a_distance() {
        assert_eq!(gap_ns("2000"), Ok(500_000));
        assert_eq!(gap_ns("0.5"), Ok(2_000_000_000));
        for wrong in ["", "0", "-1", "nan", "inf", "2e6", "x"] {
            assert!(gap_ns(wrong).is_err(), "{wrong}");
        }
    }
}
