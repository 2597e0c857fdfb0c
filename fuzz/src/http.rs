//! The reader of answers, taken from where it lives: `h2h-load` is a program, not a library.

#![allow(dead_code)]

#[path = "../../crates/load/src/http/answer.rs"]
pub mod answer;
#[path = "../../crates/load/src/http/body.rs"]
pub mod body;
#[path = "../../crates/load/src/http/chunks.rs"]
mod chunks;
#[path = "../../crates/load/src/http/head.rs"]
mod head;
#[path = "../../crates/load/src/http/inflate.rs"]
mod inflate;
#[path = "../../crates/load/src/http/head_cache.rs"]
mod head_cache;

/// What came is not HTTP/1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;
