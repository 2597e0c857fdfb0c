//! The system calls that neither std nor rustix offers. No files but those of this folder and `supervise/launch.rs` hold
//! unsafe code.
#![allow(unsafe_code)]

mod landlock;
mod memory_policy;
mod mount_attributes;
mod namespaces;
mod other_processes;
mod signals;

pub use landlock::enter_domain;
pub use memory_policy::{MAX_NODE, set_memory_policy};
pub use mount_attributes::{MountAttributes, set_mount_attributes};
pub use namespaces::{unshare_ipc, unshare_mounts, unshare_network};
pub use other_processes::{cpu_ns_of, ended_child, peer};
pub use signals::{is_ignored, next_signal, reset_signals, signal_descriptor};
