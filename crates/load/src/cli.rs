//! The command line.

pub mod arguments;
pub mod endpoint;
pub mod load_options;
pub mod merge;
pub mod repeat;
pub mod request;
pub mod server;

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;
use std::path::PathBuf;

use base::durations::{parse_above_0_ns, parse_ns};
use clap::{Args, Parser, Subcommand, ValueEnum};

use self::merge::Merge;
use self::repeat::Repeat;
use self::request::Request;
use self::server::Server;
use crate::distribution::arrivals::Spacing;
use crate::drive::poll::Poll;
use crate::http2::MOST_STREAMS;

/// Load generator for HTTP servers and databases, and a minimal HTTP server.
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
    /// Send requests to an HTTP server in a closed loop, an open loop or sessions, check the responses, and report
    /// times
    Http(Box<Http>),
    /// Send one request, written as HTTP/1.1 on standard input, and print the response the same way
    Request(Request),
    /// Send queries to a database in a closed or an open loop, check the responses, and report times
    Sql(Box<Sql>),
    /// Add what several drivers measured in one case, as if one driver had sent all requests
    Merge(Merge),
    /// Run a program again and again, and print how long a run takes as a batch record
    Repeat(Repeat),
    /// Serve known pages as cheaply as possible, to find the harness's own limit
    Respond(Respond),
    /// Measure this program's highest rate on this machine, and whether it sends on time; takes 20 s
    Selftest(Selftest),
    /// Print the version of the SQLite in this program
    SqliteVersion,
}

/// Options of `h2h-load http`.
#[derive(Args, Debug)]
pub struct Http {
    /// Where the requests go.
    #[command(flatten)]
    pub server: Server,
    /// When requests are sent.
    #[command(flatten)]
    pub load: Load,
    /// Calls per connection: with --rate, calls of a session; without, calls until a user opens a new connection
    #[arg(long, value_name = "K", value_parser = arguments::calls)]
    pub calls: Option<NonZeroU32>,
    /// The requests and their correct responses; by default the URL's own path, and any response with status 200 is
    /// correct
    #[arg(long, value_name = "FILE")]
    pub mix: Option<PathBuf>,
    /// Request compressed responses; sampled bodies are inflated and checked, others are checked for their status only
    #[arg(long)]
    pub gzip: bool,
    /// How https connections start: keep-alive (once, then kept), resumed (with the ticket of an earlier connection) or
    /// full (certificate and signature); with resumed and full, one call per connection unless --calls gives another
    /// number
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    pub handshake: Option<HandshakeMode>,
    /// With --http 2: how many users share a connection, each with a request of its own (default 1)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_STREAMS)))]
    pub streams: Option<u32>,
    /// What is written, and where.
    #[command(flatten)]
    pub output: Output,
}

/// Options of `h2h-load sql`.
#[derive(Args, Debug)]
pub struct Sql {
    /// The database's protocol; sqlite runs inside this program
    #[arg(
        long,
        value_name = "mysql|postgresql|sqlite",
        value_enum,
        hide_possible_values = true
    )]
    pub protocol: Protocol,
    /// The server's Unix socket: for mysql the file, for postgresql its folder
    #[arg(long, value_name = "PATH", conflicts_with = "host")]
    pub socket: Option<PathBuf>,
    /// The server's address, or localhost
    #[arg(long, value_name = "ADDRESS", value_parser = arguments::host)]
    pub host: Option<IpAddr>,
    /// The server's port, which also names postgresql's socket; by default 3306 and 5432
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// The user who logs in
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// File whose first line is the user's password, for a server that requires one; it is proved and never sent
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// The database to query
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,
    /// The file of sqlite's database
    #[arg(long, value_name = "FILE", conflicts_with_all = ["socket", "host", "port", "user", "database", "password_file"])]
    pub file: Option<PathBuf>,
    /// The queries and their correct responses
    #[arg(long, value_name = "FILE")]
    pub mix: PathBuf,
    /// When requests are sent.
    #[command(flatten)]
    pub load: Load,
    /// What is written, and where.
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

/// How an encrypted connection starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HandshakeMode {
    /// In full, and kept.
    KeepAlive,
    /// With the ticket of an earlier one.
    Resumed,
    /// In full, with certificate and signature.
    Full,
}

impl HandshakeMode {
    /// Calls on a connection if no number is given; `None` for no limit.
    pub fn calls(self) -> Option<NonZeroU32> {
        match self {
            Self::KeepAlive => None,
            Self::Resumed | Self::Full => Some(NonZeroU32::MIN),
        }
    }
}

