//! The words of the command line.

pub mod arguments;
pub mod endpoint;
pub mod load_options;

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use base::durations::{parse_above_0_ns, parse_ns};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::connection::url::{self, Url};
use crate::schedule::Spacing;

/// Load for servers, and the least server there is.
#[derive(Debug, Parser)]
#[command(name = "h2h-load", version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask an HTTP server in a closed loop, an open loop or sessions, check its answers, and say how long they took
    Http(Box<Http>),
    /// Ask a database in a closed loop or an open one, check its answers, and say how long they took
    Sql(Box<Sql>),
    /// Serve known pages on 127.0.0.1, as cheaply as possible: the harness's own limit
    Respond(Respond),
    /// Find out what this program can do on this machine, and whether it sends when it means to; takes 20 s
    Selftest(Selftest),
    /// Print the version of the SQLite in this program
    SqliteVersion,
}

/// Words of `h2h-load http`.
#[derive(Args, Debug)]
pub struct Http {
    /// Where the server is, as in `http://127.0.0.1:8080/path`
    #[arg(value_parser = url::parse)]
    pub url: Url,
    /// Who asks when.
    #[command(flatten)]
    pub load: Load,
    /// Calls on a connection: of a session with --rate, else until a user opens a new one
    #[arg(long, value_name = "K", value_parser = arguments::calls)]
    pub calls: Option<NonZeroU32>,
    /// What is asked, and the right answers; without it the URL's own path, and any answer with status 200 is right
    #[arg(long, value_name = "FILE")]
    pub mix: Option<PathBuf>,
    /// Ask for compressed answers; bodies of the sample are inflated and then checked, others for their status alone
    #[arg(long)]
    pub gzip: bool,
    /// Whom to trust (PEM): the certificate that signed the server's, or that itself; needed for https
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// How https connections are begun: keep-alive (once, and kept), or for each call, upon an earlier one's ticket
    /// (resumed) or with certificate and signature (full); --calls may say how many calls
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    pub handshake: Option<HandshakeMode>,
    /// What is written where.
    #[command(flatten)]
    pub output: Output,
}

/// Words of `h2h-load sql`.
#[derive(Args, Debug)]
pub struct Sql {
    /// How the database is talked to; sqlite is in this program
    #[arg(
        long,
        value_name = "mysql|postgresql|sqlite",
        value_enum,
        hide_possible_values = true
    )]
    pub protocol: Protocol,
    /// The server's Unix socket: of mysql the file, of postgresql the folder that it is in
    #[arg(long, value_name = "PATH", conflicts_with = "host")]
    pub socket: Option<PathBuf>,
    /// The server's address, or localhost
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::host)]
    pub host: Option<IpAddr>,
    /// The server's port, which also names postgresql's socket; 3306 and 5432 where nothing is said
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Who logs in, without a password
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// The database that is asked
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,
    /// The file of sqlite's database
    #[arg(long, value_name = "FILE", conflicts_with_all = ["socket", "host", "port", "user", "database"])]
    pub file: Option<PathBuf>,
    /// What is asked, and the right answers
    #[arg(long, value_name = "FILE")]
    pub mix: PathBuf,
    /// Who asks when.
    #[command(flatten)]
    pub load: Load,
    /// What is written where.
    #[command(flatten)]
    pub output: Output,
}

/// The protocol that a database is queried in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// That of MySQL and MariaDB.
    Mysql,
    /// That of PostgreSQL.
    Postgresql,
    /// None: SQLite runs in this program.
    Sqlite,
}

/// How encrypted connections are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HandshakeMode {
    /// In full, and kept.
    KeepAlive,
    /// Upon the ticket of an earlier one.
    Resumed,
    /// In full, with certificate and signature.
    Full,
}

impl HandshakeMode {
    /// Calls on a connection where nothing is said of them; `None` for as many as there are.
    pub fn calls(self) -> Option<NonZeroU32> {
        match self {
            Self::KeepAlive => None,
            Self::Resumed | Self::Full => Some(NonZeroU32::MIN),
        }
    }
}

