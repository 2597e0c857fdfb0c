//! The file of what we print ends with the run: headtohead removes it. If headtohead was killed, we do.

use std::fs;

use crate::remote::sweep_signs::{PREFIX, RunId};

/// Removes that file of the run of this name, if its owner is dead.
pub fn remove(id: &str) {
    let name = format!("{PREFIX}{id}.log");
    if RunId::parse(id).is_some_and(|run| run.is_left_over())
        && let Ok(path) = fs::read_link("/proc/self/fd/2")
        && path.file_name().is_some_and(|last| last == name.as_str())
    {
        let _ = fs::remove_file(path);
    }
}
