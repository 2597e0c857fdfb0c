//! HTTP/1.1 responses, read as they come: bytes in, meaning out. Nothing here touches a socket.

pub mod answer;
pub mod body;
mod chunks;
pub mod dialogue;
mod head;
mod head_cache;
mod inflate;
pub mod mix;
mod right_body;
pub mod session;

use crate::dialogue::Malformed;
