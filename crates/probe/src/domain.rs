//! A Landlock domain for each program of a run, where the kernel has it (5.13; signals from 6.12).
//!
//! From inside it a program and its children can neither trace, read nor signal processes outside, such as the driver,
//! nor connect to their abstract sockets, nor mount anything. Which files they may open is not ruled here, so that no
//! request costs more: a filter of all system calls (seccomp) took 50 ns of each 200 ns call.

use std::os::fd::OwnedFd;

use landlock::{ABI, Access, AccessFs, Ruleset, RulesetAttr, Scope};

/// The ABI whose scopes we know; an older kernel takes what it has.
const KNOWN: ABI = ABI::V6;

/// The rules for a program's domain, to be entered by its process; `None` on a kernel without Landlock.
#[must_use]
pub fn rules() -> Option<OwnedFd> {
    // A domain must rule something about files. No ordinary user may make devices anyway.
    Ruleset::default()
        .handle_access(AccessFs::MakeBlock)
        .and_then(|rules| rules.scope(Scope::from_all(KNOWN)))
        .and_then(Ruleset::create)
        .ok()
        .and_then(Into::into)
}
