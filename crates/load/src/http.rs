//! HTTP/1.1 answers, read as they come: bytes in, what they mean out. Nothing here touches a socket.

pub mod answer;
pub mod body;
mod chunks;
pub mod dialogue;
mod head;
mod head_cache;
mod inflate;
pub mod mix;

use crate::dialogue::Malformed;
