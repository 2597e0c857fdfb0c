//! The words of the command line.

use clap::{Args, Parser, Subcommand};

use crate::clock::SECOND_NS;

/// Servers on 127.0.0.1 of exactly known behavior, against which a load generator is held.
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
    /// First come, first served, exactly R answers a second at most; a request whose client has gone costs nothing
    Bucket(Paced),
    /// The same, but a request whose client has gone is worked on all the same, for nobody
    Wasteful(Paced),
    /// Answer at once, except that each period ends with a stall, in which nothing is answered
    Stall(Stall),
}

/// Words of the servers that have a rate.
#[derive(Args, Debug)]
pub struct Paced {
    /// Answers a second, at most; any number from 0.01 to 1000000
    #[arg(long = "rate", value_name = "R", value_parser = gap_ns)]
    pub gap_ns: u64,
    /// So many may wait; whoever finds the line full is refused at once, with status 503 and at no cost
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub line: Option<u32>,
    /// What all servers have.
    #[command(flatten)]
    pub common: Common,
}

/// Words of the server that stalls.
#[derive(Args, Debug)]
pub struct Stall {
    /// How long a stall lasts: 200ms, 1s
    #[arg(long = "for", value_name = "TIME", value_parser = time_ns)]
    pub lasts: u64,
    /// How long a period is, its stall included: 5s
    #[arg(long, value_name = "TIME", value_parser = time_ns)]
    pub every: u64,
    /// What all servers have.
    #[command(flatten)]
    pub common: Common,
}

/// Words of all servers.
#[derive(Args, Clone, Copy, Debug)]
pub struct Common {
    /// The port of 127.0.0.1 to listen on; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// How long the body of an answer is
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(..=16_777_216))]
    pub body_bytes: u32,
}

/// A rate in answers a second as the distance of two answers in ns, rounded: exact to 10 ppm at 20,000 a second.
fn gap_ns(text: &str) -> Result<u64, String> {
    let rate: f64 = text
        .parse()
        .map_err(|_| "it is not a number; write 2000 or 733.5".to_owned())?;
    if !(0.01..=1e6).contains(&rate) {
        return Err("it does not lie from 0.01 to 1000000".to_owned());
    }
    Ok(rounded(1e9 / rate))
}

// From 1e3 to 1e11: it fits, and is above 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// A time such as `5s` or `250ms`, in ns.
fn time_ns(text: &str) -> Result<u64, String> {
    let (digits, unit_ns) = if let Some(digits) = text.strip_suffix("ms") {
        (digits, SECOND_NS / 1000)
    } else if let Some(digits) = text.strip_suffix('s') {
        (digits, SECOND_NS)
    } else {
        return Err("it has no unit; write 5s or 250ms".to_owned());
    };
    match digits.parse::<u64>() {
        Ok(number @ 1..=1_000_000) => Ok(number * unit_ns),
        _ => Err("it is not a whole number from 1 to 1000000; write 5s or 250ms".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{gap_ns, time_ns};

    #[test]
    fn a_rate_becomes_a_distance() {
        assert_eq!(gap_ns("2000"), Ok(500_000));
        assert_eq!(gap_ns("0.5"), Ok(2_000_000_000));
        for wrong in ["", "0", "-1", "nan", "inf", "2e6", "x"] {
            assert!(gap_ns(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(time_ns("200ms"), Ok(200_000_000));
        assert_eq!(time_ns("5s"), Ok(5_000_000_000));
        for wrong in ["", "5", "0s", "-1s", "1.5s", "s", "2000000s"] {
            assert!(time_ns(wrong).is_err(), "{wrong}");
        }
    }
}
