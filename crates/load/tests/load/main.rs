//! The program as a whole, against the least server and against servers that are wrong on purpose.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod arguments;
#[cfg(test)]
mod by_hand;
#[cfg(test)]
mod closed;
#[cfg(test)]
#[path = "../corpus/read.rs"]
mod corpus;
#[cfg(test)]
mod database;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod http2;
#[cfg(test)]
mod http2_hostile;
#[cfg(test)]
mod http2_server;
#[cfg(test)]
mod lengths;
#[cfg(test)]
mod log;
#[cfg(test)]
mod merge;
#[cfg(test)]
mod mix;
#[cfg(test)]
mod open;
#[cfg(test)]
mod poll;
#[cfg(test)]
mod program;
#[cfg(test)]
mod reconnects;
#[cfg(test)]
mod request;
#[cfg(test)]
mod respond;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod scripts;
#[cfg(test)]
mod selftest;
#[cfg(test)]
mod sessions;
#[cfg(test)]
mod spoiled;
#[cfg(test)]
mod sql;
#[cfg(test)]
mod sql_arguments;
#[cfg(test)]
mod sql_faults;
#[cfg(test)]
mod sql_killed;
#[cfg(test)]
mod sql_lengths;
#[cfg(test)]
mod sqlite;
#[cfg(test)]
mod times;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod tls_server;
#[cfg(test)]
mod trust;