/// Options for when requests are sent, the same for every protocol.
#[derive(Args, Debug)]
pub struct Load {
    /// Users, each with its own connection, who wait for a response before the next request (default 10); with --rate,
    /// the most connections at once (default 1000)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60_000))]
    pub connections: Option<u32>,
    /// Requests that arrive each second, whether or not earlier ones are answered; for http with --calls, sessions
    #[arg(long, value_name = "R", value_parser = arguments::rate)]
    pub rate: Option<f64>,
    /// Spacing of arrivals: independent and random, or even
    #[arg(
        long,
        value_name = "poisson|uniform",
        requires = "rate",
        default_value = "poisson",
        value_enum,
        hide_possible_values = true
    )]
    pub arrivals: Spacing,
    /// How long a user pauses between a response and the next request
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = parse_ns)]
    pub think: u64,
    /// Threads that drive the load; each drives a share of it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub threads: u32,
    /// How threads wait for responses: sleep (the kernel wakes them), or busy (they ask again and again, for CPUs that
    /// nothing else uses)
    #[arg(
        long,
        value_name = "sleep|busy",
        default_value = "sleep",
        value_enum,
        hide_possible_values = true
    )]
    pub poll: Poll,
    /// How long the load runs before anything counts: 1s, 250ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_ns)]
    pub warm_up: u64,
    /// How long the load is measured then; with --rate, requests intended within this time count
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub duration: u64,
    /// End the measurement after N requests instead of --duration
    #[arg(long, value_name = "N", conflicts_with = "rate", value_parser = clap::value_parser!(u64).range(1..))]
    pub requests: Option<u64>,
    /// Abandon requests under way when the measurement ends (always without --rate; with it, the default is to wait)
    #[arg(long, requires = "rate")]
    pub no_drain: bool,
    /// How long a request may take, from its intended instant to its last byte
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_above_0_ns)]
    pub timeout: u64,
    /// Count the correct responses that take longer than this
    #[arg(long, value_name = "TIME", value_parser = parse_above_0_ns)]
    pub late_after: Option<u64>,
    /// Seed of the random numbers: arrivals, the mix, the sample whose content is checked
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Begin at this instant of `CLOCK_MONOTONIC`, in ns (default: at once)
    #[arg(long, value_name = "NS")]
    pub at: Option<u64>,
}

/// Options for what is written and where, the same for every protocol.
#[derive(Args, Debug)]
pub struct Output {
    /// Add histograms (`HdrHistogram`) of every second to this file
    #[arg(long, value_name = "FILE")]
    pub hlog: Option<PathBuf>,
    /// Write what happened in each second to this file, as CSV
    #[arg(long, value_name = "FILE")]
    pub intervals: Option<PathBuf>,
    /// Write all counts and histograms to this file, for `h2h-load merge`; with --intervals, those of each second too
    #[arg(long, value_name = "FILE")]
    pub tally: Option<PathBuf>,
    /// Write the record to this file, or to standard output for - (default: print a summary)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The case in the record (default: {"connections": N} or {"`rate_per_s`": R})
    #[arg(long, value_name = "JSON", value_parser = arguments::case)]
    pub case: Option<wire::Case>,
    /// The host's name in the record
    #[arg(long, value_name = "NAME", default_value = "local")]
    pub driver: String,
    /// The instant of `CLOCK_MONOTONIC` from which times count, in ns (default: the program's start)
    #[arg(long, value_name = "NS")]
    pub zero_ns: Option<u64>,
}

/// Options of `h2h-load respond`.
#[derive(Args, Debug)]
pub struct Respond {
    /// The port to listen on; 0 for any free one
    #[arg(long, value_name = "PORT")]
    pub port: u16,
    /// The IPv4 address to listen on
    #[arg(long, value_name = "ADDRESS", default_value_t = Ipv4Addr::LOCALHOST)]
    pub address: Ipv4Addr,
    /// A file to serve under --path
    #[arg(long, value_name = "FILE", required_unless_present = "directory")]
    pub body: Option<PathBuf>,
    /// The path under which the body is served
    #[arg(long, value_name = "PATH", default_value = "/article.html", value_parser = arguments::path)]
    pub path: String,
    /// Serve every plain file below this folder under its path there
    #[arg(long, value_name = "DIR")]
    pub directory: Option<PathBuf>,
}

/// Options of `h2h-load selftest`.
#[derive(Args, Debug)]
pub struct Selftest {
    /// How long each of the six measurements takes, after a warm-up of a tenth of it
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_above_0_ns)]
    pub duration: u64,
    /// Seed of the random numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Write the findings to this file as JSON, or to standard output for - (default: print a summary)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}
