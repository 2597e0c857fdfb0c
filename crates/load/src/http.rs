//! HTTP/1.1 answers, read as they come: bytes in, what they mean out. Nothing here touches a socket.

pub mod answer;
pub mod body;
mod chunks;
mod head;
mod inflate;
mod known;
pub mod talk;

use crate::dialogue::Malformed;