/// Words that say who asks when, the same for every protocol.
#[derive(Args, Debug)]
pub struct Load {
    /// Users, each with a connection of its own, who wait for an answer before they ask again; with --rate the most
    /// connections at once, 1000 where nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub connections: Option<u32>,
    /// Requests that arrive each second, whether or not earlier ones are answered; of http with --calls, sessions
    #[arg(long, value_name = "R", value_parser = arguments::rate)]
    pub rate: Option<f64>,
    /// How arrivals are spaced: each by chance and independent of the others, or evenly
    #[arg(
        long,
        value_name = "poisson|uniform",
        requires = "rate",
        default_value = "poisson",
        value_enum,
        hide_possible_values = true
    )]
    pub arrivals: Spacing,
    /// How long a user pauses between an answer and the next request
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse_ns)]
    pub think: u64,
    /// Threads that drive the load, each a share of it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,
    /// How long the load runs before anything counts: 1s, 250ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_ns)]
    pub warm_up: u64,
    /// How long it is then measured: with --rate the requests meant to be sent within it are what counts
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub duration: u64,
    /// The measurement ends after so many requests, not after --duration
    #[arg(long, value_name = "N", conflicts_with = "rate", value_parser = clap::value_parser!(u64).range(1..))]
    pub requests: Option<u64>,
    /// Abandon what is under way when the measurement ends; else it is waited for with --rate, and abandoned without
    #[arg(long, requires = "rate")]
    pub no_drain: bool,
    /// How long a request may take, from its intended instant to its last byte
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub timeout: u64,
    /// Count the right answers that take longer than this
    #[arg(long, value_name = "TIME", value_parser = parse_above_0_ns)]
    pub late_after: Option<u64>,
    /// Where chance comes from: arrivals, the mix, the sample whose content is checked
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Begin at this instant of `CLOCK_MONOTONIC`, in ns; without it at once
    #[arg(long, value_name = "NS")]
    pub at: Option<u64>,
}

/// Words that say what is written where, the same for every protocol.
#[derive(Args, Debug)]
pub struct Output {
    /// Add histograms (`HdrHistogram`) of every second to this file
    #[arg(long, value_name = "FILE")]
    pub hlog: Option<PathBuf>,
    /// Write what happened in each second to this file, as CSV
    #[arg(long, value_name = "FILE")]
    pub intervals: Option<PathBuf>,
    /// Write the record to this file, or to standard output for -; without it a summary for people is printed
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The case as the record names it; without it {"connections": N}, or {"`rate_per_s`": R}
    #[arg(long, value_name = "JSON", value_parser = arguments::case)]
    pub case: Option<wire::Case>,
    /// The host as the record names it
    #[arg(long, value_name = "NAME", default_value = "local")]
    pub driver: String,
    /// The instant of `CLOCK_MONOTONIC` from which times count, in ns; without it the start of this program
    #[arg(long, value_name = "NS")]
    pub zero_ns: Option<u64>,
}

/// Words of `h2h-load respond`.
#[derive(Args, Debug)]
pub struct Respond {
    /// The port to listen on; 0 for any free one
    #[arg(long, value_name = "PORT")]
    pub port: u16,
    /// A file to serve under --path
    #[arg(long, value_name = "FILE", required_unless_present = "directory")]
    pub body: Option<PathBuf>,
    /// The path under which the body is served
    #[arg(long, value_name = "PATH", default_value = "/article.html", value_parser = path)]
    pub path: String,
    /// Serve every plain file of this folder (not those of folders in it) under its name
    #[arg(long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// Words of `h2h-load selftest`.
#[derive(Args, Debug)]
pub struct Selftest {
    /// How long each of the six measurements takes, behind a warm-up of a tenth of it
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_above_0_ns)]
    pub duration: u64,
    /// Where chance comes from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Write what was found to this file as JSON, or to standard output for -; without it a summary for people is printed
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

fn path(text: &str) -> Result<String, String> {
    if url::is_path(text) {
        Ok(text.to_owned())
    } else {
        Err("it does not begin with / or has a space in it; write /article.html".to_owned())
    }
}
