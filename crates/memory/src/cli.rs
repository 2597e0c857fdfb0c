//! The command line.

pub mod arguments;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Bandwidth and latency of memory: one batch record a case, a line each, on standard output.
#[derive(Debug, Parser)]
#[command(name = "h2h-memory", version, propagate_version = true)]
pub struct Cli {
    /// What to measure.
    #[command(subcommand)]
    pub command: Command,
}

/// What the program can measure; each also has the name of the interface that requests it.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Copy, scale, add and triad over arrays in memory, by ordinary and by non-temporal stores
    #[command(alias = "batch/memory-bandwidth-v1")]
    Bandwidth(Bandwidth),
    /// The time of a load that depends on the one before it, from 4 KiB to memory, on small and huge pages
    #[command(alias = "batch/memory-latency-v1")]
    Latency(Latency),
    /// The same in memory while the other CPUs read and write, from a little to as much as they can
    #[command(alias = "batch/memory-loaded-v1")]
    LoadedLatency(Loaded),
    /// Bandwidth and latency between the CPUs of each node and the memory of each
    #[command(alias = "batch/memory-nodes-v1")]
    Nodes(Nodes),
    /// How long one cache line takes from each CPU to each other
    #[command(alias = "batch/memory-core-to-core-v1")]
    CoreToCore(CoreToCore),
}

/// Options of `h2h-memory bandwidth`.
#[derive(Args, Debug)]
pub struct Bandwidth {
    /// The cases, one a line: operation=triad,stores=ordinary; default: all of them, with 1 thread up to one on each CPU
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// How long whole passes are repeated, at least ten times
    #[arg(long, value_name = "S", default_value = "1", value_parser = arguments::seconds_ns)]
    pub seconds: u64,
    /// Size of the three arrays together, of each copy if there are copies: 512M, 2G (default: 4 times the last caches, at
    /// least 512M)
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    pub size: Option<u64>,
    /// Threads, each on its own CPU (default: one on each CPU that this program may use)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: Option<u32>,
    /// Copies of one thread each, with their own arrays; they begin together and then do not wait for each other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "threads")]
    pub copies: Option<u32>,
    /// Widest vectors to use: 128, 256 or 512 (default: the widest of the processor)
    #[arg(long, value_name = "BITS", value_parser = arguments::vector_bits)]
    pub vector_bits: Option<u32>,
    /// Do not check whether arrays of twice the size give the same result; needs half the memory
    #[arg(long)]
    pub no_plateau: bool,
}

/// Options of `h2h-memory latency`.
#[derive(Args, Debug)]
pub struct Latency {
    /// The cases, one a line: level=L2,pages=small, level=staircase for all sizes in one record, or
    /// `size_bytes=65536,pages=huge`; default: every size and level
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// How long each case is measured
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = arguments::seconds_ns)]
    pub seconds: u64,
    /// The largest size (default: 4 times the last cache, at least 512M)
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    pub to: Option<u64>,
    /// Seed of the random order of the loads
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Options of `h2h-memory loaded-latency`.
#[derive(Args, Debug)]
pub struct Loaded {
    /// The cases, one a line: traffic=2r1w; default: 1r0w, 2r1w and 1r1w
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// How long each case is measured, all its points together
    #[arg(long, value_name = "S", default_value = "2", value_parser = arguments::seconds_ns)]
    pub seconds: u64,
    /// Memory for the loads, and as much for the traffic (default: 4 times the last caches, at least 512M)
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    pub size: Option<u64>,
    /// Seed of the random order of the loads
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Widest vectors of the traffic: 128, 256 or 512 (default: the widest of the processor)
    #[arg(long, value_name = "BITS", value_parser = arguments::vector_bits)]
    pub vector_bits: Option<u32>,
}

/// Options of `h2h-memory nodes`.
#[derive(Args, Debug)]
pub struct Nodes {
    /// The cases, one a line: an empty line is all pairs in one record (also the default)
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// How long each case is measured; each pair takes at least 50 ms
    #[arg(long, value_name = "S", default_value = "1", value_parser = arguments::seconds_ns)]
    pub seconds: u64,
    /// Memory read and written on each node (default: 4 times the last caches, at least 512M)
    #[arg(long, value_name = "SIZE", value_parser = arguments::bytes)]
    pub size: Option<u64>,
    /// Seed of the random order of the loads
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Options of `h2h-memory core-to-core`.
#[derive(Args, Debug)]
pub struct CoreToCore {
    /// The cases, one a line: an empty line is all pairs in one record, from=0,to=1 one pair; default: each pair
    #[arg(long, value_name = "FILE")]
    pub cases: Option<PathBuf>,
    /// How long each case is measured; each pair takes at least 5 ms
    #[arg(long, value_name = "S", default_value = "1", value_parser = arguments::seconds_ns)]
    pub seconds: u64,
}
